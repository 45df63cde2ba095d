//! Claims in plain words, for the person who asked.

use gobcheck::format::Claim;
use gobcheck::rules::Variant;

/// The words for a claim.
pub trait Told {
    /// The claim as one about `asked`, with White's material added if it is less there than in `asked`:
    /// `ab-full official draw closure white=A3`. If the claim does not cover `asked`, the text is that of
    /// [`Display`](std::fmt::Display).
    #[must_use]
    fn text_for(&self, asked: Variant) -> String;

    /// The name of a file that holds such a certificate: `ab-official-closure.gobcert`.
    #[must_use]
    fn file_name(&self) -> String;
}

impl Told for Claim {
    fn text_for(&self, asked: Variant) -> String {
        let named = if self.covers(asked) { asked } else { self.told_of() };
        let own = self.game.variant;
        let less = if own.white == named.white { String::new() } else { format!(" white={}", own.white) };
        format!("{named} {} {} {}{less}", self.game.reading, self.kind.value(), self.kind)
    }

    fn file_name(&self) -> String {
        format!("{}-{}-{}.gobcert", self.told_of(), self.game.reading, self.kind)
    }
}
