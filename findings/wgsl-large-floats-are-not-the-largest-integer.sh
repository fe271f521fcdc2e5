#!/usr/bin/env bash
# WGSL's i32(3e9f) is 2147483520 and u32(5e9f) is 4294967040, not the largest integers.
#
# A float beyond the range becomes the nearest integer of the range that is also a float of its type, by the WGSL specification ("Floating
# Point Conversion"). Rust's `as` gives 2147483647. Seen with naga-cli 30.0.0 and the npm package webgpu 0.6.2 (Dawn) on Linux x86_64, by
# constants, no GPU needed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cargo install -q --locked --root naga naga-cli@30.0.0 2>/dev/null
npm init -y >/dev/null
npm install --silent --no-audit --no-fund webgpu@0.6.2
cat >dawn.mjs <<'JS'
import { readFileSync } from 'fs';
import { create } from 'webgpu';

const adapter = await create(['backend=null']).requestAdapter();
const device = await adapter.requestDevice();
device.pushErrorScope('validation');
device.createShaderModule({ code: readFileSync(process.argv[2], 'utf8') });
console.log((await device.popErrorScope()) === null);
process.exit(0);
JS
seen=
for claim in 'i32(3e9f) == 2147483647i' 'i32(3e9f) == 2147483520i' 'u32(5e9f) == 4294967295u' 'u32(5e9f) == 4294967040u'; do
    echo "const_assert $claim;" >claim.wgsl
    naga=$(naga/bin/naga claim.wgsl >/dev/null 2>&1 && echo true || echo false)
    dawn=$(node dawn.mjs claim.wgsl 2>/dev/null)
    echo "$claim: naga $naga, Dawn $dawn"
    seen="$seen $naga $dawn"
done
[ "$seen" = " false false true true false false true true" ] || { echo "the behaviour has changed"; exit 1; }
