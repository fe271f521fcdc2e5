//! One table cannot be bound twice where a kernel changes it.
#[imminent_core::kernels]
mod m {
    #[derive(Row)]
    pub struct Cell { pub a: u32 }

    #[kernel]
    pub fn step(me: &mut Cell, all: &Rows<Cell>, id: u32) {
        me.a = all.get(id).a;
    }
}

fn run(queue: &imminent_core::Queue, table: &mut imminent_core::Table<m::Cell>) {
    let _ = queue.launch::<m::step>((table, table));
}

fn run_shared(queue: &imminent_core::Queue, table: &mut imminent_core::Table<m::Cell>) {
    let shared = &*table;
    let _ = queue.launch::<m::step>((table, shared));
}

fn main() {}
