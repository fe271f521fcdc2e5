# Node 3 is the station. Positions may stand at the end.
$ns_ at 5.0 "$node_(0) setdest 1900.0 40.0 15.0"
$ns_ at 7.0 "$node_(1) setdest 1850.0 40.0 15.0"
$ns_ at 9.0 "$node_(2) setdest 1800.0 40.0 15.0"
$node_(0) set X_ 200.0
$node_(0) set Y_ 40.0
$node_(0) set Z_ 0.0
$node_(1) set X_ 120.0
$node_(1) set Y_ 40.0
$node_(2) set X_ 40.0
$node_(2) set Y_ 40.0
$node_(3) set X_ 1000.0
$node_(3) set Y_ 60.0
