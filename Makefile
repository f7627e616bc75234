# Leno. `make` leaves the program at build/leno; `make help` lists the targets.
ifeq ($(origin CC),default)
CC       = gcc
endif
BUILD   ?= build
# One line a step; make V=1 shows the commands.
Q        = $(if $(V),,@)
SAY      = $(if $(V),@:,@printf '  %-4s %s\n')
OPT     ?= -O2
DEBUG   ?= -g
# For the processor that builds, as far as AVX2 goes; PORTABLE=1: for any x86-64, with AVX2
# handlers that are chosen at run time.
PORTABLE ?=
ARCH     := $(if $(PORTABLE),,$(shell grep -qsw avx2 /proc/cpuinfo && \
            $(CC) -march=x86-64-v3 -E -x c /dev/null > /dev/null 2>&1 && echo -march=x86-64-v3))
WERROR  ?= -Werror
WARN     = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion \
           -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
           -Wwrite-strings -Wcast-qual -Wpointer-arith -Wvla -Wundef -Wformat=2 \
           -Wdouble-promotion -Wimplicit-fallthrough -fno-common $(WERROR)
# -ffp-contract=off: a fused multiply-add happens only where the code says fma().
# CFLAGS is the same for every object, so that the stamp of flags (gen/flags) is too. MORE is
# what some targets add to it, CFLAGS_name what name.c alone adds (hot files of the executor).
# -fPIC: program and libraries are of the same objects. With hidden symbols that costs
# nothing; only src/shim has some that a library shows.
CFLAGS   = -std=c17 $(OPT) $(ARCH) $(DEBUG) -ffp-contract=off -fno-math-errno -fno-trapping-math \
           -fPIC -fvisibility=hidden \
           -D_GNU_SOURCE -Isrc -I$(BUILD)/gen $(WARN) $(SANITIZE) -MMD -MP
MORE     =
# CHECKED=1: everything with its invariants checked (src/base/invariant.h).
CHECKED ?=
CFLAGS  += $(if $(CHECKED),-DLENO_CHECKED)
$(BUILD)/src/shim/%.o $(BUILD)/edition-%.o: MORE += -fvisibility=default
ifeq ($(OPT),-O2)
# Loops over lanes, which -O3 vectorises.
$(foreach f,exec_int exec_bits exec_fp exec_memory exec_warp memory memory_even access codec_read,$(eval CFLAGS_$f = -O3))
# A cycle of a core and of memory: many small functions, all of them each time. (-flto would
# save another 2 % of the host's instructions, and takes half a minute each time the program
# is linked.)
$(foreach d,core isa mem scheme sim vortex frontend/riscv,$(eval $(BUILD)/src/$d/%.o: MORE += -O3))
endif
LDLIBS   = -linih -lzstd -llzma -lsqlite3 -lm
LDFLAGS  = -Wl,--as-needed $(SANITIZE)

