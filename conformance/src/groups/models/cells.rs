//! Cell spaces: fire, flood and rule files by every engine of the device, against the event list and stored digests.

use super::verdicts::broken;
use crate::case::{Cases, SkipReason, Stop, Verdict, equal, equal_slices, fail};
use crate::context::Context;
use imminent_cell::fire::Fire;
use imminent_cell::flood::Flood;
use imminent_cell::flood::terrain::{Edge, Rain, Spring, TerrainFlood, Zone};
use imminent_cell::landscape::{Directions, Ensemble, Weather, Wildfire, synthetic};
use imminent_cell::rothermel::Moisture;
use imminent_cell::rules::Model;
use imminent_cell::{Engine, Simulation, fire, flood, rules};
use imminent_core::ir::Scalar;
use std::io::{Error, ErrorKind};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Digests of the event list when the cases were added: changes of a model's definition must be intended.
const FIRE: &str = "5c833ffdc501d324c24916d0f091a64a";
/// Of an ensemble and of one fire on a landscape.
const TO_NEIGHBOURS: [&str; 2] = ["bcc14ba256edc0c11101c10d21452936", "814113869aec7a6ba6bea206c24e266d"];
const ALONG_SEGMENTS: [&str; 2] = ["47153d3e87c58f509101f8127d6678f5", "2d5d697036201733b745f8a6f60fe74e"];
const FLOOD: &str = "4bfcb5254f316b0dfaee5d47774c9593";
const TERRAIN: &str = "2f085b18c06c0b4c32950c68ff2c66f0";
const LIFE: &str = "c9ebc99bfbb6c9345699819d319396ac";
const RAIN: &str = "741c0dfc9f08fb16455dfe416d2435b6";
const GLOWING: &str = "b59814abf780c960c0795d3dacfe7d83";
const BURNING: &str = "face8f02d562aa6c14718aafff51ac95";

pub(super) fn add(cases: &mut Cases) {
    cases.add("fire 24x42: windows and steps ignite what the event list ignites, to the millisecond", burning);
    cases.add("flood 40x70 with walls: tiles level the water as the event list does, bit by bit", levelling);
    cases.add("flood on a terrain 30x50: tiles give the host's depths, bit by bit, and lose no water", running_off);
    cases.add(
        "fires on a landscape 26x35: tiles ignite what the event list ignites, alone and in an ensemble",
        |context| burning_land(context, Directions::Adaptive, ALONG_SEGMENTS),
    );
    cases.add("fires to eight neighbours on that landscape: tiles ignite what the event list ignites", |context| {
        burning_land(context, Directions::Eight, TO_NEIGHBOURS)
    });
    cases.add("rule file of the game of life: steps and batches give the event list's values, bit by bit", living);
    cases.add("rule file of the fire: steps and batches give the event list's values, bit by bit", burning_by_rules);
    cases.add(
        "rule file with rain, queues and random delays: both schedules and the choice give the event list's values",
        raining,
    );
    cases.add(
        "rule file with ports, state variables and functions: all schedules give the event list's values",
        glowing,
    );
}

fn on<R>(_: R) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn burning(context: &Context<'_>) -> Verdict {
    let fire = Fire::new(24, 42, &[(20, 3), (4, 36)], 6.0).or_else(broken)?;
    let expected = fire.run_sequentially().or_else(broken)?.outcome;
    equal("the event list's digest, and the stored one", &expected.digest().to_string().as_str(), &FIRE)?;
    let same = |engine: &str, found: &fire::Outcome| {
        equal_slices(&format!("ignition times by {engine}"), &found.ignition, &expected.ignition)?;
        equal(&format!("the digest by {engine}"), &found.digest().to_string(), &expected.digest().to_string())
    };
    for engine in [Engine::Window, Engine::Step] {
        let found = fire.run_by_tiles(context.device, engine, &mut on).or_else(broken)?.outcome;
        context.digest(format!("fire 24x42 by {engine}s"), found.digest().to_string());
        same(&format!("{engine}s on a device"), &found)?;
        if context.capabilities().native_rows {
            let found = fire.run(context.device, engine, &mut on).or_else(broken)?.outcome;
            same(&format!("{engine}s on a host"), &found)?;
        }
    }
    Ok(())
}

/// Two weathers: one that turns and freshens within the time of the fires, one that stays.
fn weathers() -> [Vec<Weather>; 2] {
    let state = |hour, wind, from, moisture| {
        let moisture = Moisture::of(moisture, 0.8);
        Weather { hour, wind, from, moisture, foliar_moisture: 0.9 }
    };
    [vec![state(0.0, 6.0, 200.0, 0.06), state(1.5, 9.0, 290.0, 0.04)], vec![state(0.0, 4.0, 80.0, 0.05)]]
}

