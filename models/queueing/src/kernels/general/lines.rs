//! Tokens at a node that are not in a server yet.

/// Tokens in flight to a node, and tokens that wait there.
#[imminent_core::kernels]
pub mod line {
    /// First in, first out: waiting tokens are taken in the order of entering.
    pub const FIFO: u32 = 0;
    /// Last in, first out: the last that entered is taken first.
    pub const LIFO: u32 = 1;
    /// Random order: each waiting token is equally likely.
    pub const RANDOM: u32 = 2;
    /// Priority order: the least priority is taken first, and of equal ones the first that entered.
    pub const PRIORITY: u32 = 3;

    /// A token that will enter. Tokens of one node enter in the order of time, sender and number.
    pub struct Token {
        /// Arrival time, in ticks.
        pub time: u64,
        /// Number of the service that the token left.
        pub number: u64,
        /// Number in its own network of the node that the token left.
        pub from: u32,
        /// Class of the token on arrival.
        pub class: u32,
    }

    /// A token that has entered and waits.
    pub struct Waiting {
        /// Arrival time, in ticks.
        pub arrived: u64,
        /// Number of tokens that entered before it.
        pub order: u64,
        /// Priority of the token: lower goes first.
        pub priority: u32,
        /// Class of the token.
        pub class: u32,
    }

    /// The line of a node. Both lists have room for as many tokens as the row has lanes.
    #[derive(Row)]
    #[row(packed)]
    pub struct Line {
        /// Arrival time of the next token, in ticks; the greatest time if none is expected. Every step reads it for
        /// every line, so it is stored beside those of other lines.
        pub next: u64,
        /// Number of expected tokens: known, but not yet entered.
        pub expected: u32,
        /// Number of waiting tokens. A source has one that always waits.
        pub waiting: u32,
        /// Number of tokens that have entered.
        pub entered: u64,
        /// Index of the ring's first token, for first in, first out.
        pub first: u32,
        /// Number of places of the ring, for first in, first out.
        pub places: u32,
        /// Expected tokens: a binary heap, the first to enter first.
        pub inbox: Lanes<Token>,
        /// Waiting tokens: a ring, a stack, a list or a binary heap, as the discipline needs.
        pub queue: Lanes<Waiting>,
    }

    /// Local copy of a line's scalar fields while a node is at work. They are read and written together, since each
    /// access takes a device long.
    pub struct Head {
        /// Arrival time of the next token.
        pub next: u64,
        /// Number of expected tokens.
        pub expected: u32,
        /// Number of waiting tokens.
        pub waiting: u32,
        /// Number of tokens that have entered.
        pub entered: u64,
        /// Index of the ring's first token.
        pub first: u32,
        /// Number of places of the ring.
        pub places: u32,
    }

    /// Returns `true` if `a` enters before `b`.
    fn enters_before(a: Token, b: Token) -> bool {
        if a.time != b.time {
            return a.time < b.time;
        }
        if a.from != b.from {
            return a.from < b.from;
        }
        a.number < b.number
    }

    /// Returns `true` if `a` is taken before `b`, by priority.
    fn goes_before(a: Waiting, b: Waiting) -> bool {
        if a.priority != b.priority {
            return a.priority < b.priority;
        }
        a.order < b.order
    }

    impl Line {
        /// Returns the arrival time of the next token, in ticks; the greatest time if none is expected.
        pub fn next_arrival(&self) -> u64 {
            self.next
        }

        /// Returns the scalar fields of the line.
        pub fn head(&self) -> Head {
            Head {
                next: self.next,
                expected: self.expected,
                waiting: self.waiting,
                entered: self.entered,
                first: self.first,
                places: self.places,
            }
        }

        /// Writes the scalar fields back.
        pub fn keep(&mut self, head: Head) {
            self.next = head.next;
            self.expected = head.expected;
            self.waiting = head.waiting;
            self.entered = head.entered;
            self.first = head.first;
            self.places = head.places;
        }

        /// Adds a token to the expected ones.
        pub fn expect(&mut self, token: Token) {
            let place = self.expected;
            self.next = self.next.min(token.time);
            self.expected = place + 1;
            rise_among_expected(&mut self.inbox, place, token);
        }
    }

