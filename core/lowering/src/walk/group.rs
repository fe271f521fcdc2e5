//! Phases, votes, and the elements that a group shares. Where barriers stand and why: [`phases`].

use super::body::{FunctionLowering, Mode};
use super::code::Code;
use super::dialect::Dialect;
use super::facts::constant_index;
use crate::LoweringError;
use crate::phases;
use imminent_ir::{Arg, Base, Expr, ExprKind, FunctionId, LocalId, Place, SiteId, Vote};

impl<'a, L: Dialect<'a>> FunctionLowering<'_, 'a, L> {
    /// A value that one invocation uses for its group, if `for_group`: computed by all of them where that takes
    /// barriers.
    pub(crate) fn value_for(&mut self, for_group: bool, value: &Expr) -> Result<Code, LoweringError> {
        if L::READS_FOR_ALL && for_group && phases::takes_barriers(self.low.flat, self.low.shares_buffers(), value) {
            let name = self.by_all(value)?;
            return Ok(Code::atom(name));
        }
        self.expr(value)
    }

    /// Returns `true` if a place is in a row of the whole group, which one invocation stores to.
    pub(crate) fn is_of_group(&self, place: &Place) -> bool {
        matches!(place.base, Base::Row { binding, .. } | Base::Binding(binding) if phases::is_per_group(self.low.flat, binding))
    }

    /// A store, by one invocation only if it is to a row of the whole group.
    pub(crate) fn once(&self, binding: u32, store: String) -> String {
        if !phases::is_per_group(self.low.flat, binding) {
            return store;
        }
        format!("if ({}lane == 0u) {{ {store} }}", L::SHARED)
    }

    /// Runs a function for every row of the group; then what was set is seen by all.
    pub(crate) fn phase(
        &mut self,
        into: Option<LocalId>,
        vote: Option<Vote>,
        function: FunctionId,
        args: &[Arg],
    ) -> Result<(), LoweringError> {
        let flat = self.low.flat;
        let (Some(name), Some(callee)) =
            (self.low.functions.get(function.index()).cloned(), flat.functions.get(function.index()))
        else {
            return Err(self.ill("a phase of a function out of range"));
        };
        let mut passed: Vec<String> = L::CONTEXT.iter().map(|name| (*name).to_owned()).collect();
        for arg in args {
            let Arg::Value(value) = arg else { return Err(self.ill("a phase that changes a variable of the group")) };
            passed.push(self.by_all(value)?);
        }
        let call = format!("{name}({})", passed.join(", "));
        let agrees = vote.map(|vote| {
            let agrees = self.temp("agrees");
            self.emit(&L::agreement(&agrees, vote == Vote::All));
            agrees
        });
        let keeps_faults = self.low.phases.uniform_faults() && self.low.phases.faults(function);
        self.open(&format!("if ({}lane_active) {{", L::SHARED));
        if keeps_faults {
            let enter = self.invoke("enter_phase", &[]);
            self.emit(&format!("{enter};"));
        }
        match &agrees {
            Some(agrees) => self.emit(&format!("{agrees} = {call};")),
            None => self.emit(&format!("{call};")),
        }
        if keeps_faults {
            let leave = self.invoke("leave_phase", &[]);
            self.emit(&format!("{leave};"));
        }
        self.w.close("}");
        if let (Some(into), Some(vote), Some(agrees)) = (into, vote, &agrees) {
            L::vote(self, into, vote, agrees)?;
        }
        if callee.scratch.sets {
            // A vote is a barrier too.
            if vote.is_none() && self.low.phases.reads_before_store(flat, function) {
                L::wait(self);
            }
            let share = self.low.share_element();
            self.emit(&share);
        }
        if callee.scratch.sets || (L::VOTES_NEED_BARRIER && vote.is_some()) {
            L::wait(self);
        }
        Ok(())
    }

    /// A value that the whole group computes, since that may take barriers, before the rows part.
    fn by_all(&mut self, value: &Expr) -> Result<String, LoweringError> {
        let plain = match &value.kind {
            ExprKind::Literal(_) | ExprKind::Group(_) => true,
            ExprKind::Load(Place { base: Base::Local(_), path }) => path.is_empty(),
            _ => false,
        };
        let code = self.expr(value)?;
        if plain {
            return Ok(L::argument(&code));
        }
        let name = self.temp("given");
        self.declare_new(Mode::Const, &name, &value.ty, &code.text);
        Ok(name)
    }

    pub(crate) fn scratch_get(&mut self, into: LocalId, index: &Expr, site: SiteId) -> Result<(), LoweringError> {
        let size = self.low.flat.shape.size();
        if let Some(constant) = constant_index(index) {
            if constant < size {
                let element = L::scratch_element(self, Ok(constant));
                return self.declare(into, &element);
            }
            self.declare_zero(into)?;
            self.raise(site);
            return Ok(());
        }
        let code = self.expr(index)?;
        let index = self.index_variable(index, code, "other")?;
        let name = self.declare_zero(into)?;
        let element = L::scratch_element(self, Err(&index));
        self.guarded(&format!("{index} < {size}u"), &format!("{name} = {element};"), site);
        Ok(())
    }
}
