//! Opening a device.

use super::BACKEND;
use super::cache::DiskCache;
use super::context::Context;
use super::find::{Candidate, alone, found};
use crate::cl::{self, Failure};
use crate::options::{Options, Switch};
use imminent_core::{Capabilities, Error, Limit, Result};
use imminent_lowering::c::COptions;

/// Checks that a device can fulfil the options.
fn check(found: &Candidate, options: &Options) -> Result<()> {
    let missing = |option: &str, feature: &str| {
        Err(Error::Unsupported {
            backend: found.info.backend.clone(),
            device: found.info.name.clone(),
            what: format!("with the option {option}"),
            reason: format!("the driver does not offer {feature}"),
            remedy: "Use `auto` instead of `on`, or another device".to_owned(),
        })
    };
    if options.float64 == Switch::On && !found.facts.float64 {
        return missing("float64=on", "cl_khr_fp64");
    }
    if options.int64_atomics == Switch::On && !found.facts.int64_atomics {
        return missing("int64-atomics=on", "cl_khr_int64_base_atomics and cl_khr_int64_extended_atomics");
    }
    match options.workgroup {
        Some(size) if size > found.facts.workgroup => Err(Error::limit(Limit::Workgroup, size, found.facts.workgroup)),
        _ => Ok(()),
    }
}

/// Returns the largest power of two that is no larger than both.
fn workgroup(asked: u32, most: u32) -> u32 {
    let size = asked.min(most).max(1);
    1 << size.ilog2()
}

/// Opens the device of this index.
pub(crate) fn open(index: u32, options: &Options) -> Result<(Context, Capabilities)> {
    options.check()?;
    let mut all = found()?;
    if index as usize >= all.len() {
        let names: Vec<&str> = all.iter().map(|found| found.info.name.as_str()).collect();
        let available = format!("{} ({})", names.len(), names.join(", "));
        return Err(Error::NoDevice { backend: BACKEND.to_owned(), index, available });
    }
    let found = all.swap_remove(index as usize);
    check(&found, options)?;
    let context = alone(|| cl::Context::new(found.device)).map_err(|failure: Failure| Error::Driver {
        backend: BACKEND.to_owned(),
        device: found.info.name.clone(),
        stage: "opening the device".to_owned(),
        message: failure.to_string(),
    })?;
    let capabilities = found.facts.capabilities(options);
    let lowering = COptions {
        float64: capabilities.float64,
        int64_atomics: capabilities.tally_min_max_64,
        correctly_rounded_divide_sqrt: found.facts.correct_division && !options.portable_division,
        workgroup_size: workgroup(options.workgroup.unwrap_or(256), found.facts.workgroup),
        faults: options.faults,
        ..COptions::opencl()
    };
    let cache = DiskCache::new(&options.cache, &found.info, &found.facts)?;
    let (table_bytes, unoptimized) = (found.facts.table_bytes(options), found.facts.unoptimized(options));
    Ok((Context::new(context, found, table_bytes, lowering, unoptimized, cache), capabilities))
}

#[cfg(test)]
mod tests {
    use super::workgroup;

    #[test]
    fn a_work_group_is_a_power_of_two_that_the_device_allows() {
        assert_eq!(workgroup(256, 1024), 256);
        assert_eq!(workgroup(256, 255), 128);
        assert_eq!(workgroup(64, 4096), 64);
        assert_eq!(workgroup(256, 0), 1);
    }
}
