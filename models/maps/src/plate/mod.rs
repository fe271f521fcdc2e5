//! Plates: rasters, pictures and films of results, as files.

mod window;

pub use window::Window;

use crate::file::{self, Format};
use crate::isochrones::{self, geojson, interval};
use crate::picture::{Colour, Legend, Map, Ramp, View, animation};
use crate::{Georeference, MapError, Raster};
use imminent_study::outcome::{Grid, GridView, OutputFile};

/// Frames of a film.
const FRAMES: u32 = 48;
/// Milliseconds for which a frame is shown.
const FRAME: u16 = 110;
/// Colour of cells that have just been reached by fire.
const FLAME: Colour = [255, 250, 210];

/// Files of results.
#[derive(Debug, Clone)]
pub struct Files {
    /// `true` if pictures and films are among them.
    pub pictures: bool,
    /// Names and contents.
    pub list: Vec<OutputFile>,
}

impl Files {
    /// Creates an empty list.
    #[must_use]
    pub const fn new(pictures: bool) -> Self {
        Files { pictures, list: Vec::new() }
    }

    /// Adds a file.
    pub fn push(&mut self, name: impl Into<String>, bytes: Vec<u8>) {
        self.list.push(OutputFile { name: name.into(), bytes });
    }
}

/// Map of which pictures are drawn, with their title.
#[derive(Debug, Clone)]
pub struct Plate<'a> {
    /// Title of pictures.
    pub title: &'a str,
    /// Map of the window.
    pub map: &'a Map,
    /// Part of the rasters that is drawn.
    pub window: Window,
    /// Points that were lit, in columns and rows.
    pub points: &'a [(f64, f64)],
    /// Colours of the ground with their names.
    pub keys: Vec<(Colour, String)>,
}

