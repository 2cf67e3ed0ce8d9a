//! Histories of a tracker and a library that change step by step: after each sync the library is what a short table of the rules says.
use std::collections::BTreeMap;

use rusqlite::types::Value as Stored;
use serde_json::{Value, json};

use super::sync::{short, stored, sync_text};
use crate::support::actors::Reader;
use crate::support::fault_table::times;
use crate::support::harness::TestServer;

/// Numbers from a seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

const TO_READ: u8 = 0;
const READING: u8 = 1;
const READ: u8 = 2;
/// A shelf of the reader's own: its place is guessed once.
const CUSTOM: u8 = 3;
/// A shelf that is left out by its name.
const LEFT_OUT: u8 = 4;
const SHELVES: usize = 5;

/// What a cell of a file has.
#[derive(Clone, Copy, PartialEq)]
enum Cell {
    Key,
    Title,
    Author,
    Turned,
    Shelf,
    Stars,
    Points,
    Day,
    Start,
    Count,
    Repeats,
    Publisher,
    Pages,
    Just(&'static str),
}

/// A program whose files are imported.
struct Program {
    name: &'static str,
    separator: &'static str,
    /// Its words for the shelves; those of the last two are only known where it has such shelves.
    shelves: &'static [&'static str],
    columns: &'static [(&'static str, Cell)],
}

impl Program {
    fn says(&self, cell: Cell) -> bool {
        self.columns.iter().any(|(_, other)| *other == cell)
    }

    fn counts(&self) -> bool {
        self.says(Cell::Count) || self.says(Cell::Repeats)
    }

    fn rates(&self) -> bool {
        self.says(Cell::Stars) || self.says(Cell::Points)
    }
}

