//! A pipeline of uploads, kernels and downloads compared with each of its stages alone.

use clap::Args;
use imminent::models::study::benchmark::Line;
use imminent::{Batch, Device, Error, Event, Pipeline, Result, Stages, Staging, Submission, Table};
use imminent_console::progress::Bar;
use kernels::{Cell, CellColumns as _, Work, stir};
use serde::Serialize;
use std::time::{Duration, Instant};

#[imminent::kernels]
mod kernels {
    #[derive(Row)]
    pub struct Cell {
        pub value: u32,
    }

    #[derive(Params)]
    pub struct Work {
        pub rounds: u32,
    }

    /// Performs a number of steps of a linear congruential generator.
    #[kernel]
    pub fn stir(me: &mut Cell, work: &Work) {
        let mut value = me.value;
        for _ in 0..work.rounds {
            value = value * 1_664_525 + 1_013_904_223;
        }
        me.value = value;
    }
}

/// Size of the pipeline's work.
#[derive(Debug, Args)]
pub(super) struct Options {
    /// Size of an item, in MiB.
    #[arg(long, default_value_t = 16, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=4096))]
    size: u32,
    /// Number of items that pass through it; at most `--slots` are in flight at a time.
    #[arg(long, default_value_t = 30, value_name = "N", value_parser = clap::value_parser!(u32).range(4..=100_000))]
    items: u32,
    /// Number of items in flight at a time.
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=64))]
    slots: u32,
}

/// Measurements of a pipeline.
#[derive(Debug, Serialize)]
pub(super) struct Overlap {
    case: &'static str,
    /// Bytes of an item, in each direction.
    bytes: u64,
    items: u32,
    /// Median time of an item in seconds, for each stage alone and for the pipeline.
    upload_s: f64,
    execute_s: f64,
    download_s: f64,
    pipeline_s: f64,
    slowest: &'static str,
    /// Time of the slowest stage over the pipeline's: median of the pairs, and their quartiles.
    share_of_slowest: f64,
    quartiles: [f64; 2],
    /// Sum of the times of the three stages over the pipeline's: median of the pairs.
    gain: f64,
    pairs: usize,
}

impl Line for Overlap {
    const HEAD: &'static [&'static str] = &[
        "case",
        "MiB",
        "ms an item: upload",
        "kernels",
        "download",
        "pipeline",
        "share of the slowest alone",
        "half of the pairs",
        "gain over one by one",
    ];

    fn cells(&self) -> Vec<String> {
        let ms = |seconds: f64| format!("{:.3}", seconds * 1e3);
        vec![
            self.case.to_owned(),
            (self.bytes >> 20).to_string(),
            ms(self.upload_s),
            ms(self.execute_s),
            ms(self.download_s),
            ms(self.pipeline_s),
            format!("{:.3} ({})", self.share_of_slowest, self.slowest),
            format!("{:.3} to {:.3}", self.quartiles[0], self.quartiles[1]),
            format!("{:.2}", self.gain),
        ]
    }
}

/// Stages through which an item passes.
#[derive(Clone, Copy)]
struct Through {
    upload: bool,
    execute: bool,
    download: bool,
}

const UPLOAD: Through = Through { upload: true, execute: false, download: false };
const EXECUTE: Through = Through { upload: false, execute: true, download: false };
const DOWNLOAD: Through = Through { upload: false, execute: false, download: true };
const ALL: Through = Through { upload: true, execute: true, download: true };

/// Items that are processed on the device.
struct Stirring {
    through: Through,
    work: Work,
}

struct Slot {
    table: Table<Cell>,
    full: Option<Staging<u32>>,
    sent: Option<Submission<Staging<u32>>>,
    executed: Option<Event>,
    empty: Option<Staging<u32>>,
    coming: Option<Submission<Staging<u32>>>,
}

impl Slot {
    fn new(device: &Device, rows: usize) -> Result<Slot> {
        let mut full = device.staging(rows)?;
        full.iter_mut().zip(0..).for_each(|(to, value)| *to = value);
        let empty = Some(device.staging(rows)?);
        let table = Table::zeroed(device, rows)?;
        Ok(Slot { table, full: Some(full), sent: None, executed: None, empty, coming: None })
    }
}

impl Batch for Stirring {
    type Input = ();
    type Output = ();
    type Slot = Slot;

    fn upload(&mut self, stages: &Stages, slot: &mut Slot, (): ()) -> Result<()> {
        if let (true, Some(full)) = (self.through.upload, slot.full.take()) {
            slot.sent = Some(slot.table.value().upload(&stages.upload, 0..full.len(), full)?);
        }
        Ok(())
    }

    fn execute(&mut self, stages: &Stages, slot: &mut Slot) -> Result<()> {
        if self.through.execute {
            stages.execute.launch::<stir>((&mut slot.table, &self.work))?;
            slot.executed = Some(stages.execute.signal()?);
        }
        Ok(())
    }

