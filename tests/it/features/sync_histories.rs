//! Histories of a tracker and a library that change step by step: after each sync the library is what a short table of the rules says.
use rusqlite::types::Value as Stored;
use serde_json::{Value, json};

use super::sync::{short, stored, sync_text};
use crate::support::actors::Reader;
use crate::support::harness::TestServer;

/// Numbers from a seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// A row of the tracker.
#[derive(Clone, PartialEq, Debug)]
struct There {
    id: u64,
    title: String,
    /// 0 to read, 1 reading, 2 read.
    shelf: u8,
    stars: u64,
    day: String,
    count: u64,
    publisher: String,
}

/// A read of the library.
#[derive(Clone, Debug)]
struct Read {
    title: String,
    shelf: u8,
    rating: Option<u64>,
    day: String,
    publisher: String,
    is_touched: bool,
}

/// What the library has of a row.
#[derive(Clone, Debug)]
struct Here {
    base: There,
    /// The last one is the newest.
    reads: Vec<Read>,
    item: Option<String>,
    tags: String,
}

fn read_of(row: &There) -> Read {
    Read {
        title: row.title.clone(),
        shelf: row.shelf,
        rating: Some(row.stars * 2).filter(|stars| *stars > 0 && row.shelf == 2),
        day: if row.shelf == 2 { row.day.clone() } else { String::new() },
        publisher: row.publisher.clone(),
        is_touched: false,
    }
}

fn new_here(row: &There) -> Here {
    let is_item = row.shelf == 0;
    Here {
        base: row.clone(),
        reads: if is_item { Vec::new() } else { vec![read_of(row)] },
        item: is_item.then(|| row.title.clone()),
        tags: String::new(),
    }
}

/// Changed there alone: theirs. Changed on both sides: mine.
fn three_way<T: PartialEq + Clone>(base: &T, mine: &mut T, theirs: &T, is_touched: bool) {
    if base != theirs && (!is_touched || *mine == *base) {
        *mine = theirs.clone();
    }
}

/// The rules, once more and shorter.
fn expected(library: &mut Vec<Here>, tracker: &[There]) {
    for row in tracker {
        let Some(here) = library.iter_mut().find(|here| here.base.id == row.id) else {
            library.push(new_here(row));
            continue;
        };
        if here.base == *row {
            continue;
        }
        if here.item.is_some() {
            if row.shelf == 0 {
                here.item = Some(row.title.clone());
            } else {
                (here.item, here.reads) = (None, vec![read_of(row)]);
            }
        } else if let Some(read) = here.reads.last_mut() {
            let (last, new) = (read_of(&here.base), read_of(row));
            if row.count > here.base.count && here.base.shelf == 2 {
                here.reads.push(new);
            } else {
                three_way(&last.title, &mut read.title, &new.title, read.is_touched);
                three_way(&last.publisher, &mut read.publisher, &new.publisher, read.is_touched);
                three_way(&last.rating, &mut read.rating, &new.rating, read.is_touched);
                three_way(&last.day, &mut read.day, &new.day, read.is_touched);
                read.shelf = read.shelf.max(new.shelf);
            }
        }
        here.base = row.clone();
    }
}

fn file(tracker: &[There]) -> String {
    let mut text = "Book Id,Title,Author,My Rating,Average Rating,Publisher,Year Published,Number of Pages,Date Read,Bookshelves,Exclusive Shelf,Read Count\n".to_owned();
    for row in tracker {
        let There { id, title, shelf, stars, day, count, publisher } = row;
        let shelf = ["to-read", "currently-reading", "read"][usize::from(*shelf)];
        text += &format!("{id},{title},Ann Author,{stars},3.{id},{publisher},1999,100,{day},{shelf},{shelf},{count}\n");
    }
    text
}

fn shown(library: &[Here]) -> Vec<String> {
    let mut lines: Vec<String> = library.iter().filter_map(|here| here.item.clone()).collect();
    for here in library {
        for read in &here.reads {
            let status = ["", "in-progress", "completed"][usize::from(read.shelf)];
            let day = if read.day.is_empty() { "-".to_owned() } else { read.day.replace('/', "-") };
            let rating = read.rating.map_or("null".to_owned(), |rating| rating.to_string());
            lines.push(format!("{} {status} {day} {rating} {} {}", read.title, read.publisher, here.tags));
        }
    }
    lines.sort();
    lines
}

async fn books(reader: &Reader) -> Vec<Value> {
    reader.get("/api/books").await.expect(200)["data"].as_array().unwrap().clone()
}

async fn found(reader: &Reader) -> Vec<String> {
    let line = |book: &Value| {
        let tags: Vec<_> = book["tags"].as_array().unwrap().iter().map(|tag| tag.as_str().unwrap()).collect();
        let short = short(book).replace(" again", "");
        format!("{short} {} {}", book["publisher"].as_str().unwrap_or_default(), tags.join(","))
    };
    let mut lines: Vec<String> = books(reader).await.iter().map(line).collect();
    let items = reader.get("/api/tbr").await.expect(200);
    lines.extend(items["data"].as_array().unwrap().iter().map(|item| item["title"].as_str().unwrap().to_owned()));
    lines.sort();
    lines
}

