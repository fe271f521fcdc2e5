"""Extension modules of models of one's own."""

import importlib.machinery
import importlib.util
import shutil
import threading

import pytest

import imminent
from imminent import _native


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    """Models of another file of the module, with classes and tables of its own, as that of a crate of one's own has."""
    path = shutil.copy(_native.__file__, tmp_path_factory.mktemp("other"))
    loader = importlib.machinery.ExtensionFileLoader("_native", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_file_location("_native", path, loader=loader))
    loader.exec_module(module)
    assert module.Models is not _native.Models
    return imminent.Models(module.catalogue())


def test_another_module_runs_models(other):
    arguments = {"horizon": 3, "replications": 1, "device": "cpu"}
    assert other.run("manet", nodes=10, **arguments).digest == imminent.run("manet", nodes=10, **arguments).digest
    definition = {"model": "manet", "repetitions": 2, "fixed": {"run.horizon": 3.0, "network.nodes": 10}}
    assert other.study(definition, device="cpu").runs.rows == 2


def test_another_module_reads_arrays(other):
    numpy = pytest.importorskip("numpy")
    hill = numpy.add.outer(numpy.linspace(20.0, 0.0, 24), numpy.linspace(8.0, 0.0, 30))
    rain = {"rain": 30, "horizon": 0.1, "device": "cpu", "no_pictures": True}

    def both(model, configuration, **arguments):
        """Runs both files' models, and returns the results of the other one's."""
        own, others = (models.run(model, configuration, **arguments) for models in (imminent, other))
        assert own.digest == others.digest
        return others

    for crs in (None, "EPSG:32633"):
        found = both("flood", {"elevation": imminent.Raster(hill, cell=30.0, crs=crs)}, **rain).rasters
        assert found and {raster.crs for raster in found.values()} == {crs}
    # What the other one has found is read in turn, by its path too.
    for elevation in found.values():
        both("flood", {"elevation": elevation}, **rain)
        both("flood", None, text=f"elevation = '{elevation.path}'\n", **rain)
    positions = numpy.array([[[0.0, 0.0], [100.0, 0.0]], [[50.0, 50.0], [100.0, 0.0]]])
    trace = imminent.Trajectories([0.0, 10.0], positions)
    both("manet", {"network": {"trace": trace}}, horizon=10, replications=1, device="cpu")
    link = {"from": "a", "to": "b", "bandwidth": 1e7, "delay": 1e-3}
    demands = imminent.Demands(numpy.array([[0, 2e6], [1e6, 0]]), ["a", "b"])
    both("traffic", {"topology": {"link": [link]}, "traffic": {"matrix": demands}}, horizon=2, device="cpu")
    definition = {"model": "manet", "repetitions": 2, "fixed": {"run.horizon": 3.0, "network.trace": trace}}
    counts = [models.study(definition, device="cpu").runs.rows for models in (imminent, other)]
    assert counts == [2, 2]


def test_threads_share_an_array(other):
    numpy = pytest.importorskip("numpy")
    hill = imminent.Raster(numpy.linspace(9.0, 0.0, 600).reshape(20, 30), cell=30.0)
    digests = []

    def run(models):
        rain = {"rain": 30, "horizon": 0.1, "device": "cpu", "no_pictures": True}
        digests.extend(models.run("flood", {"elevation": hill}, **rain).digest for _ in range(5))

    threads = [threading.Thread(target=run, args=[models]) for models in (imminent, other) * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(digests) == 20 and len(set(digests)) == 1
    gone = hill.path
    del hill
    with pytest.raises(imminent.ConfigurationError, match="cannot be read"):
        imminent.run("flood", {"elevation": gone}, rain=30, device="cpu")
