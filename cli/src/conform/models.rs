//! Cases for the models of the catalogue: their checks, and for those that a program has beside the papers' a run by
//! their default configurations.

use imminent::conformance::{RunModel, Suite};
use imminent::models::study::laboratory::{Fault, Update};
use imminent::models::study::{Catalogue, Definition, Means, Model, Planned, Runs};
use imminent::{Device, models};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// Adds the checks of all models, and a case for each model with kernels that is not in the standard catalogue. Of
/// these, a model that needs a file has none.
pub(super) fn add<'d>(suite: Suite<'d>, catalogue: &Catalogue) -> Suite<'d> {
    let suite = catalogue.iter().flat_map(Model::checks).fold(suite, Suite::check);
    let standard = models::catalogue();
    let own = catalogue.iter().filter(|model| standard.get(&model.description().name).is_none());
    own.filter(|model| !model.needs_file() && !model.kernels().is_empty()).fold(suite, |suite, model| {
        let (name, catalogue) = (model.description().name, catalogue.clone());
        let definition = Definition::new(&name);
        let run: RunModel = Arc::new(move |device| {
            let planned = catalogue.plan(&definition, Path::new("")).map_err(|error| error.to_string())?;
            run(&planned, device).map_err(|error| error.to_string())
        });
        suite.model(&name, run)
    })
}

/// Executes the only run of a study.
fn run(planned: &Planned, device: &Device) -> Result<(), Fault> {
    let (study, mut failed) = (&planned.study, None);
    let mut laboratory = planned.model.open(&planned.base, device, &Means::default())?;
    let runs: Runs<'_> = study.select(0..study.runs());
    laboratory.run(&runs, &mut |update| {
        if let Update::Failed(run) = update {
            failed = Some(run.why);
        }
        ControlFlow::Continue(())
    })?;
    failed.map_or(Ok(()), |why| Err(why.into()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use imminent::conformance::Mode;
    use imminent::models::study::{Base, Description, Keys, Laboratory, Possible};
    use imminent::{Backends, DeviceSelection};
    use imminent_core::ModuleSource;

    /// A model of the tree, under a name that the standard catalogue does not have.
    #[derive(Debug)]
    struct Stranger(Arc<dyn Model>);

    impl Model for Stranger {
        fn description(&self) -> Description {
            Description { name: "stranger".to_owned(), ..self.0.description() }
        }

        fn keys(&self) -> Keys {
            self.0.keys()
        }

        fn kernels(&self) -> Vec<&'static ModuleSource> {
            self.0.kernels()
        }

        fn possible(&self, base: &Arc<Base>) -> Possible {
            self.0.possible(base)
        }

        fn open(&self, base: &Arc<Base>, device: &Device, means: &Means) -> Result<Box<dyn Laboratory + Send>, Fault> {
            self.0.open(base, device, means)
        }
    }

    #[test]
    fn a_stranger_s_model_is_compared_with_its_native_functions() {
        let mut selection = DeviceSelection::default();
        selection.backend = Some("cpu".to_owned());
        let (device, _) = Backends::standard().open_for(&selection, None).unwrap();
        let known = models::catalogue();
        let catalogue = known.clone().with(Stranger(Arc::clone(known.get("overhead").unwrap())));
        let report = add(Suite::new(&device).mode(Mode::Quick).matching("stranger"), &catalogue).run();
        assert!(report.passed() && report.counts().passed == 1, "{}", report.to_text());
    }
}
