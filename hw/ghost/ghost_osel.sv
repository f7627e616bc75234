// ghost_osel.sv - OSel of the GhOST scheduler: the two oldest ready instructions of the
// warp that it looks at (section IV.C, figure 10). Combinational, shared by all warps.
module ghost_osel #(
    parameter N = 8,
    parameter INDEX = $clog2(N)
) (
    input  logic [N-1:0]       ready,
    input  logic [N*INDEX-1:0] index,  // 0: oldest
    output logic [1:0]         valid,
    output logic [2*INDEX-1:0] place   // the older one first
);
    logic [N-1:0]       at_age;   // by age: there is a ready one
    logic [N*INDEX-1:0] place_of; // by age
    integer k, a;

    always_comb begin
        at_age = 0;
        place_of = 0;
        for (a = 0; a < N; a = a + 1)
            for (k = 0; k < N; k = k + 1)
                if (ready[k] && index[k*INDEX +: INDEX] == a) begin
                    at_age[a] = 1;
                    place_of[a*INDEX +: INDEX] = place_of[a*INDEX +: INDEX] | k[INDEX-1:0];
                end
        valid = 0;
        place = 0;
        for (a = N - 1; a >= 0; a = a - 1)
            if (at_age[a]) begin
                valid = {valid[0], 1'b1};
                place = {place[0 +: INDEX], place_of[a*INDEX +: INDEX]};
            end
    end
endmodule
