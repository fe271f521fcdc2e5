//! Execution of the kernels of the suite, from an input table to an output table.

use crate::case::{Cases, SkipReason, Stop, Verdict, ensure, equal_slices};
use crate::compare::{Floats, compare_rows};
use crate::context::Context;
use imminent_core::ir::Scalar;
use imminent_core::{Device, Error, Kernel, Row, Table};
use std::fmt::Debug;

/// Returns a row that no kernel of the suite writes, to detect launches that did not happen.
pub(crate) fn untouched<R: Row>() -> R {
    let mut row = R::zeroed(0);
    for column in R::layout().columns.iter().filter(|column| !column.lane) {
        row.set_leaf(column.word, 0xa5a5_a5a5_a5a5_a5a5);
    }
    row
}

/// Maps the rows of one table to those of another.
pub(crate) fn map_on<K, I, O>(device: &Device, inputs: &[I]) -> Result<Vec<O>, Error>
where
    K: for<'a> Kernel<Args<'a> = (&'a Table<I>, &'a mut Table<O>), Output = ()>,
    I: Row,
    O: Row,
{
    let input = Table::from_rows(device, inputs)?;
    let mut output = Table::from_rows(device, &vec![untouched::<O>(); inputs.len()])?;
    device.queue().launch::<K>((&input, &mut output))?;
    output.read()
}

/// Maps the rows of one table to those of another by one operation of a kernel.
fn choose_on<K, I, O, P>(device: &Device, inputs: &[I], chosen: &P) -> Result<Vec<O>, Error>
where
    K: for<'a> Kernel<Args<'a> = (&'a Table<I>, &'a mut Table<O>, &'a P), Output = ()>,
    I: Row,
    O: Row,
{
    let input = Table::from_rows(device, inputs)?;
    let mut output = Table::from_rows(device, &vec![untouched::<O>(); inputs.len()])?;
    device.queue().launch::<K>((&input, &mut output, chosen))?;
    output.read()
}

/// Compares the results of `run` on the device and on the reference with each other, and with the result of plain Rust,
/// if given.
fn check<I: Row, O: Row>(
    context: &Context<'_>,
    kernel: &str,
    floats: Floats,
    inputs: &[I],
    run: impl Fn(&Device) -> Result<Vec<O>, Error>,
    expected: impl Fn(&I) -> Option<O>,
) -> Verdict {
    let reference = run(context.reference)?;
    let expected: Vec<O> =
        inputs.iter().zip(&reference).map(|(i, r)| expected(i).unwrap_or_else(|| r.clone())).collect();
    let on_reference = Context::new(context.reference, context.reference, context.mode, context.seed);
    if let Err(Stop::Fail(message)) = compare_rows(&on_reference, kernel, floats, inputs, &reference, &expected) {
        return Err(Stop::Fail(format!("the CPU backend itself is wrong: {message}")));
    }
    compare_rows(context, kernel, floats, inputs, &run(context.device)?, &expected)
}

/// Adds a case that checks a mapping kernel.
pub(crate) fn map<K, I, O>(
    cases: &mut Cases,
    name: impl Into<String>,
    floats: Floats,
    inputs: fn(&Context<'_>) -> Vec<I>,
    expected: fn(&I) -> Option<O>,
) where
    K: for<'a> Kernel<Args<'a> = (&'a Table<I>, &'a mut Table<O>), Output = ()>,
    I: Row,
    O: Row,
{
    cases.add(name, move |context| {
        let inputs = inputs(context);
        ensure(!inputs.is_empty(), || "the case has no operands".to_owned())?;
        needs_types::<I, O>(context, floats)?;
        check(context, &kernel_name::<K>(), floats, &inputs, |device| map_on::<K, I, O>(device, &inputs), expected)
    });
}

/// An operation of a kernel: its name, and the parameters that select it.
#[derive(Clone, Copy)]
pub(crate) struct Operation<P> {
    pub(crate) name: &'static str,
    pub(crate) chosen: P,
}

/// Names an operation of a kernel module, which its parameters select by the enum `Op`.
macro_rules! operation {
    ($module:ident, $op:ident) => {
        crate::run::Operation {
            name: concat!(stringify!($module), "::", stringify!($op)),
            chosen: $module::Chosen { op: $module::Op::$op },
        }
    };
}
pub(crate) use operation;

/// Checks one operation of a mapping kernel.
pub(crate) fn check_operation<K, I, O, P>(
    context: &Context<'_>,
    operation: Operation<P>,
    floats: Floats,
    inputs: &[I],
    expected: impl Fn(&I, O) -> Option<O>,
) -> Verdict
where
    K: for<'a> Kernel<Args<'a> = (&'a Table<I>, &'a mut Table<O>, &'a P), Output = ()>,
    I: Row,
    O: Row,
{
    ensure(!inputs.is_empty(), || "the case has no operands".to_owned())?;
    needs_types::<I, O>(context, floats)?;
    let run = |device: &Device| choose_on::<K, I, O, P>(device, inputs, &operation.chosen);
    let before = untouched::<O>();
    check(context, operation.name, floats, inputs, run, |input| expected(input, before.clone()))
}

/// Adds a case that checks one operation of a mapping kernel. The expectation of plain Rust uses the row as it was
/// before.
pub(crate) fn map_by<K, I, O, P>(
    cases: &mut Cases,
    name: impl Into<String>,
    operation: Operation<P>,
    floats: Floats,
    inputs: fn(&Context<'_>) -> Vec<I>,
    expected: fn(&I, O) -> Option<O>,
) where
    K: for<'a> Kernel<Args<'a> = (&'a Table<I>, &'a mut Table<O>, &'a P), Output = ()>,
    I: Row,
    O: Row,
    P: Copy + Send + Sync + 'static,
{
    cases.add(name, move |context| {
        check_operation::<K, I, O, P>(context, operation, floats, &inputs(context), expected)
    });
}

/// Skips the case if the rows have a type that the device lacks. Also skips it if several float operations would be
/// compared that the device may round differently: their error has no stated bound.
fn needs_types<I: Row, O: Row>(context: &Context<'_>, floats: Floats) -> Verdict {
    for column in I::layout().columns.iter().chain(&O::layout().columns) {
        if column.scalar == Scalar::F64 {
            context.needs_float64()?;
        }
        if column.scalar.is_float() && floats == Floats::Several && !floats.fixed(&context.probe(column.scalar)) {
            return Err(Stop::Skip(SkipReason::rounds_otherwise(column.scalar)));
        }
    }
    Ok(())
}

/// Performs the same work on the device and on the reference, and fails unless the results are equal.
pub(crate) fn agree<T: PartialEq + Debug>(
    context: &Context<'_>,
    what: &str,
    run: impl Fn(&Device) -> Result<Vec<T>, Error>,
) -> Verdict {
    let expected = run(context.reference)?;
    equal_slices(what, &run(context.device)?, &expected)
}

/// Returns a kernel's module and name.
pub(crate) fn kernel_name<K: Kernel>() -> String {
    format!("{}::{}", K::SOURCE.module.name(), K::SOURCE.name)
}

/// Lengths around the sizes at which devices and backends change their algorithms.
pub(crate) const SIZES: [usize; 10] = [0, 1, 63, 64, 65, 255, 256, 257, 1000, 100_003];
