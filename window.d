window.o: tests/cost/window.c tests/cost/window.h src/core/scheme.h \
 src/analysis/hybrid.h src/analysis/code.h src/base/err.h src/isa/inst.h \
 src/isa/regset.h src/config/param.h src/base/buf.h src/core/pending.h \
 src/isa/stream.h src/base/hash.h src/base/watch.h src/isa/addresses.h \
 src/isa/turns.h src/stats/stall.h src/core/shape.h src/base/bits.h \
 src/core/uop.h src/base/invariant.h src/core/warpset.h src/stats/stat.h
tests/cost/window.h:
src/core/scheme.h:
src/analysis/hybrid.h:
src/analysis/code.h:
src/base/err.h:
src/isa/inst.h:
src/isa/regset.h:
src/config/param.h:
src/base/buf.h:
src/core/pending.h:
src/isa/stream.h:
src/base/hash.h:
src/base/watch.h:
src/isa/addresses.h:
src/isa/turns.h:
src/stats/stall.h:
src/core/shape.h:
src/base/bits.h:
src/core/uop.h:
src/base/invariant.h:
src/core/warpset.h:
src/stats/stat.h:
