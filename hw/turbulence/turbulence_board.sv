// turbulence_board.sv - the scoreboard for operands that are named by number. Instructions
// with such operands issue in order, so only the oldest of them asks.
//
// Unlike the baseline's (inorder_scoreboard.sv) it has instructions with several results:
// registers in a row, of which some have a number and others are in the ring alone.
module turbulence_board #(
    parameter NAME = 8, // bits of a register's number; all ones: none
    parameter SRC = 6,
    parameter DST = 4,
    parameter WB = 3
) (
    input  logic                clk,
    input  logic                start,
    input  logic [WB-1:0]       wb,
    input  logic [WB*NAME-1:0]  wb_dst,
    input  logic [WB*DST-1:0]   wb_filed,
    input  logic [SRC-1:0]      near,
    input  logic [SRC*NAME-1:0] source,
    input  logic [NAME-1:0]     dst,
    input  logic [DST-1:0]      filed,
    output logic                waits,
    input  logic                issue // that instruction issues
);
    logic [(1<<NAME)-1:0] board_q, board;
    logic [NAME-1:0]      name;
    integer k, j;

    always_comb begin
        board = board_q;
        for (k = 0; k < WB; k = k + 1)
            for (j = 0; j < DST; j = j + 1) begin
                name = wb_dst[k*NAME +: NAME] + j[NAME-1:0];
                if (wb[k] && wb_filed[k*DST + j])
                    board[name] = 0;
            end
        waits = 0;
        for (k = 0; k < SRC; k = k + 1)
            waits = waits || (!near[k] && board[source[k*NAME +: NAME]]);
        for (j = 0; j < DST; j = j + 1) begin
            name = dst + j[NAME-1:0];
            waits = waits || (filed[j] && board[name]);
        end
    end

    always_ff @(posedge clk) begin
        board_q <= board;
        for (j = 0; j < DST; j = j + 1)
            if (issue && filed[j])
                board_q[dst + j[NAME-1:0]] <= 1;
        board_q[(1<<NAME)-1] <= 0;
        if (start)
            board_q <= 0;
    end
endmodule
