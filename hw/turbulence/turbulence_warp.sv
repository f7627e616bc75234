// turbulence_warp.sv - TURBULENCE in one warp: the window, whose instructions wait for slots of
// the ring, and the choice of the oldest that may issue.
//
// A cycle of it is a cycle of src/scheme/turbulence.c with its default parameters, one
// instruction fetched per cycle: write-back, offer, issue, insertion. The window closes up
// when one issues, so that the oldest is at 0. Decoding turns a distance into a slot. It does
// not know lanes: a source by number waits for the last write by number, not for one in the
// ring by other lanes (LIMIT in turbulence.c).
module turbulence_warp #(
    parameter N = 8,        // window
    parameter D = 8,        // largest distance
    parameter S = 24,       // span; D + S must be a power of two
    parameter WB = 3,
    parameter NAME = 8,
    parameter SRC = 6,
    parameter DST = 4,
    parameter INDEX = $clog2(N),
    parameter SLOT = $clog2(D + S)
) (
    input  logic                 clk,
    input  logic                 start,
    input  logic                 resolved, // the branch that was waited for
    input  logic [WB-1:0]        wb,
    input  logic [WB*SLOT-1:0]   wb_slot,
    input  logic [WB*NAME-1:0]   wb_dst,
    input  logic [WB*DST-1:0]    wb_filed,
    output logic                 offer,
    output logic [INDEX-1:0]     offer_place,
    output logic                 room,
    input  logic                 issue,
    input  logic [INDEX-1:0]     issue_place,
    output logic [SLOT-1:0]      issue_slot,
    output logic [23:0]          issue_inst,
    output logic [31:0]          issue_lanes,
    input  logic                 insert,
    input  logic [23:0]          insert_inst, // all but its operands and kind
    input  logic [31:0]          insert_lanes,
    input  logic [SRC-1:0]       insert_near, // sources that are distances
    input  logic [SRC*NAME-1:0]  insert_source,
    input  logic [NAME-1:0]      insert_dst,
    input  logic [DST-1:0]       insert_filed, // results that have a number
    input  logic                 insert_result,
    input  logic [3:0]           insert_kind, // load, store, control, sync
    output logic [SLOT-1:0]      insert_slot,
    output logic [N-1:0]         valid, may, // for tests
    output logic [D+S-1:0]       pending,
    output logic                 branch
);
    // An entry of the window. Its number: it accesses the register file.
    localparam AT_NEAR = SRC*NAME, AT_DST = AT_NEAR + SRC, AT_FILED = AT_DST + NAME;
    localparam AT_KIND = AT_FILED + DST, AT_NUMBER = AT_KIND + 4, AT_SLOT = AT_NUMBER + 1;
    localparam AT_INST = AT_SLOT + SLOT, AT_LANES = AT_INST + 24, E = AT_LANES + 32;
    localparam LOAD = AT_KIND, STORE = AT_KIND + 1, CONTROL = AT_KIND + 2, SYNC = AT_KIND + 3;
    localparam [NAME-1:0] NONE = {NAME{1'b1}};

    logic [N-1:0]    valid_q, past_q, past, stays, stays_past;
    logic [N*E-1:0]  entry_q, stays_entry;
    logic [E-1:0]    first, taken, added;
    logic            branch_q, any_source;
    logic            any, load, store, turn, stop, board_waits, waits, near, last;
    logic [SLOT-1:0] back;
    integer k, j;

    turbulence_ring #(.RING(D + S), .WB(WB)) ring (
        .clk(clk), .start(start), .wb(wb), .wb_slot(wb_slot), .insert(insert),
        .insert_result(insert_result), .pending(pending), .next(insert_slot));
    turbulence_board #(.NAME(NAME), .SRC(SRC), .DST(DST), .WB(WB)) board (
        .clk(clk), .start(start), .wb(wb), .wb_dst(wb_dst), .wb_filed(wb_filed),
        .near(first[AT_NEAR +: SRC]), .source(first[SRC*NAME-1:0]),
        .dst(first[AT_DST +: NAME]), .filed(first[AT_FILED +: DST]), .waits(board_waits),
        .issue(issue && taken[AT_NUMBER]));

    // The oldest instruction that accesses the register file.
    always_comb begin
        first = 0;
        for (k = N - 1; k >= 0; k = k - 1)
            if (valid_q[k] && entry_q[k*E + AT_NUMBER])
                first = entry_q[k*E +: E];
    end

    // Which may issue: its slots are written, and it passes nothing that it must not.
    always_comb begin
        branch = branch_q && !resolved;
        past = resolved ? 0 : past_q;
        any = 0;
        load = 0;
        store = 0;
        turn = 0;
        stop = 0;
        for (k = 0; k < N; k = k + 1) begin
            waits = 0;
            for (j = 0; j < SRC; j = j + 1) begin
                near = entry_q[k*E + AT_NEAR + j];
                back = entry_q[k*E + j*NAME +: SLOT];
                waits = waits || (near && pending[back]);
            end
            may[k] = valid_q[k] && !past[k] && !waits && !stop &&
                     !(entry_q[k*E + AT_NUMBER] && (turn || board_waits)) &&
                     !(entry_q[k*E + LOAD] && store) &&
                     !(entry_q[k*E + STORE] && (load || store)) &&
                     !(entry_q[k*E + SYNC] && any);
            any = any || valid_q[k];
            load = load || (valid_q[k] && entry_q[k*E + LOAD]);
            store = store || (valid_q[k] && entry_q[k*E + STORE]);
            turn = turn || (valid_q[k] && entry_q[k*E + AT_NUMBER]);
            stop = stop || (valid_q[k] && (entry_q[k*E + CONTROL] || entry_q[k*E + SYNC]));
        end
        offer = may != 0;
        offer_place = 0;
        for (k = N - 1; k >= 0; k = k - 1)
            if (may[k])
                offer_place = k[INDEX-1:0];
        valid = valid_q;
        back = insert_slot - entry_q[AT_SLOT +: SLOT]; // instructions that it spans
        room = !valid_q[N-1] && !pending[insert_slot] && (!valid_q[0] || back < S);
    end

    // One issues, and those after it close up.
    always_comb begin
        taken = entry_q[issue_place*E +: E];
        issue_slot = taken[AT_SLOT +: SLOT];
        issue_inst = taken[AT_INST +: 24];
        issue_lanes = taken[AT_LANES +: 32];
        last = issue && taken[CONTROL];
        for (k = 0; k < N; k = k + 1)
            if (issue && k >= issue_place) begin
                stays[k] = k < N - 1 && valid_q[k < N-1 ? k+1 : k];
                stays_entry[k*E +: E] = entry_q[(k < N-1 ? k+1 : k)*E +: E];
                stays_past[k] = last || past[k < N-1 ? k+1 : k];
            end else begin
                stays[k] = valid_q[k];
                stays_entry[k*E +: E] = entry_q[k*E +: E];
                stays_past[k] = past[k];
            end
    end

    // Decoding.
    always_comb begin
        added = {insert_lanes, insert_inst, insert_slot, 1'b0, insert_kind, insert_filed,
                 insert_dst, insert_near, insert_source};
        any_source = 0;
        for (j = 0; j < SRC; j = j + 1) begin
            any_source = any_source ||
                         (!insert_near[j] && insert_source[j*NAME +: NAME] != NONE);
            if (insert_near[j])
                added[j*NAME +: SLOT] = insert_slot - insert_source[j*NAME +: SLOT];
        end
        added[AT_NUMBER] = any_source || insert_filed != 0 || insert_kind[1];
    end

    always_ff @(posedge clk) begin
        valid_q <= stays;
        entry_q <= stays_entry;
        past_q <= stays_past;
        branch_q <= branch || last;
        for (k = 0; k < N; k = k + 1)
            if (insert && !stays[k] && (k == 0 || stays[k == 0 ? 0 : k-1])) begin
                valid_q[k] <= 1;
                entry_q[k*E +: E] <= added;
                past_q[k] <= branch || last;
            end
        if (start) begin
            valid_q <= 0;
            branch_q <= 0;
        end
    end
endmodule
