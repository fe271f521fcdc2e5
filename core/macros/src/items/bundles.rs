//! Bundles: structs of references to resources, which functions take as one parameter.

use super::derives::{derived, is_named};
use crate::program::{Program, TypeEntry, TypeKey};
use crate::syntax::plain;
use crate::ty::{Bundle, BundleId, Ty};

/// Returns `true` if a struct is a bundle, by its derives.
pub(crate) fn is_bundle(attrs: &[syn::Attribute]) -> bool {
    derived(attrs).iter().any(|path| is_named(path, "Bundle"))
}

impl<'a> Program<'a> {
    /// Defines a bundle, whose type is being resolved.
    pub(super) fn define_bundle(&mut self, name: &str, item: &'a syn::ItemStruct) -> TypeKey {
        let mut fields = Vec::new();
        for field in &item.fields {
            let Some(ident) = &field.ident else { continue };
            let ty = self.resolve(&field.ty, None);
            let ty = self.bundle_field(ty, &field.ty);
            fields.push((plain(ident), ty));
        }
        let id = BundleId(self.bundles.len() as u32);
        let origin = self.origin_of(name, item);
        self.bundles.push(Bundle { name: name.to_owned(), origin, fields });
        let key = TypeKey::Bundle(id);
        self.types.insert(name.to_owned(), TypeEntry::Known(key));
        key
    }

    /// Returns the type of a field if a function could take it as a parameter by reference, else reports it.
    fn bundle_field(&self, ty: Ty, at: &syn::Type) -> Ty {
        let message = match &ty {
            Ty::Error => return Ty::Error,
            Ty::Ref(inner, _) if matches!(**inner, Ty::Bundle(_)) => {
                "a bundle holds no other bundle: name its fields here, or take both as parameters".to_owned()
            }
            Ty::Ref(inner, _) if matches!(**inner, Ty::Group(_)) => {
                "a kernel takes its group as a parameter of its own: `group: &mut Group<T>`".to_owned()
            }
            Ty::Ref(..) if self.param_kind(&ty).is_some() => return ty,
            Ty::Ref(..) => self.parameter_advice(&ty),
            Ty::Bundle(_) => "a bundle holds no other bundle: name its fields here".to_owned(),
            Ty::Lanes(_) | Ty::Rows(_) | Ty::Tally(_) | Ty::Lane(_) | Ty::Each(_) | Ty::History(_) | Ty::Clock => {
                self.parameter_advice(&ty)
            }
            value => format!(
                "a field of a bundle is a reference, `&T` or `&mut T`: pass a `{}` as a parameter beside the bundle, or hold it in a `#[derive(Params)]` struct",
                self.show(value)
            ),
        };
        self.errors.over(at, message);
        Ty::Error
    }
}
