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
/// # use imminent_core::ir;
/// #[imminent_core::kernels]
/// mod tokens {
///     use imminent_core::mail::{first, next, send, sender};
///
///     #[derive(Row)]
///     pub struct Node { pub tokens: u32 }
///
///     /// Each node sends its token to the node three further on.
///     #[kernel]
///     pub fn pass(me: &mut Node, heads: &Tally<u32>, links: &Tally<u32>, id: u32) {
///         if me.tokens > 0 {
///             me.tokens -= 1;
///             send(heads, links, id, 0, (id + 3) % heads.len());
///         }
///     }
///
///     #[kernel]
///     pub fn receive(me: &mut Node, heads: &Tally<u32>, links: &Tally<u32>, id: u32) {
///         let mut message = first(heads, id);
///         while message != 0 {
///             me.tokens += 1;
///             message = next(links, message);
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

    /// Sends message `number` of row `row` to row `to`. The number is below the room of a row.
    ///
    /// A row that sends to a row that does not exist, or has no room for the number, raises a fault, and nothing is
    /// sent.
    #[unordered]
    pub fn send(heads: &Tally<u32>, links: &Tally<u32>, row: u32, number: u32, to: u32) {
        let room = room(heads, links);
        assert!(to < heads.len(), "the receiver exists");
        assert!(number < room, "there is room for the message");
        if to < heads.len() && number < room {
            let message = row * room + number + 1;
            // The order of the exchanges cannot be observed: `deliver` brings the list into the order of its messages.
            let before = heads.exchange(to, message);
            links.store(message - 1, before);
        }
    }

    /// Returns the number of messages that a row can send.
    pub fn room(heads: &Tally<u32>, links: &Tally<u32>) -> u32 {
        links.len() / heads.len().max(1)
    }

    /// Returns the first message to a row; 0 if there is none.
    #[unordered]
    pub fn first(heads: &Tally<u32>, row: u32) -> u32 {
        heads.load(row)
    }

    /// Returns the message after another one to the same row; 0 if there is none.
    #[unordered]
    pub fn next(links: &Tally<u32>, message: u32) -> u32 {
        links.load(message - 1)
    }

    /// Returns the row that sent a message.
    pub fn sender(heads: &Tally<u32>, links: &Tally<u32>, message: u32) -> u32 {
        (message - 1) / room(heads, links).max(1)
    }

    /// Returns the number of a message among those of its sender.
    pub fn number(heads: &Tally<u32>, links: &Tally<u32>, message: u32) -> u32 {
        (message - 1) % room(heads, links).max(1)
    }

    /// Brings the messages to a row into their order, by merging longer and longer runs of them, and forgets those that
    /// were delivered `before`.
    ///
    /// A message is in one list, so an invocation shares no link with another.
    #[kernel]
    #[unordered]
    pub fn deliver(_me: &Receiver, heads: &Tally<u32>, links: &Tally<u32>, before: &Tally<u32>, id: u32) {
        before.store(id, 0);
        let mut head = heads.load(id);
        if head == 0 || links.load(head - 1) == 0 {
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
                    b = links.load(b - 1);
                    left += 1;
                }
                let mut right = width;
                while left > 0 || (right > 0 && b != 0) {
                    let mut taken = b;
                    if left > 0 && (right == 0 || b == 0 || a < b) {
                        taken = a;
                        a = links.load(a - 1);
                        left -= 1;
                    } else {
                        b = links.load(b - 1);
                        right -= 1;
                    }
                    if last == 0 {
                        head = taken;
                    } else {
                        links.store(last - 1, taken);
                    }
                    last = taken;
                }
                rest = b;
            }
            links.store(last - 1, 0);
            width *= 2;
        }
        heads.store(id, head);
    }
}
