// darsie_table.sv - DARSIE's PC skip table of one block: instructions that a leader executes
// for the other warps, and who has passed them.
//
// In a cycle: leaders write, warps look PCs up at the ports and skip what is written, entries
// that all have passed go; then one instruction is decoded, which may become an entry (the
// oldest written one makes room), and stores make loads go.
module darsie_table #(
    parameter N = 8,
    parameter P = 2,
    parameter W = 32,
    parameter R = 32,
    parameter PC = 48,
    parameter RB = $clog2(R),
    parameter EB = $clog2(N)
) (
    input  logic            clk,
    input  logic            clear,
    input  logic [W-1:0]    majority,
    input  logic [R-1:0]    publish, // registers whose leader has written
    input  logic [P-1:0]    look,
    input  logic [P*PC-1:0] look_pc,
    input  logic [P*W-1:0]  look_warps,
    output logic [P-1:0]    look_waits, look_skips,
    output logic [P*RB-1:0] look_at,
    input  logic            decode, // an instruction that can be shared
    input  logic [PC-1:0]   decode_pc,
    input  logic [W-1:0]    decode_warp, // one bit
    output logic            decode_waits, decode_skips, decode_new, // new: there is room
    output logic [RB-1:0]   decode_at,
    input  logic            lead, // it becomes an entry
    input  logic [RB-1:0]   lead_at,
    input  logic [W-1:0]    lead_past, // warps that are already past it
    input  logic            lead_load, lead_global,
    input  logic            forget, forget_global, // loads
    output logic [R-1:0]    kept, kept_then, // registers of entries, before lead and after all
    output logic [N-1:0]    valid, written // for tests
);
    logic [N-1:0]    valid_q, written_q, load_q, global_q, has, wrote, room, oldest, hit;
    logic [N*PC-1:0] pc_q;
    logic [N*W-1:0]  past_q, went, past;
    logic [N*RB-1:0] at_q;
    logic [N*N-1:0]  older_q; // by younger entry: the entries before it
    logic [EB-1:0]   place;
    integer k, j;

    always_comb begin
        has = clear ? 0 : valid_q;
        wrote = written_q;
        went = past_q;
        look_waits = 0;
        look_skips = 0;
        look_at = 0;
        for (k = 0; k < N; k = k + 1)
            wrote[k] = wrote[k] || publish[at_q[k*RB +: RB]];
        for (j = 0; j < P; j = j + 1)
            for (k = 0; k < N; k = k + 1)
                if (look[j] && has[k] && pc_q[k*PC +: PC] == look_pc[j*PC +: PC]) begin
                    look_waits[j] = !wrote[k];
                    look_skips[j] = wrote[k];
                    look_at[j*RB +: RB] = at_q[k*RB +: RB];
                    if (wrote[k])
                        went[k*W +: W] = went[k*W +: W] | look_warps[j*W +: W];
                end
        for (k = 0; k < N; k = k + 1)
            has[k] = has[k] && (majority & ~went[k*W +: W]) != 0;

        // Decoding: it is there, or takes the first free place or that of the oldest.
        decode_waits = 0;
        decode_skips = 0;
        decode_at = 0;
        for (k = 0; k < N; k = k + 1) begin
            hit[k] = decode && has[k] && pc_q[k*PC +: PC] == decode_pc;
            if (hit[k]) begin
                decode_waits = !wrote[k];
                decode_skips = wrote[k];
                decode_at = at_q[k*RB +: RB];
                if (wrote[k])
                    went[k*W +: W] = went[k*W +: W] | decode_warp;
            end
            oldest[k] = has[k] && wrote[k] &&
                        (older_q[k*N +: N] & has & wrote) == 0;
        end
        room = &has ? oldest : ~has;
        place = 0;
        for (k = N - 1; k >= 0; k = k - 1)
            if (room[k])
                place = k[EB-1:0];
        decode_new = decode && hit == 0 && room != 0;
        if (decode_new)
            has[place] = 0;
        kept = 0;
        for (k = 0; k < N; k = k + 1)
            if (has[k])
                kept[at_q[k*RB +: RB]] = 1;
    end

    // After it.
    always_comb begin
        valid = has;
        written = wrote;
        past = went;
        if (lead) begin
            valid[place] = 1;
            written[place] = 0;
            past[place*W +: W] = lead_past | decode_warp;
        end
        kept_then = 0;
        for (k = 0; k < N; k = k + 1) begin
            valid[k] = valid[k] && (majority & ~past[k*W +: W]) != 0 &&
                       !(forget && load_q[k]) && !(forget_global && load_q[k] && global_q[k]);
            if (valid[k])
                kept_then[lead && place == k ? lead_at : at_q[k*RB +: RB]] = 1;
        end
    end

    always_ff @(posedge clk) begin
        valid_q <= valid;
        written_q <= written;
        past_q <= past;
        if (lead) begin
            pc_q[place*PC +: PC] <= decode_pc;
            at_q[place*RB +: RB] <= lead_at;
            load_q[place] <= lead_load;
            global_q[place] <= lead_global;
            for (k = 0; k < N; k = k + 1)
                older_q[k*N + place] <= 0;
            older_q[place*N +: N] <= has;
        end
    end
endmodule
