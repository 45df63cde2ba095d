//! What a certificate says of a position and of each move from it.

use gobcheck::format::{self, Claim, FormatError, Header, Kind};
use gobcheck::index::{Ranking, Tier, Tiers};
use gobcheck::rules::{Color, Game, Move, Position, Reading, Size, Square};
use gobcheck::symmetry::Symmetry;
use serde_json::{Value, json};

use crate::listed::{Listed, MOST_BY_IMAGE};

/// A game, and a certificate of it that can be searched if there is one.
pub struct Explorer {
    game: Game,
    /// What the certificate claims.
    claim: Option<Claim>,
    positions: Vec<Position>,
    listed: Listed,
}

/// What is known of a position, if the certificate is right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Known {
    /// White does not lose.
    Holds,
    /// Black wins: in how many plies at most, 0 if that is not known.
    Lost(u16),
    /// The certificate does not say.
    Unknown,
}

impl Explorer {
    /// Reads a certificate. Nothing is checked beyond its format.
    ///
    /// # Errors
    /// The bytes are not a certificate.
    pub fn load(bytes: &[u8]) -> Result<Explorer, FormatError> {
        let Header { claim, entries, .. } = Header::parse(bytes)?;
        let (asking, promised) = match claim.kind {
            Kind::Refutation => (Color::White, entries[1]),
            Kind::Closure | Kind::Cut => (Color::Black, entries[0]),
        };
        // An entry takes a byte or more, whatever the header promises.
        let mut listed = Vec::with_capacity(promised.min(bytes.len() as u64) as usize);
        let tiers = Tiers::new(claim.game.variant);
        format::read(bytes, &mut |turn, tier_index, ranks| {
            if turn == asking {
                let ranking = Ranking::new(tiers.as_slice()[tier_index]);
                let positions = ranks.iter().filter_map(|&rank| ranking.unrank(rank, turn));
                listed.extend(positions.map(|position| position.sides()));
            }
        })?;
        let few = claim.kind == Kind::Refutation && listed.len() <= MOST_BY_IMAGE;
        let position = |&sides| Position::from_sides(sides, asking);
        let positions = if few { listed.iter().map(position).collect() } else { Vec::new() };
        let listed = Listed::new(listed, asking);
        Ok(Explorer { game: claim.game, claim: Some(claim), positions, listed })
    }

    /// A game of which nothing is known.
    pub fn of(game: Game) -> Explorer {
        Explorer { game, claim: None, positions: Vec::new(), listed: Listed::default() }
    }

    /// The game, and what the certificate claims of it if there is one.
    pub fn claim(&self) -> Value {
        let Game { variant, reading, .. } = self.game;
        let counts = |color| variant.material(color).counts();
        json!({
            "claim": self.claim.map(|claim| claim.to_string()),
            "variant": variant.to_string(),
            "reading": reading.tag(),
            "place": Reading::ALL.iter().position(|&one| one == reading),
            "kind": self.claim.map(|claim| claim.kind.tag()),
            "white": counts(Color::White),
            "black": counts(Color::Black),
        })
    }

    /// Finds in how many plies Black wins from each listed position, at most: twice the number of the round in which all
    /// white moves from it are answered by wins or by positions of earlier rounds. Returns the most plies.
    ///
    /// # Errors
    /// The certificate is no refutation, it is too large for this, or some positions are never won.
    pub fn find_plies(&mut self, progress: &dyn Fn(u64, u64)) -> Result<u16, String> {
        if self.positions.is_empty() {
            return Err(format!("plies are found for refutations of at most {MOST_BY_IMAGE} positions"));
        }
        let game = self.game;
        // Each position with how many of its moves, the first ones, have an answer.
        let mut open: Vec<(Position, usize)> = self.positions.iter().map(|&position| (position, 0)).collect();
        let mut plies = 0;
        while !open.is_empty() {
            plies += 2;
            let mut won = Vec::new();
            open.retain_mut(|(position, answered)| {
                let answers = |&mv: &Move| self.is_answered(&game, position, mv);
                *answered += game.moves(position).skip(*answered).take_while(answers).count();
                let all = game.moves(position).nth(*answered).is_none();
                if all {
                    won.push(*position);
                }
                !all
            });
            if won.is_empty() {
                return Err(format!("from {} listed positions Black does not get ahead", open.len()));
            }
            for position in &won {
                self.listed.set(position, plies);
            }
            progress((self.positions.len() - open.len()) as u64, self.positions.len() as u64);
        }
        Ok(plies)
    }

