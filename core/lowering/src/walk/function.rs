//! One function: its names, and which of its locals are assigned.

use super::body::{FunctionLowering, Mode};
use super::dialect::Dialect;
use super::facts::always_returns;
use super::writer::Writer;
use crate::LoweringError;
use crate::names::to_u32;
use imminent_ir::flatten::FlatFunction;
use imminent_ir::flatten::visit::{self, Use, Visitor};
use imminent_ir::{Base, ExprKind, LocalId, Place, Step, Stmt, StmtKind, Type};
use std::collections::HashSet;
use std::path::Path;

impl<'l, 'a, L: Dialect<'a>> FunctionLowering<'l, 'a, L> {
    /// The text of a function of the kernel.
    pub(crate) fn lower(low: &'l mut L, number: usize) -> Result<Writer, LoweringError> {
        let flat = low.flat;
        let Some(function) = flat.functions.get(number) else { return Err(low.ill("a function out of range")) };
        let short_file = Path::new(&function.file)
            .file_name()
            .map_or_else(|| function.file.clone(), |name| name.to_string_lossy().into_owned());
        let directives = low.line_directives();
        let mut this = FunctionLowering {
            low,
            function,
            names: Vec::new(),
            modes: modes(function, L::INDEXES_VARIABLES),
            known: HashSet::new(),
            scope: HashSet::new(),
            w: Writer::with_directives(directives),
            line: function.line,
            short_file: L::comment(&short_file),
        };
        this.low.scope = function.scope;
        this.name_locals();
        L::signature(&mut this, number)?;
        if number + 1 == flat.functions.len() {
            L::body(&mut this)?;
        } else {
            this.whole()?;
        }
        this.w.close("}");
        Ok(this.w)
    }

    /// The statements of the function, and the `return` that the compiler may need.
    pub(crate) fn whole(&mut self) -> Result<(), LoweringError> {
        self.block(&self.function.body)?;
        if self.function.result != Type::Unit && !always_returns(&self.function.body) {
            L::return_zero(self);
        }
        Ok(())
    }

    fn name_locals(&mut self) {
        self.names = vec![String::new(); self.function.locals.len()];
        let params: Vec<LocalId> = self.function.params.iter().map(|p| p.local).collect();
        let others = (0..to_u32(self.names.len())).map(LocalId).filter(|l| !params.contains(l));
        let order: Vec<LocalId> = params.iter().copied().chain(others).collect();
        for local in order {
            if let Some(def) = self.function.locals.get(local.index()) {
                let name = self.low.names.local(&def.name, &mut self.scope);
                if let Some(slot) = self.names.get_mut(local.index()) {
                    *slot = name;
                }
            }
        }
    }
}

/// Which locals are assigned or pointed to, and if they must be variables for it, which are indexed by a computed
/// number.
fn modes(function: &FlatFunction, if_indexed: bool) -> Vec<Mode> {
    let mut finder = Assigned { modes: vec![Mode::Const; function.locals.len()], if_indexed };
    visit::walk(&function.body, &mut finder);
    for param in function.params.iter().filter(|p| p.inout) {
        finder.set(param.local, Mode::Pointer);
    }
    finder.modes
}

struct Assigned {
    modes: Vec<Mode>,
    if_indexed: bool,
}

impl Assigned {
    fn set(&mut self, local: LocalId, mode: Mode) {
        if let Some(slot) = self.modes.get_mut(local.index()) {
            *slot = mode;
        }
    }
}

impl Visitor for Assigned {
    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Let(local, None) = &stmt.kind {
            self.set(*local, Mode::Var);
        }
    }

    fn place(&mut self, place: &Place, used: Use) {
        let Base::Local(local) = place.base else { return };
        let computed = |step: &Step| matches!(step, Step::Index(i) if !matches!(i.kind, ExprKind::Literal(_)));
        let is_indexed = self.if_indexed && place.path.iter().any(computed);
        if is_indexed || matches!(used, Use::Write | Use::InOut) {
            self.set(local, Mode::Var);
        }
    }
}
