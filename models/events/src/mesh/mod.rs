//! Wireless mesh of the paper's case study (Kunz et al. 2012, section V-C).
//!
//! All nodes are within range of each other. An application generates packets at a fixed rate and sends each to all
//! other nodes. Each receiver replies with an ACK, or with a NACK if the packet had errors. There is no retransmission
//! and no interference. The channel fades by a sum of 3,200 sinusoids for each of 48 subcarriers. Frames are lost by
//! the errors of a convolutional code.
//!
//! | topic | item |
//! | --- | --- |
//! | parameters | [`Mesh`], [`MeshError`] |
//! | simulations | [`Setup`] |
//! | nodes and their events | [`mesh`] |
//! | the channel on a device | [`fading::waves`] |
//! | functions as tables | [`curve::knots`] |
//! | results of a simulation | [`Tally`] |
//! | the paper's study | [`MeshStudy`] |
//!
//! # Choices that the paper leaves open
//! For channel and errors the paper refers to Puñal et al. 2011. Here they follow a model that the paper's authors have
//! published (MODELS, section 4). Control frames (ACK and NACK) go to the sender only. The channel of a frame is that
//! at its end; it is the same in both directions of a link, and constant during a frame. A radio sends one frame after
//! another, and can receive all the while. Control frames can be lost, without further effect.
//!
//! # Time
//! Ticks are nanoseconds. The lookahead is the transmission and propagation time of the shorter frame: 4,767 ns by
//! default. A data frame takes 350,667 ns.
//!
//! # Determinism class: exact
//! All decisions use integers: angles are words, amplitudes fixed point, and error probabilities tables with linear
//! interpolation. Tables are computed on the host, by functions that give the same result on every host. Gains are
//! within 0.001 of the exact ones, relative to the greater of these and 1. Loss probabilities are within 0.001, except
//! at jumps of the code's published correction. Tests check both.

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

/// Event model of a mesh.
pub type MeshEvents = mesh::step;

#[cfg(test)]
mod tests;
