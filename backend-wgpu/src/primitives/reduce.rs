//! Reductions and counts.

use super::bind::{lies_well, place, takes_value};
use crate::launch::{Scratch, Work};
use crate::memory::Segment;
use crate::runtime::{BLOCK_WORDS, Form, PrimitiveShader, Runtime, RuntimeKernel};
use imminent_core::Result;
use imminent_core::backend::{Census, Filter, Operand, Reduction, View};
use imminent_core::ir::Scalar;
use imminent_core::primitives::order;

/// Bytes of a column that a workgroup reads at a time: 16 for each of four loads of 256 invocations.
const TILE_BYTES: u64 = 256 * 4 * 16;
/// Most workgroups of the first dispatch: enough for any device, few enough for one workgroup to combine their results.
const MAX_GROUPS: u64 = 1024;
/// Bits of -0.
pub(super) const MINUS_ZERO: u32 = 1 << 31;
/// Rows that a workgroup of a level of the fixed tree sums.
const PART_ROWS: u32 = 32 * 256;

pub(super) fn supports(op: Reduction, column: &View, into: &View, row: Option<&View>) -> bool {
    let sum = matches!(op, Reduction::Sum | Reduction::SumUnordered);
    let calculable = !matches!((sum, column.scalar()), (true, Scalar::F64) | (_, Scalar::Bool));
    let one_piece = row.is_none_or(|row| match (place(row), place(into)) {
        (Ok((row, _)), Ok((into, _))) => row.id == into.id,
        _ => false,
    });
    calculable && one_piece && lies_well(column) && takes_value(into)
}

pub(super) fn work(
    runtime: &Runtime,
    shader: PrimitiveShader,
    places: Vec<Segment>,
    block: [u32; BLOCK_WORDS],
    groups: u32,
) -> Result<Work> {
    let code = runtime.kernel(RuntimeKernel::Primitive(shader))?;
    Ok(Work { code, places, block: block.to_vec(), groups, faulting: None })
}

fn tiles(column: &View) -> u32 {
    let bytes = u64::from(column.rows()) * u64::from(column.scalar().words()) * 4;
    bytes.div_ceil(TILE_BYTES).clamp(1, MAX_GROUPS) as u32
}

pub(super) fn reduce(
    runtime: &Runtime,
    scratch: &mut Scratch,
    op: Reduction,
    (column, into, row): (&View, &View, Option<&View>),
) -> Result<Vec<Work>> {
    let scalar = column.scalar();
    let form = match op {
        Reduction::Min => Form::Least,
        Reduction::Max => Form::Greatest,
        Reduction::ArgMin => Form::LeastRow,
        Reduction::ArgMax => Form::GreatestRow,
        Reduction::Sum if scalar == Scalar::F32 && column.rows() > 0 => return tree(runtime, scratch, column, into),
        Reduction::Sum | Reduction::SumUnordered if scalar == Scalar::F32 => Form::SumFloat,
        Reduction::Sum | Reduction::SumUnordered => Form::Sum,
    };
    let none = match form {
        Form::Least | Form::LeastRow => order::greatest(scalar),
        Form::Greatest | Form::GreatestRow => order::least(scalar),
        Form::Sum | Form::SumFloat | Form::Count => 0,
    };
    let mut first = [0; BLOCK_WORDS];
    let mut second = [0; BLOCK_WORDS];
    (second[20], second[21]) = (none as u32, (none >> 32) as u32);
    if let Some(row) = row {
        second[10] = place(row)?.1;
    }
    let (data, word) = place(column)?;
    first[8] = word;
    both(runtime, scratch, form, (column, into), (vec![data], first), second)
}

pub(super) fn census(
    runtime: &Runtime,
    scratch: &mut Scratch,
    what: Census,
    filter: &Filter,
    into: &View,
) -> Result<Vec<Work>> {
    let mut first = [0; BLOCK_WORDS];
    let mut second = [0; BLOCK_WORDS];
    second[20] = match what {
        Census::Count => 0,
        Census::Any => 1,
        Census::All => 2,
    };
    let (data, word) = place(&filter.column)?;
    first[8] = word;
    let operand = operand(filter, &data, &mut first)?;
    both(runtime, scratch, Form::Count, (&filter.column, into), (vec![data, operand], first), second)
}

/// Writes the test of a filter to the launch block, and returns the buffer that holds the operand; for a constant, that
/// of the column.
pub(super) fn operand(filter: &Filter, column: &Segment, block: &mut [u32; BLOCK_WORDS]) -> Result<Segment> {
    block[16] = filter.comparison.code();
    match &filter.value {
        Operand::Constant(bits) => {
            (block[18], block[19]) = (*bits as u32, (*bits >> 32) as u32);
            Ok(column.clone())
        }
        Operand::Device(view) => {
            let (operand, word) = place(view)?;
            (block[10], block[17]) = (word, 1);
            Ok(operand)
        }
    }
}

/// Returns the two dispatches of a reduction.
fn both(
    runtime: &Runtime,
    scratch: &mut Scratch,
    form: Form,
    (column, into): (&View, &View),
    (mut inputs, mut first): (Vec<Segment>, [u32; BLOCK_WORDS]),
    mut second: [u32; BLOCK_WORDS],
) -> Result<Vec<Work>> {
    let scalar = column.scalar();
    let groups = tiles(column);
    let partials = scratch.take(&runtime.context, 0, u64::from(groups) * 4)?;
    let (target, word) = place(into)?;
    (first[0], first[14], first[15]) = (column.rows(), groups, MINUS_ZERO);
    (second[0], second[8], second[14], second[15]) = (column.rows(), word, groups, MINUS_ZERO);
    inputs.insert(1, partials.clone());
    Ok(vec![
        work(runtime, PrimitiveShader::fold(form, scalar), inputs, first, groups)?,
        work(runtime, PrimitiveShader::finish(form, scalar), vec![partials, target], second, 1)?,
    ])
}

/// Sums at least one float over the fixed tree: a dispatch for each level.
fn tree(runtime: &Runtime, scratch: &mut Scratch, column: &View, into: &View) -> Result<Vec<Work>> {
    let (mut input, mut word) = place(column)?;
    let (target, target_word) = place(into)?;
    let (mut works, mut count) = (Vec::new(), column.rows());
    loop {
        let next = count.div_ceil(256);
        let (output, output_word) = match next {
            1 => (target.clone(), target_word),
            _ => (scratch.take(&runtime.context, works.len() % 2, u64::from(next))?, 0),
        };
        let groups = count.div_ceil(PART_ROWS);
        let mut block = [0; BLOCK_WORDS];
        (block[0], block[8], block[9], block[14], block[15]) = (count, word, output_word, groups, MINUS_ZERO);
        works.push(work(runtime, PrimitiveShader::Tree, vec![input, output.clone()], block, groups)?);
        (input, word, count) = (output, output_word, next);
        if count == 1 {
            return Ok(works);
        }
    }
}
