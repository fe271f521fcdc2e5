#!/usr/bin/env bash
# Oclgrind takes a buffer for uninitialized once the host has written a part of it, although another write filled the rest.
#
# Seen with oclgrind 21.10-3 of Debian 12 and OCLGRIND_UNINITIALIZED=1. The host writes the first half of a buffer, then
# the second, and a kernel copies the first: a report. Written at once, there is none. Results are right. A store by the
# host (write, copy, or one repetition of a fill's pattern) replaces the notes on the whole buffer by notes on as many
# bytes as it stores (`allocAndStoreShadowMemory` in src/plugins/Uninitialized.cpp, the same in release 26.03.1). Runs on
# Debian 12 (amd64): the packages come from its archive, libraries that they need from the system (libllvm14,
# libclang-cpp14).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq oclgrind=21.10-3 liboclgrind-21.10=21.10-3
for package in *.deb; do dpkg -x "$package" oclgrind; done
python3 -m venv venv
venv/bin/pip install -q --only-binary=:all: pyopencl==2025.2.7 numpy==2.3.5
mkdir icd
find "$folder/oclgrind" -name liboclgrind-rt-icd.so >icd/oclgrind.icd
cat >run.py <<'PY'
import sys

import numpy
import pyopencl as cl

context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
queue = cl.CommandQueue(context)
program = cl.Program(context, "__kernel void copy(__global const int *from, __global int *to) { *to = *from; }").build()
kernel = cl.Kernel(program, "copy")
numbers = numpy.array([3, 5], numpy.int32)
given, found = (cl.Buffer(context, cl.mem_flags.READ_WRITE, 8) for _ in range(2))
length = {"whole": 2, "halves": 1}[sys.argv[1]]
for start in range(0, 2, length):
    cl.enqueue_copy(queue, given, numbers[start : start + length], dst_offset=4 * start)
kernel.set_args(given, found)
cl.enqueue_nd_range_kernel(queue, kernel, (1,), (1,))
result = numpy.zeros(1, numpy.int32)
cl.enqueue_copy(queue, result, found)
print(f"{sys.argv[1]}: the kernel copied {result[0]}")
PY
export OCL_ICD_VENDORS=$folder/icd LD_LIBRARY_PATH=$folder/oclgrind/usr/lib/x86_64-linux-gnu OCLGRIND_UNINITIALIZED=1
seen=$(for way in whole halves; do
    OCLGRIND_LOG=$folder/$way.log PYOPENCL_NO_CACHE=1 venv/bin/python run.py $way
    echo "reports: $(grep -c '^Uninitialized value' $way.log || true)"
done)
echo "$seen"
expected="whole: the kernel copied 3
reports: 0
halves: the kernel copied 3
reports: 1"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed"; exit 1; }
