//! A map with its ground, to be drawn with different contents.

use super::canvas::Canvas;
use super::colour::{Colour, mix};
use super::legend::{INK, Legend, north, scale_bar};
use super::text::{LARGE, Style};
use crate::Raster;
use crate::terrain::hill_shade;

/// Colour of the paper.
const PAPER: Colour = [250, 249, 246];
/// Longer side of a map of few cells, in pixels, and the longest side of any map.
const SIDES: (u32, u32) = (900, 1600);
/// Free space around the map, in pixels.
const MARGIN: i64 = 18;
/// Height of the line of the title, in pixels.
const TITLE: i64 = LARGE + 10;
/// Height of the scale bar with its text, in pixels.
const FOOT: i64 = 34;
/// Colour of ground that has no other.
const GROUND: Colour = [236, 233, 224];

/// A map: its grid, its scale and its ground.
#[derive(Debug, Clone)]
pub struct Map {
    columns: u32,
    rows: u32,
    /// Size of the map within a picture, in pixels.
    size: (u32, u32),
    /// Metres of a pixel; none of a map in degrees.
    metres: Option<f64>,
    ground: Vec<Colour>,
    shade: Vec<f32>,
}

/// Contents of a picture of a map.
#[derive(Clone)]
pub struct View<'a> {
    /// Title, above.
    pub title: &'a str,
    /// Text at the right of the foot, such as a time.
    pub note: &'a str,
    /// Colour of a cell by its number, row by row; `None` for the ground.
    pub cell: &'a dyn Fn(usize) -> Option<Colour>,
    /// Lines in columns from the western and rows from the northern edge.
    pub lines: &'a [&'a [(f64, f64)]],
    /// Points in columns and rows, drawn as stars.
    pub points: &'a [(f64, f64)],
    /// Colours with their values.
    pub legend: &'a Legend,
}

impl Map {
    /// Makes the map of a grid, with hills of an elevation raster of that grid.
    ///
    /// `ground` gives the colour of a cell's ground by its number; `None` for a light one.
    #[must_use]
    pub fn new(elevation: &Raster, ground: impl Fn(usize) -> Option<Colour>) -> Self {
        let (columns, rows) = (elevation.columns(), elevation.rows());
        let longer = columns.max(rows);
        // Whole pixels for each cell, or whole cells for each pixel.
        let size = if longer <= SIDES.0 {
            let pixels = SIDES.0 / longer;
            (columns * pixels, rows * pixels)
        } else {
            let cells = longer.div_ceil(SIDES.1);
            (columns.div_ceil(cells), rows.div_ceil(cells))
        };
        let cells = columns as usize * rows as usize;
        let metres = elevation.place.cell_metres().map(|metres| metres * f64::from(columns) / f64::from(size.0));
        let ground = (0..cells).map(|cell| ground(cell).unwrap_or(GROUND)).collect();
        let shade = hill_shade(elevation).into_iter().map(|light| light as f32).collect();
        Self { columns, rows, size, metres, ground, shade }
    }

    /// Draws the map with what a view has.
    #[must_use]
    pub fn draw(&self, view: &View<'_>) -> Canvas {
        let (width, height) = (i64::from(self.size.0), i64::from(self.size.1));
        let side = view.legend.width();
        let title = Style::Large.width(view.title);
        let whole = (MARGIN + width + MARGIN + side + MARGIN).max(title + 2 * MARGIN);
        let frame_height = height.max(260);
        let mut canvas = Canvas::new(whole as u32, (MARGIN + TITLE + frame_height + FOOT + MARGIN) as u32, PAPER);
        let (left, top) = (MARGIN, MARGIN + TITLE);
        Style::Large.write(&mut canvas, left, MARGIN, view.title, INK);
        canvas.frame(left, top, width, height, INK);
        self.cells(&mut canvas, view, left, top);
        self.lines(&mut canvas, view, left, top);
        view.legend.draw(&mut canvas, left + width + MARGIN, top, frame_height);
        let foot = top + height + 12;
        north(&mut canvas, left, foot);
        if let Some(metres) = self.metres {
            scale_bar(&mut canvas, left + 34, foot, metres, 0.3 * width as f64);
        }
        let note = Style::Small.width(view.note);
        Style::Small.write(&mut canvas, left + width - note, foot, view.note, INK);
        canvas
    }

