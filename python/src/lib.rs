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
//! | `typed` | values whose types the stubs of the extension module tell |
//! | `arrays`, `raster`, `files`, `trajectories` | arrays of NumPy that models read in place of files, and rasters |
//! | `program` | the program `imminent`, in this interpreter |
//! | `errors` | exceptions with the fields of the errors |
//! | `made` | places in texts that Python made |
//! | `words` | messages in the words of Python |

mod arrays;
mod compared;
mod devices;
mod errors;
mod files;
mod given;
mod made;
mod models;
mod network;
mod opened;
mod outcome;
mod program;
mod raster;
mod study;
mod table;
mod trajectories;
mod typed;
mod watched;
mod words;
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
    module.add("models", Models::checked(catalogue)?)
}

/// The extension module with the models of this project.
///
/// PyO3 writes the stubs of this module, `imminent/_native.pyi`, from what is declared in it.
#[pymodule]
#[pyo3(name = "_native")]
mod native {
    use super::*;

    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "Python has this name")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_export]
    use super::{
        compared::compared, devices::conform, devices::devices, files::MemoryFile, files::demands, given::to_toml,
        models::Models, network::from_jsimg, network::from_toml, network::to_jsimg, outcome::Outcome, program::main,
        raster::Raster, study::StudyOutcome, table::Column, table::Table, trajectories::trajectories,
    };

    /// Returns the models of this project.
    #[pyfunction]
    fn catalogue() -> PyResult<Models> {
        Models::checked(imminent::models::catalogue())
    }
}
