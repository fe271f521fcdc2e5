//! A cell space with a rule of your own: an epidemic on a grid.
//!
//! `cargo run -p imminent --features models --example 11_cell_model`

#[imminent::kernels]
mod epidemic {
    use imminent::models::cell::model::here::Here;
    use imminent::random::{Pcg32, scaled_ticks};

    pub const HEALTHY: u32 = 0;
    pub const SICK: u32 = 1;
    pub const IMMUNE: u32 = 2;

    /// Times in milliseconds.
    #[derive(Params)]
    pub struct Epidemic {
        pub infection: u64,
        pub sickness: u32,
        pub immunity: u32,
    }

    /// State that a person takes on, and milliseconds until then.
    pub struct Next {
        pub value: u32,
        pub delay: u32,
    }

    /// Rule of a person. Nobody falls ill in zone 1.
    pub fn live(here: &Here, own: u32, seen: &[u32; 9], input: u32, model: &Epidemic, random: &mut Pcg32) -> Next {
        if here.fed {
            return Next { value: input, delay: 0 }; // a traveller arrives
        }
        match own {
            SICK => return Next { value: IMMUNE, delay: model.sickness },
            IMMUNE => return Next { value: HEALTHY, delay: model.immunity },
            _ => {}
        }
        let mut sick = 0;
        for neighbour in 0..here.neighbours {
            sick += (seen[neighbour as usize] == SICK) as u32;
        }
        if sick == 0 || here.zone == 1 {
            return Next { value: HEALTHY, delay: 0 };
        }
        let delay = scaled_ticks(random.exponential_q27(), model.infection / sick as u64);
        Next { value: SICK, delay: delay as u32 }
    }
}

imminent::models::cell::cell_model! {
    mod spreading for epidemic {
        model: Epidemic,
        value: u32,
        undefined: HEALTHY,
        neighbours: 9,
        rule: live(here, own, seen, input, model, random),
    }
}

use epidemic::{Epidemic, HEALTHY, SICK};
use imminent::DeviceSelection;
use imminent::models::cell::model::{Cells, Event};
use imminent::models::cell::{Border, CellSpace, Engine, sequential::Delay};
use std::{error::Error, ops::ControlFlow};

fn main() -> Result<(), Box<dyn Error>> {
    let (rows, columns) = (100, 150);
    let space = CellSpace::plane(rows, columns, Border::Open)?; // each cell sees itself and the eight around it
    let model = Epidemic { infection: 4_000, sickness: 3_000, immunity: 20_000 };
    let cells = Cells::new(model, space, Delay::Inertial, vec![HEALTHY; (rows * columns) as usize])?
        .with_zones((0..rows * columns).map(|cell| u32::from(cell / columns < 20)).collect())?
        .with_events([Event { time: 500, cell: 60 * columns + 75, value: SICK }])?
        .with_seed(7);
    let device = imminent::open(&DeviceSelection::default())?;
    let outcome = cells.run(&device, Engine::Auto, 60_000, &mut |_| ControlFlow::Continue(()))?.outcome;
    let sick = outcome.values.iter().filter(|&&value| value == SICK).count();
    println!("after {} outputs {sick} are sick: {}", outcome.outputs, outcome.digest());
    Ok(())
}
