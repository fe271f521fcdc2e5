"""Arrays in place of files, and rasters of results."""

import json
import pathlib

import pytest

import imminent
from imminent import ConfigurationError, Demands, Raster, Trajectories

numpy = pytest.importorskip("numpy")

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
# A slope to the south-east, as a grid of 30 m.
HILL = numpy.add.outer(numpy.linspace(20.0, 0.0, 24), numpy.linspace(8.0, 0.0, 30))
ASCII = "ncols 30\nnrows 24\nxllcorner 500\nyllcorner 100\ncellsize 30\nNODATA_value -9999\n"
HILLS = {"transform": (30.0, 0.0, 500.0, 0.0, -30.0, 100.0 + 24 * 30)}
# Pictures take most of the time, and are files of the results alone.
RAIN = {"rain": 30, "horizon": 0.1, "device": "cpu", "no_pictures": True}


def test_a_raster_is_its_file(tmp_path):
    file = tmp_path / "hill.asc"
    file.write_text(ASCII + "\n".join(" ".join(map(str, row)) for row in HILL.tolist()))
    expected = imminent.run("flood", {"elevation": file}, **RAIN)
    hill = Raster(HILL, **HILLS)
    result = imminent.run("flood", {"elevation": hill}, **RAIN)
    assert result.digest == expected.digest
    assert imminent.run("flood", set={"elevation": hill}, **RAIN).digest == expected.digest
    assert imminent.run("flood", elevation=hill, **RAIN).digest == expected.digest
    hill.save(tmp_path / "hill.tif")
    assert imminent.run("flood", {"elevation": tmp_path / "hill.tif"}, **RAIN).digest == expected.digest


@pytest.mark.parametrize(
    "values",
    [HILL[::-1][::-1], numpy.asfortranarray(HILL), numpy.repeat(HILL, 2, axis=1)[:, ::2], HILL.round().astype("uint8")],
)
def test_arrays_of_any_order_and_type(values):
    assert numpy.array_equal(Raster(values, cell=30.0).values, values)


def test_rasters_of_results_are_arrays():
    result = imminent.run("flood", {"elevation": Raster(HILL, crs="EPSG:32633", **HILLS)}, **RAIN)
    assert result.rasters
    for raster in result.rasters.values():
        values = raster.values
        assert values.shape == HILL.shape and not values.flags.owndata and not values.flags.writeable
        assert raster.transform == HILLS["transform"] and raster.crs == "EPSG:32633"
    fire = imminent.run("fire", width=40, height=30, horizon=2, device="cpu")
    arrival = fire.rasters["arrival"]
    assert arrival.shape == (30, 40) and numpy.nanmin(arrival.values) == 0
    lines = fire.isochrones
    assert lines["type"] == "FeatureCollection" and lines["features"]
    one = arrival.isochrones([1.0])["features"]
    assert [feature["properties"]["hours"] for feature in one] == [1.0]
    json.dumps(lines)


def test_demands_are_their_file(tmp_path):
    names = ["a", "b", "c"]
    matrix = numpy.array([[0, 2e6, 0], [1e6, 0, 5e5], [0, 0, 0]])
    links = [{"from": a, "to": b, "bandwidth": 1e7, "delay": 1e-3} for a, b in (("a", "b"), ("b", "c"))]
    file = tmp_path / "demands.csv"
    file.write_text("from,to,rate\na,b,2000000\nb,a,1000000\nb,c,500000\n")
    digests = {
        imminent.run("traffic", {"topology": {"link": links}, "traffic": {"matrix": given}}, horizon=2, device="cpu").digest
        for given in (file, Demands(matrix, names), Demands(matrix.astype("float32"), names))
    }
    assert len(digests) == 1


def test_positions():
    places = numpy.array([[0.0, 0.0], [100.0, 0.0], [200.0, 50.0]])
    radios = {"network": {"positions": places, "width": 300, "height": 100, "mobility": "static"}}
    listed = {"network": {**radios["network"], "positions": places.tolist()}}
    arguments = {"horizon": 3, "replications": 1, "device": "cpu"}
    assert imminent.run("manet", radios, **arguments).digest == imminent.run("manet", listed, **arguments).digest


