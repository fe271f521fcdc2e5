//! Selection of wider vector instructions at run time.

/// A loop that gains from wider vectors.
pub(super) trait Kernel {
    type Output;

    /// Runs the loop. Implementations are `#[inline(always)]`, so it is compiled for each instruction set.
    fn run(self) -> Self::Output;
}

/// Runs a loop with the widest vectors for which it is compiled and that the processor supports.
#[inline]
pub(super) fn wide<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has AVX2, BMI1 and POPCNT, as just detected, and the function needs nothing else.
        return unsafe { with_avx2(kernel) };
    }
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,popcnt")]
fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}
