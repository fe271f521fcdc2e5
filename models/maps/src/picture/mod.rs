//! Pictures of maps: shaded ground, coloured cells, lines, legend and scale bar; PNG and animated PNG.
//!
//! A [`Map`] has the grid, its place and its ground. [`Map::draw`] makes a [`Canvas`] of it for one [`View`], and
//! [`animation`] a moving picture of several canvases.

mod animation;
mod canvas;
mod colour;
mod legend;
mod map;
mod text;

pub use animation::animation;
pub use canvas::Canvas;
pub use colour::{Colour, Ramp, mix};
pub use legend::{Legend, nice};
pub use map::{Map, View};
