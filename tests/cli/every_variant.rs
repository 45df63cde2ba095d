//! Every command on every named variant and on the whole set, under each reading: an answer or one clear error.

use super::thorough::thorough;
use super::{Ran, command};

const VARIANTS: [&str; 7] = ["ab", "ab-full", "abc", "abc-full", "abcd", "abcd-full", "A3B3C3D3-A3B3C3D3"];

const READINGS: [&str; 5] = ["official", "thesis", "strict-lift", "no-entry-cover", "robust"];

const START: &str = ".,.,.,./.,.,.,./.,.,.,./.,.,.,. w";

/// With so little memory that what would take long is refused.
const COMMANDS: [&[&str]; 15] = [
    &["count", "V"],
    &["estimate", "V", "--memory", "1M"],
    &["explain", START, "--variant", "V", "--reading", "R"],
    &["query", "V", START, "--reading", "R"],
    &["perft", "1", "--variant", "V", "--reading", "R"],
    &["generate", "V", "--memory", "100K", "--reading", "R"],
    &["generate", "V", "--memory", "100K", "--reading", "R", "--discipline", "A=2"],
    &["generate", "V", "--memory", "100K", "--reading", "R", "--kind", "cut"],
    &["refute", "V", "--memory", "100K", "--reading", "R"],
    &["refute", "V", "--memory", "100K", "--reading", "R", "--dir", "work"],
    &["refute", "V", "--memory", "100K", "--reading", "R", "--discipline", "a=1"],
    &["solve", "V", "--memory", "100K", "--reading", "R"],
    &["solve", "V", "--memory", "100K", "--reading", "R", "--no-file", "--dir", "work"],
    &["export", "V", "--memory", "100K", "--reading", "R", "--out", "graph"],
    &["prove", "V", "--memory", "100K", "--reading", "R"],
];

#[test]
fn every_command_ends_in_an_answer_or_one_clear_error() {
    let own = tempfile::tempdir().expect("a directory");
    let (mut answers, mut errors) = (0, 0);
    for (row, pattern) in COMMANDS.into_iter().enumerate() {
        for (column, variant) in VARIANTS.into_iter().enumerate() {
            // By day each command takes a third of the variants, and another reading with each.
            let some = !thorough();
            if some && (row + column) % 3 != 0 {
                continue;
            }
            let first = if some { (row + column) % READINGS.len() } else { 0 };
            for reading in READINGS.into_iter().skip(first).take(if some { 1 } else { READINGS.len() }) {
                let filled = |word: &&'static str| match *word {
                    "V" => variant,
                    "R" => reading,
                    word => word,
                };
                let arguments: Vec<&str> = pattern.iter().map(filled).collect();
                let ran = Ran::of(command(&arguments).current_dir(own.path()));
                match ran.code {
                    // Nothing is known of the position, or nothing is proven.
                    Some(0 | 3) => answers += 1,
                    // The claim is false.
                    Some(1) if ran.stderr.contains("nothing to certify") => answers += 1,
                    Some(2 | 4) if ran.stderr.matches("error: ").count() == 1 => errors += 1,
                    _ => panic!("{arguments:?}: {ran:?}"),
                }
                if !pattern.contains(&"R") {
                    break;
                }
            }
        }
    }
    let least = if thorough() { [50, 200] } else { [5, 20] };
    assert!(answers > least[0] && errors > least[1], "{answers} answers, {errors} errors");
}
