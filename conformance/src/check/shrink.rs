//! Search for a small launch that still fails: few rows, then small values in them.

use crate::fuzz::given::{ArgumentData, Launched, Room};
use imminent_core::ir::interpret::Field;
use imminent_core::ir::{ParamKind, Shape, Value};
use std::ops::{ControlFlow, Range};

/// Largest number of trials.
const MAX_TRIALS: u32 = 600;

/// Returns `true` for a launch that fails. `Break` ends the search.
type Fails<'f> = &'f mut dyn FnMut(&Launched) -> ControlFlow<(), bool>;

/// Returns a small launch that fails, beginning with one that does. `row` is the row at which it fails, if known.
pub(super) fn smallest(launched: Launched, row: Option<u32>, fails: Fails<'_>) -> Launched {
    let mut search = Search { best: launched, fails, left: MAX_TRIALS };
    search.rows(row);
    // A value may be small only after another became so.
    for _ in 0..2 {
        search.values();
    }
    search.best
}

struct Search<'f> {
    best: Launched,
    fails: Fails<'f>,
    left: u32,
}

impl Search<'_> {
    /// Takes over a change of the launch if it fails with it.
    fn take(&mut self, change: impl FnOnce(&mut Launched)) -> bool {
        // A copy of a large launch costs more than the trial of a small one.
        if self.left == 0 {
            return false;
        }
        let mut trial = self.best.clone();
        change(&mut trial);
        self.left -= 1;
        match (self.fails)(&trial) {
            ControlFlow::Continue(true) => self.best = trial,
            ControlFlow::Continue(false) => return false,
            ControlFlow::Break(()) => {
                self.left = 0;
                return false;
            }
        }
        true
    }

    fn rows(&mut self, row: Option<u32>) {
        self.take(|whole| whole.subset = None);
        let Some((kernel, function)) = self.best.entry() else { return };
        if self.best.subset.is_some() || kernel.shape != Shape::Rows {
            return;
        }
        // Every row of the launch needs its own row in the other tables.
        let is_whole: Vec<bool> =
            function.params.iter().map(|param| matches!(param.kind, ParamKind::Rows(_))).collect();
        let row = row.filter(|row| *row < self.best.rows);
        if let Some(row) = row {
            self.take(|trial| keep(trial, row..row + 1));
        }
        let ends = row.map(|row| row + 1).into_iter().chain([1, 2, 3]);
        for end in ends {
            if end < self.best.rows {
                self.take(|trial| keep(trial, 0..end));
            }
        }
        for (argument, is_whole) in is_whole.into_iter().enumerate() {
            match &self.best.given[argument] {
                ArgumentData::Tally { .. } => {}
                ArgumentData::Table { room: Room::Even(_), .. } if is_whole => {}
                _ => continue,
            }
            self.take(|trial| match &mut trial.given[argument] {
                ArgumentData::Tally { slots, .. } => slots.truncate(1),
                ArgumentData::Table { rows, .. } => rows.truncate(1),
                _ => {}
            });
        }
    }

    fn values(&mut self) {
        let mut at = 0;
        while self.left > 0
            && let Some(value) = leaf(&mut self.best, at).cloned()
        {
            let high = magnitude(&value);
            if high > 0 && !(0..high.min(4)).any(|small| self.set(at, &value, small)) {
                // The least value that fails, where all above it do.
                let (mut passes, mut high) = (high.min(4) - 1, high);
                while high - passes > 1 && self.left > 0 {
                    let middle = passes + (high - passes) / 2;
                    match self.set(at, &value, middle) {
                        true => high = middle,
                        false => passes = middle,
                    }
                }
            }
            at += 1;
        }
    }

    fn set(&mut self, at: usize, value: &Value, magnitude: u64) -> bool {
        self.take(|trial| {
            if let Some(leaf) = leaf(trial, at) {
                *leaf = of_magnitude(value, magnitude);
            }
        })
    }
}

/// Leaves some of the rows of a launch alone.
fn keep(trial: &mut Launched, kept: Range<u32>) {
    let (start, end) = (kept.start as usize, kept.end as usize);
    let own = trial.rows as usize;
    for given in &mut trial.given {
        if let ArgumentData::Table { rows, room, .. } = given
            && rows.len() == own
        {
            if let Room::Own(capacities) = room {
                capacities.truncate(end);
                capacities.drain(..start);
            }
            rows.truncate(end);
            rows.drain(..start);
        }
    }
    trial.rows = kept.end - kept.start;
}

/// Returns the scalar at a position among all of a launch.
fn leaf(launched: &mut Launched, at: usize) -> Option<&mut Value> {
    let mut left = at;
    for given in &mut launched.given {
        let found = match given {
            ArgumentData::Table { rows, .. } => {
                let fields = rows.iter_mut().flat_map(|row| &mut row.fields);
                let values = fields.flat_map(|field| match field {
                    Field::Value(value) => std::slice::from_mut(value),
                    Field::Lanes(lanes) => lanes.as_mut_slice(),
                });
                scalar(values, &mut left)
            }
            ArgumentData::Params { value, .. } => scalar(std::iter::once(value), &mut left),
            ArgumentData::Tally { slots, .. } => scalar(slots.iter_mut(), &mut left),
            ArgumentData::Nothing => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn scalar<'v>(values: impl Iterator<Item = &'v mut Value>, left: &mut usize) -> Option<&'v mut Value> {
    for value in values {
        match value {
            Value::Struct(inner) | Value::Array(inner) => {
                if let Some(found) = scalar(inner.iter_mut(), left) {
                    return Some(found);
                }
            }
            value if *left == 0 => return Some(value),
            _ => *left -= 1,
        }
    }
    None
}

fn magnitude(value: &Value) -> u64 {
    match value {
        Value::Bool(of) => u64::from(*of),
        Value::U32(of) | Value::Enum(of) => u64::from(*of),
        Value::I32(of) => u64::from(of.unsigned_abs()),
        Value::U64(of) => *of,
        Value::I64(of) => of.unsigned_abs(),
        // A float is replaced by one alone: the order of zeros of both signs is no device's promise.
        Value::F32(bits) => u64::from(f32::from_bits(*bits) != 1.0),
        Value::F64(bits) => u64::from(f64::from_bits(*bits) != 1.0),
        Value::Struct(_) | Value::Array(_) => 0,
    }
}

/// Returns a value of the type and sign of another.
fn of_magnitude(value: &Value, magnitude: u64) -> Value {
    match value {
        Value::Bool(_) => Value::Bool(magnitude != 0),
        Value::U32(_) => Value::U32(magnitude as u32),
        // Numbers between the discriminants of an enum stand for no variant.
        Value::Enum(of) => Value::Enum(if magnitude == 0 { 0 } else { *of }),
        Value::I32(of) => Value::I32(if *of < 0 { (magnitude as u32).wrapping_neg() as i32 } else { magnitude as i32 }),
        Value::U64(_) => Value::U64(magnitude),
        Value::I64(of) => Value::I64(if *of < 0 { magnitude.wrapping_neg() as i64 } else { magnitude as i64 }),
        Value::F32(bits) => Value::F32(if magnitude == 0 { 1_f32.to_bits() } else { *bits }),
        Value::F64(bits) => Value::F64(if magnitude == 0 { 1_f64.to_bits() } else { *bits }),
        other => other.clone(),
    }
}
