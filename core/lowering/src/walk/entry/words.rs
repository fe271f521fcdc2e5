//! The points at which the entry points of dialects differ.

use crate::LoweringError;
use crate::walk::code::Code;
use crate::walk::dialect::Dialect;
use crate::walk::writer::Writer;
use imminent_ir::{Reductions, Scalar};

/// Kind of an entry point's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interface {
    /// The bindings of a kernel, and results if its rows or groups return a value.
    Kernel {
        /// `true` if there are results.
        reduces: bool,
    },
    /// The results that a higher level of a reduction reads, and those that it writes.
    Level,
}

/// Invocations that proceed together, and wait for each other at less cost than a workgroup.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Warp {
    /// Number of invocations.
    pub(crate) size: u32,
    /// The statement that waits for them.
    pub(crate) barrier: &'static str,
}

/// Words of entry points.
pub(crate) trait Entry<'a>: Dialect<'a> {
    /// Before the name of a variable that functions share, in an entry point.
    const OWN: &'static str;
    /// Before the other arguments of functions of the text, in an entry point.
    const PASSED: &'static [&'static str];
    /// `true` if the elements of a group are handled in a block of its own. Its variables must not meet those of the
    /// tree.
    const ITEMS_IN_BLOCK: bool;
    /// `true` if invocations out of turn, or of a group that does not exist, return at once. Otherwise the rest stands
    /// in a block, or has nothing to do.
    const RETURNS: bool;
    /// `true` if functions between phases are passed answers about their group.
    const PASSES_ANSWERS: bool;
    /// Names of the coordinates of an invocation in a grid.
    const PLACE: [&'static str; 2];
    /// The number of rows of a grid, given `rows` and `grid_width`.
    const GRID_HEIGHT: &'static str;
    /// The test that a stride is not zero.
    const HAS_STRIDE: &'static str;
    /// The opening of a loop over the bits of the words of a fault's operands.
    const FAULT_BITS: &'static str;
    /// The words of a fault's operands.
    const FAULT_WORDS: [&'static str; 3];

    /// Writes the signature of an entry point, and opens its body.
    fn open_entry(&self, out: &mut Writer, interface: Interface);

    /// A row number in the list of the rows to run.
    fn listed_row(&self, index: &str) -> String {
        format!("subset_rows[{index}]")
    }

    /// The number of rows in the list.
    fn listed_count(&self) -> String {
        "subset_count[0]".to_owned()
    }

    /// Declares the memory in which a group's results are combined, if that is done in the entry point.
    fn declare_results(&self, out: &mut Writer, results: &Reductions);

    /// Returns the statements that prepare what functions share.
    fn setup(&mut self) -> Result<Vec<String>, LoweringError>;

    /// Declares what a grouped kernel's invocations share and know before the launch is looked at.
    fn declare_group(&mut self, out: &mut Writer);

    /// Lets only the groups go on that the launch has.
    fn enter_group(&mut self, out: &mut Writer);

    /// Opens a block in which only the groups go on that the launch has, where barriers stand outside such blocks.
    /// Returns `true` if it does.
    fn enter_again(&self, _out: &mut Writer) -> bool {
        false
    }

    /// Prepares what the functions of a group share.
    fn prepare_group(&mut self, out: &mut Writer) -> Result<(), LoweringError>;

    /// A word of the launch block.
    fn launch_word(&self, word: u32) -> String;

    /// The condition that it is the launch's turn.
    fn in_turn(&self) -> String;

    /// Lets workgroups go on only if it is the launch's turn, where [`RETURNS`](Entry::RETURNS) says so.
    fn await_turn(&self, _out: &mut Writer) {}

    /// Number of the invocation in its workgroup; `invocation` if that is a parameter.
    fn invocation(&self) -> &'static str;

    /// Number of the workgroup's group of rows.
    fn group(&self) -> &'static str;

    /// Number of the workgroup's first group over a subset: its name, and its value. They are the same if the value
    /// needs no name.
    fn first_group(&self) -> (&'static str, &'static str);

    /// Number of workgroups.
    fn workgroups(&self) -> &'static str;

    /// The declaration of a constant of an entry point.
    fn named(scalar: Scalar, name: &str, value: &str) -> String;

    /// The declaration of a `u32` variable of an entry point.
    fn variable(name: &str, value: &str) -> String;

    /// The opening of a loop over a `u32` variable.
    fn counting(name: &str, start: &str, condition: &str, step: &str) -> String;

    /// The step of a loop that counts up.
    fn next(name: &str) -> String;

    /// 1 where a condition holds, else 0.
    fn word_of(condition: &str) -> String;

    /// The lesser of two words.
    fn least(a: &str, b: &str) -> Code;

    /// A word as part of a place that may need more bits.
    fn wide(word: &str) -> String;

    /// The atomic function that leaves the lesser of a word in memory and a value there.
    fn atomic_min(&self) -> &'static str;

    /// The condition under which the value `b` replaces `a` in an arg-min: it is less, or equal at a lower row. A NaN
    /// loses to everything else; of floats, `a_nan` and `b_nan` say which are.
    fn replaces(is_float: bool, less: &Code, equal: &Code) -> String;

    /// The invocations among which the last steps of a tree are done.
    fn warp(&self) -> Option<Warp> {
        None
    }

    /// Condition under which an invocation has a place in its group's shape, with `&&` after it; empty where all have.
    fn placed(&self) -> String {
        String::new()
    }

    /// Raises a fault if a loop was cut.
    fn watch_loops(&mut self, _out: &mut Writer) {}
}
