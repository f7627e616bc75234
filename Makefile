# Leno. `make` leaves the program at build/leno; `make help` lists the targets. What is made
# how is in mk/, a file per topic; this page has the variables that a user may set.
ifeq ($(origin CC),default)
CC       = gcc
endif
BUILD   ?= build
OPT     ?= -O2
# Lines only, which shortens the build by a tenth; make debug has variables too.
DEBUG   ?= -g1
WERROR  ?= -Werror
# For the processor that builds, as far as AVX2 goes; PORTABLE=1: for any x86-64, with AVX2
# handlers that are chosen at run time (mk/library.mk, WIDEN).
PORTABLE ?=
# CHECKED=1: everything with its invariants checked (src/base/invariant.h).
CHECKED ?=
# Also: V=1 shows the commands; FUSE= leaves out the editions of the core that are compiled
# together with a scheme (mk/library.mk); SANITIZE=flags.

.PHONY: print-long-cli all unit cycle hostile mutants test test-long asan asan-build tsan tsan-build debug clang bench fuzz fuzz-build suite isa cubins \
        libvortex shim format check-format docs help clean
all: $(BUILD)/leno libvortex shim

include mk/flags.mk    # compilers' flags, by folder and by file
include mk/library.mk  # build/leno, libleno.a and its editions
include mk/shim.mk     # libcuda, libcudart, libvortex
include mk/lists.mk    # build/gen: lists of what there is
include mk/tests.mk    # unit tests, cycle tests, battery, instruction suite
include mk/variants.mk # build-asan, build-tsan, build-debug, build-clang
include mk/fuzz.mk     # build-fuzz
include mk/cost.mk    # hw: modules against the C model, and in gates
include mk/docs.mk     # docs, format, cubins, bench
include mk/install.mk  # install, deb, libleno.so

clean:
	rm -rf build build-*

help:
	@echo "make               build/leno (CC=clang, BUILD=folder, OPT=-O3 are understood)"
	@echo "make PORTABLE=1    for any x86-64, not only processors like this one"
	@echo "make test          ./test.sh: every test and check"
	@echo "make test-long     the same, at greater length: fuzzers, a browser, the Dockerfile, a real Slurm, one mutant in forty"
	@echo "make asan          tests under AddressSanitizer and UBSan only"
	@echo "make tsan          runs on threads under ThreadSanitizer"
	@echo "make debug         build-debug/leno, with invariants checked"
	@echo "make clang         build-clang, with clang"
	@echo "make unit          build the unit tests"
	@echo "make cycle         build the cycle tests and the contract battery"
	@echo "make hostile       the battery on the nastiest machine"
	@echo "make mutants       break one rule at a time: the tests must notice (hours)"
	@echo "make isa           the instruction suite"
	@echo "make bench         warp instructions a second, by workload and scheme; OLD=path/to/leno"
	@echo "                   adds the ratio to an earlier release's program, run in turns"
	@echo "make cost-rtl      hw/ against the C model and in gates (Yosys, Verilator, OpenSTA)"
	@echo "make fuzz          each fuzzer for a minute"
	@echo "make libvortex     build/lib/libvortex.so: Vortex's host interface"
	@echo "make shim          build/lib: the libraries behind leno exec"
	@echo "make install       PREFIX=/usr/local, DESTDIR= (program, libraries, manual, completions)"
	@echo "make deb           build/leno_VERSION.deb"
	@echo "make library       build/lib/libleno.so.1: include/leno.h"
	@echo "make cubins        compile the workloads' kernels again (needs nvcc)"
	@echo "make format        clang-format over every C file"
	@echo "make check-format  only look"
	@echo "make docs          docs/commands.md, params.md, stats.md"
	@echo "make clean         remove build and build-*"

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
