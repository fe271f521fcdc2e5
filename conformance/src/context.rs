//! What a case has at hand.

use crate::case::{SkipReason, Stop};
use crate::report::ModelDigest;
use crate::suite::Mode;
use imminent_core::fault::Operands;
use imminent_core::ir::Scalar;
use imminent_core::{Capabilities, Device, Fault, Faults, FloatProbe, Queue};
use rand_pcg::Pcg32;
use std::cell::RefCell;

/// The device under test, the reference, and what the case leaves for the report.
pub(crate) struct Context<'d> {
    pub(crate) device: &'d Device,
    /// The CPU backend: the same kernels as native functions.
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

    /// A fault of the reference as the device under test is to report it: without operands, if the device keeps none.
    pub(crate) fn reported(&self, reference: Fault) -> Fault {
        match self.capabilities().faults {
            Faults::Places => Fault { operands: None, ..reference },
            Faults::Operands => reference,
        }
    }

    /// Operands as the device under test is to report them: none, if it keeps none.
    pub(crate) fn reported_operands(&self, operands: Operands) -> Option<Operands> {
        (self.capabilities().faults == Faults::Operands).then_some(operands)
    }

    /// One of two sizes.
    pub(crate) fn scaled(&self, quick: usize, full: usize) -> usize {
        match self.mode {
            Mode::Quick => quick,
            Mode::Full => full,
        }
    }

    /// Random numbers for operands: the same in every run with the same seed.
    pub(crate) fn random(&self, stream: u64) -> Pcg32 {
        Pcg32::new(self.seed, stream)
    }

    /// Something that the reader of the report should know although the case passed.
    pub(crate) fn note(&self, text: impl Into<String>) {
        self.notes.borrow_mut().push(text.into());
    }

    pub(crate) fn digest(&self, model: impl Into<String>, digest: impl Into<String>) {
        self.digests.borrow_mut().push(ModelDigest { model: model.into(), digest: digest.into() });
    }

    /// What the probe found out about a float type; a device without the answer is held to everything.
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
