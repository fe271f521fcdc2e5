//! TCP of a flow's packet sessions: the variant of congestion control, and finite transfers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Variant of TCP's congestion control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Reno (RFC 5681), as in the paper: the first acknowledgement of new packets ends a recovery.
    #[default]
    Reno,
    /// NewReno (RFC 6582): a recovery lasts until all packets are acknowledged that were under way.
    NewReno,
    /// CUBIC (RFC 9438), with selective acknowledgements and an initial window of ten packets.
    Cubic,
}

impl Variant {
    /// Returns the name of the variant in configurations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reno => "reno",
            Self::NewReno => "newreno",
            Self::Cubic => "cubic",
        }
    }
}

/// Parameters of TCP that the packet sessions of one flow have of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OwnTcp {
    /// Variant of congestion control.
    pub variant: Option<Variant>,
    /// `true` for selective acknowledgements.
    pub sack: Option<bool>,
    /// Initial window, in packets.
    pub initial_window: Option<u32>,
    /// `true` for explicit congestion notification.
    pub ecn: Option<bool>,
    /// `true` for HyStart++.
    pub hystart: Option<bool>,
    /// Longest time that an acknowledgement waits for a second packet, in nanoseconds.
    pub delayed_ack: Option<u64>,
    /// Number of bytes that each session sends; unlimited if not given.
    pub bytes: Option<u64>,
}

/// Largest number of bytes of a transfer: 1 PiB.
pub const MAX_TRANSFER: u64 = 1 << 50;

/// Largest initial window, in packets.
const MAX_INITIAL_WINDOW: u32 = 1 << 20;

impl OwnTcp {
    /// Returns the parameter that sessions of TCP cannot have, with the error and its remedy.
    pub(super) fn problem(self) -> Option<(&'static str, String)> {
        if let Some(window) = self.initial_window.filter(|window| !(1..=MAX_INITIAL_WINDOW).contains(window)) {
            let problem = format!("{window} packets are not possible: give 1 to {MAX_INITIAL_WINDOW}");
            return Some(("initial_window", problem));
        }
        let problem = |bytes| format!("{bytes} bytes are not possible: give 1 to {MAX_TRANSFER}");
        self.bytes.filter(|bytes| !(1..=MAX_TRANSFER).contains(bytes)).map(|bytes| ("bytes", problem(bytes)))
    }

    /// Returns the name of the first parameter that is given.
    pub(super) fn first_given(self) -> Option<&'static str> {
        let given = [
            ("tcp", self.variant.is_some()),
            ("sack", self.sack.is_some()),
            ("initial_window", self.initial_window.is_some()),
            ("ecn", self.ecn.is_some()),
            ("hystart", self.hystart.is_some()),
            ("delayed_ack", self.delayed_ack.is_some()),
            ("bytes", self.bytes.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(name, _)| name)
    }
}
