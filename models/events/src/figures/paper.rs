//! Values that Kunz et al. state in their text. Their figures are not available, so there are no others.

/// A statement about the speed with four generators relative to one: its name in legends, and shares by simulations.
pub(super) type Shares = (&'static str, &'static [(f64, f64)]);

/// Figure 7: modules in their given order. No drop is stated for a single simulation.
pub(super) const UNSORTED: Shares = ("paper", &[(2.0, 0.5), (8.0, 0.25), (16_384.0, 0.25)]);

/// Figure 8: modules sorted by their events.
pub(super) const SORTED: Shares = ("paper", &[(8.0, 0.25), (64.0, 0.25), (128.0, 1.0), (16_384.0, 1.0)]);

/// Figure 9: modules sorted and padded.
pub(super) const PADDED: Shares = ("paper, 1 module", &[(1.0, 1.0), (16_384.0, 1.0)]);

/// Speed of the mesh study relative to four cores, on the paper's GPU.
pub(super) const ON_GPU: f64 = 25.0;

/// Speed of 270 cores, with one simulation each, relative to the paper's GPU.
pub(super) const ON_270_CORES: f64 = 2.7;
