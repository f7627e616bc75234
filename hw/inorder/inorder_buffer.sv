// inorder_buffer.sv - the in-order baseline of one warp: instruction buffer and scoreboard.
// The oldest instruction is offered if none of its registers has a pending write.
//
// A cycle of it is a cycle of src/scheme/inorder.c with its default parameters, one
// instruction fetched per cycle: write-back, offer, issue, insertion.
module inorder_buffer #(
    parameter N = 4,            // entries; a power of two
    parameter NAME = 8,
    parameter SRC = 3,
    parameter WB = 3
) (
    input  logic               clk,
    input  logic               start,
    input  logic [WB-1:0]      wb,
    input  logic [WB*NAME-1:0] wb_reg,
    output logic               offer,
    input  logic               issue,
    output logic [63:0]        issue_inst,
    input  logic               insert,
    input  logic [63:0]        insert_inst,
    output logic               full, any
);
    logic [N-1:0]    valid_q, valid; // the oldest is at 0
    logic [N*64-1:0] inst_q, inst;
    logic            pending;
    integer k;

    inorder_scoreboard #(.NAME(NAME), .SRC(SRC), .WB(WB)) scoreboard (
        .clk(clk), .start(start), .wb(wb), .wb_reg(wb_reg),
        .names(inst_q[NAME*(SRC+1)-1:0]), .pending(pending), .issue(issue));

    always_comb begin
        any = valid_q[0];
        full = valid_q[N-1];
        offer = any && !pending;
        issue_inst = inst_q[63:0];
        valid = start ? 0 : issue ? valid_q >> 1 : valid_q;
        inst = issue ? inst_q >> 64 : inst_q;
    end

    always_ff @(posedge clk) begin
        valid_q <= valid;
        inst_q <= inst;
        if (insert) begin
            valid_q <= {valid[N-2:0], 1'b1};
            for (k = 0; k < N; k = k + 1)
                if (!valid[k] && (k == 0 || valid[k == 0 ? 0 : k-1]))
                    inst_q[k*64 +: 64] <= insert_inst;
        end
    end
endmodule
