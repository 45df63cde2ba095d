//! Runs the program on several ranks of one machine, by `mpirun`.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use gobprove::bitbase::{Keep, Solution, Value as Worth};
use gobprove::enumerate::Discipline;
use gobprove::passes::solve_within;
use gobprove::prelude::*;
use gobprove::rules::{Color, Game, Reading};
use gobprove::store::{Checkpoint, SavedTiers};
use gobprove::strategy::Seed;
use serde_json::Value;

/// A rank has one thread: the machine may have fewer cores than ranks.
fn mpirun(ranks: usize, arguments: &[&str]) -> Command {
    let mut command = Command::new("mpirun");
    // Open MPI asks twice whether root is meant, and wants to be told of more ranks than cores.
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command.args(["--oversubscribe", "-n", &ranks.to_string()]);
    command.arg(assert_cmd::cargo::cargo_bin!("gobprove-mpi")).args(arguments).args(["--threads", "1"]);
    command.stdin(Stdio::null());
    command
}

fn solved(ranks: usize, variant: &str, reading: Reading, more: &[&str]) -> Output {
    let mut arguments = vec!["solve", variant, "--reading", reading.tag(), "--json"];
    arguments.extend(more);
    mpirun(ranks, &arguments).output().expect("mpirun is installed")
}

fn alone(variant: &str, reading: Reading, saving: Option<&Path>) -> Solution {
    let game = Game::new(variant.read().expect("a variant"), reading);
    let opened =
        saving.map(|dir| Checkpoint::<SavedTiers>::open(dir, &game, Seed::Rules, false).expect("the files"));
    let mut checkpoint = opened;
    let go_on = &mut |_| std::ops::ControlFlow::Continue(());
    solve_within(&game, Discipline::FREE, Keep::Needed, checkpoint.as_mut(), go_on).expect("memory and disk")
}

/// Says that the ranks reported what one process finds: the value, the rounds, and the counts of each tier.
#[track_caller]
fn is_told(output: &Output, solution: &Solution) {
    assert!(output.status.success(), "{output:?}");
    let told: Value = serde_json::from_slice(&output.stdout).expect("one JSON value, of one rank");
    let value = if solution.value(Color::White).min(solution.value(Color::Black)) == Worth::Loss {
        "lost"
    } else {
        "draw"
    };
    assert_eq!((&told["value"], &told["rounds"]), (&value.into(), &solution.rounds().into()));
    let outcomes = solution.outcomes();
    let tiers = told["tiers"].as_array().expect("tiers");
    assert_eq!(tiers.len(), outcomes.len());
    for (tier, outcome) in tiers.iter().zip(outcomes) {
        assert_eq!(tier["tier"], outcome.tier.to_string());
        for (side, turn) in [("white_to_move", Color::White), ("black_to_move", Color::Black)] {
            let counts =
                [&tier[side]["safe"], &tier[side]["lost"]].map(|count| count.as_u64().map(u128::from));
            assert_eq!(
                counts,
                [outcome.held[turn].safe, outcome.held[turn].lost].map(Some),
                "{}",
                outcome.tier
            );
        }
    }
}

#[test]
fn the_ranks_find_what_one_process_finds() {
    for (variant, reading) in [("A2-A2B2", Reading::Official), ("A1B1-A2B1C1", Reading::Thesis)] {
        let solution = alone(variant, reading, None);
        for ranks in [1, 2, 4] {
            is_told(&solved(ranks, variant, reading, &[]), &solution);
        }
    }
}

/// The processes of a run in a directory, by their numbers.
fn ranks_of(dir: &str) -> Vec<String> {
    let read =
        |pid: &str, what: &str| std::fs::read_to_string(format!("/proc/{pid}/{what}")).unwrap_or_default();
    let entries = std::fs::read_dir("/proc").expect("Linux").filter_map(Result::ok);
    let pids = entries.filter_map(|entry| entry.file_name().into_string().ok());
    pids.filter(|pid| read(pid, "comm").trim() == "gobprove-mpi" && read(pid, "cmdline").contains(dir))
        .collect()
}

