//! The packed moves, the wins in one and the parries beside the rules of the trusted crate.

use gobcheck::rules::{Color, Game, Material, Move, Position, Reading, Variant};

use super::{Board, PackedMove, Rules};

/// Positions of random games, one after the other, each with a game that goes on in it.
fn visit(games: usize, mut each: impl FnMut(&Game, &Position)) {
    let mut state = 0x2545_F491_4F6C_DD1Du64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % below
    };
    let material = |counts| Material::new(counts).expect("nested");
    let small = [([1, 0, 0, 0], [2, 1, 0, 0]), ([2, 1, 1, 1], [3, 3, 2, 1]), ([3, 2, 1, 0], [2, 2, 2, 2])];
    let small = small.map(|(white, black)| Variant { white: material(white), black: material(black) });
    let variants: Vec<Variant> = Variant::named().map(|(_, variant)| variant).chain(small).collect();
    for number in 0..games {
        let variant = variants[number % variants.len()];
        let game = Game::new(variant, Reading::ALL[random(5)]);
        let mut position = Position::empty(Color::ALL[random(2)]);
        for _ in 0..60 {
            each(&game, &position);
            let moves: Vec<Move> = game.moves(&position).collect();
            let mv = moves[random(moves.len())];
            let after = position.moved(mv);
            if game.winner(&position, mv, &after).is_some() || after.finished().is_some() {
                break;
            }
            position = after;
        }
    }
}

fn winner(game: &Game, position: &Position, mv: Move) -> Option<Color> {
    game.winner(position, mv, &position.moved(mv))
}

fn wins_at_once(game: &Game, position: &Position) -> bool {
    game.moves(position).any(|mv| winner(game, position, mv) == Some(position.turn()))
}

#[test]
fn moves_and_what_they_lead_to_are_those_of_the_rules() {
    let mut met = [0; 3];
    visit(400, |game, position| {
        let (rules, board) = (Rules::new(game), Board::from(position));
        assert_eq!(Position::from(&board), *position);
        let mut own = Vec::new();
        board.moves_to(&rules, u16::MAX, |mv| own.push(mv));
        let mut of_rules: Vec<Move> = game.moves(position).collect();
        let mut moves: Vec<Move> = own.iter().map(|&mv| mv.into()).collect();
        moves.sort_unstable();
        of_rules.sort_unstable();
        assert_eq!(moves, of_rules, "{position}");
        for index in 0..PackedMove::COUNT as u16 {
            let mv = PackedMove(index);
            assert_eq!(board.is_legal(&rules, mv), own.contains(&mv), "{position} {mv:?}");
        }
        for mv in own {
            let after = board.after(mv);
            let expected = position.moved(mv.into());
            assert_eq!(after, Board::from(&expected), "{position} {}", Move::from(mv));
            let won = winner(game, position, mv.into());
            if won != Some(position.turn()) {
                assert_eq!(board.loses(&rules, mv, &after), won.is_some(), "{position} {}", Move::from(mv));
            }
            met[won.map_or(0, |won| 1 + usize::from(won != position.turn()))] += 1;
        }
    });
    assert!(met.iter().all(|&count| count > 100), "{met:?}");
}

#[test]
fn a_win_at_once_is_seen_for_either_side_and_is_one() {
    let mut met = [0; 2];
    visit(1_500, |game, position| {
        let (rules, board) = (Rules::new(game), Board::from(position));
        for color in Color::ALL {
            let turned = position.with_turn(color);
            let found = board.winning_move(&rules, color as usize);
            assert_eq!(found.is_some(), wins_at_once(game, &turned), "{game:?} {turned}");
            if let Some(mv) = found {
                assert!(game.moves(&turned).any(|legal| legal == mv.into()), "{turned} {mv:?}");
                assert_eq!(winner(game, &turned, mv.into()), Some(color), "{turned} {mv:?}");
            }
            met[usize::from(found.is_some())] += 1;
        }
    });
    assert!(met.iter().all(|&count| count > 1_000), "{met:?}");
}

#[test]
fn who_lands_elsewhere_than_a_parry_lets_the_opponent_win() {
    let (mut left_out, mut restricted) = (0, 0);
    visit(1_500, |game, position| {
        let (rules, board) = (Rules::new(game), Board::from(position));
        let parries = board.parries(&rules);
        let threatened = wins_at_once(game, &position.with_turn(!position.turn()));
        assert_eq!(parries.is_some(), threatened, "{game:?} {position}");
        let Some(parries) = parries else { return };
        restricted += usize::from(parries != u16::MAX);
        for mv in game.moves(position) {
            let (Move::Place { to, .. } | Move::Transfer { to, .. }) = mv;
            if parries >> to.index() & 1 == 0 && winner(game, position, mv).is_none() {
                assert!(wins_at_once(game, &position.moved(mv)), "{game:?} {position} {mv}");
                left_out += 1;
            }
        }
    });
    assert!(left_out > 10_000 && restricted > 500, "{left_out} {restricted}");
}
