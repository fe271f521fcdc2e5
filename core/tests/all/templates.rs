//! Templates: kernel modules whose items become items of the modules that include them.
#![allow(dead_code, reason = "kernels are called and not launched")]

/// Stores of values of a type that the including module declares.
#[imminent_core::kernels(template)]
mod stores {
    use crate::templates::limits::CAPACITY;

    /// A store.
    #[derive(Row)]
    pub struct Store {
        pub count: u32,
        pub values: [Value; CAPACITY as usize],
    }

    impl Store {
        /// Adds a value if there is room.
        pub fn add(&mut self, value: Value) {
            if self.count < CAPACITY {
                self.values[self.count as usize] = value;
                self.count += 1;
            }
        }
    }

    /// Adds a value to every store. Returns their sum of weights.
    #[kernel(reduce = sum)]
    pub fn fill(store: &mut Store, id: u32) -> u64 {
        store.add(value_of(id));
        let mut weight = 0;
        for place in 0..store.count {
            weight += weight_of(store.values[place as usize]);
        }
        weight
    }
}

/// A second template, which uses the first.
#[imminent_core::kernels(template)]
mod halves {
    /// Halves the lanes of a group.
    #[kernel(group = LANES)]
    pub fn halve(group: &mut Group<u32>, stores: &mut Each<Store>) {
        group.phase(stores, |_lane, store| store.count /= 2);
    }
}

#[imminent_core::kernels]
mod limits {
    pub const CAPACITY: u32 = 4;
}

#[imminent_core::kernels(with(stores))]
mod numbers {
    pub struct Value {
        number: u32,
    }

    fn value_of(id: u32) -> Value {
        Value { number: id }
    }

    fn weight_of(value: Value) -> u64 {
        u64::from(value.number)
    }
}

#[imminent_core::kernels(with(self::stores, crate::templates::halves))]
mod pairs {
    const LANES: u32 = 2 * 32;

    pub struct Value {
        left: u32,
        right: u32,
    }

    fn value_of(id: u32) -> Value {
        Value { left: id, right: 10 }
    }

    fn weight_of(value: Value) -> u64 {
        u64::from(value.left * value.right)
    }
}

#[imminent_core::kernels(Number = [u32, u64], with(stores))]
mod listed {
    pub struct Value {
        number: Number,
    }

    fn value_of(id: u32) -> Value {
        Value { number: id as Number }
    }

    fn weight_of(value: Value) -> u64 {
        value.number as u64
    }
}

#[test]
fn each_module_has_the_items_for_its_own_types() {
    use imminent_core::data::Row;

    let mut store = numbers::Store::zeroed(0);
    assert_eq!([numbers::fill(&mut store, 3), numbers::fill(&mut store, 4)], [3, 7]);
    let mut store = pairs::Store::zeroed(0);
    assert_eq!([pairs::fill(&mut store, 3), pairs::fill(&mut store, 4)], [30, 70]);
    let mut store = listed::u64::Store::zeroed(0);
    for _ in 0..5 {
        listed::u64::fill(&mut store, 7);
    }
    assert_eq!((store.count, limits::CAPACITY), (4, 4));
}

#[test]
fn a_constant_gives_the_size_of_a_group() {
    let module = pairs::source().ir().unwrap();
    let halve = module.kernels.iter().find(|kernel| kernel.name == "halve").unwrap();
    assert_eq!(halve.shape, imminent_core::ir::Shape::Group(64));
}
