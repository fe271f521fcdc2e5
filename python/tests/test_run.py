"""Runs, their results, and what they refuse."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import warnings

import pytest

import imminent

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
MM1 = {
    "network": {
        "source": [{"name": "customers", "rate": 0.5}],
        "node": [{"name": "desk", "mean": 1.0}],
        "edges": [["customers", "desk"], ["desk", "out"]],
    }
}


def run_mm1(**arguments):
    return imminent.run("network", MM1, **{"horizon": 20_000, "warm_up": 500, "replications": 4, **arguments})


def test_the_models_are_those_of_the_catalogue():
    assert {"network", "torus", "phold", "traffic", "manet", "fire", "flood"} <= set(imminent.models())
    schema = imminent.describe("network")
    assert schema["title"] == "network" and schema["measures"]
    assert "horizon" in imminent.arguments("network") and "by_class" in imminent.arguments("network")


def test_a_result_agrees_with_theory():
    system = run_mm1()["system"]
    # An M/M/1 queue at load 1/2 has one customer on average.
    number = system["number"]
    assert abs(number["mean"] - 1) < 3 * number["ci95"]


def test_values_files_and_texts_are_one_configuration(tmp_path):
    file = tmp_path / "mm1.toml"
    file.write_text(imminent.Network.from_dict(MM1).to_toml())
    arguments = {"horizon": 1000, "replications": 2}
    digests = {
        imminent.run("network", MM1, **arguments).digest,
        imminent.run("network", file, **arguments).digest,
        imminent.run("network", str(file), **arguments).digest,
        imminent.run("network", text=file.read_text(), **arguments).digest,
        imminent.run("network", MM1, set={"run.horizon": 1000, "run.replications": 2}).digest,
        imminent.run("network", {**MM1, "run": arguments}).digest,
    }
    assert len(digests) == 1


@pytest.mark.skipif("IMMINENT" not in os.environ, reason="IMMINENT names the program")
def test_the_digest_is_that_of_the_program():
    file = EXAMPLES / "networks/call-centre.toml"
    command = [os.environ["IMMINENT"], "run", "network", str(file), "--horizon", "500", "--json"]
    program = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    result = imminent.run("network", file, horizon=500)
    assert result.digest == program["digest"]
    assert result["system"] == program["system"]


def test_the_host_and_its_threads_have_the_same_digest():
    one = run_mm1(device="cpu", device_options={"threads": 1})
    assert run_mm1(device="cpu").digest == one.digest
    assert one.backend in ("cpu", None)


def test_tables_are_arrays():
    numpy = pytest.importorskip("numpy")
    nodes = run_mm1().tables["nodes"]
    utilization = nodes["utilization"]
    assert isinstance(utilization, numpy.ndarray) and utilization.dtype == numpy.float64
    assert not utilization.flags.owndata and not utilization.flags.writeable
    assert "desk" in nodes["label"]
    del nodes
    assert numpy.nanmax(utilization) < 1


def test_tables_are_arrow_tables():
    pyarrow = pytest.importorskip("pyarrow")
    nodes = run_mm1().tables["nodes"]
    table = pyarrow.table(nodes)
    assert table.num_rows == nodes.rows and table.column_names == nodes.columns
    import numpy

    theirs, ours = table["utilization"].to_numpy(), nodes["utilization"]
    assert numpy.array_equal(theirs, ours, equal_nan=True)


def test_options_of_the_program_are_arguments():
    result = imminent.run("network", EXAMPLES / "networks/call-centre.toml", horizon=500, by_class=True, beyond=[1, 5])
    assert [of["name"] for of in result["system"]["classes"]] == ["private", "business"]
    assert "node_times" in result.tables


def test_other_models_have_measures():
    result = imminent.run("phold", replications=2)
    assert result.replications and result.digest


def test_a_study_has_a_row_for_each_run():
    study = imminent.study(
        {"model": "mesh", "repetitions": 2, "length": 20, "axis": [{"parameter": "rate", "values": [1, 5]}]}
    )
    assert study.runs.rows == 4 and study.partial is None
    assert list(study.runs["rate"]) == [1, 1, 5, 5]


def test_a_comparison_sees_a_faster_server():
    faster = {"network": {**MM1["network"], "node": [{"name": "desk", "mean": 0.5}]}}
    compared = imminent.compare("network", MM1, faster, horizon=5000, replications=10)
    difference = compared["system_number"]["difference"]
    assert difference["mean"] + difference["ci95"] < 0
    assert "system number" in str(compared) and "<table>" in compared._repr_html_()


def test_results_are_shown():
    result = run_mm1()
    assert "digest" in str(result) and result.digest in result._repr_html_()
    assert "<script" not in imminent.run("network", {"network": {
        "source": [{"name": "<script>", "rate": 0.5}], "node": [{"name": "desk", "mean": 1.0}],
        "edges": [["<script>", "desk"], ["desk", "out"]]}}, horizon=100)._repr_html_()


@pytest.mark.parametrize(
    ("call", "key", "words"),
    [
        (lambda: imminent.run("netwrok"), None, "did you mean `network`"),
        (lambda: imminent.run("network", MM1, horizont=5), "horizont", "did you mean `horizon`"),
        (lambda: imminent.run("network", MM1, horizon=-5), "run.horizon", None),
        (lambda: imminent.run("network", MM1, horizon=float("nan")), None, None),
        (lambda: imminent.run("network", {"network": {"nodes": []}}), None, "did you mean `node`"),
        (lambda: imminent.run("network", {"network": {"mean": None}}), "network.mean", "None"),
        (lambda: imminent.run("network", 5), None, "int"),
        (lambda: imminent.run("network", MM1, text=""), None, "one of them"),
        (lambda: imminent.run("network", "no such file.toml"), None, "cannot be read"),
        (lambda: imminent.run("network", MM1, horizon=10, replications=[1, 2]), "run.replications", "one value"),
        (lambda: imminent.study({"model": "mesh", "axis": [{"parameter": "rat", "values": [1]}]}), None, "rat"),
        (lambda: imminent.compare("network", MM1), None, "two configurations"),
    ],
)
def test_mistakes_are_configuration_errors(call, key, words):
    with pytest.raises(imminent.ConfigurationError) as raised:
        call()
    assert isinstance(raised.value, ValueError)
    if key is not None:
        assert raised.value.key == key
    assert words is None or words in str(raised.value)


def test_errors_of_a_file_have_its_lines(tmp_path):
    file = tmp_path / "wrong.toml"
    file.write_text('[network]\n[[network.node]]\nname = "desk"\nservers = 0\n')
    with pytest.raises(imminent.ConfigurationError) as raised:
        imminent.run("network", file, horizon=10)
    assert raised.value.file == str(file) and raised.value.line == 4 and raised.value.key == "network.node[0].servers"


@pytest.mark.parametrize("device", ["cudda", "cpu:7", "cpu:x"])
def test_devices_that_are_not_there(device):
    with pytest.raises(imminent.DeviceError) as raised:
        imminent.run("torus", horizon=10, device=device)
    if device == "cpu:7":
        assert raised.value.backend == "cpu" and raised.value.reason == "it has 1 device, the host"
    with pytest.raises(TypeError):
        imminent.run("torus", device=5)


def test_progress_is_told_and_an_exception_in_it_ends_the_run():
    told = []
    run_mm1(horizon=100_000, replications=64, progress=lambda *now: told.append(now))
    assert told and all(done <= every == 64 for done, every, _ in told)

    def refuse(*_):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        run_mm1(horizon=200_000, replications=8_000, progress=refuse)


def test_an_interruption_keeps_what_is_over():
    stop = threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    stop.start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        result = imminent.run("network", MM1, horizon=200_000, replications=8_000, device="cpu")
    assert result.partial is not None and result["system"]["number"]["mean"] > 0


def test_an_interruption_of_many_short_replications_ends_soon():
    begun = []

    def interrupt():
        begun.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(1.0, interrupt).start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        result = imminent.run("network", MM1, horizon=100, replications=1_000_000, device="cpu")
    assert result.partial is not None
    # The curve of the estimate was once drawn through a point for each replication, which took minutes.
    assert time.monotonic() - begun[0] < 20


def test_threads_run_beside_each_other():
    digests = []
    threads = [threading.Thread(target=lambda: digests.append(run_mm1(horizon=2000).digest)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(digests) == 4 and len(set(digests)) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_fork_is_refused():
    program = """
import os, imminent
imminent.run("torus", horizon=10, device="cpu")
child = os.fork()
if child == 0:
    try:
        imminent.run("torus", horizon=10, device="cpu")
    except imminent.ForkError as error:
        os._exit(0 if "spawn" in str(error) else 3)
    os._exit(2)
assert os.waitpid(child, 0)[1] == 0
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)
