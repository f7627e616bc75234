# The table of docs/energy.md that compares whole kernels with a board, made again: some of its
# rows, or with LENO_LONG all of them and their mean. usage: tests/cost/energy.sh BUILD
build=$1
kernels="srad_v1.extract srad_v1.compress dwt2d.split_float fast_walsh"
[ -z "${LENO_LONG:-}" ] || kernels=
# shellcheck disable=SC2086
LENO=$build/leno python3 tools/hw/energy_fit.py check $kernels