const PROGRAMS: [Program; 12] = [
    Program {
        name: "goodreads",
        separator: ",",
        shelves: &["to-read", "currently-reading", "read", "reference", "wont-read"],
        columns: &[
            ("Book Id", Cell::Key),
            ("Title", Cell::Title),
            ("Author", Cell::Author),
            ("My Rating", Cell::Stars),
            ("Average Rating", Cell::Just("3.5")),
            ("Publisher", Cell::Publisher),
            ("Year Published", Cell::Just("1999")),
            ("Number of Pages", Cell::Pages),
            ("Date Read", Cell::Day),
            ("Bookshelves", Cell::Shelf),
            ("Exclusive Shelf", Cell::Shelf),
            ("Read Count", Cell::Count),
        ],
    },
    Program {
        name: "storygraph",
        separator: ",",
        shelves: &["to-read", "currently-reading", "read"],
        columns: &[
            ("Title", Cell::Title),
            ("Authors", Cell::Author),
            ("ISBN/UID", Cell::Key),
            ("Read Status", Cell::Shelf),
            ("Last Date Read", Cell::Day),
            ("Read Count", Cell::Count),
            ("Star Rating", Cell::Stars),
        ],
    },
    Program {
        name: "hardcover",
        separator: ",",
        shelves: &["Want to Read", "Currently Reading", "Read"],
        columns: &[
            ("Title", Cell::Title),
            ("Author", Cell::Author),
            ("Status", Cell::Shelf),
            ("Rating", Cell::Stars),
            ("Date Finished", Cell::Day),
            ("Pages", Cell::Pages),
            ("Publisher", Cell::Publisher),
            ("Hardcover Book ID", Cell::Key),
        ],
    },
    Program {
        name: "librarything",
        separator: "\t",
        shelves: &["To read", "Currently reading", "Read"],
        columns: &[
            ("Book Id", Cell::Key),
            ("Title", Cell::Title),
            ("Primary Author", Cell::Turned),
            ("Rating", Cell::Stars),
            ("Collections", Cell::Shelf),
            ("Publication", Cell::Publisher),
            ("Page Count", Cell::Pages),
            ("Date Read", Cell::Day),
        ],
    },
    Program {
        name: "bookwyrm",
        separator: ",",
        shelves: &["to-read", "reading", "read"],
        columns: &[
            ("title", Cell::Title),
            ("author_text", Cell::Author),
            ("remote_id", Cell::Key),
            ("pages", Cell::Pages),
            ("finish_date", Cell::Day),
            ("rating", Cell::Stars),
            ("shelf", Cell::Shelf),
        ],
    },
    Program {
        name: "jelu",
        separator: ",",
        shelves: &["to-read", "currently-reading", ""],
        columns: &[
            ("title", Cell::Title),
            ("authors", Cell::Author),
            ("publisher", Cell::Publisher),
            ("readDates", Cell::Day),
            ("droppedDates", Cell::Just("")),
            ("shelves", Cell::Shelf),
        ],
    },
    Program {
        name: "yamtrack",
        separator: ",",
        shelves: &["Planning", "In progress", "Completed"],
        columns: &[
            ("media_id", Cell::Key),
            ("source", Cell::Just("manual")),
            ("media_type", Cell::Just("book")),
            ("title", Cell::Title),
            ("author", Cell::Author),
            ("score", Cell::Points),
            ("status", Cell::Shelf),
            ("end_date", Cell::Day),
            ("repeats", Cell::Repeats),
        ],
    },
    Program {
        name: "openreads",
        separator: ",",
        shelves: &["planned", "in_progress", "finished"],
        columns: &[
            ("title", Cell::Title),
            ("author", Cell::Author),
            ("status", Cell::Shelf),
            ("rating", Cell::Stars),
            ("book_format", Cell::Just("paperback")),
            ("pages", Cell::Pages),
            ("finish_date", Cell::Day),
            ("olid", Cell::Key),
        ],
    },
    Program {
        name: "libib",
        separator: ",",
        shelves: &["Not Begun", "In Progress", "Completed"],
        columns: &[
            ("item_type", Cell::Just("book")),
            ("title", Cell::Title),
            ("creators", Cell::Author),
            ("publisher", Cell::Publisher),
            ("length", Cell::Pages),
            ("rating", Cell::Stars),
            ("status", Cell::Shelf),
            ("completed", Cell::Day),
        ],
    },
    Program {
        name: "readinglist",
        separator: ",",
        shelves: &["", "", ""],
        columns: &[
            ("Google Books ID", Cell::Key),
            ("Title", Cell::Title),
            ("Authors", Cell::Turned),
            ("Page Count", Cell::Pages),
            ("Publisher", Cell::Publisher),
            ("Started Reading", Cell::Start),
            ("Finished Reading", Cell::Day),
            ("Rating", Cell::Stars),
        ],
    },
    Program {
        name: "openlibrary",
        separator: ",",
        shelves: &["Want to Read", "Currently Reading", "Already Read"],
        columns: &[
            ("Work ID", Cell::Key),
            ("Title", Cell::Title),
            ("Authors", Cell::Author),
            ("Bookshelf", Cell::Shelf),
            ("My Ratings", Cell::Stars),
        ],
    },
    Program {
        name: "own",
        separator: ",",
        shelves: &["to-read", "in-progress", "completed"],
        columns: &[
            ("Title", Cell::Title),
            ("Author", Cell::Author),
            ("Word Count", Cell::Just("1000")),
            ("Word Distribution", Cell::Just("final")),
            ("Status", Cell::Shelf),
            ("Date Completed", Cell::Day),
            ("Rating", Cell::Points),
            ("Pages", Cell::Pages),
            ("Publisher", Cell::Publisher),
        ],
    },
];

/// A row of the tracker.
#[derive(Clone, PartialEq, Debug)]
struct There {
    id: u64,
    title: String,
    shelf: u8,
    stars: u64,
    day: String,
    count: u64,
    publisher: String,
    pages: u64,
    /// Whether it has stepped back: nothing but its shelf changes until it goes on.
    is_back: bool,
}

