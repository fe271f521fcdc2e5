//! A program: a step is recorded once and repeated on the device until a condition holds there.
//!
//! `cargo run -p imminent --example 02_programs`

#[imminent::kernels]
mod epidemic {
    use imminent::random::Pcg32;

    /// A person, who meets two neighbours on a ring.
    #[derive(Row)]
    pub struct Person {
        pub rng: Pcg32,
        pub ill: bool,
    }

    /// One day. Reads everybody as they were in the morning, writes nobody but `me`, and counts who is well.
    #[kernel(reduce = count)]
    pub fn day(me: &mut Person, morning: &Rows<Person>, id: u32) -> bool {
        let last = morning.len() - 1;
        let left = morning.get(if id == 0 { last } else { id - 1 });
        let right = morning.get(if id == last { 0 } else { id + 1 });
        *me = *morning.get(id);
        // Every third meeting with somebody who is ill makes ill.
        if left.ill && me.rng.below(3) == 0 || right.ill && me.rng.below(3) == 0 {
            me.ill = true;
        }
        !me.ill
    }
}

use epidemic::{Person, day};
use imminent::random::Pcg32;
use imminent::{DeviceSelection, Program, Table};

fn main() -> imminent::Result<()> {
    let device = imminent::open(&DeviceSelection::default())?;
    let people: Vec<Person> = (0..1_000).map(|i| Person { rng: Pcg32::new(1, i), ill: i == 0 }).collect();
    let mut even = Table::from_rows(&device, &people)?;
    let mut odd = Table::from_rows(&device, &people)?;

    let mut spread = Program::record(&device, |program| {
        program.loop_until(10_000, |two_days| {
            // A kernel cannot read what it writes: the two tables take turns.
            two_days.launch::<day>((&mut odd, &even))?;
            let well = two_days.launch::<day>((&mut even, &odd))?;
            Ok(vec![well.equals(0)])
        })
    })?;
    let outcome = spread.run()?;
    println!("everybody had been ill after {} days", 2 * outcome.steps);
    Ok(())
}