impl Plate<'_> {
    /// Adds the picture and film of a fire, and its isochrones: `arrival.png`, `arrival.apng`, `isochrones.geojson`.
    /// Arrival is in hours.
    ///
    /// # Errors
    /// [`MapError`] if a file cannot be encoded.
    pub fn arrival(&self, arrival: &Raster, files: &mut Files) -> Result<(), MapError> {
        let last = arrival.range().map_or(0.0, |range| range.1).max(1e-3);
        let step = interval(last, 8.0);
        let marks: Vec<f64> = (0..=16).map(|mark| f64::from(mark) * step).take_while(|mark| *mark <= last).collect();
        let lines = isochrones::isochrones(arrival, marks.get(1..).unwrap_or_default(), step)?;
        files.push("isochrones.geojson", geojson(&lines, &arrival.place).into_bytes());
        if !files.pictures {
            return Ok(());
        }
        // Drawn lines are those of the window.
        let arrival = &self.window.cut(arrival)?;
        let lines = isochrones::isochrones(arrival, marks.get(1..).unwrap_or_default(), step)?;
        let legend = Legend {
            ramp: Ramp::Heat,
            range: (0.0, last),
            marks,
            label: "hours until\nthe fire came".to_owned(),
            keys: self.keys.clone(),
        };
        let lines: Vec<_> = lines.iter().flat_map(|line| &line.rings).flat_map(|ring| fronts(ring, arrival)).collect();
        let time = |cell: usize| arrival.values().get(cell).copied().filter(|time| !time.is_nan());
        let still = self.map.draw(&View {
            title: self.title,
            note: &format!("lines: every {}", hours(step)),
            cell: &|cell| Some(legend.colour(time(cell)?)),
            lines: &lines,
            points: self.points,
            legend: &legend,
        });
        files.push("arrival.png", still.png()?);
        let frames = (0..FRAMES).map(|frame| {
            let now = last * f64::from(frame) / f64::from(FRAMES - 1);
            let fresh = now - 1.5 * last / f64::from(FRAMES);
            let colour = |time: f64| if time > fresh && frame + 1 < FRAMES { FLAME } else { legend.colour(time) };
            self.map.draw(&View {
                title: self.title,
                note: &format!("after {now:.1} h"),
                cell: &|cell| time(cell).filter(|time| *time <= now).map(colour),
                lines: &[],
                points: self.points,
                legend: &legend,
            })
        });
        files.push("arrival.apng", animation(frames, FRAME)?);
        Ok(())
    }

    /// Adds the film of arriving water, `NAME.apng`: arrival in hours, colours by peaks in metres.
    ///
    /// # Errors
    /// [`MapError`] if a file cannot be encoded.
    pub fn film(&self, name: &str, arrival: &Raster, peak: &Raster, files: &mut Files) -> Result<(), MapError> {
        if !files.pictures {
            return Ok(());
        }
        let last = arrival.range().map_or(0.0, |range| range.1).max(1e-3);
        let greatest = peak.range().map_or(0.0, |range| range.1).max(1e-3);
        let legend = Legend {
            ramp: Ramp::Water,
            range: (0.0, greatest),
            marks: Vec::new(),
            label: "greatest\ndepth, m".to_owned(),
            keys: self.keys.clone(),
        };
        let of = |raster: &Raster, cell: usize| raster.values().get(cell).copied().unwrap_or(f64::NAN);
        let frames = (0..FRAMES).map(|frame| {
            let now = last * f64::from(frame) / f64::from(FRAMES - 1);
            self.map.draw(&View {
                title: self.title,
                note: &format!("after {:.1} min", now * 60.0),
                cell: &|cell| (of(arrival, cell) <= now).then(|| legend.colour(of(peak, cell))),
                lines: &[],
                points: self.points,
                legend: &legend,
            })
        });
        files.push(format!("{name}.apng"), animation(frames, FRAME)?);
        Ok(())
    }

    /// Draws one quantity, with the colours of a ramp from 0 to its greatest value or `most`; cells of at most `least`
    /// show the ground.
    ///
    /// # Errors
    /// [`MapError`] if a file cannot be encoded.
    pub fn quantity(
        &self,
        name: &str,
        values: &Raster,
        (label, ramp, least, most): (&str, Ramp, f64, Option<f64>),
        files: &mut Files,
    ) -> Result<(), MapError> {
        if !files.pictures {
            return Ok(());
        }
        let values = &self.window.cut(values)?;
        let greatest = most.or(values.range().map(|range| range.1)).unwrap_or(1.0).max(1e-3);
        let legend = Legend {
            ramp,
            range: (0.0, greatest),
            marks: Vec::new(),
            label: label.to_owned(),
            keys: self.keys.clone(),
        };
        let value = |cell: usize| values.values().get(cell).copied().filter(|value| *value > least);
        let picture = self.map.draw(&View {
            title: self.title,
            note: "",
            cell: &|cell| Some(legend.colour(value(cell)?)),
            lines: &[],
            points: self.points,
            legend: &legend,
        });
        files.push(format!("{name}.png"), picture.png()?);
        Ok(())
    }
}

/// Adds a raster, and its coordinate system where that is a file of its own.
///
/// # Errors
/// [`MapError`] if the raster cannot be encoded.
pub fn add(name: &str, raster: &Raster, format: Format, files: &mut Files) -> Result<(), MapError> {
    files.push(format!("{name}.{}", format.ending()), file::encode(raster, format)?);
    if let Some(text) = file::coordinate_text(raster).filter(|_| format == Format::Ascii) {
        files.push(format!("{name}.prj"), text.as_bytes().to_vec());
    }
    Ok(())
}

