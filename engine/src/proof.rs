//! Proof-number search: whether one side, the attacker, can force a win.
//!
//! The search (df-pn: Nagai, 2002) keeps two numbers for each position: the least number of positions that still have to be settled
//! to prove that the attacker wins, and the least number to prove that it does not. It looks where that number is smallest. A
//! table holds what was found.
//!
//! # What is proven
//! A position that comes again on the way to itself is no win for the attacker on this way. So a repetition counts against the
//! attacker only, and **a win never rests on one**: it rests on moves that win at once and on positions that are proven already.
//! That the attacker does *not* win may rest on a repetition. Such a finding holds while the positions that it rests on are on
//! the way, and for ever once it rests on none but the position itself: the defender then goes round for ever (R8). Where play
//! had to be cut off because it became too long, nothing is said.
//!
//! Where positions often repeat, the search could follow ways without end. So from time to time it settles all positions of the
//! table together, by two sweeps. The first sweep counts every position outside the table as a win for the attacker: from where the
//! attacker still cannot force a win, the defender holds for ever. The second sweep counts them as held: from where the attacker
//! still can force a win, it wins. If the table has grown by less than a quarter since the last sweeps, positions one move away are
//! added first, so that the search ends in every finite game.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::Hash;

/// A game as the attacker sees it. Positions that are alike, as by a symmetry, can be given as one.
pub trait Attack {
    /// A position in which play goes on, and who is to move.
    type Position: Copy + Eq + Hash;

    /// Whether the attacker is to move.
    fn attacks(&self, position: &Self::Position) -> bool;

    /// Adds what each move leads to. There is a move.
    fn expand(&self, position: &Self::Position, moves: &mut Vec<After<Self::Position>>);
}

/// What a move leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum After<P> {
    /// The attacker wins within these plies, this move counted, whatever the defender does.
    Won(u32),
    /// The attacker does not win any more.
    Held,
    /// Play goes on.
    GoesOn(P),
}

/// What a search has shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Forced {
    /// The attacker wins by force, within this number of plies.
    Wins {
        /// The plies, its last move counted.
        plies: u32,
    },
    /// The attacker does not win by force within the plies that were allowed.
    Holds,
    /// More positions or longer play would have to be looked at.
    GaveUp,
}

/// This proof is out of reach: the other one is there.
const INFINITE: u32 = u32::MAX;
/// The most that is still to be done.
const MOST: u32 = INFINITE - 1;
/// The plies that are left where no limit is.
const UNLIMITED: u32 = u32::MAX - 1;
/// The longest way that is followed.
const LONGEST: usize = 1_500;
/// After how many positions looked at they are first taken together.
const FIRST_GATHERING: u64 = 64;
/// What is missing for a win where it was shown that there is none, on another way.
const UNLIKELY: u32 = 1 << 16;

/// What is missing for the two proofs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Missing {
    win: u32,
    hold: u32,
    /// If the position is held on this way only: what that rests on.
    rests: Option<Rests>,
}

/// What a finding rests on: positions of the way, counted from the first of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Rests {
    /// The earliest.
    first: usize,
    /// None is later than this one.
    last: usize,
    /// Whether it rests on a way being too long, too.
    cut: bool,
}

const WON: Missing = Missing { win: 0, hold: INFINITE, rests: None };
const OPEN: Missing = Missing { win: 1, hold: 1, rests: None };

fn held(rests: Option<Rests>) -> Missing {
    Missing { win: INFINITE, hold: 0, rests }
}

/// What the table has of a position.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The attacker wins within these plies; [`INFINITE`] if that is not known.
    wins_in: u32,
    /// It does not win in fewer plies than this.
    not_below: u32,
    /// How many plies were left when the rest was stored.
    left: u32,
    missing: Missing,
    /// The visit of the last position on which that rests.
    visit: u64,
}

/// A search for wins of one attacker. What it finds out helps it later.
pub struct Prover<A: Attack> {
    attack: A,
    table: HashMap<A::Position, Entry>,
    /// The positions of the table, in the order in which they came.
    order: Vec<A::Position>,
    /// The way to the position that is looked at, each with the number of its visit.
    path: Vec<(A::Position, u64)>,
    /// Where on the way a position stands.
    places: HashMap<A::Position, usize>,
    nodes: u64,
    visits: u64,
    most: u64,
    /// When all positions are taken together next, and how many there were last time.
    gathers: u64,
    gathered: usize,
}

