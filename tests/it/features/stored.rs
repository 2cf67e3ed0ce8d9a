//! Databases of released versions in `tests/fixtures/databases/`: the current program migrates each with every value.
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use chrono::Utc;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use rusqlite::Connection;
use rusqlite::types::Value;
use serde_json::json;
use shelfwise::account::reset::store::LinkDelivery;
use shelfwise::kit::db::pool::known_schema;
use shelfwise::kit::http::session::Token;
use shelfwise::kit::id::UserId;
use shelfwise::library::text::{name_key, title_key};

use crate::support::actors::Reader;
use crate::support::fault_table::row;
use crate::support::harness::TestServer;
use crate::support::program::{self, command};
use crate::support::schema;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/databases")
}

/// Every table with its columns.
fn tables(conn: &Connection) -> BTreeMap<String, Vec<String>> {
    let sql = "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c
        WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' AND m.name <> 'refinery_schema_history' ORDER BY 1, c.cid";
    let mut query = conn.prepare(sql).unwrap();
    let mut tables = BTreeMap::<String, Vec<String>>::new();
    for pair in query.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap() {
        let (table, column): (String, String) = pair.unwrap();
        tables.entry(table).or_default().push(column);
    }
    tables
}

/// Every row of these columns, in their order.
fn rows(conn: &Connection, table: &str, columns: &[String]) -> Vec<Vec<Value>> {
    let columns = columns.join(", ");
    let mut query = conn.prepare(&format!("SELECT {columns} FROM {table} ORDER BY {columns}")).unwrap();
    let count = query.column_count();
    let row = |row: &rusqlite::Row<'_>| (0..count).map(|column| row.get(column)).collect();
    query.query_map([], row).unwrap().map(Result::unwrap).collect()
}

/// Everything that some tables hold.
fn values(path: &Path, tables: &BTreeMap<String, Vec<String>>) -> BTreeMap<String, Vec<Vec<Value>>> {
    let conn = Connection::open(path).unwrap();
    tables.iter().map(|(table, columns)| (table.clone(), rows(&conn, table, columns))).collect()
}

/// The schema whose ratings are tenths of a point.
const TENTHS: i32 = 20;

/// Rows of books whose ratings were whole points.
fn in_tenths(rows: &[Vec<Value>], columns: &[String]) -> Vec<Vec<Value>> {
    let rating = columns.iter().position(|column| column == "rating").unwrap();
    let mut rows = rows.to_vec();
    for row in &mut rows {
        if let Value::Integer(points) = &mut row[rating] {
            *points *= 10;
        }
    }
    rows
}

/// The schema since which days of logs count for the quota of texts.
const COUNTED_DAYS: i32 = 27;

/// Rows of libraries whose days of logs did not count.
fn with_days(rows: &[Vec<Value>], columns: &[String], days: &[Vec<Value>]) -> Vec<Vec<Value>> {
    let at = |name: &str| columns.iter().position(|column| column == name).unwrap();
    let book = |day: &Vec<Value>| if let Value::Integer(book) = day[0] { book } else { panic!("{day:?}") };
    let mut rows = rows.to_vec();
    for row in &mut rows {
        let owner = row[at("user_id")].clone();
        let days = days.iter().filter(|day| Value::Integer(book(day) >> 24) == owner).count();
        if let Value::Integer(bytes) = &mut row[at("text_bytes")] {
            *bytes += 32 * i64::try_from(days).unwrap();
        }
    }
    rows
}

/// The schema since which keys leave out punctuation.
const KEYS: i32 = 28;

/// Rows of books or of the list with the keys of [`KEYS`].
fn with_keys(rows: &[Vec<Value>], columns: &[String]) -> Vec<Vec<Value>> {
    let at = |name: &str| columns.iter().position(|column| column == name);
    let mut rows = rows.to_vec();
    for row in &mut rows {
        for (key, of, name) in [
            ("title_key", title_key as fn(&str) -> String, "title"),
            ("author_key", name_key, "author"),
            ("series_key", title_key, "series"),
        ] {
            if let (Some(key), Some(name)) = (at(key), at(name))
                && let Value::Text(text) = &row[name]
            {
                row[key] = Value::Text(of(&text.replace('\u{1f}', ", ")));
            }
        }
    }
    rows
}

