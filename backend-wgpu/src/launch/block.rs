//! The launch block: what a launch tells its shader, and the checks that make it true.

use crate::memory::{Memory, Segment, Shape, memory};
use crate::module::Kernel;
use crate::wgsl::{EXTENT_WORD, LaunchLayout};
use imminent_core::backend::{Argument, Launch};
use imminent_core::{Error, Result};
use imminent_ir::flatten::{Binding, BindingKind};

/// An argument that was found to fit.
#[derive(Debug)]
pub(super) enum Bound<'l> {
    /// A table or tally.
    Memory(&'l Memory),
    /// The words of a parameter block.
    Params(&'l [u32]),
}

/// An [`Error::Launch`]: the caller's arguments do not fit the kernel.
pub(super) fn misfit<T>(kernel: &str, reason: &str) -> Result<T> {
    Err(Error::Launch { kernel: kernel.to_owned(), reason: reason.to_owned() })
}

/// Looks up the arguments and checks that each has the shape that the kernel was lowered for: the shaders rely on it for
/// staying inside their buffers. `groups` is how many the launch has, of a grouped kernel.
pub(super) fn bind<'l>(kernel: &Kernel, launch: &'l Launch, groups: u32) -> Result<Vec<Bound<'l>>> {
    let bindings = &kernel.flat.bindings;
    if bindings.len() != launch.args.len() {
        return misfit(
            &launch.name,
            &format!("it takes {} arguments, {} were given", bindings.len(), launch.args.len()),
        );
    }
    bindings.iter().zip(&launch.args).map(|(binding, arg)| bind_one(binding, arg, launch, groups)).collect()
}

fn bind_one<'l>(binding: &Binding, arg: &'l Argument, launch: &'l Launch, groups: u32) -> Result<Bound<'l>> {
    let wrong = |what: &str| misfit(&launch.name, &format!("argument `{}` {what}", binding.name));
    match (&binding.kind, arg) {
        (BindingKind::Table { layout, own_row, per_group, .. }, Argument::Table { buffer, .. }) => {
            let memory = memory(buffer)?;
            match memory.shape {
                Shape::Table { layout: has, rows, .. }
                    if has.fixed_words == layout.fixed_words && has.lane_words == layout.lane_words =>
                {
                    let visited = match launch.subset {
                        _ if !*own_row => 0,
                        _ if *per_group => groups,
                        // The list says which rows, and the kernel visits none that is not there.
                        Some(_) => 0,
                        None => launch.rows,
                    };
                    if rows < visited {
                        return wrong(&format!("has {rows} rows, the launch visits {visited}"));
                    }
                    Ok(Bound::Memory(memory))
                }
                _ => wrong("is not a table of the kernel's row type"),
            }
        }
        (BindingKind::Tally { scalar, .. }, Argument::Tally { buffer }) => {
            let memory = memory(buffer)?;
            match memory.shape {
                Shape::Tally { scalar: has, .. } if has.words() == scalar.words() => Ok(Bound::Memory(memory)),
                _ => wrong("is not a tally of the kernel's integer type"),
            }
        }
        (BindingKind::Params { layout, .. }, Argument::Params { words, .. }) => {
            if words.len() == layout.fixed_words as usize {
                Ok(Bound::Params(words))
            } else {
                wrong("is not the kernel's parameter block")
            }
        }
        _ => wrong("is of another kind than the kernel's parameter"),
    }
}

/// A segment of an argument.
pub(super) fn segment<'b>(bound: &'b [Bound<'_>], binding: u32, segment: u32) -> Option<&'b Segment> {
    match bound.get(binding as usize)? {
        Bound::Memory(memory) => memory.segments.get(segment as usize),
        Bound::Params(_) => None,
    }
}

/// Rows of the shortest table of own rows.
pub(super) fn shortest(kernel: &Kernel, bound: &[Bound<'_>]) -> u32 {
    let rows = kernel.flat.bindings.iter().zip(bound).filter_map(|(binding, bound)| match (&binding.kind, bound) {
        (BindingKind::Table { own_row: true, .. }, Bound::Memory(memory)) => Some(memory.shape.rows()),
        _ => None,
    });
    rows.min().unwrap_or(u32::MAX)
}

/// The words of the block; word 1, the first fault slot, is left 0.
pub(super) fn words(layout: &LaunchLayout, bound: &[Bound<'_>], rows: u32, extent: u32) -> Vec<u32> {
    let mut block = vec![0; layout.words as usize];
    let mut put = |at: u32, words: &[u32]| {
        if let Some(place) = block.get_mut(at as usize..).and_then(|rest| rest.get_mut(..words.len())) {
            place.copy_from_slice(words);
        }
    };
    put(0, &[rows]);
    put(EXTENT_WORD, &[extent]);
    for (header, bound) in layout.headers.iter().zip(bound) {
        if let Bound::Memory(Memory { shape, .. }) = bound {
            let stride = u32::try_from(shape.column_words()).unwrap_or(u32::MAX);
            put(*header, &[shape.rows(), stride, shape.capacity()]);
        }
    }
    for params in &layout.params {
        if let Some(Bound::Params(words)) = bound.get(params.binding as usize) {
            put(params.offset, words);
        }
    }
    block
}
