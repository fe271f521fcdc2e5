//! `cfg` inside a kernel module.
#[imminent_core::kernels]
mod m {
    #[derive(Row)]
    pub struct Cell {
        a: u32,
        #[cfg(debug_assertions)]
        b: u32,
    }

    #[cfg(test)]
    fn only_in_tests() {}

    #[kernel]
    #[cfg_attr(test, inline)]
    pub fn step(me: &mut Cell) {
        me.a = 1;
    }
}

fn main() {}
