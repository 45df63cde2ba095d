#![doc = include_str!("../README.md")]
//!
//! # What is exported
//! The page writes bytes to where [`room`] says, calls a function, and reads what [`answer`] and [`answer_len`] name: UTF-8
//! text, JSON except for [`check`]. A function returns 0 for a result and 1 for a sentence that says what is wrong;
//! [`check`] returns 2 for one that says why it judges nothing.

pub mod explorer;
mod listed;

use std::cell::RefCell;
use std::num::NonZeroUsize;

use gobcheck::check::Refusal;
use gobcheck::format::Header;
use gobcheck::rules::{Color, Game, Material, Position, Reading, Variant};

use explorer::Explorer;

/// A list at the end of the heap grows in place.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
// SAFETY: this is the only allocator, and there is one thread.
static HEAP: talc::TalckWasm = unsafe { talc::TalckWasm::new_global() };

/// What the page has given and what it gets.
#[derive(Default)]
struct State {
    bytes: Vec<u8>,
    explorer: Option<Explorer>,
    answer: String,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Tells the page how many pieces of work are done, and of how many.
#[cfg(target_arch = "wasm32")]
fn tell(done: u64, of: u64) {
    #[link(wasm_import_module = "page")]
    unsafe extern "C" {
        safe fn progress(done: f64, of: f64);
    }
    progress(done as f64, of as f64);
}

/// Outside a page nobody is told.
#[cfg(not(target_arch = "wasm32"))]
fn tell(_done: u64, _of: u64) {}

fn end(state: &mut State, result: Result<String, String>) -> u32 {
    let code = result.is_err().into();
    state.answer = result.unwrap_or_else(|sentence| sentence);
    code
}

/// Takes what was loaded out of memory and makes room for a certificate of `len` bytes. Returns where to write it.
// SAFETY: no other item of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn room(len: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        *state = State { bytes: vec![0; len], ..State::default() };
        state.bytes.as_mut_ptr()
    })
}

/// Where the last answer stands.
// SAFETY: no other item of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    STATE.with_borrow(|state| state.answer.as_ptr())
}

/// How many bytes the last answer has.
// SAFETY: no other item of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn answer_len() -> usize {
    STATE.with_borrow(|state| state.answer.len())
}

/// Checks the certificate in the room. The answer is the checker's line.
// SAFETY: no other item of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn check() -> u32 {
    STATE.with_borrow_mut(|state| {
        make_room(&state.bytes);
        let checked = gobcheck::check::check(&state.bytes, NonZeroUsize::MIN, &tell);
        let judged = u32::from(!matches!(checked, Err(Refusal::TooLarge)));
        let line = checked.map(|verified| format!("s VERIFIED {}", verified.claim));
        match end(state, line.map_err(|refusal| refusal.to_string())) {
            0 => 0,
            _ => 2 - judged,
        }
    })
}

/// Makes the heap as large as the checker's lists of a certificate become, and leaves it empty: a list at its end then grows
/// in place, and leaves no holes, which WebAssembly never gives back. What is not written to takes no memory.
fn make_room(bytes: &[u8]) {
    let entries =
        Header::parse(bytes).map_or(0, |header| header.entries[0].saturating_add(header.entries[1]));
    // Each entry takes a byte of the file or more; a capacity is at most twice what is needed.
    let most = 2 * (bytes.len() as u64).min(entries);
    let mut room: Vec<u128> = Vec::new();
    // Where there is not so much, the checker tries with what there is.
    let _ = room.try_reserve_exact(most as usize);
    // The compiler leaves out what nobody looks at.
    std::hint::black_box(&room);
}

/// Makes the certificate in the room searchable, without checking what it claims. The answer says what it claims.
// SAFETY: no other item of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn load() -> u32 {
    STATE.with_borrow_mut(|state| {
        let loaded = Explorer::load(&std::mem::take(&mut state.bytes));
        let told = loaded.map(|explorer| state.explorer.insert(explorer).claim());
        end(state, told.map(|claim| claim.to_string()).map_err(|error| error.to_string()))
    })
}

/// Takes a game without a certificate, so that nothing is known of it. The pieces are a byte for each size, A the lowest; the
/// reading is named by its place in [`Reading::ALL`]. The answer says which game it is.
// SAFETY: no other item of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn take(white: u32, black: u32, reading: u32) -> u32 {
    let material = |counts: u32| Material::new(counts.to_le_bytes());
    let variant = material(white).zip(material(black)).map(|(white, black)| Variant { white, black });
    let game = variant
        .zip(Reading::ALL.get(reading as usize))
        .map(|(variant, &reading)| Game::new(variant, reading));
    STATE.with_borrow_mut(|state| {
        let told = game.map(|game| state.explorer.insert(Explorer::of(game)).claim().to_string());
        end(state, told.ok_or_else(|| "there is no such game (R2)".to_owned()))
    })
}

/// Finds in how many plies Black wins from each position that a refutation lists.
// SAFETY: no other item of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn find_plies() -> u32 {
    STATE.with_borrow_mut(|state| {
        let result = match &mut state.explorer {
            Some(explorer) => explorer.find_plies(&tell).map(|most| most.to_string()),
            None => Err(NOTHING.to_owned()),
        };
        end(state, result)
    })
}

/// What is known of a position and of each move from it. Pieces are given as [`Position::side`] has them; `turn` is 0 for
/// White.
// SAFETY: no other item of the program has this name.
#[unsafe(no_mangle)]
pub extern "C" fn look(white: u64, black: u64, turn: u32) -> u32 {
    let turn = if turn == 0 { Color::White } else { Color::Black };
    let position = Position::from_sides([white, black], turn);
    STATE.with_borrow_mut(|state| {
        let result = match &state.explorer {
            Some(explorer) => explorer.look(&position).map(|seen| seen.to_string()),
            None => Err(NOTHING.to_owned()),
        };
        end(state, result)
    })
}

const NOTHING: &str = "no certificate is loaded";
