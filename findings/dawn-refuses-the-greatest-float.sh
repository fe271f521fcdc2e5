#!/usr/bin/env bash
# Dawn refuses the literal 3.4028235e38f, the shortest decimal of the greatest f32; naga accepts it.
#
# The greatest f32 is 3.40282346638528859811704183484516925440e38. Rust, C and Python print it as 3.4028235e38, which is larger, but
# rounds to it. Seen with the npm package webgpu 0.6.2 (Dawn) and naga-cli 30.0.0 on Linux x86_64, no GPU needed: Dawn compares before it
# rounds, and says that the value cannot be represented as f32. It accepts 340282346638528859811704183484516925440f and 0x1.fffffep+127f.
# A generator of WGSL that prints floats by their shortest decimal fails in browsers for this one number.
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
console.log((await device.popErrorScope()) === null ? 'accepted' : 'refused');
process.exit(0);
JS
seen=
for literal in 3.4028235e38f 3.4028234e38f 340282346638528859811704183484516925440f 0x1.fffffep+127f; do
    echo "const x: f32 = $literal;" >literal.wgsl
    naga=$(naga/bin/naga literal.wgsl >/dev/null 2>&1 && echo accepted || echo refused)
    dawn=$(node dawn.mjs literal.wgsl 2>/dev/null)
    echo "$literal: naga $naga, Dawn $dawn"
    seen="$seen $naga $dawn"
done
expected=" accepted refused accepted accepted accepted accepted accepted accepted"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed"; exit 1; }
