//! The clauses of the thesis that can be read in more than one way, each as a named option.

use std::fmt;

/// Declares [`Options`]: for each option its name, its type, and its values with their tags, the default
/// first.
macro_rules! options {
    ($(
        $(#[$doc:meta])*
        $field:ident: $type:ident = $name:literal {
            $( $(#[$value_doc:meta])* $value:ident = $tag:literal, )+
        }
    )+) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
            pub enum $type { $( $(#[$value_doc])* $value, )+ }

            impl $type {
                /// All values, the default first.
                pub const ALL: &'static [$type] = &[$( $type::$value, )+];

                /// The tag that commands use.
                #[must_use]
                pub const fn tag(self) -> &'static str {
                    match self { $( $type::$value => $tag, )+ }
                }
            }

            impl Default for $type {
                fn default() -> $type {
                    $type::ALL[0]
                }
            }
        )+

        /// One value for each option: a full reading of the thesis's three functions. The default reads every clause
        /// literally.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct Options {
            $( $(#[$doc])* pub $field: $type, )+
        }

        impl Default for Options {
            fn default() -> Options {
                Options::LITERAL
            }
        }

        impl Options {
            /// Every clause read literally: the default.
            pub const LITERAL: Options = Options { $( $field: $type::ALL[0], )+ };

            /// The options' names, each with the tags of its values, the default first.
            #[must_use]
            pub fn names() -> Vec<(&'static str, Vec<&'static str>)> {
                vec![$( ($name, $type::ALL.iter().map(|value| value.tag()).collect()), )+]
            }

            /// The options' names with the tags of the values chosen.
            #[must_use]
            pub fn tags(&self) -> Vec<(&'static str, &'static str)> {
                vec![$( ($name, self.$field.tag()), )+]
            }

            /// Chooses a value by the option's name and the value's tag.
            ///
            /// # Errors
            /// There is no such option, or it has no such value.
            pub fn set(&mut self, name: &str, tag: &str) -> Result<(), NoSuchOption> {
                match name {
                    $( $name => {
                        self.$field = $type::ALL
                            .iter()
                            .copied()
                            .find(|value| value.tag() == tag)
                            .ok_or_else(|| NoSuchOption { name: name.to_owned(), value: Some(tag.to_owned()) })?;
                        Ok(())
                    } )+
                    _ => Err(NoSuchOption { name: name.to_owned(), value: None }),
                }
            }

            /// Every combination of values; the default comes first.
            #[must_use]
            pub fn combinations() -> Vec<Options> {
                let mut all = vec![Options::default()];
                $(
                    all = all
                        .iter()
                        .flat_map(|&options| {
                            $type::ALL.iter().map(move |&$field| Options { $field, ..options })
                        })
                        .collect();
                )+
                all
            }
        }
    };
}

options! {
    /// FceW, "a black threat that can be completed": when Black can complete a threat.
    completable: Completable = "completable" {
        /// Its fourth square is empty.
        Empty = "empty",
        /// Black wins with one move, by the rules.
        Wins = "wins",
    }
    /// FceW and FceB, "a double threat that cannot be removed": when White cannot remove it.
    unremovable: Unremovable = "unremovable" {
        /// When it is an unstoppable threat as chapter 3 defines it: a black A on the shared square, no white
        /// piece in either line.
        Unstoppable = "unstoppable",
        /// When Black wins after every white move, by the rules.
        NoReply = "no-reply",
    }
    /// FceW and FceB, "attacked: in a line with two enemy A": whether three enemy A in the line attack too.
    attacked: Attacked = "attacked" {
        /// They do: two black A or more attack.
        TwoOrMore = "two-or-more",
        /// They do not: with a third black A in the line, the white A blocks a threat.
        ExactlyTwo = "exactly-two",
    }
    /// FceW and FceB, "no safe white A": whether an A that covers a black B can be safe.
    safe: Safe = "safe-a" {
        /// It can.
        Any = "any",
        /// It cannot: it has to stay on the B, so it is of no use even where it is not attacked.
        Free = "free",
    }
    /// FceW, "an A that covers no black B" beside "no safe white A": whose A is meant.
    bare: Bare = "bare-a" {
        /// A black A.
        Black = "black",
        /// A white A.
        White = "white",
    }
    /// FceB, "black pieces one more than white A": which black pieces are counted.
    counted: Counted = "counted" {
        /// A and B.
        Pieces = "pieces",
        /// A alone.
        LargeOnly = "a",
    }
    /// FceB, "one more": exactly one, or at least one.
    surplus: Surplus = "surplus" {
        /// Exactly one.
        Exactly = "exactly-one",
        /// One or more.
        AtLeast = "at-least-one",
    }
    /// FceB, "a black B is on the board" and "a black B outside" a threat: whether a covered B counts.
    on_board: OnBoard = "b-on-board" {
        /// Any B on the board, covered or visible.
        Any = "any",
        /// A visible B only.
        Visible = "visible",
    }
    /// FceB, "more visible black B than white A that cover nothing": whether white A in hand count.
    spare: Spare = "spare-a" {
        /// Only those on the board.
        Board = "board",
        /// Those on the board and in hand. Then the clause never holds: White has three A, Black three B, and each
        /// white A that does not count covers a B.
        BoardAndHand = "board-and-hand",
    }
    /// FceB, "a black threat and the only white A that covers nothing stands in it": what a threat is here. By the
    /// definition of chapter 3 no white A can stand in a threat.
    held: Held = "held-threat" {
        /// Three visible black pieces in the line, the white A on its fourth square.
        Three = "three",
        /// A threat as chapter 3 defines it: the clause never holds.
        Threat = "threat",
    }
    /// FceB: how far "while some piece is in hand" reaches. A page break divides the list of clauses, and after it
    /// their nesting is lost.
    scope: Scope = "scope" {
        /// Over every clause before "a black line".
        ToTheLine = "to-the-line",
        /// Over the clauses before the page break; those after it, from "more visible black B" on, hold with
        /// all pieces placed too.
        ToTheBreak = "to-the-break",
    }
    /// FceW and FceB: whether positions with all pieces placed and no type (AAA … AAABB) are lost. The thesis says
    /// that play reaches only the types, and its functions do not mention the other positions.
    untyped: Untyped = "untyped" {
        /// The other clauses decide.
        Played = "played",
        /// They are lost, whoever is to move.
        Lost = "lost",
    }
    /// StratW, "threat" with pieces in hand and in AAABB: whether three visible black pieces with a white A beside
    /// them in the line are one.
    blocked: Blocked = "blocked-threat" {
        /// They are not: a threat has no enemy A in it.
        Ignored = "ignored",
        /// They are: a B among them is covered all the same.
        Counts = "counts",
    }
    /// StratW with pieces in hand, "cover a black B in it with an A that covers nothing": whether an A in hand may do
    /// so (R4 allows it).
    from_hand: FromHand = "cover-from-hand" {
        /// Only an A on the board.
        No = "no",
        /// An A on the board or in hand.
        Yes = "yes",
    }
}

/// No option has this name, or the option has no such value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSuchOption {
    /// The name given.
    pub name: String,
    /// The value given, if the option exists and has no such value.
    pub value: Option<String>,
}

impl fmt::Display for NoSuchOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Options::names();
        match &self.value {
            Some(value) => {
                let tags = names.iter().find(|(name, _)| *name == self.name).map(|(_, tags)| tags.join(", "));
                write!(f, "{} cannot be {value:?}: its values are {}", self.name, tags.unwrap_or_default())
            }
            None => {
                let names: Vec<_> = names.iter().map(|(name, _)| *name).collect();
                write!(f, "{:?} is not an option: options are {}", self.name, names.join(", "))
            }
        }
    }
}

impl std::error::Error for NoSuchOption {}

/// The options that differ from the default, as `name=value` separated by spaces; `default` if none differs.
impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let defaults = Options::default().tags();
        let changed: Vec<_> = self
            .tags()
            .into_iter()
            .zip(defaults)
            .filter(|(ours, default)| ours != default)
            .map(|((name, tag), _)| format!("{name}={tag}"))
            .collect();
        f.write_str(if changed.is_empty() { "default" } else { "" })?;
        f.write_str(&changed.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_combination_is_there_once_and_reads_back() {
        let all = Options::combinations();
        let product: usize = Options::names().iter().map(|(_, tags)| tags.len()).product();
        assert_eq!(all.len(), product);
        assert_eq!(all[0], Options::default());
        let mut sorted = all.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), product);
        for options in all {
            let mut again = Options::default();
            for (name, tag) in options.tags() {
                assert_eq!(again.set(name, tag), Ok(()));
            }
            assert_eq!(again, options);
        }
    }

    #[test]
    fn what_is_no_option_is_said() {
        let mut options = Options::default();
        let message = |result: Result<(), NoSuchOption>| result.expect_err("unknown").to_string();
        assert!(message(options.set("scop", "x")).contains("options are completable, "));
        assert_eq!(
            message(options.set("scope", "x")),
            "scope cannot be \"x\": its values are to-the-line, to-the-break"
        );
        assert_eq!(options.to_string(), "default");
        options.scope = Scope::ToTheBreak;
        options.bare = Bare::White;
        assert_eq!(options.to_string(), "bare-a=white scope=to-the-break");
    }
}
