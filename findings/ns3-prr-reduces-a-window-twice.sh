#!/usr/bin/env bash
# After a queue overflows, CUBIC in ns-3 3.44 with its usual TcpPrrRecovery goes on with half of its window, not with 0.7 of it.
#
# One flow of bulk data, 20 Mb/s, 100 ms there and back, a queue of 50 packets. Once the first losses are over, the smallest window over
# the greatest is 0.7 by TcpClassicRecovery, CUBIC's beta. By TcpPrrRecovery the window is reduced a second time right after the recovery,
# to 0.7 times 0.7, and goodput is a fifth lower. Who compares a CUBIC with ns-3's chooses the recovery.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q ns3==3.44.post0
cat >"$folder/windows.py" <<'PY'
import sys
from ns import ns

ns.cppyy.cppdef("""
uint32_t least = UINT32_MAX, greatest = 0;
void seen(uint32_t, uint32_t window) {
  if (ns3::Simulator::Now().GetSeconds() < 40) return;
  least = std::min(least, window), greatest = std::max(greatest, window);
}
void watch() {
  ns3::Config::ConnectWithoutContext("/NodeList/0/$ns3::TcpL4Protocol/SocketList/*/CongestionWindow", ns3::MakeCallback(&seen));
}
void later() { ns3::Simulator::Schedule(ns3::Seconds(1), &watch); }
""")
for name, value in [
        ("ns3::TcpSocket::SegmentSize", ns.UintegerValue(958)), ("ns3::TcpSocket::SndBufSize", ns.UintegerValue(8_000_000)),
        ("ns3::TcpSocket::RcvBufSize", ns.UintegerValue(4_000_000)), ("ns3::TcpSocket::DelAckCount", ns.UintegerValue(1)),
        ("ns3::TcpCubic::HyStart", ns.BooleanValue(False)),
        ("ns3::TcpL4Protocol::RecoveryType", ns.TypeIdValue(ns.TypeId.LookupByName("ns3::" + sys.argv[1])))]:
    ns.Config.SetDefault(name, value)
nodes = ns.NodeContainer()
nodes.Create(2)
ns.InternetStackHelper().Install(nodes)
link = ns.PointToPointHelper()
link.SetDeviceAttribute("DataRate", ns.StringValue("20Mbps"))
link.SetChannelAttribute("Delay", ns.StringValue("50ms"))
link.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", ns.StringValue("50p"))
devices = link.Install(nodes)
addressing = ns.Ipv4AddressHelper()
addressing.SetBase(ns.Ipv4Address("10.1.0.0"), ns.Ipv4Mask("255.255.255.0"))
addresses = addressing.Assign(devices)
ns.TrafficControlHelper().Uninstall(devices)
to = ns.InetSocketAddress(addresses.GetAddress(1), 1000).ConvertTo()
sink = ns.PacketSinkHelper("ns3::TcpSocketFactory", to).Install(nodes.Get(1)).Get(0)
ns.BulkSendHelper("ns3::TcpSocketFactory", to).Install(nodes.Get(0)).Start(ns.Seconds(0.0))
ns.cppyy.gbl.later()
ns.Simulator.Stop(ns.Seconds(40))
ns.Simulator.Run()
before = sink.GetTotalRx()
ns.Simulator.Stop(ns.Seconds(40))
ns.Simulator.Run()
ratio, goodput = ns.cppyy.gbl.least / ns.cppyy.gbl.greatest, (sink.GetTotalRx() - before) * 8 / 40e6
print(f"{sys.argv[1]}: smallest window {ratio:.1f} of the greatest, {goodput:.0f} Mb/s")
PY
seen=$(for recovery in TcpPrrRecovery TcpClassicRecovery; do "$folder/venv/bin/python" "$folder/windows.py" $recovery 2>/dev/null; done)
echo "$seen"
expected="TcpPrrRecovery: smallest window 0.5 of the greatest, 15 Mb/s
TcpClassicRecovery: smallest window 0.7 of the greatest, 19 Mb/s"
[ "$seen" = "$expected" ] || { echo "the behaviour has changed"; exit 1; }