/// The days of a history go on, so that no two reads have one.
fn next_day(day: &mut u64) -> String {
    *day += 1;
    format!("20{:02}/{:02}/{:02}", 10 + *day / 300, 1 + *day / 25 % 12, 1 + *day % 25)
}

/// One change in the tracker.
fn change_there(dice: &mut Dice, tracker: &mut Vec<There>, next: &mut u64, day: &mut u64) {
    let (what, at) = (dice.roll(8), usize::try_from(dice.roll(tracker.len().max(1) as u64)).unwrap());
    if what == 0 || tracker.is_empty() {
        *next += 1;
        let shelf = u8::try_from(dice.roll(3)).unwrap();
        let is_read = shelf == 2;
        let day = if is_read { next_day(day) } else { String::new() };
        let (title, publisher) = (format!("Book {next}"), "Ace".to_owned());
        let stars = if is_read { dice.roll(6) } else { 0 };
        tracker.push(There { id: *next, title, shelf, stars, day, count: u64::from(is_read), publisher });
        return;
    }
    let row = &mut tracker[at];
    match what {
        1 | 2 if row.shelf < 2 => {
            let finishes = what == 1 || row.shelf == 1;
            row.shelf = if finishes { 2 } else { 1 };
            if finishes {
                (row.day, row.count, row.stars) = (next_day(day), 1, dice.roll(6));
            }
        }
        1 | 2 => (row.day, row.count) = (next_day(day), row.count + 1),
        3 if row.shelf == 2 => row.stars = dice.roll(6),
        4 => row.title = format!("{} renamed {}", row.title.split(" renamed").next().unwrap(), dice.roll(100)),
        5 => row.publisher = format!("Press {}", dice.roll(100)),
        6 if row.shelf == 2 => row.day = next_day(day),
        7 => {
            tracker.remove(at);
        }
        _ => {}
    }
}

/// One change in the library, to the newest read of a book.
async fn change_here(dice: &mut Dice, reader: &Reader, library: &mut [Here]) {
    let mut open: Vec<&mut Here> = library.iter_mut().filter(|here| !here.reads.is_empty()).collect();
    if open.is_empty() {
        return;
    }
    let at = usize::try_from(dice.roll(open.len() as u64)).unwrap();
    let here = &mut open[at];
    let read = here.reads.last_mut().unwrap();
    let day = if read.day.is_empty() { Value::Null } else { json!(read.day.replace('/', "-")) };
    let all = books(reader).await;
    let book = all.iter().find(|book| book["title"] == read.title.as_str() && book["dateCompleted"] == day).unwrap();
    let fields = match dice.roll(5) {
        0 if read.shelf == 2 => {
            read.rating = Some(dice.roll(10) + 1);
            json!({"rating": read.rating})
        }
        1 if read.shelf == 2 => {
            read.rating = None;
            json!({"rating": null})
        }
        2 => {
            read.publisher = format!("My press {}", dice.roll(100));
            json!({"publisher": read.publisher})
        }
        3 => {
            read.title = format!("My title {} {}", here.base.id, dice.roll(100));
            json!({"title": read.title})
        }
        _ => {
            here.tags = format!("tag {}", dice.roll(100));
            json!({"tags": [here.tags]})
        }
    };
    read.is_touched = true;
    reader.patch(&format!("/api/books/{}", book["id"]), fields).await.expect(200);
}

#[tokio::test]
async fn forty_histories_end_as_the_rules_say() {
    let server = TestServer::start().await;
    for seed in 0..40 {
        let reader = server.plus().await;
        let (mut dice, mut next, mut day) = (Dice(seed), 0, 0);
        let (mut tracker, mut library) = (Vec::new(), Vec::new());
        for _ in 0..4 {
            change_there(&mut dice, &mut tracker, &mut next, &mut day);
        }
        expected(&mut library, &tracker);
        let text = file(&tracker);
        reader.upload("/api/books/import", "goodreads.csv", text, &[]).await.expect(200);
        assert_eq!(found(&reader).await, shown(&library), "history {seed}, import");
        for step in 0..8 {
            if dice.roll(3) == 0 {
                change_here(&mut dice, &reader, &mut library).await;
            } else {
                change_there(&mut dice, &mut tracker, &mut next, &mut day);
            }
            if tracker.is_empty() {
                continue;
            }
            let before = stored(&server).await;
            let text = file(&tracker);
            let done = sync_text(&reader, &text).await;
            expected(&mut library, &tracker);
            assert_eq!(found(&reader).await, shown(&library), "history {seed}, step {step}: {tracker:#?}");
            let after = stored(&server).await;
            assert_eq!(sync_text(&reader, &text).await["importId"], Value::Null, "history {seed}, step {step}");
            assert_eq!(after, stored(&server).await, "history {seed}, step {step}");
            if !done["undoId"].is_null() {
                reader.delete(&format!("/api/operations/{}", done["undoId"])).await.expect(200);
                let undone: Vec<(&str, Vec<Vec<Stored>>)> = stored(&server).await.into_iter().collect();
                assert_eq!(undone, before.into_iter().collect::<Vec<_>>(), "history {seed}, step {step}");
                sync_text(&reader, &text).await;
                assert_eq!(found(&reader).await, shown(&library), "history {seed}, step {step}, once more");
            }
        }
    }
}
