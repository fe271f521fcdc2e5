//! `imminent sensitivity`: derivatives of measures with respect to keys, on common random numbers.

mod key;
mod told;

use super::trials::{Simulated, Told, TrialArgs, Trials, base, carry_out};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use imminent::models::study::Catalogue;
use imminent_console::Failure;
use key::{Kind, OF, varied};
use told::{Derivatives, TABLE, outcome};

/// Option with the relative step of keys that take any number.
const STEP: &str = "step";

/// Options of `imminent sensitivity`, beside those of the model's runs.
#[derive(Debug)]
pub(crate) struct Sensitivity(TrialArgs);

impl FromArgMatches for Sensitivity {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        TrialArgs::of(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Sensitivity {
    fn augment_args(command: Command) -> Command {
        let of = Arg::new(OF).long(OF).value_name("KEY[=STEP]").action(ArgAction::Append).required(true);
        let of = of.help("Key whose value is raised and lowered by STEP; may be given several times. Without STEP it is 1 for whole numbers, and --step times the value for others. A list is multiplied by a factor of 1 that is raised and lowered, pairs in their second number.");
        let step = Arg::new(STEP).long(STEP).value_name("SHARE").default_value("0.05");
        let step = step.help("Step of keys without their own, as a share of their value.");
        TrialArgs::augment(command.arg(of).arg(step), 1..=1, "Configuration.")
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl Sensitivity {
    pub(crate) fn run(self, catalogue: &Catalogue) -> Result<(), Failure> {
        let args = self.0;
        let model = args.model(catalogue)?;
        let base = base(&**model, &args)?;
        let share = share(&args)?;
        let mut keys = args.all(OF).map(|text| varied(&base, text, share)).collect::<Result<Vec<_>, _>>()?;
        let mut variants = vec![base.clone()];
        for key in &mut keys {
            // A value that is not possible below leaves the difference to the value itself.
            let low = key.low(&base).and_then(|low| Trials::check(model, low.clone(), &args).map(|()| low));
            match low {
                Ok(low) => variants.push(low),
                Err(_) if key.kind == Kind::Whole => key.begin_at_value(),
                Err(error) => return Err(error),
            }
            variants.push(key.high(&base)?);
        }
        let mut trials = Trials::prepare(model, variants, &args)?;
        if trials.replications < 2 {
            let problem = "a derivative needs two replications at least for its interval: give --replications, for instance --replications 20";
            return Err(Failure::usage(problem));
        }
        carry_out(&args, TABLE, || {
            let mut simulated = trials.run_all()?;
            let measured: Vec<_> = simulated.iter_mut().map(Simulated::take_replications).collect();
            let derivatives = Derivatives::new(&trials, &base.name, &keys, &measured)?;
            trials.note_run();
            let outcome = outcome(&derivatives, simulated.into_iter().next(), &args)?;
            Ok(Told { outcome, object: derivatives, run_device: trials.run_device() })
        })
    }
}

/// Returns the relative step of the option.
fn share(args: &TrialArgs) -> Result<f64, Failure> {
    let given = args.one(STEP).unwrap_or("0.05");
    let share = given.parse().ok().filter(|share: &f64| *share > 0.0 && *share < 1.0);
    share
        .ok_or_else(|| Failure::usage(format!("--{STEP} {given}: give a share above 0 and below 1, for instance 0.05")))
}
