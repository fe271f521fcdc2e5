//! Items that templates need of the module that includes them, checked before its own: `needs(struct Point: Row)`.
//!
//! Without the check, a missing item is an error wherever a template uses it, far from what the user wrote.

use crate::diagnostics::Errors;
use crate::items::derives;
use crate::syntax::plain;
use crate::texts::print;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens as _;
use syn::parse::{Parse, ParseStream};
use syn::{FnArg, Ident, Item, ItemMod, ReturnType, Signature, Token, Type};

/// Item that templates need.
#[derive(Debug)]
pub(crate) enum Need {
    /// A struct of this name, with a derive.
    Struct(Ident, Option<Ident>),
    /// A function of this signature, if there is one of its name: the call of a missing one is an error by itself.
    Function(Box<Signature>),
}

impl Parse for Need {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if !input.peek(Token![struct]) {
            return Ok(Need::Function(Box::new(input.parse()?)));
        }
        input.parse::<Token![struct]>()?;
        let name = input.parse()?;
        let derive = input.parse::<Option<Token![:]>>()?.map(|_| input.parse()).transpose()?;
        Ok(Need::Struct(name, derive))
    }
}

/// Checks that a module has the items that templates need.
pub(crate) fn check(needs: &[Need], module: &ItemMod) -> syn::Result<()> {
    let (errors, items) = (Errors::default(), module.content.as_ref().map_or(&[][..], |(_, items)| items));
    for need in needs {
        match need {
            Need::Struct(name, derive) => check_struct(name, derive.as_ref(), module, items, &errors),
            Need::Function(needed) => {
                let functions =
                    items.iter().filter_map(|item| if let Item::Fn(item) = item { Some(item) } else { None });
                let named = functions.filter(|item| item.sig.ident == needed.ident);
                named.for_each(|item| check_signature(needed, &item.sig, &errors));
            }
        }
    }
    errors.into_combined().map_or(Ok(()), Err)
}

fn check_struct(name: &Ident, derive: Option<&Ident>, module: &ItemMod, items: &[Item], errors: &Errors) {
    let attribute = derive.map_or_else(String::new, |derive| format!("#[derive({derive})] "));
    let of_name = |ident: &Ident| ident == name;
    let found = items.iter().find(|item| match item {
        Item::Struct(item) => of_name(&item.ident),
        Item::Enum(item) => of_name(&item.ident),
        Item::Type(item) => of_name(&item.ident),
        Item::Use(item) => names(item.tree.to_token_stream(), name),
        _ => false,
    });
    // What a glob or a macro brings is not known here.
    let may_have = items.iter().any(|item| match item {
        Item::Use(item) => has_glob(item.tree.to_token_stream()),
        Item::Macro(_) => true,
        _ => false,
    });
    match (found, derive) {
        (None, _) if may_have => {}
        (None, _) => {
            let module = &module.ident;
            let remedy = format!("write `{attribute}pub struct {name} {{ .. }}` in it");
            errors.at(module.span(), format!("`{module}` has no `{name}`: {remedy}"));
        }
        (Some(Item::Struct(item)), Some(derive))
            if !derives::derived(&item.attrs).iter().any(|path| derives::is_named(path, &plain(derive))) =>
        {
            let remedy = format!("write `{}` before it", attribute.trim_end());
            errors.at(item.ident.span(), format!("`{name}` is the row of a table: {remedy}"));
        }
        _ => {}
    }
}

/// Returns `true` if the tokens of a `use` have a glob.
fn has_glob(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Punct(punct) => punct.as_char() == '*',
        TokenTree::Group(group) => has_glob(group.stream()),
        _ => false,
    })
}

/// Returns how a parameter is passed and the last name of its type; `None` for types that are no paths.
fn form(ty: &Type) -> Option<(Option<bool>, &Ident)> {
    match ty {
        Type::Reference(reference) => {
            form(&reference.elem).map(|(_, name)| (Some(reference.mutability.is_some()), name))
        }
        Type::Path(path) => path.path.segments.last().map(|segment| (None, &segment.ident)),
        _ => None,
    }
}

/// Returns `true` if a parameter cannot be what a template gives: it is passed otherwise, or its type has another name.
fn is_other(needs: &Option<Type>, has: &Option<Type>) -> bool {
    match (needs.as_ref().and_then(form), has.as_ref().and_then(form)) {
        (Some(needs), Some(has)) => needs != has,
        _ => needs.is_none() != has.is_none(),
    }
}

/// Returns `true` if tokens have a name.
fn names(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => names(group.stream(), name),
        _ => false,
    })
}

fn check_signature(needed: &Signature, found: &Signature, errors: &Errors) {
    let name = &found.ident;
    let takes = || format!("`{name}` takes `{}`", print(needed.inputs.to_token_stream()));
    let types = |signature: &Signature| -> Vec<Option<Type>> {
        let of = |input: &FnArg| if let FnArg::Typed(input) = input { Some((*input.ty).clone()) } else { None };
        signature.inputs.iter().map(of).collect()
    };
    let (needs, has) = (types(needed), types(found));
    let mut pairs = needs.iter().zip(&has).zip(&found.inputs);
    if needs.len() != has.len() {
        errors.at(name.span(), takes());
    } else if let Some((_, input)) = pairs.find(|((needs, has), _)| is_other(needs, has)) {
        errors.over(input, takes());
    }
    if let (ReturnType::Default, ReturnType::Type(_, result)) = (&needed.output, &found.output) {
        errors.over(result, format!("`{name}` returns nothing: leave out `-> {}`", print(result.to_token_stream())));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::{Need, check};
    use syn::{ItemMod, parse_quote};

    fn problem(module: ItemMod) -> Option<String> {
        let needs: [Need; 2] = [parse_quote!(struct State: Row), parse_quote!(fn step(me: &mut State, by: u32))];
        check(&needs, &module).err().map(|error| error.to_string())
    }

    #[test]
    fn what_is_brought_or_written_otherwise_is_accepted() {
        assert_eq!(
            problem(parse_quote!(
                mod m {
                    use super::types::*;
                }
            )),
            None
        );
        assert_eq!(
            problem(parse_quote!(
                mod m {
                    states!();
                }
            )),
            None
        );
        assert_eq!(
            problem(parse_quote!(
                mod m {
                    use super::State;
                    fn step(me: &mut self::State, by: u32) {}
                }
            )),
            None
        );
        assert_eq!(
            problem(parse_quote!(
                mod m {
                    use super::State;
                    fn step(me: &'a mut State, by: core::u32) {}
                }
            )),
            None
        );
        assert!(
            problem(parse_quote!(
                mod m {}
            ))
            .unwrap()
            .contains("`m` has no `State`")
        );
        let copied = problem(parse_quote!(
            mod m {
                use super::State;
                fn step(me: &State, by: u32) {}
            }
        ));
        assert!(copied.unwrap().contains("`step` takes"));
    }
}
