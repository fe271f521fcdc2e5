//! Pipelines of batches: upload, execution and download of different batches overlap.

use crate::device::Device;
use crate::device::{Event, Queue};
use crate::error::{Error, Result};
use std::collections::VecDeque;

/// The three queues of a [`Pipeline`], as one of its stages sees them.
#[derive(Clone, Debug)]
pub struct Stages {
    /// Queue of uploads.
    pub upload: Queue,
    /// Queue of kernels.
    pub execute: Queue,
    /// Queue of downloads.
    pub download: Queue,
}

/// Stages of a model's work on one item of a [`Pipeline`].
///
/// `Slot` holds the resources of one item in progress: its tables on the device, and staging buffers. A slot serves one
/// item at a time, and is free for the next when [`Batch::finish`] has returned.
pub trait Batch {
    /// Input of an item.
    type Input;
    /// Result of an item.
    type Output;
    /// Resources of an item in progress.
    type Slot;

    /// Puts the uploads of an item on `stages.upload`. Should not wait.
    ///
    /// # Errors
    /// Any error of the stage.
    fn upload(&mut self, stages: &Stages, slot: &mut Self::Slot, input: Self::Input) -> Result<()>;

    /// Puts the launches of an item on `stages.execute`. Should not wait.
    ///
    /// # Errors
    /// Any error of the stage.
    fn execute(&mut self, stages: &Stages, slot: &mut Self::Slot) -> Result<()>;

    /// Puts the downloads of an item on `stages.download` and keeps their submissions in the slot. Should not wait.
    ///
    /// # Errors
    /// Any error of the stage.
    fn download(&mut self, stages: &Stages, slot: &mut Self::Slot) -> Result<()>;

    /// Waits for the downloads and returns the result.
    ///
    /// # Errors
    /// Errors of the transfers, and of the kernels before them.
    fn finish(&mut self, slot: &mut Self::Slot) -> Result<Self::Output>;
}

/// Several items in progress on a device: while one is downloaded, the next is executed and the one after it uploaded.
///
/// Each stage has its own queue. The stages of an item run one after another because they use the same memory. So the
/// time of a long run is that of its slowest stage, with enough slots: three, or more if the stages' times vary.
///
/// ```no_run
/// # use imminent_core::{Batch, Device, Pipeline, Result};
/// # fn run<B: Batch>(device: &Device, model: B, slots: Vec<B::Slot>, inputs: Vec<B::Input>) -> Result<()> {
/// let mut pipeline = Pipeline::new(device, model, slots)?;
/// for input in inputs {
///     if let Some(output) = pipeline.push(input)? { /* the outcome of an earlier item */ }
/// }
/// while let Some(output) = pipeline.pop()? { /* the last ones */ }
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Pipeline<B: Batch> {
    batch: B,
    stages: Stages,
    idle: Vec<B::Slot>,
    /// Items in progress, the oldest first, with the ends of their stages.
    under_way: VecDeque<(B::Slot, [Event; 2])>,
}

impl<B: Batch> Pipeline<B> {
    /// Creates a pipeline with these slots: as many items can be in progress at a time.
    ///
    /// # Errors
    /// [`Error::Invalid`] without a slot, errors of the driver.
    pub fn new(device: &Device, batch: B, slots: Vec<B::Slot>) -> Result<Self> {
        if slots.is_empty() {
            return Err(Error::invalid("pipeline", "it has no slots: with three each stage can have an item"));
        }
        let stages =
            Stages { upload: device.new_queue()?, execute: device.new_queue()?, download: device.new_queue()? };
        Ok(Pipeline { batch, stages, idle: slots, under_way: VecDeque::new() })
    }

    /// Returns the queues of the stages.
    #[must_use]
    pub fn stages(&self) -> &Stages {
        &self.stages
    }

    /// Returns the number of items in progress.
    #[must_use]
    pub fn len(&self) -> usize {
        self.under_way.len()
    }

    /// Returns `true` if no item is in progress.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    /// Starts an item. If every slot is taken, waits for the oldest item first and returns its result.
    ///
    /// # Errors
    /// Errors of the stages. The item, or the oldest one, is then lost; its slot is used again.
    pub fn push(&mut self, input: B::Input) -> Result<Option<B::Output>> {
        let output = if self.idle.is_empty() { self.pop()? } else { None };
        let Some(mut slot) = self.idle.pop() else { return Ok(output) };
        match self.start(&mut slot, input) {
            Ok(ends) => {
                self.under_way.push_back((slot, ends));
                Ok(output)
            }
            Err(error) => {
                self.idle.push(slot);
                Err(error)
            }
        }
    }

    fn start(&mut self, slot: &mut B::Slot, input: B::Input) -> Result<[Event; 2]> {
        self.batch.upload(&self.stages, slot, input)?;
        // Marks right behind each stage: waiting for one then waits for no later work.
        let uploaded = self.stages.upload.signal()?;
        self.batch.execute(&self.stages, slot)?;
        let executed = self.stages.execute.signal()?;
        self.batch.download(&self.stages, slot)?;
        Ok([uploaded, executed])
    }

    /// Waits for the oldest item; returns `None` if none is in progress.
    ///
    /// # Errors
    /// Errors of the item, which is then lost; its slot is used again.
    pub fn pop(&mut self) -> Result<Option<B::Output>> {
        let Some((mut slot, _)) = self.under_way.pop_front() else { return Ok(None) };
        let output = self.batch.finish(&mut slot);
        self.idle.push(slot);
        output.map(Some)
    }

    /// Dismantles the pipeline after all items in progress, and drops their results.
    ///
    /// # Errors
    /// The first error of those items.
    pub fn into_parts(mut self) -> Result<(B, Vec<B::Slot>)> {
        let mut outcome = Ok(());
        while !self.is_empty() {
            outcome = outcome.and(self.pop().map(drop));
        }
        outcome.map(|()| (self.batch, self.idle))
    }
}
