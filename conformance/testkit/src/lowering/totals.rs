//! A group's own row, read by all where one invocation stores and contributes.

use super::{Data, Machine, flat, layout, mix};
use crate::modules::totals;
use imminent_ir::Scalar;

pub fn a_row_of_the_group_can_be_read_for_what_is_stored_and_contributed<M: Machine>(machine: &M) {
    for (size, rows) in [(1_u32, 5_u32), (33, 100), (256, 1000)] {
        let flat = flat(&totals::count_up(size));
        let layouts = [layout(&flat, 0), layout(&flat, 1)];
        let groups = rows.div_ceil(size);
        let mut cells = Data::table(&layouts[0], rows, 0);
        let mut sums = Data::table(&layouts[1], groups, 0);
        for row in 0..rows {
            cells.set(&layouts[0], "value", row, mix(u64::from(row)));
        }
        for group in 0..groups {
            sums.set(&layouts[1], "sum", group, mix(u64::from(group) + 1_000));
            // Rounds store to places 0 and 2, 1 and 3 and then past the end, or past the end from the first one on.
            sums.set(&layouts[1], "place", group, u64::from(group % 3) * if group % 3 == 2 { 100 } else { 1 });
        }
        let given = vec![cells.clone(), sums.clone(), Data::tally(Scalar::U64, 1, 7)];
        let (mut slot, mut fault) = (7_u64, u32::MAX);
        for group in 0..groups {
            for _ in 0..3 {
                let sum = sums.get(&layouts[1], "sum", group).wrapping_mul(2).wrapping_add(1);
                let place = sums.get(&layouts[1], "place", group);
                sums.set(&layouts[1], "sum", group, sum);
                slot = slot.wrapping_add(sum);
                if place < 4 {
                    sums.set(&layouts[1], &format!("list[{place}]"), group, sum);
                } else {
                    fault = fault.min(group * size);
                }
                for row in (group * size)..rows.min((group + 1) * size) {
                    cells.set(&layouts[0], "value", row, cells.get(&layouts[0], "value", row).wrapping_add(sum));
                }
                sums.set(&layouts[1], "place", group, place + 2);
            }
        }
        for options in machine.ways(&flat, &given) {
            let outcome = machine.launch(&flat, &options, rows, &given);
            let what = format!("{size} {rows} {options:?}");
            assert_eq!(outcome.data[0], cells.words, "{what}");
            assert_eq!(outcome.data[1], sums.words, "{what}");
            assert_eq!(outcome.data[2], [slot as u32, (slot >> 32) as u32], "{what}");
            for (site, row) in flat.sites.iter().zip(&outcome.faults) {
                let expected = if site.site.line == totals::INDEX_LINE { fault } else { u32::MAX };
                assert_eq!(*row, expected, "line {} of {what}", site.site.line);
            }
        }
    }
}
