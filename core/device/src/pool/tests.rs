use super::*;
use proptest::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// A counting driver with limited room.
#[derive(Debug, Default)]
struct Driver {
    room: u64,
    taken: Arc<AtomicU64>,
    made: AtomicU64,
}

#[derive(Debug)]
struct Allocation {
    number: u64,
    bytes: u64,
    taken: Arc<AtomicU64>,
}

impl Drop for Allocation {
    fn drop(&mut self) {
        self.taken.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

impl Allocator for Driver {
    type Slab = Allocation;
    /// Number of the allocation, and the bytes in it.
    type Block = (u64, Range<u64>);

    fn allocate(&self, what: &str, bytes: u64, _: &PoolLimits) -> Result<Allocation> {
        if self.taken.load(Ordering::Relaxed) + bytes > self.room {
            let (backend, device) = ("test".to_owned(), "driver".to_owned());
            let (what, holders) = (what.to_owned(), Vec::new());
            return Err(Error::OutOfMemory { backend, device, what, requested: bytes, limit: None, holders });
        }
        self.taken.fetch_add(bytes, Ordering::Relaxed);
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        Ok(Allocation { number, bytes, taken: self.taken.clone() })
    }

    fn place(&self, slab: &Allocation, offset: u64, bytes: u64) -> Result<(u64, Range<u64>)> {
        assert!(offset + bytes <= slab.bytes && offset.is_multiple_of(LIMITS.alignment));
        Ok((slab.number, offset..offset + bytes))
    }
}

const LIMITS: PoolLimits = PoolLimits { alignment: 256, shared: true, largest: 1 << 30, store: None };

fn driver(room: u64) -> Driver {
    Driver { room, ..Driver::default() }
}

fn take(pool: &Arc<Pool<Driver>>, driver: &Driver, queue: &Arc<Timeline>, bytes: u64) -> Loan<Driver> {
    pool.take(driver, queue, "memory", bytes).unwrap()
}

#[test]
fn small_places_share_an_allocation_and_large_ones_do_not() {
    let (driver, queue, pool) = (driver(1 << 30), Arc::default(), Pool::new(LIMITS));
    let small: Vec<_> = (0..4).map(|_| take(&pool, &driver, &queue, 1000)).collect();
    assert_eq!(driver.made.load(Ordering::Relaxed), 1);
    let large: Vec<_> = (0..2).map(|_| take(&pool, &driver, &queue, 1 << 20)).collect();
    assert_eq!(driver.made.load(Ordering::Relaxed), 3);
    let PoolStatistics { held, used, .. } = pool.statistics();
    assert_eq!((held, used), (4 * 1024 + (2 << 20), 4 * 1000 + (2 << 20)));
    drop((small, large));
    assert_eq!(pool.statistics().used, 0);
    assert!((pool.statistics().fragmentation() - 1.0).abs() < 1e-12);
    pool.trim();
    assert_eq!((pool.statistics().held, pool.statistics().held_peak), (0, held));
    assert_eq!(pool.statistics().fragmentation(), 0.0);
}

#[test]
fn a_queue_has_at_once_what_it_alone_used_and_others_wait() {
    let (driver, pool) = (driver(1 << 30), Pool::new(LIMITS));
    let (one, two): (Arc<Timeline>, Arc<Timeline>) = Default::default();
    let first = take(&pool, &driver, &one, 1 << 20);
    let place = first.place().clone();
    assert!(first.is_new());
    drop(first);
    let again = take(&pool, &driver, &one, 1 << 20);
    assert_eq!((again.place(), again.is_new()), (&place, false));
    again.used_by(&two);
    drop(again);
    for queue in [&one, &two] {
        assert_ne!(take(&pool, &driver, queue, 1 << 20).place(), &place);
    }
    let mark = two.cut();
    assert_ne!(take(&pool, &driver, &one, 1 << 20).place(), &place);
    two.reached(mark);
    pool.trim();
    let other = take(&pool, &driver, &one, 1 << 20);
    drop(take(&pool, &driver, &one, 1 << 20));
    other.used_by(&two);
    drop(other);
    two.closed();
    one.closed();
    assert!(!take(&pool, &driver, &two, 1 << 20).is_new());
}

#[test]
fn what_is_idle_makes_room_before_memory_is_refused() {
    let (driver, queue, pool) = (driver(10 << 20), Arc::default(), Pool::new(LIMITS));
    drop(take(&pool, &driver, &queue, 8 << 20));
    let held = take(&pool, &driver, &queue, 9 << 20);
    let error = pool.take(&driver, &queue, "a table", 2_000_001).unwrap_err();
    assert!(matches!(error, Error::OutOfMemory { requested: 2_000_001, .. }), "{error}");
    // Where a shared allocation does not fit, a separate place may.
    let rest = driver.room - driver.taken.load(Ordering::Relaxed);
    let small = take(&pool, &driver, &queue, 100 << 10);
    assert!(rest < (100 << 10) * 16 && small.is_new());
    drop((held, small));
}

#[test]
fn idle_memory_is_not_kept_without_bound() {
    let (driver, queue, pool) = (driver(u64::MAX), Arc::default(), Pool::new(LIMITS));
    let loans: Vec<_> = (0..10).map(|_| take(&pool, &driver, &queue, 100 << 20)).collect();
    for (kept, loan) in loans.into_iter().enumerate().rev() {
        drop(loan);
        let PoolStatistics { held, used, .. } = pool.statistics();
        assert_eq!(used, kept as u64 * (100 << 20));
        assert!(held - used <= (used / 4).max(32 << 20), "{held} held, {used} used");
    }
}

#[test]
fn a_part_of_a_store_is_kept_until_its_users_are_done() {
    let (driver, one) = (driver(1 << 30), Arc::<Timeline>::default());
    for store in [None, Some(0)] {
        let pool = Pool::new(PoolLimits { store, ..LIMITS });
        let held = || pool.statistics().held;
        drop(take(&pool, &driver, &one, 1 << 20));
        pool.trim();
        assert_eq!(held(), if store.is_some() { 1 << 20 } else { 0 });
        one.reached(one.cut());
        pool.trim();
        assert_eq!(held(), 0);
    }
}

#[derive(Clone, Debug)]
enum Step {
    Take { queue: usize, bytes: u64 },
    Use { loan: usize, queue: usize },
    Release { loan: usize },
    Cut { queue: usize },
    Reach { queue: usize },
    Trim,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let bytes = prop_oneof![0_u64..1000, 0_u64..200_000, 0_u64..5_000_000];
    let step = prop_oneof![
        4 => (0_usize..3, bytes).prop_map(|(queue, bytes)| Step::Take { queue, bytes }),
        2 => (0_usize..50, 0_usize..3).prop_map(|(loan, queue)| Step::Use { loan, queue }),
        4 => (0_usize..50).prop_map(|loan| Step::Release { loan }),
        1 => (0_usize..3).prop_map(|queue| Step::Cut { queue }),
        1 => (0_usize..3).prop_map(|queue| Step::Reach { queue }),
        1 => Just(Step::Trim),
    ];
    proptest::collection::vec(step, 1..200)
}

/// A loan, and the queues whose work uses it.
struct Held {
    loan: Loan<Driver>,
    users: Vec<usize>,
}

/// A place, and the work of queues that may still use it.
type Released = ((u64, Range<u64>), Vec<(usize, u64)>);

proptest! {
    /// For any order of calls: places in use do not overlap, no place has a new owner while another queue's work may
    /// use it, the statistics are true, and everything is given back.
    #[test]
    fn places_are_apart_in_space_or_in_time(steps in steps()) {
        let (driver, pool) = (driver(64 << 20), Pool::new(LIMITS));
        let queues: [Arc<Timeline>; 3] = Default::default();
        let mut marks: [Vec<u64>; 3] = Default::default();
        let mut held: Vec<Held> = Vec::new();
        // Released places, with the work that may still use each.
        let mut released: Vec<Released> = Vec::new();
        let mut most = (0, 0);
        for step in steps {
            match step {
                Step::Take { queue, bytes } => {
                    let Ok(loan) = pool.take(&driver, &queues[queue], "memory", bytes) else { continue };
                    let (slab, range) = loan.place().clone();
                    prop_assert!(range.end - range.start >= bytes.max(1));
                    let overlap = |other: &(u64, Range<u64>)| {
                        other.0 == slab && other.1.start < range.end && range.start < other.1.end
                    };
                    prop_assert!(!held.iter().any(|held| overlap(held.loan.place())));
                    for (_, users) in released.iter().filter(|(place, _)| overlap(place)) {
                        prop_assert!(!loan.is_new());
                        prop_assert!(users.iter().all(|(user, stretch)| *user == queue
                            || marks[*user].first().is_none_or(|open| stretch < open) && queues[*user].is_over(*stretch)));
                    }
                    held.push(Held { loan, users: vec![queue] });
                }
                Step::Use { loan, queue } => {
                    if let Some(held) = held.get_mut(loan) {
                        held.loan.used_by(&queues[queue]);
                        held.users.push(queue);
                    }
                }
                Step::Release { loan } => {
                    if loan < held.len() {
                        let Held { loan, users } = held.swap_remove(loan);
                        let uses = users.into_iter().map(|user| (user, queues[user].present())).collect();
                        released.push((loan.place().clone(), uses));
                    }
                }
                Step::Cut { queue } => marks[queue].push(queues[queue].cut()),
                Step::Reach { queue } => {
                    if !marks[queue].is_empty() {
                        queues[queue].reached(marks[queue].remove(0));
                    }
                }
                Step::Trim => pool.trim(),
            }
            let statistics = pool.statistics();
            most = (statistics.held.max(most.0), statistics.used.max(most.1));
            prop_assert_eq!(statistics.held, driver.taken.load(Ordering::Relaxed));
            prop_assert_eq!(statistics.used, held.iter().map(|held| held.loan.bytes()).sum::<u64>());
            prop_assert!(statistics.used <= statistics.held && (0.0..=1.0).contains(&statistics.fragmentation()));
            prop_assert!(statistics.held_peak >= most.0 && statistics.used_peak >= most.1);
        }
        drop(held);
        pool.trim();
        prop_assert_eq!((pool.statistics().held, driver.taken.load(Ordering::Relaxed)), (0, 0));
    }
}
