//! Groups: phases and votes, the captures of their closures, and queries of a lane.

use super::Checker;
use super::scope::{Around, Binding};
use crate::hir::{Arg, Base, Body, Expr, Kind, Local, Phase, Place};
use crate::notes::Note;
use crate::program::TallyUse;
use crate::program::{SigParam, Signature};
use crate::syntax::{plain, strip};
use crate::ty::Ty;
use imminent_ir::{Function, FunctionId, GroupQuery, StructRole, Vote};
use proc_macro2::Span;
use std::collections::HashMap;
use syn::spanned::Spanned;

/// Largest number of resources that one phase names.
const MAX_OWN: usize = 8;

/// Own rows that a phase names.
struct Named<'a> {
    /// Parameters of the kernel, each with its row struct, and `true` if it is mutable.
    rows: Vec<(u32, imminent_ir::StructId, bool)>,
    /// `true` if they stand in a tuple.
    tuple: bool,
    at: &'a syn::Expr,
}

impl<'a> Checker<'_, 'a> {
    /// Returns the reason why a known name cannot be a value or be passed on.
    pub(super) fn not_a_value(&self, name: &str, ty: &Ty) -> Option<String> {
        match ty.behind_reference() {
            Ty::Each(_) => Some(format!(
                "own rows are seen in phases only: name them there, `group.phase({name}, |lane, row| ..)`"
            )),
            Ty::Group(_) => Some(format!(
                "a group is used through its methods, between phases: `{name}.phase(..)`, `any`, `all`, `count`, `get`, `index`, `len`, `size`"
            )),
            _ => None,
        }
    }

    /// Returns the group, if an expression is its name, with the type of its scratch elements.
    pub(super) fn group_named(&self, e: &'a syn::Expr) -> Option<(Place, Ty)> {
        let syn::Expr::Path(path) = strip(e) else { return None };
        let name = plain(path.path.get_ident()?);
        let binding = self.lookup(&name).or_else(|| self.lookup_around(&name))?;
        let Binding::Param(index) = binding else { return None };
        let own = self.lookup(&name).is_some();
        let params = match &self.around {
            Some(around) if !own => &around.params,
            _ => &self.params,
        };
        match params.get(index as usize)?.behind_reference() {
            Ty::Group(element) => {
                Some((Place { base: Base::Param(index), path: Vec::new(), site: path.span() }, (**element).clone()))
            }
            _ => None,
        }
    }

    fn lookup_around(&self, name: &str) -> Option<Binding> {
        self.around.as_ref()?.scopes.iter().rev().find_map(|scope| scope.get(name)).cloned()
    }

    /// Makes a name of the code around a phase a parameter of the phase.
    pub(super) fn capture(&mut self, name: &str, span: Span) -> Option<Expr> {
        let binding = self.lookup_around(name)?;
        let around = self.around.as_ref()?;
        let (base, ty) = match binding {
            Binding::Param(index) => (Base::Param(index), around.params.get(index as usize)?.clone()),
            Binding::Local(index) => (Base::Local(index), around.locals.get(index as usize)?.ty.clone()),
            Binding::Bundle(lent) => return Some(self.lent(lent, true, span)),
        };
        let captured = self.capture_place(name, &ty, Place { base, path: Vec::new(), site: span }, span)?;
        if let Kind::Place(Place { base: Base::Param(param), .. }) = captured.kind
            // Outside every scope of the closure, so that its own names take precedence.
            && let Some(outermost) = self.scopes.first_mut()
        {
            outermost.insert(name.to_owned(), Binding::Param(param));
        }
        Some(captured)
    }

    /// Returns the parameter of the phase for a place that it has captured under this name.
    pub(super) fn captured(&self, name: &str) -> Option<u32> {
        let around = self.around.as_ref()?;
        let position = around.captured.iter().position(|(known, ..)| known == name)?;
        Some(around.first + position as u32)
    }

    /// Makes a place of the code around a phase a parameter of the phase; reports one that a phase cannot see.
    pub(super) fn capture_place(&mut self, name: &str, ty: &Ty, outer: Place, span: Span) -> Option<Expr> {
        let structs = &self.program.module.structs;
        let is_params = |id: usize| structs.get(id).is_some_and(|def| def.role == StructRole::Params);
        let (arg, message) = match ty {
            Ty::Ref(inner, _) => match &**inner {
                Ty::Rows(_) | Ty::Tally(_) => (Some(Arg::Resource(outer, false)), ""),
                Ty::Struct(id) if is_params(id.index()) => (Some(Arg::Resource(outer, false)), ""),
                Ty::Each(_) => (None, "a phase sees the own rows that it names: add this to its first argument"),
                Ty::Group(_) => (
                    None,
                    "inside a phase there is the lane alone, and no other phase: use the closure's first parameter",
                ),
                _ if matches!(outer.base, Base::Local(_)) => (
                    None,
                    "a row bound between phases is not seen in them: copy the fields that are needed into locals",
                ),
                _ => (
                    None,
                    "the row of a group is seen between phases only: copy what the phase needs into a local first",
                ),
            },
            Ty::Error => return Some(Expr::error(span)),
            value => (Some(Arg::Value(Expr::new(value.clone(), span, Kind::Place(outer)))), ""),
        };
        let Some(arg) = arg else {
            self.error(span, message);
            return Some(Expr::error(span));
        };
        let param = self.params.len() as u32;
        self.around.as_mut()?.captured.push((name.to_owned(), ty.clone(), arg));
        self.params.push(ty.clone());
        Some(Expr::new(ty.clone(), span, Kind::Place(Place { base: Base::Param(param), path: Vec::new(), site: span })))
    }

    /// Returns `true` if a place is a variable of the code around the phase.
    pub(super) fn is_captured(&self, place: &Place) -> bool {
        matches!((&self.around, &place.base), (Some(around), Base::Param(index))
            if *index >= around.first && !matches!(self.params.get(*index as usize), Some(Ty::Ref(..))))
    }

    pub(super) fn group_method(
        &mut self,
        e: &'a syn::Expr,
        call: &'a syn::ExprMethodCall,
        name: &str,
        group: Place,
        element: &Ty,
    ) -> Expr {
        let span = call.method.span();
        if self.around.is_some() {
            self.over(
                &call.receiver,
                "a phase runs inside no other phase, and sees the lane alone: end this one first, or use the closure's first parameter",
            );
            return Expr::error(span);
        }
        match name {
            "phase" => self.phase(call, None, group, element),
            "any" => self.phase(call, Some(Vote::Any), group, element),
            "all" => self.phase(call, Some(Vote::All), group, element),
            "count" => self.phase(call, Some(Vote::Count), group, element),
            "get" => self.scratch_get(e, call, "group.get(index)", group, element),
            "index" => self.group_query(call, "group.index()", GroupQuery::Index),
            "len" => self.group_query(call, "group.len()", GroupQuery::Len),
            "size" => self.group_query(call, "group.size()", GroupQuery::Size),
            _ => {
                let advice = match name {
                    "set" | "own" | "row" | "x" | "y" => "; that is asked of a lane, in a phase",
                    _ => "",
                };
                self.error(span, format!("`Group` has no method `{name}`: it has `phase`, `any`, `all`, `count`, `get`, `index`, `len` and `size`{advice}"));
                Expr::error(span)
            }
        }
    }

    pub(super) fn lane_method(
        &mut self,
        e: &'a syn::Expr,
        call: &'a syn::ExprMethodCall,
        name: &str,
        lane: Place,
        element: &Ty,
    ) -> Expr {
        let span = call.method.span();
        match name {
            "get" => self.scratch_get(e, call, "lane.get(index)", lane, element),
            "own" => {
                let Some([]) = self.arguments(call, "lane.own()") else { return Expr::error(span) };
                Expr::new(element.clone(), span, Kind::ScratchOwn(lane))
            }
            "set" => {
                let Some([value]) = self.arguments(call, "lane.set(value)") else { return Expr::error(span) };
                self.require_writable(&lane, call.receiver.span());
                let value = self.value_of(value, element);
                Expr::new(Ty::Unit, span, Kind::ScratchSet(lane, Box::new(value)))
            }
            "index" => self.group_query(call, "lane.index()", GroupQuery::Lane),
            "row" => self.group_query(call, "lane.row()", GroupQuery::Row),
            "x" | "y" => {
                if let Some(function) = self.function {
                    self.program.grid_uses.entry(function).or_insert(span);
                }
                let query = if name == "x" { GroupQuery::X } else { GroupQuery::Y };
                self.group_query(call, "lane.x(), lane.y()", query)
            }
            _ => {
                self.error(
                    span,
                    format!("`Lane` has no method `{name}`: it has `get(i)`, `own()`, `set(value)`, `index()`, `row()`, and in tiles `x()` and `y()`"),
                );
                Expr::error(span)
            }
        }
    }

    fn scratch_get(
        &mut self,
        e: &'a syn::Expr,
        call: &'a syn::ExprMethodCall,
        form: &str,
        scratch: Place,
        element: &Ty,
    ) -> Expr {
        let span = call.method.span();
        let Some([index]) = self.arguments(call, form) else { return Expr::error(span) };
        let index = self.value_of(index, &Ty::U32);
        self.program.notes.set(e, Note::Located);
        Expr::new(element.clone(), span, Kind::ScratchGet(scratch, Box::new(index)))
    }

    fn group_query(&mut self, call: &'a syn::ExprMethodCall, form: &str, query: GroupQuery) -> Expr {
        let span = call.method.span();
        let Some([]) = self.arguments(call, form) else { return Expr::error(span) };
        Expr::new(Ty::U32, span, Kind::Group(query))
    }

    /// Checks a phase; its closure becomes a function of the module.
    fn phase(&mut self, call: &'a syn::ExprMethodCall, vote: Option<Vote>, group: Place, element: &Ty) -> Expr {
        let span = call.method.span();
        let form = format!("group.{}(rows, |lane, row| ..)", call.method);
        let Some([own, closure]) = self.arguments(call, &form) else { return Expr::error(span) };
        let Some(named) = self.named(own) else { return Expr::error(span) };
        let syn::Expr::Closure(closure) = strip(closure) else {
            self.over(closure, format!("a phase is a closure: `{form}`"));
            return Expr::error(span);
        };
        self.reject_modifiers(closure);
        let Some(names) = self.closure_names(closure, &named) else { return Expr::error(span) };
        let mut types = vec![Ty::Ref(Box::new(Ty::Lane(Box::new(element.clone()))), true)];
        let mut args = vec![Arg::Resource(group, true)];
        for (param, row, mutable) in &named.rows {
            types.push(Ty::Ref(Box::new(Ty::Struct(*row)), *mutable));
            args.push(Arg::Resource(Place { base: Base::Param(*param), path: Vec::new(), site: span }, *mutable));
        }
        let function = self.declare_phase(closure, span);
        self.enter(function, &names, types.clone(), vote);
        let root = self.value(&closure.body);
        let wanted = if vote.is_some() { Ty::BOOL } else { Ty::Unit };
        self.expect(&root.ty.clone(), &wanted, root.span);
        let (locals, captured) = self.leave(function, span);
        let mut params: Vec<(String, Ty)> = names.into_iter().map(|(name, _)| name).zip(types).collect();
        for (name, ty, arg) in captured {
            params.push((name, ty));
            args.push(arg);
        }
        let result = match vote {
            None => Ty::Unit,
            Some(Vote::Count) => Ty::U32,
            Some(Vote::Any | Vote::All) => Ty::BOOL,
        };
        let body = Body { locals, copied: Vec::new(), root };
        Expr::new(result, span, Kind::Phase(Box::new(Phase { function, vote, params, args, body })))
    }

    fn reject_modifiers(&mut self, closure: &'a syn::ExprClosure) {
        let plain = closure.lifetimes.is_none()
            && closure.constness.is_none()
            && closure.asyncness.is_none()
            && closure.capture.is_none()
            && matches!(closure.output, syn::ReturnType::Default);
        if !plain {
            self.error(
                closure.inputs_begin.span,
                "the closure of a phase is `|lane, row| ..` with nothing before it and no result type",
            );
        }
    }

    /// Returns the own rows that a phase names.
    fn named(&mut self, own: &'a syn::Expr) -> Option<Named<'a>> {
        let (elements, tuple): (Vec<&'a syn::Expr>, bool) = match strip(own) {
            syn::Expr::Tuple(tuple) => (tuple.elems.iter().collect(), true),
            other => (vec![other], false),
        };
        let mut rows: Vec<(u32, imminent_ir::StructId, bool)> = Vec::new();
        for element in &elements {
            let found = match strip(element) {
                syn::Expr::Path(path) => path.path.get_ident().and_then(|ident| self.lookup(&plain(ident))),
                _ => match self.part_named(element).map(|part| part.place.base) {
                    Some(Base::Param(index)) => Some(Binding::Param(index)),
                    _ => None,
                },
            };
            let Some(Binding::Param(index)) = found else {
                self.over(element, "a phase names own rows, the kernel's parameters `&mut Each<T>` or `&Each<T>`, as they stand: `()`, one of them, or a tuple");
                return None;
            };
            let Ty::Ref(inner, mutable) = &self.params[index as usize] else { return None };
            let (mutable, Ty::Each(id)) = (*mutable, &**inner) else {
                self.over(element, "a phase names own rows, `&mut Each<T>` or `&Each<T>`; tables, tallies and parameter blocks are used in its closure as they stand");
                return None;
            };
            if rows.iter().any(|(known, ..)| *known == index) {
                self.over(element, "these own rows are named already");
                return None;
            }
            rows.push((index, *id, mutable));
            self.program.notes.set(strip(element), if mutable { Note::OwnMut } else { Note::Own });
        }
        if rows.len() > MAX_OWN {
            self.over(own, format!("a phase names at most {MAX_OWN} own rows"));
            return None;
        }
        Some(Named { rows, tuple, at: own })
    }

    /// Returns the names of the closure's parameters, one for the lane and one for each own row.
    fn closure_names(&mut self, closure: &'a syn::ExprClosure, named: &Named<'a>) -> Option<Vec<(String, Span)>> {
        let inputs: Vec<&syn::Pat> = closure.inputs.iter().collect();
        let [lane, rows] = inputs.as_slice() else {
            self.error(
                closure.inputs_begin.span,
                "the closure of a phase takes the lane and its rows: `|lane, row| ..`",
            );
            return None;
        };
        let mut names = vec![self.closure_name(lane)?];
        match (rows, named.tuple) {
            (syn::Pat::Wild(wild), _) => {
                names.extend(named.rows.iter().map(|_| ("_".to_owned(), wild.underscore_token.span)));
            }
            (syn::Pat::Tuple(tuple), true) if tuple.elems.len() == named.rows.len() => {
                for element in &tuple.elems {
                    names.push(self.closure_name(element)?);
                }
            }
            (single, false) if !matches!(single, syn::Pat::Tuple(_)) => names.push(self.closure_name(single)?),
            (other, _) => {
                let wanted = if named.tuple { "a tuple with a name for each of" } else { "one name for" };
                let shown = quote::ToTokens::to_token_stream(named.at);
                self.over(other, format!("the closure's second parameter is {wanted} the own rows `{shown}`"));
                return None;
            }
        }
        Some(names)
    }

    fn closure_name(&mut self, pattern: &'a syn::Pat) -> Option<(String, Span)> {
        match pattern {
            syn::Pat::Ident(name) if name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none() => {
                Some((plain(&name.ident), name.ident.span()))
            }
            syn::Pat::Wild(wild) => Some(("_".to_owned(), wild.underscore_token.span)),
            other => {
                self.over(other, "a parameter of a phase's closure is a plain name; its type is known");
                None
            }
        }
    }

    /// Declares a function for the closure, to be filled in when it is lowered.
    fn declare_phase(&mut self, closure: &'a syn::ExprClosure, span: Span) -> FunctionId {
        let kernel = self.function.map(|id| self.program.module.functions[id.index()].name.clone());
        let kernel = kernel.unwrap_or_default();
        let prefix = format!("{kernel}::phase");
        let number = self.program.module.functions.iter().filter(|f| f.name.starts_with(&prefix)).count();
        let name = format!("{prefix}{}", number + 1);
        let origin = self.program.origin_of(&name, closure);
        let file = self.program.module.file.clone();
        self.program.module.functions.push(Function {
            name: name.clone(),
            origin,
            file,
            line: span.start().line as u32,
            params: Vec::new(),
            result: imminent_ir::Type::Unit,
            locals: Vec::new(),
            body: Vec::new(),
        });
        self.program.signatures.push(Signature { name, params: Vec::new(), result: Ty::Unit, is_method: false });
        FunctionId(self.program.signatures.len() as u32 - 1)
    }

    fn enter(&mut self, function: FunctionId, names: &[(String, Span)], types: Vec<Ty>, vote: Option<Vote>) {
        let mut scope = HashMap::new();
        for (position, (name, _)) in names.iter().enumerate() {
            if name != "_" {
                scope.insert(name.clone(), Binding::Param(position as u32));
            }
        }
        self.around = Some(Around {
            first: types.len() as u32,
            // The first scope is for captures.
            scopes: std::mem::replace(&mut self.scopes, vec![HashMap::new(), scope]),
            params: std::mem::replace(&mut self.params, types),
            locals: std::mem::take(&mut self.locals),
            result: self.result.replace(if vote.is_some() { Ty::BOOL } else { Ty::Unit }),
            loops: std::mem::take(&mut self.loops),
            function: self.function.replace(function),
            captured: Vec::new(),
        });
    }

    /// Returns to the code around a phase, with the locals and captures of the phase.
    fn leave(&mut self, function: FunctionId, span: Span) -> (Vec<Local>, Vec<(String, Ty, Arg)>) {
        let locals = std::mem::take(&mut self.locals);
        let Some(around) = self.around.take() else { return (locals, Vec::new()) };
        let params = std::mem::replace(&mut self.params, around.params);
        (self.scopes, self.locals, self.result) = (around.scopes, around.locals, around.result);
        (self.loops, self.function) = (around.loops, around.function);
        let as_params = params.into_iter().map(|ty| SigParam { name: String::new(), ty, mutable: false, span });
        self.program.signatures[function.index()].params = as_params.collect();
        if let Some(kernel) = self.function {
            self.program.calls.push((kernel, function, span));
            for (position, (_, ty, arg)) in around.captured.iter().enumerate() {
                if let (Ty::Tally(_), Arg::Resource(Place { base: Base::Param(outer), site, .. }, _)) =
                    (ty.behind_reference(), arg)
                {
                    let passed = TallyUse::Passed(function, around.first + position as u32, *site);
                    self.program.tally_uses.entry((kernel, *outer)).or_default().push(passed);
                }
            }
        }
        (locals, around.captured)
    }
}
