// Work on devices, for the page and for `browser/headless.mjs`.
//
// `call(name, args, tell)` calls a function of the module. After a panic, or a trap, it starts the module anew and rejects
// with an error whose `ended` is true.

// Runs a model on every device, the CPU first; a digest agrees if it is that of the CPU. Yields each run.
export async function* runs(call, devices, model, file, tell) {
    let expected;
    const cpuFirst = [...devices].sort((a, b) => (b.backend === 'cpu') - (a.backend === 'cpu'));
    for (const { backend, name } of cpuFirst) {
        const ran = { model, file, backend, device: name };
        try {
            const outcome = JSON.parse(await call('run', [model, file, backend], (...progress) => tell(backend, ...progress)));
            if (backend === 'cpu') { expected = outcome.digest; }
            // Without a result of the CPU there is nothing to compare with.
            const agrees = backend === 'cpu' || expected === undefined ? undefined : outcome.digest === expected;
            yield { ...ran, agrees, ...outcome };
        } catch (error) {
            yield { ...ran, error: error.message };
        }
    }
}

// Runs a group of the suite on a device. A case that ends its instance failed; the group goes on after it. `tell` gets the
// counts so far, the number of cases done, and that of all.
export async function conform(call, group, { backend, name }, tell) {
    const ran = { group, backend, device: name, passed: 0, failed: 0, skipped: 0, failures: [] }, begun = performance.now();
    // The number of cases comes with the first one that ends.
    let done = 0, all = Infinity, last = '', instances = 0;
    const fail = (which, why) => {
        ran.failed += 1;
        ran.failures.push({ case: which, why });
        tell(ran, done, all);
    };
    while (done < all) {
        try {
            await call('conform', [group, backend, done], (now, total, text) => {
                const { name, verdict, message } = JSON.parse(text);
                [done, all, last] = [now, total, name];
                if (verdict === 'pass' || verdict === 'expected-fail') { ran.passed += 1; }
                else if (verdict === 'skip') { ran.skipped += 1; }
                else { fail(name, message ?? verdict); }
                tell(ran, now, total);
            });
            break;
        } catch (error) {
            fail(`the case after "${last}"`, error.message);
            // A device that ends two instances before any case has ended is given up.
            if (!error.ended || (++instances > 1 && all === Infinity)) { break; }
            done += 1;
        }
    }
    return { ...ran, seconds: (performance.now() - begun) / 1000 };
}

// Tries random kernels on a device: a seed for each hundred, which a kernel that differs or ends its instance ends.
const CHUNK = 100;
export async function fuzz(call, seed, kernels, { backend, name }, tell) {
    const begun = performance.now();
    const tried = { backend, device: name, seed, last: seed, agreed: 0, given_up: 0, failures: [] };
    for (let left = kernels; left > 0; left -= CHUNK) {
        tried.last = seed + Math.floor((kernels - left) / CHUNK);
        let done = 0;
        try {
            const text = await call('fuzz', [backend, tried.last, Math.min(left, CHUNK)], (now) => { done = now; tell(kernels - left + now); });
            const { agreed, given_up, failure } = JSON.parse(text);
            tried.agreed += agreed;
            tried.given_up += given_up;
            if (failure) { tried.failures.push({ seed: tried.last, ...failure }); }
        } catch (error) {
            tried.failures.push({ seed: tried.last, message: `after ${done} kernels: ${error.message}` });
        }
    }
    return { ...tried, seconds: (performance.now() - begun) / 1000 };
}

// The devices of a list of backends. The CPU's kernels are compiled ahead, so it runs no random ones.
export const each = (backends) => backends.flatMap(({ backend, devices }) => devices.map((device) => ({ backend, ...device })));
export const made = (backends) => each(backends).filter(({ backend }) => backend !== 'cpu');
