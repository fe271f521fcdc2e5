//! Event models as models to study.

use super::{EventModel, EventRuns, Laden, Lcg, Mesh, Module, Overhead, Phold, model};
use crate::{End, Execution, First, Mapping, MappingChoice, Start, sequential};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use imminent_study::conduct::{Ending, conduct};
use imminent_study::definition::{Axis, Definition};
use imminent_study::description::Measure;
use imminent_study::laboratory::{Fault, Laboratory, Run};
use imminent_study::{Catalogue, DefinitionError, Description, Finished, Planned, Results, Runs, Update};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A host that reports every step, so runs are reported while they are under way, however fast the host is.
pub(super) fn device() -> Device {
    let options = Options { progress_every: Some(Duration::ZERO), ..Options::default() };
    Device::open(CpuBackend::open(&options).unwrap()).unwrap()
}

/// The event models.
fn catalogue() -> Catalogue {
    let papers = Catalogue::default().with(model::<Lcg>()).with(model::<Mesh>());
    papers.with(model::<Laden>()).with(model::<Overhead>()).with(model::<Phold>()).with(model::<Erring>())
}

pub(super) fn plan(definition: &Definition) -> Planned {
    let planned = catalogue().plan(definition, Path::new("")).unwrap();
    assert_eq!(planned.study.description().check(), Ok(()));
    planned
}

/// Returns the finished and the failed runs that a laboratory reports, in the order of their numbers.
pub(super) fn reported(laboratory: &mut dyn Laboratory, runs: &Runs<'_>) -> (Vec<Finished>, Vec<(u64, String)>) {
    let (mut finished, mut failed) = (vec![], vec![]);
    let mut observer = |update| {
        match update {
            Update::Finished(run) => finished.push(run),
            Update::Failed(run) => failed.push((run.run, run.why)),
            Update::Progress { share } => assert!((0.0..=1.0).contains(&share)),
        }
        ControlFlow::Continue(())
    };
    laboratory.run(runs, &mut observer).unwrap();
    finished.sort_by_key(|run| run.run);
    failed.sort();
    (finished, failed)
}

/// Carries out each run alone, by the sequential engine.
pub(super) fn alone<M: EventModel>(planned: &Planned, runs: &Runs<'_>) -> Vec<Finished> {
    let mut model = M::default();
    let one = |run: Run| {
        let config: M::Config = planned.base.config(&run.point).unwrap();
        let end: End<Module<M>> =
            sequential(&model.start(&config, run.seed).unwrap(), M::MAX_SCHEDULED, 0).unwrap().unwrap();
        Finished { run: run.number, events: end.handled, values: M::values(&config, &end) }
    };
    runs.iter().map(one).collect()
}

/// The work that models tell counts about the events that their runs execute.
#[test]
fn work_is_about_the_events_of_runs() {
    fn share<M: EventModel>(definition: &Definition) -> f64 {
        let planned = plan(definition);
        let events: u64 =
            alone::<M>(&planned, &planned.study.select(0..planned.study.runs())).iter().map(|run| run.events).sum();
        planned.work().unwrap().amount() / events as f64
    }
    let phold = Definition::new("phold").fix("end", 50.0).axis(Axis::values("remote", [10, 90])).repetitions(3);
    let mesh = Definition::new("mesh").fix("end", 20.0).axis(Axis::values("nodes", [5, 12])).repetitions(2);
    let shares = [share::<Phold>(&phold), share::<Mesh>(&mesh)];
    assert!(shares.iter().all(|share| (0.8..1.25).contains(share)), "{shares:?}");
    assert!(plan(&Definition::new("lcg")).work().is_none());
}

fn laboratory<M: EventModel>(planned: &Planned) -> EventRuns<M> {
    EventRuns::new(&planned.base, &device())
}

