"""Networks that are described in Python."""

import pathlib

import pytest

import imminent
from imminent import Network, create_network, law

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


def tandem():
    return (
        Network()
        .source("arrivals", rate=0.8, to="first")
        .node("first", service=law("erlang", mean=0.5, stages=3), to="second")
        .node("second", servers=2, mean=1.0, capacity=10, to="out")
    )


def test_a_network_is_its_file():
    network = tandem()
    assert repr(network) == "<Network: 1 source, 2 nodes, 3 routes>"
    again = Network.from_toml(network.to_toml())
    assert again.to_dict() == network.to_dict()
    arguments = {"horizon": 1000, "replications": 2}
    assert again.run(**arguments).digest == network.run(**arguments).digest


def test_a_graphml_file_is_its_network(tmp_path):
    path = tmp_path / "network.graphml"
    arguments = {"horizon": 1000, "replications": 2, "device": "cpu"}
    closed = (
        Network()
        .node("think", servers=6, mean=4.0, tokens=6, to="computer")
        .node("computer", discipline="processor-sharing", mean=1.0, to=["think", "computer"])
    )
    for network in (tandem(), closed):
        network.to_graphml(path)
        assert Network.from_graphml(path).run(**arguments).digest == network.run(**arguments).digest
    for strange in (
        Network(classes=["urgent"]),
        Network().node("desk", servers="infinite", mean=1.0),
        Network().node("desk", mean=1.0, patience={"mean": 3.0}),
        Network().route("desk", "out", becomes="urgent"),
    ):
        with pytest.raises(imminent.ConfigurationError, match="no such attribute"):
            strange.to_graphml(path)


def test_a_network_may_change_after_a_run():
    network = tandem()
    before = network.run(horizon=500).digest
    network.node("third", mean=1.0, to="out").route("first", "third")
    assert network.run(horizon=500).digest != before
    assert tandem().run(horizon=500).digest == before


def test_ciws_style():
    # Jackson's network: the first node gets 1 / (1 - 0.5) of what arrives.
    network = create_network(
        arrivals=[law("exponential", mean=4.0), None],
        services=[1.0, 1.0],
        servers=[1, 1],
        routing=[[0.0, 1.0], [0.5, 0.0]],
    )
    result = network.run(horizon=40_000, warm_up=1000, replications=4)
    number = result["system"]["number"]
    # Both nodes have the load 1/2, and one token each on average.
    assert abs(number["mean"] - 2) < 3 * number["ci95"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"servers": [1]},
        {"routing": [[0.5, 0.6], [0, 0]]},
        {"routing": [[1.0], [0, 0]]},
    ],
)
def test_lists_that_do_not_fit(wrong):
    given = {"arrivals": [1.0, None], "services": [0.5, 0.5], "servers": [1, 1], **wrong}
    with pytest.raises(imminent.ConfigurationError):
        create_network(**given)


def test_two_times_of_one_law():
    with pytest.raises(imminent.ConfigurationError):
        Network().source("a", interarrival=1.0, mean=2.0)


def test_networkx():
    networkx = pytest.importorskip("networkx")
    graph = tandem().to_networkx()
    assert set(graph.nodes) == {"arrivals", "first", "second", "out"}
    back = Network.from_networkx(graph)
    assert back.run(horizon=500).digest == tandem().run(horizon=500).digest
    ring = Network.from_networkx(networkx.cycle_graph(6), mean=1.0, tokens=2)
    assert ring.run(horizon=100)["system"]["number"]["mean"] == pytest.approx(12)


def test_jsimg(tmp_path):
    file = tmp_path / "tandem.jsimg"
    network = (
        Network(classes=["job"])
        .source("arrivals", rate=0.8, to="first")
        .node("first", mean=0.5, to="second")
        .node("second", servers=2, mean=1.0, to="out")
    )
    file.write_text(network.to_jsimg())
    again = Network.from_jsimg(file)
    assert again.run(horizon=1000)["system"]["throughput"]["mean"] > 0


def test_graphml():
    network = Network.from_graphml(EXAMPLES / "networks/nsfnet.graphml", mean=1.0, tokens=2)
    assert network.run(horizon=50)["node_count"] == 14


def test_a_class_of_its_own():
    network = Network(classes=["a", "b"])
    network.source("of a", rate=0.2, to="desk", cls="a")
    network.source("of b", rate=0.2, to="desk", cls="b")
    network.node("desk", discipline="priority", by_class={"a": {"mean": 1.0, "priority": 1}, "b": {"mean": 2.0}}, to="out")
    result = network.run(horizon=2000, by_class=True)
    assert result.tables["classes"].rows >= 2


def test_visits_are_written(tmp_path):
    network = Network().source("in", rate=1.0, to="desk").node("desk", mean=0.5, to="out")
    for name, begins in [("visits.parquet", b"PAR1"), ("visits.bin", b"")]:
        path = tmp_path / name
        network.run(horizon=100, device="cpu", record=str(path))
        assert path.read_bytes().startswith(begins) and path.stat().st_size > 100
    with pytest.raises(imminent.ImminentError, match="ends in .parquet or .bin"):
        network.run(horizon=100, device="cpu", record=str(tmp_path / "visits.csv"))
