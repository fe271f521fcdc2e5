//! Engine of mobile ad hoc networks.

use crate::count::{NodeCount, Statistics};
use crate::device::OnDevice;
use crate::error::EngineError;
use crate::host::OnHost;
use crate::memory;
use crate::network::Network;
use crate::report::Report;
use crate::visits::Visits;
use imminent_common::execution::Execution;
use imminent_core::{Device, Progress};
use std::ops::{ControlFlow, Range};

/// Number of nodes of a network from which on the host executes its kernels rather than the sequential program.
const LARGE: u32 = 10_000;

/// Simulation of networks and their replications on a device, or on threads of the host: by default there if the
/// device is the host's processor and no network has 10,000 nodes, or if a network has AODV.
///
/// Times are exact, or on the clock of each network's [`interval`](Network::interval). Determinism class: exact; the
/// results equal those of [`sequential::simulate`](crate::sequential::simulate) to the bit.
///
/// ```
/// use imminent_manet::{Engine, Network, Summary, sequential};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let device = imminent_core::Device::open(imminent_cpu::CpuBackend::open(&Default::default())?)?;
/// let network = Network { end: 5_000_000, ..Network::scenario(20) };
/// let mut engine = Engine::new(&device, &[(network.clone(), 0..2)])?;
/// engine.run(|_| std::ops::ControlFlow::Continue(()))?;
/// let counts = engine.counts()?;
/// assert_eq!(counts[1], sequential::simulate(&network, 1)?);
/// assert!(Summary::of(&counts[1]).created() > 0);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Engine(Executor);

fn check(networks: &[(Network, Range<u64>)]) -> Result<(), EngineError> {
    let of = |(number, (network, _)): (usize, &(Network, Range<u64>))| {
        network.check().map_err(|source| EngineError::Network { number, source })
    };
    networks.iter().enumerate().try_for_each(of)
}

/// Returns the number of the first network whose protocol no device simulates.
fn undevised(networks: &[(Network, Range<u64>)]) -> Option<usize> {
    networks.iter().position(|(network, _)| !network.is_for_devices())
}

#[derive(Debug)]
enum Executor {
    Device(Box<OnDevice>),
    Host(OnHost),
}

impl Engine {
    /// Creates simulations of networks, each for a range of replications. Replications of a network differ in their
    /// random numbers alone.
    ///
    /// # Errors
    /// Errors in networks, too many nodes, errors of the device.
    pub fn new(device: &Device, networks: &[(Network, Range<u64>)]) -> Result<Self, EngineError> {
        Self::on(Execution::Auto, device, networks)
    }

    /// Creates simulations like [`Engine::new`], and chooses their executor.
    ///
    /// # Errors
    /// As for [`Engine::new`].
    pub fn on(execution: Execution, device: &Device, networks: &[(Network, Range<u64>)]) -> Result<Self, EngineError> {
        check(networks)?;
        let is_on_host = match execution {
            Execution::Auto => {
                networks.iter().all(|(network, _)| Self::is_apart(device, network)) || undevised(networks).is_some()
            }
            Execution::Device => false,
            Execution::Host => true,
        };
        if let (false, Some(number)) = (is_on_host, undevised(networks)) {
            return Err(EngineError::Protocol { number, backend: device.info().backend.clone() });
        }
        Ok(Engine(match is_on_host {
            true => Executor::Host(OnHost::new(device.capabilities().threads as usize, networks)),
            false => Executor::Device(Box::new(OnDevice::new(device, networks, None)?)),
        }))
    }

    /// Creates simulations like [`Engine::new`], executed by kernels that visit the nodes in a given way. By default a
    /// device visits them in the way that suits it.
    ///
    /// # Errors
    /// As for [`Engine::new`].
    pub fn visiting(visits: Visits, device: &Device, networks: &[(Network, Range<u64>)]) -> Result<Self, EngineError> {
        check(networks)?;
        Ok(Engine(Executor::Device(Box::new(OnDevice::new(device, networks, Some(visits))?))))
    }

