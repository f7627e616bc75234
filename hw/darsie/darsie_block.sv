// darsie_block.sv - DARSIE's structures of one block: majority mask, PC skip table, rename and
// version tables.
//
// A cycle of it is what src/skip/darsie.c does to a block in a cycle in which no warp skips
// two instructions (that takes it another one): write-back and branches, look-ups at the
// ports, one instruction decoded. Which warps are already past an instruction that gets a new
// leader is told from outside; so is who diverges. It has no state for warps that wait for each
// other because no register is free: `starved` says that they would.
module darsie_block #(
    parameter N = 8,
    parameter P = 2,
    parameter R = 32,
    parameter W = 32,
    parameter WB = 3,
    parameter PC = 48,
    parameter NAME = 9,
    parameter SRC = 4,
    parameter RB = $clog2(R)
) (
    input  logic                clk,
    input  logic                start, regroup,
    input  logic [W-1:0]        mask,
    input  logic [R-1:0]        usable,
    input  logic [W-1:0]        arrive, taken, leave, own,
    input  logic [WB*R-1:0]     let_go,
    input  logic [R-1:0]        publish,
    input  logic [P-1:0]        look,
    input  logic [P*PC-1:0]     look_pc,
    input  logic [P*W-1:0]      look_warps,
    output logic [P-1:0]        look_waits, look_skips,
    input  logic                decode, shares,
    input  logic [PC-1:0]       decode_pc,
    input  logic [W-1:0]        decode_warp, decode_past,
    input  logic                decode_load, decode_global,
    input  logic [NAME-1:0]     decode_dst,
    input  logic [SRC*NAME-1:0] decode_source,
    output logic                decode_waits, decode_skips, lead, starved,
    output logic [RB-1:0]       lead_at,
    output logic [R-1:0]        held,
    input  logic                forget, forget_global,
    output logic [W-1:0]        majority,
    output logic [R-1:0]        free,          // for tests
    output logic [N-1:0]        valid, written
);
    logic            clear, is_new, any_free;
    logic [P*RB-1:0] look_at;
    logic [RB-1:0]   decode_at;
    logic [R-1:0]    kept, kept_then;

    darsie_path #(.W(W)) path (
        .clk(clk), .start(start), .regroup(regroup), .mask(mask), .arrive(arrive), .taken(taken),
        .leave(leave), .majority(majority), .clear(clear));
    darsie_table #(.N(N), .P(P), .W(W), .R(R), .PC(PC)) skip_table (
        .clk(clk), .clear(clear), .majority(majority), .publish(publish), .look(look),
        .look_pc(look_pc), .look_warps(look_warps), .look_waits(look_waits),
        .look_skips(look_skips), .look_at(look_at), .decode(decode && shares),
        .decode_pc(decode_pc), .decode_warp(decode_warp), .decode_waits(decode_waits),
        .decode_skips(decode_skips), .decode_new(is_new), .decode_at(decode_at), .lead(lead),
        .lead_at(lead_at), .lead_past(decode_past), .lead_load(decode_load),
        .lead_global(decode_global), .forget(forget), .forget_global(forget_global),
        .kept(kept), .kept_then(kept_then), .valid(valid), .written(written));
    darsie_rename #(.P(P), .W(W), .R(R), .NAME(NAME), .SRC(SRC), .WB(WB)) rename_table (
        .clk(clk), .start(start), .usable(usable), .own(own), .let_go(let_go),
        .skip(look_skips), .skip_at(look_at), .skip_warps(look_warps), .kept(kept),
        .kept_then(kept_then), .decode(decode && !decode_waits && !decode_skips),
        .skips(decode_skips), .skips_at(decode_at), .lead(lead), .warp(decode_warp),
        .dst(decode_dst), .source(decode_source), .any_free(any_free), .at(lead_at),
        .held(held), .free(free));

    always_comb begin
        lead = is_new && any_free;
        starved = is_new && !any_free;
    end
endmodule
