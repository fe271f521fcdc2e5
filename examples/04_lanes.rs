//! Rows that hold lists: lanes, a tally that watches the fullest, growth before anything overflows, and a fault.
//!
//! `cargo run -p imminent --example 04_lanes`

#[imminent::kernels]
mod collect {
    use imminent::random::Pcg32;

    /// A collector of random numbers, who keeps the small ones.
    #[derive(Row)]
    pub struct Collector {
        pub rng: Pcg32,
        pub count: u32,
        pub kept: Lanes<u32>,
    }

    /// Draws a number and keeps it if it is below 400 of 1000.
    #[kernel]
    pub fn draw(me: &mut Collector, fullest: &Tally<u32>) {
        let number = me.rng.below(1000);
        if number < 400 {
            me.kept.set(me.count, number);
            me.count += 1;
        }
        fullest.max(0, me.count);
    }
}

use collect::{Collector, draw};
use imminent::random::Pcg32;
use imminent::{DeviceSelection, Error, Lanes, Program, Stop, Table, TallyTable};

fn main() -> imminent::Result<()> {
    let device = imminent::open(&DeviceSelection::default())?;
    let rows: Vec<Collector> =
        (0..100).map(|i| Collector { rng: Pcg32::new(3, i), count: 0, kept: Lanes::zeroed(4) }).collect();
    let mut collectors = Table::from_rows(&device, &rows)?;
    let fullest = TallyTable::new(&device, &[0])?;

    let mut steps = 0;
    while steps < 1000 {
        // As long as the fullest row has a free place, nobody can overflow in the next step.
        let mut program = Program::record(&device, |program| {
            program.loop_until(1000 - steps, |step| {
                step.launch::<draw>((&mut collectors, &fullest))?;
                Ok(vec![fullest.at_least(0, collectors.capacity())])
            })
        })?;
        let outcome = program.run()?;
        steps += outcome.steps;
        if matches!(outcome.stop, Stop::Condition(_)) {
            let room = 2 * collectors.capacity();
            println!("after {steps} steps the fullest is full: growing to {room} lanes");
            collectors.grow(room)?;
        }
    }
    println!("the fullest has {} numbers", fullest.read()?[0]);

    // Without the watch a full row raises a fault, and what the launch wrote is poisoned.
    let mut small =
        Table::from_rows(&device, &[Collector { rng: Pcg32::new(3, 0), count: 7, kept: Lanes::zeroed(2) }])?;
    for _ in 0..10 {
        device.queue().launch::<draw>((&mut small, &fullest))?;
    }
    match device.queue().wait() {
        Err(Error::Fault(fault)) => println!("as it should be: {fault}"),
        other => println!("no fault: {other:?}"),
    }
    assert!(small.read().is_err());
    Ok(())
}
