#!/usr/bin/env bash
# NVIDIA's assembler (in NVRTC) loses the sign of a zero that a condition chooses beside -1.0.
#
# `c ? -1.0f : -0.0f` is a choice between two constants in PTX (`selp.f32 .., 0f80000000, 0fBF800000`). The code for
# sm_90 chooses between the integers 0 and -1 and converts the result to a float: 0 becomes 0.0 in place of -0.0. Beside
# 2.0 the choice is one of floats with `-RZ`, and right. Seen with nvidia-cuda-nvrtc 13.5.37 and nvidia-cuda-nvrtc-cu12
# 12.4.127, disassembled by nvidia-cuda-nvdisasm 13.5.37, on Linux x86_64, no GPU needed. On an H200 a kernel of this
# kind gave 0.0.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for package in nvidia-cuda-nvrtc==13.5.37 nvidia-cuda-nvrtc-cu12==12.4.127 nvidia-cuda-nvdisasm==13.5.37; do
    python3 -m pip download -q --no-deps --only-binary=:all: -d "$folder/$package" "$package"
    python3 -m zipfile -e "$folder/$package"/*.whl "$folder/$package"
done
disassembler=$(find "$folder" -name nvdisasm -type f)
chmod +x "$disassembler"
cat >"$folder/compile.py" <<'PY'
import ctypes, glob, sys

folder = glob.glob(sys.argv[1] + "/nvidia/*/lib")[0]
ctypes.CDLL(glob.glob(folder + "/libnvrtc-builtins.so.*")[0], mode=ctypes.RTLD_GLOBAL)
nvrtc = ctypes.CDLL(glob.glob(folder + "/libnvrtc.so.*")[0])
text = f'extern "C" __global__ void choose(float *to, int c) {{ *to = c ? {sys.argv[2]} : -0.0f; }}'.encode()
program, size = ctypes.c_void_p(), ctypes.c_size_t()
assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, b"choose.cu", 0, None, None) == 0
options = (ctypes.c_char_p * 1)(b"--gpu-architecture=sm_90")
assert nvrtc.nvrtcCompileProgram(program, 1, options) == 0
assert nvrtc.nvrtcGetCUBINSize(program, ctypes.byref(size)) == 0
code = ctypes.create_string_buffer(size.value)
assert nvrtc.nvrtcGetCUBIN(program, code) == 0
open(sys.argv[3], "wb").write(code.raw)
PY
for package in nvidia-cuda-nvrtc==13.5.37 nvidia-cuda-nvrtc-cu12==12.4.127; do
    for other in -1.0f 2.0f; do
        python3 "$folder/compile.py" "$folder/$package" "$other" "$folder/code"
        # Lines of the disassembly are `/*address*/ INSTRUCTION operands ;`.
        seen=$("$disassembler" -c "$folder/code" 2>/dev/null | grep -oE '(F?SEL|I2FP\.F32\.S32) [^;]*' |
            sed -E 's/U?R([0-9]+)/R/g; s/URZ/RZ/g; s/!?U?P[0-9]+/P/g; s/ +$//' | paste -sd '|')
        echo "$package, beside $other: $seen"
        case $other in
            -1.0f) expected='SEL R, RZ, 0xffffffff, P|I2FP.F32.S32 R, R' ;;
            *) expected='FSEL R, -RZ, 2, P' ;;
        esac
        [ "$seen" = "$expected" ] || { echo "the behaviour has changed"; exit 1; }
    done
done
