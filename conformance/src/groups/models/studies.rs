//! Many simulations at once: each ends as it does alone, event by event.

use super::verdicts::broken;
use crate::case::{Cases, Stop, Verdict, equal, equal_slices, fail};
use crate::context::Context;
use imminent_core::Device;
use imminent_events::mesh::{Mesh, MeshStudy};
use imminent_events::{
    Coprocessor, Engine, EngineError, Events, Execution, Mapping, MappingChoice, Start, State, coprocess, graph, laden,
    lcg, phold, sequential,
};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

pub(super) fn add(cases: &mut Cases) {
    cases.add("parameter studies: modules that send events to one another do as in one simulation alone", passing_on);
    cases.add("parameter studies: modules of large simulations do as in one simulation alone", in_large_simulations);
    cases.add("parameter studies: modules with links of their own do as in one simulation alone", along_links);
    cases.add("parameter studies: simulations whose events differ in kind do as in one simulation alone", reckoning);
    cases.add("parameter studies: modules whose states are of several sizes do as in one simulation alone", carrying);
    cases.add("parameter studies: simulations under way go on on another device as if nothing had been", moving);
    cases.add("parameter studies: a wireless mesh does as in one simulation alone", fading);
}

/// Tests lists that begin with room for two events and grow, few events per step, and ties.
fn passing_on(context: &Context<'_>) -> Verdict {
    let study = phold::PholdStudy {
        simulations: 9,
        modules: 5,
        tokens: 1,
        lookahead: 3,
        mean: 6,
        remote: 70,
        end: 300,
        seed: 4,
    };
    same(context, &study.starts(), phold::MAX_SCHEDULED)
}

/// Tests simulations of many modules, whose earliest events are reduced, alone and side by side.
fn in_large_simulations(context: &Context<'_>) -> Verdict {
    for (simulations, modules) in [(1, context.scaled(300, 30_000) as u32), (5, 60)] {
        let study = phold::PholdStudy {
            simulations,
            modules,
            tokens: 2,
            lookahead: 5,
            mean: 20,
            remote: 80,
            end: 150,
            seed: 6,
        };
        same(context, &study.starts(), phold::MAX_SCHEDULED)?;
    }
    Ok(())
}

/// Tests links with lookaheads of their own, beside a simulation without links. Its ends are compared with those of
/// sequential runs without links.
fn along_links(context: &Context<'_>) -> Verdict {
    let study = graph::GraphStudy {
        simulations: 2,
        modules: context.scaled(60, 6_000) as u32,
        tokens: 1,
        reach: 2,
        least: 3,
        doublings: 5,
        mean: 10,
        has_links: true,
        end: 400,
        seed: 7,
    };
    let without = graph::GraphStudy { has_links: false, ..study }.starts();
    let linked = study.start(0);
    let starts: Vec<_> = [linked].into_iter().chain(without.iter().skip(1).cloned()).collect();
    let mut engine = on_device(context.device, &starts, graph::MAX_SCHEDULED)?;
    engine.set_mapping(MappingChoice::Always(Mapping::InOrder));
    let ends = engine.run().or_else(broken)?;
    equal("simulations that ended", &ends.len(), &starts.len())?;
    for (simulation, (end, start)) in ends.iter().zip(&without).enumerate() {
        let alone = sequential(start, graph::MAX_SCHEDULED, simulation).or_else(broken)?;
        equal(&format!("the end of simulation {simulation}"), end, &alone)?;
    }
    Ok(())
}

fn reckoning(context: &Context<'_>) -> Verdict {
    let study = lcg::LcgStudy { simulations: 70, modules: 2, events: 12, iterations: 50, generators: 4 };
    same(context, &study.starts(), lcg::MAX_SCHEDULED)
}

/// Tests states in lanes: with lists on the device and on the host, where states stay on the device or are copied in
/// every round.
fn carrying(context: &Context<'_>) -> Verdict {
    let starts = [72, 72, 260, 260, 1_024, 1_024].map(|bytes| laden::start(3, 4, bytes));
    let alone = |(number, start)| sequential(start, laden::MAX_SCHEDULED, number).or_else(broken);
    let expected = starts.iter().enumerate().map(alone).collect::<Result<Vec<_>, _>>()?;
    let ends = on_device(context.device, &starts, laden::MAX_SCHEDULED)?.run().or_else(broken)?;
    equal("simulations that ended", &ends.len(), &starts.len())?;
    for (simulation, (end, expected)) in ends.iter().zip(&expected).enumerate() {
        equal(&format!("the end of simulation {simulation}"), end, expected)?;
    }
    for copies in [false, true] {
        let mut engine = Coprocessor::new(context.device, &starts, laden::MAX_SCHEDULED, 2).or_else(broken)?;
        engine.set_copying(copies);
        let found = engine.run().or_else(broken)?;
        equal_slices(&format!("ends with lists on the host, states copied: {copies}"), &found, &expected)?;
    }
    Ok(())
}

/// Creates simulations whose events are executed by kernels, even on the host's processor.
fn on_device<E: Events>(device: &Device, starts: &[Start<E>], most: u32) -> Result<Engine<E>, Stop> {
    Engine::on(Execution::Device, device, starts.to_vec(), BTreeMap::new(), most).or_else(broken)
}

