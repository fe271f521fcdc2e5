#!/usr/bin/env bash
# Mesa's llvmpipe (Vulkan) ends a loop after 65,535 rounds and goes on behind it, without a word.
#
# Seen with mesa-vulkan-drivers 22.3.6-1+deb12u2 of Debian 12 through the PyPI package wgpu 0.32.0, no GPU needed: a loop that is told to
# run 100,000 rounds counts 65,535. No error, no lost device. Long loops on this driver, which continuous integration often has, need to
# be cut among dispatches. Runs on Debian 12 (amd64): the package comes from its archive, libraries that it needs from the system.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq mesa-vulkan-drivers=22.3.6-1+deb12u2 libllvm15
for package in *.deb; do dpkg -x "$package" mesa; done
python3 -m venv venv
venv/bin/pip install -q wgpu==0.32.0 numpy==2.3.5
sed "s|\"library_path\": \".*\"|\"library_path\": \"$(find "$folder/mesa" -name libvulkan_lvp.so)\"|" \
    "$(find mesa -name 'lvp_icd*.json')" >lvp.json
cat >count.py <<'PY'
import numpy
import wgpu.utils.compute

text = """
@group(0) @binding(0) var<storage, read> asked: array<u32>;
@group(0) @binding(1) var<storage, read_write> counted: array<u32>;
@compute @workgroup_size(1) fn main() {
    var n = 0u;
    for (var i = 0u; i < asked[0]; i++) { n += 1u + (asked[1] ^ i) * asked[2]; }
    counted[0] = n;
}"""
for rounds in 60_000, 100_000:
    found = wgpu.utils.compute.compute_with_buffers({0: numpy.array([rounds, 5, 0], numpy.uint32)}, {1: (1, "I")}, text, n=1)
    print(rounds, "rounds asked for,", found[1][0], "made")
PY
export VK_DRIVER_FILES=$folder/lvp.json VK_ICD_FILENAMES=$folder/lvp.json
llvm=$(dirname "$(find "$folder/mesa" -name libLLVM-15.so.1)")
seen=$(LD_LIBRARY_PATH=$llvm venv/bin/python count.py 2>/dev/null)
echo "$seen"
[ "$seen" = "60000 rounds asked for, 60000 made
100000 rounds asked for, 65535 made" ] || { echo "the behaviour has changed"; exit 1; }