CLI     := $(sort $(wildcard src/cli/*.c))
# Stand-ins for CUDA's libraries, which are no part of the program.
SHIMSRC := $(sort $(wildcard src/shim/*/*.c))
LIBSRC  := $(filter-out $(CLI) $(SHIMSRC) src/sim/fused.c,$(shell find src -name '*.c' | sort))
PRESETS := $(patsubst %,configs/%.ini,$(sort $(basename $(notdir $(wildcard configs/*.ini)))))
HOSTS   := $(sort $(wildcard workloads/*/host.c))
RIG     := $(wildcard workloads/*.c)
LIBOBJ  := $(LIBSRC:%.c=$(BUILD)/%.o)
CLIOBJ  := $(CLI:%.c=$(BUILD)/%.o)
HOSTOBJ := $(patsubst %.c,$(BUILD)/%.o,$(HOSTS) $(RIG))
UNITS   := $(sort $(wildcard tests/unit/test_*.c))
UNITBIN := $(UNITS:%.c=$(BUILD)/%)
SUITE   := $(sort $(wildcard tests/isa/*.c))
SUITEOBJ := $(SUITE:%.c=$(BUILD)/%.o)
# Cycle tests (text files) and the contract battery share a rig.
CYCLESRC := $(sort $(wildcard tests/cycle/*.c))
CYCLEOBJ := $(CYCLESRC:%.c=$(BUILD)/%.o)
CONTRACTOBJ := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard tests/contract/*.c)))
FUZZ    := $(sort $(wildcard tests/fuzz/*.c))
FUZZBIN := $(FUZZ:%.c=build-fuzz/%)

.PHONY: all unit cycle hostile mutants test test-long asan asan-build debug clang bench fuzz fuzz-build suite isa cubins \
        libvortex shim format check-format docs help clean
all: $(BUILD)/leno libvortex shim

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
FUSING = -O3 -fwhole-program -DFUSED_FILE='"scheme/$*.c"' -DFUSED_OPS=scheme_$* \
         -DFUSED_CORE=fused_$*
$(BUILD)/fused/%.o: src/scheme/%.c src/sim/fused.c $(BUILD)/gen/flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(CFLAGS) $(FUSING) -c -o $@ src/sim/fused.c

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

# Libraries that stand in for CUDA's (leno exec).
CUDAOBJ  := $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/shim/cuda/*.c)) $(LIBOBJ) $(WIDE) $(FUSED)
EDITION  := src/shim/cudart/edition.c
EDITIONS := 11.0 12 13
CUDARTOBJ := $(patsubst %.c,$(BUILD)/%.o,$(filter-out $(EDITION),$(wildcard src/shim/cudart/*.c)))
# What a program that has the runtime inside takes to be read.
CUDARTOBJ += $(patsubst %,$(BUILD)/src/%.o,shim/program base/file base/file_live base/err)
CUDARTLIB := $(EDITIONS:%=$(BUILD)/lib/libcudart.so.%)
shim: $(BUILD)/lib/libcuda.so.1 $(CUDARTLIB)

# The driver's calls have the vendor's names, and so must what the library exports: the
# driver's are renamed, then the exported ones lose their shim_.
$(BUILD)/lib/libcuda.so.1: $(CUDAOBJ) src/shim/cuda/names.def
	@mkdir -p $(@D)
	$(SAY) LD $@
	$(Q)sed -n 's/^NAME(\(.*\))/\1 leno_\1\nshim_\1 \1/p' src/shim/cuda/names.def > $(BUILD)/gen/cuda.rename
	$(Q)sed -n '1s/.*/{ global:/p;s/^NAME(\(.*\))/\1;/p;$$s/.*/local: *; };/p' src/shim/cuda/names.def > $(BUILD)/gen/cuda.map
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

$(BUILD)/%.o: %.c $(BUILD)/gen/flags
	@mkdir -p $(@D)
	$(SAY) CC $@
	$(Q)$(CC) $(CFLAGS) $(MORE) $(CFLAGS_$(*F)) -c -o $@ $<

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

# Hosts and the commands that run them see cuda.h as any CUDA program does.
$(CLIOBJ) $(HOSTOBJ): MORE += -I. -Isrc/driver

# The file name is the registration: lists of subcommands, workloads and machines. A
# list is rewritten only when it changes.
define write_list
@mkdir -p $(@D)
@{ [ -z "$(strip $(2))" ] || printf '$(1)(%s)\n' $(2); } > $@.new
@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
endef
# What was compiled otherwise is compiled anew.
$(BUILD)/gen/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(CFLAGS)' > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/gen/commands.def: FORCE
	$(call write_list,COMMAND,$(patsubst src/cli/cmd_%.c,%,$(filter src/cli/cmd_%,$(CLI))))
$(BUILD)/gen/workloads.def: FORCE
	$(call write_list,WORKLOAD,$(patsubst workloads/%/host.c,%,$(HOSTS)))
$(BUILD)/gen/vortex_programs.def: FORCE
	$(call write_list,PROGRAM,$(patsubst workloads/vortex/%.c,%,$(sort $(wildcard workloads/vortex/*.c))))
$(BUILD)/gen/schemes.def: FORCE
	$(call write_list,SCHEME,$(patsubst src/scheme/%.c,%,$(sort $(wildcard src/scheme/*.c))))
$(BUILD)/gen/skips.def: FORCE
	$(call write_list,SKIP,$(patsubst src/skip/%.c,%,$(sort $(wildcard src/skip/*.c))))
$(BUILD)/src/sim/registry.o $(BUILD)/checked/src/sim/registry.o: $(BUILD)/gen/schemes.def $(BUILD)/gen/skips.def
$(BUILD)/gen/presets.def: $(PRESETS) tools/presets.sh FORCE
	@mkdir -p $(@D)
	@tools/presets.sh $(PRESETS) > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/src/config/preset.o: $(BUILD)/gen/presets.def
# Results belong to a revision of the source: a hash, so that it holds for edits too.
REVISED := $(sort $(shell find src workloads -name '*.[ch]' -o -name '*.def'))
$(BUILD)/gen/revision.def: FORCE
	@mkdir -p $(@D)
	@cat $(REVISED) | sha256sum | sed 's/^\(.\{12\}\).*/"\1"/' > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
$(BUILD)/src/base/revision.o: $(BUILD)/gen/revision.def
$(BUILD)/src/cli/main.o: $(BUILD)/gen/commands.def
$(BUILD)/src/cli/workloads.o: $(BUILD)/gen/workloads.def $(BUILD)/gen/vortex_programs.def
.PHONY: FORCE
FORCE:

# Objects of tests are kept: make would remove what it made on the way.
.SECONDARY:
UNITLIB = $(BUILD)/libleno.a
$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(BUILD)/libleno.a
	$(SAY) LD $@
	$(Q)$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(UNITLIB) -lcmocka $(LDLIBS)

# Tests that run workloads.
REPLAYS := $(filter %/test_replay %/test_traceg,$(UNITBIN))
$(REPLAYS): $(HOSTOBJ)
$(REPLAYS:%=%.o): MORE += -I. -Isrc/driver
$(BUILD)/tests/unit/test_vortex_host.o: MORE += -I.
$(REPLAYS:%=%.o): $(BUILD)/gen/workloads.def

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
$(CONTRACT)/gen/skips.def: $(BUILD)/gen/skips.def Makefile
	@mkdir -p $(@D)
	@{ cat $<; printf 'SKIP(%s)\n' random planted hasty undeclared guess; } > $@
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
# One rule broken at a time: the tests must notice.
mutants:
	tests/mutants.sh tests/contract/mutants.txt
	tests/mutants.sh tests/skip/mutants.txt
	tests/mutants.sh tests/replay/mutants.txt
	tests/mutants.sh tests/vortex/mutants.txt

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

# What takes longer: all 2^32 inputs of the special functions, the larger workloads, and
# under sanitizers what ./test.sh leaves out there.
test-long: test fuzz hostile mutants
	$(BUILD)/tests/contract/battery long
	$(BUILD)/tests/contract/battery skip
	for skip in darsie uv dac; do $(BUILD)/tests/contract/battery skip=$$skip || exit 1; done
	tests/contract/workloads.sh $(BUILD) rtx2060s-ghost v100 h200
	tests/contract/workloads.sh -s $(BUILD) rtx2060s v100 h200
	tests/contract/workloads.sh -k darsie $(BUILD) gtx1080ti h200
	tests/contract/workloads.sh -k dac $(BUILD) gtx1080ti
	LENO_LONG=1 $(BUILD)/tests/unit/test_mufu
	build-asan/tests/unit/test_h200
	build-asan/tests/contract/battery short skip
	@dir=$$(mktemp -d); LENO_LONG=1 LENO=$(CURDIR)/$(BUILD)/leno TMP=$$dir sh -eu tests/cli/replay.sh && rm -r $$dir
	@for test in hw-small unroll; do echo "tests/cli/$$test.sh"; dir=$$(mktemp -d); \
	    LENO_LONG=1 LENO=$(CURDIR)/build-asan/leno TMP=$$dir sh -eu tests/cli/$$test.sh || exit 1; \
	    rm -r $$dir; done
	$(BUILD)/leno emu --all --arch all --size small --reference tests/golden/hw

# Everything again under AddressSanitizer and UBSan, and the whole suite run with it.
SAN = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
asan:
	./test.sh asan
asan-build:
	$(MAKE) BUILD=build-asan OPT=-O1 DEBUG=-g1 WERROR=-w SANITIZE="$(SAN)" PORTABLE=1 WIDEN= FUSE= CHECKED=1 build-asan/leno libvortex unit suite cycle

# For a debugger, with invariants checked.
debug:
	$(MAKE) BUILD=build-debug OPT=-Og WERROR= FUSE= CHECKED=1 build-debug/leno

clang:
	$(MAKE) CC=clang BUILD=build-clang PORTABLE=1 all unit suite cycle

bench: all
	tools/bench.sh $(BUILD)/leno

# libFuzzer targets, a minute each (FUZZ_SECONDS), starting from files of our own; what
# they find is left in build-fuzz.
FUZZ_SECONDS = 60
fuzz: all fuzz-build
	@tools/fuzz-seeds.sh $(BUILD)/leno build-fuzz/seeds
	@for f in $(FUZZBIN); do \
	    case $$f in *_exec) seeds=code ;; *_config) seeds=ini ;; *_replay) seeds=replay ;; \
	        *_traceg) seeds=traceg ;; *_riscv) seeds=riscv ;; *_sweep) seeds=sweep ;; *) seeds=cubin ;; esac; \
	    echo "== $$f"; mkdir -p $$f.corpus; \
	    $$f -max_total_time=$(FUZZ_SECONDS) -timeout=20 -verbosity=0 \
	        -print_final_stats=1 -artifact_prefix=$$f. $$f.corpus \
	        build-fuzz/seeds/$$seeds > $$f.log 2>&1 || { cat $$f.log; exit 1; }; \
	    grep stat:: $$f.log; done
fuzz-build:
	$(MAKE) CC=clang BUILD=build-fuzz OPT=-O1 WERROR=-w \
	    SANITIZE="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all" \
	    build-fuzz/libleno.a $(FUZZBIN)
build-fuzz/tests/fuzz/%: build-fuzz/tests/fuzz/%.o build-fuzz/libleno.a
	$(SAY) LD $@
	$(Q)clang -fsanitize=fuzzer,address,undefined -o $@ $^ $(LDLIBS)

cubins:
	tools/cubins.sh

format:
	find src tests workloads tools -name '*.[ch]' | xargs clang-format -i

check-format:
	tools/checks/format.sh

# docs/commands.md, params.md and stats.md are what the program says about itself.
docs: all
	tools/docs.sh $(BUILD)/leno > docs/commands.md
	$(BUILD)/leno list params --markdown > docs/params.md
	$(BUILD)/leno list stats --markdown > docs/stats.md

clean:
	rm -rf build build-*

help:
	@echo "make               build/leno (CC=clang, BUILD=folder, OPT=-O3 are understood)"
	@echo "make PORTABLE=1    for any x86-64, not only processors like this one"
	@echo "make test          ./test.sh: every test and check"
	@echo "make test-long     the same, larger workloads, and the fuzzers"
	@echo "make asan          tests under AddressSanitizer and UBSan only"
	@echo "make debug         build-debug/leno, with invariants checked"
	@echo "make clang         build-clang, with clang"
	@echo "make unit          build the unit tests"
	@echo "make cycle         build the cycle tests and the contract battery"
	@echo "make hostile       the battery on the nastiest machine"
	@echo "make mutants       break one rule at a time: the tests must notice"
	@echo "make isa           the instruction suite"
	@echo "make bench         warp instructions a second, by workload"
	@echo "make fuzz          each fuzzer for a minute"
	@echo "make libvortex     build/lib/libvortex.so: Vortex's host interface"
	@echo "make shim          build/lib: the libraries behind leno exec"
	@echo "make cubins        compile the workloads' kernels again (needs nvcc)"
	@echo "make format        clang-format over every C file"
	@echo "make check-format  only look"
	@echo "make docs          docs/commands.md, params.md, stats.md"
	@echo "make clean         remove build and build-*"

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
