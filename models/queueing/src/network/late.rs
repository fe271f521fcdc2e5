//! Servers and arrivals that come only after the end of a run.

use super::behaviour::{Behaviour, Shifts};
use super::{Network, Warning};

impl Network {
    /// Returns warnings about servers that come on duty, and tokens that come from sources, only after `horizon` ticks.
    #[must_use]
    pub fn warnings_until(&self, horizon: u64) -> Vec<Warning> {
        let horizon = self.tick().units(horizon);
        let of_node = |(&node, behaviour): (&u32, &Behaviour)| {
            let late = behaviour.beginnings().into_iter().filter(|(_, time)| *time >= horizon);
            let node = self.label(node);
            late.map(|(what, time)| Warning::TooLate { what, node: node.clone(), time, horizon }).collect::<Vec<_>>()
        };
        self.behaviours.iter().flat_map(of_node).collect()
    }
}

impl Behaviour {
    /// Returns what begins at certain times, in words, with the time of the first in time units.
    fn beginnings(&self) -> Vec<(String, f64)> {
        let opening = |shifts: &Shifts| shifts.changes.iter().find(|(_, servers)| *servers > 0).map(|(time, _)| *time);
        let all = self.shifts.as_ref().and_then(opening).map(|time| ("servers on duty".to_owned(), time));
        let pools = (1..).zip(&self.pools).filter_map(|(number, pool)| {
            let time = opening(pool.shifts.as_ref()?)?;
            Some((format!("servers on duty in pool {number}"), time))
        });
        let rates = self.arrivals.rates.iter().find(|(_, rate)| *rate > 0.0).map(|(time, _)| *time);
        let replayed = self.arrivals.replay.as_ref().and_then(|replay| replay.rows.first()).map(|row| row.time);
        let arrivals = rates.or(replayed).map(|time| ("arrivals".to_owned(), time));
        all.into_iter().chain(pools).chain(arrivals).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::law::Law;
    use crate::network::{Arrivals, Behaviour, Builder, Servers, Shifts, Station, Warning};

    #[test]
    fn what_begins_after_the_run_is_told() {
        let mut builder = Builder::new();
        let token = builder.class("token");
        let door = builder.source("door", token, Law::Exponential { mean: 10.0 });
        let desk = builder.station("desk", Station::with_servers(3));
        builder.serve_all(desk, Law::Exponential { mean: 1.0 }).edge(door, desk).exit(desk);
        let rates = vec![(0.0, 0.0), (40.0, 1.0)];
        builder.behave(door, Behaviour { arrivals: Arrivals { rates, ..Arrivals::default() }, ..Behaviour::default() });
        let shifts = |time: f64| Some(Shifts { changes: vec![(0.0, 0), (time, 1)], ..Shifts::default() });
        let pool = |servers: u32, time: f64| Servers { servers, classes: vec![], speed: 1.0, shifts: shifts(time) };
        builder.behave(desk, Behaviour { pools: vec![pool(1, 50.0), pool(2, 70.0)], ..Behaviour::default() });
        let network = builder.build().unwrap();
        let late = |horizon: f64| {
            let warnings = network.warnings_until(network.tick().ticks(horizon).unwrap());
            let of = |warning: &Warning| match warning {
                Warning::TooLate { what, node, time, .. } => format!("{what} at {node}: {time}"),
                other => other.to_string(),
            };
            warnings.iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(late(71.0), [""; 0]);
        assert_eq!(late(70.0), ["servers on duty in pool 2 at desk: 70"]);
        assert_eq!(late(40.0).len(), 3);
        assert_eq!(late(40.0).first().map(String::as_str), Some("arrivals at door: 40"));
    }
}