impl<A: Attack> Prover<A> {
    /// A search that knows nothing yet.
    pub fn new(attack: A) -> Prover<A> {
        Prover {
            attack,
            table: HashMap::new(),
            order: Vec::new(),
            path: Vec::new(),
            places: HashMap::new(),
            nodes: 0,
            visits: 0,
            most: 0,
            gathers: FIRST_GATHERING,
            gathered: 0,
        }
    }

    /// How many positions were looked at so far, with repetitions.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How many positions the table has.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.table.len()
    }

    /// How large an entry of the table is with its position, in bytes.
    #[must_use]
    pub const fn entry_bytes() -> usize {
        size_of::<(A::Position, Entry)>()
    }

    /// Whether the attacker wins from a position in which play goes on, within `plies` if that is given. It looks at `most`
    /// positions more, at most.
    pub fn prove(&mut self, position: &A::Position, plies: Option<u32>, most: u64) -> Forced {
        let left = plies.unwrap_or(UNLIMITED).min(UNLIMITED);
        self.most = self.nodes.saturating_add(most);
        self.path.clear();
        self.places.clear();
        let mut missing = self.look(position, left);
        if missing.win != 0 && missing.hold != 0 {
            missing = self.settle(*position, left, INFINITE, INFINITE);
        }
        match (missing, self.table.get(position)) {
            (Missing { win: 0, .. }, Some(entry)) => Forced::Wins { plies: entry.wins_in },
            (Missing { hold: 0, rests: None, .. }, _) => Forced::Holds,
            _ => Forced::GaveUp,
        }
    }

    /// What is missing for a position of which these plies are left, as far as it is known.
    fn look(&self, position: &A::Position, left: u32) -> Missing {
        let entry = self.table.get(position);
        match entry {
            Some(entry) if entry.wins_in <= left => return WON,
            Some(entry) if entry.not_below > left => return held(None),
            _ => {}
        }
        // Where plies are limited a position that comes again has fewer left.
        if left == UNLIMITED
            && let Some(&place) = self.places.get(position)
        {
            return held(Some(Rests { first: place, last: place, cut: false }));
        }
        match entry {
            Some(Entry { missing, visit, left: then, .. }) if *then == left => match missing.rests {
                Some(rests) if self.path.get(rests.last).is_none_or(|(_, now)| now != visit) => {
                    Missing { win: UNLIKELY, hold: 1, rests: None }
                }
                _ => *missing,
            },
            _ => OPEN,
        }
    }

    /// Looks at a position until one of the two proofs is there, or misses at least that much.
    fn settle(&mut self, position: A::Position, left: u32, most_win: u32, most_hold: u32) -> Missing {
        let known = self.look(&position, left);
        if self.nodes >= self.most || known.win == 0 || known.hold == 0 {
            return known;
        }
        self.nodes += 1;
        self.visits += 1;
        if left == UNLIMITED && self.nodes >= self.gathers {
            if self.order.len() < self.gathered + self.gathered / 4 {
                self.spread();
            }
            self.gathered = self.order.len();
            self.gather();
            self.gathers = self.nodes + FIRST_GATHERING.max(self.table.len() as u64);
            let missing = self.look(&position, left);
            if missing.win == 0 || missing.hold == 0 {
                return missing;
            }
        }
        let depth = self.path.len();
        let mut moves = Vec::new();
        self.attack.expand(&position, &mut moves);
        let attacks = self.attack.attacks(&position);
        let mut next = Vec::with_capacity(moves.len());
        // The plies of wins that need no search: the quickest for the attacker, the slowest for the defender.
        let mut at_sight: Option<u32> = None;
        let mut escapes = false;
        for after in moves {
            match after {
                After::Won(plies) if plies <= left => {
                    let other = at_sight.unwrap_or(plies);
                    at_sight = Some(if attacks { other.min(plies) } else { other.max(plies) });
                }
                After::Won(_) | After::Held => escapes = true,
                After::GoesOn(_) if left <= 1 => escapes = true,
                After::GoesOn(position) => next.push(position),
            }
        }
        match at_sight {
            Some(plies) if attacks => return self.store_win(position, plies),
            _ if escapes && !attacks => return self.store_held(position, left, None, depth),
            _ => {}
        }
        if depth >= LONGEST {
            let last = depth.saturating_sub(1);
            return self.store_held(position, left, Some(Rests { first: last, last, cut: true }), depth);
        }
        let mut seen = HashSet::with_capacity(next.len());
        next.retain(|position| seen.insert(*position));
        drop(seen);
        let then = if left == UNLIMITED { left } else { left - 1 };
        self.path.push((position, self.visits));
        self.places.insert(position, depth);
        // What holds on this way goes on to do so until the position is left; of the others one is looked at again at a time.
        let mut missing: Vec<Missing> = next.iter().map(|next| self.look(next, then)).collect();
        let found = loop {
            // For the side to move one move is enough, for the other one all are needed.
            let own = |missing: &Missing| if attacks { missing.win } else { missing.hold };
            let other = |missing: &Missing| if attacks { missing.hold } else { missing.win };
            let least = missing.iter().map(own).min().unwrap_or(INFINITE);
            let sum = missing.iter().map(|m| u64::from(other(m))).sum::<u64>();
            let is_settled = missing.iter().all(|m| other(m) == 0);
            if least == 0 && !attacks {
                // Of several ways to hold the one that rests on least.
                let ways = missing.iter().filter(|m| m.hold == 0).map(|m| m.rests);
                let best =
                    ways.min_by_key(|rests| rests.map_or((false, 0), |rests| (rests.cut, 1 + rests.last)));
                break Some((false, best.flatten()));
            }
            if least == 0 || is_settled {
                let rests = missing.iter().filter_map(|m| m.rests).reduce(|one, other| Rests {
                    first: one.first.min(other.first),
                    last: one.last.max(other.last),
                    cut: one.cut || other.cut,
                });
                break Some((!attacks || least == 0, rests));
            }
            let sum = sum.min(u64::from(MOST)) as u32;
            let (win, hold) = if attacks { (least, sum) } else { (sum, least) };
            if win >= most_win || hold >= most_hold || self.nodes >= self.most {
                let missing = Missing { win: win.min(MOST), hold: hold.min(MOST), rests: None };
                let entry = self.entry(position);
                (entry.left, entry.missing) = (left, missing);
                break None;
            }
            let chosen =
                (0..next.len()).min_by_key(|&at| (own(&missing[at]), other(&missing[at]))).unwrap_or(0);
            let second = (0..next.len()).filter(|at| *at != chosen).map(|at| own(&missing[at])).min();
            let rest = sum - other(&missing[chosen]).min(sum);
            let (most_own, most_other) = if attacks { (most_win, most_hold) } else { (most_hold, most_win) };
            let own_limit = most_own.min(second.unwrap_or(INFINITE).saturating_add(1));
            let other_limit = if most_other == INFINITE { INFINITE } else { most_other.saturating_sub(rest) };
            let (win, hold) = if attacks { (own_limit, other_limit) } else { (other_limit, own_limit) };
            missing[chosen] = self.settle(next[chosen], then, win, hold);
        };
        self.path.pop();
        self.places.remove(&position);
        match found {
            None => self.look(&position, left),
            Some((true, _)) => {
                let plies = next.iter().filter_map(|next| self.table.get(next)).map(|entry| entry.wins_in);
                let plies =
                    if attacks { plies.min() } else { plies.chain(at_sight.map(|plies| plies - 1)).max() };
                self.store_win(position, plies.unwrap_or(0).saturating_add(1))
            }
            Some((false, rests)) => self.store_held(position, left, rests, depth),
        }
    }

    /// Adds to the table positions one move away from unsettled ones. It stops when the table has twice the positions it had.
    fn spread(&mut self) {
        let most = 2 * self.order.len();
        let mut moves = Vec::new();
        for number in 0..self.order.len() {
            let position = self.order[number];
            let entry = self.table[&position];
            if entry.wins_in != INFINITE || entry.not_below > UNLIMITED {
                continue;
            }
            moves.clear();
            self.attack.expand(&position, &mut moves);
            for after in &moves {
                if let After::GoesOn(next) = after {
                    self.entry(*next);
                }
            }
            self.nodes += 1;
            if self.order.len() >= most {
                break;
            }
        }
    }

    /// Takes all positions of the table together. Those from which the attacker cannot come to a win or out of the table,
    /// whatever it does, are held; those from which it comes to a win within the table are won.
    fn gather(&mut self) {
        let numbers: HashMap<&A::Position, usize> = self.order.iter().zip(0..).collect();
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.order.len()];
        let mut moves = Vec::new();
        let mut seen: Vec<Seen> = Vec::with_capacity(self.order.len());
        for (number, position) in self.order.iter().enumerate() {
            let entry = self.table[position];
            let attacks = self.attack.attacks(position);
            let mut own = Seen { attacks, ..Seen::default() };
            if entry.wins_in != INFINITE {
                own.won = Some(entry.wins_in);
            } else if entry.not_below > UNLIMITED {
                own.held = true;
            } else {
                moves.clear();
                self.attack.expand(position, &mut moves);
                let mut open = Vec::new();
                for after in &moves {
                    match after {
                        After::Won(plies) if attacks => {
                            own.won = Some(own.won.map_or(*plies, |won| won.min(*plies)));
                        }
                        After::Won(plies) => own.slowest = own.slowest.max(plies - 1),
                        After::Held => own.held |= !attacks,
                        After::GoesOn(next) => match numbers.get(next) {
                            Some(next) => open.push(*next),
                            None => own.leaves = true,
                        },
                    }
                }
                open.sort_unstable();
                open.dedup();
                own.open = open.len();
                open.into_iter().for_each(|next| before[next].push(number));
            }
            seen.push(own);
        }
        let (may_win, wins) = (attracted(&seen, &before, true), attracted(&seen, &before, false));
        for (position, (may_win, wins)) in self.order.iter().zip(may_win.into_iter().zip(wins)) {
            let Some(entry) = self.table.get_mut(position) else { continue };
            if may_win.is_none() {
                entry.not_below = UNLIMITED + 1;
            }
            entry.wins_in = entry.wins_in.min(wins.unwrap_or(INFINITE));
        }
    }

    fn entry(&mut self, position: A::Position) -> &mut Entry {
        let order = &mut self.order;
        self.table.entry(position).or_insert_with(|| {
            order.push(position);
            Entry { wins_in: INFINITE, not_below: 0, left: INFINITE, missing: OPEN, visit: 0 }
        })
    }

    fn store_win(&mut self, position: A::Position, plies: u32) -> Missing {
        let entry = self.entry(position);
        entry.wins_in = entry.wins_in.min(plies);
        WON
    }

    /// Stores that the attacker does not win from a position, which stands at a place of the way.
    fn store_held(
        &mut self,
        position: A::Position,
        left: u32,
        rests: Option<Rests>,
        depth: usize,
    ) -> Missing {
        // What rests on the position itself rests on nothing.
        let rests = rests
            .filter(|rests| rests.first < depth || rests.cut)
            .map(|rests| Rests { last: rests.last.min(depth.saturating_sub(1)), ..rests });
        let visit = rests.and_then(|rests| self.path.get(rests.last)).map_or(0, |(_, visit)| *visit);
        let entry = self.entry(position);
        match rests {
            None => entry.not_below = entry.not_below.max(left + 1),
            Some(_) => (entry.left, entry.missing, entry.visit) = (left, held(rests), visit),
        }
        held(rests)
    }
}

