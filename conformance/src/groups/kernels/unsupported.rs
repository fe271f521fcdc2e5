//! Features that a device does not advertise must be refused with the typed error, not computed wrongly.

use crate::case::{Cases, SkipReason, Stop, Verdict, fail, refused};
use crate::context::Context;
use crate::kernels::floats::floats_f64;
use crate::kernels::tallies::{tally_i64_extremes, tally_u64_extremes};
use imminent_core::{Error, Table, TallyTable};

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

fn needs_lack_of_extremes(context: &Context<'_>) -> Verdict {
    if context.capabilities().tally_min_max_64 { Err(Stop::Skip(SkipReason::HasTallyMinMax64)) } else { Ok(()) }
}

fn refused_as_unsupported(what: &str, result: Result<(), Error>) -> Verdict {
    refused(what, result, "`Error::Unsupported`", |error| matches!(error, Error::Unsupported { .. }))
}

fn double(context: &Context<'_>) -> Result<(), Error> {
    let input = Table::<floats_f64::Given>::zeroed(context.device, 10)?;
    let mut output = Table::<floats_f64::Out>::zeroed(context.device, 10)?;
    let chosen = floats_f64::Chosen { op: floats_f64::Op::Add };
    context.queue().launch::<floats_f64::compute>((&input, &mut output, &chosen))?;
    context.queue().wait()
}

fn wide_min(context: &Context<'_>) -> Result<(), Error> {
    let input = Table::<tally_u64_extremes::Given>::zeroed(context.device, 10)?;
    let tally = TallyTable::new(context.device, &[u64::MAX])?;
    context.queue().launch::<tally_u64_extremes::min>((&input, &tally))?;
    context.queue().wait()
}

fn wide_max(context: &Context<'_>) -> Result<(), Error> {
    let input = Table::<tally_i64_extremes::Given>::zeroed(context.device, 10)?;
    let tally = TallyTable::new(context.device, &[i64::MIN])?;
    context.queue().launch::<tally_i64_extremes::max>((&input, &tally))?;
    context.queue().wait()
}
