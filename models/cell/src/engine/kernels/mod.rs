//! Kernels of the advance that do not depend on the type of a value, and macros that write the others for a type.

mod block;
mod edge;
mod evaluation;
mod fact;
mod inputs;
mod lane;
mod pending;
mod spaces;
mod template;
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
