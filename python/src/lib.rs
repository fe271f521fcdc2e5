//! Imminent for Python: the models of a [catalogue](imminent::models::study::Catalogue) as an extension module.
//!
//! The module `imminent._native` has the models of this project. A crate with models of its own writes an extension
//! module with [`add_to`], and Python gets all functions of the package for them by `imminent.Models`.
//!
//! | module | contents |
//! | --- | --- |
//! | `models` | the class that describes, runs and studies the models of a catalogue |
//! | `given` | configurations and options as Python gives them |
//! | `opened` | devices, which stay open between runs |
//! | `worker` | threads that work for calls, and stay between them |
//! | `watched` | work beside which Python handles signals and tells progress |
//! | `network` | forms of queueing networks |
//! | `outcome`, `table` | results, with tables that NumPy and Arrow read without copies |
//! | `arrays`, `raster`, `files`, `trajectories` | arrays of NumPy that models read in place of files, and rasters |
//! | `program` | the program `imminent`, in this interpreter |
//! | `errors` | exceptions with the fields of the errors |

mod arrays;
mod compared;
mod devices;
mod errors;
mod files;
mod given;
mod models;
mod network;
mod opened;
mod outcome;
mod program;
mod raster;
mod study;
mod table;
mod trajectories;
mod watched;
mod worker;

pub use models::Models;

use imminent::models::study::Catalogue;
use pyo3::prelude::*;

/// Adds the models of a catalogue to an extension module of one's own, as its object `models`.
///
/// ```no_run
/// use imminent::models::catalogue;
/// use pyo3::prelude::*;
///
/// #[pymodule]
/// fn my_models(module: &Bound<'_, PyModule>) -> PyResult<()> {
///     // `.with(..)` adds a model of one's own.
///     imminent_python::add_to(module, catalogue())
/// }
/// ```
///
/// In Python, `imminent.Models(my_models.models)` then runs them.
///
/// # Errors
/// A description of a model that is wrong, as an exception.
pub fn add_to(module: &Bound<'_, PyModule>, catalogue: Catalogue) -> PyResult<()> {
    catalogue.check().map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))?;
    module.add("models", Models::new(catalogue))
}

/// The extension module with the models of this project.
#[pymodule]
#[pyo3(name = "_native")]
fn native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Models>()?;
    module.add_class::<outcome::Outcome>()?;
    module.add_class::<study::StudyOutcome>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<table::Column>()?;
    module.add_class::<raster::Raster>()?;
    module.add_class::<files::MemoryFile>()?;
    module.add_function(wrap_pyfunction!(devices::devices, module)?)?;
    module.add_function(wrap_pyfunction!(devices::conform, module)?)?;
    module.add_function(wrap_pyfunction!(compared::compared, module)?)?;
    module.add_function(wrap_pyfunction!(given::to_toml, module)?)?;
    module.add_function(wrap_pyfunction!(program::main, module)?)?;
    module.add_function(wrap_pyfunction!(files::demands, module)?)?;
    module.add_function(wrap_pyfunction!(trajectories::trajectories, module)?)?;
    module.add_function(wrap_pyfunction!(network::from_toml, module)?)?;
    module.add_function(wrap_pyfunction!(network::from_jsimg, module)?)?;
    module.add_function(wrap_pyfunction!(network::to_jsimg, module)?)?;
    add_to(module, imminent::models::catalogue())
}
