//! Kernel modules over lists of types: the module of each type computes in that type.

use crate::case::{Cases, Verdict, equal};
use crate::context::Context;
use crate::kernels::lists::{means, numbers};
use imminent_core::{Device, Error, Table};
use rand_core::Rng;

const ROWS: u32 = 300;

/// Adds a case for the module of one type, whose values stay small enough to be exact.
macro_rules! growth {
    ($cases:expr, $module:ident, $t:ty, $by:expr) => {
        $cases.add(concat!("a module over a list of types computes in `", stringify!($t), "`"), |context| {
            use numbers::$module::{Growing, GrowingArgs, Growth, Value, grow};
            if stringify!($t) == "f64" {
                context.needs_float64()?;
            }
            let growth = Growth { by: $by as $t };
            let mut rng = context.random(181);
            let given: Vec<Value> = (0..ROWS)
                .map(|row| Value { number: (row % 50) as $t, times: rng.next_u32() % 7, past: [0 as $t; 3] })
                .collect();
            let all = imminent_core::RowsBuf::from(given.clone());
            let mut expected = given.clone();
            expected.iter_mut().for_each(|me| Growing { me, all: &all, growth: &growth }.grow());
            let greatest =
                expected.iter().map(|row| row.number).fold(given[0].number, |a, b| if b > a { b } else { a });
            let run = |device: &Device| -> Result<(Vec<Value>, $t), Error> {
                let (mut table, all) = (Table::from_rows(device, &given)?, Table::from_rows(device, &given)?);
                let growing = GrowingArgs { me: &mut table, all: &all, growth: &growth };
                let returned = device.queue().launch::<grow>((growing,))?.read()?;
                Ok((table.read()?, returned))
            };
            equal("on the CPU", &run(context.reference)?, &(expected.clone(), greatest))?;
            equal("on the device", &run(context.device)?, &(expected, greatest))
        });
    };
}

/// Checks the means of one type against those of the CPU and against plain Rust.
macro_rules! averages {
    ($context:expr, $module:ident, $t:ident) => {{
        use means::$module::{Mean, average};
        use numbers::$module::{Growth, Value};
        let value = |row: u32| Value { number: row as $t, times: 0, past: [0.0, row as $t, 2.0] };
        let values: Vec<Value> = (0..ROWS).map(value).collect();
        let mean = |value: &Value| {
            let mut sum = 0.5 * (value.number * 2.0 + 1.0);
            for past in value.past {
                sum += 0.125 * past.max(0.25);
            }
            Mean { mean: sum * 0.25, turn: if sum > std::$t::consts::PI { sum - 0.25 } else { 0.0 } }
        };
        let expected: Vec<Mean> = values.iter().map(mean).collect();
        let sum: $t = expected.iter().map(|row| row.mean).sum();
        let run = |device: &Device| -> Result<(Vec<Mean>, $t), Error> {
            let (mut means, values) = (Table::zeroed(device, values.len())?, Table::from_rows(device, &values)?);
            let returned = device.queue().launch::<average>((&mut means, &values, &Growth { by: 1.0 }))?.read()?;
            Ok((means.read()?, returned))
        };
        equal("on the CPU", &run($context.reference)?, &(expected.clone(), sum))?;
        equal("on the device", &run($context.device)?, &(expected, sum))
    }};
}

pub(super) fn add(cases: &mut Cases) {
    growth!(cases, u32, u32, 1);
    growth!(cases, i32, i32, -1);
    growth!(cases, u64, u64, 5_000_000_000_u64);
    growth!(cases, i64, i64, -5_000_000_000_i64);
    growth!(cases, single, f32, 0.5);
    growth!(cases, double, f64, 0.5);
    cases.add("a module over a list builds on another for `f32`", singles);
    cases.add("a module over a list builds on another for `f64`", doubles);
}

fn singles(context: &Context<'_>) -> Verdict {
    averages!(context, single, f32)
}

fn doubles(context: &Context<'_>) -> Verdict {
    context.needs_float64()?;
    averages!(context, double, f64)
}
