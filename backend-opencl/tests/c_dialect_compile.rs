//! The device's compiler takes every text that the C lowering makes, in every shape.

#![allow(clippy::unwrap_used, clippy::panic)]

mod c_dialect_support;

use c_dialect_support::machine::Bare;
use imminent_core::c_dialect::{CError, COptions, lower};
use imminent_ir::{Scalar, Shape};
use imminent_testkit::c_dialect::texts;
use imminent_testkit::modules::{calls, damage, groups, histories, kernels as built, odd};

#[test]
fn every_text_compiles() {
    let machine = Bare::open();
    let mut count = 0;
    let shapes = machine.shapes().into_iter().filter(|o| o.float64 && o.int64_atomics);
    for options in shapes.chain([COptions { subset: true, ..machine.options() }]) {
        for (_, source) in texts(&options) {
            machine.compile(&source, &options);
            count += 1;
        }
    }
    assert!(count >= 80, "{count} texts were compiled");
}

#[test]
fn what_damaged_modules_lower_to_compiles() {
    let machine = Bare::open();
    let options = machine.options();
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
        // Compiling takes a while: one in eight.
        let mut number = 0;
        damage(&module, 400, seed, |flat| {
            number += 1;
            if number % 8 != 0 {
                return;
            }
            match lower(flat, &options) {
                Ok(source) => {
                    machine.compile(&source, &options);
                    count += 1;
                }
                Err(CError::Unsupported { .. } | CError::WideTally { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        });
    }
    assert!(count > 20, "{count} texts were compiled");
}
