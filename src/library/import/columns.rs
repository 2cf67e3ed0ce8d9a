//! The header of a file: finds columns regardless of order, case and spaces.
use std::collections::HashMap;

use crate::kit::named::named;

named! {
    /// The field that a column is read as.
    Field {
        /// The title.
        Title = "title",
        /// The author.
        Author = "author",
        /// The number of words.
        WordCount = "wordCount",
        /// The number of pages.
        Pages = "pages",
        /// The length of an audiobook: minutes, or h:mm.
        Minutes = "minutes",
        /// The ISBN, of 10 or 13 digits.
        Isbn = "isbn",
        /// The day on which reading began.
        StartDate = "startDate",
        /// The day on which the book was finished.
        DateCompleted = "dateCompleted",
        /// The day on which the book was given up.
        StoppedDate = "stoppedDate",
        /// On our scale of 0 to 10.
        Rating = "rating",
        /// On a scale of 5 stars, to be doubled.
        Rating5 = "rating5",
        /// Paper, screen or audio.
        Format = "format",
        /// Whether it was read before.
        Reread = "reread",
        /// How often a book was read.
        ReadCount = "readCount",
        /// The genres.
        Genres = "genres",
        /// The impressions.
        Impressions = "impressions",
        /// The quotes.
        Quotes = "quotes",
        /// The notes of an item of the to-be-read list.
        Notes = "notes",
        /// A shelf or a reading status.
        Status = "status",
        /// The series, with or without the number in it.
        Series = "series",
        /// The number in the series.
        SeriesNumber = "seriesNumber",
        /// The reader's own words for the book.
        Tags = "tags",
        /// The publisher.
        Publisher = "publisher",
        /// The year, month or day in which the edition appeared.
        Published = "published",
        /// The year in which the book first appeared.
        OriginalYear = "originalYear",
        /// The language of the edition.
        Language = "language",
        /// Translators, narrators and others, with their roles in parentheses.
        Contributors = "contributors",
    }
}

/// A column's name for comparisons: without case, spaces, underscores and byte order marks.
pub fn folded(name: &str) -> String {
    folded_chars(name).collect()
}

/// Whether a name is this one, which is folded.
pub fn folds_to(name: &str, folded: &str) -> bool {
    folded_chars(name).eq(folded.chars())
}

fn folded_chars(name: &str) -> impl Iterator<Item = char> {
    name.chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '_' | '\u{feff}' | '\u{200b}' | '\0'))
        .flat_map(char::to_lowercase)
}

/// The names of a file's columns.
#[derive(Clone, Debug, Default)]
pub struct Header {
    /// As in the file.
    pub names: Vec<String>,
    /// For comparisons.
    pub folded: Vec<String>,
    index: HashMap<String, usize>,
}

impl Header {
    /// A header with these names.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let names: Vec<String> =
            names.into_iter().map(|name| name.trim().trim_matches('\u{feff}').to_owned()).collect();
        let folded: Vec<String> = names.iter().map(|name| folded(name)).collect();
        let mut index = HashMap::new();
        for (at, name) in folded.iter().enumerate() {
            index.entry(name.clone()).or_insert(at);
        }
        Header { names, folded, index }
    }

    /// Whether there is a column with this folded name.
    pub fn has(&self, name: &str) -> bool {
        self.index.contains_key(name)
    }

    /// Whether there are columns with all of these folded names.
    pub fn has_all(&self, names: &[&str]) -> bool {
        names.iter().all(|name| self.has(name))
    }

    /// The position of the column with this folded name.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }
}

