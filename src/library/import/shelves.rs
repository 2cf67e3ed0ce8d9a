//! The meaning of other trackers' shelves, by their names in many languages.
use super::columns::folded;
use super::row::Destination;
use super::values;

/// A reading status in the words of any tracker, folded to lower case with hyphens; `None` for a custom shelf.
pub fn known_place(shelf: &str) -> Option<super::row::Destination> {
    use super::row::Destination::{Read, Reading, Skip, ToRead};
    let name = folded(shelf).replace('-', "");
    Some(match name.as_str() {
        "read" | "finished" | "completed" | "complete" | "done" | "undated" | "gelesen" | "beendet" | "lu"
        | "leído" | "leido" | "letto" | "lido" => Read,
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

const LEFT_OUT: [&str; 6] = ["wont", "won't", "trash", "notinterested", "never", "removed"];

const GIVEN_UP: [&str; 11] = [
    "abandon",
    "dnf",
    "notfinish",
    "unfinished",
    "dropped",
    "stopped",
    "gaveup",
    "giveup",
    "abgebrochen",
    "quit",
    "abandonn",
];

const RESTING: [&str; 3] = ["pause", "hold", "hiatus"];

const WANTED: [&str; 20] = [
    "toread",
    "wish",
    "want",
    "tbr",
    "leseliste",
    "next",
    "later",
    "someday",
    "future",
    "maybe",
    "plan",
    "queue",
    "unread",
    "toberead",
    "lire",
    "leer",
    "daleggere",
    "ungelesen",
    "buy",
    "tolisten",
];

const UNDER_WAY: [&str; 7] = ["currently", "reading", "inprogress", "slow", "ongoing", "started", "lese"];

/// The destination in a cell with shelf names, in words that every tracker uses or in one that clearly means a wish.
pub fn parse_shelf(cell: &str) -> Option<Destination> {
    let mut names = values::list(cell, ',');
    names.find_map(known_place).or_else(|| {
        // A single shelf is a custom one, whatever its name, and the reader chooses its destination.
        let wished = cell.contains(',')
            && values::list(cell, ',').any(|name| WANTED.iter().any(|word| folded(name).contains(word)));
        wished.then_some(Destination::ToRead)
    })
}

/// The probable destination of a custom shelf: by its name, otherwise by whether most of its rows have ratings or dates.
pub fn place_of(name: &str, mostly_read: bool) -> Destination {
    let name = folded(name).replace('-', "");
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&LEFT_OUT) {
        Destination::Skip
    } else if has(&GIVEN_UP) {
        Destination::DidNotFinish
    } else if has(&RESTING) {
        Destination::Paused
    } else if has(&WANTED) {
        Destination::ToRead
    } else if has(&UNDER_WAY) {
        Destination::Reading
    } else if mostly_read || name.contains("read") || name.contains("finished") {
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
        ] {
            assert_eq!(place_of(name, false), place, "{name}");
        }
        assert_eq!(place_of("favourites", true), Destination::Read);
    }
}
