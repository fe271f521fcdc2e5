//! Moving pictures: animated PNG, which every browser plays.

use super::canvas::Canvas;
use crate::MapError;
use png::{BitDepth, BlendOp, ColorType, DisposeOp, Encoder, EncodingError, Writer};

/// Milliseconds for which the last frame is shown before the first comes again.
const REST: u16 = 2500;

/// Returns the bytes of an animated PNG file that shows frames of one size in a loop, each for some milliseconds.
///
/// Frames are taken one by one, and two are kept. A frame after the first holds the rectangle around all changed
/// pixels, with transparent pixels for unchanged ones. Programs that do not know animated PNG show the first frame.
///
/// # Errors
/// [`MapError::Encode`] without frames, for frames of different sizes, and if the encoder fails.
pub fn animation(mut frames: impl ExactSizeIterator<Item = Canvas>, milliseconds: u16) -> Result<Vec<u8>, MapError> {
    let count = frames.len() as u32;
    let first = frames.next().ok_or_else(|| MapError::Encode("an animation needs a frame".to_owned()))?;
    let size = (first.width(), first.height());
    let fault = |error: EncodingError| MapError::Encode(error.to_string());
    let mut bytes = Vec::new();
    let mut writer = begin(&mut bytes, &first, count, milliseconds).map_err(fault)?;
    let mut before = first;
    for (index, frame) in frames.enumerate() {
        if (frame.width(), frame.height()) != size {
            let other = (frame.width(), frame.height());
            return Err(MapError::Encode(format!("frames of {size:?} and {other:?} pixels do not fit together")));
        }
        let is_last = index as u32 + 2 == count;
        add(&mut writer, &before, &frame, is_last).map_err(fault)?;
        before = frame;
    }
    writer.finish().map_err(fault)?;
    Ok(bytes)
}

fn begin<'a>(
    bytes: &'a mut Vec<u8>,
    first: &Canvas,
    count: u32,
    milliseconds: u16,
) -> Result<Writer<&'a mut Vec<u8>>, EncodingError> {
    let mut encoder = Encoder::new(bytes, first.width(), first.height());
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_animated(count, 0)?;
    encoder.set_blend_op(BlendOp::Over)?;
    encoder.set_dispose_op(DisposeOp::None)?;
    encoder.set_frame_delay(if count == 1 { REST } else { milliseconds }, 1000)?;
    let mut writer = encoder.write_header()?;
    let opaque: Vec<u8> = first.pixels().iter().flat_map(|&[r, g, b]| [r, g, b, 255]).collect();
    writer.write_image_data(&opaque)?;
    Ok(writer)
}

fn add(writer: &mut Writer<&mut Vec<u8>>, before: &Canvas, frame: &Canvas, is_last: bool) -> Result<(), EncodingError> {
    let change = Change::between(before, frame);
    if is_last {
        writer.set_frame_delay(REST, 1000)?;
    }
    // A frame must lie within the picture when its size is set.
    writer.reset_frame_position()?;
    writer.set_frame_dimension(change.width, change.height)?;
    writer.set_frame_position(change.left, change.top)?;
    writer.write_image_data(&change.pixels(before, frame))
}

/// Rectangle around all pixels that changed; a single pixel if none did.
struct Change {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
}

impl Change {
    fn between(before: &Canvas, after: &Canvas) -> Self {
        let width = before.width().max(1);
        let (mut left, mut top, mut right, mut bottom) = (u32::MAX, u32::MAX, 0, 0);
        let pairs = before.pixels().iter().zip(after.pixels()).enumerate();
        for (place, _) in pairs.filter(|(_, (before, after))| before != after) {
            let (x, y) = (place as u32 % width, place as u32 / width);
            (left, top) = (left.min(x), top.min(y));
            (right, bottom) = (right.max(x), bottom.max(y));
        }
        if left > right {
            return Self { left: 0, top: 0, width: 1, height: 1 };
        }
        Self { left, top, width: right - left + 1, height: bottom - top + 1 }
    }

    /// Pixels of the rectangle, those that stay transparent.
    fn pixels(&self, before: &Canvas, after: &Canvas) -> Vec<u8> {
        let width = after.width().max(1) as usize;
        let (left, right) = (self.left as usize, (self.left + self.width) as usize);
        let rows = before.pixels().chunks(width).zip(after.pixels().chunks(width));
        let rows = rows.skip(self.top as usize).take(self.height as usize);
        let changed = rows.flat_map(|(before, after)| before.iter().zip(after).take(right).skip(left));
        let pixel = |(before, after): (&[u8; 3], &[u8; 3])| {
            let [r, g, b] = *after;
            if before == after { [0; 4] } else { [r, g, b, 255] }
        };
        changed.flat_map(pixel).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::io::Cursor;

    #[test]
    fn frames_hold_what_changed_and_play_to_the_last_picture() {
        let first = Canvas::new(40, 30, [10, 20, 30]);
        let mut second = first.clone();
        second.rectangle(5, 6, 7, 8, [200, 0, 0]);
        let mut third = second.clone();
        third.line((3.0, 3.0), (33.0, 25.0), 2.0, [0, 255, 0]);
        let frames = [first, second.clone(), third, second];
        let bytes = animation(frames.iter().cloned(), 100).unwrap();
        let mut reader = png::Decoder::new(Cursor::new(&bytes)).read_info().unwrap();
        assert_eq!(reader.info().animation_control().unwrap().num_frames, 4);
        let mut shown = vec![[0; 4]; 40 * 30];
        let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
        for frame in &frames {
            let info = reader.next_frame(&mut buffer).unwrap();
            let control = *reader.info().frame_control().unwrap();
            for (place, pixel) in buffer[..info.buffer_size()].as_chunks::<4>().0.iter().enumerate() {
                let (x, y) = (place as u32 % control.width, place as u32 / control.width);
                if pixel[3] == 255 {
                    shown[((control.y_offset + y) * 40 + control.x_offset + x) as usize] = *pixel;
                }
            }
            let wanted: Vec<_> = frame.pixels().iter().map(|&[r, g, b]| [r, g, b, 255]).collect();
            assert!(shown == wanted);
        }
        assert!(animation([].into_iter(), 100).is_err());
        assert!(animation([1, 2].into_iter().map(|width| Canvas::new(width, 1, [0; 3])), 100).is_err());
    }
}
