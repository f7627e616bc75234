// loog_unit.sv - LOOG in one sub-core: alias tables of its warps, collector units as stations,
// free names (RRS), the order of memory operations, and the choice of what leaves.
//
// A cycle of it is a cycle of src/scheme/loog.c with its default parameters: results are
// broadcast, operands have been read, instructions leave, one issues into a free unit. Free
// units and names are taken in order of their numbers, where the C model has stacks. The
// queues' addresses and their comparators are outside: `overlap` is what they say.
module loog_unit #(
    parameter W = 8,   // warps
    parameter U = 8,   // collector units
    parameter N = 12,  // names
    parameter WB = 3,
    parameter NAME = 8,
    parameter SRC = 3,
    parameter WN = $clog2(W),
    parameter UN = $clog2(U),
    parameter NB = $clog2(N)
) (
    input  logic               clk,
    input  logic               reset,
    input  logic [W-1:0]       start, resolved,
    input  logic [WB-1:0]      wb,
    input  logic [WB*WN-1:0]   wb_warp,
    input  logic [WB*NB-1:0]   wb_name,
    input  logic [WB*NAME-1:0] wb_reg,
    output logic [WB-1:0]      wb_kept, // written to the register file
    input  logic [U-1:0]       read,
    input  logic [U*U-1:0]     overlap, // by older unit, then younger one
    input  logic [U-1:0]       eligible, // units whose pipe takes an instruction
    input  logic [U-1:0]       leave,    // units whose instruction has left in this cycle
    output logic               pick,
    output logic [UN-1:0]      pick_unit,
    input  logic [W-1:0]       head, head_sync, head_result, // each buffer's oldest
    output logic [W-1:0]       offer,
    input  logic               issue,
    input  logic [WN-1:0]      issue_warp,
    input  logic [63:0]        issue_inst,
    input  logic [1:0]         issue_kind, // atomic, texture
    input  logic               issue_partial, // some lanes keep the old value
    input  logic [SRC-1:0]     issue_address, // sources that make up an address
    output logic [UN-1:0]      issue_unit,
    output logic [NB-1:0]      issue_name,
    output logic [63:0]        pick_inst,
    output logic [U-1:0]       busy, ready, waits, knows // for tests
);
    localparam ALL = SRC + 1;
    localparam AT = NAME * (SRC + 1); // memory, writes memory, branch
    localparam [NAME-1:0] NONE = {NAME{1'b1}};

    logic [U-1:0]         valid, complete, captures, learns, held, told, may;
    logic [U*WN-1:0]      warp;
    logic [U*64-1:0]      inst;
    logic [U*2-1:0]       kind;
    logic [U*U-1:0]       older_q; // by younger unit: the units before it
    logic [N-1:0]         used_q, used;
    logic [W-1:0]         branch_q, branch, holds;
    logic [W*WB-1:0]      kept;
    logic [W*ALL-1:0]     pending;
    logic [W*ALL*NB-1:0]  from;
    logic [ALL*NAME-1:0]  source;
    logic [ALL-1:0]       is_pending;
    logic [ALL*NB-1:0]    is_from;
    logic                 has_result, same, orders;
    integer k, j;

    // Its result counts as a source where some lanes keep the old value.
    always_comb begin
        has_result = issue_inst[NAME-1:0] != NONE;
        source = {issue_partial ? issue_inst[NAME-1:0] : NONE, issue_inst[NAME +: SRC*NAME]};
        is_pending = pending[issue_warp*ALL +: ALL];
        is_from = from[issue_warp*ALL*NB +: ALL*NB];
    end

    genvar g;
    generate
        for (g = 0; g < W; g = g + 1) begin : warps
            logic [WB-1:0] mine;
            integer p;
            always_comb
                for (p = 0; p < WB; p = p + 1)
                    mine[p] = wb[p] && wb_warp[p*WN +: WN] == g;
            loog_rat #(.NAME(NAME), .NB(NB), .SRC(ALL), .WB(WB)) rat (
                .clk(clk), .start(start[g] || reset), .wb(mine), .wb_reg(wb_reg), .wb_name(wb_name),
                .kept(kept[g*WB +: WB]), .source(source), .pending(pending[g*ALL +: ALL]),
                .from(from[g*ALL*NB +: ALL*NB]),
                .set(issue && has_result && issue_warp == g), .set_reg(issue_inst[NAME-1:0]),
                .set_name(issue_name));
        end
        for (g = 0; g < U; g = g + 1) begin : units
            loog_station #(.NB(NB), .WN(WN), .SRC(ALL), .WB(WB)) station (
                .clk(clk), .reset(reset), .wb(wb), .wb_name(wb_name), .read(read[g]),
                .leave(leave[g]), .take(issue && issue_unit == g), .take_warp(issue_warp),
                .take_inst(issue_inst), .take_kind(issue_kind), .take_pending(is_pending),
                .take_address({1'b0, issue_address}), .take_from(is_from),
                .valid(valid[g]), .waits(waits[g]), .complete(complete[g]),
                .captures(captures[g]), .knows(knows[g]), .learns(learns[g]),
                .warp(warp[g*WN +: WN]), .inst(inst[g*64 +: 64]), .kind(kind[g*2 +: 2]));
        end
    endgenerate

    // Memory operations of a warp, one of which writes: the younger waits until the older has
    // left, or until its address is known and is another.
    always_comb begin
        busy = valid & ~leave;
        held = 0;
        told = 0;
        for (k = 0; k < U; k = k + 1)
            for (j = 0; j < U; j = j + 1) begin
                same = busy[j] && older_q[k*U + j] && warp[j*WN +: WN] == warp[k*WN +: WN];
                orders = inst[j*64 + AT] && inst[k*64 + AT] &&
                         (inst[j*64 + AT + 1] || inst[k*64 + AT + 1]);
                if (same && orders &&
                    (kind[j*2] || kind[k*2] ||
                     (kind[j*2 + 1] || kind[k*2 + 1] ? kind[j*2 + 1] && kind[k*2 + 1] :
                                                       !knows[j] || overlap[j*U + k])))
                    held[k] = 1;
                if (valid[j] && older_q[k*U + j] && orders && learns[j] &&
                    warp[j*WN +: WN] == warp[k*WN +: WN])
                    told[k] = 1; // compared with the address in this cycle
            end
        ready = complete & ~held & ~leave;
    end

    // Of those that may leave, the one that issued first.
    always_comb begin
        may = ready & eligible & ~captures & ~told;
        pick = may != 0;
        pick_unit = 0;
        for (k = 0; k < U; k = k + 1)
            if (may[k] && (may & older_q[k*U +: U]) == 0)
                pick_unit = k[UN-1:0];
        pick_inst = inst[pick_unit*64 +: 64];
    end

    // Offers, and what an instruction takes that issues.
    always_comb begin
        used = used_q;
        wb_kept = 0;
        for (k = 0; k < WB; k = k + 1)
            if (wb[k]) begin
                used[wb_name[k*NB +: NB]] = 0;
                wb_kept[k] = kept[wb_warp[k*WN +: WN]*WB + k];
            end
        branch = branch_q & ~resolved & ~start;
        holds = 0;
        issue_unit = 0;
        issue_name = 0;
        for (k = U - 1; k >= 0; k = k - 1) begin
            if (busy[k])
                holds[warp[k*WN +: WN]] = 1;
            else
                issue_unit = k[UN-1:0];
        end
        for (k = N - 1; k >= 0; k = k - 1)
            if (!used[k])
                issue_name = k[NB-1:0];
        offer = head & ~branch & ~(head_sync & holds);
        if (&busy)
            offer = 0;
        if (&used)
            offer = offer & ~head_result;
    end

    always_ff @(posedge clk) begin
        used_q <= used;
        branch_q <= branch;
        for (k = 0; k < U; k = k + 1)
            older_q[k*U +: U] <= older_q[k*U +: U] & ~leave;
        if (issue) begin
            if (has_result)
                used_q[issue_name] <= 1;
            if (issue_inst[AT + 2])
                branch_q[issue_warp] <= 1;
            older_q[issue_unit*U +: U] <= busy;
        end
        if (reset) begin
            used_q <= 0;
            branch_q <= 0;
        end
    end
endmodule
