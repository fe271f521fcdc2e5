//! Interface between engines and event models.

use super::device::{Side, Tables};
use super::event_types::{EventTypes, First, Scheduled};
use super::host_rows::HostRows;
use super::kernels::links::OutLinks;
use super::kernels::list::{EventList, Plan, Terms};
use super::kernels::speculation::Reach;
use imminent_core::{Kernel, ModuleSource, Output, Program, ProgramBuilder, Queue, Result, Scalar, Selection, Table};

/// Event model, as [`event_model!`](crate::event_model) generates it from a user's handlers. Do not implement it by
/// hand.
pub trait Events: EventTypes {
    /// Lanes of the groups that prepare events; 0 if the model prepares none.
    const LANES: usize = 0;

    /// Groups per module. Events that module `n` scheduled are prepared by group `n` modulo this number.
    const GROUPS: usize = 0;

    /// `true` if the model is declared `optimistic`, so that modules can execute events speculatively.
    const IS_OPTIMISTIC: bool = false;

    /// Names of the kinds of events.
    const NAMES: &'static [&'static str];

    /// Returns the module with the kernels.
    fn kernels() -> &'static ModuleSource;

    /// Converts an initial event, with its rank among those of the same time.
    fn first(event: &First<Self>, tie: u64) -> Scheduled<Self>;

    /// Adds an event to the list of its module, which has room for it.
    fn expect(list: &mut EventList, payloads: &mut Self::Payloads, event: &Scheduled<Self>);

    /// Passes the pending events of a list to `each`, in no order.
    fn pending(list: &EventList, payloads: &Self::Payloads, each: impl FnMut(Scheduled<Self>));

    /// Executes an event on the host, and passes the events that its handler schedules to `scheduled`. The rows
    /// are empty before and after.
    fn happen(
        event: &Scheduled<Self>,
        me: &mut Self::Module,
        point: &Self::Point,
        host_rows: &mut HostRows<Self>,
        links: &OutLinks,
        terms: &Terms,
        scheduled: impl FnMut(Scheduled<Self>),
    );

    /// Creates the request for an event, or an empty request.
    fn request(event: Option<&Scheduled<Self>>) -> Self::Request;

    /// Executes the requests of all modules. Their lists and the first table of posts are empty before and after.
    ///
    /// # Errors
    /// Errors of the device.
    fn execute(
        queue: &Queue,
        tables: &mut Tables<Self>,
        requests: &Table<Self::Request>,
        responses: &mut Table<Self::Response>,
    ) -> Result<()>;

    /// Passes each event that a response contains to `each`.
    fn scheduled(response: &Self::Response, each: impl FnMut(Scheduled<Self>));

    /// Returns the error in a response: a constant of [`order`](crate::kernels::order); 0 if there was none.
    fn trouble_of(response: &Self::Response) -> u32;

    /// Records a step of all modules, or of the listed ones; the lists of a step contain each module once. Modules
    /// receive the messages of the last delivery, and send others. The result is the greatest outcome, a constant of
    /// [`list`](crate::kernels::list).
    ///
    /// # Errors
    /// Errors of the device.
    fn record_step(
        step: &mut ProgramBuilder,
        tables: &mut Tables<Self>,
        listed: Option<&Selection>,
        plan: &Plan,
    ) -> Result<Scalar<u32>>;

    /// Records the first stage of a step: all modules, or the listed ones, execute their safe events and send others.
    /// They have received all messages.
    ///
    /// # Errors
    /// Errors of the device.
    fn record_advance(
        step: &mut ProgramBuilder,
        tables: &mut Tables<Self>,
        listed: Option<&Selection>,
        plan: &Plan,
    ) -> Result<()>;

    /// Records the second stage of a step: all modules, or the listed ones, receive the messages that the first stage
    /// sent.
    ///
    /// # Errors
    /// Errors of the device.
    fn record_receipt(step: &mut ProgramBuilder, tables: &mut Tables<Self>, listed: Option<&Selection>) -> Result<()>;

    /// Records, after a delivery, that groups prepare events, if preparing is enabled.
    ///
    /// # Errors
    /// Errors of the device.
    fn record_preparing(step: &mut ProgramBuilder, tables: &mut Tables<Self>) -> Result<()>;

    /// Records the rounds of a time window of all simulations, and its commit. Returns the verdict of the last round, a
    /// constant of [`speculation`](crate::kernels::speculation); `None` if the model is not optimistic.
    ///
    /// # Errors
    /// Errors of the device.
    fn record_window(
        step: &mut ProgramBuilder,
        tables: &mut Tables<Self>,
        plan: &Plan,
        reach: &Reach,
    ) -> Result<Option<Scalar<u32>>> {
        let _ = (step, tables, plan, reach);
        Ok(None)
    }

    /// Sets the limits of the steps of a program that was recorded with these tables; `in_stages` if they have two
    /// stages.
    ///
    /// # Errors
    /// Errors of the device.
    fn set_plan(program: &mut Program, plan: &Plan, tables: &Tables<Self>, in_stages: bool) -> Result<()>;

    /// Adds all delivered messages to the lists, between two steps.
    ///
    /// # Errors
    /// Errors of the device.
    fn receive(tables: &mut Tables<Self>) -> Result<()>;

    /// Adds late messages to lists that have been enlarged.
    ///
    /// # Errors
    /// Errors of the device.
    fn catch_up(tables: &mut Tables<Self>, side: Side) -> Result<()>;
}

/// Records a launch over the rows of a list, or over all rows.
///
/// # Errors
/// As for [`ProgramBuilder::launch`].
#[doc(hidden)]
pub fn launch_listed<K: Kernel>(
    step: &mut ProgramBuilder,
    listed: Option<&Selection>,
    args: K::Args<'_>,
) -> Result<Scalar<K::Output>>
where
    K::Output: Output,
{
    match listed {
        Some(listed) => step.launch_over::<K>(listed, args),
        None => step.launch::<K>(args),
    }
}
