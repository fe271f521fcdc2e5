//! Fields outside the language.
#[imminent_core::kernels]
mod m {
    #[derive(Row)]
    pub struct Bad {
        name: String,
        small: u8,
        index: usize,
        maybe: Option<u32>,
        list: Vec<u32>,
        pair: (u32, u32),
        slice: &'static [u32],
        text: &'static str,
        unknown: Facilty,
        empty: [u32; 0],
    }

    pub struct Facility {
        lanes: Lanes<u32>,
    }

    #[derive(Params)]
    pub struct Mean {
        all: Rows<Facility>,
    }

    pub struct Recursive {
        inner: [Recursive; 2],
    }

    pub struct Generic<T> {
        x: T,
    }

    pub struct Tuple(u32);

    pub enum Late {
        A = 1,
        B,
    }

    pub enum Data {
        A(u32),
    }
}

fn main() {}
