//! Fires on landscapes: all engines against the sequential one, and against formulas.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "common/heap.rs"]
mod heap;

use imminent_cell::fire::Fire;
use imminent_cell::flood::Flood;
use imminent_cell::flood::terrain::{Rain, TerrainFlood};
use imminent_cell::landscape::behaviour::Conditions;
use imminent_cell::landscape::{
    BINS, Burnt, Corners, CrownFire, DIRECTIONS, Declination, Directions, Ensemble, FLAME_BOUNDS, FLAME_CLASSES,
    Ignition, Landscape, LandscapeError, Layers, NEVER, Report, Site, State, Weather, Wildfire, WildfireError,
    synthetic,
};
use imminent_cell::rothermel::Moisture;
use imminent_cell::{Engine, Simulation, memory};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use proptest::prelude::*;
use std::ops::ControlFlow;
use std::sync::Arc;

#[global_allocator]
static HEAP: heap::Counting = heap::Counting;

fn cpu() -> Device {
    Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap()
}

fn on<R>(_: R) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn weather(hour: f64, wind: f64, from: f64, moisture: f64) -> Weather {
    Weather { hour, wind, from, moisture: Moisture::of(moisture, 0.8), foliar_moisture: 0.9 }
}

/// Flat cells of 30 m of one fuel without trees.
fn flat(rows: u32, columns: u32, fuel: u16) -> Layers {
    let cells = (rows * columns) as usize;
    Layers {
        rows,
        columns,
        cell_size: 30.0,
        fuel: vec![fuel; cells],
        slope: vec![0.0; cells],
        aspect: vec![-1.0; cells],
        canopy: None,
    }
}

/// Every engine gives the sequential one's outcome.
fn agree(fire: &Wildfire) -> imminent_cell::landscape::Outcome {
    let device = cpu();
    let sequential = fire.run_sequentially().unwrap();
    let host = fire.run(&device, Engine::Auto, &mut on).unwrap();
    assert_eq!((host.engine, &host.outcome), (Engine::Window, &sequential.outcome), "calendar");
    let tiles = fire.run_by_tiles(&device, Engine::Auto, &mut on).unwrap();
    assert_eq!(tiles.outcome, sequential.outcome, "tiles");
    assert_eq!(tiles.outcome.digest(), host.outcome.digest());
    sequential.outcome
}

/// Delays on flat ground of one fuel, from the rates of spread.
fn delays(fuel: u16, weather: &Weather) -> [u32; 8] {
    let fire = Conditions::new(&State::from(weather)).fire(&Site::new(fuel, 0.0, -1.0, None).unwrap()).unwrap();
    DIRECTIONS.map(|way| (30.0 * way.steps / (fire.rate * fire.share(way.toward)) * 60_000.0) as u32)
}

#[test]
fn fire_without_wind_burns_octagons() {
    let still = weather(0.0, 0.0, 0.0, 0.06);
    let landscape = Landscape::new(flat(25, 30, 1)).unwrap().with_directions(Directions::Eight);
    let fire = Wildfire::new(Arc::new(landscape), &[still], &[(12, 11)], 5.0).unwrap();
    let outcome = agree(&fire);
    let delays = delays(1, &still);
    assert!(delays[0] < delays[1] && delays[0] == delays[2] && delays[1] == delays[7]);
    for (cell, &time) in outcome.ignition.iter().enumerate() {
        let (down, right) = ((cell as u32 / 30).abs_diff(12), (cell as u32 % 30).abs_diff(11));
        let straight = down.abs_diff(right) * delays[0];
        let expected = straight + down.min(right) * delays[1];
        assert_eq!(time, if expected > outcome.horizon { NEVER } else { expected });
    }
    assert!(outcome.cells_burnt > 100 && outcome.size() == outcome.cells_burnt as usize + 1);
}

