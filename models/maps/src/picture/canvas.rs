//! A grid of pixels to draw on.

use super::colour::{Colour, mix};
use crate::MapError;
use png::{BitDepth, ColorType, Encoder};

/// Pixels of a picture, row by row from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Canvas {
    width: u32,
    height: u32,
    pixels: Vec<Colour>,
}

impl Canvas {
    /// Makes a canvas of one colour.
    #[must_use]
    pub fn new(width: u32, height: u32, colour: Colour) -> Self {
        Self { width, height, pixels: vec![colour; width as usize * height as usize] }
    }

    /// Returns the number of pixels in a row.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the number of rows of pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the pixels, row by row from the top.
    #[must_use]
    pub fn pixels(&self) -> &[Colour] {
        &self.pixels
    }

    /// Mixes a colour into a pixel; a pixel outside of the canvas is passed over.
    pub fn blend(&mut self, x: i64, y: i64, colour: Colour, share: f64) {
        if x < 0 || y < 0 || x >= i64::from(self.width) || y >= i64::from(self.height) {
            return;
        }
        let place = y as usize * self.width as usize + x as usize;
        if let Some(pixel) = self.pixels.get_mut(place) {
            *pixel = mix(*pixel, colour, share);
        }
    }

    /// Replaces pixels of a row from `x` on; those outside of the canvas are passed over.
    pub fn row(&mut self, x: u32, y: u32, colours: &[Colour]) {
        let from = y as usize * self.width as usize + x as usize;
        let inside = colours.len().min(self.width.saturating_sub(x) as usize);
        if let (Some(pixels), Some(colours)) = (self.pixels.get_mut(from..from + inside), colours.get(..inside)) {
            pixels.copy_from_slice(colours);
        }
    }

    /// Fills a rectangle.
    pub fn rectangle(&mut self, x: i64, y: i64, width: i64, height: i64, colour: Colour) {
        for y in y..y + height {
            for x in x..x + width {
                self.blend(x, y, colour, 1.0);
            }
        }
    }

    /// Draws the outline of a rectangle, one pixel wide and outside of it.
    pub fn frame(&mut self, x: i64, y: i64, width: i64, height: i64, colour: Colour) {
        self.rectangle(x - 1, y - 1, width + 2, 1, colour);
        self.rectangle(x - 1, y + height, width + 2, 1, colour);
        self.rectangle(x - 1, y, 1, height, colour);
        self.rectangle(x + width, y, 1, height, colour);
    }

    /// Draws a straight line with smooth edges between two points, in pixels.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), width: f64, colour: Colour) {
        let reach = 0.5 * width + 1.0;
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let square = dx * dx + dy * dy;
        let (left, right) = (from.0.min(to.0) - reach, from.0.max(to.0) + reach);
        let (top, bottom) = (from.1.min(to.1) - reach, from.1.max(to.1) + reach);
        let inside = |value: f64, most: u32| value.clamp(0.0, f64::from(most)) as i64;
        for y in inside(top, self.height)..=inside(bottom, self.height) {
            for x in inside(left, self.width)..=inside(right, self.width) {
                // Distance of the pixel's centre from the line.
                let (px, py) = (x as f64 + 0.5 - from.0, y as f64 + 0.5 - from.1);
                let along = if square > 0.0 { ((px * dx + py * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
                let distance = (px - along * dx).hypot(py - along * dy);
                let share = (0.5 * width + 0.5 - distance).clamp(0.0, 1.0);
                if share > 0.0 {
                    self.blend(x, y, colour, share);
                }
            }
        }
    }

    /// Returns the bytes of a PNG file.
    ///
    /// # Errors
    /// [`MapError::Encode`] if the encoder fails.
    pub fn png(&self) -> Result<Vec<u8>, MapError> {
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(ColorType::Rgb);
        encoder.set_depth(BitDepth::Eight);
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(self.pixels.as_flattened())?;
            writer.finish()
        });
        written.map_err(|error| MapError::Encode(error.to_string()))?;
        Ok(bytes)
    }
}
