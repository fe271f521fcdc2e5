//! Every kind of statement, in small functions whose results plain Rust can compute in another way.

/// Branches, matches and loops.
#[imminent_core::kernels]
pub mod control {
    #[derive(Row)]
    pub struct Input {
        pub a: u32,
        pub b: u32,
        pub c: i32,
        pub d: u64,
        pub e: i64,
    }

    #[derive(Row)]
    pub struct Out {
        pub x: u64,
    }

    pub enum Phase {
        Idle,
        Busy = 3,
        Down = 7,
    }

    const SMALL: u32 = 4;

    fn if_else_value(me: &Input, out: &mut Out) {
        out.x = if me.a < me.b {
            1
        } else if me.a == me.b {
            2
        } else {
            3
        };
    }

    fn if_without_else(me: &Input, out: &mut Out) {
        let mut x = 1;
        if me.a & 1 == 1 {
            x += 10;
        }
        if me.b & 1 == 1 {
            if me.a & 1 == 1 {
                x += 100;
            }
            x += 1000;
        }
        out.x = x;
    }

    #[kernel]
    pub fn early_return(me: &Input, out: &mut Out) {
        out.x = 1;
        if me.a % 3 == 0 {
            return;
        }
        out.x = 2;
        if me.b % 2 == 0 {
            out.x = 3;
            return;
        }
        out.x += 10;
    }

    /// Loops in turn that look into memory in every round. Rows leave the first and the third at different rounds.
    #[kernel]
    pub fn limits_in_memory(me: &Input, all: &Rows<Input>, out: &mut Out) {
        let mut rounds = 0;
        let mut k = me.b % 64;
        while k < all.get(0).b {
            rounds += 1;
            k += 1;
        }
        let mut second = 0;
        while second < all.get(0).b {
            second += 1;
        }
        let mut third = 0;
        loop {
            if third >= all.get(0).b || third == me.b {
                break;
            }
            third += 1;
        }
        out.x = (rounds as u64) << 32 | (second << 16 | third | all.get(0).b << 24) as u64;
    }

    fn match_integer(me: &Input, out: &mut Out) {
        out.x = match me.a {
            0 => 100,
            1 | 2 => 101,
            3..=9 => 102,
            SMALL.. if me.b == 0 => 103,
            u32::MAX => 104,
            n if n > 1_000_000 => 105,
            n @ 10..=99 => n as u64,
            _ => 106,
        };
    }

    fn match_signed(me: &Input, out: &mut Out) {
        out.x = match me.c {
            -1 => 4,
            i32::MIN..=-100 => 1,
            -99..0 => 2,
            0 => 3,
            _ => 5,
        };
    }

    fn match_wide(me: &Input, out: &mut Out) {
        out.x = match me.d {
            0..=0xffff_ffff => 1,
            0x1_0000_0000 => 2,
            u64::MAX => 3,
            _ => match me.e {
                i64::MIN => 4,
                -1 => 5,
                _ => 6,
            },
        };
    }

    fn match_enum(me: &Input, out: &mut Out) {
        let phase = if me.a % 3 == 0 {
            Phase::Idle
        } else if me.a % 3 == 1 {
            Phase::Busy
        } else {
            Phase::Down
        };
        out.x = match phase {
            Phase::Idle => 0,
            Phase::Busy => 50,
            Phase::Down => phase as u64,
        };
        if phase == Phase::Busy {
            out.x += phase as u64;
        }
    }

    fn match_bool(me: &Input, out: &mut Out) {
        match me.a < me.b {
            true => {
                out.x = 1;
            }
            false => out.x = 2,
        }
    }

    fn while_loop(me: &Input, out: &mut Out) {
        let mut x = me.d;
        let mut bits = 0;
        while x != 0 {
            x >>= 1;
            bits += 1;
        }
        out.x = bits;
    }

    fn loop_with_value(me: &Input, out: &mut Out) {
        let mut n = me.a % 1000;
        out.x = loop {
            if n % 7 == 0 {
                break n as u64;
            }
            n += 1;
        };
    }

    fn continue_and_break(me: &Input, out: &mut Out) {
        let mut sum = 0;
        for i in 0..100 {
            if i % 2 == 0 {
                continue;
            }
            if i > me.a % 50 {
                break;
            }
            sum += i as u64;
        }
        out.x = sum;
    }

