//! One function: its names, its signature, and which of its locals are assigned.

use super::CError;
use super::lowering::Lowering;
use super::writer::Writer;
use imminent_ir::flatten::visit::{self, Use, Visitor};
use imminent_ir::flatten::{BindingKind, FlatFunction};
use imminent_ir::{Base, FieldType, LocalId, Place, Scalar, Stmt, StmtKind, StructId, Type};
use std::collections::HashSet;
use std::path::Path;

/// How a local is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// It has one value.
    Const,
    /// It is assigned, or a pointer to it is passed.
    Var,
    /// A pointer to the caller's variable.
    Pointer,
}

/// The lowering of one function.
pub(super) struct FunctionLowering<'l, 'a> {
    pub(super) low: &'l mut Lowering<'a>,
    pub(super) function: &'a FlatFunction,
    names: Vec<String>,
    modes: Vec<Mode>,
    scope: HashSet<String>,
    pub(super) w: Writer,
    pub(super) line: u32,
    /// The file's name without its folders, for comments.
    short_file: String,
}

impl<'l, 'a> FunctionLowering<'l, 'a> {
    /// The text of a function of the kernel.
    pub(super) fn lower(low: &'l mut Lowering<'a>, number: usize, separate: bool) -> Result<Writer, CError> {
        let flat = low.flat;
        let Some(function) = flat.functions.get(number) else { return Err(low.ill("a function out of range")) };
        let short_file = Path::new(&function.file)
            .file_name()
            .map_or_else(|| function.file.clone(), |name| name.to_string_lossy().into_owned());
        let directives = low.options.line_directives;
        let mut this = FunctionLowering {
            low,
            function,
            names: Vec::new(),
            modes: modes(function),
            scope: HashSet::new(),
            w: Writer::with_directives(directives),
            line: function.line,
            short_file,
        };
        this.name_locals();
        this.signature(number, separate)?;
        this.block(&function.body)?;
        if function.result != Type::Unit && !super::stmt::always_returns(&function.body) {
            let ty = this.low.type_name(&function.result);
            let zero = this.temp("zero");
            let initializer = this.low.zero(&function.result);
            this.w.line(&format!("{ty} {zero} = {initializer};"));
            this.w.line(&format!("return {zero};"));
        }
        this.w.close("}");
        Ok(this.w)
    }

    fn name_locals(&mut self) {
        self.names = vec![String::new(); self.function.locals.len()];
        let params: Vec<LocalId> = self.function.params.iter().map(|p| p.local).collect();
        let others = (0..super::types::to_u32(self.names.len())).map(LocalId).filter(|l| !params.contains(l));
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

    fn signature(&mut self, number: usize, separate: bool) -> Result<(), CError> {
        let mut params = vec!["imminent_context *ctx".to_owned()];
        for param in &self.function.params {
            let name = self.name(param.local)?;
            let ty = self.low.type_name(self.local_type(param.local)?);
            params.push(match self.mode(param.local) {
                Mode::Pointer => format!("{ty} *{name}"),
                Mode::Const | Mode::Var => format!("{ty} {name}"),
            });
        }
        let result = self.low.type_name(&self.function.result);
        let name = self.low.functions.get(number).cloned().unwrap_or_default();
        let before = if separate { self.low.options.dialect.separate_function() } else { "DEVICE" };
        self.open(&format!("{before} {result} {name}({}) {{", params.join(", ")));
        Ok(())
    }

    /// A line of a statement; where the Rust line changes, it is named in a comment.
    pub(super) fn emit(&mut self, text: &str) {
        let news = self.w.comes_from(&self.function.file, self.line);
        self.w.line(text);
        self.comment(news);
    }

    /// The same for a line that opens a block.
    pub(super) fn open(&mut self, text: &str) {
        let news = self.w.comes_from(&self.function.file, self.line);
        self.w.open(text);
        self.comment(news);
    }

    fn comment(&mut self, news: bool) {
        if news {
            self.w.comment(&format!("{}:{}", self.short_file, self.line));
        }
    }

    /// A new variable of the function.
    pub(super) fn temp(&mut self, wanted: &str) -> String {
        self.low.names.local(wanted, &mut self.scope)
    }

    pub(super) fn ill(&self, what: &'static str) -> CError {
        CError::IllFormed {
            kernel: self.low.flat.name.clone(),
            place: format!("`{}` ({}:{})", self.function.name, self.function.file, self.line),
            what,
        }
    }

    pub(super) fn name(&self, local: LocalId) -> Result<String, CError> {
        self.names.get(local.index()).cloned().ok_or_else(|| self.ill("a local out of range"))
    }

    pub(super) fn mode(&self, local: LocalId) -> Mode {
        self.modes.get(local.index()).copied().unwrap_or(Mode::Const)
    }

    pub(super) fn local_type(&self, local: LocalId) -> Result<&'a Type, CError> {
        match self.function.locals.get(local.index()) {
            Some(def) => Ok(&def.ty),
            None => Err(self.ill("a local out of range")),
        }
    }

    /// The scalar behind a type; of an enum, that of its discriminant.
    pub(super) fn scalar(&self, ty: &Type) -> Result<Scalar, CError> {
        match ty {
            Type::Scalar(scalar) => Ok(*scalar),
            Type::Enum(_) => Ok(Scalar::U32),
            _ => Err(self.ill("an operation on something that is no scalar")),
        }
    }

    pub(super) fn base_type(&self, base: Base) -> Result<Type, CError> {
        let place = Place { base, path: Vec::new() };
        self.low.flat.value_type(self.function, &place).ok_or_else(|| self.ill("a place without a type"))
    }

    pub(super) fn value_type(&self, place: &Place) -> Result<Type, CError> {
        self.low.flat.value_type(self.function, place).ok_or_else(|| self.ill("a place that holds no value"))
    }

    pub(super) fn field_type(&self, id: StructId, field: u32) -> Result<Type, CError> {
        match self.low.flat.structs.get(id.index()).and_then(|def| def.fields.get(field as usize)).map(|f| &f.ty) {
            Some(FieldType::Value(ty) | FieldType::Lanes(ty)) => Ok(ty.clone()),
            None => Err(self.ill("a field out of range")),
        }
    }

    /// The number of a binding.
    pub(super) fn binding(&self, base: Base) -> Result<u32, CError> {
        match base {
            Base::Row { binding, .. } | Base::Binding(binding) => Ok(binding),
            _ => Err(self.ill("a binding is expected")),
        }
    }

    /// Words that one lane of a table adds.
    pub(super) fn lane_words(&self, base: Base) -> Result<u32, CError> {
        match self.low.flat.bindings.get(self.binding(base)? as usize).map(|b| &b.kind) {
            Some(BindingKind::Table { layout, .. }) => Ok(layout.lane_words),
            _ => Err(self.ill("a table is expected")),
        }
    }
}

/// Which locals are assigned or pointed to.
fn modes(function: &FlatFunction) -> Vec<Mode> {
    let mut finder = Assigned { modes: vec![Mode::Const; function.locals.len()] };
    visit::walk(&function.body, &mut finder);
    for param in function.params.iter().filter(|p| p.inout) {
        finder.set(param.local, Mode::Pointer);
    }
    finder.modes
}

struct Assigned {
    modes: Vec<Mode>,
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
        if let Base::Local(local) = place.base
            && matches!(used, Use::Write | Use::InOut)
        {
            self.set(local, Mode::Var);
        }
    }
}