/// Hills, patches of fuel and trees: seven fires in three rounds, and the first of them by itself.
fn burning_land(context: &Context<'_>, directions: Directions, [of_all, of_one]: [&str; 2]) -> Verdict {
    let landscape = Arc::new(synthetic(26, 35, 5).or_else(broken)?.with_directions(directions));
    let ensemble = Ensemble::drawn(landscape.clone(), &weathers(), 7, 3, 4.0).or_else(broken)?.at_most_at_once(3);
    let expected = ensemble.run_sequentially().or_else(broken)?.outcome;
    equal("the event list's digest, and the stored one", &expected.digest().to_string().as_str(), &of_all)?;
    let found = ensemble.run_by_tiles(context.device, Engine::Auto, &mut on).or_else(broken)?.outcome;
    let way = if directions == Directions::Eight { " to eight neighbours" } else { "" };
    context.digest(format!("fires on a landscape 26x35{way}"), found.digest().to_string());
    equal_slices("sizes of the fires", &found.sizes, &expected.sizes)?;
    equal_slices("fires that burn a cell", &found.burnt, &expected.burnt)?;
    equal("the digest", &found.digest().to_string(), &expected.digest().to_string())?;
    // Details come from the ignition times of each fire, which the device hands to the host.
    let detailed = ensemble.clone().with_points(&[(3, 4), (20, 30)]).or_else(broken)?.with_flames();
    let expected = detailed.run_sequentially().or_else(broken)?.outcome;
    let found = detailed.run_by_tiles(context.device, Engine::Auto, &mut on).or_else(broken)?.outcome;
    equal_slices("arrivals at points", &found.reached, &expected.reached)?;
    equal_slices("fires by the length of flames", &found.flames, &expected.flames)?;
    let Some((start, [weather, _])) = ensemble.ignition(0).zip(Some(weathers())) else { return fail("no first fire") };
    let fire = Wildfire::new(landscape, &weather, &start.cells, 4.0).or_else(broken)?;
    let expected = fire.run_sequentially().or_else(broken)?.outcome;
    equal("the event list's digest of one fire, and the stored one", &expected.digest().to_string().as_str(), &of_one)?;
    let found = fire.run_by_tiles(context.device, Engine::Auto, &mut on).or_else(broken)?.outcome;
    context.digest(format!("fire on a landscape 26x35{way}"), found.digest().to_string());
    equal_slices("ignition times", &found.ignition, &expected.ignition)?;
    if context.capabilities().native_rows {
        let found = fire.run(context.device, Engine::Window, &mut on).or_else(broken)?.outcome;
        equal_slices("ignition times on a host", &found.ignition, &expected.ignition)?;
        let found = ensemble.run(context.device, Engine::Window, &mut on).or_else(broken)?.outcome;
        equal("the digest of the ensemble on a host", &found.digest().to_string().as_str(), &of_all)?;
    }
    Ok(())
}

/// Builds four sources in a grid of several tiles, a wall with a gap between them, and a block that water cannot enter.
fn walled() -> Result<Flood, Stop> {
    const ROWS: usize = 40;
    const COLUMNS: usize = 70;
    let mut cells = vec![0.0; ROWS * COLUMNS];
    for (at, cell) in cells.iter_mut().enumerate() {
        let (row, column) = (at / COLUMNS, at % COLUMNS);
        let across = column == 33 && row != 21;
        let around = (row == 5 || row == 12) && (50..=60).contains(&column)
            || (column == 50 || column == 60) && (5..=12).contains(&row);
        *cell = match (row, column) {
            _ if across || around => -1.0,
            (10, 10) | (30, 55) => 500.0,
            (0, 69) => 0.125,
            (39, 0) => 3e5,
            _ => 0.0,
        };
    }
    Flood::new(ROWS as u32, COLUMNS as u32, &cells, 100.0 / 3600.0).or_else(broken)
}