/// Checks that each run has the result of the run alone, for any memory and any interval between checks for finished
/// runs.
fn holds<M: EventModel>(definition: &Definition) -> Vec<Finished> {
    let planned = plan(definition);
    let study = &planned.study;
    let runs = study.select(0..study.runs());
    let alone = alone::<M>(&planned, &runs);
    for bytes in [0, 5_000, u64::MAX] {
        let mut laboratory = laboratory::<M>(&planned).within(bytes).polling_every(Duration::ZERO);
        assert_eq!(reported(&mut laboratory, &runs), (alone.clone(), vec![]), "{bytes} bytes");
    }
    for mapping in Mapping::ALL.map(MappingChoice::Always) {
        let mut laboratory = laboratory::<M>(&planned).mapped(mapping);
        assert_eq!(reported(&mut laboratory, &runs.part(0..4)).0, alone[..4.min(runs.len())], "{mapping}");
    }
    let (some, _) = reported(&mut laboratory::<M>(&planned), &study.select((0..study.runs()).step_by(3)));
    assert!(some.iter().all(|run| alone[run.run as usize] == *run));
    alone
}

#[test]
fn runs_of_lcg_are_what_they_are_alone() {
    let definition = Definition::new("lcg")
        .repetitions(3)
        .fix("iterations", 5)
        .axis(Axis::values("generator", [1, 2, 3, 4]))
        .axis(Axis::values("modules", [1, 3]))
        .axis(Axis::values("per_simulation", [1, 40]));
    let runs = holds::<Lcg>(&definition);
    // Events of the simulation, whether its modules can have equally many or not.
    assert!(
        (0..).zip(&runs).all(|(at, run)| run.events == [1, 40][at / 3 % 2] && run.values[0] == Some(run.events as f64))
    );
    assert_ne!(runs[0].values[1], runs[1].values[1], "seeds do something");
}

#[test]
fn runs_of_phold_are_what_they_are_alone() {
    let definition = Definition::new("phold")
        .repetitions(2)
        .fix("tokens", 3)
        .axis(Axis::values("modules", [1, 4]))
        .axis(Axis::values("lookahead", [0.25, 2.0]))
        .axis(Axis::values("remote", [0, 80]))
        .axis(Axis::values("end", [0.0, 10.0, 40.0]));
    let runs = holds::<Phold>(&definition);
    // A run of no time has no rate.
    assert_eq!((runs[0].values[0], runs[0].values[2]), (Some(0.0), None));
}

#[test]
fn runs_of_overhead_are_what_they_are_alone() {
    let runs =
        holds::<Overhead>(&Definition::new("overhead").fix("modules", 5).axis(Axis::values("per_module", [3, 100])));
    assert_eq!(runs.iter().map(|run| run.events).collect::<Vec<_>>(), [15, 500]);
}

#[test]
fn runs_of_laden_are_what_they_are_alone() {
    let runs = holds::<Laden>(&Definition::new("laden").fix("modules", 2).axis(Axis::values("state", [8, 72])));
    // 2 modules with 1,024 events each, which update 1 and 17 words.
    assert_eq!(runs.iter().map(|run| run.values[1]).collect::<Vec<_>>(), [Some(2_048.0), Some(34_816.0)]);
}

#[test]
fn runs_of_a_mesh_are_what_they_are_alone() {
    let definition = Definition::new("mesh")
        .repetitions(2)
        .fix("end", 0.6)
        .fix("subcarriers", 4)
        .axis(Axis::values("rate", [3.0, 7.0]))
        .axis(Axis::values("nodes", [2, 4]));
    let runs = holds::<Mesh>(&definition);
    let sent = |run: &Finished| run.values[0];
    assert!(runs.iter().all(|run| sent(run) > Some(0.0)));
    // In 0.6 s there is room for one or two packets of each node at 3 packets/s, and for four or five at 7.
    assert!(sent(&runs[0]) < sent(&runs[runs.len() - 1]));
}

#[test]
fn a_study_says_how_its_runs_are_mapped() {
    let mapped = |mapping: Option<&str>| {
        let definition = Definition { mapping: mapping.map(str::to_owned), ..Definition::new("lcg") };
        let planned = catalogue().plan(&definition, Path::new(""));
        planned.map(|planned| planned.study.fingerprint()).map_err(|error: DefinitionError| error.to_string())
    };
    // It is no part of what runs depend on.
    assert_eq!(mapped(Some("pad")), mapped(None));
    assert!(mapped(Some("heap")).unwrap_err().contains("give none, due, apart, spread, sort, pad, compact, auto"));
}

