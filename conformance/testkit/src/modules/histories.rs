//! Histories: rows that read each other's earlier steps.

use super::kernels::Built;

#[imminent_core::kernels]
mod network {
    /// A row of the network.
    #[derive(Row)]
    pub struct Node {
        pub upstream: u32,
        pub delay: u32,
        pub wait: u32,
        pub heard: u64,
    }

    /// Value sent by a node at a step.
    pub struct Signal {
        pub level: u64,
        pub loud: bool,
    }

    #[derive(Params)]
    pub struct Steps {
        pub count: u32,
    }

    fn say(own: &mut History<Signal>, step: u32, level: u64) {
        let before = own.own(step - 1);
        own.set(step, Signal { level: level + before.level, loud: !before.loud });
    }

    /// Simulates some steps: reads an upstream node and the weather, and sends a value for a later step.
    #[kernel]
    pub fn relay(me: &mut Node, sent: &mut History<Signal>, weather: &History<i32>, clock: &Clock, steps: &Steps) {
        for step in clock.first()..clock.first() + steps.count {
            let heard = sent.get(me.upstream, step - me.delay);
            if heard.loud {
                me.heard += 1;
            }
            say(sent, step + me.wait, heard.level + weather.get(0, step) as u64);
        }
    }
}

/// Builds a kernel of two histories, one of them read-only, a function that borrows the other, and a clock.
pub fn relay() -> Built {
    let module = network::source().ir().unwrap().clone();
    let kernel = module.kernels[0].clone();
    Built { module, kernel }
}
