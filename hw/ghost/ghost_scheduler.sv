// ghost_scheduler.sv - the GhOST scheduler of a sub-core: WWb and ITE vectors, the warp that
// is looked at, OSel, and the ITab of every warp (section IV.C).
//
// It looks at one warp per cycle, one with new results first, and shows its pick in the next
// cycle. The warp scheduler itself is not part of it.
module ghost_scheduler #(
    parameter W = 8,              // warps
    parameter WARP = $clog2(W),
    parameter N = 8,
    parameter INDEX = $clog2(N)
) (
    input  logic                 clk,
    input  logic                 reset,
    input  logic [W-1:0]         start, finish, // warps
    // per warp, of its issue buffer
    input  logic [W-1:0]         wrote,    // a result was written back while it held some
    input  logic [W-1:0]         resolved, // a branch, while it held some
    input  logic [W-1:0]         entered,
    input  logic [W*N-1:0]       ready,
    input  logic [W*N*INDEX-1:0] index,
    input  logic                 issue,
    input  logic [WARP-1:0]      issue_warp,
    input  logic [INDEX-1:0]     issue_place,
    input  logic                 issue_left, // others stay in that warp's buffer
    output logic [W*2-1:0]       itab_valid,
    output logic [W*2*INDEX-1:0] itab_place,
    // the pick, to be shown in the next cycle unless it issues now
    output logic                 pick,
    output logic [WARP-1:0]      pick_warp,
    output logic [1:0]           pick_valid,
    output logic [2*INDEX-1:0]   pick_place
);
    logic [W-1:0]         wwb_q, ite_q, wwb, ite, had_room;
    logic                 picked_q;
    logic [WARP-1:0]      picked_warp_q, last_q;
    logic [1:0]           picked_valid_q;
    logic [2*INDEX-1:0]   picked_place_q;
    integer k;

    always_comb begin
        wwb = (wwb_q & ~finish) | wrote;
        ite = (ite_q & ~finish) | (resolved & had_room);
        for (k = 0; k < W; k = k + 1)
            if (entered[k] && !itab_valid[k*2+1])
                ite[k] = 1;
    end

    rr_pick #(.N(W)) turn (
        .request(wwb != 0 ? wwb : ite), .last(last_q), .valid(pick), .grant(pick_warp));
    ghost_osel #(.N(N)) osel (
        .ready(ready[pick_warp*N +: N]), .index(index[pick_warp*N*INDEX +: N*INDEX]),
        .valid(pick_valid), .place(pick_place));

    genvar g;
    generate
        for (g = 0; g < W; g = g + 1) begin : warp
            ghost_itab #(.INDEX(INDEX)) itab (
                .clk(clk), .start(start[g] || reset),
                .show(picked_q && picked_warp_q == g),
                .pick_valid(picked_valid_q), .pick_place(picked_place_q),
                .issue(issue && issue_warp == g), .issue_place(issue_place),
                .had_room(had_room[g]), .valid(itab_valid[g*2 +: 2]),
                .place(itab_place[g*2*INDEX +: 2*INDEX]));
        end
    endgenerate

    always_ff @(posedge clk) begin
        wwb_q <= wwb;
        ite_q <= ite;
        picked_q <= pick;
        picked_valid_q <= pick_valid;
        picked_place_q <= pick_place;
        if (pick) begin
            wwb_q[pick_warp] <= 0;
            ite_q[pick_warp] <= 0;
            last_q <= pick_warp;
            picked_warp_q <= pick_warp;
        end
        if (issue) begin
            if (issue_left)
                ite_q[issue_warp] <= 1;
            if (pick_warp == issue_warp) begin
                if (pick_valid[0] && pick_place[0 +: INDEX] == issue_place) begin
                    picked_valid_q <= {1'b0, pick_valid[1]};
                    picked_place_q <= {{INDEX{1'b0}}, pick_place[INDEX +: INDEX]};
                end else if (pick_valid[1] && pick_place[INDEX +: INDEX] == issue_place)
                    picked_valid_q <= 2'b01;
            end
        end
        if (reset) begin
            wwb_q <= 0;
            ite_q <= 0;
            picked_q <= 0;
            last_q <= {WARP{1'b1}};
        end
    end
endmodule
