//! `moves`: in any heap of pieces that is a position, and in any position by its rank, the fast rules give the
//! moves and judgements of the slow twin, under every reading.

use gobprove::enumerate::{Ranking, Tiers};
use gobprove::notation::{Piece, Setup};
use gobprove::prelude::*;
use gobprove::rules::reference::Table;
use gobprove::rules::{Color, Game, Move, Size, Square, Variant};

use super::agree::{agreed_moves, is_position, referee, slow_moves};
use super::input::Input;

pub fn run(bytes: &[u8]) -> bool {
    let mut input = Input(bytes);
    let variant = input.variant();
    let game = Game::new(variant, input.reading());
    let text = if input.byte() & 1 == 0 { heap(&mut input, variant) } else { by_rank(&mut input, variant) };
    if !is_position(variant, &text) {
        return false;
    }
    agreed_moves(&game, &text);
    let legal = slow_moves(&referee(&game), &Table::parse(&text).expect("a table"));
    let position = game.parse(&text).expect("a position");
    // Some moves that an input names, legal or not, besides those that are listed.
    while !input.is_empty() {
        let (size, from, to) = (input.pick(&Size::ALL), input.pick(&Square::ALL), input.pick(&Square::ALL));
        for mv in [Move::Place { size, to }, Move::Transfer { from, to }] {
            assert_eq!(game.play(&position, mv).is_ok(), legal.contains_key(&mv.to_string()), "{text} {mv}");
        }
    }
    true
}

/// Pieces as they fall, the larger ones later, so that many heaps are positions.
fn heap(input: &mut Input<'_>, variant: Variant) -> String {
    let turn = input.pick(&Color::ALL);
    let mut setup = Setup { stacks: [const { Vec::new() }; Square::COUNT], turn };
    for size in Size::ALL.into_iter().rev() {
        for color in Color::ALL {
            // More than the variant has comes too, seldom.
            let most = usize::from(variant.material(color).count(size));
            let count = input.byte();
            let count = if count > 250 { most + 1 } else { usize::from(count) % (most + 1) };
            for _ in 0..count {
                setup.stacks[usize::from(input.byte()) % Square::COUNT].insert(0, Piece { color, size });
            }
        }
    }
    setup.to_string()
}

fn by_rank(input: &mut Input<'_>, variant: Variant) -> String {
    let tiers = Tiers::new(variant);
    let ranking = Ranking::new(tiers.as_slice()[input.number(2) as usize % tiers.as_slice().len()]);
    let turn = input.pick(&Color::ALL);
    ranking.unrank(input.number(16) % ranking.len(), turn).expect("below the length").to_string()
}
