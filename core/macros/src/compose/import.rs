//! Import of items, with everything that they need.

use super::export::{Export, ExportedMember, Named};
use super::remap::Remap;
use super::signatures::{self, reference};
use super::uses::{Imported, UsedModule};
use crate::outside::Initializer;
use crate::program::TallyUse;
use crate::program::{ConstEntry, KnownConst, Member, Program, Signature, TypeEntry, TypeKey};
use crate::ty::{Bundle, BundleId, Ty};
use imminent_ir::flatten::visit::{self, Visitor};
use imminent_ir::{
    Arg, Base, Block, ConstId, EnumId, Expr, ExprKind, FunctionId, GroupQuery, SiteId, Stmt, StmtKind, StructId, Value,
};
use proc_macro2::Span;
use std::collections::HashSet;

impl Program<'_> {
    /// Imports items of another module.
    pub(crate) fn import(&mut self, used: &UsedModule, bytes: &[u8]) {
        let export: Export = match postcard::from_bytes(bytes) {
            Ok(export) => export,
            Err(error) => {
                self.errors
                    .at(used.span, format!("this kernel module was compiled by another version of Imminent: {error}"));
                return;
            }
        };
        if export.module.version != imminent_ir::VERSION {
            self.errors.at(
                used.span,
                "this kernel module was compiled by another version of Imminent: use one version in all crates",
            );
            return;
        }
        // Everything is imported: the part that a kernel needs is found when the kernel is flattened.
        let remap = Import { program: self, export: &export, used, span: used.span, remap: Remap::default() }.run();
        for imported in &used.imported {
            match imported {
                Imported::Everything => {
                    for (name, item) in &export.names {
                        self.name_imported(name, *item, &export, &remap, false);
                    }
                }
                Imported::Item(ident, alias) => {
                    let original = crate::syntax::plain(ident);
                    match export.names.iter().find(|(name, _)| *name == original) {
                        Some((_, item)) => self.name_imported(alias, *item, &export, &remap, true),
                        None => {
                            let like =
                                Program::suggestion(&original, export.names.iter().map(|(name, _)| name.clone()));
                            let module = &export.module.name;
                            self.errors.at(
                                ident.span(),
                                format!(
                                    "kernel module `{module}` has no item `{original}` that a kernel can use{like}"
                                ),
                            );
                        }
                    }
                }
            }
        }
    }

    fn name_imported(&mut self, name: &str, item: Named, export: &Export, remap: &Remap, explicit: bool) {
        let name = name.to_owned();
        match item {
            Named::Struct(id) => {
                if let Some(id) = remap.structs.get(&id)
                    && (explicit || !self.types.contains_key(&name))
                {
                    self.types.insert(name, TypeEntry::Known(TypeKey::Struct(*id)));
                }
            }
            Named::Enum(id) => {
                if let Some(id) = remap.enums.get(&id)
                    && (explicit || !self.types.contains_key(&name))
                {
                    self.types.insert(name, TypeEntry::Known(TypeKey::Enum(*id)));
                }
            }
            Named::Bundle(id) => {
                if let Some((id, _)) = remap.bundles.get(&id)
                    && (explicit || !self.types.contains_key(&name))
                {
                    self.types.insert(name, TypeEntry::Known(TypeKey::Bundle(*id)));
                }
            }
            Named::Function(id) => {
                if let Some(id) = remap.functions.get(&id) {
                    self.function_names.insert(name, *id);
                }
            }
            Named::Const(_) | Named::Length(_) => {
                if let Some(known) = imported_constant(item, export, remap) {
                    self.consts.push(ConstEntry::Known(known));
                    self.const_names.insert(name, self.consts.len() - 1);
                }
            }
        }
    }
}

fn imported_constant(item: Named, export: &Export, remap: &Remap) -> Option<KnownConst> {
    match item {
        Named::Const(id) => {
            let constant = export.module.consts.get(id.index())?;
            let mut ty = constant.ty.clone();
            remap.ty(&mut ty);
            let value = (!export.outside.contains(&id)).then(|| constant.value.clone());
            Some(KnownConst { ty: Ty::from_ir(&ty), value, id: remap.consts.get(&id).copied() })
        }
        Named::Length(value) => Some(KnownConst { ty: Ty::Usize, value: Some(Value::U64(value)), id: None }),
        _ => None,
    }
}

