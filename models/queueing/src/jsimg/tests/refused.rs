//! Files that have no counterpart, and files that make no sense.

use super::text::{closed, exponential, file, node, open, queue, router, section, source};
use super::*;

/// Returns the error of a queue between a source and a sink, after a change of the text.
fn error(change: impl Fn(String) -> String) -> String {
    let text = file(
        &[open("J", 0, "Door")],
        &[
            source("Door", &[("J", exponential(1.0))]),
            queue("Q", 1, Some(3), "drop", "TailStrategy", &[("J", exponential(2.0))]),
            node("Out", &section("JobSink", "")),
        ],
        &[("Door", "Q"), ("Q", "Out")],
        "",
    );
    parse(&change(text), "model.jsimg").map(drop).unwrap_err().to_string()
}

#[test]
fn an_element_without_a_counterpart_is_named_with_its_line() {
    let replaced = |from: &'static str, to: &'static str| {
        error(move |text| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        })
    };
    let cases = [
        (
            replaced("className=\"Server\"", "className=\"PreemptiveServer\""),
            "station 'Q', class 'J': the section 'PreemptiveServer'",
        ),
        (
            replaced("className=\"JobSink\"", "className=\"Semaphore\""),
            "station 'Out', class 'J': the section 'Semaphore' has no counter",
        ),
        (replaced("TailStrategy", "SRPTStrategy"), "station 'Q', class 'J': the queue strategy 'SRPTStrategy' has no"),
        (
            replaced(">drop<", ">retrial<"),
            "station 'Q', class 'J': tokens that come back to a full station have no counterpart",
        ),
        (
            replaced("random.Exponential\"", "random.StudentT\""),
            "station 'Door', class 'J': the distribution 'StudentT' has no",
        ),
        (
            replaced("random.Exponential\"", "random.MAPDistr\""),
            "the distribution 'Exponential' has no counterpart here: its durations",
        ),
        (
            replaced("random.Exponential\"", "random.Replayer\""),
            "a distribution that replays a file has no counterpart here: use a TOML",
        ),
        (
            replaced("ServiceTimeStrategy\" name", "LoadDependentStrategy\" name"),
            "services that depend on the load have no counterpart",
        ),
        (
            replaced("<value>1</value></subParameter>", "<value>-1</value></subParameter>"),
            "'lambda' of a distribution is -1: give a finite",
        ),
        (
            replaced("<value>1</value></parameter>", "<value>0</value></parameter>"),
            "station 'Q': has 0 servers: give at least 1",
        ),
        (replaced("<value>3</value>", "<value>three</value>"), "station 'Q': 'size' is 'three': give a whole number"),
        (replaced("target=\"Out\"", "target=\"Exit\""), "connection: names 'Exit', which is no node of the file"),
        (
            replaced("<connection source=\"Q\" target=\"Out\"/>", ""),
            "station 'Q', class 'J': has no way on: connect it",
        ),
        (
            replaced("target=\"Out\"", "target=\"Door\""),
            "station 'Door', class 'J': is a source, to which no token can go",
        ),
        (replaced("<sim", "<jmva"), "is not XML"),
        (
            error(|text| text.replace("sim", "jmva")),
            "model.jsimg: has no element 'sim': give a model that JSIMgraph saved",
        ),
    ];
    for (error, expected) in cases {
        assert!(error.starts_with("model.jsimg") && error.contains(expected), "{error}\ninstead of\n{expected}");
    }
}

#[test]
fn what_no_token_reaches_is_left_out() {
    let laws = [("J", exponential(1.0))];
    let text = file(
        &[closed("J", 0, "A", 1)],
        &[
            queue("A", 1, None, "drop", "TailStrategy", &laws),
            queue("Spare", 1, None, "drop", "SRPTStrategy", &laws),
            node("Fork", &section("Fork", "")),
        ],
        &[("A", "A"), ("Spare", "A"), ("Spare", "Fork")],
        "",
    );
    let model = parse(&text, "model.jsimg").unwrap();
    assert_eq!((model.stations.len(), model.left_out), (1, vec!["Spare".to_owned()]));
}

#[test]
fn circles_without_a_service_are_refused() {
    let text = file(
        &[closed("J", 0, "A", 1)],
        &[
            queue("A", 1, None, "drop", "TailStrategy", &[("J", exponential(1.0))]),
            router("Here", &[("J", "RandomStrategy")]),
            router("There", &[("J", "RandomStrategy")]),
        ],
        &[("A", "Here"), ("Here", "There"), ("There", "Here")],
        "",
    );
    let error = parse(&text, "model.jsimg").unwrap_err().to_string();
    assert!(
        error.contains("station 'Here', class 'J': leads back to itself by nodes that tokens pass at once"),
        "{error}"
    );
}

#[test]
fn jobs_begin_at_stations_alone() {
    let laws = [("J", exponential(1.0))];
    let text = file(
        &[closed("J", 0, "Here", 1)],
        &[queue("A", 1, None, "drop", "TailStrategy", &laws), router("Here", &[("J", "RandomStrategy")])],
        &[("A", "Here"), ("Here", "A")],
        "",
    );
    let error = parse(&text, "model.jsimg").unwrap_err().to_string();
    assert!(error.contains("station 'Here', class 'J': has jobs at the start and is no station"), "{error}");
}

#[test]
fn a_region_of_one_node_is_a_capacity() {
    let region = |more: &str, limits: &str| {
        let laws = [("J", exponential(1.0))];
        let text = file(
            &[open("J", 0, "Door")],
            &[
                source("Door", &laws),
                queue("Q", 1, None, "drop", "TailStrategy", &laws),
                node("Out", &section("JobSink", "")),
            ],
            &[("Door", "Q"), ("Q", "Out")],
            &format!("<blockingRegion name='R'><regionNode nodeName='Q'/>{more}{limits}</blockingRegion>"),
        );
        parse(&text, "model.jsimg").map(|model| model.stations[0].capacity).map_err(|error| error.to_string())
    };
    let drop = "<dropRules dropThisClass='true' jobClass='J'/>";
    assert_eq!(region("", "<globalConstraint maxJobs='-1'/>"), Ok(None));
    assert_eq!(
        region(drop, "<globalConstraint maxJobs='-1'/><classConstraint jobClass='J' maxJobsPerClass='11'/>"),
        Ok(Some(11))
    );
    let waits = region("", "<globalConstraint maxJobs='11'/>").unwrap_err();
    assert!(waits.contains("region 'R': has no counterpart here, unless it has one node and drops jobs"), "{waits}");
    assert!(region(&format!("{drop}<regionNode nodeName='Door'/>"), "<globalConstraint maxJobs='11'/>").is_err());
}
