//! How many moves positions have (thesis, section 2.3).

use super::quantity::{Amount, Attempt, Quantity, Report, Verdict};
use super::runs::Runs;
use crate::cli::console::exit::Failure;
use crate::cli::console::report::grouped;
use crate::prelude::*;
use crate::rules::{ByColor, Color, Game, Position, Reading};
use crate::strategy::Seed;
use crate::thesis::branching::{Branching, Mean, Over, Sides, draw, play, scan};
use crate::thesis::conventions::{Convention, CountedTiers, Unit};
use crate::thesis::figures::{MEAN_MOVES, MOST_MOVES};

/// How many placements are drawn from a variant that is too large to scan.
const DRAWS: u64 = 100_000;

/// How many random games are played, and the most plies of each.
const GAMES: (u64, u64) = (2_000, 200);

/// The table.
///
/// # Errors
/// As [`Runs::solution`].
pub fn report(runs: &Runs) -> Result<Report, Failure> {
    let game = runs.ab(Reading::Official);
    let exact = runs.solution(&game, Seed::Rules)?;
    let over_thesis = runs.solution(&game, Seed::Thesis)?;
    let branching = scan(&game, &exact.result, &over_thesis.result);
    let mut rows = Vec::new();
    for (name, figure) in MEAN_MOVES {
        rows.push(match named(name) {
            Some(game) if name != "ab" => drawn_mean(&game, name, figure),
            _ => scanned_mean(&game, &branching, figure),
        });
    }
    for (name, figure) in MOST_MOVES {
        rows.extend(named(name).and_then(|game| most(&game, name, figure, &branching)));
    }
    Ok(Report {
        table: "branching",
        about: format!(
            "Legal moves of a position under the reading official. The mean for ab is over every position \
             without a line, both sides to move; those for abc and abcd are over {} placements drawn \
             with an A of each side on the board, Black to move.",
            grouped(DRAWS.into())
        ),
        rows,
    })
}

fn named(name: &str) -> Option<Game> {
    name.read().ok().map(|variant| Game::new(variant, Reading::Official))
}

/// The mean for `ab`, with every average that could be meant.
fn scanned_mean(game: &Game, branching: &Branching, figure: u64) -> Quantity {
    let everything = Convention { unit: Unit::Placements, tiers: CountedTiers::All };
    let mut attempts: Vec<Attempt> = branching
        .attempts()
        .into_iter()
        .filter(|averaged| averaged.mean.positions > 0)
        .map(|averaged| attempt(averaged.to_string(), averaged.mean))
        .collect();
    let (games, plies) = GAMES;
    let random = format!("{games} games of random play, {plies} plies at most");
    attempts.extend(by_side(&random, play(game, games, plies)));
    if let Some(full) = named("ab-full") {
        attempts.extend(by_side(
            &format!("{} placements drawn from ab-full", grouped(DRAWS.into())),
            draw(&full, DRAWS),
        ));
    }
    let at_its_word = Amount::Mean(branching.mean(Over::All, Sides::Both, everything));
    let mean_is = |value: &Amount, whole: fn(Mean) -> u64| match value {
        Amount::Mean(mean) => whole(*mean) == figure,
        _ => false,
    };
    let rounded = |value: &Amount| mean_is(value, Mean::rounded);
    let cut_off = |value: &Amount| mean_is(value, Mean::cut_off);
    let found = |agrees: &dyn Fn(&Amount) -> bool| attempts.iter().filter(|a| agrees(&a.number)).count();
    let (found_rounded, found_cut_off) = (found(&rounded), found(&cut_off));
    let note =
        format!("{found_rounded} of the means tried are {figure} when rounded, {found_cut_off} when cut off");
    // A whole number in the thesis is taken for a rounded one. How many means agree when cut off is told, but decides
    // nothing.
    Quantity::tried("mean, ab", figure, at_its_word, attempts, rounded).note(note).section("2.3")
}

/// The mean for a larger variant, which the thesis estimated and did not measure.
fn drawn_mean(game: &Game, name: &str, figure: u64) -> Quantity {
    let means = draw(game, DRAWS);
    let attempts: Vec<Attempt> =
        by_side(&format!("{} placements drawn", grouped(DRAWS.into())), means).collect();
    let black = Amount::Mean(means.black);
    let verdict = Verdict::of(means.black.rounded() == figure);
    let row = Quantity::new(format!("mean, {name}"), Some(Amount::Count(figure.into())), black, verdict);
    Quantity { attempts, ..row }.note("the thesis's figure is an estimate from that of ab").section("2.3")
}

fn by_side(how: &str, means: ByColor<Mean>) -> impl Iterator<Item = Attempt> {
    let mut both = means.white;
    both += means.black;
    let sides = [(Sides::Both, both), (Sides::One(Color::White), means.white)];
    let sides = sides.into_iter().chain([(Sides::One(Color::Black), means.black)]);
    sides.map(move |(sides, mean)| attempt(format!("{how}, {sides} to move"), mean))
}

fn attempt(how: String, mean: Mean) -> Attempt {
    Attempt { how, number: Amount::Mean(mean) }
}

/// The most moves of a position. For `ab` every position is looked at; for others it is the count of one position that has
/// many.
fn most(game: &Game, name: &str, figure: u64, branching: &Branching) -> Option<Quantity> {
    let (ours, whose) = if name == "ab" {
        let most = branching.most().values().flat_map(|most| Color::ALL.map(|turn| most[turn])).max()?;
        (most, "the most of any position")
    } else {
        (moves(game, false)?, "that of one position, no white piece on the board and one black one in hand")
    };
    let verdict = Verdict::of(ours == figure);
    let [figure, ours] = [figure, ours].map(|count| Amount::Count(count.into()));
    let row = Quantity::new(format!("most, {name}"), Some(figure.clone()), ours, verdict)
        .note(format!("the thesis gives an upper bound, ours is {whose}"))
        .section("2.3");
    let explained = figure == Amount::Count(moves(game, true)?.into());
    let spread = "the bound is what there is with every black piece visible beside one white A";
    Some(if explained { row.note(spread) } else { row })
}

/// The number of black moves where all black pieces are visible and there is no line. White has one A on the board; or it
/// has none, and one of Black's smallest pieces is in hand.
fn moves(game: &Game, beside_an_a: bool) -> Option<u64> {
    // Every line has one of these squares, and Black leaves them free.
    const LEFT_OUT: [&str; 4] = ["a1", "b3", "c4", "d2"];
    let mut squares: Vec<String> = Vec::new();
    for rank in ('1'..='4').rev() {
        squares.extend(('a'..='d').map(|file| format!("{file}{rank}")));
    }
    let counts = game.variant.black.counts();
    let letters = "abcd".chars().zip(counts).flat_map(|(letter, count)| vec![letter; usize::from(count)]);
    let mut black: Vec<char> = letters.collect();
    if !beside_an_a {
        black.pop();
    }
    let mut black = black.into_iter();
    let mut cells = Vec::new();
    for square in squares {
        let stands = if !LEFT_OUT.contains(&square.as_str()) {
            black.next()
        } else if beside_an_a && square == LEFT_OUT[0] {
            Some('A')
        } else {
            None
        };
        cells.push(stands.unwrap_or('.').to_string());
    }
    let ranks: Vec<String> = cells.chunks(4).map(|rank| rank.join(",")).collect();
    let position: Position = game.parse(&format!("{} b", ranks.join("/"))).ok()?;
    Some(game.moves(&position).count() as u64)
}
