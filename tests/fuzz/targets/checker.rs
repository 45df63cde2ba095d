//! `checker`: any set of positions of a small variant, as a certificate of any kind, is accepted if brute force finds it
//! right, and else refused for a flaw that brute force finds as well.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use gobcheck::check::{self as checker, Refusal};
use gobprove::prelude::*;
use gobprove::rules::{Game, Reading, Variant};
use gobprove::store::{Certificate, Kind, PositionSet};

use super::graph::{Graph, Set};
use super::input::Input;
use super::oracle::Spot;

/// In the first variant nothing is lost, in the second White holds by a lift that some readings punish, in the
/// third all is lost. The first game of each line is what certificates are made for that are then judged by
/// another.
const GAMES: [(&str, &[Reading]); 3] = [
    ("A1-A2B1", &[Reading::Official, Reading::Robust]),
    ("A1-A2B2", &[Reading::Official, Reading::StrictLift, Reading::NoEntryCover]),
    ("A1-A3B1", &[Reading::Official]),
];

/// A game with what certificates of it begin from.
struct World {
    graph: Graph,
    safe: [Set; 2],
    thin: Set,
}

fn world(game: Game) -> Arc<World> {
    static KNOWN: Mutex<Vec<Arc<World>>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(world) = known.iter().find(|world| world.graph.game == game) {
        return Arc::clone(world);
    }
    let graph = Graph::new(game);
    let world = Arc::new(World { safe: graph.safe(), thin: graph.thin(), graph });
    known.push(Arc::clone(&world));
    world
}

pub fn run(bytes: &[u8]) -> bool {
    let mut input = Input(bytes);
    let (variant, readings) = input.pick(&GAMES);
    let variant: Variant = variant.read().expect("a variant");
    let reading = input.pick(readings);
    let made_for = world(Game::new(variant, if input.byte() & 1 == 0 { reading } else { readings[0] }));
    let world = world(Game::new(variant, reading));
    let graph = &world.graph;
    let kind = match input.byte() & 3 {
        0 | 2 => Kind::Closure,
        3 if reading != Reading::Robust => Kind::Refutation,
        _ => Kind::Cut,
    };
    let mut sets = base(&made_for, kind, input.byte());
    let mut strangers: [Vec<Spot>; 2] = Default::default();
    while !input.is_empty() {
        let (how, place) = (input.byte(), input.number(2) as usize % graph.spots.len());
        let turn = match kind {
            Kind::Closure => 0,
            Kind::Cut => usize::from(how & 1 == 1),
            Kind::Refutation => 1,
        };
        match how >> 1 {
            // An image of a position, the position itself if it comes to that.
            0..16 => {
                let image =
                    graph.spots[place].images().nth(usize::from(how >> 1)).unwrap_or(graph.spots[place]);
                if image == graph.spots[place] {
                    sets[turn][place] = true;
                } else {
                    strangers[turn].push(image);
                }
            }
            _ => sets[turn][place] ^= true,
        }
    }
    let listed = [0, 1].map(|turn| {
        let own = (0..graph.spots.len()).filter(|&place| sets[turn][place]).map(|place| graph.spots[place]);
        let all = own.chain(strangers[turn].iter().copied());
        PositionSet::from_positions(variant, all.map(|spot| spot.position(&graph.game)))
    });
    let has_strangers = strangers.iter().any(|spots| !spots.is_empty());
    let [black_to_move, white_to_move] = listed;
    let (certificate, is_right) = match kind {
        Kind::Closure => (Certificate::closure(graph.game, black_to_move), graph.closure_is_right(&sets[0])),
        Kind::Cut => (Certificate::cut(graph.game, black_to_move, white_to_move), graph.cut_is_right(&sets)),
        Kind::Refutation => {
            (Certificate::refutation(graph.game, white_to_move), graph.refutation_is_right(&sets[1]))
        }
    };
    let is_right = is_right && !has_strangers;
    let bytes = certificate.encode();
    match checker::check(&bytes, NonZeroUsize::MIN, &|_, _| ()) {
        Ok(verified) => {
            assert!(is_right, "accepted: {}", verified.claim);
            true
        }
        Err(Refusal::Condition(breach)) => {
            assert!(!is_right, "refused: {breach}");
            assert!(graph.has_flaw(kind, &sets, &breach), "refused for what is no flaw: {breach}");
            false
        }
        Err(refusal) => panic!("{refusal}"),
    }
}

/// The sets to begin from: none, all, all that is safe or lost, or the closure that has nothing to spare.
fn base(world: &World, kind: Kind, which: u8) -> [Set; 2] {
    let graph = &world.graph;
    let without_lines = |wanted: &dyn Fn(usize) -> bool| -> Set {
        (0..graph.spots.len()).map(|place| !graph.has_line(place) && wanted(place)).collect()
    };
    match (which % 4, kind) {
        (0, _) => [graph.none(), graph.none()],
        (1, Kind::Closure) => [without_lines(&|place| world.safe[0][place]), graph.none()],
        (2, Kind::Closure) => [without_lines(&|_| true), graph.none()],
        (_, Kind::Closure) => [world.thin.clone(), graph.none()],
        (1, Kind::Refutation) => [graph.none(), without_lines(&|_| true)],
        (_, Kind::Refutation) => [graph.none(), without_lines(&|place| !world.safe[1][place])],
        (1, Kind::Cut) => [0, 1].map(|turn| without_lines(&|place| !world.safe[turn][place])),
        // All that the thin closure leaves out, and no question.
        (_, Kind::Cut) => [without_lines(&|place| !world.thin[place]), graph.none()],
    }
}
