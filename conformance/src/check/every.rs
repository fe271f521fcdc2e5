//! Kernels of several modules on several devices.

use super::{KernelCheck, KernelOutcome, KernelReport};
use imminent_core::{Device, Error, ModuleSource};

/// Results of the kernels of modules on devices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct KernelReports {
    /// Kernels, by device and module.
    pub reports: Vec<KernelReport>,
    /// Errors of modules, none of whose kernels was tried.
    pub errors: Vec<Error>,
}

impl KernelReports {
    /// Returns the kernels that differ, or at which a device stopped working.
    pub fn failures(&self) -> impl Iterator<Item = &KernelReport> {
        self.reports.iter().filter(|report| report.is_failure())
    }

    /// Describes all failures and errors, or tells that no kernel ran; `None` if a kernel agreed and none failed.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        let failures = self.failures().map(KernelReport::to_string);
        let told: Vec<String> = failures.chain(self.errors.iter().map(Error::to_string)).collect();
        if !told.is_empty() {
            return Some(told.join("\n"));
        }
        let agrees = |report: &KernelReport| matches!(report.outcome, KernelOutcome::Agrees { .. });
        let nothing = || "no kernel ran on any device: each is told above with its reason".to_owned();
        (!self.reports.iter().any(agrees)).then(nothing)
    }
}

impl KernelCheck {
    /// Compares every kernel of modules on devices, and calls a function with each report. Later kernels are tried
    /// after a failure, except on a device that stopped working.
    pub fn run_on(
        self,
        devices: &[Device],
        modules: &[&'static ModuleSource],
        told: &mut dyn FnMut(&KernelReport),
    ) -> KernelReports {
        let mut all = KernelReports::default();
        for device in devices {
            for module in modules {
                match self.run(device, module) {
                    Ok(reports) => {
                        reports.iter().for_each(&mut *told);
                        all.reports.extend(reports);
                    }
                    // A module that cannot be read has the same error on each device.
                    Err(error) if all.errors.contains(&error) => {}
                    Err(error) => all.errors.push(error),
                }
                if all.reports.last().is_some_and(KernelReport::is_lost) {
                    break;
                }
            }
        }
        all
    }
}
