//! Made-up dumps in the form of Open Library's: a small one with everything that makes such files difficult, and a large one of any
//! number of editions.
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// Where the files of a dump are.
pub struct Dump {
    pub editions: PathBuf,
    pub works: PathBuf,
    pub authors: PathBuf,
    pub reading_log: PathBuf,
    pub ratings: PathBuf,
}

impl Dump {
    fn in_folder(folder: &Path) -> Self {
        let file = |name: &str| folder.join(format!("ol_dump_{name}.txt"));
        Self {
            editions: file("editions"),
            works: file("works"),
            authors: file("authors"),
            reading_log: file("reading-log"),
            ratings: file("ratings"),
        }
    }
}

fn line(kind: &str, key: &str, json: &str) -> String {
    format!("/type/{kind}\t{key}\t3\t2026-10-31T06:05:04.000001\t{json}\n")
}

/// The works of the small dump.
fn works() -> String {
    [
        line("work", "/works/OL1W", r#"{"title":"Dune","authors":[{"author":{"key":"/authors/OL1A"},"type":{"key":"/type/author_role"}}],"covers":[-1,11],"subjects":["Science fiction"],"first_publish_date":"August 1965","key":"/works/OL1W"}"#),
        line("work", "/works/OL1W", r#"{"title":"A second record of Dune"}"#),
        line("redirect", "/works/OL2W", r#"{"location":"/works/OL1W","type":{"key":"/type/redirect"}}"#),
        line("delete", "/works/OL3W", r#"{"type":{"key":"/type/delete"}}"#),
        line("work", "/works/OL4W", r#"{"title":"Good Omens","authors":[{"type":"/type/author_role","author":"/authors/OL2A"},{"author":{"key":"/authors/OL9A"}}]}"#),
        line("work", "/works/OL5W", r#"{"title":"Dune Boxed Set","authors":[{"key":"/authors/OL1A"}]}"#),
        line("work", "/works/OL6W", r#"{"title":"Only a Work","authors":[{"key":"/authors/OL404A"}]}"#),
        line("work", "/works/OL7W", "{\"key\":\"/works/OL7W\",\t\"title\":\t\"Tabbed\"}"),
        line("work", "/works/OL8W", r#"{"title":"cut off"#),
        line("work", "/works/OL10W", r#"{"title":"Dune Messiah","authors":[{"author":{"key":"/authors/OL1A"}}]}"#),
    ]
    .concat()
}

/// Its editions.
fn editions() -> String {
    [
        line("edition", "/books/OL1M", r#"{"title":"Dune","isbn_13":["978-0-441-01359-3"],"number_of_pages":0,"pagination":"xii, 412 p. ; 18 cm","publish_date":"June 1, 1990","languages":[{"key":"/languages/eng"}],"covers":[-1,null,21],"publishers":["Ace"],"physical_format":"Paperback","works":[{"key":"/works/OL2W"}]}"#),
        line("edition", "/books/OL2M", r#"{"title":"DER W\u00dcSTENPLANET","isbn_10":["3-453-18683-4"],"number_of_pages":9999999,"publish_date":"[1994?]","languages":[{"key":"/languages/ger"}],"works":[{"key":"/works/OL1W"}]}"#),
        line("edition", "/books/OL3M", r#"{"title":"Orphan Island","isbn_13":["9780575048003","9791090636071"],"authors":[{"key":"/authors/OL4A"}],"languages":[{"key":"/languages/eng"}]}"#),
        line("edition", "/books/OL4M", r#"{"title":"Edition of a deleted work","works":[{"key":"/works/OL3W"}],"languages":["/languages/eng"]}"#),
        line("edition", "/books/OL5M", r#"{"title":"Dune","isbn_13":["9780441013590","9780441013593"],"works":[{"key":"/works/OL1W"}],"physical_format":"Audio CD"}"#),
        line("edition", "/books/OL6M", r#"{"title":"Dune Boxed Set","isbn_13":"9780000000019","works":[{"key":"/works/OL5W"}]}"#),
        line("edition", "/books/OL7M", r#"{"title":"Good","title_prefix":"Very","subtitle":{"type":"/type/text","value":"Omens"},"number_of_pages":"384","publish_date":"c1990","works":[{"key":"/works/OL4W"}],"languages":[{"key":"/languages/eng"}]}"#),
        line("redirect", "/books/OL8M", r#"{"location":"/books/OL7M"}"#),
        line("delete", "/books/OL9M", r#"{"type":{"key":"/type/delete"}}"#),
        line("edition", "/books/OL10M", r#"{"title":"吾輩は猫である","languages":[{"key":"/languages/jpn"}],"publish_date":20010503}"#),
        line("edition", "/books/OL11M", r#"{"isbn_13":["9780000000019"]}"#),
        line("edition", "/books/OL12M", r#"{"title":"Nul\u0000 Book","languages":7,"works":{}}"#),
        line("edition", "/books/OL13M", r#"{"title":"Dune Messiah","works":[{"key":"/works/OL10W"}],"languages":[{"key":"/languages/eng"}]}"#),
        "not a record\n\n".to_owned(),
    ]
    .concat()
}

/// Its authors.
fn authors() -> String {
    [
        line("author", "/authors/OL1A", r#"{"name":"Frank Herbert"}"#),
        line("author", "/authors/OL2A", r#"{"name":"Terry Pratchett","personal_name":"Pratchett"}"#),
        line("author", "/authors/OL3A", r#"{"name":"Neil\u0000Gaiman"}"#),
        line("author", "/authors/OL4A", r#"{"personal_name":"Rose Macaulay"}"#),
        line("author", "/authors/OL5A", r#"{"key":"/authors/OL5A"}"#),
        line("redirect", "/authors/OL9A", r#"{"location":"/authors/OL3A"}"#),
    ]
    .concat()
}

/// Writes the small dump.
pub fn small(folder: &Path) -> Dump {
    let dump = Dump::in_folder(folder);
    let log: String = (0..5).map(|_| "/works/OL10W\t/books/OL13M\tWant to Read\t2020-01-01\n").collect();
    let ratings = "/works/OL1W\t\\N\t5\t2020-01-01\n".repeat(9);
    let files = [
        (&dump.editions, editions()),
        (&dump.works, works()),
        (&dump.authors, authors()),
        (&dump.reading_log, log),
        (&dump.ratings, ratings),
    ];
    for (path, content) in files {
        std::fs::write(path, content).unwrap();
    }
    dump
}

/// Numbers that look as if they were drawn, the same in every run.
struct Draws(u64);

impl Draws {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }

    /// The place of a word: the first ones are drawn far more often, as in a language.
    fn place(&mut self, words: u64) -> u64 {
        let share: f64 = (0..6).map(|_| self.next(1 << 20) as f64 / f64::from(1 << 20)).product();
        (share * words as f64) as u64
    }
}

/// The word of a place: the commonest are short.
pub fn word(place: u64) -> String {
    const PARTS: [&str; 20] = [
        "th", "an", "ber", "lo", "mi", "ka", "ro", "sel", "du", "ne", "fi", "gar", "ho", "ty", "ver", "wa", "xi",
        "pol", "qu", "jo",
    ];
    let (mut place, mut word) = (place, String::new());
    loop {
        word += PARTS[(place % 20) as usize];
        place /= 20;
        if place == 0 {
            return word;
        }
        place -= 1;
    }
}

/// How many different words the titles have.
const WORDS: u64 = 60_000;

fn title(draws: &mut Draws) -> String {
    let count = 1 + draws.next(6);
    (0..count).map(|_| word(draws.place(WORDS))).collect::<Vec<_>>().join(" ")
}

/// An ISBN-13 of a number.
fn isbn(number: u64) -> String {
    let twelve = format!("978{:09}", number % 1_000_000_000);
    let sum: u32 =
        twelve.bytes().zip([1, 3].into_iter().cycle()).map(|(digit, weight)| u32::from(digit - b'0') * weight).sum();
    format!("{twelve}{}", (10 - sum % 10) % 10)
}

/// Writes a dump of so many editions, with 7 works and 3.5 authors for each ten of them, and the faults of the small one in it.
pub fn large(folder: &Path, count: u64) -> Dump {
    let dump = Dump::in_folder(folder);
    let open = |path: &Path| BufWriter::with_capacity(1 << 20, File::create(path).unwrap());
    let (works, authors) = ((count * 7 / 10).max(1), (count * 35 / 100).max(1));
    let mut draws = Draws(22);
    let mut file = open(&dump.editions);
    file.write_all(editions().as_bytes()).unwrap();
    for number in 100..100 + count {
        let work = 100 + draws.next(works).min(draws.next(works));
        let (title, pages, year, publisher) =
            (title(&mut draws), draws.next(900), 1900 + draws.next(125), word(draws.place(3000)));
        let language = ["eng", "eng", "eng", "ger", "fre", "spa"][draws.next(6) as usize];
        let json = format!(
            r#"{{"publishers":["{publisher}"],"number_of_pages":{pages},"pagination":"{pages} p.","physical_format":"Paperback","key":"/books/OL{number}M","title":"{title}","publish_date":"{year}","publish_country":"nyu","by_statement":"by somebody who is named here","notes":{{"type":"/type/text","value":"Includes bibliographical references and index."}},"isbn_13":["{}"],"covers":[{}],"lc_classifications":["PZ3.G{number}"],"source_records":["marc:marc_loc_updates/v39.i05.records.utf8:{number}:1045"],"languages":[{{"key":"/languages/{language}"}}],"works":[{{"key":"/works/OL{work}W"}}],"type":{{"key":"/type/edition"}},"latest_revision":3,"revision":3,"created":{{"type":"/type/datetime","value":"2008-04-01T03:28:50.625462"}},"last_modified":{{"type":"/type/datetime","value":"2026-10-31T06:05:04.000001"}}}}"#,
            isbn(number),
            number + 7,
        );
        file.write_all(line("edition", &format!("/books/OL{number}M"), &json).as_bytes()).unwrap();
    }
    file.flush().unwrap();
    let mut file = open(&dump.works);
    file.write_all(self::works().as_bytes()).unwrap();
    for number in 100..100 + works {
        let (title, author) = (title(&mut draws), 100 + draws.next(authors));
        let json = format!(
            r#"{{"title":"{title}","covers":[{number}],"key":"/works/OL{number}W","authors":[{{"type":{{"key":"/type/author_role"}},"author":{{"key":"/authors/OL{author}A"}}}}],"subjects":["Fiction","Fiction, general","{}"],"type":{{"key":"/type/work"}},"latest_revision":4,"revision":4,"created":{{"type":"/type/datetime","value":"2009-12-11T01:57:19.964652"}},"last_modified":{{"type":"/type/datetime","value":"2026-10-31T06:05:04.000001"}}}}"#,
            word(draws.place(2000)),
        );
        file.write_all(line("work", &format!("/works/OL{number}W"), &json).as_bytes()).unwrap();
    }
    file.flush().unwrap();
    let mut file = open(&dump.authors);
    file.write_all(self::authors().as_bytes()).unwrap();
    for number in 100..100 + authors {
        let (first, last) = (word(draws.place(2000)), word(draws.place(WORDS)));
        let json = format!(
            r#"{{"name":"{first} {last}","key":"/authors/OL{number}A","type":{{"key":"/type/author"}},"revision":1}}"#
        );
        file.write_all(line("author", &format!("/authors/OL{number}A"), &json).as_bytes()).unwrap();
    }
    file.flush().unwrap();
    let mut file = open(&dump.reading_log);
    for number in 0..count / 10 {
        let work = 100 + draws.next(works).min(draws.next(works)).min(draws.next(works));
        writeln!(file, "/works/OL{work}W\t/books/OL{number}M\tAlready Read\t2021-02-03").unwrap();
    }
    file.flush().unwrap();
    std::fs::write(&dump.ratings, "/works/OL100W\t\\N\t5\t2020-01-01\n").unwrap();
    dump
}
