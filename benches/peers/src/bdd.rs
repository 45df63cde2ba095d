//! A symbolic fixpoint over binary decision diagrams with complement edges, those of OxiDD: nothing is numbered
//! or listed, sets of positions are Boolean functions.
//!
//! A variable says whether a piece of a side and size stands on a square: squares in order, and on each the
//! sizes from the largest, White's first. The side to move is no variable; there is a set for each. A move sets
//! one or two variables, so the positions from which it leads into a set are a cofactor of that set, and no
//! relation is built. Written from the rules and not from gobprove's moves (R2 to R6, the reading `official`).

use std::array::from_fn;
use std::error::Error;
use std::hash::RandomState;
use std::ops::{BitAnd, BitOr, Not};

use gobprove::rules::{Color, Game, LINES, Reading, Square};
use oxidd::bcdd::{BCDDFunction, new_manager};
use oxidd::util::SatCountCache;
use oxidd::{BooleanFunction as _, Manager as _, ManagerRef as _};

use crate::{Found, timed};

/// Room for nodes, and for results that are kept: more than small games take.
const NODES: usize = 1 << 25;
const KEPT: usize = 1 << 20;

const ROOM: &str = "there is room for the nodes of a small game";

/// A set of positions.
#[derive(Clone, PartialEq, Eq)]
struct Set(BCDDFunction);

impl BitAnd for &Set {
    type Output = Set;

    fn bitand(self, other: &Set) -> Set {
        Set(self.0.and(&other.0).expect(ROOM))
    }
}

impl BitOr for &Set {
    type Output = Set;

    fn bitor(self, other: &Set) -> Set {
        Set(self.0.or(&other.0).expect(ROOM))
    }
}

impl Not for &Set {
    type Output = Set;

    fn not(self) -> Set {
        Set(self.0.not().expect(ROOM))
    }
}

impl Set {
    /// The positions that are in the set once a variable, or the negation of one, is made to hold.
    fn after(&self, literal: &Set) -> Set {
        Set(self.0.restrict(&literal.0).expect(ROOM))
    }
}

/// Solves by a fixpoint over all tiers at once.
pub fn solve(game: &Game) -> Result<Found, Box<dyn Error>> {
    if game.reading != Reading::Official {
        return Err("the rules are written here for the reading official".into());
    }
    let (board, lost, times) = timed(|| Ok(Board::new(game)), |board| Ok(board.lost()))?;
    Ok(Found { lost: lost.map(|set| board.count(&set)), times })
}

/// Something for each square.
type Squares<T> = [T; Square::COUNT];

/// What the rules say of a board. Sides, sizes and squares are indices.
struct Board {
    variables: u32,
    none: Set,
    /// The sizes that a side may use.
    sizes: [Vec<usize>; 2],
    /// Where a piece stands, visible or not.
    stands: [[Squares<Set>; 4]; 2],
    /// Where a piece is the visible one.
    shows: [[Squares<Set>; 4]; 2],
    /// Where a piece of a size can go: the square's visible piece is smaller, or there is none (R5).
    fits: [Squares<Set>; 4],
    /// Where a side may put a piece from hand, if it fits (R4).
    enters: [Squares<Set>; 2],
    /// A side has a line (R6).
    line: [Set; 2],
    /// The positions of the variant (R2, R3).
    valid: Set,
}

