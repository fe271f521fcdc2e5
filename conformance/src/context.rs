//! Data available to a case.

use crate::case::{SkipReason, Stop};
use crate::mode::Mode;
use crate::report::ModelDigest;
use imminent_core::fault::Operands;
use imminent_core::ir::Scalar;
use imminent_core::{Capabilities, Device, Fault, Faults, FloatProbe, Queue};
use rand_pcg::Pcg32;
use std::cell::RefCell;

/// Device under test, reference device, and the notes of the case for the report.
pub(crate) struct Context<'d> {
    pub(crate) device: &'d Device,
    /// CPU backend, which runs the same kernels as native functions.
    pub(crate) reference: &'d Device,
    pub(crate) mode: Mode,
    pub(crate) seed: u64,
    notes: RefCell<Vec<String>>,
    digests: RefCell<Vec<ModelDigest>>,
}

impl<'d> Context<'d> {
    pub(crate) fn new(device: &'d Device, reference: &'d Device, mode: Mode, seed: u64) -> Self {
        Context { device, reference, mode, seed, notes: RefCell::default(), digests: RefCell::default() }
    }

    pub(crate) fn queue(&self) -> Queue {
        self.device.queue()
    }

    pub(crate) fn capabilities(&self) -> &Capabilities {
        self.device.capabilities()
    }

    /// Returns a fault of the reference in the form that the device under test must report: without operands, if the
    /// device keeps none.
    pub(crate) fn reported(&self, reference: Fault) -> Fault {
        match self.capabilities().faults {
            Faults::Places => Fault { operands: None, ..reference },
            Faults::Operands => reference,
        }
    }

    /// Returns operands in the form that the device under test must report: none, if it keeps none.
    pub(crate) fn reported_operands(&self, operands: Operands) -> Option<Operands> {
        (self.capabilities().faults == Faults::Operands).then_some(operands)
    }

    /// Returns one of two sizes, by the mode of the run.
    pub(crate) fn scaled(&self, quick: usize, full: usize) -> usize {
        match self.mode {
            Mode::Quick => quick,
            Mode::Full => full,
        }
    }

    /// Returns random numbers for operands: the same in every run with the same seed.
    pub(crate) fn random(&self, stream: u64) -> Pcg32 {
        Pcg32::new(self.seed, stream)
    }

    /// Adds a note to the report of a case that passes.
    pub(crate) fn note(&self, text: impl Into<String>) {
        self.notes.borrow_mut().push(text.into());
    }

    pub(crate) fn digest(&self, model: impl Into<String>, digest: impl Into<String>) {
        self.digests.borrow_mut().push(ModelDigest { model: model.into(), digest: digest.into() });
    }

    /// Returns the probe of a float type; a device without a probe must meet all requirements.
    pub(crate) fn probe(&self, scalar: Scalar) -> FloatProbe {
        let probe = if scalar == Scalar::F64 { &self.capabilities().f64 } else { &self.capabilities().f32 };
        probe.clone().unwrap_or(FloatProbe {
            basic_correct: true,
            division_correct: true,
            sqrt_correct: true,
            contracts: false,
            rearranges: false,
            subnormals: true,
            non_finite: true,
        })
    }

    pub(crate) fn needs_float64(&self) -> Result<(), Stop> {
        if self.capabilities().float64 { Ok(()) } else { Err(Stop::Skip(SkipReason::LacksFloat64)) }
    }

    pub(crate) fn needs_full_mode(&self) -> Result<(), Stop> {
        if self.mode == Mode::Full { Ok(()) } else { Err(Stop::Skip(SkipReason::QuickMode)) }
    }

    pub(crate) fn into_findings(self) -> (Vec<String>, Vec<ModelDigest>) {
        (self.notes.into_inner(), self.digests.into_inner())
    }
}
