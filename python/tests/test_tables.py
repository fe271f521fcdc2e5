"""Tables of results in other packages, and plots; tests of packages that are not installed are skipped."""

import pytest

import imminent

numpy = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def result():
    network = imminent.Network().source("door", rate=0.5, to="desk").node("desk", mean=1.0, to="out")
    return network.run(horizon=2000, replications=5, device="cpu")


@pytest.fixture(scope="module")
def study():
    axes = [{"parameter": "rate", "values": [1, 5]}, {"parameter": "fields", "values": [2, 3]}]
    return imminent.study({"model": "mesh", "repetitions": 2, "length": 20, "axis": axes[:1]}, device="cpu")


def test_pandas(result, study):
    pandas = pytest.importorskip("pandas")
    nodes = result.tables["nodes"]
    frame = nodes.to_pandas()
    assert list(frame.columns) == nodes.columns and len(frame) == nodes.rows
    assert frame.set_index("label")["utilization"]["desk"] == pytest.approx(0.5, abs=0.1)
    assert study.runs.to_pandas().groupby("rate").size().tolist() == [2, 2]
    assert pandas.isna(frame["utilization"]).sum() == numpy.isnan(nodes["utilization"]).sum()


def test_polars(result):
    polars = pytest.importorskip("polars")
    nodes = result.tables["nodes"]
    frame = polars.DataFrame(nodes)
    assert frame.columns == nodes.columns and frame.height == nodes.rows
    assert frame.filter(polars.col("label") == "desk")["utilization"][0] == pytest.approx(0.5, abs=0.1)


def test_duckdb(result):
    duckdb = pytest.importorskip("duckdb")
    pyarrow = pytest.importorskip("pyarrow")
    nodes = pyarrow.table(result.tables["nodes"])
    rows = duckdb.query("select utilization from nodes where label = 'desk'").fetchall()
    assert rows[0][0] == pytest.approx(0.5, abs=0.1) and nodes.num_rows == 2


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


def test_a_run_is_drawn(pyplot, result):
    axes = result.plot()
    assert axes.lines[0].get_xdata()[-1] == 5 and axes.get_ylabel()


def test_rasters_are_drawn(pyplot):
    fire = imminent.run("fire", width=40, height=30, horizon=1, device="cpu")
    assert fire.rasters["arrival"].plot(cmap="hot").images[0].get_array().shape == (30, 40)
    assert fire.plot().images


def test_a_study_is_drawn(pyplot, study):
    axes = study.plot()
    assert list(axes.lines[0].get_xdata()) == [1, 5]
    with pytest.raises(imminent.ConfigurationError, match="nothing"):
        study.plot("nothing")


def test_a_comparison_is_drawn(pyplot):
    desks = [imminent.Network().source("in", rate=0.5, to="a").node("a", mean=mean, to="out") for mean in (1.0, 0.5)]
    compared = imminent.compare("network", *desks, horizon=500, replications=4, device="cpu")
    assert compared.plot().get_xlabel().startswith("difference")


def test_plots_need_matplotlib(monkeypatch, result):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    with pytest.raises(ImportError, match="pip install"):
        result.plot()
