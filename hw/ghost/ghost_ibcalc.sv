// ghost_ibcalc.sv - GhOST's IB-Calc unit: must a new instruction wait for one that is in
// the issue buffer? (section IV.A; src/scheme/ghost_rules.h)
//
// Registers are named by numbers; all ones is no register (RZ). RAW, WAR and WAW are
// dependences, and so are two memory operations one of which writes.
// It cannot compare ranges of registers: a wide operand counts as its first register, as
// in the traces of the paper's simulator.
module ghost_ibcalc #(
    parameter NAME = 8, // bits of a register's name
    parameter SRC = 3   // sources of an instruction
) (
    input  logic [NAME-1:0]     old_dst, new_dst,
    input  logic [SRC*NAME-1:0] old_src, new_src,
    input  logic                old_memory, new_memory, // reads or writes memory
    input  logic                old_writes, new_writes, // writes memory
    output logic                depends
);
    localparam [NAME-1:0] NONE = {NAME{1'b1}};
    logic raw, war, waw;
    integer k;

    always_comb begin
        raw = 0;
        war = 0;
        for (k = 0; k < SRC; k = k + 1) begin
            raw = raw || (new_src[k*NAME +: NAME] == old_dst && old_dst != NONE);
            war = war || (old_src[k*NAME +: NAME] == new_dst && new_dst != NONE);
        end
        waw = new_dst == old_dst && new_dst != NONE;
        depends = raw || war || waw ||
                  (old_memory && new_memory && (old_writes || new_writes));
    end
endmodule
