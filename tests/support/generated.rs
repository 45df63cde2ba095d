//! Parts of the README that a command or a folder gives.

/// What stands between `<!-- generated: SOURCE -->` and `<!-- /generated -->`, without the lines' ends around it.
pub fn generated<'a>(text: &'a str, source: &str) -> &'a str {
    let (_, rest) = text.split_once(&format!("<!-- generated: {source} -->")).expect("the section begins");
    rest.split_once("<!-- /generated -->").expect("the section ends").0.trim()
}
