// Does parts of the page's work in Node, by Dawn (npm's package `webgpu`), or in Deno, by wgpu, and prints the page's report.
//
// usage: node|deno browser/headless.mjs PART ...     as `browser/test --shell` calls it
//
// Node needs version 25, Deno 2.4: they have JavaScript Promise Integration. WEBGPU is the path of the package's index.js.
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import * as work from './page/work.js';

const page = new URL('../target/browser/', import.meta.url);
if (!('Deno' in globalThis)) {
    const { create, globals } = await import(process.env.WEBGPU ?? 'webgpu');
    Object.assign(globalThis, globals);
    Object.defineProperty(navigator, 'gpu', { value: create([]) });
}
// The module looks for a GPU in windows and workers alone.
globalThis.WorkerGlobalScope ??= class {};

let imminent, instances = 0;
async function start() {
    imminent = await import(new URL(`imminent_browser.js?${instances++}`, page));
    await imminent.default({ module_or_path: await readFile(new URL('imminent_browser_bg.wasm', page)) });
}

const files = new Map();
async function call(name, args = [], tell = undefined) {
    try {
        return await imminent[name](...args, ...(tell ? [tell] : []));
    } catch (error) {
        const panic = imminent.panic_text();
        const ended = Boolean(panic) || error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
        if (ended) {
            await start();
            for (const [file, bytes] of files) { imminent.give_file(file, bytes); }
        }
        throw Object.assign(new Error(panic || String(error)), { ended });
    }
}

await start();
const report = { agent: navigator.userAgent, devices: JSON.parse(await call('devices')), runs: [], suite: [], fuzz: [] };
const devices = work.each(report.devices), quiet = () => {};
for (const part of process.argv.slice(2)) {
    const [kind, ...numbers] = part.split(':');
    if (part === 'samples') {
        for (const { model, name, text } of JSON.parse(await readFile(new URL('samples.json', page), 'utf8'))) {
            files.set(`${name}.toml`, new TextEncoder().encode(text));
            imminent.give_file(`${name}.toml`, files.get(`${name}.toml`));
            for await (const ran of work.runs(call, devices, model, `${name}.toml`, quiet)) { report.runs.push(ran); }
        }
    } else if (kind === 'fuzz') {
        for (const device of work.made(report.devices)) { report.fuzz.push(await work.fuzz(call, ...numbers.map(Number), device, quiet)); }
    } else {
        for (const device of devices) { report.suite.push(await work.conform(call, part, device, quiet)); }
    }
}
process.stdout.write(JSON.stringify(report), () => process.exit(0));
