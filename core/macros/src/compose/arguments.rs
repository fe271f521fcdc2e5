//! Arguments of `#[kernels]`.

use super::needs::Need;
use crate::lists::TypeList;
use crate::roots::Root;
use proc_macro2::{Ident, TokenStream};
use quote::quote_spanned;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{LitByteStr, Path, Token, parenthesized};

/// First word of the arguments that carry libraries.
const LIBRARIES: &str = "__imminent_libraries";

/// Arguments of `#[kernels]`: what the user wrote, and libraries from earlier stages.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    /// `true` if the module is a template.
    pub(crate) is_template: bool,
    pub(crate) list: Option<TypeList>,
    /// Templates whose items the module has not yet.
    pub(crate) templates: Vec<Path>,
    /// Items that the templates need, until they are checked.
    pub(crate) needs: Vec<Need>,
    pub(crate) libraries: Vec<LitByteStr>,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut arguments = Arguments::default();
        if input.is_empty() {
            return Ok(arguments);
        }
        let wrong = "`#[kernels]` takes a list of types, as in `Real = [f32, f64]`, and templates, as in `with(path::to::template)`; or `template` alone";
        if input.peek(syn::Ident) && input.peek2(Token![=]) {
            arguments.list = Some(input.parse()?);
            input.parse::<Option<Token![,]>>()?;
        }
        while !input.is_empty() {
            let word: Ident = input.parse().map_err(|_| input.error(wrong))?;
            if word == LIBRARIES {
                while !input.is_empty() {
                    arguments.libraries.push(input.parse()?);
                }
            } else if word == "with" && input.peek(syn::token::Paren) && arguments.templates.is_empty() {
                let content;
                parenthesized!(content in input);
                if content.is_empty() {
                    return Err(syn::Error::new(word.span(), "name a template, as in `with(path::to::template)`"));
                }
                let paths =
                    Punctuated::<Path, Token![,]>::parse_separated_nonempty_with(&content, Path::parse_mod_style)?;
                arguments.templates.extend(paths);
                input.parse::<Option<Token![,]>>()?;
            } else if word == "needs" && input.peek(syn::token::Paren) && !arguments.templates.is_empty() {
                let content;
                parenthesized!(content in input);
                arguments.needs.extend(Punctuated::<Need, Token![,]>::parse_terminated(&content)?);
                input.parse::<Option<Token![,]>>()?;
            } else if word == "template" && input.is_empty() && arguments.is_plain() {
                arguments.is_template = true;
            } else {
                return Err(syn::Error::new(word.span(), wrong));
            }
        }
        Ok(arguments)
    }
}

impl Arguments {
    fn is_plain(&self) -> bool {
        self.list.is_none() && self.templates.is_empty()
    }

    /// Wraps a module in a call of a macro that returns it with these arguments and what the macro adds.
    pub(super) fn call(&self, path: &Path, name: Ident, module: &TokenStream, root: &Root) -> TokenStream {
        let Arguments { list, templates, libraries, .. } = self;
        let comma = list.as_ref().map(|_| quote_spanned!(name.span() => ,));
        let with = (!templates.is_empty()).then(|| quote_spanned!(name.span() => with(#(#templates),*),));
        let word = Ident::new(LIBRARIES, name.span());
        quote_spanned! { name.span() =>
            #path::#name! { [#root::kernels] [#list #comma #with #word #(#libraries)*] { #module } }
        }
    }
}
