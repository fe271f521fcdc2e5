//! Arguments, and the checks that they fit their kernel.

use super::Variant;
use imminent_core::backend::{Argument, Buffer, DeviceMemory, Launch, Shape};
use imminent_core::{Error, Result};
use imminent_ir::Reductions;
use imminent_ir::flatten::{Binding, BindingKind, FlatKernel};

/// An argument that fits its kernel.
#[derive(Debug)]
pub enum Bound<'l, M> {
    /// A table or tally.
    Memory(&'l M),
    /// The words of a parameter block.
    Params(&'l [u32]),
}

impl<M> Clone for Bound<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Bound<'_, M> {}

/// Returns an [`Error::Launch`]: the caller's arguments do not fit the kernel.
///
/// # Errors
/// Always that error.
#[cold]
pub fn misfit<T>(kernel: &str, reason: &str) -> Result<T> {
    Err(Error::Launch { kernel: kernel.to_owned(), reason: reason.to_owned() })
}

/// Checks that every argument has the shape for which the kernel was lowered. Kernels rely on it to stay inside their
/// buffers. `groups` is the number of groups of a launch of a grouped kernel.
///
/// # Errors
/// [`Error::Launch`] for the first argument that does not fit; errors of `each`.
pub fn bind<'l, M: DeviceMemory>(
    kernel: &FlatKernel,
    launch: &'l Launch,
    groups: u32,
    mut each: impl FnMut(usize, Bound<'l, M>) -> Result<()>,
) -> Result<()> {
    let bindings = &kernel.bindings;
    if bindings.len() != launch.args.len() {
        return misfit(
            launch.name,
            &format!("it takes {} arguments, {} were given", bindings.len(), launch.args.len()),
        );
    }
    for (position, (binding, arg)) in bindings.iter().zip(&launch.args).enumerate() {
        each(position, bind_one(binding, arg, launch, groups)?)?;
    }
    Ok(())
}

fn bind_one<'l, M: DeviceMemory>(
    binding: &Binding,
    arg: &'l Argument,
    launch: &'l Launch,
    groups: u32,
) -> Result<Bound<'l, M>> {
    let wrong = |what: &str| misfit(launch.name, &format!("argument `{}` {what}", binding.name));
    match (&binding.kind, arg) {
        (BindingKind::Table { layout, own_row, per_group, .. }, Argument::Table { buffer, .. }) => {
            let memory = M::of(buffer)?;
            match memory.shape() {
                Shape::Table { layout: has, rows, .. } | Shape::Ragged { layout: has, rows, .. }
                    if has.fixed_words == layout.fixed_words && has.lane_words == layout.lane_words =>
                {
                    let visited = match launch.subset {
                        _ if !*own_row => 0,
                        _ if *per_group => groups,
                        // The list selects the rows, and the kernel visits none that does not exist.
                        Some(_) => 0,
                        None => launch.rows,
                    };
                    if *rows < visited {
                        return wrong(&format!("has {rows} rows, the launch visits {visited}"));
                    }
                    Ok(Bound::Memory(memory))
                }
                _ => wrong("is not a table of the kernel's row type"),
            }
        }
        (BindingKind::Tally { scalar, .. }, Argument::Tally { buffer }) => {
            let memory = M::of(buffer)?;
            match memory.shape() {
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

/// Returns the variant of a kernel that a launch needs: for a subset, and for the ragged tables, single slots,
/// memories in several pieces and shared buffers among its arguments.
///
/// # Errors
/// [`Error::Invalid`] for a buffer of another backend.
pub fn variant<M: DeviceMemory>(kernel: &FlatKernel, launch: &Launch) -> Result<Variant> {
    let mut variant = Variant { listed: launch.subset.is_some(), ..Variant::default() };
    let list = launch.subset.as_ref().map(|subset| M::of(&subset.rows)).transpose()?;
    let mut shares = list.is_some_and(|list| !list.buffers().is_empty());
    for (position, (binding, arg)) in (0..).zip(kernel.bindings.iter().zip(&launch.args)) {
        match (&binding.kind, arg) {
            (BindingKind::Table { layout, .. }, Argument::Table { buffer, .. })
                if layout.lane_words > 0 && matches!(M::of(buffer)?.shape(), Shape::Ragged { .. }) =>
            {
                variant.ragged.push(position);
            }
            (BindingKind::Tally { .. }, Argument::Tally { buffer })
                if kernel.facts.measured_tallies.contains(&position) && M::of(buffer)?.shape().rows() == 1 =>
            {
                variant.single.push(position);
            }
            _ => {}
        }
        if let Argument::Table { buffer, .. } | Argument::Tally { buffer } = arg {
            let memory = M::of(buffer)?;
            let starts = memory.starts();
            if !starts.is_empty() {
                variant.pieces.resize(launch.args.len(), Vec::new());
                variant.pieces[position as usize] = starts.to_vec();
            }
            shares |= !memory.buffers().is_empty();
        }
    }
    if shares {
        variant.buffers = buffers::<M>(launch)?;
    }
    Ok(variant)
}

/// Numbers the shared buffers of a launch for [`Variant::buffers`].
fn buffers<M: DeviceMemory>(launch: &Launch) -> Result<Vec<Vec<u32>>> {
    let (mut of_tables, mut of_tallies): (Vec<u64>, Vec<u64>) = Default::default();
    let numbered = |found: &mut Vec<u64>, memory: &Buffer| -> Result<Vec<u32>> {
        let numbers = M::of(memory)?.buffers().iter().map(|id| {
            let number = found.iter().position(|known| known == id).unwrap_or_else(|| {
                found.push(*id);
                found.len() - 1
            });
            number as u32
        });
        Ok(numbers.collect())
    };
    let mut numbers = Vec::with_capacity(launch.args.len() + 2);
    for argument in &launch.args {
        numbers.push(match argument {
            Argument::Table { buffer, .. } => numbered(&mut of_tables, buffer)?,
            Argument::Tally { buffer } => numbered(&mut of_tallies, buffer)?,
            Argument::Params { .. } => Vec::new(),
        });
    }
    for listed in launch.subset.iter().flat_map(|subset| [&subset.rows, &subset.count]) {
        numbers.push(numbered(&mut of_tables, listed)?);
    }
    Ok(if of_tables.len().max(of_tallies.len()) > 1 { numbers } else { Vec::new() })
}

/// Returns the number of rows of a table of own rows.
#[must_use]
pub fn own_rows<M: DeviceMemory>(kernel: &FlatKernel, position: usize, bound: Bound<'_, M>) -> Option<u32> {
    match (kernel.bindings.get(position).map(|binding| &binding.kind), bound) {
        (Some(BindingKind::Table { own_row: true, .. }), Bound::Memory(memory)) => Some(memory.shape().rows()),
        _ => None,
    }
}

/// Returns the kernel's results and their destination, if it returns a value. It has room for them.
///
/// # Errors
/// [`Error::Launch`] if the launch wants a value but the kernel has none, or the reverse, or if their sizes differ.
pub fn result<M: DeviceMemory>(launch: &Launch, results: Option<Reductions>) -> Result<Option<(Reductions, &M)>> {
    match (results, &launch.result) {
        (Some(results), Some(result)) => {
            let memory = M::of(result)?;
            if memory.shape().takes_value(results.words()) {
                Ok(Some((results, memory)))
            } else {
                misfit(launch.name, "its result has another size than the value that it returns")
            }
        }
        (None, None) => Ok(None),
        _ => misfit(launch.name, "it returns a value, or the launch wants one, but not both"),
    }
}
