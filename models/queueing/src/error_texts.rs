//! Snapshot of all error texts of this crate.

use crate::analysis::{NotSettled, PlanError, Warning};
use crate::config::{ConfigError, ConversionError, ReplayFileError};
use crate::engine::EngineError;
use crate::experiment::{ExperimentError, SetUpError};
use crate::graphml::{GraphmlError, Role};
use crate::interval::{IntervalError, Unsupported};
use crate::jsimg::{JsimgError, NotWritten};
use crate::law::{LawError, LawShapeError};
use crate::measures::Measure;
use crate::network::{BehaviourError, Discipline, NetworkError, TorusError, Warning as NetworkWarning};
use crate::scenario::ScenarioError;
use crate::sequential::Deadlock;
use crate::study::{NetworkRunError, PointError};
use crate::tally::TooManyRows;
use crate::theory::{Objection, TheoryError};
use crate::trace::{ReplayError, SamplingError};
use imminent_common::input::InputError;
use imminent_common::time::{Tick, TimeError};
use imminent_common::toml_text::TomlError;
use imminent_testkit::error_texts;
use imminent_testkit::error_texts::ErrorTexts;

fn triage() -> String {
    "triage".to_owned()
}

fn urgent() -> String {
    "urgent".to_owned()
}

fn add_networks(texts: &mut ErrorTexts) {
    error_texts!(texts, NetworkError {
        NoNodes => [NetworkError::NoNodes],
        TooManyNodes => [NetworkError::TooManyNodes { nodes: 20_000_000, limit: 16_777_216 }],
        TooManyEdges => [NetworkError::TooManyEdges { edges: 5_000_000_000, limit: 4_294_967_295 }],
        TooManyTokens => [NetworkError::TooManyTokens { tokens: 5_000_000_000, limit: 4_294_967_295 }],
        EmptyTorus => [NetworkError::EmptyTorus { width: 64, height: 0 }],
        TooSmall => [NetworkError::TooSmall { what: "layers", given: 0, least: 1 }],
        UnknownNode => [NetworkError::UnknownNode { edge: 3, node: 7, nodes: 5 }],
        DeadEnd => [NetworkError::DeadEnd { label: triage() }],
        DeadEndForClass => [NetworkError::DeadEndForClass { label: triage(), class: urgent() }],
        NotServed => [NetworkError::NotServed { label: triage(), class: urgent() }],
        Law => [NetworkError::Law { label: triage(), class: urgent(), error: LawError::Branches { sum: 0.9 } }],
        NoServers => [NetworkError::NoServers { label: triage() }],
        Behaviour => [NetworkError::Behaviour { label: triage(), error: BehaviourError::RetryOrBlock }],
        Resources => [NetworkError::Resources { problem: "'bed' has no units: give at least 1".into() }],
        Conditions => [NetworkError::Conditions { label: triage(), class: urgent(), problem: "none is open with 5 tokens at 'ward': add one for this state, or one without conditions".into() }],
        OnlyPassed => [NetworkError::OnlyPassed { nodes: vec!["split".into(), "choice".into()] }],
        CannotBlock => [NetworkError::CannotBlock { label: "door".into(), what: "batches of tokens", to: triage() }],
        EmptyRegion => [NetworkError::EmptyRegion { nodes: 0, capacity: 4 }],
        ForkedClasses => [NetworkError::ForkedClasses { label: "split".into() }],
        SmallRegion => [NetworkError::SmallRegion { label: triage(), least: 5, capacity: 3 }],
        TwoRegions => [NetworkError::TwoRegions { label: triage() }],
        Capacity => [NetworkError::Capacity { label: triage(), capacity: 2, servers: 3 }],
        StartsFull => [NetworkError::StartsFull { label: triage(), tokens: 40, capacity: 30 }],
        IntoSource => [
            NetworkError::IntoSource { label: "door".into(), what: "go" },
            NetworkError::IntoSource { label: "door".into(), what: "start" },
        ],
        Probabilities => [NetworkError::Probabilities { label: triage(), class: urgent(), sum: 0.75 }],
        MixedProbabilities => [NetworkError::MixedProbabilities { label: triage(), class: urgent() }],
        RoundRobin => [NetworkError::RoundRobin { label: triage(), class: urgent() }],
        Unreachable => [NetworkError::Unreachable { label: triage() }],
        Empty => [NetworkError::Empty],
        UnknownClass => [NetworkError::UnknownClass { what: "a route of node 'triage'".into(), class: 2, classes: 2 }],
        NodeNumber => [NetworkError::NodeNumber { what: "a route", node: 7, nodes: 5 }],
        TooManyPairs => [NetworkError::TooManyPairs { nodes: 10_000_000, classes: 4, limit: 16_777_216 }],
        NoService => [NetworkError::NoService { label: triage() }],
        OutOfMemory => [NetworkError::OutOfMemory { bytes: 34_359_738_368 }],
    });
    error_texts!(texts, TorusError {
        Mean => [TorusError::Mean(TimeError::NotAMean { units: 0.0 })],
        Network => [TorusError::Network(NetworkError::EmptyTorus { width: 64, height: 0 })],
    });
    let file = || "net.graphml".to_owned();
    error_texts!(texts, GraphmlError {
        File => [GraphmlError::File(imminent_common::graph::FileError::NoGraph { file: file() })],
        Node => [GraphmlError::Node {
            file: file(),
            line: 20,
            node: "node 'n4'".into(),
            problem: "'service_mean' needs no 'service_rate': give one of them".into(),
        }],
        Edge => [GraphmlError::Edge {
            file: file(),
            line: 20,
            edge: "the edge from 'n4' to 'n7'".into(),
            problem: "leads to a source: remove it",
        }],
        NoSuchNode => [GraphmlError::NoSuchNode {
            file: file(),
            name: "Seattel".into(),
            role: "source",
            example: "Seattle".into(),
        }],
        OwnRole => [GraphmlError::OwnRole { file: file(), line: 20, name: triage(), own: Role::Station, asked: Role::Sink }],
        Network => [
            GraphmlError::Network { file: file(), line: Some(20), error: NetworkError::DeadEnd { label: triage() } },
            GraphmlError::Network { file: file(), line: None, error: NetworkError::Empty },
        ],
    });
}

