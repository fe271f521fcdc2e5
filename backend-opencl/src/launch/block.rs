//! The launch block: what a launch tells its kernel, and the checks that make it true.

use crate::memory::{Memory, Shape, memory};
use crate::module::Kernel;
use imminent_core::backend::{Argument, Launch};
use imminent_core::c_dialect::{EXTENT_WORD, LaunchLayout};
use imminent_core::{Error, Result};
use imminent_ir::flatten::{Binding, BindingKind};

/// An argument that was found to fit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound<'l> {
    /// A table or tally.
    Memory(&'l Memory),
    /// The words of a parameter block.
    Params(&'l [u32]),
}

/// An [`Error::Launch`]: the caller's arguments do not fit the kernel.
#[cold]
pub(super) fn misfit<T>(kernel: &str, reason: &str) -> Result<T> {
    Err(Error::Launch { kernel: kernel.to_owned(), reason: reason.to_owned() })
}

/// Looks at every argument in order and checks that it has the shape that the kernel was lowered for: the kernels rely on it for
/// staying inside their buffers. `groups` is how many the launch has, of a grouped kernel.
pub(super) fn bind<'l>(
    kernel: &Kernel,
    launch: &'l Launch,
    groups: u32,
    mut each: impl FnMut(usize, Bound<'l>),
) -> Result<()> {
    let bindings = &kernel.flat.bindings;
    if bindings.len() != launch.args.len() {
        return misfit(
            &launch.name,
            &format!("it takes {} arguments, {} were given", bindings.len(), launch.args.len()),
        );
    }
    for (position, (binding, arg)) in bindings.iter().zip(&launch.args).enumerate() {
        each(position, bind_one(binding, arg, launch, groups)?);
    }
    Ok(())
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

/// Rows of a table of own rows.
pub(super) fn own_rows(kernel: &Kernel, position: usize, bound: Bound<'_>) -> Option<u32> {
    match (kernel.flat.bindings.get(position).map(|binding| &binding.kind), bound) {
        (Some(BindingKind::Table { own_row: true, .. }), Bound::Memory(memory)) => Some(memory.shape.rows()),
        _ => None,
    }
}

/// Begins a block for so many rows; word 1, the first fault slot, is left 0.
pub(super) fn begin(block: &mut Vec<u32>, layout: &LaunchLayout, rows: u32, extent: u32) {
    block.clear();
    block.resize(layout.words as usize, 0);
    put(block, 0, &[rows]);
    put(block, EXTENT_WORD, &[extent]);
}

/// Writes what the block says of one argument.
pub(super) fn describe(block: &mut [u32], layout: &LaunchLayout, position: usize, bound: Bound<'_>) {
    match bound {
        Bound::Memory(Memory { shape, .. }) => {
            if let Some(header) = layout.headers.get(position) {
                let stride = u32::try_from(shape.column_words()).unwrap_or(u32::MAX);
                put(block, *header, &[shape.rows(), stride, shape.capacity()]);
            }
        }
        Bound::Params(words) => {
            if let Some(params) = layout.params.iter().find(|params| params.binding as usize == position) {
                put(block, params.offset, words);
            }
        }
    }
}

fn put(block: &mut [u32], at: u32, words: &[u32]) {
    if let Some(place) = block.get_mut(at as usize..).and_then(|rest| rest.get_mut(..words.len())) {
        place.copy_from_slice(words);
    }
}
