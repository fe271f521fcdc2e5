//! Tallies of every type and operation.

use super::{Data, Machine, flat, layout, mix};
use crate::modules::{INTEGERS, TALLY_OPS, kernels};
use imminent_ir::{Scalar, TallyOp};

pub fn tallies_add_up<M: Machine>(machine: &M) {
    let slots = 5;
    let n = 1000;
    for scalar in INTEGERS {
        for op in TALLY_OPS {
            let flat = flat(&kernels::tally(scalar, op));
            let layout = layout(&flat, 0);
            let mut table = Data::table(&layout, n, 0);
            let fill = match (op, scalar) {
                (TallyOp::And, _) => u64::MAX,
                (TallyOp::Min, Scalar::U32 | Scalar::U64) => u64::MAX,
                (TallyOp::Min, Scalar::I32) => 0x7fff_ffff,
                (TallyOp::Min, _) => i64::MAX as u64,
                (TallyOp::Max, Scalar::I32) => 0x8000_0000,
                (TallyOp::Max, Scalar::I64) => i64::MIN as u64,
                _ => 0,
            };
            let fill = if scalar.words() == 1 { fill & 0xffff_ffff } else { fill };
            let mut expected = vec![fill; slots as usize];
            let mut first_fault = u32::MAX;
            for row in 0..n {
                let slot = mix(u64::from(row)) as u32 % (slots + u32::from(row > 100));
                let amount = mix(u64::from(row) + 77) | if op == TallyOp::And { mix(u64::from(row)) } else { 0 };
                table.set(&layout, "slot", row, slot.into());
                table.set(&layout, "amount", row, amount);
                let Some(total) = expected.get_mut(slot as usize) else {
                    first_fault = first_fault.min(row);
                    continue;
                };
                *total = match (op, scalar) {
                    (TallyOp::Add, _) => total.wrapping_add(amount),
                    (TallyOp::Or, _) => *total | amount,
                    (TallyOp::And, _) => *total & amount,
                    (TallyOp::Min, Scalar::U32) => u64::from((*total as u32).min(amount as u32)),
                    (TallyOp::Max, Scalar::U32) => u64::from((*total as u32).max(amount as u32)),
                    (TallyOp::Min, Scalar::I32) => (*total as i32).min(amount as i32) as u64,
                    (TallyOp::Max, Scalar::I32) => (*total as i32).max(amount as i32) as u64,
                    (TallyOp::Min, Scalar::U64) => (*total).min(amount),
                    (TallyOp::Max, Scalar::U64) => (*total).max(amount),
                    (TallyOp::Min, _) => (*total as i64).min(amount as i64) as u64,
                    (TallyOp::Max, _) => (*total as i64).max(amount as i64) as u64,
                };
            }
            let data = vec![table, Data::tally(scalar, slots, fill)];
            for options in machine.ways(&flat, &data) {
                let wide = scalar.words() == 2 && matches!(op, TallyOp::Min | TallyOp::Max);
                if wide && !machine.has_wide_tallies(&options) {
                    let error = machine.refusal(&flat, &options);
                    assert!(error.contains("return the value and reduce it"), "{error}");
                    continue;
                }
                let outcome = machine.launch(&flat, &options, n, &data);
                let words = scalar.words() as usize;
                let got: Vec<u64> = outcome.data[1]
                    .chunks(words)
                    .map(|w| u64::from(w[0]) | w.get(1).map_or(0, |h| u64::from(*h) << 32))
                    .collect();
                let expected: Vec<u64> =
                    expected.iter().map(|x| if words == 1 { x & 0xffff_ffff } else { *x }).collect();
                assert_eq!(got, expected, "{scalar} {op:?} {options:?}");
                assert_eq!(outcome.faults, [first_fault]);
                let after = data[0].with(outcome.data[0].clone());
                assert_eq!(after.get(&layout, "slots", n - 1), u64::from(slots));
            }
        }
    }
}
