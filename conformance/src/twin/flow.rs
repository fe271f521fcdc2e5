//! Words whose values depend on the order in which rows of one launch exchange words of tallies.

use imminent_core::ir::flatten::visit::{Use, Visitor, walk, walk_expr};
use imminent_core::ir::flatten::{BindingKind, FlatKernel};
use imminent_core::ir::{
    Arg, Base, Block, Expr, FieldType, FunctionId, LocalId, Place, Step, Stmt, StmtKind, Type, WordOp,
};
use std::collections::BTreeSet;

/// Words of the rows of a table, each with `true` for those of lanes. A tally has word 0 alone.
pub(super) type Words = BTreeSet<(bool, u32)>;

/// Returns the words of each binding that a kernel stores by the outcome of an exchange.
pub(super) fn free_words(flat: &FlatKernel) -> Vec<Words> {
    let mut flow = Flow {
        flat,
        locals: BTreeSet::new(),
        depends: BTreeSet::new(),
        returns: BTreeSet::new(),
        scratch: false,
        stored: vec![Words::new(); flat.bindings.len()],
        is_changed: true,
    };
    while std::mem::take(&mut flow.is_changed) {
        for (at, function) in flat.functions.iter().enumerate() {
            let is_free = flow.depends.contains(&at);
            flow.block(at, &function.body, is_free);
        }
    }
    flow.stored
}

/// Values that depend on an exchange, as far as they are known. They grow until a walk over the kernel adds none.
struct Flow<'k> {
    flat: &'k FlatKernel,
    /// Locals, by the function's position.
    locals: BTreeSet<(usize, LocalId)>,
    /// Functions that are called, left or continued by such a value: what they store depends on it.
    depends: BTreeSet<usize>,
    /// Functions that return such a value.
    returns: BTreeSet<usize>,
    /// `true` if elements of the scratch depend on an exchange.
    scratch: bool,
    stored: Vec<Words>,
    is_changed: bool,
}

/// Search for a place of which the value depends on an exchange.
struct Reads<'f, 'k> {
    flow: &'f Flow<'k>,
    function: usize,
    found: bool,
}

impl Visitor for Reads<'_, '_> {
    fn place(&mut self, place: &Place, _used: Use) {
        self.found |= match place.base {
            Base::Local(local) => self.flow.locals.contains(&(self.function, local)),
            Base::Row { binding, index } => {
                let is_stored = || self.flow.words(place).is_some_and(|words| self.flow.has_any(binding, words));
                self.flow.locals.contains(&(self.function, index)) || is_stored()
            }
            _ => false,
        };
    }
}

/// Search for a statement that leaves a loop or the function.
struct Leaves(bool);

impl Visitor for Leaves {
    fn stmt(&mut self, stmt: &Stmt) {
        self.0 |= matches!(stmt.kind, StmtKind::Break | StmtKind::Continue | StmtKind::Return(_));
    }
}

