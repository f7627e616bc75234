# variants.mk - the same sources in other build folders: sanitizers, debugger, clang.
# Everything again under AddressSanitizer and UBSan, and the whole suite run with it.
SAN = -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
asan:
	./test.sh asan
asan-build:
	$(MAKE) BUILD=build-asan OPT=-O1 WERROR=-w SANITIZE="$(SAN)" PORTABLE=1 WIDEN= FUSE= CHECKED=1 build-asan/leno libvortex unit suite cycle

# Runs on several threads under ThreadSanitizer: tests/cli/threads.sh uses this program.
tsan-build:
	$(MAKE) BUILD=build-tsan OPT=-O1 WERROR=-w SANITIZE="-fsanitize=thread" PORTABLE=1 WIDEN= FUSE= build-tsan/leno
tsan: tsan-build
	TSAN=build-tsan/leno LENO=build-tsan/leno TMP=$$(mktemp -d) sh -eu tests/cli/threads.sh

# For a debugger, with invariants checked.
debug:
	$(MAKE) BUILD=build-debug OPT=-Og DEBUG=-g WERROR= FUSE= CHECKED=1 build-debug/leno

clang:
	$(MAKE) CC=clang BUILD=build-clang PORTABLE=1 all unit suite cycle
