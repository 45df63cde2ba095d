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

#[cfg(test)]
mod tests {

    use std::ops::ControlFlow;

    use super::*;
    use crate::bitbase::Keep;
    use crate::bitbase::solution::testing::solved;
    use crate::enumerate::Discipline;
    use crate::enumerate::{Ranking, Tier, Tiers};
    use crate::passes::solve_within;
    use crate::rules::{Color, Reading, Variant};
    use crate::strategy::Seed;

    /// What is lost, for every placement with both sides to move: no symmetry, nothing packed.
    struct Everything {
        tiers: Tiers,
        rankings: Vec<Ranking>,
        lost: Vec<[Vec<bool>; 2]>,
    }

    impl Everything {
        fn new(variant: Variant) -> Everything {
            let tiers = Tiers::new(variant);
            let rankings: Vec<Ranking> = tiers.as_slice().iter().map(|&tier| Ranking::new(tier)).collect();
            let none = |ranking: &Ranking| vec![false; ranking.len() as usize];
            let lost = rankings.iter().map(|ranking| [none(ranking), none(ranking)]).collect();
            Everything { tiers, rankings, lost }
        }

        fn contains(&self, position: &Position) -> bool {
            let index = self.tiers.index(Tier::of(position)).expect("a tier of the variant");
            self.lost[index][position.turn() as usize][self.rankings[index].rank(position) as usize]
        }

        /// Sweeps over everything until nothing changes. Its keeper may not move to what the discipline does not allow.
        /// A sweep uses what it has found itself, and begins at the end, where moves lead to.
        fn least_fixpoint(mut self, game: &Game, seed: Seed, discipline: &Discipline) -> Everything {
            let mut first = true;
            loop {
                let mut changed = false;
                for index in (0..self.rankings.len()).rev() {
                    for turn in Color::ALL {
                        for rank in 0..self.rankings[index].len() {
                            let p = self.rankings[index].unrank(rank, turn).expect("below the length");
                            let outside = !discipline.allows(&p);
                            let known = |p: &Position| self.contains(p);
                            let lost = match turn {
                                _ if self.contains(&p) => false,
                                _ if outside && discipline.keeper() == Some(Color::Black) => false,
                                Color::Black if outside => true,
                                _ if first || p.finished().is_some() => seed.lost(game, &p),
                                Color::White => white_loses(game, &p, known),
                                Color::Black => black_wins(game, &p, known),
                            };
                            if lost {
                                self.lost[index][turn as usize][rank as usize] = true;
                                changed = true;
                            }
                        }
                    }
                }
                if !changed && !first {
                    return self;
                }
                first = false;
            }
        }
    }

    fn rows_agree(name: &str, readings: &[Reading]) {
        let variant: Variant = name.read().expect("a variant");
        for &reading in readings {
            let game = Game::new(variant, reading);
            let expected = Everything::new(variant).least_fixpoint(&game, Seed::Rules, &Discipline::FREE);
            let solution = solved(&game, Seed::Rules);
            let mut counts = [(0u128, 0u128); 2];
            for &tier in expected.tiers.as_slice() {
                let ranking = Ranking::new(tier);
                for turn in Color::ALL {
                    for rank in 0..ranking.len() {
                        let p = ranking.unrank(rank, turn).expect("below the length");
                        let lost = expected.contains(&p);
                        assert_eq!(solution.is_lost(&p), lost, "{name} {reading} {p}");
                        if lost {
                            let count = &mut counts[turn as usize];
                            count.0 += 1;
                            count.1 += u128::from(crate::symmetry::is_canonical(&p));
                        }
                    }
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

    /// How many positions the keeper of a discipline achieves something from, with each side to move; of the free game,
    /// how many are safe.
    fn rows_agree_within(name: &str, discipline: &str) -> [u64; 2] {
        let game = Game::new(name.read().expect("a variant"), Reading::Official);
        let discipline: Discipline = discipline.parse().expect("a discipline");
        let expected = Everything::new(game.variant).least_fixpoint(&game, Seed::Rules, &discipline);
        let solution = solve_within(&game, discipline, Keep::All, None, &mut |_| ControlFlow::Continue(()))
            .expect("nothing breaks it off");
        let keeper = discipline.keeper();
        let mut achieved = [0; 2];
        for &tier in expected.tiers.as_slice() {
            let ranking = Ranking::new(tier);
            for turn in Color::ALL {
                for rank in 0..ranking.len() {
                    let p = ranking.unrank(rank, turn).expect("below the length");
                    // With White to move only what Black can bring about is told.
                    let lost =
                        expected.contains(&p) || keeper == Some(Color::White) && !discipline.allows(&p);
                    assert_eq!(solution.is_lost(&p), lost, "{name} {discipline} {p}");
                    achieved[turn as usize] += u64::from(lost == (keeper == Some(Color::Black)));
                }
            }
        }
        achieved
    }

    #[test]
    fn rows_and_brute_force_agree_where_white_keeps_to_a_discipline() {
        for (name, disciplines) in
            [("A2-A2B1", ["A=0", "A=1", "A=2/1/0/0"]), ("A1B1-A1B1C1", ["A=0", "B=0", "A=1/0/0/0,B=1/0/0/0"])]
        {
            let free = rows_agree_within(name, "");
            for discipline in disciplines {
                let safe = rows_agree_within(name, discipline);
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
            let lost = rows_agree_within(name, "a=3,b=2,c=2,d=0");
            for discipline in disciplines {
                let less = rows_agree_within(name, discipline);
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
        rows_agree("A1B1-A2B1", &Reading::ALL);
    }

    #[test]
    fn rows_and_brute_force_agree_where_white_can_win() {
        rows_agree("A3B1-A1", &Reading::ALL);
    }
}
