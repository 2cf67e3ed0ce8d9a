//! LibraryThing's JSON export, converted to the table of its TSV export.
use std::fmt;

use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::reader::Unreadable;

/// The columns of the table, each with the fields of a book in the JSON that may fill it. The first field that exists is used.
const COLUMNS: [(&str, &[&str]); 22] = [
    ("Book Id", &["books_id"]),
    ("Title", &["title"]),
    ("Primary Author", &["primaryauthor"]),
    ("Primary Author Role", &["primaryauthorrole"]),
    ("Secondary Author", &["secondaryauthor"]),
    ("Secondary Author Roles", &["secondaryauthorroles"]),
    ("Publication", &["publication"]),
    ("Date", &["date"]),
    ("Review", &["review"]),
    ("Rating", &["rating"]),
    ("Comment", &["comment"]),
    ("Private Comment", &["privatecomment"]),
    ("Media", &["format", "media"]),
    ("Page Count", &["pages"]),
    ("Date Started", &["datestarted"]),
    ("Date Read", &["dateread"]),
    ("Tags", &["tags"]),
    ("Collections", &["collections"]),
    ("Languages", &["language"]),
    ("ISBN", &["isbn", "originalisbn"]),
    ("ISBNs", &["ean", "originalisbn"]),
    ("Series", &["series"]),
];

/// The most values of one book. LibraryThing writes some forty, and one for each tag, person and subject.
const MOST_VALUES: usize = 10_000;

/// The books of a JSON file as a table with tabs, one line for each.
///
/// # Errors
/// [`Unreadable::OtherJson`] when the file is not LibraryThing's, [`Unreadable::DamagedJson`] when something stands behind its books.
pub fn as_table(json: &[u8]) -> Result<Vec<u8>, Unreadable> {
    if most_values(json) > MOST_VALUES {
        return Err(Unreadable::OtherJson);
    }
    let mut reader = serde_json::Deserializer::from_slice(json);
    let table = reader.deserialize_map(Table).map_err(|_| Unreadable::OtherJson)?;
    reader.end().map_err(|_| Unreadable::DamagedJson)?;
    Ok(table.into_bytes())
}

/// The most values that a book of the file has. A book is held in memory as values, each of which takes many times its bytes there.
fn most_values(json: &[u8]) -> usize {
    let (mut depth, mut values, mut most) = (0_usize, 0_usize, 0_usize);
    let mut bytes = json.iter();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => {
                while bytes.next().is_some_and(|byte| *byte != b'"' && (*byte != b'\\' || bytes.next().is_some())) {}
            }
            b'{' | b'[' => (depth, values) = (depth + 1, values + 1),
            b'}' | b']' => depth = depth.saturating_sub(1),
            b',' => values += 1,
            _ => {}
        }
        most = most.max(values);
        if depth <= 1 {
            values = 0;
        }
    }
    most
}

/// Reads book by book, so that the file is not held a second time.
struct Table;

impl<'de> Visitor<'de> for Table {
    type Value = String;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object of books")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut books: A) -> Result<String, A::Error> {
        let mut table = COLUMNS.map(|(name, _)| name).join("\t");
        table.push('\n');
        while books.next_key::<IgnoredAny>()?.is_some() {
            let mut book: Map<String, Value> = books.next_value()?;
            if !book.contains_key("title") || !(book.contains_key("books_id") || book.contains_key("primaryauthor")) {
                return Err(serde::de::Error::custom("not a book of LibraryThing"));
            }
            list_people(&mut book);
            let cells = COLUMNS.map(|(name, fields)| {
                let value = fields.iter().find_map(|field| book.get(*field));
                cell(&value.map(|value| text(name, value)).unwrap_or_default())
            });
            table.push_str(&cells.join("\t"));
            table.push('\n');
        }
        Ok(table)
    }
}

/// Gives a book its first author and the others, where the file only has one list of all people.
fn list_people(book: &mut Map<String, Value>) {
    let Some(Value::Array(people)) = book.remove("authors") else { return };
    if book.contains_key("secondaryauthor") {
        return;
    }
    let said =
        |person: &Value, key: &str| person.get(key).and_then(Value::as_str).unwrap_or_default().replace('|', " ");
    let mut others = people.iter();
    let first = others.next().map(|person| said(person, "lf"));
    if let Some(first) = first.filter(|_| !book.contains_key("primaryauthor")) {
        book.insert("primaryauthor".to_owned(), first.into());
    }
    let all = |key: &str| others.clone().map(|person| said(person, key)).collect::<Vec<_>>().join("|");
    book.insert("secondaryauthor".to_owned(), all("lf").into());
    book.insert("secondaryauthorroles".to_owned(), all("role").into());
}

