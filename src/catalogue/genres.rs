//! Catalogues' subjects, of which there are millions, as a few genres.
use std::cmp::Reverse;
use std::sync::LazyLock;

use super::marks::Marks;

/// A genre. The offline catalogue keeps a bit for each, in this order, so that new ones stand at the end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Genre {
    Fantasy,
    ScienceFiction,
    Mystery,
    Thriller,
    Romance,
    Horror,
    HistoricalFiction,
    YoungAdult,
    Childrens,
    Comics,
    Poetry,
    Biography,
    History,
    Science,
    Philosophy,
    Fiction,
    Drama,
    ShortStories,
    Memoir,
    Psychology,
    Religion,
    Politics,
    Business,
    SelfHelp,
    Cooking,
    Travel,
    TrueCrime,
}

/// The names of the genres, in their order.
const NAMES: [&str; 27] = [
    "Fantasy", "Science Fiction", "Mystery", "Thriller", "Romance", "Horror", "Historical Fiction", "Young Adult",
    "Children's", "Comics", "Poetry", "Biography", "History", "Science", "Philosophy", "Fiction", "Drama",
    "Short Stories", "Memoir", "Psychology", "Religion", "Politics", "Business", "Self Help", "Cooking", "Travel",
    "True Crime",
];
/// The bit of the genre that only a book without a narrower one gets.
const FICTION: u32 = 1 << Genre::Fiction as u32;
/// The most genres of one book.
const MOST: usize = 4;
/// The most subjects of one book that are read.
const MOST_SUBJECTS: usize = 500;

/// What a subject has in it, and the genre that it stands for, if any. The first that fits counts, so narrower ones come first.
const MARKS: &[(&str, Option<Genre>)] = &[
    ("science fiction", Some(Genre::ScienceFiction)),
    ("science-fiction", Some(Genre::ScienceFiction)),
    ("dystopia", Some(Genre::ScienceFiction)),
    ("time travel", Some(Genre::ScienceFiction)),
    ("historical fiction", Some(Genre::HistoricalFiction)),
    ("fiction, historical", Some(Genre::HistoricalFiction)),
    ("young adult", Some(Genre::YoungAdult)),
    ("juvenile", Some(Genre::Childrens)),
    ("children's", Some(Genre::Childrens)),
    ("picture books", Some(Genre::Childrens)),
    ("comic books", Some(Genre::Comics)),
    ("comics", Some(Genre::Comics)),
    ("graphic novel", Some(Genre::Comics)),
    ("manga", Some(Genre::Comics)),
    ("fantasy", Some(Genre::Fantasy)),
    ("true crime", Some(Genre::TrueCrime)),
    ("detective", Some(Genre::Mystery)),
    ("mystery", Some(Genre::Mystery)),
    ("thriller", Some(Genre::Thriller)),
    ("suspense", Some(Genre::Thriller)),
    ("spy stories", Some(Genre::Thriller)),
    ("love stories", Some(Genre::Romance)),
    ("romance", Some(Genre::Romance)),
    ("horror", Some(Genre::Horror)),
    ("ghost stories", Some(Genre::Horror)),
    ("history and criticism", None),
    ("poetry", Some(Genre::Poetry)),
    ("drama", Some(Genre::Drama)),
    ("short stories", Some(Genre::ShortStories)),
    ("autobiograph", Some(Genre::Memoir)),
    ("memoir", Some(Genre::Memoir)),
    ("biography", Some(Genre::Biography)),
    ("philosophy", Some(Genre::Philosophy)),
    ("psychology", Some(Genre::Psychology)),
    ("religion", Some(Genre::Religion)),
    ("politic", Some(Genre::Politics)),
    ("economics", Some(Genre::Business)),
    ("business", Some(Genre::Business)),
    ("self-help", Some(Genre::SelfHelp)),
    ("cooking", Some(Genre::Cooking)),
    ("cookery", Some(Genre::Cooking)),
    ("cookbook", Some(Genre::Cooking)),
    ("travel", Some(Genre::Travel)),
    ("nonfiction", None),
    ("non-fiction", None),
    ("fiction", Some(Genre::Fiction)),
    ("history", Some(Genre::History)),
    ("physics", Some(Genre::Science)),
    ("biology", Some(Genre::Science)),
    ("mathematics", Some(Genre::Science)),
    ("astronomy", Some(Genre::Science)),
    ("evolution", Some(Genre::Science)),
    ("science", Some(Genre::Science)),
];

static FINDER: LazyLock<Marks> = LazyLock::new(|| Marks::new(MARKS.iter().map(|(mark, _)| *mark)));

/// The genre that a subject stands for.
fn of_subject(subject: &str) -> Option<Genre> {
    MARKS.get(FINDER.first_in(subject)?).and_then(|(_, genre)| *genre)
}

/// The genres of a work's subjects, a bit for each.
pub fn of_subjects<'a>(subjects: impl Iterator<Item = &'a str>) -> u32 {
    subjects.filter_map(of_subject).fold(0, |bits, genre| bits | 1 << genre as u32)
}

/// The names of genres, at most four; "Fiction" only where there is no narrower one.
pub fn names(bits: u32) -> Vec<String> {
    let bits = if bits & !FICTION == 0 { bits } else { bits & !FICTION };
    let has = |place: usize| bits & (1 << place) != 0;
    NAMES.iter().enumerate().filter(|(place, _)| has(*place)).map(|(_, name)| (*name).to_owned()).take(MOST).collect()
}

/// The names of the genres that most of a book's subjects stand for, at most four, the most frequent first; "Fiction" only without a
/// narrower one.
pub fn most_frequent<'a>(subjects: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut counts: Vec<(Genre, usize)> = Vec::new();
    for genre in subjects.take(MOST_SUBJECTS).filter_map(of_subject) {
        match counts.iter_mut().find(|(known, _)| *known == genre) {
            Some((_, count)) => *count += 1,
            None => counts.push((genre, 1)),
        }
    }
    if counts.len() > 1 {
        counts.retain(|(genre, _)| *genre != Genre::Fiction);
    }
    counts.sort_by_key(|(_, count)| Reverse(*count));
    counts.into_iter().take(MOST).map(|(genre, _)| NAMES[genre as usize].to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subjects_become_a_few_genres() {
        let of = |subjects: &[&str]| names(of_subjects(subjects.iter().copied()));
        assert_eq!(
            of(&["Fiction, science fiction, general", "Dune (Imaginary place)", "Fiction"]),
            ["Science Fiction"]
        );
        assert_eq!(of(&["Fiction"]), ["Fiction"]);
        assert_eq!(of(&["History and criticism", "Nonfiction"]), Vec::<String>::new());
        assert_eq!(of(&["Juvenile fiction", "Wizards", "Fantasy fiction"]), ["Fantasy", "Children's"]);
        assert_eq!(of(&["Crime, true crime"]), [NAMES[NAMES.len() - 1]], "every genre has its name");
    }

    #[test]
    fn the_most_frequent_genre_comes_first() {
        let of = |subjects: &[&str]| most_frequent(subjects.iter().copied());
        let subjects =
            ["Political fiction", "Science fiction", "Fiction, science fiction, general", "Dune (Imaginary place)"];
        assert_eq!(of(&subjects), ["Science Fiction", "Politics"]);
        assert_eq!(of(&["English fiction"]), ["Fiction"]);
        assert_eq!(of(&["English fiction", "Cooking, American"]), ["Cooking"]);
        assert!(of(&["Arrakis"]).is_empty());
    }
}
