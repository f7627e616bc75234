// inorder_scoreboard.sv - the scoreboard of one warp: a bit per register with a pending
// write, cleared by write-back and set by issue. The reference that every scheme starts from.
//
// `pending` is the answer for the operands of one instruction, after this cycle's results. It
// has the general registers only, and counts no readers.
module inorder_scoreboard #(
    parameter NAME = 8, // bits of a register's name; all ones: none
    parameter SRC = 3,
    parameter WB = 3    // results written back per cycle
) (
    input  logic                    clk,
    input  logic                    start,
    input  logic [WB-1:0]           wb,
    input  logic [WB*NAME-1:0]      wb_reg,
    input  logic [(SRC+1)*NAME-1:0] names, // the destination first
    output logic                    pending,
    input  logic                    issue // that instruction issues
);
    localparam REGS = 1 << NAME;
    logic [REGS-1:0] board_q, board;
    integer k;

    always_comb begin
        board = board_q;
        for (k = 0; k < WB; k = k + 1)
            if (wb[k])
                board[wb_reg[k*NAME +: NAME]] = 0;
        pending = 0;
        for (k = 0; k <= SRC; k = k + 1)
            pending = pending || board[names[k*NAME +: NAME]];
    end

    always_ff @(posedge clk) begin
        board_q <= board;
        if (issue)
            board_q[names[NAME-1:0]] <= 1;
        board_q[REGS-1] <= 0;
        if (start)
            board_q <= 0;
    end
endmodule
