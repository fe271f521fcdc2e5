//! Variants of one kernel's lowering.

use std::sync::OnceLock;

/// Variant in which a kernel is lowered for a launch, beside the options of its device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Variant {
    /// `true` if the rows to run are listed on the device.
    pub listed: bool,
    /// Bindings that are ragged tables, ascending.
    pub ragged: Vec<u32>,
    /// Bindings that are tallies of a single slot, ascending, if the kernel asks for their number of slots. The kernel
    /// then omits its work for further slots.
    pub single: Vec<u32>,
    /// For each binding the word columns at which its pieces start ([`DeviceMemory::starts`]); empty if all memories
    /// are in one piece.
    ///
    /// [`DeviceMemory::starts`]: imminent_core::backend::DeviceMemory::starts
    pub pieces: Vec<Vec<u32>>,
    /// For each binding the number of the buffer of every piece, in the order in which the launch first uses them.
    /// Buffers of tables and those of tallies are numbered apart. After the bindings come the list of rows and its
    /// count. Empty if one buffer holds all tables and one all tallies, or none is shared ([`DeviceMemory::buffers`]).
    ///
    /// [`DeviceMemory::buffers`]: imminent_core::backend::DeviceMemory::buffers
    pub buffers: Vec<Vec<u32>>,
}

impl Variant {
    /// Returns `true` for the ordinary variant: all tables have the same room in every row, are in one piece, and share
    /// at most one buffer, as tallies do; all rows run, and no tally is known to have a single slot.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        !self.listed
            && self.ragged.is_empty()
            && self.single.is_empty()
            && self.pieces.is_empty()
            && self.buffers.is_empty()
    }
}

/// Objects made for the variants requested so far. The list only grows, so references to its elements stay valid.
/// Kernels are launched in few variants.
#[derive(Debug)]
pub struct Variants<T> {
    first: OnceLock<Box<Made<T>>>,
}

#[derive(Debug)]
struct Made<T> {
    variant: Variant,
    made: T,
    next: Variants<T>,
}

impl<T> Default for Variants<T> {
    fn default() -> Self {
        Variants { first: OnceLock::new() }
    }
}

impl<T> Variants<T> {
    /// Returns the object for a variant, which `make` creates at the first request.
    pub fn get(&self, variant: &Variant, make: &dyn Fn() -> T) -> &T {
        let mut here = self;
        loop {
            let made = || Box::new(Made { variant: variant.clone(), made: make(), next: Variants::default() });
            let first = here.first.get_or_init(made);
            if first.variant == *variant {
                return &first.made;
            }
            here = &first.next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn each_variant_is_made_once() {
        let (variants, made) = (Variants::default(), Cell::new(0));
        let asked = [
            Variant::default(),
            Variant { listed: true, ..Variant::default() },
            Variant { ragged: vec![1], ..Variant::default() },
            Variant { ragged: vec![1, 2], ..Variant::default() },
            Variant { single: vec![1], ..Variant::default() },
            Variant { pieces: vec![vec![0, 3], vec![]], ..Variant::default() },
            Variant { buffers: vec![vec![0], vec![1]], ..Variant::default() },
        ];
        for _ in 0..3 {
            for variant in &asked {
                let found = variants.get(variant, &|| {
                    made.set(made.get() + 1);
                    variant.clone()
                });
                assert_eq!(found, variant);
            }
        }
        assert_eq!(made.get(), asked.len());
        assert!(asked[0].is_plain() && !asked[1..].iter().any(Variant::is_plain));
    }
}
