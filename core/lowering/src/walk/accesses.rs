//! Accesses to tables and parameter blocks, and the functions that do them.

use imminent_ir::Type;
use imminent_ir::flatten::Scope;

/// Direction of an accessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Direction {
    Load,
    Store,
}

/// Location of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Storage {
    /// In a column with a value for each row.
    Columns,
    /// In a column of a ragged table's pool, with a value for each place.
    Pool,
    /// Among the fixed words of a packed row.
    Row,
    /// Among the words of a packed lane, given by its place: of all lanes of a table, or in the pool of a ragged one.
    Lane,
}

/// A word column: its text, and its number where that is known.
#[derive(Clone, Debug)]
pub(crate) struct WordCode {
    pub(crate) text: String,
    pub(crate) number: Option<u32>,
}

/// A call of an accessor, without what functions share, and of `store` without the value.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    pub(crate) function: String,
    pub(crate) word: String,
    pub(crate) row: Option<String>,
}

impl Access {
    /// The call, given what functions share, and of `store` the value.
    pub(crate) fn call(&self, shared: &[&str], value: Option<&str>) -> String {
        let own = [Some(self.word.as_str()), self.row.as_deref(), value];
        let args: Vec<&str> = shared.iter().copied().chain(own.into_iter().flatten()).collect();
        format!("{}({})", self.function, args.join(", "))
    }
}

/// Key of an accessor function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Accessor {
    pub(crate) direction: Direction,
    pub(crate) binding: u32,
    pub(crate) part: Storage,
    /// The segment of the table; `None`: any that the word is in.
    pub(crate) segment: Option<usize>,
    pub(crate) ty: Type,
    /// Scope of the callers.
    pub(crate) scope: Scope,
}
