//! What the models of Imminent share.
//!
//! | module | contents |
//! | --- | --- |
//! | [`time`] | simulation time: whole ticks, 2^20 to a unit unless a model's durations need others |
//! | [`streams`], [`exponential`] | the random numbers that an entity draws, to the bit |
//! | [`estimate`] | a mean over replications and its confidence interval |
//! | [`output`] | output analysis: warm-up, batch means, precision, comparisons, quantiles |
//! | [`graphml`] | GraphML files, whatever they mean to a model |
//! | [`toml_text`] | mistakes in a configuration, by file, line and key |
//! | [`number`] | numbers as people read them |
//! | [`parallel`] | loops over the threads of the host whose results do not depend on their number |
//! | [`free_memory`] | memory that the system still has for a process |

pub mod estimate;
pub mod exponential;
pub mod free_memory;
pub mod graphml;
pub mod number;
pub mod output;
pub mod parallel;
pub mod streams;
pub mod time;
pub mod toml_text;
