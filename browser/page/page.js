// The page: asks a worker for devices, runs and cases, and shows the answers.

import * as work from './work.js';

const samples = await (await fetch('./samples.json')).json();
const at = (id) => document.getElementById(id);
const report = { agent: navigator.userAgent, devices: [], runs: [], suite: [], fuzz: [] };

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
const devices = () => work.each(report.devices);

function show() {
    const agree = report.runs.filter((run) => run.agrees === true).length;
    const differ = report.runs.filter((run) => run.agrees === false).length;
    const sum = (backend, of) => report.suite.filter((ran) => ran.backend === backend).reduce((all, ran) => all + ran[of], 0);
    const suites = devices().map(({ backend, name }) =>
        `${name} (${backend}): ${sum(backend, 'passed')} passed, ${sum(backend, 'failed')} failed, ${sum(backend, 'skipped')} skipped`);
    const browser = navigator.userAgent.match(/(Firefox|Edg|Chrome|Version)\/[\d.]+/)?.[0] ?? navigator.userAgent;
    const kernels = report.fuzz.map(({ seed, last, agreed, given_up, failures }) =>
        `; random kernels of seeds ${seed} to ${last}: ${agreed} agree, ${given_up} given up, ${failures.length} differ`);
    at('line').textContent = `${browser}; ${suites.join('; ')}; digests equal ${agree}, different ${differ}${kernels.join('')}`;
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

async function run(model, file) {
    const tell = (backend, done, all, now) => { at('state').textContent = `${model} on ${backend}: ${done} of ${all} ${now}`; };
    for await (const ran of work.runs(call, devices(), model, file, tell)) {
        report.runs.push(ran);
        const { backend, device, agrees, error } = ran;
        const times = error === undefined ? [seconds(ran.wall_s), seconds(ran.total_s), ran.digest] : ['', '', error];
        const line = row('runs', model, `${device || 'GPU'} (${backend})`, ...times);
        if (error !== undefined || agrees !== undefined) { line.lastChild.className = agrees ? 'passed' : 'failed'; }
        if (error === undefined) { tables(ran.tables); }
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

async function conform(group) {
    for (const device of devices()) {
        const { backend, name } = device, place = report.suite.length;
        let listed = 0;
        const tell = (ran, done, all) => {
            report.suite[place] = ran;
            at('cases').textContent = `${group} on ${backend}: ${done} of ${all}`;
            for (const failure of ran.failures.slice(listed)) {
                const line = at('failures').appendChild(document.createElement('li'));
                line.className = 'failed';
                line.textContent = `${backend}: ${group}: ${failure.case}: ${failure.why}`;
            }
            listed = ran.failures.length;
        };
        const ran = report.suite[place] = await work.conform(call, group, device, tell);
        const counts = [ran.passed, ran.failed, ran.skipped].map(String);
        row('suite', group, `${name || 'GPU'} (${backend})`, ...counts, seconds(ran.seconds));
        show();
    }
    at('cases').textContent = '';
}

async function fuzz(seed, kernels) {
    for (const device of work.made(report.devices)) {
        const tell = (tried) => { at('tried').textContent = `${tried} of ${kernels}`; };
        const tried = await work.fuzz(call, seed, kernels, device, tell);
        report.fuzz.push(tried);
        const counts = [tried.agreed, tried.given_up, tried.failures.length].map(String);
        row('fuzzed', `${seed} to ${tried.last}`, device.name || 'GPU', ...counts, seconds(tried.seconds));
        show();
    }
    at('tried').textContent = '';
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
    at('fuzz').onclick = () => busy(at('fuzz'), () => fuzz(at('seed').valueAsNumber || 0, at('kernels').valueAsNumber || 1));
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

// `?auto=samples,memory,fuzz:SEED:NUMBER,...` runs without a user, and posts the report where the page came from: for tests.
async function automatic(parts, groups) {
    for (const part of parts) {
        if (part === 'samples') {
            for (const { model, name, text } of samples) {
                await give(`${name}.toml`, new TextEncoder().encode(text));
                await run(model, `${name}.toml`);
            }
        } else if (groups.includes(part)) {
            await conform(part);
        } else if (/^fuzz:\d+:\d+$/.test(part)) {
            await fuzz(...part.split(':').slice(1).map(Number));
        } else {
            throw new Error(`there is no part '${part}': give samples, fuzz:SEED:NUMBER, ${groups.join(', ')}`);
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
