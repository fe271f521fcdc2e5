//! Search for the crate that kernels need.

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};

/// Path of the crate that has `data`, `lang`, `native` and the rest at its root.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    name: String,
}

impl Root {
    /// Finds `imminent-core`, else the facade `imminent`, among the dependencies of the crate being compiled.
    pub(crate) fn find() -> Result<Root, String> {
        for (package, itself) in [("imminent-core", "imminent_core"), ("imminent", "imminent")] {
            match crate_name(package) {
                Ok(FoundCrate::Itself) => return Ok(Root { name: itself.to_owned() }),
                Ok(FoundCrate::Name(name)) => return Ok(Root { name }),
                Err(_) => {}
            }
        }
        Err("kernels need the crate `imminent` (or `imminent-core`): add it to [dependencies] in Cargo.toml".to_owned())
    }

    /// Returns a root for tests.
    #[cfg(test)]
    pub(crate) fn core() -> Root {
        Root { name: "imminent_core".to_owned() }
    }

    /// Returns the root as a path.
    pub(crate) fn path(&self, span: Span) -> syn::Path {
        let mut path = syn::Path::from(Ident::new(&self.name, span));
        path.leading_colon = Some(syn::Token![::](span));
        path
    }
}

impl ToTokens for Root {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let name = Ident::new(&self.name, Span::call_site());
        tokens.extend(quote!(::#name));
    }
}
