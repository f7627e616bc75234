# fuzz.mk - fuzzers.
FUZZ    := $(sort $(wildcard tests/fuzz/*.c))
FUZZBIN := $(FUZZ:%.c=build-fuzz/%)

# libFuzzer targets, a minute each (FUZZ_SECONDS), starting from files of our own; what
# they find is left in build-fuzz.
.PHONY: fuzz-seeds
fuzz: fuzz-build fuzz-seeds
	@for f in $(FUZZBIN); do tools/fuzz.sh $$f || exit 1; done
fuzz-seeds: $(BUILD)/leno
	@tools/fuzz-seeds.sh $(BUILD)/leno build-fuzz/seeds
fuzz-build:
	$(MAKE) CC=clang BUILD=build-fuzz OPT=-O1 WERROR=-w \
	    SANITIZE="-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all" \
	    build-fuzz/libleno.a $(FUZZBIN)
build-fuzz/tests/fuzz/%: build-fuzz/tests/fuzz/%.o $(HOSTOBJ) build-fuzz/libleno.a
	$(SAY) LD $@
	$(Q)clang -fsanitize=fuzzer,address,undefined -o $@ $^ $(LDLIBS)
