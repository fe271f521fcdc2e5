//! Kernels of the advance: modules that do not depend on the type of a value, and templates of those that do.

mod block;
mod edge;
mod evaluation;
mod fact;
mod inputs;
mod lane;
mod pending;
mod spaces;
pub mod templates;
mod tournaments;

pub use block::blocks;
pub use edge::edges;
pub use evaluation::here;
pub use fact::facts;
pub use inputs::feeds;
pub use lane::lanes;
pub use pending::outputs;
pub use spaces::space;
pub use tournaments::tournament;
