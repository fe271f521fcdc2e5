//! Rule files and the outside: external events, inputs and outputs of the top model, and logs.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{agree, cpu, drawn_rules, logged, parse, plane, shipped};
use imminent_cell::Engine;
use imminent_cell::rules::{Model, RunError};
use proptest::prelude::*;
use std::ops::ControlFlow;

/// Rain on two cells of the left column, which have rules for it, and a drain in a corner, which has none. Values
/// spread to the right.
fn pond(delay: &str) -> String {
    format!(
        "[top]\ncomponents : tap@generator plane\nin : Rain drain\nout : level corner\n\
         link : rain rainfall@plane\nlink : drain in@plane(0,2)\nlink : gauge@plane level\nlink : out@plane(0,2) corner\n\n\
         [plane]\ntype : cell\ndim : (3,3)\ndelay : {delay}\ndefaultDelayTime : 20\nborder : nowrapped\n\
         neighbors : plane(0,0) plane(0,-1)\nin : rainfall\nout : gauge\n\
         link : rainfall in@plane(1,0)\nlink : rainfall in@plane(2,0)\nlink : out@plane(1,1) gauge\n\
         localtransition : copy\nportInTransition : in@plane(1,0) pour\nportInTransition : in@plane(2,0) pour\n\n\
         [copy]\nrule : {{ (0,-1) }} 10 {{ (0,-1) > (0,0) }}\nrule : {{ (0,0) }} 0 {{ t }}\n\n\
         [pour]\nrule : {{ (0,0) + portValue(thisPort) }} 5 {{ t }}\n"
    )
}

const EVENTS: &str = "\
% rain on the pond
00:00:00:100 rain 2       % later than the next line
0:0:0:0  RAIN 1

00:00:00:100 drain -3
00:00:00:100 rain 50      % the cells have an input at this time already
00:00:01:000 rain 4
00:00:02:000 drain 9
";

#[test]
fn events_come_to_the_cells_that_their_inputs_are_linked_to() {
    for delay in ["transport", "inertial"] {
        let mut model = parse(&pond(delay)).unwrap();
        assert_eq!(model.inputs().collect::<Vec<_>>(), ["rain", "drain"]);
        assert_eq!(agree(&model, 1, 1_000).distinct_times, 0);
        model.set_events("pond.ev", EVENTS).unwrap();
        // Rain at 0 is in the cells at 5 and spreads. At 100 three cells have inputs, and the corner takes on -3 at
        // 120, which its neighbour's 0 replaces at 130. At 1000 cells have inputs and show nothing of them yet.
        let outcome = agree(&model, 1, 1_000);
        assert_eq!(outcome.values, [0.0, 0.0, 0.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0], "{delay}");
        assert_eq!((outcome.distinct_times, outcome.outputs), (10, 14), "{delay}");
        assert_eq!(agree(&model, 1, 999).distinct_times, 9);
        assert_eq!(agree(&model, 1, 120).values[2], -3.0);
        let outcome = agree(&model, 1, 1_005);
        assert_eq!((outcome.values[3], outcome.values[4]), (7.0, 3.0));
        // Nothing happens at the start alone but inputs.
        assert_eq!(agree(&model, 1, 0).outputs, 0);
    }
}

#[test]
fn events_come_before_the_inputs_of_a_generator() {
    let text = pond("transport")
        .replace("link : drain in@plane(0,2)", "link : out@tap in@plane(0,2)\nlink : drain in@plane(0,2)")
        + "[tap]\ndistribution : constant\nvalue : 0.5\ninitial : 100\nincrement : 1\n";
    let mut model = parse(&text).unwrap();
    assert_eq!(agree(&model, 1, 20).values[2], 100.0);
    // At 0 and 500 both send, and at 1000 the generator alone.
    model.set_events("pond.ev", "0:0:0:0 drain 200\n0:0:0:500 drain 300").unwrap();
    assert_eq!([20, 520, 1_020].map(|horizon| agree(&model, 1, horizon).values[2]), [200.0, 300.0, 102.0]);
}