    /// Creates simulations that the calling thread executes one after the other, without a device.
    ///
    /// # Errors
    /// Errors in networks.
    pub fn one_by_one(networks: &[(Network, Range<u64>)]) -> Result<Self, EngineError> {
        check(networks)?;
        Ok(Engine(Executor::Host(OnHost::new(1, networks))))
    }

    /// Records and compiles the steps on the device.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn compile(&mut self) -> Result<(), EngineError> {
        match &mut self.0 {
            Executor::Device(device) => device.compile(),
            Executor::Host(_) => Ok(()),
        }
    }

    /// Runs all simulations to their ends. A run that was cancelled can be continued; on threads of the host,
    /// replications under way begin anew.
    ///
    /// # Errors
    /// [`EngineError::Cancelled`] if `progress` breaks, errors of the device.
    pub fn run(&mut self, progress: impl FnMut(Progress) -> ControlFlow<()>) -> Result<(), EngineError> {
        match &mut self.0 {
            Executor::Device(device) => device.run(progress),
            Executor::Host(host) => host.run(progress),
        }
    }

    /// Runs all simulations to their ends like [`Engine::run`], and hands over the statistics of each when it has
    /// ended. The engine does not keep them.
    ///
    /// On threads of the host simulations end one after the other. On a device all end with the last one.
    ///
    /// # Errors
    /// [`EngineError::Cancelled`] if `watch` breaks, errors of the device. Simulations that have ended until then are
    /// handed over before.
    pub fn run_each(&mut self, mut watch: impl FnMut(Report) -> ControlFlow<()>) -> Result<(), EngineError> {
        match &mut self.0 {
            Executor::Host(host) => host.run_each(watch),
            Executor::Device(device) => {
                device.run(|progress| watch(Report::Progress(progress)))?;
                let mut is_cancelled = false;
                for (number, statistics) in device.statistics()?.into_iter().enumerate() {
                    is_cancelled |= watch(Report::Ended { number, statistics }).is_break();
                }
                match is_cancelled {
                    false => Ok(()),
                    true => Err(EngineError::Cancelled { steps: device.steps() }),
                }
            }
        }
    }

    /// Returns `true` if [`Engine::new`] simulates each replication of a network apart, on a thread of the host: it is
    /// handed over by [`Engine::run_each`] when it has ended. Other networks are simulated together.
    #[must_use]
    pub fn is_apart(device: &Device, network: &Network) -> bool {
        !network.is_for_devices() || device.capabilities().native_rows && network.nodes < LARGE
    }

    /// Estimates the memory of the host that replications of a network take on a device, or by
    /// [`Engine::one_by_one`] without one, in bytes. They take less, unless nodes crowd at more than four times their
    /// mean density.
    ///
    /// Tables of other devices than the host's processor are not part of it; their sizes are checked when they are
    /// created.
    #[must_use]
    pub fn bytes(device: Option<&Device>, network: &Network, replications: u64) -> u64 {
        let is_apart = device.is_some_and(|device| Self::is_apart(device, network));
        memory::bytes(device, is_apart, network, replications)
    }

    /// Number of updates of the cells so far, each followed by some steps; on threads of the host, number of events.
    #[must_use]
    pub fn steps(&self) -> u64 {
        match &self.0 {
            Executor::Device(device) => device.steps(),
            Executor::Host(host) => host.steps(),
        }
    }

    /// Returns the statistics of the nodes of each simulation that [`Engine::run`] has executed, in the order of the
    /// networks and of their replications.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn counts(&self) -> Result<Vec<Vec<NodeCount>>, EngineError> {
        Ok(self.statistics()?.into_iter().map(|statistics| statistics.nodes).collect())
    }

    /// Returns the statistics of nodes, flows and delays of each simulation that [`Engine::run`] has executed.
    ///
    /// # Errors
    /// Errors of the device.
    pub fn statistics(&self) -> Result<Vec<Statistics>, EngineError> {
        match &self.0 {
            Executor::Device(device) => device.statistics(),
            Executor::Host(host) => Ok(host.statistics()),
        }
    }
}
