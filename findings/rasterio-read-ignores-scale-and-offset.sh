#!/usr/bin/env bash
# GDAL's scale and offset of a band are metadata: rasterio's read() returns the stored numbers.
#
# Seen with rasterio 1.4.4 (its wheel holds GDAL): a GeoTIFF of int16 with scale 0.1 and offset 5 stores 70, which means 12.0. read()
# returns 70 without a warning; scales and offsets are attributes that a reader has to apply by itself. So files in decimetres or in
# percent times ten come out ten times too large in every program that reads the samples alone.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q --only-binary=:all: rasterio==1.4.4 numpy==2.4.6
cat >"$folder/scaled.py" <<'PY'
import sys, numpy, rasterio
from rasterio.transform import from_origin

path = sys.argv[1] + "/scaled.tif"
with rasterio.open(path, "w", driver="GTiff", width=4, height=4, count=1, dtype="int16", crs="EPSG:5070",
                   transform=from_origin(0, 0, 30, 30)) as file:
    file.write(numpy.full((1, 4, 4), 70, "int16"))
    file.scales, file.offsets = (0.1,), (5.0,)
with rasterio.open(path) as file:
    value = file.read(1)[0, 0]
    print(f"scale {file.scales[0]}, offset {file.offsets[0]}, read() gives {value}, meant {value * file.scales[0] + file.offsets[0]}")
PY
seen=$("$folder/venv/bin/python" "$folder/scaled.py" "$folder")
echo "$seen"
[ "$seen" = "scale 0.1, offset 5.0, read() gives 70, meant 12.0" ] || { echo "the behaviour has changed"; exit 1; }
