//! `imminent search`: the cheapest of many configurations that meets limits, with a stated probability.

mod alternatives;
mod linked;
mod options;
mod told;

use super::trials::{Told, TrialArgs, Trials, base, carry_out};
use alternatives::{OVER, alternatives};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use imminent::models::output::Selection;
use imminent::models::output::selection::Ending;
use imminent::models::study::Catalogue;
use imminent_console::{Failure, interrupt};
use options::{AT_LEAST, AT_MOST, FIRST, Goal, INDIFFERENCE, MAXIMIZE, MINIMIZE, MOST};
use told::{Found, TABLE, outcome};

/// Options of `imminent search`, beside those of the model's runs.
#[derive(Debug)]
pub(crate) struct Search(TrialArgs);

impl FromArgMatches for Search {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        TrialArgs::of(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Search {
    fn augment_args(command: Command) -> Command {
        let of = |name: &'static str, value: &'static str, help: &'static str| {
            Arg::new(name).long(name).value_name(value).help(help)
        };
        let over = "Key and its values: KEY=8..14, KEY=10..100..10 with a step, or KEY=1,2,4; several keys make all combinations. `KEY & KEY - 2=8..14` sets two keys by one value, the second to 2 less.";
        let limit = "Limit of the mean of a measure, and half of the zone about it in which either decision is right, 5 % of the limit if not given; may be given several times.";
        let command = command
            .arg(of(OVER, "KEY=VALUES", over).action(ArgAction::Append).required(true))
            .arg(of(MINIMIZE, "MEASURE", "Measure whose mean is to be least [default: cost].").conflicts_with(MAXIMIZE))
            .arg(of(MAXIMIZE, "MEASURE", "Measure whose mean is to be greatest."))
            .arg(of(AT_MOST, "MEASURE=LIMIT[~ZONE]", limit).action(ArgAction::Append))
            .arg(
                of(AT_LEAST, "MEASURE=LIMIT[~ZONE]", "As --at-most, for a mean that must not be below.")
                    .action(ArgAction::Append),
            )
            .arg(
                of(
                    INDIFFERENCE,
                    "D",
                    "Least difference of the measure between two configurations that is worth detecting.",
                )
                .required(true),
            )
            .arg(
                of(FIRST, "N", "Replications of each configuration from which variances are estimated.")
                    .default_value("20"),
            )
            .arg(of(MOST, "N", "Most replications of a configuration.").default_value("10000"));
        TrialArgs::augment(command, 1..=1, "Configuration.")
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl Search {
    pub(crate) fn run(self, catalogue: &Catalogue) -> Result<(), Failure> {
        let args = self.0;
        let model = args.model(catalogue)?;
        let base = base(&**model, &args)?;
        let all = alternatives(&base, &args)?;
        let values: Vec<_> = all.iter().map(|variant| variant.values.clone()).collect();
        let goal = Goal::of(&args)?;
        let mut trials = Trials::prepare(model, all, &args)?;
        let rules = goal.rules(trials.confidence, &args)?;
        let mut selection = Selection::new(rules.clone(), trials.len()).map_err(Failure::usage)?;
        carry_out(&args, TABLE, || {
            interrupt::watched(|| select(&mut trials, &goal, &mut selection))?;
            trials.note_run();
            let found = Found::new(&trials, &base.name, &values, (&goal, &rules), &selection);
            let mut outcome = outcome(&found);
            if let Ending::Undecided(left) = selection.ending() {
                let names: Vec<_> = left.iter().map(|one| trials.name(*one)).collect();
                outcome.failures.push(format!(
                    "after {} replications these are left: {}; allow more by --{MOST}, or make zones and --{INDIFFERENCE} larger",
                    rules.most,
                    names.join("; ")
                ));
            }
            Ok(Told { outcome, object: found, run_device: trials.run_device() })
        })
    }
}

/// Simulates replications until the selection ends.
fn select(trials: &mut Trials, goal: &Goal, selection: &mut Selection) -> Result<(), Failure> {
    loop {
        let needs = selection.needs();
        if needs.is_empty() {
            return Ok(());
        }
        for (one, to) in needs {
            let from = selection.replications(one);
            let mut simulated = trials.run_some(one, from as u64..to as u64)?;
            let measured = simulated.take_replications();
            let rows = goal
                .rows(&measured, from, to)
                .map_err(|problem| Failure::usage(format!("{}: {problem}", simulated.name)))?;
            rows.into_iter().for_each(|row| selection.add(one, row));
        }
        selection.conclude();
    }
}
