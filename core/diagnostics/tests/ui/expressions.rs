//! Expressions and statements outside the language.
#[imminent_core::kernels]
mod m {
    #[derive(Row)]
    pub struct Cell { a: u32, few: [u32; 4], x: f32, line: Lanes<u32> }

    fn bad(me: &mut Cell) -> u32 {
        let f = |x: u32| x + 1;
        let t = (1, 2);
        let (p, q) = t;
        let s = "text";
        let i: usize = 3;
        let n = me.a as usize;
        let r = 0..3;
        let part = &me.few[1..2];
        for x in me.few { let _ = x; }
        'outer: loop { break 'outer; }
        println!("no");
        if let 3 = me.a { }
        let Some(z) = me.a else { return 1 };
        me.x.mul_add(1.0, 2.0);
        me.x.sin();
        me.a.checked_add(1);
        me.few.iter();
        let c = 'x';
        assert_eq!(me.a, 3);
        unsafe { }
        me.line[0];
        me.few[me.a];
        vec![1];
        fn inner() {}
        me.few.len() as u32
    }
}

fn main() {}
