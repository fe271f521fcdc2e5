//! Lowering of typed trees to IR: expressions become pure, effects become statements in Rust's order of evaluation.
//!
//! Operands are lowered left to right. An operation that may fault or has an effect is *hoisted*: it becomes a
//! statement that declares a temporary. If a later operand changes state, the values of earlier operands that read
//! state are kept in temporaries first.

mod choices;
mod effects;
mod expr;
mod histories;
mod loops;
mod phases;
mod places;
mod power;
mod reach;
mod words;

pub(crate) use effects::children;

use crate::check::infer::Infer;
use crate::hir::{Body, Expr, Kind};
use crate::program::Program;
use crate::ty::Ty;
use imminent_ir::{
    Block, Expr as IrExpr, ExprKind, FaultKind, Local, LocalId, LocalKind, ParamId, Place as IrPlace, Scalar, Site,
    SiteId, Stmt, StmtKind, Type, Value,
};
use proc_macro2::Span;
use std::collections::HashSet;

/// Destination of an expression's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dest {
    /// The value is dropped.
    Drop,
    /// A local that is already declared.
    Into(LocalId),
    /// The function's result.
    Return,
}

struct Lowerer<'p, 'a> {
    program: &'p mut Program<'a>,
    infer: &'p Infer,
    body: &'p Body,
    ir_params: Vec<imminent_ir::Param>,
    locals: Vec<Local>,
    /// For each local of the checked body: its local of the IR, once it is declared.
    declared: Vec<Option<LocalId>>,
    /// Locals that are assigned only by their declaration.
    stable: HashSet<LocalId>,
    block: Block,
    /// For each enclosing loop: destination of a `break`'s value.
    loops: Vec<Dest>,
    /// Copies of a group's own rows, by parameter.
    group_rows: Vec<(u32, LocalId)>,
    line: u32,
}

/// Lowers a checked function; returns its locals and its statements.
pub(crate) fn function(
    program: &mut Program<'_>,
    infer: &Infer,
    body: &Body,
    id: imminent_ir::FunctionId,
    result: &Ty,
) -> (Vec<Local>, Block) {
    let mut lowerer = Lowerer {
        declared: vec![None; body.locals.len()],
        ir_params: program.module.functions[id.index()].params.clone(),
        program,
        infer,
        body,
        locals: Vec::new(),
        stable: HashSet::new(),
        block: Vec::new(),
        loops: Vec::new(),
        group_rows: Vec::new(),
        line: 0,
    };
    lowerer.copy_group_rows(id);
    for (param, local) in &body.copied {
        lowerer.line = line_of(body.locals[*local as usize].span);
        let ty = lowerer.local_type(*local);
        let place = IrPlace { base: imminent_ir::Base::Param(ParamId(*param)), path: Vec::new() };
        let id = lowerer.declare_local(*local);
        lowerer.push(StmtKind::Let(id, Some(IrExpr { ty, kind: ExprKind::Load(place) })));
    }
    let unit = *result == Ty::Unit;
    lowerer.put(&body.root, if unit { Dest::Drop } else { Dest::Return });
    reach::prune(&mut lowerer.block);
    lowerer.store_group_rows();
    if !unit && !ends_in_return(&lowerer.block) {
        // Never reached: the function is left by a `return` inside an endless loop.
        let ty = result.to_ir().unwrap_or(Type::Unit);
        let zero = lowerer.zero(&ty);
        lowerer.push(StmtKind::Return(Some(zero)));
    }
    (lowerer.locals, lowerer.block)
}

fn ends_in_return(block: &Block) -> bool {
    match block.last().map(|stmt| &stmt.kind) {
        Some(StmtKind::Return(_)) => true,
        Some(StmtKind::If(_, then, otherwise)) => ends_in_return(then) && ends_in_return(otherwise),
        _ => false,
    }
}

fn line_of(span: Span) -> u32 {
    span.start().line as u32
}

impl Lowerer<'_, '_> {
    fn push(&mut self, kind: StmtKind) {
        self.block.push(Stmt { line: self.line, kind });
    }

    /// Lowers into a separate block.
    fn nested<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> (Block, T) {
        let outer = std::mem::take(&mut self.block);
        let line = self.line;
        let result = f(self);
        self.line = line;
        (std::mem::replace(&mut self.block, outer), result)
    }

    fn ty(&self, ty: &Ty) -> Type {
        self.infer.deep(ty).to_ir().unwrap_or(Type::Unit)
    }

    fn is_integer(&self, ty: &Ty) -> bool {
        matches!(self.infer.deep(ty), Ty::Scalar(scalar) if scalar.is_integer())
    }

    fn local_type(&self, local: u32) -> Type {
        self.ty(&self.body.locals[local as usize].ty)
    }

    fn new_local(&mut self, name: String, kind: LocalKind) -> LocalId {
        self.locals.push(Local { name, kind });
        LocalId(self.locals.len() as u32 - 1)
    }

