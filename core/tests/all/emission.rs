//! Items that `#[kernels]` emits beside the functions: data traits, columns, entries, the IR.
#![allow(clippy::expect_used)]

use imminent_core::data::{Data, Lanes, Row};
use imminent_core::fault::{FaultKind, catch};
use imminent_core::ir::Layout;
use imminent_core::kernel::Kernel;
use imminent_core::native::{Call, ErasedTable, NativeTable, Slot};

/// The example of the language reference.
#[imminent_core::kernels]
mod shop {
    use imminent_core::random::Pcg32;

    /// A server with a queue in front of it.
    #[derive(Row)]
    pub struct Server {
        pub free_at: u64,
        pub rng: Pcg32,
        pub waiting: u32,
        pub line: Lanes<u64>,
        pub served: [u32; 4],
    }

    #[derive(Params)]
    pub struct Shop {
        pub mean: u64,
    }

    /// Serves the first in line. Returns when the server is free again.
    #[kernel(reduce = min)]
    pub fn serve(me: &mut Server, shop: &Shop) -> u64 {
        if me.waiting > 0 {
            me.waiting -= 1;
            let arrived = me.line.get(me.waiting);
            me.free_at = me.free_at.max(arrived) + me.rng.next_u64() % shop.mean;
            me.served[(arrived % 4) as usize] += 1;
        }
        me.free_at
    }
}

/// Structs that cover corner cases of the emission.
#[imminent_core::kernels]
mod corners {
    /// Shares its name with a struct of another module that is imported under another name.
    #[derive(Row)]
    pub struct Server {
        pub phase: Phase,
        pub deep: [[Inner; 2]; 3],
        pub jobs: Lanes<Inner>,
        pub flags: Lanes<bool>,
        pub last: f64,
    }

    use super::shop::Server as ShopServer;

    pub struct Inner {
        pub small: bool,
        pub wide: i64,
    }

    #[derive(Debug)]
    pub enum Phase {
        Late = 7,
        Zero = 0,
        Next,
    }

    /// Divides.
    #[kernel(reduce = argmin)]
    pub fn divide(me: &mut Server, other: &ShopServer, id: u32) -> u32 {
        me.last += 1.0;
        100 / (other.waiting + id)
    }

    #[kernel]
    pub fn at_the_end(me: &mut Server, by: u32) {
        me.deep[by as usize][1].wide = 5;
    }
}

fn server() -> corners::Server {
    let inner = |n: i64| corners::Inner { small: n % 2 == 1, wide: -n };
    corners::Server {
        phase: corners::Phase::Late,
        deep: [[inner(1), inner(2)], [inner(3), inner(4)], [inner(5), inner(6)]],
        jobs: Lanes::from(vec![inner(7), inner(8)]),
        flags: Lanes::from(vec![true, false]),
        last: -2.5,
    }
}

fn names(layout: &Layout) -> Vec<(String, u32, bool)> {
    layout.columns.iter().map(|c| (c.name.clone(), c.word, c.lane)).collect()
}

#[test]
fn a_row_copied_word_by_word_is_equal() {
    let original = server();
    let layout = corners::Server::layout();
    assert_eq!(layout.fixed_words, 1 + 6 * 3 + 2);
    assert_eq!(layout.lane_words, 4);
    let mut copy = <corners::Server as Row>::zeroed(2);
    assert_ne!(original, copy);
    for column in &layout.columns {
        if column.lane {
            for lane in 0..2 {
                copy.set_lane_leaf(lane, column.word, original.lane_leaf(lane, column.word));
            }
        } else {
            copy.set_leaf(column.word, original.leaf(column.word));
        }
    }
    assert_eq!(original, copy);
    assert_eq!(original.leaf(layout.fixed_words), 0);
    assert_eq!(original.lane_leaf(2, 0), 0);
}

#[test]
fn structs_of_one_name_keep_their_own_layouts() {
    assert!(names(corners::Server::layout()).iter().any(|(name, ..)| name == "deep[2][1].wide"));
    assert_eq!(
        names(shop::Server::layout())[..3],
        [("free_at".to_owned(), 0, false), ("rng.state".to_owned(), 2, false), ("rng.increment".to_owned(), 4, false)]
    );
}

#[test]
fn growing_the_lanes_keeps_what_is_there() {
    let mut row = server();
    row.set_capacity(3);
    assert_eq!((row.capacity(), row.jobs.capacity(), row.flags.capacity()), (3, 3, 3));
    assert_eq!(row.jobs.get(1), server().jobs.get(1));
    assert_eq!(row.jobs.get(2), <corners::Inner as Data>::zeroed());
}

#[test]
fn an_enum_without_the_discriminant_is_the_zero_variant() {
    let mut phase = corners::Phase::Next;
    assert_eq!(phase as u32, 1);
    assert_eq!(phase.leaf(0), 1);
    phase.set_leaf(0, 7);
    assert_eq!(phase, corners::Phase::Late);
    phase.set_leaf(0, 99);
    assert_eq!(phase, corners::Phase::Zero);
    assert_eq!(<corners::Phase as Data>::zeroed(), corners::Phase::Zero);
}

#[test]
fn a_fault_names_the_kind_and_the_position_of_the_operator() {
    let idle = <shop::Server as Row>::zeroed(0);
    let mut me = <corners::Server as Row>::zeroed(0);
    let (result, fault) = catch(|| corners::divide(&mut me, &idle, 0));
    let fault = fault.expect("a division by zero");
    assert_eq!((result, fault.kind), (0, FaultKind::DivisionByZero));
    let text = include_str!("emission.rs").lines().nth(fault.at.line as usize - 1).expect("the line");
    assert_eq!(text.get(fault.at.column as usize - 1..).and_then(|rest| rest.chars().next()), Some('/'));
    assert!(fault.at.file.ends_with("emission.rs"));
    let ((), fault) = catch(|| corners::at_the_end(&mut me, 3));
    assert_eq!(fault.map(|fault| fault.kind), Some(FaultKind::IndexOutOfRange));
    let (_, fault) = catch(|| corners::divide(&mut me, &idle, 4));
    assert_eq!(fault, None);
}

#[test]
fn an_entry_runs_the_kernel_over_its_rows() {
    let mut mine = NativeTable::<corners::Server>::zeroed(5, 0);
    let mut other = NativeTable::<shop::Server>::zeroed(5, 0);
    for (i, row) in other.as_mut_slice().iter_mut().enumerate() {
        row.waiting = 7 - i as u32;
    }
    let source = <corners::divide as Kernel>::SOURCE;
    assert_eq!((source.name, source.module.name()), ("divide", "corners"));
    let entry = source.module.entry(source.index as usize).expect("the entry");
    let other: &dyn ErasedTable = &other;
    {
        let slots = [Slot::exclusive(&mut mine), Slot::shared(other)];
        // SAFETY: this is the only call over these slots.
        let mut call = unsafe { Call::new(&slots, 0..5) };
        entry(&mut call).expect("the bindings fit");
        let partials = call.into_partials();
        assert_eq!(partials.iter().map(|p| (p.value, p.row)).collect::<Vec<_>>(), [(14, 0)]);
    }
    assert!(mine.as_slice().iter().all(|row| row.last == 1.0));
}
