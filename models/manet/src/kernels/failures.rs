//! Neighbours that were deleted because a transmission to them failed.

/// Deletions of neighbours.
///
/// The neighbour table of a node is computed from beacons when it is needed. A deletion therefore hides the beacons
/// that the neighbour had sent before.
#[imminent_core::kernels]
pub mod failure {
    /// Deletion of a neighbour.
    pub struct Deletion {
        /// Row of the neighbour.
        pub row: u32,
        /// Time of the deletion, in µs: the node has the neighbour again when it hears a later beacon.
        pub time: u64,
    }

    /// Neighbours that a node has deleted, each once.
    #[derive(Row)]
    #[row(packed)]
    pub struct Deleted {
        /// Number of deletions.
        pub count: u32,
        /// Deletions, in any order. There is room for one more, or the run halts to make it.
        pub deletions: Lanes<Deletion>,
    }

    /// Deletes a neighbour at a time, in µs. Deletions as old as the timeout are dropped: the beacons before them are
    /// forgotten anyway.
    pub fn delete(deleted: &mut Deleted, row: u32, time: u64, timeout: u64) {
        let mut kept = 0;
        for i in 0..deleted.count {
            let other = deleted.deletions.get(i);
            if other.row != row && other.time + timeout >= time {
                deleted.deletions.set(kept, other);
                kept += 1;
            }
        }
        deleted.deletions.set(kept, Deletion { row, time });
        deleted.count = kept + 1;
    }

    /// Returns `true` if a neighbour has been deleted since a time, in µs.
    pub fn is_deleted_since(deleted: &Deleted, row: u32, time: u64) -> bool {
        for i in 0..deleted.count {
            let deletion = deleted.deletions.get(i);
            if deletion.row == row && deletion.time >= time {
                return true;
            }
        }
        false
    }

    /// Returns the room that the longest list of deletions needs: one more.
    #[kernel(reduce = max)]
    pub fn wanted_deletions(deleted: &Deleted) -> u32 {
        deleted.count + 1
    }
}
