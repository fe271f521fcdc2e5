//! The kernel of a reduction's higher levels.

use super::combine::{Combine, close_groups};
use super::options::COptions;
use super::rows;
use super::source::{CSource, Parameter, ParameterRole};
use super::state::Lowering;
use crate::LoweringError;
use crate::reduction::Reduction;
use crate::walk::Writer;
use imminent_ir::launch::LAUNCH_WORDS;
use imminent_ir::{Reduce, Scalar};

/// The kernel of a reduction's second and higher levels: it reduces word 0 of the launch block results in `input` to
/// one per group of [`ROWS_PER_GROUP`](imminent_ir::launch::ROWS_PER_GROUP) in `output`, by the same tree.
///
/// Its parameters are `state`, `launch`, `input` and `output`, over a subset also the subset's count, from which it
/// finds how many results the levels below left (word 0 is then the most rows of the launch); results are as
/// [`ReduceLayout`](imminent_ir::launch::ReduceLayout) says. `scalar` is the type of the kernel's returned value, or
/// [`ReduceLayout::scalar`](imminent_ir::launch::ReduceLayout::scalar). An empty launch has no group: the host writes
/// [`identity_words`](imminent_ir::launch::identity_words) then.
///
/// # Errors
/// [`LoweringError::Reduction`] for a type that cannot be reduced so, [`LoweringError::Unsupported`] for `f64` without
/// the option for it, [`LoweringError::Options`] for a bad workgroup size.
pub fn lower_reduce(reduce: Reduce, scalar: Scalar, options: &COptions) -> Result<CSource, LoweringError> {
    let (reduction, name, flat) = Reduction::level(reduce, scalar)?;
    let combine = Combine(reduction);
    let mut low = Lowering::checked(&flat, options)?;
    low.launch.words = LAUNCH_WORDS;
    let layout = reduction.layout();
    let parameter = |name: &str, role, writable| Parameter { name: name.to_owned(), role, writable };
    let mut parameters = vec![
        parameter("state", ParameterRole::State, true),
        parameter("launch", ParameterRole::Launch, false),
        parameter("input", ParameterRole::Input, false),
        parameter("output", ParameterRole::Output, true),
    ];
    if options.subset {
        parameters.push(parameter("subset_count", ParameterRole::SubsetCount, false));
    }

    let mut main = Writer::default();
    rows::header(&low, &mut main, &parameters);
    combine.declare(&low, &mut main);
    rows::open_groups(&low, &mut main, rows::Elements::Results);
    main.open("{");
    rows::open_items(&mut main, options.workgroup_size, "item < present");
    main.line(&format!("const u64 word = (u64)(first + item) * {}u;", layout.words));
    let words: Vec<String> = (0..layout.words).map(|at| format!("input[word + {at}u]")).collect();
    let value = low.unpack(reduction.scalar, &words);
    main.line(&format!("results[item] = {value};"));
    if reduction.with_row()
        && let Some(row) = words.last()
    {
        main.line(&format!("result_rows[item] = {row};"));
    }
    main.close("}");
    main.close("}");
    combine.tree(&mut low, &mut main, "output");
    close_groups(&mut low, &mut main, Some(&combine), "output");
    main.close("}");

    let mut body = Writer::default();
    for text in low.helper_texts() {
        body.lines(text);
        body.line("");
    }
    body.append(main);
    Ok(low.finish(&format!("// A higher level of the reduction `{name}`."), body, parameters, Some(layout)))
}
