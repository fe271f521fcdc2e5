//! Features of Rust that the kernel language lacks: each error says what to write instead.
#[imminent_core::kernels]
mod m {
    #[derive(Row)]
    pub struct Cell { a: u32, b: u32, x: f32, few: [u32; 4] }
    pub struct Point { x: u32 }

    fn bad(me: &mut Cell) -> u32 {
        me.a = Default::default();
        me.a = u32::default();
        let p: Point = Point::default();
        std::mem::swap(&mut me.a, &mut me.b);
        me.b = std::mem::replace(&mut me.a, 3);
        me.a = std::cmp::max(me.a, me.b);
        me.a = (0..10).sum();
        me.a = (0..10).step_by(2).count();
        if (0..10).contains(&me.a) {}
        me.x = me.x.sin() + me.x.powi(2) + me.x.hypot(1.0);
        let v = vec![1, 2];
        v.push(3);
        let w = Vec::new();
        let s = Some(3);
        me.a = format!("{}", 3);
        me.a = imminent_core::random::scaled_ticks(1, 2) as u32;
        me.a = std::hint::black_box(3);
        if matches!(me.a, 3) {}
        assert!(me.a > 0, "{}", me.a);
        0
    }
}

fn main() {}
