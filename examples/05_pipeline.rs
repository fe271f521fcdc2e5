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
use imminent::{Batch, Device, DeviceSelection, Pipeline, Result, Stages, Staging, Submission, Table};

const EVENTS: usize = 100_000;

/// A batch in progress: its table, and page-locked memory for what comes back.
struct Slot {
    events: Table<Event>,
    departures: Option<Submission<Staging<u64>>>,
}

fn slot(device: &Device) -> Result<Slot> {
    let events = Table::from_rows(device, &vec![Event { arrival: 0, service: 7, departure: 0 }; EVENTS])?;
    Ok(Slot { events, departures: None })
}

/// The model: a batch comes in as the time of its first arrival, and goes out as the time of its last departure.
struct Centre;

impl Batch for Centre {
    type Input = u64;
    type Output = u64;
    type Slot = Slot;

    fn upload(&mut self, stages: &Stages, slot: &mut Slot, first: u64) -> Result<()> {
        let mut arrivals = stages.upload.device().staging(EVENTS)?; // from a pool; goes back when the device is done
        arrivals.iter_mut().zip(first..).for_each(|(arrival, time)| *arrival = time);
        slot.events.arrival().upload(&stages.upload, 0..EVENTS, arrivals).map(drop)
    }

    fn execute(&mut self, stages: &Stages, slot: &mut Slot) -> Result<()> {
        stages.execute.launch::<serve>((&mut slot.events,)).map(drop)
    }

    fn download(&mut self, stages: &Stages, slot: &mut Slot) -> Result<()> {
        let departures = stages.download.device().staging(EVENTS)?;
        slot.departures = Some(slot.events.departure().download(&stages.download, 0..EVENTS, departures)?);
        Ok(())
    }

    fn finish(&mut self, slot: &mut Slot) -> Result<u64> {
        let departures = slot.departures.take().map(Submission::wait).transpose()?;
        Ok(departures.and_then(|departures| departures.last().copied()).unwrap_or(0))
    }
}

fn main() -> Result<()> {
    let device = imminent::open(&DeviceSelection::default())?;
    let mut pipeline = Pipeline::new(&device, Centre, vec![slot(&device)?, slot(&device)?, slot(&device)?])?;
    let mut departures = Vec::new();
    for batch in 0..20 {
        departures.extend(pipeline.push(batch * EVENTS as u64)?); // a finished batch, once all slots are in use
    }
    while let Some(departure) = pipeline.pop()? {
        departures.push(departure);
    }
    println!("last departure of each batch: {departures:?}");
    Ok(())
}