    /// Returns the local of the IR for a local of the user.
    fn declare_local(&mut self, local: u32) -> LocalId {
        let def = &self.body.locals[local as usize];
        let kind = match self.infer.deep(&def.ty) {
            Ty::Ref(inner, _) => match *inner {
                Ty::Struct(id) => LocalKind::RowRef(id),
                _ => LocalKind::Value(Type::Unit),
            },
            other => LocalKind::Value(other.to_ir().unwrap_or(Type::Unit)),
        };
        let name = def.name.clone();
        let id = self.new_local(name, kind);
        self.declared[local as usize] = Some(id);
        id
    }

    /// Creates a temporary that is only assigned by its declaration.
    fn temporary(&mut self, ty: Type) -> LocalId {
        let name = format!("_t{}", self.locals.len());
        let id = self.new_local(name, LocalKind::Value(ty));
        self.stable.insert(id);
        id
    }

    /// Creates a temporary that branches assign.
    fn joined(&mut self, ty: Type) -> LocalId {
        let name = format!("_t{}", self.locals.len());
        self.new_local(name, LocalKind::Value(ty))
    }

    fn load(&self, local: LocalId) -> IrExpr {
        let ty = match &self.locals[local.index()].kind {
            LocalKind::Value(ty) => ty.clone(),
            LocalKind::RowRef(id) => Type::Struct(*id),
        };
        IrExpr { ty, kind: ExprKind::Load(IrPlace::local(local)) }
    }

    fn zero(&self, ty: &Type) -> IrExpr {
        IrExpr { ty: ty.clone(), kind: ExprKind::Literal(crate::values::zero(&self.program.module, ty)) }
    }

    fn u32(value: u32) -> IrExpr {
        IrExpr::literal(Value::U32(value), Scalar::U32)
    }

    /// Registers a place in the source where a fault can be raised.
    fn site(&mut self, kind: FaultKind, span: Span) -> SiteId {
        let at = crate::source::position(span);
        let text = self.program.notes.texts.at(span).to_owned();
        let site = Site { kind, file: at.file, line: at.line, column: at.column, text };
        let sites = &mut self.program.module.sites;
        sites.push(site);
        SiteId(sites.len() as u32 - 1)
    }

    fn reads_state(&self, e: &IrExpr) -> bool {
        effects::reads_state(e, &|local| self.stable.contains(&local))
    }

    /// Keeps a value in a temporary if a later statement could change it.
    fn keep(&mut self, e: IrExpr) -> IrExpr {
        if self.reads_state(&e) { self.spill(e) } else { e }
    }

    /// Keeps a value in a temporary.
    fn spill(&mut self, e: IrExpr) -> IrExpr {
        let local = self.temporary(e.ty.clone());
        self.push(StmtKind::Let(local, Some(e)));
        self.load(local)
    }

    /// Lowers operands, left to right.
    fn operands(&mut self, operands: &[&Expr]) -> Vec<IrExpr> {
        let mut lowered = Vec::new();
        for (position, operand) in operands.iter().enumerate() {
            let value = self.value(operand);
            let later = operands[position + 1..].iter().any(|later| effects::mutates(later));
            lowered.push(if later { self.keep(value) } else { value });
        }
        lowered
    }

    /// Evaluates an expression and puts its value where it belongs.
    fn put(&mut self, e: &Expr, dest: Dest) {
        self.line = line_of(e.span);
        match &e.kind {
            Kind::Block(block) => self.put_block(block, dest),
            Kind::If(condition, then, otherwise) => self.put_if(condition, then, otherwise.as_deref(), dest),
            Kind::Match(scrutinee, arms) => self.put_match(scrutinee, arms, dest),
            Kind::Loop(body) => self.put_loop(body, dest),
            Kind::While(condition, body) => self.put_while(condition, body),
            Kind::For(parts) => self.put_for(parts),
            Kind::Break(value) => self.put_break(value.as_deref()),
            Kind::Continue => self.push(StmtKind::Continue),
            Kind::Return(value) => self.put_return(value.as_deref()),
            Kind::Assign(place, value) => self.put_assign(place, value),
            Kind::Update(place, op, value, _) => self.put_update(e, place, *op, value),
            Kind::LaneSet(..) | Kind::Tally(..) | Kind::Assert(_) | Kind::ScratchSet(..) | Kind::HistorySet(..) => {
                self.put_effect(e)
            }
            Kind::Word(place, op, slot, value) if !op.reads() => {
                self.put_word(e, None, (place, *op), slot, value.as_deref())
            }
            Kind::Phase(phase) if phase.vote.is_none() => self.put_phase(phase, None),
            Kind::Call(function, args) if self.infer.deep(&e.ty) == Ty::Unit => self.put_call(*function, args, None),
            Kind::Unit => {}
            _ => {
                let value = self.value(e);
                let line = line_of(e.span);
                self.line = line;
                match dest {
                    Dest::Drop => {}
                    Dest::Into(local) => self.push(StmtKind::Assign(IrPlace::local(local), value)),
                    Dest::Return => self.push(StmtKind::Return(Some(value))),
                }
            }
        }
    }

    fn put_return(&mut self, value: Option<&Expr>) {
        match value {
            Some(value) if !matches!(self.infer.deep(&value.ty), Ty::Unit | Ty::Never) => self.put(value, Dest::Return),
            Some(value) => {
                self.put(value, Dest::Drop);
                self.push(StmtKind::Return(None));
            }
            None => self.push(StmtKind::Return(None)),
        }
    }
}