#[test]
fn an_undefined_value_is_taken_on() {
    let mut model = parse(&pond("inertial")).unwrap();
    model.set_events("pond.ev", "0:0:0:7 drain ?").unwrap();
    let outcome = agree(&model, 1, 200);
    assert!(outcome.values[2].is_nan() && outcome.times[2] == 27, "{:?}", outcome.values);
    let (log, ports) = logged(&model, 1, 200);
    assert_eq!(ports, "00:00:00:027 corner ?\n");
    assert!(
        log.starts_with("Mensaje Y / 00:00:00:027 / plane(0,2)(06) / out /            ? para plane(03)\n"),
        "{log}"
    );
}

#[test]
fn events_are_replaced_and_kept_by_mistakes() {
    let mut model = parse(&pond("transport")).unwrap();
    model.set_events("one.ev", "0:0:0:9 drain 5").unwrap();
    assert!(model.set_events("two.ev", "0:0:0:9 drain").is_err());
    assert_eq!(model.sources(0, 100).len(), 1);
    model.set_events("three.ev", "0:0:0:3 rain 5").unwrap();
    assert_eq!(
        model.sources(0, 100).iter().map(|source| (source.cell, source.first)).collect::<Vec<_>>(),
        [(3, 3), (6, 3)]
    );
    model.set_events("four.ev", "% none\n").unwrap();
    assert!(model.sources(0, 100).is_empty());
}

#[test]
fn what_is_due_at_once_is_not_seen_in_the_same_round() {
    // The first cell takes on 9 without delay. The second asks for its value at the same time, before that output.
    let rules = "rule : { (0,0) } 0 { t }\n\n[ask]\nrule : { (0,-1) + portValue(thisPort) } 5 { t }";
    let lines = "dim : (1,2)\ndelay : transport\ndefaultDelayTime : 0\nportInTransition : in@c(0,1) ask";
    let top = "[top]\ncomponents : c\nin : first second\nlink : first in@c(0,0)\nlink : second in@c(0,1)";
    let mut model = parse(&plane(lines, rules).replace("[top]\ncomponents : c", top)).unwrap();
    for time in ["0:0:0:0", "0:0:0:40"] {
        model.set_events("ask.ev", &format!("{time} first 9\n{time} second 100")).unwrap();
        assert_eq!(agree(&model, 1, 100).values, [9.0, 100.0], "{time}");
    }
}

#[test]
fn many_events_come_to_one_cell() {
    let mut model = parse(&pond("transport")).unwrap();
    let events: String = (0..250).map(|at| format!("0:0:0:{} rain {}\n", 3 * (at * 77 % 250), at % 7)).collect();
    model.set_events("many.ev", &events).unwrap();
    let outcome = agree(&model, 1, 800);
    // Each adds to the value of its time, which the last may not have reached yet.
    assert!(outcome.values[3] > 100.0 && outcome.distinct_times > 250, "{:?}", outcome.values);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn drawn_events_agree(
        rules in drawn_rules(),
        transport in any::<bool>(),
        delay in 0_u32..30,
        events in proptest::collection::vec((0_usize..4, 0_u32..70, -2_i32..6), 0..25),
    ) {
        let kind = if transport { "transport" } else { "inertial" };
        let lines = format!(
            "dim : (5,60)\ndelay : {kind}\ndefaultDelayTime : {delay}\nborder : wrapped\nin : b\nlink : b in@c(0,0)\n\
             link : b in@c(4,59)\nportInTransition : in@c(4,59) r"
        );
        let top = "[top]\ncomponents : c\nin : a b d e\nout : o\nlink : a in@c(2,30)\nlink : b b@c\nlink : d other@c(2,30)\n\
                   link : e in@c(2,31)\nlink : out@c(2,31) o";
        let text = plane(&lines, &rules).replace("[top]\ncomponents : c", top);
        let mut model = parse(&text).unwrap();
        let line = |&(port, time, value): &(usize, u32, i32)| format!("0:0:0:{time} {} {value}\n", ["a", "b", "d", "e"][port]);
        model.set_events("drawn.ev", &events.iter().map(line).collect::<String>()).unwrap();
        let horizon = if transport { 60 } else { 300 };
        agree(&model, 0, horizon);
        logged(&model, 0, horizon);
    }
}

