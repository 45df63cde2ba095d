//! Algorithm 4 on `ab` (thesis, section 6.2): the exceptions listed, and the rounds.

use super::quantity::{Amount, Attempt, Quantity, Report};
use super::runs::Runs;
use crate::bitbase::OutOfMemory;
use crate::cli::console::exit::Failure;
use crate::cli::console::report::grouped;
use crate::enumerate::Tiers;
use crate::rules::{Color, Game, Reading};
use crate::strategy::Seed;
use crate::thesis::algorithm_4::{ListOrder, Lists, Start, Sums, attempts, least, lists, share, total};
use crate::thesis::conventions::{Convention, CountedTiers, Unit};
use crate::thesis::figures::{
    EXCEPTIONS_B_IN_HAND, EXCEPTIONS_B_PLACED, EXCEPTIONS_W_IN_HAND, EXCEPTIONS_W_PLACED, ROUNDS,
};

const SECTION: &str = "6.2";

/// The thesis's four lists: the name, which tiers (all pieces placed, or some in hand), the side to move, and the number of
/// exceptions.
const LISTS: [(&str, CountedTiers, Color, u64); 4] = [
    ("B, all placed", CountedTiers::AllPlaced, Color::White, EXCEPTIONS_B_PLACED),
    ("W, all placed", CountedTiers::AllPlaced, Color::Black, EXCEPTIONS_W_PLACED),
    ("B, some in hand", CountedTiers::SomeInHand, Color::White, EXCEPTIONS_B_IN_HAND),
    ("W, some in hand", CountedTiers::SomeInHand, Color::Black, EXCEPTIONS_W_IN_HAND),
];

/// One start under one reading, with a list for each order that was run.
struct Run {
    game: Game,
    start: Start,
    lists: Vec<Lists>,
}

/// The table.
///
/// # Errors
/// As [`Runs::solution`].
pub fn report(runs: &Runs) -> Result<Report, Failure> {
    let done = all_runs(runs).map_err(Failure::unavailable)?;
    let mut bounds = Vec::new();
    for reading in Reading::ALL {
        let game = runs.ab(reading);
        let exact = runs.solution(&game, Seed::Rules)?;
        bounds.push(least(&exact.result, Start::THESIS).map_err(Failure::unavailable)?);
    }
    let mut rows: Vec<Quantity> = LISTS
        .into_iter()
        .map(|(name, tiers, turn, figure)| {
            let row = exceptions(&done, name, tiers, turn, figure);
            bounded(row, &done[0].game, &bounds, tiers, turn, figure)
        })
        .collect();
    rows.extend(
        [("rounds, all placed", CountedTiers::AllPlaced), ("rounds, some in hand", CountedTiers::SomeInHand)]
            .map(|(name, tiers)| rounds(&done, name, tiers)),
    );
    Ok(Report {
        table: "fixpoint",
        about: "Algorithm 4 on ab: exceptions listed beyond the start functions, and the rounds that added some. \
                Ours are placements at the fixpoint, at the thesis's word and under the reading official. Least \
                is the shortest list, up to the 32 symmetries, that a sound cut over these start functions has \
                under any reading."
            .to_owned(),
        rows,
    })
}

/// Every start under `official`, then the thesis's own start under the other readings. The first run is what the thesis
/// says; it is run in every order, and the others only as if everything had been run together.
fn all_runs(runs: &Runs) -> Result<Vec<Run>, OutOfMemory> {
    let run = |(reading, start)| {
        let game = runs.ab(reading);
        let at_its_word = reading == Reading::Official && start == Start::THESIS;
        let orders: &[ListOrder] = if at_its_word { &ListOrder::ALL } else { &[ListOrder::Together] };
        Ok(Run { game, start, lists: lists(&game, start, orders)? })
    };
    let starts = Start::all().into_iter().map(|start| (Reading::Official, start));
    let readings = Reading::ALL.into_iter().filter(|&reading| reading != Reading::Official);
    starts.chain(readings.map(|reading| (reading, Start::THESIS))).map(run).collect()
}

/// How many exceptions a list holds.
fn exceptions(done: &[Run], name: &str, tiers: CountedTiers, turn: Color, figure: u64) -> Quantity {
    let placed = tiers == CountedTiers::AllPlaced;
    let numbers = done.iter().flat_map(|run| attempts(&run.game, run.start, &run.lists, placed));
    let tried = numbers
        .map(|attempted| Attempt {
            how: attempted.to_string(),
            number: Amount::Count(attempted.count.into()),
        })
        .collect();
    let at_its_word = {
        let Run { game, lists, .. } = &done[0];
        let convention = Convention { unit: Unit::Placements, tiers };
        lists[0].listed(game, lists[0].rounds(), turn, convention)
    };
    let found = |value: &Amount| *value == Amount::Count(figure.into());
    Quantity::tried(name, figure, Amount::Count(at_its_word.into()), tried, found).section(SECTION)
}

/// Adds the shortest length of a list, and notes if the figure cannot be one.
fn bounded(
    row: Quantity,
    game: &Game,
    bounds: &[Sums],
    tiers: CountedTiers,
    turn: Color,
    figure: u64,
) -> Quantity {
    let shortest = |unit| {
        let convention = Convention { unit, tiers };
        let sums = bounds.iter().map(|sums| total(game, sums, turn, convention).in_unit(unit));
        sums.min().unwrap_or(0)
    };
    let mut row = row.detail("least", Amount::Count(shortest(Unit::By32).into()));
    let too_short: Vec<String> = Unit::ALL
        .into_iter()
        .filter(|&unit| figure < shortest(unit))
        .map(|unit| format!("{} {}", grouped(shortest(unit).into()), unit.tag()))
        .collect();
    if !too_short.is_empty() {
        row = row.note(format!(
            "no sound cut over these start functions lists fewer than {}",
            too_short.join(" or ")
        ));
    }
    if tiers == CountedTiers::AllPlaced
        && let Some(&last) = Tiers::new(game.variant).as_slice().last()
        && !figure.is_multiple_of(share(last))
    {
        row = row.note(format!(
            "a list closed under symmetry has a multiple of {} placements, which the figure is not",
            share(last)
        ));
    }
    row
}

/// How many rounds added something.
fn rounds(done: &[Run], name: &str, tiers: CountedTiers) -> Quantity {
    let convention = Convention { unit: Unit::Placements, tiers };
    let mut tried = Vec::new();
    for Run { game, start, lists } in done {
        let orders = lists
            .iter()
            .filter(|lists| tiers != CountedTiers::AllPlaced || lists.order == ListOrder::Together);
        tried.extend(orders.map(|lists| Attempt {
            how: format!("{} {start} order={}", game.reading, lists.order.tag()),
            number: Amount::Count(lists.rounds_in(game, convention) as u128),
        }));
    }
    let at_its_word = tried[0].number.clone();
    let row =
        Quantity::tried(name, ROUNDS, at_its_word, tried, |value| *value == Amount::Count(ROUNDS.into()));
    row.section(SECTION).detail("least", Amount::text("-"))
}
