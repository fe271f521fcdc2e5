#!/usr/bin/env bash
# NVRTC before 12.3 refuses a kernel that declares and calls cudaGraphSetConditional, whatever driver is installed.
#
# Conditional nodes of graphs are called through the driver, and need one of CUDA 12.3. The device function that sets their
# condition is not the driver's: it is part of NVRTC. Seen with nvidia-cuda-nvrtc-cu12 12.2.140 on Linux x86_64, no GPU
# needed: nvrtcCompileProgram returns 6 (NVRTC_ERROR_COMPILATION) with "ptxas fatal: Unresolved extern function
# 'cudaGraphSetConditional'". 12.3.107 compiles the same text (0). So a test of the driver's version is not enough.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for package in nvidia-cuda-nvrtc-cu12==12.2.140 nvidia-cuda-nvrtc-cu12==12.3.107; do
    version=${package#*==}
    python3 -m pip download -q --no-deps --only-binary=:all: -d "$folder/$version" "$package"
    python3 -m zipfile -e "$folder/$version"/*.whl "$folder/$version"
done
cat >"$folder/compile.py" <<'PY'
import ctypes, glob, sys

folder = glob.glob(sys.argv[1] + "/nvidia/*/lib")[0]
ctypes.CDLL(glob.glob(folder + "/libnvrtc-builtins.so.*")[0], mode=ctypes.RTLD_GLOBAL)
nvrtc = ctypes.CDLL(glob.glob(folder + "/libnvrtc.so.*")[0])
program = ctypes.c_void_p()
text = b"""extern "C" __device__ void cudaGraphSetConditional(unsigned long long handle, unsigned value);
extern "C" __global__ void stop(unsigned long long handle) { cudaGraphSetConditional(handle, 0u); }"""
assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, b"stop.cu", 0, None, None) == 0
options = (ctypes.c_char_p * 1)(b"--gpu-architecture=sm_80")
print(nvrtc.nvrtcCompileProgram(program, 1, options))
PY
seen=
for version in 12.2.140 12.3.107; do
    status=$(python3 "$folder/compile.py" "$folder/$version")
    echo "nvidia-cuda-nvrtc-cu12 $version: nvrtcCompileProgram returned $status"
    seen="$seen $status"
done
[ "$seen" = " 6 0" ] || { echo "the behaviour has changed"; exit 1; }
