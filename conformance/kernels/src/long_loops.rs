//! Loops of every form, whose numbers of rounds are given by their rows.

/// Round `i` changes `mixed` in a way that has no closed form for a compiler to find.
#[imminent_core::kernels]
pub mod long_loops {
    #[derive(Row)]
    pub struct Round {
        pub rounds: u32,
        pub mixed: u32,
    }

    fn mix(mixed: u32, round: u32) -> u32 {
        (mixed << 5 | mixed >> 27) ^ round
    }

    #[kernel]
    pub fn by_while(me: &mut Round) {
        let mut round = 0;
        while round < me.rounds {
            me.mixed = mix(me.mixed, round);
            round += 1;
        }
    }

    #[kernel]
    pub fn by_for(me: &mut Round) {
        for round in 0..me.rounds {
            me.mixed = mix(me.mixed, round);
        }
    }

    #[kernel]
    pub fn by_loop(me: &mut Round) {
        let mut round = 0;
        loop {
            if round == me.rounds {
                break;
            }
            me.mixed = mix(me.mixed, round);
            round += 1;
        }
    }

    #[kernel]
    pub fn by_nested(me: &mut Round) {
        let mut round = 0;
        while round < me.rounds {
            for _ in 0..100 {
                if round < me.rounds {
                    me.mixed = mix(me.mixed, round);
                    round += 1;
                }
            }
        }
    }

    #[kernel(group = 64)]
    pub fn in_a_phase(group: &mut Group<u32>, rows: &mut Each<Round>) {
        group.phase(rows, |_, me| {
            for round in 0..me.rounds {
                me.mixed = mix(me.mixed, round);
            }
        });
    }
}