struct Import<'i, 'a> {
    program: &'i mut Program<'a>,
    export: &'i Export,
    used: &'i UsedModule,
    span: Span,
    remap: Remap,
}

impl Import<'_, '_> {
    fn run(mut self) -> Remap {
        self.types();
        self.bundles();
        self.consts();
        self.sites();
        self.functions();
        self.members();
        self.remap
    }

    fn types(&mut self) {
        let from = &self.export.module;
        for (position, item) in from.enums.iter().enumerate() {
            let known = self.program.module.enums.iter().position(|e| e.origin == item.origin);
            let new = known.unwrap_or_else(|| {
                self.program.module.enums.push(item.clone());
                self.program.module.enums.len() - 1
            });
            self.remap.enums.insert(EnumId(position as u32), EnumId(new as u32));
        }
        for (position, item) in from.structs.iter().enumerate() {
            let known = self.program.module.structs.iter().position(|s| s.origin == item.origin);
            let new = known.unwrap_or_else(|| {
                let mut item = item.clone();
                item.fields.iter_mut().for_each(|field| self.remap.field(&mut field.ty));
                self.program.module.structs.push(item);
                self.program.module.structs.len() - 1
            });
            self.remap.structs.insert(StructId(position as u32), StructId(new as u32));
        }
    }

    fn bundles(&mut self) {
        for (position, item) in (0..).zip(&self.export.bundles) {
            let known = self.program.bundles.iter().position(|b| b.origin == item.origin);
            let new = known.unwrap_or_else(|| {
                let fields = item.fields.iter().map(|(name, kind)| {
                    let mut kind = kind.clone();
                    self.remap.param(&mut kind);
                    (name.clone(), reference(&kind))
                });
                let fields = fields.collect();
                self.program.bundles.push(Bundle { name: item.name.clone(), origin: item.origin.clone(), fields });
                self.program.bundles.len() - 1
            });
            self.remap.bundles.insert(position, (BundleId(new as u32), item.fields.len()));
        }
    }

    fn consts(&mut self) {
        for (position, item) in self.export.module.consts.iter().enumerate() {
            let known = self.program.module.consts.iter().position(|c| c.origin == item.origin);
            let new = known.unwrap_or_else(|| {
                let mut item = item.clone();
                self.remap.ty(&mut item.ty);
                self.program.module.consts.push(item);
                self.program.module.consts.len() - 1
            });
            let (old, new) = (ConstId(position as u32), ConstId(new as u32));
            self.remap.consts.insert(old, new);
            if let Some(number) = self.export.outside.iter().position(|id| *id == old) {
                self.program.outside.add(new, Initializer::Imported(self.used.inside.clone(), number));
            }
        }
    }

    fn sites(&mut self) {
        for (position, site) in self.export.module.sites.iter().enumerate() {
            let known = self.program.module.sites.iter().position(|s| s == site);
            let new = known.unwrap_or_else(|| {
                self.program.module.sites.push(site.clone());
                self.program.module.sites.len() - 1
            });
            self.remap.sites.insert(SiteId(position as u32), SiteId(new as u32));
        }
    }

    fn functions(&mut self) {
        let from = &self.export.module;
        let mut fresh = Vec::new();
        for (position, item) in from.functions.iter().enumerate() {
            let old = FunctionId(position as u32);
            let known = self.program.module.functions.iter().position(|f| f.origin == item.origin);
            let new = known.unwrap_or_else(|| {
                self.program.module.functions.push(item.clone());
                let new = self.program.module.functions.len() - 1;
                fresh.push((old, new));
                new
            });
            self.remap.functions.insert(old, FunctionId(new as u32));
        }
        for old in grid_users(&from.functions) {
            if let Some(new) = self.remap.functions.get(&old) {
                self.program.grid_uses.entry(*new).or_insert(self.span);
            }
        }
        for (old, new) in fresh {
            let function = &mut self.program.module.functions[new];
            self.remap.function(function);
            let function = function.clone();
            let signature = self.signature(old, &function);
            self.program.signatures.push(signature);
            tally_uses(&function.body, FunctionId(new as u32), self.span, self.program);
        }
    }

