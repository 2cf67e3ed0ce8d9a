//! Reads what other programs say of a book beyond title, author and numbers: series in titles, people with roles, publishers and years.
use std::collections::HashSet;

use super::{html, values};
use crate::library::books::authors::{MOST_AUTHORS, NAME_LENGTH};
use crate::library::books::facts::{
    BookFacts, Contributor, ContributorRole, FIRST_YEAR, LAST_YEAR, MOST_CONTRIBUTORS, MOST_TAGS, PUBLISHER_LENGTH,
    SERIES_LENGTH, SERIES_NUMBER_LENGTH, Series, TAG_LENGTH, is_publication,
};
pub use crate::library::books::series_title::{key_with_series, key_without_series, series_of, without_series};
use crate::library::text;

/// The keys of a title and an author by which books and items are compared. The series behind a title does not count, because some
/// files write it there and others do not.
pub type Name = (String, String);

/// The [`Name`] of a title and an author.
pub fn name_of(title: &str, author: &str) -> Name {
    (text::title_key(without_series(title)), text::name_key(author))
}

/// The tag of books that a person owns.
pub const OWNED: &str = "owned";

/// A series with its number behind it: `Sprawl (#0.5)`, `The Expanse, #8`, `Dune #1`. A whole number that is written as a decimal
/// one (`#8.0`) is whole.
pub fn series_with_number(cell: &str) -> Option<Series> {
    let cell = cell.trim();
    let (name, number) = match cell.rsplit_once('#') {
        Some((name, number)) => (name, Some(number.trim_end_matches(')').trim())),
        None => (cell, None),
    };
    let name = name.trim_end().trim_end_matches(['(', ',', ' ']);
    let number = number.map(|number| number.strip_suffix(".0").unwrap_or(number)).filter(|number| !number.is_empty());
    let number = number.map(str::to_owned);
    (!name.is_empty()).then(|| Series { name: name.to_owned(), number })
}

/// The people of a list separated by `|` or `;`; none for any other text.
pub fn parted(cell: &str) -> Vec<String> {
    let cell = html::plain(cell);
    let parts = cell.split(['|', ';']).map(str::trim).filter(|part| !part.is_empty() && part.len() < cell.trim().len());
    parts.map(str::to_owned).collect()
}

/// `Last, First` as it is spoken.
pub fn turned(name: &str) -> String {
    match name.split_once(',') {
        Some((last, first)) if !first.trim().is_empty() && !first.contains(',') => {
            format!("{} {}", first.trim(), last.trim())
        }
        _ => name.trim().to_owned(),
    }
}

/// Whether all names of a cell have the last name first: one comma in each, behind a single word.
pub fn are_turned(cell: &str) -> bool {
    cell.split(['|', ';']).all(|name| {
        let parts = name.trim().split_once(',').map(|(last, first)| (last, first.trim()));
        parts.is_some_and(|(last, first)| !last.contains(' ') && !first.is_empty() && !first.contains(','))
    })
}

