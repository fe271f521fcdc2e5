//! Motion against closed forms: moments and correlations of processes, and the geometry of streets.

use super::{GaussMarkov, Manhattan, Mobility, Path};
use crate::field::Field;
use crate::kernels::geometry::Position;
use crate::network::{Network, Placement};
use crate::sequential;
use std::f64::consts::TAU;

const SECOND: u64 = 1_000_000;

/// Mean speed 10 m/s, deviations 1 m/s and 30 degrees, memory 0.8.
const GRADUAL: GaussMarkov = GaussMarkov {
    mean: 10_000_000,
    deviation: 1_000_000,
    limits: [0, 100_000_000],
    turn: (1 << 30) / 3,
    memory: 3_435_973_837,
    interval: 1_000_000,
    margin: 0,
};

/// Streets 100 m apart, 10 m/s.
const STREETS: Manhattan = Manhattan { block: 100_000, turn: 1 << 31, speed: [10_000_000, 10_000_000], pause: [0, 0] };

/// Returns a network whose nodes move so, on a field with sides in m.
fn network(mobility: Mobility, nodes: u32, [width, height]: [u32; 2]) -> Network {
    let field = Field { width: width * 1000, height: height * 1000 };
    Network { mobility, field, end: 10_000_000 * SECOND, ..Network::scenario(nodes) }
}

/// Returns the positions of all nodes at whole seconds.
fn places(network: &Network, seconds: u64) -> Vec<Vec<Position>> {
    let times: Vec<u64> = (0..=seconds).map(|second| second * SECOND).collect();
    sequential::places(network, 0, &times).unwrap()
}

/// Returns the way from one position to another in m.
fn way(pair: &[Position]) -> (f64, f64) {
    (f64::from(pair[1].x - pair[0].x) / 1e3, f64::from(pair[1].y - pair[0].y) / 1e3)
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value, count + 1));
    sum / f64::from(count)
}

/// Ways of 400 nodes in each of 200 s, far away from all edges.
fn gradual_ways() -> Vec<Vec<(f64, f64)>> {
    let mut network = network(Mobility::GaussMarkov(GRADUAL), 400, [1_000_000, 1_000_000]);
    let middle = Position { x: 500_000_000, y: 500_000_000 };
    network.placement = Placement::At(vec![middle; 400]);
    places(&network, 200).iter().map(|of| of.windows(2).map(way).collect()).collect()
}

/// Mean, variance and autocorrelation of the speeds are those of an autoregressive process of order 1.
#[test]
fn speeds_of_gauss_markov_mobility_have_the_moments_of_theory() {
    let ways = gradual_ways();
    let speeds: Vec<Vec<f64>> = ways.iter().map(|of| of.iter().map(|(x, y)| x.hypot(*y)).collect()).collect();
    // 80,000 values with a correlation time of (1 + a) / (1 - a) = 9 s have a deviation of 0.011 m/s.
    let average = mean(speeds.iter().flatten().copied());
    assert!((average - 10.0).abs() < 0.04, "{average}");
    let covariance = |lag: usize| {
        let of = |speeds: &Vec<f64>| -> Vec<f64> {
            speeds.iter().zip(&speeds[lag..]).map(|(a, b)| (a - 10.0) * (b - 10.0)).collect()
        };
        mean(speeds.iter().flat_map(of))
    };
    let variance = covariance(0);
    assert!((variance - 1.0).abs() < 0.04, "{variance}");
    for lag in [1, 2, 5, 10] {
        let (found, expected) = (covariance(lag) / variance, 0.8_f64.powi(lag as i32));
        assert!((found - expected).abs() < 0.03, "lag {lag}: {found} instead of {expected}");
    }
}

/// Directions that differ by a normal variate of variance `v` have a mean cosine of `exp(-v / 2)`; those `k` steps
/// apart differ with `v = 2 s^2 (1 - a^k)`.
#[test]
fn directions_of_gauss_markov_mobility_have_the_correlation_of_theory() {
    let ways = gradual_ways();
    let cosine = |(ax, ay): (f64, f64), (bx, by): (f64, f64)| (ax * bx + ay * by) / (ax.hypot(ay) * bx.hypot(by));
    for lag in [1, 2, 5, 20] {
        let of = |ways: &Vec<(f64, f64)>| -> Vec<f64> {
            ways.iter().zip(&ways[lag..]).map(|(a, b)| cosine(*a, *b)).collect()
        };
        let found = mean(ways.iter().flat_map(of));
        let expected = (-(TAU / 12.0).powi(2) * (1.0 - 0.8_f64.powi(lag as i32))).exp();
        assert!((found - expected).abs() < 0.01, "lag {lag}: {found} instead of {expected}");
    }
    // Mean directions are uniformly distributed.
    let [east, north] = [|way: &(f64, f64)| way.0, |way: &(f64, f64)| way.1];
    for along in [mean(ways.iter().map(|of| east(&of[0]))), mean(ways.iter().map(|of| north(&of[0])))] {
        assert!(along.abs() < 1.5, "{along}");
    }
}

