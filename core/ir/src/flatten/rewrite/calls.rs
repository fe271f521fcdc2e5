//! Calls and phases with their arguments.

use super::Rewriter;
use crate::flatten::state::{Copies, Mode};
use crate::flatten::{BindingKind, FlattenError, Scope};
use crate::{Arg, Base, Expr, ExprKind, FunctionId, GroupQuery, LocalId, ParamKind, Place, Scalar, Step, Type, Vote};

impl<'m, C: Copies<'m>> Rewriter<'_, 'm, C> {
    pub(super) fn phase(
        &mut self,
        into: Option<LocalId>,
        vote: Option<Vote>,
        function: &mut FunctionId,
        args: &mut Vec<Arg>,
    ) -> Result<(), FlattenError> {
        // Barriers stand around phases, and only the body itself is run by all invocations of a group alike.
        if !self.state.in_grouped_body() {
            return self.ill("a phase outside the body of a grouped kernel");
        }
        if into.is_some() != vote.is_some() {
            return self.ill("a vote without the local that takes it, or the other way round");
        }
        if let Some(local) = into {
            self.value_local(local)?;
        }
        self.call(Scope::Row, function, args)
    }

    /// Rewrites a call of a function that runs in the given scope.
    pub(super) fn call(
        &mut self,
        scope: Scope,
        function: &mut FunctionId,
        args: &mut Vec<Arg>,
    ) -> Result<(), FlattenError> {
        let callee = self.state.function(*function)?;
        if callee.params.len() != args.len() {
            return self.ill(format!(
                "`{}` takes {} arguments, {} are given",
                callee.name,
                callee.params.len(),
                args.len()
            ));
        }
        let mut modes = Vec::with_capacity(args.len());
        let mut passed = Vec::with_capacity(args.len());
        for (param, arg) in callee.params.iter().zip(args.drain(..)) {
            let (mode, arg) = self.arg(&param.kind, arg)?;
            // The function of a phase runs once for each row, the body once for the group: a place of the body would be
            // written by all rows at once.
            if scope != self.scope && !may_enter_phase(&mode, arg.as_ref()) {
                return self.ill("something is passed to a phase that only the body of the kernel may name");
            }
            modes.push(mode);
            passed.extend(arg);
        }
        *args = passed;
        // A call takes several times as much stack of the lowering program as a block does.
        self.state.depth += 3;
        *function = self.state.copy(*function, scope, &modes)?;
        self.state.depth -= 3;
        Ok(())
    }

    /// Returns the mode in which an argument is passed, and the value passed, if any.
    fn arg(&mut self, param: &ParamKind, mut arg: Arg) -> Result<(Mode, Option<Arg>), FlattenError> {
        match &mut arg {
            Arg::Value(value) => self.expr(value)?,
            Arg::InOut(place) | Arg::Resource(place) => self.place(place)?,
        }
        match (param, arg) {
            // A row that is not changed is a value unless it lies in a table: nobody can change it during the call.
            (ParamKind::Value(_) | ParamKind::Row(_, false) | ParamKind::Params(_), arg @ Arg::Value(_)) => {
                Ok((Mode::Value, Some(arg)))
            }
            (ParamKind::InOut(_) | ParamKind::Row(_, true), arg @ Arg::InOut(_)) => Ok((Mode::InOut, Some(arg))),
            (ParamKind::Row(id, false) | ParamKind::Params(id), Arg::InOut(place)) => {
                Ok((Mode::Value, Some(Arg::Value(load(place, Type::Struct(*id))))))
            }
            (_, Arg::Resource(place)) => self.resource(param, place),
            _ => self.ill("an argument is not passed as its parameter asks"),
        }
    }

    fn resource(&mut self, param: &ParamKind, place: Place) -> Result<(Mode, Option<Arg>), FlattenError> {
        let row_number = |index: LocalId| Some(Arg::Value(load(Place::local(index), Scalar::U32.into())));
        match (param, place.base, place.path.as_slice()) {
            (ParamKind::Row(wanted, _), Base::Row { binding, index }, []) => {
                if !self.is_table_of(binding, *wanted) {
                    return self.ill("a row of another table is passed");
                }
                Ok((Mode::Row(binding), row_number(index)))
            }
            (ParamKind::History(ty, mutable), Base::Row { binding, index }, []) => {
                if !self.is_history_of(binding, ty, *mutable) {
                    return self.ill("another history is passed than the parameter asks for");
                }
                Ok((Mode::History(binding), row_number(index)))
            }
            (ParamKind::Lanes(..), Base::Row { binding, index }, [Step::Field(field)]) => {
                Ok((Mode::Lanes(binding, *field), row_number(index)))
            }
            // All own rows at once, at a phase: each invocation passes its own.
            (ParamKind::Row(wanted, _), Base::Binding(binding), []) if self.is_each_of(binding, *wanted) => {
                let row = Expr { ty: Scalar::U32.into(), kind: ExprKind::Group(GroupQuery::Row) };
                Ok((Mode::Row(binding), Some(Arg::Value(row))))
            }
            (ParamKind::Scratch(ty, _), Base::Scratch, []) if self.state.scratch.as_ref() == Some(ty) => {
                Ok((Mode::Scratch, None))
            }
            (_, Base::Binding(binding), []) => match self.state.bindings.get(binding as usize) {
                Some(bound) if self.is_clock(param, &bound.kind) || is_asked_for(param, &bound.kind) => {
                    Ok((Mode::Whole(binding), None))
                }
                _ => self.ill("another kind of resource is passed than the parameter asks for"),
            },
            // A row or parameter struct inside another value is an ordinary value. These come last: every whole row
            // of a table has matched before, or is an error.
            (ParamKind::Row(_, true), ..) => Ok((Mode::InOut, Some(Arg::InOut(place)))),
            (ParamKind::Row(id, false) | ParamKind::Params(id), ..) => {
                Ok((Mode::Value, Some(Arg::Value(load(place, Type::Struct(*id))))))
            }
            _ => self.ill("a resource is not passed as its parameter asks"),
        }
    }
}

fn load(place: Place, ty: Type) -> Expr {
    Expr { ty, kind: ExprKind::Load(place) }
}

/// Returns `true` if an argument may be passed to a phase: own rows of the invocations, whole bindings, the scratch and
/// values.
fn may_enter_phase(mode: &Mode, arg: Option<&Arg>) -> bool {
    match mode {
        Mode::Value | Mode::Whole(_) | Mode::Scratch => true,
        Mode::Row(_) => {
            matches!(arg, Some(Arg::Value(Expr { kind: ExprKind::Group(GroupQuery::Row), .. })))
        }
        Mode::InOut | Mode::Lanes(..) | Mode::History(_) => false,
    }
}

/// Returns `true` if a parameter takes this whole binding.
fn is_asked_for(param: &ParamKind, bound: &BindingKind) -> bool {
    match (param, bound) {
        (ParamKind::Rows(wanted), BindingKind::Table { row, own_row: false, .. }) => wanted == row,
        (ParamKind::Tally(wanted), BindingKind::Tally { scalar, .. }) => wanted == scalar,
        (ParamKind::Params(wanted), BindingKind::Params { block, .. }) => wanted == block,
        _ => false,
    }
}
