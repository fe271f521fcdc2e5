#!/usr/bin/env bash
# NVRTC loads memory that the kernel has just written by the instruction for memory that nobody writes.
#
# A condition chooses between a value of a `const __restrict__` pointer and one of a pointer through which the kernel wrote
# before. NVRTC merges both loads into one, from a selected address, and makes that `ld.global.nc`, which PTX leaves
# undefined for memory that is written while the kernel runs. Seen with nvidia-cuda-nvrtc 13.5.37 and
# nvidia-cuda-nvrtc-cu12 12.4.127 on Linux x86_64, no GPU needed: the PTX has one load, `ld.global.nc.u32`, behind a
# `selp.b64`. Without `__restrict__` at the constant pointer the same load is `ld.global.u32`. On an H200 such a load was
# done before the store, and gave the old value.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for package in nvidia-cuda-nvrtc==13.5.37 nvidia-cuda-nvrtc-cu12==12.4.127; do
    version=${package#*==}
    python3 -m pip download -q --no-deps --only-binary=:all: -d "$folder/$version" "$package"
    python3 -m zipfile -e "$folder/$version"/*.whl "$folder/$version"
done
cat >"$folder/compile.py" <<'PY'
import ctypes, glob, re, sys

folder = glob.glob(sys.argv[1] + "/nvidia/*/lib")[0]
ctypes.CDLL(glob.glob(folder + "/libnvrtc-builtins.so.*")[0], mode=ctypes.RTLD_GLOBAL)
nvrtc = ctypes.CDLL(glob.glob(folder + "/libnvrtc.so.*")[0])
for restrict in b"__restrict__", b"":
    text = b"""extern "C" __global__ void choose(unsigned *__restrict__ written, const unsigned *%s given,
        unsigned *__restrict__ to, unsigned from_given, unsigned start) {
        unsigned i = threadIdx.x;
        written[i + start] = i;
        __syncthreads();
        to[i] = from_given ? given[i + start] : written[(i ^ 1u) + start];
    }""" % restrict
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, b"choose.cu", 0, None, None) == 0
    options = (ctypes.c_char_p * 1)(b"--gpu-architecture=compute_75")
    assert nvrtc.nvrtcCompileProgram(program, 1, options) == 0
    assert nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size)) == 0
    ptx = ctypes.create_string_buffer(size.value)
    assert nvrtc.nvrtcGetPTX(program, ptx) == 0
    loads = re.findall(r"selp\.b64|ld\.global[.a-z0-9]*", ptx.value.decode())
    print("restricted:" if restrict else "unrestricted:", " ".join(loads))
PY
for version in 13.5.37 12.4.127; do
    seen=$(python3 "$folder/compile.py" "$folder/$version")
    echo "NVRTC $version, $seen"
    [ "$seen" = "restricted: selp.b64 ld.global.nc.u32
unrestricted: selp.b64 ld.global.u32" ] || { echo "the behaviour has changed"; exit 1; }
done