def test_trajectories_are_a_trace(tmp_path):
    times = [0.0, 5.0, 10.0]
    positions = numpy.array([[[0, 0], [100, 0], [200, 50]], [[50, 20], [100, 0], [210, 50]], [[90, 20], [100, 40], [220, 50]]])
    moved = Trajectories(times, positions)
    assert repr(moved) == "<Trajectories: 3 nodes at 3 times>" and numpy.array_equal(moved.positions, positions)
    network = {"width": 300, "height": 100}
    arguments = {"horizon": 20, "replications": 2, "device": "cpu"}
    result = imminent.run("manet", {"network": {**network, "trace": moved}}, trajectories=2.5, **arguments)
    found = result.trajectories
    assert found.times.tolist() == [2.5 * step for step in range(9)]
    # Halfway to the second time, at the others, and long after the last.
    expected = [(positions[0] + positions[1]) / 2, *positions[1:], positions[2]]
    for place, of in zip((1, 2, 4, 8), expected):
        assert numpy.abs(found.positions[place] - of).max() < 0.005
    # Columns of the table, not copied.
    assert numpy.shares_memory(found.x, result.tables["trajectories"]["x"])
    record = imminent.run("manet", {"network": {**network, "trace": moved}}, record=tmp_path / "moved.tcl", **arguments)
    again = imminent.run("manet", {"network": {**network, "trace": tmp_path / "moved.tcl"}}, **arguments)
    assert record.digest == again.digest == result.digest


def test_trajectories_of_a_result_are_a_trace():
    arguments = {"nodes": 12, "horizon": 20, "replications": 1, "device": "cpu"}
    drawn = imminent.run("manet", trajectories=1, **arguments)
    again = imminent.run(
        "manet", {"network": {"trace": drawn.trajectories, "width": 735, "height": 294}}, trajectories=1, horizon=20, device="cpu"
    )
    assert numpy.abs(again.trajectories.positions - drawn.trajectories.positions).max() < 0.0015
    assert imminent.run("manet", **arguments).trajectories is None


def test_nodes_without_positions_are_away():
    positions = numpy.array([[[0.0, 0.0], [numpy.nan] * 2], [[50.0, 20.0], [100.0, 0.0]], [[numpy.nan] * 2, [100.0, 40.0]]])
    moved = Trajectories([0.0, 5.0, 10.0], positions)
    found = imminent.run("manet", {"network": {"trace": moved}}, trajectories=5, horizon=10.5, replications=1, device="cpu")
    found = found.trajectories
    assert found.times.tolist() == [0.0, 5.0, 10.0]
    assert numpy.nanmax(numpy.abs(found.positions - positions)) < 0.005
    assert numpy.array_equal(numpy.isnan(found.positions), numpy.isnan(positions))


def test_times_without_nodes_are_times_of_a_trace():
    away = [[numpy.nan] * 2] * 2
    positions = numpy.array([away, *[[[0.0, 20.0], [100.0, 0.0]]] * 2, away])
    arguments = {"trajectories": 5, "horizon": 20, "replications": 1, "start": 5, "device": "cpu"}
    first = imminent.run("manet", {"network": {"trace": Trajectories([0.0, 5.0, 10.0, 15.0], positions)}}, **arguments)
    again = imminent.run("manet", {"network": {"trace": first.trajectories}}, **arguments)
    for found in (first.trajectories, again.trajectories):
        assert found.times.tolist() == [0.0, 5.0, 10.0, 15.0, 20.0]
        assert numpy.isnan(found.positions[[0, 3, 4]]).all()
        assert numpy.abs(found.positions[1:3] - positions[1:3]).max() < 0.005
    assert first.digest == again.digest
    assert numpy.asarray(first.tables["flows"]["delivered"]).sum() > 0


