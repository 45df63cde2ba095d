//! What `cargo package` takes: all that the program embeds, and no large certificate.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn the_package_has_what_the_program_embeds_and_stays_small() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut list = Command::new(cargo);
    list.args(["package", "--list", "--allow-dirty", "--offline", "--package", "gobprove"]).current_dir(root);
    let output = list.output().expect("cargo starts");
    let listed = String::from_utf8(output.stdout).expect("text");
    let length = |name: &str| fs::metadata(root.join(name)).map_or(0, |file| file.len());
    let total: u64 = listed.lines().map(length).sum();
    assert!((1_000_000..10_000_000).contains(&total), "{total} bytes");
    let packed: Vec<&str> = listed.lines().filter(|name| name.ends_with(".gobcert")).collect();
    let shipped = fs::read_dir(root.join("certificates")).expect("a directory");
    let shipped = shipped.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    let shipped = shipped.filter(|name| name.ends_with(".gobcert"));
    for name in shipped.map(|name| format!("certificates/{name}")) {
        assert_eq!(packed.contains(&name.as_str()), length(&name) < 100_000, "{name}");
    }
    assert!(listed.lines().any(|name| name == "certificates/recipes.toml"));
}