/// A node of constant speed and direction is a ball on a table: each coordinate is a triangle wave of the time.
#[test]
fn constant_motion_is_reflected_at_the_edges() {
    let constant = GaussMarkov { deviation: 0, turn: 0, memory: 1 << 32, ..GRADUAL };
    let network = network(Mobility::GaussMarkov(constant), 50, [70, 33]);
    let wave = |at: f64, side: f64| side - (at.rem_euclid(2.0 * side) - side).abs();
    for of in places(&network, 60) {
        let metres = |place: &Position| (f64::from(place.x) / 1e3, f64::from(place.y) / 1e3);
        let (x, y) = metres(&of[0]);
        // The direction is unknown: up to signs it is that of the way in a second without reflection.
        let free = of.windows(2).map(way).find(|(dx, dy)| (dx.hypot(*dy) - 10.0).abs() < 0.002).unwrap();
        let fits = |(sx, sy): (f64, f64)| {
            of.iter().enumerate().all(|(second, place)| {
                let (found, time) = (metres(place), second as f64);
                let expected = (wave(x + sx * free.0 * time, 70.0), wave(y + sy * free.1 * time, 33.0));
                // Positions of each second are rounded to mm, and so is the direction that was found.
                (found.0 - expected.0).hypot(found.1 - expected.1) < 0.005 * (time + 1.0)
            })
        };
        assert!([(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)].into_iter().any(fits), "{of:?}");
    }
}

/// Without memory and deviation a node in the margin moves straight away from the edge, or from both edges.
#[test]
fn nodes_turn_away_from_edges() {
    let turning = GaussMarkov { deviation: 0, turn: 0, memory: 0, margin: 100_000, ..GRADUAL };
    let mut network = network(Mobility::GaussMarkov(turning), 5, [1000, 1000]);
    let starts = [(10, 500), (500, 990), (990, 990), (10, 990), (500, 500)];
    network.placement = Placement::At(starts.map(|(x, y)| Position { x: x * 1000, y: y * 1000 }).to_vec());
    let ways: Vec<_> = places(&network, 3).iter().map(|of| way(&of[1..3])).collect();
    let near = |(x, y): (f64, f64), expected: (f64, f64)| (x - expected.0).hypot(y - expected.1) < 0.003;
    let half = 50_f64.sqrt();
    for (found, expected) in ways.iter().zip([(10.0, 0.0), (0.0, -10.0), (-half, -half), (half, -half)]) {
        assert!(near(*found, expected), "{found:?} instead of {expected:?}");
    }
    assert!((ways[4].0.hypot(ways[4].1) - 10.0).abs() < 0.003);
}

/// A process with a large deviation is limited, and no node leaves the field.
#[test]
fn gauss_markov_mobility_keeps_its_limits() {
    let wild = GaussMarkov { deviation: 50_000_000, limits: [5_000_000, 15_000_000], margin: 20_000, ..GRADUAL };
    let network = network(Mobility::GaussMarkov(wild), 100, [200, 100]);
    network.check().unwrap();
    let field = network.field;
    let places = places(&network, 300);
    assert!(places.iter().flatten().all(|place| field.contains(*place)));
    let lengths: Vec<f64> = places.iter().flat_map(|of| of.windows(2).map(way)).map(|(x, y)| x.hypot(y)).collect();
    let most = lengths.iter().copied().fold(0.0, f64::max);
    assert!((14.99..15.004).contains(&most), "{most}");
    // A reflection folds a way; others are as long as the limits let them.
    let within = lengths.iter().filter(|length| **length > 4.996).count();
    assert!(within * 100 > lengths.len() * 95, "{within} of {}", lengths.len());
}

/// Legs of all nodes up to a time: their beginnings, lengths in m, and durations in s.
fn legs(mobility: &Mobility, [width, height]: [u32; 2], end: u64) -> Vec<(u64, f64, f64)> {
    let field = Field { width: width * 1000, height: height * 1000 };
    let mut legs = vec![];
    for seed in 0..40 {
        let rng = imminent_common::streams::StreamKey::new(seed, 0).node(0).generator();
        let (mut from, mut path) = Path::begin(mobility, field, None, rng).unwrap();
        let mut begin = 0;
        while begin < end {
            let leg = path.next_leg();
            assert!(field.contains(leg.target) && leg.until > begin, "{leg:?}");
            assert!(leg.speed <= mobility.greatest_speed(), "{leg:?}");
            let (x, y) = way(&[from, leg.target]);
            legs.push((begin, x.hypot(y), (leg.until - begin) as f64 / 1e6));
            (from, begin) = (leg.target, leg.until);
        }
    }
    legs
}

