//! A binding that was refused says no more.
#[imminent_core::kernels]
mod m {
    #[derive(Row)]
    pub struct Cell { a: u32, few: [u32; 4] }

    fn pair(me: &mut Cell) -> u32 {
        let (a, b) = (me.a, 3);
        let c = a + b;
        me.a = a * c;
        me.few[a as usize] = b;
        if a > 3 { me.a = b.min(c); }
        let d: u32 = b;
        f(a) + d
    }

    fn option(me: &mut Cell) -> u32 {
        let Some(x) = me.a else { return 0 };
        let part = &me.few;
        x + part[0] + part.len()
    }

    fn closure(me: &mut Cell) -> u32 {
        let twice = |x: u32| 2 * x;
        twice(me.a) + twice(3)
    }

    fn f(x: u32) -> u32 { x }
}

fn main() {}
