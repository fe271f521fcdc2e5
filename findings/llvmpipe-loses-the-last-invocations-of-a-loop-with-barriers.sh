#!/usr/bin/env bash
# Mesa's llvmpipe 22.3.6 (Vulkan) loses the last invocations of a workgroup that leaves a loop with a barrier.
#
# llvmpipe runs eight invocations as one vector. In a workgroup of 15 the second vector has a lane too many, which is
# masked. A loop that ends where a loaded word is not 0 goes on for that lane, which loads 0: so its vector waits at one
# more barrier, for which no other comes, and seven invocations do nothing after the loop. Workgroups of 8 and 16 are
# right, as is a loop that ends where the word is 0. Seen with mesa-vulkan-drivers 22.3.6-1+deb12u2 of Debian 12 through
# the PyPI package wgpu 0.32.0, no GPU needed. Runs on Debian 12 (amd64): the package comes from its archive, libraries
# that it needs from the system.
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
cat >loop.py <<'PY'
import numpy
import wgpu

text = """
@group(0) @binding(0) var<storage, read> given: array<u32>;
@group(0) @binding(1) var<storage, read_write> found: array<u32>;
var<workgroup> shared_word: u32;
@compute @workgroup_size(SIZE) fn main(@builtin(local_invocation_index) lane: u32) {
    for (var round = 0u; round < 3u; round += 1u) {
        if (lane == 0u) { shared_word = given[0]; }
        if (workgroupUniformLoad(&shared_word) LEAVES) { break; }
    }
    found[lane] = 1u;
}"""
device = wgpu.gpu.request_adapter_sync().request_device_sync()


def stored(size, word, leaves):
    given = device.create_buffer_with_data(data=numpy.array([word], numpy.uint32), usage=wgpu.BufferUsage.STORAGE)
    found = device.create_buffer(size=64, usage=wgpu.BufferUsage.STORAGE | wgpu.BufferUsage.COPY_SRC)
    module = device.create_shader_module(code=text.replace("SIZE", str(size)).replace("LEAVES", leaves))
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
    return sum(device.queue.read_buffer(found).cast("I").tolist())


for size in 8, 15, 16:
    print(f"of {size} invocations {stored(size, 1, '!= 0u')} and {stored(size, 0, '== 0u')} stored")
PY
export VK_DRIVER_FILES=$folder/lvp.json VK_ICD_FILENAMES=$folder/lvp.json
llvm=$(dirname "$(find "$folder/mesa" -name libLLVM-15.so.1)")
seen=$(LD_LIBRARY_PATH=$llvm venv/bin/python loop.py 2>/dev/null)
echo "$seen"
expected="of 8 invocations 8 and 8 stored
of 15 invocations 8 and 15 stored
of 16 invocations 16 and 16 stored"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed"; exit 1; }
