//! Kernels of messages between rows.

/// Rows that send messages to listed rows, and rows that list the messages they received.
#[imminent_core::kernels]
pub mod messages {
    use imminent_core::mail::{first, next, number, send, sender};

    #[derive(Row)]
    pub struct Sender {
        pub count: u32,
        pub to: Lanes<u32>,
    }

    #[derive(Row)]
    pub struct Received {
        pub count: u32,
        pub rows: Lanes<u32>,
        pub numbers: Lanes<u32>,
    }

    #[kernel]
    pub fn post(me: &Sender, heads: &Tally<u32>, links: &Tally<u32>, id: u32) {
        for k in 0..me.count {
            send(heads, links, id, k, me.to.get(k));
        }
    }

    #[kernel]
    pub fn collect(me: &mut Received, heads: &Tally<u32>, links: &Tally<u32>, id: u32) {
        me.count = 0;
        let mut message = first(heads, id);
        while message != 0 {
            me.rows.set(me.count, sender(heads, links, message));
            me.numbers.set(me.count, number(heads, links, message));
            me.count += 1;
            message = next(links, message);
        }
    }
}
