//! The state of the lowering of one function, and what its statements need of it.

use super::shared::Shared;
use super::writer::Writer;
use crate::LoweringError;
use imminent_ir::flatten::{BindingKind, FlatFunction};
use imminent_ir::{Base, FieldType, LocalId, Place, Scalar, StructId, Type};
use std::collections::HashSet;
use std::ops::DerefMut;

/// Kind of declaration of a local.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// A constant: the local has one value, and nothing points to it.
    Const,
    /// A variable: the local is assigned, or a pointer to it is passed.
    Var,
    /// A variable that is declared before the function's statements.
    Ahead,
    /// A pointer to the caller's variable.
    Pointer,
}

/// The lowering of one function in a dialect.
pub(crate) struct FunctionLowering<'l, 'a, L> {
    pub(crate) low: &'l mut L,
    pub(crate) function: &'a FlatFunction,
    pub(super) names: Vec<String>,
    pub(super) modes: Vec<Mode>,
    /// The locals that are declared once with a constant expression: an index that is one of them is a constant to a
    /// compiler that evaluates those.
    pub(super) known: HashSet<LocalId>,
    pub(super) scope: HashSet<String>,
    pub(crate) w: Writer,
    pub(crate) line: u32,
    /// The file's name without its folders, for comments.
    pub(super) short_file: String,
}

impl<'a, L: DerefMut<Target = Shared<'a>>> FunctionLowering<'_, 'a, L> {
    /// A line of a statement; where the Rust line changes, it is named in a comment.
    pub(crate) fn emit(&mut self, text: &str) {
        let news = self.w.comes_from(&self.function.file, self.line);
        self.w.line(text);
        self.comment(news);
    }

    /// A line that opens a block; where the Rust line changes, it is named in a comment.
    pub(crate) fn open(&mut self, text: &str) {
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
    pub(crate) fn temp(&mut self, wanted: &str) -> String {
        self.low.names.local(wanted, &mut self.scope)
    }

    pub(crate) fn ill(&self, what: &'static str) -> LoweringError {
        LoweringError::IllFormed {
            kernel: self.low.flat.name.clone(),
            place: format!("`{}` ({}:{})", self.function.name, self.function.file, self.line),
            what,
        }
    }

    pub(crate) fn name(&self, local: LocalId) -> Result<String, LoweringError> {
        self.names.get(local.index()).cloned().ok_or_else(|| self.ill("a local out of range"))
    }

    pub(crate) fn mode(&self, local: LocalId) -> Mode {
        self.modes.get(local.index()).copied().unwrap_or(Mode::Const)
    }

    /// Says that a local is declared before the function's statements.
    pub(crate) fn declare_ahead(&mut self, local: LocalId) {
        if let Some(mode) = self.modes.get_mut(local.index()) {
            *mode = Mode::Ahead;
        }
    }

    pub(crate) fn local_type(&self, local: LocalId) -> Result<&'a Type, LoweringError> {
        match self.function.locals.get(local.index()) {
            Some(def) => Ok(&def.ty),
            None => Err(self.ill("a local out of range")),
        }
    }

    /// The scalar behind a type; of an enum, that of its discriminant.
    pub(crate) fn scalar(&self, ty: &Type) -> Result<Scalar, LoweringError> {
        match ty {
            Type::Scalar(scalar) => Ok(*scalar),
            Type::Enum(_) => Ok(Scalar::U32),
            _ => Err(self.ill("an operation on something that is no scalar")),
        }
    }

    pub(crate) fn base_type(&self, base: Base) -> Result<Type, LoweringError> {
        let place = Place { base, path: Vec::new() };
        self.low.flat.value_type(self.function, &place).ok_or_else(|| self.ill("a place without a type"))
    }

    pub(crate) fn value_type(&self, place: &Place) -> Result<Type, LoweringError> {
        self.low.flat.value_type(self.function, place).ok_or_else(|| self.ill("a place that holds no value"))
    }

    pub(crate) fn field_type(&self, id: StructId, field: u32) -> Result<Type, LoweringError> {
        match self.low.flat.structs.get(id.index()).and_then(|def| def.fields.get(field as usize)).map(|f| &f.ty) {
            Some(FieldType::Value(ty) | FieldType::Lanes(ty)) => Ok(ty.clone()),
            None => Err(self.ill("a field out of range")),
        }
    }

    /// The number of a binding.
    pub(crate) fn binding(&self, base: Base) -> Result<u32, LoweringError> {
        match base {
            Base::Row { binding, .. } | Base::Binding(binding) => Ok(binding),
            _ => Err(self.ill("a binding is expected")),
        }
    }

    /// The number of the binding that is a tally.
    pub(crate) fn tally_binding(&self, base: Base) -> Result<u32, LoweringError> {
        let binding = self.binding(base)?;
        match self.low.flat.bindings.get(binding as usize).map(|b| &b.kind) {
            Some(BindingKind::Tally { .. }) => Ok(binding),
            _ => Err(self.ill("a tally is expected")),
        }
    }

    /// Words that one lane of a table adds.
    pub(crate) fn lane_words(&self, base: Base) -> Result<u32, LoweringError> {
        match self.low.flat.bindings.get(self.binding(base)? as usize).map(|b| &b.kind) {
            Some(BindingKind::Table { layout, .. }) => Ok(layout.lane_words),
            _ => Err(self.ill("a table is expected")),
        }
    }
}
