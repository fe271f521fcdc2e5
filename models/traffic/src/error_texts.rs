//! Snapshot of all error texts of this crate.

use crate::TrafficError;
use crate::config::ConfigError;
use crate::coupling::CouplingError;
use crate::fluid::{FluidError, RuleError};
use crate::network::files::ReadError;
use crate::network::{FlowError, NetworkError, RouteError};
use crate::packet::PacketError;
use crate::simulation::SimulationError;
use imminent_common::free_memory::MemoryError;
use imminent_common::graph::FileError;
use imminent_common::toml_text::TomlError;
use imminent_testkit::error_texts;
use imminent_testkit::error_texts::ErrorTexts;

fn from() -> String {
    "Seattle".to_owned()
}

fn to() -> String {
    "Denver".to_owned()
}

fn flow() -> String {
    "'web'".to_owned()
}

const MILLISECOND: u64 = 1_000_000;

fn add_networks(texts: &mut ErrorTexts) {
    let file = || "brain.xml".to_owned();
    error_texts!(texts, NetworkError {
        NoNodes => [NetworkError::NoNodes],
        TooMany => [NetworkError::TooMany { what: "links", count: 5_000_000_000 }],
        DuplicateNode => [NetworkError::DuplicateNode { label: from() }],
        NoSuchNode => [NetworkError::NoSuchNode { link: 3, node: 7, nodes: 5 }],
        Loop => [NetworkError::Loop { node: from() }],
        Bandwidth => [NetworkError::Bandwidth { from: from(), to: to(), bandwidth: 0 }],
        Delay => [NetworkError::Delay { from: from(), to: to(), delay: 2_000_000 * MILLISECOND }],
        Buffer => [NetworkError::Buffer { from: from(), to: to(), capacity: 0 }],
        Loss => [NetworkError::Loss { from: from(), to: to(), loss: 1.0 }],
        Red => [NetworkError::Red { parameter: "max_p", value: 2.0, expected: "above 0 and at most 1" }],
        Codel => [NetworkError::Codel { parameter: "queues", value: "0".into(), expected: "from 1 to 65536" }],
        OtherDiscipline => [NetworkError::OtherDiscipline { discipline: "drop-tail", of: "RED", needed: "red" }],
        TooManyFailures => [NetworkError::TooManyFailures { count: 20_000, most: 10_000 }],
        NoSuchLink => [NetworkError::NoSuchLink { link: 22, links: 22 }],
        FailureTimes => [NetworkError::FailureTimes { from: from(), to: to(), start: 20.0, stop: 10.0 }],
        Generator => [NetworkError::Generator { problem: "a ring of 2 nodes is not possible: give at least 3".into() }],
    });
    error_texts!(texts, FlowError {
        TooMany => [FlowError::TooMany { count: 5_000_000_000 }],
        UnknownNode => [FlowError::UnknownNode { flow: flow(), end: "destination", node: to() }],
        SameEnds => [FlowError::SameEnds { flow: flow(), node: from() }],
        Times => [FlowError::Times { flow: flow(), start: 60_000 * MILLISECOND, stop: 30_000 * MILLISECOND }],
        Kind => [FlowError::Kind { flow: flow(), problem: "0 sessions: give at least 1".into() }],
        Tcp => [FlowError::Tcp {
            flow: flow(),
            parameter: "initial_window",
            problem: "0 packets are not possible: give 1 to 1048576".into(),
        }],
    });
    error_texts!(texts, RouteError {
        Unconnected => [RouteError::Unconnected { from: from(), to: to(), pairs: 12 }],
        NoSuchNode => [RouteError::NoSuchNode { from: 2, to: 7, nodes: 5 }],
        TooManyHops => [RouteError::TooManyHops { hops: 5_000_000_000 }],
    });
    error_texts!(texts, ReadError {
        File => [ReadError::File(FileError::NoGraph { file: file() })],
        Missing => [ReadError::Missing {
            file: file(),
            line: 20,
            element: "the edge from 'n4' to 'n7'".into(),
            name: "bandwidth".into(),
            remedy: "one for all links",
        }],
        Edge => [ReadError::Edge {
            file: file(),
            line: 20,
            element: "the edge from 'n4' to 'n4'".into(),
            error: NetworkError::Loop { node: "n4".into() },
        }],
        Sndlib => [ReadError::Sndlib { file: file(), line: 20, problem: "a demand of -1: give at least 0".into() }],
        Network => [ReadError::Network { file: file(), error: NetworkError::NoNodes }],
    });
    error_texts!(texts, ConfigError {
        Toml => [ConfigError::Toml(TomlError::value("run.horizon", "0 s is not possible: give more".into()))],
        Memory => [ConfigError::Memory(MemoryError {
            option: "--campuses ('campuses' in [topology])".into(),
            asked: 100_000,
            needed: 15_000_000_000_000,
            free: 64_000_000_000,
            most: 5_600,
        })],
        Topology => [ConfigError::Topology(ReadError::Network { file: file(), error: NetworkError::NoNodes })],
        Matrix => [ConfigError::Matrix {
            file: "matrix.csv".into(),
            line: Some(20),
            problem: "'n9' is no node of the network".into(),
        }],
    });
}

