//! Operations that fail whatever the rows hold are refused, as rustc refuses them elsewhere.
#[imminent_core::kernels]
mod m {
    const NONE: u32 = 0;

    #[derive(Row)]
    pub struct Cell { a: u32, b: u64, c: i32 }

    fn bad(me: &mut Cell) -> u32 {
        me.a = me.a / 0;
        me.a = me.a % NONE;
        me.a /= 3 - 3;
        me.a = me.a << 40;
        me.b >>= 64;
        me.c = me.c << -1;
        me.a = 4294967295u32 + 1;
        me.a = 3 - 5;
        me.b = u64::MAX * 2;
        me.c = i32::MIN / -1;
        me.c = -i32::MIN;
        let none = NONE;
        let width = 32;
        if me.a > 3 { me.a = me.a / none; }
        while me.a < 9 { me.a = me.a << width; }
        0
    }

    fn good(me: &mut Cell) -> u32 {
        let mut none = 0;
        if me.a > 3 { none = 3; }
        me.a = me.a / none;
        me.a = me.a.wrapping_shl(40) + 4294967295u32.wrapping_add(1);
        me.c = i32::MIN.wrapping_neg();
        if NONE != 0 { me.a = me.a / NONE; }
        if NONE != 0 && me.a / NONE > 3 { return 1; }
        match NONE { 0 => 0, _ => me.a / NONE }
    }
}

fn main() {}
