// ghost_unit.sv - what GhOST adds to a sub-core: dependence checkers, an issue buffer per
// warp, and the GhOST scheduler. A cycle of it is a cycle of src/scheme/ghost.c with its
// default parameters.
//
// Around it are parts of the baseline: instruction buffers (ib_*), the scoreboard, which
// answers for the operands of every checker (pending), the warp scheduler, which issues one
// of the offers. It cannot flush, since nothing is fetched from a wrong path, and it does not
// know wide operands, predicates and uniform registers (ghost_ibcalc.sv).
module ghost_unit #(
    parameter W = 8,              // warps of the sub-core
    parameter WARP = $clog2(W),
    parameter N = 8,              // entries of an issue buffer
    parameter INDEX = $clog2(N),
    parameter C = 4,              // dependence checkers
    parameter NAME = 8,
    parameter SRC = 3,
    parameter WB = 3              // results written back per cycle
) (
    input  logic                  clk,
    input  logic                  reset,
    input  logic [W-1:0]          start, finish, // warps
    input  logic [WB-1:0]         wb,
    input  logic [WB*WARP-1:0]    wb_warp,
    input  logic [WB*NAME-1:0]    wb_reg,
    input  logic [W-1:0]          resolve,
    input  logic [W-1:0]          ib_valid, // heads of the instruction buffers
    input  logic [W*32-1:0]       ib_mask,
    input  logic [W*64-1:0]       ib_inst,
    output logic [W-1:0]          ib_pop,
    // operands in the checkers, and which of them have a pending write
    output logic [C-1:0]          check,
    output logic [C*WARP-1:0]     check_warp,
    output logic [C*NAME*(SRC+1)-1:0] check_names,
    input  logic [C*(SRC+1)-1:0]  pending,
    // offers to the warp scheduler, one per warp
    output logic [W-1:0]          offer,
    output logic [W*INDEX-1:0]    offer_place,
    input  logic                  issue,
    input  logic [WARP-1:0]       issue_warp,
    input  logic [INDEX-1:0]      issue_place,
    output logic [31:0]           issue_mask,
    output logic [63:0]           issue_inst,
    // the pick and the dependences, for tests
    output logic                  pick,
    output logic [WARP-1:0]       pick_warp,
    output logic [1:0]            pick_valid,
    output logic [2*INDEX-1:0]    pick_place,
    output logic [W*N*N-1:0]      dep
);
    `include "ghost_inst.svh"
    localparam OPERANDS = NAME * (SRC + 1) + 2;
    localparam ENTRY = 32 + 64 + N + 3 + 1;

    // Issue buffers
    logic [W-1:0]            any, any_left, full, control, branch, oldest_ready, entered;
    logic [W-1:0]            held; // before this cycle's instruction
    logic [W*INDEX-1:0]      oldest;
    logic [W*N-1:0]          empty, ready;
    logic [W*N*INDEX-1:0]    index;
    logic [W*N*OPERANDS-1:0] operands;
    logic [W*32-1:0]         out_mask;
    logic [W*64-1:0]         out_inst;
    logic [W*ENTRY-1:0]      enter_data;
    // Checkers
    logic [C*ENTRY-1:0]      dc_data;
    logic [C-1:0]            load;
    logic [C*WARP-1:0]       load_warp;
    // The GhOST scheduler
    logic [W*2-1:0]          itab_valid;
    logic [W*2*INDEX-1:0]    itab_place;
    logic [W-1:0]            wrote;
    logic [WARP-1:0]         last_q;
    genvar g;
    integer k, j;

    generate
        for (g = 0; g < W; g = g + 1) begin : warp
            logic [WB-1:0] wb_here;
            for (genvar p = 0; p < WB; p = p + 1) begin : port
                assign wb_here[p] = wb[p] && wb_warp[p*WARP +: WARP] == g;
            end
            ghost_isb #(.N(N), .NAME(NAME), .SRC(SRC), .WB(WB)) isb (
                .clk(clk), .start(start[g] || reset),
                .wb(wb_here), .wb_reg(wb_reg), .resolve(resolve[g]),
                .enter(entered[g]),
                .enter_mask(enter_data[g*ENTRY +: 32]),
                .enter_inst(enter_data[g*ENTRY + 32 +: 64]),
                .enter_dep(enter_data[g*ENTRY + 96 +: N]),
                .enter_waits(enter_data[g*ENTRY + 96 + N +: 3]),
                .enter_valid(enter_data[g*ENTRY + 99 + N]),
                .issue(issue && issue_warp == g), .issue_place(issue_place),
                .issue_mask(out_mask[g*32 +: 32]), .issue_inst(out_inst[g*64 +: 64]),
                .empty(empty[g*N +: N]), .operands(operands[g*N*OPERANDS +: N*OPERANDS]),
                .branch(branch[g]), .ready(ready[g*N +: N]),
                .index(index[g*N*INDEX +: N*INDEX]),
                .any(any[g]), .full(full[g]), .control(control[g]),
                .oldest_ready(oldest_ready[g]), .oldest(oldest[g*INDEX +: INDEX]),
                .any_left(any_left[g]), .dep(dep[g*N*N +: N*N]));
            assign held[g] = empty[g*N +: N] != {N{1'b1}};
            assign wrote[g] = wb_here != 0 && held[g];
        end
        for (g = 0; g < C; g = g + 1) begin : dc
            wire [WARP-1:0] w = check_warp[g*WARP +: WARP];
            wire [WARP-1:0] l = load_warp[g*WARP +: WARP];
            wire [31:0] dc_mask;
            wire [63:0] dc_inst;
            wire [N-1:0] dc_dep;
            wire [2:0] dc_waits;
            wire dc_valid;
            ghost_checker #(.N(N), .WARP(WARP), .NAME(NAME), .SRC(SRC)) checker_ (
                .clk(clk), .reset(reset), .load(load[g]), .load_warp(l),
                .load_mask(ib_mask[l*32 +: 32]), .load_inst(ib_inst[l*64 +: 64]),
                .isb_empty(empty[w*N +: N]),
                .isb_operands(operands[w*N*OPERANDS +: N*OPERANDS]),
                .branch(branch[w]), .pending(pending[g*(SRC+1) +: SRC+1]),
                .busy(check[g]), .warp(check_warp[g*WARP +: WARP]),
                .mask(dc_mask), .inst(dc_inst), .dep(dc_dep), .waits(dc_waits),
                .valid(dc_valid));
            assign dc_data[g*ENTRY +: ENTRY] = {dc_valid, dc_waits, dc_dep, dc_inst, dc_mask};
            assign check_names[g*NAME*(SRC+1) +: NAME*(SRC+1)] = dc_inst[NAME*(SRC+1)-1:0];
        end
    endgenerate

    // Every checker's instruction moves on into its warp's issue buffer.
    always_comb
        for (k = 0; k < W; k = k + 1) begin
            entered[k] = 0;
            enter_data[k*ENTRY +: ENTRY] = 0;
            for (j = 0; j < C; j = j + 1)
                if (check[j] && check_warp[j*WARP +: WARP] == k) begin
                    entered[k] = 1;
                    enter_data[k*ENTRY +: ENTRY] =
                        enter_data[k*ENTRY +: ENTRY] | dc_data[j*ENTRY +: ENTRY];
                end
        end

    // Checkers are loaded in turn, from warps whose next instruction will find room.
    logic [W-1:0] may_check;
    always_comb
        for (k = 0; k < W; k = k + 1)
            may_check[k] = ib_valid[k] && !control[k] && !full[k] &&
                           !(any[k] && ib_inst[k*64 + AT_SYNC]);
    generate
        for (g = 0; g < C; g = g + 1) begin : take
            wire [W-1:0] wants; // not taken by the checkers before
            wire [WARP-1:0] after;
            if (g == 0) begin : first
                assign wants = may_check;
                assign after = last_q;
            end else begin : other
                assign wants = take[g-1].left;
                assign after = load_warp[(g-1)*WARP +: WARP];
            end
            wire [W-1:0] left = wants & ~(load[g] ? {{W-1{1'b0}}, 1'b1} << load_warp[g*WARP +: WARP] : 0);
            rr_pick #(.N(W)) turn (.request(wants), .last(after), .valid(load[g]),
                                   .grant(load_warp[g*WARP +: WARP]));
        end
    endgenerate
    assign ib_pop = may_check & ~take[C-1].left;

    always_ff @(posedge clk) begin
        for (k = 0; k < C; k = k + 1)
            if (load[k])
                last_q <= load_warp[k*WARP +: WARP];
        if (reset)
            last_q <= {WARP{1'b1}};
    end

    ghost_scheduler #(.W(W), .N(N)) scheduler (
        .clk(clk), .reset(reset), .start(start), .finish(finish),
        .wrote(wrote), .resolved(resolve & held), .entered(entered),
        .ready(ready), .index(index),
        .issue(issue), .issue_warp(issue_warp), .issue_place(issue_place),
        .issue_left(any_left[issue_warp]),
        .itab_valid(itab_valid), .itab_place(itab_place),
        .pick(pick), .pick_warp(pick_warp), .pick_valid(pick_valid),
        .pick_place(pick_place));

    // A warp offers the first instruction of its ITab, or else its oldest if that is ready.
    always_comb begin
        for (k = 0; k < W; k = k + 1) begin
            offer[k] = itab_valid[k*2] || oldest_ready[k];
            offer_place[k*INDEX +: INDEX] =
                itab_valid[k*2] ? itab_place[k*2*INDEX +: INDEX] : oldest[k*INDEX +: INDEX];
        end
        issue_mask = out_mask[issue_warp*32 +: 32];
        issue_inst = out_inst[issue_warp*64 +: 64];
    end
endmodule
