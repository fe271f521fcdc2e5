//! Random numbers of the device library, used as in a model.

/// Generators in rows.
#[imminent_core::kernels]
pub mod draws {
    use imminent_core::random::{Pcg32, exponential_q27, normal_q28, poisson, scaled_ticks};

    #[derive(Row)]
    pub struct Seed {
        pub state: u64,
        pub stream: u64,
        pub delta: u64,
        pub bound: u32,
    }

    #[derive(Row)]
    pub struct Stream {
        pub rng: Pcg32,
        pub words: [u32; 16],
    }

    #[derive(Row)]
    pub struct Wide {
        pub first: u64,
        pub second: u64,
        pub then: u32,
    }

    #[derive(Row)]
    pub struct Jump {
        pub next: u32,
        pub state: u64,
        pub increment: u64,
    }

    #[derive(Row)]
    pub struct Below {
        pub value: u32,
        pub next: u32,
    }

    #[derive(Row)]
    pub struct Word {
        pub word: u32,
    }

    #[derive(Row)]
    pub struct Variate {
        pub q27: u32,
    }

    #[derive(Row)]
    pub struct Scaling {
        pub q27: u32,
        pub mean: u64,
    }

    #[derive(Row)]
    pub struct Ticks {
        pub ticks: u64,
    }

    #[derive(Row)]
    pub struct Normal {
        pub q28: i32,
    }

    #[derive(Row)]
    pub struct Expected {
        pub word: u32,
        pub mean_q32: u64,
    }

    #[derive(Row)]
    pub struct Count {
        pub count: u32,
    }

    #[derive(Row)]
    pub struct Drawn {
        pub uniform: u64,
        pub hit: bool,
        pub normal: i32,
        pub count: u32,
        pub next: u32,
    }

    #[kernel]
    pub fn seed(me: &Seed, stream: &mut Stream) {
        stream.rng = Pcg32::new(me.state, me.stream);
    }

    /// Continues where the previous launch stopped.
    #[kernel]
    pub fn draw(stream: &mut Stream) {
        for i in 0..16u32 {
            stream.words[i as usize] = stream.rng.next_u32();
        }
    }

    #[kernel]
    pub fn draw_wide(me: &Seed, out: &mut Wide) {
        let mut rng = Pcg32::new(me.state, me.stream);
        out.first = rng.next_u64();
        out.second = rng.next_u64();
        out.then = rng.next_u32();
    }

    #[kernel]
    pub fn jump(me: &Seed, out: &mut Jump) {
        let mut rng = Pcg32::new(me.state, me.stream);
        rng.advance(me.delta);
        out.next = rng.next_u32();
        out.state = rng.state;
        out.increment = rng.increment;
    }

    #[kernel]
    pub fn below(me: &Seed, out: &mut Below) {
        let mut rng = Pcg32::new(me.state, me.stream);
        out.value = rng.below(me.bound);
        out.next = rng.next_u32();
    }

    #[kernel]
    pub fn exponential(me: &Word, out: &mut Variate) {
        out.q27 = exponential_q27(me.word);
    }

    #[kernel]
    pub fn exponential_draw(me: &Seed, out: &mut Below) {
        let mut rng = Pcg32::new(me.state, me.stream);
        out.value = rng.exponential_q27();
        out.next = rng.next_u32();
    }

    #[kernel]
    pub fn scale(me: &Scaling, out: &mut Ticks) {
        out.ticks = scaled_ticks(me.q27, me.mean);
    }

    #[kernel]
    pub fn normal(me: &Word, out: &mut Normal) {
        out.q28 = normal_q28(me.word);
    }

    #[kernel]
    pub fn counted(me: &Expected, out: &mut Count) {
        out.count = poisson(me.word, me.mean_q32);
    }

    #[kernel]
    pub fn variates(me: &Seed, out: &mut Drawn) {
        let mut rng = Pcg32::new(me.state, me.stream);
        out.uniform = rng.uniform(me.stream, me.delta);
        out.hit = rng.bernoulli(me.bound);
        out.normal = rng.normal_q28();
        out.count = rng.poisson((me.bound as u64) << 6);
        out.next = rng.next_u32();
    }
}
