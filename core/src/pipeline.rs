//! Batches that are uploaded, executed and downloaded, each stage beside the others.

use crate::device::Device;
use crate::error::{Error, Result};
use crate::queue::{Event, Queue};
use std::collections::VecDeque;

/// The three queues of a [`Pipeline`], as one of its stages sees them.
#[derive(Clone, Debug)]
pub struct Stages {
    /// Where uploads go.
    pub upload: Queue,
    /// Where kernels run.
    pub execute: Queue,
    /// Where downloads go.
    pub download: Queue,
}

/// What a model does with one item of a [`Pipeline`].
///
/// `Slot` holds what one item under way needs: its tables on the device, and staging where the model keeps it. A slot is used
/// for one item at a time, and for the next when [`Batch::finish`] has returned.
pub trait Batch {
    /// What goes in.
    type Input;
    /// What comes out.
    type Output;
    /// What an item under way needs.
    type Slot;

    /// Puts the uploads of an item on `stages.upload`. Should not wait.
    ///
    /// # Errors
    /// Whatever goes wrong.
    fn upload(&mut self, stages: &Stages, slot: &mut Self::Slot, input: Self::Input) -> Result<()>;

    /// Puts the launches of an item on `stages.execute`. Should not wait.
    ///
    /// # Errors
    /// Whatever goes wrong.
    fn execute(&mut self, stages: &Stages, slot: &mut Self::Slot) -> Result<()>;

    /// Puts the downloads of an item on `stages.download` and keeps their submissions in the slot. Should not wait.
    ///
    /// # Errors
    /// Whatever goes wrong.
    fn download(&mut self, stages: &Stages, slot: &mut Self::Slot) -> Result<()>;

    /// Waits for the downloads and gives the outcome.
    ///
    /// # Errors
    /// Those of the transfers, and of the kernels before them.
    fn finish(&mut self, slot: &mut Self::Slot) -> Result<Self::Output>;
}

/// Several items under way on a device: while one is downloaded, the next is executed and the one after it uploaded.
///
/// Each stage has a queue of its own, and the stages of an item come one after another because they use the same memory. So
/// the time of a long run is that of its slowest stage, as long as there are slots enough: three, or more where
/// the stages' times vary.
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
    /// Items under way, the oldest first, with the ends of their stages.
    under_way: VecDeque<(B::Slot, [Event; 2])>,
}

impl<B: Batch> Pipeline<B> {
    /// A pipeline with these slots: as many items are under way at a time.
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

    /// Its queues.
    #[must_use]
    pub fn stages(&self) -> &Stages {
        &self.stages
    }

    /// Items under way.
    #[must_use]
    pub fn len(&self) -> usize {
        self.under_way.len()
    }

    /// Whether no item is under way.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }

    /// Puts an item on its way. If every slot was taken, waits for the oldest item first and gives its outcome.
    ///
    /// # Errors
    /// Those of the stages. The item, or the oldest one, is then lost; its slot is used again.
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
        // Marks right behind each stage: what waits for it then waits for nothing that comes later.
        let uploaded = self.stages.upload.signal()?;
        self.batch.execute(&self.stages, slot)?;
        let executed = self.stages.execute.signal()?;
        self.batch.download(&self.stages, slot)?;
        Ok([uploaded, executed])
    }

    /// Waits for the oldest item; `None` if none is under way.
    ///
    /// # Errors
    /// Those of the item, which is then lost; its slot is used again.
    pub fn pop(&mut self) -> Result<Option<B::Output>> {
        let Some((mut slot, _)) = self.under_way.pop_front() else { return Ok(None) };
        let output = self.batch.finish(&mut slot);
        self.idle.push(slot);
        output.map(Some)
    }

    /// Takes the pipeline apart, after the items under way; their outcomes are dropped.
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
