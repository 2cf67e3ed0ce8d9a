//! The catalogues of the look-up besides Open Library: what each is asked, byte for byte, and what a hostile one achieves.
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse as _, Redirect, Response};
use serde_json::{Value, json};
use shelfwise::config::Config;
use tokio::task::JoinSet;

use crate::support::catalogue::Catalogue;
use crate::support::harness::TestServer;
use crate::support::program::{Program, shelfwise};

const ISBN: &str = "9780807083697";
const OTHER_ISBN: &str = "9780441013593";
const KEY: &str = "canary-key-of-the-server";

/// A catalogue: its name, its own address, and how it answers.
struct Source {
    name: &'static str,
    host: &'static str,
    /// The path of its configured address.
    path: &'static str,
    /// The request for [`ISBN`], and its body.
    asked: &'static str,
    body: &'static str,
    kind: &'static str,
    /// The answer about a book with an ISBN.
    book: fn(&str) -> String,
    /// The answer without a book.
    none: &'static str,
}

const SOURCES: [Source; 6] = [
    Source {
        name: "google",
        host: "books.google.com",
        path: "",
        asked: "GET /v1/volumes?q=isbn%3A9780807083697&maxResults=20&printType=books&key=canary-key-of-the-server",
        body: "",
        kind: "application/json",
        book: |isbn| {
            json!({"totalItems": 1, "items": [{"id": "zyTCAlFPjgYC", "volumeInfo": {"title": "Kindred", "pageCount": 264,
                "authors": ["Octavia E. Butler"], "industryIdentifiers": [{"type": "ISBN_13", "identifier": isbn}]}}]})
            .to_string()
        },
        none: r#"{"kind": "books#volumes", "totalItems": 0}"#,
    },
    Source {
        name: "hardcover",
        host: "hardcover.app",
        path: "/v1/graphql",
        asked: "POST /v1/graphql",
        body: r#"{"query":"query($isbn: String!) { editions(where: {isbn_13: {_eq: $isbn}}, limit: 5) { title pages audio_seconds isbn_13 language { code2 } reading_format_id contributions { author { name } } image { url } book { title } } }","variables":{"isbn":"9780807083697"}}"#,
        kind: "application/json",
        book: |isbn| {
            json!({"data": {"editions": [{"title": "Kindred", "pages": 264, "isbn_13": isbn,
                "contributions": [{"author": {"name": "Octavia E. Butler"}}], "book": {"title": "Kindred"}}]}})
            .to_string()
        },
        none: r#"{"data": {"editions": []}}"#,
    },
    Source {
        name: "dnb",
        host: "dnb.de",
        path: "/sru/dnb",
        asked: "GET /sru/dnb?version=1.1&operation=searchRetrieve&query=isbn%3D9780807083697&recordSchema=MARC21-xml&maximumRecords=20",
        body: "",
        kind: "text/xml",
        book: |isbn| {
            sru(&format!(
                "<record xmlns='http://www.loc.gov/MARC21/slim'><datafield tag='020'><subfield code='a'>{isbn}</subfield></datafield>\
                 <datafield tag='100'><subfield code='a'>Butler, Octavia E.</subfield></datafield>\
                 <datafield tag='245'><subfield code='a'>Kindred</subfield></datafield>\
                 <datafield tag='300'><subfield code='a'>264 Seiten</subfield></datafield></record>"
            ))
        },
        none: NO_RECORD,
    },
    Source {
        name: "bnf",
        host: "bnf.fr",
        path: "/api/SRU",
        asked: "GET /api/SRU?version=1.2&operation=searchRetrieve&query=bib.isbn+all+%229780807083697%22&recordSchema=unimarcxchange&maximumRecords=20",
        body: "",
        kind: "text/xml",
        book: |isbn| {
            sru(&format!(
                "<m:record xmlns:m='info:lc/xmlns/marcxchange-v2'><m:datafield tag='010'><m:subfield code='a'>{isbn}</m:subfield></m:datafield>\
                 <m:datafield tag='200'><m:subfield code='a'>Kindred</m:subfield></m:datafield>\
                 <m:datafield tag='700'><m:subfield code='a'>Butler</m:subfield><m:subfield code='b'>Octavia E.</m:subfield></m:datafield>\
                 <m:datafield tag='215'><m:subfield code='a'>1 vol. (264 p.)</m:subfield></m:datafield></m:record>"
            ))
        },
        none: NO_RECORD,
    },
    Source {
        name: "loc",
        host: "loc.gov",
        path: "/lcdb",
        asked: "GET /lcdb?version=1.1&operation=searchRetrieve&query=bath.isbn%3D9780807083697&recordSchema=mods&maximumRecords=20",
        body: "",
        kind: "text/xml",
        book: |isbn| {
            sru(&format!(
                "<mods xmlns='http://www.loc.gov/mods/v3'><titleInfo><title>Kindred</title></titleInfo><identifier type='isbn'>{isbn} (pbk.)</identifier>\
                 <name type='personal'><namePart>Butler, Octavia E.</namePart></name>\
                 <physicalDescription><extent>264 p. ; 21 cm.</extent></physicalDescription></mods>"
            ))
        },
        none: NO_RECORD,
    },
    Source {
        name: "ndl",
        host: "ndl.go.jp",
        path: "/api/sru",
        asked: "GET /api/sru?version=1.2&operation=searchRetrieve&query=isbn%3D9780807083697&recordSchema=dcndl_v3&maximumRecords=20&recordPacking=xml",
        body: "",
        kind: "application/xml",
        book: |isbn| {
            sru(&format!(
                "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:dcterms='http://purl.org/dc/terms/' xmlns:foaf='http://xmlns.com/foaf/0.1/'>\
                 <dcterms:identifier rdf:datatype='http://ndl.go.jp/dcndl/terms/ISBN'>{isbn}</dcterms:identifier><dcterms:title>Kindred</dcterms:title>\
                 <dcterms:creator><foaf:Agent><foaf:name>Butler, Octavia E.</foaf:name></foaf:Agent></dcterms:creator>\
                 <dcterms:extent>264p ; 21cm</dcterms:extent></rdf:RDF>"
            ))
        },
        none: NO_RECORD,
    },
];

