//! Prediction of the time of a simulation on the host and on a GPU, from which the device is chosen.

use crate::backends::BackendProvider;
use imminent_core::{DeviceKind, Work};
use std::fmt;

/// Time to open a GPU and to close it at the end of the process, in seconds: CUDA 0.40, NVIDIA's OpenCL 0.45, its
/// Vulkan 0.30.
const OPENING: f64 = 0.4;

/// Speed of a GPU of a data centre over one that shares the host's memory, by the speeds of their memories.
const OVER_INTEGRATED: f64 = 40.0;

/// Predicted times of a simulation, in seconds, from the start of the process.
///
/// They are those of a GPU of a data centre and of cores of its host: what decides are factors, and results are the
/// same everywhere.
///
/// ```
/// use imminent::{Backends, Work, WorkUnit};
///
/// let steps = WorkUnit::new("steps of cells", 500e6);
/// let predicted = Backends::standard().predict("levelling", Work::new(steps, 6e7), 2);
/// assert!(predicted.host().is_none_or(|seconds| seconds < 0.1));
/// // A line for the host, and one for every backend with GPUs.
/// println!("{predicted}");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    work: Work,
    threads: usize,
    has_host: bool,
    gpus: Vec<Gpu>,
}

/// Predicted time on the GPUs of a backend.
#[derive(Clone, Debug, PartialEq)]
struct Gpu {
    backend: String,
    /// `true` if the kernels of the simulation are probably compiled already.
    is_compiled: bool,
}

impl Gpu {
    fn compiling(&self, work: &Work) -> f64 {
        if self.is_compiled { 0.0 } else { work.seconds_of_compiling() }
    }

    fn seconds(&self, work: &Work) -> f64 {
        OPENING + self.compiling(work) + work.seconds_of_gpu()
    }
}

impl Prediction {
    /// Predicts the times of some work of a model on a host with this number of threads, if its backend is there, and
    /// on GPUs of these backends.
    pub(crate) fn new<'b>(
        (model, work): (&str, Work),
        threads: usize,
        has_host: bool,
        backends: impl Iterator<Item = &'b dyn BackendProvider>,
    ) -> Self {
        let gpu = |backend: &dyn BackendProvider| Gpu {
            backend: backend.name().to_owned(),
            is_compiled: backend.are_compiled(model),
        };
        Prediction { work, threads, has_host, gpus: backends.map(gpu).collect() }
    }

    /// Returns the seconds on the host; `None` without its backend.
    #[must_use]
    pub fn host(&self) -> Option<f64> {
        self.has_host.then(|| self.work.seconds_of_host(self.threads))
    }

    /// Returns the seconds on a GPU of its own memory by this backend; `None` for a backend without GPUs.
    #[must_use]
    pub fn gpu(&self, backend: &str) -> Option<f64> {
        self.gpus.iter().find(|gpu| gpu.backend == backend).map(|gpu| gpu.seconds(&self.work))
    }

    /// Returns the reason to take the host without a look at other devices, if none can be faster.
    #[must_use]
    pub fn host_before_all(&self) -> Option<String> {
        let least = self.gpus.iter().map(|gpu| gpu.seconds(&self.work)).reduce(f64::min);
        self.reason(self.host()?, least?)
    }

    /// Returns the reason to take the host rather than a device of this kind, if it is faster.
    pub(crate) fn host_before(&self, backend: &str, kind: DeviceKind) -> Option<String> {
        let factor = match kind {
            DeviceKind::DiscreteGpu => 1.0,
            DeviceKind::IntegratedGpu | DeviceKind::OtherGpu => OVER_INTEGRATED,
            _ => return None,
        };
        self.reason(self.host()?, self.gpu(backend)? + (factor - 1.0) * self.work.seconds_of_gpu())
    }

    fn reason(&self, host: f64, gpu: f64) -> Option<String> {
        // The product of an infinite time and no factor is not a number.
        (gpu.is_nan() || host <= gpu).then(|| {
            let Prediction { work, .. } = self;
            let on_gpu =
                if gpu.is_finite() { format!("{} on a GPU", s(gpu)) } else { "and no GPU runs them".to_owned() };
            format!("predicted: about {:.0} {} take {} here, {on_gpu}", work.amount(), work.unit(), s(host))
        })
    }
}