fn add_jsimg(texts: &mut ErrorTexts) {
    let file = || "model.jsimg".to_owned();
    error_texts!(texts, JsimgError {
        Input => [JsimgError::Input(InputError::NotRegular { file: file(), kind: "a character device" })],
        NotXml => [JsimgError::NotXml { file: file(), reason: "unknown token at 1:1".into() }],
        NoModel => [JsimgError::NoModel { file: file() }],
        Element => [JsimgError::Element {
            file: file(),
            line: 20,
            element: "station 'Queue 1', class 'Class1'".into(),
            problem: "processor sharing has no counterpart here".into(),
        }],
    });
    texts.add(
        "NotWritten",
        &NotWritten {
            node: triage(),
            problem: "JMT has no law 'empirical': use one that it has, such as 'gamma'".into(),
        },
    );
}

fn add_laws(texts: &mut ErrorTexts) {
    error_texts!(texts, LawError {
        NotPositive => [LawError::NotPositive { law: "exponential", parameter: "mean", value: 0.0 }],
        TooShort => [LawError::TooShort { law: "exponential", units: 1e-9, least: 9.5367e-7 }],
        OutOfRange => [LawError::OutOfRange { law: "weibull", parameter: "shape", value: 0.01, low: 0.1, high: 100.0 }],
        Interval => [LawError::Interval { low: 6.0, high: 2.0 }],
        Branches => [LawError::Branches { sum: 0.9 }],
        Triangle => [LawError::Triangle { low: 1.0, mode: 0.5, high: 2.0 }],
        Phases => [LawError::Phases { law: "coxian", phases: 65, limit: 64 }],
        Length => [LawError::Length { law: "coxian", list: "onward", given: 3, expected: 2 }],
        Entry => [LawError::Entry {
            law: "coxian",
            list: "onward",
            number: 2,
            value: 1.5,
            rule: "more than 0 and at most 1",
        }],
        Sum => [LawError::Sum { law: "phase-type", list: "initial", sum: 0.9 }],
        Generator => [LawError::Generator { row: 2, sum: 1.0 }],
        NeverEnds => [LawError::NeverEnds { law: "phase-type", phase: 2 }],
        Stiff => [LawError::Stiff { law: "coxian", ratio: 1e9, limit: 16_777_216.0 }],
        Values => [LawError::Values { values: 0, limit: 1_048_576 }],
        Value => [LawError::Value { number: 12, value: -1.0 }],
        TooLong => [LawError::TooLong { law: "log-normal", units: 1.2e14, limit: 8.796e12 }],
    });
    let file = || "times.csv".to_owned();
    error_texts!(texts, LawShapeError {
        Missing => [LawShapeError::Missing { law: "erlang", keys: "'stages' and 'mean'", missing: "stages" }],
        Superfluous => [LawShapeError::Superfluous { law: "exponential", keys: "'mean'", key: "cv" }],
        Rate => [LawShapeError::Rate { rate: 0.0 }],
        Rates => [LawShapeError::Rates { number: 2, rate: 0.0 }],
        Variation => [LawShapeError::Variation { cv: 0.5 }],
        Input => [LawShapeError::Input(InputError::NotRegular { file: file(), kind: "a character device" })],
        File => [LawShapeError::File { file: file(), reason: "found record with 2 fields".into() }],
        Column => [LawShapeError::Column { file: file(), column: "minutes".into(), columns: 2 }],
        Entry => [LawShapeError::Entry { file: file(), line: 20, column: "minutes".into() }],
    });
}

