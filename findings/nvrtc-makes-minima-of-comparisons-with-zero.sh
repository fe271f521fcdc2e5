#!/usr/bin/env bash
# NVRTC makes a minimum of `x < 0.0 ? x : 0.0`, and a maximum of `x > 0.0 ? x : 0.0`.
#
# For a negative zero both conditions are false, so that C++ gives 0.0. PTX orders zeros in `min` and `max`, by its
# documents -0.0 is less than 0.0: the minimum is -0.0. Seen with nvidia-cuda-nvrtc 13.5.37 and nvidia-cuda-nvrtc-cu12
# 12.4.127 on Linux x86_64, without options for fast mathematics and with `--fmad=false`, no GPU needed: the PTX has
# `min.f64` and `max.f32`. Where the zero comes first (`0.0 < x ? 0.0 : x`) the choice remains one (`selp`). A kernel of
# this kind gave the other zero on an H200.
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
choices = ["double", "x < 0.0 ? x : 0.0"], ["float", "x > 0.0f ? x : 0.0f"], ["double", "0.0 < x ? 0.0 : x"]
for ty, choice in choices:
    text = f'extern "C" __global__ void choose({ty} *at) {{ {ty} x = *at; *at = {choice}; }}'.encode()
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, b"choose.cu", 0, None, None) == 0
    options = (ctypes.c_char_p * 2)(b"--gpu-architecture=compute_75", b"--fmad=false")
    assert nvrtc.nvrtcCompileProgram(program, 2, options) == 0
    assert nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size)) == 0
    ptx = ctypes.create_string_buffer(size.value)
    assert nvrtc.nvrtcGetPTX(program, ptx) == 0
    print(f"{choice}: " + " ".join(re.findall(r"(?:min|max|selp)\.f[0-9]+", ptx.value.decode())))
PY
for version in 13.5.37 12.4.127; do
    seen=$(python3 "$folder/compile.py" "$folder/$version")
    echo "NVRTC $version:
$seen"
    [ "$seen" = "x < 0.0 ? x : 0.0: min.f64
x > 0.0f ? x : 0.0f: max.f32
0.0 < x ? 0.0 : x: selp.f64" ] || { echo "the behaviour has changed"; exit 1; }
done
