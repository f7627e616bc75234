# tests.mk - unit tests, cycle tests, the contract battery, the instruction suite.
UNITS   := $(sort $(wildcard tests/unit/test_*.c))
UNITBIN := $(UNITS:%.c=$(BUILD)/%)
SUITE   := $(sort $(wildcard tests/isa/*.c))
SUITEOBJ := $(SUITE:%.c=$(BUILD)/%.o)
# Cycle tests (text files) and the contract battery share a rig.
CYCLESRC := $(sort $(wildcard tests/cycle/*.c))
CYCLEOBJ := $(CYCLESRC:%.c=$(BUILD)/%.o)
CONTRACTOBJ := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard tests/contract/*.c)))

# Tests check what the library computes, and are sooner compiled than optimised.
ifeq ($(OPT),-O2)
$(BUILD)/tests/unit/%.o: MORE += -O1
endif
# Objects of tests are kept: make would remove what it made on the way.
.SECONDARY:
UNITLIB = $(BUILD)/libleno.a
$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(BUILD)/libleno.a
	$(SAY) LD $@
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(UNITLIB) -lcmocka $(LDLIBS)

# Tests that know the workloads.
HOSTED := $(filter %/test_alloc %/test_replay %/test_traceg %/test_places %/test_figure %/test_unchecked %/test_spec %/test_sweep,$(UNITBIN))
$(HOSTED): $(HOSTOBJ)
$(HOSTED:%=%.o): MORE += -I. -Isrc/driver
$(BUILD)/tests/unit/test_vortex_host.o: MORE += -I.
$(HOSTED:%=%.o): $(BUILD)/gen/workloads.def

# The runtime's stand-in, linked into its test: sanitizers cannot be loaded into programs.
$(BUILD)/tests/unit/test_shim: $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/shim/cudart/*.c))

# Checks JSON against the tables of docs/formats.md, for the tests of the command line.
JSONCHECK := $(BUILD)/tests/json/check
$(JSONCHECK): $(BUILD)/tests/json/check.o $(BUILD)/libleno.a
	$(SAY) LD $@
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(BUILD)/libleno.a $(LDLIBS)

unit: $(UNITBIN) $(JSONCHECK)

# The h200 machine against measurements: tables of rows, and the rig that runs them.
H200OBJ := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard tests/h200/*.c)))
$(BUILD)/tests/unit/test_h200: $(H200OBJ)

# Vortex cores against their RTL: programs, tables and the rig that runs them.
VORTEXRIG := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard tests/vortex/*.c)))
VORTEXTESTS := $(addprefix $(BUILD)/tests/unit/test_vortex_,rtl core hosted memory random)
$(VORTEXTESTS): $(VORTEXRIG) $(CHECKEDLIB)
$(VORTEXTESTS): UNITLIB = $(CHECKEDLIB)
$(VORTEXTESTS:%=%.o): MORE += -Itests/vortex

$(CYCLEOBJ) $(CONTRACTOBJ): MORE += -Itests/cycle
$(BUILD)/tests/cycle/run: $(CYCLEOBJ) $(CHECKEDLIB)
	$(SAY) LD $@
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
# The battery, and a leno for tests, have more redundancy eliminators than there are.
CONTRACT := $(BUILD)/tests/contract
$(CONTRACT)/gen/skips.def: $(BUILD)/gen/skips.def mk/tests.mk
	@mkdir -p $(@D)
	@{ cat $<; printf 'SKIP(%s)\n' random planted hasty undeclared unfetched foretold guess; } > $@
$(CONTRACT)/registry.o: src/sim/registry.c $(BUILD)/gen/schemes.def $(CONTRACT)/gen/skips.def $(BUILD)/gen/flags
	$(SAY) CC $@
	$(Q)$(CC) -I$(CONTRACT)/gen $(CFLAGS) -DLENO_CHECKED -c -o $@ $<
$(CONTRACT)/battery: $(CONTRACTOBJ) $(CONTRACT)/registry.o $(BUILD)/tests/cycle/rig.o $(CHECKEDLIB)
	$(SAY) LD $@
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(CONTRACT)/leno: $(CLIOBJ) $(HOSTOBJ) $(CONTRACT)/skip_random.o $(CONTRACT)/skip_planted.o $(CONTRACT)/registry.o $(CHECKEDLIB)
	$(SAY) LD $@
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
cycle: $(BUILD)/tests/cycle/run $(CONTRACT)/battery $(CONTRACT)/leno
# The battery on a machine where every queue is of one and everything refuses at times.
hostile: cycle
	$(BUILD)/tests/contract/battery hostile
	$(BUILD)/tests/contract/battery hostile skip
	$(BUILD)/tests/contract/battery hostile skip=darsie
# One rule broken at a time: the tests must notice. MUTANT_JOBS=16 tries 16 side by side.
MUTANT_JOBS = 1
mutants:
	for list in $(filter-out $(if $(shell command -v verilator),,tests/cost/%),$(wildcard tests/*/mutants.txt)); do \
	    tests/mutants.sh -j $(MUTANT_JOBS) $$list || exit 1; done

# The instruction suite, which also builds against NVIDIA's driver (tools/hw/extra.sh).
$(SUITEOBJ): MORE += -Isrc/driver -DSUITE_LENO
$(BUILD)/tests/isa/suite: $(SUITEOBJ) $(BUILD)/libleno.a
	$(SAY) LD $@
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)
suite: $(BUILD)/tests/isa/suite
	$(Q)bash tools/isa/unpack.sh $(BUILD)/isa
isa: suite
	tools/isa/check.sh $(BUILD)

test:
	./test.sh

# Tests of the command line that ./test.sh leaves out under sanitizers: they take long there,
# and run what shorter ones run too.
LONG_CLI := artifact cache caps compare convert emu-tiny exec-unroll h200 hw-small many \
            reproduce reproduce-vortex results sample shard slurm sweep threads unroll \
            vortex-plain vortex-programs vortex-run vortex-schemes
print-long-cli:
	@echo $(LONG_CLI)

# Everything, on all cores.
test-long:
	./test.sh build clang unit cli cycle isa exec checks asan long tsan fuzz browser docker slurm mutants
