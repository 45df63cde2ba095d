//! What makes and tests certificates, untrusted: no verdict of the checker rests on it.

pub mod strategy_check;
