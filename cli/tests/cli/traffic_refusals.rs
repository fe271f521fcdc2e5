//! Network traffic: input that is refused.

use super::refused;
use super::traffic::validation;
use std::fs;

#[test]
fn options_that_are_nonsense_or_unused_are_refused() {
    for (options, words) in [
        (&["--bandwidth", "nan"][..], &["--bandwidth"][..]),
        (&["--bandwidth", "1e9"], &["--bandwidth", "the links of a generator have their own"]),
        (&["--buffer-time", "-1"], &["--buffer-time"]),
        (&["--buffer", "90000"], &["--buffer", "the paper's"]),
        (&["--scale", "nan"], &["--scale"]),
        (&["--scale", "2"], &["--scale", "no demands"]),
        (&["--unit", "Mbps"], &["--unit"]),
        (
            &["--engine", "sequential", "--scheme", "lock-step"],
            &["--scheme lock-step: has no effect: the engine `sequential` does not use it"],
        ),
        (
            &["--packets", "--precision", "f64"],
            &["--precision f64: has no effect: the engine `packets` does not use it"],
        ),
        (&["--packets", "--step", "1e-3"], &["--step 1e-3: has no effect: the engine `packets` does not use it"]),
    ] {
        refused(&validation(options), words);
    }
    // 49 TB for all links of a campus at 10 million times.
    let series = ["--sample", "0.5", "--series", "18446744073709551615", "--horizon", "4999999"];
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out").display().to_string();
    let campus = ["run", "traffic", "--generate", "campus", "--out", &out];
    refused(&[&campus[..], &series].concat(), &["--series 18446744073709551615", "of memory", "--sample"]);
    refused(&validation(&["--sample", "1e-9"]), &["--sample 1e-9", "more than 10000000", "give at least"]);
    let campuses = ["run", "traffic", "--generate", "campus", "--campuses", "100000"];
    refused(&campuses, &["--campuses", "100000: the run would need", "TB of memory", "give at most"]);
}

#[test]
fn bad_input_is_told_kindly() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("net.toml");
    let path = file.to_str().unwrap();
    let told = |text: &str, words: &[&str]| {
        fs::write(&file, text).unwrap();
        refused(&["run", "traffic", path, "--backend", "cpu"], words);
    };
    let link = |keys: &str| format!("[[topology.link]]\nfrom = 'a'\nto = 'b'\n{keys}\n");
    let flow = "[[traffic.flow]]\nfrom = 'b'\nto = 'a'\n";
    let whole = "bandwidth = 1e6\ndelay = 0.01";
    told(
        &format!("{}{flow}", link(&format!("{whole}\none_way = true"))),
        &["net.toml", "no path of links leads from 'b' to 'a'", "add a link"],
    );
    told(&link("bandwidth = 0\ndelay = 0.01"), &["net.toml, line 4", "topology.link[0].bandwidth: 0 is not", "give"]);
    told(
        &format!("{}{flow}[run]\nstep = 2e-3\n", link(whole)),
        &["net.toml, line 10: run.step", "a tenth of that, 0.001 s", "accept_step", "--accept-step"],
    );
    told(&format!("{}{flow}[run]\nstep = 2e-2\naccept_step = true\n", link(whole)), &["run.step", "at most that long"]);
    told(&link(&format!("{whole}\nbuffer = 0")), &["net.toml, line 6", "topology.link[0].buffer: 0 is not possible"]);
    told(
        &format!("[topology]\nbuffer = 0\n{}{flow}", link(whole)),
        &["net.toml, line 2: topology.buffer: 0 is not possible"],
    );
    told(
        &format!("{}[[traffic.demand]]\nfrom = 'a'\nto = 'z'\nrate = 1e5\n", link(whole)),
        &["net.toml, line 8: traffic.demand[0].to", "'z' is no node", "for instance 'a'"],
    );
    told(&link("bandwidth = 1e6"), &["net.toml, line 1", "no 'delay'"]);
    told(&link(whole), &["net.toml: traffic: nothing flows"]);
    told("[topology]\ngenerate = 'valid'\n", &["net.toml, line 2", "validation"]);
    told(
        &format!("{}{flow}[run]\nengine = 'packets'\n", link(whole)),
        &["run.engine", "no flow has packets", "'fluid'"],
    );
    told(&format!("{}{flow}[run]\nwarm_up = 90\n", link(whole)), &["net.toml, line 10: run.warm_up", "longer horizon"]);
    // From files that a configuration names.
    let matrix = folder.path().join("matrix.csv");
    fs::write(&matrix, "from,to,rate\na,Atlantis,1e6\n").unwrap();
    told(
        &format!("{}[traffic]\nmatrix = 'matrix.csv'\n", link(whole)),
        &["matrix.csv, line 2", "'Atlantis' is no node"],
    );
    fs::write(&matrix, "from,to,rate\n").unwrap();
    told(
        &format!("{}[traffic]\nmatrix = 'matrix.csv'\n", link(whole)),
        &["matrix.csv: it has no demands", "give rows of"],
    );
    told(
        &format!("{}{flow}", link("bandwidth = 1e6\ndelay = 0")),
        &["net.toml, line 5: topology.link[0].delay", "a delay of 0 s", "above 0"],
    );
    told(
        &format!("{}{flow}[run]\nstep = 1e-12\n", link(whole)),
        &["net.toml, line 10: run.step: 0.000000000001 is not possible", "from 0.000000001"],
    );
    let graph = "<graphml><graph edgedefault='undirected'><node id='a'/><node id='b'/>\n<edge source='a' target='b'/></graph></graphml>";
    fs::write(folder.path().join("net.graphml"), graph).unwrap();
    let named = "[topology]\nfile = 'net.graphml'\n";
    told(
        named,
        &[
            "net.graphml, line 2: the edge from 'a' to 'b' has no 'bandwidth' or 'LinkSpeedRaw'",
            "'bandwidth' in [topology]",
        ],
    );
    told(
        &format!("{named}bandwidth = 1e9\n"),
        &["net.graphml, line 2: the edge from 'a' to 'b' has no 'delay'", "'Longitude'"],
    );
}

