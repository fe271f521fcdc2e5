//! Cell-DEVS on any device: spaces of cells that change at instants of their own.
//!
//! | module | contents |
//! | --- | --- |
//! | [`space`] | dimensions, border and neighbourhood |
//! | [`sequential`] | the event-list simulator that judges the engines |
//! | [`fire`] | the forest fire of `liu-wainer-cell` |
//! | [`flood`] | the flood of `liu-wainer-cell` |
//! | [`rules`] | rule files in the `.ma` language of CD++ |
//! | [`rothermel`] | rate of spread of surface fires, 53 fuel models |
//! | [`outcome`] | engines, digests and wall times |

pub mod fire;
pub mod flood;
pub mod outcome;
pub mod rothermel;
pub mod rules;
pub mod sequential;
pub mod space;

pub use outcome::{Digest, Engine, Spent};
pub use space::{Border, CellSpace};
