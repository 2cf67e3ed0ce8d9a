use std::time::{Duration, Instant};

use super::*;

fn read(text: &str) -> Vec<Marked> {
    passages(text, program(text).unwrap(), &Zone::or_utc(None)).unwrap()
}

/// A file as a Kindle writes it, of blocks with a title, a line about the passage, and its text.
fn file(blocks: &[(&str, &str, &str)]) -> String {
    blocks
        .iter()
        .map(|(title, about, text)| format!("\u{feff}{title}\r\n{about}\r\n\r\n{text}\r\n==========\r\n"))
        .collect()
}

/// Text, note, place and day of each passage.
fn shown(text: &str) -> Vec<[String; 4]> {
    let row = |marked: Marked| {
        let Passage { text, place, note, day } = marked.passage;
        let day = day.map(|day| day.to_string()).unwrap_or_default();
        [text, note.unwrap_or_default(), place.unwrap_or_default(), day]
    };
    read(text).into_iter().map(row).collect()
}

#[test]
fn a_kindle_says_place_and_day_in_its_language() {
    for (highlight, note, place, day) in [
        (
            "- Your Highlight on page 123 | location 456-458 | Added on Monday, April 21, 2014 10:08:07 PM",
            "- Your Note on page 123 | location 458 | Added on Monday, April 21, 2014 10:08:30 PM",
            "p. 123",
            "2014-04-21",
        ),
        (
            "- Highlight Loc. 1456-58  | Added on Wednesday, May 04, 2011, 11:24 PM",
            "- Note Loc. 1458  | Added on Wednesday, May 04, 2011, 11:25 PM",
            "loc. 1456-58",
            "2011-05-04",
        ),
        (
            "- Your Highlight on Location 456-458 | Added on Sunday, 2 March 2025 08:00:00",
            "- Your Note on Location 458 | Added on Sunday, 2 March 2025 08:00:00",
            "loc. 456-458",
            "2025-03-02",
        ),
        (
            "- Ihre Markierung auf Seite 12 | bei Position 170-172 | Hinzugefügt am Dienstag, 3. März 2020 um 22:08:07 Uhr",
            "- Ihre Notiz auf Seite 12 | bei Position 172 | Hinzugefügt am Dienstag, 3. März 2020 um 22:09:07 Uhr",
            "p. 12",
            "2020-03-03",
        ),
        (
            "- Tu subrayado en la página 65 | posición 990-992 | Añadido el jueves, 1 de diciembre de 2016 23:52:36",
            "- Tu nota en la página 65 | posición 992 | Añadido el jueves, 1 de diciembre de 2016 23:53:36",
            "p. 65",
            "2016-12-01",
        ),
        (
            "- Votre surlignement à la page 9 | emplacement 64-66 | Ajouté le samedi 15 août 2015 14:10:02",
            "- Votre note à la page 9 | emplacement 66 | Ajouté le samedi 15 août 2015 14:11:02",
            "p. 9",
            "2015-08-15",
        ),
        (
            "- La tua evidenziazione a pagina 7 | posizione 100-101 | Aggiunto in data martedì 5 maggio 2020 09:01:02",
            "- La tua nota a pagina 7 | posizione 101 | Aggiunto in data martedì 5 maggio 2020 09:02:02",
            "p. 7",
            "2020-05-05",
        ),
        (
            "- Seu destaque na página 31 | posição 470-473 | Adicionado: sexta-feira, 6 de setembro de 2019 20:15:00",
            "- Sua nota na página 31 | posição 473 | Adicionado: sexta-feira, 6 de setembro de 2019 20:16:00",
            "p. 31",
            "2019-09-06",
        ),
        (
            "- 123ページ|位置No. 456-458のハイライト |作成日: 2014年4月21日月曜日 22:08:07",
            "- 123ページ|位置No. 458のメモ |作成日: 2014年4月21日月曜日 22:09:07",
            "p. 123",
            "2014-04-21",
        ),
    ] {
        let text = file(&[
            ("Trust (Diaz, Hernan)", highlight, "God is the most uninteresting answer."),
            ("Trust (Diaz, Hernan)", note, "Why?"),
        ]);
        let expected = ["God is the most uninteresting answer.", "Why?", place, day].map(str::to_owned);
        assert_eq!(shown(&text), [expected], "{highlight}");
    }
}

#[test]
fn the_last_brackets_of_the_first_line_have_the_author() {
    let at = "- Your Highlight on page 1 | Added on Monday, April 21, 2014 10:08:07 PM";
    for (line, title, author) in [
        ("Dune (Dune Chronicles, Book 1) (Herbert, Frank)", "Dune (Dune Chronicles, Book 1)", "Herbert, Frank"),
        ("Good Omens (Gaiman, Neil;Pratchett, Terry)", "Good Omens", "Gaiman, Neil;Pratchett, Terry"),
        ("Emma (Jane Austen (1775))", "Emma", "Jane Austen (1775)"),
        ("notes.pdf", "notes.pdf", ""),
        ("(Nobody)", "(Nobody)", ""),
        ("A) B)", "A) B)", ""),
    ] {
        let found = read(&file(&[(line, at, "Text")])).remove(0);
        assert_eq!((found.title.as_str(), found.author.as_str()), (title, author));
    }
}

