//! Rule files whose cells send by several ports and have state variables, and functions of values that change.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{agree, logged, parse};
use imminent_cell::rules::Model;

/// Cells in a row, each with a value at `out` and one at `load`, and a variable `n`.
const ROW: &str = "
[top]
components : row
[row]
type : cell
dim : (1,7)
delay : transport
border : BORDER
neighbors : row(0,-1) row(0,0) row(0,1)
initialvalue : 1
initialrow : 0 1 2 3 1 1 2 1
NeighborPorts : Load
stateVariables : n
stateValues : 0
initialvariablesvalue : row.values
localtransition : go
[go]
rule : { ~out := (0,0) + 1; ~load := $n; } { $n := $n + (0,1)~load; } { 3 + $n } { (0,0) < 4 and (0,1)~load > 0 and $n < 40 }
rule : { ~load := (0,0)~load - 1; } { $n := $n + 1; $n := 2 * $n; } 5 { (0,0)~neighborChange >= 4 and (0,0)~load > 2 }
rule : { (0,0) + statecount(2, ~load) } 4 { statecount(2, ~load) > 0 and $n < 60 and (0,0) < 9 }
rule : { } { $n := $n + 0.25; } 0 { $n < 3 }
rule : { ~load := (0,0)~load; } 1 { t }
";

fn row(border: &str) -> Model {
    let load = |_: &str| Ok("(0,2) = 7\n(0,5) = 2\n".to_owned());
    Model::parse("row.ma", &ROW.replace("BORDER", border), &load).unwrap()
}

/// A cell of the row, as a program of its own keeps it: both values at once.
#[derive(Clone)]
struct Cell {
    sent: [f64; 2],
    n: f64,
    queue: Vec<(u32, usize, f64)>,
}

/// The rules of the row. Gives values for ports, and the delay.
fn evaluate(cells: &mut [Cell], at: usize, wraps: bool) -> (Vec<(usize, f64)>, f64) {
    let (left, right) = match (at, wraps) {
        (0, false) => (None, Some(1)),
        (6, false) => (Some(5), None),
        _ => (Some((at + 6) % 7), Some((at + 1) % 7)),
    };
    let twos = [left, Some(at), right].into_iter().flatten().filter(|&at| cells[at].sent[1] == 2.0).count() as f64;
    let right_load = right.map_or(f64::NAN, |right| cells[right].sent[1]);
    let cell = &mut cells[at];
    let [out, load] = cell.sent;
    if out < 4.0 && right_load > 0.0 && cell.n < 40.0 {
        let delay = 3.0 + cell.n;
        cell.n += right_load;
        (vec![(0, out + 1.0), (1, cell.n)], delay)
    } else if out >= 4.0 && load > 2.0 {
        cell.n = 2.0 * (cell.n + 1.0);
        (vec![(1, load - 1.0)], 5.0)
    } else if twos > 0.0 && cell.n < 60.0 && out < 9.0 {
        (vec![(0, out + twos)], 4.0)
    } else if cell.n < 3.0 {
        cell.n += 0.25;
        (vec![], 0.0)
    } else {
        (vec![(1, load)], 1.0)
    }
}

/// Simulates the row by a list of outputs, all of a time at once. Gives the values at the end, and all outputs.
fn simulate(wraps: bool, horizon: u32) -> (Vec<Cell>, usize) {
    let first = [1.0, 2.0, 3.0, 1.0, 1.0, 2.0, 1.0];
    let cell = |(at, &value): (usize, &f64)| {
        let n = if at == 2 {
            7.0
        } else if at == 5 {
            2.0
        } else {
            0.0
        };
        Cell { sent: [value; 2], n, queue: Vec::new() }
    };
    let mut cells: Vec<Cell> = first.iter().enumerate().map(cell).collect();
    let (mut now, mut emitting, mut outputs): (u32, Vec<usize>, usize) = (0, (0..7).collect(), 0);
    loop {
        let sees = |at: usize, other: usize| {
            let gap = at.abs_diff(other);
            gap <= 1 || (wraps && gap == 6)
        };
        let reached: Vec<usize> = (0..7).filter(|&at| emitting.iter().any(|&other| sees(at, other))).collect();
        for at in reached {
            let (values, delay) = evaluate(&mut cells, at, wraps);
            let due = now + delay as u32;
            for (port, value) in values {
                let cell = &mut cells[at];
                if (value - cell.sent[port]).abs() > 1e-8 {
                    cell.queue.retain(|&(time, to, _)| (time, to) != (due, port));
                    cell.queue.push((due, port, value));
                }
            }
        }
        let Some(next) = cells.iter().flat_map(|cell| cell.queue.iter().map(|entry| entry.0)).min() else { break };
        if next > horizon {
            break;
        }
        now = next;
        emitting.clear();
        for (at, cell) in cells.iter_mut().enumerate() {
            let due: Vec<(u32, usize, f64)> = cell.queue.iter().copied().filter(|entry| entry.0 == now).collect();
            cell.queue.retain(|entry| entry.0 != now);
            outputs += due.len();
            for &(_, port, value) in &due {
                cell.sent[port] = value;
            }
            if !due.is_empty() {
                emitting.push(at);
            }
        }
    }
    (cells, outputs)
}

#[test]
fn cells_with_ports_and_variables_do_what_a_program_of_its_own_does() {
    for (border, wraps) in [("nowrapped", false), ("wrapped", true)] {
        let model = row(border);
        assert_eq!(
            (model.ports(), model.space().dimensions()),
            (&["out".to_owned(), "load".to_owned()][..], &[2, 1, 7][..])
        );
        for horizon in [0, 3, 10, 40, 200, 1_000] {
            let outcome = agree(&model, 1, horizon);
            let (cells, outputs) = simulate(wraps, horizon);
            let [out, load] = [0, 1].map(|port| cells.iter().map(|cell| cell.sent[port]).collect::<Vec<_>>());
            assert_eq!(outcome.values, [out, load].concat(), "{border} {horizon}");
            assert_eq!(outcome.outputs as usize, outputs, "{border} {horizon}");
        }
        assert!(simulate(wraps, 1_000).1 > 40, "{}", simulate(wraps, 1_000).1);
    }
}