const NO_RECORD: &str = "<searchRetrieveResponse xmlns='http://www.loc.gov/zing/srw/'><numberOfRecords>0</numberOfRecords></searchRetrieveResponse>";

/// An answer of a library with a record.
fn sru(record: &str) -> String {
    format!(
        "<?xml version='1.0' encoding='UTF-8'?><searchRetrieveResponse xmlns='http://www.loc.gov/zing/srw/'><numberOfRecords>1</numberOfRecords>\
         <records><record><recordPacking>xml</recordPacking><recordData>{record}</recordData></record></records></searchRetrieveResponse>"
    )
}

impl Source {
    /// Sets a server up to ask this catalogue alone.
    fn set_up(&self, config: &mut Config, base: &str) {
        let (lookup, url, key) = (&mut config.lookup, format!("{base}{}", self.path), KEY.to_owned());
        lookup.sources = vec![self.name.into()];
        match self.name {
            "google" => (lookup.google.url, lookup.google.key) = (url, Some(key.into())),
            "hardcover" => (lookup.hardcover.url, lookup.hardcover.key) = (url, Some(key.into())),
            "dnb" => lookup.dnb.url = url,
            "bnf" => lookup.bnf.url = url,
            "loc" => lookup.loc.url = url,
            "ndl" => lookup.ndl.url = url,
            other => panic!("{other} is not set up here"),
        }
    }

    async fn server(&self, catalogue: &Catalogue) -> TestServer {
        TestServer::with(|config| self.set_up(config, &catalogue.base)).await
    }

    fn outcome(&self, outcome: &str) -> Value {
        json!([{"name": self.name, "outcome": outcome}])
    }
}

