//! Rows and what says how tables store them.

#[imminent_core::kernels]
mod stored {
    #[derive(Row)]
    #[row(packed)]
    pub struct Fine {
        pub a: u32,
    }

    #[derive(Row)]
    #[row(dense)]
    pub struct Unknown {
        pub a: u32,
    }

    #[derive(Params)]
    #[row(packed)]
    pub struct Block {
        pub a: u32,
    }

    #[row(packed)]
    pub struct Value {
        pub a: u32,
    }

    #[kernel]
    pub fn all(me: &mut Fine, unknown: &Rows<Unknown>, block: &Block) {
        me.a = unknown.get(0).a + block.a + Value { a: 1 }.a;
    }
}

fn main() {}