/// Common column names, for guessing in files of unknown trackers. Complete folded names.
const GUESSES: [(Field, &[&str]); 24] = [
    (
        Field::Title,
        &[
            "title", "titel", "titre", "título", "titulo", "titolo", "book", "booktitle", "buch", "buchtitel", "livre",
            "libro", "livro", "name", "tytuł", "書名", "タイトル",
        ],
    ),
    (
        Field::Author,
        &[
            "author", "authors", "autor", "autorin", "autor(in)", "auteur", "autore", "auteurs", "writer", "writtenby",
            "by", "von", "verfasser", "authorname", "author(s)", "authordetails", "creator", "creators", "著者",
            "作者",
        ],
    ),
    (
        Field::WordCount,
        &["wordcount", "words", "wörter", "wortzahl", "wortanzahl", "mots", "palabras", "parole", "palavras"],
    ),
    (
        Field::Pages,
        &[
            "pages", "numberofpages", "pagecount", "totalpages", "numpages", "seiten", "seitenzahl", "páginas",
            "paginas", "pagine", "nombredepages", "#pages", "ページ",
        ],
    ),
    (
        Field::Minutes,
        &[
            "minutes", "lengthinminutes", "length(minutes)", "durationinminutes", "duration(minutes)", "duration",
            "runtime", "runningtime", "laufzeit", "durée", "duración", "durata",
        ],
    ),
    (Field::Isbn, &["isbn", "isbn13", "isbn10", "isbn-13", "isbn-10", "isbn/uid", "ean", "eanisbn13"]),
    (
        Field::StartDate,
        &[
            "startdate", "datestarted", "started", "startedon", "startedreading", "readstart", "began", "start",
            "begin", "begonnen", "angefangen", "début", "inicio", "inizio",
        ],
    ),
    (
        Field::DateCompleted,
        &[
            "datecompleted", "completed", "dateread", "datefinished", "finished", "finishdate", "finishedon",
            "finishedreading", "readend", "enddate", "end", "readon", "completedon", "fertig", "beendet", "gelesenam",
            "gelesen", "fin", "datelu", "terminé", "terminado", "leído", "finito", "lido",
        ],
    ),
    (
        Field::Rating5,
        &["stars", "starrating", "myrating", "myratingoverall", "sterne", "étoiles", "estrellas", "stelle", "estrelas"],
    ),
    (Field::Rating, &["rating", "score", "bewertung", "wertung", "note/10", "calificación", "valutazione"]),
    (Field::Format, &["format", "binding", "medium", "media", "type", "art", "einband", "formato", "edition"]),
    (Field::Reread, &["reread", "re-read", "isreread", "rereading"]),
    (Field::ReadCount, &["readcount", "timesread", "readings", "malgelesen"]),
    (
        Field::Genres,
        &[
            "genre", "genres", "tags", "bookshelves", "shelves", "categories", "category", "kategorie", "kategorien",
            "género", "genere",
        ],
    ),
    (
        Field::Impressions,
        &["impressions", "review", "myreview", "thoughts", "rezension", "kritik", "avis", "reseña", "recensione"],
    ),
    (Field::Notes, &["notes", "note", "comments", "comment", "privatenotes", "notizen", "notiz", "kommentar", "notas"]),
    (
        Field::Status,
        &[
            "status", "readstatus", "readingstatus", "exclusiveshelf", "shelf", "state", "stand", "estado", "statut",
            "stato",
        ],
    ),
    (Field::Series, &["series", "serie", "reihe", "série", "collana", "saga", "seriesname"]),
    (Field::SeriesNumber, &["seriesnumber", "seriesindex", "volume", "band", "bandnummer", "tome"]),
    (Field::Publisher, &["publisher", "verlag", "éditeur", "editorial", "editore", "editora", "uitgever"]),
    (
        Field::Published,
        &[
            "published", "publicationyear", "yearpublished", "publishdate", "publicationdate", "pubdate",
            "erscheinungsjahr", "année",
        ],
    ),
    (
        Field::OriginalYear,
        &["originalyear", "originalpublicationyear", "firstpublishyear", "firstpublished", "ersterscheinung"],
    ),
    (Field::Language, &["language", "languages", "languagecode", "sprache", "langue", "idioma", "lingua"]),
    (
        Field::Contributors,
        &[
            "contributors", "translator", "translators", "narrator", "narrators", "readby", "narratedby",
            "translatedby", "illustratedby", "editedby", "illustrator", "illustrators", "editor", "editors",
            "übersetzer", "sprecher", "traducteur", "narrateur", "traductor", "mitwirkende",
        ],
    ),
];

/// The probable field of a column in a file of an unknown tracker. `largest` is its largest number: with a rating above five the whole
/// column is not in stars.
pub fn guess(folded_name: &str, largest: Option<f64>) -> Option<Field> {
    let (field, _) = GUESSES.iter().find(|(_, names)| names.contains(&folded_name))?;
    match field {
        Field::Rating if largest.is_some_and(|number| number <= 5.0) => Some(Field::Rating5),
        Field::Rating5 if largest.is_some_and(|number| number > 5.0) => Some(Field::Rating),
        field => Some(*field),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_compare_without_case_spaces_underscores_and_marks() {
        let header = Header::new(["\u{feff}Book_Id", "Exclusive  Shelf", " ISBN13 ", "date read"]);
        assert!(header.has_all(&["bookid", "exclusiveshelf", "isbn13", "dateread"]));
        assert_eq!(header.position("isbn13"), Some(2));
    }

    #[test]
    fn lengths_and_people_are_known_by_the_usual_names() {
        let header = Header::new(["Length (minutes)", "Length in Minutes", "Duration_(Minutes)", "Translated by"]);
        let fields: Vec<_> = header.folded.iter().map(|name| guess(name, None)).collect();
        assert_eq!(fields, [Field::Minutes, Field::Minutes, Field::Minutes, Field::Contributors].map(Some));
    }

    #[test]
    fn a_rating_above_five_is_no_star() {
        assert_eq!(guess("sterne", Some(4.5)), Some(Field::Rating5));
        assert_eq!(guess("sterne", Some(10.0)), Some(Field::Rating));
        assert_eq!(guess("rating", Some(3.0)), Some(Field::Rating5));
        assert_eq!(guess("rating", Some(8.0)), Some(Field::Rating));
        assert_eq!(guess("rating", None), Some(Field::Rating));
        assert_eq!(guess("myratingoverall", Some(4.5)), Some(Field::Rating5));
        assert_eq!(guess("wogekauft", None), None);
    }
}
