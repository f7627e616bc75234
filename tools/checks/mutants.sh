#!/bin/sh
# The texts that mutants replace exist where their lists say.
set -eu
cd "$(dirname "$0")/../.."
tests/mutants.sh -n tests/*/mutants.txt
