//! How much memory a command may take. The need is compared with the limit before anything is allocated.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use clap::Args;

use super::args::Talk;
use super::exit::Failure;
use super::progress::Progress;
use crate::enumerate::Discipline;
use crate::passes;
use crate::rules::Variant;

/// More memory than any one machine has, in bytes.
const LARGEST: u128 = 1 << 46;

/// Whether this is more memory than any one machine has.
#[must_use]
pub fn no_machine_has(bytes: u128) -> bool {
    bytes > LARGEST
}

/// The memory that a command may take.
#[derive(Args, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// The most memory to take, such as 800M or 16G [default: four fifths of what is free]
    #[arg(long = "memory", value_name = "SIZE", value_parser = size)]
    limit: Option<u64>,
}

impl Memory {
    /// Whether a limit was given.
    #[must_use]
    pub fn is_given(self) -> bool {
        self.limit.is_some()
    }

    /// The most memory to take, in bytes.
    #[must_use]
    pub fn most(self) -> u64 {
        self.limit.unwrap_or_else(|| available().map_or(u64::MAX, |free| free / 5 * 4))
    }

    /// As [`Memory::allow`], where one side keeps to a discipline. `needed` builds a table of what the discipline leaves of
    /// the variant, so the memory for that table is checked first.
    ///
    /// # Errors
    /// It needs more than may be taken.
    pub fn allow_within(
        self,
        variant: Variant,
        discipline: Discipline,
        needed: impl FnOnce() -> u128,
        talk: Talk,
    ) -> Result<(), Failure> {
        // Counting what a discipline leaves of a large variant takes a while.
        let _progress = Progress::new(format!("reckoning the memory for {variant}"), talk);
        self.allow(variant, passes::bytes_of_table(variant, discipline))?;
        self.allow(variant, needed())
    }

    /// As [`Memory::allow`] for work that needs `more` bytes beside the `held` bytes that are taken already. A limit that was
    /// given is for both. What the system has free does not contain what is held.
    ///
    /// # Errors
    /// It needs more than may be taken.
    pub fn allow_more(self, game: impl Display, held: u128, more: u128) -> Result<(), Failure> {
        self.allow(game, more + if self.is_given() { held } else { 0 })
    }

    /// Lets work begin that needs `needed` bytes.
    ///
    /// # Errors
    /// It needs more than may be taken.
    pub fn allow(self, game: impl Display, needed: u128) -> Result<(), Failure> {
        let limit = self.most();
        if needed <= u128::from(limit) {
            return Ok(());
        }
        let what =
            format!("{game} needs {} of memory, and {} may be taken", shown(needed), shown(limit.into()));
        let next = if no_machine_has(needed) {
            "take a smaller variant: no machine has that much"
        } else {
            "give more with --memory, or take a smaller variant"
        };
        Err(Failure::unavailable(what).next(next))
    }
}

/// Reads a size: bytes, or with K, M, G or T in powers of 1024.
///
/// # Errors
/// The text is no size above 0, or too large; the message says what a size looks like.
pub fn size(text: &str) -> Result<u64, String> {
    let wrong = || "give a number of bytes, or one with K, M, G or T such as 16G".to_owned();
    let (digits, unit) = match text.char_indices().last() {
        Some((at, letter)) if letter.is_ascii_alphabetic() => (&text[..at], letter.to_ascii_uppercase()),
        _ => (text, 'B'),
    };
    let power = ['B', 'K', 'M', 'G', 'T'].iter().position(|&u| u == unit).ok_or_else(wrong)?;
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(1 << (10 * power)).filter(|&bytes| bytes > 0).ok_or_else(wrong)
}

/// A size for people, rounded up to the unit.
#[must_use]
pub fn shown(bytes: u128) -> String {
    let units = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let power = (0..units.len()).rev().find(|&power| bytes >> (10 * power) >= 10).unwrap_or(0);
    format!("{} {}", bytes.div_ceil(1 << (10 * power)), units[power])
}

/// The memory that can be had, in bytes: the least of what the system has free, of what `ulimit -v` still leaves the process,
/// and of what its control groups leave it. `None` where the system says none of these.
fn available() -> Option<u64> {
    let free = read("/proc/meminfo").and_then(|text| kib(&text, "MemAvailable:"));
    let left = read("/proc/self/limits").and_then(|text| address_space(&text)).map(|most| {
        let taken = read("/proc/self/status").and_then(|text| kib(&text, "VmSize:"));
        most.saturating_sub(taken.unwrap_or(0))
    });
    let groups = read("/proc/self/cgroup").unwrap_or_default();
    let in_groups = group_files(&groups).into_iter().filter_map(|files| {
        let [limit, taken, stat] = files.map(read);
        left_in_group(&limit?, &taken?, &stat.unwrap_or_default())
    });
    free.into_iter().chain(left).chain(in_groups).min()
}

