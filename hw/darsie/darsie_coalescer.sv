// darsie_coalescer.sv - DARSIE's PC coalescer, one per SM: the PCs that warps want to look up
// in a cycle share the ports of the skip tables; equal PCs share one port.
//
// Requests are in the order in which the skip stage sees warps. Combinational but for its
// answers, which are registered.
module darsie_coalescer #(
    parameter P = 2,   // ports
    parameter Q = 64,  // requests per cycle: a warp that skips asks again
    parameter PC = 48
) (
    input  logic            clk,
    input  logic [Q-1:0]    request,
    input  logic [Q*PC-1:0] request_pc,
    output logic [Q-1:0]    grant,
    output logic [P-1:0]    port,
    output logic [P*PC-1:0] port_pc
);
    logic [Q-1:0]    left, equal;
    logic [P-1:0]    used;
    logic [P*PC-1:0] pc;
    integer k, j;

    // Each port takes the first PC that no port before it has.
    always_comb begin
        left = request;
        pc = 0;
        for (j = 0; j < P; j = j + 1) begin
            for (k = Q - 1; k >= 0; k = k - 1)
                if (left[k])
                    pc[j*PC +: PC] = request_pc[k*PC +: PC];
            for (k = 0; k < Q; k = k + 1)
                equal[k] = request_pc[k*PC +: PC] == pc[j*PC +: PC];
            used[j] = left != 0;
            left = left & ~equal;
        end
    end

    always_ff @(posedge clk) begin
        grant <= request & ~left;
        port <= used;
        port_pc <= pc;
    end
endmodule
