//! Histories: the native functions and the IR agree with each other and with a plain map from row and step.

use imminent_core::Reach;
use imminent_core::data::{Clock, Data, Histories, Row};
use imminent_core::fault::{FaultKind, catch};
use imminent_core::ir::interpret::{Bound, History as Interpreted, Machine, RowTree, Table};
use imminent_core::ir::{ParamKind, Value, flatten};
use kernels::{ACTS, Act, Entry, Salt};
use proptest::prelude::*;
use std::collections::BTreeMap;

const ROWS: u32 = 3;

#[imminent_core::kernels]
pub mod kernels {
    /// Number of acts of a row.
    pub const ACTS: usize = 6;

    /// Acts of a row, in order.
    #[derive(Row)]
    pub struct Act {
        pub what: [u32; ACTS],
        pub row: [u32; ACTS],
        pub step: [u32; ACTS],
        pub seen: [u64; ACTS],
    }

    /// Entry of a history.
    pub struct Entry {
        pub time: u64,
        pub busy: bool,
    }

    #[derive(Params)]
    pub struct Salt {
        pub salt: u64,
    }

    fn put(own: &mut History<Entry>, step: u32, time: u64) {
        own.set(step, Entry { time, busy: time % 2 == 1 });
    }

    fn look(series: &History<Entry>, row: u32, step: u32) -> u64 {
        let entry = series.get(row, step);
        entry.time * 2 + entry.busy as u64
    }

    /// Performs the acts of a row.
    #[kernel]
    pub fn act(me: &mut Act, own: &mut History<Entry>, other: &History<u32>, clock: &Clock, salt: &Salt, id: u32) {
        for i in 0..ACTS as u32 {
            let row = me.row[i as usize];
            let step = clock.first() + me.step[i as usize] - 8;
            me.seen[i as usize] = match me.what[i as usize] {
                0 => look(own, row, step),
                1 => own.own(step).time,
                2 => other.get(row, step) as u64,
                3 => other.own(step) as u64,
                _ => {
                    put(own, step, salt.salt + i as u64 * 16 + id as u64);
                    clock.first() as u64
                }
            };
        }
    }
}

/// A launch: the clock's advance before it, and the acts of each row.
type Launch = (u32, u64, Vec<Act>);

prop_compose! {
    fn act()(
        what in proptest::array::uniform6(0_u32..6),
        row in proptest::array::uniform6(0..ROWS + 1),
        step in proptest::array::uniform6(0_u32..20),
    ) -> Act {
        Act { what, row, step, seen: [0; ACTS] }
    }
}

fn launches() -> impl Strategy<Value = Vec<Launch>> {
    proptest::collection::vec((0_u32..6, 0_u64..1 << 40, proptest::collection::vec(act(), ROWS as usize)), 1..12)
}

fn reach() -> impl Strategy<Value = Reach> {
    (0_u32..7, 1_u32..6).prop_map(|(past, ahead)| Reach { past, ahead })
}

/// Model of a history: a map from row and step to the newest entry of the step, or of an earlier one in its place.
struct Plain {
    entries: BTreeMap<(u32, u32), Entry>,
    reach: Reach,
}

impl Plain {
    fn at(&self, row: u32, step: u32) -> Entry {
        match (self.entries.get(&(row, step)), step.checked_sub(self.reach.past + self.reach.ahead)) {
            (Some(entry), _) => *entry,
            (None, Some(earlier)) => self.at(row, earlier),
            (None, None) => Entry::zeroed(),
        }
    }

    fn read(&self, first: u32, row: u32, step: u32, own: bool) -> Result<Entry, FaultKind> {
        let end = u64::from(first) + if own { u64::from(self.reach.ahead) } else { 0 };
        match (row < ROWS, u64::from(step)) {
            (false, _) => Err(FaultKind::RowOutOfRange),
            (_, at) if at + u64::from(self.reach.past) < u64::from(first) => Err(FaultKind::HistoryTooOld),
            (_, at) if at >= end => Err(FaultKind::HistoryTooYoung),
            _ => Ok(self.at(row, step)),
        }
    }

    /// Returns the value that an act reads, and its fault. The other history is never written, so it is zero.
    fn act(&mut self, first: u32, id: u32, salt: u64, act: &Act, i: usize) -> (u64, Option<FaultKind>) {
        let (row, step) = (act.row[i], first.wrapping_add(act.step[i]).wrapping_sub(8));
        let seen = match act.what[i] {
            0 => self.read(first, row, step, false).map(|entry| entry.time * 2 + u64::from(entry.busy)),
            1 => self.read(first, id, step, true).map(|entry| entry.time),
            2 => self.read(first, row, step, true).map(|_| 0),
            3 => self.read(first, id, step, true).map(|_| 0),
            _ => {
                let fault = match step.checked_sub(first) {
                    None => Some(FaultKind::HistoryTooEarly),
                    Some(further) if further >= self.reach.ahead => Some(FaultKind::HistoryTooFar),
                    Some(_) => {
                        let time = salt.wrapping_add(i as u64 * 16 + u64::from(id));
                        self.entries.insert((id, step), Entry { time, busy: time % 2 == 1 });
                        None
                    }
                };
                return (u64::from(first), fault);
            }
        };
        (seen.unwrap_or(0), seen.err())
    }
}

