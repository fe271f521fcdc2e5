#![allow(clippy::unwrap_used)]
//! Branches of the shaders.

use super::{Form, PrimitiveShader};
use imminent_core::ir::Scalar;
use naga::{Block, Function, Module, Statement};

/// Most branches of two sides that follow one another in a loop.
///
/// The ways through n of them are 2^n. The compiler of SwiftShader did not end within 25 minutes on a loop with 65.
const MAX_BRANCHES: u32 = 8;

/// Returns every shader of the primitives.
fn all() -> Vec<PrimitiveShader> {
    use Form::{Count, Greatest, GreatestRow, Least, LeastRow, Sum, SumFloat};
    let (ordered, sums) = ([Least, Greatest, LeastRow, GreatestRow], [Sum, SumFloat, Count]);
    let mut shaders = vec![PrimitiveShader::Tree, PrimitiveShader::SortOffsets, PrimitiveShader::Move];
    for scalar in Scalar::ALL {
        let sums = sums.into_iter().filter(|form| *form != SumFloat || scalar == Scalar::F32);
        for form in ordered.into_iter().chain(sums) {
            shaders.extend([
                PrimitiveShader::fold(form, scalar),
                PrimitiveShader::finish(form, scalar),
                PrimitiveShader::totals(form, scalar),
            ]);
            // Scans and segments have neither rows of the least nor counts.
            if !matches!(form, LeastRow | GreatestRow | Count) {
                shaders.extend([PrimitiveShader::scan(form, scalar), PrimitiveShader::segments(form, scalar)]);
            }
        }
        shaders.extend([
            PrimitiveShader::select(scalar),
            PrimitiveShader::SortCount(scalar),
            PrimitiveShader::SortPlace(scalar),
            PrimitiveShader::SortSmall(scalar),
            PrimitiveShader::Histogram(scalar),
        ]);
    }
    shaders
}

fn returns(block: &Block) -> bool {
    block.iter().any(|statement| matches!(statement, Statement::Return { .. }))
}

/// Returns the number of branches of two sides that follow one another in a block, and notes that of each loop.
fn branches(module: &Module, block: &Block, loops: &mut Vec<u32>) -> u32 {
    let mut count = 0;
    for statement in block {
        count += match statement {
            Statement::Block(inner) => branches(module, inner, loops),
            Statement::If { accept, reject, .. } => {
                // What follows a return is its other side.
                let two = returns(accept) || returns(reject) || !(accept.is_empty() || reject.is_empty());
                u32::from(two) + branches(module, accept, loops).max(branches(module, reject, loops))
            }
            Statement::Switch { cases, .. } => {
                1 + cases.iter().map(|case| branches(module, &case.body, loops)).max().unwrap_or(0)
            }
            Statement::Loop { body, continuing, .. } => {
                let within = branches(module, body, loops) + branches(module, continuing, loops);
                loops.push(within);
                within
            }
            Statement::Call { function, .. } => branches(module, &module.functions[*function].body, loops),
            _ => 0,
        };
    }
    count
}

#[test]
fn the_ways_through_a_loop_are_few() {
    for shader in all() {
        let module = naga::front::wgsl::parse_str(&shader.source().code).unwrap();
        let entry: &Function = &module.entry_points[0].function;
        let mut loops = Vec::new();
        branches(&module, &entry.body, &mut loops);
        assert!(loops.iter().all(|branches| *branches <= MAX_BRANCHES), "{shader:?}: {loops:?}");
    }
}