#[test]
fn impossible_options_are_refused() {
    refused(&["run", "traffic"], &["say which traffic", "FILE", "--generate"]);
    refused(&["run", "traffic", "--topology", "campus"], &["--topology is called --generate (FILE for "]);
    refused(&validation(&["--warmup", "1"]), &["--warmup is called --warm-up now"]);
    refused(
        &["run", "traffic", "examples/traffic/lossy.toml", "--generate", "campus"],
        &["a generator have their own"],
    );
    refused(&["run", "traffic", "no-such.toml"], &["no-such.toml", "cannot be read"]);
    refused(&validation(&["--series", "few", "--out", "never"]), &["--series few: takes a whole number"]);
    refused(&validation(&["--accept-step=perhaps"]), &["--accept-step perhaps: takes true or false"]);
    refused(&validation(&["--engine", "warp"]), &["warp", "fluid"]);
    refused(&validation(&["--step", "2e-3"]), &["--step", "0.001 s"]);
    refused(&validation(&["--step", "-1"]), &["--step -1: ", "numbers from"]);
    refused(&["run", "traffic", "--generate", "validation", "--horizon", "0"], &["--horizon 0: ", "numbers from"]);
    refused(&validation(&["--sample", "5"]), &["--sample", "longer than the 4 s"]);
    refused(&validation(&["--packet-sessions", "21"]), &["--packet-sessions", "20 sessions"]);
    refused(&validation(&["--packet-sessions", "3", "--batch", "0"]), &["--batch 0: ", "whole numbers from 1"]);
    let turns = ["--packet-sessions", "3", "--scheme", "lock-step", "--batch", "2"];
    refused(&validation(&turns), &["--batch", "batches of one step"]);
    refused(&validation(&["--waiting", "0"]), &["--waiting 0: ", "numbers from"]);
    refused(&validation(&["--engine", "hybrid"]), &["--engine", "no flow has packets"]);
    refused(&validation(&["--campuses", "3"]), &["--campuses"]);
    refused(&validation(&["--gravity", "0"]), &["--gravity 0: ", "numbers from 1"]);
    refused(&validation(&["--matrix", "none.csv"]), &["--matrix", "none.csv"]);
    let campus = ["run", "traffic", "--generate", "campus", "--buffer", "9", "--buffer-time", "1"];
    refused(&campus, &["--buffer-time 1: ", "remove 'buffer' or 'buffer_time'"]);
    refused(&["run", "traffic", "--generate", "campus", "--buffer", "0"], &["--buffer 0: ", "numbers from 1"]);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("thesis.tex"), "years of work").unwrap();
    refused(&validation(&["--out", folder.path().to_str().unwrap()]), &["thesis.tex", "--force"]);
}
