//! Kernels of the advance, as far as they do not depend on the type of a cell's value; and the macro that writes the
//! others for a type.

mod contests;
mod cutting;
mod evaluated;
mod hearing;
mod holding;
mod inputs;
mod pending;
mod spaces;
mod tableless;
mod template;

pub use contests::tournament;
pub use cutting::blocks;
pub use evaluated::here;
pub use hearing::edges;
pub use holding::lanes;
pub use inputs::feeds;
pub use pending::outputs;
pub use spaces::space;
pub use tableless::facts;
