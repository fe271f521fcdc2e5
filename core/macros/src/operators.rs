//! `#[operator]`: an associative function of a module, and a generated kernel that folds tables by it.

use crate::items::derives::is_named;
use quote::format_ident;
use syn::{FnArg, Item, ItemFn, Meta, ReturnType, Type, parse_quote};

/// Rows of a group: few enough for elements of 240 bytes.
const GROUP: u32 = 64;

/// Removes `#[operator]` from each function that has it, and adds the kernel `fold_name` for `name`.
pub(crate) fn to_kernels(items: &mut Vec<Item>) -> syn::Result<()> {
    let mut kernels = Vec::new();
    for item in items.iter_mut() {
        let Item::Fn(function) = item else { continue };
        let Some(position) = function.attrs.iter().position(|attr| is_named(attr.path(), "operator")) else { continue };
        let attribute = function.attrs.remove(position);
        if !matches!(attribute.meta, Meta::Path(_)) {
            return Err(syn::Error::new_spanned(&attribute, "`#[operator]` takes no arguments"));
        }
        kernels.push(Item::Fn(kernel(function)?));
    }
    items.extend(kernels);
    Ok(())
}

/// Returns the type whose values the function combines.
fn operand(function: &ItemFn) -> syn::Result<&Type> {
    let wrong = || {
        let form = "an operator takes two values of one row struct and gives a third: `fn merge(a: T, b: T) -> T`";
        syn::Error::new_spanned(&function.sig, form)
    };
    let mut inputs = function.sig.inputs.iter();
    match (inputs.next(), inputs.next(), inputs.next(), &function.sig.output) {
        (Some(FnArg::Typed(a)), Some(FnArg::Typed(b)), None, ReturnType::Type(_, result))
            if a.ty == b.ty && a.ty == *result && matches!(*a.ty, Type::Path(_)) =>
        {
            Ok(result)
        }
        _ => Err(wrong()),
    }
}

/// Returns the kernel: neighbours are combined first, so that rows keep their order.
fn kernel(function: &ItemFn) -> syn::Result<ItemFn> {
    let ty = operand(function)?;
    let (name, vis) = (&function.sig.ident, &function.vis);
    let fold = format_ident!("fold_{}", name);
    let doc = format!("Combines the rows of each group with [`{}`], in their order.", crate::syntax::plain(name));
    Ok(parse_quote! {
        #[doc = #doc]
        #[kernel(group = #GROUP)]
        #vis fn #fold(group: &mut Group<#ty>, rows: &Each<#ty>, into: &mut #ty) {
            group.phase(rows, |lane, row| lane.set(*row));
            let present = group.len();
            let mut stride = 1;
            while stride < #GROUP {
                group.phase((), |lane, ()| {
                    let other = lane.index() + stride;
                    if lane.index() % (2 * stride) == 0 && other < present {
                        lane.set(#name(lane.own(), lane.get(other)));
                    }
                });
                stride *= 2;
            }
            *into = group.get(0);
        }
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_kernel_stands_beside_the_function() {
        let mut items: Vec<Item> = vec![parse_quote! {
            #[operator]
            pub fn merge(a: Span, b: Span) -> Span { a }
        }];
        to_kernels(&mut items).unwrap();
        let names: Vec<String> = items
            .iter()
            .map(|item| match item {
                Item::Fn(function) => function.sig.ident.to_string(),
                _ => String::new(),
            })
            .collect();
        assert_eq!(names, ["merge", "fold_merge"]);
    }

    #[test]
    fn other_functions_are_no_operators() {
        let wrong: [Item; 4] = [
            parse_quote! { #[operator] fn merge(a: Span) -> Span { a } },
            parse_quote! { #[operator] fn merge(a: Span, b: u32) -> Span { a } },
            parse_quote! { #[operator] fn merge(a: &Span, b: &Span) -> Span { *a } },
            parse_quote! { #[operator] fn merge(a: Span, b: Span) {} },
        ];
        for item in wrong {
            let error = to_kernels(&mut vec![item]).unwrap_err().to_string();
            assert!(error.contains("fn merge(a: T, b: T) -> T"), "{error}");
        }
        let arguments: Item = parse_quote! { #[operator(identity)] fn merge(a: Span, b: Span) -> Span { a } };
        assert!(to_kernels(&mut vec![arguments]).unwrap_err().to_string().contains("no arguments"));
    }
}
