# library.mk - the program, the library it is made of, and their special editions.
CLI     := $(sort $(wildcard src/cli/*.c))
# Stand-ins for CUDA's libraries, which are no part of the program.
SHIMSRC := $(sort $(wildcard src/shim/*/*.c))
LIBSRC  := $(filter-out $(CLI) $(SHIMSRC) src/sim/fused.c,$(shell find src -name '*.c' | sort))
PRESETS := $(patsubst %,configs/%.ini,$(sort $(basename $(notdir $(wildcard configs/*.ini)))))
ENERGIES := $(patsubst %,configs/energy/%.ini,$(sort $(basename $(notdir $(wildcard configs/energy/*.ini)))))
HOSTS   := $(sort $(wildcard workloads/*/host.c))
RIG     := $(sort $(wildcard workloads/*.c workloads/deepbench/*.c workloads/hopper/*.c workloads/attention/*.c))
LIBOBJ  := $(LIBSRC:%.c=$(BUILD)/%.o)
CLIOBJ  := $(CLI:%.c=$(BUILD)/%.o)
HOSTOBJ := $(patsubst %.c,$(BUILD)/%.o,$(HOSTS) $(RIG))

$(BUILD)/leno: $(CLIOBJ) $(HOSTOBJ) $(BUILD)/libleno.a
	$(SAY) LD $@
	$(Q)$(CC) $(LDFLAGS) $(LTO) -o $@ $(filter %.o,$^) $(BUILD)/libleno.a $(LDLIBS)

# The SASS handlers once more for hosts with AVX2, if this is for x86: one object, of which
# only the table is seen. grid.c chooses. With WIDEN= they are left out, so that the tests
# under sanitizers run the plain ones.
WIDEN ?= $(if $(ARCH),,$(filter x86_64%,$(shell $(CC) -dumpmachine)))
ifneq ($(WIDEN),)
WIDESRC := $(wildcard $(patsubst %,src/frontend/sass/exec/%.c,handlers access memory memory_even control \
           converge barrier exec_*) $(patsubst %,src/frontend/sass/math/%.c,intop mufu fp fpconv fpvec*))
WIDE    := $(BUILD)/wide/handlers.o
CFLAGS_grid = -DSASS_WIDE
CFLAGS_test_twins = -DSASS_WIDE
endif
$(BUILD)/wide/%.o: MORE += -mavx2 -mfma -mbmi2 -mpopcnt -mtune=skylake-avx512 -Dsass_handlers=sass_handlers_wide
$(BUILD)/wide/src/%.o: src/%.c $(BUILD)/gen/flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(CFLAGS) $(MORE) $(CFLAGS_$(*F)) -c -o $@ $<
$(BUILD)/wide/handlers.o: $(WIDESRC:%.c=$(BUILD)/wide/%.o)
	$(SAY) LD $@
	$(Q)ld -r -o $@ $^
	$(Q)objcopy --keep-global-symbol=sass_handlers_wide $@

# The stages of an SM once more with each scheme (src/sim/fused.c); FUSE= leaves them out,
# and so does clang, which has no -fwhole-program.
FUSE ?= $(shell $(CC) -fwhole-program -Werror -E -x c /dev/null > /dev/null 2>&1 && echo 1)
ifneq ($(FUSE),)
FUSED := $(patsubst src/scheme/%.c,$(BUILD)/fused/%.o,$(wildcard src/scheme/*.c))
FUSED += $(FUSED:%.o=%_ports.o)
FUSED += $(FUSED:%.o=%_hot.o)
CFLAGS_registry = -DHAS_FUSED
# A Vortex core once more, which is one piece when the program is linked: many small stages in
# many files, all of them in every cycle (docs/decisions/034).
VORTEXLTO := $(patsubst src/%.c,$(BUILD)/lto/%.o,$(wildcard src/vortex/*.c))
$(BUILD)/leno: $(VORTEXLTO)
$(BUILD)/leno: LTO = -O3 $(ARCH) -flto
endif
$(BUILD)/lto/%.o: src/%.c $(BUILD)/gen/flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(CFLAGS) -O3 -flto -c -o $@ $<
# Four times each: for register files with collectors or with ports, without and with
# counters per instruction (leno run --hot).
FUSING = -O3 -fwhole-program -DFUSED_FILE='"scheme/$*.c"' -DFUSED_OPS=scheme_$* \
         -DFUSED_CORE=fused_$(basename $(@F)) -DFUSED_PORTS=$(if $(findstring _ports,$(@F)),1,0) \
         -DFUSED_HOT=$(if $(findstring _hot.o,$(@F)),1,0)
define FUSE_STAGES
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(CFLAGS) $(FUSING) -c -o $@ src/sim/fused.c
endef
$(BUILD)/fused/%.o: src/scheme/%.c src/sim/fused.c $(BUILD)/gen/flags
	$(FUSE_STAGES)
$(BUILD)/fused/%_ports.o: src/scheme/%.c src/sim/fused.c $(BUILD)/gen/flags
	$(FUSE_STAGES)
$(BUILD)/fused/%_ports_hot.o: src/scheme/%.c src/sim/fused.c $(BUILD)/gen/flags
	$(FUSE_STAGES)
$(BUILD)/fused/%_hot.o: src/scheme/%.c src/sim/fused.c $(BUILD)/gen/flags
	$(FUSE_STAGES)

$(BUILD)/libleno.a: $(LIBOBJ) $(WIDE) $(FUSED)
	$(SAY) AR $@
	$(Q)rm -f $@
	$(Q)ar rcs $@ $^

# The pipeline once more with its invariants checked, for the tests of pipelines. With
# CHECKED=1 all objects are such already.
ifneq ($(CHECKED),)
CHECKEDLIB := $(BUILD)/libleno.a
else
CHECKEDLIB := $(BUILD)/checked/libleno.a
endif
CHECKEDSRC := $(filter $(foreach d,core mem scheme skip sim vortex,src/$d/%),$(LIBSRC))
$(BUILD)/checked/%.o: %.c $(BUILD)/gen/flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(CFLAGS) -DLENO_CHECKED -c -o $@ $<
$(BUILD)/checked/libleno.a: $(CHECKEDSRC:%.c=$(BUILD)/checked/%.o) \
                            $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(CHECKEDSRC),$(LIBSRC))) $(WIDE)
	$(SAY) AR $@
	$(Q)rm -f $@
	$(Q)ar rcs $@ $^

$(BUILD)/%.o: %.c $(BUILD)/gen/flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(CFLAGS) $(MORE) $(CFLAGS_$(*F)) -c -o $@ $<

# Hosts and the commands that run them see cuda.h as any CUDA program does.
$(CLIOBJ) $(HOSTOBJ): MORE += -I. -Isrc/driver
$(BUILD)/src/session/%.o $(BUILD)/src/report/%.o: MORE += -I. -Isrc/driver
