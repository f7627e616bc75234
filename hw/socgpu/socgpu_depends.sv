// socgpu_depends.sv - SOCGPU's dependence rules: must a new instruction wait for one in the
// buffer? (section 3; find_dependences() of src/scheme/socgpu.c)
//
// All ones is no register. It cannot compare ranges of registers: a wide operand counts as
// its first register.
module socgpu_depends #(
    parameter NAME = 8,
    parameter SRC = 3
) (
    input  logic [NAME-1:0]     old_dst, new_dst,
    input  logic [SRC*NAME-1:0] old_src, new_src,
    // memory, writes memory, branch, sync, barrier
    input  logic [4:0]          old_type, new_type,
    output logic                depends
);
    localparam [NAME-1:0] NONE = {NAME{1'b1}};
    logic name, order, stop;
    integer k;

    always_comb begin
        name = new_dst == old_dst && new_dst != NONE; // 1: WAW
        for (k = 0; k < SRC; k = k + 1)
            name = name ||
                   (old_src[k*NAME +: NAME] == new_dst && new_dst != NONE) || // 1: WAR
                   (new_src[k*NAME +: NAME] == old_dst && old_dst != NONE);   // 2: RAW
        order = (new_type[0] && old_type[4]) ||                // 3: memory after a barrier
                (new_type[1] && old_type[0]) ||                // 4: a write after any
                (new_type[0] && !new_type[1] && old_type[1]);  // 5: a load after a write
        stop = new_type[2] || old_type[2] ||                   // 6, 7: branches
               new_type[3] || (old_type[3] && !old_type[4]);   // sync, as Leno's core needs
        depends = name || order || stop;
    end
endmodule
