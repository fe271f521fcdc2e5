//! Rule files: the device engine against the oracle, and shipped models against the compiled ones.

#![allow(clippy::unwrap_used, clippy::panic)]

mod common;
#[path = "common/heap.rs"]
mod heap;
#[path = "rules/texts.rs"]
mod texts;

use common::{agree, cpu, drawn_rules, parse, plane, shipped};

use imminent_cell::fire::Fire;
use imminent_cell::flood::Flood;
use imminent_cell::rules::Model;
use imminent_cell::{Cancelled, Engine, Simulation};
use proptest::prelude::*;
use std::ops::ControlFlow;
use std::path::Path;

#[global_allocator]
static HEAP: heap::Counting = heap::Counting;

#[test]
fn the_fire_s_rule_file_ignites_as_the_compiled_rule_does() {
    let model = Model::read(&shipped("fire.ma")).unwrap();
    assert_eq!(model.lookahead(), Some(71_973));
    let horizon = 4 * 3_600_000;
    let outcome = agree(&model, 1, horizon);
    let fire = Fire::new(30, 30, &[(19, 10)], 4.0).unwrap().run_sequentially().unwrap().outcome;
    assert!(fire.cells_burnt > 400);
    for (cell, &time) in fire.ignition.iter().enumerate() {
        assert_eq!(outcome.values[cell] > 0.0, time != u32::MAX);
        if time != u32::MAX {
            assert_eq!(outcome.times[cell], time);
        }
    }
    assert_eq!(outcome.distinct_times, fire.distinct_times);
}

#[test]
fn the_flood_s_rule_file_levels_as_the_compiled_rule_does() {
    let model = Model::read(&shipped("flood.ma")).unwrap();
    let outcome = agree(&model, 1, 20_000);
    let mut cells = vec![0.0; 625];
    [156, 168, 456, 468].iter().for_each(|&cell: &usize| cells[cell] = 4.0);
    let flood = Flood::new(25, 25, &cells, 20.0 / 3600.0 + 1e-7).unwrap().run_sequentially().unwrap().outcome;
    for (real, whole) in outcome.values.iter().zip(&flood.amounts) {
        assert!((real - imminent_cell::flood::water(*whole)).abs() < 1e-5);
    }
    assert_eq!(outcome.distinct_times, 20);
    let model = Model::read(&shipped("flood.ma")).unwrap();
    assert_eq!(model.run_sequentially(1, 3000).unwrap().outcome.outputs, 36 + 96 + 132);
}

#[test]
fn a_glider_of_the_game_of_life_moves_round_a_torus() {
    let text = plane(
        "width : 20\nheight : 20\ndelay : transport\ndefaultDelayTime : 100\nborder : wrapped\n\
         initialrowvalue : 1 00100000000000000000\ninitialrowvalue : 2 00010000000000000000\ninitialrowvalue : 3 01110000000000000000",
        "rule : 1 100 { (0,0) = 1 and (truecount = 3 or truecount = 4) }\nrule : 1 100 { (0,0) = 0 and truecount = 3 }\nrule : 0 100 { t }",
    );
    let model = parse(&text).unwrap();
    // Four generations move it one cell down and right; after 80 it is where it was.
    let outcome = agree(&model, 0, 8_000);
    assert_eq!(outcome.values, model.initial());
    let outcome = agree(&model, 0, 400);
    assert_eq!(outcome.values[2 * 20 + 3], 1.0);
    assert_eq!(outcome.values.iter().sum::<f64>(), 5.0);
}

