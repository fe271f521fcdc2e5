//! Analysis of grouped kernels for their lowering: functions that can fault, and the placement of barriers.
//!
//! # Translation of phases into barriers
//!
//! One workgroup runs a group, with an invocation for each row. All invocations run the kernel's body, whose values are
//! the same for the whole group. One array in workgroup memory holds the elements as the last phase that set any left
//! them. An invocation first stores its new element in a variable. So a phase is
//! 1. the phase's function, run by every invocation that has a row;
//! 2. a barrier, if some invocation may still be reading elements ([`Phases::reads_before_store`]);
//! 3. each invocation stores its variable in its element, and
//! 4. a barrier.
//!
//! Steps 2 to 4 are omitted if the function sets nothing. Then every read sees the elements of an earlier phase,
//! complete. A read in phase `p` comes after barrier 4 of the last phase that set any. It comes before the store of the
//! next one, since barrier 2 of that next phase stands between them.
//!
//! Barriers stand only in the kernel's body and in functions that it calls between phases, never in a phase. There
//! control flow is uniform, because everything on which it depends is: parameters, tables that the launch does not
//! write, votes, elements (read between barrier 4 and barrier 2), and the group's own row. So all invocations reach
//! every barrier, on one condition. In OpenCL C a barrier stands within no condition at all: there the body is a loop
//! over stages, of which each ends with the loop's one barrier.
//!
//! # A group's own row
//!
//! One invocation stores to the row of its group. In C every invocation has a copy of the fields that are read and
//! written ([`kept`](crate::kept)), so that barriers stand between phases alone: PoCL 3.1 and 6.0 compile barriers
//! within expressions wrongly. WGSL must be shown that conditions around barriers are uniform, which a private copy is
//! not: there the first invocation reads the row for all, by barriers. It does so for every table between phases where
//! tables share buffers, since WGSL takes no value from a buffer that is written for uniform. Where one invocation
//! acts for its group (it stores to the group's row, or contributes to a tally), nothing that [takes
//! barriers](takes_barriers) may then be evaluated: such values are evaluated before.

use imminent_ir::flatten::visit::{self, Use, Visitor};
use imminent_ir::flatten::{BindingKind, FlatKernel, Scope};
use imminent_ir::{Base, Expr, FunctionId, Place, Stmt, StmtKind};

/// Cooperation of the functions of a grouped kernel. Empty for any other kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phases {
    /// For each function, `true` if it, or one that it calls, can fault.
    faults: Vec<bool>,
    /// `true` if the code between phases can fault.
    uniform_faults: bool,
    /// `true` if elements are read where nothing is set afterwards: by a phase that sets nothing, or between phases.
    open_reads: bool,
    /// `true` if a phase sets or reads its own element.
    own_elements: bool,
    /// `true` if elements are used at all.
    elements: bool,
    /// `true` if some phase votes.
    votes: bool,
}

impl Phases {
    /// Analyses a kernel.
    #[must_use]
    pub fn of(flat: &FlatKernel) -> Phases {
        let mut phases = Phases::default();
        if !flat.shape.is_grouped() {
            return phases;
        }
        // Functions stand before their callers: what those call is known.
        for function in &flat.functions {
            let mut found = Effects { faults: &phases.faults, can_fault: false, phases: Vec::new() };
            visit::walk(&function.body, &mut found);
            let Effects { can_fault, phases: run, .. } = found;
            phases.faults.push(can_fault);
            // A function that phases and the code between them call is there once for each scope.
            phases.uniform_faults |= can_fault && function.scope == Scope::Group;
            // No barrier follows these reads until the next phase that sets elements.
            phases.open_reads |= function.scope == Scope::Group && function.scratch.gets;
            for (phase, votes) in run {
                let uses = flat.functions.get(phase.index()).map(|f| f.scratch).unwrap_or_default();
                phases.open_reads |= uses.gets && !uses.sets;
                phases.own_elements |= uses.sets || uses.owns;
                phases.elements |= uses.gets || uses.sets || uses.owns;
                phases.votes |= votes;
            }
        }
        // Elements that no phase sets are zero, and still need memory.
        phases.elements |= phases.open_reads;
        phases
    }