GAP = numpy.where(HILL > 27, numpy.nan, HILL)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Raster(GAP, cell=30), "nodata"),
        (lambda: Raster(HILL.astype(complex), cell=30), "float64"),
        (lambda: Raster(HILL.astype(">f8"), cell=30), "byte order"),
        (lambda: Raster(HILL[0], cell=30), "2 dimensions"),
        (lambda: Raster([[1.0]], cell=30), "array"),
        (lambda: Raster(HILL), "cell"),
        (lambda: Raster(HILL, transform=(30, 0, 0, 0, 30, 0)), "north-up"),
        (lambda: Raster(HILL, cell=30, crs="somewhere"), "EPSG"),
        (lambda: Demands(numpy.array([[0.0, numpy.nan], [0, 0]]), ["a", "b"]), "finite"),
        (lambda: Demands(numpy.array([[0.0, -1], [0, 0]]), ["a", "b"]), "from 0"),
        (lambda: Demands(numpy.zeros((2, 3)), ["a", "b"]), "3 columns"),
        (lambda: Demands(numpy.zeros((2, 2))), "nodes"),
        (lambda: Raster(HILL, cell=0), "cell: is 0"),
        (lambda: Raster(HILL, transform=(30, 0, 0)), "has 3 numbers"),
        (lambda: Raster(HILL, cell=30, nodata="none"), "nodata: takes a number"),
        (lambda: Demands(numpy.zeros((2, 2)), ["a", "a"]), "`a` twice"),
        (lambda: Demands(numpy.zeros((2, 2)), "ab"), "list of names"),
        (lambda: Trajectories([0.0], HILL), "2 coordinates"),
        (lambda: Trajectories([0.0], [[[0.0, 0.0]]]), "list"),
        (lambda: Trajectories([0.0], numpy.zeros((2, 3, 2))), "2 times, and there are 1"),
        (lambda: Trajectories([0.0, 1.0], numpy.full((2, 3, 2), numpy.nan)), "node 0 has no position at any time"),
        (lambda: Trajectories([0.0], numpy.array([[[numpy.nan, 1.0]]])), "x is NaN at time 0 of node 0"),
        (lambda: Trajectories([1.0, 0.0], numpy.zeros((2, 3, 2))), "ascending times"),
        (lambda: Trajectories([0.0, 1.0], numpy.zeros((2, 3, 2), dtype=complex)), "float64"),
        (lambda: imminent.run("manet", {"network": {"positions": numpy.array([[0.0, numpy.inf]])}}), "inf at [0, 1]"),
        (lambda: imminent.run("manet", {"network": {"positions": HILL.astype(complex)}}), "complex128"),
    ],
)
def test_arrays_that_do_not_fit(call, words):
    with pytest.raises(ConfigurationError) as raised:
        call()
    assert words in str(raised.value), raised.value


def test_gaps_are_told():
    assert numpy.isnan(Raster(GAP, cell=30, nodata=float("nan")).values).any()
    assert numpy.isnan(Raster(numpy.where(HILL > 27, -9999, HILL), cell=30, nodata=-9999).values).any()


def test_rasterio(tmp_path):
    rasterio = pytest.importorskip("rasterio")
    path = tmp_path / "hill.tif"
    profile = {"driver": "GTiff", "height": 24, "width": 30, "count": 1, "dtype": "float64", "crs": "EPSG:32633"}
    with rasterio.open(path, "w", transform=rasterio.Affine(*HILLS["transform"]), nodata=-1.0, **profile) as file:
        file.write(HILL, 1)
    with rasterio.open(path) as dataset:
        raster = Raster.from_rasterio(dataset)
        assert raster.crs == "EPSG:32633" and raster.transform == HILLS["transform"]
        result = imminent.run("flood", {"elevation": dataset}, **RAIN)
    assert result.digest == imminent.run("flood", {"elevation": Raster(HILL, **HILLS)}, **RAIN).digest
    with raster.to_rasterio() as dataset:
        assert numpy.array_equal(dataset.read(1), HILL) and tuple(dataset.transform)[:6] == HILLS["transform"]
        assert Raster.from_rasterio(dataset).crs == "EPSG:32633"
    raster.save(tmp_path / "ours.tif")
    with rasterio.open(tmp_path / "ours.tif") as dataset:
        assert numpy.array_equal(dataset.read(1), HILL) and dataset.crs.to_epsg() == 32633
        assert tuple(dataset.transform)[:6] == HILLS["transform"]


def test_xarray():
    xarray = pytest.importorskip("xarray")
    raster = Raster(HILL, **HILLS)
    array = raster.to_xarray()
    assert numpy.shares_memory(array.values, raster.values)
    for turned in (array, array[::-1], array.expand_dims("band")):
        again = Raster.from_xarray(turned)
        assert again.transform == raster.transform and numpy.array_equal(again.values, HILL)
    expected = imminent.run("flood", {"elevation": raster}, **RAIN).digest
    assert imminent.run("flood", {"elevation": array}, **RAIN).digest == expected
    with pytest.raises(ConfigurationError, match="equal distances"):
        Raster.from_xarray(array[[0, 1, 5]])
