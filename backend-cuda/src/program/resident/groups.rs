//! Inner loops whose blocks do not need one another: each is one launch, whose blocks make the steps by themselves.
//!
//! No block waits for the slowest one of a step, and nothing is launched for one. A block ends when a condition of the
//! loop holds after one of its steps.

use super::{Loop, Resident, text};
use crate::device::Context;
use crate::options::Loops;
use crate::program::prepared::Prepared;
use imminent_core::Result;
use imminent_core::backend::{Launch, Node};
use imminent_device::replay::{Alone, BLOCK_HEAD, LoopPlan, TEST_WORDS, Task};
use text::{Call, Steps, Test};

/// Inner loops of a loop, all of which can be launches of their own.
#[derive(Debug)]
pub(in crate::program) struct InGroups {
    plan: LoopPlan,
    loops: Vec<One>,
}

#[derive(Debug)]
struct One {
    resident: Resident,
    blocks: u32,
    max_steps: u64,
}

impl InGroups {
    /// Returns the inner loops of a loop whose operations have these launches; `None` if there are none, or if one of
    /// them cannot or shall not be a launch of its own.
    pub(in crate::program) fn new(
        context: &Context,
        plan: &LoopPlan,
        launches: &[Vec<Prepared>],
    ) -> Result<Option<InGroups>> {
        let inner = plan.in_groups();
        if inner.is_empty() || matches!(context.loops, Loops::Graph | Loops::Conditional) {
            return Ok(None);
        }
        let one = |(alone, operations): (Alone, Vec<usize>)| one(context, plan, launches, alone, &operations);
        let loops = inner.into_iter().map(one).collect::<Result<Option<Vec<One>>>>()?;
        Ok(loops.map(|loops| InGroups { plan: plan.with_groups_alone(), loops }))
    }

    /// Notes that the loop begins to run.
    pub(in crate::program) fn begin(&mut self) {
        self.loops.iter_mut().for_each(|one| one.resident.begin());
    }

    /// Returns the launches of the loops if these go on so, as [`Resident::compiled`] decides.
    pub(in crate::program) fn compiled(&mut self, context: &Context) -> Option<Vec<Prepared>> {
        let prepared = |one: &mut One| {
            let compiled = one.resident.compiled(context)?;
            Some(Prepared::of_loop(compiled.pipeline.clone(), one.blocks, compiled.arguments.to_vec(), one.max_steps))
        };
        self.loops.iter_mut().map(prepared).collect()
    }

    /// Returns the plan in which each of the loops is one operation.
    pub(in crate::program) fn into_plan(self) -> LoopPlan {
        self.plan
    }
}

/// Gathers a loop with these operations; `None` if it is too long, if it has anything but launches of all rows that
/// return nothing, if these do not have the same whole groups, or if it has another condition than such on words.
fn one(
    context: &Context,
    plan: &LoopPlan,
    launches: &[Vec<Prepared>],
    Alone { turn, max_steps, .. }: Alone,
    operations: &[usize],
) -> Result<Option<One>> {
    let mut of = Loop::default();
    let Some((blocks, steps)) = gather(&mut of, plan, launches, turn, operations) else { return Ok(None) };
    let resident = Resident::of(context, of, |parts, words| text::text_in_groups(parts, &steps, words))?;
    Ok(resident.map(|resident| One { resident, blocks, max_steps }))
}

fn gather(
    of: &mut Loop,
    plan: &LoopPlan,
    launches: &[Vec<Prepared>],
    turn: u32,
    operations: &[usize],
) -> Option<(u32, Steps)> {
    let (mut blocks, mut calls, mut tests) = (None, Vec::<Call>::new(), Vec::new());
    for operation in operations {
        match &plan.operations.get(*operation)?.task {
            // Other launches than those of all rows have blocks that do not belong to groups.
            Task::Command(Node::Launch(Launch { subset: None, result: None, .. })) => {
                for launch in launches.get(*operation)? {
                    if *blocks.get_or_insert(launch.groups) != launch.groups {
                        return None;
                    }
                    calls.push(of.add(launch, false)?);
                }
            }
            Task::Command(_) => return None,
            Task::Control(_) => {
                let [control] = launches.get(*operation)?.as_slice() else { return None };
                let (words, _) = control.arguments()?;
                let first = of.put(words.get(BLOCK_HEAD as usize..)?);
                for (test, number) in words.get(BLOCK_HEAD as usize..)?.chunks(TEST_WORDS as usize).zip(0..) {
                    tests.push(Test::new(test, first + number * TEST_WORDS as usize)?);
                }
            }
        }
    }
    of.is_short().then_some((blocks?, Steps { turn, calls, tests }))
}
