//! A study of a model of your own: customers that a desk loses, by service time and room.
//!
//! `cargo run -p imminent --features models --example 08_own_study`

#[imminent::kernels]
mod desk {
    use imminent::random::{Pcg32, scaled_ticks};

    /// One run: a desk with a waiting room, which customers leave at once if it is full.
    #[derive(Row)]
    pub struct Desk {
        pub rng: Pcg32,
        pub room: u32,
        pub service: u64,
        pub waiting: u32,
        pub lost: u32,
        pub arrival: u64,
        pub departure: u64,
    }

    /// Simulates a million ticks. A customer arrives every 1,000 ticks on average.
    #[kernel]
    pub fn run(me: &mut Desk) {
        while me.arrival < 1_000_000 {
            if me.waiting == 0 || me.arrival <= me.departure {
                if me.waiting == 0 {
                    me.departure = me.arrival + scaled_ticks(me.rng.exponential_q27(), me.service);
                }
                me.lost += (me.waiting == me.room) as u32;
                me.waiting = me.room.min(me.waiting + 1);
                me.arrival += scaled_ticks(me.rng.exponential_q27(), 1000);
            } else {
                me.waiting -= 1;
                me.departure += scaled_ticks(me.rng.exponential_q27(), me.service);
            }
        }
    }
}

use desk::{Desk, run};
use imminent::models::study::definition::{Axis, Definition};
use imminent::models::study::description::{Description, Measure, Parameter};
use imminent::models::study::{Finished, Results, RunSet, Runs};
use imminent::{DeviceSelection, Row, Table, random::Pcg32};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let description = Description::new("desk", "1", "A desk with a waiting room.")
        .parameter(Parameter::integer("room", "", 1..=100, "Places, the one at the desk included."))
        .parameter(Parameter::integer("service", "ticks", 1..=100_000, "Mean time of a service."))
        .measure(Measure::new("lost", "", "Customers who found no place."));
    let study = Definition::new("desk")
        .repetitions(20)
        .axis(Axis::values("room", [2, 4, 8]))
        .axis(Axis::values("service", [500, 900]))
        .plan(description)?;

    // All runs side by side, a row for each.
    let mut results = Results::new(&study)?;
    let runs: Vec<_> = Runs::new(&study, RunSet::all_of(results.runs())).iter().collect();
    let mut rows = Vec::new();
    for run in &runs {
        let (room, service) = (run.point.integer_of("room")? as u32, run.point.integer_of("service")? as u64);
        rows.push(Desk { rng: Pcg32::new(run.seed, 0), room, service, ..Desk::zeroed(0) });
    }
    let device = imminent::open(&DeviceSelection::default())?;
    let mut desks = Table::from_rows(&device, &rows)?;
    device.queue().launch::<run>((&mut desks,))?;
    for (run, desk) in runs.iter().zip(desks.read()?) {
        results.insert(&Finished { run: run.number, values: vec![Some(f64::from(desk.lost))], events: 0 })?;
    }

    for (number, point) in (0..study.points()).filter_map(|number| Some((number, study.point(number)?))) {
        let lost = results.summary(&study, number, 0);
        let parameters: Vec<String> = point.parameters().map(|(name, value)| format!("{name} {value}")).collect();
        let (mean, error) = (lost.mean.unwrap_or(0.0), lost.half_width().unwrap_or(0.0));
        println!("{}: {mean:.1} ± {error:.1} of 1000 are lost", parameters.join(", "));
    }
    Ok(())
}
