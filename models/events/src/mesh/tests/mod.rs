//! Tests of the mesh against independent code: all waves one by one, error formulas, and nodes without an event engine.

mod by_hand;
mod channel;
mod loss;
mod runs;
mod waves;
