//! Where the authors' simulator differs from the paper.

use serde::{Deserialize, Serialize};

/// What a loss does to a window.
///
/// The defaults are the paper's. The authors' simulator, PRIME, has [`Rules::prime`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// By what a window is divided, so to speak: it shrinks by `W / divisor` at a loss (equation 1).
    pub divisor: f64,
    /// How many losses a session sees for each that a queue makes.
    pub losses_seen: f64,
}

impl Default for Rules {
    fn default() -> Self {
        Self { divisor: 2.0, losses_seen: 1.0 }
    }
}

impl Rules {
    /// What the authors' simulator does: a window shrinks by two thirds, and every loss counts twice.
    #[must_use]
    pub const fn prime() -> Self {
        Self { divisor: 1.5, losses_seen: 2.0 }
    }
}
