//! Checks of kernels and options against the device.

use super::options::{Int64, WgslOptions};
use crate::LoweringError;
use imminent_ir::Scalar;
use imminent_ir::flatten::{BindingKind, FlatKernel};

/// The language, in messages.
pub(super) const LANGUAGE: &str = "WGSL";

/// Refuses kernels that use what the device lacks.
pub(super) fn device(flat: &FlatKernel, options: &WgslOptions) -> Result<(), LoweringError> {
    let wide = options.int64 == Int64::Native;
    if let Some(spot) = &flat.facts.float64
        && !(options.float64 && wide)
    {
        return Err(LoweringError::Unsupported {
            kernel: flat.name.clone(),
            scalar: Scalar::F64,
            file: spot.file.clone(),
            line: spot.line,
            offer: "offer to WebGPU",
            advice: "use `f32`, or fixed-point numbers in a `u64`, or run this kernel on the CPU",
        });
    }
    if let Some(spot) = &flat.facts.wide_tally_minmax
        && !(options.int64_atomics && wide)
    {
        return Err(LoweringError::WideTally { kernel: flat.name.clone(), file: spot.file.clone(), line: spot.line });
    }
    Ok(())
}

/// Refuses segments that are not such as the planner makes.
pub(super) fn segments(flat: &FlatKernel, options: &WgslOptions) -> Result<(), LoweringError> {
    let bad = |what| Err(LoweringError::Options { kernel: flat.name.clone(), language: LANGUAGE, what });
    for (number, starts) in options.segments.iter().enumerate().filter(|(_, s)| s.len() > 1) {
        if starts.first() != Some(&0) || starts.windows(2).any(|pair| pair[0] >= pair[1]) {
            return bad("the segments of a binding do not start at 0 and increase");
        }
        match flat.bindings.get(number).map(|b| &b.kind) {
            Some(BindingKind::Table { layout, .. }) if options.ragged.iter().any(|at| *at as usize == number) => {
                let before = layout.columns_before_pool();
                let cut = |word: u32| {
                    let (word, lane) = word.checked_sub(before).map_or((word, false), |past| (past, true));
                    layout.columns.iter().any(|c| c.lane == lane && c.word < word && word < c.word + c.scalar.words())
                };
                if starts.iter().any(|&word| cut(word)) || !starts.contains(&before) {
                    return bad("the segments of a ragged table are not those of `plan_ragged`");
                }
            }
            Some(BindingKind::Table { layout, .. }) => {
                let cut = |word: u32| {
                    let (word, lane) = match word.checked_sub(layout.fixed_words) {
                        Some(past) => (if layout.lane_words == 0 { 0 } else { past % layout.lane_words }, true),
                        None => (word, false),
                    };
                    layout.columns.iter().any(|c| c.lane == lane && c.word < word && word < c.word + c.scalar.words())
                };
                if starts.iter().any(|&word| cut(word)) {
                    return bad("a segment starts inside a scalar of two words: use the plan of `plan_segments`");
                }
            }
            _ => return bad("segments are given for something that is no table"),
        }
    }
    Ok(())
}
