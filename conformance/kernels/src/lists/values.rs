//! A module over all numeric types.

/// Numbers that grow, and bundles of them.
#[imminent_core::kernels(Number = [u32, i32, u64, i64, f32 as single, f64 as double])]
pub mod numbers {
    #[derive(Row)]
    pub struct Value {
        pub number: Number,
        pub times: u32,
        pub past: [Number; 3],
    }

    #[derive(Params)]
    pub struct Growth {
        pub by: Number,
    }

    /// A value, and what all values share.
    #[derive(Bundle)]
    pub struct Growing {
        pub me: &mut Value,
        pub all: &Rows<Value>,
        pub growth: &Growth,
    }

    pub const MOST: Number = Number::MAX;

    impl Growing {
        pub fn grow(&mut self) {
            for i in 0..self.me.times {
                self.me.past[(i % 3) as usize] = self.me.number;
                self.me.number = grown(self.me.number, self.growth);
            }
        }
    }

    pub fn grown(number: Number, growth: &Growth) -> Number {
        let half = MOST / (2 as Number);
        if number > half { number - half } else { number * (2 as Number) + growth.by }
    }

    pub(super) fn first(all: &Rows<Value>) -> Number {
        all.get(0).number
    }

    #[kernel(reduce = max)]
    pub fn grow(growing: &mut Growing) -> Number {
        growing.grow();
        growing.me.number.max(first(growing.all))
    }
}
