//! What senders know of their flows.
//!
//! It is written where it will be read, a way back ahead. That is another step for each flow, so flows side by side write far from each other: what belongs together lies in one piece of memory.

/// In numbers of 32 bits.
pub(super) mod single {
    /// What senders know.
    #[imminent_core::kernels]
    pub mod known {
        /// What a sender knows of its flow: two numbers in one of 64 bits.
        pub struct Known {
            both: u64,
        }

        impl Known {
            /// Seconds that were waited in queues on the way, and bytes per second that were lost there.
            pub fn of(waited: f32, lost: f32) -> Known {
                Known { both: (u64::from(waited.to_bits()) << 32) | u64::from(lost.to_bits()) }
            }

            /// Seconds that were waited.
            pub fn waited(self) -> f32 {
                f32::from_bits((self.both >> 32) as u32)
            }

            /// Bytes per second that were lost.
            pub fn lost(self) -> f32 {
                f32::from_bits(self.both as u32)
            }
        }
    }
}

/// In numbers of 64 bits.
pub(super) mod double {
    /// What senders know.
    #[imminent_core::kernels]
    pub mod known {
        /// What a sender knows of its flow.
        pub struct Known {
            waited: f64,
            lost: f64,
        }

        impl Known {
            /// Seconds that were waited in queues on the way, and bytes per second that were lost there.
            pub fn of(waited: f64, lost: f64) -> Known {
                Known { waited, lost }
            }

            /// Seconds that were waited.
            pub fn waited(self) -> f64 {
                self.waited
            }

            /// Bytes per second that were lost.
            pub fn lost(self) -> f64 {
                self.lost
            }
        }
    }
}