/// A value as its column has it. Lists of people are separated by bars, other lists by commas.
fn text(column: &str, value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(parts) => {
            let between = if column.starts_with("Secondary") { "|" } else { ", " };
            let parts: Vec<String> =
                parts.iter().map(|part| text(column, part)).filter(|part| !part.is_empty()).collect();
            parts.join(between)
        }
        // An ISBN is there in two lengths, and a medium has a number beside its name.
        Value::Object(parts) => {
            let named = ["2", "text", "0"].iter().find_map(|name| parts.get(*name));
            named.or_else(|| parts.values().next()).map(|part| text(column, part)).unwrap_or_default()
        }
        Value::Null | Value::Bool(_) => String::new(),
    }
}

/// A cell without tabs, with line breaks as the other export writes them.
fn cell(text: &str) -> String {
    text.trim().replace("\r\n", "\n").replace(['\n', '\r'], "[Return]").replace('\t', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::books::model::{BookFormat, BookStatus};
    use crate::library::import::plan::{Options, plan};

    #[test]
    fn the_books_of_the_file_are_read_as_from_the_other_export() {
        let json = r#"{
            "11": {"books_id": "11", "title": "S&aelig;ga", "primaryauthor": "Doe, Jane", "isbn": {"0": "0441013597", "2": "9780441013593"},
                "rating": 4.5, "review": "One\nTwo", "datestarted": "2020-01-02", "dateread": "2020-02-03", "pages": "321 ",
                "format": [{"code": "1.3.1", "text": "Ebook"}], "collections": ["Your library"], "tags": ["sea", "old"]},
            "12": {"books_id": "12", "title": "Wished", "primaryauthor": "Roe, Ann", "isbn": [], "collections": ["Wishlist"]},
            "13": {"books_id": "13", "title": "Film", "primaryauthor": "Roe, Ann", "format": [{"text": "DVD"}]}
        }"#;
        let plan = plan(json.as_bytes(), &Options::default()).unwrap();
        assert_eq!((plan.format, plan.books.len(), plan.items.len(), plan.left_out.len()), ("librarything", 1, 1, 1));
        let book = &plan.books[0].draft;
        assert_eq!((book.title.as_str(), book.author().as_str(), book.pages), ("Sæga", "Jane Doe", Some(321)));
        assert_eq!(
            (book.isbn.as_deref(), book.status, book.format),
            (Some("9780441013593"), BookStatus::Completed, BookFormat::EBook)
        );
        assert_eq!(
            (book.rating.map(|rating| rating.to_string()).as_deref(), book.impressions.as_deref()),
            (Some("9"), Some("One\nTwo"))
        );
        assert_eq!(book.genres, ["sea", "old"]);
        assert_eq!(plan.items[0].draft.title, "Wished");
    }

    #[test]
    fn a_list_of_people_is_read_with_their_parts() {
        let json = r#"{"7": {"books_id": "7", "title": "Good Omens", "dateread": "2020-02-03", "authors": [
            {"lf": "Pratchett, Terry", "fl": "Terry Pratchett", "role": "Author"},
            {"lf": "Gaiman, Neil", "fl": "Neil Gaiman", "role": "Author"},
            {"lf": "Jarvis, Martin", "fl": "Martin Jarvis", "role": "Narrator"}]}}"#;
        let plan = plan(json.as_bytes(), &Options::default()).unwrap();
        let book = &plan.books[0].draft;
        assert_eq!(book.authors, ["Terry Pratchett", "Neil Gaiman"]);
        let others: Vec<_> = book.facts.contributors.iter().map(|person| person.name.as_str()).collect();
        assert_eq!(others, ["Martin Jarvis"]);
    }

    #[test]
    fn a_book_of_millions_of_values_is_refused_before_it_is_held() {
        let book = |tags: usize| {
            let tags = "\"a,{\\\"\",".repeat(tags);
            format!(
                "{{\"1\": {{\"title\": \"x\", \"books_id\": 1, \"tags\": [{tags}0]}}, \"2\": {{\"title\": \"y\", \"books_id\": 2}}}}"
            )
        };
        assert_eq!(most_values(book(100).as_bytes()), 104);
        assert!(as_table(book(MOST_VALUES - 10).as_bytes()).is_ok());
        assert_eq!(as_table(book(MOST_VALUES).as_bytes()).unwrap_err(), Unreadable::OtherJson);
        let nested = format!("{{\"1\": {}", "[".repeat(MOST_VALUES + 1));
        assert_eq!(as_table(nested.as_bytes()).unwrap_err(), Unreadable::OtherJson);
    }

    #[test]
    fn other_json_is_refused() {
        for json in ["{\"a\": 1}", "{\"1\": {\"name\": \"x\"}}", "{\"1\": {\"title\": \"x\", \"books_id\": 1}", "{"] {
            assert_eq!(as_table(json.as_bytes()).unwrap_err(), Unreadable::OtherJson, "{json}");
        }
    }
}
