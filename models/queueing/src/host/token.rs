//! Tokens, those between two nodes, and the families of those that were forked.

/// Source and time at which a token entered the network.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin {
    /// Source of the token; `None` for a token of the start.
    pub(super) source: Option<u32>,
    /// Time at which the token left the source.
    pub(super) entered: u64,
}

/// A token at a node, or between two.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) class: u32,
    /// Class for which it counts in the region where it is: that as which it entered.
    pub(super) counts_as: u32,
    pub(super) origin: Origin,
    /// Time at which it came to the node where it is.
    pub(super) arrived: u64,
    /// Row of the table of arrivals from which its source has it.
    pub(super) row: Option<u32>,
    /// Resources that it holds, as a set with a bit for each.
    pub(super) holds: u64,
    /// Families of which it is a part, the youngest last.
    pub(super) families: Vec<u64>,
}

impl Token {
    /// Creates a token of the start.
    pub(super) const fn of_start(class: u32) -> Self {
        Self {
            class,
            counts_as: class,
            origin: Origin { source: None, entered: 0 },
            arrived: 0,
            row: None,
            holds: 0,
            families: vec![],
        }
    }
}

/// Parts of a forked token.
#[derive(Debug, Clone)]
pub(super) struct Family {
    /// Number of parts that can still come to the join.
    pub(super) under_way: u32,
    /// Number of parts that came to the join.
    pub(super) come: u32,
    /// Join, and the part that came to it last; `None` before the first, and once the parts are joined.
    pub(super) waiting: Option<(u32, Token)>,
    /// `true` once the parts are joined: later ones vanish.
    pub(super) joined: bool,
}

/// Token whose service has ended: end, node, number of the service. This is the order in which room is given.
pub(super) type Ended = (u64, u32, u64);

/// A token between two nodes.
#[derive(Debug, Clone)]
pub(super) struct Move {
    pub(super) ended: Ended,
    /// Number among the tokens that leave by the same service.
    pub(super) part: u32,
    pub(super) to: u32,
    pub(super) token: Token,
    /// Region in which the token was; it has room there already.
    pub(super) from_region: Option<usize>,
}