#[test]
fn zones_have_rules_of_their_own_in_three_dimensions() {
    let text = "
        [top]
        components : box
        [box]
        type : cell
        dim : (3,4,5)
        delay : inertial
        border : nowrapped
        neighbors : box(0,0,0) box(-1,0,0) box(1,0,0) box(0,-1,0) box(0,1,0)
        neighbors : box(0,0,-1) box(0,0,1)
        initialvalue : 0
        localtransition : air
        zone : rock { (1,1,0)..(1,2,4) (2,3,4) }
        [air]
        rule : { max((-1,0,0), 1) } { 10 + cellPos(2) } { (0,0,0) = 0 and (-1,0,0) > 0 }
        rule : { cellPos(0) * 100 + cellPos(1) * 10 + cellPos(2) } { time + 7 } { (0,0,0) = 0 and isUndefined((-1,0,0)) }
        rule : { (0,0,0) } 0 { t }
        [rock]
        rule : { -1 } 3 { (0,0,0) = 0 }
        rule : { (0,0,0) } 0 { t }";
    let outcome = agree(&parse(text).unwrap(), 0, 1_000);
    let at = |z: u32, y: u32, x: u32| outcome.values[outcome.space.cell(&[z, y, x]).unwrap() as usize];
    assert_eq!((at(1, 1, 0), at(1, 2, 4), at(2, 3, 4)), (-1.0, -1.0, -1.0));
    assert_eq!((at(0, 3, 2), at(1, 3, 2), at(2, 3, 2)), (32.0, 32.0, 32.0));
    assert_eq!((at(1, 0, 0), at(2, 1, 3)), (0.0, 0.0));
}

#[test]
fn a_quantum_spares_outputs_and_all_engines_agree() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/cells/heat.ma");
    let mut model = Model::read(&example).unwrap();
    assert_eq!((model.quantum(), model.space().dimensions()), (0.0, &[15, 15, 2][..]));
    let outputs = [0.0, 1.0, 20.0].map(|quantum| {
        model.set_quantum(quantum);
        let outcome = agree(&model, 1, 150);
        // The cells that are hot at the start burn at once; a large quantum hides that.
        let ignition = outcome.values[outcome.space.cell(&[7, 7, 1]).unwrap() as usize];
        assert_eq!(ignition, if quantum > 1.0 { 1.0 } else { 0.0 });
        outcome.outputs
    });
    assert!(outputs[0] > 5_000 && outputs[0] > 2 * outputs[1] && outputs[1] > 2 * outputs[2], "{outputs:?}");
    model.set_quantum(f64::NAN);
    assert_eq!(model.quantum(), 0.0);
}

#[test]
fn a_queue_of_a_transport_delay_keeps_many_outputs() {
    let text = plane(
        "dim : (4,70)\ndelay : transport\nborder : nowrapped\ninitialvalue : 1",
        "rule : { (0,0) + 1 } { if(cellPos(1) = 3, 500, 10) } { (0,0) < 60 }\nrule : { (0,0) } 10 { t }",
    );
    agree(&parse(&text).unwrap(), 0, 2_000);
}

#[test]
fn functions_and_logic_agree_with_the_oracle() {
    let rules = [
        "rule : { remainder(time, 7) + trunc(-1.5) + truncupper(1.2) + round(2.5) + fractional(-1.25) } 30 { (0,0) < 1 }",
        "rule : { sqrt(abs((0,0))) + power(2, cellPos(1)) - min((0,1), 3) } 40 { (0,1) != ? and not (0,1) = 3 }",
        "rule : { ifu((1,0) > 2, 1, 2, 3) + ifu((0,0) = 1, 1, 2, 3) + sign(-3) } { 50 + cellPos(0) } { even((0,0)) or odd((0,0)) xor t }",
        "rule : { statecount(1) + undefcount + sin(0) + exp(0) } 20 { (0,0) > 1 imp (0,-1) = ? eqv t }",
        "rule : { (0,0) / ((0,0) - (0,1)) + max(1, pi) } 20 { isint((0,0)) }",
        "rule : { (0,0) } 10 { t }",
    ];
    // Outputs of a transport cell at one time add up to ever more of them, so its runs are short.
    for (delay, horizon) in [("inertial", 700), ("transport", 90)] {
        for turn in 0..rules.len() - 1 {
            let mut turned = rules;
            turned[..5].rotate_left(turn);
            let lines = format!("dim : (5,9)\ndelay : {delay}\nborder : nowrapped\ninitialvalue : {turn}");
            agree(&parse(&plane(&lines, &turned.join("\n"))).unwrap(), 0, horizon);
        }
    }
}

