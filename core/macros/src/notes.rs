//! Notes of the checker to the native rewriting about expressions of the user's tree.
//!
//! A note is attached to a node of the syntax tree by the node's address: the tree is not moved between checking and
//! rewriting, and the rewriting looks a node up before it changes anything below it.

use crate::texts::Texts;
use std::collections::HashMap;

/// Classification of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Note {
    /// An index that is known to be in range: unchanged.
    KnownIndex,
    /// An index that is checked when the kernel runs.
    CheckedIndex,
    /// An array behind a reference, which is indexed.
    Reference,
    /// A method that takes the source position as a last argument, under the name with `_at`.
    Located,
    /// `abs`, `pow`: a function of `lang`.
    Lang,
    /// `clamp`.
    Clamp,
    /// `min` of floats.
    FloatMin,
    /// `max` of floats.
    FloatMax,
    /// A method whose receiver is borrowed mutably.
    MutReceiver,
    /// A call of a function of a kernel module.
    Call,
    /// An `assert!`.
    Assertion,
    /// A resource `&mut Each<T>` named by a phase, which is lent to it.
    OwnMut,
    /// A resource `&Each<T>` named by a phase.
    Own,
    /// Constant: unchanged.
    Constant,
}

/// Notes by node.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// Texts that faults quote.
    pub(crate) texts: Texts,
    by_node: HashMap<usize, Note>,
}

impl Notes {
    /// Attaches a note.
    pub(crate) fn set(&mut self, node: &syn::Expr, note: Note) {
        self.by_node.insert(std::ptr::from_ref(node) as usize, note);
    }

    /// Returns the note of a node.
    pub(crate) fn get(&self, node: &syn::Expr) -> Option<Note> {
        self.by_node.get(&(std::ptr::from_ref(node) as usize)).copied()
    }
}
