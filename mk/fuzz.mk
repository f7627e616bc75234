# fuzz.mk - fuzzers.
FUZZ    := $(sort $(wildcard tests/fuzz/*.c))
FUZZBIN := $(FUZZ:%.c=build-fuzz/%)

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
