//! External inputs, in the order of their times.

use std::collections::{BTreeMap, BTreeSet};

/// External inputs of a cell: one, or several at regular times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InputSource<I> {
    /// Cell that receives them.
    pub cell: u32,
    /// Time of the first, in milliseconds.
    pub first: u32,
    /// Milliseconds from one to the next; 0 if there is one only.
    pub period: u32,
    /// `true` if an input comes after all outputs of its time; `false` if it comes with the first ones.
    pub late: bool,
    /// Contents of each input.
    pub input: I,
}

/// An external input that reaches a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Input<I> {
    /// Contents.
    pub input: I,
    /// Number of inputs that the source sent before.
    pub sent: u32,
}

impl<I> InputSource<I> {
    /// Makes an external input that comes once, at `time` milliseconds.
    #[must_use]
    pub const fn once(cell: u32, time: u32, input: I) -> Self {
        InputSource { cell, first: time, period: 0, late: false, input }
    }

    /// Returns the time of the next input after this time.
    #[must_use]
    pub fn after(&self, now: u32) -> Option<u32> {
        match now.checked_sub(self.first) {
            None => Some(self.first),
            Some(_) if self.period == 0 => None,
            Some(since) => self.first.checked_add((since / self.period).checked_add(1)?.checked_mul(self.period)?),
        }
    }
}

impl<I: Copy> InputSource<I> {
    /// Returns the input that comes at this time.
    #[must_use]
    pub fn at(&self, now: u32) -> Option<Input<I>> {
        let since = now.checked_sub(self.first)?;
        let sent = since.checked_div(self.period).unwrap_or(0);
        let comes = if self.period == 0 { since == 0 } else { since.is_multiple_of(self.period) };
        comes.then_some(Input { input: self.input, sent })
    }
}

/// The inputs of all sources that are late, or of all others, taken one time after another.
pub(super) struct Inputs<'a, I> {
    sources: &'a [InputSource<I>],
    /// Time and number of the next input of each source.
    next: BTreeSet<(u32, usize)>,
}

impl<'a, I: Copy> Inputs<'a, I> {
    /// Makes the inputs of the sources that are late, or of those that are not.
    pub(super) fn new(sources: &'a [InputSource<I>], late: bool) -> Self {
        let wanted = sources.iter().enumerate().filter(|(_, source)| source.late == late);
        Inputs { sources, next: wanted.map(|(number, source)| (source.first, number)).collect() }
    }

    /// Returns the time of the next input.
    pub(super) fn time(&self) -> Option<u32> {
        self.next.first().map(|&(time, _)| time)
    }

    /// Takes the inputs of a time by cell: of several that of the first source.
    pub(super) fn take(&mut self, now: u32) -> BTreeMap<u32, Input<I>> {
        let mut found = BTreeMap::new();
        while let Some((_, number)) = self.next.first().copied().filter(|&(time, _)| time == now) {
            self.next.pop_first();
            let Some(source) = self.sources.get(number) else { continue };
            if let Some(input) = source.at(now) {
                found.entry(source.cell).or_insert(input);
            }
            if let Some(time) = source.after(now) {
                self.next.insert((time, number));
            }
        }
        found
    }
}
