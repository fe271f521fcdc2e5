//! Processes that lack memory, or that a user ends.

use super::{ROOT, imminent, json, text};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read, pipe};
use std::os::fd::AsRawFd;
use std::process::{Command, Output, Stdio};

/// Runs the program with a limit of its addresses, in kB.
fn limited(kilobytes: u64, args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_imminent");
    let script = format!("ulimit -v {kilobytes} && exec \"$0\" \"$@\"");
    Command::new("sh").args(["-c", &script, program]).args(args).current_dir(ROOT).output().unwrap()
}

/// From the least memory under which the system loads the program at all, no process ends by a signal or a panic.
#[test]
fn a_process_without_memory_ends_in_order() {
    let (mut below, mut least) = (1_000, 2_000_000);
    while least - below > 4_000 {
        let middle = (below + least) / 2;
        if limited(middle, &["--version"]).status.success() { least = middle } else { below = middle }
    }
    let torus = ["run", "torus", "--width", "64", "--height", "64", "--horizon", "2"];
    for more in [0, 4_000, 12_000, 30_000] {
        for backend in ["cpu", "auto"] {
            let ran = limited(least + more, &[&torus[..], &["--backend", backend]].concat());
            let told = text(&ran.stderr);
            assert!(matches!(ran.status.code(), Some(0..=2)), "{least} + {more} kB: {}: {told}", ran.status);
            assert!(ran.status.success() || told.contains("imminent: "), "{told}");
        }
    }
}

/// Drivers are libraries of a gigabyte that end a process without memory: they are not loaded.
#[test]
fn a_limit_of_addresses_keeps_drivers_out() {
    let listed = limited(1_000_000, &["devices", "--json"]);
    assert!(listed.status.success(), "{}", text(&listed.stderr));
    let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    for backend in listed["backends"].as_array().unwrap() {
        let reason = backend["reason"].as_str();
        let is_refused = |reason: &str| reason.contains("MB of addresses") || reason.contains("not compiled in");
        assert_eq!(reason.is_some_and(is_refused), backend["backend"] != "cpu", "{backend}");
    }
}

/// The process waits for the reader of its output, which is a pipe of one page, and would never end.
#[test]
fn a_second_ctrl_c_ends_a_process_that_is_stuck() {
    let (mut reader, writer) = pipe().unwrap();
    // SAFETY: the descriptor is open, and the call only changes the capacity of its pipe.
    assert!(unsafe { libc::fcntl(writer.as_raw_fd(), libc::F_SETPIPE_SZ, 4096) } >= 4096);
    let torus = ["run", "torus", "--width", "64", "--height", "64", "--horizon", "1", "--json", "--backend", "cpu"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_imminent"));
    let mut child = command.args(torus).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
    let process = Pid::from_child(&child);
    let interrupt = || kill_process(process, Signal::INT).unwrap();
    reader.read_exact(&mut [0]).unwrap();
    interrupt();
    let mut told = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(told.any(|line| line.contains("once more to end at once")));
    interrupt();
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

/// 1,000 replications of NSFNET take a host milliseconds, and a GPU seconds to start.
#[test]
fn little_work_runs_on_the_host_whatever_devices_there_are() {
    for args in [
        &["run", "network", "examples/networks/nsfnet.graphml", "--horizon", "200", "--replications", "1000"][..],
        &["run", "fire", "--width", "64", "--height", "64", "--horizon", "1"],
        &["run", "levelling", "--width", "64", "--height", "64", "--horizon", "0.1"],
    ] {
        let printed = text(&imminent(args).stdout);
        assert!(printed.contains("(predicted: about "), "{args:?}: {printed}");
    }
    let report = json(&["run", "traffic", "examples/traffic/five-cities.toml", "--horizon", "0.1", "--json"]);
    assert_eq!(report["backend"], "cpu");
    let study = text(&imminent(&["study", "examples/studies/phold.toml"]).stdout);
    assert!(study.contains("(predicted: about "), "{study}");
}

#[test]
fn predicted_times_are_printed_when_asked_for() {
    let told = |args: &[&str]| text(&imminent(args).stderr);
    let few = told(&["run", "phold", "--explain", "--end", "1"]);
    assert!(few.contains("predicted for about 135 events") && few.contains("host, "), "{few}");
    let two = ["compare", "examples/networks/call-centre.toml", "examples/networks/hospital.toml", "--explain"];
    let compared = told(&[&two[..], &["--replications", "2", "--horizon", "10", "--seed", "1"]].concat());
    assert!(compared.contains("predicted for about ") && compared.contains("host, "), "{compared}");
    let none = told(&["run", "lcg", "--explain", "--backend", "cpu", "--iterations", "1"]);
    assert!(none.contains("`lcg` does not tell how much work a run is"), "{none}");
    let host = told(&["run", "open", "--explain", "--engine", "sequential", "--horizon", "1"]);
    assert!(host.contains("`sequential` runs on one thread of the host"), "{host}");
}
