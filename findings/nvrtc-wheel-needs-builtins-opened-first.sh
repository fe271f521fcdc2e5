#!/usr/bin/env bash
# NVRTC 13.0.88 from PyPI compiles nothing when it is opened by its path, until the library of builtins beside it is opened first.
#
# Seen with the package nvidia-cuda-nvrtc 13.0.88 on Linux x86_64, no GPU needed: nvrtcCompileProgram returns 7
# (NVRTC_ERROR_BUILTIN_OPERATION_FAILURE) with "failed to open libnvrtc-builtins.so.13.0", although that file lies in the same folder:
# the wheel's library has no RUNPATH. After dlopen of the builtins by path the same program compiles (0). The wheel 13.5.37 compiles it
# either way, so a program tested with the newer wheel alone misses it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for package in nvidia-cuda-nvrtc==13.0.88 nvidia-cuda-nvrtc==13.5.37; do
    version=${package#*==}
    python3 -m pip download -q --no-deps --only-binary=:all: -d "$folder/$version" "$package"
    python3 -m zipfile -e "$folder/$version"/*.whl "$folder/$version"
done
cat >"$folder/compile.py" <<'PY'
import ctypes, glob, sys

folder = glob.glob(sys.argv[1] + "/nvidia/*/lib")[0]
if sys.argv[2] == "builtins-first":
    ctypes.CDLL(glob.glob(folder + "/libnvrtc-builtins.so.*")[0], mode=ctypes.RTLD_GLOBAL)
nvrtc = ctypes.CDLL(glob.glob(folder + "/libnvrtc.so.*")[0])
program = ctypes.c_void_p()
text = b'extern "C" __global__ void set(int* to) { *to = 1; }'
assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, b"set.cu", 0, None, None) == 0
options = (ctypes.c_char_p * 1)(b"--gpu-architecture=compute_75")
print(nvrtc.nvrtcCompileProgram(program, 1, options))
PY
seen=
for version in 13.0.88 13.5.37; do
    for order in alone builtins-first; do
        status=$(python3 "$folder/compile.py" "$folder/$version" "$order")
        echo "nvidia-cuda-nvrtc $version, $order: nvrtcCompileProgram returned $status"
        seen="$seen $status"
    done
done
[ "$seen" = " 7 0 0 0" ] || { echo "the behaviour has changed"; exit 1; }