/// Outputs of a log: time in milliseconds, column of the cell, value.
fn outputs(log: &str) -> Vec<(u32, u32, f64)> {
    let number = |text: &str| text.trim().parse::<f64>().unwrap();
    let output = |line: &str| {
        let fields: Vec<&str> = line.split(" / ").collect();
        let time = fields[1]
            .split(':')
            .fold(0, |time, part| time * if part.len() == 3 { 1000 } else { 60 } + part.parse::<u32>().unwrap());
        let column = fields[2].split(['(', ',', ')']).nth(2).unwrap().parse().unwrap();
        (time, column, number(fields[4].split("para").next().unwrap()))
    };
    log.lines().map(output).collect()
}

/// Two transport cells, of which the second sees the first. What an event brings to the first is due at 30 ms.
fn two_cells(first: &str, events: &str) -> Model {
    let text = format!(
        "[top]\ncomponents : c\nin : a\nlink : a in@c(0,0)\n[c]\ntype : cell\ndim : (1,2)\ndelay : transport\n\
         neighbors : c(0,0) c(0,-1)\nlocaltransition : r\nportInTransition : in@c(0,0) due\n\
         [r]\n{first}\nrule : {{ (0,0) + (0,-1) }} 1 {{ (0,-1) > 0 and time < 31 }}\nrule : {{ (0,0) }} 10 {{ t }}\n\
         [due]\nrule : {{ portValue(thisPort) }} {{ 30 - time }} {{ t }}\n"
    );
    let mut model = parse(&text).unwrap();
    model.set_events("two.ev", events).unwrap();
    model
}

#[test]
fn outputs_of_a_transport_cell_at_one_time_leave_one_after_another() {
    // As the log of the flood 3D/v1 has it (SimulationEverywhere-Models/CDPP-FLOOD): each output has a round of its own
    // and is reacted to. While the 7 is to follow, the kept 5 joins the queue, and is emitted again at 40.
    let model = two_cells("", "0:0:0:0 a 5\n0:0:0:10 a 7");
    let log = logged(&model, 1, 40).0;
    let expected = [(30, 0, 5.0), (30, 0, 7.0), (31, 1, 5.0), (31, 1, 7.0), (40, 0, 5.0)];
    assert_eq!(outputs(&log), expected);
    let outcome = agree(&model, 1, 40);
    assert_eq!((outcome.values, outcome.outputs, outcome.distinct_times), (vec![5.0, 7.0], 5, 4));
}

#[test]
fn a_value_joins_a_queue_unless_it_is_the_first_there_for_its_time() {
    // Three outputs of 5 lead to 6 at 40. The second 6 is computed while a 5 is still to follow and a 6 is queued.
    let model = two_cells("rule : 6 10 { (0,0) = 5 and cellPos(1) = 0 }", "0:0:0:0 a 5\n0:0:0:10 a 5\n0:0:0:20 a 5");
    let log = logged(&model, 1, 40).0;
    let first: Vec<(u32, f64)> =
        outputs(&log).into_iter().filter(|output| output.1 == 0).map(|(time, _, value)| (time, value)).collect();
    assert_eq!(first, [(30, 5.0), (30, 5.0), (30, 5.0), (40, 6.0), (40, 6.0)]);
    agree(&model, 1, 60);
}

#[test]
fn a_generator_that_is_listed_after_the_cells_comes_after_their_outputs() {
    // The cell counts every 10 ms while it is below 3, and the generator adds 100 every 10 ms.
    let values = |components: &str| {
        let text = format!(
            "[top]\ncomponents : {components}\nlink : out@tap in@c(0,0)\n[tap]\ndistribution : constant\nvalue : 0.01\n\
             [c]\ntype : cell\ndim : (1,1)\ndelay : transport\nneighbors : c(0,0)\nlocaltransition : count\n\
             portInTransition : in@c(0,0) add\n[count]\nrule : {{ (0,0) + 1 }} 10 {{ (0,0) < 3 }}\nrule : {{ (0,0) }} 10 {{ t }}\n\
             [add]\nrule : {{ (0,0) + 100 }} 0 {{ t }}\n"
        );
        let model = parse(&text).unwrap();
        [0, 10, 20].map(|horizon| agree(&model, 1, horizon).values[0])
    };
    // Before the cells: the first input comes before the first count, and the value is never below 3 again.
    assert_eq!(values("tap@generator c"), [100.0, 200.0, 300.0]);
    // After them: 1 is queued for 10 ms before 100 arrives at 0, then 1 + 100 follows, then 2 and 2 + 100.
    assert_eq!(values("c tap@generator"), [100.0, 101.0, 102.0]);
}