    /// Returns `true` if a function, or one that it calls, can fault.
    #[must_use]
    pub fn faults(&self, function: FunctionId) -> bool {
        self.faults.get(function.index()).copied().unwrap_or(false)
    }

    /// Returns `true` if the code between phases can fault. Every invocation must then separate the faults of its row
    /// from those of the group, which are the first row's.
    #[must_use]
    pub fn uniform_faults(&self) -> bool {
        self.uniform_faults
    }

    /// Returns `true` if any phase or code between phases uses elements of the scratch.
    #[must_use]
    pub fn uses_elements(&self) -> bool {
        self.elements
    }

    /// Returns `true` if invocations need a variable for their own element.
    #[must_use]
    pub fn own_elements(&self) -> bool {
        self.own_elements
    }

    /// Returns `true` if some phase votes.
    #[must_use]
    pub fn votes(&self) -> bool {
        self.votes
    }

    /// Returns `true` if elements may still be read when a phase that sets some has run: by the phase itself, or by
    /// earlier reads without a barrier after them.
    #[must_use]
    pub fn reads_before_store(&self, flat: &FlatKernel, phase: FunctionId) -> bool {
        // One fact for the whole kernel, not one for each pair of phases: in a loop any phase can follow any other, and
        // a barrier too many costs little, while one too few is a race.
        self.open_reads || flat.functions.get(phase.index()).is_some_and(|function| function.scratch.gets)
    }
}

/// Returns `true` if a binding is the own row of groups, and mutable. In WGSL the first invocation then reads it for
/// all, since another may still be about to read when that one writes.
#[must_use]
pub fn is_read_for_all(flat: &FlatKernel, binding: u32) -> bool {
    matches!(flat.bindings.get(binding as usize), Some(binding)
        if matches!(binding.kind, BindingKind::Table { per_group: true, .. }) && !binding.access.written.is_empty())
}

/// Returns `true` if evaluating an expression between phases takes barriers: it reads a row that the first invocation
/// [reads for all](is_read_for_all). That is any row if tables lie in `shared` buffers that the kernel may write.
#[must_use]
pub fn takes_barriers(flat: &FlatKernel, shared: bool, value: &Expr) -> bool {
    struct Reads<'a>(&'a FlatKernel, bool, bool);
    impl Visitor for Reads<'_> {
        fn place(&mut self, place: &Place, _used: Use) {
            if let Base::Row { binding, .. } | Base::Binding(binding) = place.base {
                self.2 |= self.1 || is_read_for_all(self.0, binding);
            }
        }
    }
    let mut reads = Reads(flat, shared, false);
    visit::walk_expr(value, &mut reads);
    reads.2
}

/// Returns `true` if a binding is the own row of groups.
#[must_use]
pub fn is_per_group(flat: &FlatKernel, binding: u32) -> bool {
    matches!(
        flat.bindings.get(binding as usize).map(|binding| &binding.kind),
        Some(BindingKind::Table { per_group: true, .. })
    )
}

struct Effects<'a> {
    faults: &'a [bool],
    can_fault: bool,
    /// Phases that are run, each with `true` if it votes.
    phases: Vec<(FunctionId, bool)>,
}

impl Visitor for Effects<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        // Every kind is named, so that a new one has to be judged here.
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
            | StmtKind::Word { .. }
            | StmtKind::ScratchGet { .. }
            | StmtKind::Assert(..) => self.can_fault = true,
            // The function of a phase is judged by itself: its faults are those of rows, never of the group.
            StmtKind::Call { function, .. } => {
                self.can_fault |= self.faults.get(function.index()).copied().unwrap_or(false);
            }
            StmtKind::Phase { function, vote, .. } => self.phases.push((*function, vote.is_some())),
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
