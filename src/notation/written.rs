//! Positions as people write them: digits for empty squares, `start`, spaces, and boards as they are drawn.

use std::cmp::Ordering;

use super::Text as _;
use super::setup::Setup;

/// A position, as a person wrote it, in the notation of RULES.md. Other text comes back as it is, except for spaces.
///
/// # Errors
/// A board lacks a rank or the side to move, or the text also has a line with another position.
pub fn spelled_out(text: &str) -> Result<String, String> {
    let text = text.trim();
    if !text.contains('\n') {
        return Ok(on_one_line(text));
    }
    let board = with_dots(&pasted(text)?);
    let read = |line: &str| on_one_line(line).read::<Setup>().ok();
    match text.lines().find_map(|line| Some((line.trim(), read(line)?))) {
        Some((line, setup)) if read(&board).is_some_and(|drawn| drawn != setup) => {
            Err(format!("the board and the line {line} are two positions"))
        }
        _ => Ok(board),
    }
}

/// A position on one line, however many spaces are in it.
fn on_one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_start = |word: &str| word.eq_ignore_ascii_case("start");
    let (board, side) = match words.as_slice() {
        [start] if is_start(start) => ("4/4/4/4".to_owned(), " w".to_owned()),
        [start, side] if is_start(start) => ("4/4/4/4".to_owned(), format!(" {}", side.to_lowercase())),
        [board @ .., side] if !board.is_empty() => (board.concat(), format!(" {side}")),
        _ => (words.concat(), String::new()),
    };
    with_dots(&format!("{board}{side}"))
}

/// Writes dots for the empty squares that each digit stands for.
fn with_dots(text: &str) -> String {
    let rank = |rank: &str| rank.split(',').map(squares).collect::<Vec<_>>().join(",");
    text.split('/').map(rank).collect::<Vec<_>>().join("/")
}

/// A square, or the empty ones that a digit stands for; the side to move may follow.
fn squares(text: &str) -> String {
    let (square, side) = text.split_once(' ').map_or((text, None), |(square, side)| (square, Some(side)));
    let written = match square.as_bytes() {
        [digit @ b'1'..=b'9'] => vec!["."; usize::from(digit - b'0')].join(","),
        _ => square.to_owned(),
    };
    side.map_or(written.clone(), |side| format!("{written} {side}"))
}

/// A board as it is drawn: a line for each rank from rank 4 down, and who is to move. Other text around it is ignored,
/// so the whole output of `explain` can be pasted.
fn pasted(board: &str) -> Result<String, String> {
    let mut ranks: Vec<String> = Vec::new();
    for line in board.lines().map(str::trim) {
        let number = (4 - ranks.len()).to_string();
        match line.strip_prefix(&number) {
            Some(cells) if ranks.len() < 4 => ranks.push(cells_of(cells)),
            _ => {}
        }
    }
    if ranks.len() < 4 {
        return Err(format!(
            "a board has a line for each rank, from 4 down; there is none for {}",
            4 - ranks.len()
        ));
    }
    let first = |words| board.find(words).unwrap_or(usize::MAX);
    let side = match first("White to move").cmp(&first("Black to move")) {
        Ordering::Less => 'w',
        Ordering::Greater => 'b',
        Ordering::Equal => {
            return Err("a board says who is to move: White to move, or Black to move".to_owned());
        }
    };
    Ok(format!("{} {side}", ranks.join("/")))
}

/// The squares of a drawn rank: two spaces, then four characters for each square.
fn cells_of(cells: &str) -> String {
    let words: Vec<&str> = cells.split_whitespace().collect();
    if words.len() == 4 {
        return words.join(",");
    }
    // A stack of four touches its neighbour, and something may be written beside the board.
    let letters: Vec<char> = cells.chars().skip(2).collect();
    let cell = |column: usize| letters.iter().skip(4 * column).take(4).collect::<String>().trim().to_owned();
    (0..4).map(cell).collect::<Vec<_>>().join(",")
}
