// turbulence_ring.sv - TURBULENCE's ring of one warp: which slots have a pending result, and
// the slot of the next instruction. The results themselves are in the register file.
//
// `pending` is after this cycle's results. A slot is taken by every instruction, also by one
// without a result. The ring's size must be a power of two.
module turbulence_ring #(
    parameter RING = 32,
    parameter SLOT = $clog2(RING),
    parameter WB = 3
) (
    input  logic               clk,
    input  logic               start,
    input  logic [WB-1:0]      wb,
    input  logic [WB*SLOT-1:0] wb_slot,
    input  logic               insert,
    input  logic               insert_result, // it has one
    output logic [RING-1:0]    pending,
    output logic [SLOT-1:0]    next
);
    logic [RING-1:0] pending_q;
    integer k;

    always_comb begin
        pending = pending_q;
        for (k = 0; k < WB; k = k + 1)
            if (wb[k])
                pending[wb_slot[k*SLOT +: SLOT]] = 0;
    end

    always_ff @(posedge clk) begin
        pending_q <= pending;
        if (insert) begin
            pending_q[next] <= insert_result;
            next <= next + 1'b1;
        end
        if (start) begin
            pending_q <= 0;
            next <= 0;
        end
    end
endmodule
