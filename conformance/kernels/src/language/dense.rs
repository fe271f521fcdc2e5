//! Dense combinations of all language features.

#[imminent_core::kernels]
pub mod dense {
    use crate::language::cells::cells::{Cell, Pair, Par, Phase, Post};

    struct Deep {
        grid: [[Leaf; 2]; 3],
        at: u32,
    }

    struct Leaf {
        list: [u32; 3],
        on: bool,
    }

    impl Leaf {
        const EMPTY: Leaf = Leaf { list: [0; 3], on: false };

        fn push(&mut self, x: u32) -> u32 {
            let mut i = 0;
            while i < 3 && self.list[i as usize] != 0 {
                i += 1;
            }
            self.list[i as usize] = x;
            self.on = !self.on;
            i
        }

        fn sum(self) -> u32 {
            let mut sum = 0;
            for x in 0..3 {
                sum += self.list[x as usize];
            }
            sum
        }
    }

    impl Deep {
        fn new(seed: u32) -> Deep {
            let mut deep = Deep { grid: [[Leaf::EMPTY; 2]; 3], at: seed % 4 };
            for i in 0..seed % 12 {
                let row = i % 4;
                deep.grid[row as usize][(i / 3) as usize].push(i * seed);
            }
            deep
        }

        fn step(&mut self, by: &mut u32) -> u32 {
            self.at = (self.at + *by) % 5;
            *by = self.grid[self.at as usize][(*by % 3) as usize].push(self.at + 1);
            self.grid[0][1].list[(*by % 4) as usize] * 2
        }
    }

    fn swap(a: &mut Leaf, b: &mut u32) {
        let t = a.list[1];
        a.list[1] = *b;
        *b = t;
    }

    fn deep(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        id: u32,
    ) -> u64 {
        let mut deep = Deep::new(me.a);
        let mut other = [Deep::new(3), deep];
        let n = deep.step(&mut me.b) + other[(me.c % 3) as usize].step(&mut post.marks[(me.d % 5) as usize]);
        swap(&mut other[id as usize].grid[(n % 4) as usize][(me.b % 3) as usize], &mut me.few[(n % 6) as usize]);
        other[1].grid[2] = deep.grid[(me.few[0] % 4) as usize];
        other[0].grid[(deep.step(&mut me.few[1]) % 3) as usize][(n % 2) as usize].list[(me.a % 4) as usize] += n;
        let leaf = other[0].grid[1][(me.b % 2) as usize];
        deep.grid[1][1] = Leaf { on: me.flag, ..leaf };
        (leaf.sum() + deep.grid[1][1].sum() + other[1].grid[2][0].sum()) as u64 + deep.grid[2][1].on as u64
    }

    fn expressions(
        me: &mut Cell,
        post: &mut Post,
        all: &Rows<Cell>,
        p: &Par,
        past: &Rows<Post>,
        counts: &Tally<u64>,
        id: u32,
    ) -> u64 {
        let x = me.few[match me.phase {
            Phase::Idle => me.a / me.b,
            Phase::Busy if me.flag => 2,
            _ => loop {
                me.a += 1;
                if me.a % 3 == 0 {
                    break me.a % 5;
                }
            },
        } as usize];
        me.few[{
            post.to += 1;
            post.to % 6
        } as usize] += if x > 3 { x / me.b } else { all.get(x).few[2] };
        let y = Pair {
            a: {
                me.b += x;
                me.b
            },
            b: match me.c {
                c @ (0 | 1 | -1) => c as i64 / me.g,
                c if c > 100 => {
                    me.d -= 1;
                    me.d as i64
                }
                c => c as i64,
            },
        }
        .total();
        counts.add(
            if me.flag { id } else { x % 5 },
            (y as u64).rotate_left({
                me.a ^= 5;
                me.a
            }),
        );
        let z = past.get(past.len() - 1 - id % 2).marks[(x % 4) as usize].pow(me.b % 4).clamp(p.scale / 3, me.a);
        for i in (me.a % 3)..({
            me.a += 2;
            me.a % 8
        }) {
            if i == 3 {
                continue;
            }
            post.marks[(i % 5) as usize] = post.marks[(i % 4) as usize] << i | z >> (i + 1);
            if {
                me.e += 1;
                me.e % 7 == 0
            } {
                break;
            }
        }
        let w = (x as u64 + (y as u64) / (me.e % 3)).max(if me.e > 5 { me.f / me.e } else { 0 });
        let v = !me.flag && {
            me.flag = true;
            me.a > 2
        } || me.flag ^ (me.b / (me.a % 2) == 1);
        w + v as u64
            + z as u64 * 3
            + (me
                .jobs
                .get({
                    me.b %= 4;
                    me.b
                })
                .total() as u64)
                .min(p.limit)
    }

    fn gcd(a: u64, b: u64) -> u64 {
        let mut a = a;
        let mut b = b;
        while b != 0 {
            let t = a % b;
            a = b;
            b = t;
        }
        a
    }

    fn sort(xs: &mut [u32; 5]) -> u32 {
        let mut swaps = 0;
        for i in 0..5u32 {
            for j in (i + 1..5).rev() {
                if xs[j as usize] < xs[(j - 1) as usize] {
                    let t = xs[j as usize];
                    xs[j as usize] = xs[(j - 1) as usize];
                    xs[(j - 1) as usize] = t;
                    swaps += 1;
                }
            }
        }
        swaps
    }

    fn isqrt(x: u64) -> u64 {
        let mut low = 0;
        let mut high = 0x1_0000_0000;
        while low + 1 < high {
            let middle = (low + high) / 2;
            if middle * middle <= x { low = middle } else { high = middle }
        }
        low
    }

    fn insert(line: &mut Lanes<u32>, count: &mut u32, x: u32) -> bool {
        if *count >= line.capacity() {
            return false;
        }
        let mut i = *count;
        while i > 0 && line.get(i - 1) > x {
            line.set(i, line.get(i - 1));
            i -= 1;
        }
        line.set(i, x);
        *count += 1;
        true
    }

    fn algorithms(
        me: &mut Cell,
        post: &mut Post,
        _all: &Rows<Cell>,
        _p: &Par,
        _past: &Rows<Post>,
        _counts: &Tally<u64>,
        _id: u32,
    ) -> u64 {
        me.out[0] = gcd(me.e, me.f);
        me.out[1] = sort(&mut me.few) as u64;
        me.out[2] = isqrt(me.e);
        let mut count = me.a % 4;
        let mut added = 0;
        for i in 0..5 {
            if insert(&mut me.line, &mut count, me.few[i as usize]) && count > 1 {
                added += i;
            }
        }
        post.to = count;
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        for i in 0..me.line.capacity() {
            hash = (hash ^ me.line.get(i) as u64) * 0x100_0000_01b3;
        }
        hash + added as u64
    }

    pub enum Op {
        Deep,
        Expressions,
        Algorithms,
    }

    #[derive(Params)]
    pub struct Chosen {
        pub op: Op,
    }

    /// Calls one of the functions above.
    #[kernel]
    pub fn run(
        me: &mut Cell,
        post: &mut Post,
        all: &Rows<Cell>,
        p: &Par,
        past: &Rows<Post>,
        counts: &Tally<u64>,
        chosen: &Chosen,
        id: u32,
    ) {
        if chosen.op == Op::Deep {
            me.result = deep(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Expressions {
            me.result = expressions(me, post, all, p, past, counts, id);
        }
        if chosen.op == Op::Algorithms {
            me.result = algorithms(me, post, all, p, past, counts, id);
        }
    }
}
