//! The page as one file that works without a server.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gobcheck::format::sha256;

use super::{File, META, Offered, SCRIPT, TEXT, files};

/// The page with everything inside: scripts, styles, the checker and the certificates. A browser opens it from a disk.
/// Its policy names the script and the style by their hashes, and forbids requests to any server.
#[must_use]
pub fn single(offered: Vec<Offered>) -> String {
    let files = files(offered, &[]);
    let text = |name: &str| {
        let file = files.iter().find(|file| file.name == name);
        file.map(|file| String::from_utf8_lossy(&file.bytes).into_owned()).unwrap_or_default()
    };
    let script: String =
        files.iter().filter(|file| is_module(file)).map(|file| without_modules(&text(&file.name))).collect();
    let style = text("style.css");
    let data: String = files.iter().filter(|file| is_asked_for(file)).map(inside).collect();
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(sha256([text.as_bytes()])));
    let policy = format!(
        "default-src 'none'; script-src {} 'wasm-unsafe-eval'; style-src {}; worker-src blob:; img-src data:; base-uri 'none'; \
         form-action 'none'",
        hash(&script),
        hash(&style)
    );
    let mut page = text("index.html");
    for (before, after) in [
        (META, policy),
        ("<link rel=\"stylesheet\" href=\"style.css\">", format!("<style>{style}</style>")),
        (
            "<script type=\"module\" src=\"main.js\"></script>",
            format!("{data}<script type=\"module\">{script}</script>"),
        ),
    ] {
        page = page.replacen(before, &after, 1);
    }
    page
}

/// Whether a file is a script that the page imports. The worker is not.
fn is_module(file: &File) -> bool {
    file.media == SCRIPT && file.name != "worker.js"
}

/// Whether the page asks for a file by name while it runs.
fn is_asked_for(file: &File) -> bool {
    file.name == "worker.js" || file.media == TEXT || file.media.starts_with("application/")
}

/// A file as text that a browser does not run, under an id that names it.
fn inside(file: &File) -> String {
    format!(
        "<script type=\"text/plain\" id=\"file:{}\">{}</script>\n",
        file.name,
        STANDARD.encode(&file.bytes)
    )
}

/// A module without imports and exports, as a part of one script in which all parts share their names.
fn without_modules(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("import "));
    lines.flat_map(|line| [line.strip_prefix("export ").unwrap_or(line), "\n"]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_single_file_asks_for_nothing_and_its_policy_names_what_it_runs() {
        let page = single(vec![Offered::new("a b.gobcert", vec![1, 2, 3].into())]);
        for gone in ["import ", "export ", "src=\"", "href=\"style", "'self'"] {
            assert!(!page.contains(gone), "{gone}");
        }
        assert!(
            page.contains("<script type=\"text/plain\" id=\"file:certificates/a_b.gobcert\">AQID</script>")
        );
        let script =
            page.split("<script type=\"module\">").nth(1).and_then(|rest| rest.split("</script>").next());
        let hash = STANDARD.encode(sha256([script.expect("a script").as_bytes()]));
        assert!(page.contains(&format!("script-src 'sha256-{hash}'")), "{hash}");
    }

    /// In one script no name may be given twice.
    #[test]
    fn no_two_scripts_share_a_name() {
        let mut names = std::collections::HashMap::new();
        for file in files(Vec::new(), &[]).iter().filter(|file| is_module(file)) {
            for line in String::from_utf8_lossy(&file.bytes).lines() {
                let line = line.strip_prefix("export ").unwrap_or(line);
                let line = line.strip_prefix("async ").unwrap_or(line);
                let given = ["const ", "let ", "class ", "function "]
                    .into_iter()
                    .find_map(|word| line.strip_prefix(word));
                let Some(given) = given else { continue };
                let name: String =
                    given.chars().take_while(|c| c.is_ascii_alphanumeric() || "_$".contains(*c)).collect();
                let other = names.insert(name.clone(), file.name.clone());
                assert_eq!(other, None, "{name} in {}", file.name);
            }
        }
        assert!(names.len() > 20, "{names:?}");
    }
}
