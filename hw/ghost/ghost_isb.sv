// ghost_isb.sv - the issue buffer (IsB) of one warp in GhOST, with its Location Pointer
// (section IV.B): 111 bits per entry, as in table II.
//
// In a cycle: results are written back and a branch resolves; an instruction comes in from
// a checker; one issues. Outputs show the buffer after the first two. An entry is empty if
// the count of its pending operands is 7, which none can reach; such an entry is never
// ready. Entries are flip-flops, not an SRAM: each is compared with the results that are
// written, and its IB-dep bits are cleared by column.
module ghost_isb #(
    parameter N = 8,               // entries; a power of two
    parameter INDEX = $clog2(N),
    parameter NAME = 8,
    parameter SRC = 3,
    parameter WB = 3               // results written back per cycle
) (
    input  logic              clk,
    input  logic              start, // a warp starts: empty
    // results of this warp
    input  logic [WB-1:0]     wb,
    input  logic [WB*NAME-1:0] wb_reg,
    input  logic              resolve, // its oldest branch
    // from a checker
    input  logic              enter,
    input  logic [31:0]       enter_mask,
    input  logic [63:0]       enter_inst,
    input  logic [N-1:0]      enter_dep,
    input  logic [2:0]        enter_waits,
    input  logic              enter_valid,
    // to the warp scheduler
    input  logic              issue,
    input  logic [INDEX-1:0]  issue_place,
    output logic [31:0]       issue_mask,
    output logic [63:0]       issue_inst,
    // to checkers: before this cycle's instruction comes in
    output logic [N-1:0]      empty,
    output logic [N*(NAME*(SRC+1)+2)-1:0] operands,
    output logic              branch,
    // to the GhOST scheduler, with this cycle's instruction
    output logic [N-1:0]      ready,
    output logic [N*INDEX-1:0] index,
    output logic              any, full, control,
    output logic              oldest_ready,
    output logic [INDEX-1:0]  oldest,
    output logic              any_left, // after the issue
    output logic [N*N-1:0]    dep       // for tests
);
    /*verilator no_inline_module*/
    `include "ghost_inst.svh"
    localparam OPERANDS = NAME * (SRC + 1) + 2;
    localparam [2:0] EMPTY = 7;
    localparam [NAME-1:0] NONE = {NAME{1'b1}};

    logic [N-1:0]       valid_q, valid_a, valid_n;
    logic [N*3-1:0]     waits_q, waits_a, waits_n;
    logic [N*N-1:0]     dep_q;
    logic [N*INDEX-1:0] index_q;
    logic [N*32-1:0]    mask_q;
    logic [N*INST-1:0]  inst_q;
    logic [N*INDEX-1:0] free_q;  // Location Pointer: empty places, the next one first
    logic [INDEX-1:0]   count_q; // IdxVal
    logic               control_q, branch_q, branch_now;
    logic [N-1:0]       occupied, is_branch, waits_branch;
    logic [INDEX-1:0]   place, count_n, issue_index;
    logic [INDEX:0]     n_free;
    integer k, j;

    // What checkers see.
    always_comb
        for (k = 0; k < N; k = k + 1) begin
            empty[k] = waits_q[k*3 +: 3] == EMPTY;
            operands[k*OPERANDS +: OPERANDS] = inst_q[k*INST +: OPERANDS];
            is_branch[k] = inst_q[k*INST + AT_BRANCH];
        end

    // Write-back: operands that are pending no longer.
    always_comb begin
        waits_a = waits_q;
        for (k = 0; k < N; k = k + 1)
            for (j = 0; j < WB * (SRC + 1); j = j + 1)
                if (!empty[k] && wb[j/(SRC+1)] && wb_reg[j/(SRC+1)*NAME +: NAME] != NONE &&
                    inst_q[k*INST + j%(SRC+1)*NAME +: NAME] == wb_reg[j/(SRC+1)*NAME +: NAME])
                    waits_a[k*3 +: 3] = waits_a[k*3 +: 3] - 3'd1;
    end

    // A branch resolves: instructions up to the next branch, and that one, become valid.
    always_comb begin
        waits_branch = 0;
        for (k = 0; k < N; k = k + 1)
            for (j = 0; j < N; j = j + 1)
                if (!empty[j] && is_branch[j] && !valid_q[j] &&
                    index_q[j*INDEX +: INDEX] < index_q[k*INDEX +: INDEX])
                    waits_branch[k] = 1;
        valid_a = valid_q | (resolve ? ~waits_branch : 0);
        branch = branch_q && !(resolve && (~empty & is_branch & ~valid_q) == 0);
    end

    // The instruction from the checker goes to the first empty place.
    always_comb begin
        place = free_q[0 +: INDEX];
        count_n = count_q + {{INDEX-1{1'b0}}, enter};
        valid_n = valid_a;
        waits_n = waits_a;
        dep = dep_q;
        index = index_q;
        if (enter) begin
            valid_n[place] = enter_valid;
            waits_n[place*3 +: 3] = enter_waits;
            dep[place*N +: N] = enter_dep;
            index[place*INDEX +: INDEX] = count_q;
        end
        branch_now = branch || (enter && enter_inst[AT_BRANCH]);
        control = control_q;
        if (enter)
            control = enter_inst[AT_SYNC];
        else if (resolve)
            control = 0;
    end

    // The register dependence check, and what the warp scheduler sees without an ITab.
    always_comb begin
        oldest = 0;
        oldest_ready = 0;
        for (k = 0; k < N; k = k + 1) begin
            occupied[k] = waits_n[k*3 +: 3] != EMPTY;
            ready[k] = valid_n[k] && dep[k*N +: N] == 0 && waits_n[k*3 +: 3] == 0;
            if (occupied[k] && index[k*INDEX +: INDEX] == 0) begin
                oldest = k[INDEX-1:0];
                oldest_ready = ready[k];
            end
        end
        any = occupied != 0;
        full = &occupied;
        any_left = any && !(issue && count_n == 1);
        issue_index = index[issue_place*INDEX +: INDEX];
        issue_mask = enter && place == issue_place ? enter_mask : mask_q[issue_place*32 +: 32];
        issue_inst = enter && place == issue_place ? enter_inst
                                                   : inst_q[issue_place*INST +: INST];
        n_free = 0;
        for (k = 0; k < N; k = k + 1)
            n_free = n_free + {{INDEX{1'b0}}, !occupied[k]};
    end

    always_ff @(posedge clk) begin
        if (enter) begin
            mask_q[place*32 +: 32] <= enter_mask;
            inst_q[place*INST +: INST] <= enter_inst;
        end
        valid_q <= valid_n;
        waits_q <= waits_n;
        dep_q <= dep;
        index_q <= index;
        count_q <= count_n - {{INDEX-1{1'b0}}, issue};
        branch_q <= branch_now;
        control_q <= control && !(issue && issue_inst[AT_SYNC] && !issue_inst[AT_BRANCH]);
        if (enter)
            free_q <= {{INDEX{1'b0}}, free_q[N*INDEX-1:INDEX]};
        if (issue) begin
            waits_q[issue_place*3 +: 3] <= EMPTY;
            for (k = 0; k < N; k = k + 1) begin
                dep_q[k*N + issue_place] <= 0;
                if (index[k*INDEX +: INDEX] > issue_index)
                    index_q[k*INDEX +: INDEX] <= index[k*INDEX +: INDEX] - 1'b1;
                if (n_free == k)
                    free_q[k*INDEX +: INDEX] <= issue_place;
            end
            // Its result is pending from now on.
            for (k = 0; k < N; k = k + 1)
                if (occupied[k] && k != issue_place)
                    waits_q[k*3 +: 3] <= waits_n[k*3 +: 3] + named(
                        enter && place == k ? enter_inst[NAME*(SRC+1)-1:0]
                                            : inst_q[k*INST +: NAME*(SRC+1)],
                        issue_inst[NAME-1:0]);
        end
        if (start) begin
            for (k = 0; k < N; k = k + 1) begin
                waits_q[k*3 +: 3] <= EMPTY;
                free_q[k*INDEX +: INDEX] <= k[INDEX-1:0];
            end
            dep_q <= 0;
            count_q <= 0;
            branch_q <= 0;
            control_q <= 0;
        end
    end

    // How many operands are this register?
    function automatic [2:0] named(input [NAME*(SRC+1)-1:0] names, input [NAME-1:0] name);
        integer i;
        named = 0;
        for (i = 0; i <= SRC; i = i + 1)
            if (names[i*NAME +: NAME] == name && name != NONE)
                named = named + 3'd1;
    endfunction
endmodule
