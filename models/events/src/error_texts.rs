//! Snapshot of all error texts of this crate.

use crate::mesh::MeshError;
use crate::{EngineError, MAX_CARRIED, MAX_SCHEDULED, MappingChoice, StartError, StateError, Trouble, Whereabouts};
use imminent_testkit::error_texts;
use imminent_testkit::error_texts::ErrorTexts;

#[test]
fn every_error_has_a_text() {
    let mut texts = ErrorTexts::default();
    let at = Whereabouts { simulation: 3, module: 4, time: 81_020, event: "Done" };
    error_texts!(texts, EngineError {
        Device => [EngineError::Device(imminent_core::Error::invalid("device option `threads`", "`x` is not a number"))],
        Start => [EngineError::Start(StartError::NoModules { simulation: 3 })],
        State => [EngineError::State { simulation: 3, error: StateError::Damaged }],
        NotOptimistic => [EngineError::NotOptimistic],
        WindowWithLinks => [EngineError::WindowWithLinks],
        Cancelled => [EngineError::Cancelled { steps: 1_200 }],
    });
    error_texts!(texts, StartError {
        NoModules => [StartError::NoModules { simulation: 3 }],
        NoSuchModule => [StartError::NoSuchModule { simulation: 3, module: 5, modules: 5 }],
        TooManyModules => [StartError::TooManyModules],
        LinksOfOtherModules => [StartError::LinksOfOtherModules { simulation: 3, lists: 4, modules: 5 }],
        NoSuchNeighbour => [StartError::NoSuchNeighbour { simulation: 3, module: 4, to: 5, modules: 5 }],
        NoLookahead => [StartError::NoLookahead { simulation: 3, module: 4, to: 1 }],
        PayloadTooLarge => [StartError::PayloadTooLarge { bytes: MAX_CARRIED + 8 }],
        TooManyPromised => [StartError::TooManyPromised { most: MAX_SCHEDULED + 1 }],
    });
    error_texts!(texts, Trouble {
        NoSuchModule => [Trouble::NoSuchModule(at)],
        TooSoon => [Trouble::TooSoon(at, 6)],
        NotLinked => [Trouble::NotLinked(at)],
        TooMany => [Trouble::TooMany(at, 2)],
        TooManyEver => [Trouble::TooManyEver(at)],
        NoRoom => [Trouble::NoRoom(at)],
        Endless => [Trouble::Endless(at)],
    });
    error_texts!(texts, StateError {
        Damaged => [StateError::Damaged],
        OtherModel => [StateError::OtherModel],
        OtherSimulation => [StateError::OtherSimulation],
    });
    error_texts!(texts, MeshError {
        OutOfRange => [MeshError::OutOfRange { parameter: "speed", value: -1.0, least: 0.0, greatest: 1000.0 }],
        NoDivisors => [MeshError::NoDivisors { megabits: 9 }],
        NoSuchRate => [MeshError::NoSuchRate { megabits: 7 }],
    });
    texts.add("UnknownMapping", &"sorted".parse::<MappingChoice>().unwrap_err());
    insta::assert_snapshot!("errors", texts);
}
