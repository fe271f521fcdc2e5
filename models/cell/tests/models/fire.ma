% The forest fire with the published rates of spread, on a small plane.
[top]
components : fire

[fire]
type : cell
dim : (30,30)
delay : inertial
defaultDelayTime : 0
border : nowrapped
neighbors : fire(-1,-1) fire(-1,0) fire(-1,1)
neighbors : fire(0,-1)  fire(0,0)  fire(0,1)
neighbors : fire(1,-1)  fire(1,0)  fire(1,1)
initialvalue : 0
initialCellsValue : fire.val
localtransition : spread

[spread]
rule : { (1,-1) + 21.552615 / 17.967136 } { 21.552615 / 17.967136 * 60000 } { (0,0) = 0 and (1,-1) != ? and (1,-1) > 0 }
rule : { (1,0) + 15.24 / 5.106976 } { 15.24 / 5.106976 * 60000 } { (0,0) = 0 and (1,0) != ? and (1,0) > 0 }
rule : { (0,-1) + 15.24 / 5.106976 } { 15.24 / 5.106976 * 60000 } { (0,0) = 0 and (0,-1) != ? and (0,-1) > 0 }
rule : { (-1,-1) + 21.552615 / 1.872060 } { 21.552615 / 1.872060 * 60000 } { (0,0) = 0 and (-1,-1) != ? and (-1,-1) > 0 }
rule : { (1,1) + 21.552615 / 1.872060 } { 21.552615 / 1.872060 * 60000 } { (0,0) = 0 and (1,1) != ? and (1,1) > 0 }
rule : { (-1,0) + 15.24 / 1.146091 } { 15.24 / 1.146091 * 60000 } { (0,0) = 0 and (-1,0) != ? and (-1,0) > 0 }
rule : { (0,1) + 15.24 / 1.146091 } { 15.24 / 1.146091 * 60000 } { (0,0) = 0 and (0,1) != ? and (0,1) > 0 }
rule : { (-1,1) + 21.552615 / 0.987474 } { 21.552615 / 0.987474 * 60000 } { (0,0) = 0 and (-1,1) != ? and (-1,1) > 0 }
rule : { (0,0) } 0 { t }
