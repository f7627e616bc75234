// rr_pick.sv - takes turns: the first request after the one granted last, or else the
// first of all.
//
// Combinational. The caller keeps `last`. It has no notion of fairness beyond that.
module rr_pick #(
    parameter N = 8,            // requesters
    parameter BITS = $clog2(N)
) (
    input  logic [N-1:0]    request,
    input  logic [BITS-1:0] last,
    output logic            valid,
    output logic [BITS-1:0] grant
);
    logic [N-1:0] later, from;
    integer k;

    always_comb begin
        for (k = 0; k < N; k = k + 1)
            later[k] = request[k] && k > last;
        from = later != 0 ? later : request;
        grant = 0;
        for (k = N - 1; k >= 0; k = k - 1)
            if (from[k])
                grant = k[BITS-1:0];
        valid = request != 0;
    end
endmodule