#[test]
fn random_numbers_depend_on_the_seed_and_the_cell() {
    let text = plane(
        "dim : (20,20)\ndelay : inertial\nborder : wrapped",
        "rule : { randint(9) + uniform(0, 0.5) } { 100 + round(random * 50) } { random < 0.5 and truecount < 9 }\n\
         rule : 3 70 { truecount < 5 and ((0,1) > 3 or random < 0.3) and random < 0.9 }\nrule : { (0,0) + randomsign } 120 { t }",
    );
    let model = parse(&text).unwrap();
    let (one, two) = (agree(&model, 1, 500), agree(&model, 2, 500));
    assert_ne!(one.digest(), two.digest());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn drawn_models_agree(
        rules in drawn_rules(),
        transport in any::<bool>(),
        wrapped in any::<bool>(),
        (height, width) in (3_u32..20, 3_u32..40),
        values in proptest::collection::vec(0_u8..5, 1..50),
    ) {
        let (delay, border) = (if transport { "transport" } else { "inertial" }, if wrapped { "wrapped" } else { "nowrapped" });
        let lines = format!("dim : ({height},{width})\ndelay : {delay}\nborder : {border}");
        let mut model = parse(&plane(&lines, &rules)).unwrap();
        for cell in 0..height * width {
            model.set_initial(cell, f64::from(values[cell as usize % values.len()]));
        }
        agree(&model, 0, if transport { 40 } else { 300 });
    }
}

