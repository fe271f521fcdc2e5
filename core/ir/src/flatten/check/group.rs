//! Checks of groups: phases, and queries about the group.

use super::{Checker, FlattenError};
use crate::flatten::Scope;
use crate::{Arg, Base, GroupQuery, LocalId, Scalar, Shape, Type, Vote};

impl Checker<'_> {
    pub(super) fn phase(
        &mut self,
        into: Option<LocalId>,
        vote: Option<Vote>,
        function: usize,
        args: &[Arg],
    ) -> Result<(), FlattenError> {
        let in_body = self.flat.shape.is_grouped() && self.number + 1 == self.flat.functions.len();
        self.require(in_body, "a phase outside the body of a grouped kernel")?;
        let callee = self.call(Scope::Row, function, args)?;
        let (wanted, given) = match vote {
            None => (Type::Unit, Type::Unit),
            Some(Vote::Any | Vote::All) => (Scalar::Bool.into(), Scalar::Bool.into()),
            Some(Vote::Count) => (Scalar::Bool.into(), Scalar::U32.into()),
        };
        self.require(callee.result == wanted, "a phase returns something else than its vote asks for")?;
        match (into, vote) {
            (Some(local), Some(_)) => self.receive(local, &given),
            (None, None) => Ok(()),
            _ => self.ill("a vote without the local that takes it, or the other way round"),
        }
    }

    /// Returns the type of the scratch elements.
    pub(super) fn scratch(&self, base: Base) -> Result<Type, FlattenError> {
        match (base, &self.flat.scratch) {
            (Base::Scratch, Some(ty)) => Ok(ty.clone()),
            _ => self.ill("the scratch of a group is expected here"),
        }
    }

    /// Returns the type of the scratch elements, for an access to the invocation's own element.
    pub(super) fn own_element(&self, base: Base) -> Result<Type, FlattenError> {
        self.require(self.function.scope == Scope::Row, "an own element of the scratch outside a phase")?;
        self.scratch(base)
    }

    pub(super) fn query(&self, query: GroupQuery) -> Result<(), FlattenError> {
        let shape = self.flat.shape;
        self.require(shape.is_grouped(), "something is asked about a group where there is none")?;
        self.require(
            query.is_uniform() || self.function.scope == Scope::Row,
            "something is asked about an invocation outside a phase",
        )?;
        let tiled = matches!(shape, Shape::Tile(..));
        self.require(
            tiled || !matches!(query, GroupQuery::X | GroupQuery::Y),
            "a position in the grid where there is no grid",
        )
    }
}
