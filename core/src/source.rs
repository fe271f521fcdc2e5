//! Static data of kernels and modules.

use crate::floats::Floats;
use crate::native::Entry;
use imminent_ir::{DecodeError, Layout, Module, Shape, Value};
use std::sync::OnceLock;

/// A constant of a kernel module whose value comes from the surrounding crate: its position in [`Module::consts`], and
/// its scalars as [`Value::from_scalars`] takes them.
pub type OutsideConst = (u32, &'static [u64]);

/// A kernel module as static data: its IR, and the native entries of its kernels.
#[derive(Debug)]
pub struct ModuleSource {
    name: &'static str,
    ir: &'static [u8],
    entries: &'static [(&'static str, Entry)],
    outside: &'static [OutsideConst],
    decoded: OnceLock<Result<Module, DecodeError>>,
    /// Float types with which each kernel computes.
    floats: OnceLock<Vec<Floats>>,
}

impl ModuleSource {
    /// Creates the static form from the module's name, its encoded IR, and name and entry of each kernel, in the IR's
    /// order.
    #[must_use]
    pub const fn new(name: &'static str, ir: &'static [u8], entries: &'static [(&'static str, Entry)]) -> Self {
        ModuleSource::with_outside(name, ir, entries, &[])
    }

    /// Creates the static form with the constants whose values rustc found, as in `const WIDTH: u32 = super::WIDTH;`.
    /// The IR holds zeros in their place.
    #[must_use]
    pub const fn with_outside(
        name: &'static str,
        ir: &'static [u8],
        entries: &'static [(&'static str, Entry)],
        outside: &'static [OutsideConst],
    ) -> Self {
        ModuleSource { name, ir, entries, outside, decoded: OnceLock::new(), floats: OnceLock::new() }
    }

    /// Creates a module at run time. Its kernels have no native form: the CPU backend cannot run them.
    #[must_use]
    pub const fn made(name: &'static str, ir: &'static [u8]) -> Self {
        ModuleSource::new(name, ir, &[])
    }

    /// Returns the name of the Rust module.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the IR.
    ///
    /// # Errors
    /// [`DecodeError`] if the module was compiled by another version of the macro.
    pub fn ir(&self) -> Result<&Module, DecodeError> {
        self.decoded.get_or_init(|| self.decode()).as_ref().map_err(Clone::clone)
    }

    fn decode(&self) -> Result<Module, DecodeError> {
        let mut module = Module::decode(self.ir)?;
        for (id, scalars) in self.outside {
            let Some(ty) = module.consts.get(*id as usize).map(|item| item.ty.clone()) else { continue };
            let value = Value::from_scalars(&module, &ty, &mut scalars.iter().copied());
            if let (Some(item), Some(value)) = (module.consts.get_mut(*id as usize), value) {
                item.value = value;
            }
        }
        Ok(module)
    }

    /// Returns the float types with which the kernel at a position computes.
    pub(crate) fn floats(&self, kernel: u32) -> Floats {
        let of_all = || {
            let module = self.ir().ok();
            module.iter().flat_map(|module| module.kernels.iter().map(|kernel| Floats::of(module, kernel))).collect()
        };
        self.floats.get_or_init(of_all).get(kernel as usize).copied().unwrap_or_default()
    }

    /// Returns the native entry of the kernel at a position.
    #[must_use]
    pub fn entry(&self, kernel: usize) -> Option<Entry> {
        self.entries.get(kernel).map(|(_, entry)| *entry)
    }

    /// Returns the layout of a struct of the module; an empty one if there is no such struct.
    #[must_use]
    pub fn layout_of(&self, name: &str) -> Layout {
        let empty =
            || Layout { name: name.to_owned(), fixed_words: 0, lane_words: 0, packed: false, columns: Vec::new() };
        let Ok(module) = self.ir() else { return empty() };
        match module.structs.iter().position(|s| s.name == name) {
            Some(position) => Layout::of(module, imminent_ir::StructId(position as u32)),
            None => empty(),
        }
    }
}

/// Identity of a kernel: its module and its position there.
#[derive(Clone, Copy, Debug)]
pub struct KernelSource {
    /// The module.
    pub module: &'static ModuleSource,
    /// Position in [`Module::kernels`].
    pub index: u32,
    /// Name in Rust.
    pub name: &'static str,
    /// Grouping of rows: row by row, or in groups.
    pub shape: Shape,
}
