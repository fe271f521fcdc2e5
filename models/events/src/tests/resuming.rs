//! Simulations that go on: beside others, on other engines, and from their states.

use super::*;

const PHOLD: PholdStudy =
    PholdStudy { simulations: 6, modules: 5, tokens: 4, lookahead: 20, mean: 30, remote: 50, end: 2_000, seed: 11 };

#[test]
fn a_simulation_does_not_notice_what_runs_beside_it() {
    let starts = PHOLD.starts();
    for way in WAYS {
        let together = on(way, &starts, phold::MAX_SCHEDULED).run().unwrap();
        for (start, end) in starts.iter().zip(&together) {
            let alone = on(way, std::slice::from_ref(start), phold::MAX_SCHEDULED).run().unwrap();
            assert_eq!(&alone[0], end);
        }
    }
}

/// Returns the outcomes of runs that are long enough for progress reports, and an engine that was cancelled at one.
fn ended_under_way(way: Mode) -> (PholdStudy, Vec<crate::Outcome<Phold>>, Engine<Phold>) {
    let mut study = PholdStudy { end: 100_000, ..PHOLD };
    loop {
        let starts = study.starts();
        let whole = on(way, &starts, phold::MAX_SCHEDULED).run().unwrap();
        let mut engine = on(way, &starts, phold::MAX_SCHEDULED);
        match engine.run_with(|_| ControlFlow::Break(())) {
            Err(EngineError::Cancelled { .. }) => return (study, whole, engine),
            ended => assert_eq!(ended.unwrap(), whole),
        }
        study.end *= 4;
    }
}

/// Messages that steps of one stage leave under way are not lost by steps of two stages.
#[test]
fn a_run_goes_on_by_another_mapping() {
    let (_, whole, mut engine) = ended_under_way(WAYS[0]);
    let mut stage = 0;
    let ends = loop {
        stage += 1;
        engine.set_mapping(MappingChoice::Always([Mapping::Due, Mapping::InOrder, Mapping::Apart][stage % 3]));
        match engine.run_with(|_| if stage < 6 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }) {
            Ok(ends) => break ends,
            Err(EngineError::Cancelled { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(ends, whole);
}

#[test]
fn a_cancelled_run_goes_on_where_it_was() {
    for way in WAYS {
        let (_, whole, mut engine) = ended_under_way(way);
        let mut left = 2;
        let ends = loop {
            let mut go_on = |_| {
                left -= i32::from(left > 0);
                if left > 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            match engine.run_with(&mut go_on) {
                Ok(ends) => break ends,
                Err(EngineError::Cancelled { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        };
        assert_eq!(ends, whole);
    }
}

/// Resumes simulations on another engine: in another order, beside others, some of them from the beginning.
#[test]
fn simulations_go_on_from_their_states() {
    for (from, to) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
        goes_on(WAYS[from], WAYS[to]);
    }
}

fn goes_on(from: Mode, to: Mode) {
    let (study, whole, mut engine) = ended_under_way(from);
    let starts = study.starts();
    let states = engine.states(0..starts.len() + 1).unwrap();
    assert_eq!(states.len(), starts.len());
    let bytes: Vec<_> = states.into_iter().map(|state| state.unwrap().to_bytes()).collect();
    let state = |simulation: usize| State::from_bytes(&bytes[simulation]).unwrap();
    assert!(state(0).handled() > 0 && state(0).handled() < whole[0].as_ref().unwrap().handled);
    let (order, from_the_beginning) = ([4, 1, 5, 0, 2], [0, 5]);
    let mut starts_again: Vec<_> = starts.into_iter().map(Some).collect();
    let mut chosen: Vec<_> = order.iter().filter_map(|simulation| starts_again[*simulation].take()).collect();
    let shorter = PholdStudy { modules: 3, ..PHOLD }.starts().remove(0);
    let end_of_shorter = sequential(&shorter, phold::MAX_SCHEDULED, 2).unwrap();
    chosen.insert(2, shorter);
    let states = order.iter().enumerate().filter(|(_, simulation)| !from_the_beginning.contains(*simulation));
    let states = states.map(|(place, simulation)| (place + usize::from(place >= 2), state(*simulation))).collect();
    let mut ends = resumed(to, &device(), chosen, states, phold::MAX_SCHEDULED).unwrap().run().unwrap();
    assert_eq!(ends.remove(2), end_of_shorter);
    assert!(ends.iter().zip(order).all(|(end, simulation)| *end == whole[simulation]));
    // A simulation that was over stays so.
    let starts = study.starts();
    let mut over = on(from, &starts[..1], phold::MAX_SCHEDULED);
    over.run().unwrap();
    let state = over.states([0]).unwrap().remove(0).unwrap();
    let mut again = resumed(to, &device(), starts[..1].to_vec(), [(0, state)].into(), phold::MAX_SCHEDULED).unwrap();
    assert_eq!(again.run().unwrap()[0], whole[0]);
}

#[test]
fn states_that_are_damaged_or_of_others_are_refused() {
    let short = |modules, end| Start { end, ..start(modules, &[(0, 0, Kind::Rest, 0, 0)]) };
    let mut engine = Engine::new(&device(), &[short(2, 9)], 1).unwrap();
    let bytes = engine.states([0]).unwrap().remove(0).unwrap().to_bytes();
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 4;
        let torn = &bytes[..place];
        let damaged = [&changed, torn].map(|bytes| State::<Obedient>::from_bytes(bytes).err());
        assert_eq!(damaged, [Some(StateError::Damaged); 2], "byte {place}");
    }
    let other = State::<Phold>::from_bytes(&bytes).err();
    assert_eq!(other, Some(StateError::OtherModel));
    for way in WAYS {
        for (other, most) in [(short(3, 9), 1), (short(2, 8), 1), (short(2, 9), 2)] {
            let states = [(0, State::from_bytes(&bytes).unwrap())].into();
            let refused = resumed(way, &device(), vec![other], states, most).unwrap_err();
            assert_eq!(refused, EngineError::State { simulation: 0, error: StateError::OtherSimulation });
        }
        // A simulation with trouble has no state: it would fail again.
        let mut engine = on(way, &[start(2, &[(3, 1, Kind::Send, 2, 9)])], 1);
        assert!(engine.run().unwrap()[0].is_err());
        assert!(engine.states([0]).unwrap().remove(0).is_none());
    }
}
