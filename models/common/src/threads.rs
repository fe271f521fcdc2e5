//! Threads that the system may refuse, for lack of memory or by a limit.

use std::sync::mpsc::channel;
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Starts a thread in a scope; `None` if the system refuses.
pub fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    Builder::new().spawn_scoped(scope, work).ok()
}

/// Waits for the end of a thread, whose panic goes on in this one.
pub fn join<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Runs `work` for each part, the first by `own` in the calling thread and the others in a thread each. All run at the
/// same time, so that they can wait for one another. Returns the results in order.
///
/// # Errors
/// Returns the parts if the system refuses a thread; no work has begun then.
pub fn at_once<P: Send, T: Send>(
    parts: Vec<P>,
    own: impl FnOnce(P) -> T,
    work: impl Fn(P) -> T + Sync,
) -> Result<Vec<T>, Vec<P>> {
    std::thread::scope(|scope| {
        let mut started = Vec::new();
        for _ in 1..parts.len() {
            let (sender, receiver) = channel::<P>();
            let work = &work;
            // A thread whose channel closes without a part ends.
            match start(scope, move || receiver.recv().ok().map(work)) {
                Some(thread) => started.push((sender, thread)),
                None => return Err(parts),
            }
        }
        let mut parts = parts.into_iter();
        let first = parts.next();
        let give = |((sender, thread), part)| {
            // The receiver is there: its thread waits for a part.
            let _ = std::sync::mpsc::Sender::send(&sender, part);
            thread
        };
        let threads: Vec<_> = started.into_iter().zip(parts).map(give).collect();
        let first = first.map(own);
        Ok(first.into_iter().chain(threads.into_iter().filter_map(join)).collect())
    })
}

/// Runs `work` for each part, in a thread of its own where the system gives one, and returns the results in order.
pub fn each<P: Send, T: Send>(parts: Vec<P>, work: impl Fn(P) -> T + Sync) -> Vec<T> {
    at_once(parts, &work, &work).unwrap_or_else(|parts| parts.into_iter().map(work).collect())
}

/// A piece of work that may fail.
pub type Task<'t, E> = &'t (dyn Fn() -> Result<(), E> + Sync);

/// Runs tasks side by side, such as compilations, in a thread of its own each where the system gives one.
///
/// # Errors
/// The first error in the order of the tasks; all of them have run.
pub fn side_by_side<E: Send>(tasks: &[Task<'_, E>]) -> Result<(), E> {
    each(tasks.to_vec(), |task| task()).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Barrier;

    #[test]
    fn parts_run_at_the_same_time_and_results_are_in_order() {
        let barrier = Barrier::new(3);
        let work = |part: u32| {
            barrier.wait();
            part * 10
        };
        assert_eq!(at_once(vec![1, 2, 3], |part| work(part) + 1, work), Ok(vec![11, 20, 30]));
        assert_eq!(each(Vec::new(), |part: u32| part), Vec::<u32>::new());
        assert_eq!(each(vec![7], |part: u32| part), vec![7]);
    }

    #[test]
    fn tasks_run_at_the_same_time_and_the_first_error_is_returned() {
        let barrier = Barrier::new(3);
        let fails = |error| {
            barrier.wait();
            Err(error)
        };
        let works = || {
            barrier.wait();
            Ok(())
        };
        assert_eq!(side_by_side(&[&works, &|| fails("second"), &|| fails("third")]), Err("second"));
        assert_eq!(side_by_side::<()>(&[]), Ok(()));
    }
}
