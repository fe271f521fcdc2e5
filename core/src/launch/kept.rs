//! Cache of launches that repeat.
//!
//! A simulation launches the same kernels with the same tables step after step. Findings about the first such launch
//! (its arguments fit, their buffers, the backend's preparation) hold for the next. They are therefore cached: without
//! ownership of the tables, and no longer than these and their memory live.

use super::argument::{Bound, Role};
use super::bound::BoundLaunch;
use crate::backend::{Argument, Backend, Launch, Prepared, QueueHandle};
use crate::data::Params;
use crate::error::{Error, Result};
use crate::memory::Memory;
use crate::source::KernelSource;
use std::any::TypeId;
use std::sync::{Arc, Weak};

/// Identity of a launch, as far as it is known before the arguments are bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key<'k> {
    pub(crate) source: &'k KernelSource,
    /// Number of rows requested; `None` for all.
    pub(crate) first: Option<usize>,
    /// Memory that takes the launch's value, if it has one.
    pub(crate) result: Option<&'k Arc<Memory>>,
}

/// A launch that took place. It refers to its arguments without owning them.
#[derive(Debug)]
pub(crate) struct Kept {
    source: KernelSource,
    first: Option<usize>,
    args: Vec<Named>,
    result: Option<Weak<Memory>>,
    /// The launch, with the buffers that its memories had when `moved` was the device's number of moves.
    command: Launch,
    moved: u64,
    prepared: Preparation,
    /// Index among the launches of its queue.
    pub(crate) place: usize,
}

/// A reference to an argument.
#[derive(Debug)]
enum Named {
    Table {
        memory: Weak<Memory>,
        mutable: bool,
        role: Role,
    },
    Tally {
        memory: Weak<Memory>,
    },
    /// Parameter block, as in the command.
    Params,
}

/// Preparation of the launch by the backend.
#[derive(Debug)]
enum Preparation {
    /// Not prepared yet: a launch that does not repeat need not be.
    NotYet,
    /// Never prepared, since nothing is gained.
    Never,
    Done(Prepared),
}

impl Named {
    fn of(bound: &Bound) -> Named {
        match bound {
            Bound::Table { memory, mutable, role } => {
                Named::Table { memory: Arc::downgrade(memory), mutable: *mutable, role: *role }
            }
            Bound::Tally { memory } => Named::Tally { memory: Arc::downgrade(memory) },
            Bound::Params { .. } => Named::Params,
        }
    }

    /// Returns the memory, and `true` if it may be written.
    fn used(&self) -> Option<(&Weak<Memory>, bool)> {
        match self {
            Named::Table { memory, mutable, .. } => Some((memory, *mutable)),
            Named::Tally { memory } => Some((memory, true)),
            Named::Params => None,
        }
    }
}

fn alive(memory: &Weak<Memory>) -> Result<Arc<Memory>> {
    memory.upgrade().ok_or_else(|| Error::invalid("launch", "one of its tables is gone"))
}

impl Kept {
    /// Caches a launch that was put on a queue when the device's number of moves was `moved` or more.
    pub(crate) fn new(key: Key<'_>, launch: &BoundLaunch, command: Launch, moved: u64) -> Kept {
        let args: Vec<Named> = launch.arguments().iter().map(Named::of).collect();
        let result = key.result.map(Arc::downgrade);
        launch.arguments().iter().filter_map(Bound::memory).chain(key.result).for_each(|memory| memory.remember());
        let (source, first, prepared) = (*key.source, key.first, Preparation::NotYet);
        Kept { source, first, args, result, command, moved, prepared, place: 0 }
    }

    pub(crate) fn is(&self, key: Key<'_>) -> bool {
        let same_result = match (&self.result, key.result) {
            (None, None) => true,
            (Some(own), Some(result)) => own.as_ptr() == Arc::as_ptr(result),
            _ => false,
        };
        std::ptr::eq(self.source.module, key.source.module)
            && self.source.index == key.source.index
            && self.first == key.first
            && same_result
    }

    /// Returns `true` if everything that the launch uses still exists.
    pub(crate) fn is_alive(&self) -> bool {
        self.used().all(|(memory, _)| memory.strong_count() > 0)
    }

