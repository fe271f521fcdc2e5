//! Outcome of a run, for people, programs and files.

use super::prepared::Prepared;
use super::values::{Size, speed, values};
use super::{excerpts, listings, map, plots, tables};
use crate::simulation::results::Total;
use crate::simulation::{Record, Representation, Results, Schedule};
use crate::text::{bits, count, percent, span};
use crate::units::seconds;
use imminent_common::answer::Answer;
use imminent_common::output::sketch::RELATIVE_ERROR;
use imminent_core::clock::Instant;
use imminent_study::experiment::Detail;
use imminent_study::outcome::{Content, Outcome, Phases, Section};
use std::fmt::Write;
use std::time::Duration;

/// Returns the outcome of a record, of a run that began at an instant and whose set-up took `set_up`.
pub(super) fn outcome(
    prepared: &Prepared,
    (record, replications): (Record, Vec<Results>),
    schedule: Schedule,
    (began, set_up): (Instant, Duration),
    detail: Detail,
) -> Outcome {
    let traffic = &prepared.built.traffic;
    let (done, asked) = (replications.len(), prepared.config.run.replications as usize);
    let results = Results::over(replications);
    let partial = if record.simulated_s < schedule.horizon_s() {
        Some(format!("{} of {} were simulated", span(record.simulated_s), span(schedule.horizon_s())))
    } else {
        (done < asked).then(|| format!("{done} of {asked} replications were simulated"))
    };
    let digest = results.digest();
    let (simulation, read) = (record.wall, Instant::now());
    let reading = (read - began).saturating_sub(set_up + simulation);
    let mut sections = excerpts::sections(&results, traffic.flows().all().len());
    sections.extend(excerpts::intervals(&results, done));
    if detail.has_data() {
        sections.extend(pictures(prepared, &record, &results, schedule));
    }
    let of_first = (done > 1).then(|| {
        format!(
            "rates, lengths and delays are means over {done} replications, counts are sums, and losses are ratios of sums; series and distributions are of the first"
        )
    });
    let notes = record
        .packets
        .as_ref()
        .map(|_| format!("quantiles of delays are within {:.1} % of the delays of packets", 100.0 * RELATIVE_ERROR));
    let (values, answer) =
        (values(prepared, &record, &results, schedule), answer(prepared, &record, &results, (partial.is_some(), done)));
    let (facts, speed) = (facts(prepared, &record, schedule), pace(&record));
    let tables = if detail.has_data() { tables::tables(traffic, results, record) } else { vec![] };
    let files = if detail.has_data() { read.elapsed() } else { Duration::ZERO };
    Outcome {
        title: "Network traffic".to_owned(),
        answer: Some(answer),
        facts,
        partial,
        sections,
        notes: notes.into_iter().chain(of_first).collect(),
        warnings: prepared.warnings.clone(),
        speed,
        digest,
        values,
        tables,
        phases: Some(Phases { set_up, simulation, reading, files }),
        ..Outcome::default()
    }
}

/// Returns the map, the plots and the listings of a report.
fn pictures(prepared: &Prepared, record: &Record, results: &Results, schedule: Schedule) -> Vec<Section> {
    let traffic = &prepared.built.traffic;
    let plot = |heading: &str, plot| Section::new(heading, Content::Plot(plot));
    let listing = |heading: &str, remark: &str, listing| {
        let remark = Section::new(heading, Content::Remark(remark.to_owned()));
        [remark, Section::new(heading, Content::Listing(listing))]
    };
    let mut sections = vec![Section::new("Load of links", Content::LinkMap(map::map(traffic, &results.queues)))];
    let remark = "The most loaded links first. A queue is told as the time that its link takes to send it.";
    sections.extend(listing("Load of links", remark, listings::links(results)));
    sections.push(plot("Throughput over time", plots::throughput(record)));
    sections.extend(plots::rates(traffic, record).map(|rates| plot("Throughput over time", rates)));
    if !results.packets.is_empty() {
        let remark = if results.replications.len() > 1 {
            "Delays are from source to destination. Rates and delays are means over the replications, counts are sums, and losses are ratios of sums, with 95 % intervals."
        } else {
            "Delays are from source to destination. The run is one sample: they have no intervals."
        };
        sections.push(plot("Delays of packets", plots::delays(traffic, record)));
        sections.extend(listing("Delays of packets", remark, listings::packets(traffic, results)));
    }
    sections.push(plot("Queues over time", plots::lengths(traffic, record, schedule.warm_up_s())));
    sections.push(plot("Windows over time", plots::windows(traffic, record)));
    let remark =
        "The flows with the highest rates first: of fluids what they send, of packets what arrives for the first time.";
    sections.extend(listing("Flows", remark, listings::flows(results)));
    sections
}

