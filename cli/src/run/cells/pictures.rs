//! Pictures, films and rasters of cell spaces.

use super::out::Files;
use imminent::models::cell::{fire, flood, rules};
use imminent::models::maps::file::{self, Format};
use imminent::models::maps::isochrones::{self, geojson, interval};
use imminent::models::maps::picture::{Colour, Legend, Map, Ramp, View, animation};
use imminent::models::maps::{Georeference, MapError, Raster};
use imminent_console::Failure;

/// Milliseconds of an hour.
const HOUR: f64 = 3_600_000.0;
/// Frames of a film.
const FRAMES: u32 = 48;
/// Milliseconds for which a frame is shown.
const FRAME: u16 = 110;
/// Colour of cells that have just been reached by fire.
const FLAME: Colour = [255, 250, 210];
/// Side of a cell of the fire with published rates, in metres.
const CELL: f64 = 15.24;

/// Part of a raster, in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) row: u32,
    pub(super) column: u32,
    rows: u32,
    columns: u32,
}

impl Window {
    pub(super) fn whole(raster: &Raster) -> Self {
        Self { row: 0, column: 0, rows: raster.rows(), columns: raster.columns() }
    }

    /// Returns the window of the cells with data and a margin; all cells if that would be most of them.
    pub(super) fn around(raster: &Raster) -> Self {
        let columns = raster.columns().max(1);
        let (mut top, mut left, mut bottom, mut right) = (u32::MAX, u32::MAX, 0, 0);
        for (cell, _) in raster.values().iter().enumerate().filter(|(_, value)| !value.is_nan()) {
            let (row, column) = (cell as u32 / columns, cell as u32 % columns);
            (top, left) = (top.min(row), left.min(column));
            (bottom, right) = (bottom.max(row), right.max(column));
        }
        if top > bottom {
            return Self::whole(raster);
        }
        let side = (bottom - top).max(right - left) + 1;
        // Room for a legend beside it, and for hills to be recognized.
        let reach = (side + side / 2).max(120);
        let along = |first: u32, last: u32, all: u32| {
            let from = ((first + last) / 2).saturating_sub(reach / 2).min(all.saturating_sub(reach));
            (from, reach.min(all))
        };
        let ((row, rows), (column, columns)) = (along(top, bottom, raster.rows()), along(left, right, columns));
        if 2 * rows > raster.rows() && 2 * columns > raster.columns() {
            return Self::whole(raster);
        }
        Self { row, column, rows, columns }
    }

    /// Returns the number that a cell of the window has in the raster.
    pub(super) fn cell(&self, cell: usize, columns: u32) -> usize {
        let own = self.columns.max(1) as usize;
        (self.row as usize + cell / own) * columns as usize + self.column as usize + cell % own
    }

    pub(super) fn cut(&self, raster: &Raster) -> Result<Raster, Failure> {
        let cells = self.rows as usize * self.columns as usize;
        let value = |cell| raster.values().get(self.cell(cell, raster.columns())).copied().unwrap_or(f64::NAN);
        let (west, north) = raster.place.point(f64::from(self.column), f64::from(self.row));
        let place = Georeference { west, north, ..raster.place.clone() };
        Raster::new(self.columns, self.rows, (0..cells).map(value).collect(), place).map_err(Failure::run)
    }
}

/// Landscape to burn or to flood, with the caption of its pictures.
pub(super) struct Place<'a> {
    /// Title of pictures.
    pub(super) title: &'a str,
    /// Map of the window.
    pub(super) map: &'a Map,
    /// Part of the rasters that is drawn.
    pub(super) window: Window,
    /// Points that were lit, in columns and rows.
    pub(super) points: &'a [(f64, f64)],
    /// Colours of the ground with their names.
    pub(super) keys: Vec<(Colour, String)>,
}

impl Place<'_> {
    /// Adds the picture and film of a fire, and its isochrones: `arrival.png`, `arrival.apng`, `isochrones.geojson`.
    /// Arrival is in hours.
    pub(super) fn arrival(&self, arrival: &Raster, files: &mut Files) -> Result<(), Failure> {
        let last = arrival.range().map_or(0.0, |range| range.1).max(1e-3);
        let step = interval(last, 8.0);
        let marks: Vec<f64> = (0..=16).map(|mark| f64::from(mark) * step).take_while(|mark| *mark <= last).collect();
        let lines = isochrones::isochrones(arrival, marks.get(1..).unwrap_or_default(), step).map_err(Failure::run)?;
        files.push(("isochrones.geojson".to_owned(), geojson(&lines, &arrival.place).into_bytes()));
        if !files.pictures {
            return Ok(());
        }
        // Drawn lines are those of the window.
        let arrival = &self.window.cut(arrival)?;
        let lines = isochrones::isochrones(arrival, marks.get(1..).unwrap_or_default(), step).map_err(Failure::run)?;
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
        files.push(("arrival.png".to_owned(), still.png().map_err(Failure::run)?));
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
        files.push(("arrival.apng".to_owned(), animation(frames, FRAME).map_err(Failure::run)?));
        Ok(())
    }

    /// Adds the film of arriving water, `NAME.apng`: arrival in hours, colours by peaks in metres.
    pub(super) fn film(&self, name: &str, arrival: &Raster, peak: &Raster, files: &mut Files) -> Result<(), Failure> {
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
        files.push((format!("{name}.apng"), animation(frames, FRAME).map_err(Failure::run)?));
        Ok(())
    }

    /// Draws one quantity, with the colours of a ramp from 0 to its greatest value or `most`; cells of at most `least`
    /// show the ground.
    pub(super) fn quantity(
        &self,
        name: &str,
        values: &Raster,
        (label, ramp, least, most): (&str, Ramp, f64, Option<f64>),
        files: &mut Files,
    ) -> Result<(), Failure> {
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
        files.push((format!("{name}.png"), picture.png().map_err(Failure::run)?));
        Ok(())
    }
}