impl Board {
    fn new(game: &Game) -> Board {
        let manager = new_manager(NODES, KEPT, 1);
        let material = Color::ALL.map(|color| game.variant.material(color).counts());
        let sizes = material.map(|counts| (0..4).filter(|&size| counts[size] > 0).collect());
        // The pieces of a square in the order of their variables.
        let uses = |&(size, side): &(usize, usize)| material[side][size] > 0;
        let order: Vec<_> = (0..4).flat_map(|size| [(size, 0), (size, 1)]).filter(uses).collect();
        let variables = (Square::COUNT * order.len()) as u32;
        let (all, none) = manager.with_manager_exclusive(|manager| {
            manager.add_vars(variables);
            (Set(BCDDFunction::t(manager)), Set(BCDDFunction::f(manager)))
        });
        let any = |sets: &mut dyn Iterator<Item = Set>| sets.fold(none.clone(), |union, set| &union | &set);
        let variable = |side: usize, size: usize, square: usize| {
            let Some(place) = order.iter().position(|&piece| piece == (size, side)) else {
                return none.clone();
            };
            let variable = (square * order.len() + place) as u32;
            manager.with_manager_shared(|manager| Set(BCDDFunction::var(manager, variable).expect(ROOM)))
        };
        let stands: [[Squares<Set>; 4]; 2] =
            from_fn(|side| from_fn(|size| from_fn(|square| variable(side, size, square))));
        let barred: [Squares<Set>; 4] = from_fn(|size| {
            from_fn(|square| any(&mut (0..=size).map(|s| &stands[0][s][square] | &stands[1][s][square])))
        });
        let fits: [Squares<Set>; 4] = from_fn(|size| from_fn(|square| !&barred[size][square]));
        let shows: [[Squares<Set>; 4]; 2] = from_fn(|side| {
            from_fn(|size| {
                let uncovered = |square: usize| if size > 0 { &fits[size - 1][square] } else { &all };
                from_fn(|square| &stands[side][size][square] & uncovered(square))
            })
        });
        let shown: [Squares<Set>; 2] =
            from_fn(|side| from_fn(|square| any(&mut (0..4).map(|size| shows[side][size][square].clone()))));
        let lines = LINES.map(|line| line.squares().map(|s| usize::from(s.index())).collect::<Vec<_>>());
        let line = from_fn(|side| {
            let whole =
                |line: &Vec<usize>| line.iter().fold(all.clone(), |whole, &s| &whole & &shown[side][s]);
            any(&mut lines.iter().map(whole))
        });
        let enters = from_fn(|side| {
            let theirs = &shown[1 - side];
            from_fn(|square| {
                let with_two_more = lines.iter().filter(|line| line.contains(&square)).map(|line| {
                    let others: Vec<_> = line.iter().filter(|&&s| s != square).map(|&s| &theirs[s]).collect();
                    let [a, b, c] = others[..] else { unreachable!("a line has four squares") };
                    &(a & &(b | c)) | &(b & c)
                });
                let of_three = &theirs[square] & &any(&mut with_two_more.into_iter());
                &fits[3][square] | &of_three
            })
        });
        let valid = {
            // How many pieces stand: for each number up to the most, the boards with that number.
            let counted = |side: usize, size: usize| {
                let most = usize::from(material[side][size]);
                let mut counts = vec![none.clone(); most + 1];
                counts[0] = all.clone();
                for stands in &stands[side][size] {
                    for count in (0..=most).rev() {
                        let without = &counts[count] & &!stands;
                        counts[count] =
                            if count > 0 { &without | &(&counts[count - 1] & stands) } else { without };
                    }
                }
                counts
            };
            // No more of a size than of the next larger.
            let nested = |side: usize| {
                let mut above: Vec<Set> = counted(side, 0);
                for size in 1..4 {
                    let counts = counted(side, size);
                    above = (0..counts.len())
                        .map(|count| &counts[count] & &any(&mut above[count..].iter().cloned()))
                        .collect();
                }
                any(&mut above.into_iter())
            };
            let both_nested = &nested(0) & &nested(1);
            let twice = (0..4).flat_map(|size| {
                let stands = &stands;
                (0..Square::COUNT).map(move |square| &stands[0][size][square] & &stands[1][size][square])
            });
            &both_nested & &!&any(&mut twice.into_iter())
        };
        Board { variables, none, sizes, stands, shows, fits, enters, line, valid }
    }

    /// The boards from which some move of a side leads onto one of `targets`, which are positions of the variant:
    /// so what is in hand need not be asked.
    fn before(&self, side: usize, targets: &Set) -> Set {
        let mut found = self.none.clone();
        for &size in &self.sizes[side] {
            let stands = &self.stands[side][size];
            // Without the piece, where it can be put down on each square.
            let landings: Squares<Set> = from_fn(|to| &self.fits[size][to] & &targets.after(&stands[to]));
            for (enters, landing) in self.enters[side].iter().zip(&landings) {
                found = &found | &(enters & landing);
            }
            let mut later = vec![self.none.clone()];
            for landing in landings[1..].iter().rev() {
                later.push(&later[later.len() - 1] | landing);
            }
            let mut earlier = self.none.clone();
            for (from, later) in later.into_iter().rev().enumerate() {
                // Another square than the one that it left (R5).
                let elsewhere = &earlier | &later;
                let lifted = elsewhere.after(&!&stands[from]);
                found = &found | &(&self.shows[side][size][from] & &lifted);
                earlier = &earlier | &landings[from];
            }
        }
        found
    }

    /// What is lost for White, with White and with Black to move.
    fn lost(&self) -> [Set; 2] {
        let [white_line, black_line] = &self.line;
        let finished = &self.valid & black_line;
        let open = &(&self.valid & &!white_line) & &!black_line;
        // The mover's line wins if the other side has none (R6).
        let white_wins = &(&self.valid & white_line) & &!black_line;
        let black_wins = &finished & &!white_line;
        let [mut white, mut black] = [finished.clone(), finished];
        let mut seen = self.none.clone();
        loop {
            let targets = &(&white & &open) | &black_wins;
            let from_black = self.before(1, &(&targets & &!&seen));
            let more_black = &black | &(&open & &from_black);
            let good = &(&open & &!&more_black) | &white_wins;
            let more_white = &white | &(&open & &!&self.before(0, &good));
            let done = more_white == white && more_black == black;
            [white, black, seen] = [more_white, more_black, targets];
            if done {
                return [white, black];
            }
        }
    }

    /// How many positions a set has.
    fn count(&self, set: &Set) -> u128 {
        set.0.sat_count(self.variables, &mut SatCountCache::<u128, RandomState>::default())
    }
}
