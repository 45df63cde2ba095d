//! `gobprove status`: what is proven, of one variant or of all.

use std::collections::BTreeMap;

use clap::Args;
use serde_json::{Value, json};

use super::explain::basis::is_solved_on_the_spot;
use crate::cli::console::args::{self, Format};
use crate::cli::console::exit::{Ended, Exit};
use crate::cli::console::lattice::{MATERIALS, computed, reason, settled_by};
use crate::cli::console::report::{Align, Out, Table};
use crate::cli::console::shipped::{SHIPPED, Shipped};
use crate::rules::{Game, Material, Reading, Variant};
use crate::store::Claim;

const AFTER_HELP: &str = "\
Nothing is checked: the answer goes by the list of certificates that ship, and `gobprove verify VARIANT`
checks the one that is named. More white pieces never hurt White, and more black ones never hurt Black,
so one certificate settles many variants.

Examples:
  gobprove status                      all variants: a row for White's material, a column for Black's
  gobprove status A3-A3B2              one variant, under each reading
  gobprove status --reading thesis --json

A value is computed where gobprove solve found it and no certificate proves it: right if the solver is right.

Keys of the JSON object: for one variant, variant and readings (reading, value, file, because, computed);
for all, reading, draw, lost and open (how many of each), variants (white, black, value, file, computed).
A value is draw, lost or open; because is null where the file is for the very game; computed is draw or
lost if a value that is open was computed, else null.";

/// Say what is proven: of one variant, or of all
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct StatusArgs {
    /// A variant: a name or material spelled out [default: all]
    #[arg(value_parser = args::variant)]
    variant: Option<Variant>,
    /// How the rules are read [default: each for one variant, official for all]
    #[arg(long, value_parser = args::reading())]
    reading: Option<Reading>,
    #[command(flatten)]
    format: Format,
}

/// What is proven, in a word.
fn value(by: Option<&Shipped>) -> &'static str {
    by.map_or("open", |shipped| shipped.kind.value())
}

