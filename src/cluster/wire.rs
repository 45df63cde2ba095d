//! How the processes of one run talk to each other.

use crate::enumerate::rows::kernel::bits;

/// The connection of a process to the others of its run. All processes call the same functions in the same order, with
/// the same numbers of words unless stated otherwise, and each call waits for the others.
pub trait Wire {
    /// The number of this process, from 0.
    fn rank(&self) -> usize;

    /// How many processes there are, at least 1.
    fn size(&self) -> usize;

    /// Sends `out[n]` to the process with the number `n`, for each `n`, and returns what each process sent to this one. The parts
    /// may differ in length.
    fn exchange(&self, out: Vec<Vec<u64>>) -> Vec<Vec<u64>>;

    /// Replaces each word by the bitwise or of what all processes have there.
    fn or(&self, words: &mut [u64]);

    /// Replaces each number by the sum of what all processes have there, which must be below 2^64.
    fn sum(&self, numbers: &mut [u64]);

    /// Whether any process says so.
    fn any(&self, says_so: bool) -> bool {
        let mut word = [u64::from(says_so)];
        self.or(&mut word);
        word[0] != 0
    }
}

/// The result of this process, if no process failed. Otherwise the failed process with the lowest number keeps its error, and
/// all others get the error that `elsewhere` makes.
///
/// # Errors
/// A process failed.
pub fn agreed<T, E>(wire: &dyn Wire, own: Result<T, E>, elsewhere: impl FnOnce() -> E) -> Result<T, E> {
    let mut failed = vec![0; wire.size().div_ceil(64)];
    failed[wire.rank() / 64] = u64::from(own.is_err()) << (wire.rank() % 64);
    wire.or(&mut failed);
    match bits(&failed).next() {
        None => own,
        Some(first) if first == wire.rank() => own,
        Some(_) => Err(elsewhere()),
    }
}

/// One process without others.
#[derive(Clone, Copy, Debug)]
pub struct Alone;

impl Wire for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn exchange(&self, out: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
        out
    }

    fn or(&self, _words: &mut [u64]) {}

    fn sum(&self, _numbers: &mut [u64]) {}
}
