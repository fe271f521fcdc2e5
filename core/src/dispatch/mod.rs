//! From a launch to the kernels that carry it out: what is the same on every device whose kernels are lowered from the IR.
//!
//! A lowered kernel reads a *launch block*, which says how large everything is that it is given ([`LaunchLayout`]), and it stays
//! inside its buffers because that block is true. So a backend looks at a launch's arguments by [`bind`] alone, which checks
//! them, and [`describe`]s what it is given; [`groups`] and [`listed`] do the same for how far the launch reaches.

mod bind;
mod block;
mod extent;
mod layout;
mod variants;

pub use bind::{Bound, bind, misfit, own_rows, result, way};
pub use block::{begin, describe};
pub use extent::{Listed, check_rows, groups, launched, listed};
pub use layout::{
    EVERY_TURN, EXTENT_WORD, HEADER_WORDS, LAUNCH_WORDS, LaunchLayout, ParamsBlock, ROWS_PER_GROUP, ReduceLayout,
    TURN_WORD, ZERO_WORD, identity_words,
};
pub use variants::{Variants, Way};