proptest! {
    #[test]
    fn a_ring_is_a_map_from_row_and_step(reach in reach(), start in 0_u32..20, launches in launches()) {
        let mut plain = Plain { entries: BTreeMap::new(), reach };
        let (mut own, other) = (Histories::<Entry>::new(ROWS, reach), Histories::<u32>::new(ROWS, reach));
        let mut first = start;
        for (further, salt, acts) in launches {
            first += further;
            let (clock, salt) = (Clock::at(first), Salt { salt });
            for (id, given) in (0..).zip(&acts) {
                let mut done = *given;
                let ((), fault) = catch(|| {
                    kernels::act(&mut done, &mut own.row(id, &clock), &other.read_only(id, &clock), &clock, &salt, id);
                });
                let expected: Vec<_> = (0..ACTS).map(|i| plain.act(first, id, salt.salt, given, i)).collect();
                prop_assert_eq!(&done.seen[..], &expected.iter().map(|(seen, _)| *seen).collect::<Vec<_>>()[..]);
                prop_assert_eq!(fault.map(|fault| fault.kind), expected.iter().find_map(|(_, fault)| *fault));
            }
        }
    }

    #[test]
    fn native_histories_are_those_of_the_ir(reach in reach(), start in 0_u32..20, launches in launches()) {
        let module = kernels::source().ir().unwrap();
        let kernel = module.kernel("act").unwrap();
        flatten(module, kernel).unwrap();
        let ParamKind::Row(act_id, true) = module.functions[kernel.function.index()].params[0].kind else { panic!() };
        let places = (reach.past + reach.ahead) as usize;
        let history = |written: bool, zero: Value| Interpreted {
            ahead: reach.ahead,
            written,
            rings: vec![vec![zero; places]; ROWS as usize],
        };
        let silent = Value::Struct(vec![Value::U64(0), Value::Bool(false)]);
        let histories = vec![history(true, silent), history(false, Value::U32(0))];
        let mut machine = Machine { histories, first: start, fuel: 2_000_000, ..Machine::new(module) };
        let (mut own, other) = (Histories::<Entry>::new(ROWS, reach), Histories::<u32>::new(ROWS, reach));
        for (further, salt, acts) in launches {
            machine.first += further;
            let clock = Clock::at(machine.first);
            let tree = |row: &Act| RowTree::read(module, act_id, 0, &|_, word| Row::leaf(row, word)).unwrap();
            machine.tables = vec![Table { of: act_id, rows: acts.iter().map(tree).collect() }];
            for (id, given) in (0_u32..).zip(&acts) {
                let mut done = *given;
                let ((), fault) = catch(|| {
                    let (mut own, other) = (own.row(id, &clock), other.read_only(id, &clock));
                    kernels::act(&mut done, &mut own, &other, &clock, &Salt { salt }, id);
                });
                machine.fault = None;
                let row = id as usize;
                let bound = vec![
                    Bound::Row { table: 0, row },
                    Bound::History { history: 0, row },
                    Bound::History { history: 1, row },
                    Bound::Clock,
                    Bound::Value(Value::Struct(vec![Value::U64(salt)])),
                    Bound::Value(Value::U32(id)),
                ];
                machine.call(kernel.function, bound).unwrap();
                let site = machine.fault.map(|site| &module.sites[site.index()]);
                let expected = site.map(|site| (site.kind, site.line, site.column));
                prop_assert_eq!(fault.map(|fault| (fault.kind, fault.at.line, fault.at.column)), expected);
                prop_assert_eq!(&tree(&done), &machine.tables[0].rows[row]);
            }
        }
        let clock = Clock::at(machine.first);
        let window = machine.first.saturating_sub(reach.past)..machine.first + reach.ahead;
        for (row, step) in (0..ROWS).flat_map(|row| window.clone().map(move |step| (row, step))) {
            let entry = own.read_only(row, &clock).own(step);
            let expected = Value::Struct(vec![Value::U64(entry.time), Value::Bool(entry.busy)]);
            prop_assert_eq!(&machine.histories[0].rings[row as usize][step as usize % places], &expected);
        }
    }
}
