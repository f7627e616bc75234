// ghost_checker.sv - a dependence checker (DC) of GhOST: holds one instruction for a cycle
// and finds out what it must wait for in its warp's issue buffer (section IV.A).
//
// An instruction that is loaded in one cycle enters the issue buffer in the next; the
// scheduler loads only instructions that find room there. Of the 111 bits of table II, the
// 96 of the mask and the instruction are registers; index, IB-dep and valid are computed in
// the cycle in which they are written into the issue buffer.
// The last three bits of IB-dep count the operands with a pending write: `pending` is the
// answer of the scoreboard, which the baseline has and this module has not.
module ghost_checker #(
    parameter N = 8,    // entries of an issue buffer
    parameter WARP = 3, // bits of a warp's number
    parameter NAME = 8,
    parameter SRC = 3
) (
    input  logic            clk,
    input  logic            reset,
    input  logic            load,
    input  logic [WARP-1:0] load_warp,
    input  logic [31:0]     load_mask,
    input  logic [63:0]     load_inst,
    // the issue buffer of `warp`
    input  logic [N-1:0]    isb_empty,
    input  logic [N*(NAME*(SRC+1)+2)-1:0] isb_operands, // per entry: names, memory, writes
    input  logic            branch, // its youngest branch is not resolved
    input  logic [SRC:0]    pending, // of the operands: destination first
    output logic            busy,
    output logic [WARP-1:0] warp,
    output logic [31:0]     mask,
    output logic [63:0]     inst,
    output logic [N-1:0]    dep,
    output logic [2:0]      waits,  // operands with a pending write
    output logic            valid
);
    /*verilator no_inline_module*/
    localparam OPERANDS = NAME * (SRC + 1) + 2;
    logic [N-1:0] depends;
    integer k;

    always_ff @(posedge clk) begin
        busy <= load && !reset;
        if (load) begin
            warp <= load_warp;
            mask <= load_mask;
            inst <= load_inst;
        end
    end

    genvar g;
    generate
        for (g = 0; g < N; g = g + 1) begin : calc
            ghost_ibcalc #(.NAME(NAME), .SRC(SRC)) ibcalc (
                .old_dst(isb_operands[g*OPERANDS +: NAME]),
                .old_src(isb_operands[g*OPERANDS + NAME +: SRC*NAME]),
                .old_memory(isb_operands[g*OPERANDS + OPERANDS - 2]),
                .old_writes(isb_operands[g*OPERANDS + OPERANDS - 1]),
                .new_dst(inst[0 +: NAME]),
                .new_src(inst[NAME +: SRC*NAME]),
                .new_memory(inst[OPERANDS - 2]),
                .new_writes(inst[OPERANDS - 1]),
                .depends(depends[g]));
        end
    endgenerate

    always_comb begin
        dep = depends & ~isb_empty;
        waits = 0;
        for (k = 0; k <= SRC; k = k + 1)
            waits = waits + {2'b0, pending[k]};
        valid = !branch;
    end
endmodule