/// A read of the library.
#[derive(Clone, Debug)]
struct Read {
    title: String,
    shelf: u8,
    rating: Option<u64>,
    day: String,
    publisher: String,
    pages: u64,
    /// Whether its reader changed it, or began it here.
    is_touched: bool,
    /// Whether a file made it: in another one, what is empty is taken over.
    is_made: bool,
}

/// An item of the library.
#[derive(Clone, Debug)]
struct Item {
    title: String,
    pages: u64,
    is_touched: bool,
}

/// What the library has of a row.
#[derive(Clone, Debug)]
struct Here {
    base: There,
    /// The last one is the newest.
    reads: Vec<Read>,
    /// A further read that its reader began here.
    open: Option<Read>,
    item: Option<Item>,
    tags: String,
}

fn read_of(row: &There) -> Read {
    Read {
        title: row.title.clone(),
        shelf: row.shelf,
        rating: Some(row.stars * 2).filter(|stars| *stars > 0 && row.shelf == READ),
        day: if row.shelf == READ { row.day.clone() } else { String::new() },
        publisher: row.publisher.clone(),
        pages: row.pages,
        is_touched: false,
        is_made: true,
    }
}

fn new_here(row: &There) -> Here {
    let is_item = row.shelf == TO_READ;
    Here {
        base: row.clone(),
        reads: if is_item { Vec::new() } else { vec![read_of(row)] },
        open: None,
        item: is_item.then(|| Item { title: row.title.clone(), pages: row.pages, is_touched: false }),
        tags: String::new(),
    }
}

/// Changed there alone: theirs. Changed on both sides: mine.
fn three_way<T: PartialEq + Clone>(base: &T, mine: &mut T, theirs: &T, is_touched: bool, is_empty: bool) {
    if base != theirs && (!is_touched || is_empty || *mine == *base) {
        *mine = theirs.clone();
    }
}

/// What a row says in a file of a program, perhaps without a column: then what the last file said of it. `place` is that of the reader's
/// own shelf.
fn said(program: &Program, row: &There, base: Option<&There>, place: u8, lacks: Option<Cell>) -> There {
    let mut row = row.clone();
    if row.shelf == CUSTOM {
        row.shelf = place;
    }
    row.count = if program.counts() && row.shelf == READ { row.count.max(1) } else { row.count };
    let is_unsaid = |cell| lacks == Some(cell) || !program.says(cell);
    if is_unsaid(Cell::Stars) && is_unsaid(Cell::Points) {
        // Of a read in progress a rating says nothing.
        row.stars = base.filter(|base| base.shelf != READING).map_or(0, |base| base.stars);
    }
    if is_unsaid(Cell::Publisher) {
        row.publisher = base.map_or(String::new(), |base| base.publisher.clone());
    }
    if is_unsaid(Cell::Pages) {
        row.pages = base.map_or(0, |base| base.pages);
    }
    if !program.says(Cell::Day) {
        // Nothing tells a further read from the first.
        (row.day, row.count) = (String::new(), row.count.min(1));
    }
    row
}

