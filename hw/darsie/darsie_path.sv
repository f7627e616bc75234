// darsie_path.sv - DARSIE's majority mask of one block: warps that take the same way. They wait
// for each other at branches; most stay, the first warp's way wins a tie.
//
// Ways are taken or not taken. After a barrier of the block the warps on the path are given
// (`regroup`): those in the place where most have waited.
module darsie_path #(
    parameter W = 32
) (
    input  logic         clk,
    input  logic         start, regroup,
    input  logic [W-1:0] mask,    // the path then
    input  logic [W-1:0] arrive,  // branches that are resolved ...
    input  logic [W-1:0] taken,   // ... and their ways
    input  logic [W-1:0] leave,
    output logic [W-1:0] majority,
    output logic         clear // all go on: what was being skipped is behind them
);
    localparam C = $clog2(W + 1);
    logic [W-1:0] path_q, path, here_q, here, taken_q, ways;
    logic [C-1:0] n_taken, n_other;
    logic         first, most;
    integer k;

    always_comb begin
        path = start || regroup ? mask : path_q & ~leave;
        here = (here_q | arrive) & path;
        ways = (taken_q & ~arrive) | (taken & arrive);
        n_taken = 0;
        n_other = 0;
        first = 0;
        for (k = W - 1; k >= 0; k = k - 1) begin
            n_taken = n_taken + {{C-1{1'b0}}, path[k] && ways[k]};
            n_other = n_other + {{C-1{1'b0}}, path[k] && !ways[k]};
            if (path[k])
                first = ways[k];
        end
        most = n_taken == n_other ? first : n_taken > n_other;
        clear = start || regroup || (path != 0 && here == path);
        majority = path != 0 && here == path ? path & (most ? ways : ~ways) : path;
    end

    always_ff @(posedge clk) begin
        path_q <= majority;
        here_q <= clear ? 0 : here;
        taken_q <= ways;
    end
endmodule
