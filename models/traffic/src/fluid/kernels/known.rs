//! The senders' knowledge of their flows.
//!
//! A value is written for the step at which it will be read, one path back later. That step differs between flows, so
//! neighbouring flows write far apart. Values that belong together therefore share one piece of memory.

/// The type in 32-bit numbers.
pub(super) mod single {
    /// The senders' knowledge of their flows.
    #[imminent_core::kernels]
    pub mod known {
        /// A sender's knowledge of its flow: two numbers in one of 64 bits.
        pub struct Known {
            both: u64,
        }

        impl Known {
            /// Packs the queueing delay on the path in seconds, and the losses in bytes per second.
            pub fn of(waited: f32, lost: f32) -> Known {
                Known { both: (u64::from(waited.to_bits()) << 32) | u64::from(lost.to_bits()) }
            }

            /// Queueing delay in seconds.
            pub fn waited(self) -> f32 {
                f32::from_bits((self.both >> 32) as u32)
            }

            /// Losses in bytes per second.
            pub fn lost(self) -> f32 {
                f32::from_bits(self.both as u32)
            }
        }
    }
}

/// The type in 64-bit numbers.
pub(super) mod double {
    /// The senders' knowledge of their flows.
    #[imminent_core::kernels]
    pub mod known {
        /// A sender's knowledge of its flow.
        pub struct Known {
            waited: f64,
            lost: f64,
        }

        impl Known {
            /// Packs the queueing delay on the path in seconds, and the losses in bytes per second.
            pub fn of(waited: f64, lost: f64) -> Known {
                Known { waited, lost }
            }

            /// Queueing delay in seconds.
            pub fn waited(self) -> f64 {
                self.waited
            }

            /// Losses in bytes per second.
            pub fn lost(self) -> f64 {
                self.lost
            }
        }
    }
}
