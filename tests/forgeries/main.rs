//! Forged certificates: the checker must refuse them, each for a condition that really fails, and must accept
//! what is changed and still right. The judge is [`oracle`], which shares nothing with the checker but the text
//! of positions and moves and which lists every flaw; what it finds decides, not a list of expectations. The
//! variants are small enough for it to know the truth: in `A1-A2B1` nothing is ever lost, in `A1-A2B2` White
//! holds by a lift that some readings punish, in `A1-A3B1` everything is lost.
//!
//! [`guards`] has for each guard of the checker a forgery that it alone refuses: all of the oracle's flaws are of that
//! guard.
//!
//! | forgery | where |
//! | --- | --- |
//! | M01 cut off, M02 bits flipped, M03 versions and flags, M04 bytes after the end | `tests/forged_bytes`; the format alone in `tests/trusted` |
//! | M05 what happens to files in repositories | `tests/format.rs`; real files in `tests/cli/hostile_files.rs` |
//! | M06 counts and lengths that are too large | `tests/forged_bytes`; a variant that is too large: [`guards`] |
//! | M07 compressed forms | there are none; a compressed file is named and not opened: `tests/cli/hostile_files.rs` |
//! | M08, M09, M10 varints, entries twice, blocks out of order | `tests/forged_bytes`; the format alone in `tests/trusted` |
//! | M11 ranks and tiers beyond the end | [`m11_m14_positions`]; a set that the kind does not have: [`guards`]; an impossible position has no rank, so no file holds one |
//! | M12 not canonical | [`guards`], [`m11_m14_positions`] |
//! | M13 no beginning, vacuous sets, M14 lines and lost positions | [`guards`], [`m11_m14_positions`] |
//! | M15 entries removed, added, exchanged | [`m15_entries`]; in the bytes `tests/forged_bytes` |
//! | M16 moves that are none | [`m16_m17_moves`]; certificates name no moves, so the forgery is a closure or a refutation that needs such a move |
//! | M17 replies forgotten | [`m16_m17_moves`] |
//! | M18, M19 another claim in the header | [`m18_m19_claims`]; a side without pieces: [`guards`] |
//! | M20 cyclic ranks of a win | there is no room for ranks that must fall, the checker finds an order: [`m20_m22_stored`], and the circle in [`guards`] |
//! | M21 stored counts and verdicts | [`m20_m22_stored`]; a block without entries: [`guards`]; no verdict, successor or mark of work done is stored |
//! | M22 shards | [`m20_m22_stored`]; a certificate is checked whole, in one process, and there are no receipts |
//! | M23 files that change, pipes, devices, directories | `tests/cli/hostile_files.rs`, both programs as processes with a time limit; the checker sees bytes |
//! | M24 control bytes | `tests/cli/hostile_files.rs`; a certificate holds no text, so names are all there is |
//! | M25 threads, little memory | [`m25_m26_threads`]; `tests/cli/memory.rs`, under `ulimit -v`; sizes in a file are bounded before they become `usize`, and `tests/architecture.rs` keeps overflow checks on |
//! | M26 panics | [`m25_m26_threads`] |
//! | M27 samples | there is no partial check: `tests/cli/hostile_files.rs` |
//! | M28 mutants of the checker | each guard's own forgery in [`guards`] is what finds them |

#[path = "../support/forgeries.rs"]
mod forgeries;
mod forge;
mod guards;
mod m11_m14_positions;
mod m15_entries;
mod m16_m17_moves;
mod m18_m19_claims;
mod m20_m22_stored;
mod m25_m26_threads;
#[path = "../support/oracle.rs"]
mod oracle;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/reseal.rs"]
mod reseal;
mod world;
