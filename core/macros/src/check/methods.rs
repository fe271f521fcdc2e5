//! Method calls: resources, methods of kernel modules, operations on scalars.

use super::Checker;
use super::infer::Class;
use super::operations::{Gives, Op, Operands, Receiver, method_advice, operation};
use super::requirement::Need;
use crate::hir::{Base, Expr, Kind, Place};
use crate::notes::Note;
use crate::program::{Member, Program, TypeKey};
use crate::ty::Ty;
use imminent_ir::{BinaryOp, Builtin, Scalar, TallyOp, UnaryOp, Value, WordOp};
use proc_macro2::Span;
use syn::spanned::Spanned;

impl<'a> Checker<'_, 'a> {
    pub(super) fn method_call(&mut self, e: &'a syn::Expr, call: &'a syn::ExprMethodCall) -> Expr {
        let name = crate::syntax::plain(&call.method);
        let span = call.method.span();
        if let Some(turbofish) = &call.turbofish {
            self.over(turbofish, "generic arguments are outside the kernel language: leave them out");
        }
        if matches!(&*call.receiver, syn::Expr::Range(_)) || is_parenthesised_range(&call.receiver) {
            self.over(call, super::advice::range_method(&name));
            return Expr::error(span);
        }
        if let Some((group, element)) = self.group_named(&call.receiver) {
            return self.group_method(e, call, &name, group, &element);
        }
        let receiver = self.expr(&call.receiver);
        if let Kind::Bundle(_) = &receiver.kind {
            return self.bundle_method(e, call, receiver);
        }
        let (place, ty) = Self::as_place(receiver);
        match self.infer.shallow(ty.behind_reference()) {
            Ty::Error => Expr::error(span),
            Ty::Rows(id) => self.rows_method(e, call, &name, place, id),
            Ty::Lanes(element) => self.lanes_method(e, call, &name, place, &element),
            Ty::Tally(scalar) => self.tally_method(e, call, &name, place, scalar),
            Ty::Lane(element) => self.lane_method(e, call, &name, place, &element),
            Ty::History(element) => self.history_method(e, call, &name, place, &element),
            Ty::Clock => self.clock_method(call, &name, place),
            found @ (Ty::Struct(_) | Ty::Enum(_)) => {
                if name == "clone" && call.args.is_empty() {
                    let copied = Expr::new(found, span, Kind::Place(place));
                    if let Ty::Struct(id) = &copied.ty
                        && self.program.has_lanes(*id)
                    {
                        self.error(span, "a row with `Lanes` cannot be copied");
                    }
                    return copied;
                }
                let key = TypeKey::of(&found);
                let member = key.and_then(|key| self.program.members.get(&(key, name.clone())).copied());
                match member {
                    Some(Member::Function(id)) if self.program.signatures[id.index()].is_method => {
                        match self.receiver(id, place, &ty, call.receiver.span()) {
                            Some((arg, note)) => self.call_with(e, id, (vec![arg], note), &call.args, span),
                            None => Expr::error(span),
                        }
                    }
                    _ => {
                        let shown = self.show(&found);
                        let known =
                            self.program.members.keys().filter(|(k, _)| Some(*k) == key).map(|(_, n)| n.clone());
                        let like = Program::suggestion(&name, known);
                        self.error(span, format!("`{shown}` has no method `{name}`{like}; methods are written in an `impl {shown}` block of its kernel module"));
                        Expr::error(span)
                    }
                }
            }
            Ty::Array(..) if name == "len" => {
                self.error(span, "the length of an array is a constant: write that");
                Expr::error(span)
            }
            Ty::Array(..) => {
                self.error(span, method_advice(&name));
                Expr::error(span)
            }
            scalar => {
                if matches!(ty, Ty::Ref(..)) {
                    self.over(&call.receiver, "this is a reference where a value is wanted: write `(*x)`");
                    return Expr::error(span);
                }
                self.scalar_method(e, call, &name, place, &scalar)
            }
        }
    }

    pub(super) fn arguments<const N: usize>(
        &mut self,
        call: &'a syn::ExprMethodCall,
        form: &str,
    ) -> Option<[&'a syn::Expr; N]> {
        let args: Vec<&syn::Expr> = call.args.iter().collect();
        match args.try_into() {
            Ok(args) => Some(args),
            Err(_) => {
                self.error(call.method.span(), format!("write `{form}`"));
                None
            }
        }
    }

    fn rows_method(
        &mut self,
        e: &'a syn::Expr,
        call: &'a syn::ExprMethodCall,
        name: &str,
        place: Place,
        id: imminent_ir::StructId,
    ) -> Expr {
        let span = call.method.span();
        match name {
            "get" => {
                let Some([index]) = self.arguments(call, "rows.get(index)") else { return Expr::error(span) };
                let index = self.value_of(index, &Ty::U32);
                self.program.notes.set(e, Note::Located);
                let base = Base::RowOf(Box::new(place), Box::new(index), span);
                let row = Place { base, path: Vec::new(), site: span };
                Expr::new(Ty::Ref(Box::new(Ty::Struct(id)), false), span, Kind::Place(row))
            }
            "len" => {
                let Some([]) = self.arguments(call, "rows.len()") else { return Expr::error(span) };
                Expr::new(Ty::U32, span, Kind::RowsLen(place))
            }
            "set" | "get_mut" => {
                self.error(span, "a kernel writes its own row only (`&mut T`): there is no way to write another");
                Expr::error(span)
            }
            _ => {
                self.error(span, format!("`Rows` has no method `{name}`: it has `get(i)` and `len()`"));
                Expr::error(span)
            }
        }
    }

    fn lanes_method(
        &mut self,
        e: &'a syn::Expr,
        call: &'a syn::ExprMethodCall,
        name: &str,
        place: Place,
        element: &Ty,
    ) -> Expr {
        let span = call.method.span();
        match name {
            "get" => {
                let Some([index]) = self.arguments(call, "lanes.get(index)") else { return Expr::error(span) };
                let index = self.value_of(index, &Ty::U32);
                self.program.notes.set(e, Note::Located);
                Expr::new(element.clone(), span, Kind::LaneGet(place, Box::new(index)))
            }
            "set" => {
                let Some([index, value]) = self.arguments(call, "lanes.set(index, value)") else {
                    return Expr::error(span);
                };
                self.require_writable(&place, call.receiver.span());
                let index = self.value_of(index, &Ty::U32);
                let value = self.value_of(value, element);
                self.program.notes.set(e, Note::Located);
                Expr::new(Ty::Unit, span, Kind::LaneSet(place, Box::new(index), Box::new(value)))
            }
            "capacity" => {
                let Some([]) = self.arguments(call, "lanes.capacity()") else { return Expr::error(span) };
                Expr::new(Ty::U32, span, Kind::LanesCapacity(place))
            }
            _ => {
                self.error(span, format!("`Lanes` has no method `{name}`: it has `get(i)`, `set(i, value)` and `capacity()`; how many are in use is for the row to keep"));
                Expr::error(span)
            }
        }
    }

    fn tally_method(
        &mut self,
        e: &'a syn::Expr,
        call: &'a syn::ExprMethodCall,
        name: &str,
        place: Place,
        scalar: Scalar,
    ) -> Expr {
        let span = call.method.span();
        let op = match name {
            "add" => TallyOp::Add,
            "min" => TallyOp::Min,
            "max" => TallyOp::Max,
            "or" => TallyOp::Or,
            "and" => TallyOp::And,
            "len" => {
                let Some([]) = self.arguments(call, "tally.len()") else { return Expr::error(span) };
                return Expr::new(Ty::U32, span, Kind::TallyLen(place));
            }
            "load" | "store" | "exchange" | "get" => return self.word_method(e, call, name, place, scalar),
            _ => {
                self.error(span, format!("`Tally` has no method `{name}`: it has add, min, max, or, and (one of them in a kernel) and len"));
                return Expr::error(span);
            }
        };
        let Some([slot, value]) = self.arguments(call, &format!("tally.{name}(slot, value)")) else {
            return Expr::error(span);
        };
        let slot = self.value_of(slot, &Ty::U32);
        let value = self.value_of(value, &Ty::Scalar(scalar));
        self.program.notes.set(e, Note::Located);
        if let (Some(function), Base::Param(param)) = (self.function, &place.base) {
            let uses = self.program.tally_uses.entry((function, *param)).or_default();
            uses.push(crate::program::TallyUse::Op(op, span));
        }
        Expr::new(Ty::Unit, span, Kind::Tally(place, op, Box::new(slot), Box::new(value)))
    }

    /// Checks an operation on a word of a tally, which only functions with `#[unordered]` have.
    fn word_method(
        &mut self,
        e: &'a syn::Expr,
        call: &'a syn::ExprMethodCall,
        name: &str,
        place: Place,
        scalar: Scalar,
    ) -> Expr {
        let span = call.method.span();
        let allowed = self.function.is_some_and(|function| self.program.unordered.contains(&function));
        let op = match name {
            "load" if allowed => WordOp::Load,
            "store" if allowed => WordOp::Store,
            "exchange" if allowed => WordOp::Exchange,
            _ => {
                self.error(span, "what a tally holds during a launch depends on the order of the rows, so kernels cannot read it: read it on the host, after the launch");
                return Expr::error(span);
            }
        };
        if scalar != Scalar::U32 {
            self.error(span, format!("`{name}` is an operation on a word: take a `&Tally<u32>`"));
            return Expr::error(span);
        }
        let arguments = if op.writes() {
            self.arguments(call, &format!("tally.{name}(slot, value)")).map(|[slot, value]: [_; 2]| (slot, Some(value)))
        } else {
            self.arguments(call, "tally.load(slot)").map(|[slot]: [_; 1]| (slot, None))
        };
        let Some((slot, value)) = arguments else { return Expr::error(span) };
        let slot = Box::new(self.value_of(slot, &Ty::U32));
        let value = value.map(|value| Box::new(self.value_of(value, &Ty::U32)));
        self.program.notes.set(e, Note::Located);
        if let (Some(function), Base::Param(param)) = (self.function, &place.base) {
            self.program.tally_uses.entry((function, *param)).or_default().push(crate::program::TallyUse::Word(span));
        }
        let ty = if op.reads() { Ty::U32 } else { Ty::Unit };
        Expr::new(ty, span, Kind::Word(place, op, slot, value))
    }

    fn scalar_method(
        &mut self,
        e: &'a syn::Expr,
        call: &'a syn::ExprMethodCall,
        name: &str,
        place: Place,
        ty: &Ty,
    ) -> Expr {
        let span = call.method.span();
        let Some((receiver, operands, gives, op)) = operation(name) else {
            self.error(span, method_advice(name));
            return Expr::error(span);
        };
        let class = self.infer.class(ty);
        if self.is_untyped(&place, ty) {
            return Expr::error(span);
        }
        if class == Class::Unknown {
            self.over(&call.receiver, "the type of this is not known yet: annotate it where it is declared");
            return Expr::error(span);
        }
        let this = match place {
            Place { base: Base::Value(value), path, .. } if path.is_empty() => *value,
            place => Expr::new(ty.clone(), call.receiver.span(), Kind::Place(place)),
        };
        let quoted = format!("`{name}`");
        self.need(
            ty,
            span,
            match receiver {
                Receiver::Integer => Need::Integer(quoted),
                Receiver::Unsigned => Need::Unsigned("this method"),
                Receiver::SignedInteger => Need::SignedInteger("this method"),
                Receiver::Signed => Need::Signed("`abs`"),
                Receiver::Number => Need::Number("this method"),
                Receiver::Float => Need::Float(quoted),
            },
        );
        let mut args = vec![this];
        let wanted: &[Ty] = match operands {
            Operands::None => &[],
            Operands::Same => std::slice::from_ref(ty),
            Operands::TwoSame => &[ty.clone(), ty.clone()],
            Operands::Count => &[Ty::U32],
        };
        if wanted.len() != call.args.len() {
            self.error(span, format!("`{name}` takes {} argument(s), {} given", wanted.len(), call.args.len()));
            return Expr::error(span);
        }
        for (arg, wanted) in call.args.iter().zip(wanted) {
            args.push(self.value_of(arg, wanted));
        }
        let result = match gives {
            Gives::Same => ty.clone(),
            Gives::U32 => Ty::U32,
            Gives::Bool => Ty::BOOL,
            Gives::Unsigned => match class {
                Class::Exactly(scalar) if scalar.words() == 2 => Ty::Scalar(Scalar::U64),
                Class::Exactly(_) => Ty::U32,
                _ => {
                    self.over(&call.receiver, format!("the type of this is not known yet, so neither is that of `{name}`: add a suffix or annotate it"));
                    return Expr::error(span);
                }
            },
        };
        let float = matches!(class, Class::SomeFloat) || matches!(class, Class::Exactly(s) if s.is_float());
        match op {
            Op::Abs | Op::Power => self.program.notes.set(e, Note::Lang),
            Op::Clamp => self.program.notes.set(e, Note::Clamp),
            Op::Min if float => self.program.notes.set(e, Note::FloatMin),
            Op::Max if float => self.program.notes.set(e, Note::FloatMax),
            _ => {}
        }
        scalar_operation(op, args, ty, result, span)
    }
}

