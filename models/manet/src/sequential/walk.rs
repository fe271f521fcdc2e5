//! Motion of a node.

use crate::Position;
use crate::mobility::{Mobility, Path, Waypoints};
use crate::network::Network;
use crate::start::NodeStart;
use crate::trace::{Move, Track};
use rand_core::Rng as _;
use rand_pcg::Pcg32;

/// Position in mm.
pub(super) type Point = (i128, i128);

/// Motion of a node: from a position to a target, then a pause.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    from: Point,
    /// Velocity in units of 2^-32 mm/µs.
    velocity: Point,
    begin: u64,
    arrival: u64,
    end: u64,
    /// Number of legs so far.
    legs: usize,
    /// Order of the current leg.
    order: Option<Move>,
    rng: Pcg32,
    path: Option<Path>,
}

/// Draws an integer from `low` to `high`, both included: two words, the low one first.
fn draw(rng: &mut Pcg32, low: u64, high: u64) -> u64 {
    let word = u128::from(rng.next_u32()) + (u128::from(rng.next_u32()) << 32);
    low + ((word * u128::from(high - low + 1)) >> 64) as u64
}

impl Walk {
    pub(super) fn new(start: &NodeStart) -> Self {
        let from = (start.place.x.into(), start.place.y.into());
        let (rng, path) = (start.waypoints.rng.clone(), start.path.clone());
        Walk { from, velocity: (0, 0), begin: 0, arrival: 0, end: start.leave, legs: 0, order: None, rng, path }
    }

    /// Returns the position at a time, not before that of the last call.
    pub(super) fn at(&mut self, time: u64, network: &Network, node: usize) -> Point {
        while self.end <= time {
            self.go_on(network, node);
        }
        self.on_leg(time)
    }

    /// Returns the movements that begin before a time.
    pub(super) fn track(mut self, end: u64, network: &Network, node: usize) -> Track {
        let place = |(x, y): Point| Position { x: x as i32, y: y as i32 };
        let (stay, name) = (network.stay(node as u32), network.name(node as u32).cloned());
        let mut track = Track { start: place(self.from), moves: vec![], stay, name };
        while self.end < end {
            self.go_on(network, node);
            track.moves.extend(self.order);
        }
        track
    }

    fn on_leg(&self, time: u64) -> Point {
        let moved = i128::from(time.min(self.arrival) - self.begin);
        let along = |from: i128, velocity: i128| from + (velocity * moved).div_euclid(1 << 32);
        (along(self.from.0, self.velocity.0), along(self.from.1, self.velocity.1))
    }

    fn go_on(&mut self, network: &Network, node: usize) {
        let here = self.on_leg(self.end);
        let begin = self.end;
        match &network.mobility {
            Mobility::Static => self.end = u64::MAX,
            Mobility::Waypoints(Waypoints { speed, pause }) => {
                let x = draw(&mut self.rng, 0, network.field.width.into());
                let y = draw(&mut self.rng, 0, network.field.height.into());
                let speed = draw(&mut self.rng, speed[0].into(), speed[1].into()).max(10_000);
                let pause = draw(&mut self.rng, pause[0], pause[1]);
                self.head_for((x.into(), y.into()), here, begin, speed);
                self.end = (self.arrival + pause).max(begin + 1);
            }
            Mobility::GaussMarkov(_) | Mobility::Manhattan(_) => {
                let Some(leg) = self.path.as_mut().map(Path::next_leg) else {
                    self.end = u64::MAX;
                    return;
                };
                self.head_for((leg.target.x.into(), leg.target.y.into()), here, begin, leg.speed.into());
                self.end = leg.until;
            }
            Mobility::Trace(trace) => {
                let moves = &trace.tracks()[node].moves;
                let order = moves[self.legs];
                self.head_for((order.target.x.into(), order.target.y.into()), here, begin, order.speed.into());
                self.end = moves.get(self.legs + 1).map_or(u64::MAX, |next| next.time);
            }
        }
        self.legs += 1;
    }

    fn head_for(&mut self, target: Point, here: Point, begin: u64, speed: u64) {
        let place = Position { x: target.0 as i32, y: target.1 as i32 };
        self.order = Some(Move { time: begin, target: place, speed: speed as u32 });
        let (dx, dy) = (target.0 - here.0, target.1 - here.1);
        let length = ((dx * dx + dy * dy) as u128).isqrt();
        (self.from, self.begin, self.arrival, self.velocity) = (here, begin, begin, (0, 0));
        if speed > 0 && length > 0 {
            let duration = (length * 1_000_000_000 / u128::from(speed)).max(1) as i128;
            self.arrival += duration as u64;
            self.velocity = ((dx << 32) / duration, (dy << 32) / duration);
        }
    }
}
