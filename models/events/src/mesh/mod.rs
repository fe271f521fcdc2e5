//! The wireless mesh of the paper's case study (Kunz et al. 2012, section V-C).
//!
//! Nodes are all in reach of each other. An application makes packets at a fixed rate and sends each to all other nodes; whoever gets one answers with an ACK, or with a NACK if it came with errors. There is
//! no retransmission and no interference. What comes over the channel fades by a sum of 3,200 sinusoids for each of 48 subcarriers, and the errors that this makes are those of a convolutional code.
//!
//! | what | item |
//! | --- | --- |
//! | parameters | [`Mesh`], [`MeshError`] |
//! | simulations | [`Setup`] |
//! | nodes, and what happens to them | [`mesh`] |
//! | the channel on a device | [`fading::waves`] |
//! | functions as tables | [`curve::knots`] |
//! | what is told of a simulation | [`Tally`] |
//! | the paper's study | [`MeshStudy`] |
//!
//! # What the paper leaves open
//! The paper refers for channel and errors to Puñal et al. 2011. Here they are those of a model that the paper's authors have published (MODELS, section 4). Answers go to the sender alone; the channel is that at
//! the end of a frame, the same in both directions of a link, and constant for the duration of a frame; a radio sends one frame after another, and hears all the while; answers can be lost, and nothing comes of that.
//!
//! # Time
//! Ticks are nanoseconds. The lookahead is the shorter frame's time in the air and on its way: 4,767 ns by default. A data frame takes 350,667 ns.
//!
//! # Determinism class: exact
//! All that decides is integers: angles are words, amplitudes fixed point, and error probabilities tables with straight lines between their knots. Tables are made on the host, by functions that are the same on every host.
//! Gains are within 0.001 of the exact ones, relative to the greater of these and 1, and probabilities of loss within 0.001, but where the code's published correction jumps, as the tests have it.

mod channel;
pub mod curve;
pub mod fading;
mod handlers;
mod loss;
mod outcome;
mod setting_up;
mod settings;
mod study;

pub use handlers::mesh;
pub use outcome::Tally;
pub use setting_up::Setup;
pub use settings::{Mesh, MeshError};
pub use study::MeshStudy;

/// The events of a mesh.
pub type MeshEvents = mesh::step;

#[cfg(test)]
mod tests;
