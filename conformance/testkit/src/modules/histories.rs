//! Rows that hear one another's past.

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

    /// What a node has said, at a step.
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

    /// Some steps: hears an upstream node and the weather, and says what it will have said a while later.
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

/// Two histories, one of them read only, a function that is lent the other, and a clock.
pub fn relay() -> Built {
    let module = network::source().ir().unwrap().clone();
    let kernel = module.kernels[0].clone();
    Built { module, kernel }
}