impl fmt::Display for Prediction {
    /// Writes a line for the work, the host and every backend with GPUs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Prediction { work, threads, .. } = self;
        write!(f, "predicted for about {:.0} {}, from the start of the process:", work.amount(), work.unit())?;
        if let Some(host) = self.host() {
            let plural = if *threads == 1 { "" } else { "s" };
            write!(f, "\n  host, {threads} thread{plural}: {}", s(host))?;
        }
        for gpu in &self.gpus {
            if work.seconds_of_gpu().is_infinite() {
                write!(f, "\n  a GPU by {}: does not run this", gpu.backend)?;
                continue;
            }
            let compiling = match gpu.compiling(work) {
                0.0 => "kernels are compiled".to_owned(),
                seconds => format!("{} to compile kernels", s(seconds)),
            };
            let (all, run) = (s(gpu.seconds(work)), s(work.seconds_of_gpu()));
            write!(
                f,
                "\n  a GPU by {}: {all} ({} to open it, {compiling}, {run} for the run)",
                gpu.backend,
                s(OPENING)
            )?;
        }
        Ok(())
    }
}

/// Writes seconds as people read them.
fn s(seconds: f64) -> String {
    match seconds {
        _ if seconds < 0.01 => "less than 0.01 s".to_owned(),
        _ if seconds < 10.0 => format!("{seconds:.2} s"),
        _ => format!("{seconds:.0} s"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use imminent_core::WorkUnit;

    const EVENTS: WorkUnit = WorkUnit::new("events", 10e6);

    fn predicted(amount: f64, gpu_s: f64, threads: usize, compiled: &str) -> Prediction {
        let work = Work::new(EVENTS, amount).on_gpu(gpu_s).compiling(2.0);
        let gpu = |backend: &str| Gpu { backend: backend.to_owned(), is_compiled: backend == compiled };
        Prediction { work, threads, has_host: true, gpus: ["opencl", "cuda"].map(gpu).into() }
    }

    #[test]
    fn a_first_run_needs_more_work_than_a_later_one_to_be_worth_a_gpu() {
        let first = predicted(10e6, 0.1, 1, "");
        assert_eq!((first.host(), first.gpu("cuda"), first.gpu("cpu")), (Some(1.0), Some(2.5), None));
        assert!(first.host_before_all().unwrap().contains("10000000 events take 1.00 s here, 2.50 s on a GPU"));
        let later = predicted(10e6, 0.1, 1, "cuda");
        assert_eq!(later.host_before_all(), None);
        assert_eq!(later.host_before("cuda", DeviceKind::DiscreteGpu), None);
        assert!(later.host_before("opencl", DeviceKind::DiscreteGpu).is_some());
        // A GPU of a laptop takes 4 s for it, and the interface of a driver on the CPU is no GPU.
        assert!(later.host_before("cuda", DeviceKind::IntegratedGpu).is_some());
        assert_eq!(later.host_before("cuda", DeviceKind::CpuDevice), None);
        // More threads do it before a GPU is open.
        assert!(predicted(10e6, 0.1, 16, "cuda").host_before_all().is_some());
    }

    #[test]
    fn work_that_no_gpu_runs_is_for_the_host() {
        let hosts = predicted(1e12, f64::INFINITY, 1, "cuda");
        let why = hosts.host_before_all().unwrap();
        assert!(why.ends_with("events take 100000 s here, and no GPU runs them"), "{why}");
        assert_eq!(hosts.host_before("cuda", DeviceKind::DiscreteGpu), Some(why));
        assert!(hosts.to_string().ends_with("\n  a GPU by cuda: does not run this"), "{hosts}");
    }

    #[test]
    fn the_lines_of_a_prediction_tell_their_parts() {
        assert_eq!(
            predicted(10e6, 0.1, 1, "cuda").to_string(),
            "predicted for about 10000000 events, from the start of the process:\n  host, 1 thread: 1.00 s\n  \
             a GPU by opencl: 2.50 s (0.40 s to open it, 2.00 s to compile kernels, 0.10 s for the run)\n  \
             a GPU by cuda: 0.50 s (0.40 s to open it, kernels are compiled, 0.10 s for the run)"
        );
    }
}