/// A black material, and the certificate that settles the variant if one does, or else what was computed of it.
type Settled = (Material, Option<&'static Shipped>, Option<Claim>);

impl StatusArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The result cannot be written.
    pub fn run(&self) -> Ended {
        let mut out = Out::new();
        match (self.variant, self.format.json) {
            (Some(variant), true) => out.json(&self.json_of_one(variant))?,
            (Some(variant), false) => out.line(&self.text_of_one(variant))?,
            (None, true) => out.json(&self.json_of_all())?,
            (None, false) => out.line(&self.text_of_all())?,
        }
        Ok(Exit::Done)
    }

    /// A variant under the readings that are asked for, and what settles each.
    fn games(&self, variant: Variant) -> impl Iterator<Item = (Game, Option<&'static Shipped>)> {
        let asked =
            Reading::ALL.into_iter().filter(|reading| self.reading.is_none_or(|asked| asked == *reading));
        asked.map(move |reading| Game::new(variant, reading)).map(|game| (game, settled_by(&game, None)))
    }

    fn json_of_one(&self, variant: Variant) -> Value {
        let one = |(game, by): (Game, Option<&Shipped>)| {
            let because = by.map(|by| reason(&by.claim(), &game)).filter(|because| !because.is_empty());
            json!({
                "reading": game.reading.tag(),
                "value": value(by),
                "file": by.map(|by| &by.file),
                "because": because,
                "computed": computed(&game).map(|claim| claim.kind.value()),
            })
        };
        json!({
            "variant": variant.to_string(),
            "readings": self.games(variant).map(one).collect::<Vec<_>>(),
        })
    }

    fn text_of_one(&self, variant: Variant) -> String {
        let name = variant.to_string();
        let mut table =
            Table::new(&[name.as_str(), "value", "by", "because"].map(|name| (name, Align::Left)));
        let mut open = None;
        for (game, by) in self.games(variant) {
            let (value, file, claim) = match (by, computed(&game)) {
                (Some(by), _) => (value(Some(by)), by.file.clone(), Some(by.claim())),
                (None, Some(claim)) => {
                    (claim.kind.value(), "computed, no certificate".to_owned(), Some(claim))
                }
                (None, None) => ("open", String::new(), None),
            };
            if claim.is_none() {
                open = open.or(Some(game.reading));
            }
            let because = claim.map_or(String::new(), |claim| reason(&claim, &game));
            table.row([game.reading.to_string(), value.to_owned(), file, because]);
        }
        let text = table.text();
        let Some(reading) = open else { return text };
        let next = if is_solved_on_the_spot(variant) {
            format!("`gobprove explain start --variant {variant} --reading {reading}` solves it on the spot")
        } else {
            format!("`gobprove estimate {variant}` says what settling it takes")
        };
        format!("{text}\nopen: no certificate that ships settles it; {next}")
    }

    /// Every variant under one reading, in rows by White's material, with what settles it.
    fn all(&self) -> Vec<(Material, Vec<Settled>)> {
        let reading = self.reading.unwrap_or(Reading::Official);
        let settled = |white, black| {
            let game = Game::new(Variant { white, black }, reading);
            let by = settled_by(&game, None);
            (black, by, computed(&game))
        };
        let row = |&white| (white, MATERIALS.iter().map(|&black| settled(white, black)).collect());
        MATERIALS.iter().map(row).collect()
    }

    fn json_of_all(&self) -> Value {
        let mut variants = Vec::new();
        let mut counts = BTreeMap::from([("draw", 0), ("lost", 0), ("open", 0)]);
        for (white, row) in self.all() {
            for (black, by, computed) in row {
                *counts.entry(value(by)).or_insert(0) += 1;
                variants.push(json!({
                    "white": white.to_string(),
                    "black": black.to_string(),
                    "value": value(by),
                    "file": by.map(|by| &by.file),
                    "computed": computed.map(|claim| claim.kind.value()),
                }));
            }
        }
        json!({
            "reading": self.reading.unwrap_or(Reading::Official).tag(),
            "draw": counts["draw"],
            "lost": counts["lost"],
            "open": counts["open"],
            "variants": variants,
        })
    }

    fn text_of_all(&self) -> String {
        let names: Vec<String> = MATERIALS.iter().map(Material::to_string).collect();
        let longest = names.iter().map(String::len).max().unwrap_or(0);
        // Black's materials stand above their columns, from the top down.
        let mut lines: Vec<String> = (0..longest)
            .map(|at| {
                let letters = names.iter().map(|name| name.chars().nth(at).unwrap_or(' '));
                let title = if at + 1 == longest { "White" } else { "" };
                format!("{title:<longest$}  {}", letters.collect::<String>()).trim_end().to_owned()
            })
            .collect();
        let mut by_file: BTreeMap<&str, usize> = BTreeMap::new();
        let mut counts: BTreeMap<char, usize> = BTreeMap::new();
        for (white, row) in self.all() {
            let mut cells = String::new();
            for (_, by, computed) in row {
                let mark = match (value(by), computed.map(|claim| claim.kind.value())) {
                    ("draw", _) => '=',
                    ("lost", _) => '-',
                    (_, Some("draw")) => '~',
                    (_, Some(_)) => '_',
                    (_, None) => '.',
                };
                *counts.entry(mark).or_insert(0) += 1;
                cells.push(mark);
                if let Some(by) = by {
                    *by_file.entry(&by.file).or_insert(0) += 1;
                }
            }
            lines.push(format!("{:<longest$}  {cells}", white.to_string()));
        }
        let reading = self.reading.unwrap_or(Reading::Official);
        let mut table = Table::new(&[("settled by", Align::Left), ("variants", Align::Right)]);
        for shipped in SHIPPED.iter() {
            if let Some(count) = by_file.get(shipped.file.as_str()) {
                table.row([shipped.file.clone(), count.to_string()]);
            }
        }
        let count = |mark| counts.get(&mark).copied().unwrap_or(0);
        format!(
            "{reading}: White's material from the left, Black's from above\n\
             = White holds ({}), - Black wins ({}), . open: no certificate settles it ({})\n\
             computed, no certificate ships: ~ White holds ({}), _ Black wins ({})\n\n{}\n\n{}",
            count('='),
            count('-'),
            count('.'),
            count('~'),
            count('_'),
            lines.join("\n"),
            table.text()
        )
    }
}
