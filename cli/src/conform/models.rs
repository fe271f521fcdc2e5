//! Cases for the models of the catalogue: their checks, and for those that a program has beside the papers' a run by
//! their default configurations.

use imminent::conformance::{RunModel, Suite};
use imminent::models::study::laboratory::Fault;
use imminent::models::study::{Catalogue, Configuration, Definition, Executed, Model, Planned};
use imminent::{Device, models};
use std::any::{Any, TypeId};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Adds the checks of all models, and a case for each model with kernels that is not in the standard catalogue. Of
/// these, a model that needs a file has none.
pub(super) fn add<'d>(suite: Suite<'d>, catalogue: &Catalogue) -> Suite<'d> {
    let suite = catalogue.iter().flat_map(Model::checks).fold(suite, Suite::check);
    let standard = models::catalogue();
    let names = catalogue.names();
    // A model that takes the place of a standard one is of another type.
    let is_own = |model: &&Arc<dyn Model>| {
        standard.get(&model.description().name).is_none_or(|known| type_of(known) != type_of(model))
    };
    let own = names.iter().filter_map(|name| catalogue.get(name)).filter(is_own);
    own.filter(|model| !model.needs_file() && !model.kernels().is_empty()).fold(suite, |suite, model| {
        let (name, model) = (model.description().name, Arc::clone(model));
        let run: RunModel = Arc::new(move |device| run(&model, device).map_err(|fault| fault.to_string()));
        suite.model(&name, run)
    })
}

/// Returns the type of a model.
fn type_of(model: &Arc<dyn Model>) -> TypeId {
    let model: &dyn Any = &**model;
    model.type_id()
}

/// Executes a run by the default configuration of a model.
fn run(model: &Arc<dyn Model>, device: &Device) -> Result<(), Fault> {
    let configuration = Configuration::read(&**model, None)?;
    let planned = Planned::of(model, &configuration, Definition::new(&model.description().name))?;
    let Executed { results, ending, .. } = planned.execute(device, &mut |_| ControlFlow::Continue(()))?;
    ending?;
    results.failures().next().map_or(Ok(()), |(_, why)| Err(why.into()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use imminent::conformance::Mode;
    use imminent::models::study::{Base, Description, Keys, Laboratory, Means, Possible};
    use imminent::{Backends, DeviceSelection};
    use imminent_core::ModuleSource;

    /// A model of the tree, under another name.
    #[derive(Debug)]
    struct Stranger(Arc<dyn Model>, &'static str);

    impl Model for Stranger {
        fn description(&self) -> Description {
            Description { name: self.1.to_owned(), ..self.0.description() }
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
        let (device, _) = Backends::standard().open_for(&selection, "", None).unwrap();
        let known = models::catalogue();
        // A name that the standard catalogue does not have, and one whose model it replaces.
        for name in ["stranger", "lcg"] {
            let catalogue =
                known.clone().without(name).with(Stranger(Arc::clone(known.get("overhead").unwrap()), name));
            let report = add(Suite::new(&device).mode(Mode::Quick).matching(name), &catalogue).run();
            assert!(report.passed() && report.counts().passed == 1, "{}", report.to_text());
        }
    }
}
