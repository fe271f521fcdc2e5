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

self.onmessage = async ({ data: { id, call, args } }) => {
    const progress = (...values) => { self.postMessage({ id, progress: values }); };
    try {
        await begun;
        const reports = call === 'run' || call === 'conform';
        const result = await imminent[call](...args, ...(reports ? [progress] : []));
        self.postMessage({ id, result });
    } catch (error) {
        const panic = imminent?.panic_text?.();
        self.postMessage({ id, error: panic || String(error), ended: Boolean(panic) || !imminent });
    }
};

self.postMessage({ suspends });
