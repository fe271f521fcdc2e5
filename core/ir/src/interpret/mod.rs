//! Interpreter of kernels: walks their IR. It is the definition of the IR, written as plainly as possible.
//!
//! The interpreter is not fast, and shares no code with a lowering or with the native form of a kernel: their results
//! are compared with its results. An invalid module, such as one that reads a local before it is declared, ends in an
//! error and never in a panic. [`flatten`](fn@crate::flatten) refuses most such modules in advance.

mod expressions;
mod floats;
mod group;
mod history;
mod launch;
mod numbers;
mod operators;
mod places;
mod rows;
mod statements;

pub use expressions::zero;
pub use group::Group;
pub use history::History;
pub use launch::{Extent, LaunchOutcome};
pub use rows::{Field, RowTree, bits, read_struct, read_value};

use crate::{Block, FaultKind, Function, FunctionId, LocalId, LocalKind, Module, SiteId, StructId, Type, Value};

/// Reason why a kernel could not be run to its end: the module is not well formed, or fuel ran out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stuck {
    /// The module is invalid here.
    #[error("the module is not well formed: {0}")]
    IllFormed(String),
    /// More statements were run than allowed.
    #[error("the kernel executed more statements than allowed: raise the limit, or check that its loops end")]
    Fuel,
}

/// Result of running a part of a kernel.
pub type Evaluation<T> = Result<T, Stuck>;

fn stuck<T>(what: impl Into<String>) -> Evaluation<T> {
    Err(Stuck::IllFormed(what.into()))
}

fn require(holds: bool, what: impl FnOnce() -> String) -> Evaluation<()> {
    if holds { Ok(()) } else { stuck(what()) }
}

/// Content of a parameter.
#[derive(Clone, Debug)]
pub enum Bound {
    /// A value.
    Value(Value),
    /// A row of a table.
    Row {
        /// Position in [`Machine::tables`].
        table: usize,
        /// The row.
        row: usize,
    },
    /// A whole table, whose last row is the zeroed one for indices past the end.
    Rows(usize),
    /// The lanes of a field of a row.
    Lanes {
        /// Position in [`Machine::tables`].
        table: usize,
        /// The row.
        row: usize,
        /// Position of the field.
        field: usize,
    },
    /// A tally: its position in [`Machine::tallies`].
    Tally(usize),
    /// The own rows of a group's invocations, from a table.
    Each(usize),
    /// The scratch of the group.
    Scratch,
    /// A history.
    History {
        /// Position in [`Machine::histories`].
        history: usize,
        /// The own row.
        row: usize,
    },
    /// The clock, whose value is [`Machine::first`].
    Clock,
}

/// A table. If it is bound as a whole, its rows are followed by a zeroed one.
#[derive(Clone, Debug)]
pub struct Table {
    /// Struct of its rows.
    pub of: StructId,
    /// The rows.
    pub rows: Vec<RowTree>,
}

/// The state of a launch.
#[derive(Clone, Debug)]
pub struct Machine<'m> {
    /// The module.
    pub module: &'m Module,
    /// The tables, which parameters name by position.
    pub tables: Vec<Table>,
    /// The slots of the tallies.
    pub tallies: Vec<Vec<Value>>,
    /// The histories.
    pub histories: Vec<History>,
    /// The launch's first step.
    pub first: u32,
    /// The first fault of the current invocation.
    pub fault: Option<SiteId>,
    /// Statements left before the run is given up.
    pub fuel: u64,
    /// The group being run, of a grouped kernel.
    pub group: Option<Group>,
}

enum Flow {
    Next,
    Break,
    Continue,
    Return(Option<Value>),
}

#[derive(Clone, Debug)]
enum Local {
    Undeclared,
    Value(Value),
    Row { table: usize, row: usize },
}

struct Frame<'m> {
    function: &'m Function,
    params: Vec<Bound>,
    locals: Vec<Local>,
}

impl<'m> Frame<'m> {
    fn param(&self, id: crate::ParamId) -> Evaluation<&Bound> {
        self.params.get(id.index()).map_or_else(|| stuck(format!("there is no parameter {}", id.0)), Ok)
    }

    fn local(&self, id: LocalId) -> Evaluation<&Local> {
        self.locals.get(id.index()).map_or_else(|| stuck(format!("there is no local {}", id.0)), Ok)
    }

    /// Returns the type of a local that holds a value.
    fn type_of(&self, id: LocalId) -> Evaluation<&'m Type> {
        match self.function.locals.get(id.index()).map(|local| &local.kind) {
            Some(LocalKind::Value(ty)) => Ok(ty),
            _ => stuck(format!("{}: local {} holds no value", self.function.name, id.0)),
        }
    }
}

impl<'m> Machine<'m> {
    /// Calls a function; returns its result and the final values of its parameters.
    ///
    /// # Errors
    /// [`Stuck`] if the function, or an argument, is not well formed, or if fuel runs out.
    pub fn call(&mut self, id: FunctionId, params: Vec<Bound>) -> Evaluation<(Option<Value>, Vec<Bound>)> {
        let module = self.module;
        let Some(function) = module.functions.get(id.index()) else {
            return stuck(format!("there is no function {}", id.0));
        };
        require(function.params.len() == params.len(), || format!("{} takes other parameters", function.name))?;
        let locals = vec![Local::Undeclared; function.locals.len()];
        let mut frame = Frame { function, params, locals };
        let result = match self.block(&mut frame, &function.body)? {
            Flow::Return(value) => value,
            Flow::Next => None,
            Flow::Break | Flow::Continue => return stuck(format!("{}: a `break` outside a loop", function.name)),
        };
        require(result.is_some() == (function.result != Type::Unit), || {
            format!("{} must return {:?}", function.name, function.result)
        })?;
        Ok((result, frame.params))
    }

    fn block(&mut self, frame: &mut Frame<'m>, block: &'m Block) -> Evaluation<Flow> {
        for stmt in block {
            match self.stmt(frame, stmt)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    fn spend(&mut self) -> Evaluation<()> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Stuck::Fuel)?;
        Ok(())
    }

    fn raise(&mut self, site: SiteId, kind: FaultKind) -> Evaluation<()> {
        let found = self.module.sites.get(site.index()).map(|site| site.kind);
        require(found == Some(kind), || format!("fault site {} is not one of {kind:?}", site.0))?;
        if let Some(group) = &mut self.group {
            group.raise(site)?;
        }
        self.fault.get_or_insert(site);
        Ok(())
    }
}