#[test]
fn logs_have_the_outputs_and_what_leaves_by_ports() {
    let mut model = parse(&pond("transport")).unwrap();
    assert_eq!(model.outputs().collect::<Vec<_>>(), [("level", 4), ("corner", 2)]);
    model.set_events("pond.ev", EVENTS).unwrap();
    let (log, ports) = logged(&model, 1, 1_000);
    let wanted = "\
        Mensaje Y / 00:00:00:005 / plane(1,0)(07) / out /      1.00000 para plane(03)\n\
        Mensaje Y / 00:00:00:005 / plane(2,0)(10) / out /      1.00000 para plane(03)\n\
        Mensaje Y / 00:00:00:015 / plane(1,1)(08) / out /      1.00000 para plane(03)\n\
        Mensaje Y / 00:00:00:015 / plane(03) / gauge /      1.00000 para top(01)\n\
        Mensaje Y / 00:00:00:015 / top(01) / level /      1.00000 para Root(00)\n\
        Mensaje Y / 00:00:00:015 / plane(2,1)(11) / out /      1.00000 para plane(03)\n";
    assert!(log.starts_with(wanted), "{log}");
    let corner = "\
        Mensaje Y / 00:00:00:120 / plane(0,2)(06) / out /     -3.00000 para plane(03)\n\
        Mensaje Y / 00:00:00:120 / top(01) / corner /     -3.00000 para Root(00)\n";
    assert!(log.contains(corner), "{log}");
    let level = "00:00:00:015 level 1\n00:00:00:115 level 3\n00:00:00:120 corner -3\n00:00:00:130 corner 0\n";
    assert_eq!(ports, level);
}

#[test]
fn logs_of_the_shipped_models_are_those_of_the_oracle() {
    let (log, ports) = logged(&Model::read(&shipped("fire.ma")).unwrap(), 1, 4 * 3_600_000);
    // As in the log of CD++ that is published with this fire.
    let line = |text: &str| log.lines().any(|line| line.split_once('/').is_some_and(|(_, rest)| rest.contains(text)));
    assert!(line("00:01:11:973") && line("(13,19)(412) / out /     17.14981 para ") && line("00:16:08:985"), "{log}");
    assert!(ports.is_empty());
    let (log, _) = logged(&Model::read(&shipped("flood.ma")).unwrap(), 1, 3_000);
    assert_eq!(log.lines().count(), 36 + 96 + 132);
    let example = shipped("../../../../examples/cells/heat.ma");
    let (log, _) = logged(&Model::read(&example).unwrap(), 1, 20);
    assert!(log.contains(" / heat(7,7,0)(") && log.contains(" para heat(02)\n"));
}

#[test]
fn rain_on_a_fire_comes_as_in_the_published_log() {
    // Rain begins in three cells, which have no rules for it, and spreads to the south and the west.
    let text = std::fs::read_to_string(shipped("fire.ma")).unwrap();
    let text = text.replace(
        "components : fire",
        "components : fire\nin : a b c\nlink : a a@fire\nlink : b b@fire\nlink : c c@fire",
    );
    let text = text.replace(
        "initialvalue : 0",
        "initialvalue : 0\nlink : a in@fire(0,27)\nlink : b in@fire(0,28)\nlink : c in@fire(0,29)",
    );
    let rain = "((-1,0) = -1 or (0,1) = -1 or (-1,0) = -2 or (0,1) = -2)";
    let wet = format!(
        "rule : -1 180000 {{ (0,0) = 0 and {rain} }}\nrule : -2 210000 {{ (0,0) > 0 and {rain} }}\nrule : {{ (0,0) }} 0"
    );
    let text = text.replace("rule : { (0,0) } 0", &wet);
    let mut model = Model::parse("rain.ma", &text, &|file| std::fs::read_to_string(shipped(file))).unwrap();
    model.set_events("rain.ev", "00:05:00:000 a -1\n00:05:00:000 b -1\n00:05:00:000 c -1").unwrap();
    let (log, _) = logged(&model, 1, 826_806);
    // 74 outputs until 00:13:46:806, and those of the rain, by their minute and cell: as CD++ had them.
    assert_eq!(log.lines().count(), 74, "{log}");
    let line = |line: &str| {
        let cell = line.split(['(', ')']).nth(1).unwrap().to_owned();
        line.contains("-1.00000").then(|| format!("{} {cell}", &line[12..][3..5]))
    };
    let wet: Vec<String> = log.lines().filter_map(line).collect();
    let published = "05 0,27|05 0,28|05 0,29|08 0,26|08 1,27|08 1,28|08 1,29|11 0,25|11 1,26|11 2,27|11 2,28|11 2,29";
    assert_eq!(wet.join("|"), published);
    assert_eq!(agree(&model, 1, 826_806).outputs, 74);
}