/// Part of a condition: mostly a comparison of a neighbour with a number or with the undefined value.
fn drawn_part() -> impl Strategy<Value = String> {
    let sign = proptest::sample::select(vec!["=", "!=", "<", "<=", ">", ">="]);
    let bound = proptest::sample::select(vec!["0", "1", "2", "3", "?"]);
    ((-1_i32..=1, -1_i32..=1), sign, bound, 0_u32..8).prop_map(|((row, column), sign, bound, kind)| match kind {
        0 => format!("not ({row},{column}) {sign} {bound}"),
        1 => format!("isUndefined(({row},{column}))"),
        2 => format!("({row},{column}) {sign} (0,0)"),
        _ => format!("({row},{column}) {sign} {bound}"),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    /// Conditions of up to five parts, some of them undefined at the border.
    #[test]
    fn conditions_of_several_parts_agree(
        conditions in proptest::collection::vec(proptest::collection::vec(drawn_part(), 1..6), 1..6),
        values in proptest::collection::vec(0_u8..4, 1..50),
        (height, width) in (2_u32..9, 2_u32..20),
    ) {
        let rule = |(at, parts): (usize, &Vec<String>)| {
            format!("rule : {{ remainder((0,0) + {}, 4) }} {} {{ {} }}", at + 1, 20 + 7 * at, parts.join(" and "))
        };
        let rules: Vec<_> = conditions.iter().enumerate().map(rule).collect();
        let rules = rules.join("\n") + "\nrule : { (0,0) } 0 { t }";
        let lines = format!("dim : ({height},{width})\ndelay : inertial\nborder : nowrapped");
        let mut model = parse(&plane(&lines, &rules)).unwrap();
        for cell in 0..height * width {
            model.set_initial(cell, f64::from(values[cell as usize % values.len()]));
        }
        agree(&model, 0, 300);
    }
}

/// A model of one plane with a neighbourhood of its own.
fn plane_with(lines: &str, neighbours: &str, rules: &str) -> Model {
    let text = plane(lines, rules);
    let start = text.find("neighbors").unwrap();
    let end = text.find("localtransition").unwrap();
    parse(&format!("{}{neighbours}\n{}", &text[..start], &text[end..])).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// Offsets that are longer than tiles and spaces, and cells that do not see themselves.
    #[test]
    fn drawn_neighbourhoods_agree(
        dimensions in proptest::collection::vec(1_u32..40, 1..5),
        offsets in proptest::collection::vec(proptest::collection::vec(-21_i32..22, 4), 1..6),
        rules in (1_u32..40, 1_u32..40, 2_u32..5),
        transport in any::<bool>(),
        wrapped in any::<bool>(),
        values in proptest::collection::vec(0_u8..3, 1..60),
    ) {
        let cells: u32 = dimensions.iter().product();
        prop_assume!(cells <= 3_000);
        let cut = |offset: &Vec<i32>| {
            let parts: Vec<String> = offset[..dimensions.len()].iter().map(ToString::to_string).collect();
            format!("({})", parts.join(","))
        };
        let places: Vec<String> = offsets.iter().map(cut).collect();
        let size: Vec<String> = dimensions.iter().map(ToString::to_string).collect();
        let (delay, border) = (if transport { "transport" } else { "inertial" }, if wrapped { "wrapped" } else { "nowrapped" });
        let lines = format!("dim : ({})\ndelay : {delay}\nborder : {border}", size.join(","));
        let neighbours: Vec<String> = places.iter().map(|place| format!("neighbors : c{place}")).collect();
        let (first, last, most) = (&places[0], places.last().unwrap(), rules.2);
        let text = format!(
            "rule : {{ remainder(truecount + 1, {most}) }} {} {{ {first} = 1 or {last} = 0 and truecount < {most} }}\n\
             rule : {{ undefcount + remainder(time, {most}) }} {{ {} + cellpos(0) }} {{ {first} = ? or {last} > 0 }}\n\
             rule : 0 7 {{ t }}",
            rules.0, rules.1
        );
        let mut model = plane_with(&lines, &neighbours.join("\n"), &text);
        for cell in 0..cells {
            model.set_initial(cell, f64::from(values[cell as usize % values.len()]));
        }
        agree(&model, 0, if transport { 40 } else { 200 });
    }
}

#[test]
fn the_schedule_follows_the_activity_and_changes_no_result() {
    // A spark moves over 26 blocks of 256 cells, round by round. From 480 ms on the cells that it meets flicker, and so
    // do all cells that these meet.
    let text = plane(
        "dim : (52,128)\ndelay : inertial\nborder : wrapped",
        "rule : { 1 - (0,0) } 1 { time > 480 and (0,0) < 5 }\nrule : 7 1 { (0,-1) = 7 and (0,0) < 5 }\n\
         rule : 0 1 { (0,0) = 7 }\nrule : { (0,0) } 0 { t }",
    );
    let mut model = parse(&text).unwrap();
    model.set_initial(700, 7.0);
    let expected = model.run(&cpu(), Engine::Auto, 0, 600, &mut |_| ControlFlow::Continue(())).unwrap().outcome;
    let runs = [Engine::Step, Engine::Window, Engine::Auto]
        .map(|engine| model.run_by_tables(&cpu(), engine, 0, 600, &mut |_| ControlFlow::Continue(())).unwrap());
    for run in &runs {
        assert_eq!(run.outcome.digest(), expected.digest());
    }
    assert_eq!((runs[0].engine, runs[1].engine, runs[2].engine), (Engine::Step, Engine::Window, Engine::Window));
}

#[test]
fn rules_that_fail_while_they_run_name_the_cell() {
    let device = cpu();
    let run = |rules: &str| {
        let model = parse(&plane("dim : (3,3)\ndelay : inertial", rules)).unwrap();
        let on_device =
            model.run(&device, Engine::Step, 0, 100, &mut |_| ControlFlow::Continue(())).unwrap_err().to_string();
        let in_batches = model.run_by_tables(&device, Engine::Window, 0, 100, &mut |_| ControlFlow::Continue(()));
        let in_batches = in_batches.unwrap_err().to_string();
        let on_host =
            model.run(&device, Engine::Window, 0, 100, &mut |_| ControlFlow::Continue(())).unwrap_err().to_string();
        (on_device, in_batches, on_host, model.run_sequentially(0, 100).unwrap_err().to_string())
    };
    let (device, batches, host, oracle) = run("rule : 1 { 0 - cellPos(0) } { t }");
    assert!(batches.starts_with("cell 3 at 0 ms: the delay of a rule"), "{batches}");
    assert_eq!((&host, &device), (&batches, &batches));
    assert_eq!(oracle, "cell 3 at 0 ms: a rule has the delay -1");
    let (device, batches, host, oracle) = run("rule : 1 10 { (0,0) = 2 }");
    assert!(batches.starts_with("cell 0 at 0 ms: no rule is true"), "{batches}");
    assert_eq!((&host, &device), (&batches, &batches));
    assert!(oracle.starts_with("cell 0 at 0 ms: no rule is true"), "{oracle}");
    let (device, batches, host, oracle) = run("rule : { 1 - (0,0) } 0 { t }");
    assert!(oracle.starts_with("cell 0 at 0 ms: time stands still after 10001 rounds of outputs"), "{oracle}");
    assert_eq!((&host, &device, &batches), (&oracle, &oracle, &oracle));
}

#[test]
fn a_rule_that_is_undefined_and_none_that_is_true_changes_nothing() {
    let model = parse(&plane("dim : (1,3)\ndelay : inertial", "rule : 5 10 { (0,1) = 0 }")).unwrap();
    // The right-most cell has no neighbour on its right; the others go on until none of their rules holds, which is an
    // error.
    let error = model.run_sequentially(0, 100).unwrap_err().to_string();
    assert!(error.contains("no rule is true"), "{error}");
    let model =
        parse(&plane("dim : (1,3)\ndelay : inertial", "rule : 5 10 { (0,1) = 0 }\nrule : { (0,0) } 0 { (0,1) = 5 }"))
            .unwrap();
    assert_eq!(agree(&model, 0, 100).values, [5.0, 5.0, 0.0]);
}

/// A plane on which a generator lets a unit of rain fall on one cell every two seconds.
fn rain(link: &str) -> String {
    format!(
        "[top]\ncomponents : plane rain@generator\nlink : {link}\n\n\
         [rain]\ndistribution : constant\nvalue : 2\ninitial : 1\nincrement : 0\n\n\
         [plane]\ntype : cell\ndim : (9,9)\ndelay : transport\nborder : nonwrapped\n\
         neighbors : plane(-1,0) plane(0,-1) plane(0,0) plane(0,1) plane(1,0)\n\
         in : input\nlink : input in@plane(4,4)\nlocaltransition : level\nportInTransition : in@plane(4,4) pour\n\n\
         [level]\n\
         rule : {{ (0,0) - if((-1,0) != ?, ((0,0) - (-1,0)) / 5, 0) - if((1,0) != ?, ((0,0) - (1,0)) / 5, 0)\n\
                - if((0,-1) != ?, ((0,0) - (0,-1)) / 5, 0) - if((0,1) != ?, ((0,0) - (0,1)) / 5, 0) }} 1000 {{ t }}\n\n\
         [pour]\nrule : {{ (0,0) + portValue(thisPort) }} 0 {{ t }}\n"
    )
}

#[test]
fn rain_falls_on_a_cell_at_regular_times() {
    let model = parse(&rain("out@rain input@plane")).unwrap();
    let outcome = agree(&model, 0, 0);
    assert_eq!(outcome.values[4 * 9 + 4], 1.0);
    // Rain at 0 alone, levelled once.
    let outcome = agree(&model, 0, 1_500);
    assert!((outcome.values[4 * 9 + 4] - 0.2).abs() < 1e-12 && (outcome.values[3 * 9 + 4] - 0.2).abs() < 1e-12);
    let outcome = agree(&model, 0, 20_000);
    let all: f64 = outcome.values.iter().sum();
    assert!(all > 5.0 && all < 12.0, "{all}");
}

#[test]
fn a_run_is_asked_whether_it_goes_on_by_its_work() {
    // Ten thousand cells change at each time, so a question every thousands of times would come too late.
    let model = parse(&plane("dim : (100,100)\ndelay : inertial", "rule : { (0,0) + 1 } 10 { t }")).unwrap();
    for engine in [Engine::Auto, Engine::Sequential] {
        let mut asked = 0;
        let mut stop = |_| {
            asked += 1;
            if asked == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let error = model.run(&cpu(), engine, 0, 1_000_000, &mut stop).unwrap_err();
        assert!(
            matches!(error, imminent_cell::rules::RunError::Cancelled(Cancelled { steps }) if steps < 50),
            "{error}"
        );
    }
}