mod handlers {
    crate::event_model! {
        /// A module that does as its simulation says.
        pub mod erring {
            events {
                /// Attempt that may fail.
                Try => attempt,
            }

            /// Counts.
            #[derive(Row)]
            pub struct Module { pub seen: u32 }

            /// Nothing of note.
            pub struct Payload { pub number: u32 }

            /// Parameters of a simulation: the deed of its modules.
            #[derive(Row)]
            pub struct Point { pub deed: u32, pub divisor: u32 }

            fn attempt(me: &mut Module, payload: Payload, point: &Point, agenda: &mut Agenda) {
                me.seen += 1;
                if point.deed == 1 && me.seen == 3 {
                    agenda.send(agenda.modules(), 9, Kind::Try, payload);
                }
                if point.deed == 2 {
                    me.seen += 7 / point.divisor;
                }
                agenda.schedule(2, Kind::Try, payload);
                if point.deed == 6 {
                    agenda.schedule(1, Kind::Try, payload);
                }
            }
        }
    }
}

use handlers::erring;

/// Runs that do well (0), send to where nobody is (1), divide by zero (2), or cannot start (3, 4).
#[derive(Clone, Debug, Default)]
struct Erring;

/// Configuration of runs that err.
#[derive(Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Deeds {
    /// Deed of the modules.
    #[schemars(range(max = 6))]
    deed: u32,
}

impl EventModel for Erring {
    type Config = Deeds;
    type Events = erring::step;

    const MAX_SCHEDULED: u32 = 2;

    fn description() -> Description {
        Description::new("erring", "1", "Runs that err.").measure(Measure::new("seen", "", "Events."))
    }

    fn check(config: &Deeds) -> Result<(), Fault> {
        if config.deed == 5 { Err("nobody does that: do something else".into()) } else { Ok(()) }
    }

    fn start(&mut self, config: &Deeds, _: u64) -> Result<Start<erring::step>, Fault> {
        let deed = config.deed;
        if deed == 4 {
            return Err("there is nothing to begin with".into());
        }
        let payload = erring::Payload { number: 0 };
        Ok(Start {
            point: Arc::new(erring::Point { deed, divisor: 0 }),
            modules: vec![erring::Module { seen: 0 }; 2],
            events: vec![First { time: 0, module: if deed == 3 { 2 } else { 1 }, kind: erring::Kind::Try, payload }],
            lookahead: 9.into(),
            end: 20,
        })
    }

    fn values(_: &Deeds, end: &End<erring::Module>) -> Vec<Option<f64>> {
        vec![end.modules.iter().map(|module| f64::from(module.seen)).reduce(f64::max)]
    }
}

/// Plans runs of these deeds, also of those that are not possible.
fn erring(deeds: &[i32]) -> Planned {
    let definition = Definition::new("erring").repetitions(2).axis(Axis::values("deed", deeds.iter().copied()));
    let planned = plan(&Definition::new("erring").axis(Axis::values("deed", [0])));
    let study = definition.plan(planned.base.description().clone()).unwrap();
    Planned { study, ..planned }
}

