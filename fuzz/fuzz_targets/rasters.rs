//! Rasters: GeoTIFF, and ESRI ASCII grids. What was read can be written and is read again.
#![no_main]

use imminent_fuzz::damaged;
use imminent_maps::file::{Format, decode, encode};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

const GRID: &str = "ncols 3\nnrows 2\nxllcorner 10\nyllcorner 20\ncellsize 5\nNODATA_value -9999\n1 2 3\n4 -9999 6\n";

fuzz_target!(|data: &[u8]| {
    let whole = decode(Path::new("whole.asc"), GRID.as_bytes()).expect("the grid is right");
    let whole = encode(&whole, Format::GeoTiff).expect("it fits");
    read("given.asc", data, Format::Ascii);
    read("given.tif", data, Format::GeoTiff);
    read("damaged.tif", &damaged(&whole, data), Format::GeoTiff);
});

fn read(name: &str, bytes: &[u8], format: Format) {
    let Ok(raster) = decode(Path::new(name), bytes) else { return };
    if let Ok(written) = encode(&raster, format) {
        decode(Path::new(name), &written).expect("what was written is read");
    }
}