/// Returns names and values of what was simulated.
fn facts(prepared: &Prepared, record: &Record, schedule: Schedule) -> Vec<(String, String)> {
    let Size { nodes, links, flows, hops } = Size::of(&prepared.built.traffic);
    let [nodes, links, flows, hops] = [nodes, links, flows, hops].map(|size| count(size as u64));
    let mut simulated = span(record.simulated_s);
    if let Some(step) = prepared.step {
        let _ = write!(simulated, " in steps of {}, {} of them at a time", span(seconds(step.step)), step.lookahead);
    }
    if record.samples > 0 {
        let _ = write!(simulated, "; looked at every {}", span(schedule.interval_s()));
    }
    let mut facts = vec![
        ("engine", prepared.engine.name().to_owned()),
        ("network", format!("{nodes} nodes, {links} links, {flows} flows over {hops} hops")),
        ("simulated", simulated),
    ];
    if schedule.warm_up_s() > 0.0 {
        facts.push(("warm-up", format!("{}, not counted", span(schedule.warm_up_s()))));
    }
    facts.push(("seed", prepared.config.run.seed.to_string()));
    if prepared.config.run.replications > 1 {
        facts.push(("replications", count(prepared.config.run.replications.into())));
    }
    facts.extend(prepared.assumed.iter().map(|assumed| ("assumed", assumed.clone())));
    facts.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Returns the question, the most important results, and how sure they are.
fn answer(
    prepared: &Prepared,
    record: &Record,
    results: &Results,
    (is_partial, replications): (bool, usize),
) -> Answer {
    let mut told = vec![];
    let busy = results.busiest().first().and_then(|place| results.queues.get(*place));
    told.extend(busy.map(|row| {
        let load = format!("{} offered, {} carried", bits(row.offered), bits(row.carried));
        format!("The busiest link is {}: {load} of {}.", row.label, bits(row.bandwidth as f64))
    }));
    told.extend(results.totals().iter().map(|total| traffic_of(total) + "."));
    if let Some((total, loss)) = results.packet_total().and_then(|total| Some((total.sent, total.loss?))) {
        told.push(format!("{} packets sent, {} of them lost.", count(total), percent(loss)));
    }
    let Size { links, flows, .. } = Size::of(&prepared.built.traffic);
    let partial = if is_partial { " The run was interrupted." } else { "" };
    let warnings = if prepared.warnings.is_empty() { "" } else { " There are warnings below." };
    let certainty = if replications > 1 {
        format!("{replications} replications give 95 % intervals of every flow's goodput, delay and loss.")
    } else {
        "One run is one sample, without an interval: runs with other seeds show how far it varies.".to_owned()
    };
    Answer {
        question: format!(
            "How loaded are the {links} links, and what do the {flows} flows get, within {}?",
            span(record.simulated_s)
        ),
        results: told,
        certainty: format!("{certainty}{partial}{warnings}"),
    }
}

fn traffic_of(total: &Total) -> String {
    let what = if total.part == Representation::Fluid { "sent" } else { "delivered" };
    let some = |number: u64, what: &str| format!("{} {what}{}", count(number), if number == 1 { "" } else { "s" });
    let (flows, sessions) = (some(total.flows, "flow"), some(total.sessions, "session"));
    format!("{flows} of {} {}, {sessions}: {} {what}", total.kind, total.part.name(), bits(total.rate))
}

/// Describes the speed of the simulation.
fn pace(record: &Record) -> String {
    let events = record.packets.as_ref();
    let events = events.map_or_else(String::new, |report| format!("{} events of packets, ", count(report.events)));
    let spent = record.spent.map_or_else(String::new, |spent| {
        let times = [spent.packets_s, spent.fluids_s, spent.waiting_s].map(span);
        format!("; {} of packets, {} of handing work to fluids, {} of waiting for them", times[0], times[1], times[2])
    });
    format!(
        "{events}{} in {:.3} s: {} simulated seconds a second{spent}",
        span(record.simulated_s),
        record.wall.as_secs_f64(),
        (speed(record) * 100.0).round() / 100.0
    )
}