#[test]
fn of_a_passage_that_was_changed_on_the_device_the_last_counts() {
    let at =
        |range: &str| format!("- Your Highlight on Location {range} | Added on Monday, April 21, 2014 10:08:07 PM");
    let (short, long, other) = (at("10-11"), at("10-13"), at("11-11"));
    let text = file(&[
        ("T (A)", &short, "One two"),
        ("T (A)", &other, "Unlike"),
        ("T (A)", &long, "One two three four"),
        ("U (A)", &short, "One two"),
        ("T (A)", "- Your Note on Location 13 | Added on x", "First thought"),
        ("T (A)", "- Your Note on Location 13 | Added on x", "Second thought"),
        ("T (A)", "- Your Note on Location 99 | Added on x", "A note alone"),
        ("T (A)", "- Your Bookmark on Location 12 | Added on x", ""),
        ("T (A)", &at("20-21"), "<You have reached the clipping limit for this item>"),
    ]);
    let found = read(&text);
    let texts: Vec<_> =
        found.iter().map(|one| (&*one.title, &*one.passage.text, one.passage.note.as_deref())).collect();
    let expected = [
        ("T", "One two three four", Some("Second thought")),
        ("T", "Unlike", None),
        ("T", "", Some("A note alone")),
        ("U", "One two", None),
    ];
    assert_eq!(texts, expected);
    assert_eq!(found[0].former, ["One two"]);
    let shortened = file(&[("T (A)", &long, "One two three four"), ("T (A)", &short, "One two")]);
    assert_eq!(read(&shortened)[0].passage.text, "One two");
}

#[test]
fn readwise_and_koreader_name_their_columns_and_keys() {
    let csv = "Highlight,Book Title,Book Author,Amazon Book ID,Note,Color,Tags,Location Type,Location,Highlighted at,Document tags\n\
        \"Fear, is\nthe mind-killer\",Dune,Frank Herbert,,Litany,yellow,,page,8,2021-03-04 05:06:07+00:00,\n\
        Spice,Dune,Frank Herbert,,,,,order,0,,\n";
    assert_eq!(
        shown(csv),
        [["Fear, is\nthe mind-killer", "Litany", "p. 8", "2021-03-04"], ["Spice", "", "", ""]]
            .map(|row| row.map(str::to_owned))
    );
    let book = r#"{"title": "Dune", "author": "Frank Herbert\nA. Other", "entries": [
        {"text": "Fear", "page": 8, "time": 1614834367, "note": "Litany", "chapter": "One", "sort": "highlight"},
        {"text": "Spice", "page": "xii"}, {"page": 3, "sort": "bookmark"}]}"#;
    let expected =
        [["Fear", "Litany", "p. 8", "2021-03-04"], ["Spice", "", "p. xii", ""]].map(|row| row.map(str::to_owned));
    assert_eq!(shown(book), expected);
    assert_eq!(shown(&format!(r#"{{"documents": [{book}], "version": "json/1.0.0"}}"#)), expected);
    assert_eq!(read(book)[0].author, "Frank Herbert; A. Other");
    assert_eq!(passages("{\"entries\": 5}", Program::KoReader, &Zone::or_utc(None)), None);
}

#[test]
fn what_is_too_long_is_cut() {
    let text = file(&[("T (A)", "- Your Highlight on page 1 | Added on x", &"ä".repeat(6_000))]);
    assert_eq!(read(&text)[0].passage.text.chars().count(), QUOTE_LENGTH);
}

#[test]
fn a_hostile_file_is_read_in_linear_time() {
    let block = |title: &str, range: &str, text: &str| format!("{title}\n- Note {range}\n\n{text}\n==========\n");
    let long = "x".repeat(10 << 20);
    let mut all_overlap = block("T (A)", "1-9", &"y".repeat(5_000)).replace("Note", "Your");
    (0..400_000).for_each(|number| all_overlap += &format!("T\n- 1-9\n\n{number}\n==========\n"));
    for text in [
        format!("{long}\n- a\n\nb\n=========="),
        format!("a\n- {long}\n\nb\n=========="),
        format!("T{}\n- a\n\nb\n==========", "(".repeat(10 << 20)),
        block("T", "1", "x") + &"\n==========".repeat(1_000_000),
        (0..400_000).fold(block("T", "1", "x"), |text, number| text + &block("T", &number.to_string(), "x")),
        all_overlap,
    ] {
        let start = Instant::now();
        read(&text);
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    }
}