#[test]
fn wind_that_turns_changes_fire_on_its_way() {
    // An hour of west wind, then an east wind; fire runs east along one row.
    let given = [weather(0.0, 3.0, 270.0, 0.06), weather(1.0, 3.0, 90.0, 0.06)];
    let landscape = Landscape::new(flat(1, 400, 1)).unwrap().with_directions(Directions::Eight);
    let fire = Wildfire::new(Arc::new(landscape), &given, &[(0, 10)], 4.0).unwrap();
    let outcome = agree(&fire);
    let [fast, slow] = given.map(|weather| u64::from(delays(1, &weather)[2]));
    assert!(2 * fast < slow);
    let (whole, hour) = (1_u64 << 32, 3_600_000);
    let mut expected = 0;
    for cell in 11..200 {
        expected = if expected >= hour {
            expected + slow
        } else if expected + fast <= hour {
            expected + fast
        } else {
            let left = whole - (hour - expected) * whole / fast;
            hour + (left * slow).div_ceil(whole)
        };
        let expected = if expected > u64::from(outcome.horizon) { NEVER } else { expected as u32 };
        assert_eq!(outcome.ignition[cell], expected, "cell {cell}");
    }
    assert!(outcome.cells_burnt > 20);
}

#[test]
fn behaviour_is_that_of_the_direction_of_arrival() {
    let breeze = weather(0.0, 4.0, 180.0, 0.05);
    let fire = Wildfire::new(Arc::new(Landscape::new(flat(21, 21, 1)).unwrap()), &[breeze], &[(10, 10)], 1.0).unwrap();
    let outcome = agree(&fire);
    let behaviour = fire.behaviour(&outcome);
    let expected = Conditions::new(&State::from(&breeze)).fire(&Site::new(1, 0.0, -1.0, None).unwrap()).unwrap();
    for way in &DIRECTIONS {
        let cell = ((10 + way.row) * 21 + 10 + way.column) as usize;
        if outcome.ignition[cell] < NEVER {
            let share = expected.share(way.toward);
            assert_eq!(behaviour.rate[cell], (expected.rate * share) as f32);
            assert_eq!(behaviour.intensity[cell], (expected.intensity * share) as f32);
            assert_eq!(behaviour.crown[cell], CrownFire::None as u8);
        }
    }
    assert_eq!(behaviour.rate[10 * 21 + 10], expected.rate as f32);
    let unburnt = outcome.ignition.iter().position(|&time| time == NEVER).unwrap();
    assert!(behaviour.rate[unburnt].is_nan() && behaviour.crown[unburnt] == 0);
}

#[test]
fn fire_does_not_cross_a_barrier() {
    let wall: Vec<(u32, u32)> = (0..20).map(|row| (row, 9)).collect();
    let open = Landscape::new(flat(20, 20, 1)).unwrap();
    let landscape = Arc::new(open.with_barriers(&wall).unwrap());
    let fire = Wildfire::new(landscape.clone(), &[weather(0.0, 5.0, 270.0, 0.05)], &[(10, 2)], 9.0).unwrap();
    let outcome = agree(&fire);
    assert_eq!(outcome.size(), 20 * 9);
    let error = Wildfire::new(landscape, &[weather(0.0, 5.0, 270.0, 0.05)], &[(10, 9)], 9.0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "ignition 10,9 is on fuel 1, or a barrier, which does not burn: light a cell that has fuel"
    );
}

#[test]
fn fire_passes_through_corners_only_where_they_are_open() {
    let diagonal: Vec<(u32, u32)> = (0..20).map(|at| (at, 19 - at)).collect();
    let landscape = Landscape::new(flat(20, 20, 1)).unwrap().with_barriers(&diagonal).unwrap();
    let given = [weather(0.0, 2.0, 315.0, 0.05)];
    let size = |corners: Corners| {
        let landscape = Arc::new(landscape.clone().with_corners(corners));
        let ensemble =
            Ensemble::new(landscape.clone(), &[given.to_vec()], &[Ignition { cells: vec![(3, 3)], scenario: 0 }], 90.0);
        let size = agree(&Wildfire::new(landscape, &given, &[(3, 3)], 90.0).unwrap()).size();
        let sizes = ensemble.unwrap().run(&cpu(), Engine::Auto, &mut on).unwrap().outcome.sizes;
        assert_eq!(sizes, [size as u32]);
        size
    };
    // One half of the cells beside the diagonal, or all of them.
    assert_eq!([size(Corners::Closed), size(Corners::Open)], [190, 380]);
}

