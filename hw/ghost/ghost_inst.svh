// ghost_inst.svh - the fields of a decoded instruction in GhOST's modules: 64 bits, of
// which the modules look at 36. Included inside a module with parameters NAME and SRC.
localparam INST = 64;
localparam AT_SRC = NAME;                    // the destination is at 0
localparam AT_MEMORY = NAME * (SRC + 1);     // reads or writes memory
localparam AT_WRITES = AT_MEMORY + 1;        // writes memory
localparam AT_BRANCH = AT_MEMORY + 2;        // later instructions wait until it is resolved
localparam AT_SYNC = AT_MEMORY + 3;          // nothing passes it
localparam USED = AT_MEMORY + 4;             // bits that are looked at
