#!/usr/bin/env bash
# Intel's OpenCL for CPUs fuses `a * a + b` of floats although the device does not report CL_FP_FMA.
#
# Seen with intel-opencl-rt 2026.2.0 from PyPI on an x86_64 CPU with FMA: the bit CL_FP_FMA of CL_DEVICE_SINGLE_FP_CONFIG is not set, and
# a * a + b of a = 1 + 2^-12, b = -(1 + 2^-11) is 2^-24, which needs an unrounded product. OpenCL C allows contraction unless the program
# forbids it, whatever the device reports. With `#pragma OPENCL FP_CONTRACT OFF` the result is 0, as of two rounded operations.
# The wheel's own .icd names a folder that exists nowhere (see intel-opencl-wheel-names-no-folder.sh), so the script writes one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q intel-opencl-rt==2026.2.0 intel-cmplr-lib-rt==2026.2.0 pyopencl==2026.1.4 numpy==2.3.5
mkdir "$folder/vendors"
echo "$folder/venv/lib/libintelocl.so" >"$folder/vendors/intel.icd"
cat >"$folder/contract.py" <<'PY'
import numpy
import pyopencl as cl

context = cl.Context(cl.get_platforms()[0].get_devices()[:1])
device = context.devices[0]
print("CL_FP_FMA:", bool(device.single_fp_config & cl.device_fp_config.FMA))
queue = cl.CommandQueue(context)
numbers = numpy.array([1 + 2**-12, -(1 + 2**-11)], numpy.float32)
for pragma in "", "#pragma OPENCL FP_CONTRACT OFF\n":
    text = pragma + "kernel void fuse(global float* x, global float* to) { *to = x[0] * x[0] + x[1]; }"
    x = cl.Buffer(context, cl.mem_flags.COPY_HOST_PTR, hostbuf=numbers)
    to = cl.Buffer(context, cl.mem_flags.READ_WRITE, 4)
    cl.Program(context, text).build().fuse(queue, (1,), None, x, to)
    found = numpy.empty(1, numpy.float32)
    cl.enqueue_copy(queue, found, to)
    print("contraction forbidden:" if pragma else "contraction allowed:", found[0])
PY
seen=$(OCL_ICD_VENDORS=$folder/vendors LD_LIBRARY_PATH=$folder/venv/lib "$folder/venv/bin/python" "$folder/contract.py" 2>/dev/null)
echo "$seen"
[ "$seen" = "CL_FP_FMA: False
contraction allowed: 5.9604645e-08
contraction forbidden: 0.0" ] || { echo "the behaviour has changed"; exit 1; }