/// A grid that is turned by 45 degrees, with a wind and a slope relative to true north, is the same as one that is not
/// turned whose wind and slope are.
#[test]
fn winds_and_aspects_are_relative_to_true_north() {
    let burn = |turn: f64, degrees: f64| {
        let mut layers = flat(31, 31, 1);
        layers.slope.fill(0.4);
        layers.aspect.fill((200.0 + degrees) as f32);
        let landscape = Landscape::new(layers).unwrap().with_declination(Declination::of(turn));
        let given = [weather(0.0, 4.0, 180.0 + degrees, 0.05)];
        let fire = Wildfire::new(Arc::new(landscape), &given, &[(15, 15)], 0.3).unwrap();
        let outcome = agree(&fire);
        (fire.behaviour(&outcome).rate, outcome.ignition)
    };
    let ((turned_rates, turned), (rates, straight)) = (burn(45.0, 0.0), burn(0.0, -45.0));
    assert!(straight.iter().filter(|&&time| time != NEVER).count() > 20);
    for (cell, (&a, &b)) in turned.iter().zip(&straight).enumerate() {
        // Delays are truncated to milliseconds, and sines are rounded.
        assert!(a.abs_diff(b) <= 40, "cell {cell}: {a} {b}");
        assert!((turned_rates[cell] - rates[cell]).abs() < 1e-4 || a == NEVER, "cell {cell}");
    }
    // The wind from the south blows to the north-west of this grid.
    assert!(turned[12 * 31 + 12] < turned[12 * 31 + 15] && turned[12 * 31 + 12] < turned[15 * 31 + 12]);
}

