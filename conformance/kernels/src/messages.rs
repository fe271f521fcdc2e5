//! Kernels of messages between rows.

/// Rows that send messages to listed rows, and rows that list the messages they received.
#[imminent_core::kernels]
pub mod messages {
    use imminent_core::mail::{Inbox, Outbox};

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

    #[derive(Row)]
    pub struct Sum {
        pub count: u32,
        pub sum: u32,
    }

    #[kernel]
    pub fn post(me: &Sender, outbox: &Outbox, id: u32) {
        for k in 0..me.count {
            outbox.send(id, k, me.to.get(k));
        }
    }

    #[kernel]
    pub fn collect(me: &mut Received, inbox: &Inbox, id: u32) {
        me.count = 0;
        let mut message = inbox.first(id);
        while message != 0 {
            me.rows.set(me.count, inbox.sender(message));
            me.numbers.set(me.count, inbox.number(message));
            me.count += 1;
            message = inbox.next(message);
        }
    }
    /// Adds the messages to a row to a sum, in any order, and discards them.
    #[kernel]
    pub fn add_up(me: &mut Sum, inbox: &Inbox, id: u32) {
        let mut message = inbox.first(id);
        while message != 0 {
            me.count += 1;
            me.sum = me.sum.wrapping_add(7 * inbox.sender(message) + inbox.number(message));
            message = inbox.next(message);
        }
        inbox.forget(id);
    }
}
