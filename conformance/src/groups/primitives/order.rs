//! Primitives of the event loop of cell models.

use super::sample::lengths;
use crate::case::{Cases, equal, equal_slices};
use imminent_core::Table;
use rand_core::Rng;

pub(super) fn add(cases: &mut Cases) {
    cases.add("`find_min_time` and `find_imminents` find who is next", |context| {
        let queue = context.queue();
        for count in lengths(context) {
            let mut rng = context.random(461);
            let times: Vec<i32> = (0..count)
                .map(|_| if rng.next_u32() % 3 == 0 { i32::MAX } else { (rng.next_u32() % 500) as i32 })
                .collect();
            let table = Table::from_rows(context.device, &times)?;
            let now = queue.find_min_time(&table)?;
            let imminents = queue.find_imminents(&table, &now)?;
            let least = times.iter().copied().min().unwrap_or(i32::MAX);
            let expected: Vec<u32> = (0..).zip(&times).filter(|(_, t)| **t == least).map(|(row, _)| row).collect();
            equal(&format!("the time of {count} cells"), &now.read()?, &least)?;
            equal_slices(&format!("the imminents of {count} cells"), &imminents.read()?, &expected)?;
        }
        Ok(())
    });
}
