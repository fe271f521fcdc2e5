//! Histories and clocks in bundles.

/// Flows that remember what they sent.
#[imminent_core::kernels]
pub mod flows {
    #[derive(Row)]
    pub struct Flow {
        pub before: u32,
        pub delay: u32,
        pub sum: u64,
    }

    #[derive(Params)]
    pub struct Steps {
        pub steps: u32,
    }

    /// A flow with its histories.
    #[derive(Bundle)]
    pub struct Link {
        pub me: &mut Flow,
        pub sent: &mut History<u64>,
        pub lost: &History<u32>,
        pub clock: &Clock,
    }

    fn arrived(link: &Link, step: u32) -> u64 {
        link.sent.get(link.me.before, step - link.me.delay) + link.lost.get(link.me.before, step) as u64
    }

    fn send(link: &mut Link, step: u32, value: u64) {
        link.sent.set(step, value);
        link.me.sum += link.sent.own(step);
    }

    #[kernel(reduce = sum)]
    pub fn bundled(link: &mut Link, net: &Steps, id: u32) -> u64 {
        for step in link.clock.first()..link.clock.first() + net.steps {
            let value = arrived(link, step);
            send(link, step, value * 3 + id as u64);
        }
        link.me.sum
    }

    #[kernel(reduce = sum)]
    pub fn flat(
        me: &mut Flow,
        sent: &mut History<u64>,
        lost: &History<u32>,
        clock: &Clock,
        net: &Steps,
        id: u32,
    ) -> u64 {
        for step in clock.first()..clock.first() + net.steps {
            let value = sent.get(me.before, step - me.delay) + lost.get(me.before, step) as u64;
            send(&mut Link { me, sent, lost, clock }, step, value * 3 + id as u64);
        }
        me.sum
    }
}
