// loog_rat.sv - LOOG's register alias table of one warp: which pending result a register
// will get, if its value is not in the register file.
//
// Results of this cycle are filed before an instruction looks its sources up. A result whose
// register has another name by now is not kept.
module loog_rat #(
    parameter NAME = 8, // bits of a register's number; all ones: none
    parameter NB = 4,   // bits of a result's name
    parameter SRC = 4,
    parameter WB = 3
) (
    input  logic                clk,
    input  logic                start,
    input  logic [WB-1:0]       wb,
    input  logic [WB*NAME-1:0]  wb_reg,
    input  logic [WB*NB-1:0]    wb_name,
    output logic [WB-1:0]       kept,
    input  logic [SRC*NAME-1:0] source,
    output logic [SRC-1:0]      pending,
    output logic [SRC*NB-1:0]   from,
    input  logic                set,
    input  logic [NAME-1:0]     set_reg,
    input  logic [NB-1:0]       set_name
);
    localparam REGS = 1 << NAME;
    logic [REGS-1:0]    table_q, table_d;
    logic [REGS*NB-1:0] name_q;
    integer k;

    always_comb begin
        table_d = table_q;
        for (k = 0; k < WB; k = k + 1) begin
            kept[k] = wb[k] && table_q[wb_reg[k*NAME +: NAME]] &&
                      name_q[wb_reg[k*NAME +: NAME]*NB +: NB] == wb_name[k*NB +: NB];
            if (kept[k])
                table_d[wb_reg[k*NAME +: NAME]] = 0;
        end
        for (k = 0; k < SRC; k = k + 1) begin
            pending[k] = table_d[source[k*NAME +: NAME]];
            from[k*NB +: NB] = name_q[source[k*NAME +: NAME]*NB +: NB];
        end
    end

    always_ff @(posedge clk) begin
        table_q <= table_d;
        if (set) begin
            table_q[set_reg] <= 1;
            name_q[set_reg*NB +: NB] <= set_name;
        end
        table_q[REGS-1] <= 0;
        if (start)
            table_q <= 0;
    end
endmodule
