//! A pipeline: while one batch of events runs on the device, the next is uploaded and the one before is downloaded.
//!
//! `cargo run -p imminent --example 05_pipeline`

#[imminent::kernels]
mod batch {
    /// An event of a service centre, in ticks.
    #[derive(Row)]
    pub struct Event {
        pub arrival: u64,
        pub service: u64,
        pub departure: u64,
    }

    #[kernel]
    pub fn serve(me: &mut Event) {
        me.departure = me.arrival + me.service;
    }
}

use batch::{Event, EventColumns as _, serve};
use imminent::{Batch, Device, DeviceSelection, Pipeline, Stages, Staging, Submission, Table};

const EVENTS: usize = 100_000;
type Moving = Option<Submission<Staging<u64>>>;

/// A batch in progress: its table, and page-locked memory for the columns that are moved.
struct Slot {
    events: Table<Event>,
    arrivals: Option<Staging<u64>>,
    uploading: Moving,
    departures: Option<Staging<u64>>,
    downloading: Moving,
}

fn slot(device: &Device) -> imminent::Result<Slot> {
    let events = Table::from_rows(device, &vec![Event { arrival: 0, service: 7, departure: 0 }; EVENTS])?;
    let (arrivals, departures) = (Some(device.staging(EVENTS)?), Some(device.staging(EVENTS)?));
    Ok(Slot { events, arrivals, uploading: None, departures, downloading: None })
}

/// The model: a batch comes in as the time of its first arrival, and goes out as the time of its last departure.
struct Centre;

impl Batch for Centre {
    type Input = u64;
    type Output = u64;
    type Slot = Slot;

    fn upload(&mut self, stages: &Stages, slot: &mut Slot, first: u64) -> imminent::Result<()> {
        let Some(mut arrivals) = slot.arrivals.take() else { return Ok(()) };
        arrivals.iter_mut().zip(first..).for_each(|(arrival, time)| *arrival = time);
        slot.uploading = Some(slot.events.arrival().upload(&stages.upload, 0..EVENTS, arrivals)?);
        Ok(())
    }

    fn execute(&mut self, stages: &Stages, slot: &mut Slot) -> imminent::Result<()> {
        stages.execute.launch::<serve>((&mut slot.events,)).map(drop)
    }

    fn download(&mut self, stages: &Stages, slot: &mut Slot) -> imminent::Result<()> {
        let Some(departures) = slot.departures.take() else { return Ok(()) };
        slot.downloading = Some(slot.events.departure().download(&stages.download, 0..EVENTS, departures)?);
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
    let slots = (0..3).map(|_| slot(&device)).collect::<imminent::Result<Vec<_>>>()?;
    let mut pipeline = Pipeline::new(&device, Centre, slots)?;
    for batch in 0..20 {
        // A finished batch comes back as soon as all slots are in use.
        if let Some(departure) = pipeline.push(batch * EVENTS as u64)? {
            println!("last departure of a batch: {departure}");
        }
    }
    while pipeline.pop()?.is_some() {}
    Ok(())
}
