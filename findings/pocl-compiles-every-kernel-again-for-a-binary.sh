#!/usr/bin/env bash
# PoCL 3.0 compiles every kernel of a program once more when the host asks for the program's binary.
#
# A binary of a program that was built is expected to be at hand, so asking for it to keep it in a cache looks free. PoCL
# compiles a kernel when it is enqueued, for that size of work-groups. For CL_PROGRAM_BINARIES it compiles each kernel for
# work-groups of any size as well, which takes about as long. Its cache folder shows both: `0-0-0` beside `64-1-1`. PoCL 3.1
# of Debian 12 does the same. PoCL keeps compiled kernels by itself, so a program of its own needs no binary.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --only-binary=:all: pocl-binary-distribution==3.0 pyopencl==2025.2.7 numpy==2.4.6
mkdir "$folder/icd" "$folder/cache"
find "$folder/venv" -name 'libpocl-*.so' >"$folder/icd/pocl.icd"
cat >"$folder/run.py" <<'PY'
import pathlib
import sys

import pyopencl as cl

device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
program = cl.Program(context, "__kernel void k(__global int *a) { a[get_global_id(0)] += 1; }").build(cache_dir=False)
kernel = cl.Kernel(program, "k")
numbers = cl.Buffer(context, cl.mem_flags.READ_WRITE, 256)
kernel.set_args(numbers)
cl.enqueue_nd_range_kernel(queue, kernel, (64,), (64,))
queue.finish()


def compiled():
    return sorted(path.parent.name.split("-goffs")[0] for path in pathlib.Path(sys.argv[1]).rglob("k.so"))


print("run:", *compiled())
assert program.get_info(cl.program_info.BINARIES)[0]
print("asked for its binary:", *compiled())
PY
seen=$(POCL_CACHE_DIR=$folder/cache OCL_ICD_VENDORS=$folder/icd OPENCL_VENDOR_PATH=$folder/icd "$folder/venv/bin/python" "$folder/run.py" "$folder/cache")
echo "$seen"
expected="run: 64-1-1
asked for its binary: 0-0-0 64-1-1"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed"; exit 1; }
