// darsie_rename.sv - DARSIE's rename and version tables of one block, and its free list: for
// each shared register, which register of the code it is a version of, the warps that read it
// as that, and how many instructions in flight use it.
//
// A warp reads its own register where no version names it: at most one does. The paper has a
// number per version and does not say how warps are told apart; here a version has a mask of
// warps. A register is free if no warp reads it, no entry of the skip table keeps it and no
// instruction in flight uses it.
module darsie_rename #(
    parameter P = 2,
    parameter W = 32,
    parameter R = 32,
    parameter NAME = 9, // bits of a register's number; all ones: none
    parameter SRC = 4,
    parameter WB = 3,
    parameter COUNT = 8,
    parameter RB = $clog2(R)
) (
    input  logic                clk,
    input  logic                start,
    input  logic [R-1:0]        usable, // then: how many the block has
    input  logic [W-1:0]        own,    // warps that stop sharing
    input  logic [WB*R-1:0]     let_go, // registers that instructions have held
    input  logic [P-1:0]        skip,   // warps skip instructions with these results
    input  logic [P*RB-1:0]     skip_at,
    input  logic [P*W-1:0]      skip_warps,
    input  logic [R-1:0]        kept, kept_then,
    input  logic                decode, // an instruction is executed ...
    input  logic                skips,  // ... or skipped
    input  logic [RB-1:0]       skips_at,
    input  logic                lead,   // it executes for others
    input  logic [W-1:0]        warp,
    input  logic [NAME-1:0]     dst,
    input  logic [SRC*NAME-1:0] source,
    output logic                any_free,
    output logic [RB-1:0]       at,   // register for its result
    output logic [R-1:0]        held, // registers that it holds in flight
    output logic [R-1:0]        free  // for tests
);
    logic [R-1:0]       usable_q, is_usable, reads, is_dst, same, may;
    logic [R*NAME-1:0]  name_q, name;
    logic [R*W-1:0]     user_q, had, user;
    logic [R*COUNT-1:0] count_q, flies, count;
    logic [W-1:0]       move;
    integer k, j;

    always_comb begin
        is_usable = start ? usable : usable_q;
        had = start ? 0 : user_q;
        flies = start ? 0 : count_q;
        move = 0;
        for (k = 0; k < R; k = k + 1) begin
            had[k*W +: W] = had[k*W +: W] & ~own;
            for (j = 0; j < WB; j = j + 1)
                if (let_go[j*R + k])
                    flies[k*COUNT +: COUNT] = flies[k*COUNT +: COUNT] - 1'b1;
        end
        // Warps that skip read the new version from now on, and no older one.
        for (j = 0; j < P; j = j + 1)
            if (skip[j]) begin
                move = skip_warps[j*W +: W];
                for (k = 0; k < R; k = k + 1)
                    if (name_q[k*NAME +: NAME] == name_q[skip_at[j*RB +: RB]*NAME +: NAME])
                        had[k*W +: W] = had[k*W +: W] & ~move;
                had[skip_at[j*RB +: RB]*W +: W] = had[skip_at[j*RB +: RB]*W +: W] | move;
            end

        // Decoding: versions that it reads, and the one that it replaces.
        for (k = 0; k < R; k = k + 1) begin
            same[k] = (had[k*W +: W] & warp) != 0;
            is_dst[k] = same[k] && name_q[k*NAME +: NAME] == dst;
            reads[k] = 0;
            for (j = 0; j < SRC; j = j + 1)
                reads[k] = reads[k] ||
                           (same[k] && name_q[k*NAME +: NAME] == source[j*NAME +: NAME]);
        end
        for (k = 0; k < R; k = k + 1) begin
            if ((decode || skips) && is_dst[k])
                had[k*W +: W] = had[k*W +: W] & ~warp;
            may[k] = is_usable[k] && had[k*W +: W] == 0 && flies[k*COUNT +: COUNT] == 0 &&
                     !kept[k] && !reads[k];
        end
        any_free = may != 0;
        at = 0;
        for (k = R - 1; k >= 0; k = k - 1)
            if (may[k])
                at = k[RB-1:0];
    end

    // After it.
    always_comb begin
        name = name_q;
        user = had;
        count = flies;
        held = decode ? reads : 0;
        if (lead) begin
            name[at*NAME +: NAME] = dst;
            user[at*W +: W] = warp;
            held[at] = 1;
        end
        if (skips)
            user[skips_at*W +: W] = user[skips_at*W +: W] | warp;
        for (k = 0; k < R; k = k + 1) begin
            count[k*COUNT +: COUNT] = count[k*COUNT +: COUNT] + {{COUNT-1{1'b0}}, held[k]};
            free[k] = is_usable[k] && user[k*W +: W] == 0 &&
                      count[k*COUNT +: COUNT] == 0 && !kept_then[k];
        end
    end

    always_ff @(posedge clk) begin
        usable_q <= is_usable;
        name_q <= name;
        user_q <= user;
        count_q <= count;
    end
endmodule
