// Runs Imminent beside the page, so that no computation blocks it.
//
// A panic ends an instance of WebAssembly. The page then starts a worker anew.

// An engine waits for the GPU by suspending its stack (JavaScript Promise Integration). The CPU needs no wait: a browser
// without it runs there.
const suspends = typeof WebAssembly.promising === 'function';
if (!suspends) {
    WebAssembly.Suspending = function (call) { return call; };
    WebAssembly.promising = (call) => async (...args) => call(...args);
}

let imminent;

async function start() {
    imminent = await import('./imminent_browser.js');
    await imminent.default({ module_or_path: './imminent_browser_bg.wasm' });
}

const begun = start();

// A suspended instance can be called again, but an engine does not expect it: calls wait for one another.
let last = begun;
self.onmessage = ({ data }) => { last = last.then(() => answer(data), () => answer(data)); };

async function answer({ id, call, args }) {
    const progress = (...values) => { self.postMessage({ id, progress: values }); };
    try {
        await begun;
        const reports = ['run', 'conform', 'fuzz'].includes(call);
        const result = await imminent[call](...args, ...(reports ? [progress] : []));
        self.postMessage({ id, result });
    } catch (error) {
        const panic = imminent?.panic_text?.();
        // Beside panics, traps and an exhausted stack leave the instance in a state that is not known.
        const trapped = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
        self.postMessage({ id, error: panic || String(error), ended: Boolean(panic) || trapped || !imminent });
    }
}

self.postMessage({ suspends });