fn drawn_weather() -> impl Strategy<Value = Vec<Weather>> {
    proptest::collection::vec((0.0..14.0, 0.0..360.0, 0.03..0.2), 1..5).prop_map(|states| {
        let state = |(hour, (wind, from, moisture))| weather(0.7 * f64::from(hour), wind, from, moisture);
        (0..).zip(states).map(state).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn drawn_fires_agree(
        (rows, columns, seed) in (1_u32..50, 1_u32..50, 0_u64..1000),
        given in drawn_weather(),
        lit in proptest::collection::vec((0_u32..1000, 0_u32..1000), 1..4),
        (hours, band) in (0.0..8.0, 0.2..2.0),
    ) {
        let landscape = Arc::new(synthetic(rows, columns, seed).unwrap());
        let burns = |&(row, column): &(u32, u32)| landscape.site((row * columns + column) as usize).is_some();
        let lit: Vec<(u32, u32)> =
            lit.iter().map(|(row, column)| (row % rows, column % columns)).filter(burns).collect();
        let fire = Wildfire::new(landscape.clone(), &given, &lit, hours).unwrap().with_band(band).unwrap();
        agree(&fire);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn drawn_ensembles_agree(seed in 0_u64..1000, one in drawn_weather(), other in drawn_weather(), hours in 0.5..6.0) {
        let landscape = Arc::new(synthetic(33, 41, seed).unwrap());
        let ensemble = Ensemble::drawn(landscape, &[one, other], 11, seed, hours).unwrap();
        let device = cpu();
        let sequential = ensemble.run_sequentially().unwrap().outcome;
        prop_assert_eq!(&ensemble.run(&device, Engine::Auto, &mut on).unwrap().outcome, &sequential);
        prop_assert_eq!(&ensemble.run_by_tiles(&device, Engine::Auto, &mut on).unwrap().outcome, &sequential);
        let in_rounds = ensemble.clone().at_most_at_once(4).run_by_tiles(&device, Engine::Auto, &mut on).unwrap().outcome;
        prop_assert_eq!(in_rounds.digest(), sequential.digest());
        let sum: u32 = sequential.burnt.iter().sum();
        prop_assert_eq!((sum, sum), (sequential.sizes.iter().sum::<u32>(), sequential.arrivals.iter().sum::<u32>()));
    }
}

#[test]
fn an_ensemble_is_its_fires() {
    let landscape = Arc::new(synthetic(40, 40, 3).unwrap());
    let scenarios = [vec![weather(0.0, 6.0, 200.0, 0.06)], vec![weather(0.0, 3.0, 20.0, 0.05)]];
    let ensemble = Ensemble::drawn(landscape.clone(), &scenarios, 20, 9, 3.0).unwrap();
    let starts: Vec<Ignition> = (0..20).map(|fire| ensemble.ignition(fire).unwrap()).collect();
    assert!(starts.iter().any(|start| start.scenario == 0) && starts.iter().any(|start| start.scenario == 1));
    let burnt = ensemble.run(&cpu(), Engine::Auto, &mut on).unwrap().outcome;
    assert_eq!(
        Ensemble::new(landscape.clone(), &scenarios, &starts, 3.0).unwrap().run_sequentially().unwrap().outcome,
        burnt
    );
    let mut counts = vec![0; 1600];
    let mut latest = vec![0; 1600];
    for (start, &size) in starts.iter().zip(&burnt.sizes) {
        let fire = Wildfire::new(landscape.clone(), &scenarios[start.scenario as usize], &start.cells, 3.0).unwrap();
        let outcome = fire.run(&cpu(), Engine::Auto, &mut on).unwrap().outcome;
        assert_eq!(outcome.size(), size as usize);
        for (cell, &time) in outcome.ignition.iter().enumerate().filter(|(_, time)| **time != NEVER) {
            counts[cell] += 1;
            latest[cell] = time.max(latest[cell]);
        }
    }
    assert_eq!(burnt.burnt, counts);
    for (cell, &latest) in latest.iter().enumerate().filter(|&(cell, _)| counts[cell] > 0) {
        let part = 3.0 / BINS as f64 + 1e-6;
        let found = burnt.arrival(cell, 1.0).unwrap() - f64::from(latest) / 3_600_000.0;
        assert!((0.0..=part).contains(&found), "{found}");
        assert_eq!(burnt.probability(cell), f64::from(counts[cell]) / 20.0);
    }
}

/// Details of an ensemble are the same on every engine, in one round or several, and those of its fires by themselves.
#[test]
fn details_of_an_ensemble_are_those_of_its_fires() {
    for (seed, directions) in [(4, Directions::Adaptive), (5, Directions::Eight)] {
        let landscape = Arc::new(synthetic(43, 37, seed).unwrap().with_directions(directions));
        let scenarios = [
            vec![weather(0.0, 6.0, 200.0, 0.06), weather(1.5, 9.0, 260.0, 0.05)],
            vec![weather(0.0, 16.0, 20.0, 0.03)],
        ];
        let points = [(3, 4), (20, 20), (42, 36), (20, 20)];
        let plain = Ensemble::drawn(landscape.clone(), &scenarios, 24, 7, 3.0).unwrap();
        let ensemble = plain.clone().with_points(&points).unwrap().with_flames();
        let device = cpu();
        let expected = ensemble.run_sequentially().unwrap().outcome;
        let host = ensemble.run(&device, Engine::Auto, &mut on).unwrap().outcome;
        assert_eq!(host, expected, "host");
        let tiles = ensemble.run_by_tiles(&device, Engine::Auto, &mut on).unwrap().outcome;
        assert_eq!(tiles, expected, "tiles");
        let rounds = ensemble.clone().at_most_at_once(7).run_by_tiles(&device, Engine::Auto, &mut on).unwrap().outcome;
        assert_eq!((rounds.digest(), &rounds), (expected.digest(), &expected), "rounds");
        let without = plain.run(&device, Engine::Auto, &mut on).unwrap().outcome;
        assert_eq!(Burnt { reached: vec![], flames: vec![], ..expected.clone() }, without);
        let mut flames = vec![0; expected.burnt.len() * FLAME_CLASSES];
        for fire in 0..24 {
            let start = ensemble.ignition(fire).unwrap();
            let one = Wildfire::new(landscape.clone(), &scenarios[start.scenario as usize], &start.cells, 3.0).unwrap();
            let outcome = one.run(&device, Engine::Auto, &mut on).unwrap().outcome;
            let reached = points.map(|(row, column)| outcome.ignition[(row * 37 + column) as usize]);
            assert_eq!(expected.reached[fire * 4..fire * 4 + 4], reached);
            for (cell, metres) in one.behaviour(&outcome).flame_length.iter().enumerate() {
                if outcome.ignition[cell] != NEVER {
                    let feet = f64::from(metres.max(0.0)) / 0.3048;
                    let class = FLAME_BOUNDS.iter().position(|bound| feet <= *bound).unwrap_or(5);
                    flames[cell * FLAME_CLASSES + class] += 1;
                }
            }
        }
        assert_eq!(expected.flames, flames);
        // Cells burn with flames of some class, and there are several classes.
        for (cell, &burnt) in expected.burnt.iter().enumerate() {
            let sum: f64 = (0..FLAME_CLASSES).filter_map(|class| expected.flame_probability(cell, class)).sum();
            assert!((sum - if burnt > 0 { 1.0 } else { 0.0 }).abs() < 1e-9);
        }
        let used = (0..FLAME_CLASSES)
            .filter(|class| flames.iter().skip(*class).step_by(FLAME_CLASSES).any(|&count| count > 0));
        assert!(used.count() >= 3, "{directions:?}");
        assert!(expected.reached.iter().any(|&time| time != NEVER) && expected.reached.contains(&NEVER));
        assert!(matches!(plain.with_points(&[(43, 0)]), Err(WildfireError::Outside { row: 43, .. })));
    }
}

/// Callback that is told about an ensemble.
type Watch<'a> = &'a mut dyn FnMut(Report) -> ControlFlow<()>;

#[test]
fn a_cancelled_ensemble_keeps_the_fires_that_are_over() {
    let landscape = Arc::new(synthetic(20, 20, 3).unwrap());
    // Far more fires than are over before a busy machine looks twice.
    let all = 3000;
    let ensemble = Ensemble::drawn(landscape.clone(), &[vec![weather(0.0, 6.0, 200.0, 0.06)]], all, 9, 1.0).unwrap();
    let ensemble = ensemble.at_most_at_once(40);
    let device = cpu();
    let runs: [&dyn Fn(Watch<'_>) -> Burnt; 3] = [
        &|watch| ensemble.run(&device, Engine::Auto, watch).unwrap().outcome,
        &|progress| ensemble.run_by_tiles(&device, Engine::Auto, progress).unwrap().outcome,
        &|watch| ensemble.run_sequentially_while(watch).unwrap().outcome,
    ];
    for (run, most) in runs.into_iter().zip([1, 3, 5]) {
        let mut looks = 0;
        let found = run(&mut |report| {
            looks += u32::from(matches!(report, Report::Progress(_)));
            if looks > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(found.fires < all && found.sizes.len() == found.fires as usize, "{}", found.fires);
        let fires: Vec<_> = found.numbers.iter().map(|&fire| ensemble.ignition(fire as usize).unwrap()).collect();
        let scenarios = [vec![weather(0.0, 6.0, 200.0, 0.06)]];
        let first = Ensemble::new(landscape.clone(), &scenarios, &fires, 1.0).unwrap();
        let expected = first.run_sequentially().unwrap().outcome;
        assert_eq!(Burnt { numbers: found.numbers.clone(), ..expected }, found);
    }
}

#[test]
fn bad_landscapes_and_fires_are_refused() {
    let refused = |layers: Layers| Landscape::new(layers).unwrap_err().to_string();
    let mut fuel = flat(3, 4, 1);
    fuel.fuel[6] = 50;
    assert_eq!(
        refused(fuel),
        "row 1, column 2 has fuel model 50, which is in no table: 1 to 13 and 101 to 204 burn, 90 to 99 and 0 do not, and others have to be given"
    );
    let mut size = flat(3, 4, 1);
    size.aspect.pop();
    assert_eq!(
        refused(size),
        "layer `aspect` has 11 cells, and layer `fuel` of 3 rows and 4 columns has 12: give all layers of one grid"
    );
    let mut slope = flat(3, 4, 1);
    slope.slope[11] = f32::NAN;
    assert!(refused(slope.clone()).starts_with("row 2, column 3 of layer `slope` is NaN"));
    // Of a cell that does not burn nothing is looked at.
    slope.fuel[11] = 98;
    assert_eq!(Landscape::new(slope).unwrap().burnable(), 11);
    assert!(matches!(Landscape::new(flat(0, 4, 1)), Err(LandscapeError::Space(_))));
    let landscape = Arc::new(Landscape::new(flat(3, 4, 1)).unwrap());
    let given = [weather(0.0, 1.0, 0.0, 0.05)];
    let error = |weather: &[Weather], at, hours| Wildfire::new(landscape.clone(), weather, &[at], hours).unwrap_err();
    assert_eq!(
        error(&given, (3, 0), 1.0).to_string(),
        "ignition 3,0 is outside the landscape of 3 rows and 4 columns: both count from 0"
    );
    assert!(matches!(error(&given, (0, 0), -1.0), WildfireError::Hours { .. }));
    assert!(matches!(error(&[], (0, 0), 1.0), WildfireError::Weather(_)));
    let fire = Ignition { cells: vec![(0, 0)], scenario: 1 };
    let wrong = Ensemble::new(landscape, &[given.to_vec()], &[fire], 1.0).unwrap_err();
    assert_eq!(wrong.to_string(), "fire 0 has weather scenario 1, and there are 1: scenarios count from 0");
}

#[test]
fn the_event_list_asks_whether_it_goes_on() {
    let landscape = Arc::new(Landscape::new(flat(200, 200, 1)).unwrap());
    let weather = [weather(0.0, 5.0, 270.0, 0.06)];
    let fire = Wildfire::new(landscape.clone(), &weather, &[(100, 100)], 40.0).unwrap();
    let stopped = fire.run(&cpu(), Engine::Sequential, &mut |_| ControlFlow::Break(())).map(|ran| ran.steps);
    assert!(matches!(stopped, Err(WildfireError::Cancelled { .. })), "{stopped:?}");
    // An ensemble keeps the fires that are over when it is stopped in the middle of one.
    let mut looks = 0;
    let mut twice = |report| {
        looks += u32::from(matches!(report, Report::Progress(_)));
        if looks > 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let fires = Ensemble::drawn(landscape, &[weather.to_vec()], 5, 1, 40.0).unwrap();
    let burnt = fires.run_sequentially_while(&mut twice).unwrap().outcome;
    assert!(burnt.fires < 3 && burnt.sizes.len() == burnt.fires as usize, "{} fires", burnt.fires);
}

/// Estimates of memory are upper bounds of the peak that an allocator counts, by a factor of at most three, for event
/// lists of eight: these grow with what happens at once.
#[test]
fn estimates_of_memory_bound_the_peak() {
    let device = Device::open(CpuBackend::open(&Options { threads: Some(1), ..Options::default() }).unwrap()).unwrap();
    let device = &device;
    let (side, cells) = (256_u32, 256_u64 * 256);
    let middle = [(side / 2, side / 2)];
    let fire = |engine| heap::peak(|| Fire::new(side, side, &middle, 50.0).unwrap().run(device, engine, &mut on)).1;
    let flood = |engine| heap::peak(|| Flood::dense(side, side, 1.0, 0.01).unwrap().run(device, engine, &mut on)).1;
    let terrain = heap::peak(|| {
        let flood = TerrainFlood::new(side, side, 30.0, &vec![1.0; cells as usize], 0.01).unwrap();
        let rain = Rain { intensity: 50.0, ..Rain::everywhere(50.0) };
        flood.rain(rain).unwrap().run(device, Engine::Auto, &mut on).map(|ran| ran.outcome.digest())
    });
    let (landscape, of_landscape) = heap::peak(|| Arc::new(Landscape::new(flat(side, side, 1)).unwrap()));
    let weather = [weather(0.0, 5.0, 270.0, 0.06)];
    let fires = || Ensemble::drawn(landscape.clone(), &[weather.to_vec()], 3, 1, 10.0).unwrap();
    let digest = |fires: Ensemble| fires.run(device, Engine::Auto, &mut on).map(|ran| ran.outcome.digest());
    let plain = heap::peak(|| digest(fires()));
    let detailed = heap::peak(|| digest(fires().with_points(&middle).unwrap().with_flames()));
    let side = u64::from(side);
    for (name, estimate, peak) in [
        ("fire", memory::fire(side, side, Engine::Auto), fire(Engine::Auto)),
        ("fire by steps", memory::fire(side, side, Engine::Step), fire(Engine::Step)),
        ("fire by events", memory::fire(side, side, Engine::Sequential), fire(Engine::Sequential)),
        ("flood", memory::flood(side, side, Engine::Auto), flood(Engine::Auto)),
        ("flood by events", memory::flood(side, side, Engine::Sequential), flood(Engine::Sequential)),
        ("terrain", memory::terrain(cells), terrain.1),
        ("landscape", memory::landscape(cells), of_landscape),
        ("fires", memory::fires(cells, 10, 3, 1), plain.1),
        ("flames", memory::fires(cells, 10, 3, 1) + memory::details(cells, 3, 1, 1, true), detailed.1),
    ] {
        println!(
            "{name}: estimate {} bytes a cell, peak {}",
            estimate as f64 / cells as f64,
            peak as f64 / cells as f64
        );
        let factor = if name.ends_with("events") { 8 } else { 3 };
        assert!(peak <= estimate && estimate <= factor * peak, "{name}: estimate {estimate}, peak {peak}");
    }
}
