//! Limits of the language and of devices: the text and the remedy of each.

use std::fmt;

const SEVERAL_LAUNCHES: &str = "Split the rows among several tables, and launch over each";
const FEWER_TABLES: &str = "Split the kernel into several, or join tables of as many rows into one";
const SHORTER_STEPS: &str =
    "Put fewer operations into the step, or repeat by `loop_until`, whose steps are not written out";
const FEWER_CONDITIONS: &str = "Combine conditions in a kernel, and test its result";

/// Limited quantity of an [`Error::Limit`](crate::Error::Limit), with the user's own names.
///
/// `kernel` is the name of a kernel. `of` is data, such as ``a table of `Desk` ``.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are described above")]
pub enum Limit {
    /// Rows of a table or a history.
    Rows { of: String },
    /// Slots of a tally.
    Slots { of: String },
    /// Lanes of all rows of a table.
    Lanes { of: String },
    /// Lanes of all rows of a packed table.
    PackedLanes { of: String },
    /// Steps that a history keeps.
    HistorySteps { of: String },
    /// Messages between rows, from one delivery to the next.
    Messages,
    /// Bytes that a device allocates or binds at once.
    Bytes { of: String },
    /// Bytes of the packed rows of a table, or of one packed lane of all its rows.
    PackedBytes { of: String },
    /// Bytes of data that the steps of a primitive pass on.
    PartialBytes,
    /// Values of a [`Staging`](crate::Staging), of the type `scalar`.
    StagedValues { scalar: &'static str },

    /// Rows of a launch.
    LaunchRows { kernel: String },
    /// Groups of a launch.
    LaunchGroups { kernel: String },
    /// Rows of a group.
    GroupRows { kernel: String },
    /// Bytes that the rows of a group share.
    GroupBytes { kernel: String },
    /// Threads of a group for which the device has registers and shared memory.
    GroupThreads { kernel: String },
    /// Tables, tallies and results of a kernel, which the device takes by address.
    Pointers { kernel: String },
    /// Bytes of a kernel's arguments.
    ArgumentBytes { kernel: String },
    /// Storage buffers that a kernel binds, of which `own` are for the runtime.
    StorageBuffers { kernel: String, own: usize },
    /// Operations of a kernel that can raise a fault.
    KernelFaults { kernel: String },

    /// Operations that can raise a fault, in one step of a program.
    StepFaults,
    /// Operations of one step of a program.
    StepOperations,
    /// Dispatches of one step of a program.
    StepDispatches,
    /// Steps until swapped tables have their own memory again.
    SwapSteps,
    /// Loops inside one loop of a program.
    InnerLoops,
    /// Conditions of one loop of a program.
    Conditions,
    /// Tables, tallies and results that the conditions of one loop read.
    ConditionData,
    /// Bytes of the arguments of one loop's conditions.
    ConditionBytes,

    /// Work-items of a work-group, as an option of a device.
    Workgroup,
    /// Quantity of a backend or a model, which this crate does not know. `remedy` is a sentence without a full stop.
    Other { what: String, remedy: &'static str },
}

impl Limit {
    /// Returns advice on how to stay below the limit: a sentence without a full stop.
    #[must_use]
    pub fn remedy(&self) -> &'static str {
        self.texts().1
    }

    /// Returns the name of the quantity, and the remedy.
    fn texts(&self) -> (String, &'static str) {
        match self {
            Limit::Rows { of } => (format!("rows of {of}"), "Split the rows among several tables"),
            Limit::Slots { of } => (format!("slots of {of}"), "Split the slots among several tallies"),
            Limit::Lanes { of } => {
                (format!("lanes of all rows of {of}"), "Give rows less capacity, or split them among several tables")
            }
            Limit::PackedLanes { of } => (
                format!("lanes of all rows of {of}"),
                "Give rows less capacity, split them among several tables, or leave out `packed`",
            ),
            Limit::HistorySteps { of } => {
                (format!("steps of {of}"), "Give its `Reach` a smaller `past` or a smaller `ahead`")
            }
            Limit::Messages => ("messages between rows".into(), "Use fewer rows, or give each room for fewer messages"),
            Limit::Bytes { of } => (
                format!("bytes of {of}"),
                "Use fewer rows, lanes or slots, or split the data among several tables or tallies",
            ),
            Limit::PackedBytes { of } => (
                format!("bytes of the packed rows or of a packed lane of {of}"),
                "Use fewer rows, split them among several tables, or leave out `packed`",
            ),
            Limit::PartialBytes => (
                "bytes of the partial results of a primitive".into(),
                "Split the rows among several tables, and combine the results",
            ),
            Limit::StagedValues { scalar } => {
                (format!("values of a staging of `{scalar}`"), "Transfer the values in several parts")
            }
            Limit::LaunchRows { kernel } => (format!("rows of a launch of kernel `{kernel}`"), SEVERAL_LAUNCHES),
            Limit::LaunchGroups { kernel } => (format!("groups of a launch of kernel `{kernel}`"), SEVERAL_LAUNCHES),
            Limit::GroupRows { kernel } => {
                (format!("rows of a group of kernel `{kernel}`"), "Give the kernel a smaller `group` or `tile`")
            }
            Limit::GroupBytes { kernel } => (
                format!("bytes that a group of kernel `{kernel}` shares, as the device aligns them"),
                "Give the kernel smaller scratch arrays, or a smaller `group` or `tile`",
            ),
            Limit::GroupThreads { kernel } => (
                format!("threads of a group of kernel `{kernel}`, given its registers and shared memory"),
                "Split the kernel into several, or give it smaller arrays, or a smaller `group` or `tile`",
            ),
            Limit::Pointers { kernel } => (format!("tables, tallies and results of kernel `{kernel}`"), FEWER_TABLES),
            Limit::ArgumentBytes { kernel } => (
                format!("bytes of the arguments of kernel `{kernel}`, a pointer for each table and tally"),
                FEWER_TABLES,
            ),
            Limit::StorageBuffers { kernel, own } => (
                format!(
                    "storage buffers of kernel `{kernel}`, one for each tally and each buffer of tables, and {own} for \
                     the runtime"
                ),
                "Split the kernel into several that use fewer tables and tallies, or use tables of fewer rows",
            ),
            Limit::KernelFaults { kernel } => {
                (format!("operations of kernel `{kernel}` that can raise a fault"), "Split the kernel into several")
            }
            Limit::StepFaults => (
                "operations that can raise a fault in one step of a program, repetitions written out".into(),
                SHORTER_STEPS,
            ),
            Limit::StepOperations => {
                ("operations of one step of a program, repetitions written out".into(), SHORTER_STEPS)
            }
            Limit::StepDispatches => {
                ("dispatches of one step of a program, repetitions written out".into(), SHORTER_STEPS)
            }
            Limit::SwapSteps => (
                "steps until swapped tables have their own memory again".into(),
                "Swap fewer tables in a loop, or copy some instead",
            ),
            Limit::InnerLoops => {
                ("loops inside one loop".into(), "Move some out of the loop, or join loops that follow one another")
            }
            Limit::Conditions => ("conditions of one loop".into(), FEWER_CONDITIONS),
            Limit::ConditionData => {
                ("tables, tallies and results that the conditions of one loop read".into(), FEWER_CONDITIONS)
            }
            Limit::ConditionBytes => (
                "bytes of the arguments of one loop's conditions, 32 for each and 8 for each table that they read"
                    .into(),
                FEWER_CONDITIONS,
            ),
            Limit::Workgroup => {
                ("work-items of the option `workgroup`".into(), "Give a smaller number, or leave out the option")
            }
            Limit::Other { what, remedy } => (what.clone(), *remedy),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.texts().0)
    }
}
