//! Items outside the language.
#[imminent_core::kernels]
mod m {
    static X: u32 = 3;
    trait Shape {}
    type Word = u32;
    mod inner {}
    macro_rules! no { () => {} }
    fn generic<T>(x: T) {}
    async fn wait() {}
    unsafe fn danger() {}
    const fn compile_time() -> u32 { 3 }
    #[derive(Row)]
    #[derive(Params)]
    struct Both { x: u32 }
    struct Value { x: u32 }
    impl Default for Value {
        fn default() -> Self { Value { x: 0 } }
    }
    fn slice(xs: &[u32]) {}
    fn by_value(rows: Rows<Both>) {}
}

fn main() {}
