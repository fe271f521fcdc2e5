// The page: asks a worker for devices, runs and cases, and shows the answers.

const samples = await (await fetch('./samples.json')).json();
const at = (id) => document.getElementById(id);
const report = { agent: navigator.userAgent, devices: [], runs: [], suite: [] };

// A worker, and the promises that it has to keep.
let worker, suspends, waiting, next = 0;

function start() {
    for (const [, refuse] of waiting?.values() ?? []) { refuse(new Error('the instance of WebAssembly ended')); }
    waiting = new Map();
    return new Promise((resolve, reject) => {
        worker = new Worker('./worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => {
            if ('suspends' in data) { suspends = data.suspends; resolve(); return; }
            const { id, progress, result, error, ended } = data;
            const [keep, refuse, tell] = waiting.get(id) ?? [];
            if (progress) { tell?.(...progress); return; }
            waiting.delete(id);
            if (error !== undefined) { refuse?.(Object.assign(new Error(error), { ended })); } else { keep?.(result); }
        };
        worker.onerror = (event) => {
            for (const [, refuse] of waiting.values()) { refuse(Object.assign(new Error(event.message), { ended: true })); }
            reject(new Error(event.message));
        };
    });
}

// Calls a function of the worker. After a panic the worker is replaced, and gets the files again.
const files = new Map();
async function call(name, args = [], tell) {
    try {
        return await new Promise((keep, refuse) => {
            waiting.set(++next, [keep, refuse, tell]);
            worker.postMessage({ id: next, call: name, args });
        });
    } catch (error) {
        if (error.ended) {
            worker.terminate();
            await start();
            for (const [file, bytes] of files) { await call('give_file', [file, bytes]); }
        }
        throw error;
    }
}

async function give(file, bytes) {
    files.set(file, bytes);
    await call('give_file', [file, bytes]);
}

function row(table, ...cells) {
    const line = at(table).tBodies[0].insertRow();
    for (const cell of cells) {
        const place = line.insertCell();
        place.textContent = cell;
        if (/^[\d.]+( s)?$/.test(cell)) { place.className = 'number'; }
    }
    return line;
}

const seconds = (time) => `${(time ?? 0).toFixed(3)} s`;
const devices = () => report.devices.flatMap(({ backend, devices }) => devices.map((device) => ({ backend, ...device })));

function show() {
    const agree = report.runs.filter((run) => run.agrees === true).length;
    const differ = report.runs.filter((run) => run.agrees === false).length;
    const sum = (backend, of) => report.suite.filter((ran) => ran.backend === backend).reduce((all, ran) => all + ran[of], 0);
    const suites = devices().map(({ backend, name }) =>
        `${name} (${backend}): ${sum(backend, 'passed')} passed, ${sum(backend, 'failed')} failed, ${sum(backend, 'skipped')} skipped`);
    const browser = navigator.userAgent.match(/(Firefox|Edg|Chrome|Version)\/[\d.]+/)?.[0] ?? navigator.userAgent;
    at('line').textContent = `${browser}; ${suites.join('; ')}; digests equal ${agree}, different ${differ}`;
}

async function list() {
    const found = JSON.parse(await call('devices'));
    report.devices = found.map((of) => of.backend === 'wgpu' && !suspends
        ? { ...of, devices: [], reason: 'this browser has no JavaScript Promise Integration for WebAssembly, by which an engine waits for the GPU' }
        : of);
    const shown = report.devices.map(({ backend, devices, reason }) => {
        const line = document.createElement('p');
        line.textContent = devices.length
            ? devices.map(({ name, driver }) => `${backend}: ${name || 'GPU'} (${driver})`).join(', ')
            : `${backend}: not available, ${reason}. The page runs on the CPU.`;
        return line;
    });
    at('devices').replaceChildren(...shown);
}

// Runs a model on every device; a digest agrees if it is that of the CPU.
async function run(model, file) {
    let expected;
    const places = devices();
    places.sort((a, b) => (b.backend === 'cpu') - (a.backend === 'cpu'));
    for (const { backend, name } of places) {
        const tell = (done, all, now) => { at('state').textContent = `${model} on ${backend}: ${done} of ${all} ${now}`; };
        let ran;
        try {
            ran = JSON.parse(await call('run', [model, file, backend], tell));
            if (backend === 'cpu') { expected = ran.digest; }
            // Without a result of the CPU there is nothing to compare with.
            const agrees = backend === 'cpu' || expected === undefined ? undefined : ran.digest === expected;
            report.runs.push({ model, file, backend, device: name, agrees, ...ran });
            const line = row('runs', model, `${name || 'GPU'} (${backend})`, seconds(ran.wall_s), seconds(ran.total_s), ran.digest);
            if (agrees !== undefined) { line.lastChild.className = agrees ? 'passed' : 'failed'; }
            tables(ran.tables);
        } catch (error) {
            report.runs.push({ model, file, backend, device: name, error: error.message });
            row('runs', model, `${name || 'GPU'} (${backend})`, '', '', error.message).lastChild.className = 'failed';
        }
        show();
    }
    at('state').textContent = '';
}

