//! Bandwidth of a device's memory and of transfers, and cost of a launch, by a few short launches.
//!
//! A process of its own takes them, and writes a line of JSON with the figures so far after each.

use crate::child;
use imminent::{DeviceInfo, DeviceSelection, Result, Table};
use imminent_console::Failure;
use imminent_console::backends::backends;
use serde::{Deserialize, Serialize};
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Numbers in the table that is measured: 32 MiB.
const NUMBERS: usize = 1 << 23;

/// Launches of which the cost is the mean.
const LAUNCHES: u32 = 100;

/// Time that a device has in any case, for drivers that compile for seconds.
const LEAST_TIME: Duration = Duration::from_secs(10);

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
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
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

/// Returns the time for the figures of one device: a quarter of what is left, so that others have some too.
pub(super) fn share(left: Duration) -> Duration {
    LEAST_TIME.max(left / 4)
}

/// Measures a device in this process.
pub(super) fn write_lines(device: &DeviceSelection) -> std::result::Result<(), Failure> {
    let mut measures = Measures::default();
    measures.error = measures.take(device).err().map(|error| error.to_string());
    child::say(&measures)
}

impl Measures {
    /// Measures a device in a process of its own, which is ended after a time.
    pub(super) fn of(info: &DeviceInfo, time: Duration) -> Measures {
        let taken = child::program().map(|mut program| {
            program.args(["doctor", "--only-measure", &info.backend, &info.index.to_string()]);
            Measures::written(program, time)
        });
        taken.unwrap_or_else(|error| Measures { error: Some(error), ..Measures::default() })
    }

    /// Returns the figures that a process writes, with an error if it does not end by itself.
    fn written(command: Command, time: Duration) -> Measures {
        let (mut measures, until) = (Measures::default(), Instant::now() + time);
        let ended = child::run(command, |lines: &Receiver<Measures>| {
            loop {
                match lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                    Ok(line) => measures = line,
                    Err(RecvTimeoutError::Timeout) => return false,
                    Err(RecvTimeoutError::Disconnected) => return true,
                }
            }
        });
        let error = match ended {
            Err(error) => Some(error),
            Ok(ended) if ended.is_late => Some(format!("it did not end within {:.0} s", time.as_secs_f64())),
            Ok(ended) if !ended.status.success() => {
                Some(format!("it ended its process ({}): {}", ended.status, ended.complaint))
            }
            Ok(_) => None,
        };
        measures.error = error.or(measures.error);
        measures
    }

    fn take(&mut self, device: &DeviceSelection) -> Result<()> {
        let device = backends().open(device)?;
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
        self.tell();
        let waited = best(|| {
            queue.launch::<touch::step>((&mut one,))?;
            queue.wait()
        })?;
        self.round_trip_seconds = Some(waited.as_secs_f64());
        self.tell();
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
        self.tell();
        let read = best(|| many.value().read().map(drop))?;
        self.read_bandwidth = Some(bytes / read.as_secs_f64().max(1e-9));
        Ok(())
    }

    /// Writes the figures so far. A reader that is gone changes none.
    fn tell(&self) {
        let _ = child::say(self);
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

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn written(script: &str, milliseconds: u64) -> Measures {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Measures::written(command, Duration::from_millis(milliseconds))
    }

    #[test]
    fn the_end_of_a_driver_is_an_error_beside_the_figures_so_far() {
        let line = r#"echo '{"launch_seconds": 0.5}'"#;
        let ended = written(&format!("{line}; echo no kernel >&2; kill -ABRT $$"), 60_000);
        let error = ended.error.unwrap_or_default();
        assert!(ended.launch_seconds == Some(0.5) && error.contains("signal: 6"), "{error}");
        assert!(error.ends_with(": no kernel"), "{error}");
        let late = written("exec sleep 600", 50);
        assert!(late.error.is_some_and(|error| error.starts_with("it did not end within")));
        let good = written(line, 60_000);
        assert_eq!((good.launch_seconds, good.error), (Some(0.5), None));
    }
}