/// Adds a raster, and its coordinate system where that is a file of its own.
pub(super) fn add(name: &str, raster: &Raster, format: Format, files: &mut Files) -> Result<(), Failure> {
    files.push((format!("{name}.{}", format.ending()), file::encode(raster, format).map_err(Failure::run)?));
    if let Some(text) = file::coordinate_text(raster).filter(|_| format == Format::Ascii) {
        files.push((format!("{name}.prj"), text.as_bytes().to_vec()));
    }
    Ok(())
}

/// Converts times in milliseconds to hours; `never` becomes NaN.
pub(super) fn in_hours(times: &[u32], never: u32) -> Vec<f64> {
    times.iter().map(|&time| if time == never { f64::NAN } else { f64::from(time) / HOUR }).collect()
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
pub(super) fn hours(hours: f64) -> String {
    if hours < 0.99 { format!("{:.0} min", hours * 60.0) } else { format!("{hours} h") }
}

/// Returns the middles of cells, in columns and rows.
pub(super) fn middles(cells: &[(u32, u32)]) -> Vec<(f64, f64)> {
    cells.iter().map(|&(row, column)| (f64::from(column) + 0.5, f64::from(row) + 0.5)).collect()
}

/// Returns a raster without a place in the world, whose south-western corner is at 0, 0.
fn plane(rows: u32, columns: u32, cell: f64, values: Vec<f64>) -> Result<Raster, MapError> {
    Raster::new(columns, rows, values, Georeference::square(0.0, f64::from(rows) * cell, cell))
}

fn flat(raster: &Raster) -> Result<Map, MapError> {
    Ok(Map::new(&raster.with_values(vec![0.0; raster.values().len()])?, |_| None))
}

/// Returns the files of a fire with published rates of spread.
pub(super) fn of_fire(outcome: &fire::Outcome, lit: &[(u32, u32)], mut files: Files) -> Result<Files, Failure> {
    let times = in_hours(&outcome.ignition, fire::NEVER);
    let arrival = plane(outcome.height, outcome.width, CELL, times).map_err(Failure::run)?;
    add("arrival", &arrival, Format::Ascii, &mut files)?;
    let map = flat(&arrival).map_err(Failure::run)?;
    let place = Place {
        title: "Forest fire",
        map: &map,
        window: Window::whole(&arrival),
        points: &middles(lit),
        keys: Vec::new(),
    };
    place.arrival(&arrival, &mut files)?;
    Ok(files)
}

/// Returns the files of a flood on a plane.
pub(super) fn of_flood(outcome: &flood::Outcome, mut files: Files) -> Result<Files, Failure> {
    let amount = |&amount: &i64| if amount < 0 { f64::NAN } else { flood::water(amount) };
    let depths = outcome.amounts.iter().map(amount).collect();
    let depth = plane(outcome.height, outcome.width, 1.0, depths).map_err(Failure::run)?;
    add("depth", &depth, Format::Ascii, &mut files)?;
    let map = flat(&depth).map_err(Failure::run)?;
    let place = Place { title: "Flood", map: &map, window: Window::whole(&depth), points: &[], keys: Vec::new() };
    place.quantity("depth", &depth, ("amount\nof water", Ramp::Water, 0.0, None), &mut files)?;
    Ok(files)
}

/// Returns the files of a rule file's model, whose cells are in a plane.
pub(super) fn of_cells(outcome: &rules::Outcome, mut files: Files) -> Result<Files, Failure> {
    let &[rows, columns] = outcome.space.dimensions() else {
        let dimensions = outcome.space.dimensions().len();
        return Err(Failure::usage(format!(
            "--out is for cells in two dimensions, and these are in {dimensions}: leave it out, and use --json"
        )));
    };
    let values = plane(rows, columns, 1.0, outcome.values.clone()).map_err(Failure::run)?;
    add("values", &values, Format::Ascii, &mut files)?;
    let map = flat(&values).map_err(Failure::run)?;
    let place = Place { title: "Cell space", map: &map, window: Window::whole(&values), points: &[], keys: Vec::new() };
    let ground = values.range().map_or(0.0, |range| range.0.min(0.0));
    place.quantity("values", &values, ("value", Ramp::Heat, ground, None), &mut files)?;
    Ok(files)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_window_of_a_small_fire_is_a_part_with_the_fire_in_it() {
        let time =
            |cell: u32| if (cell / 500).abs_diff(7) < 5 && (cell % 500).abs_diff(300) < 20 { 1.0 } else { f64::NAN };
        let raster = plane(400, 500, 30.0, (0..200_000).map(time).collect()).unwrap();
        let window = Window::around(&raster);
        let part = window.cut(&raster).unwrap();
        assert_eq!((window.row, window.column, part.rows(), part.columns()), (0, 240, 120, 120));
        assert_eq!((part.place.west, part.place.north), (7200.0, 12_000.0));
        let burnt = |raster: &Raster| raster.values().iter().filter(|value| !value.is_nan()).count();
        assert_eq!(burnt(&part), burnt(&raster));
        let nothing = raster.with_values(vec![f64::NAN; 200_000]).unwrap();
        assert_eq!(Window::around(&nothing), Window::whole(&raster));
    }

    #[test]
    fn lines_are_drawn_between_burnt_cells_alone() {
        // A front from the west; the cells of row 2 do not burn, and fire does not come beyond column 6.
        let time = |cell: u32| if cell / 10 == 2 || cell % 10 > 6 { f64::NAN } else { f64::from(cell % 10) };
        let arrival = plane(6, 10, 1.0, (0..60).map(time).collect()).unwrap();
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