    /// Returns the place of a point of the grid, in pixels of the map.
    fn pixel(&self, (column, row): (f64, f64), left: i64, top: i64) -> (f64, f64) {
        let scale = |size: u32, cells: u32| f64::from(size) / f64::from(cells);
        let (across, down) = (scale(self.size.0, self.columns), scale(self.size.1, self.rows));
        (left as f64 + column * across, top as f64 + row * down)
    }

    fn cells(&self, canvas: &mut Canvas, view: &View<'_>, left: i64, top: i64) {
        let (width, height) = self.size;
        let cell_of = |pixel: u32, size: u32, cells: u32| {
            // The cell under the middle of the pixel.
            let cell = (2 * u64::from(pixel) + 1) * u64::from(cells) / (2 * u64::from(size));
            cell.min(u64::from(cells.saturating_sub(1))) as usize
        };
        // A cell has the same colour in all its pixels.
        let (mut of_row, mut colours) = (usize::MAX, Vec::with_capacity(width as usize));
        for y in 0..height {
            let row = cell_of(y, height, self.rows) * self.columns as usize;
            if row != of_row {
                colours.clear();
                let mut last = (usize::MAX, GROUND);
                for cell in (0..width).map(|x| row + cell_of(x, width, self.columns)) {
                    if cell != last.0 {
                        last = (cell, self.colour(view, cell));
                    }
                    colours.push(last.1);
                }
                of_row = row;
            }
            canvas.row(left as u32, top as u32 + y, &colours);
        }
    }

    fn colour(&self, view: &View<'_>, cell: usize) -> Colour {
        let light = f64::from(self.shade.get(cell).copied().unwrap_or(0.7));
        match (view.cell)(cell) {
            // Colours of values are shaded less, so that they can be compared with the legend.
            Some(colour) => shaded(colour, 0.7 + 0.55 * (light - 0.7)),
            None => shaded(self.ground.get(cell).copied().unwrap_or(GROUND), light),
        }
    }

    fn lines(&self, canvas: &mut Canvas, view: &View<'_>, left: i64, top: i64) {
        for line in view.lines {
            for ends in line.windows(2) {
                let &[from, to] = ends else { continue };
                // The edge of the grid is no line of equal time.
                if self.is_edge(from, to) {
                    continue;
                }
                canvas.line(self.pixel(from, left, top), self.pixel(to, left, top), 1.0, [28, 18, 28]);
            }
        }
        for &point in view.points {
            let (x, y) = self.pixel(point, left, top);
            for (reach, width, colour) in [(8.0, 4.5, [255, 255, 255]), (7.0, 2.2, [16, 16, 20])] {
                for (dx, dy) in [(1.0, 0.0), (0.0, 1.0), (0.7, 0.7), (0.7, -0.7)] {
                    let (dx, dy) = (reach * dx, reach * dy);
                    canvas.line((x - dx, y - dy), (x + dx, y + dy), width, colour);
                }
            }
        }
    }

    fn is_edge(&self, from: (f64, f64), to: (f64, f64)) -> bool {
        let on = |a: f64, b: f64, most: u32| (a <= 0.0 && b <= 0.0) || (a >= f64::from(most) && b >= f64::from(most));
        on(from.0, to.0, self.columns) || on(from.1, to.1, self.rows)
    }
}

/// Shades a colour by a light from 0 to 1, of which 0.7 changes nothing.
fn shaded(colour: Colour, light: f64) -> Colour {
    if light < 0.7 {
        mix([12, 14, 34], colour, light / 0.7)
    } else {
        mix(colour, [255, 255, 250], (light - 0.7) / 0.55)
    }
}