fn levelling(context: &Context<'_>) -> Verdict {
    let flood = walled()?;
    let expected = flood.run_sequentially().or_else(broken)?.outcome;
    equal("the event list's digest, and the stored one", &expected.digest().to_string().as_str(), &FLOOD)?;
    let same = |engine: &str, found: &flood::Outcome| {
        equal_slices(&format!("amounts by {engine}"), &found.amounts, &expected.amounts)?;
        equal(&format!("changes by {engine}"), &found.outputs, &expected.outputs)?;
        equal(&format!("the digest by {engine}"), &found.digest().to_string(), &expected.digest().to_string())
    };
    let found = flood.run_by_tiles(context.device, Engine::Auto, &mut on).or_else(broken)?.outcome;
    context.digest("flood 40x70 with walls", found.digest().to_string());
    same("tiles", &found)?;
    if context.capabilities().native_rows {
        same("rows", &flood.run(context.device, Engine::Step, &mut on).or_else(broken)?.outcome)?;
    }
    Ok(())
}

/// Builds hollows and hills on a slope, holes in it, a shower on a part of it and a spring that runs dry; water leaves
/// at the edge.
fn terrain() -> Result<TerrainFlood, Stop> {
    let height = |cell: u32| {
        let (row, column) = (cell / 50, cell % 50);
        let hill = (row * 7 + column * 11) % 23;
        if (row, column % 17) == (12, 5) { f64::NAN } else { f64::from(hill) / 16.0 + f64::from(column) / 32.0 }
    };
    let ground: Vec<f64> = (0..30 * 50).map(height).collect();
    let zone = Zone::Rectangle { row: 4, column: 6, rows: 9, columns: 30 };
    let second = 1.0 / 3600.0;
    TerrainFlood::new(30, 50, 2.0, &ground, 150.0 * second)
        .and_then(|flood| flood.rain(Rain { intensity: 700.0, zone, start: 11.0 * second, end: 61.0 * second }))
        .and_then(|flood| {
            let spring = Spring { row: 20, column: 44, discharge: 0.75, start: 0.0, end: 90.0 * second };
            flood.spring(spring)
        })
        .map(|flood| flood.edge(Edge::Open))
        .or_else(broken)
}

fn running_off(context: &Context<'_>) -> Verdict {
    let flood = terrain()?;
    let expected = flood.run(context.reference, Engine::Step, &mut on).or_else(broken)?.outcome;
    equal("the host's digest, and the stored one", &expected.digest().to_string().as_str(), &TERRAIN)?;
    let found = flood.run_by_tiles(context.device, Engine::Auto, &mut on).or_else(broken)?.outcome;
    context.digest("flood on a terrain 30x50", found.digest().to_string());
    equal_slices("depths", &found.depths, &expected.depths)?;
    equal_slices("arrivals", &found.arrivals, &expected.arrivals)?;
    equal("the balance", &found.balance, &expected.balance)?;
    equal("whether water was kept", &(found.balance.is_exact() && found.balance.left > 0), &true)?;
    equal("the digest", &found.digest().to_string(), &expected.digest().to_string())
}

const LIFE_FILE: &str = "
[top]
components : life
[life]
type : cell
dim : (20,33)
delay : transport
border : wrapped
neighbors : life(-1,-1) life(-1,0) life(-1,1) life(0,-1) life(0,0) life(0,1) life(1,-1) life(1,0) life(1,1)
initialvalue : 0
initialrowvalue : 1 001000000000000000000000000000000
initialrowvalue : 2 000100000000000000000000000000000
initialrowvalue : 3 011100000000000000000011100000000
initialrowvalue : 4 000000000000000000000111000000000
localtransition : step
[step]
rule : 1 100 { (0,0) = 1 and (trueCount = 3 or trueCount = 4) }
rule : 1 100 { (0,0) = 0 and trueCount = 3 }
rule : 0 100 { t }
";

fn living(context: &Context<'_>) -> Verdict {
    by_rules(context, "game of life", LIFE_FILE.to_owned(), 5_000, LIFE)
}

/// Cells with events from a generator, random delays and values of a port.
const RAIN_FILE: &str = "
[top]
components : plane rain@generator
link : out@rain input@plane
[rain]
distribution : constant
value : 0.01
initial : 1
increment : 2
[plane]
type : cell
dim : (40,45)
delay : transport
border : wrapped
neighbors : plane(0,0) plane(0,2) plane(33,-1)
in : input
link : input in@plane(4,43)
localtransition : level
portInTransition : in@plane(4,43) pour
[level]
rule : { remainder((0,0) + (0,2) + 1, 7) } { 100 + randint(200) } { (0,0) != (33,-1) and random < 0.25 }
rule : { (0,0) } 1 { t }
[pour]
rule : { (0,0) + portValue(thisPort) } 0 { t }
";

fn raining(context: &Context<'_>) -> Verdict {
    by_rules(context, "rain", RAIN_FILE.to_owned(), 1_500, RAIN)
}

