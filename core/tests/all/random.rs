//! `Pcg32` of the device library, against the crate `rand_pcg` word for word, natively and by its IR.
#![allow(clippy::expect_used, clippy::panic)]

use imminent_core::ir::interpret::{Bound, Machine};
use imminent_core::ir::{FunctionId, Module, Value};
use imminent_core::random::{self, Pcg32};
use proptest::prelude::*;
use rand_core::Rng;

fn function(module: &Module, name: &str) -> FunctionId {
    FunctionId(module.functions.iter().position(|f| f.name == name).expect("the function exists") as u32)
}

/// Calls a method of `Pcg32` by its IR: its result and the generator afterwards.
fn interpret(name: &str, state: Value, argument: Option<u64>) -> (Option<Value>, Value) {
    let module = random::source().ir().expect("the module decodes");
    let mut machine = Machine { fuel: 1_000_000, ..Machine::new(module) };
    let mut params = vec![Bound::Value(state)];
    params.extend(argument.map(|argument| Bound::Value(Value::U64(argument))));
    let (result, after) = machine.call(function(module, name), params).expect("the module is well formed");
    assert_eq!(machine.fault, None);
    match after.into_iter().next() {
        Some(Bound::Value(state)) => (result, state),
        other => panic!("not a generator: {other:?}"),
    }
}

fn tree(rng: &Pcg32) -> Value {
    Value::Struct(vec![Value::U64(rng.state), Value::U64(rng.increment)])
}

proptest! {
    #[test]
    fn words_are_those_of_rand_pcg(state: u64, stream: u64, count in 1usize..50) {
        let mut oracle = rand_pcg::Pcg32::new(state, stream);
        let mut ours = Pcg32::new(state, stream);
        let mut interpreted = tree(&ours);
        for _ in 0..count {
            let expected = oracle.next_u32();
            prop_assert_eq!(ours.next_u32(), expected);
            let (word, after) = interpret("Pcg32::next_u32", interpreted, None);
            prop_assert_eq!(word, Some(Value::U32(expected)));
            interpreted = after;
        }
        let expected = oracle.next_u64();
        let (word, _) = interpret("Pcg32::next_u64", interpreted, None);
        prop_assert_eq!(word, Some(Value::U64(expected)));
        prop_assert_eq!(ours.next_u64(), expected);
    }

    #[test]
    fn advancing_is_drawing(state: u64, stream: u64, delta: u64, few in 0u64..100) {
        let mut oracle = rand_pcg::Pcg32::new(state, stream);
        let mut ours = Pcg32::new(state, stream);
        let (_, interpreted) = interpret("Pcg32::advance", tree(&ours), Some(delta));
        oracle.advance(delta);
        ours.advance(delta);
        prop_assert_eq!(&interpreted, &tree(&ours));
        prop_assert_eq!(ours.next_u32(), oracle.next_u32());
        let mut drawn = ours;
        ours.advance(few);
        for _ in 0..few {
            drawn.next_u32();
        }
        prop_assert_eq!(ours, drawn);
    }
}
