#!/usr/bin/env bash
# The Rust crate tiff 0.11.3 decodes an empty tile of a sparse GeoTIFF into bytes of the file's header, without an error.
#
# GDAL leaves out tiles that hold nothing: their offset and byte count are 0, and it reads them back as the no-data value or 0. Seen with a
# file of rasterio 1.4.4 (SPARSE_OK, four uncompressed tiles of 16 x 16 bytes, only the first written, with the value 7): rasterio reads
# 0 in the last tile; the crate gives the four bytes with which a TIFF file begins. A reader has to look at the offsets by itself.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --only-binary=:all: rasterio==1.4.4 numpy==2.4.6
cat >"$folder/write.py" <<'PY'
import sys, numpy, rasterio
from rasterio.windows import Window

with rasterio.open(sys.argv[1], "w", driver="GTiff", width=32, height=32, count=1, dtype="uint8", crs="EPSG:5070", tiled=True,
                   blockxsize=16, blockysize=16, sparse_ok=True) as file:
    file.write(numpy.full((1, 16, 16), 7, "uint8"), window=Window(0, 0, 16, 16))
with rasterio.open(sys.argv[1]) as file:
    print("rasterio:", file.read(1)[16, 16:20].tolist())
PY
mkdir -p "$folder/reader/src"
cat >"$folder/reader/Cargo.toml" <<'TOML'
[package]
name = "reader"
version = "0.0.0"
edition = "2021"
[dependencies]
tiff = "=0.11.3"
TOML
cat >"$folder/reader/src/main.rs" <<'RS'
use tiff::decoder::{Decoder, DecodingResult};

fn main() {
    let file = std::fs::File::open(std::env::args().nth(1).unwrap()).unwrap();
    match Decoder::new(file).unwrap().read_image() {
        Ok(DecodingResult::U8(samples)) => println!("tiff: {:?}", &samples[16 * 32 + 16..16 * 32 + 20]),
        other => println!("tiff: {other:?}"),
    }
}
RS
seen=$("$folder/venv/bin/python" -W ignore "$folder/write.py" "$folder/sparse.tif"
    cargo run -q --manifest-path "$folder/reader/Cargo.toml" -- "$folder/sparse.tif")
echo "$seen"
expected="rasterio: [0, 0, 0, 0]
tiff: [73, 73, 42, 0]"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed"; exit 1; }
