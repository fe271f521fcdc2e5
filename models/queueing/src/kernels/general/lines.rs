//! The tokens at a node that no server has taken yet.

/// Tokens on their way to a node, and tokens that wait there.
#[imminent_core::kernels]
pub mod line {
    /// Waiting tokens are taken in the order of entering.
    pub const FIFO: u32 = 0;
    /// The last that entered is taken first.
    pub const LIFO: u32 = 1;
    /// Any is taken, each equally likely.
    pub const RANDOM: u32 = 2;
    /// The least priority is taken first, and of equal ones the first that entered.
    pub const PRIORITY: u32 = 3;

    /// A token that will enter. Those of one node enter in the order of time, sender and number.
    pub struct Token {
        /// When it arrives, in ticks.
        pub time: u64,
        /// The number of the service that it left.
        pub number: u64,
        /// The node that it left, by its number in its own network.
        pub from: u32,
        /// Its class from here on.
        pub class: u32,
    }

    /// A token that has entered and waits.
    pub struct Waiting {
        /// When it arrived, in ticks.
        pub arrived: u64,
        /// How many entered before it.
        pub order: u64,
        /// Its priority: lower goes first.
        pub priority: u32,
        /// Its class.
        pub class: u32,
    }

    /// The line of a node. Both lists have room for as many tokens as the row has lanes.
    #[derive(Row)]
    pub struct Line {
        /// When the next token arrives, in ticks; the greatest time if none is expected. Every step asks every line, so it is told here, beside
        /// those of other lines.
        pub next: u64,
        /// How many are expected: known, but not yet entered.
        pub expected: u32,
        /// How many wait. A source has one that waits for ever.
        pub waiting: u32,
        /// How many have entered.
        pub entered: u64,
        /// First-in, first-out: where the ring's first token is.
        pub first: u32,
        /// First-in, first-out: places of the ring.
        pub places: u32,
        /// Those expected: a binary heap, the first to enter first.
        pub inbox: Lanes<Token>,
        /// Those that wait: a ring, a stack, a list or a binary heap, as the discipline needs it.
        pub queue: Lanes<Waiting>,
    }

    /// What a line knows beside its two lists, while a node is at work: read at once and written at once, since a device waits long for each.
    pub struct Head {
        /// When the next token arrives.
        pub next: u64,
        /// How many are expected.
        pub expected: u32,
        /// How many wait.
        pub waiting: u32,
        /// How many have entered.
        pub entered: u64,
        /// Where the ring's first token is.
        pub first: u32,
        /// Places of the ring.
        pub places: u32,
    }

    /// Whether `a` enters before `b`.
    fn enters_before(a: Token, b: Token) -> bool {
        if a.time != b.time {
            return a.time < b.time;
        }
        if a.from != b.from {
            return a.from < b.from;
        }
        a.number < b.number
    }

    /// Whether `a` is taken before `b`, by priority.
    fn goes_before(a: Waiting, b: Waiting) -> bool {
        if a.priority != b.priority {
            return a.priority < b.priority;
        }
        a.order < b.order
    }

    impl Line {
        /// When the next token arrives, in ticks; the greatest time if none is expected.
        pub fn next_arrival(&self) -> u64 {
            self.next
        }

        /// What the line knows beside its lists.
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

        /// Writes that down.
        pub fn keep(&mut self, head: Head) {
            self.next = head.next;
            self.expected = head.expected;
            self.waiting = head.waiting;
            self.entered = head.entered;
            self.first = head.first;
            self.places = head.places;
        }

        /// Adds a token to those expected.
        pub fn expect(&mut self, token: Token) {
            let place = self.expected;
            self.next = self.next.min(token.time);
            self.expected = place + 1;
            rise_among_expected(&mut self.inbox, place, token);
        }
    }

    /// Puts a token into the heap of those expected, at or above a place that is free.
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
        /// Takes the first of those expected, of whom there is one at least.
        pub fn take_expected(&mut self, inbox: &mut Lanes<Token>) -> Token {
            let first = inbox.get(0);
            self.expected -= 1;
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
                inbox.set(hole, token);
                hole = child;
            }
            inbox.set(hole, last);
            self.next = u64::MAX;
            if self.expected > 0 {
                self.next = inbox.get(0).time;
            }
            first
        }

        /// Puts a token among those that wait.
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

        /// Lets the ring use all lanes of a row that may have grown; it grows to twice its lanes or more.
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

        /// Takes the token that the discipline chooses among those that wait, of whom there is one at least. `word` is a random word, for
        /// the random discipline alone.
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
