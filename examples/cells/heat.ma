% A fire by its temperature: plane 0 has kelvins, plane 1 the second of ignition, 1 until then; a millisecond stands for a
% hundredth of a second. Cells are heated by their neighbours, burn from 573 K on with a heat that fades, and are burnt out
% (209) when they have cooled down to 333 K. The law is Muzy's and Santoni's; with a quantum fewer cells tell their neighbours.
% exp(-0.19 s) is a power of exp(-0.0019) here, so that all devices compute the same bits.
#BeginMacro(heating)
(0.98689 * (0,0,0) + 0.0031 * (0,-1,0) + 0.0031 * (0,1,0) + 0.0031 * (1,0,0) + 0.0031 * (-1,0,0) + 0.213)
#EndMacro
#BeginMacro(burning)
(#macro(heating) + 2.74 * power(exp(-0.0019), round(time + 1 - 100 * (0,0,1))))
#EndMacro

[top]
components : heat

[heat]
type : cell
dim : (15,15,2)
delay : transport
defaultDelayTime : 1
border : nowrapped
neighbors : heat(-1,0,0) heat(0,-1,0) heat(0,0,0) heat(0,1,0) heat(1,0,0) heat(0,0,-1) heat(0,0,1)
initialvalue : 300
initialcellsvalue : heat.val
localtransition : fire
zone : edge { (0,0,0)..(0,14,0) (14,0,0)..(14,14,0) (1,0,0)..(13,0,0) (1,14,0)..(13,14,0) }

[edge]
rule : { (0,0,0) } 1 { t }

[fire]
rule : { #macro(heating) } 1 { cellPos(2) = 0 and (0,0,0) < 573 and (0,0,0) != 209 and (#macro(heating) > (0,0,0) or time <= 20) }
rule : { time * 0.01 } 1 { cellPos(2) = 1 and (0,0,-1) >= 573 and (0,0,0) = 1 }
rule : { #macro(burning) } 1 { cellPos(2) = 0 and (0,0,0) != 209 and
    (((0,0,0) > #macro(burning) and (0,0,0) > 333) or (#macro(burning) > (0,0,0) and (0,0,0) >= 573)) }
rule : { 209 } 100 { cellPos(2) = 0 and (0,0,0) > #macro(burning) and (0,0,0) <= 333 and (0,0,0) != 209 }
rule : { (0,0,0) } 1 { t }