    fn signature(&self, old: FunctionId, function: &imminent_ir::Function) -> Signature {
        let unknown = (false, Vec::new());
        let (is_method, forms) = self.export.forms.get(old.index()).unwrap_or(&unknown);
        let params = signatures::params(&function.params, forms, &self.remap.bundles, self.span);
        Signature { name: function.name.clone(), params, result: Ty::from_ir(&function.result), is_method: *is_method }
    }

    fn members(&mut self) {
        for ExportedMember { of, name, item } in &self.export.members {
            let key = match of {
                Named::Struct(id) => self.remap.structs.get(id).map(|id| TypeKey::Struct(*id)),
                Named::Enum(id) => self.remap.enums.get(id).map(|id| TypeKey::Enum(*id)),
                Named::Bundle(id) => self.remap.bundles.get(id).map(|(id, _)| TypeKey::Bundle(*id)),
                _ => None,
            };
            let Some(key) = key else { continue };
            let member = match item {
                Named::Function(id) => self.remap.functions.get(id).map(|id| Member::Function(*id)),
                constant => imported_constant(*constant, self.export, &self.remap).map(|known| {
                    self.program.consts.push(ConstEntry::Known(known));
                    Member::Const(self.program.consts.len() - 1)
                }),
            };
            if let Some(member) = member {
                self.program.members.insert((key, name.clone()), member);
            }
        }
    }
}

/// Records the uses of tally parameters by a function of another module.
fn tally_uses(block: &Block, function: FunctionId, span: Span, program: &mut Program<'_>) {
    for stmt in block {
        match &stmt.kind {
            StmtKind::Word { tally: Base::Param(param), .. } => {
                program.tally_uses.entry((function, param.0)).or_default().push(TallyUse::Word(span));
            }
            StmtKind::Tally { tally: Base::Param(param), op, .. } => {
                program.tally_uses.entry((function, param.0)).or_default().push(TallyUse::Op(*op, span));
            }
            StmtKind::Call { function: callee, args, .. } | StmtKind::Phase { function: callee, args, .. } => {
                for (position, arg) in args.iter().enumerate() {
                    let Arg::Resource(place) = arg else { continue };
                    if let Base::Param(param) = place.base {
                        let passed = TallyUse::Passed(*callee, position as u32, span);
                        program.tally_uses.entry((function, param.0)).or_default().push(passed);
                    }
                }
            }
            StmtKind::If(_, a, b) => {
                tally_uses(a, function, span, program);
                tally_uses(b, function, span, program);
            }
            StmtKind::Loop(body) | StmtKind::While(_, body) | StmtKind::For { body, .. } => {
                tally_uses(body, function, span, program)
            }
            _ => {}
        }
    }
}

/// Returns the functions that query their position in a grid, themselves or through others.
fn grid_users(functions: &[imminent_ir::Function]) -> HashSet<FunctionId> {
    let mut users = HashSet::new();
    loop {
        let before = users.len();
        for (position, function) in functions.iter().enumerate() {
            let mut asked = AsksForGrid { users: &users, found: false };
            visit::walk(&function.body, &mut asked);
            if asked.found {
                users.insert(FunctionId(position as u32));
            }
        }
        if users.len() == before {
            return users;
        }
    }
}

struct AsksForGrid<'a> {
    users: &'a HashSet<FunctionId>,
    found: bool,
}

impl Visitor for AsksForGrid<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Call { function, .. } | StmtKind::Phase { function, .. } = &stmt.kind {
            self.found |= self.users.contains(function);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        self.found |= matches!(expr.kind, ExprKind::Group(GroupQuery::X | GroupQuery::Y));
    }
}
