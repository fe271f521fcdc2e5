//! Common parts of the models of Imminent.
//!
//! | module | contents |
//! | --- | --- |
//! | [`time`] | simulation time: whole ticks, 2^20 to a unit unless a model's durations need others |
//! | [`streams`], [`exponential`] | random numbers of entities, to the bit |
//! | [`estimate`] | a mean over replications and its confidence interval |
//! | [`output`] | output analysis: warm-up, batch means, precision, comparisons, quantiles |
//! | [`graph`] | graphs from files of GraphML, GEXF, GML, node-link JSON and REPETITA, independent of their meaning in a model |
//! | [`toml_text`] | mistakes in a configuration, by file, line and key |
//! | [`quantity`] | rates, times and sizes with units, such as `100 Mbit/s` |
//! | [`number`] | display of numbers in messages |
//! | [`parallel`] | loops over the threads of the host with results that do not depend on their number |
//! | [`threads`] | threads that the system may refuse |
//! | [`sharing`] | simulations that threads take one after another, with progress and an end on request |
//! | [`answer`] | question, answer and how sure it is, for the head of a report |
//! | [`sheet`], [`figure`] | tables and figures of results, as data |
//! | [`digits`] | numbers for people, with three significant digits |
//! | [`execution`] | the choice between a device and threads of the host |
//! | [`barrier`] | barrier of worker threads, and messages between them |
//! | [`free_memory`] | memory that is still available to a process, and the check that a run fits into it |
//! | [`input`] | input files, read up to a limit |
//! | [`mod@file`] | single file that is replaced when the new one is complete |
//! | [`printable`] | text of strangers, safe for terminals |

pub mod answer;
pub mod barrier;
pub mod digits;
#[cfg(test)]
mod error_texts;
pub mod estimate;
pub mod execution;
pub mod exponential;
pub mod figure;
pub mod file;
pub mod free_memory;
pub mod graph;
pub mod input;
pub mod number;
pub mod output;
pub mod parallel;
pub mod printable;
pub mod quantity;
pub mod sharing;
pub mod sheet;
pub mod streams;
pub mod threads;
pub mod time;
pub mod toml_text;
