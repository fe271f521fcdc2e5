//! Signatures of functions and methods.

use crate::program::{FunctionItem, Member, Program, SigParam, Signature, TypeKey};
use crate::syntax::plain;
use crate::ty::Ty;
use imminent_ir::{Function, FunctionId, Param, ParamKind};
use syn::spanned::Spanned;

impl<'a> Program<'a> {
    /// Declares a function of this module. Its body is filled in later.
    pub(crate) fn declare_function(
        &mut self,
        sig: &'a syn::Signature,
        block: &'a syn::Block,
        attrs: &'a [syn::Attribute],
        self_key: Option<TypeKey>,
    ) {
        self.reject_modifiers(sig);
        for attr in attrs {
            if attr.path().is_ident("test") {
                self.errors
                    .over(attr, "put tests outside the kernel module: they call the kernel's functions as any others");
            }
        }
        let mut params = Vec::new();
        for input in &sig.inputs {
            params.push(match input {
                syn::FnArg::Receiver(receiver) => self.receiver(receiver, self_key),
                syn::FnArg::Typed(typed) => self.parameter(typed, self_key),
            });
        }
        let result = match &sig.output {
            syn::ReturnType::Default => Ty::Unit,
            syn::ReturnType::Type(_, ty) => self.result_type(ty, self_key),
        };
        let short = plain(&sig.ident);
        let name = match self_key {
            Some(key) => format!("{}::{short}", self.show(&key.ty())),
            None => short.clone(),
        };
        let id = FunctionId(self.signatures.len() as u32);
        let ir_params = params.iter().flat_map(|param| self.ir_params(param)).collect();
        let origin = format!("{}({})", self.origin_of(&name, sig), hash_of_block(self, block));
        self.module.functions.push(Function {
            name: name.clone(),
            origin,
            file: self.module.file.clone(),
            line: sig.ident.span().start().line as u32,
            params: ir_params,
            result: result.to_ir().unwrap_or(imminent_ir::Type::Unit),
            locals: Vec::new(),
            body: Vec::new(),
        });
        if attrs.iter().any(|attr| super::derives::is_named(attr.path(), "unordered")) {
            self.unordered.insert(id);
        }
        let is_method = matches!(sig.inputs.first(), Some(syn::FnArg::Receiver(_)));
        self.signatures.push(Signature { name, params, result, is_method });
        self.functions.push(FunctionItem { id, block, self_key });
        match self_key {
            Some(key) => {
                self.members.insert((key, short), Member::Function(id));
            }
            None => {
                self.function_names.insert(short, id);
            }
        }
    }

    fn ir_params(&self, param: &SigParam) -> Vec<Param> {
        let flat = self.flat(&param.name, &param.ty).into_iter().map(|(name, ty)| {
            let kind = self.param_kind(&ty).unwrap_or_else(|| {
                // The fields of a bundle are judged where it is declared.
                if param.ty != Ty::Error && param.ty.lent_bundle().is_none() {
                    let message = self.parameter_advice(&param.ty);
                    self.errors.at(param.span, message);
                }
                ParamKind::Value(imminent_ir::Type::Scalar(imminent_ir::Scalar::U32))
            });
            Param { name, kind }
        });
        flat.collect()
    }

