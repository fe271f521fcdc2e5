//! Plans, run by a minimal device, against the loops themselves.

use super::super::control::Level;
use super::*;
use imminent_core::backend::{Buffer, Comparison, Test};
use imminent_ir::Scalar;
use proptest::prelude::*;

/// A loop as a person would write it.
#[derive(Clone, Debug)]
enum Code {
    Mark(u32),
    Repeat(u32, Vec<Code>),
    /// Runs until the trace's length is a multiple, or up to the limit.
    Until {
        multiple: u64,
        limit: u64,
        steps: Vec<Vec<Code>>,
    },
}

fn mark(number: u32) -> Node {
    Node::Clear(Buffer::new(number))
}

fn holds(multiple: u64) -> Test {
    let (scalar, comparison) = (Scalar::U64, Comparison::Equal);
    Test { buffer: Buffer::new(0_u32), row: 0, word: 0, scalar, comparison, constant: multiple }
}

fn node(code: &Code) -> Node {
    match code {
        Code::Mark(number) => mark(*number),
        Code::Repeat(times, body) => Node::Repeat { times: *times, body: body.iter().map(node).collect() },
        Code::Until { multiple, limit, steps } => Node::LoopUntil(loop_until(*multiple, *limit, steps)),
    }
}

fn loop_until(multiple: u64, limit: u64, steps: &[Vec<Code>]) -> LoopUntil {
    let step = |step: &Vec<Code>| Step { nodes: step.iter().map(node).collect(), tests: vec![holds(multiple)] };
    LoopUntil { steps: steps.iter().map(step).collect(), max_steps: limit, in_groups: false }
}

/// Executes the loops directly. Returns the number of steps of the outermost.
fn plainly(code: &Code, trace: &mut Vec<u32>) -> u64 {
    match code {
        Code::Mark(number) => {
            trace.push(*number);
            0
        }
        Code::Repeat(times, body) => {
            for _ in 0..*times {
                for code in body {
                    plainly(code, trace);
                }
            }
            0
        }
        Code::Until { multiple, limit, steps } => {
            let mut done = 0;
            while done < *limit {
                for code in &steps[(done % steps.len() as u64) as usize] {
                    plainly(code, trace);
                }
                done += 1;
                if (trace.len() as u64).is_multiple_of(*multiple) {
                    break;
                }
            }
            done
        }
    }
}

/// A device that keeps its turn and its counters, and acts as the control kernels specify.
struct Simple {
    turn: u32,
    steps: u64,
    inner: Vec<u64>,
    trace: Vec<u32>,
}

impl Simple {
    fn start(&mut self, operation: &Operation) {
        if self.turn != operation.turn {
            return;
        }
        match &operation.task {
            Task::Command(Node::Clear(buffer)) => self.trace.extend(buffer.get::<u32>().copied()),
            Task::Command(other) => panic!("{other:?}"),
            Task::Control(control) => {
                let counter = match control.level {
                    Level::Before => {
                        self.turn = control.again;
                        return;
                    }
                    Level::Outermost => &mut self.steps,
                    Level::Inner(slot) => &mut self.inner[slot as usize],
                };
                *counter += 1;
                let length = self.trace.len() as u64;
                let holds = control.tests.iter().any(|test| length.is_multiple_of(test.constant));
                let done = holds || *counter == control.max_steps;
                if done && matches!(control.level, Level::Inner(_)) {
                    *counter = 0;
                }
                self.turn = if done { control.done } else { control.again };
            }
        }
    }
}

fn on_a_device(one: &LoopUntil, repeats: u32) -> (u64, Vec<u32>) {
    let plan = LoopPlan::of_loop(one).unwrap();
    let repeats = vec![repeats; plan.inner_loops()];
    let mut device = Simple { turn: 0, steps: 0, inner: vec![0; plan.inner_loops()], trace: Vec::new() };
    for _ in 0..100_000 {
        if device.turn == HALTED {
            return (device.steps, device.trace);
        }
        plan.for_each(1, &repeats, &mut |operation| {
            device.start(&plan.operations[operation]);
            Ok(())
        })
        .unwrap();
    }
    panic!("the loop does not end: {one:?}");
}

fn code(depth: u32) -> BoxedStrategy<Code> {
    let leaf = (0u32..100).prop_map(Code::Mark).boxed();
    if depth == 0 {
        return leaf;
    }
    let body = prop::collection::vec(code(depth - 1), 0..3);
    let steps = prop::collection::vec(body.clone(), 1..3);
    prop_oneof![
        2 => leaf,
        1 => (0u32..4, body).prop_map(|(times, body)| Code::Repeat(times, body)),
        2 => (1u64..7, 0u64..6, steps).prop_map(|(multiple, limit, steps)| Code::Until { multiple, limit, steps }),
    ]
    .boxed()
}

