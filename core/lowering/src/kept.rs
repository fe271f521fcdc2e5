//! Fields of own rows that a lowering keeps in variables while an invocation runs.
//!
//! To a compiler a table is one array of words. Any store of a kernel into its row, especially into a lane, may have
//! changed its next read, so each access in a loop would wait for memory. But a row belongs to its invocation alone. So
//! the scalar fields that loops use are loaded once at the start, and stored once at the end if they are assigned. If
//! one branch of the kernel's body holds all their uses, it loads and stores them: rows that do not take it move no
//! words.
//!
//! A group's own row is shared by its invocations, of which the first stores to it while another may still be about to
//! read. In C each invocation keeps a copy of the fields that its kernel both reads and writes, so that no read needs a
//! barrier.

use crate::names::to_u32;
use crate::phases::is_per_group;
use crate::walk::returns;
use imminent_ir::flatten::visit::{self, Use, Visitor};
use imminent_ir::flatten::{BindingKind, FlatKernel};
use imminent_ir::{Base, Block, Field, FieldType, Place, Step, Stmt, StmtKind, Struct, StructId, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::slice;

/// A field of a binding's rows: the numbers of binding and field.
pub type FieldOf = (u32, u32);

/// A field kept in a variable.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Struct of the row.
    pub row: StructId,
    /// Type of the field, a scalar unless the row is that of a group.
    pub ty: Type,
    /// `true` if the kernel assigns the field.
    pub is_stored: bool,
    /// Name for the variable, which a lowering may have to change.
    pub name: String,
}

/// Returns the fields that a kernel keeps in variables; none in kernels of groups.
#[must_use]
pub fn fields(flat: &FlatKernel) -> BTreeMap<FieldOf, Kept> {
    if flat.shape.is_grouped() {
        return BTreeMap::new();
    }
    let mut all = Uses::default();
    let mut in_loops = Uses::default();
    let mut looped = BTreeSet::new();
    // Functions stand before their callers.
    for (number, function) in flat.functions.iter().enumerate().rev() {
        visit::walk(&function.body, &mut all);
        if looped.contains(&number) {
            visit::walk(&function.body, &mut in_loops);
        } else {
            loops(&function.body, &mut in_loops);
        }
        looped.append(&mut in_loops.called);
    }
    let mut fields = BTreeMap::new();
    for &(binding, field) in &in_loops.used {
        if let Some(mut kept) = own_scalar(flat, binding, field)
            && !all.bound.contains(&binding)
        {
            kept.is_stored = all.stored.contains(&(binding, field));
            fields.insert((binding, field), kept);
        }
    }
    fields
}

/// Returns the block of a kernel's body that holds all uses of kept fields: the innermost branch that does, if it has
/// no `return`; `None` if that is the whole body.
#[must_use]
pub fn block<'f>(flat: &'f FlatKernel, kept: &BTreeMap<FieldOf, Kept>) -> Option<&'f Block> {
    let mut touching = BTreeSet::new();
    // Functions stand before their callers.
    for (number, function) in flat.functions.iter().enumerate() {
        if touches(&function.body, kept, &touching) {
            touching.insert(number);
        }
    }
    let mut body = &flat.functions.last()?.body;
    let mut found = None;
    loop {
        let mut users = body.iter().filter(|stmt| touches(slice::from_ref(stmt), kept, &touching));
        let (Some(Stmt { kind: StmtKind::If(condition, then, other), .. }), None) = (users.next(), users.next()) else {
            return found;
        };
        let test = Stmt { line: 0, kind: StmtKind::If(condition.clone(), Vec::new(), Vec::new()) };
        let inner = match [then, other].map(|branch| touches(branch, kept, &touching)) {
            [true, false] => then,
            [false, true] => other,
            _ => return found,
        };
        if touches(slice::from_ref(&test), kept, &touching) || returns(inner) {
            return found;
        }
        (body, found) = (inner, Some(inner));
    }
}

/// Returns `true` if statements use a kept field, or call one of the `touching` functions, which do.
fn touches(stmts: &[Stmt], kept: &BTreeMap<FieldOf, Kept>, touching: &BTreeSet<usize>) -> bool {
    let mut uses = KeptUses { kept, touching, found: false };
    visit::walk(stmts, &mut uses);
    uses.found
}

/// Returns the fields of groups' own rows that a kernel both reads and writes. All others can be read and written in
/// memory: no invocation reads what another writes.
#[must_use]
pub fn group_fields(flat: &FlatKernel) -> BTreeMap<FieldOf, Kept> {
    let mut fields = BTreeMap::new();
    let mut uses = OwnFields { flat, read: BTreeSet::new(), written: BTreeSet::new() };
    flat.functions.iter().for_each(|function| visit::walk(&function.body, &mut uses));
    for &(binding, number) in uses.read.intersection(&uses.written) {
        let (Some(bound), Some((row, def))) = (flat.bindings.get(binding as usize), row_struct(flat, binding)) else {
            continue;
        };
        if let Some(Field { name, ty: FieldType::Value(ty) }) = def.fields.get(number as usize)
            && is_per_group(flat, binding)
        {
            let name = format!("{}_own_{name}", bound.name);
            fields.insert((binding, number), Kept { row, ty: ty.clone(), is_stored: true, name });
        }
    }
    fields
}

