//! Messages between the rows of a table.

/// Messages that rows send to one another: lists of numbers, by receiver.
///
/// A launch lets every row send some messages to any rows. Each message has a *number*, unique among those that its row
/// sends in the launch; its contents stay in a table of the sender. A [`MailTable`](crate::MailTable) links the
/// messages of each receiver to a list. After [`MailTable::deliver`](crate::MailTable::deliver) another launch walks
/// the lists. A *message* is a handle: 0 stands for none. The messages of a receiver are in the order of their senders'
/// rows, then of their numbers, so no order of execution can be observed. Determinism class: exact.
///
/// ```
/// #[imminent_core::kernels]
/// mod tokens {
///     use imminent_core::mail::{Inbox, Outbox};
///
///     #[derive(Row)]
///     pub struct Node { pub tokens: u32 }
///
///     /// Each node sends its token to the node three further on.
///     #[kernel]
///     pub fn pass(me: &mut Node, outbox: &Outbox, id: u32) {
///         if me.tokens > 0 {
///             me.tokens -= 1;
///             outbox.send(id, 0, (id + 3) % outbox.rows());
///         }
///     }
///
///     #[kernel]
///     pub fn receive(me: &mut Node, inbox: &Inbox, id: u32) {
///         let mut message = inbox.first(id);
///         while message != 0 {
///             me.tokens += 1;
///             message = inbox.next(message);
///         }
///     }
/// }
/// ```
#[crate::kernels]
pub mod mail {
    /// Row for each receiver, over which a delivery runs.
    #[derive(Row)]
    pub struct Receiver {
        /// Always 0. A row needs a field.
        pub unused: u32,
    }

    /// Messages that are being sent.
    #[derive(Bundle)]
    pub struct Outbox {
        /// A message to each row.
        pub heads: &Tally<u32>,
        /// The message after each message to the same row.
        pub links: &Tally<u32>,
    }

    /// Messages that were delivered.
    #[derive(Bundle)]
    pub struct Inbox {
        /// The first message to each row.
        pub heads: &Tally<u32>,
        /// The message after each message to the same row.
        pub links: &Tally<u32>,
    }

    /// Returns the number of messages that each row can send.
    fn room(heads: &Tally<u32>, links: &Tally<u32>) -> u32 {
        links.len() / heads.len().max(1)
    }

    impl Outbox {
        /// Returns the number of rows.
        pub fn rows(&self) -> u32 {
            self.heads.len()
        }

        /// Returns the number of messages that each row can send between two deliveries.
        pub fn room(&self) -> u32 {
            room(self.heads, self.links)
        }

        /// Sends message `number` of row `row` to row `to`. The number is below the room, and used once.
        ///
        /// If there is no such receiver or number, that is a fault, and nothing is sent.
        #[unordered]
        pub fn send(&self, row: u32, number: u32, to: u32) {
            let room = self.room();
            assert!(to < self.heads.len(), "the receiver exists");
            assert!(number < room, "there is room for the message");
            if to < self.heads.len() && number < room {
                let message = row * room + number + 1;
                // The order of the exchanges cannot be observed: `deliver` sorts the list.
                let before = self.heads.exchange(to, message);
                self.links.store(message - 1, before);
            }
        }
    }

    impl Inbox {
        /// Returns the first message to a row; 0 if there is none.
        #[unordered]
        pub fn first(&self, row: u32) -> u32 {
            self.heads.load(row)
        }

        /// Returns the message after another one to the same row; 0 if there is none.
        #[unordered]
        pub fn next(&self, message: u32) -> u32 {
            self.links.load(message - 1)
        }

        /// Discards the messages to a row. Their links stay until another launch sends.
        #[unordered]
        pub fn forget(&self, row: u32) {
            self.heads.store(row, 0);
        }

        /// Returns the row that sent a message.
        pub fn sender(&self, message: u32) -> u32 {
            (message - 1) / room(self.heads, self.links).max(1)
        }

        /// Returns the number of a message among those of its sender.
        pub fn number(&self, message: u32) -> u32 {
            (message - 1) % room(self.heads, self.links).max(1)
        }
    }

    /// Brings the messages to a row into their order, by merging longer and longer runs of them, and forgets those that
    /// were delivered `before`.
    ///
    /// A message is in one list, so an invocation shares no link with another.
    #[kernel]
    #[unordered]
    pub fn deliver(_me: &Receiver, sent: &Outbox, before: &Tally<u32>, id: u32) {
        before.store(id, 0);
        let mut head = sent.heads.load(id);
        if head == 0 || sent.links.load(head - 1) == 0 {
            return;
        }
        let mut width = 1;
        let mut runs = 2;
        while runs > 1 {
            let mut rest = head;
            let mut last = 0;
            runs = 0;
            while rest != 0 {
                runs += 1;
                // Two runs of at most `width` messages begin at `a` and `b`.
                let mut a = rest;
                let mut b = rest;
                let mut left = 0;
                while left < width && b != 0 {
                    b = sent.links.load(b - 1);
                    left += 1;
                }
                let mut right = width;
                while left > 0 || (right > 0 && b != 0) {
                    let mut taken = b;
                    if left > 0 && (right == 0 || b == 0 || a < b) {
                        taken = a;
                        a = sent.links.load(a - 1);
                        left -= 1;
                    } else {
                        b = sent.links.load(b - 1);
                        right -= 1;
                    }
                    if last == 0 {
                        head = taken;
                    } else {
                        sent.links.store(last - 1, taken);
                    }
                    last = taken;
                }
                rest = b;
            }
            sent.links.store(last - 1, 0);
            width *= 2;
        }
        sent.heads.store(id, head);
    }
}
