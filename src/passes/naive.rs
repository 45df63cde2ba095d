//! The updates by definition, one position at a time: what the passes over rows are tested against.

use crate::prelude::*;
use crate::rules::{Game, Outcome, Position};

/// Algorithm 3 for one position with White to move that holds no line: it is lost when no white move is
/// judged *White wins* or goes on to a position that is not lost.
pub fn white_loses(game: &Game, position: &Position, lost: impl Fn(&Position) -> bool) -> bool {
    !game.moves(position).any(|mv| match game.play_unchecked(position, mv) {
        Outcome::WhiteWins => true,
        Outcome::BlackWins => false,
        Outcome::GoesOn(next) => !lost(&next),
    })
}

/// Algorithm 2 for one position with Black to move that holds no line: it is lost when some black move is
/// judged *Black wins* or goes on to a position that is lost.
pub fn black_wins(game: &Game, position: &Position, lost: impl Fn(&Position) -> bool) -> bool {
    game.moves(position).any(|mv| match game.play_unchecked(position, mv) {
        Outcome::WhiteWins => false,
        Outcome::BlackWins => true,
        Outcome::GoesOn(next) => lost(&next),
    })
}

/// All positions of a small game and where their moves lead, computed once. Sweeps by definition over this graph take a
/// fraction of the time of sweeps over positions.
#[cfg(test)]
pub(crate) mod testing {
    use crate::enumerate::{Ranking, Tier, Tiers};
    use crate::prelude::*;
    use crate::rules::{Color, Game, Outcome, Position};

    /// Every placement with both sides to move: no symmetry, nothing packed.
    pub struct Graph {
        pub tiers: Tiers,
        pub rankings: Vec<Ranking>,
        /// By tier, the number of its first placement.
        first: Vec<usize>,
        finished: Vec<Option<Color>>,
        /// The moves of each position begin where those of the one before end.
        ends: Vec<usize>,
        moves: Vec<u32>,
    }

    /// Stands in `moves` for a move that wins for White, in place of a position's number.
    const WHITE_WINS: u32 = u32::MAX;
    const BLACK_WINS: u32 = u32::MAX - 1;

    impl Graph {
        pub fn new(game: &Game) -> Graph {
            let tiers = Tiers::new(game.variant);
            let rankings: Vec<Ranking> = tiers.as_slice().iter().map(|&tier| Ranking::new(tier)).collect();
            let mut first = vec![0];
            for ranking in &rankings {
                first.push(first[first.len() - 1] + ranking.len() as usize);
            }
            let (finished, ends, moves) = (Vec::new(), vec![0], Vec::new());
            let mut graph = Graph { tiers, rankings, first, finished, ends, moves };
            for number in 0..graph.len() {
                let position = graph.position(number);
                graph.finished.push(position.finished());
                if position.finished().is_none() {
                    for mv in game.moves(&position) {
                        let to = match game.play_unchecked(&position, mv) {
                            Outcome::WhiteWins => WHITE_WINS,
                            Outcome::BlackWins => BLACK_WINS,
                            Outcome::GoesOn(next) => graph.number(&next) as u32,
                        };
                        graph.moves.push(to);
                    }
                }
                graph.ends.push(graph.moves.len());
            }
            graph
        }

        /// How many positions there are; they are numbered from 0.
        pub fn len(&self) -> usize {
            2 * self.first[self.rankings.len()]
        }

        pub fn number(&self, position: &Position) -> usize {
            let tier = self.tiers.index(Tier::of(position)).expect("a tier of the variant");
            2 * (self.first[tier] + self.rankings[tier].rank(position) as usize) + position.turn() as usize
        }

        pub fn position(&self, number: usize) -> Position {
            let tier = self.first.partition_point(|&first| first <= number / 2) - 1;
            let rank = (number / 2 - self.first[tier]) as u128;
            self.rankings[tier].unrank(rank, Color::ALL[number % 2]).expect("below the length")
        }

        pub fn finished(&self, number: usize) -> Option<Color> {
            self.finished[number]
        }

