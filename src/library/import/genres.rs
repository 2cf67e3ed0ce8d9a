//! Which shelves of other trackers are genres. Readers also keep years, challenges, places and owners on shelves.

/// Words that say where a book is, in which form, or why it is on a list, wherever they stand in a shelf's name.
const WORDS: [&str; 33] = [
    "abandoned", "arc", "arcs", "audible", "audiobook", "audiobooks", "bookclub", "borrowed", "challenge",
    "challenges", "dnf", "donated", "ebook", "ebooks", "favorite", "favorites", "favourite", "favourites", "gifted",
    "giveaway", "giveaways", "hardcover", "kindle", "lent", "library", "netgalley", "own", "owned", "paperback",
    "reread", "rereads", "tbr", "wishlist",
];

/// The same in several words.
const PHRASES: [&str; 14] = [
    "audio book", "audio books", "book club", "did not finish", "e book", "e books", "on hold", "re read", "read in",
    "to buy", "to read", "up next", "want to read", "wish list",
];

/// Usual names of shelves in words, and the genre as most people write it.
const WRITTEN: [(&str, &str); 40] = [
    ("autobiographies", "Autobiography"),
    ("autobiography", "Autobiography"),
    ("biographies", "Biography"),
    ("biography", "Biography"),
    ("childrens", "Children's"),
    ("childrens books", "Children's"),
    ("classic", "Classics"),
    ("classics", "Classics"),
    ("comics", "Comics"),
    ("contemporary", "Contemporary"),
    ("crime", "Crime"),
    ("fantasy", "Fantasy"),
    ("fiction", "Fiction"),
    ("graphic novel", "Graphic Novels"),
    ("graphic novels", "Graphic Novels"),
    ("hist fic", "Historical Fiction"),
    ("historical fiction", "Historical Fiction"),
    ("history", "History"),
    ("horror", "Horror"),
    ("lit fic", "Literary Fiction"),
    ("literary fiction", "Literary Fiction"),
    ("manga", "Manga"),
    ("memoir", "Memoir"),
    ("memoirs", "Memoir"),
    ("mystery", "Mystery"),
    ("non fiction", "Nonfiction"),
    ("nonfiction", "Nonfiction"),
    ("poetry", "Poetry"),
    ("romance", "Romance"),
    ("sci fi", "Science Fiction"),
    ("science fiction", "Science Fiction"),
    ("scifi", "Science Fiction"),
    ("self help", "Self-Help"),
    ("sf", "Science Fiction"),
    ("short stories", "Short Stories"),
    ("thriller", "Thriller"),
    ("thrillers", "Thriller"),
    ("true crime", "True Crime"),
    ("ya", "Young Adult"),
    ("young adult", "Young Adult"),
];

/// The genre that a shelf with a usual name is, as most people write it.
pub fn written(shelf: &str) -> Option<&'static str> {
    let name = shelf.to_lowercase().replace(['-', '_'], " ").replace(['\'', '\u{2019}'], "");
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    WRITTEN.iter().find(|(usual, _)| *usual == name).map(|(_, genre)| *genre)
}

/// Whether a shelf is a genre. Names are compared without case; hyphens and underscores count as blanks.
pub fn is_genre(shelf: &str) -> bool {
    let name = shelf.to_lowercase();
    let words: Vec<&str> = name.split(|sign: char| sign.is_whitespace() || "-_/#:".contains(sign)).collect();
    let spaced = format!(" {} ", words.join(" "));
    let is_year = |word: &&str| word.len() == 4 && word.bytes().all(|digit| digit.is_ascii_digit());
    !words.iter().any(|word| WORDS.contains(word) || is_year(word))
        && !PHRASES.iter().any(|phrase| spaced.contains(&format!(" {phrase} ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_challenges_places_and_owners_are_not_genres() {
        for shelf in [
            "2023-challenge", "read-in-2020", "2019", "best of 2021", "owned", "Books I own", "kindle-unlimited",
            "all-time-favorites", "book-club", "library", "e-books", "to-buy", "did_not_finish",
        ] {
            assert!(!is_genre(shelf), "{shelf}");
        }
    }

    #[test]
    fn genres_are() {
        for shelf in [
            "sci-fi", "Fantasy", "19th-century", "1920s", "historical fiction", "ya", "children's", "村上",
            "owner-built",
        ] {
            assert!(is_genre(shelf), "{shelf}");
        }
    }

    #[test]
    fn usual_names_of_shelves_have_a_written_form() {
        for (shelf, genre) in [
            ("sci-fi", Some("Science Fiction")),
            ("YA", Some("Young Adult")),
            ("Non-Fiction", Some("Nonfiction")),
            ("children\u{2019}s", Some("Children's")),
            ("historical_fiction", Some("Historical Fiction")),
            ("space-opera", None),
        ] {
            assert_eq!(written(shelf), genre, "{shelf}");
        }
    }
}