/// Returns a scalar field of own rows that the kernel writes. Only rows with lanes qualify: others are also loaded and
/// stored as a whole, and their kernels wait for nothing but memory. In a history, the word with the number of steps
/// that may be written is read from the first row: it is the same in all.
fn own_scalar(flat: &FlatKernel, binding: u32, field: u32) -> Option<Kept> {
    let bound = flat.bindings.get(binding as usize)?;
    let BindingKind::Table { row, layout, mutable: true, own_row: true, .. } = &bound.kind else { return None };
    if layout.lane_words == 0 || bound.access.written.is_empty() {
        return None;
    }
    let field = flat.structs.get(row.index())?.fields.get(field as usize)?;
    match &field.ty {
        FieldType::Value(ty @ Type::Scalar(_)) => {
            let name = format!("{}_own_{}", bound.name, field.name);
            Some(Kept { row: *row, ty: ty.clone(), is_stored: false, name })
        }
        _ => None,
    }
}

/// Walks only the loops of a block.
fn loops(block: &[Stmt], uses: &mut Uses) {
    for stmt in block {
        match &stmt.kind {
            StmtKind::If(_, then, other) => {
                loops(then, uses);
                loops(other, uses);
            }
            StmtKind::Loop(_) | StmtKind::While(..) | StmtKind::For { .. } => {
                visit::walk(slice::from_ref(stmt), uses);
            }
            _ => {}
        }
    }
}

/// Uses of rows.
#[derive(Default)]
struct Uses {
    used: BTreeSet<FieldOf>,
    stored: BTreeSet<FieldOf>,
    /// Called functions, by their numbers.
    called: BTreeSet<usize>,
    /// Bindings whose rows are looked up.
    bound: BTreeSet<u32>,
}

impl Visitor for Uses {
    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Call { function, .. } | StmtKind::Phase { function, .. } => {
                self.called.insert(function.index());
            }
            StmtKind::BindRow { rows: Base::Binding(binding) | Base::Row { binding, .. }, .. } => {
                self.bound.insert(*binding);
            }
            _ => {}
        }
    }

    fn place(&mut self, place: &Place, used: Use) {
        if let (Base::Row { binding, .. }, [Step::Field(field)]) = (place.base, place.path.as_slice()) {
            self.used.insert((binding, *field));
            if matches!(used, Use::Write | Use::InOut) {
                self.stored.insert((binding, *field));
            }
        }
    }
}

/// Uses of kept fields.
struct KeptUses<'a> {
    kept: &'a BTreeMap<FieldOf, Kept>,
    touching: &'a BTreeSet<usize>,
    found: bool,
}

impl Visitor for KeptUses<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Call { function, .. } | StmtKind::Phase { function, .. } = &stmt.kind {
            self.found |= self.touching.contains(&function.index());
        }
    }

    fn place(&mut self, place: &Place, _used: Use) {
        let Base::Row { binding, .. } = place.base else { return };
        self.found |= match place.path.as_slice() {
            [Step::Field(field), ..] => self.kept.contains_key(&(binding, *field)),
            _ => self.kept.keys().any(|(of, _)| *of == binding),
        };
    }
}

/// Fields of rows that are read and written, in whole or in part.
struct OwnFields<'a> {
    flat: &'a FlatKernel,
    read: BTreeSet<FieldOf>,
    written: BTreeSet<FieldOf>,
}

impl Visitor for OwnFields<'_> {
    fn place(&mut self, place: &Place, used: Use) {
        let Base::Row { binding, .. } = place.base else { return };
        let fields = match place.path.as_slice() {
            [Step::Field(field), ..] => *field..*field + 1,
            _ => 0..to_u32(row_struct(self.flat, binding).map_or(0, |(_, def)| def.fields.len())),
        };
        let fields = fields.map(|field| (binding, field));
        if matches!(used, Use::Read | Use::InOut) {
            self.read.extend(fields.clone());
        }
        if matches!(used, Use::Write | Use::InOut) {
            self.written.extend(fields);
        }
    }
}

/// Struct of the rows of a table.
pub(crate) fn row_struct(flat: &FlatKernel, binding: u32) -> Option<(StructId, &Struct)> {
    match flat.bindings.get(binding as usize)?.kind {
        BindingKind::Table { row, .. } => Some((row, flat.structs.get(row.index())?)),
        _ => None,
    }
}
