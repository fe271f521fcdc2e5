#!/usr/bin/env bash
# PoCL 3.0 makes an arbitrary number of `floor`, `ceil` and `trunc` of a NaN that its compiler knows.
#
# OpenCL's functions keep a NaN, and PoCL's do so for one that is read from memory. They are SLEEF's, written in C: the
# operand is cast to an integer first, which has no value for NaN, and LLVM makes it any value where it knows the operand.
# What is found is what memory or a register held before. PoCL 3.1 of Debian 12 does the same.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --only-binary=:all: pocl-binary-distribution==3.0 pyopencl==2025.2.7 numpy==2.4.6
mkdir "$folder/icd"
find "$folder/venv" -name 'libpocl-*.so' >"$folder/icd/pocl.icd"
cat >"$folder/run.py" <<'PY'
import numpy
import pyopencl as cl

device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR


def rounded(name, real, kind, operand):
    text = f"__kernel void k(__global {real} *x) {{ {real} y = {name}(({real}){operand}); x[0] = y; x[1] = isnan(y); }}"
    program = cl.Program(context, text).build(cache_dir=False)
    found = numpy.array([numpy.nan, 7], kind)
    buffer = cl.Buffer(context, flags, hostbuf=found)
    program.k(queue, (1,), (1,), buffer)
    cl.enqueue_copy(queue, found, buffer)
    return "NaN" if numpy.isnan(found[0]) and found[1] == 1 else "a number"


for real, kind in ("float", numpy.float32), ("double", numpy.float64):
    for name in "floor", "ceil", "trunc":
        known, read = (rounded(name, real, kind, operand) for operand in ("NAN", "x[0]"))
        print(f"{name} of a {real} NaN: {known} where it is known, {read} where it is read")
PY
seen=$(POCL_CACHE_DIR=$folder/cache OCL_ICD_VENDORS=$folder/icd OPENCL_VENDOR_PATH=$folder/icd "$folder/venv/bin/python" "$folder/run.py" 2>/dev/null)
echo "$seen"
[ "$(grep -c 'NaN: a number where it is known, NaN where it is read' <<<"$seen")" = 6 ] ||
    { echo "the behaviour has changed"; exit 1; }
