//! Result files of Imminent's programs.
//!
//! | module | contents |
//! | --- | --- |
//! | [`folder`] | folder that receives either all results of a run or none |
//! | [`sheet`] | tables as comma-separated values, and as Parquet with the feature `parquet` |
//! | [`json`] | JSON texts that do not act upon terminals |
//! | [`digits`] | numbers for people, from `imminent-common` |
//! | `page`, `plot` | HTML pages, and plots as SVG, with the feature `plot` |
//!
//! Models give their tables as data, as the trait `Sheet` of `imminent-common`; this package writes them.

#[cfg(test)]
mod error_texts;
pub mod folder;
pub mod json;
#[cfg(feature = "plot")]
pub mod page;
#[cfg(feature = "plot")]
pub mod plot;
pub mod sheet;

pub use imminent_common::{digits, file};