function tables(found) {
    const shown = (found ?? []).map(({ heading, columns, rows }) => {
        const table = document.createElement('table');
        table.createCaption().textContent = heading;
        const head = table.createTHead().insertRow();
        for (const column of columns) { head.appendChild(document.createElement('th')).textContent = column; }
        const body = table.createTBody();
        for (const cells of rows) { const line = body.insertRow(); for (const cell of cells) { line.insertCell().textContent = cell; } }
        return table;
    });
    at('tables').replaceChildren(...shown);
}

// Runs a group on every device. A case that ends its instance failed; the run goes on after it.
async function conform(group) {
    for (const { backend, name } of devices()) {
        const counts = { passed: 0, failed: 0, skipped: 0 }, begun = performance.now();
        // The number of cases comes with the first one that ends.
        let done = 0, all = Infinity, last = '', instances = 0;
        const fail = (which, why) => {
            counts.failed += 1;
            report.suite.at(-1).failures.push({ case: which, why });
            const line = at('failures').appendChild(document.createElement('li'));
            line.className = 'failed';
            line.textContent = `${backend}: ${group}: ${which}: ${why}`;
        };
        report.suite.push({ group, backend, device: name, ...counts, failures: [] });
        while (done < all) {
            try {
                await call('conform', [group, backend, done], (now, total, text) => {
                    const ran = JSON.parse(text);
                    [done, all, last] = [now, total, ran.name];
                    at('cases').textContent = `${group} on ${backend}: ${now} of ${total}`;
                    if (ran.verdict === 'pass' || ran.verdict === 'expected-fail') { counts.passed += 1; }
                    else if (ran.verdict === 'skip') { counts.skipped += 1; }
                    else { fail(ran.name, ran.message ?? ran.verdict); }
                });
                break;
            } catch (error) {
                fail(`the case after "${last}"`, error.message);
                // A device that ends two instances before any case has ended is given up.
                if (!error.ended || (++instances > 1 && all === Infinity)) { break; }
                done += 1;
            }
        }
        const took = (performance.now() - begun) / 1000;
        Object.assign(report.suite.at(-1), counts, { seconds: took });
        row('suite', group, `${name || 'GPU'} (${backend})`, ...Object.values(counts).map(String), seconds(took));
        show();
    }
    at('cases').textContent = '';
}

async function busy(button, work) {
    button.disabled = true;
    try { await work(); } finally { button.disabled = false; }
}

function controls(models, groups) {
    at('model').replaceChildren(...models.map(({ name, about }) => Object.assign(new Option(name, name), { title: about })));
    at('group').replaceChildren(new Option('all groups', ''), ...groups.map((name) => new Option(name, name)));
    at('sample').replaceChildren(...samples.map(({ name }, number) => new Option(name, number)));
    let file = 'page.toml';
    const take = () => {
        const { model, text } = samples[at('sample').value];
        [at('model').value, at('text').value, file] = [model, text, 'page.toml'];
    };
    take();
    at('sample').onchange = take;
    at('run').onclick = () => busy(at('run'), async () => {
        const text = at('text').value;
        await give(file, new TextEncoder().encode(text));
        await run(at('model').value, text.trim() ? file : '');
    });
    at('conform').onclick = () => busy(at('conform'), async () => {
        for (const group of at('group').value ? [at('group').value] : groups) { await conform(group); }
    });
    at('text').ondragover = (event) => { event.preventDefault(); at('text').classList.add('over'); };
    at('text').ondragleave = () => at('text').classList.remove('over');
    at('text').ondrop = async (event) => {
        event.preventDefault();
        at('text').classList.remove('over');
        for (const dropped of event.dataTransfer.files) {
            await give(dropped.name, new Uint8Array(await dropped.arrayBuffer()));
            if (/\.(toml|graphml|xml|ma)$/i.test(dropped.name)) { [file, at('text').value] = [dropped.name, await dropped.text()]; }
        }
    };
    at('save').onclick = () => {
        const url = URL.createObjectURL(new Blob([JSON.stringify(report, null, 1)], { type: 'application/json' }));
        Object.assign(document.createElement('a'), { href: url, download: 'imminent-browser.json' }).click();
        URL.revokeObjectURL(url);
    };
}

// `?auto=samples,memory,...` runs without a user, and posts the report where the page came from: for tests.
async function automatic(parts, groups) {
    for (const part of parts) {
        if (part === 'samples') {
            for (const { model, name, text } of samples) {
                await give(`${name}.toml`, new TextEncoder().encode(text));
                await run(model, `${name}.toml`);
            }
        } else if (groups.includes(part)) {
            await conform(part);
        } else {
            throw new Error(`there is no part '${part}': give samples, ${groups.join(', ')}`);
        }
    }
    await fetch('./report', { method: 'POST', body: JSON.stringify(report) });
}

try {
    await start();
    await list();
    const [models, groups] = [JSON.parse(await call('models')), JSON.parse(await call('groups'))];
    controls(models, groups);
    show();
    const auto = new URLSearchParams(location.search).get('auto');
    if (auto) { await automatic(auto.split(','), groups); }
} catch (error) {
    at('devices').textContent = `Imminent does not start here: ${error.message}`;
    if (location.search.includes('auto')) { await fetch('./report', { method: 'POST', body: JSON.stringify({ error: error.message, ...report }) }); }
}
