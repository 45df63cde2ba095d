//! What a solution or certificates say about the positions of a game. Certificates are not checked here: the caller checks
//! them first.

use std::sync::Arc;

use crate::bitbase::Solution;
use crate::enumerate::Tier;
use crate::explain::solved_file::AskedFile;
use crate::prelude::*;
use crate::rules::{Color, Game, Move, Outcome, Position, Reading};
use crate::store::{Certificate, Claim, Kind, PositionSet};
use crate::symmetry::{self, Symmetry};

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Safety {
    /// White can go on for ever without losing.
    Safe,
    /// Black has won or, by a solution or a refutation, wins; or a cut lists the position.
    Avoided,
    /// No source says anything about it.
    Unknown,
}

/// Where knowledge comes from.
pub enum Source {
    /// A solution of exactly this game.
    Solution(Box<Solution>),
    /// A solution of exactly this game, in a file. If the file cannot be read, it says nothing.
    File(Arc<AskedFile>),
    /// A certificate of this game, or of a game that is worse for White (R9). It is not checked here.
    Certificate(Certificate),
}

/// What is known of the positions of a game, from one source or several.
pub struct Knowledge {
    game: Game,
    sources: Vec<Source>,
}

impl Knowledge {
    /// Keeps the sources that say something about `game`. A closure is kept if in its game White has no more material,
    /// Black has no less, and the reading is the same or `robust` (R9). A cut is kept if the reading and Black's material are
    /// the same and White has no more. A refutation or a solution is kept if it is of exactly this game.
    #[must_use]
    pub fn new(game: Game, mut sources: Vec<Source>) -> Knowledge {
        sources.retain(|source| match source {
            Source::Solution(solution) => *solution.game() == game,
            Source::File(file) => *file.game() == game,
            Source::Certificate(certificate) => is_about(&certificate.claim, &game),
        });
        Knowledge { game, sources }
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The value of a position. A line decides it; else it is the best that a source knows for White.
    #[must_use]
    pub fn value(&self, position: &Position) -> Safety {
        match position.finished() {
            Some(Color::Black) => return Safety::Avoided,
            Some(Color::White) => return Safety::Safe,
            None => {}
        }
        let values = self.sources.iter().map(|source| self.value_by(source, position));
        values.fold(Safety::Unknown, |best, value| match (best, value) {
            (Safety::Safe, _) | (_, Safety::Safe) => Safety::Safe,
            (Safety::Avoided, _) | (_, Safety::Avoided) => Safety::Avoided,
            _ => Safety::Unknown,
        })
    }

    fn value_by(&self, source: &Source, position: &Position) -> Safety {
        let certificate = match source {
            Source::Solution(solution) if solution.is_lost(position) => return Safety::Avoided,
            Source::Solution(_) => return Safety::Safe,
            Source::File(file) => {
                return match file.ask(|solved| solved.is_lost(position)) {
                    Some(true) => Safety::Avoided,
                    Some(false) => Safety::Safe,
                    None => Safety::Unknown,
                };
            }
            Source::Certificate(certificate) => certificate,
        };
        let Certificate { claim: Claim { game, kind }, black_to_move, white_to_move } = certificate;
        match kind {
            // A certificate with less material says nothing about positions that hold more.
            _ if !is_of(position, certificate) => Safety::Unknown,
            Kind::Cut => {
                let listed = match position.turn() {
                    Color::Black => black_to_move,
                    Color::White => white_to_move,
                };
                let lost = listed.contains(&symmetry::canonical(position));
                match lost {
                    false => Safety::Safe,
                    true if *game == self.game => Safety::Avoided,
                    // What White cannot hold with less material, it may hold with more.
                    true => Safety::Unknown,
                }
            }
            Kind::Refutation => {
                let set = white_to_move;
                let wins = match position.turn() {
                    Color::White => set.contains(&symmetry::canonical(position)),
                    Color::Black => game.moves(position).any(|mv| keeps(game, set, position, mv)),
                };
                if wins { Safety::Avoided } else { Safety::Unknown }
            }
            Kind::Closure => {
                let set = black_to_move;
                let holds = match position.turn() {
                    Color::Black => set.contains(&symmetry::canonical(position)),
                    Color::White => game.moves(position).any(|mv| keeps(game, set, position, mv)),
                };
                if holds { Safety::Safe } else { Safety::Unknown }
            }
        }
    }

    /// The moves of the side to move, each with the value of what it leads to: [`Safety::Safe`] if White wins
    /// by it, [`Safety::Avoided`] if Black does.
    #[must_use]
    pub fn moves(&self, position: &Position) -> Vec<(Move, Safety)> {
        let value = |mv| match self.game.play_unchecked(position, mv) {
            Outcome::WhiteWins => Safety::Safe,
            Outcome::BlackWins => Safety::Avoided,
            Outcome::GoesOn(next) => self.value(&next),
        };
        self.game.moves(position).map(|mv| (mv, value(mv))).collect()
    }

    /// White's answer to a position, by a closure. It is chosen in the canonical position of the orbit: the first
    /// move that wins, else the first that goes on into the set. A symmetry carries this move back, so the answer to
    /// an image of a position is an image of its answer. `None` if White is not to move or no closure has an answer.
    #[must_use]
    pub fn answer(&self, position: &Position) -> Option<Move> {
        if position.turn() == Color::Black {
            return None;
        }
        self.sources.iter().find_map(|source| match source {
            Source::Certificate(certificate) if is_of(position, certificate) => {
                match certificate.claim.kind {
                    Kind::Closure => answer(&certificate.claim.game, &certificate.black_to_move, position),
                    Kind::Cut | Kind::Refutation => None,
                }
            }
            _ => None,
        })
    }

    /// In how many plies White wins, if a solution in a file says so.
    #[must_use]
    pub fn white_wins_in(&self, position: &Position) -> Option<u32> {
        if position.finished().is_some() {
            return None;
        }
        self.sources.iter().find_map(|source| match source {
            Source::File(file) => file.ask(|solved| solved.plies_of_win(position)).flatten(),
            Source::Solution(_) | Source::Certificate(_) => None,
        })
    }

    /// White's quickest move to a win, if White is to move and a solution in a file says so; of several the first.
    #[must_use]
    pub fn white_wins_by(&self, position: &Position) -> Option<Move> {
        let wins_in = self.white_wins_in(position).filter(|_| position.turn() == Color::White)?;
        self.game.moves(position).find(|&mv| match self.game.play_unchecked(position, mv) {
            Outcome::WhiteWins => wins_in == 1,
            Outcome::BlackWins => false,
            Outcome::GoesOn(next) => self.white_wins_in(&next) == Some(wins_in - 1),
        })
    }

    /// Whether there is a solution in memory, which knows every position.
    #[must_use]
    pub fn is_solved(&self) -> bool {
        self.sources.iter().any(|source| matches!(source, Source::Solution(_)))
    }

    /// Whether [`Safety::Avoided`] means in [`Knowledge::value`] that Black wins. It does if there is a solution or a
    /// refutation. A cut may also list positions that White holds.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        let is_solution = |source: &Source| matches!(source, Source::Solution(_) | Source::File(_));
        self.sources.iter().any(is_solution) || self.refutation().is_some()
    }