    /// Whether Black wins with a white move, at once after it, or by way of a listed position whose plies are known.
    fn is_answered(&self, game: &Game, position: &Position, mv: Move) -> bool {
        let question = position.moved(mv);
        match game.winner(position, mv, &question) {
            Some(color) => color == Color::Black,
            None => {
                wins_at_once(game, &question) || self.listed.reached(game, &question).any(|plies| plies > 0)
            }
        }
    }

    /// What is known of a position that no move has ended.
    pub fn known(&self, position: &Position) -> Known {
        let game = &self.game;
        let turn = position.turn();
        if wins_at_once(game, position) {
            return if turn == Color::White { Known::Holds } else { Known::Lost(1) };
        }
        let keeper = !self.listed.asking();
        let reached = |plies: u16| if keeper == Color::White { Known::Holds } else { Known::Lost(plies) };
        match self.claim.map(|claim| claim.kind) {
            None | Some(Kind::Cut) => Known::Unknown,
            _ if turn != keeper => self.listed.find(position).map_or(Known::Unknown, reached),
            _ => {
                let best = self.listed.nearest(game, position);
                best.map_or(Known::Unknown, |plies| reached(if plies == 0 { 0 } else { plies + 1 }))
            }
        }
    }

    /// A position, and each move from it with what is known of where it leads.
    ///
    /// # Errors
    /// The game does not have such a position.
    pub fn look(&self, position: &Position) -> Result<Value, String> {
        let game = &self.game;
        self.allowed(position)?;
        let moves: Vec<Value> = game.moves(position).map(|mv| self.judged(position, mv)).collect();
        let images: Vec<String> =
            Symmetry::all().map(|symmetry| symmetry.position(position).to_string()).collect();
        let known = if position.finished().is_some() { Known::Unknown } else { self.known(position) };
        Ok(json!({
            "position": position.to_string(),
            "winner": position.finished().map(name),
            "known": told(known),
            "moves": moves,
            "images": images,
        }))
    }

    fn judged(&self, position: &Position, mv: Move) -> Value {
        let after = position.moved(mv);
        let winner = self.game.winner(position, mv, &after);
        let (from, to, size) = match mv {
            Move::Place { size, to } => (None, to, Some(size)),
            Move::Transfer { from, to } => (Some(from), to, position.top(from).map(|(_, size)| size)),
        };
        json!({
            "move": mv.to_string(),
            "from": from.map(Square::index),
            "to": to.index(),
            "size": size.map(|size| size.to_string()),
            "after": after.to_string(),
            "winner": winner.map(name),
            "known": if winner.is_none() { told(self.known(&after)) } else { Value::Null },
        })
    }

    /// Whether the game has such pieces, nested as R2 and R3 demand.
    fn allowed(&self, position: &Position) -> Result<(), String> {
        let sides = position.sides();
        if sides[0] & sides[1] != 0 {
            return Err("two pieces of one size are on one square (R3)".to_owned());
        }
        let variant = self.game.variant;
        let tier = Tier::of(position);
        if Tiers::new(variant).index(tier).is_some() {
            return Ok(());
        }
        for color in Color::ALL {
            for size in Size::ALL {
                let count = tier.count(color, size);
                if count > variant.material(color).count(size) {
                    return Err(format!(
                        "{color} has {count} {size} on the board, more than {variant} gives it (R2)"
                    ));
                }
                if size.larger().is_some_and(|larger| count > tier.count(color, larger)) {
                    return Err(format!(
                        "{color} has {count} {size} on the board, and fewer of the next larger size: a piece from hand \
                         comes from under a larger one (R2)"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Whether the side to move wins with its next move.
fn wins_at_once(game: &Game, position: &Position) -> bool {
    let mover = position.turn();
    // Of a line that a move completes three squares were the mover's before.
    let may_win = !position.visible(mover).lines_of_three().is_empty();
    may_win && game.moves(position).any(|mv| game.winner(position, mv, &position.moved(mv)) == Some(mover))
}

fn name(color: Color) -> &'static str {
    if color == Color::White { "white" } else { "black" }
}

fn told(known: Known) -> Value {
    match known {
        Known::Holds => json!({ "value": "holds" }),
        Known::Lost(0) => json!({ "value": "lost" }),
        Known::Lost(plies) => json!({ "value": "lost", "plies": plies }),
        Known::Unknown => json!({ "value": "unknown" }),
    }
}
