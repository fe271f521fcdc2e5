//! Number of the sessions of some traffic, and the memory that they take.

use super::agenda::{Agenda, Moment};
use super::connection::Connection;
use super::error::PacketError;
use super::tcp::TcpRules;
use super::wire::Packet;
use crate::Traffic;
use crate::network::Kind;

/// Largest number of sessions; connections and sources need numbers of their own.
const MAX_SESSIONS: u32 = 1 << 30;

/// Number of sessions of a flow that are packets.
pub(super) fn sessions_of(kind: Kind) -> u64 {
    match kind {
        Kind::Tcp { packets, .. } => u64::from(packets),
        Kind::Requests { clients, .. } => 2 * u64::from(clients),
        _ => 1,
    }
}

/// Checks that the sessions of some traffic are not too many, and fit into `free` bytes of memory with their paths.
/// Returns the bytes that are left, if `free` is known.
pub(super) fn check_sessions(
    free: Option<u64>,
    traffic: &Traffic,
    rules: &TcpRules,
    of_paths: u64,
) -> Result<Option<u64>, PacketError> {
    let flows = || (0..).zip(traffic.flows().all()).filter(|(_, flow)| flow.kind.has_packets());
    let sessions: u64 = flows().map(|(_, flow)| sessions_of(flow.kind)).sum();
    if sessions > u64::from(MAX_SESSIONS) {
        return Err(PacketError::TooManySessions { sessions, most: MAX_SESSIONS });
    }
    let first_window = |number| rules.of_flow(&traffic.flows().tcp(number)).first_window();
    fits(sessions, flows().map(|(number, _)| first_window(number)).max().unwrap_or(0), of_paths, free)
}

/// Checks that the sessions fit into the free memory. Each has a connection, an event, and the packets of its first
/// window.
fn fits(sessions: u64, first_window: u32, of_paths: u64, free: Option<u64>) -> Result<Option<u64>, PacketError> {
    let packets = u64::from(first_window) * size_of::<(Moment, Packet)>() as u64;
    let each = size_of::<Connection>() as u64 + Agenda::BYTES_OF_EVENT + packets;
    let needed = sessions.saturating_mul(each).saturating_add(of_paths);
    let left = |free: u64| free.checked_sub(needed).ok_or(PacketError::Memory { sessions, needed, free });
    free.map(left).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_that_do_not_fit_into_memory_are_told_before_they_are_made() {
        let window = TcpRules::default().first_window();
        let fits = |sessions, of_paths, free| fits(sessions, window, of_paths, free);
        let left = fits(1_000, 0, Some(1 << 30)).unwrap().unwrap();
        assert!((1 << 30) - left > 1_000 * 200, "{left}");
        assert_eq!((fits(1_000, left, Some(1 << 30)), fits(u64::from(MAX_SESSIONS), 0, None)), (Ok(Some(0)), Ok(None)));
        assert!(fits(1_000, 1 << 30, Some(1 << 30)).is_err());
        let error = fits(10_000_000, 0, Some(1 << 30)).unwrap_err();
        let PacketError::Memory { sessions, needed, free } = error else { panic!("{error}") };
        // A connection alone holds its sender, its receiver and its generator of random numbers.
        assert!((sessions, free) == (10_000_000, 1 << 30) && needed > 10_000_000 * 200, "{needed}");
        let text = error.to_string();
        assert!(
            text.starts_with("10000000 sessions of packets take at least ")
                && text.contains("and 1.1 GB of memory are free"),
            "{text}"
        );
    }
}
