//! Type errors.
#[imminent_core::kernels]
mod m {
    #[derive(Row)]
    pub struct Cell { a: u32, b: u64, x: f32, flag: bool, few: [u32; 4] }

    fn wide(x: u64) -> u64 { x }

    fn bad(me: &mut Cell, y: &u32) -> u64 {
        let sum = me.a + me.b;
        me.a = me.b;
        me.x = 1;
        me.flag = me.a;
        if me.a { }
        let big: u32 = 5_000_000_000;
        let negative: u32 = -1;
        let n = me.a + y;
        let w = wide(me.a);
        let v = wide(1, 2);
        let c = me.flag as f32;
        let d = me.a as bool;
        let e = me.few[7];
        let unknown = missing + 1;
        me.flg = true;
        me.earliest();
        wide(&me.b);
        let z = -me.a;
        let k = 1.5;
        let same = me.few == me.few;
        match me.x { 1.0 => {}, _ => {} }
        me.a
    }
}

fn main() {}
