//! Order between queues: the last users of a memory, and the progress of other queues that a queue knows of.

use crate::backend::Pending;
use crate::error::Result;
use std::fmt::Debug;
use std::sync::{Arc, Weak};

/// A queue, as memory and other queues know it: its operations have numbers, for which they can wait.
pub(crate) trait Numbered: Debug + Send + Sync {
    /// Returns the number of the queue.
    fn id(&self) -> u64;

    /// Returns the number of the last operation whose outcome is known.
    fn finished(&self) -> u64;

    /// Returns the first mark at or after an operation.
    fn mark_after(&self, number: u64) -> Result<Arc<Mark>>;

    /// Waits for a mark. An error of the work before it, on this queue or on one that came before it, poisons all
    /// memory that this work may have written.
    fn complete(&self, mark: &Mark) -> Result<()>;
}

/// A mark on a queue: the end of the operations up to a number.
#[derive(Debug)]
pub(crate) struct Mark {
    /// Last operation before the mark; 0 for the clearing of new memory, which is no operation.
    pub(crate) number: u64,
    pub(crate) pending: Arc<dyn Pending>,
    /// Operations of other queues that come before the mark.
    pub(crate) clock: Clock,
}

/// Operations of other queues that come before a point (a vector clock).
#[derive(Clone, Debug, Default)]
pub(crate) struct Clock(Vec<Known>);

/// A queue, and its last operation that comes before.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    id: u64,
    pub(crate) queue: Weak<dyn Numbered>,
    pub(crate) number: u64,
}

impl Clock {
    pub(crate) fn number(&self, id: u64) -> u64 {
        self.0.iter().find(|known| known.id == id).map_or(0, |known| known.number)
    }

    fn learn(&mut self, other: &Known) {
        match self.0.iter_mut().find(|known| known.id == other.id) {
            Some(known) => known.number = known.number.max(other.number),
            None => self.0.push(other.clone()),
        }
    }

    /// Merges the clock of a queue's mark into the clock of queue `own`.
    pub(crate) fn after(&mut self, own: u64, queue: &Arc<dyn Numbered>, mark: &Mark) {
        self.0.retain(|known| known.queue.strong_count() > 0);
        self.learn(&Known { id: queue.id(), queue: Arc::downgrade(queue), number: mark.number });
        for known in mark.clock.0.iter().filter(|known| known.id != own) {
            self.learn(known);
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Known> {
        self.0.iter()
    }
}

/// One use of a memory by an operation.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub(crate) id: u64,
    pub(crate) queue: Weak<dyn Numbered>,
    pub(crate) number: u64,
    /// Mark at the end of the use, if there is one already.
    pub(crate) mark: Option<Arc<Mark>>,
}

/// Uses of a memory for which later work may have to wait: the last write, and for each queue the reads since then.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    write: Option<Use>,
    reads: Vec<Use>,
}

impl Uses {
    /// Records a use, and adds the uses that it must follow to `needs`.
    pub(crate) fn add(&mut self, new: Use, writes: bool, needs: &mut Vec<Use>) {
        let foreign = |old: &&Use| old.id != new.id;
        needs.extend(self.write.iter().filter(foreign).cloned());
        if writes {
            needs.extend(self.reads.iter().filter(foreign).cloned());
            self.reads.clear();
            self.write = Some(new);
        } else {
            self.reads.retain(|old| old.id != new.id && old.queue.strong_count() > 0);
            self.reads.push(new);
        }
    }

    /// Sets the mark of a recorded use.
    pub(crate) fn mark(&mut self, id: u64, mark: &Arc<Mark>) {
        for old in self.write.iter_mut().chain(&mut self.reads) {
            if old.id == id && old.number == mark.number {
                old.mark = Some(mark.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A queue that no longer exists.
    #[derive(Debug)]
    struct Gone;

    impl Numbered for Gone {
        fn id(&self) -> u64 {
            0
        }

        fn finished(&self) -> u64 {
            0
        }

        fn mark_after(&self, _number: u64) -> Result<Arc<Mark>> {
            unreachable!("nothing waits for a queue that is gone")
        }

        fn complete(&self, _mark: &Mark) -> Result<()> {
            unreachable!("nothing waits for a queue that is gone")
        }
    }

    fn used(id: u64, number: u64) -> Use {
        Use { id, queue: Weak::<Gone>::new(), number, mark: None }
    }

    fn needs(uses: &mut Uses, new: Use, writes: bool) -> Vec<(u64, u64)> {
        let mut needs = Vec::new();
        uses.add(new, writes, &mut needs);
        needs.iter().map(|need| (need.id, need.number)).collect()
    }

    #[test]
    fn reads_wait_for_the_write_and_writes_for_everything() {
        let mut uses = Uses::default();
        assert_eq!(needs(&mut uses, used(1, 1), true), []);
        assert_eq!(needs(&mut uses, used(1, 2), false), []);
        assert_eq!(needs(&mut uses, used(2, 1), false), [(1, 1)]);
        assert_eq!(needs(&mut uses, used(3, 1), false), [(1, 1)]);
        // The queues of these reads no longer exist in this test, so the third read has dropped the others.
        assert_eq!(needs(&mut uses, used(2, 2), true), [(1, 1), (3, 1)]);
        assert_eq!(needs(&mut uses, used(2, 3), true), []);
        assert_eq!(needs(&mut uses, used(1, 3), true), [(2, 3)]);
    }
}
