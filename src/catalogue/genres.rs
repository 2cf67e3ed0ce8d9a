//! Open Library's subjects, of which there are millions, as a few genres.

/// The genres, in the order in which a book gets them. A bit for each is kept.
const GENRES: [&str; 16] = [
    "Fantasy",
    "Science Fiction",
    "Mystery",
    "Thriller",
    "Romance",
    "Horror",
    "Historical Fiction",
    "Young Adult",
    "Children's",
    "Comics",
    "Poetry",
    "Biography",
    "History",
    "Science",
    "Philosophy",
    "Fiction",
];
/// The bit of the genre that only a book without a narrower one gets.
const FICTION: u16 = 1 << 15;
/// The most genres of one book.
const MOST: usize = 4;

/// What a subject has in it, and the genre that it stands for. The first that fits counts, so narrower ones come first.
const MARKS: &[(&str, usize)] = &[
    ("science fiction", 1),
    ("science-fiction", 1),
    ("dystopia", 1),
    ("historical fiction", 6),
    ("fiction, historical", 6),
    ("young adult", 7),
    ("juvenile", 8),
    ("children's", 8),
    ("picture books", 8),
    ("comic books", 9),
    ("graphic novels", 9),
    ("manga", 9),
    ("fantasy", 0),
    ("detective", 2),
    ("mystery", 2),
    ("thriller", 3),
    ("suspense", 3),
    ("spy stories", 3),
    ("love stories", 4),
    ("romance", 4),
    ("horror", 5),
    ("ghost stories", 5),
    ("poetry", 10),
    ("biography", 11),
    ("autobiograph", 11),
    ("memoir", 11),
    ("philosophy", 14),
    ("history and criticism", usize::MAX),
    ("fiction", 15),
    ("history", 12),
    ("physics", 13),
    ("biology", 13),
    ("mathematics", 13),
    ("astronomy", 13),
    ("evolution", 13),
];

/// The genres of a work's subjects, a bit for each.
pub fn of_subjects<'a>(subjects: impl Iterator<Item = &'a str>) -> u16 {
    let mut bits = 0_u16;
    for subject in subjects {
        let lower = subject.to_lowercase();
        if let Some((_, genre)) = MARKS.iter().find(|(mark, _)| lower.contains(mark)) {
            bits |= u32::try_from(*genre).ok().and_then(|genre| 1_u16.checked_shl(genre)).unwrap_or(0);
        }
    }
    bits
}

/// The names of genres, at most four; "Fiction" only where there is no narrower one.
pub fn names(bits: u16) -> Vec<String> {
    let bits = if bits & !FICTION == 0 { bits } else { bits & !FICTION };
    let has = |place: usize| bits & (1 << place) != 0;
    GENRES.iter().enumerate().filter(|(place, _)| has(*place)).map(|(_, name)| (*name).to_owned()).take(MOST).collect()
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
        assert_eq!(of(&["History and criticism", "Cooking, American"]), Vec::<String>::new());
        assert_eq!(of(&["Juvenile fiction", "Wizards", "Fantasy fiction"]), ["Fantasy", "Children's"]);
    }
}
