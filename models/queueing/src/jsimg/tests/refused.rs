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
            "station 'Q', class 'J': the queue strategy 'TailStrategy' has no counterpart here with servers",
        ),
        (
            replaced("className=\"JobSink\"", "className=\"Semaphore\""),
            "station 'Out', class 'J': the section 'Semaphore' has no counter",
        ),
        (replaced("TailStrategy", "SRPTStrategy"), "station 'Q', class 'J': the queue strategy 'SRPTStrategy' has no"),
        (
            replaced(">drop<", ">retrial<"),
            "station 'Q', class 'J': comes again after no time: give it a 'retrialDistribution'",
        ),
        (
            replaced("random.Exponential\"", "random.StudentT\""),
            "station 'Door', class 'J': the distribution 'StudentT' has no",
        ),
        (
            replaced("random.Exponential\"", "random.MAPDistr\""),
            "station 'Door', class 'J': 'D0' of a distribution is missing: give a matrix",
        ),
        (
            replaced("random.Exponential\"", "random.Replayer\""),
            "a distribution that replays a file has no counterpart here: use a TOML",
        ),
        (
            replaced("ServiceTimeStrategy\" name", "LoadDependentStrategy\" name"),
            "lengths of services that depend on the number of jobs as they start have no counterpart here",
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
fn a_region_is_a_capacity_or_limits_several_stations() {
    let region = |more: &str, limits: &str| {
        let laws = [("J", exponential(1.0))];
        let text = file(
            &[open("J", 0, "Door")],
            &[
                source("Door", &laws),
                queue("Q", 1, None, "drop", "TailStrategy", &laws),
                queue("R", 1, None, "drop", "TailStrategy", &laws),
                node("Out", &section("JobSink", "")),
            ],
            &[("Door", "Q"), ("Q", "R"), ("R", "Out")],
            &format!("<blockingRegion name='R'><regionNode nodeName='Q'/>{more}{limits}</blockingRegion>"),
        );
        let model = parse(&text, "model.jsimg").map_err(|error| error.to_string())?;
        Ok::<_, String>((model.stations[0].capacity, model.regions))
    };
    let drop = "<dropRules dropThisClass='true' jobClass='J'/>";
    assert_eq!(region("", "<globalConstraint maxJobs='-1'/>"), Ok((None, vec![])));
    assert_eq!(
        region(drop, "<globalConstraint maxJobs='-1'/><classConstraint jobClass='J' maxJobsPerClass='11'/>"),
        Ok((Some(11), vec![]))
    );
    let of = |stations: &[&str], overflow| {
        let stations = stations.iter().map(|name| (*name).to_owned()).collect();
        vec![Region { stations, capacity: 11, classes: vec![], overflow }]
    };
    assert_eq!(region("", "<globalConstraint maxJobs='11'/>"), Ok((None, of(&["Q"], Overflow::Block))));
    let second = format!("{drop}<regionNode nodeName='R'/>");
    assert_eq!(region(&second, "<globalConstraint maxJobs='11'/>"), Ok((None, of(&["Q", "R"], Overflow::Lose))));
    let memory = region("", "<globalMemoryConstraint maxMemory='3'/>").unwrap_err();
    assert!(memory.contains("region 'R': has no counterpart here, unless all of its limits are above 0"), "{memory}");
    let door = region(&format!("{drop}<regionNode nodeName='Door'/>"), "<globalConstraint maxJobs='11'/>").unwrap_err();
    assert!(door.contains("has the node 'Door', where no jobs stay"), "{door}");
}