/// Number of times that a run is made four times as long until it reports progress.
const LONGER: u32 = 8;

/// Moves a run from the device to the reference, to threads of the host, and back to the device, as bytes.
fn moving(context: &Context<'_>) -> Verdict {
    let mut study = phold::PholdStudy {
        simulations: 3,
        modules: 4,
        tokens: 2,
        lookahead: 3,
        mean: 6,
        remote: 70,
        end: 2_000,
        seed: 5,
    };
    for _ in 0..LONGER {
        let starts = study.starts();
        let mut engine = on_device(context.device, &starts, phold::MAX_SCHEDULED)?;
        engine.set_mapping(MappingChoice::Always(Mapping::InOrder));
        engine.set_events_per_step(1);
        match engine.run_with(|_| ControlFlow::Break(())) {
            Err(EngineError::Cancelled { .. }) => return moved(context, &starts, &mut engine),
            Err(error) => return broken(error),
            Ok(_) => study.end *= 4,
        }
    }
    fail("no progress of a run was reported while it was under way")
}

/// Checks that simulations end as they do alone, wherever they continue.
fn moved(context: &Context<'_>, starts: &[Start<phold::Phold>], engine: &mut Engine<phold::Phold>) -> Verdict {
    let states = engine.states(0..starts.len()).or_else(broken)?;
    let bytes: Vec<_> = states.iter().flatten().map(State::to_bytes).collect();
    equal("states", &bytes.len(), &starts.len())?;
    let ways = [(context.reference, Execution::Device), (context.device, Execution::Host)];
    for (device, execution) in ways.into_iter().chain([(context.device, Execution::Device)]) {
        let mut states = BTreeMap::new();
        for (simulation, bytes) in bytes.iter().enumerate() {
            states.insert(simulation, State::from_bytes(bytes).or_else(broken)?);
        }
        let mut engine =
            Engine::on(execution, device, starts.to_vec(), states, phold::MAX_SCHEDULED).or_else(broken)?;
        engine.set_mapping(MappingChoice::Always(Mapping::InOrder));
        for (simulation, (end, start)) in engine.run().or_else(broken)?.iter().zip(starts).enumerate() {
            let alone = sequential(start, phold::MAX_SCHEDULED, simulation).or_else(broken)?;
            equal(&format!("the end of simulation {simulation}, which went on"), end, &alone)?;
        }
    }
    Ok(())
}

/// Tests channels and errors in integers, tables that simulations share, and states with many lanes of their own.
fn fading(context: &Context<'_>) -> Verdict {
    // Some devices take a minute to compile each of its kernels.
    context.needs_full_mode()?;
    let mesh = Mesh { nodes: 4, snr: 15.0, payload: 500, seconds: 0.1, ..Mesh::default() };
    let most = mesh.set_up().or_else(broken)?.most();
    let mut study = MeshStudy { mesh, rates: vec![10.0, 50.0], speeds: vec![10.0], seeds: 2 };
    let mut starts = study.starts().or_else(broken)?;
    study.mesh.nodes = 2;
    starts.extend(study.starts().or_else(broken)?);
    same(context, &starts, most)
}

/// Compares results for every mapping of modules, for speculative windows, for lists on the device and on the host, and
/// for events executed by threads of the host.
fn same<E: Events>(context: &Context<'_>, starts: &[Start<E>], most: u32) -> Verdict {
    let alone = |(number, start)| sequential(start, most, number).or_else(broken);
    let expected = starts.iter().enumerate().map(alone).collect::<Result<Vec<_>, _>>()?;
    let mappings = Mapping::ALL.into_iter().map(MappingChoice::Always).chain([MappingChoice::Auto]);
    // Groups prepare events if they can, except in the last run.
    let ways = mappings.map(|mapping| (mapping, true)).chain([(MappingChoice::Auto, false)]);
    for (mapping, prepares) in ways.take(if E::LANES > 0 { usize::MAX } else { Mapping::ALL.len() + 1 }) {
        let mut engine = on_device(context.device, starts, most)?;
        engine.set_events_per_step(5);
        engine.set_mapping(mapping);
        engine.set_preparing(prepares).or_else(broken)?;
        let found = engine.run().or_else(broken)?;
        equal("simulations that ended", &found.len(), &starts.len())?;
        for (simulation, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let what =
                || format!("the end of simulation {simulation}, mapping '{mapping}', events prepared: {prepares}");
            equal(&what(), found, expected)?;
        }
    }
    for window in if E::IS_OPTIMISTIC { &[20, 500][..] } else { &[] } {
        let mut engine = on_device(context.device, starts, most)?;
        engine.set_window(Some(*window)).or_else(broken)?;
        let found = engine.run().or_else(broken)?;
        equal_slices(&format!("ends with speculative windows of {window} ticks"), &found, &expected)?;
    }
    let on_host = Engine::on(Execution::Host, context.device, starts.to_vec(), BTreeMap::new(), most);
    let found = on_host.or_else(broken)?.run().or_else(broken)?;
    equal_slices("ends with events executed by threads of the host", &found, &expected)?;
    for streams in [1, 3] {
        let found = coprocess(context.device, starts, most, streams).or_else(broken)?;
        equal_slices(&format!("ends with lists on the host, {streams} streams"), &found, &expected)?;
    }
    Ok(())
}