    /// Whether there is a closure, so that [`Knowledge::answer`] may have one.
    #[must_use]
    pub fn has_closure(&self) -> bool {
        let is_closure = |source: &Source| matches!(source, Source::Certificate(certificate) if certificate.claim.kind == Kind::Closure);
        self.sources.iter().any(is_closure)
    }

    /// The positions that a refutation lists, if there is one.
    #[must_use]
    pub fn refutation(&self) -> Option<&PositionSet> {
        self.sources.iter().find_map(|source| match source {
            Source::Certificate(certificate) if certificate.claim.kind == Kind::Refutation => {
                Some(&certificate.white_to_move)
            }
            _ => None,
        })
    }
}

/// Whether a certificate's claim, if it is true of its own game, is also true of `game`.
#[must_use]
pub fn follows(claim: &Claim, game: &Game) -> bool {
    let own = claim.game.variant;
    let (asked, is_read_so) = (game.variant, claim.game.reading == game.reading);
    match claim.kind {
        Kind::Cut | Kind::Closure => {
            (is_read_so || claim.game.reading == Reading::Robust)
                && own.white.at_most(asked.white)
                && asked.black.at_most(own.black)
        }
        Kind::Refutation => {
            (is_read_so || game.reading == Reading::Robust)
                && asked.white.at_most(own.white)
                && own.black.at_most(asked.black)
        }
    }
}

/// Whether a certificate with this claim says something about positions of `game`.
fn is_about(claim: &Claim, game: &Game) -> bool {
    match claim.kind {
        Kind::Closure => follows(claim, game),
        Kind::Cut | Kind::Refutation => claim.covers(game.variant) && claim.game.reading == game.reading,
    }
}

