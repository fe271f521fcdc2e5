//! `imminent compare`: differences between two or more configurations of a model, on common random numbers.

mod sections;
mod told;

use super::trials::{Told, TrialArgs, Trials, VARIANT, carry_out, read};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use imminent::models::study::Catalogue;
use imminent::models::study::compared::Against;
use imminent_console::Failure;
use sections::{TABLE, outcome};
use told::{Compared, GREATEST, LEAST};

/// Options of `imminent compare`, beside those of the model's runs.
#[derive(Debug)]
pub(crate) struct Compare(TrialArgs);

impl FromArgMatches for Compare {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        TrialArgs::of(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Compare {
    fn augment_args(command: Command) -> Command {
        let variant = Arg::new(VARIANT).long(VARIANT).value_name("NAME:KEY=VALUE,...").action(ArgAction::Append);
        let variant =
            variant.help("Variant of the only FILE, in which keys have other values; may be given several times.");
        let of = |name: &'static str| Arg::new(name).long(name).value_name("MEASURE");
        let least = of(LEAST)
            .help("Compare all with the configuration that has the least mean of this measure, not with the first.");
        let greatest =
            of(GREATEST).help("Compare all with the configuration that has the greatest mean of this measure.");
        let command = command.arg(variant).arg(least).arg(greatest.conflicts_with(LEAST));
        TrialArgs::augment(command, 1..=usize::MAX, "Configurations: each is compared with the first.")
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl Compare {
    pub(crate) fn run(self, catalogue: &Catalogue) -> Result<(), Failure> {
        let args = self.0;
        let model = args.model(catalogue)?;
        let variants = read(&**model, &args)?;
        let values: Vec<_> = variants.iter().map(|variant| variant.values.clone()).collect();
        let mut trials = Trials::prepare(model, variants, &args)?;
        if trials.replications < 2 {
            let problem =
                "a comparison needs two replications at least: give --replications, for instance --replications 20";
            return Err(Failure::usage(problem));
        }
        let against = match (args.one(LEAST), args.one(GREATEST)) {
            (Some(measure), _) => Against::Least(measure.to_owned()),
            (None, Some(measure)) => Against::Greatest(measure.to_owned()),
            (None, None) => Against::First,
        };
        carry_out(&args, TABLE, || {
            let simulated = trials.run_all()?;
            let compared = Compared::new(&trials, simulated, &values, &against)?;
            trials.note_run();
            Ok(Told { outcome: outcome(&compared, &args)?, object: compared, run_device: trials.run_device() })
        })
    }
}
