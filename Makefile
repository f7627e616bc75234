# Leno. `make` leaves the program at build/leno; `make help` lists the targets.
CC      ?= gcc
BUILD   ?= build
OPT     ?= -O2
WARN     = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion \
           -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
           -Wwrite-strings -Wcast-qual -Wpointer-arith -Wvla -Wundef -Wformat=2 \
           -Wdouble-promotion -Wimplicit-fallthrough -fno-common -Werror
# -ffp-contract=off: a fused multiply-add happens only where the code says fma().
CFLAGS   = -std=c17 $(OPT) -g -ffp-contract=off -fno-math-errno -fno-trapping-math \
           -D_GNU_SOURCE -Isrc -I$(BUILD)/gen $(WARN) $(SANITIZE) -MMD -MP
LDLIBS   = -lelf -lzstd -lm
LDFLAGS  = $(SANITIZE)

CLI     := $(wildcard src/cli/*.c)
LIBSRC  := $(filter-out $(CLI),$(shell find src -name '*.c' | sort))
HOSTS   := $(sort $(wildcard workloads/*/host.c))
LIBOBJ  := $(LIBSRC:%.c=$(BUILD)/%.o)
CLIOBJ  := $(CLI:%.c=$(BUILD)/%.o)
HOSTOBJ := $(HOSTS:%.c=$(BUILD)/%.o)
UNITS   := $(sort $(wildcard tests/unit/test_*.c))
UNITBIN := $(UNITS:%.c=$(BUILD)/%)

.PHONY: all unit clean help format
all: $(BUILD)/leno

$(BUILD)/leno: $(CLIOBJ) $(HOSTOBJ) $(BUILD)/libleno.a
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/libleno.a: $(LIBOBJ)
	@rm -f $@
	ar rcs $@ $^

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(CFLAGS_$(*F)) -c -o $@ $<

$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(BUILD)/libleno.a
	$(CC) $(LDFLAGS) -o $@ $^ -lcmocka $(LDLIBS)

unit: $(UNITBIN)

format:
	clang-format -i $$(git ls-files '*.c' '*.h')

clean:
	rm -rf $(BUILD)

help:
	@echo "make            build/leno"
	@echo "make unit       the unit tests"
	@echo "make format     clang-format over every C file"

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
