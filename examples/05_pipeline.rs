//! A pipeline: while one batch of events runs on the device, the next is uploaded and the one before is downloaded.
//!
//! `cargo run -p imminent --example 05_pipeline`

#[imminent::kernels]
mod batch {
    /// An event of a service centre: when it arrives, and how long the service takes.
    #[derive(Row)]
    pub struct Event {
        pub arrival: u64,
        pub service: u64,
        pub departure: u64,
    }

    /// Serves every event by itself.
    #[kernel]
    pub fn serve(me: &mut Event) {
        me.departure = me.arrival + me.service;
    }
}

use batch::{Event, EventColumns as _, serve};
use imminent::{Batch, Device, DeviceSelection, Pipeline, Stages, Staging, Submission, Table};

/// Events of a batch.
const EVENTS: usize = 100_000;

/// Resources of one batch in progress: its table, and staging for the columns that are moved.
struct Slot {
    events: Table<Event>,
    arrivals: Option<Staging<u64>>,
    uploading: Option<Submission<Staging<u64>>>,
    departures: Option<Staging<u64>>,
    downloading: Option<Submission<Staging<u64>>>,
}

impl Slot {
    fn new(device: &Device) -> imminent::Result<Slot> {
        let rows = vec![Event { arrival: 0, service: 7, departure: 0 }; EVENTS];
        Ok(Slot {
            events: Table::from_rows(device, &rows)?,
            arrivals: Some(device.staging(EVENTS)?),
            uploading: None,
            departures: Some(device.staging(EVENTS)?),
            downloading: None,
        })
    }
}

/// The model: a batch comes in as the time of its first arrival, and goes out as the time of its last departure.
struct Centre;

impl Batch for Centre {
    type Input = u64;
    type Output = u64;
    type Slot = Slot;

    fn upload(&mut self, stages: &Stages, slot: &mut Slot, first: u64) -> imminent::Result<()> {
        if let Some(mut arrivals) = slot.arrivals.take() {
            arrivals.iter_mut().zip(first..).for_each(|(arrival, time)| *arrival = time);
            slot.uploading = Some(slot.events.arrival().upload(&stages.upload, 0..EVENTS, arrivals)?);
        }
        Ok(())
    }

    fn execute(&mut self, stages: &Stages, slot: &mut Slot) -> imminent::Result<()> {
        stages.execute.launch::<serve>((&mut slot.events,)).map(drop)
    }

    fn download(&mut self, stages: &Stages, slot: &mut Slot) -> imminent::Result<()> {
        if let Some(departures) = slot.departures.take() {
            slot.downloading = Some(slot.events.departure().download(&stages.download, 0..EVENTS, departures)?);
        }
        Ok(())
    }

    fn finish(&mut self, slot: &mut Slot) -> imminent::Result<u64> {
        slot.arrivals = slot.uploading.take().map(Submission::wait).transpose()?;
        slot.departures = slot.downloading.take().map(Submission::wait).transpose()?;
        Ok(slot.departures.as_ref().and_then(|departures| departures.last().copied()).unwrap_or(0))
    }
}

fn main() -> imminent::Result<()> {
    let device = imminent::open(&DeviceSelection::default())?;
    let slots = (0..3).map(|_| Slot::new(&device)).collect::<imminent::Result<Vec<_>>>()?;
    let mut pipeline = Pipeline::new(&device, Centre, slots)?;
    let mut last = Vec::new();
    for batch in 0..20 {
        last.extend(pipeline.push(batch * EVENTS as u64)?);
    }
    while let Some(departure) = pipeline.pop()? {
        last.push(departure);
    }
    println!("{} batches; the last departures of the first three: {:?}", last.len(), &last[..3]);
    let memory = device.memory();
    println!("{} bytes in use, {} at most", memory.current, memory.peak);
    Ok(())
}