/// However long nodes keep their speed, and however often they meet an edge meanwhile, they move at that speed. Each
/// leg is as long as its duration at a speed of the range, up to the rounding of its two ends.
#[test]
fn speeds_of_gauss_markov_mobility_are_kept_at_edges() {
    for interval in [1, 60, 3_600] {
        let motion = GaussMarkov { limits: [8_000_000, 12_000_000], interval: interval * 1_000_000, ..GRADUAL };
        let legs = legs(&Mobility::GaussMarkov(motion), [100, 70], 7_200 * SECOND);
        for (begin, length, lasts) in &legs {
            // An edge is reached up to 1 µs earlier, and a position is up to 1.5 mm away from where it is not rounded.
            let range = 8.0 * lasts - 0.003..12.0 * lasts + 0.003;
            assert!(range.contains(length), "{length} m in {lasts} s from {begin} us on");
        }
        let (way, time) = legs.iter().fold((0.0, 0.0), |(way, time), leg| (way + leg.1, time + leg.2));
        assert!((9.0..11.0).contains(&(way / time)), "{} m/s", way / time);
        // The mean of 4 / pi times the speed over the sides' mean is that of edges reached; intervals end legs, too.
        let estimate =
            40 * Mobility::GaussMarkov(motion).legs(Field { width: 100_000, height: 70_000 }, 7_200 * SECOND);
        assert!((legs.len() as u64) < estimate && estimate < 6 * legs.len() as u64, "{} of {estimate}", legs.len());
    }
}

/// Streets end at the edge of the field, also behind their last crossings.
#[test]
fn streets_reach_to_the_edge_of_the_field() {
    let motion = Manhattan { block: 300_000, ..STREETS };
    let field = Field { width: 1_000_000, height: 200_000 };
    let has = |x: i32, y: i32| motion.has(field, Position { x: x * 1000, y: y * 1000 });
    assert!(has(1000, 0) && has(900, 200) && has(0, 200) && has(600, 77) && has(450, 0));
    assert!(!has(1000, 100) && !has(450, 200) && !has(1, 1));
    let narrow = Manhattan { block: 100_000, ..STREETS };
    assert!(narrow.has(Field { width: 250_000, height: 150_000 }, Position { x: 100_000, y: 140_000 }));
    // A street that is less than 1 m longer than its last crossing ends there.
    assert!(!motion.has(Field { width: 600_999, ..field }, Position { x: 600_500, y: 0 }));
    assert!(motion.has(Field { width: 601_000, ..field }, Position { x: 601_000, y: 0 }));
    // One street of 1,000 m and four of 200 m.
    let network = network(Mobility::Manhattan(motion), 4000, [1000, 200]);
    let places = places(&network, 50);
    let east = places.iter().filter(|of| of[0].y == 0).count() as f64 / 4000.0;
    assert!((east - 1000.0 / 1800.0).abs() < 0.04, "{east}");
    for place in places.iter().flatten() {
        let beside = (place.x % 300_000).min(300_000 - place.x % 300_000).min(place.y);
        assert!(beside <= 1, "{place:?}");
    }
    let [most_x, most_y] = [|place: &Position| place.x, |place: &Position| place.y]
        .map(|of| places.iter().flatten().map(of).max().unwrap());
    assert!(most_x >= 999_000 && most_y >= 199_000, "{most_x} {most_y}");
    // Ends without a crossing are left as they were reached.
    let ends = turns(motion, [1000, 200], |place, _| place.x == 1_000_000 || place.y == 200_000);
    assert!(ends[3] > 1_000 && ends[..3] == [0; 3], "{ends:?}");
}

/// Nodes are on streets at all times: beside one by the rounding of a position at most.
#[test]
fn nodes_stay_on_streets() {
    let varied = Manhattan { speed: [2_000_000, 20_000_000], pause: [0, 3 * SECOND], ..STREETS };
    let network = network(Mobility::Manhattan(varied), 60, [1050, 640]);
    let on_street = |at: i32| (at % 100_000).min(100_000 - at % 100_000) <= 1;
    for place in places(&network, 600).iter().flatten() {
        assert!(on_street(place.x) || on_street(place.y), "{place:?}");
    }
}