/// The rules, once more and shorter.
fn expected(program: &Program, library: &mut Vec<Here>, tracker: &[There], place: u8, lacks: Option<Cell>) {
    let said = |row: &There, base: Option<&There>| said(program, row, base, place, lacks);
    let mut finished = Vec::new();
    for row in tracker.iter().filter(|row| row.shelf != LEFT_OUT) {
        let Some(here) = library.iter_mut().find(|here| here.base.id == row.id) else {
            let new = new_here(&said(row, None));
            finished.extend(new.reads.iter().filter(|read| read.shelf == READ).map(|read| read.title.clone()));
            library.push(new);
            continue;
        };
        let fresh = said(row, None);
        let row = said(row, Some(&here.base));
        if here.base == row {
            continue;
        }
        if let Some(item) = &mut here.item {
            three_way(&here.base.title, &mut item.title, &row.title, item.is_touched, false);
            three_way(&here.base.pages, &mut item.pages, &row.pages, item.is_touched, false);
            if row.shelf != TO_READ {
                let Item { title, pages, is_touched } = item.clone();
                // What its reader typed into the item is asked about in the book, too.
                let read = Read { title, pages, is_touched, ..read_of(&row) };
                finished.extend(Some(read.title.clone()).filter(|_| read.shelf == READ));
                (here.item, here.reads) = (None, vec![read]);
            }
        } else if let Some(read) = here.reads.last_mut() {
            let (last, new) = (read_of(&here.base), read_of(&row));
            if row.shelf < here.base.shelf {
                // A step back is a conflict: what was said before still holds. A column that was lacking may be back.
                three_way(&last.publisher, &mut read.publisher, &new.publisher, read.is_touched, false);
                three_way(&last.pages, &mut read.pages, &new.pages, read.is_touched, false);
                continue;
            }
            if row.count > here.base.count && here.base.shelf == READ {
                // Of a new read a column that is lacking says nothing at all.
                let new = read_of(&fresh);
                match here.open.take() {
                    Some(open) => here.reads.push(Read { shelf: READ, day: new.day, rating: new.rating, ..open }),
                    None => {
                        finished.push(new.title.clone());
                        here.reads.push(new);
                    }
                }
                here.base = fresh;
                continue;
            } else {
                let is_touched = read.is_touched;
                let is_empty = |empty: bool| empty && !read.is_made;
                let (rating, pages) = (is_empty(read.rating.is_none()), is_empty(read.pages == 0));
                let publisher = is_empty(read.publisher.is_empty());
                three_way(&last.title, &mut read.title, &new.title, is_touched, false);
                three_way(&last.publisher, &mut read.publisher, &new.publisher, is_touched, publisher);
                three_way(&last.pages, &mut read.pages, &new.pages, is_touched, pages);
                three_way(&last.rating, &mut read.rating, &new.rating, is_touched, rating);
                three_way(&last.day, &mut read.day, &new.day, is_touched, false);
                read.shelf = read.shelf.max(new.shelf);
            }
        }
        here.base = row;
    }
    // A new finished read takes its namesakes off the list, unless the file has them there.
    let is_listed = |title: &str| {
        let waits = |row: &&There| row.shelf == TO_READ || row.shelf == CUSTOM && place == TO_READ;
        tracker.iter().filter(waits).any(|row| row.title == title)
    };
    for here in library {
        here.item.take_if(|item| finished.contains(&item.title) && !is_listed(&item.title));
    }
}

fn file(program: &Program, tracker: &[There], lacks: Option<Cell>) -> String {
    let columns = || program.columns.iter().filter(|(_, cell)| Some(*cell) != lacks);
    let line = |cells: Vec<String>| cells.join(program.separator) + "\n";
    let mut text = line(columns().map(|(name, _)| (*name).to_owned()).collect());
    for row in tracker {
        let is_begun = !matches!(row.shelf, TO_READ);
        let cell = |cell: Cell| match cell {
            Cell::Key => format!("K{}", row.id),
            Cell::Title => row.title.clone(),
            Cell::Author => "Ann Author".to_owned(),
            Cell::Turned => if program.separator == "\t" { "Author, Ann" } else { "\"Author, Ann\"" }.to_owned(),
            Cell::Shelf => program.shelves[usize::from(row.shelf)].to_owned(),
            Cell::Stars => row.stars.to_string(),
            Cell::Points if row.stars == 0 || row.shelf != READ => String::new(),
            Cell::Points => (row.stars * 2).to_string(),
            Cell::Day if program.separator == "\t" => row.day.replace('/', "-"),
            Cell::Day => row.day.clone(),
            Cell::Start => if is_begun { "2001/01/01" } else { "" }.to_owned(),
            Cell::Count => row.count.to_string(),
            Cell::Repeats => row.count.saturating_sub(1).to_string(),
            Cell::Publisher => row.publisher.clone(),
            Cell::Pages => row.pages.to_string(),
            Cell::Just(text) => text.to_owned(),
        };
        text += &line(columns().map(|(_, of)| cell(*of)).collect());
    }
    text
}

