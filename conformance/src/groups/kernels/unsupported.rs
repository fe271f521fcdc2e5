//! Features that a device does not advertise must be refused with the typed error, not computed wrongly.

use crate::case::{Cases, SkipReason, Stop, Verdict, equal, fail, refused};
use crate::context::Context;
use crate::kernels::floats::{floats_f32, floats_f64};
use crate::kernels::reductions::reduce_f32;
use crate::kernels::tallies::{tally_i64_extremes, tally_u64_extremes};
use imminent_core::{Determinism, Error, Program, Table, TallyTable};

pub(super) fn add(cases: &mut Cases) {
    cases.add("a kernel with f64 is refused where there is none", |context| {
        if context.capabilities().float64 {
            return Err(Stop::Skip(SkipReason::HasFloat64));
        }
        refused_as_unsupported("a launch of a kernel with f64", double(context))
    });
    cases.add("`min` of a u64 tally is refused where there is none", |context| {
        needs_lack_of_extremes(context)?;
        refused_as_unsupported("a launch of a kernel with `min` of a u64 tally", wide_min(context))
    });
    cases.add("`max` of an i64 tally is refused where there is none", |context| {
        needs_lack_of_extremes(context)?;
        refused_as_unsupported("a launch of a kernel with `max` of an i64 tally", wide_max(context))
    });
    cases.add(
        "kernels with floats are refused where the device rounds in its own way, unless that is allowed",
        floats_without_allowance,
    );
    cases.add("the capabilities tell of f64 and its probe together", |context| {
        let capabilities = context.capabilities();
        if capabilities.f32.is_none() {
            return fail("the device was not probed for f32");
        }
        if capabilities.float64 != capabilities.f64.is_some() {
            return fail(format!("f64: advertised {}, probed {:?}", capabilities.float64, capabilities.f64));
        }
        Ok(())
    });
}

fn refused_or_run<T>(what: &str, context: &Context<'_>, result: Result<T, Error>) -> Verdict {
    let probe = context.capabilities().f32.as_ref();
    match (probe.map(imminent_core::FloatProbe::class), result) {
        (Some(Determinism::Reproducible), Ok(_)) => Ok(()),
        (Some(Determinism::Reproducible), Err(error)) => fail(format!("{what}: the device rounds correctly: {error}")),
        (_, result) => refused(
            what,
            result,
            "`Error::Determinism`",
            |error| matches!(error, Error::Determinism { asked: Determinism::Reproducible, what, .. } if what.starts_with("kernel")),
        ),
    }
}

/// Runs kernels with floats by a handle that allows reproducible floats alone.
fn floats_without_allowance(context: &Context<'_>) -> Verdict {
    let strict = context.device.allowing(Determinism::Reproducible);
    let numbers = Table::<reduce_f32::Input>::zeroed(context.device, 10)?;
    let sum = strict.queue().launch::<reduce_f32::sum>((&numbers,));
    refused_or_run("a sum of f32", context, sum.and_then(|sum| sum.read()))?;
    let least = strict.queue().launch::<reduce_f32::min>((&numbers,));
    refused_or_run("the least f32", context, least.and_then(|least| least.read()))?;
    let input = Table::<floats_f32::Input>::zeroed(context.device, 10)?;
    let mut output = Table::<floats_f32::Out>::zeroed(context.device, 10)?;
    let chosen = floats_f32::Chosen { op: floats_f32::Op::Add };
    let stored = strict.queue().launch::<floats_f32::compute>((&input, &mut output, &chosen));
    refused_or_run("stores of f32", context, stored.and_then(|stored| stored.read()))?;
    let recorded = Program::record(&strict, |program| {
        program.launch::<floats_f32::compute>((&input, &mut output, &chosen)).map(drop)
    });
    refused_or_run("a program that stores f32", context, recorded.and_then(|mut program| program.run()))?;
    let allowed = context.queue().launch::<reduce_f32::sum>((&numbers,))?.read()?;
    equal("the sum where it is allowed", &allowed, &0.0)
}

fn needs_lack_of_extremes(context: &Context<'_>) -> Verdict {
    if context.capabilities().tally_min_max_64 { Err(Stop::Skip(SkipReason::HasTallyMinMax64)) } else { Ok(()) }
}

fn refused_as_unsupported(what: &str, result: Result<(), Error>) -> Verdict {
    refused(what, result, "`Error::Unsupported`", |error| matches!(error, Error::Unsupported { .. }))
}

fn double(context: &Context<'_>) -> Result<(), Error> {
    let input = Table::<floats_f64::Input>::zeroed(context.device, 10)?;
    let mut output = Table::<floats_f64::Out>::zeroed(context.device, 10)?;
    let chosen = floats_f64::Chosen { op: floats_f64::Op::Add };
    context.queue().launch::<floats_f64::compute>((&input, &mut output, &chosen))?;
    context.queue().wait()
}

fn wide_min(context: &Context<'_>) -> Result<(), Error> {
    let input = Table::<tally_u64_extremes::Input>::zeroed(context.device, 10)?;
    let tally = TallyTable::new(context.device, &[u64::MAX])?;
    context.queue().launch::<tally_u64_extremes::min>((&input, &tally))?;
    context.queue().wait()
}

fn wide_max(context: &Context<'_>) -> Result<(), Error> {
    let input = Table::<tally_i64_extremes::Input>::zeroed(context.device, 10)?;
    let tally = TallyTable::new(context.device, &[i64::MIN])?;
    context.queue().launch::<tally_i64_extremes::max>((&input, &tally))?;
    context.queue().wait()
}