    /// Puts a token into the heap of the expected ones, at a free place or above it.
    fn rise_among_expected(inbox: &mut Lanes<Token>, place: u32, token: Token) {
        let mut hole = place;
        while hole > 0 {
            let parent = (hole - 1) >> 1;
            let other = inbox.get(parent);
            if enters_before(other, token) {
                break;
            }
            inbox.set(hole, other);
            hole = parent;
        }
        inbox.set(hole, token);
    }

    impl Head {
        /// Removes and returns the first expected token, of which there is at least one.
        pub fn take_expected(&mut self, inbox: &mut Lanes<Token>) -> Token {
            let first = inbox.get(0);
            self.expected -= 1;
            self.next = u64::MAX;
            if self.expected == 0 {
                return first;
            }
            let last = inbox.get(self.expected);
            let mut hole = 0;
            loop {
                let mut child = 2 * hole + 1;
                if child >= self.expected {
                    break;
                }
                let mut token = inbox.get(child);
                if child + 1 < self.expected {
                    let right = inbox.get(child + 1);
                    if enters_before(right, token) {
                        token = right;
                        child += 1;
                    }
                }
                if enters_before(last, token) {
                    break;
                }
                self.next = self.next.min(token.time);
                inbox.set(hole, token);
                hole = child;
            }
            self.next = self.next.min(last.time);
            inbox.set(hole, last);
            first
        }

        /// Puts a token among the waiting ones.
        pub fn enter(&mut self, queue: &mut Lanes<Waiting>, discipline: u32, arrived: u64, class: u32, priority: u32) {
            let token = Waiting { arrived, order: self.entered, priority, class };
            self.entered += 1;
            match discipline {
                FIFO => {
                    self.open_ring(queue);
                    let mut at = self.first + self.waiting;
                    if at >= self.places {
                        at -= self.places;
                    }
                    queue.set(at, token);
                }
                PRIORITY => self.rise(queue, token),
                _ => queue.set(self.waiting, token),
            }
            self.waiting += 1;
        }

        /// Extends the ring to all lanes of a row that may have grown; it grows at least to twice its lanes.
        fn open_ring(&mut self, queue: &mut Lanes<Waiting>) {
            let places = queue.capacity();
            if self.places == places {
                return;
            }
            let mut at = self.places;
            while at < self.first + self.waiting {
                queue.set(at, queue.get(at - self.places));
                at += 1;
            }
            self.places = places;
        }

        fn rise(&self, queue: &mut Lanes<Waiting>, token: Waiting) {
            let mut hole = self.waiting;
            while hole > 0 {
                let parent = (hole - 1) >> 1;
                let other = queue.get(parent);
                if goes_before(other, token) {
                    break;
                }
                queue.set(hole, other);
                hole = parent;
            }
            queue.set(hole, token);
        }

        /// Removes and returns the waiting token that the discipline chooses; there is at least one. `word` is a random
        /// word, used by the random discipline only.
        pub fn take(&mut self, queue: &mut Lanes<Waiting>, discipline: u32, word: u32) -> Waiting {
            match discipline {
                FIFO => {
                    let token = queue.get(self.first);
                    self.waiting -= 1;
                    self.first += 1;
                    if self.first == self.places {
                        self.first = 0;
                    }
                    token
                }
                PRIORITY => self.take_least(queue),
                LIFO => {
                    self.waiting -= 1;
                    queue.get(self.waiting)
                }
                _ => {
                    let chosen = mul_high(word, self.waiting);
                    let token = queue.get(chosen);
                    self.waiting -= 1;
                    queue.set(chosen, queue.get(self.waiting));
                    token
                }
            }
        }

        fn take_least(&mut self, queue: &mut Lanes<Waiting>) -> Waiting {
            let first = queue.get(0);
            self.waiting -= 1;
            let last = queue.get(self.waiting);
            let mut hole = 0;
            loop {
                let mut child = 2 * hole + 1;
                if child >= self.waiting {
                    break;
                }
                let mut token = queue.get(child);
                if child + 1 < self.waiting {
                    let right = queue.get(child + 1);
                    if goes_before(right, token) {
                        token = right;
                        child += 1;
                    }
                }
                if goes_before(last, token) {
                    break;
                }
                queue.set(hole, token);
                hole = child;
            }
            queue.set(hole, last);
            first
        }
    }
}
