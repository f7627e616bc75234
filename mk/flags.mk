# flags.mk - how files are compiled and linked.
# One line per step; make V=1 shows the commands.
Q        = $(if $(V),,@)
SAY      = $(if $(V),@:,@printf '  %-4s %s\n')
ARCH     := $(if $(PORTABLE),,$(shell grep -qsw avx2 /proc/cpuinfo && \
            $(CC) -march=x86-64-v3 -E -x c /dev/null > /dev/null 2>&1 && echo -march=x86-64-v3))
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
CFLAGS  += $(if $(CHECKED),-DLENO_CHECKED)
$(BUILD)/src/shim/%.o $(BUILD)/edition-%.o: MORE += -fvisibility=default
ifeq ($(OPT),-O2)
# Loops over lanes, which -O3 vectorises.
$(foreach f,exec_int exec_vector exec_bits exec_fp exec_memory exec_warp memory memory_even access codec_read,$(eval CFLAGS_$f = -O3))
# A cycle of a core and of memory: many small functions, all of them each time. (-flto would
# save another 2 % of the host's instructions, and takes half a minute each time the program
# is linked.)
$(foreach d,core isa mem scheme sim vortex frontend/riscv,$(eval $(BUILD)/src/$d/%.o: MORE += -O3))
endif
# Another optimisation for the handlers of lanes: make clang OPT=-O0 LANES=-O2.
LANES   ?=
$(BUILD)/src/frontend/sass/%.o $(BUILD)/wide/%.o: MORE += $(LANES)
LDLIBS   = -linih -lzstd -llzma -lsqlite3 -lm
LDFLAGS  = -Wl,--as-needed $(SANITIZE)