    /// Returns `true` if the launch uses the memory at an address.
    pub(crate) fn uses(&self, address: usize) -> bool {
        self.used().any(|(memory, _)| memory.as_ptr() as usize == address)
    }

    /// Returns the memories that the launch uses, each with `true` if it may be written.
    pub(crate) fn used(&self) -> impl Iterator<Item = (&Weak<Memory>, bool)> {
        self.args.iter().filter_map(Named::used).chain(self.result.iter().map(|result| (result, true)))
    }

    /// Returns owning references to the memories that the launch uses.
    pub(crate) fn held(&self) -> Result<Vec<(Arc<Memory>, bool)>> {
        self.used().map(|(memory, written)| Ok((alive(memory)?, written))).collect()
    }

    /// Returns `true` if the launch takes `arguments` arguments.
    pub(crate) fn takes(&self, arguments: usize) -> bool {
        self.args.len() == arguments
    }

    /// Returns `true` if an argument is this memory and the memory is valid.
    pub(crate) fn has(&self, at: usize, memory: &Arc<Memory>, mutable: bool) -> bool {
        // A memory with a `Weak` reference keeps its address reserved, even after it was dropped.
        let used = self.args.get(at).and_then(Named::used);
        used.is_some_and(|(own, writes)| own.as_ptr() == Arc::as_ptr(memory) && writes == mutable) && memory.is_valid()
    }

    /// Returns `true` if an argument is a parameter block of this type. If its values differ, the launch takes the new
    /// ones and is prepared anew.
    pub(crate) fn takes_params<P: Params>(&mut self, at: usize, params: &P) -> bool {
        let (Some(Named::Params), Some(Argument::Params { words, native })) =
            (self.args.get(at), self.command.args.get_mut(at))
        else {
            return false;
        };
        if (**native).type_id() != TypeId::of::<P>() {
            return false;
        }
        let given = Bound::params(params);
        let Bound::Params { words: new, native: value } = given else { return false };
        if **words != *new {
            (*words, *native) = (new, value);
            self.prepared = Preparation::NotYet;
        }
        true
    }

    /// Returns the first arguments, to be bound anew.
    pub(crate) fn bound(&self, arguments: usize) -> Result<Vec<Bound>> {
        let named = self.args.iter().zip(&self.command.args).take(arguments);
        named
            .map(|(named, given)| {
                Ok(match (named, given) {
                    (Named::Table { memory, mutable, role }, _) => {
                        Bound::Table { memory: alive(memory)?, mutable: *mutable, role: *role }
                    }
                    (Named::Tally { memory }, _) => Bound::Tally { memory: alive(memory)? },
                    (Named::Params, Argument::Params { words, native }) => {
                        Bound::Params { words: words.clone(), native: native.clone() }
                    }
                    (Named::Params, _) => return Err(Error::invalid("launch", "an argument is missing")),
                })
            })
            .collect()
    }

    /// Updates the buffers of the launch's memories, if any has moved since. It is the launch's turn, so no memory can
    /// move now.
    pub(crate) fn follow(&mut self, moved: u64) -> Result<()> {
        if self.moved == moved {
            return Ok(());
        }
        let memories = self.args.iter().map(|named| named.used().map(|(memory, _)| memory));
        for (memory, argument) in memories.zip(&mut self.command.args) {
            if let (Some(memory), Argument::Table { buffer, .. } | Argument::Tally { buffer }) = (memory, argument) {
                alive(memory)?.renew(buffer);
            }
        }
        if let (Some(memory), Some(buffer)) = (&self.result, &mut self.command.result) {
            alive(memory)?.renew(buffer);
        }
        (self.moved, self.prepared) = (moved, Preparation::NotYet);
        Ok(())
    }

    /// Puts the launch on its queue again, as the operation with this number.
    pub(crate) fn launch(&mut self, backend: &dyn Backend, queue: &QueueHandle, number: u64) -> Result<()> {
        if let Preparation::NotYet = self.prepared {
            self.prepared = match backend.prepare(queue, &self.command)? {
                Some(prepared) => Preparation::Done(prepared),
                None => Preparation::Never,
            };
        }
        match &mut self.prepared {
            Preparation::Done(prepared) => backend.launch_prepared(queue, prepared, Some(number)),
            _ => {
                self.command.operation = Some(number);
                backend.launch(queue, &self.command)
            }
        }
    }
}