        /// Whether a position that holds no line is lost for White by [`super::white_loses`] or [`super::black_wins`],
        /// given the positions that are `lost`.
        pub fn lost(&self, number: usize, lost: impl Fn(usize) -> bool) -> bool {
            let mut moves = self.moves[self.ends[number]..self.ends[number + 1]].iter();
            let loses = |&to: &u32| match to {
                WHITE_WINS => false,
                BLACK_WINS => true,
                next => lost(next as usize),
            };
            match Color::ALL[number % 2] {
                Color::White => moves.all(loses),
                Color::Black => moves.any(loses),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::testing::Graph;
    use super::*;
    use crate::bitbase::solution::testing::solved;
    use crate::bitbase::{Keep, Solution};
    use crate::enumerate::Discipline;
    use crate::enumerate::rows::inner::inner;
    use crate::passes::solve_within;
    use crate::rules::{Color, Reading, Size, Variant};
    use crate::strategy::Seed;
    use crate::thorough::thorough;

    /// Whether each position, by its number, is lost: found by sweeps until nothing changes. The keeper may not break
    /// the discipline. A sweep uses its own findings and runs backwards, as no move leads to an earlier tier.
    fn least_fixpoint(graph: &Graph, game: &Game, discipline: &Discipline) -> Vec<bool> {
        let mut lost = vec![false; graph.len()];
        let mut open = Vec::new();
        for number in (0..graph.len()).rev() {
            let position = graph.position(number);
            let outside = !discipline.allows(&position);
            lost[number] = match discipline.keeper() {
                Some(Color::Black) if outside => continue,
                _ if outside && position.turn() == Color::Black => true,
                _ => Seed::Rules.lost(game, &position),
            };
            if !lost[number] && graph.finished(number).is_none() {
                open.push(number);
            }
        }
        loop {
            let before = open.len();
            open.retain(|&number| {
                lost[number] = graph.lost(number, |next| lost[next]);
                !lost[number]
            });
            if open.len() == before {
                assert_defined(graph, game, &lost, &open);
                return lost;
            }
        }
    }

    /// Asserts of a sample of `open` positions, which are not lost, that the definition agrees.
    fn assert_defined(graph: &Graph, game: &Game, lost: &[bool], open: &[usize]) {
        let known = |p: &Position| lost[graph.number(p)];
        for &number in open.iter().step_by(97) {
            let p = graph.position(number);
            let loses = match p.turn() {
                Color::White => white_loses(game, &p, known),
                Color::Black => black_wins(game, &p, known),
            };
            assert!(!loses, "{p}");
        }
    }

    fn rows_agree(name: &str, readings: &[Reading]) {
        let variant: Variant = name.read().expect("a variant");
        for &reading in readings {
            let game = Game::new(variant, reading);
            let graph = Graph::new(&game);
            let expected = least_fixpoint(&graph, &game, &Discipline::FREE);
            let solution = solved(&game, Seed::Rules);
            let mut counts = [(0u128, 0u128); 2];
            for (number, &lost) in expected.iter().enumerate() {
                let p = graph.position(number);
                assert_eq!(solution.is_lost(&p), lost, "{name} {reading} {p}");
                if lost {
                    let count = &mut counts[p.turn() as usize];
                    count.0 += 1;
                    count.1 += u128::from(crate::symmetry::is_canonical(&p));
                }
            }
            for turn in Color::ALL {
                let count = solution.lost_count(turn);
                assert_eq!(
                    (count.positions, count.canonical),
                    counts[turn as usize],
                    "{name} {reading} {turn}"
                );
            }
        }
    }

    /// For each side to move, from how many positions the keeper of a discipline reaches its aim; in the free game, the
    /// number of safe positions. Asserts that rows and brute force agree.
    fn rows_agree_within(graph: &Graph, game: &Game, discipline: &str) -> [u64; 2] {
        let discipline: Discipline = discipline.parse().expect("a discipline");
        let expected = least_fixpoint(graph, game, &discipline);
        let solution = within(game, discipline);
        let keeper = discipline.keeper();
        let mut achieved = [0; 2];
        for (number, &expected) in expected.iter().enumerate() {
            let p = graph.position(number);
            // Rows call all positions outside White's discipline lost; `expected` does so with Black to move.
            let lost = expected || keeper == Some(Color::White) && !discipline.allows(&p);
            assert_eq!(solution.is_lost(&p), lost, "{} {discipline} {p}", game.variant);
            achieved[p.turn() as usize] += u64::from(lost == (keeper == Some(Color::Black)));
        }
        achieved
    }

    fn within(game: &Game, discipline: Discipline) -> Solution {
        solve_within(game, discipline, Keep::All, None, &mut |_| ControlFlow::Continue(()))
            .expect("nothing breaks it off")
    }

    fn official(name: &str) -> (Game, Graph) {
        let game = Game::new(name.read().expect("a variant"), Reading::Official);
        (game, Graph::new(&game))
    }

    #[test]
    fn rows_and_brute_force_agree_where_white_keeps_to_a_discipline() {
        for (name, disciplines) in [
            ("A2-A2B1", ["A=1", "A=2/1/0/0", "A@=1/2/2/2", "A=0"]),
            ("A1B1-A1B1C1", ["B=0", "A=1/0/0/0,B=1/0/0/0", "B@=0/1/1/1", "A=0"]),
            // White's pieces of Black's smallest size, or a smaller one, cover nothing of Black's.
            ("A1B1-A1B1", ["B=0", "B@=0/1/1/1", "A=1/0/0/0,B=0", "A=0"]),
            ("A1B1-A2", ["B=0", "B@=0", "A=1,B=0", "A=0"]),
        ] {
            let (game, graph) = official(name);
            let free = rows_agree_within(&graph, &game, "");
            for discipline in disciplines.into_iter().take(if thorough() { 4 } else { 3 }) {
                let safe = rows_agree_within(&graph, &game, discipline);
                assert!(safe[0] < free[0] && safe[1] < free[1], "{name} {discipline}: {safe:?} of {free:?}");
            }
        }
    }

    #[test]
    fn rows_and_brute_force_agree_where_black_keeps_to_a_discipline() {
        for (name, disciplines) in [
            ("A1-A2B2", ["a=1", "a=0,b=1", "a=0/1/0/0,b=1/0/1/1"]),
            ("A1-A2B1C1", ["a=0,b=0", "a=1,c=0", "a=0/0/1/0"]),
        ] {
            let (game, graph) = official(name);
            let lost = rows_agree_within(&graph, &game, "a=3,b=2,c=2,d=0");
            for discipline in disciplines {
                let less = rows_agree_within(&graph, &game, discipline);
                assert!(less[0] < lost[0] && less[1] < lost[1], "{name} {discipline}: {less:?} of {lost:?}");
                assert!(less[0] > 0, "{name} {discipline}");
            }
        }
    }

    #[test]
    fn rows_and_brute_force_agree_where_black_has_inner_pieces_only_below_a() {
        rows_agree("A1-A2B2", &Reading::ALL);
    }

    #[test]
    fn rows_and_brute_force_agree_where_white_loses_everywhere() {
        rows_agree("A1-A3B1", &[Reading::Official]);
    }

    #[test]
    fn rows_and_brute_force_agree_over_a_middle_layer() {
        rows_agree("A1-A2B1C1", &[Reading::Thesis]);
    }

    #[test]
    fn rows_and_brute_force_agree_where_white_has_inner_pieces_too() {
        let readings =
            [Reading::Official, Reading::Robust, Reading::Thesis, Reading::StrictLift, Reading::NoEntryCover];
        rows_agree("A1B1-A2B1", &readings[..if thorough() { 5 } else { 2 }]);
    }

    /// In the free games Black's B are inner and cover smaller outer pieces. Under a discipline Black's smallest pieces are
    /// inner, and this one forbids nothing, because Black has no more than two A.
    #[test]
    fn rows_agree_whichever_pieces_are_inner() {
        let disciplined: Discipline = "a=2".parse().expect("a discipline");
        for (name, readings) in [
            ("A2-A2B2C1", &Reading::ALL[..]),
            ("A2B1-A2B2C1", &[Reading::Official, Reading::Thesis]),
            ("A1-A2B2C1D1", &[Reading::Official]),
        ] {
            let variant: Variant = name.read().expect("a variant");
            let inners = [Discipline::FREE, disciplined].map(|discipline| inner(variant, &discipline));
            assert!(inners[0] == Size::B && inners[1] > Size::B, "{name}: {inners:?}");
            for &reading in readings.iter().take(if thorough() { 5 } else { 2 }) {
                let game = Game::new(variant, reading);
                let (free, other) = (solved(&game, Seed::Rules), within(&game, disciplined));
                for tier in 0..free.layout.all().len() {
                    for turn in Color::ALL {
                        let found = free.exceptions(tier, turn);
                        assert!(found == other.exceptions(tier, turn), "{name} {reading} tier {tier} {turn}");
                    }
                }
                assert!(free.lost_count(Color::Black).positions > 1_000_000, "{name} {reading}");
            }
        }
    }

    #[test]
    fn rows_and_brute_force_agree_where_white_can_win() {
        rows_agree("A3B1-A1", &Reading::ALL);
    }
}
