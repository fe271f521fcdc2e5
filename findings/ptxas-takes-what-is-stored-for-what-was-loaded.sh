#!/usr/bin/env bash
# NVIDIA's assembler takes what is stored to an address for what was loaded from there before.
#
# A loop with a `switch` loads %f2 from local memory in its first round, stores 0.0 to that address in the second, and
# compares %f2 in the third. The code sets the register of %f2 to 0 where it stores. It does not with -O1, nor if %f2 has
# a value before the loop. Seen with ptxas of nvidia-cuda-nvcc-cu11 11.8.89, nvidia-cuda-nvcc-cu12 12.4.131 and 12.9.86,
# nvidia-cuda-nvcc 13.0.88 and 13.5.37, for sm_75 to sm_120, disassembled by nvidia-cuda-nvdisasm 13.5.37, on Linux
# x86_64, no GPU needed. On an H200 (driver 580.159, which compiles such a text itself) the kernel stores -2.0 with the
# optimization levels 2 to 4, and nothing with 0 and 1, or with a value before the loop.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for package in nvidia-cuda-nvcc-cu11==11.8.89 nvidia-cuda-nvcc==13.5.37 nvidia-cuda-nvdisasm==13.5.37; do
    python3 -m pip download -q --no-deps --only-binary=:all: -d "$folder/$package" "$package"
    python3 -m zipfile -e "$folder/$package"/*.whl "$folder/$package"
done
find "$folder" -type f \( -name ptxas -o -name nvdisasm \) -exec chmod +x {} +
disassembler=$(find "$folder" -name nvdisasm -type f)

# The text: words 0 and 1 of `in` are 1 and a negative number, so nothing is to be stored.
text() {
    cat <<PTX
.version 7.8
.target $1
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) {
    .local .align 8 .b8 memory[400];
    .reg .b64 %a<4>;
    .reg .b32 %r<2>;
    .reg .f32 %f<5>;
    .reg .pred %p<5>;
    ld.param.u64 %a1, [in];
    ld.param.u64 %a2, [out];
    ld.global.u32 %r1, [%a1];
    ld.global.f32 %f1, [%a1+4];
    mul.wide.u32 %a0, %r1, 8;
    mov.u64 %a3, memory;
    add.u64 %a3, %a3, %a0;
    $2
    st.local.f32 [%a3], %f1;
ROUND:
    setp.eq.u32 %p1, %r1, 3;
    @%p1 bra THIRD;
    setp.eq.u32 %p2, %r1, 1;
    @%p2 bra FIRST;
    mov.f32 %f3, 0f00000000;
    st.local.v2.f32 [%a3], {%f3, %f3};
    mov.u32 %r1, 3;
    bra END;
FIRST:
    ld.local.f32 %f2, [%a3];
    mov.u32 %r1, 2;
    bra END;
THIRD:
    mov.u32 %r1, 0;
    mov.f32 %f4, 0f00000000;
    setp.lt.f32 %p3, %f2, %f4;
    @%p3 bra END;
    st.global.f32 [%a2], %f1;
END:
    bar.sync 0;
    setp.ne.u32 %p4, %r1, 0;
    @%p4 bra ROUND;
    ret;
}
PTX
}

# Number of instructions that set the register of %f2 to zero: the register that the comparison with 0 reads.
zeros() {
    "$disassembler" -c "$folder/code" 2>/dev/null | grep -oE '/\*[0-9a-f]{4}\*/ .*;' | sed -E 's#/\*....\*/ *##' >"$folder/list"
    register=$(grep -oE 'FSETP\.GEU\.AND P[0-9], PT, R[0-9]+, RZ' "$folder/list" | grep -oE 'R[0-9]+')
    grep -cE "^[A-Z0-9.]+ $register, (-?RZ|0)(, (RZ|0))* *;" "$folder/list" || true
}

check() {
    local package=$1 target=$2 level=$3 before=$4 expected=$5 seen
    text "$target" "$before" >"$folder/k.ptx"
    "$(find "$folder/$package" -name ptxas -type f)" "$level" -arch="$target" "$folder/k.ptx" -o "$folder/code"
    seen=$(zeros)
    echo "$package $level for $target, before the loop ${before:-nothing}: $seen"
    [ "$seen" = "$expected" ] || { echo "the behaviour has changed"; exit 1; }
}

for package in nvidia-cuda-nvcc-cu11==11.8.89 nvidia-cuda-nvcc==13.5.37; do
    check $package sm_90 -O3 "" 1
    check $package sm_90 -O1 "" 0
    check $package sm_90 -O3 "mov.f32 %f2, 0f3F800000;" 0
done
