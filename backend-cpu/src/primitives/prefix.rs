//! Operations that combine values, and their running results over a slice.

use super::vector::{Kernel, wide};

/// Number of values that are combined among themselves before the carried value joins them: only that one join has to
/// be waited for.
const STEP: usize = 8;

/// Operation that combines values. Types rather than closures: the loops are compiled for several instruction sets, and
/// everything that they call must be inlined into each.
pub(super) trait Operation<T>: Copy + Send + Sync {
    /// Type of the intermediate results.
    type Partial: Copy + Send + Sync;
    /// Result of no values.
    const NOTHING: Self::Partial;
    fn take(value: T) -> Self::Partial;
    fn join(a: Self::Partial, b: Self::Partial) -> Self::Partial;
    fn give(part: Self::Partial) -> T;

    /// Sets `out` to the running results, as [`running`] does.
    fn running(self, values: &[T], out: &mut [T], carried: Self::Partial, exclusive: bool) -> Self::Partial
    where
        T: Copy,
    {
        running(self, values, out, carried, exclusive)
    }
}

/// Sets `out` to the running results of `values`, each without its own value if `exclusive`, after `carried`. Returns
/// the value to carry on.
pub(super) fn running<T: Copy, O: Operation<T>>(
    _operation: O,
    values: &[T],
    out: &mut [T],
    carried: O::Partial,
    exclusive: bool,
) -> O::Partial {
    if exclusive {
        wide(Running::<'_, T, O, true> { values, out, carried })
    } else {
        wide(Running::<'_, T, O, false> { values, out, carried })
    }
}

struct Running<'v, T, O: Operation<T>, const EXCLUSIVE: bool> {
    values: &'v [T],
    out: &'v mut [T],
    carried: O::Partial,
}

impl<T: Copy, O: Operation<T>, const EXCLUSIVE: bool> Kernel for Running<'_, T, O, EXCLUSIVE> {
    type Output = O::Partial;

    #[inline(always)]
    fn run(self) -> O::Partial {
        let Running { values, out, mut carried } = self;
        let (steps, rest) = values.as_chunks::<STEP>();
        let (outs, out_rest) = out.as_chunks_mut::<STEP>();
        for (values, out) in steps.iter().zip(outs) {
            let x = prefixes::<T, O>(values);
            for (i, out) in out.iter_mut().enumerate() {
                *out = O::give(match (EXCLUSIVE, i) {
                    (true, 0) => carried,
                    (true, i) => O::join(carried, x[i - 1]),
                    (false, i) => O::join(carried, x[i]),
                });
            }
            carried = O::join(carried, x[STEP - 1]);
        }
        for (value, out) in rest.iter().zip(out_rest) {
            let next = O::join(carried, O::take(*value));
            *out = O::give(if EXCLUSIVE { carried } else { next });
            carried = next;
        }
        carried
    }
}

/// Returns the running results of one step, by doubling.
#[inline(always)]
fn prefixes<T: Copy, O: Operation<T>>(values: &[T; STEP]) -> [O::Partial; STEP] {
    let x = values.map(O::take);
    let join = O::join;
    let two = [x[0], join(x[0], x[1]), x[2], join(x[2], x[3]), x[4], join(x[4], x[5]), x[6], join(x[6], x[7])];
    let four = [
        two[0],
        two[1],
        join(two[1], two[2]),
        join(two[1], two[3]),
        two[4],
        two[5],
        join(two[5], two[6]),
        join(two[5], two[7]),
    ];
    let last = four[3];
    [
        four[0],
        four[1],
        four[2],
        last,
        join(last, four[4]),
        join(last, four[5]),
        join(last, four[6]),
        join(last, four[7]),
    ]
}

/// Computes the running sums of words with the processor's shifts inside vectors; `None` if it has none. The compiler
/// would turn [`Running`] into scalar code.
#[cfg(target_arch = "x86_64")]
pub(super) fn running_words(values: &[u32], out: &mut [u32], carried: u32, exclusive: bool) -> Option<u32> {
    if !std::arch::is_x86_feature_detected!("avx2") {
        return None;
    }
    // SAFETY: the processor has AVX2, as just detected, and the function needs nothing else.
    Some(unsafe { words_with_avx2(values, out, carried, exclusive) })
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn running_words(_: &[u32], _: &mut [u32], _: u32, _: bool) -> Option<u32> {
    None
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn words_with_avx2(values: &[u32], out: &mut [u32], carried: u32, exclusive: bool) -> u32 {
    use bytemuck::cast;
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi32, _mm256_permute2x128_si256, _mm256_permutevar8x32_epi32, _mm256_set1_epi32,
        _mm256_shuffle_epi32, _mm256_slli_si256, _mm256_sub_epi32,
    };
    let (steps, rest) = values.as_chunks::<STEP>();
    let (outs, out_rest) = out.as_chunks_mut::<STEP>();
    let last = _mm256_set1_epi32(7);
    let mut before = _mm256_set1_epi32(carried as i32);
    for (values, out) in steps.iter().zip(outs) {
        let own: __m256i = cast(*values);
        // Both halves by doubling, then the lower one's total is added to the upper.
        let x = _mm256_add_epi32(own, _mm256_slli_si256::<4>(own));
        let x = _mm256_add_epi32(x, _mm256_slli_si256::<8>(x));
        let lower = _mm256_permute2x128_si256::<0x08>(x, x);
        let x = _mm256_add_epi32(x, _mm256_shuffle_epi32::<0xff>(lower));
        let sums = _mm256_add_epi32(before, x);
        *out = cast(if exclusive { _mm256_sub_epi32(sums, own) } else { sums });
        before = _mm256_add_epi32(before, _mm256_permutevar8x32_epi32(x, last));
    }
    let mut carried = cast::<__m256i, [u32; STEP]>(before)[0];
    for (value, out) in rest.iter().zip(out_rest) {
        let next = carried.wrapping_add(*value);
        *out = if exclusive { carried } else { next };
        carried = next;
    }
    carried
}

#[cfg(test)]
mod tests {
    use super::super::fold::{Least, Total};
    use super::*;

    #[test]
    fn running_results_are_those_of_a_plain_loop() {
        for length in [0, 1, 7, 8, 9, 16, 1000] {
            let values: Vec<u32> = (0..length).map(|i: u32| i.wrapping_mul(2_654_435_761)).collect();
            let (mut sum, mut least) = (5_u32, u32::MAX);
            let mut expected = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
            for value in &values {
                expected[1].push(sum);
                expected[3].push(least);
                (sum, least) = (sum.wrapping_add(*value), least.min(*value));
                expected[0].push(sum);
                expected[2].push(least);
            }
            for exclusive in [false, true] {
                let mut out = vec![0; values.len()];
                assert_eq!(running(Total, &values, &mut out, 5, exclusive), sum);
                assert_eq!(out, expected[usize::from(exclusive)]);
                if let Some(carried) = running_words(&values, &mut out, 5, exclusive) {
                    assert_eq!((carried, &out), (sum, &expected[usize::from(exclusive)]));
                }
                assert_eq!(running(Least, &values, &mut out, u32::MAX, exclusive), least);
                assert_eq!(out, expected[2 + usize::from(exclusive)]);
            }
        }
    }
}
