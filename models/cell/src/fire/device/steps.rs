//! The step advance on a device.

use crate::engine::device::levels;
use crate::fire::error::FireError;
use crate::fire::kernels::grid::SIDE;
use crate::fire::kernels::step::{
    Burnt, BurntColumns as _, Clock, ClockColumns as _, Forest, LANES, Lit, Places, advance, collect, light,
};
use crate::fire::outcome::NEVER;
use crate::fire::scenario::Fire;
use crate::runner::{Phase, Runner};
use imminent_core::{Device, Program, Table};

/// Distinct times of a launch: about a millisecond on a GPU.
const TIMES: u32 = 512;

/// Computes the ignition times by the paper's advance, and the number of distinct times.
pub(in crate::fire) fn by_steps(
    device: &Device,
    fire: &Fire,
    runner: &mut Runner<'_>,
) -> Result<(Vec<u32>, u64), FireError> {
    let (width, height) = (fire.width(), fire.height());
    let across = width.div_ceil(SIDE);
    let (starts, levels, entries) = levels(across * height.div_ceil(SIDE));
    let forest = Forest { width, height, horizon: fire.horizon(), times: TIMES, levels, starts };
    let mut places = Table::<Places>::with_capacity(device, LANES as usize, entries)?;
    let lit = |&(row, column): &(u32, u32)| Lit {
        lane: row % SIDE * SIDE + column % SIDE,
        tile: row / SIDE * across + column / SIDE,
    };
    let lits: Vec<Lit> = fire.ignitions().iter().map(lit).collect();
    if !lits.is_empty() {
        device.queue().launch::<light>((&mut places, &Table::from_rows(device, &lits)?, &forest))?;
    }
    let first = if lits.is_empty() { NEVER } else { 0 };
    let mut clock = Table::from_rows(device, &[Clock { time: first, times: 0 }])?;
    let mut program = Program::record(device, |program| {
        program.loop_until(u64::MAX, |one| {
            let next = one.launch::<advance>((&mut places, &mut clock, &forest))?;
            Ok(vec![next.above(forest.horizon)])
        })
    })?;
    program.compile()?;
    runner.enter(Phase::Simulation);
    runner.execute::<FireError>(&mut program, |launches| launches * u64::from(TIMES))?;
    drop(program);
    runner.enter(Phase::Reading);
    let mut burnt = Table::<Burnt>::zeroed(device, width as usize * height as usize)?;
    device.queue().launch::<collect>((&mut burnt, &places, &forest))?;
    let times = clock.times().read()?.into_iter().map(u64::from).sum();
    Ok((burnt.time().read()?, times))
}
