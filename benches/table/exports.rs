//! Row 21: the exports in the forms of other programs, each against our own CSV file.
use crate::client::{Client, Get};
use crate::library;
use crate::measure::Goal::AtLeast;
use crate::measure::{Table, ms, ratio};
use crate::program::Server;

const ROUNDS: u32 = 5;
const TIMES: u32 = 5;
/// The StoryGraph and LibraryThing have Goodreads' form.
const FORMS: [&str; 6] = ["goodreads", "hardcover", "bookwyrm", "openreads", "jelu", "yamtrack"];

/// Measures the row if it is requested.
pub fn rows(table: &mut Table) {
    if !table.wants(21) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let conn = library::file(folder.path());
    let reader = library::reader_with_logs(&conn, 10_000);
    conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
    let server = Server::serve(folder.path());
    let (mut client, mut other) = (Client::connect(server.address()), Client::connect(server.address()));
    let own = Get::new("/api/account/export/books.csv", &reader.cookie);
    for form in FORMS {
        let export = Get::new(&format!("/api/account/export/{form}"), &reader.cookie);
        let asked = || ms(TIMES, || assert_eq!(client.get(&own).status, 200));
        let measured = ratio(ROUNDS, asked, || ms(TIMES, || assert_eq!(other.get(&export).status, 200)));
        let what = format!("export of 10,000 books for {form}, speed against our own CSV");
        table.row(21, &what, measured * 100.0, " %", AtLeast(50.0));
    }
    let losses = Get::new("/api/account/export/formats", &reader.cookie);
    let time = ms(TIMES, || assert_eq!(client.get(&losses).status, 200));
    table.note(&format!("what each of the eight programs can not hold of 10,000 books is counted in {time:.0} ms"));
}