fn answer(kind: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    response.headers_mut().insert("content-type", HeaderValue::from_static(kind));
    response
}

fn by_isbn() -> String {
    format!("/api/lookup?isbn={ISBN}")
}

/// Runs a case for every catalogue, all at once.
async fn for_each<F: Future<Output = ()> + Send + 'static>(case: impl Fn(&'static Source) -> F) {
    static ALL: [Source; 6] = SOURCES;
    let mut cases = JoinSet::new();
    for source in &ALL {
        cases.spawn(case(source));
    }
    cases.join_all().await;
}

#[tokio::test]
async fn each_catalogue_finds_a_book_and_learns_nothing_but_the_question() {
    for_each(|source| async move {
        let catalogue = Catalogue::start().await;
        let server = source.server(&catalogue).await;
        let reader = server.reader().await;
        catalogue.answer(move |_: &Uri| Some(answer(source.kind, (source.book)(ISBN))));
        let found = reader.get(&by_isbn()).await.expect(200);
        assert_eq!(found["sources"], source.outcome("ok"), "{}", source.name);
        let book = &found["data"][0];
        assert_eq!(
            (&book["title"], &book["authors"], &book["pages"], &book["isbn"], &book["wordCount"]),
            (&json!("Kindred"), &json!(["Octavia E. Butler"]), &json!(264), &json!(ISBN), &json!(72_600)),
            "{}",
            source.name
        );
        let asked = catalogue.asked();
        let [asked] = asked.as_slice() else { panic!("{}: {asked:?}", source.name) };
        assert_eq!((asked.line.as_str(), asked.body.as_str()), (source.asked, source.body), "{}", source.name);
        let mut headers = asked.headers.clone();
        headers.sort();
        let (usual, posted) =
            (vec!["accept", "accept-encoding"], vec!["authorization", "content-length", "content-type"]);
        let mut expected =
            [usual, if source.body.is_empty() { vec![] } else { posted }, vec!["host", "user-agent"]].concat();
        expected.sort_unstable();
        assert_eq!(headers, expected, "{}", source.name);
        let authorization = if source.name == "hardcover" { format!("Bearer {KEY}") } else { String::new() };
        assert_eq!(asked.authorization, authorization, "{}", source.name);
    })
    .await;
}

/// What a catalogue may answer, and the outcome. `Err` is a 503 with that outcome.
type Answers = Vec<(&'static str, Box<dyn Fn() -> Response + Send + Sync>, Result<&'static str, &'static str>)>;

fn hostile(source: &'static Source, inside: &str) -> Answers {
    let (inside, first_kind) = (format!("{inside}/secret"), source.kind);
    let with_header = |mut response: Response, name: &'static str, value: &'static str| {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
        response
    };
    let endless =
        || Body::from_stream(futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![b' '; 64 * 1024])));
    vec![
        ("no book", Box::new(move || answer(first_kind, source.none)), Ok("empty")),
        ("another book", Box::new(move || answer(first_kind, (source.book)(OTHER_ISBN))), Ok("empty")),
        ("a page", Box::new(|| answer("text/html", "<!doctype html><title>Busy</title>")), Err("error")),
        ("nothing", Box::new(move || answer(first_kind, "")), Err("error")),
        (
            "half an answer",
            Box::new(move || {
                let whole = (source.book)(ISBN);
                answer(first_kind, whole[..whole.len() / 2].to_owned())
            }),
            Err("error"),
        ),
        ("a deep answer", Box::new(move || answer(first_kind, "[<a>".repeat(100_000))), Err("error")),
        ("no end", Box::new(move || answer(first_kind, endless())), Err("error")),
        (
            "packed bytes",
            Box::new(move || with_header(answer(first_kind, "\u{1f}packed"), "content-encoding", "gzip")),
            Err("error"),
        ),
        ("a redirect inside", Box::new(move || Redirect::temporary(&inside).into_response()), Err("error")),
        (
            "a redirect to metadata",
            Box::new(|| Redirect::temporary("http://169.254.169.254/latest").into_response()),
            Err("error"),
        ),
        ("a circle", Box::new(|| Redirect::temporary("/").into_response()), Err("error")),
        ("an error", Box::new(|| StatusCode::BAD_GATEWAY.into_response()), Err("error")),
        (
            "too often",
            Box::new(move || with_header(StatusCode::TOO_MANY_REQUESTS.into_response(), "retry-after", "60")),
            Err("limited"),
        ),
        ("used up", Box::new(|| (StatusCode::FORBIDDEN, "Quota exceeded").into_response()), Err("limited")),
    ]
}

