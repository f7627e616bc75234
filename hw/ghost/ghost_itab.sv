// ghost_itab.sv - GhOST's instruction table (ITab) of one warp: places of up to two ready
// instructions in the issue buffer, the older one first (section IV.C).
//
// `show` puts a pick in place; the table with it is what the warp scheduler sees in the same
// cycle. The instruction that issues is taken out.
module ghost_itab #(
    parameter INDEX = 3
) (
    input  logic               clk,
    input  logic               start,
    input  logic               show,
    input  logic [1:0]         pick_valid,
    input  logic [2*INDEX-1:0] pick_place,
    input  logic               issue,
    input  logic [INDEX-1:0]   issue_place,
    output logic               had_room, // before this cycle's pick
    output logic [1:0]         valid,
    output logic [2*INDEX-1:0] place
);
    logic [1:0]         valid_q;
    logic [2*INDEX-1:0] place_q;

    always_comb begin
        had_room = !valid_q[1];
        valid = show ? pick_valid : valid_q;
        place = show ? pick_place : place_q;
    end

    always_ff @(posedge clk) begin
        valid_q <= valid;
        place_q <= place;
        if (issue && valid[0] && place[0 +: INDEX] == issue_place) begin
            valid_q <= {1'b0, valid[1]};
            place_q <= {{INDEX{1'b0}}, place[INDEX +: INDEX]};
        end else if (issue && valid[1] && place[INDEX +: INDEX] == issue_place)
            valid_q <= 2'b01;
        if (start)
            valid_q <= 0;
    end
endmodule