/// A position among others, as far as its own moves show it.
#[derive(Clone, Copy, Default)]
struct Seen {
    attacks: bool,
    /// In how many plies it is won at sight, or was proven to be.
    won: Option<u32>,
    /// The attacker does not win from it.
    held: bool,
    /// Some move leads to a position that is not among them.
    leaves: bool,
    /// To how many among them moves lead.
    open: usize,
    /// Of the defender's moves that lose at sight, how many plies the slowest one leaves.
    slowest: u32,
}

/// From which positions the attacker comes to a win, and within how many plies; also if it only comes out of them, where
/// `leaves_win` says so. `before` has for each position those from which a move leads there.
fn attracted(seen: &[Seen], before: &[Vec<usize>], leaves_win: bool) -> Vec<Option<u32>> {
    let at_once = |seen: &Seen| match seen {
        Seen { won: Some(plies), .. } => Some(*plies),
        Seen { attacks: true, leaves, .. } => (*leaves && leaves_win).then_some(MOST),
        Seen { held: true, .. } => None,
        Seen { leaves, open, slowest, .. } => (*open == 0 && (!leaves || leaves_win)).then_some(slowest + 1),
    };
    let mut plies: Vec<Option<u32>> = seen.iter().map(at_once).collect();
    let mut open: Vec<(usize, u32)> = seen.iter().map(|seen| (seen.open, seen.slowest)).collect();
    let mut won: VecDeque<usize> = (0..seen.len()).filter(|number| plies[*number].is_some()).collect();
    while let Some(number) = won.pop_front() {
        let after = plies[number].unwrap_or(MOST);
        for &earlier in &before[number] {
            let own = seen[earlier];
            if plies[earlier].is_some() || own.held || !own.attacks && own.leaves && !leaves_win {
                continue;
            }
            let (open, slowest) = &mut open[earlier];
            *open -= 1;
            *slowest = (*slowest).max(after);
            if own.attacks || *open == 0 {
                plies[earlier] = Some(if own.attacks { after } else { *slowest }.saturating_add(1).min(MOST));
                won.push_back(earlier);
            }
        }
    }
    plies
}