/// Rows of libraries whose answers are no longer current.
fn with_new_revision(rows: &[Vec<Value>], columns: &[String]) -> Vec<Vec<Value>> {
    let revision = columns.iter().position(|column| column == "revision").unwrap();
    let mut rows = rows.to_vec();
    for row in &mut rows {
        if let Value::Integer(revision) = &mut row[revision] {
            *revision += 1;
        }
    }
    rows
}

/// The schema since which stored settings are one object, and nothing is recorded at a start.
const STORED_SETTINGS: i32 = 34;

/// A row of settings from before [`STORED_SETTINGS`].
fn as_setting(row: Vec<Value>) -> (String, serde_json::Value) {
    match &row[..2] {
        [Value::Text(key), Value::Text(value)] => (key.clone(), serde_json::from_str(value).unwrap()),
        other => panic!("{other:?}"),
    }
}

fn settings(database: &Path) -> BTreeMap<String, serde_json::Value> {
    let conn = Connection::open(database).unwrap();
    let text: String = conn.query_row("SELECT settings FROM stored_settings", [], |row| row.get(0)).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn unpack(stored: &Path, data: &Path) -> PathBuf {
    let mut bytes = Vec::new();
    GzDecoder::new(File::open(stored).unwrap()).read_to_end(&mut bytes).unwrap();
    fs::create_dir(data).unwrap();
    fs::set_permissions(data, fs::Permissions::from_mode(0o700)).unwrap();
    let database = data.join("shelfwise.db");
    fs::write(&database, bytes).unwrap();
    fs::set_permissions(&database, fs::Permissions::from_mode(0o600)).unwrap();
    database
}

#[test]
fn every_stored_database_is_migrated_with_every_value_and_backed_up_first() {
    let mut stored: Vec<_> = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    stored.sort();
    assert!(!stored.is_empty());
    let count = stored.len();
    for stored in stored {
        let place = tempfile::tempdir().unwrap();
        let data = place.path().join("data");
        let database = unpack(&stored, &data);
        let (version, mut tables) = (schema::version(&database), tables(&Connection::open(&database).unwrap()));
        let mut before = values(&database, &tables);
        assert!(before.values().all(|rows| !rows.is_empty()), "{}: a table is empty", stored.display());
        let migrated = program::run(command(&data, &["user", "list"]), "");
        let expected = match version < known_schema() {
            true => format!(
                "Upgrading the database from schema {version} to {}; a backup of it goes to {} first. This may take minutes.\n",
                known_schema(),
                data.join("backups").display()
            ),
            false => String::new(),
        };
        assert_eq!((migrated.status, migrated.err), (0, expected), "{}", stored.display());
        assert_eq!(schema::version(&database), known_schema());
        let whole = (before.clone(), tables.clone());
        if version < STORED_SETTINGS {
            let rows = before.remove("server_settings").unwrap_or_default();
            tables.retain(|table, _| before.contains_key(table) && !table.starts_with("server_start"));
            assert_eq!(settings(&database), rows.into_iter().map(as_setting).collect());
        }
        for (table, rows) in values(&database, &tables) {
            let columns = &tables[&table];
            let expected = match table.as_str() {
                "books" if version < TENTHS => in_tenths(&before[&table], columns),
                "libraries" if (TENTHS..COUNTED_DAYS).contains(&version) => {
                    with_days(&before[&table], columns, &before["reading_days"])
                }
                _ => before[&table].clone(),
            };
            let expected = match table.as_str() {
                "books" | "tbr" if version < KEYS => with_keys(&expected, columns),
                "libraries" if version < KEYS => with_new_revision(&expected, columns),
                _ => expected,
            };
            assert_eq!(rows, expected, "{}: {table}", stored.display());
        }
        let backups = shelfwise::backups::list::list(&data.join("backups")).unwrap();
        assert_eq!(backups.len(), usize::from(version < known_schema()), "{}", stored.display());
        for backup in backups {
            let file = data.join("backups").join(backup.name);
            shelfwise::backups::verify(&file).unwrap();
            assert_eq!(schema::version(&file), version);
            assert!(values(&file, &whole.1) == whole.0, "{}: the backup differs", stored.display());
        }
        let doctor = program::run(command(&data, &["doctor"]), "");
        assert_eq!(doctor.status, 0, "{}", doctor.out);
    }
    row("stored databases, migrated", count, "every value equal, backed up before", "every value equal");
}

/// What comes from providers elsewhere, and from a server's start.
const PAID_AND_LINKED: &str = "
    INSERT INTO subscriptions SELECT 'sub_1', min(id), 'shelfwise_team', 'annual', 'active', 2, '2026-01-02T03:04:05Z',
        '2027-01-02T03:04:05Z', '2027-01-02T03:04:05Z', '2027-01-02T03:04:05Z', 0, 0, '2026-01-02T03:04:05Z' FROM users;
    INSERT INTO orders SELECT max(id), 'order', 'shelfwise_team', 'monthly', 'Night readers', 'https://books.example.org/account',
        'https://books.example.org/pricing', 'cs_1', '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z' FROM users;
    INSERT INTO stripe_events VALUES ('evt_1', '2026-01-02T03:04:05Z');
    INSERT INTO identities SELECT min(id), 'google', 'https://accounts.example.org', '7', 'ada@example.org',
        '2026-01-02T03:04:05Z' FROM users;
    UPDATE books SET series = 'The Dwarf', series_key = 'the dwarf', series_number = '1', series_sort = 1000, tags = 'slow',
        contributors = '[]', publisher = 'Bonnier', published = '1940', original_year = 1940, language = 'sv',
        cover = user_id << 24 | 1, private = 1;";

/// What devices report.
const REPORTED: &str = "
    INSERT INTO devices SELECT 1, min(id), 'Kobo Libra', 'koreader', 'kqztmw', zeroblob(48), '2026-01-02T03:04:05Z',
        '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z', 60, 75 FROM users;
    INSERT INTO documents SELECT (user_id << 24) + 1, user_id, '59d481d168cca6267322f150c5f6a2a3', 'Aniara', 'Harry Martinson', 'aniara',
        'harry martinson', '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z', 1, '{\"percentage\": 0.4}', 1767323045, min(id), 1, 0,
        '2026-01-01', 4000, x'010300', 'home', 17400, 1767323045, 1767323045, 20000 FROM books GROUP BY user_id;
    INSERT INTO document_days SELECT id, '2026-01-05', 1, 4000, 40, 30, 1, 'kindle' FROM documents;
    INSERT INTO sources SELECT id, 'home', 'At home', zeroblob(60), '2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z', 'failing', 2,
        '2026-01-02T03:04:05Z', 1767323045000, 1767323045000 FROM users;
    INSERT INTO listening_sessions SELECT id, 's1', 1767323045, 600, 100, 700 FROM documents;
    INSERT INTO document_places SELECT id, '2026-01-05', 4000, 1767323045 FROM documents;
    INSERT INTO device_days SELECT book_id, day, 4000, 30 FROM reading_days;
    UPDATE reading_days SET covered = 300;";

/// What operators, expiry and other ways to sign in leave behind.
const OPERATED: &str = "
    UPDATE users SET email_proven_at = created_at;
    UPDATE sessions SET confirmed_at = created_at, provider = 'google', header_user = 'ada', former_hash = zeroblob(32),
        renewed_at = created_at, former_until = created_at;
    UPDATE api_tokens SET expires_at = '2027-01-02T03:04:05Z';
    UPDATE invitations SET masked_email = 's…g@example.org';
    UPDATE events SET actor_id = user_id, address = '192.0.2.0/24', device = 'Firefox on Linux';
    INSERT INTO setup_code VALUES (1, zeroblob(32), '2026-01-02T03:04:05Z');
    UPDATE stored_settings SET settings = '{\"name\": \"Night readers\"}';
    INSERT INTO server_invitations SELECT 1, min(id), 'grace@example.org', 'grace@example.org', 'g…e@example.org', zeroblob(32),
        '2026-01-02T03:04:05Z', '2026-01-09T03:04:05Z', 0 FROM users;
    INSERT INTO shares SELECT 1, min(id), 'tag', 'dates', NULL, 'slow', zeroblob(32), '2026-01-02T03:04:05Z', '2027-01-02T03:04:05Z',
        '2026-01-02T03:04:05Z' FROM users;
    INSERT INTO shares SELECT 2, min(id), 'review', '', '2026', NULL, randomblob(32), '2026-01-02T03:04:05Z', NULL, NULL FROM users;
    INSERT INTO operator_alerts VALUES ('disk', '2026-01-02T03:04:05Z', 0);";

/// People who use everything, so that every column of every table has something in it.
async fn furnish(server: &TestServer) {
    let (owner, members) = server.team(2).await;
    let agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    read(&owner).await;
    owner.invite("standing@example.org").await;
    owner.post("/api/account/tokens", json!({"name": "Sync", "access": "read-write"})).await.expect(201);
    let challenge = json!({"title": "A million words", "metric": "words", "target": 1_000_000,
        "startDate": "2026-01-01", "endDate": "2026-12-31"});
    owner.post("/api/teams/challenges", challenge).await.expect(201);
    let liked = json!({"theme": "dark", "brightness": 90, "sepia": 10, "shareWithTeam": true, "timezone": "Europe/Oslo",
            "hemisphere": "north"});
    owner.patch("/api/preferences", liked).await.expect(200);
    members[0]
        .send(members[0].request(reqwest::Method::GET, "/api/books").header("user-agent", agent))
        .await
        .expect(200);
    server.activity.write(&server.db, Utc::now()).await.unwrap();
    let (owner, member) = (owner.id, members[1].id);
    let rest = server.db.write(move |tx| {
        shelfwise::account::reset::store::issue(tx, UserId(member), Token::new()?.hash(), LinkDelivery::Email)?;
        tx.execute("UPDATE users SET role = 'admin', stripe_customer_id = 'cus_1' WHERE id = ?1", [owner])?;
        tx.execute("UPDATE users SET disabled = 1 WHERE id = ?1", [member])?;
        tx.execute("UPDATE api_tokens SET last_used_at = created_at", [])?;
        tx.execute_batch(PAID_AND_LINKED)?;
        tx.execute_batch(OPERATED)?;
        tx.execute_batch(REPORTED)?;
        tx.execute("INSERT INTO distinct_works SELECT min(id), max(id) FROM books WHERE user_id = ?1", [owner])?;
        tx.execute("INSERT INTO activity_places VALUES (?1, '2026-01-02', 'Norway', 'Oslo', 3)", [owner])?;
        Ok(())
    });
    rest.await.unwrap();
}

/// Books of every kind, the list of what is next, an import with rows that were refused, and its undoing.
async fn read(reader: &Reader) {
    let finished = json!({"title": "Kallocain", "author": "Karin Boye", "wordCount": 61_000, "rating": 9, "format": "eBook",
        "startDate": "2026-01-02", "dateCompleted": "2026-01-09", "wordDistribution": "spread", "genres": ["Dystopia"],
        "impressions": "Cold and clear.", "quotes": ["A quote."], "pages": 220, "isbn": "9780141185347"});
    let keyed = reader.request(reqwest::Method::POST, "/api/books").header("idempotency-key", "key").json(&finished);
    reader.send(keyed).await.expect(201);
    let reading = json!({"title": "Egalia's Daughters", "author": "Gerd Brantenberg", "status": "in-progress",
        "startDate": "2026-02-01", "pages": 270});
    reader.post("/api/books", reading).await.expect(201);
    reader
        .post("/api/books", json!({"title": "Momo", "author": "Michael Ende", "status": "undated"}))
        .await
        .expect(201);
    let given_up = json!({"title": "Gösta Berling", "author": "Selma Lagerlöf", "status": "did-not-finish",
        "stoppedDate": "2026-02-01"});
    reader.post("/api/books", given_up).await.expect(201);
    let rough = json!({"title": "The Dwarf", "author": "Pär Lagerkvist", "completedFrom": "2019-01-01", "dateCompleted": "2019-12-31"});
    reader.post("/api/books", rough).await.expect(201);
    let logged = json!({"title": "Aniara", "author": "Harry Martinson", "status": "in-progress", "pages": 100,
        "pausedSince": "2026-02-01", "wordCount": 20_000});
    let logged = reader.post("/api/books", logged).await.expect(201)["book"]["id"].clone();
    for (day, body) in [("2026-01-05", json!({"page": 40, "minutes": 30, "note": "Songs."})), ("2026-01-06", json!({}))]
    {
        let path = format!("/api/books/{logged}/days/{day}");
        reader.send(reader.request(reqwest::Method::PUT, &path).json(&body)).await.expect(200);
    }
    let heard = json!({"title": "Doctor Glas", "author": "Hjalmar Söderberg", "status": "in-progress", "format": "Audio", "minutes": 290});
    let heard = reader.post("/api/books", heard).await.expect(201)["book"]["id"].clone();
    reader.put(&format!("/api/books/{heard}/days/2026-01-05"), json!({"time": "1:20"})).await.expect(200);
    let counted = json!({"status": "completed", "dateCompleted": "2026-02-03", "wordDistribution": "logged"});
    reader.patch(&format!("/api/books/{logged}"), counted).await.expect(200);
    let paused =
        json!({"title": "Barabbas", "author": "Pär Lagerkvist", "status": "in-progress", "pausedSince": "2026-02-01"});
    reader.post("/api/books", paused).await.expect(201);
    reader.post("/api/views", json!({"name": "Long", "query": "minWords=100000", "position": 1})).await.expect(201);
    let clippings =
        "Kallocain (Boye, Karin)\n- Your Highlight on page 5 | Added on Monday, April 21, 2014\n\nCold.\n==========\n";
    reader.upload("/api/quotes/import", "My Clippings.txt", clippings, &[]).await.expect(200);
    let wish = json!({"title": "Solenoid", "author": "Mircea Cărtărescu", "wordCount": 260_000, "pages": 672,
        "isbn": "9781646052028", "notes": "Three people told me.", "format": "eBook",
        "tags": ["owned"], "wordCountSource": "epub"});
    reader.post("/api/tbr", wish).await.expect(201);
    let file = "Titel,Autor,Wörter,Regal\nDer Process,Franz Kafka,84000,gelesen\nDas Schloss,Franz Kafka,viele,gelesen\n\
        Amerika,Franz Kafka,,später\n";
    let columns = r#"{"Titel": "title", "Autor": "author", "Wörter": "wordCount", "Regal": "status"}"#;
    let shelves = r#"{"gelesen": "read", "später": "to-read"}"#;
    let fields = [("columnMap", columns), ("shelfMap", shelves)];
    let made = reader.upload("/api/books/import", "bücher.csv", file, &fields).await.expect(200);
    assert_eq!((&made["imported"], &made["importedTbr"], &made["errors"]), (&json!(1), &json!(1), &json!(1)), "{made}");
    let other = reader.upload("/api/books/import", "other.csv", "Title,Author\nGone,Somebody\n", &[]).await.expect(200);
    reader.delete(&format!("/api/imports/{}", other["importId"])).await.expect(200);
}

/// Run by `scripts/store-database`: writes a database of the present schema with data in every column of every table.
#[tokio::test]
#[ignore = "it writes a fixture: scripts/store-database"]
async fn a_database_of_this_version_is_stored() {
    let server = TestServer::start().await;
    furnish(&server).await;
    let place = tempfile::tempdir().unwrap();
    let copy = place.path().join("copy.db");
    Connection::open(server.db.path()).unwrap().execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
    let conn = Connection::open(&copy).unwrap();
    let mut empty = Vec::new();
    for (table, columns) in tables(&conn) {
        for column in columns {
            let filled = format!("SELECT EXISTS (SELECT 1 FROM {table} WHERE {column} IS NOT NULL)");
            let filled: bool = conn.query_row(&filled, [], |row| row.get(0)).unwrap();
            empty.extend((!filled).then(|| format!("{table}.{column}")));
        }
    }
    assert!(empty.is_empty(), "{empty:?} are empty everywhere: let furnish() fill them");
    conn.close().unwrap();
    let target = folder().join(format!("schema-{:02}.db.gz", known_schema()));
    fs::create_dir_all(folder()).unwrap();
    let mut packed = GzEncoder::new(File::create_new(&target).unwrap(), Compression::best());
    packed.write_all(&fs::read(&copy).unwrap()).unwrap();
    packed.finish().unwrap();
    println!("{} is stored", target.display());
}

/// The columns forbid unknown words; a program of another version, or a hand, could write one nevertheless.
#[tokio::test]
async fn a_row_with_an_unknown_word_is_an_error_and_never_read_as_another_word() {
    let server = TestServer::start().await;
    let (owner, members) = server.team(1).await;
    let member = &members[0];
    owner.post("/api/books", json!({"title": "T", "author": "A", "status": "undated"})).await.expect(201);
    let script = owner.script("read-write").await;
    script.get("/api/books").await.expect(200);
    for (table, column, word, path) in [
        ("users", "role", "emperor", "/api/auth/me"),
        ("users", "granted_plan", "gold", "/api/auth/me"),
        ("members", "role", "guest", "/api/teams/current"),
        ("books", "status", "lost", "/api/books?limit=11"),
        ("books", "format", "Papyrus", "/api/books?limit=12"),
        ("preferences", "default_stats_view", "pages", "/api/preferences"),
    ] {
        let former: Option<String> = set_word(&server, table, column, Some(word.to_owned()), owner.id).await;
        assert_eq!(owner.get(path).await.code(500), "internal", "{table}.{column}");
        set_word(&server, table, column, former, owner.id).await;
        owner.get(path).await.expect(200);
    }
    let former = set_word(&server, "api_tokens", "access", Some("everything".to_owned()), owner.id).await;
    assert_eq!(script.get("/api/books").await.code(500), "internal");
    set_word(&server, "api_tokens", "access", former, owner.id).await;
    script.get("/api/books").await.expect(200);
    member.get("/api/auth/me").await.expect(200);
}

/// Sets a column of a person's rows past the column's check; the word that was there.
async fn set_word(
    server: &TestServer,
    table: &'static str,
    column: &'static str,
    word: Option<String>,
    user: i64,
) -> Option<String> {
    let owner = if table == "users" { "id" } else { "user_id" };
    let changed = server.db.write(move |tx| {
        let former =
            tx.query_row(&format!("SELECT {column} FROM {table} WHERE {owner} = ?1"), [user], |row| row.get(0))?;
        tx.execute_batch("PRAGMA ignore_check_constraints = ON")?;
        tx.execute(&format!("UPDATE {table} SET {column} = ?2 WHERE {owner} = ?1"), (user, word))?;
        tx.execute_batch("PRAGMA ignore_check_constraints = OFF")?;
        Ok(former)
    });
    changed.await.unwrap()
}
