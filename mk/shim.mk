# shim.mk - libraries for the hosts of others: CUDA's for leno exec, Vortex's.
# Libraries that stand in for CUDA's (leno exec).
# Of the archive only what they need: its workloads are hosts of the program leno.
CUDAOBJ  := $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/shim/cuda/*.c)) $(BUILD)/libleno.a
EDITION  := src/shim/cudart/edition.c
EDITIONS := 11.0 12 13
CUDARTOBJ := $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(EDITION),$(wildcard src/shim/cudart/*.c)))
# What a program that has the runtime inside takes to be read.
READPROGRAM := $(patsubst %,$(BUILD)/src/%.o,session/executable base/file base/file_live base/err)
CUDARTOBJ += $(READPROGRAM)
CUDARTLIB := $(EDITIONS:%=$(BUILD)/lib/libcudart.so.%)
shim: $(BUILD)/lib/libcuda.so.1 $(CUDARTLIB) $(BUILD)/lib/libleno_inputs.so $(BUILD)/lib/libleno_start.so

# What notes the files that a program reads; it shows the C library's names only.
$(BUILD)/lib/libleno_inputs.so: $(BUILD)/src/shim/inputs/inputs.o
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-z,defs -o $@ $^ -ldl

# What replaces the runtime inside programs; it shows no names.
$(BUILD)/lib/libleno_start.so: $(BUILD)/src/shim/start/start.o $(READPROGRAM)
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-z,defs -o $@ $^ -ldl

# The driver's calls have the vendor's names, and so must what the library exports: the
# driver's are renamed, then the exported ones lose their shim_.
$(BUILD)/lib/libcuda.so.1: $(CUDAOBJ) src/shim/cuda/names.def
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)sed -n 's/^NAME(\(.*\))/\1 leno_\1\nshim_\1 \1/p' src/shim/cuda/names.def > $(BUILD)/gen/cuda.rename
	$(Q)sed -n '1s/.*/{ global: leno_refuse;/p;s/^NAME(\(.*\))/\1;/p;$$s/.*/local: *; };/p' src/shim/cuda/names.def > $(BUILD)/gen/cuda.map
	$(Q)ld -r -o $(BUILD)/cuda.o $(CUDAOBJ)
	$(Q)objcopy --redefine-syms=$(BUILD)/gen/cuda.rename $(BUILD)/cuda.o
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-soname,libcuda.so.1 -Wl,--version-script=$(BUILD)/gen/cuda.map \
	    -Wl,-z,defs -o $@ $(BUILD)/cuda.o $(LDLIBS) -lpthread -ldl

# The runtime's editions differ in a number and in the name of the symbols' version.
$(EDITIONS:%=$(BUILD)/edition-%.o): $(BUILD)/edition-%.o: $(EDITION) $(BUILD)/gen/flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(CFLAGS) $(MORE) -DCUDART_EDITION=$(basename $*) -c -o $@ $<
$(CUDARTLIB): $(BUILD)/lib/libcudart.so.%: $(BUILD)/edition-%.o $(CUDARTOBJ) \
                                           src/shim/cudart/names.def $(BUILD)/lib/libcuda.so.1
	$(SAY) LD $@
	$(Q)sed -n '1s/.*/$(@F) { global:/p;s/^NAME(\(.*\))/\1;/p;$$s/.*/local: *; };/p' src/shim/cudart/names.def > $(BUILD)/gen/cudart.$*.map
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-soname,$(@F) -Wl,--version-script=$(BUILD)/gen/cudart.$*.map \
	    -Wl,-z,defs -Wl,-rpath,'$$ORIGIN' -o $@ $(filter %.o %.so.1,$^) -lpthread -ldl

# Vortex's host interface as a library; it shows the interface only.
VORTEXSRC := $(filter-out src/frontend/sass/% src/frontend/replay/% src/sim/describe.c \
             src/driver/% src/session/% src/report/% src/shim/%,$(LIBSRC)) $(wildcard src/shim/vortex*.c)
VORTEXOBJ := $(VORTEXSRC:%.c=$(BUILD)/%.o) $(FUSED)
$(BUILD)/lib/libvortex.so: $(VORTEXOBJ)
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)echo '{ global: vx_*; local: *; };' > $(BUILD)/gen/vortex.map
	$(Q)$(CC) -shared $(LDFLAGS) -Wl,-soname,libvortex.so -Wl,-z,defs \
	    -Wl,--version-script=$(BUILD)/gen/vortex.map -o $@ $^ $(LDLIBS)
libvortex: $(BUILD)/lib/libvortex.so
