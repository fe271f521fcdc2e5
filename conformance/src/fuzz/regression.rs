//! Single kernels: repeated, simplified, and stored.

use super::given::Launched;
use super::simpler::{self, Grain};
use super::{FuzzFailure, FuzzReport, Stuck, Verdict, compare, device, oracle, refuses, runs_made_kernels};
use imminent_core::ir::{Module, Shape};
use imminent_core::kernel::KernelSource;
use imminent_core::{Determinism, Device, Error};
use serde::{Deserialize, Serialize};

/// A kernel, and the seed and size of the data on which it is launched.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Regression {
    /// Module of the kernel; its first kernel is launched.
    pub module: Module,
    /// Number of rows, as an index into a few sizes.
    pub size: usize,
    /// Seed of the data.
    pub data: u64,
}

impl Regression {
    /// Describes the difference of a device from the IR, or the device's error; `None` if there is none.
    #[must_use]
    pub fn difference(&self, device: &Device) -> Option<String> {
        match self.verdict(device) {
            Verdict::Agrees | Verdict::TooLong => None,
            Verdict::Differs(message)
            | Verdict::Refused(message)
            | Verdict::Lost(message)
            | Verdict::IllFormed(message) => Some(message),
        }
    }

    /// Runs the kernel on a device, and reports differences from its IR, or why the device cannot run it: the kernel
    /// may come from a device that has more types, larger groups or floats that round correctly.
    ///
    /// # Errors
    /// [`Error::Invalid`] for the CPU backend, as for [`Fuzz::run`](super::Fuzz::run), and [`Error::Module`].
    pub fn again(&self, device: &Device) -> Result<FuzzReport, Error> {
        runs_made_kernels(device)?;
        let mut report = FuzzReport { agreed: 0, given_up: 0, refused: None, failure: None };
        let source = device::source(&self.module)?;
        let shape = self.module.kernels.first().map_or(Shape::Rows, |kernel| kernel.shape);
        let kernel = KernelSource { module: source, index: 0, name: "kernel", shape };
        // A device may be allowed to round otherwise, but the interpreter does not.
        let verdict = match device.allowing(Determinism::Reproducible).check_floats(&kernel) {
            Ok(()) => self.verdict(device),
            Err(error) => Verdict::Refused(error.to_string()),
        };
        match verdict {
            Verdict::Agrees => report.agreed = 1,
            Verdict::TooLong => report.given_up = 1,
            Verdict::Refused(reason) => report.refused = Some(reason),
            Verdict::Differs(message) | Verdict::Lost(message) | Verdict::IllFormed(message) => {
                report.failure = Some(self.clone().failure(device, message));
            }
        }
        Ok(report)
    }

    /// Returns this kernel as one that failed.
    pub(super) fn failure(self, device: &Device, message: String) -> FuzzFailure {
        let generated = device::generated(device, &self.module);
        FuzzFailure { message, case: self, generated }
    }

    pub(super) fn verdict(&self, device: &Device) -> Verdict {
        let launched = match Launched::new(self.module.clone(), self.size, self.data) {
            Some(Ok(launched)) => launched,
            Some(Err(stuck)) => return Verdict::IllFormed(stuck.to_string()),
            None => return Verdict::IllFormed("the module has no kernel".to_owned()),
        };
        let expected = match oracle::run(&launched) {
            Ok(expected) => expected,
            Err(Stuck::Fuel) => return Verdict::TooLong,
            Err(stuck) => return Verdict::IllFormed(format!("the interpreter: {stuck}")),
        };
        let ran = device::Built::made(&launched.module).and_then(|built| device::run(device, &launched, built));
        match ran {
            Err(error @ Error::DeviceLost { .. }) => Verdict::Lost(format!("the device: {error}")),
            Err(error) if refuses(&error) => Verdict::Refused(error.to_string()),
            Err(error) => Verdict::Differs(format!("the device: {error}")),
            Ok(found) => match compare::difference(&launched, &expected, &found) {
                None => Verdict::Agrees,
                Some(difference) => Verdict::Differs(difference.to_string()),
            },
        }
    }

    /// Makes the kernel simpler as long as the device still differs and time is left. A device that stops working ends
    /// the search.
    pub(super) fn simplest(
        mut self,
        device: &Device,
        over: &dyn Fn() -> bool,
        begin: &dyn Fn(&Regression),
    ) -> FuzzFailure {
        let mut message = self.difference(device).unwrap_or_else(|| "it differed once, and then no more".to_owned());
        loop {
            let mut is_simpler = false;
            for grain in Grain::ALL {
                for edit in simpler::edits(&self.module, grain) {
                    if over() {
                        return self.failure(device, message);
                    }
                    let Some(module) = simpler::apply(&self.module, edit) else { continue };
                    let trial = Regression { module, size: self.size, data: self.data };
                    begin(&trial);
                    match trial.verdict(device) {
                        Verdict::Differs(differs) | Verdict::Refused(differs) => {
                            (self, message, is_simpler) = (trial, differs, true);
                        }
                        Verdict::Lost(lost) => return trial.failure(device, lost),
                        Verdict::Agrees | Verdict::TooLong | Verdict::IllFormed(_) => {}
                    }
                }
            }
            if !is_simpler {
                return self.failure(device, message);
            }
        }
    }
}
