//! Trying a target on inputs and on what becomes of them by small changes.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use super::targets::Target;
use super::targets::random::Random;

/// Inputs do not grow beyond this.
const LONGEST: usize = 1 << 16;

pub struct Campaign {
    target: Target,
    seeds: Vec<Vec<u8>>,
    random: Random,
}

/// What a campaign has done.
#[derive(Default, Debug)]
pub struct Done {
    /// Inputs besides the seeds.
    pub made: u64,
    pub past_first_door: u64,
    pub elapsed: Duration,
}

/// An input on which the target panicked, and its words.
#[derive(Debug)]
pub struct Found {
    pub input: Vec<u8>,
    pub words: String,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex: String = self.input.iter().map(|byte| format!("{byte:02x}")).collect();
        write!(f, "{}\non the input {hex}", self.words)
    }
}

impl Campaign {
    pub fn new(target: Target, seeds: Vec<Vec<u8>>) -> Campaign {
        assert!(!seeds.is_empty(), "a campaign begins from something");
        Campaign { target, seeds, random: Random(1) }
    }

    /// Tries every seed, and then for so long what becomes of them.
    pub fn run(&mut self, time: Duration) -> Result<Done, Found> {
        let mut done = Done::default();
        for seed in &self.seeds {
            done.past_first_door += u64::from(self.try_one(seed)?);
        }
        let started = Instant::now();
        while started.elapsed() < time {
            let input = self.changed();
            done.made += 1;
            done.past_first_door += u64::from(self.try_one(&input)?);
        }
        done.elapsed = started.elapsed();
        Ok(done)
    }

    fn try_one(&self, input: &[u8]) -> Result<bool, Found> {
        catch_unwind(AssertUnwindSafe(|| (self.target)(input))).map_err(|payload| {
            let text = payload.downcast_ref::<String>().cloned();
            let words = text.or_else(|| payload.downcast_ref::<&str>().map(|&text| text.to_owned()));
            Found { input: input.to_vec(), words: words.unwrap_or_else(|| "a panic".to_owned()) }
        })
    }

    /// A seed with a few changes.
    fn changed(&mut self) -> Vec<u8> {
        let random = &mut self.random;
        let mut input = self.seeds[random.below(self.seeds.len())].clone();
        for _ in 0..=random.below(4) {
            let at = random.below(input.len() + 1);
            let len = random.below(9).min(input.len() - at);
            match random.below(7) {
                0 if at < input.len() => input[at] ^= 1 << random.below(8),
                1 if at < input.len() => input[at] = [0, 1, 0x7F, 0x80, 0xFF][random.below(5)],
                2 if at < input.len() => input[at] = random.below(256) as u8,
                3 => drop(input.drain(at..at + len)),
                4 => input.insert(at, random.below(256) as u8),
                5 => {
                    let twice = input[at..at + len].to_vec();
                    input.splice(at..at, twice);
                }
                _ => {
                    let other = &self.seeds[random.below(self.seeds.len())];
                    let from = random.below(other.len() + 1);
                    let end = (from + random.below(64)).min(other.len());
                    input.splice(at..at + len, other[from..end].iter().copied());
                }
            }
        }
        input.truncate(LONGEST);
        input
    }
}

#[test]
fn a_fault_is_found_and_its_input_told() {
    let target: Target = |input| {
        assert!(!input.contains(&0xFF), "a byte of ones");
        true
    };
    let found = Campaign::new(target, vec![vec![0; 4]]).run(Duration::from_secs(60));
    let found = found.expect_err("some change makes such a byte");
    assert!(found.input.contains(&0xFF) && found.words == "a byte of ones", "{found:?}");
    assert!(found.to_string().contains("ff"));
}

#[test]
fn a_seed_at_fault_is_found_at_once() {
    let found = Campaign::new(|input| input[0] == 0, vec![vec![0], vec![]]).run(Duration::ZERO);
    assert!(found.expect_err("the second seed has no byte").input.is_empty());
}