    fn nested_loops(me: &Input, out: &mut Out) {
        let mut pairs = 0;
        let mut i = 0;
        while i < me.a % 12 {
            i += 1;
            let mut j = 0;
            loop {
                j += 1;
                if j > i {
                    break;
                }
                if (i + j) % 3 == 0 {
                    continue;
                }
                pairs += 1;
            }
            if pairs > 40 {
                break;
            }
        }
        out.x = pairs * 100 + i as u64;
    }

    fn for_exclusive(me: &Input, out: &mut Out) {
        let mut x = 7;
        for i in me.a % 20..me.b % 20 {
            x = x * 31 + i as u64;
        }
        out.x = x;
    }

    fn for_inclusive(me: &Input, out: &mut Out) {
        let mut x = 7;
        for i in me.a % 20..=me.b % 20 {
            x = x * 31 + i as u64;
        }
        out.x = x;
    }

    fn for_reversed(me: &Input, out: &mut Out) {
        let mut x = 7;
        for i in (me.a % 20..me.b % 20).rev() {
            x = x * 31 + i as u64;
        }
        for i in (me.a % 20..=me.b % 20).rev() {
            x = x * 37 + i as u64;
        }
        out.x = x;
    }

    fn for_signed(me: &Input, out: &mut Out) {
        let mut x = 7;
        for i in -(me.a as i32 % 10)..me.b as i32 % 10 {
            x = x * 31 + i as u64;
        }
        for i in (i32::MIN..=i32::MIN + 2).rev() {
            x = x * 31 + i as u64;
        }
        out.x = x;
    }

    fn for_at_the_end_of_the_type(me: &Input, out: &mut Out) {
        let mut x = 7;
        for i in u32::MAX - me.a % 4..=u32::MAX {
            x = x * 31 + i as u64;
        }
        for i in (0..=me.b % 4).rev() {
            x = x * 31 + i as u64;
        }
        for i in i32::MAX - 1..=i32::MAX {
            x = x * 31 + i as u64;
        }
        for i in u64::MAX - 2..=u64::MAX {
            x = x * 31 + i;
        }
        for i in (i64::MIN..=i64::MIN + 1).rev() {
            x = x * 31 + i as u64;
        }
        out.x = x;
    }

    fn for_wide(me: &Input, out: &mut Out) {
        let mut x = 7;
        let start = me.d & 0xffff_ffff_ffff;
        for i in start..start + me.a as u64 % 9 {
            x = x * 31 + i;
        }
        for i in me.e..me.e {
            x = i as u64;
        }
        out.x = x;
    }

    fn for_bounds_are_evaluated_once(me: &Input, out: &mut Out) {
        let mut end = me.a % 10;
        let mut rounds = 0;
        for _ in 0..end {
            end += 5;
            rounds += 1;
        }
        out.x = rounds * 1000 + end as u64;
    }

    fn shadowing_and_blocks(me: &Input, out: &mut Out) {
        let x = me.a as u64;
        let y = {
            let x = x + 1;
            x * 2
        };
        let x = y - x;
        out.x = x;
    }

    fn late_initialisation(me: &Input, out: &mut Out) {
        let x: u64;
        if me.a > me.b {
            x = 5;
        } else {
            x = 6;
        }
        out.x = x;
    }

    fn short_circuit(me: &Input, out: &mut Out) {
        // The right side divides by zero unless the left side keeps it from being evaluated.
        let divides = me.b != 0 && me.a % me.b == 0;
        let small = me.b == 0 || me.a / me.b < 3;
        out.x = divides as u64 * 2 + small as u64;
    }

    fn only_the_taken_branch(me: &Input, out: &mut Out) {
        out.x = if me.b == 0 { 9 } else { (me.a / me.b) as u64 };
        let table = [1, 2, 3];
        out.x += match me.a {
            0..=2 => table[me.a as usize],
            _ => 0,
        };
    }

    fn first_divisor(n: u32) -> u32 {
        for d in 2..n {
            if n % d == 0 {
                return d;
            }
        }
        n
    }

    fn return_inside_a_loop(me: &Input, out: &mut Out) {
        out.x = first_divisor(me.a % 200) as u64;
    }

    fn next(state: &mut u32) -> u32 {
        *state = *state * 5 + 3;
        *state % 16
    }

