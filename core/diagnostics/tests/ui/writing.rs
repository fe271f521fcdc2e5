//! Writing what cannot be written.
#[imminent_core::kernels]
mod m {
    #[derive(Row)]
    pub struct Cell { a: u32, few: [u32; 4], line: Lanes<u32> }
    #[derive(Params)]
    pub struct Par { limit: u32 }
    const TABLE: [u32; 2] = [1, 2];

    fn touch(x: &mut u32) { *x += 1; }

    #[kernel]
    pub fn write(me: &Cell, all: &Rows<Cell>, p: &Par, counts: &Tally<u32>) {
        me.a = 3;
        me.few[me.a as usize] = 3;
        me.line.set(0, 1);
        all.get(0).a = 5;
        let row = all.get(1);
        row.few[0] = 3;
        p.limit += 1;
        TABLE[0] = 1;
        touch(&mut row.a);
        touch(&row.a);
        all.set(0, 3);
        let copy = *row;
        counts.load(3);
        let other = me;
    }
}

fn main() {}
