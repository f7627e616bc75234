#!/bin/sh
# Runs one fuzzer for FUZZ_SECONDS, a minute by default, from the seeds that suit it
# (tools/fuzz-seeds.sh). Its corpus, its log and what it finds are left beside it.
# usage: tools/fuzz.sh build-fuzz/tests/fuzz/fuzz_NAME
set -eu
fuzzer=$1
case ${fuzzer##*/fuzz_} in
exec) seeds=code ;;
config) seeds=ini ;;
replay | traceg | riscv | sweep) seeds=${fuzzer##*/fuzz_} ;;
*) seeds=cubin ;;
esac
echo "== $fuzzer"
mkdir -p "$fuzzer.corpus"
"$fuzzer" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=20 -verbosity=0 \
    -print_final_stats=1 -artifact_prefix="$fuzzer." "$fuzzer.corpus" \
    "build-fuzz/seeds/$seeds" > "$fuzzer.log" 2>&1 || { cat "$fuzzer.log"; exit 1; }
grep stat:: "$fuzzer.log"