/// Returns the parts of a ring between cells that fire reached. The other parts, around unburnable cells, are the same
/// for every later time.
fn fronts<'a>(ring: &'a [(f64, f64)], arrival: &Raster) -> Vec<&'a [(f64, f64)]> {
    let burns = |column: f64, row: f64| arrival.at(row.max(0.0) as u32, column.max(0.0) as u32).is_some();
    let is_front = |from: (f64, f64), to: (f64, f64)| {
        let (column, row) = (0.5 * (from.0 + to.0), 0.5 * (from.1 + to.1));
        [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)].into_iter().all(|(dx, dy)| burns(column + dx, row + dy))
    };
    let mut parts = Vec::new();
    let mut start = 0;
    for (place, ends) in ring.windows(2).enumerate() {
        if let &[from, to] = ends
            && !is_front(from, to)
        {
            parts.extend(ring.get(start..=place).filter(|part| part.len() > 1));
            start = place + 1;
        }
    }
    parts.extend(ring.get(start..).filter(|part| part.len() > 1));
    parts
}

/// Formats a time in hours.
fn hours(hours: f64) -> String {
    if hours < 0.99 { format!("{:.0} min", hours * 60.0) } else { format!("{hours} h") }
}

/// Returns the middles of cells, in columns and rows.
#[must_use]
pub fn middles(cells: &[(u32, u32)]) -> Vec<(f64, f64)> {
    cells.iter().map(|&(row, column)| (f64::from(column) + 0.5, f64::from(row) + 0.5)).collect()
}

/// Returns the files of a grid without a place in the world.
///
/// # Errors
/// [`MapError`] for a grid without cells or with another number of values, and if an encoder fails.
pub fn of_grid(title: &str, grid: &Grid, pictures: bool) -> Result<Vec<OutputFile>, MapError> {
    let mut files = Files::new(pictures);
    let raster = plane(grid)?;
    add(grid.name, &raster, Format::Ascii, &mut files)?;
    let map = Map::new(&raster.with_values(vec![0.0; raster.values().len()])?, |_| None);
    let points = match &grid.view {
        GridView::Arrival { sources } => middles(sources),
        _ => vec![],
    };
    let plate = Plate { title, map: &map, window: Window::whole(&raster), points: &points, keys: vec![] };
    match grid.view {
        GridView::Quantity { label, ground, is_water } => {
            let ramp = if is_water { Ramp::Water } else { Ramp::Heat };
            plate.quantity(grid.name, &raster, (label, ramp, ground, None), &mut files)?;
        }
        _ => plate.arrival(&raster, &mut files)?,
    }
    Ok(files.list)
}

/// Returns the raster of a grid, whose south-western corner is at 0, 0.
fn plane(grid: &Grid) -> Result<Raster, MapError> {
    let place = Georeference::square(0.0, f64::from(grid.rows) * grid.side, grid.side);
    Raster::new(grid.columns, grid.rows, grid.values.clone(), place)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn lines_are_drawn_between_burnt_cells_alone() {
        // A front from the west; the cells of row 2 do not burn, and fire does not come beyond column 6.
        let time = |cell: u32| if cell / 10 == 2 || cell % 10 > 6 { f64::NAN } else { f64::from(cell % 10) };
        let arrival = Raster::new(10, 6, (0..60).map(time).collect(), Georeference::square(0.0, 6.0, 1.0)).unwrap();
        let lines = isochrones::isochrones(&arrival, &[3.5, 6.5], 1.0).unwrap();
        let parts =
            |line: usize| -> Vec<_> { lines[line].rings.iter().flat_map(|ring| fronts(ring, &arrival)).collect() };
        let inside = |point: &(f64, f64)| point.0 > 0.0 && point.1 > 0.0 && point.1 < 6.0;
        let inner: Vec<_> = parts(0).into_iter().flatten().copied().filter(inside).collect();
        assert!(inner.len() > 2 && inner.iter().all(|point| (point.0 - 4.0).abs() < 0.6), "{inner:?}");
        assert!(inner.iter().all(|point| point.1 < 1.6 || point.1 > 3.4), "{inner:?}");
        assert!(parts(1).into_iter().flatten().all(|point| !inside(point) || point.0 < 0.6), "{:?}", parts(1));
    }
}
