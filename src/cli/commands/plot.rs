//! `gobprove plot`: charts of what other commands print as JSON.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::Value;

use crate::cli::console::args;
use crate::cli::console::exit::{Ended, Exit, Failure, shown};
use crate::cli::console::report::{Out, grouped};
use crate::picture::{Bar, Curve, bars, curves, png};
use crate::store::{System, write_file};

const AFTER_HELP: &str = "\
The chart goes to stdout as SVG, or with --png as PNG into a file. A FILE holds what a command printed
with --json; - is stdin.

Examples:
  gobprove plot ladder certificates/ladder/*.json > ladder.svg
  gobprove plot ladder certificates/ladder/*.json --png ladder.png
  gobprove solve ab --distances --json | gobprove plot plies - > plies.svg
  gobprove prove ab --json | gobprove plot growth - > growth.svg
  gobprove match level:1 random --games 2 --json | gobprove plot match - > match.svg";

/// Draw a chart, as SVG or PNG, of what another command printed with --json
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct PlotArgs {
    /// What to draw
    what: What,
    /// What the command printed
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Paint the chart into this file, as PNG, instead of printing it as SVG
    #[arg(long, value_name = "FILE", value_parser = args::output())]
    png: Option<PathBuf>,
}

/// The charts.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum What {
    /// Which part of each solved variant is safe and lost, from gobprove solve
    Ladder,
    /// In how many plies lost positions are lost, from gobprove solve --distances
    Plies,
    /// How closures grow, from gobprove prove
    Growth,
    /// What players scored against each other, from gobprove match
    Match,
}

/// White wins.
const WON: &str = "#2471a3";
/// White holds.
const SAFE: &str = "#a9cce3";
/// Black wins.
const LOST: &str = "#c0392b";

/// The colours of curves, in turn.
const COLOURS: [&str; 6] = ["#2471a3", "#c0392b", "#1e8449", "#7d3c98", "#b9770e", "#555"];

impl PlotArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// A file cannot be read, or is not what the command prints; or the PNG cannot be written.
    pub fn run(&self) -> Ended {
        let told: Vec<Told> =
            self.files.iter().map(|file| Told::read(file, self.what)).collect::<Result<_, _>>()?;
        let svg = match self.what {
            What::Ladder => ladder(&told)?,
            What::Plies => plies(&told)?,
            What::Growth => growth(&told)?,
            What::Match => scores(&told)?,
        };
        match &self.png {
            Some(file) => {
                let png = png(&svg).map_err(Failure::unavailable)?;
                write_file(&System, file, &png)?;
            }
            None => Out::new().verbatim(svg.trim_end())?,
        }
        Ok(Exit::Done)
    }
}

/// What a command printed.
struct Told {
    json: Value,
    file: String,
    what: What,
}

impl Told {
    fn read(file: &Path, what: What) -> Result<Told, Failure> {
        let is_stdin = file == Path::new("-");
        let name = if is_stdin { "stdin".to_owned() } else { shown(file) };
        let mut text = String::new();
        let read = match is_stdin {
            true => std::io::stdin().read_to_string(&mut text).map(drop),
            false => fs::read_to_string(file).map(|read| text = read),
        };
        read.map_err(|error| Failure::unavailable(format!("cannot read {name}: {error}")).at(&name))?;
        let json = serde_json::from_str(&text).unwrap_or_default();
        Ok(Told { json, file: name, what })
    }

    /// A part of what was printed, by a path such as `/counts/white_to_move`.
    fn part<'a, T>(&'a self, path: &str, of: impl Fn(&'a Value) -> Option<T>) -> Result<T, Failure> {
        self.json.pointer(path).and_then(of).ok_or_else(|| self.is_wrong())
    }

    /// The failure if this is not what the command prints.
    fn is_wrong(&self) -> Failure {
        let command = match self.what {
            What::Ladder => "solve VARIANT --json",
            What::Plies => "solve VARIANT --distances --json",
            What::Growth => "prove VARIANT --json",
            What::Match => "match PLAYER PLAYER --json",
        };
        let next = format!("give what gobprove {command} prints: this chart is drawn from it");
        Failure::usage(format!("{} is not the JSON of gobprove {command}", self.file))
            .at(&self.file)
            .next(next)
    }

    /// The variant and the reading, and the discipline if there is one.
    fn name(&self) -> Result<String, Failure> {
        let [variant, reading] =
            [self.part("/variant", Value::as_str)?, self.part("/reading", Value::as_str)?];
        let discipline = self.part("/discipline", Value::as_str).unwrap_or_default();
        Ok(format!("{variant} {reading} {discipline}").trim_end().to_owned())
    }
}

/// A count, which is a string where it is large.
fn count(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

fn ladder(told: &[Told]) -> Result<String, Failure> {
    let bar = |told: &Told| {
        let side = told.part("/counts/white_to_move", Some)?;
        let of = |name: &str| side.get(name).and_then(count);
        let parts = match (of("wins"), of("draws"), of("losses"), of("safe"), of("lost")) {
            (Some(wins), Some(draws), Some(losses), ..) => vec![(wins, WON), (draws, SAFE), (losses, LOST)],
            (.., Some(safe), Some(lost)) => vec![(safe, SAFE), (lost, LOST)],
            _ => return Err(told.is_wrong()),
        };
        let all: f64 = parts.iter().map(|(count, _)| count).sum();
        let parts = parts.into_iter().map(|(count, colour)| (count / all.max(1.0), colour)).collect();
        let value = told.part("/value", Value::as_str)?;
        let note = format!("{value}, {} positions", grouped(all as u128));
        Ok((all, Bar { label: told.name()?, parts, note }))
    };
    let mut rows: Vec<(f64, Bar)> = told.iter().map(bar).collect::<Result<_, _>>()?;
    rows.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let rows: Vec<Bar> = rows.into_iter().map(|(_, bar)| bar).collect();
    let legend = [("White wins", WON), ("White holds", SAFE), ("Black wins", LOST)];
    Ok(bars("Positions with White to move, and the value of the empty board", &legend, &rows))
}

fn plies(told: &[Told]) -> Result<String, Failure> {
    let mut counted = Vec::new();
    for told in told {
        for one in told.part("/lost_in", Value::as_array)? {
            let [plies, positions] = ["plies", "positions"].map(|name| one.get(name).and_then(count));
            let [plies, positions] = [plies, positions].map(|number| number.ok_or_else(|| told.is_wrong()));
            counted.push((told.name()?, plies?, positions?));
        }
    }
    // A logarithm, since counts differ by orders of magnitude from ply to ply. The 1 lets one position be seen.
    let length = |positions: f64| (1.0 + positions).ln();
    let most = counted.iter().map(|(.., positions)| length(*positions)).fold(1.0, f64::max);
    let several = told.len() > 1;
    let bar = |(name, plies, positions): (String, f64, f64)| {
        let label = if several { format!("{name}: {plies} plies") } else { format!("{plies} plies") };
        Bar { label, parts: vec![(length(positions) / most, LOST)], note: grouped(positions as u128) }
    };
    let rows: Vec<Bar> = counted.into_iter().map(bar).collect();
    let name = if several { "solved variants".to_owned() } else { told[0].name()? };
    let legend = [("canonical positions with White to move; the length is the logarithm", LOST)];
    Ok(bars(
        &format!("In how many plies Black wins lost positions of {name}, from three plies on"),
        &legend,
        &rows,
    ))
}

fn growth(told: &[Told]) -> Result<String, Failure> {
    let (mut lines, mut names) = (Vec::new(), Vec::new());
    for (told, colour) in told.iter().zip(COLOURS.into_iter().cycle()) {
        let samples = told.part("/curve", Value::as_array)?;
        for (member, is_dashed) in [("positions", false), ("open", true)] {
            let point = |sample: &Value| Some([count(sample.get("expanded")?)?, count(sample.get(member)?)?]);
            let points: Option<Vec<[f64; 2]>> = samples.iter().map(point).collect();
            lines.push(Curve { colour, is_dashed, points: points.ok_or_else(|| told.is_wrong())? });
        }
        names.push((told.name()?, colour));
    }
    let legend: Vec<(&str, &str)> = names.iter().map(|(name, colour)| (name.as_str(), *colour)).collect();
    let title = "How closures grow: positions, and dashed those that are still open";
    Ok(curves(title, &legend, ["expanded", "positions"], &lines, &|most| grouped(most as u128)))
}

fn scores(told: &[Told]) -> Result<String, Failure> {
    let mut rows = Vec::new();
    for told in told {
        for pair in told.part("/pairs", Value::as_array)? {
            let [one, two] = ["player", "against"].map(|name| pair.get(name).and_then(Value::as_str));
            let counts =
                ["games", "won", "drawn", "lost", "median_moves"].map(|name| pair.get(name).and_then(count));
            let (Some(one), Some(two), [Some(games), Some(won), Some(drawn), Some(lost), Some(moves)]) =
                (one, two, counts)
            else {
                return Err(told.is_wrong());
            };
            let part = |count: f64| count / games.max(1.0);
            rows.push(Bar {
                label: format!("{one} against {two}"),
                parts: vec![(part(won), WON), (part(drawn), SAFE), (part(lost), LOST)],
                note: format!("{:.1} % of {games} games, {moves} moves", 100.0 * part(won + drawn / 2.0)),
            });
        }
    }
    let legend = [("won", WON), ("drawn", SAFE), ("lost", LOST)];
    Ok(bars(&format!("Games of {}, and the median number of moves", told[0].name()?), &legend, &rows))
}
