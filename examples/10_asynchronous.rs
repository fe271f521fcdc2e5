//! Asynchronous use, with an option of the backend: the host works while the device runs a program.
//!
//! `cargo run -p imminent --example 10_asynchronous`

#[imminent::kernels]
mod walk {
    use imminent::random::Pcg32;

    /// A walker on a line, who begins at 0.
    #[derive(Row)]
    pub struct Walker {
        pub rng: Pcg32,
        pub place: i32,
    }

    /// One step to the left or to the right.
    #[kernel]
    pub fn step(me: &mut Walker) {
        me.place += if me.rng.below(2) == 0 { -1 } else { 1 };
    }
}

use imminent::random::Pcg32;
use imminent::{DeviceSelection, Program, Table};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use walk::{Walker, WalkerColumns, step};

/// Wakes a thread that waits for a future.
struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for a future; a program with an executor such as Tokio leaves this to it.
fn block_on<T>(future: impl Future<Output = T>) -> T {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}

async fn simulate() -> imminent::Result<()> {
    // One thread for the kernels leaves the other cores to the host's own work.
    let device = imminent::open(&DeviceSelection::backend("cpu").option("threads", "1"))?;
    let rows: Vec<Walker> = (0..10_000).map(|i| Walker { rng: Pcg32::new(1, i), place: 0 }).collect();
    let mut walkers = Table::from_rows(&device, &rows)?;
    let mut program = Program::record(&device, |program| {
        program.repeat(1_000, |once| once.launch::<step>((&mut walkers,)).map(drop))
    })?;

    let running = program.start()?;
    println!("the program is running: {}", !running.is_done());
    running.await?;

    let places = walkers.place().download(&device.queue(), 0..rows.len(), device.staging(rows.len())?)?.await?;
    let squares: f64 = places.iter().map(|&place| f64::from(place).powi(2)).sum();
    println!("root mean square distance after 1000 steps: {:.2}", (squares / rows.len() as f64).sqrt());
    Ok(())
}

fn main() -> imminent::Result<()> {
    block_on(simulate())
}