/// Number of crossings at which nodes go on straight, turn left, turn right, and turn around: those that are `counted`
/// by their position and the direction from which the node comes.
fn turns(motion: Manhattan, field: [u32; 2], counted: impl Fn(Position, (i32, i32)) -> bool) -> [u32; 4] {
    let mut counts = [0; 4];
    let [width, height] = field.map(|side| side * 1000);
    for seed in 0..400 {
        let rng = imminent_common::streams::StreamKey::new(seed, 0).node(0).generator();
        let (start, mut path) = Path::begin(&Mobility::Manhattan(motion), Field { width, height }, None, rng).unwrap();
        let mut crossings = vec![start];
        crossings.extend((0..300).map(|_| path.next_leg().target));
        for three in crossings[1..].windows(3) {
            let step = |from: Position, to: Position| ((to.x - from.x).signum(), (to.y - from.y).signum());
            let (before, after) = (step(three[0], three[1]), step(three[1], three[2]));
            if counted(three[1], before) {
                let turn = match (before.0 * after.0 + before.1 * after.1, before.0 * after.1 - before.1 * after.0) {
                    (1, 0) => 0,
                    (0, 1) => 1,
                    (0, -1) => 2,
                    _ => 3,
                };
                counts[turn] += 1;
            }
        }
    }
    counts
}

#[test]
fn shares_of_turns_are_those_of_the_probability() {
    let inside = |place: Position, _| (1..900_000).contains(&place.x) && (1..600_000).contains(&place.y);
    for (turn, expected) in [(1_u64 << 31, [0.5, 0.25, 0.25]), (1 << 30, [0.75, 0.125, 0.125]), (0, [1.0, 0.0, 0.0])] {
        let counts = turns(Manhattan { turn, ..STREETS }, [900, 600], inside);
        // Nodes that never turn come to the edge of the grid, and stay there.
        let (all, least) = (counts.iter().sum::<u32>(), if turn == 0 { 500 } else { 30_000 });
        assert!(all > least && counts[3] == 0, "{counts:?}");
        for (count, expected) in counts.iter().zip(expected) {
            assert!((f64::from(*count) / f64::from(all) - expected).abs() < 0.01, "{counts:?} instead of {expected}");
        }
    }
}

/// Nodes whose street ends turn to both sides equally often; where there is none to one side, the others keep their
/// ratio of two to one. At a corner there is one way.
#[test]
fn nodes_turn_at_the_edges_of_the_grid() {
    let edge = |place: Position| place.y == 0 && (1..900_000).contains(&place.x);
    let share = |count: u32, of: [u32; 4]| f64::from(count) / f64::from(of.iter().sum::<u32>());
    let ahead = turns(STREETS, [900, 600], |place, before| edge(place) && before == (0, -1));
    assert!(ahead[0] == 0 && ahead[3] == 0 && ahead[1] > 1_000, "{ahead:?}");
    assert!((share(ahead[1], ahead) - 0.5).abs() < 0.04, "{ahead:?}");
    let along = turns(STREETS, [900, 600], |place, before| edge(place) && before == (1, 0));
    assert!(along[2] == 0 && along[3] == 0 && along[1] > 500, "{along:?}");
    assert!((share(along[0], along) - 2.0 / 3.0).abs() < 0.04, "{along:?}");
    let corners = turns(STREETS, [900, 600], |place, _| place.x % 900_000 == 0 && place.y % 600_000 == 0);
    assert!(corners[0] == 0 && corners[3] == 0 && corners[1] > 500 && corners[2] > 500, "{corners:?}");
    // Nodes that always turn do not if they cannot, and those of one street turn around at its ends only.
    for turn in [0, 1 << 31, 1 << 32] {
        let road = |at_end: bool| {
            turns(Manhattan { turn, ..STREETS }, [500, 0], |place, _| (place.x % 500_000 == 0) == at_end)
        };
        let (between, ends) = (road(false), road(true));
        assert!(between[0] > 10_000 && between[1..] == [0; 3], "{between:?}");
        assert!(ends[3] > 1_000 && ends[..3] == [0; 3], "{ends:?}");
    }
}

/// Without pauses a node moves all the time, and nodes begin on all streets alike.
#[test]
fn nodes_of_streets_move_at_their_speed() {
    let network = network(Mobility::Manhattan(STREETS), 2000, [900, 400]);
    let places = places(&network, 100);
    let moved = |of: &Vec<Position>| -> f64 { of.windows(2).map(way).map(|(x, y)| x.abs() + y.abs()).sum() };
    let speed = mean(places.iter().map(moved)) / 100.0;
    assert!((speed / 10.0 - 1.0).abs() < 0.001, "{speed} m/s");
    // 9 blocks by 4: 45 sides of blocks to the east, and 40 to the north.
    let east = places.iter().filter(|of| of[0].y % 100_000 == 0).count() as f64 / 2000.0;
    assert!((east - 45.0 / 85.0).abs() < 0.04, "{east}");
    let x = mean(places.iter().map(|of| f64::from(of[0].x) / 1e3));
    assert!((x - 450.0).abs() < 25.0, "{x}");
}
