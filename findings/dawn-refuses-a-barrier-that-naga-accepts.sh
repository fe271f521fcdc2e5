#!/usr/bin/env bash
# A barrier in a loop whose number of rounds is read from a storage buffer: naga accepts it, Dawn only where the buffer is read-only.
#
# Seen with naga-cli 30.0.0 and the npm package webgpu 0.6.2 (Dawn) on Linux x86_64, no GPU needed: with `var<storage, read_write>` Dawn
# reports that control flow may not be uniform, because another invocation could have written the number. naga reports nothing for the
# same text, so a shader that is tested through wgpu alone may not load in Chrome. With `var<storage, read>` both accept.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cargo install -q --locked --root naga naga-cli@30.0.0 2>/dev/null
npm init -y >/dev/null
npm install --silent --no-audit --no-fund webgpu@0.6.2
for access in read_write read; do
    cat >$access.wgsl <<WGSL
@group(0) @binding(0) var<storage, $access> rounds: array<u32>;
@compute @workgroup_size(64) fn main() { for (var i = 0u; i < rounds[0]; i++) { workgroupBarrier(); } }
WGSL
done
cat >dawn.mjs <<'JS'
import { readFileSync } from 'fs';
import { create } from 'webgpu';

const adapter = await create(['backend=null']).requestAdapter();
const device = await adapter.requestDevice();
device.pushErrorScope('validation');
device.createShaderModule({ code: readFileSync(process.argv[2], 'utf8') });
console.log((await device.popErrorScope()) === null ? 'accepted' : 'refused');
process.exit(0);
JS
seen=
for access in read_write read; do
    naga=$(naga/bin/naga $access.wgsl >/dev/null 2>&1 && echo accepted || echo refused)
    dawn=$(node dawn.mjs $access.wgsl 2>/dev/null)
    echo "$access: naga $naga, Dawn $dawn"
    seen="$seen $naga $dawn"
done
[ "$seen" = " accepted refused accepted accepted" ] || { echo "the behaviour has changed"; exit 1; }