impl Flow<'_> {
    /// Returns the words of the field of a row that a place is in.
    fn words(&self, place: &Place) -> Option<Words> {
        let Base::Row { binding, .. } = place.base else { return None };
        let BindingKind::Table { row, .. } = self.flat.bindings.get(binding as usize)?.kind else { return None };
        let fields = &self.flat.structs.get(row.index())?.fields;
        let of_field = |at: usize| {
            let first = self.flat.field_word(row, at as u32);
            let (is_lane, ty) = match &fields[at].ty {
                FieldType::Value(ty) => (false, ty),
                FieldType::Lanes(ty) => (true, ty),
            };
            (first..first + self.flat.words(ty)).map(move |word| (is_lane, word))
        };
        Some(match place.path.first() {
            Some(Step::Field(at)) if (*at as usize) < fields.len() => of_field(*at as usize).collect(),
            _ => (0..fields.len()).flat_map(of_field).collect(),
        })
    }

    fn has_any(&self, binding: u32, words: Words) -> bool {
        self.stored.get(binding as usize).is_some_and(|stored| !stored.is_disjoint(&words))
    }

    fn reads(&self, function: usize, expr: &Expr) -> bool {
        let mut reads = Reads { flow: self, function, found: false };
        walk_expr(expr, &mut reads);
        reads.found
    }

    /// Returns `true` if the value at a place, or the place itself, depends on an exchange.
    fn is_free(&self, function: usize, place: &Place) -> bool {
        let mut reads = Reads { flow: self, function, found: false };
        reads.place(place, Use::Read);
        reads.found || self.is_chosen(function, place)
    }

    /// Returns `true` if the position of a place depends on an exchange.
    fn is_chosen(&self, function: usize, place: &Place) -> bool {
        let index = |step: &Step| matches!(step, Step::Index(index) if self.reads(function, index));
        let row = matches!(place.base, Base::Row { index, .. } if self.locals.contains(&(function, index)));
        row || place.path.iter().any(index)
    }

    fn local(&mut self, function: usize, local: LocalId, is_free: bool) {
        self.is_changed |= is_free && self.locals.insert((function, local));
    }

    fn place(&mut self, function: usize, place: &Place, is_free: bool) {
        match place.base {
            Base::Local(local) => self.local(function, local, is_free),
            Base::Row { binding, .. } if is_free => {
                let words = self.words(place).unwrap_or_default();
                let Some(stored) = self.stored.get_mut(binding as usize) else { return };
                let before = stored.len();
                stored.extend(words);
                self.is_changed |= stored.len() > before;
            }
            _ => {}
        }
    }

    fn tally(&mut self, tally: &Base, is_free: bool) {
        let Base::Binding(binding) = tally else { return };
        let stored = self.stored.get_mut(*binding as usize).filter(|_| is_free);
        self.is_changed |= stored.is_some_and(|stored| stored.insert((false, 0)));
    }

    /// Walks a block; `is_free` if whether it is executed depends on an exchange.
    fn block(&mut self, function: usize, block: &Block, is_free: bool) {
        for stmt in block {
            let is_free = is_free || self.depends.contains(&function);
            self.stmt(function, &stmt.kind, is_free);
        }
    }

    /// Walks blocks that are executed by a condition.
    fn governed(&mut self, function: usize, blocks: &[&Block], is_outer: bool, is_own: bool) {
        let mut leaves = Leaves(false);
        blocks.iter().for_each(|block| walk(block, &mut leaves));
        self.is_changed |= is_own && leaves.0 && self.depends.insert(function);
        blocks.iter().for_each(|block| self.block(function, block, is_outer || is_own));
    }

    fn stmt(&mut self, at: usize, kind: &StmtKind, is_free: bool) {
        match kind {
            StmtKind::Let(local, value) => {
                let reads = value.as_ref().is_some_and(|value| self.reads(at, value));
                self.local(at, *local, reads || is_free && value.is_some());
            }
            StmtKind::Assign(place, value) | StmtKind::Store(place, value, _) => {
                let is_free = is_free || self.reads(at, value) || self.is_chosen(at, place);
                self.place(at, place, is_free);
            }
            StmtKind::Load(local, place, _) => self.local(at, *local, is_free || self.is_free(at, place)),
            StmtKind::Divide(local, a, b, _) | StmtKind::Remainder(local, a, b, _) => {
                self.local(at, *local, is_free || self.reads(at, a) || self.reads(at, b));
            }
            StmtKind::BindRow { local, index, .. } => self.local(at, *local, is_free || self.reads(at, index)),
            StmtKind::LaneGet { into, lanes, index, .. } => {
                self.local(at, *into, is_free || self.reads(at, index) || self.is_free(at, lanes));
            }
            StmtKind::LaneSet { lanes, index, value, .. } => {
                self.place(at, lanes, is_free || self.reads(at, index) || self.reads(at, value));
            }
            StmtKind::Tally { tally, slot, value, .. } => {
                self.tally(tally, is_free || self.reads(at, slot) || self.reads(at, value));
            }
            StmtKind::Word { op, into, tally, slot, value, .. } => {
                let is_given = value.as_ref().is_some_and(|value| self.reads(at, value));
                let is_free = is_free || self.reads(at, slot) || is_given || *op == WordOp::Exchange;
                self.tally(tally, is_free && *op != WordOp::Load);
                let is_stored = matches!(tally, Base::Binding(of) if self.has_any(*of, Words::from([(false, 0)])));
                into.iter().for_each(|into| self.local(at, *into, is_free || is_stored));
            }
            StmtKind::Call { into, function, args } | StmtKind::Phase { into, function, args, .. } => {
                self.call(at, *into, *function, args, is_free);
            }
            StmtKind::ScratchGet { into, index, .. } => {
                self.local(at, *into, is_free || self.scratch || self.reads(at, index));
            }
            StmtKind::ScratchOwn { into, .. } => self.local(at, *into, is_free || self.scratch),
            StmtKind::ScratchSet { value, .. } => {
                let is_free = !self.scratch && (is_free || self.reads(at, value));
                self.is_changed |= is_free;
                self.scratch |= is_free;
            }
            StmtKind::If(condition, then, other) => {
                self.governed(at, &[then, other], is_free, self.reads(at, condition));
            }
            StmtKind::While(condition, body) => self.governed(at, &[body], is_free, self.reads(at, condition)),
            StmtKind::For { var, start, end, body, .. } => {
                let is_own = self.reads(at, start) || self.reads(at, end);
                self.local(at, *var, is_free || is_own);
                self.governed(at, &[body], is_free, is_own);
            }
            StmtKind::Loop(body) => self.block(at, body, is_free),
            StmtKind::Return(value) => {
                let reads = value.as_ref().is_some_and(|value| is_free || self.reads(at, value));
                self.is_changed |= reads && self.returns.insert(at);
            }
            // Histories are lanes in a flat kernel.
            StmtKind::HistoryGet { .. } | StmtKind::HistorySet { .. } => {}
            StmtKind::Assert(..) | StmtKind::Break | StmtKind::Continue => {}
        }
    }

    /// Passes arguments to a function and its results back.
    fn call(&mut self, at: usize, into: Option<LocalId>, function: FunctionId, args: &[Arg], is_free: bool) {
        let (flat, called) = (self.flat, function.index());
        self.is_changed |= is_free && self.depends.insert(called);
        let Some(callee) = flat.functions.get(called) else { return };
        for (arg, param) in args.iter().zip(&callee.params) {
            match arg {
                Arg::Value(value) => {
                    let reads = self.reads(at, value);
                    self.local(called, param.local, reads);
                }
                Arg::InOut(place) | Arg::Resource(place) => {
                    let is_given = self.is_free(at, place);
                    self.local(called, param.local, is_given);
                    let is_back = param.inout && self.locals.contains(&(called, param.local));
                    self.place(at, place, is_back);
                }
            }
        }
        let is_result = callee.result != Type::Unit && (is_free || self.returns.contains(&called));
        into.iter().for_each(|into| self.local(at, *into, is_result));
    }
}