fn add_engines(texts: &mut ErrorTexts) {
    error_texts!(texts, TrafficError {
        Network => [TrafficError::Network(NetworkError::NoNodes)],
        Flow => [TrafficError::Flow(FlowError::SameEnds { flow: flow(), node: from() })],
        Route => [TrafficError::Route(RouteError::Unconnected { from: from(), to: to(), pairs: 12 })],
        Tcp => [TrafficError::Tcp { parameter: "packet_bytes", value: 0, most: 65_535 }],
        QueueBelowPacket => [TrafficError::QueueBelowPacket { from: from(), to: to(), capacity: 500, packet: 1_000 }],
        StepTooLong => [TrafficError::StepTooLong {
            step: MILLISECOND,
            longest: MILLISECOND / 10,
            link: "'Seattle' to 'Denver'".into(),
            delay: MILLISECOND,
        }],
        FluidRoutes => [TrafficError::FluidRoutes { what: "failures of links" }],
        FluidDiscipline => [TrafficError::FluidDiscipline { from: from(), to: to(), discipline: "fq-codel" }],
        NoDelay => [TrafficError::NoDelay { from: from(), to: to() }],
        NoStep => [TrafficError::NoStep { step: 0, delay: MILLISECOND }],
        Launch => [TrafficError::Launch { lookahead: 20, step: MILLISECOND / 10, delay: MILLISECOND }],
    });
    error_texts!(texts, FluidError {
        TooSlow => [FluidError::TooSlow { seconds: 5_000.0, step: 0.0001 }],
        TooLate => [FluidError::TooLate { age: 1.9, more: 0.2, kept: 2.0 }],
        Memory => [FluidError::Memory {
            flows: 2_500_000,
            branches: 9_000_000,
            needed: 160_000_000_000,
            free: 80_000_000_000,
            device: "NVIDIA H200".into(),
        }],
        NoDoubles => [FluidError::NoDoubles { device: "llvmpipe".into() }],
        Rules => [FluidError::Rules(RuleError { rule: "divisor", value: 0.0, expected: "1 to 1000" })],
        Launch => [FluidError::Launch(TrafficError::NoStep { step: 0, delay: MILLISECOND })],
        Device => [FluidError::Device(imminent_core::Error::invalid("device option `threads`", "`x` is not a number"))],
    });
    error_texts!(texts, PacketError {
        WayBack => [PacketError::WayBack(RouteError::Unconnected { from: to(), to: from(), pairs: 1 })],
        Paths => [PacketError::Paths(RouteError::TooManyHops { hops: 5_000_000_000 })],
        QueueBelowPacket => [PacketError::QueueBelowPacket { from: from(), to: to(), capacity: 20, bytes: 40 }],
        TooManySessions => [PacketError::TooManySessions { sessions: 5_000_000_000, most: 4_294_967_295 }],
        Memory => [PacketError::Memory { sessions: 10_000_000, needed: 16_000_000_000, free: 8_000_000_000 }],
        Changes => [PacketError::Changes { done: 800, changes: 1_600, needed: 9_000_000_000, free: 8_000_000_000 }],
        Flow => [PacketError::Flow(FlowError::Tcp {
            flow: flow(),
            parameter: "hystart",
            problem: "its sessions are Reno's, which has no HyStart++: give it 'newreno' or 'cubic'".into(),
        })],
        Setting => [PacketError::Setting { name: "receiver_window", value: "0".into(), expected: "give at least 1" }],
    });
    error_texts!(texts, CouplingError {
        Batch => [CouplingError::Batch { batch: 0, most: 1_000 }],
        Launch => [CouplingError::Launch(TrafficError::NoStep { step: 0, delay: MILLISECOND })],
        OtherTraffic => [CouplingError::OtherTraffic],
        NotNew => [CouplingError::NotNew { now: 30_000 * MILLISECOND }],
        Fluid => [CouplingError::Fluid(FluidError::NoDoubles { device: "llvmpipe".into() })],
        Over => [CouplingError::Over { now: 30_000 * MILLISECOND }],
    });
    let memory =
        |option: &str| MemoryError { option: option.into(), asked: 9, needed: 9 << 30, free: 4 << 30, most: 4 };
    error_texts!(texts, SimulationError {
        Config => [SimulationError::Config(TomlError::value("run.step", "0 s is not a time".into()).into())],
        Memory => [SimulationError::Memory(memory("--engine sequential, number of flows:"))],
        Series => [SimulationError::Series { error: memory("--series"), samples: 1_000 }],
        Fluid => [
            SimulationError::Fluid { error: FluidError::TooSlow { seconds: 30.0, step: 0.0005 } },
            SimulationError::Fluid { error: FluidError::TooLate { age: 1.5, more: 1.0, kept: 2.0 } },
            SimulationError::Fluid { error: FluidError::NoDoubles { device: "llvmpipe".into() } },
        ],
        Coupling => [SimulationError::Coupling(CouplingError::OtherTraffic)],
        NoDevice => [SimulationError::NoDevice { engine: "fluid" }],
        NothingCounted => [SimulationError::NothingCounted { time: 0.5, warm_up: 2.0 }],
    });
}

#[test]
fn every_error_has_a_text() {
    let mut texts = ErrorTexts::default();
    add_networks(&mut texts);
    add_engines(&mut texts);
    insta::assert_snapshot!("errors", texts);
}