#[test]
fn what_goes_wrong_in_a_run_is_no_matter_of_others() {
    let planned = erring(&[0, 1, 2, 3, 4]);
    let study = &planned.study;
    let mut results = Results::new(study).unwrap();
    let mut laboratory = laboratory::<Erring>(&planned);
    let ending = conduct(study, &mut results, &mut laboratory, None, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((ending, results.done(), results.failed()), (Ending::Failed, 2, 8));
    assert_eq!((results.value(0, 0), results.value(1, 0), results.value(2, 0)), (Some(10.0), Some(10.0), None));
    let failures: Vec<_> = results.failures().collect();
    for (run, words) in [
        (
            2,
            "simulation 2, module 1, event `Try` at tick 4: the handler sends an event to a module that does not exist",
        ),
        (5, "division by zero"),
        (6, "starts with an event at module 2"),
        (9, "there is nothing to begin with"),
    ] {
        let why = failures.iter().find(|(number, _)| *number == run).unwrap().1;
        assert!(why.contains(words), "run {run}: {why}");
    }
    // They are missing, and are tried again.
    assert_eq!(results.missing().len(), 8);
    let ending = conduct(study, &mut results, &mut laboratory, None, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((ending, results.done(), results.failed()), (Ending::Failed, 2, 8));
}

/// In a study that is too large for every point to be checked beforehand, runs of impossible points are reported as
/// failed.
#[test]
fn runs_of_points_that_are_not_possible_fail_alone() {
    let planned = erring(&[0, 5]);
    let study = &planned.study;
    let (finished, failed) = reported(&mut laboratory::<Erring>(&planned), &study.select(0..study.runs()));
    assert_eq!(finished, alone::<Erring>(&planned, &study.select(0..2)));
    let why = "nobody does that: do something else".to_owned();
    assert_eq!(failed, [(2, why.clone()), (3, why)]);
}

/// Runs finish while others have not begun, however many there is memory for.
#[test]
fn a_long_study_tells_of_its_first_runs_soon() {
    let planned = plan(&Definition::new("phold").fix("modules", 1).fix("end", 1.0).repetitions(5_000));
    let study = &planned.study;
    let mut shares = vec![];
    let mut stop = |update| {
        if let Update::Progress { share } = update {
            shares.push(share);
        }
        if matches!(update, Update::Finished(_)) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    laboratory::<Phold>(&planned).run(&study.select(0..study.runs()), &mut stop).unwrap();
    assert!(shares.iter().all(|share| *share <= 256.0 / 5_000.0), "{shares:?}");
}

/// One run needs more than there is; all that do not are finished.
#[test]
fn a_run_for_which_there_is_no_memory_fails_alone() {
    let definition =
        Definition::new("phold").fix("modules", 2).fix("end", 3.0).axis(Axis::values("tokens", [2, 9, 20_000, 5]));
    let planned = plan(&definition);
    let study = &planned.study;
    let runs = study.select(0..study.runs());
    let device = device();
    device.set_memory_limit(Some(device.memory().current + 1_000_000));
    let (finished, failed) =
        reported(&mut EventRuns::<Phold>::new(&planned.base, &device).on(Execution::Device).within(u64::MAX), &runs);
    assert_eq!(finished.iter().map(|run| run.run).collect::<Vec<_>>(), [0, 1, 3]);
    assert!(matches!(failed.as_slice(), [(2, why)] if why.contains("no room")), "{failed:?}");
    assert_eq!(finished[..2], alone::<Phold>(&planned, &runs.part(0..2)));
}

/// One run's list grows beyond the memory, also alone; the others that began beside it are finished.
#[test]
fn a_run_whose_list_outgrows_the_memory_fails_alone() {
    let planned = erring(&[0, 6]);
    let study = &planned.study;
    let runs = study.select(0..study.runs());
    let device = device();
    device.set_memory_limit(Some(device.memory().current + 200_000));
    let (finished, failed) =
        reported(&mut EventRuns::<Erring>::new(&planned.base, &device).on(Execution::Device).within(u64::MAX), &runs);
    assert_eq!(finished, alone::<Erring>(&planned, &runs.part(0..2)), "{failed:?}");
    let whys: Vec<_> = failed.iter().map(|(run, why)| (*run, why.as_str())).collect();
    let [(2, why), (3, _)] = whys.as_slice() else { panic!("{failed:?}") };
    assert!(why.starts_with("simulation 2, module ") && why.contains("event `Try` at tick "), "{why}");
    assert!(why.contains("the device has no memory for the pending events of this module"), "{why}");
}

/// Runs of a batch are reported while others of it continue, and breaking ends the batch.
#[test]
fn runs_are_reported_as_they_end() {
    let definition = Definition::new("phold").fix("modules", 4).axis(Axis::values("end", [1.0, 50_000.0]));
    let planned = plan(&definition);
    let study = &planned.study;
    let runs = study.select(0..study.runs());
    let mut laboratory = laboratory::<Phold>(&planned).polling_every(Duration::from_millis(10));
    let mut finished = vec![];
    let mut shares = vec![];
    laboratory
        .run(&runs, &mut |update| match update {
            Update::Finished(run) => {
                finished.push(run);
                ControlFlow::Break(())
            }
            Update::Progress { share } => {
                shares.push(share);
                ControlFlow::Continue(())
            }
            Update::Failed(run) => panic!("{run}"),
        })
        .unwrap();
    assert_eq!(finished, alone::<Phold>(&planned, &runs.part(0..1)));
    assert!(shares.iter().all(|share| (0.0..1.0).contains(share)), "{shares:?}");
}
