//! The device's compiler accepts texts that no kernel in Rust leads to: reserved names, and the lowering of damaged
//! modules.

use crate::bare::Bare;
use imminent_core::Faults;
use imminent_ir::{Scalar, Shape};
use imminent_lowering::LoweringError;
use imminent_lowering::c::{COptions, lower};
use imminent_testkit::c_texts::lowered;
use imminent_testkit::modules::{calls, damage, groups, histories, kernels as built, odd};
use imminent_testkit::needs;

#[test]
fn names_and_values_that_compilers_are_particular_about_compile() {
    let machine = Bare::open();
    let full = machine.options();
    for options in [
        COptions { workgroup_size: 64, line_directives: true, ..full.clone() },
        COptions { faults: Faults::Operands, ..full.clone() },
        COptions { workgroup_size: 1, launch_in_buffer: true, int64_atomics: false, ..full },
    ] {
        for built in [odd::odd(), calls::calls()] {
            machine.compile(&lowered(&built, &options), &options);
        }
    }
}

#[test]
fn what_damaged_modules_lower_to_compiles() {
    let machine = Bare::open();
    let options = machine.options();
    // Compiling takes a while: one in many.
    let (one_in, least) = if needs::everything() { (8, 20) } else { (40, 4) };
    let mut count = 0;
    for (seed, module) in (1..).zip([
        built::serve().module,
        calls::calls().module,
        odd::odd().module,
        built::loops(Scalar::I64).module,
        built::indices(Scalar::U64).module,
        groups::relax(Shape::Tile(3, 5)).module,
        histories::relay().module,
    ]) {
        let mut number = 0;
        damage(&module, 400, seed, |flat| {
            number += 1;
            if number % one_in != 0 {
                return;
            }
            match lower(flat, &options) {
                Ok(source) => {
                    machine.compile(&source, &options);
                    count += 1;
                }
                Err(LoweringError::Unsupported { .. } | LoweringError::WideTally { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        });
    }
    assert!(count >= least, "{count} texts were compiled");
}
