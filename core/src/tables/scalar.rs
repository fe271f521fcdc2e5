//! Device scalars: the reduced results of launches.

use super::column::find_column;
use super::condition::Condition;
use super::table::Table;
use crate::backend::{Allocation, Comparison, Span};
use crate::data::pack::bits_of;
use crate::data::{Data, Row};
use crate::device::{Queue, Storage};
use crate::error::{Error, Result};
use crate::reduce::ArgMin;
use imminent_ir::{Scalar as ScalarType, Scalars};
use std::marker::PhantomData;

/// Possible results of a launch: a scalar, an [`ArgMin`], a struct of scalars that are reduced one by one, or nothing.
pub trait Output: Data {
    /// Scalars of the value, side by side; none for `()`.
    const SCALARS: Scalars;
    /// The first scalar, the only one of a bare value; `None` for `()`.
    const SCALAR: Option<ScalarType> = Self::SCALARS.first();
}

macro_rules! outputs {
    ($($ty:ty => $scalar:ident),*) => {$(
        impl Output for $ty {
            const SCALARS: Scalars = Scalars::new(&[ScalarType::$scalar]);
        }
    )*};
}

outputs!(bool => Bool, u32 => U32, i32 => I32, u64 => U64, i64 => I64, f32 => F32, f64 => F64);

impl Output for () {
    const SCALARS: Scalars = Scalars::new(&[]);
}

impl<T: Output> Output for ArgMin<T> {
    const SCALARS: Scalars = match T::SCALAR {
        Some(scalar) => Scalars::new(&[scalar, ScalarType::U32]),
        None => Scalars::new(&[]),
    };
}

/// A value on the device: the result of a launch or of a primitive.
///
/// The value is [`Exact`](crate::Determinism::Exact) if the rows' values are and it is no sum of floats. Such a sum is
/// [`Reproducible`](crate::Determinism::Reproducible), by a fixed tree over the number of values. A sum by the
/// primitive `sum_as` has the class that was requested.
#[derive(Clone, Debug)]
pub struct Scalar<T: Output> {
    pub(crate) memory: Option<Storage>,
    /// First word of the value in the memory.
    pub(crate) word: u32,
    /// Launch to wait for, where there is no memory that its fault makes invalid.
    launch: Option<Launched>,
    of: PhantomData<fn() -> T>,
}

/// A launch of a kernel that returns nothing.
#[derive(Clone, Debug)]
struct Launched {
    queue: Queue,
    number: u64,
    kernel: &'static str,
}

impl<T: Output> Scalar<T> {
    pub(crate) fn new(queue: &Queue, kernel: &str) -> Result<Self> {
        let allocation = Allocation::Result { scalars: T::SCALARS };
        let allocate = || Storage::on(queue, format!("result of kernel `{kernel}`"), (1, None), 0, &allocation);
        let memory = T::SCALAR.map(|_| allocate()).transpose()?;
        Ok(Scalar { memory, word: 0, launch: None, of: PhantomData })
    }

    /// Creates a scalar in a memory with the layout of the value.
    pub(crate) fn of_memory(memory: Storage) -> Self {
        Scalar { memory: Some(memory), word: 0, launch: None, of: PhantomData }
    }

    /// Names the launch of which this is the result: one operation of a queue.
    pub(crate) fn of_launch(mut self, queue: &Queue, number: u64, kernel: &'static str) -> Self {
        if self.memory.is_none() {
            self.launch = Some(Launched { queue: queue.clone(), number, kernel });
        }
        self
    }

    /// Returns a field of the value, by its first word. Structs have a method for each field.
    #[doc(hidden)]
    #[must_use]
    pub fn field<U: Output>(&self, word: u32) -> Scalar<U> {
        Scalar { memory: self.memory.clone(), word: self.word + word, launch: None, of: PhantomData }
    }

    /// Returns the first column of a table of one row.
    pub(crate) fn first_of<R: Row>(table: &Table<R>) -> Result<Self> {
        let invalid = |reason: &str| Err(Error::invalid(&table.memory.what, reason));
        if table.len() != 1 {
            return invalid("a result goes into a table of exactly one row");
        }
        let Some(scalar) = T::SCALARS.single() else {
            return invalid("its result has several values, a column takes one: use a launch without a table");
        };
        match find_column(R::layout(), None, 0) {
            Some(column) if column.scalar == scalar => {
                Ok(Scalar { memory: Some(table.memory.clone()), word: 0, launch: None, of: PhantomData })
            }
            _ => invalid("its first column has another type than the kernel's result"),
        }
    }

    /// Waits for the launch or primitive, and returns its value. Waits for a launch of a kernel without a value, too. A
    /// program's launches without a value are not waited for: [`Program::run`](crate::Program::run) returns their
    /// faults.
    ///
    /// # Errors
    /// [`Error::Fault`](crate::Error::Fault) of the launch, or [`Error::Poisoned`](crate::Error::Poisoned) if another
    /// call has returned it before; errors of the driver.
    pub fn read(&self) -> Result<T> {
        let mut value = T::zeroed();
        let Some(memory) = &self.memory else {
            let ended = |of: &Launched| of.queue.state().outcome_of(of.number, of.kernel);
            return self.launch.as_ref().map_or(Ok(()), ended).map(|()| value);
        };
        let spans: Vec<Span> =
            T::SCALARS.iter().map(|(word, scalar)| Span::column(None, self.word + word, scalar, 0..1)).collect();
        let mut bytes: Vec<Vec<u8>> = spans.iter().map(|span| vec![0; span.bytes()]).collect();
        memory.read(&spans, &mut bytes)?;
        for (span, bytes) in spans.iter().zip(&bytes) {
            value.set_leaf(span.word - self.word, bits_of(bytes));
        }
        Ok(value)
    }
}

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident => $comparison:ident;)*) => {
        impl<T: Output> Scalar<T> {
            $(
                $(#[$doc])*
                #[must_use]
                pub fn $name(&self, constant: T) -> Condition {
                    Condition::new(self.memory.as_deref().cloned(), (0, self.word), T::SCALAR, Comparison::$comparison, constant.leaf(0))
                }
            )*
        }
    };
}

comparisons! {
    /// Holds while the value (of an arg-min: its value) equals `constant`. Of a struct a field is compared:
    /// `totals.busy().equals(0)`.
    equals => Equal;
    /// Holds while the value differs from `constant`.
    differs => NotEqual;
    /// Holds while the value is less than `constant`.
    below => Less;
    /// Holds while the value is at most `constant`.
    at_most => LessOrEqual;
    /// Holds while the value is greater than `constant`.
    above => Greater;
    /// Holds while the value is at least `constant`.
    at_least => GreaterOrEqual;
}