/// The names of a list separated by `|`, `;` or otherwise commas. "Jr." belongs to the name before it.
pub fn names(cell: &str) -> Vec<String> {
    let mut names = parted(cell);
    if !names.is_empty() {
        return names;
    }
    for part in values::list(cell, ',') {
        match names.last_mut() {
            Some(before)
                if matches!(part, "Jr." | "Jr" | "Sr." | "Sr" | "II" | "III" | "PhD" | "Ph.D." | "MD" | "M.D.") =>
            {
                before.push_str(", ");
                before.push_str(part);
            }
            _ => names.push(part.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }
    names
}

/// The part of a person in a book by its name in any common language; `None` for an author.
pub fn role_of(name: &str) -> Option<ContributorRole> {
    let name = name.trim().to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["translat", "übersetz", "traduc", "tradut", "vertal"]) {
        Some(ContributorRole::Translator)
    } else if has(&["narrat", "reader", "read by", "sprecher", "lecteur", "lector", "voice"]) {
        Some(ContributorRole::Narrator)
    } else if has(&["edit", "herausgeb", "éditeur"]) {
        Some(ContributorRole::Editor)
    } else if has(&["illustr", "artist", "drawing", "zeichn"]) {
        Some(ContributorRole::Illustrator)
    } else if has(&["author", "writer", "autor", "auteur"]) {
        None
    } else {
        Some(ContributorRole::Other)
    }
}

/// The authors and the contributors of one list in which some names have roles: `Ann One (Translator), Ben Two`. Where all have roles,
/// all are authors, too.
pub fn people(cell: &str) -> (Vec<String>, Vec<Contributor>) {
    let (mut authors, mut contributors) = (Vec::new(), Vec::new());
    for part in names(cell) {
        let with_role = part.strip_suffix(')').and_then(|part| part.rsplit_once(" ("));
        match with_role.map(|(name, role)| (name, role_of(role))) {
            Some((name, Some(role))) => contributors.push(Contributor { name: name.to_owned(), role }),
            Some((name, None)) => authors.push(name.to_owned()),
            None => authors.push(part),
        }
    }
    if authors.is_empty() {
        authors.extend(contributors.iter().map(|person| person.name.clone()));
    }
    (authors, contributors)
}

/// The contributors of a list. Names without a role have that of the list.
pub fn contributors(cell: &str, role: ContributorRole) -> Vec<Contributor> {
    let person = |part: String| match part.strip_suffix(')').and_then(|part| part.rsplit_once(" (")) {
        Some((name, role)) => Contributor { name: name.to_owned(), role: role_of(role).unwrap_or_default() },
        None => Contributor { name: part, role },
    };
    names(cell).into_iter().map(person).collect()
}

/// A year, month or day of publication: `1999`, `1999.0`, `2019-05`, `2019-05-03T00:00:00`, `[1999]`. Years before 1 are none.
pub fn published(cell: &str) -> Option<String> {
    let cell = cell.trim().trim_matches(['[', ']', '(', ')', 'c', '©', '.', ' ']);
    let day = cell.split(['T', ' ']).next().unwrap_or_default().replace('/', "-");
    if is_publication(&day) && !day.starts_with("0101-01-01") {
        return Some(day);
    }
    let year = year(cell).filter(|year| (1..=LAST_YEAR).contains(year))?;
    Some(format!("{year:04}"))
}

/// A year in which a book first appeared: `1999`, `1999.0`, `-500`. Other numbers are none.
pub fn year(cell: &str) -> Option<i64> {
    let cell = cell.trim();
    let whole = cell.strip_suffix(".0").unwrap_or(cell);
    whole.parse().ok().filter(|year| (FIRST_YEAR..=LAST_YEAR).contains(year))
}

/// Leaves out what does not fit a book. Other programs have no such limits, and the kept row has everything.
pub fn fit(facts: &mut BookFacts, authors: &mut Vec<String>) {
    let fits = |text: &str, most: usize| !text.trim().is_empty() && text.trim().chars().count() <= most;
    let is_name = |name: &str| fits(name, NAME_LENGTH) && !name.contains('\u{1f}');
    facts.contributors.retain(|person| is_name(&person.name));
    facts.contributors.truncate(MOST_CONTRIBUTORS);
    facts.series.take_if(|series| {
        !fits(&series.name, SERIES_LENGTH)
            || series.number.as_ref().is_some_and(|number| number.chars().count() > SERIES_NUMBER_LENGTH)
    });
    let mut seen = HashSet::new();
    facts.tags.retain(|tag| {
        let is_new = seen.insert(text::fold_case(tag.trim()));
        is_new && fits(tag, TAG_LENGTH) && !tag.contains(',')
    });
    facts.tags.truncate(MOST_TAGS);
    facts.publisher.take_if(|publisher| !fits(publisher, PUBLISHER_LENGTH));
    // A single author is cut elsewhere; of several those are kept that fit together.
    if authors.len() > 1 {
        authors.retain(|name| is_name(name));
        let mut length = 0;
        let fitting = authors.iter().take(MOST_AUTHORS).take_while(|name| {
            length += name.chars().count() + 2;
            length - 2 <= NAME_LENGTH
        });
        let kept = fitting.count();
        authors.truncate(kept);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_has_its_number_behind_it() {
        let shown = |cell| series_with_number(cell).map(|series| (series.name, series.number));
        assert_eq!(shown("Sprawl (#0.0)"), Some(("Sprawl".to_owned(), Some("0".to_owned()))));
        assert_eq!(shown("Hyperion Cantos (#1.0)"), Some(("Hyperion Cantos".to_owned(), Some("1".to_owned()))));
        assert_eq!(shown("The Expanse (#0.5)"), Some(("The Expanse".to_owned(), Some("0.5".to_owned()))));
        assert_eq!(shown("The Expanse, #8"), Some(("The Expanse".to_owned(), Some("8".to_owned()))));
        assert_eq!(shown("Saga"), Some(("Saga".to_owned(), None)));
        assert_eq!(shown(""), None);
    }

    #[test]
    fn people_have_roles() {
        let (authors, others) = people("Helena Fraga (Translator), Kenneth Haigh (Narrator), Dan Simmons");
        assert_eq!(authors, ["Dan Simmons"]);
        let others: Vec<_> = others.iter().map(|person| (person.name.as_str(), person.role)).collect();
        assert_eq!(
            others,
            [("Helena Fraga", ContributorRole::Translator), ("Kenneth Haigh", ContributorRole::Narrator)]
        );
        assert_eq!(people("Martin Luther King, Jr., Ann Two").0, ["Martin Luther King, Jr.", "Ann Two"]);
        assert_eq!(people("Only Editor (Editor)").0, ["Only Editor"]);
        assert_eq!(people("Ben Two (Author)").0, ["Ben Two"]);
        assert_eq!(people("").0.len(), 0);
    }

    #[test]
    fn years_are_read_or_dropped() {
        for (cell, text) in [
            ("1999", Some("1999")),
            ("1999.0", Some("1999")),
            ("49", Some("0049")),
            ("2019-05", Some("2019-05")),
            ("2019-05-03T00:00:00+00:00", Some("2019-05-03")),
            ("-2000", None),
            ("32767", None),
            ("", None),
        ] {
            assert_eq!(published(cell).as_deref(), text, "{cell}");
        }
        assert_eq!((year("-2000"), year("32767"), year("1813.0")), (Some(-2000), None, Some(1813)));
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        let mut facts = BookFacts {
            tags: vec!["a".to_owned(), "A".to_owned(), "x".repeat(101), "b".to_owned()],
            publisher: Some("p".repeat(201)),
            series: Some(Series { name: "s".repeat(201), number: None }),
            ..BookFacts::default()
        };
        let mut authors: Vec<String> = (0..60).map(|at| format!("Author number {at}")).collect();
        fit(&mut facts, &mut authors);
        assert_eq!((facts.tags, facts.publisher, facts.series), (vec!["a".to_owned(), "b".to_owned()], None, None));
        assert_eq!(authors.len(), 20);
    }
}
