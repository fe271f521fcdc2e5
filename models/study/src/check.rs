//! Checks of models: statements about their engines that hold on every device.

use super::laboratory::Fault;
use imminent_core::Device;
use std::fmt::{self, Debug};
use std::sync::Arc;

/// Statement about the engines of a model, with its test. The conformance suite tests it on a device.
#[derive(Clone)]
pub struct Check {
    /// Statement.
    pub name: &'static str,
    test: Arc<Test>,
}

type Test = dyn Fn(&mut Trial<'_>) -> Result<(), Fault> + Send + Sync;

impl Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Check").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Check {
    /// Creates a check of a statement.
    #[must_use]
    pub fn new(name: &'static str, test: impl Fn(&mut Trial<'_>) -> Result<(), Fault> + Send + Sync + 'static) -> Self {
        Self { name, test: Arc::new(test) }
    }

    /// Tests the statement on a device. Returns the names and digests of what was simulated, too.
    ///
    /// # Errors
    /// A fault that says what is otherwise.
    pub fn test(&self, device: &Device) -> (Result<(), Fault>, Vec<(String, String)>) {
        let mut trial = Trial { device, digests: vec![] };
        ((self.test)(&mut trial), trial.digests)
    }
}

/// Test of a statement on a device.
#[derive(Debug)]
pub struct Trial<'d> {
    /// Device under test.
    pub device: &'d Device,
    digests: Vec<(String, String)>,
}

impl Trial<'_> {
    /// Reports the digest of a simulation, which is compared over devices.
    pub fn digest(&mut self, simulation: impl Into<String>, digest: impl Into<String>) {
        self.digests.push((simulation.into(), digest.into()));
    }

    /// Compares what was found with what was expected.
    ///
    /// # Errors
    /// A fault with both, if they differ.
    pub fn equal<T: PartialEq + Debug>(&self, what: &str, found: &T, expected: &T) -> Result<(), Fault> {
        match found == expected {
            true => Ok(()),
            false => Err(format!("{what}: expected {expected:?}, found {found:?}").into()),
        }
    }
}
