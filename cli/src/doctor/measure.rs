//! Bandwidth of a device's memory and of transfers, and cost of a launch, by a few short launches.

use imminent::{DeviceInfo, DeviceSelection, Result, Table};
use imminent_console::backends::backends;
use serde::Serialize;
use std::time::{Duration, Instant};

/// Numbers in the table that is measured: 32 MiB.
const NUMBERS: usize = 1 << 23;

/// Launches of which the cost is the mean.
const LAUNCHES: u32 = 100;

/// Repetitions, of which the best counts.
const ROUNDS: u32 = 3;

#[imminent::kernels]
mod touch {
    /// A number.
    #[derive(Row)]
    pub struct Number {
        pub value: u32,
    }

    /// Reads and writes the number.
    #[kernel]
    pub fn step(me: &mut Number) {
        me.value += 1;
    }
}

use touch::{Number, NumberColumns as _};

/// Measured figures of a device, or the error that ended the measurement.
#[derive(Debug, Default, Serialize)]
pub(super) struct Measures {
    /// Bytes per second that a kernel reads and writes.
    pub(super) memory_bandwidth: Option<f64>,
    /// Bytes per second of a transfer to the host.
    pub(super) read_bandwidth: Option<f64>,
    /// Seconds of a launch over one row, in a row of launches.
    pub(super) launch_seconds: Option<f64>,
    /// Seconds of a launch over one row with a wait for its end.
    pub(super) round_trip_seconds: Option<f64>,
    pub(super) error: Option<String>,
}

impl Measures {
    /// Measures a device.
    pub(super) fn of(info: &DeviceInfo) -> Measures {
        let mut measures = Measures::default();
        measures.error = measures.take(info).err().map(|error| error.to_string());
        measures
    }

    fn take(&mut self, info: &DeviceInfo) -> Result<()> {
        let device = backends().open(&DeviceSelection::backend(&info.backend).device(info.index))?;
        let queue = device.queue();
        let mut one = Table::<Number>::zeroed(&device, 1)?;
        // The first launch compiles the kernel.
        queue.launch::<touch::step>((&mut one,))?;
        queue.wait()?;
        let launches = best(|| {
            for _ in 0..LAUNCHES {
                queue.launch::<touch::step>((&mut one,))?;
            }
            queue.wait()
        })?;
        self.launch_seconds = Some(launches.as_secs_f64() / f64::from(LAUNCHES));
        let waited = best(|| {
            queue.launch::<touch::step>((&mut one,))?;
            queue.wait()
        })?;
        self.round_trip_seconds = Some(waited.as_secs_f64());
        let fitting = device.capabilities().limits.column_bytes / 4;
        let numbers = NUMBERS.min(usize::try_from(fitting).unwrap_or(NUMBERS));
        let mut many = Table::<Number>::zeroed(&device, numbers)?;
        queue.wait()?;
        let bytes = numbers as f64 * 4.0;
        let kernel = best(|| {
            queue.launch::<touch::step>((&mut many,))?;
            queue.wait()
        })?;
        self.memory_bandwidth = Some(2.0 * bytes / kernel.as_secs_f64().max(1e-9));
        let read = best(|| many.value().read().map(drop))?;
        self.read_bandwidth = Some(bytes / read.as_secs_f64().max(1e-9));
        Ok(())
    }
}

/// Returns the shortest time of some work.
fn best(mut work: impl FnMut() -> Result<()>) -> Result<Duration> {
    let mut shortest = Duration::MAX;
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        work()?;
        shortest = shortest.min(begun.elapsed());
    }
    Ok(shortest)
}