fn shown(library: &[Here]) -> Vec<String> {
    let item = |item: &Item| format!("{} {}", item.title, item.pages);
    let mut lines: Vec<String> = library.iter().filter_map(|here| here.item.as_ref()).map(item).collect();
    for here in library {
        for read in here.reads.iter().chain(&here.open) {
            let status = match (read.shelf, read.day.is_empty()) {
                (READING, _) => "in-progress",
                (_, true) => "undated",
                (_, false) => "completed",
            };
            let day = if read.day.is_empty() { "-".to_owned() } else { read.day.replace('/', "-") };
            let rating = read.rating.map_or("null".to_owned(), |rating| rating.to_string());
            lines.push(format!(
                "{} {status} {day} {rating} {} {} {}",
                read.title, read.publisher, read.pages, here.tags
            ));
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
        let (publisher, pages) = (book["publisher"].as_str().unwrap_or_default(), book["pages"].as_u64().unwrap_or(0));
        format!("{short} {publisher} {pages} {}", tags.join(","))
    };
    let mut lines: Vec<String> = books(reader).await.iter().map(line).collect();
    let items = reader.get("/api/tbr").await.expect(200);
    let item = |item: &Value| format!("{} {}", item["title"].as_str().unwrap(), item["pages"].as_u64().unwrap_or(0));
    lines.extend(items["data"].as_array().unwrap().iter().map(item));
    lines.sort();
    lines
}

/// The days of a history go on, so that no two reads have one.
fn next_day(day: &mut u64) -> String {
    *day += 1;
    format!("20{:02}/{:02}/{:02}", 10 + *day / 300, 1 + *day / 25 % 12, 1 + *day % 25)
}

/// One change in the tracker.
fn change_there(program: &Program, dice: &mut Dice, tracker: &mut Vec<There>, next: &mut u64, day: &mut u64) {
    let (what, at) = (dice.roll(12), usize::try_from(dice.roll(tracker.len().max(1) as u64)).unwrap());
    if what == 0 || tracker.is_empty() {
        *next += 1;
        let shelf = u8::try_from(dice.roll(program.shelves.len() as u64)).unwrap();
        let is_read = shelf == READ;
        let day = if is_read { next_day(day) } else { String::new() };
        let stars = if program.rates() && (is_read || shelf == CUSTOM) { dice.roll(6) } else { 0 };
        // Now and then it is a second edition of a book that waits.
        let twin = tracker.iter().find(|row| row.shelf == TO_READ && dice.roll(4) == 0).map(|row| row.title.clone());
        let twin = twin.filter(|_| shelf == TO_READ && program.says(Cell::Key));
        let title = twin.unwrap_or_else(|| format!("Book {next}"));
        let (publisher, pages, count) = ("Ace | Deuce".to_owned(), 100, u64::from(is_read));
        tracker.push(There { id: *next, title, shelf, stars, day, count, publisher, pages, is_back: false });
        return;
    }
    let row = &mut tracker[at];
    match what {
        1 | 2 if row.shelf != READ => {
            let finishes = what == 1 || row.shelf == READING || row.shelf == CUSTOM;
            row.shelf = if finishes { READ } else { READING };
            row.is_back = false;
            if finishes {
                (row.day, row.count, row.stars) = (next_day(day), row.count + 1, dice.roll(6));
            }
        }
        1 | 2 if program.counts() => (row.day, row.count) = (next_day(day), row.count + 1),
        7 => {
            tracker.remove(at);
        }
        // A step back: from reading to the list, from read to reading.
        8 if matches!(row.shelf, READING | READ) && !row.is_back => {
            row.shelf -= 1;
            row.day = String::new();
            row.is_back = true;
        }
        _ if row.is_back => {}
        3 if row.shelf == READ => row.stars = dice.roll(6),
        4 if program.says(Cell::Key) => {
            row.title = format!("{} renamed {}", row.title.split(" renamed").next().unwrap(), dice.roll(100))
        }
        5 => row.publisher = format!("Press | {}", dice.roll(100)),
        6 if row.shelf == READ => row.day = next_day(day),
        9 => row.pages = 200 + dice.roll(100),
        10 if row.shelf == TO_READ && program.shelves.len() == SHELVES => row.shelf = LEFT_OUT,
        _ => {}
    }
}

/// One change in the library: to an item, to the newest read of a book, or a further read. Books with a namesake are left alone.
async fn change_here(program: &Program, dice: &mut Dice, reader: &Reader, library: &mut [Here]) {
    let title = |here: &Here| here.base.title.split(" renamed").next().unwrap().to_owned();
    let titles: Vec<String> = library.iter().map(title).collect();
    let is_single = |here: &&mut Here| titles.iter().filter(|other| **other == title(here)).count() == 1;
    let mut single: Vec<&mut Here> = library.iter_mut().filter(is_single).collect();
    if single.is_empty() {
        return;
    }
    let at = usize::try_from(dice.roll(single.len() as u64)).unwrap();
    let here = &mut single[at];
    if let Some(item) = &mut here.item {
        let list = reader.get("/api/tbr").await.expect(200);
        let known =
            list["data"].as_array().unwrap().iter().find(|known| known["title"] == item.title.as_str()).unwrap();
        let fields = if dice.roll(2) == 0 {
            item.pages = 700 + dice.roll(100);
            json!({"pages": item.pages})
        } else {
            item.title = format!("My title {} {}", here.base.id, dice.roll(100));
            json!({"title": item.title})
        };
        item.is_touched = true;
        reader.patch(&format!("/api/tbr/{}", known["id"]), fields).await.expect(200);
        return;
    }
    let Some(read) = here.reads.last_mut() else { return };
    let day = if read.day.is_empty() { Value::Null } else { json!(read.day.replace('/', "-")) };
    let all = books(reader).await;
    let is_it = |book: &&Value| {
        let is_open = book["status"] == "in-progress";
        book["title"] == read.title.as_str() && book["dateCompleted"] == day && is_open == (read.shelf == READING)
    };
    let book = all.iter().find(is_it).unwrap();
    let fields = match dice.roll(6) {
        0 if read.shelf == READ => {
            read.rating = Some(dice.roll(10) + 1);
            json!({"rating": read.rating})
        }
        1 if read.shelf == READ => {
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
        // A row of our own file is also compared with what was added here.
        4 if program.name != "own" && read.shelf == READ && here.open.is_none() && here.base.shelf == READ => {
            let further = Read { shelf: READING, rating: None, day: String::new(), ..read.clone() };
            here.open = Some(Read { is_touched: true, is_made: false, ..further });
            let start = json!({"startDate": "2005-01-01"});
            reader.post(&format!("/api/books/{}/again", book["id"]), start).await.expect(201);
            return;
        }
        _ => {
            here.tags = format!("tag {}", dice.roll(100));
            json!({"tags": [here.tags]})
        }
    };
    read.is_touched = true;
    reader.patch(&format!("/api/books/{}", book["id"]), fields).await.expect(200);
}

/// The column that a file lacks, now and then. Without its days a file says nothing of readings that are new, so all are as they were.
fn lacking(program: &Program, dice: &mut Dice, tracker: &[There], library: &[Here]) -> Option<Cell> {
    let is_as_it_was = |row: &There| {
        let here = library.iter().find(|here| here.base.id == row.id);
        here.is_some_and(|here| (here.base.shelf, &here.base.day) == (row.shelf, &row.day))
    };
    let lacks = match dice.roll(12) {
        0 => Cell::Stars,
        1 => Cell::Publisher,
        2 => Cell::Pages,
        // Jelu's days are also its status, and our own file needs all of its columns.
        3 if program.says(Cell::Shelf)
            && !["jelu", "own"].contains(&program.name)
            && tracker.iter().all(is_as_it_was) =>
        {
            Cell::Day
        }
        _ => return None,
    };
    Some(lacks).filter(|lacks| program.says(*lacks))
}

/// Where the rows of the reader's own shelf go when a file has it for the first time.
fn guessed(tracker: &[There], lacks: Option<Cell>) -> Option<u8> {
    let own = || tracker.iter().filter(|row| row.shelf == CUSTOM);
    let rated = own().filter(|row| row.stars > 0 && lacks != Some(Cell::Stars)).count();
    own().next().map(|_| if rated > 0 && rated * 2 >= own().count() { READ } else { TO_READ })
}

/// What the server has, without rows that were left out on purpose: they can be downloaded also after an undo.
async fn kept(server: &TestServer) -> BTreeMap<&'static str, Vec<Vec<Stored>>> {
    let mut tables = stored(server).await;
    let left_out = Stored::Text("left-out".to_owned());
    tables.get_mut("import_rows").unwrap().retain(|row| row[3] != left_out);
    tables
}

/// A few in each run of the tests, two of each program, and as many as `HISTORIES` says from `FIRST_HISTORY` on, with `STEPS` steps.
#[tokio::test]
async fn histories_end_as_the_rules_say() {
    let (first, steps) = (times("FIRST_HISTORY", 0), times("STEPS", 8));
    let histories = first..first + times("HISTORIES", 2 * PROGRAMS.len());
    for begin in histories.clone().step_by(PROGRAMS.len()) {
        // What is compared is all that the server has.
        let server = TestServer::start().await;
        for seed in begin..histories.end.min(begin + PROGRAMS.len()) {
            history(&server, seed, steps).await;
        }
    }
}

async fn history(server: &TestServer, seed: usize, steps: usize) {
    let program = &PROGRAMS[seed % PROGRAMS.len()];
    let mut told = format!("history {seed} of {}", program.name);
    let reader = server.plus().await;
    let (mut dice, mut next, mut day) = (Dice(seed as u64), 0, 0);
    let (mut tracker, mut library) = (Vec::new(), Vec::new());
    for _ in 0..4 {
        change_there(program, &mut dice, &mut tracker, &mut next, &mut day);
    }
    let mut place = guessed(&tracker, None);
    expected(program, &mut library, &tracker, place.unwrap_or(TO_READ), None);
    let text = file(program, &tracker, None);
    let file_name = format!("{}.csv", program.name);
    let done = reader.upload("/api/books/import", &file_name, text.clone(), &[]).await.expect(200);
    assert_eq!(found(&reader).await, shown(&library), "{told}, import: {text}\n{done}");
    told += &format!(", import: {text}");
    for step in 0..steps {
        if dice.roll(3) == 0 {
            change_here(program, &mut dice, &reader, &mut library).await;
        } else {
            change_there(program, &mut dice, &mut tracker, &mut next, &mut day);
        }
        if tracker.is_empty() {
            continue;
        }
        let lacks = lacking(program, &mut dice, &tracker, &library);
        let before = kept(server).await;
        let text = file(program, &tracker, lacks);
        let done = sync_text(&reader, &text).await;
        place = place.or_else(|| guessed(&tracker, lacks));
        expected(program, &mut library, &tracker, place.unwrap_or(TO_READ), lacks);
        told += &format!("\nstep {step}: {text}{done}\n");
        assert_eq!(found(&reader).await, shown(&library), "{told}");
        let after = kept(server).await;
        assert_eq!(sync_text(&reader, &text).await["importId"], Value::Null, "{told}");
        assert_eq!(after, kept(server).await, "{told}");
        if !done["undoId"].is_null() {
            reader.delete(&format!("/api/operations/{}", done["undoId"])).await.expect(200);
            let undone: Vec<(&str, Vec<Vec<Stored>>)> = kept(server).await.into_iter().collect();
            assert_eq!(undone, before.into_iter().collect::<Vec<_>>(), "{told}");
            sync_text(&reader, &text).await;
            assert_eq!(found(&reader).await, shown(&library), "{told}, once more");
        }
    }
}
