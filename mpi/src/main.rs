//! `gobprove-mpi`: solves a variant with several processes that MPI has started, one on each node of a cluster.

use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use gobprove::cli::console::allocator::Allocator;
use gobprove::cluster::Wire;
use mpi::collective::SystemOperation;
use mpi::datatype::{Partition, PartitionMut};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, CommunicatorCollectives as _};
use mpi::{Threading, initialize_with_threading};

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// The most words that a process sends or gets in one call: MPI counts them in 31 bits.
const MOST: usize = 1 << 27;

/// The most words that one call combines over all processes.
const TOGETHER: usize = 1 << 20;

/// The processes that MPI has started together.
struct Mpi(SimpleCommunicator);

impl Wire for Mpi {
    fn rank(&self) -> usize {
        self.0.rank() as usize
    }

    fn size(&self) -> usize {
        self.0.size() as usize
    }

    fn exchange(&self, out: Vec<Vec<u64>>) -> Vec<Vec<u64>> {
        let own: Vec<u64> = out.iter().map(|words| words.len() as u64).collect();
        let mut others = vec![0u64; self.size()];
        self.0.all_to_all_into(&own[..], &mut others[..]);
        // In as many calls as the longest part of any process takes.
        let each = (MOST / self.size()).max(1) as u64;
        let mut calls = 0u64;
        let longest = own.iter().chain(&others).copied().max().unwrap_or_default();
        self.0.all_reduce_into(&longest.div_ceil(each), &mut calls, SystemOperation::max());
        let mut came: Vec<Vec<u64>> = others.iter().map(|&len| Vec::with_capacity(len as usize)).collect();
        for from in (0..calls).map(|call| call * each) {
            let count = |&len: &u64| len.saturating_sub(from).min(each) as i32;
            let counts: [Vec<i32>; 2] = [&own, &others].map(|lens| lens.iter().map(count).collect());
            let places = counts.each_ref().map(|counts| places(counts));
            let part = |(words, &count): (&Vec<u64>, &i32)| {
                words.iter().skip(from as usize).take(count as usize).copied().collect::<Vec<u64>>()
            };
            let sent: Vec<u64> = out.iter().zip(&counts[0]).flat_map(part).collect();
            let mut got = vec![0u64; counts[1].iter().map(|&count| count as usize).sum()];
            let send = Partition::new(&sent[..], &counts[0][..], &places[0][..]);
            let mut get = PartitionMut::new(&mut got[..], &counts[1][..], &places[1][..]);
            self.0.all_to_all_varcount_into(&send, &mut get);
            let mut left = &got[..];
            for (words, &count) in came.iter_mut().zip(&counts[1]) {
                let (part, rest) = left.split_at(count as usize);
                words.extend_from_slice(part);
                left = rest;
            }
        }
        came
    }

    fn or(&self, words: &mut [u64]) {
        for part in words.chunks_mut(TOGETHER) {
            let own = part.to_vec();
            self.0.all_reduce_into(&own[..], part, SystemOperation::bitwise_or());
        }
    }

    fn sum(&self, numbers: &mut [u64]) {
        let own = numbers.to_vec();
        self.0.all_reduce_into(&own[..], numbers, SystemOperation::sum());
    }
}

/// Where parts begin that stand one after the other.
fn places(counts: &[i32]) -> Vec<i32> {
    let place = |next: &mut i32, &count: &i32| {
        *next += count;
        Some(*next - count)
    };
    counts.iter().scan(0, place).collect()
}

/// What is wrong with how the processes were started, if anything is.
fn wrong_start(size: usize, threading: Threading) -> Option<String> {
    if threading < Threading::Funneled {
        return Some("this MPI library does not let a process have several threads".to_owned());
    }
    // The mpirun of Open MPI, that of another MPI library, or srun says how many processes it has started. mpirun also hands on
    // what an srun around it said.
    let names = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"];
    let started = names.iter().find_map(|name| std::env::var(name).ok())?.parse::<usize>().ok()?;
    // Where this MPI library does not know who has started them, each process takes itself for the only one.
    (size == 1 && started > 1).then(|| {
        format!(
            "{started} processes were started, and each takes itself for the only one\n  \
             next: srun --mpi=list names what Slurm can do, such as srun --mpi=pmix; or use the mpirun of the \
             MPI library that the program was built with"
        )
    })
}

fn main() -> ExitCode {
    let Some((universe, threading)) = initialize_with_threading(Threading::Funneled) else {
        eprintln!("error: MPI cannot be used: it was begun already");
        return ExitCode::from(4);
    };
    let wire = Mpi(universe.world());
    if let Some(wrong) = wrong_start(wire.size(), threading) {
        eprintln!("error: {wrong}");
        return ExitCode::from(4);
    }
    // A process that unwinds would wait in MPI_Finalize for others that wait for it: all are to end.
    let ended = panic::catch_unwind(AssertUnwindSafe(|| gobprove::cli::main_over(&wire)));
    ended.unwrap_or_else(|_| wire.0.abort(101))
}