#[test]
fn a_rank_that_is_killed_ends_the_run_and_it_goes_on_from_its_files() {
    let (variant, reading) = ("A3-A3B2C1", Reading::Official);
    let solution = alone(variant, reading, None);
    let own = tempfile::tempdir().expect("a directory");
    let dir = own.path().join("work");
    let at = dir.to_str().expect("a plain path");
    // What the run goes on from.
    is_saved_by_a_signal(variant, &dir);
    let mut run = mpirun(3, &["solve", variant, "--dir", at])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it runs");
    let begun = Instant::now();
    while ranks_of(at).len() < 3 {
        assert!(begun.elapsed() < Duration::from_secs(60), "the run does not begin");
        std::thread::sleep(Duration::from_millis(5));
    }
    kill("-KILL", &ranks_of(at)[..1]);
    let ended = run.wait().expect("it ends");
    assert!(!ended.success(), "the run ends with its rank");
    // Another number of ranks ends it, and one process of gobprove reads what they leave.
    is_told(&solved(2, variant, reading, &["--dir", at]), &solution);
    let again = alone(variant, reading, Some(&dir));
    assert_eq!(again.outcomes(), solution.outcomes());
}

/// Sends a signal to processes, by their numbers.
#[track_caller]
fn kill(signal: &str, ranks: &[String]) {
    assert!(!ranks.is_empty(), "no rank runs");
    assert!(Command::new("kill").arg(signal).args(ranks).status().expect("kill is installed").success());
}

/// As Slurm does it before the time is up.
#[test]
fn a_signal_to_all_ranks_has_them_save_and_end() {
    let (variant, reading) = ("A3-A3B2C1", Reading::Official);
    let own = tempfile::tempdir().expect("a directory");
    let dir = own.path().join("work");
    is_saved_by_a_signal(variant, &dir);
    let at = dir.to_str().expect("a plain path");
    is_told(&solved(2, variant, reading, &["--dir", at]), &alone(variant, reading, None));
}

/// Begins a run in a directory and ends it by a signal to all its ranks when it has written something.
#[track_caller]
fn is_saved_by_a_signal(variant: &str, dir: &Path) {
    let at = dir.to_str().expect("a plain path");
    let run =
        mpirun(2, &["solve", variant, "--dir", at]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
    let run = run.expect("it runs");
    let begun = Instant::now();
    while !dir.join("block-0000-0000.bin").exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "the run writes nothing");
        std::thread::sleep(Duration::from_millis(5));
    }
    kill("-TERM", &ranks_of(at));
    let ended = run.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(!ended.status.success() && said.matches("error: interrupted").count() == 1, "{said}");
    assert!(dir.join("manifest.bin").exists(), "what was written counts");
}

#[test]
fn what_one_rank_cannot_do_ends_all() {
    let few = solved(2, "A3-A3B2", Reading::Official, &["--memory", "10K"]);
    let said = String::from_utf8_lossy(&few.stderr);
    assert!(
        !few.status.success() && said.matches("of memory, and 10 KiB may be taken").count() == 1,
        "{said}"
    );
    // Both ranks are refused, and the first of them speaks for both.
    assert!(!said.contains("another process"), "{said}");
    let told: Value = serde_json::from_slice(&few.stdout).expect("one JSON value, of one rank");
    assert_eq!(told["code"], "unavailable");
}

#[test]
fn tasks_that_do_not_know_of_each_other_end() {
    // As srun starts them where it does not tell its tasks of each other.
    let mut lonely = Command::new(assert_cmd::cargo::cargo_bin!("gobprove-mpi"));
    lonely.args(["solve", "A2-A2B2"]).envs([("SLURM_NTASKS", "4"), ("SLURM_STEP_NUM_TASKS", "4")]);
    let lonely = lonely.output().expect("it runs");
    let said = String::from_utf8_lossy(&lonely.stderr);
    assert!(lonely.status.code() == Some(4) && said.contains("takes itself for the only one"), "{said}");
    // In a job of four tasks one rank may be meant.
    let mut one = mpirun(1, &["solve", "A2-A2B2"]);
    let one = one.envs([("SLURM_NTASKS", "4"), ("SLURM_STEP_NUM_TASKS", "4")]).output().expect("it runs");
    assert!(one.status.success(), "{one:?}");
}
