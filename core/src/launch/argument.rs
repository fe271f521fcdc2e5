//! Arguments of a launch: memory and parameter blocks.

use crate::backend::{Argument, Buffer};
use crate::data::Params;
use crate::memory::Memory;
use std::any::Any;
use std::sync::Arc;

/// A resource bound to a launch. It is kept because a program must be replayable after its tables have grown.
#[derive(Clone, Debug)]
pub(crate) enum Bound {
    Table { memory: Arc<Memory>, mutable: bool, role: Role },
    Tally { memory: Arc<Memory> },
    Params { words: Arc<[u32]>, native: Arc<dyn Any + Send + Sync> },
}

/// Part of a table that an invocation is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The invocation's own row.
    Own,
    /// The row of the invocation's group.
    OfGroup,
    /// All rows.
    Whole,
}

impl Bound {
    pub(crate) fn params<P: Params>(params: &P) -> Bound {
        Bound::Params { words: params_words(params).into(), native: Arc::new(*params) }
    }

    pub(crate) fn memory(&self) -> Option<&Arc<Memory>> {
        match self {
            Bound::Table { memory, .. } | Bound::Tally { memory } => Some(memory),
            Bound::Params { .. } => None,
        }
    }

    pub(crate) fn written(&self) -> Option<&Arc<Memory>> {
        match self {
            Bound::Table { memory, mutable: true, .. } | Bound::Tally { memory } => Some(memory),
            _ => None,
        }
    }

    /// Returns `true` if both are parameter blocks of one type.
    pub(crate) fn is_params_like(&self, other: &Bound) -> bool {
        match (self, other) {
            (Bound::Params { native: a, .. }, Bound::Params { native: b, .. }) => (**a).type_id() == (**b).type_id(),
            _ => false,
        }
    }

    /// Returns the memory, and `true` if it is written.
    pub(crate) fn used(&self) -> Option<(&Arc<Memory>, bool)> {
        self.memory().map(|memory| (memory, self.written().is_some()))
    }

    /// Returns the argument for the backend; `buffer` maps a memory to its buffer.
    pub(crate) fn argument(&self, buffer: impl Fn(&Arc<Memory>) -> Buffer) -> Argument {
        match self {
            Bound::Table { memory, mutable, .. } => Argument::Table { buffer: buffer(memory), mutable: *mutable },
            Bound::Tally { memory } => Argument::Tally { buffer: buffer(memory) },
            Bound::Params { words, native } => Argument::Params { words: words.clone(), native: native.clone() },
        }
    }
}

fn params_words<P: Params>(params: &P) -> Vec<u32> {
    let mut words = vec![0; P::WORDS as usize];
    for column in &P::layout().columns {
        let bits = params.leaf(column.word);
        for k in 0..column.scalar.words() {
            if let Some(word) = words.get_mut((column.word + k) as usize) {
                *word = (bits >> (32 * k)) as u32;
            }
        }
    }
    words
}
