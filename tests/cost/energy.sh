# The table of docs/energy.md that compares whole kernels with a board, made again: some of its
# rows, or with LENO_LONG all of them and their mean; then also the fit, where the compiler is the
# one that the rows were made with. usage: tests/cost/energy.sh BUILD
build=$1
export LENO=$build/leno
nvcc=${CUDA:-/usr/local/cuda}/bin/nvcc
kernels="srad_v1.extract srad_v1.compress dwt2d.split_float fast_walsh"
[ -z "${LENO_LONG:-}" ] || kernels=
# shellcheck disable=SC2086
python3 tools/hw/energy_fit.py check $kernels
[ -n "${LENO_LONG:-}" ] || exit 0
case $([ ! -x "$nvcc" ] || "$nvcc" --version) in
*'release 13.0'*) python3 tools/hw/energy_fit.py again ;;
*) echo "no nvcc 13.0: not fitted again" ;;
esac
