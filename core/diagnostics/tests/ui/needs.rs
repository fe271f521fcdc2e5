//! Items that templates need, and that a module lacks or has otherwise, are errors before those of the templates.

#[imminent_core::kernels(template)]
mod counting {
    #[kernel]
    pub fn count(me: &mut Module, point: &Point) {
        step(me, Payload { by: 1 }, point);
    }
}

macro_rules! model {
    (mod $name:ident { $($items:tt)* }) => {
        #[imminent_core::kernels(with(counting), needs(
            struct Module: Row, struct Payload, struct Point: Row,
            fn step(me: &mut Module, payload: Payload, point: &Point)
        ))]
        mod $name { $($items)* }
    };
}

model! {
    mod lacks_structs {
        #[derive(Row)]
        pub struct Module { pub x: u32 }

        fn step(me: &mut Module) {}
    }
}

model! {
    mod lacks_a_derive {
        pub struct Module { pub x: u32 }

        pub struct Payload { pub by: u32 }

        #[derive(Row)]
        pub struct Point { pub y: u32 }

        fn step(me: &mut Module, payload: Payload, point: &Point) -> u32 {
            me.x + payload.by
        }
    }
}

model! {
    mod has_other_parameters {
        #[derive(Row)]
        pub struct Module { pub x: u32 }

        pub struct Payload { pub by: u32 }

        #[derive(Row)]
        pub struct Point { pub y: u32 }

        fn step(me: &mut Module, point: &Point, payload: Payload) {}
    }
}

fn main() {}
