//! Rasters: GeoTIFF, ESRI ASCII grids, and landscape files of FARSITE. What was read can be written and is read again.
#![no_main]

use imminent_fuzz::damaged;
use imminent_maps::file::{Format, decode, decode_bands, encode};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

const GRID: &str = "ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 5\nNODATA_value -9999\n1 2 3\n4 -9999 6\n";

fuzz_target!(|data: &[u8]| {
    let whole = decode(Path::new("whole.asc"), GRID.as_bytes()).expect("the grid is right");
    let whole = encode(&whole, Format::GeoTiff).expect("it fits");
    read("given.asc", data, Format::Ascii);
    read("given.tif", data, Format::GeoTiff);
    let changed = damaged(&whole, data);
    read("damaged.tif", &changed, Format::GeoTiff);
    let landscape = damaged(&landscape(), data);
    for (name, bytes) in
        [("given.tif", data), ("damaged.tif", &changed[..]), ("given.lcp", data), ("damaged.lcp", &landscape[..])]
    {
        for band in decode_bands(Path::new(name), bytes).unwrap_or_default() {
            encode(&band.raster, Format::GeoTiff).expect("a band of a file fits");
        }
    }
});

fn read(name: &str, bytes: &[u8], format: Format) {
    let Ok(raster) = decode(Path::new(name), bytes) else { return };
    if let Ok(written) = encode(&raster, format) {
        decode(Path::new(name), &written).expect("what was written is read");
    }
}

/// Returns a landscape file of 2 x 3 cells with five bands.
fn landscape() -> Vec<u8> {
    let mut bytes = vec![1; 7316 + 2 * 5 * 6];
    let mut put = |at: usize, number: &[u8]| bytes[at..at + number.len()].copy_from_slice(number);
    for (at, number) in [(0, 20), (4, 20), (4164, 3), (4168, 2)] {
        put(at, &i32::to_le_bytes(number));
    }
    for (at, number) in [(4180, 10.0), (4188, 20.0), (4208, 5.0), (4216, 5.0)] {
        put(at, &f64::to_le_bytes(number));
    }
    bytes
}
