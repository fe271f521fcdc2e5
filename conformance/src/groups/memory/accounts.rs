//! Accounting of a device's memory, and its limit.

use crate::case::{Cases, ensure, equal, fail};
use crate::kernels::memory::rows::{Mixed, Small};
use imminent_core::{Error, Table, TallyTable};

pub(super) fn add(cases: &mut Cases) {
    cases.add("memory in use is counted, and so is the most that was", |context| {
        let device = context.device;
        let before = device.memory();
        let mut table = Table::<Small>::zeroed(device, 100_000)?;
        let tally = TallyTable::new(device, &[0_u64; 1000])?;
        let during = device.memory();
        // Rows are padded to 64, including the row after the last.
        let bytes = (100_000_u64 + 1).next_multiple_of(64) * 4 + 8000;
        equal("bytes that a table and a tally add", &(during.current - before.current), &bytes)?;
        equal("allocations that they add", &(during.allocations - before.allocations), &2)?;
        ensure(during.peak >= during.current && during.reserved > 0, || format!("{during:?}"))?;
        ensure((0.0..=1.0).contains(&during.fragmentation()), || format!("{during:?}"))?;
        table.clear()?;
        drop((table, tally));
        let after = device.memory();
        equal("bytes in use when they are gone", &after.current, &before.current)?;
        equal("allocations when they are gone", &after.allocations, &before.allocations)?;
        ensure(after.peak >= during.current, || format!("the peak fell: {during:?}, then {after:?}"))
    });
    cases.add("growth is counted", |context| {
        let before = context.device.memory().current;
        let mut table = Table::<Mixed>::with_capacity(context.device, 63, 1)?;
        let one = context.device.memory().current - before;
        table.grow(3)?;
        // A lane has two words, one, and three.
        equal("bytes that two lanes add", &(context.device.memory().current - before - one), &(2 * 6 * 64 * 4))?;
        drop(table);
        equal("bytes in use when the table is gone", &context.device.memory().current, &before)
    });
    cases.add("a limit refuses what does not fit, and the error names who holds the memory", |context| {
        let device = context.device;
        let tables = (0..3).map(|_| Table::<Small>::zeroed(device, 50_000)).collect::<Result<Vec<_>, _>>()?;
        let mut grown = Table::<Mixed>::with_capacity(device, 1000, 1)?;
        device.set_memory_limit(Some(device.memory().current + 10_000));
        let refusals = (Table::<Small>::zeroed(device, 50_000).map(drop), grown.grow(100));
        let small = Table::<Small>::zeroed(device, 1000);
        device.set_memory_limit(None);
        for refusal in [refusals.0, refusals.1] {
            match refusal {
                Err(error @ Error::OutOfMemory { limit: Some(10_000), .. }) => {
                    let text = error.to_string();
                    let names = text.contains("3 times table of `Small`") && text.contains("600576 bytes");
                    ensure(names && text.contains("limit"), || format!("the error does not say who: {text}"))?;
                }
                other => return fail(format!("expected `Error::OutOfMemory`, found {other:?}")),
            }
        }
        small?;
        let held = device.holders(1000);
        ensure(held.iter().any(|holder| holder.what == "table of `Small`" && holder.count >= 3), || {
            format!("{held:?}")
        })?;
        Table::<Small>::zeroed(device, 50_000)?;
        drop(tables);
        equal("lanes of the table that could not grow", &grown.capacity(), &1)
    });
}
