//! Methods that the prover adds to tiers.

use gobcheck::index::{Tier, Tiers};
use gobcheck::rules::{Color, Size, Variant};

use crate::rules::{ByColor, BySize};

/// Methods of a tier that the trusted part does not need.
pub trait OnBoard: Sized {
    /// How many pieces are on the board.
    #[must_use]
    fn pieces(self) -> u32;

    /// The tier with the colours exchanged.
    #[must_use]
    fn exchanged(self) -> Self;

    /// The tier after `color` has placed a piece of `size`, `None` where R2 or the variant forbid it.
    #[must_use]
    fn after_place(self, variant: Variant, color: Color, size: Size) -> Option<Self>;
}

impl OnBoard for Tier {
    fn pieces(self) -> u32 {
        self.0.as_flattened().iter().map(|&count| u32::from(count)).sum()
    }

    fn exchanged(self) -> Tier {
        let [white, black] = self.0;
        Tier([black, white])
    }

    fn after_place(mut self, variant: Variant, color: Color, size: Size) -> Option<Tier> {
        let count = self.count(color, size) + 1;
        let nested = size.larger().is_some_and(|larger| count > self.count(color, larger));
        self.0[color as usize][size as usize] = count;
        (count <= variant.material(color).count(size) && !nested).then_some(self)
    }
}

/// Methods of a variant's tiers that the trusted part does not need.
pub trait AllTiers {
    /// For each side and size the index of the tier that a move from hand leads to, as in [`OnBoard::after_place`];
    /// `None` if there is no such move.
    #[must_use]
    fn after_place(&self, variant: Variant, tier: Tier) -> ByColor<BySize<Option<usize>>>;
}

impl AllTiers for Tiers {
    fn after_place(&self, variant: Variant, tier: Tier) -> ByColor<BySize<Option<usize>>> {
        let after = |color, size| self.index(OnBoard::after_place(tier, variant, color, size)?);
        ByColor::from_fn(|color| BySize(Size::ALL.map(|size| after(color, size))))
    }
}
