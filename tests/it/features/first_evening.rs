//! The first evening: from an empty folder to five readers with an imported library each and a verified backup, in the steps that
//! docs/operating.md counts.
use std::path::Path;

use serde_json::json;

use crate::support::actors::{PASSWORD, Reader, Visitor};
use crate::support::program::{self, Program, shelfwise};

const FAMILY: [(&str, &str); 4] = [
    ("greta@example.org", "Greta"),
    ("piet@example.org", "Piet"),
    ("rosa@example.org", "Rosa"),
    ("imani@example.org", "Imani"),
];

/// The exports of five readers, with the number of books in each.
const LIBRARIES: [(&str, &str); 5] = [
    ("goodreads.csv", include_str!("../../fixtures/import/goodreads-31.csv")),
    ("storygraph.csv", include_str!("../../fixtures/import/storygraph.csv")),
    ("calibre.csv", include_str!("../../fixtures/import/calibre.csv")),
    ("openreads.csv", include_str!("../../fixtures/import/openreads.csv")),
    ("hardcover.csv", include_str!("../../fixtures/import/hardcover.csv")),
];

/// A file of the repository.
fn file(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// The number of steps of a list in docs/operating.md, below a line that begins so.
fn documented_steps(heading: &str) -> usize {
    let text = file("docs/operating.md");
    let list = text.split_once(heading).unwrap_or_else(|| panic!("{heading} is not in docs/operating.md")).1;
    let number = |line: &str| line.split_once(". ").and_then(|(number, _)| number.parse::<usize>().ok());
    // A step may stand for several: "4. to 7."
    let ends = |line: &str| line.split("to ").nth(1).and_then(|rest| rest.split('.').next()?.parse::<usize>().ok());
    let section = list.split("\n#").next().unwrap().split("\n**").next().unwrap();
    section
        .lines()
        .filter_map(|line| number(line).map(|first| ends(line.get(..9).unwrap_or(line)).unwrap_or(first)))
        .max()
        .unwrap()
}

#[test]
fn the_steps_are_seven_with_a_container_and_nine_with_systemd() {
    assert_eq!(documented_steps("**With a container.**"), 7);
    assert_eq!(documented_steps("**With systemd.**"), 9);
}

/// By these values the family's machines reach the server: `compose.yaml` passes them, and the server accepts them.
#[test]
fn the_values_for_the_familys_address_exist() {
    let (text, compose) = (file("docs/operating.md"), file("compose.yaml"));
    let rows: Vec<_> = text.lines().filter(|line| line.starts_with("| `http")).collect();
    assert_eq!(rows.len(), 2);
    for row in rows {
        let values = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        let [_, _, container, systemd, _] = row.split('|').map(values).collect::<Vec<_>>().try_into().unwrap();
        let pairs = container.iter().map(|pair| pair.split_once('=').unwrap());
        let (settings, own): (Vec<_>, Vec<_>) = pairs.partition(|(name, _)| name.starts_with("SHELFWISE_"));
        assert!(own.iter().all(|(name, _)| compose.contains(&format!("${{{name}:-"))), "{row}");
        assert!(settings.iter().all(|(name, _)| compose.contains(&format!("\n      {name}:"))), "{row}");
        let settings = settings.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        shelfwise::config::Config::load(None, settings).unwrap();
        let written = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(written.path(), systemd.join("\n")).unwrap();
        let config = shelfwise::config::Config::load(Some(written.path()), std::iter::empty()).unwrap();
        assert!(config.listen.to_string() == "0.0.0.0:8080" || config.trusts("127.0.0.1".parse().unwrap()), "{row}");
    }
}

/// Imports a file as the import page does. Returns the number of books.
async fn import(reader: &Reader, (name, text): (&str, &str)) -> i64 {
    let taken = reader.upload("/api/books/import", name, text, &[]).await.expect(200);
    let books = reader.get("/api/books").await.expect(200)["data"].as_array().unwrap().len();
    assert!(taken["imported"].as_i64().unwrap() > 0 && books > 0, "{name}: {taken}");
    taken["imported"].as_i64().unwrap()
}

#[tokio::test]
async fn a_family_of_five_is_reading_after_the_counted_steps_and_has_a_verified_backup() {
    let folder = tempfile::tempdir().unwrap();
    let (data, backups) = (folder.path().join("data"), folder.path().join("backups"));
    let mut steps = Vec::new();

    steps.push("start the server");
    let mut command = shelfwise();
    command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(&data);
    let mut running = Program::start(command);
    let printed = running.printed.iter().find_map(|line| line.strip_prefix("Set up this server: ")).unwrap().to_owned();

    steps.push("open the printed address and answer four questions");
    let (base, code) = printed.rsplit_once("/setup/").unwrap();
    let operator = Visitor::at(base);
    assert_eq!(operator.get(&format!("/setup/{code}")).await.status, 200);
    let answers = json!({
        "displayName": "Chidi Okafor", "email": "chidi@example.org", "password": PASSWORD, "instance": "private",
        "name": "The Okafor shelf", "publicUrl": base, "signup": "invite", "backupTo": backups,
    });
    operator.post(&format!("/api/setup/{code}"), answers).await.expect(201);
    let mut readers = vec![operator.log_in("chidi@example.org").await];

    for (email, name) in FAMILY {
        steps.push("send a link");
        let made = readers[0].post("/api/admin/invitations", json!({"email": email})).await.expect(201);
        let link = made["url"].as_str().unwrap();
        let token = link.strip_prefix(&format!("{base}/invite/")).unwrap();
        let visitor = Visitor::at(base);
        visitor.get(&format!("/api/invitations/{token}")).await.expect(200);
        let form = json!({"email": email, "password": PASSWORD, "displayName": name, "inviteToken": token});
        let answer = visitor.post("/api/auth/signup", form).await;
        readers.push(visitor.signed_up(email, answer));
    }
    // What is before the start counts, too: the image or the program, and with systemd the user and the units.
    assert!(steps.len() < 7, "{steps:?}");

    let mut books = Vec::new();
    for (reader, library) in readers.iter().zip(LIBRARIES) {
        books.push(import(reader, library).await);
        let current = reader.get("/api/subscriptions/current").await.expect(200);
        assert_eq!(current["limits"]["bookLimit"], json!(null), "everybody has everything");
    }
    assert_eq!(books.len(), 5);

    let run = |words: &[&str]| {
        let mut command = shelfwise();
        command.args(words);
        let ended = program::run(command, "");
        assert_eq!(ended.status, 0, "{words:?}: {}", ended.err);
        ended.out
    };
    let made = run(&["backup", "create", "--to", backups.to_str().unwrap(), "--data-dir", data.to_str().unwrap()]);
    run(&["backup", "verify", made.trim()]);
    let listed = readers[0].get("/api/admin/backups").await.expect(200);
    assert!(listed["nextAt"].is_string() && !listed["data"].as_array().unwrap().is_empty(), "{listed}");
    assert_eq!(running.stop(), Some(0));

    let restored = folder.path().join("restored");
    run(&["restore", made.trim(), "--yes", "--data-dir", restored.to_str().unwrap()]);
    let users: serde_json::Value =
        serde_json::from_str(&run(&["user", "list", "--json", "--data-dir", restored.to_str().unwrap()])).unwrap();
    let libraries: Vec<_> = users.as_array().unwrap().iter().map(|user| user["books"].as_i64().unwrap()).collect();
    assert!(libraries.len() == 5 && libraries.iter().all(|count| *count > 0), "{libraries:?}");
}