#[tokio::test]
async fn a_hostile_answer_has_an_outcome_and_a_sentence() {
    for_each(|source| async move {
        let inside = Catalogue::start().await;
        // Each case has a server of its own, because a catalogue is not asked twice at once.
        for (name, answer, expected) in hostile(source, &inside.base) {
            let catalogue = Catalogue::start().await;
            let server = source.server(&catalogue).await;
            catalogue.answer(move |_: &Uri| Some(answer()));
            let said = server.reader().await.get(&by_isbn()).await;
            let case = format!("{}: {name}", source.name);
            match expected {
                Ok(outcome) => {
                    assert_eq!(said.expect(200), json!({"data": [], "sources": source.outcome(outcome)}), "{case}")
                }
                Err(outcome) => {
                    assert_eq!(said.code(503), "lookup_unavailable", "{case}");
                    assert_eq!(said.body["sources"], source.outcome(outcome), "{case}");
                    let sentence = said.body["error"].as_str().unwrap();
                    assert!(
                        sentence.starts_with(source.host) && sentence.ends_with("Try again, or type it in."),
                        "{case}: {sentence}"
                    );
                    assert!(!said.body.to_string().contains(KEY), "{case}");
                }
            }
        }
        assert!(inside.asked().is_empty(), "{}: a redirect was followed to another address of the inside", source.name);
    })
    .await;
}

#[tokio::test]
async fn a_catalogue_that_does_not_answer_is_given_up_after_10_seconds() {
    for_each(|source| async move {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let server = TestServer::with(|config| source.set_up(config, &base)).await;
        let said = server.reader().await.get(&by_isbn()).await;
        assert_eq!((said.code(503), &said.body["sources"]), ("lookup_unavailable", &source.outcome("timeout")));
    })
    .await;
}

/// The program's log at its most talkative, about answers of every kind.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_stands_in_no_log() {
    let (catalogue, folder) = (Catalogue::start().await, tempfile::tempdir().unwrap());
    let log = folder.path().join("log");
    let mut serve = shelfwise();
    serve.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(folder.path().join("data"));
    serve.env("RUST_LOG", "trace").env("SHELFWISE_LOOKUP_SOURCES", "google,hardcover");
    for name in ["GOOGLE", "HARDCOVER"] {
        serve
            .env(format!("SHELFWISE_LOOKUP_{name}_KEY"), KEY)
            .env(format!("SHELFWISE_LOOKUP_{name}_URL"), &catalogue.base);
    }
    serve.stderr(std::fs::File::create(&log).unwrap());
    let server = Program::start(serve);
    let reader = crate::support::actors::Visitor::at(server.address()).sign_up_as("ada@example.org", "Ada").await;
    catalogue.answer(|_: &Uri| Some(StatusCode::BAD_GATEWAY.into_response()));
    assert_eq!(reader.get(&by_isbn()).await.code(503), "lookup_unavailable");
    assert_eq!(catalogue.asked().len(), 2);
    drop(server);
    let log = std::fs::read(&log).unwrap();
    let printed = String::from_utf8_lossy(&log);
    assert!(printed.contains("asking a catalogue failed"), "the log is elsewhere, so this tests nothing");
    let line = printed.lines().find(|line| line.contains(KEY));
    assert_eq!(line, None);
}
