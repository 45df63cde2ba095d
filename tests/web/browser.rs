//! A browser that a test drives, by the standard WebDriver protocol.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A browser with one window. It ends when it is dropped.
pub struct Browser {
    driver: Child,
    session: String,
    _profile: TempDir,
}

/// The key that names an element in the protocol.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// The longest that a test waits for the page.
const PATIENCE: Duration = Duration::from_secs(30);

/// Whether the tests of the page must run, as `.ci/run` says.
pub fn required() -> bool {
    std::env::var("GOBPROVE_BROWSER").is_ok_and(|value| value == "required")
}

impl Browser {
    /// A new browser with a page of this size; `None`, and loudly, if none is installed and none is required.
    pub fn new(width: u32, height: u32, dark: bool) -> Option<Browser> {
        let driver = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).spawn();
        let Ok(mut driver) = driver else {
            assert!(
                !required(),
                "chromedriver is not installed, and GOBPROVE_BROWSER says that it is required"
            );
            eprintln!(
                "SKIPPED: chromium and chromedriver are not installed, .ci/browser does that; no page is tried"
            );
            return None;
        };
        let lines = BufReader::new(driver.stdout.take().expect("piped")).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            line.split("successfully on port ").nth(1)?.trim_end_matches('.').parse::<u16>().ok()
        });
        let base = format!("http://127.0.0.1:{}", port.expect("the driver says its port"));
        let profile = tempfile::tempdir().expect("a directory");
        let profile_at = format!("--user-data-dir={}", profile.path().display());
        let scheme = format!("--blink-settings=preferredColorScheme={}", if dark { 0 } else { 1 });
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            // Nobody plays as fast as a test, and the browser would leave out changes of the address.
            "--disable-ipc-flooding-protection",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            &scheme,
            &profile_at,
        ];
        let size =
            json!({ "width": width, "height": height, "pixelRatio": 1, "touch": false, "mobile": false });
        let wanted = json!({ "capabilities": { "alwaysMatch": {
            "browserName": "chrome",
            "goog:chromeOptions": { "args": arguments, "mobileEmulation": { "deviceMetrics": size } },
            "goog:loggingPrefs": { "browser": "ALL" },
        } } });
        let made = ask(&format!("{base}/session"), &wanted);
        let session = format!("{base}/session/{}", made["sessionId"].as_str().expect("a session"));
        Some(Browser { driver, session, _profile: profile })
    }

    fn post(&self, what: &str, body: &Value) -> Value {
        ask(&format!("{}/{what}", self.session), body)
    }

    /// Goes to an address.
    pub fn open(&self, url: &str) {
        self.post("url", &json!({ "url": url }));
    }

    /// Runs a function body in the page. Returns what it returns.
    pub fn run(&self, script: &str) -> Value {
        self.post("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Runs a function body that ends by giving a value to its last argument, `arguments[arguments.length - 1]`.
    pub fn run_and_wait(&self, script: &str, arguments: &Value) -> Value {
        self.post("execute/async", &json!({ "script": script, "args": arguments }))
    }

    /// The processes that run pages of this browser: their numbers.
    pub fn renderers(&self) -> Vec<u32> {
        let read = |pid: u32, what: &str| std::fs::read_to_string(format!("/proc/{pid}/{what}")).ok();
        let entries = std::fs::read_dir("/proc").expect("Linux").filter_map(Result::ok);
        let pids: Vec<u32> = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
        // The name of a program can have spaces and stands in brackets.
        let parent = |pid: u32| -> Option<u32> {
            read(pid, "stat")?.rsplit(") ").next()?.split(' ').nth(1)?.parse().ok()
        };
        let ours = |&pid: &u32| {
            std::iter::successors(Some(pid), |&pid| parent(pid)).any(|pid| pid == self.driver.id())
        };
        let renders = |pid: &u32| read(*pid, "cmdline").is_some_and(|line| line.contains("--type=renderer"));
        pids.into_iter().filter(renders).filter(ours).collect()
    }

    /// Waits until an expression is true in the page.
    #[track_caller]
    pub fn wait(&self, expression: &str) {
        let started = Instant::now();
        while self.run(&format!("return Boolean({expression})")) != true {
            assert!(
                started.elapsed() < PATIENCE,
                "{expression}\n{}",
                self.run("return document.body.innerText")
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn element(&self, selector: &str) -> String {
        let found = self.post("element", &json!({ "using": "css selector", "value": selector }));
        format!("element/{}", found[ELEMENT].as_str().expect("an element"))
    }

    /// Clicks.
    pub fn click(&self, selector: &str) {
        self.post(&format!("{}/click", self.element(selector)), &json!({}));
    }

    /// Types into an element; into one that takes files, the name of one.
    pub fn keys(&self, selector: &str, keys: &str) {
        self.post(&format!("{}/value", self.element(selector)), &json!({ "text": keys }));
    }

    /// Types wherever the focus is.
    pub fn press(&self, keys: &[&str]) {
        let down_up = |key: &&str| {
            [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
        };
        let actions: Vec<Value> = keys.iter().flat_map(down_up).collect();
        self.post(
            "actions",
            &json!({ "actions": [{ "type": "key", "id": "keyboard", "actions": actions }] }),
        );
    }

    /// What is seen, as a PNG.
    pub fn picture(&self) -> Vec<u8> {
        let taken = ureq::get(format!("{}/screenshot", self.session)).call();
        let value: Value = taken.expect("the driver answers").body_mut().read_json().expect("JSON");
        STANDARD.decode(value["value"].as_str().expect("a picture")).expect("base64")
    }

    /// The text of an element.
    pub fn text(&self, selector: &str) -> String {
        let script = format!("return document.querySelector({}).textContent", json!(selector));
        self.run(&script).as_str().expect("text").to_owned()
    }

    /// What the page has complained of in the browser's console.
    pub fn complaints(&self) -> Vec<Value> {
        let log = self.post("se/log", &json!({ "type": "browser" }));
        let entries = log.as_array().expect("entries").iter();
        entries.filter(|entry| entry["level"] == "SEVERE" || entry["level"] == "WARNING").cloned().collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = ureq::delete(&self.session).call();
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Asks the driver. Panics with what it says is wrong.
#[track_caller]
fn ask(url: &str, body: &Value) -> Value {
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let mut answer = agent.post(url).send_json(body).expect("the driver answers");
    let value: Value = answer.body_mut().read_json().expect("JSON");
    assert!(answer.status().is_success(), "{url}: {value}");
    value["value"].clone()
}
