//! Zones of a rule file: boxes of cells with rules of their own.

use super::error::{Built, Notice, Problem, Span};
use super::parse::{self, Names};
use super::programs::Programs;
use super::sections::{Section, needed};
use super::source::{Sources, text_of};
use crate::space::CellSpace;

/// Most cells that the boxes of zones may have together.
const MAX_ZONED_CELLS: usize = 1 << 28;

/// Number of a cell in no zone.
const NONE: u32 = u32::MAX;

/// Reads the rules of the local transition and of the zones. Gives the number of each cell's rules; nothing where all
/// cells have the first.
pub(super) fn zones(
    sources: &Sources,
    section: &Section,
    names: &Names<'_>,
    space: &CellSpace,
    programs: &mut Programs<'_>,
    notices: &mut Vec<Notice>,
) -> Built<Vec<u32>> {
    let (mut zones, mut marked) = (Vec::new(), 0);
    for entry in section.all("zone") {
        let text = text_of(sources, &entry.value);
        let name = text.split('{').next().unwrap_or_default().trim().to_lowercase();
        let number = programs.of_section(&name, &entry.value)?;
        zones.resize(space.cells(), NONE);
        let found = parse::positions(sources.text(), &entry.value, names)?;
        let mut found = found.into_iter().peekable();
        while let Some((first, span)) = found.next() {
            let gap = |next: &(Vec<i32>, Span)| {
                let between = text_of(sources, &(span.end..next.1.start)).trim();
                between.len() >= 2 && between.bytes().all(|byte| byte == b'.')
            };
            let (last, end) = found.next_if(gap).unwrap_or_else(|| (first.clone(), span.clone()));
            let sides = first.iter().zip(&last).map(|(a, b)| a.abs_diff(*b) as usize + 1);
            marked = sides.fold(1, usize::saturating_mul).saturating_add(marked);
            if marked > MAX_ZONED_CELLS {
                let message = format!("zones have more than {MAX_ZONED_CELLS} cells together");
                return Err(
                    Problem::new(span.start..end.end, message, "one too many").note("give each cell a zone once")
                );
            }
            mark(space, &mut zones, &first, &last, number).ok_or_else(|| {
                Problem::new(span.start..end.end, "a zone reaches beyond the cell space", "outside")
                    .note(format!("the space has {:?} cells, counted from 0", space.dimensions()))
            })?;
        }
    }
    if zones.contains(&NONE) || zones.is_empty() {
        let number = local_rules(sources, section, programs)?;
        zones.iter_mut().filter(|zone| **zone == NONE).for_each(|zone| *zone = number);
    } else if section.first("localtransition").is_some()
        && let Err(problem) = local_rules(sources, section, programs)
    {
        let message = "rules that no cell has, since all are in zones, have a fault and are not read".to_owned();
        notices.push(Notice { span: problem.span, message });
    }
    Ok(zones)
}

/// Returns the number of the rules of cells in no zone.
fn local_rules(sources: &Sources, section: &Section, programs: &mut Programs<'_>) -> Built<u32> {
    let local = needed(section, "localtransition")?;
    let name = text_of(sources, &local.value).split_whitespace().next().unwrap_or_default();
    programs.of_section(&name.to_lowercase(), &local.value)
}

/// Gives the cells of a box a program. `None` if it is not inside the space.
fn mark(space: &CellSpace, zones: &mut [u32], first: &[i32], last: &[i32], program: u32) -> Option<()> {
    let corner = |position: &[i32]| position.iter().map(|&at| u32::try_from(at).ok()).collect::<Option<Vec<u32>>>();
    let (first, last) = (corner(first)?, corner(last)?);
    space.cell(&first)?;
    space.cell(&last)?;
    let low: Vec<u32> = first.iter().zip(&last).map(|(a, b)| *a.min(b)).collect();
    let high: Vec<u32> = first.iter().zip(&last).map(|(a, b)| *a.max(b)).collect();
    let mut position = low.clone();
    loop {
        *zones.get_mut(space.cell(&position)? as usize)? = program;
        let next = (0..position.len()).rev().find(|&at| position.get(at) < high.get(at));
        let Some(next) = next else { return Some(()) };
        *position.get_mut(next)? += 1;
        for at in next + 1..position.len() {
            *position.get_mut(at)? = *low.get(at)?;
        }
    }
}