#[test]
fn a_log_names_the_port_of_an_output() {
    let (log, _) = logged(&row("nowrapped"), 1, 20);
    let line = log.lines().find(|line| line.contains("out_load")).unwrap();
    assert!(line.starts_with("Mensaje Y / 00:00:00:") && line.contains(" / row(0,"), "{line}");
    assert!(log.contains(") / out / "), "{log}");
}

/// A plane with these lines and rules, in which nothing is a neighbour but the cell itself.
fn alone(lines: &str, rules: &str) -> String {
    format!(
        "[top]\ncomponents : c\n[c]\ntype : cell\ndim : (3,4)\ndelay : transport\nneighbors : c(0,0)\n{lines}\n\
         localtransition : r\n[r]\n{rules}\n"
    )
}

#[test]
fn inputs_come_to_all_ports_of_a_cell() {
    let rules = "rule : { ~a := (0,0); } 1 { t }\n[take]\nrule : { ~out := portValue(thisPort); ~a := $v; } { $v := $v + 1; } 2 { t }";
    let text =
        alone("neighborports : a\nstatevariables : v\nstatevalues : 5\nportInTransition : in@c(0,1) take", rules)
            .replacen("components : c", "components : c\nin : x y\nlink : x in@c(0,1)\nlink : y other@c(2,3)", 1)
            .replacen("type : cell", "type : cell\ndefaultDelayTime : 6", 1);
    let mut model = parse(&text).unwrap();
    model.set_events("a.ev", "0:0:0:10 x 9\n0:0:0:20 x 8\n0:0:0:20 y 4\n").unwrap();
    let outcome = agree(&model, 0, 12);
    // The port `a` gets the variable at 12, and at 13 the value of `out`.
    assert_eq!((outcome.values[1], outcome.values[12 + 1]), (9.0, 6.0));
    let outcome = agree(&model, 0, 22);
    assert_eq!((outcome.values[1], outcome.values[12 + 1]), (8.0, 7.0));
    let outcome = agree(&model, 0, 100);
    assert_eq!((outcome.values[11], outcome.values[12 + 11]), (4.0, 4.0));
}

#[test]
fn functions_of_values_that_change_agree() {
    let all = [
        "exp((0,0) / 9)",
        "ln((0,0) + 0.3)",
        "log((0,0) + 1)",
        "sin((0,0) * 7)",
        "cos((0,0) * 5.5)",
        "tan((0,0))",
        "asin(sin((0,0)))",
        "acos(cos((0,0)) / 2)",
        "atan((0,0) - 30)",
        "sinh((0,0) / 20)",
        "cosh((0,0) / 20)",
        "tanh((0,0) / 20)",
        "root((0,0), 3)",
        "hip((0,0), 3)",
        "logn((0,0) + 2, 3)",
        "sec((0,0))",
        "ctof((0,0))",
        "ktof((0,0) + 300)",
        "ftok((0,0))",
        "radToDeg((0,0))",
        "degToRad((0,0))",
        "polarToRect_x((0,0), 1)",
        "rectToPolar_angle((0,0), 2)",
        "(0,0) * ideal_gas / faraday",
        "normal((0,0), 2)",
        "exponential((0,0))",
        "poisson((0,0) / 10)",
        "ln(0 - (0,0))",
        "sin((0,0) + 2000000)",
        "normal(0, 0 - 1)",
    ];
    for function in all {
        let rule = format!(
            "rule : {{ remainder(abs(ifu({function} > 0, {function}, 1 - {function}, 17)) + (0,0) * 1.37 + cellPos(1), 61) }} 5 {{ t }}"
        );
        agree(&parse(&alone("initialrow : 0 1 2 3 4.5\ninitialrow : 1 0 0.01 33 60", &rule)).unwrap(), 3, 400);
    }
}

#[test]
fn rules_that_draw_may_all_be_false() {
    let text = alone("", "rule : { (0,0) + 1 } 5 { random < 0.9 }");
    let outcome = agree(&parse(&text).unwrap(), 1, 500);
    assert!(outcome.values.iter().sum::<f64>() > 20.0);
}

#[test]
fn mistakes_in_ports_and_variables_are_marked() {
    let lines = "neighborports : a b\nstatevariables : v w\nstatevalues : 1 2";
    let right = "rule : { ~a := $v; } { $w := (0,0)~b; } 1 { t }";
    let error = |from: &str, to: &str| {
        let text = alone(lines, right).replacen(from, to, 1);
        assert_ne!(text, alone(lines, right), "{from}");
        parse(&text).unwrap_err().to_string()
    };
    let texts = [
        error("~a :=", "~c :="),
        error("$v;", "$x;"),
        error("~b;", "~d;"),
        error("$v; }", "$v }"),
        error("~a := $v; }", "~a := $v; ~a := 1; }"),
        error("~a := $v; }", "~a := $v; 3; }"),
        error(": a b", ": a out"),
        error("statevalues : 1 2", "statevalues : 1"),
        error("delay : transport", "delay : inertial"),
        error("neighborports : a b", "initialvariablesvalue : none\nneighborports : a b"),
        parse(&alone(lines, right).replace("(3,4)", "(3,4,2,2)").replace("(0,0)", "(0,0,0,0)"))
            .unwrap_err()
            .to_string(),
    ];
    insta::assert_snapshot!(texts.join("\n\n"));
}
