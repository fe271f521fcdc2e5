//! The mesh against what shares nothing with it: all waves one by one, error formulas as they stand, and nodes without an event engine.

mod by_hand;
mod channel;
mod loss;
mod runs;
mod waves;