fn add_runs(texts: &mut ErrorTexts) {
    let deadlock = || Deadlock { time: 81_020, nodes: vec![1, 2], labels: vec!["saw".into(), "mill".into()] };
    let settled = || NotSettled { measure: Measure::Sojourn, replications: 10 };
    let device = || imminent_core::Error::invalid("device option `threads`", "`x` is not a number");
    error_texts!(texts, ScenarioError {
        NotBalanced => [ScenarioError::NotBalanced { label: triage() }],
        HorizonTooLong => [ScenarioError::HorizonTooLong {
            horizon: 1 << 60,
            tokens: 4_096,
            limit: 1 << 50,
            tick: Tick::DEFAULT,
        }],
        TooManyReplications => [ScenarioError::TooManyReplications {
            replications: 1_000,
            horizon: 1 << 50,
            tokens: 4_096,
            limit: 1 << 41,
            tick: Tick::DEFAULT,
        }],
    });
    error_texts!(texts, EngineError {
        Device => [EngineError::Device(device())],
        Cancelled => [EngineError::Cancelled { steps: 1_200 }],
        LineTooLong => [EngineError::LineTooLong { lanes: 5_000_000_000 }],
        TooManyServers => [EngineError::TooManyServers { label: triage(), servers: 2_000_000, limit: 1_048_576 }],
        NotNative => [EngineError::NotNative { device: "NVIDIA H200".into() }],
        NotSimple => [EngineError::NotSimple],
        Beyond => [EngineError::Beyond { label: triage(), what: "shifts" }],
        Unsupported => [EngineError::Unsupported(Unsupported { label: triage() })],
        TooLarge => [EngineError::TooLarge { what: "nodes" }],
    });
    error_texts!(texts, ExperimentError<EngineError> {
        Scenario => [ExperimentError::Scenario(ScenarioError::NotBalanced { label: triage() })],
        Engine => [ExperimentError::Engine { replication: 2, error: EngineError::Cancelled { steps: 1_200 } }],
        Overflow => [ExperimentError::Overflow { replication: 2 }],
        Unread => [ExperimentError::Unread(device())],
        NotSettled => [ExperimentError::NotSettled(settled())],
        Interrupted => [ExperimentError::Interrupted],
        Incomplete => [ExperimentError::Incomplete { replication: 2 }],
    });
    error_texts!(texts, SetUpError {
        Scenario => [SetUpError::Scenario(ScenarioError::NotBalanced { label: triage() })],
        Plan => [SetUpError::Plan(PlanError::Batches { batches: 1 })],
        UnknownEnds => [SetUpError::UnknownEnds { label: triage(), what: "tokens that wait in the servers they come from" }],
        ClusteredArrivals => [SetUpError::ClusteredArrivals],
    });
    error_texts!(texts, IntervalError {
        Time => [IntervalError::Time(TimeError::NotATime { units: -1.0 })],
        TooShort => [IntervalError::TooShort { units: 1e-9, tick: 9.5367e-7 }],
    });
    error_texts!(texts, ConfigError {
        Toml => [ConfigError::Toml(TomlError::value("run.replications", "0 replications: give at least 1".into()))],
        Jsimg => [ConfigError::Jsimg(JsimgError::NoModel { file: "model.jsimg".into() })],
        Graph => [ConfigError::Graph(imminent_common::graph::FileError::NoGraph { file: "net.graphml".into() }.into())],
    });
    let calls = || "calls.csv".to_owned();
    error_texts!(texts, ReplayFileError {
        Input => [ReplayFileError::Input(InputError::TooLarge { file: calls(), most: 1 << 30 })],
        Csv => [ReplayFileError::Csv { file: calls(), line: 7 }],
        Damaged => [ReplayFileError::Damaged { file: calls() }],
        TooManyRows => [ReplayFileError::TooManyRows { file: calls(), most: 1 << 26 }],
        NoParquet => [ReplayFileError::NoParquet { file: calls() }],
        Empty => [ReplayFileError::Empty { file: calls() }],
        Column => [ReplayFileError::Column { file: calls(), column: "kind".into(), columns: 4 }],
        Entry => [ReplayFileError::Entry {
            file: calls(),
            place: crate::config::Place::Line(7),
            column: "time".into(),
            problem: "a time before that of the row above: sort the rows by time",
        }],
    });
    error_texts!(texts, ConversionError {
        Config => [ConversionError::Config(JsimgError::NoModel { file: "model.jsimg".into() }.into())],
        NotWritten => [ConversionError::NotWritten(NotWritten { node: triage(), problem: "JMT has no law 'empirical'".into() })],
        NotJsimg => [ConversionError::NotJsimg],
        NotToml => [ConversionError::NotToml { reason: "unsupported u64 value".into() }],
    });
    error_texts!(texts, ReplayError {
        Scenario => [ReplayError::Scenario(ScenarioError::NotBalanced { label: triage() })],
        Deadlock => [ReplayError::Deadlock(deadlock())],
        OtherRun => [ReplayError::OtherRun { replication: 2 }],
    });
    texts.add("SamplingError", &SamplingError { given: 1.5 });
    texts.add("TooManyRows", &TooManyRows { what: "quantiles", rows: 4_096, remedy: "--quantiles or --by-class" });
}

