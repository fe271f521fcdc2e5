% Rain on a plane: water levels out between a cell and its four neighbours. Rain comes to two cells as events
% (`--events examples/cells/rain.ev`), and the level of the corner leaves by an output (`--record-ports FILE`).
[top]
components : plane
in : rain
out : corner
link : rain rain@plane
link : out@plane(0,0) corner

[plane]
type : cell
dim : (9,9)
delay : transport
defaultDelayTime : 0
border : nowrapped
neighbors : plane(-1,0) plane(0,-1) plane(0,0) plane(0,1) plane(1,0)
in : rain
link : rain in@plane(4,4)
link : rain in@plane(4,5)
localtransition : level
portInTransition : in@plane(4,4) pour
portInTransition : in@plane(4,5) pour

[level]
rule : { (0,0) - if((-1,0) != ?, ((0,0) - (-1,0)) / 5, 0) - if((1,0) != ?, ((0,0) - (1,0)) / 5, 0)
               - if((0,-1) != ?, ((0,0) - (0,-1)) / 5, 0) - if((0,1) != ?, ((0,0) - (0,1)) / 5, 0) } 1000 { t }

[pour]
rule : { (0,0) + portValue(thisPort) } 0 { t }
