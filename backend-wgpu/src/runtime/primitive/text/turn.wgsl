// Whose turn it is.
var<workgroup> launch_turn: u32;

fn in_turn() -> bool { return atomicLoad(&state[0]) == launch[4]; }

// The same, as one answer for the whole workgroup, on which barriers may depend. The turn is passed on between
// dispatches alone.
fn all_in_turn(local: u32) -> bool {
    if (local == 0u) { launch_turn = atomicLoad(&state[0]); }
    return workgroupUniformLoad(&launch_turn) == launch[4];
}