fn add_analysis(texts: &mut ErrorTexts) {
    error_texts!(texts, PlanError {
        NothingLeft => [PlanError::NothingLeft { warm_up: 2_097_152_000, horizon: 1_048_576_000 }],
        Batches => [PlanError::Batches { batches: 1 }],
        Looks => [PlanError::Looks { looks: 1_000_000, ticks: 1_048_576_000 }],
        TooManyPeriods => [PlanError::TooManyPeriods { periods: 1_000_000, nodes: 65 }],
        TooFewForMser => [PlanError::TooFewForMser { looks: 20 }],
        TooManyNodes => [PlanError::TooManyNodes { looks: 250, bytes: 34_359_738_368 }],
        ArrivedByMser => [PlanError::ArrivedByMser],
        LengthenMany => [PlanError::LengthenMany { replications: 10 }],
        AddNone => [PlanError::AddNone { replications: 3 }],
    });
    error_texts!(texts, Warning {
        Correlated => [Warning::Correlated { probability: 0.0123 }],
        Imprecise => [
            Warning::Imprecise { measure: Measure::Sojourn, wanted: 0.05, reached: Some(0.0812) },
            Warning::Imprecise { measure: Measure::Sojourn, wanted: 0.05, reached: None },
        ],
        Slowed => [
            Warning::Slowed { label: triage(), load: 0.8, raised: 0.84, factor: Some(1.25) },
            Warning::Slowed { label: triage(), load: 0.96, raised: 1.008, factor: None },
        ],
        TooFewCompleted => [Warning::TooFewCompleted { replications: 3, completions: 100_000 }],
    });
    error_texts!(texts, NetworkWarning {
        LeftOut => [NetworkWarning::LeftOut { nodes: 3 }],
        Scaled => [NetworkWarning::Scaled { node: triage(), class: urgent(), sum: 0.9999995, others: 1 }],
        Unstable => [
            NetworkWarning::Unstable { node: triage(), load: 1.25, others: 0 },
            NetworkWarning::Unstable { node: triage(), load: 1.25, others: 2 },
        ],
        NeverLeaves => [NetworkWarning::NeverLeaves { node: triage(), class: urgent() }],
        PriorityIgnored => [NetworkWarning::PriorityIgnored { node: triage(), discipline: Discipline::Fifo, others: 1 }],
        PriorityAlike => [NetworkWarning::PriorityAlike { node: triage(), others: 0 }],
        NeverJoined => [NetworkWarning::NeverJoined { node: triage(), others: 1 }],
        TooLate => [NetworkWarning::TooLate { what: "servers on duty".into(), node: triage(), time: 2000.0, horizon: 600.0 }],
        OutsideRegion => [NetworkWarning::OutsideRegion { node: triage() }],
        InfiniteVariance => [NetworkWarning::InfiniteVariance { node: triage(), law: "pareto".into() }],
        Rounded => [NetworkWarning::Rounded {
            node: triage(),
            law: "weibull".into(),
            mean: 10.0,
            drawn: 10.02,
            tick: 9.5367e-7,
        }],
    });
}

