"""Input that no run can have, and programs that do what is not foreseen: exceptions that say what to do."""

import subprocess
import sys
import threading

import pytest

import imminent
from imminent import ConfigurationError, Network

TORUS = {"horizon": 50, "device": "cpu"}


def queue():
    return Network().source("door", rate=0.5, to="desk").node("desk", mean=1.0, to="out")


def endless():
    levels = {}
    levels["again"] = levels
    return levels


class Growing(dict):
    """A dictionary that changes while it is read."""

    def items(self):
        for item in super().items():
            yield item
            self[f"more {len(self)}"] = 1
            raise RuntimeError("dictionary changed size during iteration")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: imminent.run("torus", horizon=float("nan")), "horizon: is nan"),
        (lambda: imminent.run("torus", {"run": {"horizon": float("inf")}}), "run.horizon: is inf"),
        (lambda: imminent.run("torus", {"run": {"horizon": 10**30}}), "64 bits"),
        (lambda: imminent.run("torus", {"run": {"horizon": 1j}}), "run.horizon: is a value of the type complex"),
        (lambda: imminent.run("torus", {"run": {"horizon": b"5"}}), "type bytes"),
        (lambda: imminent.run("torus", horizon=object()), "horizon: is a value of the type object"),
        (lambda: imminent.run("torus", set=[1]), "set: takes a dictionary"),
        (lambda: imminent.run("torus", set={1: 2}), "set: takes a dictionary"),
        (lambda: imminent.run("torus", text=5), "text: takes a configuration in TOML"),
        (lambda: imminent.run("torus", progress=5), "progress: takes True"),
        (lambda: imminent.run("torus", device_options=["threads"]), "device_options: takes a dictionary"),
        (lambda: imminent.run("torus", device_options={"threads": None}), "threads: is None"),
        (lambda: imminent.run("torus", endless()), "64 levels"),
        (lambda: imminent.run("torus", Growing(run={}, network={})), "was changed while it was read"),
        (lambda: Network.from_dict([1]), "a network is made of a dictionary"),
        (lambda: Network.from_networkx(5), "takes a graph of NetworkX"),
        (lambda: Network.from_toml("a=" + "[" * 100_000), "recurs"),
        (lambda: Network().source("door", rate=float("nan"), to="out"), "rate: is nan"),
    ],
)
def test_values_that_no_configuration_has(call, words):
    with pytest.raises(ConfigurationError) as raised:
        call()
    assert words in str(raised.value), raised.value


@pytest.mark.parametrize(
    ("node", "key", "words"),
    [
        ({"mean": -1.0}, "mean", "'mean' of a law 'exponential' is -1"),
        ({"mean": "x"}, "mean", "expected a number"),
        ({"mean": 1.0, "colour": 3}, "colour", "unknown field `colour`"),
        ({"service": {"law": "weibul", "shape": 2}}, "service.law", "did you mean `weibull`?"),
        ({"class": {"old": {"mean": 1.0}, "new": {"mean": "y"}}}, "class.new.mean", "expected a number"),
        ({"class": [1]}, "class", "expected a table of keys"),
    ],
)
def test_errors_name_the_node(node, key, words):
    network = queue().node("till", mean=1.0, to="out").to_dict()
    network["network"]["node"].insert(1, {"name": "window", **node})
    with pytest.raises(ConfigurationError) as raised:
        imminent.run("network", network, horizon=5, device="cpu")
    assert raised.value.key == f"network.node[1].{key}"
    assert str(raised.value).startswith(f"network.node[1].{key} ('window'): ") and words in raised.value.problem


def test_an_array_is_no_file():
    numpy = pytest.importorskip("numpy")
    for given in ({"elevation": numpy.ones((4, 4))},):
        with pytest.raises(ConfigurationError, match=r"elevation: takes a file.*imminent\.Raster"):
            imminent.run("flood", given)
        with pytest.raises(ConfigurationError, match="elevation: takes a file"):
            imminent.run("flood", **given)
    with pytest.raises(ConfigurationError, match="traffic.matrix: takes a file"):
        imminent.run("traffic", {"traffic": {"matrix": numpy.ones((4, 4))}})


def test_exceptions_in_a_callback_are_raised():
    for error in (SystemExit(3), KeyError("key"), TypeError("too few")):

        def refuse(*_, error=error):
            raise error

        with pytest.raises(type(error)):
            queue().run(horizon=200_000, replications=8_000, device="cpu", progress=refuse)


def test_a_callback_may_run_models():
    digests = []

    def run(*_):
        if len(digests) < 3:
            digests.append(imminent.run("torus", **TORUS).digest)

    # Long enough to be looked at, optimized or not.
    queue().run(horizon=100_000, replications=64, device="cpu", progress=run)
    assert digests and set(digests) == {imminent.run("torus", **TORUS).digest}


def test_a_network_may_change_in_a_callback():
    network, changes = queue(), []
    arguments = {"horizon": 100_000, "replications": 64, "device": "cpu"}
    expected = network.run(**arguments).digest

    def change(*_):
        changes.append(1)
        network.node(f"desk {len(network.to_dict()['network']['node'])}", mean=1.0, to="out")

    assert network.run(progress=change, **arguments).digest == expected
    assert changes


def test_threads_may_have_small_stacks():
    before = threading.stack_size(128 << 10)
    try:
        digests = []
        thread = threading.Thread(target=lambda: digests.append(imminent.run("torus", **TORUS).digest))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert digests == [imminent.run("torus", **TORUS).digest]


def ends_well(program):
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_a_process_may_end_while_a_thread_runs_a_model():
    ends_well(
        "import imminent, threading, time\n"
        "threading.Thread(target=lambda: imminent.run('torus', horizon=1e6, device='cpu'), daemon=True).start()\n"
        "time.sleep(0.5)\n"
    )


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="there is no fork here")
def test_forks_refuse_devices_and_free_what_they_have():
    ends_well(
        "import gc, imminent, os\n"
        "result = imminent.run('fire', width=40, height=30, horizon=2, device='cpu')\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    calls = [imminent.devices, lambda: imminent.conform('cpu'), lambda: imminent.study({'model': 'mesh'})]\n"
        "    for call in calls:\n"
        "        try:\n"
        "            call()\n"
        "            os._exit(1)\n"
        "        except imminent.ForkError:\n"
        "            pass\n"
        "    assert imminent.describe('torus') and result.rasters\n"
        "    del result\n"
        "    gc.collect()\n"
        "    os._exit(0)\n"
        "assert os.waitpid(child, 0)[1] == 0\n"
        "assert imminent.run('torus', horizon=10, device='cpu').digest\n"
    )


def test_messages_name_arguments_of_python(tmp_path):
    with pytest.raises(ConfigurationError, match="^by_class: the engine `interval`"):
        queue().run(horizon=10, engine="interval", interval=0.1, by_class=True, device="cpu")
    with pytest.raises(ConfigurationError) as raised:
        imminent.run("wildfire", {"fuel": "nowhere.tif"}, device="cpu")
    assert "--" not in str(raised.value)
    one = queue().run(horizon=10, replications=1, device="cpu")
    assert "replications" in str(one) and "--" not in str(one)
    # An option of another program stays.
    degrees = tmp_path / "degrees.xml"
    positions = '<vehicle id="a" x="0.1" y="0.1"/><vehicle id="b" x="0.2" y="0.1"/>'
    degrees.write_text(f'<fcd-export><timestep time="0">{positions}</timestep></fcd-export>')
    with pytest.raises(ConfigurationError, match="--fcd-output.geo"):
        imminent.run("manet", {"network": {"trace": degrees}}, device="cpu")
