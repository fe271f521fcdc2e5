//! Histories: networks of rows that read each other's earlier steps.

/// Path of this file, as faults name it.
pub const FILE: &str = file!();
pub const SOURCE: &str = include_str!("histories.rs");

/// Rows that read an upstream row after a delay, and send after a wait.
#[imminent_core::kernels]
pub mod network {
    /// A row of the network.
    #[derive(Row)]
    pub struct Node {
        pub upstream: u32,
        pub delay: u32,
        pub wait: u32,
    }

    #[derive(Params)]
    pub struct Steps {
        pub count: u32,
    }

    /// Returns the value that a node sends at a step, from the value that it reads and its previous value.
    fn mixed(heard: u32, before: u32, id: u32, step: u32) -> u32 {
        heard * 1_664_525 + before.rotate_left(7) + id * 977 + step
    }

    /// Simulates some steps of every node.
    #[kernel]
    pub fn run(me: &Node, sent: &mut History<u32>, clock: &Clock, steps: &Steps, id: u32) {
        for step in clock.first()..clock.first() + steps.count {
            let heard = sent.get(me.upstream, step - me.delay);
            let before = sent.own(step + me.wait - 1);
            sent.set(step + me.wait, mixed(heard, before, id, step));
        }
    }

    /// Value sent by a node at a step.
    pub struct Signal {
        pub loud: bool,
        pub level: i64,
        pub parts: [u32; 2],
    }

    fn hear(all: &History<Signal>, clock: &Clock, row: u32, delay: u32) -> Signal {
        all.get(row, clock.first() - delay)
    }

    fn say(own: &mut History<Signal>, step: u32, heard: Signal, id: u32) {
        let signal = Signal { loud: !heard.loud, level: heard.level - 3 * id as i64, parts: [heard.parts[1], id] };
        own.set(step, signal);
        let again = own.own(step);
        own.set(step, Signal { level: again.level + 1, ..again });
    }

    /// Simulates a step with struct entries, and with functions that borrow the history.
    #[kernel]
    pub fn signals(me: &Node, sent: &mut History<Signal>, clock: &Clock, id: u32) {
        let heard = hear(sent, clock, me.upstream, me.delay);
        say(sent, clock.first() + me.wait, heard, id);
    }

    /// Row of another table, which reads the network.
    #[derive(Row)]
    pub struct Listener {
        pub from: u32,
        pub to: u32,
        pub sum: u64,
    }

    /// Adds up past and future values of some nodes, at every step in reach.
    #[kernel]
    pub fn listen(me: &mut Listener, sent: &History<u32>, clock: &Clock, reach: &Reaching) {
        me.sum = 0;
        for node in me.from..me.to {
            for step in clock.first() - reach.past..clock.first() + reach.ahead {
                me.sum = me.sum * 31 + sent.get(node, step) as u64;
            }
        }
    }

    #[derive(Params)]
    pub struct Reaching {
        pub past: u32,
        pub ahead: u32,
    }
}

macro_rules! history_kernels {
    ($($module:ident: $t:ty),*) => {$(
        /// Entries of the type that the module is named for.
        #[imminent_core::kernels]
        pub mod $module {
            #[derive(Row)]
            pub struct Link {
                pub from: u32,
                pub delay: u32,
            }

            /// Sends the value that another row sent some steps ago.
            #[kernel]
            pub fn pass(me: &Link, series: &mut History<$t>, clock: &Clock) {
                let heard = series.get(me.from, clock.first() - me.delay);
                series.set(clock.first(), heard);
            }
        }
    )*};
}

history_kernels!(of_bool: bool, of_u32: u32, of_i32: i32, of_u64: u64, of_i64: i64, of_f32: f32, of_f64: f64, of_arrays: [u32; 3]);

/// Reads at the limits of the available steps.
#[imminent_core::kernels]
pub mod limits {
    /// Request of a row.
    #[derive(Row)]
    pub struct Ask {
        pub row: u32,
        pub step: u32,
        pub seen: u32,
    }

    #[kernel]
    pub fn get(me: &mut Ask, series: &mut History<u32>, _clock: &Clock) {
        me.seen = series.get(me.row, me.step); // marker: get
    }

    #[kernel]
    pub fn own(me: &mut Ask, series: &mut History<u32>, _clock: &Clock) {
        me.seen = series.own(me.step); // marker: own
    }

    #[kernel]
    pub fn set(me: &mut Ask, series: &mut History<u32>, _clock: &Clock) {
        series.set(me.step, 1_000_000 + me.seen); // marker: set
    }

    #[kernel]
    pub fn look(me: &mut Ask, series: &History<u32>, _clock: &Clock) {
        me.seen = series.get(me.row, me.step); // marker: look
    }

    /// Reads a clock.
    #[kernel]
    pub fn tell(me: &mut Ask, clock: &Clock) {
        me.seen = clock.first() + me.row;
    }
}
