#!/usr/bin/env bash
# In Dawn the sign of a constant zero is that of the first zero in the shader.
#
# WGSL's f32 has two zeros, and bitcast shows which. Seen with the npm package webgpu 0.6.2 (Dawn) on Linux x86_64, with Dawn's null
# backend, so that only the compiler works: round(-0.25f) has the bits 0x80000000 where it stands alone, and the bits 0 where a 0.0f was
# written before it. Constants are kept once for each value, and -0.0 == 0.0. The literal -0.0f is never negative, since its 0.0f comes
# first. A kernel that orders floats by their bits, or divides by a constant zero, changes with an unrelated line above.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund webgpu@0.6.2
cat >zeros.mjs <<'JS'
import { create } from 'webgpu';

const adapter = await create(['backend=null']).requestAdapter();
const device = await adapter.requestDevice();
device.addEventListener('uncapturederror', (event) => event.preventDefault());
const negative = 'bitcast<u32>(round(-0.25f)) == 0x80000000u';
const texts = [negative, `0.0f == 0.0f && ${negative}`, 'bitcast<u32>(-0.0f) == 0x80000000u'];
for (const text of texts) {
    device.pushErrorScope('validation');
    device.createShaderModule({ code: `const_assert ${text};` });
    const error = await device.popErrorScope();
    console.log(text, '->', error === null);
}
process.exit(0);
JS
seen=$(node zeros.mjs 2>/dev/null)
echo "$seen"
[ "$seen" = "bitcast<u32>(round(-0.25f)) == 0x80000000u -> true
0.0f == 0.0f && bitcast<u32>(round(-0.25f)) == 0x80000000u -> false
bitcast<u32>(-0.0f) == 0x80000000u -> false" ] || { echo "the behaviour has changed"; exit 1; }
