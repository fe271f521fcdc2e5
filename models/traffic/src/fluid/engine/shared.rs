//! The engine's side of shared queues: bytes of packets come in, and notes go out.

use super::super::kernels::meeting::{
    NOWHERE, Note, NoteColumns as _, PacketQueue, Packets, PacketsColumns as _, join, note,
};
use super::super::{Number, wide};
use super::{Engine, launch_all};
use crate::fluid::FluidError;
use imminent_core::clock::Instant;
use imminent_core::{Device, Error, Program, Queue, Staging, Submission, Table};
use std::time::Duration;

/// Data that shared queues of an engine exchange with packets.
///
/// A program holds one launch of each kernel, and the last one writes notes. A batch submits it once per launch. The
/// download of the notes follows each launch on the same queue, so its reader waits for that launch and no later one.
/// Each download owns its staging memory until it is done.
#[derive(Debug)]
pub(crate) struct SharedQueues {
    queue: Queue,
    /// Number of shared queues.
    count: usize,
    places: Table<PacketQueue>,
    packets: Table<Packets>,
    joining: Option<Submission<Staging<Number>>>,
    notes: Table<Note>,
    /// Program of a launch, and the number of times that measuring had begun when it was recorded.
    program: Option<(u32, Program)>,
    launches: Vec<Launch>,
    /// Time spent on enqueueing transfers.
    transfers: Duration,
}

/// Notes of one launch of a batch, on the host.
#[derive(Debug)]
struct Launch {
    staging: Option<Staging<Number>>,
    download: Option<Submission<Staging<Number>>>,
}

impl Launch {
    fn new(device: &Device, notes: usize) -> Result<Self, FluidError> {
        Ok(Launch { staging: Some(device.staging(notes)?), download: None })
    }
}

impl SharedQueues {
    /// Prepares the queues of `links`, which must all belong to the engine, for batches of `launches` launches.
    pub(in crate::fluid) fn new(engine: &Engine, links: &[u32], launches: u32) -> Result<Self, FluidError> {
        let device = &engine.device;
        let rows = |link| engine.links.binary_search(link).map_or(NOWHERE, |row| row as u32);
        let queues: Vec<u32> = links.iter().map(rows).collect();
        let mut places = vec![PacketQueue { listed: NOWHERE }; engine.links.len()];
        for (listed, &queue) in (0..).zip(&queues) {
            if let Some(place) = places.get_mut(queue as usize) {
                place.listed = listed;
            }
        }
        let of = |step: u32, lost| queues.iter().map(move |&queue| Note { queue, step, lost, value: 0.0 });
        let notes: Vec<Note> = (0..engine.lookahead()).flat_map(|step| of(step, false).chain(of(step, true))).collect();
        Ok(SharedQueues {
            queue: device.queue(),
            count: queues.len(),
            places: Table::from_rows(device, &places)?,
            packets: Table::zeroed(device, queues.len())?,
            joining: None,
            notes: Table::from_rows(device, &notes)?,
            program: None,
            launches: (0..launches).map(|_| Launch::new(device, notes.len())).collect::<Result<_, _>>()?,
            transfers: Duration::ZERO,
        })
    }

    /// Time that the host spent on enqueueing transfers.
    pub(in crate::fluid) fn transfers(&self) -> Duration {
        self.transfers
    }

    /// Waits for a launch of the current batch, the first being 0. Reports the level and the loss of each queue at each
    /// of its steps. Each launch can be waited for once.
    pub(in crate::fluid) fn wait(&mut self, launch: u32, mut observe: impl FnMut(f64, f64)) -> Result<(), FluidError> {
        let under_way = self.launches.get_mut(launch as usize);
        let Some((staging, download)) = under_way.and_then(|it| Some((&mut it.staging, it.download.take()?))) else {
            return Err(
                Error::invalid("notes of a launch", format!("launch {launch} of the batch is not under way")).into()
            );
        };
        let values = staging.insert(download.wait()?);
        for step in values.chunks(2 * self.count.max(1)) {
            let (levels, losses) = step.split_at(step.len() / 2);
            levels.iter().zip(losses).for_each(|(&level, &loss)| observe(wide(level), wide(loss)));
        }
        Ok(())
    }
}

impl Engine {
    /// Adds the given bytes of packets to each shared queue.
    pub(in crate::fluid) fn join(&mut self, shared: &mut SharedQueues, bytes: &[u64]) -> Result<(), FluidError> {
        let began = Instant::now();
        let mut staging = match shared.joining.take() {
            Some(joined) => joined.wait()?,
            None => self.device.staging(shared.count)?,
        };
        staging.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from as Number);
        let upload = shared.packets.bytes().upload(&shared.queue, 0..shared.count, staging)?;
        shared.joining = Some(upload);
        shared.transfers += began.elapsed();
        shared.queue.launch::<join>((&mut self.tables.queues, &shared.places, &shared.packets))?;
        Ok(())
    }

    /// Enqueues a batch of launches. The download of the notes follows as soon as the queues of a launch are done.
    pub(in crate::fluid) fn launch(&mut self, shared: &mut SharedQueues) -> Result<(), FluidError> {
        self.remembers(u32::try_from(shared.launches.len()).unwrap_or(u32::MAX))?;
        let SharedQueues { queue, notes, program, launches, transfers, .. } = shared;
        let rows = notes.len();
        let program = match program {
            Some((measured, program)) if *measured == self.measured => program,
            other => {
                let (tables, net) = (&mut self.tables, &self.net);
                let recorded = Program::record(&self.device, |on| {
                    launch_all(on, tables, net, |on, passing, queues, clock| {
                        on.launch::<note>((&mut *notes, passing, queues, clock, net)).map(drop)
                    })
                })?;
                &mut other.insert((self.measured, recorded)).1
            }
        };
        for Launch { staging, download } in launches {
            program.hand_over(queue)?;
            self.launches += 1;
            let began = Instant::now();
            let into = match staging.take() {
                Some(staging) => staging,
                None => self.device.staging(rows)?,
            };
            *download = Some(notes.value().download(queue, 0..rows, into)?);
            *transfers += began.elapsed();
        }
        Ok(())
    }

    /// Enqueues the given number of launches like [`Engine::advance`], without waiting. The caller waits for the
    /// submission.
    pub(in crate::fluid) fn set_off(&mut self, launches: u32) -> Result<Submission<()>, FluidError> {
        self.remembers(launches)?;
        let queue = self.device.queue();
        let program = match &mut self.one {
            Some(program) => program,
            none => {
                let (tables, net) = (&mut self.tables, &self.net);
                none.insert(Program::record(&self.device, |on| launch_all(on, tables, net, |_, _, _, _| Ok(())))?)
            }
        };
        for _ in 0..launches {
            program.hand_over(&queue)?;
            self.launches += 1;
        }
        Ok(queue.flush()?)
    }
}
