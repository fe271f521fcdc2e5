//! Pictures in a program without maps, which refuses `--out` before it runs.

use super::out::{Files, without_maps};
use imminent_console::Failure;

pub(super) fn of_fire<O>(_: &O, _: &[(u32, u32)], _: Files) -> Result<Files, Failure> {
    Err(without_maps("--out"))
}

pub(super) fn of_flood<O>(_: &O, _: Files) -> Result<Files, Failure> {
    Err(without_maps("--out"))
}

pub(super) fn of_cells<O>(_: &O, _: Files) -> Result<Files, Failure> {
    Err(without_maps("--out"))
}