fn scalar_operation(op: Op, args: Vec<Expr>, ty: &Ty, result: Ty, span: Span) -> Expr {
    let boxed = |args: Vec<Expr>| args.into_iter().map(Box::new).collect::<Vec<_>>();
    let wrapping = |kind: Kind| Kind::Wrapping(Box::new(Expr::new(result.clone(), span, kind)));
    let not = |x: Expr| {
        let span = x.span;
        Expr::new(ty.clone(), span, Kind::Unary(UnaryOp::Not, Box::new(x)))
    };
    let kind = match op {
        Op::Builtin(builtin) => Kind::Builtin(builtin, args),
        Op::Min => Kind::Builtin(Builtin::Min, args),
        Op::Max => Kind::Builtin(Builtin::Max, args),
        Op::Abs => Kind::Builtin(Builtin::Abs, args),
        Op::TrailingOnes => Kind::Builtin(Builtin::TrailingZeros, args.into_iter().map(not).collect()),
        Op::LeadingOnes => Kind::Builtin(Builtin::LeadingZeros, args.into_iter().map(not).collect()),
        Op::CountZeros => Kind::Builtin(Builtin::CountOnes, args.into_iter().map(not).collect()),
        Op::IsPowerOfTwo => {
            let ones = Expr::new(Ty::U32, span, Kind::Builtin(Builtin::CountOnes, args));
            let one = Expr::new(Ty::U32, span, Kind::Value(Value::U32(1)));
            Kind::Binary(BinaryOp::Eq, Box::new(ones), Box::new(one))
        }
        Op::Identity => match args.into_iter().next() {
            Some(this) => this.kind,
            None => Kind::Unit,
        },
        Op::Binary(_) | Op::Neg | Op::Power | Op::WrappingPower | Op::Clamp => {
            let mut operands = boxed(args).into_iter();
            match (op, operands.next(), operands.next(), operands.next()) {
                (Op::Neg, Some(x), ..) => wrapping(Kind::Unary(UnaryOp::Neg, x)),
                (Op::Binary(op), Some(a), Some(b), _) => wrapping(Kind::Binary(op, a, b)),
                (Op::Power | Op::WrappingPower, Some(a), Some(b), _) => Kind::Power(a, b),
                (Op::Clamp, Some(x), Some(low), Some(high)) => Kind::Clamp(x, low, high),
                _ => Kind::Unit,
            }
        }
    };
    Expr::new(result, span, kind)
}

fn is_parenthesised_range(e: &syn::Expr) -> bool {
    matches!(crate::syntax::strip(e), syn::Expr::Range(_))
}
