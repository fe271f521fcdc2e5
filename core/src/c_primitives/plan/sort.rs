//! Stable sorts: a radix sort from the lowest digit on, three launches for each digit; one launch in all for a few tiles.

use super::{Machine, Place, Plan, Step, moves};
use crate::backend::View;
use crate::c_dialect::Dialect;
use crate::c_primitives::kernel::{Kernel, MoveKind, SortStep, THREADS};
use crate::error::Result;

/// Rows of a tile.
const TILE: u32 = THREADS * 16;
/// Tiles that one group sorts alone: more, and several groups are faster in spite of their launches.
const FEW_TILES: u32 = 2;
/// Rows of the largest sort: its scratch memory is addressed in 32 bits.
pub(super) const MOST_ROWS: u32 = 1 << 29;
/// More chunks than this take longer to sum up than they gain.
const MOST_CHUNKS: u32 = 2048;

/// Where the halves of the scratch memory lie between which keys and payloads go to and fro, and what follows them.
struct Room {
    keys: [u64; 2],
    payloads: [u64; 2],
    matrix: u64,
}

impl Room {
    fn new(rows: u32, words: u32) -> Room {
        let keys = (u64::from(rows) * u64::from(words)).next_multiple_of(4);
        let payloads = u64::from(rows).next_multiple_of(4);
        Room { keys: [0, keys], payloads: [2 * keys, 2 * keys + payloads], matrix: 2 * (keys + payloads) }
    }
}

pub(super) fn sort(
    machine: &dyn Machine,
    keys: &View,
    values: Option<&View>,
    sorted_keys: Option<&View>,
    sorted_values: &View,
) -> Result<Plan> {
    let (rows, scalar) = (keys.rows(), keys.scalar());
    let room = Room::new(rows, scalar.words());
    // Values of two words are fetched at the end, by their row numbers, which go to the first half: the last pass reads the second.
    let wide = values.filter(|values| values.scalar().words() == 2);
    let payload = values.filter(|_| wide.is_none());
    let last = if wide.is_some() { Place::Scratch(room.payloads[1]) } else { Place::View(sorted_values.clone()) };
    let view = |view: Option<&View>| view.map_or(Place::None, |view| Place::View(view.clone()));
    let numbers = u32::from(payload.is_none());
    let keys_wanted = u32::from(sorted_keys.is_some());
    let mut plan = Plan { steps: Vec::new(), scratch: room.matrix, counters: 1 };
    let tiles = rows.div_ceil(TILE).max(1);
    if tiles <= FEW_TILES {
        let [k0, k1] = room.keys.map(|word| word as u32);
        let [p0, p1] = room.payloads.map(|word| word as u32);
        plan.steps.push(
            Step::new(Kernel::Sort(SortStep::Small, scalar), 1, rows)
                .columns([Place::View(keys.clone()), view(payload), view(sorted_keys), last])
                .words(0, &[k0, k1, p0, p1])
                .words(5, &[numbers, keys_wanted]),
        );
    } else {
        let most = machine.resident(Kernel::Sort(SortStep::Place, scalar))?.clamp(1, MOST_CHUNKS);
        let chunk = tiles.div_ceil(most).saturating_mul(TILE);
        let chunks = rows.div_ceil(chunk);
        let digit_bits = if machine.dialect() == Dialect::Cuda { 8 } else { 4 };
        let digits = 1_u32 << digit_bits;
        let passes = scalar.words() * 32 / digit_bits;
        for pass in 0..passes {
            let (from, to) = ((pass as usize + 1) % 2, pass as usize % 2);
            let between = |half: usize| [Place::Scratch(room.keys[half]), Place::Scratch(room.payloads[half])];
            let [from_keys, from_payloads] =
                if pass == 0 { [Place::View(keys.clone()), view(payload)] } else { between(from) };
            let (ends, [to_keys, to_payloads]) =
                if pass + 1 == passes { (true, [view(sorted_keys), last.clone()]) } else { (false, between(to)) };
            let columns = [from_keys, from_payloads, to_keys, to_payloads];
            let own = [pass * digit_bits, if pass == 0 { numbers } else { 0 }, if ends { keys_wanted } else { 1 }];
            for (step, groups) in [(SortStep::Count, chunks), (SortStep::Offsets, digits), (SortStep::Place, chunks)] {
                plan.steps.push(
                    Step::new(Kernel::Sort(step, scalar), groups, rows)
                        .columns(columns.clone())
                        .words(0, &own)
                        .words(4, &[room.matrix as u32, 0, 0, 0, chunk, chunks]),
                );
            }
        }
        plan.scratch += u64::from(digits) * (u64::from(chunks) + 1);
    }
    if let Some(values) = wide {
        // The keys' halves are done with: the values go through them, for they may be sorted in place.
        let through = Place::Scratch(plan.scratch.next_multiple_of(4));
        plan.scratch = plan.scratch.next_multiple_of(4) + u64::from(rows) * 2;
        let gather = moves::step(machine, MoveKind::Gather, values.scalar(), rows)?;
        plan.steps.push(gather.columns([
            Place::View(values.clone()),
            through.clone(),
            Place::Scratch(room.payloads[1]),
        ]));
        let copy = moves::step(machine, MoveKind::Copy, values.scalar(), rows)?;
        plan.steps.push(copy.columns([through, Place::View(sorted_values.clone())]));
    }
    Ok(plan)
}
