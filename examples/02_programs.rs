//! A program: one day of an epidemic on a grid is recorded, and repeated on the device until nobody is ill.
//!
//! `cargo run -p imminent --example 02_programs`

#[imminent::kernels]
mod epidemic {
    use imminent::random::Pcg32;

    /// First day on which a person is no longer ill, but immune.
    const IMMUNE: u32 = 6;

    /// A person, who lives in one cell of the grid.
    #[derive(Row)]
    pub struct Person {
        pub rng: Pcg32,
        /// Day of the illness; 0 before it.
        pub day: u32,
    }

    impl Person {
        fn is_ill(&self) -> bool {
            self.day > 0 && self.day < IMMUNE
        }
    }

    /// Size of the grid.
    #[derive(Params)]
    pub struct Town {
        pub width: u32,
        pub height: u32,
    }

    /// One day. Reads yesterday's grid, writes only `me`, and counts the people who are ill.
    #[kernel(reduce = count)]
    pub fn day(me: &mut Person, yesterday: &Rows<Person>, town: &Town, id: u32) -> bool {
        let x = id % town.width;
        let y = id / town.width;
        *me = *yesterday.get(id);
        if me.is_ill() {
            me.day += 1;
        } else if me.day == 0 {
            let left = x > 0 && yesterday.get(id - 1).is_ill();
            let right = x + 1 < town.width && yesterday.get(id + 1).is_ill();
            let above = y > 0 && yesterday.get(id - town.width).is_ill();
            let below = y + 1 < town.height && yesterday.get(id + town.width).is_ill();
            let ill = left as u32 + right as u32 + above as u32 + below as u32;
            // Each ill neighbour infects with probability 1/6.
            if me.rng.below(6) < ill {
                me.day = 1;
            }
        }
        me.is_ill()
    }
}

use epidemic::{Person, PersonColumns, Town, day};
use imminent::{DeviceSelection, Program, Table, random::Pcg32};

fn main() -> imminent::Result<()> {
    let device = imminent::open(&DeviceSelection::default())?;
    let town = Town { width: 200, height: 100 };
    let person = |i| Person { rng: Pcg32::new(1, i), day: u32::from(i == 10_100) };
    let people: Vec<Person> = (0..20_000).map(person).collect();
    let mut today = Table::from_rows(&device, &people)?;
    let mut yesterday = Table::from_rows(&device, &people)?;

    let mut spread = Program::record(&device, |program| {
        program.loop_until(10_000, |one_day| {
            // A kernel cannot read the table that it writes: two tables change places without a copy.
            one_day.swap(&mut today, &mut yesterday)?;
            let ill = one_day.launch::<day>((&mut today, &yesterday, &town))?;
            Ok(vec![ill.equals(0)])
        })
    })?;
    let outcome = spread.run()?;
    let spared = device.queue().count(today.day().equals(0)?)?.read()?;
    println!("after {} days nobody is ill; {spared} of 20000 people never were", outcome.steps);
    Ok(())
}
