//! What every lowering of grouped kernels needs to know: who can fault, and where barriers stand.
//!
//! # How phases become barriers
//!
//! A group is run by one workgroup, an invocation for each row. All of them run the kernel's body, whose values are the
//! same for the whole group. One array in workgroup memory holds the elements as the last phase that set any left them;
//! what an invocation sets goes to a variable of its own first. So a phase is
//!
//! 1. the phase's function, run by every invocation that has a row;
//! 2. a barrier, if some invocation may still be reading elements ([`Phases::reads_before_store`]);
//! 3. each invocation stores its variable in its element, and
//! 4. a barrier.
//!
//! Steps 2 to 4 fall away where the function sets nothing. Then every read sees the elements of an earlier phase, whole: a
//! read in phase `p` comes after the barrier 4 of the last phase that set any, and before the store of the next one,
//! since between the two stands barrier 2 of that next phase.
//!
//! Barriers stand only in the kernel's body and in what it calls between phases, never in a phase. There control flow is the
//! same for all invocations, because all that it depends on is: parameters, tables that the launch does not write, votes,
//! elements (read between barrier 4 and barrier 2), and the group's own row, which the first invocation reads for all. So
//! all of them reach every barrier, as long as nothing that [takes barriers](takes_barriers) is evaluated where one invocation acts for its group
//! (it stores to the group's row, or contributes to a tally): what it needs is evaluated before.

use imminent_ir::flatten::visit::{self, Use, Visitor};
use imminent_ir::flatten::{BindingKind, FlatKernel, Scope};
use imminent_ir::{Base, Expr, FunctionId, Place, Stmt, StmtKind, Vote};

/// How the functions of a grouped kernel work together. Of any other kernel: nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phases {
    /// For each function whether it, or one that it calls, can fault.
    faults: Vec<bool>,
    /// Whether the code between phases can fault.
    uniform_faults: bool,
    /// Whether elements are read where nothing is set afterwards: by a phase that sets nothing, or between phases.
    open_reads: bool,
    /// Whether a phase sets or asks for its own element.
    own_elements: bool,
    /// Whether elements are used at all.
    elements: bool,
    votes: Vec<Vote>,
}

impl Phases {
    /// Looks at a kernel.
    #[must_use]
    pub fn of(flat: &FlatKernel) -> Phases {
        let mut phases = Phases::default();
        if !flat.shape.is_grouped() {
            return phases;
        }
        for function in &flat.functions {
            let mut found = Found { faults: &phases.faults, can_fault: false, phases: Vec::new() };
            visit::walk(&function.body, &mut found);
            let Found { can_fault, phases: run, .. } = found;
            phases.faults.push(can_fault);
            phases.uniform_faults |= can_fault && function.scope == Scope::Group;
            phases.open_reads |= function.scope == Scope::Group && function.scratch.gets;
            for (phase, vote) in run {
                let uses = flat.functions.get(phase.index()).map(|f| f.scratch).unwrap_or_default();
                phases.open_reads |= uses.gets && !uses.sets;
                phases.own_elements |= uses.sets || uses.owns;
                phases.elements |= uses.gets || uses.sets || uses.owns;
                if let Some(vote) = vote
                    && !phases.votes.contains(&vote)
                {
                    phases.votes.push(vote);
                }
            }
        }
        phases.elements |= phases.open_reads;
        phases
    }

    /// Whether a function, or one that it calls, can fault.
    #[must_use]
    pub fn faults(&self, function: FunctionId) -> bool {
        self.faults.get(function.index()).copied().unwrap_or(false)
    }

    /// Whether the code between phases can fault: then every invocation must keep the faults of its row apart from those of
    /// the group, which are the first row's.
    #[must_use]
    pub fn uniform_faults(&self) -> bool {
        self.uniform_faults
    }

    /// Whether any phase or code between phases uses elements of the scratch.
    #[must_use]
    pub fn uses_elements(&self) -> bool {
        self.elements
    }

    /// Whether invocations need a variable for their own element.
    #[must_use]
    pub fn own_elements(&self) -> bool {
        self.own_elements
    }

    /// Whether some phase votes.
    #[must_use]
    pub fn votes(&self) -> bool {
        !self.votes.is_empty()
    }

    /// Whether elements may still be read when a phase that sets some has been run: by the phase itself, or by earlier
    /// reads that no barrier has followed.
    #[must_use]
    pub fn reads_before_store(&self, flat: &FlatKernel, phase: FunctionId) -> bool {
        self.open_reads || flat.functions.get(phase.index()).is_some_and(|function| function.scratch.gets)
    }
}

/// Whether a binding is the own row of groups, and changed: then the first invocation reads it for all, since another may
/// still be about to read when that one writes.
#[must_use]
pub fn is_read_for_all(flat: &FlatKernel, binding: u32) -> bool {
    matches!(flat.bindings.get(binding as usize), Some(binding)
        if matches!(binding.kind, BindingKind::Table { per_group: true, .. }) && !binding.access.written.is_empty())
}

/// Whether barriers are taken to find the value of an expression between phases: it reads a row that the first invocation [reads for all](is_read_for_all).
#[must_use]
pub fn takes_barriers(flat: &FlatKernel, value: &Expr) -> bool {
    struct Reads<'a>(&'a FlatKernel, bool);
    impl Visitor for Reads<'_> {
        fn place(&mut self, place: &Place, _used: Use) {
            if let Base::Row { binding, .. } | Base::Binding(binding) = place.base {
                self.1 |= is_read_for_all(self.0, binding);
            }
        }
    }
    let mut reads = Reads(flat, false);
    visit::walk_expr(value, &mut reads);
    reads.1
}

/// Whether a binding is the own row of groups.
#[must_use]
pub fn is_per_group(flat: &FlatKernel, binding: u32) -> bool {
    matches!(
        flat.bindings.get(binding as usize).map(|binding| &binding.kind),
        Some(BindingKind::Table { per_group: true, .. })
    )
}

struct Found<'a> {
    faults: &'a [bool],
    can_fault: bool,
    phases: Vec<(FunctionId, Option<Vote>)>,
}

impl Visitor for Found<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Store(..)
            | StmtKind::Load(..)
            | StmtKind::Divide(..)
            | StmtKind::Remainder(..)
            | StmtKind::BindRow { .. }
            | StmtKind::LaneGet { .. }
            | StmtKind::LaneSet { .. }
            | StmtKind::HistoryGet { .. }
            | StmtKind::HistorySet { .. }
            | StmtKind::Tally { .. }
            | StmtKind::ScratchGet { .. }
            | StmtKind::Assert(..) => self.can_fault = true,
            StmtKind::Call { function, .. } => {
                self.can_fault |= self.faults.get(function.index()).copied().unwrap_or(false);
            }
            StmtKind::Phase { function, vote, .. } => self.phases.push((*function, *vote)),
            StmtKind::Let(..)
            | StmtKind::Assign(..)
            | StmtKind::ScratchOwn { .. }
            | StmtKind::ScratchSet { .. }
            | StmtKind::If(..)
            | StmtKind::Loop(_)
            | StmtKind::While(..)
            | StmtKind::For { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Return(_) => {}
        }
    }
}
