//! The state of one flattening: what has been specialised so far, and the numbers that were given.

use super::declarations::MAX_DEPTH;
use super::{Binding, FlatFunction, FlatSite, FlattenError, Scope};
use crate::{Function, FunctionId, Kernel, Module, SiteId, TallyOp, Type};
use std::collections::{HashMap, HashSet};
use std::ops::DerefMut;

/// Passing mode of a parameter in one specialisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Mode {
    /// Passed by value.
    Value,
    /// Copied in and out.
    InOut,
    /// A row of a binding: its number is passed.
    Row(u32),
    /// A lane field of a row of a binding: the row's number is passed.
    Lanes(u32, u32),
    /// A history: the number of the own row is passed.
    History(u32),
    /// A whole binding: nothing is passed.
    Whole(u32),
    /// The scratch: nothing is passed.
    Scratch,
}

/// Key that distinguishes the copies of a function.
type Copy = (FunctionId, Scope, Vec<Mode>);

/// The state of one flattening.
pub(super) struct State<'m> {
    pub(super) module: &'m Module,
    pub(super) kernel: &'m Kernel,
    pub(super) bindings: Vec<Binding>,
    pub(super) functions: Vec<FlatFunction>,
    /// Type of the scratch elements.
    pub(super) scratch: Option<Type>,
    pub(super) done: HashMap<Copy, FunctionId>,
    /// Functions being specialised, outermost first: reaching one again is recursion.
    pub(super) open: Vec<FunctionId>,
    /// Number of blocks around the current statement, including those of the callers.
    pub(super) depth: u32,
    names: HashSet<String>,
    pub(super) sites: Vec<FlatSite>,
    site_numbers: HashMap<SiteId, SiteId>,
}

/// Copies of functions, which a rewriter asks for at calls.
pub(super) trait Copies<'m>: DerefMut<Target = State<'m>> {
    /// Returns the specialisation of a function for these modes; creates it if needed.
    fn copy(&mut self, id: FunctionId, scope: Scope, modes: &[Mode]) -> Result<FunctionId, FlattenError>;
}

impl<'m> State<'m> {
    pub(super) fn new(module: &'m Module, kernel: &'m Kernel) -> Self {
        State {
            module,
            kernel,
            bindings: Vec::new(),
            functions: Vec::new(),
            scratch: None,
            done: HashMap::new(),
            open: Vec::new(),
            depth: 0,
            names: HashSet::new(),
            sites: Vec::new(),
            site_numbers: HashMap::new(),
        }
    }

    pub(super) fn ill<T>(&self, place: String, what: impl Into<String>) -> Result<T, FlattenError> {
        Err(FlattenError::IllFormed { kernel: self.kernel.name.clone(), place, what: what.into() })
    }

    pub(super) fn too_deep<T>(&self, place: String) -> Result<T, FlattenError> {
        Err(FlattenError::TooDeep { kernel: self.kernel.name.clone(), place, limit: MAX_DEPTH })
    }

    pub(super) fn mixed_tally<T>(&self, tally: String, first: TallyOp, second: TallyOp) -> Result<T, FlattenError> {
        Err(FlattenError::MixedTally {
            kernel: self.kernel.name.clone(),
            tally,
            first: first.name(),
            second: second.name(),
        })
    }

    pub(super) fn function(&self, id: FunctionId) -> Result<&'m Function, FlattenError> {
        match self.module.functions.get(id.index()) {
            Some(function) => Ok(function),
            None => self.ill("a call".to_owned(), format!("there is no function number {}", id.0)),
        }
    }

    /// Returns `true` if the function being rewritten is the body of a grouped kernel itself.
    pub(super) fn in_grouped_body(&self) -> bool {
        self.kernel.shape.is_grouped() && self.open.len() == 1
    }

    /// Returns the local number of a fault site, assigned in the order in which sites are reached.
    pub(super) fn site(&mut self, id: SiteId) -> Option<SiteId> {
        if let Some(number) = self.site_numbers.get(&id) {
            return Some(*number);
        }
        let site = self.module.sites.get(id.index())?.clone();
        let number = SiteId(to_u32(self.sites.len()));
        self.sites.push(FlatSite { id, site });
        self.site_numbers.insert(id, number);
        Some(number)
    }

    pub(super) fn unique_name(&mut self, rust: &str) -> String {
        let base = rust.replace("::", "_");
        let mut name = base.clone();
        let mut number = 2;
        while !self.names.insert(name.clone()) {
            name = format!("{base}_{number}");
            number += 1;
        }
        name
    }
}

/// Returns the position of a statement, for errors.
pub(super) fn place_of(function: &Function, line: u32) -> String {
    format!("`{}` ({}:{line})", function.name, function.file)
}

/// Converts a length of a list that serde built. Lists from at most 4 GiB of bytes fit; a longer one saturates and is
/// reported as an identifier out of range.
pub(super) fn to_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