#[test]
fn rounds_at_one_time_are_in_the_log_one_after_another() {
    // A value passes along the line without delay: four rounds at 5 ms, after a first output with delay.
    let rules = "rule : 1 5 { (0,0) = 0 and cellPos(1) = 0 }\nrule : 1 0 { (0,0) = 0 and (0,-1) = 1 }\nrule : { (0,0) } 0 { t }";
    for delay in ["inertial", "transport"] {
        let model = parse(&plane(&format!("dim : (1,4)\ndelay : {delay}"), rules)).unwrap();
        let (log, _) = logged(&model, 1, 10);
        let cells: Vec<&str> = log.lines().map(|line| line.split(['(', ')']).nth(1).unwrap()).collect();
        assert_eq!(cells, ["0,0", "0,1", "0,2", "0,3"]);
        assert!(log.lines().all(|line| line.contains("/ 00:00:00:005 /")), "{log}");
    }
}

/// A line whose delays, generator and time are in hours, or in another unit of some milliseconds.
fn hours(unit: u64) -> Model {
    let text = format!(
        "[top]\ncomponents : tap@generator line\nin : rain\nout : level\nlink : rain in@line(0,0)\n\
         link : out@tap in@line(0,1)\nlink : gauge@line level\n\
         [tap]\ndistribution : constant\nvalue : {}\ninitial : 1\nincrement : 1\n\
         [line]\ntype : cell\ndim : (1,6)\ndelay : transport\ndefaultDelayTime : {}\nneighbors : line(0,0) line(0,-1)\n\
         out : gauge\nlink : out@line(0,5) gauge\nlocaltransition : right\n\
         [right]\nrule : {{ (0,-1) + trunc(time / {unit}) }} {{ 13 * {unit} }} {{ (0,-1) > (0,0) and time < {} }}\n\
         rule : {{ (0,0) }} 0 {{ t }}\n",
        300.0 * unit as f64 / 1000.0,
        24 * unit,
        1_500 * unit,
    );
    let mut model = parse(&text).unwrap();
    let event = |(hour, value): (u64, i32)| {
        let (seconds, milliseconds) = (hour * unit / 1000, hour * unit % 1000);
        format!("0:0:{seconds}:{milliseconds} rain {value}\n")
    };
    model.set_events("rain.ev", &[(7, 2), (1_400, 3_000), (9_000, 1)].map(event).concat()).unwrap();
    model
}