proptest! {
    #[test]
    fn a_plan_does_what_the_loops_say(
        steps in prop::collection::vec(prop::collection::vec(code(2), 0..4), 1..4),
        multiple in 1u64..40,
        limit in 1u64..12,
        repeats in 1u32..6,
    ) {
        let one = loop_until(multiple, limit, &steps);
        match LoopPlan::of_loop(&one) {
            Err(Error::Limit { .. }) => prop_assert!(steps.len() > 1, "few loops were refused"),
            Err(other) => prop_assert!(false, "{other}"),
            Ok(_) => {
                let mut trace = Vec::new();
                let done = plainly(&Code::Until { multiple, limit, steps }, &mut trace);
                prop_assert_eq!(on_a_device(&one, repeats), (done, trace));
            }
        }
    }
}

#[test]
fn a_flat_loop_is_its_commands_and_one_control_operation() {
    let one = LoopUntil::new(vec![mark(1), Node::Repeat { times: 3, body: vec![mark(2)] }], vec![holds(1)], 9);
    let plan = LoopPlan::of_loop(&one).unwrap();
    assert_eq!(plan.operations.len(), 5);
    assert_eq!((plan.inner_loops(), plan.operations_of_a_pass(&[]), plan.passes_for(9)), (0, 5, Some(9)));
    assert!(plan.operations.iter().all(|operation| operation.turn == 0));
}

#[test]
fn a_pass_repeats_inner_loops_as_often_as_asked() {
    let inner = Node::LoopUntil(LoopUntil::new(vec![mark(1), mark(2)], vec![holds(9)], 100));
    let plan = LoopPlan::of_loop(&LoopUntil::new(vec![mark(0), inner, mark(3)], vec![holds(8)], 9)).unwrap();
    // 0, the operation before the loop, 5 times two marks and their control, 3, and the outer control.
    assert_eq!((plan.operations_of_a_pass(&[5]), plan.passes_for(9)), (2 + 15 + 2, None));
    let mut order = Vec::new();
    plan.for_each(1, &[2], &mut |operation| {
        order.push(operation);
        Ok(())
    })
    .unwrap();
    assert_eq!(order, [0, 1, 2, 3, 4, 2, 3, 4, 5, 6]);
}

/// An inner loop in groups is one operation, which the plan does not have, and the one that passes the turn on.
#[test]
fn a_loop_in_groups_can_be_one_operation() {
    let inner = LoopUntil { in_groups: true, ..LoopUntil::new(vec![mark(1), mark(2)], vec![holds(9)], 100) };
    let one = LoopUntil::new(vec![mark(0), Node::LoopUntil(inner), mark(3)], vec![holds(8)], 9);
    let plan = LoopPlan::of_loop(&one).unwrap();
    let loops = plan.in_groups();
    let [(Alone { leave, turn, max_steps: 100 }, operations)] = &loops[..] else { panic!("{loops:?}") };
    assert_eq!((plan.operations[1].turn, *turn, operations), (0, plan.operations[2].turn, &vec![2, 3, 4]));
    let alone = plan.with_groups_alone();
    assert_eq!((plan.inner_loops(), alone.inner_loops()), (1, 0));
    assert_eq!((plan.most_steps_in_groups(), alone.most_steps_in_groups()), (vec![Some(100)], vec![]));
    let mut device = Simple { turn: 0, steps: 0, inner: vec![0], trace: Vec::new() };
    let (mut turns, mut order) = (Vec::<(u32, u32)>::new(), Vec::new());
    let walk = &mut |operation: usize| {
        order.push(operation);
        if let Some(operation) = plan.operations.get(operation) {
            turns.push((operation.turn, device.turn));
            device.start(operation);
        } else {
            assert_eq!(device.turn, *turn, "the steps are at their turn");
        }
        Ok(())
    };
    alone.for_each(1, &[], walk).unwrap();
    assert_eq!(order, [0, 1, plan.operations.len(), *leave, leave + 1, leave + 2]);
    assert!(turns.iter().all(|(own, now)| own == now), "{turns:?}");
    assert_eq!((device.trace, device.steps), (vec![0, 3], 1));
}

#[test]
fn a_step_with_too_many_operations_or_loops_is_a_typed_error() {
    let long = Node::Repeat { times: 1 << 17, body: vec![mark(0)] };
    let error = LoopPlan::of_repetition(vec![long], 3).unwrap_err();
    assert!(matches!(error, Error::Limit { .. }), "{error}");
    let inner = Node::LoopUntil(LoopUntil::new(vec![], vec![holds(2)], 5));
    let error = LoopPlan::of_loop(&LoopUntil::new(vec![inner; 13], vec![holds(2)], 5)).unwrap_err();
    assert!(error.to_string().contains("loops inside one loop"), "{error}");
    // A repetition of nothing takes no time, whatever its count.
    let nothing = Node::Repeat { times: u32::MAX, body: vec![] };
    assert_eq!(LoopPlan::of_repetition(vec![nothing], 3).unwrap().operations.len(), 1);
}
