// socgpu_buffer.sv - SOCGPU's instruction buffer and dependence matrix of one warp: 138 bits
// per entry as in figure 2 of the paper, and 7 cells per row.
//
// In a cycle: instructions leave when they are written back, which clears their columns; the
// first entry that may issue is offered; one issues; one comes in. A cycle of it is a cycle
// of src/scheme/socgpu.c with its default parameters, one instruction fetched per cycle.
// It does not flush: nothing is fetched from a wrong path. PC and next PC are only kept: the
// reconvergence point is known by its instruction (BSYNC), as in the C model.
module socgpu_buffer #(
    parameter N = 8,
    parameter INDEX = $clog2(N),
    parameter NAME = 8,
    parameter SRC = 3
) (
    input  logic             clk,
    input  logic             start,
    input  logic [N-1:0]     leave, // entries written back
    output logic             offer,
    output logic [INDEX-1:0] offer_entry,
    input  logic             issue,
    input  logic [INDEX-1:0] issue_entry,
    output logic [63:0]      issue_inst,
    output logic [31:0]      issue_pc, issue_next,
    input  logic             insert,
    input  logic [63:0]      insert_inst, // names, the rest (with: converges)
    input  logic [4:0]       insert_type, // memory, writes memory, branch, sync, barrier
    input  logic [31:0]      insert_pc, insert_next,
    output logic [INDEX-1:0] insert_entry,
    output logic             full,
    output logic [N-1:0]     valid, issued, // for tests
    output logic [N*N-1:0]   rows
);
    localparam AT_CONVERGES = NAME * (SRC + 1) + 5;

    logic [N-1:0]       valid_q, issued_q;
    logic [N*N-1:0]     rows_q;
    logic [N*INDEX-1:0] age_q, age; // seniority: 0 is the oldest
    logic [N*64-1:0]    inst_q;
    logic [N*5-1:0]     type_q;
    logic [N*32-1:0]    pc_q, next_q;
    logic [N-1:0]       depends, ready, converge, may;
    logic [INDEX-1:0]   n_valid; // modulo N
    integer k, j;

    genvar g;
    generate
        for (g = 0; g < N; g = g + 1) begin : entry
            socgpu_depends #(.NAME(NAME), .SRC(SRC)) rule (
                .old_dst(inst_q[g*64 +: NAME]), .old_src(inst_q[g*64 + NAME +: SRC*NAME]),
                .old_type(type_q[g*5 +: 5]),
                .new_dst(insert_inst[NAME-1:0]), .new_src(insert_inst[NAME +: SRC*NAME]),
                .new_type(insert_type), .depends(depends[g]));
        end
    endgenerate

    // Entries leave, their columns are cleared and younger ones become more senior.
    always_comb begin
        valid = start ? 0 : valid_q & ~leave;
        issued = start ? 0 : issued_q & ~leave;
        rows = rows_q;
        age = age_q;
        n_valid = 0;
        for (k = 0; k < N; k = k + 1) begin
            rows[k*N +: N] = rows_q[k*N +: N] & ~leave;
            n_valid = n_valid + {{INDEX-1{1'b0}}, valid[k]};
            for (j = 0; j < N; j = j + 1)
                if (leave[j] && age_q[j*INDEX +: INDEX] < age_q[k*INDEX +: INDEX])
                    age[k*INDEX +: INDEX] = age[k*INDEX +: INDEX] - 1'b1;
        end
        full = &valid;
    end

    // Conditions a1 and a2; a3: not past a BSYNC that has not issued, unless it is the oldest.
    always_comb begin
        for (k = 0; k < N; k = k + 1) begin
            ready[k] = valid[k] && !issued[k] && rows[k*N +: N] == 0;
            converge[k] = valid[k] && !issued[k] && inst_q[k*64 + AT_CONVERGES];
        end
        may = ready;
        for (k = 0; k < N; k = k + 1)
            for (j = 0; j < N; j = j + 1)
                if (converge[j] && age[j*INDEX +: INDEX] <= age[k*INDEX +: INDEX] &&
                    age[k*INDEX +: INDEX] != 0)
                    may[k] = 0;
        offer = may != 0;
        offer_entry = 0;
        insert_entry = 0;
        for (k = N - 1; k >= 0; k = k - 1) begin
            if (may[k])
                offer_entry = k[INDEX-1:0];
            if (!valid[k])
                insert_entry = k[INDEX-1:0];
        end
        issue_inst = inst_q[issue_entry*64 +: 64];
        issue_pc = pc_q[issue_entry*32 +: 32];
        issue_next = next_q[issue_entry*32 +: 32];
    end

    always_ff @(posedge clk) begin
        valid_q <= valid;
        issued_q <= issued;
        rows_q <= rows;
        age_q <= age;
        if (issue)
            issued_q[issue_entry] <= 1;
        if (insert) begin
            valid_q[insert_entry] <= 1;
            rows_q[insert_entry*N +: N] <= depends & valid;
            age_q[insert_entry*INDEX +: INDEX] <= n_valid;
            inst_q[insert_entry*64 +: 64] <= insert_inst;
            type_q[insert_entry*5 +: 5] <= insert_type;
            pc_q[insert_entry*32 +: 32] <= insert_pc;
            next_q[insert_entry*32 +: 32] <= insert_next;
        end
        for (k = 0; k < N; k = k + 1)
            rows_q[k*N + k] <= 0; // none waits for itself
    end
endmodule
