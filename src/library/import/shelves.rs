//! The meaning of other trackers' shelves, by their names in many languages.
use super::columns::folded;
use super::row::Destination;
use super::values;

/// A reading status in the words of any tracker, folded to lower case with hyphens; `None` for a custom shelf.
pub fn known_place(shelf: &str) -> Option<super::row::Destination> {
    use super::row::Destination::{Read, Reading, Skip, ToRead};
    let name = folded(shelf).replace('-', "");
    Some(match name.as_str() {
        "read" | "alreadyread" | "finished" | "completed" | "complete" | "done" | "undated" | "gelesen" | "beendet"
        | "lu" | "leído" | "leido" | "letto" | "lido" => Read,
        "currentlyreading" | "reading" | "inprogress" | "started" | "lese" | "encours" | "leyendo" | "lendo"
        | "inlettura" => Reading,
        "toread" | "wanttoread" | "planned" | "planning" | "plantoread" | "tbr" | "toberead" | "unread" | "zulesen"
        | "àlire" | "alire" | "porleer" | "daleggere" | "paraler" => ToRead,
        "ignored" => Skip,
        _ => return None,
    })
}

/// The form of shelf names for comparisons.
pub fn shelf_key(name: &str) -> String {
    folded(name)
}

const LEFT_OUT: [&str; 8] =
    ["wont", "won t", "trash", "trashed", "not interested", "notinterested", "never", "removed"];

const GIVEN_UP: [&str; 15] = [
    "abandon", "abandoned", "abandonné", "abandonnés", "dnf", "did not finish", "didnotfinish", "not finished",
    "unfinished", "dropped", "stopped", "gave up", "give up", "abgebrochen", "quit",
];

const RESTING: [&str; 6] = ["pause", "paused", "pausiert", "hold", "onhold", "hiatus"];

const WANTED: [&str; 31] = [
    "to read", "toread", "to start", "to listen", "tolisten", "to be read", "toberead", "to buy", "buy", "wish",
    "wishlist", "wishes", "want", "wanted", "tbr", "leseliste", "next", "later", "soon", "someday", "future", "maybe",
    "plan", "planned", "queue", "unread", "lire", "leer", "da leggere", "daleggere", "ungelesen",
];

const UNDER_WAY: [&str; 11] = [
    "currently", "currentlyreading", "reading", "in progress", "inprogress", "slow", "ongoing", "started", "lese",
    "leyendo", "lendo",
];

const OVER: [&str; 6] = ["read", "finished", "completed", "gelesen", "lu", "leído"];

/// Whether a shelf's name has one of these words or phrases, as whole words.
fn has(name: &str, phrases: &[&str]) -> bool {
    let words: Vec<String> = name
        .split(|sign: char| !sign.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let name = format!(" {} ", words.join(" "));
    phrases.iter().any(|phrase| name.contains(&format!(" {phrase} ")))
}

/// The destination in a cell with shelf names, in words that every tracker uses or in one that clearly means a wish.
pub fn parse_shelf(cell: &str) -> Option<Destination> {
    let mut names = values::list(cell, ',');
    names.find_map(known_place).or_else(|| {
        // A single shelf is a custom one, whatever its name, and the reader chooses its destination.
        let wished = cell.contains(',') && has(cell, &WANTED);
        wished.then_some(Destination::ToRead)
    })
}

/// The probable destination of a custom shelf: by its name, otherwise by whether most of its rows have ratings or dates.
pub fn place_of(name: &str, mostly_read: bool) -> Destination {
    if has(name, &LEFT_OUT) {
        Destination::Skip
    } else if has(name, &GIVEN_UP) {
        Destination::DidNotFinish
    } else if has(name, &RESTING) {
        Destination::Paused
    } else if has(name, &WANTED) {
        Destination::ToRead
    } else if has(name, &UNDER_WAY) {
        Destination::Reading
    } else if mostly_read || has(name, &OVER) {
        Destination::Read
    } else {
        Destination::ToRead
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shelves_of_ones_own_are_guessed_by_name_and_then_by_what_stands_on_them() {
        for (name, place) in [
            ("abandoned", Destination::DidNotFinish),
            ("did-not-finish", Destination::DidNotFinish),
            ("stopped-reading", Destination::DidNotFinish),
            ("wont-read", Destination::Skip),
            ("wishlist", Destination::ToRead),
            ("leseliste-2020", Destination::ToRead),
            ("slow-reads", Destination::Reading),
            ("paused", Destination::Paused),
            ("on-hold", Destination::Paused),
            ("hiatus", Destination::Paused),
            ("favourites", Destination::ToRead),
            ("reading-soon", Destination::ToRead),
            ("Ready to Start", Destination::ToRead),
            ("bread-and-butter", Destination::ToRead),
            ("read-in-2020", Destination::Read),
            ("household", Destination::ToRead),
            ("Did Not Finish", Destination::DidNotFinish),
        ] {
            assert_eq!(place_of(name, false), place, "{name}");
        }
        assert_eq!(place_of("favourites", true), Destination::Read);
    }
}