/// A text of the system; `None` if it cannot be read.
fn read(path: impl AsRef<Path>) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// The files of the control groups that may limit the memory of the process: the limit, what is taken, and the statistics.
/// Containers and batch systems set such limits. `groups` names the groups as `/proc/self/cgroup` does. A limit of any group
/// around them holds too. Inside a container the path may be that of the host, and only the outermost group is there.
fn group_files(groups: &str) -> Vec<[PathBuf; 3]> {
    let mut files = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { continue };
        let (root, limit, taken) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max", "memory.current"),
            _ if controllers.split(',').any(|controller| controller == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes")
            }
            _ => continue,
        };
        for group in Path::new(path.trim_start_matches('/')).ancestors() {
            files.push([limit, taken, "memory.stat"].map(|name| Path::new(root).join(group).join(name)));
        }
    }
    files
}

/// What the limit of a control group leaves, in bytes, by the texts of its files; `None` if it has no limit. What is cached of
/// files gives way, so it counts as free.
fn left_in_group(limit: &str, taken: &str, stat: &str) -> Option<u64> {
    let limit: u64 = limit.trim().parse().ok()?;
    let taken: u64 = taken.trim().parse().ok()?;
    let number = |name: &str| -> Option<u64> {
        stat.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
    };
    // In the first version of control groups the plain numbers leave out the groups inside this one.
    let cached = [["total_inactive_file ", "inactive_file "], ["total_active_file ", "active_file "]];
    let cached: u64 = cached.map(|names| names.into_iter().find_map(number).unwrap_or(0)).iter().sum();
    Some(limit.saturating_sub(taken.saturating_sub(cached)))
}

/// The size after `name` in a text that gives it in kB, converted to bytes.
fn kib(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// The most address space that the process may take, in bytes; `None` for any amount.
fn address_space(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prelude::*;

    #[test]
    fn sizes_are_read() {
        for (text, bytes) in [("1", 1), ("2K", 2048), ("3m", 3 << 20), ("16G", 16 << 30), ("1T", 1 << 40)] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for bad in ["", "0", "G", "-1G", "1.5G", "1X", "99999999999T", "16 G", "1é"] {
            assert!(size(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn too_much_is_refused_with_both_sizes() {
        let variant: Variant = "ab".read().expect("a variant");
        let memory = Memory { limit: Some(1 << 30) };
        assert_eq!(memory.allow(variant, 1 << 30), Ok(()));
        let refused = memory.allow(variant, 30 << 30).expect_err("too much").to_string();
        assert!(refused.contains("30 GiB") && refused.contains("1024 MiB"), "{refused}");
        // Where no machine has enough, advice to give more would be useless.
        let advises_more = |needed| {
            let refused = memory.allow(variant, needed).expect_err("too much");
            format!("{refused:?}").contains("--memory")
        };
        assert!(advises_more(30 << 30) && !advises_more(1 << 64));
    }

    #[test]
    fn a_limit_that_was_given_is_for_what_is_held_too() {
        let memory = Memory { limit: Some(1 << 30) };
        assert_eq!(memory.allow_more("it", 1 << 29, 1 << 29), Ok(()));
        assert!(memory.allow_more("it", 1 << 29, 1 + (1 << 29)).is_err());
        assert_eq!(Memory { limit: None }.allow_more("it", 1 << 60, 1), Ok(()));
    }

    #[test]
    fn control_groups_limit_the_memory() {
        let names = |groups: &str| -> Vec<String> {
            let limit = |[limit, ..]: [PathBuf; 3]| limit.display().to_string();
            group_files(groups).into_iter().map(limit).collect()
        };
        let second = ["/sys/fs/cgroup/job/step/memory.max", "/sys/fs/cgroup/job/memory.max"];
        assert_eq!(names("0::/job/step\n"), [&second[..], &["/sys/fs/cgroup/memory.max"]].concat());
        let first = ["/sys/fs/cgroup/memory/a:b/memory.limit_in_bytes"];
        let root = ["/sys/fs/cgroup/memory/memory.limit_in_bytes"];
        assert_eq!(names("9:name=systemd:/x\n4:cpu,memory:/a:b\n"), [first, root].concat());
        assert!(names("nothing\n").is_empty());

        assert_eq!(left_in_group("8192\n", "5000\n", ""), Some(3192));
        let cached = "anon 4\ninactive_file 1000\nactive_file 500\n";
        assert_eq!(left_in_group("8192\n", "5000\n", cached), Some(4692));
        let both = "inactive_file 10\ntotal_inactive_file 1000\n";
        assert_eq!(left_in_group("8192\n", "9000\n", both), Some(192));
        assert_eq!(left_in_group("max\n", "5000\n", ""), None);
    }

    #[test]
    fn what_the_system_says_is_read() {
        let meminfo = "MemTotal:       24000000 kB\nMemAvailable:   20480 kB\n";
        assert_eq!(kib(meminfo, "MemAvailable:"), Some(20 << 20));
        assert_eq!(kib(meminfo, "SwapFree:"), None);
        let limits = |soft| {
            format!(
                "Limit   Soft Limit   Hard Limit   Units\nMax address space   {soft}   unlimited   bytes\n"
            )
        };
        assert_eq!(address_space(&limits("1048576")), Some(1 << 20));
        assert_eq!(address_space(&limits("unlimited")), None);
    }
}
