//! Binding arguments to a launch: the checks that no type can make.

use crate::backend::{Argument, Buffer};
use crate::data::{Params, Row, TallyScalar};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::scalar::{Output, Scalar};
use crate::table::{Memory, Table};
use crate::tally_table::TallyTable;
use std::any::Any;
use std::sync::Arc;

/// A resource bound to a launch, kept so that a program can be replayed after its tables have grown.
#[derive(Clone, Debug)]
pub(crate) enum Bound {
    Table { memory: Arc<Memory>, mutable: bool },
    Tally { memory: Arc<Memory> },
    Params { words: Arc<[u32]>, native: Arc<dyn Any + Send + Sync> },
}

impl Bound {
    pub(crate) fn memory(&self) -> Option<&Arc<Memory>> {
        match self {
            Bound::Table { memory, .. } | Bound::Tally { memory } => Some(memory),
            Bound::Params { .. } => None,
        }
    }

    pub(crate) fn written(&self) -> Option<&Arc<Memory>> {
        match self {
            Bound::Table { memory, mutable: true } | Bound::Tally { memory } => Some(memory),
            _ => None,
        }
    }

    /// Whether both are parameter blocks of one type.
    pub(crate) fn is_params_like(&self, other: &Bound) -> bool {
        match (self, other) {
            (Bound::Params { native: a, .. }, Bound::Params { native: b, .. }) => (**a).type_id() == (**b).type_id(),
            _ => false,
        }
    }

    /// The argument for the backend; `buffer` says which buffer a memory stands for.
    pub(crate) fn argument(&self, buffer: impl Fn(&Arc<Memory>) -> Buffer) -> Argument {
        match self {
            Bound::Table { memory, mutable } => Argument::Table { buffer: buffer(memory), mutable: *mutable },
            Bound::Tally { memory } => Argument::Tally { buffer: buffer(memory) },
            Bound::Params { words, native } => Argument::Params { words: words.clone(), native: native.clone() },
        }
    }
}

/// Collects the arguments of one launch, in the order of the kernel's parameters.
///
/// The borrow checker has already seen that no table is bound twice where one of the bindings can change it; the binder
/// checks the same again for handles, and that lengths, devices and contents fit.
#[derive(Debug)]
pub struct Binder {
    device: Device,
    kernel: &'static str,
    bound: Vec<Bound>,
    rows: Option<(u32, String)>,
}

impl Binder {
    pub(crate) fn new(device: &Device, kernel: &'static str) -> Self {
        Binder { device: device.clone(), kernel, bound: Vec::new(), rows: None }
    }

    fn error<T>(&self, reason: String) -> Result<T> {
        Err(Error::Launch { kernel: self.kernel.to_owned(), reason })
    }

    fn add(&mut self, bound: Bound) -> Result<()> {
        if let Some(memory) = bound.memory() {
            memory.check()?;
            if !memory.device.same(&self.device) {
                return self.error(format!("the {} is on another device than the queue", memory.what));
            }
            let exclusive = |b: &Bound| matches!(b, Bound::Table { mutable: true, .. });
            let clash = self.bound.iter().any(|other| {
                other.memory().is_some_and(|m| Arc::ptr_eq(m, memory)) && (exclusive(other) || exclusive(&bound))
            });
            if clash {
                return self.error(format!("the {} is bound twice, once to be changed", memory.what));
            }
        }
        self.bound.push(bound);
        Ok(())
    }

    fn own_rows(&mut self, memory: &Memory) -> Result<()> {
        match &self.rows {
            Some((rows, what)) if *rows != memory.rows => self.error(format!(
                "a launch visits every own row once, so these must be equally long: the {what} has {rows} rows, the {} {}",
                memory.what, memory.rows
            )),
            Some(_) => Ok(()),
            None => {
                self.rows = Some((memory.rows, memory.what.clone()));
                Ok(())
            }
        }
    }

    /// Binds a `&mut T` parameter: own rows, to be changed.
    ///
    /// # Errors
    /// [`Error::Launch`] when it does not fit the arguments before it, [`Error::Poisoned`].
    pub fn own_mut<R: Row>(&mut self, table: &mut Table<R>) -> Result<()> {
        self.own_rows(&table.memory)?;
        self.add(Bound::Table { memory: table.memory.clone(), mutable: true })
    }

    /// Binds a `&T` parameter: own rows, read only.
    ///
    /// # Errors
    /// As for [`Binder::own_mut`].
    pub fn own<R: Row>(&mut self, table: &Table<R>) -> Result<()> {
        self.own_rows(&table.memory)?;
        self.rows(table)
    }

    /// Binds a `&Rows<T>` parameter: a whole table, read only.
    ///
    /// # Errors
    /// As for [`Binder::own_mut`].
    pub fn rows<R: Row>(&mut self, table: &Table<R>) -> Result<()> {
        self.add(Bound::Table { memory: table.memory.clone(), mutable: false })
    }

    /// Binds a `&Tally<T>` parameter.
    ///
    /// # Errors
    /// As for [`Binder::own_mut`].
    pub fn tally<T: TallyScalar + Output>(&mut self, tally: &TallyTable<T>) -> Result<()> {
        self.add(Bound::Tally { memory: tally.memory.clone() })
    }

    /// Binds a parameter block.
    ///
    /// # Errors
    /// As for [`Binder::own_mut`].
    pub fn params<P: Params>(&mut self, params: &P) -> Result<()> {
        let words = params_words(params).into();
        self.add(Bound::Params { words, native: Arc::new(*params) })
    }

    /// Checks that a result may be written beside what is bound: nothing that the kernel uses may be written twice.
    pub(crate) fn result<T: Output>(&self, result: &Scalar<T>) -> Result<()> {
        let Some(memory) = &result.memory else { return Ok(()) };
        if !memory.device.same(&self.device) {
            return self.error(format!("the {} is on another device than the queue", memory.what));
        }
        if self.bound.iter().any(|bound| bound.memory().is_some_and(|m| Arc::ptr_eq(m, memory))) {
            return self
                .error(format!("the {} takes the result and is bound as well: use two tables by turns", memory.what));
        }
        Ok(())
    }

    /// The bound resources and the number of rows: `rows` if given, else that of the own rows.
    pub(crate) fn finish(self, rows: Option<usize>) -> Result<(Vec<Bound>, u32)> {
        let rows = match (rows, &self.rows) {
            (None, Some((own, _))) => *own,
            (Some(rows), None) => crate::table::checked_rows("launch", rows)?,
            (Some(rows), Some((own, what))) => match u32::try_from(rows) {
                Ok(rows) if rows <= *own => rows,
                _ => return self.error(format!("{rows} rows were asked for, the {what} has {own}")),
            },
            (None, None) => {
                return self.error(
                    "it has no own rows that would say how many to visit: name the number with launch_rows".to_owned(),
                );
            }
        };
        Ok((self.bound, rows))
    }
}

pub(crate) fn params_words<P: Params>(params: &P) -> Vec<u32> {
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