    pub(super) fn parameter_advice(&self, ty: &Ty) -> String {
        match ty {
            Ty::Ref(inner, false) if matches!(**inner, Ty::Group(_)) => {
                format!("phases change the group: take `&mut {}`", self.show(inner))
            }
            Ty::Ref(inner, true) => match &**inner {
                Ty::Struct(_) => {
                    format!("`{}` is a parameter block, which is read only: take `&{0}`", self.show(inner))
                }
                Ty::Rows(_) => format!(
                    "a kernel cannot write the rows of others: take `&{}` to read them, and the own row as `&mut T`",
                    self.show(inner)
                ),
                Ty::Clock => "a launch does not change its clock: take `&Clock`".to_owned(),
                _ => format!("take `&{}`: contributions to a tally need no `mut`", self.show(inner)),
            },
            Ty::Group(_) => format!("take it by reference: `&mut {}`", self.show(ty)),
            Ty::Lanes(_) | Ty::Rows(_) | Ty::Tally(_) | Ty::Lane(_) | Ty::Each(_) | Ty::History(_) | Ty::Clock => {
                format!("take it by reference: `&{}`", self.show(ty))
            }
            Ty::Struct(_) => format!("a row with `Lanes` is not a value: take `&{0}` or `&mut {0}`", self.show(ty)),
            Ty::Usize => "`usize` differs between devices: take a `u32`".to_owned(),
            Ty::Bundle(_) => {
                format!("a bundle lends what its fields refer to: take `&{0}` or `&mut {0}`", self.show(ty))
            }
            _ => format!("`{}` cannot be a parameter", self.show(ty)),
        }
    }

    fn receiver(&mut self, receiver: &'a syn::Receiver, self_key: Option<TypeKey>) -> SigParam {
        let span = receiver.self_token.span();
        let ty = match (self_key, &receiver.kind) {
            (None, _) => {
                self.errors.at(span, "`self` has a meaning inside an `impl` block only");
                Ty::Error
            }
            (Some(TypeKey::Bundle(_)), syn::ReceiverKind::Value) => {
                self.errors.at(span, "a bundle lends what its fields refer to: take `&self` or `&mut self`");
                Ty::Error
            }
            (Some(key), syn::ReceiverKind::Value) => key.ty(),
            (Some(key), syn::ReceiverKind::Reference(_, _, mutability)) => {
                Ty::Ref(Box::new(key.ty()), mutability.is_some())
            }
            (Some(_), _) => {
                self.errors.over(receiver, "write `self`, `&self` or `&mut self`");
                Ty::Error
            }
        };
        let mutable = matches!(receiver.kind, syn::ReceiverKind::Value) && receiver.mutability.is_some();
        SigParam { name: "self".to_owned(), ty, mutable, span }
    }

    fn parameter(&mut self, typed: &'a syn::PatType, self_key: Option<TypeKey>) -> SigParam {
        let ty = self.resolve(&typed.ty, self_key);
        let (name, mutable) = match &*typed.pat {
            syn::Pat::Ident(pat) if pat.subpat.is_none() && pat.by_ref.is_none() => {
                (plain(&pat.ident), pat.mutability.is_some())
            }
            syn::Pat::Wild(_) => ("_".to_owned(), false),
            other => {
                self.errors.over(other, "a parameter is a plain name");
                ("_".to_owned(), false)
            }
        };
        SigParam { name, ty, mutable, span: typed.ty.span() }
    }

    fn result_type(&mut self, ty: &'a syn::Type, self_key: Option<TypeKey>) -> Ty {
        if let syn::Type::Tuple(tuple) = ty
            && tuple.elems.is_empty()
        {
            return Ty::Unit;
        }
        self.resolve_value(ty, self_key)
    }

    fn reject_modifiers(&mut self, sig: &'a syn::Signature) {
        if let Some(token) = &sig.asyncness {
            self.errors.at(token.span, "kernels do not wait: leave `async` out");
        }
        if let Some(abi) = &sig.abi {
            self.errors
                .over(abi, "functions of a kernel module have Rust's own calling convention: leave `extern` out");
        }
        if !matches!(sig.safety, syn::Safety::Default) {
            self.errors.over(&sig.safety, "kernels are safe code: leave `unsafe` out");
        }
        if !sig.generics.params.is_empty() || sig.generics.where_clause.is_some() {
            self.errors
                .over(&sig.generics, "generic functions are outside the kernel language: write one for each type");
        }
        if let Some(constness) = &sig.constness {
            self.errors.at(
                constness.span,
                "functions of a kernel module run on devices, not in the compiler: leave `const` out",
            );
        }
    }
}

fn hash_of_block(program: &Program<'_>, block: &syn::Block) -> String {
    let origin = program.origin_of("", block);
    origin.rsplit('#').next().unwrap_or_default().to_owned()
}