/// A run beyond the milliseconds of 32 bits gives what the same model gives whose hours are milliseconds.
#[test]
fn a_long_run_counts_time_in_a_longer_unit() {
    let (mut long, short) = (hours(3_600_000), hours(1));
    let units = long.reach(2_000 * 3_600_000).unwrap();
    assert_eq!((units, long.unit()), (2_000, 3_600_000));
    let (outcome, expected) = (agree(&long, 1, units), agree(&short, 1, 2_000));
    assert_eq!((&outcome.values, &outcome.times), (&expected.values, &expected.times));
    assert!(expected.outputs > 20 && expected.times.iter().any(|time| *time > 1_400), "{expected:?}");
    assert_ne!(outcome.digest(), expected.digest(), "a digest counts milliseconds");
    let ((log, ports), (short_log, _)) = (logged(&long, 1, units), logged(&short, 1, 2_000));
    assert_eq!(log.lines().count(), short_log.lines().count());
    let last = log.lines().rev().find(|line| line.contains("line(0,5)")).unwrap();
    let hour = expected.times[5];
    assert!(last.starts_with(&format!("Mensaje Y / {hour}:00:00:000 / line(0,5)")), "{last}");
    assert!(ports.lines().last().unwrap().starts_with(&format!("{hour}:00:00:000 level ")), "{ports}");
    // The unit changes nothing: seconds where hours would do.
    let mut fine = hours(3_600_000);
    fine.set_events("rain.ev", "7:0:0:0 rain 2\n1400:0:0:0 rain 3000\n1999:59:59:0 rain 0\n").unwrap();
    let units = fine.reach(2_000 * 3_600_000).unwrap();
    assert_eq!((units, fine.unit()), (7_200_000, 1_000));
    assert_eq!(agree(&fine, 1, units).values, outcome.values);
}

#[test]
fn the_device_s_engine_lists_no_outputs() {
    let model = parse(&pond("transport")).unwrap();
    let run = model.run_observed(&cpu(), Engine::Step, 1, 10, &mut |_| ControlFlow::Continue(()), &mut |_| ());
    let error = run.unwrap_err();
    assert!(matches!(error, RunError::Unlisted { .. }) && error.to_string().contains("`sequential`"), "{error}");
}

#[test]
fn mistakes_in_events_are_marked() {
    let error = |text: &str| parse(&pond("transport")).unwrap().set_events("pond.ev", text).unwrap_err().to_string();
    let none = |text: &str| parse(&plane("dim : (3,3)", "rule : 1 1 { t }")).unwrap().set_events("none.ev", text);
    let texts = [
        error("% rain\n\n00:00:10 rain 1"),
        error("0:0:0:1 rain 1\n  soon rain 1 % it will\n"),
        error("00:00:10:000 snow 1"),
        error("00:00:10:000 rain"),
        error("00:00:10:000 rain 1 2"),
        error("00:00:10:000 rain much"),
        error("00:00:10:000 rain inf"),
        error("2501999792:59:00:992 rain 1"),
        error("00:00:00:001:5 rain 1"),
        error("#include(other.ev)"),
        none("00:00:10:000 rain 1").unwrap_err().to_string(),
    ];
    insta::assert_snapshot!(texts.join("\n\n"));
    let missing = parse(&pond("transport")).unwrap().read_events(&shipped("none.ev")).unwrap_err().to_string();
    assert!(missing.contains("cannot be read") && missing.contains("none.ev"), "{missing}");
}

#[test]
fn mistakes_in_ports_are_marked() {
    let right = pond("transport");
    let error = |from: &str, to: &str| {
        let text = right.replacen(from, to, 1);
        assert_ne!(text, right, "{from}");
        parse(&text).unwrap_err().to_string()
    };
    let texts = [
        error("in : Rain drain", "in : drain"),
        error("out : level corner", "out : level"),
        error("link : gauge@plane level", "link : gouge@plane level"),
        error("link : rain rainfall@plane", "link : rain snowfall@plane"),
        error("link : rain rainfall@plane", "link : rain rainfall@plain"),
        error("link : rain rainfall@plane", "link : rain level"),
        error("link : gauge@plane level", "link : gauge@plane rainfall@plane"),
        error("link : out@plane(0,2) corner", "link : out@plane(0,3) corner"),
        error("link : drain in@plane(0,2)", "link : drain in@plane(3,2)"),
        error("defaultDelayTime : 20\n", ""),
        error("defaultDelayTime : 20", "defaultDelayTime : 1.5"),
        error("portValue(thisPort)", "portValue(other)"),
        error("rule : { (0,-1) } 10", "rule : { send(level) } 10"),
        error("components : tap@generator plane", "components : pump@Pump plane\nlink : out@pump rainfall@plane"),
        error("components : tap@generator plane", "components : copy plane\nlink : out@copy in@plane(1,0)"),
        error("components : tap@generator plane", "components : tap@generator copy"),
    ];
    insta::assert_snapshot!(texts.join("\n\n"));
}