    fn download(&mut self, stages: &Stages, slot: &mut Slot) -> Result<()> {
        if let (true, Some(empty)) = (self.through.download, slot.empty.take()) {
            slot.coming = Some(slot.table.value().download(&stages.download, 0..empty.len(), empty)?);
        }
        Ok(())
    }

    fn finish(&mut self, slot: &mut Slot) -> Result<()> {
        if let Some(sent) = slot.sent.take() {
            slot.full = Some(sent.wait()?);
        }
        if let Some(executed) = slot.executed.take() {
            executed.wait();
        }
        if let Some(coming) = slot.coming.take() {
            slot.empty = Some(coming.wait()?);
        }
        Ok(())
    }
}

struct Bench<'d> {
    device: &'d Device,
    rows: usize,
    items: u32,
    slots: u32,
}

impl Bench<'_> {
    /// Measures the seconds of an item that passes through these stages, after a warm-up.
    fn seconds(&self, through: Through, rounds: u32) -> Result<f64> {
        let slots = (0..self.slots).map(|_| Slot::new(self.device, self.rows)).collect::<Result<Vec<_>>>()?;
        let mut pipeline = Pipeline::new(self.device, Stirring { through, work: Work { rounds } }, slots)?;
        let mut run = |items| {
            let clock = Instant::now();
            for _ in 0..items {
                pipeline.push(())?;
            }
            while pipeline.pop()?.is_some() {}
            Ok::<_, Error>(clock.elapsed().as_secs_f64() / f64::from(items))
        };
        run(self.slots)?;
        let seconds = run(self.items)?;
        pipeline.stages().execute.wait()?;
        Ok(seconds)
    }

    /// Returns the number of rounds for which a kernel takes three times as long as the slower transfer.
    fn rounds(&self) -> Result<u32> {
        let transfer = self.seconds(UPLOAD, 1)?.max(self.seconds(DOWNLOAD, 1)?);
        let mut rounds = 64;
        loop {
            let kernel = self.seconds(EXECUTE, rounds)?;
            if kernel >= 2.5 * transfer || rounds >= 1 << 24 {
                return Ok(rounds);
            }
            rounds = (f64::from(rounds) * (3.0 * transfer / kernel).clamp(1.1, 16.0)) as u32;
        }
    }

    /// Measures the stages and the pipeline alternately, for about the given time.
    fn overlap(&self, case: &'static str, rounds: u32, budget: Duration) -> Result<Overlap> {
        let mut pairs = Vec::new();
        let begin = Instant::now();
        while pairs.len() < 5 || begin.elapsed() < budget {
            let mut pair = [0.0; 4];
            for (seconds, through) in pair.iter_mut().zip([UPLOAD, EXECUTE, DOWNLOAD, ALL]) {
                *seconds = self.seconds(through, rounds)?;
            }
            pairs.push(pair);
        }
        let quarters = |of: fn(&[f64; 4]) -> f64| {
            let mut values: Vec<f64> = pairs.iter().map(of).collect();
            values.sort_by(f64::total_cmp);
            [1, 2, 3].map(|part| values[(values.len() - 1) * part / 4])
        };
        let [upload_s, execute_s, download_s, pipeline_s] =
            [quarters(|p| p[0])[1], quarters(|p| p[1])[1], quarters(|p| p[2])[1], quarters(|p| p[3])[1]];
        let (slowest, _) = [("upload", upload_s), ("kernels", execute_s), ("download", download_s)]
            .into_iter()
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .unwrap_or_default();
        let [low, share_of_slowest, high] = quarters(|p| p[0].max(p[1]).max(p[2]) / p[3]);
        Ok(Overlap {
            case,
            bytes: self.rows as u64 * 4,
            items: self.items,
            upload_s,
            execute_s,
            download_s,
            pipeline_s,
            slowest,
            share_of_slowest,
            quartiles: [low, high],
            gain: quarters(|p| (p[0] + p[1] + p[2]) / p[3])[1],
            pairs: pairs.len(),
        })
    }
}

/// Measures a pipeline dominated by transfers, and one dominated by kernels.
pub(super) fn measure(device: &Device, budget: Duration, options: &Options) -> Result<Vec<Overlap>> {
    let bench = Bench { device, rows: (options.size as usize) << 18, items: options.items, slots: options.slots };
    let bar = Bar::new(3, "parts");
    bar.say("transfer-bound".to_owned());
    let transfer = bench.overlap("transfer-bound", 1, budget)?;
    bar.done(1);
    bar.say("how much work outweighs the transfers".to_owned());
    let rounds = bench.rounds()?;
    bar.done(2);
    bar.say("compute-bound".to_owned());
    Ok(vec![transfer, bench.overlap("compute-bound", rounds, budget)?])
}
