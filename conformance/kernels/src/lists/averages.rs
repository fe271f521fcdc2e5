//! A module over the floats, which builds on another for the same type.

/// Means of numbers.
#[imminent_core::kernels(Real = [f32 as single, f64 as double])]
pub mod means {
    use super::super::limits::Real::LEAST;
    use super::super::values::numbers::Real::{Growth, Value, grown};
    const WEIGHT: Real = super::super::limits::Real::WEIGHTS[1];

    #[derive(Row)]
    pub struct Mean {
        pub mean: Real,
        pub turn: Real,
    }

    #[kernel(reduce = sum)]
    pub fn average(me: &mut Mean, value: &Value, growth: &Growth) -> Real {
        let mut sum = 0.5 * grown(value.number, growth);
        for i in 0..3 {
            sum += WEIGHT * value.past[i as usize].max(LEAST);
        }
        me.mean = sum * 0.25;
        me.turn = if sum > std::Real::consts::PI { sum - super::super::limits::Real::LEAST } else { 0.0 };
        me.mean
    }
}
