// loog_station.sv - one of LOOG's collector units: an instruction that waits for results by
// name and for its reads of the register file. Operands themselves are in the collectors of
// the baseline.
module loog_station #(
    parameter NB = 4,
    parameter WN = 3,
    parameter SRC = 4,
    parameter WB = 3
) (
    input  logic              clk,
    input  logic              reset,
    input  logic [WB-1:0]     wb,
    input  logic [WB*NB-1:0]  wb_name,
    input  logic              read,  // has read its other sources
    input  logic              leave, // its instruction leaves
    input  logic              take,
    input  logic [WN-1:0]     take_warp,
    input  logic [63:0]       take_inst,
    input  logic [1:0]        take_kind,    // atomic, texture
    input  logic [SRC-1:0]    take_pending, // sources that are captured
    input  logic [SRC-1:0]    take_address, // of them, those of an address
    input  logic [SRC*NB-1:0] take_from,
    output logic              valid, waits, complete, captures, knows, learns,
    output logic [WN-1:0]     warp,
    output logic [63:0]       inst,
    output logic [1:0]        kind
);
    logic              valid_q, read_q, has_read;
    logic [SRC-1:0]    pending_q, address_q, hit, pending;
    logic [SRC*NB-1:0] from_q;
    integer s, k;

    always_comb begin
        for (s = 0; s < SRC; s = s + 1) begin
            hit[s] = 0;
            for (k = 0; k < WB; k = k + 1)
                hit[s] = hit[s] || (wb[k] && wb_name[k*NB +: NB] == from_q[s*NB +: NB]);
            hit[s] = hit[s] && pending_q[s];
        end
        pending = pending_q & ~hit;
        has_read = read_q || read;
        valid = valid_q;
        waits = valid_q && pending != 0;
        complete = valid_q && pending == 0 && has_read;
        captures = valid_q && hit != 0;
        knows = valid_q && has_read && (pending & address_q) == 0;
        learns = knows && !(read_q && (pending_q & address_q) == 0);
    end

    always_ff @(posedge clk) begin
        valid_q <= (valid_q && !leave || take) && !reset;
        pending_q <= pending;
        read_q <= has_read;
        if (take) begin
            warp <= take_warp;
            inst <= take_inst;
            kind <= take_kind;
            pending_q <= take_pending;
            address_q <= take_address;
            from_q <= take_from;
            read_q <= 0;
        end
    end
endmodule
