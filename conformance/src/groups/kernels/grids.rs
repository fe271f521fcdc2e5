//! Neighbours in grids, against remainders.

use crate::case::Cases;
use crate::compare::Floats;
use crate::context::Context;
use crate::kernels::grids::neighbours::{self, Cells, Step};
use crate::operands::Operand;
use crate::run::map;
use rand_core::Rng;

fn steps(context: &Context<'_>) -> Vec<Step> {
    let mut rng = context.random(311);
    let mut steps = Vec::new();
    for (width, height) in [(1, 1), (1, 9), (7, 1), (5, 3), (64, 64), (1000, 3), (1 << 16, 1 << 15)] {
        for _ in 0..context.scaled(200, 4000) {
            let row = rng.next_u32() % (width * height);
            let near = [(-1, 0), (1, 0), (0, -1), (0, 1)][rng.next_u32() as usize % 4];
            let (dx, dy) =
                if rng.next_u32().is_multiple_of(2) { near } else { (i32::random(&mut rng), i32::random(&mut rng)) };
            steps.push(Step { row, dx, dy, width, height });
        }
    }
    steps
}

pub(super) fn add(cases: &mut Cases) {
    map::<neighbours::find, _, _>(
        cases,
        "neighbours in grids are those of remainders",
        Floats::Exact,
        steps,
        |&Step { row, dx, dy, width, height }| {
            let (w, h) = (i64::from(width), i64::from(height));
            let (x, y) = (i64::from(row) % w + i64::from(dx), i64::from(row) / w + i64::from(dy));
            let is_inside = (0..w).contains(&x) && (0..h).contains(&y);
            let row_of = |x: i64, y: i64| (y * w + x) as u32;
            Some(Cells {
                wrapped: row_of(x.rem_euclid(w), y.rem_euclid(h)),
                bounded: if is_inside { row_of(x, y) } else { u32::MAX },
            })
        },
    );
}
