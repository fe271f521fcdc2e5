% Conway's game of life on a small torus: a glider, which is back where it began after 4 * 16 steps of 100 ms.
% imminent run cells examples/cells/life.ma --horizon 0.01
[top]
components : life

[life]
type : cell
dim : (16,16)
delay : transport
defaultDelayTime : 100
border : wrapped
neighbors : life(-1,-1) life(-1,0) life(-1,1)
neighbors : life(0,-1)  life(0,0)  life(0,1)
neighbors : life(1,-1)  life(1,0)  life(1,1)
initialvalue : 0
initialrowvalue : 1 0010000000000000
initialrowvalue : 2 0001000000000000
initialrowvalue : 3 0111000000000000
localtransition : step

[step]
rule : 1 100 { (0,0) = 1 and (trueCount = 3 or trueCount = 4) }
rule : 1 100 { (0,0) = 0 and trueCount = 3 }
rule : 0 100 { t }