/// Whether the position has no more pieces on the board than the certificate's variant allows.
fn is_of(position: &Position, certificate: &Certificate) -> bool {
    certificate.black_to_move.tiers().index(Tier::of(position)).is_some()
}

/// Whether a move wins for its side or goes on into the set.
fn keeps(game: &Game, set: &PositionSet, position: &Position, mv: Move) -> bool {
    match game.play_unchecked(position, mv) {
        Outcome::WhiteWins => position.turn() == Color::White,
        Outcome::BlackWins => position.turn() == Color::Black,
        Outcome::GoesOn(next) => set.contains(&symmetry::canonical(&next)),
    }
}

fn answer(game: &Game, set: &PositionSet, position: &Position) -> Option<Move> {
    let canonical = symmetry::canonical(position);
    let wins = |mv: &Move| game.play_unchecked(&canonical, *mv) == Outcome::WhiteWins;
    let mut moves = game.moves(&canonical);
    let first = game.moves(&canonical).find(wins);
    let mv = first.or_else(|| moves.find(|&mv| keeps(game, set, &canonical, mv)))?;
    let there = Symmetry::all().find(|symmetry| symmetry.position(position) == canonical)?;
    let back = there.inverse();
    Some(match mv {
        Move::Place { size, to } => Move::Place { size, to: back.square(to) },
        Move::Transfer { from, to } => Move::Transfer { from: back.square(from), to: back.square(to) },
    })
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::bitbase::solution::testing::{game, solved};
    use crate::closure::Weights;
    use crate::enumerate::Discipline;
    use crate::enumerate::{Ranking, Tiers};
    use crate::refute::refute;
    use crate::strategy::Seed;

    /// What a closure says is true of games that are better for White. It says nothing about games that are worse.
    #[test]
    fn a_closure_is_about_games_that_are_better_for_white() {
        let worse = game("A2-A3B1", Reading::Robust);
        let solution = solved(&worse, Seed::Rules);
        let closure = crate::closure::closure(&solution, &Weights::default()).expect("White holds");
        for (variant, reading) in [
            ("A2-A2B1", Reading::Robust),
            ("A2-A3", Reading::Thesis),
            ("A3-A3B1", Reading::NoEntryCover),
            ("A2B1-A2B1", Reading::Official),
        ] {
            let better = game(variant, reading);
            let solution = solved(&better, Seed::Rules);
            let known = Knowledge::new(better, vec![Source::Certificate(closure.clone())]);
            assert!(known.has_closure() && known.value(&Position::empty(Color::Black)) == Safety::Safe);
            let mut safe = 0;
            for position in some_positions(&better).filter(|position| position.finished().is_none()) {
                match known.value(&position) {
                    Safety::Unknown => {}
                    value => {
                        assert_eq!((value, solution.is_lost(&position)), (Safety::Safe, false), "{position}");
                        safe += 1;
                    }
                }
            }
            assert!(safe > 10, "{variant}: {safe}");
        }
        for (variant, reading) in [("A1-A3B1", Reading::Robust), ("A2-A3B2", Reading::Official)] {
            let known = Knowledge::new(game(variant, reading), vec![Source::Certificate(closure.clone())]);
            assert!(!known.has_closure(), "{variant}");
        }
    }

    fn some_positions(game: &Game) -> impl Iterator<Item = Position> {
        Tiers::new(game.variant).as_slice().to_vec().into_iter().flat_map(|tier| {
            let ranking = Ranking::new(tier);
            let some = (0..ranking.len()).step_by(173);
            let of = move |rank| Color::ALL.map(|turn| ranking.unrank(rank, turn).expect("a rank"));
            some.flat_map(of)
        })
    }

    #[test]
    fn a_solution_and_its_cut_say_the_same_and_its_closure_nothing_else() {
        let game = game("A2-A3B1", Reading::Official);
        let solution = solved(&game, Seed::Rules);
        let cut = Source::Certificate(crate::closure::cut(&solution).expect("a cut"));
        let closure = Source::Certificate(
            crate::closure::closure(&solution, &Weights::default()).expect("White holds"),
        );
        let by_cut = Knowledge::new(game, vec![cut]);
        let by_closure = Knowledge::new(game, vec![closure]);
        let by_solution = Knowledge::new(game, vec![Source::Solution(Box::new(solution))]);
        let mut met = [0; 3];
        for position in some_positions(&game) {
            let value = by_solution.value(&position);
            assert_ne!(value, Safety::Unknown);
            assert_eq!(by_cut.value(&position), value, "{position}");
            let closed = by_closure.value(&position);
            if position.finished().is_none() {
                assert!(
                    closed == Safety::Unknown || closed == Safety::Safe && value == Safety::Safe,
                    "{position}"
                );
            }
            met[closed as usize] += 1;
        }
        assert!(met.iter().all(|&count| count > 0), "{met:?}");
    }

    #[test]
    fn the_answer_is_a_safe_move_and_that_of_an_image_the_image() {
        let game = game("A2-A3B1", Reading::Official);
        let solution = solved(&game, Seed::Rules);
        let closure = crate::closure::closure(&solution, &Weights::default()).expect("White holds");
        let members: Vec<Position> = closure.black_to_move.positions(Color::Black).collect();
        let known = Knowledge::new(game, vec![Source::Certificate(closure)]);
        assert!(known.has_closure());
        let mut answered = 0;
        for member in &members {
            assert_eq!(known.answer(member), None, "Black is to move");
            let questions = game.moves(member).map(|mv| game.play_unchecked(member, mv));
            for question in questions {
                let Outcome::GoesOn(question) = question else { continue };
                let after = |position: &Position| {
                    let mv = known.answer(position).expect("K5");
                    match game.play(position, mv).expect("legal") {
                        Outcome::GoesOn(next) => Some(next),
                        Outcome::WhiteWins => None,
                        Outcome::BlackWins => panic!("{position} {mv} loses"),
                    }
                };
                let next = after(&question);
                let safe = |next: Position| known.value(&next) == Safety::Safe && !solution.is_lost(&next);
                assert!(next.is_none_or(safe), "{question}");
                let image = Symmetry::all().nth(answered % 32).expect("one of 32").position(&question);
                let orbit = |next: Option<Position>| next.map(|next| symmetry::canonical(&next));
                assert_eq!(orbit(after(&image)), orbit(next), "{question}");
                answered += 1;
            }
        }
        assert!(answered > 1_000, "{answered}");
    }

    #[test]
    fn what_a_refutation_lists_or_answers_is_lost_and_it_says_nothing_else() {
        let game = game("A1-A3B1", Reading::Official);
        let go_on = &mut |_| ControlFlow::Continue(());
        let refutation = refute(&game, Discipline::FREE, None, go_on).expect("memory").expect("Black wins");
        let solution = solved(&game, Seed::Rules);
        let known = Knowledge::new(game, vec![Source::Certificate(refutation)]);
        let set = known.refutation().expect("a refutation");
        let mut met = [0; 3];
        for position in some_positions(&game).filter(|position| position.finished().is_none()) {
            let value = known.value(&position);
            assert!(value == Safety::Unknown || value == Safety::Avoided && solution.is_lost(&position));
            met[value as usize] += 1;
        }
        assert!(met[1] > 0 && met[2] > 0, "{met:?}");
        for position in set.positions(Color::White) {
            assert_eq!(known.value(&position), Safety::Avoided);
            for (mv, value) in known.moves(&position) {
                assert_eq!(value, Safety::Avoided, "{position} {mv}: to every white move there is an answer");
            }
        }
        assert!(!known.has_closure() && known.answer(&Position::empty(Color::White)).is_none());
    }

    #[test]
    fn less_white_material_tells_what_is_safe_and_nothing_else() {
        let [less, more] = ["A2-A3B1", "A3-A3B1"].map(|variant| game(variant, Reading::Official));
        let solution = solved(&less, Seed::Rules);
        let cut = || Source::Certificate(crate::closure::cut(&solution).expect("a cut"));
        let known = Knowledge::new(more, vec![cut()]);
        let mut met = [0; 3];
        for position in some_positions(&more).filter(|position| position.finished().is_none()) {
            let value = known.value(&position);
            let of_less = Tiers::new(less.variant).index(Tier::of(&position)).is_some();
            let safe = of_less && !solution.is_lost(&position);
            assert_eq!(value, if safe { Safety::Safe } else { Safety::Unknown }, "{position}");
            met[value as usize] += 1;
        }
        assert!(met[0] > 0 && met[2] > 0, "{met:?}");
        let other = Game { reading: Reading::Robust, ..less };
        let said = Knowledge::new(other, vec![cut()]).value(&Position::empty(Color::White));
        assert_eq!(said, Safety::Unknown, "another reading");
    }
}