/// Cells with ports, state variables, and functions of values that change.
const STATE_FILE: &str = "
[top]
components : heap tap@generator
link : out@tap input@heap
[tap]
distribution : exponential
mean : 0.05
initial : 2
[heap]
type : cell
dim : (11,30)
delay : transport
border : nowrapped
neighbors : heap(-1,0) heap(0,-1) heap(0,0) heap(0,1) heap(1,0)
initialvalue : 1
neighborports : warmth age
statevariables : seen sum
statevalues : 0 1.5
in : input
link : input in@heap(3,4)
portInTransition : in@heap(3,4) pour
localtransition : glow
[glow]
rule : { ~warmth := 10 * sin((0,0)~warmth + $sum) + normal(0, 0.5); ~age := $seen; } { $seen := $seen + 1; $sum := $sum + cos((0,-1)~age); } { 10 + exponential(20) } { $seen < 9 and (0,1)~warmth != ? and random < 0.6 }
rule : { ~out := exp((0,0)~warmth / 20) + ln(1 + abs($sum)); } { $sum := root(abs($sum) + statecount(1, ~age), 2); } { 5 + 3 * cellPos(0) } { (0,0)~age > 2 and (0,0) < 40 and random < 0.5 }
rule : { } { $seen := $seen + 0.125; } 0 { $seen < 9 }
rule : { (0,0) } 1 { t }
[pour]
rule : { ~out := (0,0) + portValue(thisPort); ~age := atan($sum); } 1 { t }
";

fn glowing(context: &Context<'_>) -> Verdict {
    by_rules(context, "ports and state variables", STATE_FILE.to_owned(), 1_000, GLOWING)
}

/// Returns the fire's rules as text: its directions, in their order.
fn fire_file() -> String {
    let rule = |direction: &fire::Direction| {
        let fire::Direction { row, column, distance, rate } = direction;
        let from = format!("({row},{column})");
        format!(
            "rule : {{ {from} + {distance} / {rate} }} {{ {distance} / {rate} * 60000 }} \
             {{ (0,0) = 0 and {from} != ? and {from} > 0 }}\n"
        )
    };
    let rules: String = fire::DIRECTIONS.iter().map(rule).collect();
    format!(
        "[top]\ncomponents : fire\n[fire]\ntype : cell\ndim : (12,30)\ndelay : inertial\nborder : nowrapped\n\
         neighbors : fire(-1,-1) fire(-1,0) fire(-1,1) fire(0,-1) fire(0,0) fire(0,1) fire(1,-1) fire(1,0) fire(1,1)\n\
         initialvalue : 0\ninitialrowvalue : 9 000010000000000000000000000000\nlocaltransition : spread\n\
         [spread]\n{rules}rule : {{ (0,0) }} 0 {{ t }}\n"
    )
}

fn burning_by_rules(context: &Context<'_>) -> Verdict {
    by_rules(context, "rules of the fire", fire_file(), 3 * 3_600_000, BURNING)
}

fn by_rules(context: &Context<'_>, name: &str, text: String, horizon: u32, digest: &str) -> Verdict {
    context.needs_float64()?;
    let probe = context.probe(Scalar::F64);
    if !probe.basic_correct || probe.contracts || probe.rearranges {
        return Err(Stop::Skip(SkipReason::RoundsOtherwise64));
    }
    let nothing = |file: &str| Err(Error::new(ErrorKind::NotFound, format!("the case has no file {file}")));
    let Ok(model) = Model::parse("model.ma", &text, &nothing) else { return fail("the rule file is refused") };
    let expected = model.run_sequentially(1, horizon).or_else(broken)?.outcome;
    equal("the event list's digest, and the stored one", &expected.digest().to_string().as_str(), &digest)?;
    let same = |engine: &str, found: &rules::Outcome| {
        equal_slices(&format!("times by {engine}"), &found.times, &expected.times)?;
        equal(&format!("the digest by {engine}"), &found.digest().to_string(), &expected.digest().to_string())
    };
    for engine in [Engine::Step, Engine::Window, Engine::Auto] {
        let found = model.run_by_tables(context.device, engine, 1, horizon, &mut on).or_else(broken)?.outcome;
        if engine == Engine::Step {
            context.digest(format!("rule file, {name}"), found.digest().to_string());
        }
        same(&format!("{engine}s on a device"), &found)?;
    }
    if context.capabilities().native_rows {
        same(
            "windows on a host",
            &model.run(context.device, Engine::Window, 1, horizon, &mut on).or_else(broken)?.outcome,
        )?;
    }
    Ok(())
}
