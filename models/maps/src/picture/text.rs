//! Text on a canvas, in Noto Sans Mono.

use super::canvas::Canvas;
use super::colour::Colour;
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster};

/// Height of a line of small text, in pixels.
pub(super) const SMALL: i64 = 16;
/// Height of a line of large text, in pixels.
pub(super) const LARGE: i64 = 20;

/// Size and weight of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Labels.
    Small,
    /// Titles.
    Large,
}

impl Style {
    const fn font(self) -> (FontWeight, RasterHeight) {
        match self {
            Style::Small => (FontWeight::Regular, RasterHeight::Size16),
            Style::Large => (FontWeight::Bold, RasterHeight::Size20),
        }
    }

    /// Returns the width of a text, in pixels.
    pub(super) fn width(self, text: &str) -> i64 {
        let (weight, size) = self.font();
        let glyph = get_raster('0', weight, size);
        glyph.map_or(0, |glyph| glyph.width() as i64) * text.chars().count() as i64
    }

    /// Writes a line of text whose upper left corner is at a pixel; a character outside of ASCII becomes `?`.
    pub(super) fn write(self, canvas: &mut Canvas, x: i64, y: i64, text: &str, colour: Colour) {
        let (weight, size) = self.font();
        let mut left = x;
        for character in text.chars() {
            let glyph = get_raster(character, weight, size).or_else(|| get_raster('?', weight, size));
            let Some(glyph) = glyph else { continue };
            for (row, line) in glyph.rows().enumerate() {
                for (column, &cover) in line.iter().enumerate().filter(|(_, cover)| **cover > 0) {
                    canvas.blend(left + column as i64, y + row as i64, colour, f64::from(cover) / 255.0);
                }
            }
            left += glyph.width() as i64;
        }
    }
}
