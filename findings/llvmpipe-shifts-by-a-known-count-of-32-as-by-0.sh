#!/usr/bin/env bash
# Mesa's llvmpipe (Vulkan) does not shift a 64-bit integer to the left by `n & 63` if it knows that n is -32.
#
# Seen with mesa-vulkan-drivers 22.3.6-1+deb12u2 of Debian 12 through the PyPI package wgpu 0.32.0, no GPU needed, and with Mesa 24.0.5,
# 25.0.7 and 26.2.6: the shift by 32, written as 0 - 32 modulo 64 as in a rotation, leaves the integer as it is. Counts that are read from
# memory and all other constants from -64 to -1 are right. Runs on Debian 12 (amd64): the package comes from its archive, libraries that it
# needs from the system.
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
cat >shift.py <<'PY'
import numpy
import wgpu

text = """
@group(0) @binding(0) var<storage, read> given: array<u32>;
@group(0) @binding(1) var<storage, read_write> found: array<u32>;
fn opaque(n: u32) -> u32 { return n; }
@compute @workgroup_size(1) fn main() {
    let x = u64(given[0]) | (u64(given[1]) << 32u);
    let known = x << ((0u - opaque(32u)) & 63u);
    let read = x << ((0u - given[2]) & 63u);
    found[0] = u32(known & 0xfffffffflu);
    found[1] = u32(known >> 32u);
    found[2] = u32(read & 0xfffffffflu);
    found[3] = u32(read >> 32u);
}"""
device = wgpu.gpu.request_adapter_sync().request_device_sync(required_features=["shader-int64"])
given = device.create_buffer_with_data(data=numpy.array([7, 5, 32], numpy.uint32), usage=wgpu.BufferUsage.STORAGE)
found = device.create_buffer(size=16, usage=wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC)
module = device.create_shader_module(code=text)
pipeline = device.create_compute_pipeline(layout="auto", compute={"module": module, "entry_point": "main"})
entries = [{"binding": at, "resource": {"buffer": buffer}} for at, buffer in enumerate([given, found])]
group = device.create_bind_group(layout=pipeline.get_bind_group_layout(0), entries=entries)
encoder = device.create_command_encoder()
passed = encoder.begin_compute_pass()
passed.set_pipeline(pipeline)
passed.set_bind_group(0, group)
passed.dispatch_workgroups(1)
passed.end()
device.queue.submit([encoder.finish()])
words = device.queue.read_buffer(found).cast("I").tolist()
known, read = words[1] << 32 | words[0], words[3] << 32 | words[2]
print(f"0x500000007 shifted by 32: {known:#x} by a count that the compiler knows, {read:#x} by one that is read")
PY
export VK_DRIVER_FILES=$folder/lvp.json VK_ICD_FILENAMES=$folder/lvp.json
llvm=$(dirname "$(find "$folder/mesa" -name libLLVM-15.so.1)")
seen=$(LD_LIBRARY_PATH=$llvm venv/bin/python shift.py 2>/dev/null)
echo "$seen"
[ "$seen" = "0x500000007 shifted by 32: 0x500000007 by a count that the compiler knows, 0x700000000 by one that is read" ] ||
    { echo "the behaviour has changed"; exit 1; }