fn add_theory(texts: &mut ErrorTexts) {
    error_texts!(texts, TheoryError {
        NotStronglyConnected => [TheoryError::NotStronglyConnected { from: "saw".into(), to: "mill".into() }],
        NotSimple => [TheoryError::NotSimple],
        NeverLeaves => [TheoryError::NeverLeaves { label: triage(), class: urgent() }],
        NoProductForm => [TheoryError::NoProductForm { label: triage(), reason: Objection::NotExponential }],
        Unstable => [TheoryError::Unstable { label: triage(), load: 1.25 }],
        TooLarge => [TheoryError::TooLarge { nodes: 4_096, limit: 2_048 }],
        TooManySteps => [TheoryError::TooManySteps { steps: 5_000_000_000, limit: 1_000_000_000 }],
    });
    error_texts!(texts, BehaviourError {
        Misplaced => [BehaviourError::Misplaced { what: "shifts", belongs: "station" }],
        Entries => [BehaviourError::Entries { what: "speeds", entries: 200_000 }],
        Order => [BehaviourError::Order { what: "shifts", time: 3.0, before: 8.0 }],
        Period => [BehaviourError::Period { what: "rates", period: 24.0, time: 30.0 }],
        Never => [BehaviourError::Never { what: "the servers on duty" }],
        TooManyOnDuty => [BehaviourError::TooManyOnDuty { servers: 5, most: 3 }],
        Range => [BehaviourError::Range { what: "speeds", value: -1.0, range: "10^-6 to 10^6" }],
        Probabilities => [BehaviourError::Probabilities { what: "the probabilities of batches", sum: 0.75 }],
        Together => [BehaviourError::Together { what: "servers that differ", other: "processor sharing", place: "station" }],
        Unskilled => [BehaviourError::Unskilled { class: urgent() }],
        Unvisited => [BehaviourError::Unvisited { class: urgent() }],
        Pool => [BehaviourError::Pool { number: 1, error: Box::new(BehaviourError::TooManyOnDuty { servers: 5, most: 3 }) }],
        NoParts => [BehaviourError::NoParts],
        Markovian => [BehaviourError::Markovian { problem: "row 1 adds up to 2 over both matrices: make the diagonal of the first one -3".into() }],
        Replay => [BehaviourError::Replay { row: 7, problem: "the class has no law at the source: give it one for its mean rate".into() }],
        RetryOrBlock => [BehaviourError::RetryOrBlock],
        Law => [BehaviourError::Law(LawError::Branches { sum: 0.9 })],
        Time => [BehaviourError::Time(TimeError::NotATime { units: -1.0 })],
    });
    error_texts!(texts, Objection {
        Beyond => [Objection::Beyond { what: "shifts" }],
        NotExponential => [Objection::NotExponential],
        LawsDiffer => [Objection::LawsDiffer],
        RoundRobin => [Objection::RoundRobin],
        Limited => [Objection::Limited],
        Prefers => [Objection::Prefers { discipline: Discipline::Priority }],
        ServesAgain => [Objection::ServesAgain { discipline: Discipline::Lifo }],
        Open => [Objection::Open],
        Stays => [Objection::Stays { class: urgent() }],
        NoSource => [Objection::NoSource],
        Transient => [Objection::Transient],
    });
}

#[test]
fn every_error_has_a_text() {
    let mut texts = ErrorTexts::default();
    add_networks(&mut texts);
    add_jsimg(&mut texts);
    add_laws(&mut texts);
    add_runs(&mut texts);
    add_analysis(&mut texts);
    add_theory(&mut texts);
    error_texts!(texts, NetworkRunError {
        Scenario => [NetworkRunError::Scenario {
            run: 12,
            error: ScenarioError::NotBalanced { label: "triage".into() },
        }],
        Engine => [NetworkRunError::Engine {
            first: 12,
            last: 40,
            error: Box::new(EngineError::Cancelled { steps: 1_200 }),
        }],
    });
    error_texts!(texts, PointError {
        Configuration => [PointError::Configuration(
            TomlError::value("run.horizon", "0 is not possible: give more".into()).into(),
        )],
        Value => [PointError::Value("invalid type: string \"few\", expected u32".into())],
        Unsuitable => [PointError::Unsuitable {
            file: "net.toml".into(),
            key: "replications",
            instead: "`repetitions` of the study takes its place",
        }],
    });
    insta::assert_snapshot!("errors", texts);
}
