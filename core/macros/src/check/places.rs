//! Places: fields, elements, and the check that they may be written.

use super::Checker;
use super::requirement::Need;
use crate::hir::{Base, Expr, Kind, Place, Step};
use crate::notes::Note;
use crate::program::{Program, TypeKey};
use crate::syntax::{plain, strip};
use crate::ty::Ty;
use imminent_ir::FieldType;
use proc_macro2::Span;
use syn::spanned::Spanned;

impl<'a> Checker<'_, 'a> {
    /// Checks an expression as a place, and returns its type. Any other expression becomes a temporary.
    pub(super) fn place(&mut self, e: &'a syn::Expr) -> (Place, Ty) {
        let checked = self.expr(e);
        Self::as_place(checked)
    }

    /// Returns a checked expression as a place.
    pub(super) fn as_place(checked: Expr) -> (Place, Ty) {
        match checked.kind {
            Kind::Place(place) => (place, checked.ty),
            _ => {
                let ty = checked.ty.clone();
                let span = checked.span;
                (Checker::temporary(checked, span), ty)
            }
        }
    }

    pub(super) fn field(&mut self, field: &'a syn::ExprField) -> Expr {
        let span = field.member.span();
        let base = self.expr(&field.base);
        if let Kind::Bundle(parts) = &base.kind {
            return self.bundle_field(&base.ty, parts, &field.member);
        }
        let (mut place, ty) = Self::as_place(base);
        let ty = self.infer.shallow(ty.behind_reference());
        let syn::Member::Named(ident) = &field.member else {
            self.over(&field.member, "tuples are outside the kernel language: define a struct with named fields");
            return Expr::error(span);
        };
        let name = plain(ident);
        let Ty::Struct(id) = ty else {
            if ty != Ty::Error && !self.is_untyped(&place, &ty) {
                let shown = self.show(&ty);
                let message = match ty {
                    Ty::Var(_) => format!(
                        "the type of this is not known yet, so neither is its field `{name}`: annotate it where it is declared"
                    ),
                    Ty::Rows(_) => format!("`{shown}` is a whole table: take a row with `.get(i).{name}`"),
                    _ => format!("`{shown}` has no fields"),
                };
                self.over(&field.member, message);
            }
            return Expr::error(span);
        };
        let def = &self.program.module.structs[id.index()];
        let Some(position) = def.fields.iter().position(|f| f.name == name) else {
            let like = Program::suggestion(&name, def.fields.iter().map(|f| f.name.clone()));
            let is_method = self.program.members.contains_key(&(TypeKey::Struct(id), name.clone()));
            let like = if is_method { format!("; call the method: `.{name}(..)`") } else { like };
            let message = format!("struct `{}` has no field `{name}`{like}", def.name);
            self.over(&field.member, message);
            return Expr::error(span);
        };
        let ty = match &def.fields[position].ty {
            FieldType::Value(ty) => Ty::from_ir(ty),
            FieldType::Lanes(ty) => Ty::Lanes(Box::new(Ty::from_ir(ty))),
        };
        place.path.push(Step::Field(position as u32));
        Expr::new(ty, span, Kind::Place(place))
    }

    pub(super) fn index(&mut self, e: &'a syn::Expr, index: &'a syn::ExprIndex) -> Expr {
        let site = index.bracket_token.span.open();
        let (mut place, ty) = self.place(&index.expr);
        if let Ty::Ref(..) = ty {
            self.program.notes.set(&index.expr, Note::Reference);
        }
        let ty = self.infer.shallow(ty.behind_reference());
        let (element, count) = match ty {
            Ty::Array(element, count) => (*element, count),
            Ty::Error => return Expr::error(site),
            other if self.is_untyped(&place, &other) => return Expr::error(site),
            Ty::Lanes(_) => {
                self.over(index, "lanes are read with `.get(i)` and written with `.set(i, value)`");
                return Expr::error(site);
            }
            Ty::Rows(_) => {
                self.over(index, "rows of a table are read with `.get(i)`");
                return Expr::error(site);
            }
            Ty::History(_) => {
                self.over(
                    index,
                    "a history is read with `.get(row, step)` and `.own(step)`, and written with `.set(step, value)`",
                );
                return Expr::error(site);
            }
            other => {
                let shown = self.show(&other);
                self.over(&index.expr, format!("`{shown}` is not an array"));
                return Expr::error(site);
            }
        };
        let Some(step) = self.index_step(&index.index, count) else { return Expr::error(site) };
        let note = if matches!(step, Step::Known(_)) { Note::KnownIndex } else { Note::CheckedIndex };
        self.program.notes.set(e, note);
        place.path.push(step);
        place.site = site;
        Expr::new(element, site, Kind::Place(place))
    }

    fn index_step(&mut self, index: &'a syn::Expr, count: u32) -> Option<Step> {
        let stripped = strip(index);
        if let syn::Expr::Range(range) = stripped {
            self.over(range, "slices are outside the kernel language: loop over the indices");
            return None;
        }
        let (checked, cast) = match stripped {
            syn::Expr::Cast(cast) if self.program.resolve(&cast.ty, self.self_key) == Ty::Usize => {
                (self.value(&cast.expr), true)
            }
            other => (self.value(other), false),
        };
        if checked.ty == Ty::Error {
            return None;
        }
        // Only rustc knows the position: it is checked when the kernel runs.
        if let Kind::Outside(tokens) = &checked.kind
            && matches!(self.infer.shallow(&checked.ty), Ty::Var(_) | Ty::Usize)
        {
            let wide = Ty::Scalar(imminent_ir::Scalar::U64);
            self.infer.unify(&checked.ty, &wide);
            return Some(Step::Index(Box::new(Expr::new(
                wide,
                checked.span,
                Kind::Outside(quote::quote!(#tokens as u64)),
            ))));
        }
        if !cast && !self.infer.unify(&checked.ty, &Ty::Usize) {
            let shown = self.show(&checked.ty);
            let message = if self.infer.class(&checked.ty) == super::infer::Class::Other {
                format!("`{shown}` is not an index")
            } else {
                format!("an index is a `usize` and this is `{shown}`: write `x as usize` inside the index")
            };
            self.over(index, message);
            return None;
        }
        if cast {
            self.need(&checked.ty.clone(), index.span(), Need::Integer("an index".to_owned()));
        }
        match super::eval::small_constant(self.program, &checked) {
            Some(known) if known < count => Some(Step::Known(known)),
            Some(known) => {
                let plural = if count == 1 { "" } else { "s" };
                self.over(index, format!("index {known} is past the end of an array of {count} element{plural}"));
                None
            }
            None if !cast => {
                self.over(index, "this index is a `usize` that is no constant: keep it in a `u32` and write `x as usize` inside the index");
                None
            }
            None => Some(Step::Index(Box::new(checked))),
        }
    }

    /// Returns `true` for a constant of the surrounding crate whose type is still unknown: that is reported at the end.
    pub(super) fn is_untyped(&self, place: &Place, ty: &Ty) -> bool {
        matches!(&place.base, Base::Value(value) if matches!(value.kind, Kind::Outside(_)))
            && matches!(self.infer.shallow(ty), Ty::Var(_))
    }

    /// Returns `true` if a place is a whole row of a table, known by reference.
    pub(super) fn is_row(&self, place: &Place) -> bool {
        place.path.is_empty()
            && match &place.base {
                Base::Param(index) => matches!(self.params[*index as usize], Ty::Ref(..)),
                Base::Local(index) => matches!(self.locals[*index as usize].ty, Ty::Ref(..)),
                Base::RowOf(..) => true,
                _ => false,
            }
    }

    /// Reports an error if a place cannot be written. (rustc checks that a binding is `mut`.)
    pub(super) fn require_writable(&mut self, place: &Place, span: Span) {
        if self.is_captured(place) {
            self.error(span, "a phase cannot change a variable of the group: every row would do it; return it as a vote, or keep it in the lane's element");
            return;
        }
        let message = match &place.base {
            Base::Param(index) => match &self.params[*index as usize] {
                Ty::Ref(inner, false) => {
                    let shown = self.show(inner);
                    match **inner {
                        _ if let Some(message) = self.read_only_field(*index) => message,
                        Ty::Struct(id) if self.program.role(id) == imminent_ir::StructRole::Params => {
                            format!(
                                "parameters are read only: `&{shown}` holds the same values for every row of a launch"
                            )
                        }
                        _ => format!("this is behind `&{shown}`, which is read only: take `&mut {shown}` to write it"),
                    }
                }
                _ => return,
            },
            Base::Local(index) if matches!(self.locals[*index as usize].ty, Ty::Ref(..)) => other_row(),
            Base::RowOf(..) => other_row(),
            Base::Const(_) => "constants cannot be written: copy it into a local with `let mut`".to_owned(),
            _ => return,
        };
        self.error(span, message);
    }
}

impl Checker<'_, '_> {
    /// Returns the reason why a parameter that is a field of a bundle cannot be written.
    fn read_only_field(&self, param: u32) -> Option<String> {
        let (name, id, field) = self.bundled(param)?;
        let bundle = &self.program.bundles[id.index()];
        let (field, ty) = &bundle.fields[field];
        let Ty::Ref(inner, declared) = ty else { return None };
        let (bundle, shown) = (&bundle.name, self.show(inner));
        Some(if *declared {
            format!("this is behind `{name}: &{bundle}`, which is read only: take `&mut {bundle}` to write it")
        } else if matches!(**inner, Ty::Struct(id) if self.program.role(id) == imminent_ir::StructRole::Params) {
            format!("parameters are read only: `&{shown}` holds the same values for every row of a launch")
        } else {
            format!(
                "field `{field}` of `{bundle}` is `&{shown}`, which is read only: declare it as `&mut {shown}` to write it"
            )
        })
    }
}

fn other_row() -> String {
    "a kernel writes its own row only (`&mut T`): rows of `&Rows<T>` are read only, since other invocations read them at the same time".to_owned()
}