    fn calls_in_conditions(me: &Input, out: &mut Out) {
        let mut state = me.a;
        let mut steps = 0;
        while next(&mut state) != 0 && steps < 50 {
            steps += 1;
        }
        out.x = steps * 100 + (state % 16) as u64;
    }

    fn operands_from_left_to_right(me: &Input, out: &mut Out) {
        let mut state = me.a;
        let x = next(&mut state) * 256 + next(&mut state) * 16 + next(&mut state);
        out.x = x as u64;
    }

    fn logic_on_bools(me: &Input, out: &mut Out) {
        let p = me.a & 1 == 1;
        let q = me.b & 1 == 1;
        out.x = (p & q) as u64
            + ((p | q) as u64) * 2
            + ((p ^ q) as u64) * 4
            + (!p as u64) * 8
            + ((p == q) as u64) * 16
            + ((p != q) as u64) * 32;
    }

    pub enum Op {
        IfElseValue,
        IfWithoutElse,
        MatchInteger,
        MatchSigned,
        MatchWide,
        MatchEnum,
        MatchBool,
        WhileLoop,
        LoopWithValue,
        ContinueAndBreak,
        NestedLoops,
        ForExclusive,
        ForInclusive,
        ForReversed,
        ForSigned,
        ForAtTheEndOfTheType,
        ForWide,
        ForBoundsAreEvaluatedOnce,
        ShadowingAndBlocks,
        LateInitialisation,
        ShortCircuit,
        OnlyTheTakenBranch,
        ReturnInsideALoop,
        CallsInConditions,
        OperandsFromLeftToRight,
        LogicOnBools,
    }

    #[derive(Params)]
    pub struct Chosen {
        pub op: Op,
    }

    /// Calls one of the functions above: a device compiles one kernel for all of them.
    #[kernel]
    pub fn run(me: &Input, out: &mut Out, chosen: &Chosen) {
        if chosen.op == Op::IfElseValue {
            if_else_value(me, out);
        }
        if chosen.op == Op::IfWithoutElse {
            if_without_else(me, out);
        }
        if chosen.op == Op::MatchInteger {
            match_integer(me, out);
        }
        if chosen.op == Op::MatchSigned {
            match_signed(me, out);
        }
        if chosen.op == Op::MatchWide {
            match_wide(me, out);
        }
        if chosen.op == Op::MatchEnum {
            match_enum(me, out);
        }
        if chosen.op == Op::MatchBool {
            match_bool(me, out);
        }
        if chosen.op == Op::WhileLoop {
            while_loop(me, out);
        }
        if chosen.op == Op::LoopWithValue {
            loop_with_value(me, out);
        }
        if chosen.op == Op::ContinueAndBreak {
            continue_and_break(me, out);
        }
        if chosen.op == Op::NestedLoops {
            nested_loops(me, out);
        }
        if chosen.op == Op::ForExclusive {
            for_exclusive(me, out);
        }
        if chosen.op == Op::ForInclusive {
            for_inclusive(me, out);
        }
        if chosen.op == Op::ForReversed {
            for_reversed(me, out);
        }
        if chosen.op == Op::ForSigned {
            for_signed(me, out);
        }
        if chosen.op == Op::ForAtTheEndOfTheType {
            for_at_the_end_of_the_type(me, out);
        }
        if chosen.op == Op::ForWide {
            for_wide(me, out);
        }
        if chosen.op == Op::ForBoundsAreEvaluatedOnce {
            for_bounds_are_evaluated_once(me, out);
        }
        if chosen.op == Op::ShadowingAndBlocks {
            shadowing_and_blocks(me, out);
        }
        if chosen.op == Op::LateInitialisation {
            late_initialisation(me, out);
        }
        if chosen.op == Op::ShortCircuit {
            short_circuit(me, out);
        }
        if chosen.op == Op::OnlyTheTakenBranch {
            only_the_taken_branch(me, out);
        }
        if chosen.op == Op::ReturnInsideALoop {
            return_inside_a_loop(me, out);
        }
        if chosen.op == Op::CallsInConditions {
            calls_in_conditions(me, out);
        }
        if chosen.op == Op::OperandsFromLeftToRight {
            operands_from_left_to_right(me, out);
        }
        if chosen.op == Op::LogicOnBools {
            logic_on_bools(me, out);
        }
    }
}
