//! Removal of unreachable statements. The placeholder for a value that never exists would be ill-typed there.

use imminent_ir::{Block, StmtKind};

/// Removes the statements that follow a return, `break` or `continue`. Returns `true` if control never reaches the
/// block's end.
pub(super) fn prune(block: &mut Block) -> bool {
    let mut end = None;
    for (position, stmt) in block.iter_mut().enumerate() {
        let leaves = match &mut stmt.kind {
            StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue => true,
            StmtKind::If(_, then, otherwise) => {
                let (then, otherwise) = (prune(then), prune(otherwise));
                then && otherwise
            }
            StmtKind::Loop(body) => {
                prune(body);
                !has_break(body)
            }
            StmtKind::While(_, body) | StmtKind::For { body, .. } => {
                prune(body);
                false
            }
            _ => false,
        };
        if leaves {
            end = Some(position + 1);
            break;
        }
    }
    if let Some(end) = end {
        block.truncate(end);
    }
    end.is_some()
}

/// Returns `true` if a `break` leaves the loop with this body.
fn has_break(block: &Block) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::Break => true,
        StmtKind::If(_, then, otherwise) => has_break(then) || has_break(otherwise),
        _ => false,
    })
}
