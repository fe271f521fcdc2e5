//! The ways in which one kernel is lowered.

use std::sync::OnceLock;

/// In which way a kernel is lowered for a launch, beside what its device asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Way {
    /// Whether the rows to be run are listed on the device.
    pub listed: bool,
    /// Which bindings are ragged tables, ascending.
    pub ragged: Vec<u32>,
    /// Which bindings are tallies of a single slot, of those whose number of slots the kernel asks for, ascending: what it does for more slots costs it
    /// nothing then.
    pub single: Vec<u32>,
}

impl Way {
    /// Whether all tables have the same room in every row, all rows are run, and no tally of a single slot is known to be one.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        !self.listed && self.ragged.is_empty() && self.single.is_empty()
    }
}

/// What was made for each way that was asked for: a list that only grows, so what it hands out stays. Kernels are launched in few ways.
#[derive(Debug)]
pub struct Variants<T> {
    first: OnceLock<Box<Variant<T>>>,
}

#[derive(Debug)]
struct Variant<T> {
    way: Way,
    made: T,
    next: Variants<T>,
}

impl<T> Default for Variants<T> {
    fn default() -> Self {
        Variants { first: OnceLock::new() }
    }
}

impl<T> Variants<T> {
    /// What there is for a way; made now if this is the first time that it is asked for.
    pub fn get(&self, way: &Way, make: &dyn Fn() -> T) -> &T {
        let mut here = self;
        loop {
            let made = || Box::new(Variant { way: way.clone(), made: make(), next: Variants::default() });
            let variant = here.first.get_or_init(made);
            if variant.way == *way {
                return &variant.made;
            }
            here = &variant.next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn each_way_is_made_once() {
        let (variants, made) = (Variants::default(), Cell::new(0));
        let ways = [
            Way::default(),
            Way { listed: true, ..Way::default() },
            Way { ragged: vec![1], ..Way::default() },
            Way { ragged: vec![1, 2], ..Way::default() },
            Way { single: vec![1], ..Way::default() },
        ];
        for _ in 0..3 {
            for way in &ways {
                let found = variants.get(way, &|| {
                    made.set(made.get() + 1);
                    way.clone()
                });
                assert_eq!(found, way);
            }
        }
        assert_eq!(made.get(), ways.len());
        assert!(ways[0].is_plain() && !ways[1..].iter().any(Way::is_plain));
    }
}
