"""Leno from Python: runs programs on simulated GPUs and returns their statistics.

    import leno
    row = leno.run("hotspot", scheme="ghost", size="tiny")
    row["gpu.cycles"], row["ipc"], row["slots.memory"]
    rows = leno.compare(["hotspot", "nn"], ["inorder", "ghost"], size="tiny")
    pandas.DataFrame(rows)

Needs libleno.so.1 (make install, or $LENO_LIBRARY names the file) and nothing else.
"""
import ctypes
import ctypes.util
import json
import os

INTERFACE = 1


class Error(RuntimeError):
    """A run that failed; status is the exit status that the program leno would have."""

    def __init__(self, message, status):
        super().__init__(message)
        self.status = status


_PROGRESS = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p,
                             ctypes.c_uint64, ctypes.c_uint64)


def _candidates():
    if os.environ.get("LENO_LIBRARY"):
        yield os.environ["LENO_LIBRARY"]
        return
    here = os.path.dirname(os.path.abspath(__file__))
    for up in ("../../..", "../../../.."):  # PREFIX/lib/python3/dist-packages/leno
        yield os.path.normpath(os.path.join(here, up, "libleno.so.1"))
    yield "libleno.so.1"


def _load():
    reasons = []
    for name in _candidates():
        try:
            library = ctypes.CDLL(name)
            break
        except OSError as error:
            reasons.append(str(error))
    else:
        raise ImportError("libleno.so.1 was not found: " + "; ".join(reasons)
                          + "; $LENO_LIBRARY names the file")
    library.leno_interface.restype = ctypes.c_int
    if library.leno_interface() != INTERFACE:
        raise ImportError("libleno has interface %d, expected %d"
                          % (library.leno_interface(), INTERFACE))
    text, handle = ctypes.c_char_p, ctypes.c_void_p
    for name, result, arguments in (
            ("leno_version", text, ()), ("leno_revision", text, ()),
            ("leno_new", handle, ()), ("leno_free", None, (handle,)),
            ("leno_error", text, (handle,)),
            ("leno_set", ctypes.c_int, (handle, text, text)),
            ("leno_load", ctypes.c_int, (handle, text)),
            ("leno_run", ctypes.c_int, (handle,)),
            ("leno_on_progress", None, (handle, _PROGRESS, ctypes.c_void_p)),
            ("leno_stat_at", ctypes.c_int, (handle, ctypes.c_uint, ctypes.POINTER(text),
                                            ctypes.POINTER(ctypes.c_double))),
            ("leno_slot_at", ctypes.c_int, (handle, ctypes.c_uint, ctypes.POINTER(text),
                                            ctypes.POINTER(ctypes.c_uint64))),
            ("leno_json", text, (handle,))):
        function = getattr(library, name)
        function.restype, function.argtypes = result, list(arguments)
    return library


_library = _load()
version = _library.leno_version().decode()
revision = _library.leno_revision().decode()


class Run:
    """One program on one machine. Options are those of leno_set(): gpu, scheme, size, seed, sms,
    workloads, threads, max_cycles; set={"inorder.entries": 4} sets parameters. progress(kernel,
    cycles, warp_insts) is called now and then and stops the run by returning True."""

    def __init__(self, program, set=None, progress=None, **options):
        self._handle = _library.leno_new()
        if not self._handle:
            raise MemoryError("leno_new")
        self.program, self.options = program, dict(options)
        for name, value in list(options.items()) + list((set or {}).items()):
            self._check(_library.leno_set(self._handle, name.replace("_", "-").encode()
                                          if name == "max_cycles" else name.encode(),
                                          str(value).encode()))
        self._check(_library.leno_load(self._handle, os.fsencode(program)))
        self._call = _PROGRESS(lambda _, k, c, n: int(bool(progress(k.decode(), c, n)))) \
            if progress else None
        if self._call:
            _library.leno_on_progress(self._handle, self._call, None)
        self._check(_library.leno_run(self._handle))

    def _check(self, status):
        if status:
            raise Error(_library.leno_error(self._handle).decode(), status)

    def _pairs(self, function, kind):
        name, value = ctypes.c_char_p(), kind()
        n = 0
        while not function(self._handle, n, ctypes.byref(name), ctypes.byref(value)):
            yield name.value.decode(), value.value
            n += 1

    def stats(self):
        """All statistics by name; counters are integers."""
        return {k: int(v) if "." in k else v
                for k, v in self._pairs(_library.leno_stat_at, ctypes.c_double)}

    def slots(self):
        """Issue slots by cause."""
        return dict(self._pairs(_library.leno_slot_at, ctypes.c_uint64))

    def json(self):
        """The run as leno run --json has it."""
        return json.loads(_library.leno_json(self._handle).decode())

    def row(self):
        """One flat dictionary: what was run, every statistic, slots.CAUSE."""
        row = {"program": self.program}
        row.update(self.options)
        row.update(self.stats())
        row.update({"slots." + k: v for k, v in self.slots().items()})
        return row

    def __del__(self):
        if getattr(self, "_handle", None):
            _library.leno_free(self._handle)
            self._handle = None


def run(program, **options):
    """Runs a program and returns one row: a flat dictionary, which pandas.DataFrame([row]) takes."""
    return Run(program, **options).row()


def compare(programs, schemes, **options):
    """A row per program and scheme; speedup is that over the first scheme."""
    rows = []
    for program in programs:
        first = None
        for scheme in schemes:
            row = run(program, scheme=scheme, **options)
            first = first or row["gpu.cycles"]
            row["speedup"] = first / row["gpu.cycles"]
            rows.append(row)
    return rows
