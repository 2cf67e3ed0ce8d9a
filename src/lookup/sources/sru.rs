//! National libraries over SRU: MARC 21 (DNB), UNIMARC (BnF), MODS (Library of Congress) and DC-NDL (National Diet Library).
use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization as _;

use super::{SourceRequest, address_below};
use crate::catalogue::genres;
use crate::config::lookup::Lookup;
use crate::library::languages;
use crate::lookup::clean;
use crate::lookup::model::{FoundBook, LookupQuery, LookupSource, MOST_RESULTS};

/// The most elements and texts of an answer.
const MOST_NODES: u32 = 500_000;
/// The deepest nesting of elements. Each level is searched again for elements in it, so the time grows with the square of the depth.
const DEEPEST: usize = 64;

/// The most attributes of an element. The parser compares each of them with all others.
const MOST_ATTRIBUTES: usize = 64;

/// The request that searches the catalogue of a library.
pub fn request(source: LookupSource, settings: &Lookup, query: &LookupQuery) -> Option<SourceRequest> {
    // A quotation mark would end the text of the query.
    let words = |words: &str| words.replace(['"', '\\'], " ");
    let (base, version, query, schema) = match (source, query) {
        (LookupSource::Dnb, LookupQuery::Isbn(isbn)) => {
            (&settings.dnb.url, "1.1", format!("isbn={isbn}"), "MARC21-xml")
        }
        (LookupSource::Dnb, LookupQuery::Words(text)) => {
            (&settings.dnb.url, "1.1", format!("woe=\"{}\"", words(text)), "MARC21-xml")
        }
        (LookupSource::Bnf, LookupQuery::Isbn(isbn)) => {
            (&settings.bnf.url, "1.2", format!("bib.isbn all \"{isbn}\""), "unimarcxchange")
        }
        (LookupSource::Bnf, LookupQuery::Words(text)) => {
            (&settings.bnf.url, "1.2", format!("bib.anywhere all \"{}\"", words(text)), "unimarcxchange")
        }
        (LookupSource::Loc, LookupQuery::Isbn(isbn)) => (&settings.loc.url, "1.1", format!("bath.isbn={isbn}"), "mods"),
        (LookupSource::Loc, LookupQuery::Words(text)) => {
            (&settings.loc.url, "1.1", format!("cql.anywhere all \"{}\"", words(text)), "mods")
        }
        (LookupSource::Ndl, LookupQuery::Isbn(isbn)) => (&settings.ndl.url, "1.2", format!("isbn={isbn}"), "dcndl_v3"),
        (LookupSource::Ndl, LookupQuery::Words(text)) => {
            (&settings.ndl.url, "1.2", format!("anywhere=\"{}\"", words(text)), "dcndl_v3")
        }
        _ => return None,
    };
    let most = MOST_RESULTS.to_string();
    let packing = if source == LookupSource::Ndl { vec![("recordPacking", "xml")] } else { Vec::new() };
    let mut parameters = vec![
        ("version", version),
        ("operation", "searchRetrieve"),
        ("query", query.as_str()),
        ("recordSchema", schema),
        ("maximumRecords", &most),
    ];
    parameters.extend(packing);
    address_below(base, "", &parameters).map(SourceRequest::get)
}

pub fn parse_response(source: LookupSource, query: &LookupQuery, body: &[u8]) -> Option<Vec<FoundBook>> {
    let text = std::str::from_utf8(body).ok().filter(|text| most_attributes(text) <= MOST_ATTRIBUTES)?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let answer = Document::parse_with_options(text, options).ok()?;
    let is_too_deep = answer.descendants().any(|node| node.ancestors().nth(DEEPEST).is_some());
    if answer.root_element().tag_name().name() != "searchRetrieveResponse" || is_too_deep {
        return None;
    }
    let records = all(answer.root_element(), "recordData");
    let found = records.filter_map(|record| {
        let facts = match source {
            LookupSource::Bnf => unimarc(record),
            LookupSource::Loc => mods(record),
            LookupSource::Ndl => dcndl(record),
            _ => marc21(record),
        };
        book(source, query, facts)
    });
    Some(found.take(MOST_RESULTS).collect())
}

/// The number of attributes of the element that has the most.
fn most_attributes(xml: &str) -> usize {
    const NO_ELEMENTS: [(&str, &str); 3] = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
    let (mut rest, mut most) = (xml, 0);
    while let Some(at) = rest.find('<') {
        rest = &rest[at..];
        if let Some((start, end)) = NO_ELEMENTS.into_iter().find(|(start, _)| rest.starts_with(start)) {
            let length = rest[start.len()..].find(end);
            rest = length.map_or("", |length| &rest[start.len() + length..]);
            continue;
        }
        let (mut quote, mut values) = (None, 0);
        let tag_end = rest.bytes().position(|byte| {
            match (quote, byte) {
                (None, b'>') => return true,
                (None, b'"' | b'\'') => (quote, values) = (Some(byte), values + 1),
                (Some(open), byte) if byte == open => quote = None,
                _ => {}
            }
            false
        });
        most = most.max(values);
        rest = tag_end.map_or("", |end| &rest[end..]);
    }
    most
}

/// What a record says, as texts.
#[derive(Default)]
struct Facts {
    title: String,
    /// Names, the family's first where the record has them so.
    authors: Vec<String>,
    pages: Option<String>,
    isbns: Vec<String>,
    publisher: Option<String>,
    published: Option<String>,
    language: Option<String>,
    subjects: Vec<String>,
}

fn book(source: LookupSource, query: &LookupQuery, facts: Facts) -> Option<FoundBook> {
    let title = clean::title(&Value::from(tidy(&facts.title)))?;
    let pages = facts.pages.as_deref().and_then(pages);
    let authors: Vec<String> = facts.authors.iter().map(|name| forwards(name)).collect();
    let isbns = || facts.isbns.iter().filter_map(|text| text.split([' ', '(']).next());
    let isbn = match query {
        LookupQuery::Isbn(isbn) if !clean::is_about(isbn, isbns()) => return None,
        LookupQuery::Isbn(isbn) => Some(isbn.clone()),
        LookupQuery::Words(_) => clean::isbn(isbns()),
    };
    Some(FoundBook {
        isbn,
        publisher: facts.publisher.and_then(|name| clean::publisher(&Value::from(tidy(&name)))),
        published: facts.published.as_deref().and_then(clean::published),
        language: facts.language.as_deref().and_then(languages::of_code),
        genres: genres::most_frequent(facts.subjects.iter().map(String::as_str)),
        ..FoundBook::new(source.name(), title, clean::authors(authors.iter().map(String::as_str)), pages)
    })
}

/// Pages of a description of an edition: `412 Seiten`, `1 vol. (264 p.)`, `xii, 264 p.`, `351p ; 19cm`.
fn pages(text: &str) -> Option<i64> {
    const WORDS: [&str; 8] = ["p", "pp", "pg", "page", "pages", "s", "seite", "seiten"];
    const MARKS: [&str; 2] = ["頁", "ページ"];
    let lower = text.to_lowercase();
    let mut rest = lower.as_str();
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits: String = rest[at..].chars().take_while(char::is_ascii_digit).collect();
        rest = &rest[at + digits.len()..];
        let unit = rest.trim_start();
        // The scripts of East Asia follow without a blank.
        let word = unit.split(|c: char| !c.is_alphabetic() || c >= '\u{2e80}').next().unwrap_or_default();
        if WORDS.contains(&word) || MARKS.iter().any(|mark| unit.starts_with(mark)) {
            return clean::pages(&Value::from(digits));
        }
    }
    None
}

/// "Butler, Octavia E." as "Octavia E. Butler", without dates.
fn forwards(name: &str) -> String {
    let name = tidy(name);
    let parts: Vec<&str> = name.split(',').map(str::trim).collect();
    match parts.as_slice() {
        [family, given, ..] if !given.is_empty() && !given.starts_with(|c: char| c.is_ascii_digit()) => {
            // Chinese, Japanese and Korean names have the family first.
            let is_eastern = family.starts_with(|c: char| ('\u{2e80}'..='\u{d7af}').contains(&c));
            if is_eastern { format!("{family} {given}") } else { format!("{given} {family}") }
        }
        [family, ..] => (*family).to_owned(),
        [] => String::new(),
    }
}

/// Without the marks of librarians: non-sorting characters, and punctuation at the end. Composed, as a keyboard types it.
fn tidy(text: &str) -> String {
    let shown: String = text.nfc().filter(|c| !matches!(c, '\u{98}' | '\u{9c}' | '\u{88}' | '\u{89}')).collect();
    shown
        .trim()
        .trim_end_matches([' ', '/', ':', ';', ',', '='])
        .trim_start_matches('[')
        .trim_end_matches(']')
        .to_owned()
}

/// The elements of a name below a node, whatever their namespace.
fn all<'a, 'input>(node: Node<'a, 'input>, name: &'static str) -> impl Iterator<Item = Node<'a, 'input>> {
    node.descendants().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// All text below a node.
fn text_of(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|text| text.text()).collect::<String>().trim().to_owned()
}

/// The texts of a subfield in every field of a tag.
fn subfields(record: Node<'_, '_>, tag: &'static str, code: &'static str) -> Vec<String> {
    let fields = all(record, "datafield").filter(move |field| field.attribute("tag") == Some(tag));
    let found = fields.flat_map(move |field| {
        let parts = all(field, "subfield").filter(move |part| part.attribute("code") == Some(code));
        parts.map(text_of).collect::<Vec<_>>()
    });
    found.collect()
}

fn first(record: Node<'_, '_>, places: &[(&'static str, &'static str)]) -> Option<String> {
    places.iter().find_map(|(tag, code)| subfields(record, tag, code).into_iter().find(|text| !text.is_empty()))
}

fn marc21(record: Node<'_, '_>) -> Facts {
    let mut authors = subfields(record, "100", "a");
    authors.extend(co_authors(record, "700", "4", &["aut"]));
    Facts {
        title: first(record, &[("245", "a")]).unwrap_or_default(),
        authors,
        pages: first(record, &[("300", "a")]),
        isbns: [subfields(record, "020", "a"), subfields(record, "020", "9")].concat(),
        publisher: first(record, &[("264", "b"), ("260", "b")]),
        published: first(record, &[("264", "c"), ("260", "c")]),
        language: first(record, &[("041", "a")]),
        subjects: [subfields(record, "650", "a"), subfields(record, "655", "a"), subfields(record, "689", "a")]
            .concat(),
    }
}

/// Names in further fields whose role is that of an author.
fn co_authors(record: Node<'_, '_>, tag: &'static str, code: &str, roles: &[&str]) -> Vec<String> {
    let of = |field: Node<'_, '_>, code: &str| {
        all(field, "subfield").find(|part| part.attribute("code") == Some(code)).map(text_of)
    };
    let fields = all(record, "datafield").filter(move |field| field.attribute("tag") == Some(tag));
    fields
        .filter(|field| of(*field, code).is_some_and(|role| roles.contains(&role.as_str())))
        .filter_map(|field| of(field, "a"))
        .collect()
}

fn unimarc(record: Node<'_, '_>) -> Facts {
    let names = |tag: &'static str| {
        let fields = all(record, "datafield").filter(move |field| field.attribute("tag") == Some(tag));
        let part = |field: Node<'_, '_>, code: &str| {
            all(field, "subfield").find(|part| part.attribute("code") == Some(code)).map(text_of)
        };
        let named = fields.filter_map(move |field| {
            let family = part(field, "a")?;
            Some(part(field, "b").map_or(family.clone(), |given| format!("{family}, {given}")))
        });
        named.collect::<Vec<_>>()
    };
    Facts {
        title: first(record, &[("200", "a")]).unwrap_or_default(),
        authors: [names("700"), names("701")].concat(),
        pages: first(record, &[("215", "a")]),
        isbns: [subfields(record, "010", "a"), subfields(record, "073", "a")].concat(),
        publisher: first(record, &[("210", "c"), ("214", "c"), ("219", "c")]),
        published: first(record, &[("210", "d"), ("214", "d"), ("219", "d")]),
        language: first(record, &[("101", "a")]),
        subjects: [subfields(record, "606", "a"), subfields(record, "608", "a")].concat(),
    }
}

/// The first text of an element below a node.
fn child_text(node: Node<'_, '_>, name: &'static str) -> Option<String> {
    all(node, name).map(text_of).find(|text| !text.is_empty())
}

fn mods(record: Node<'_, '_>) -> Facts {
    // A series or another edition inside the record has a title of its own.
    let own = |name: &'static str| {
        all(record, name).filter(|node| !node.ancestors().any(|above| above.tag_name().name() == "relatedItem"))
    };
    let title = own("titleInfo").find(|node| node.attribute("type").is_none());
    let full = title.map(|node| {
        let start = child_text(node, "nonSort").map(|start| format!("{} ", start.trim())).unwrap_or_default();
        format!("{start}{}", child_text(node, "title").unwrap_or_default())
    });
    let people = own("name").filter(|node| node.attribute("type") == Some("personal"));
    let is_author = |node: &Node<'_, '_>| {
        let roles: Vec<String> = all(*node, "roleTerm").map(text_of).collect();
        roles.is_empty() || roles.iter().any(|role| matches!(role.trim_end_matches('.'), "aut" | "author" | "creator"))
    };
    let names = people
        .filter(is_author)
        .filter_map(|node| all(node, "namePart").find(|part| part.attribute("type") != Some("date")).map(text_of));
    Facts {
        title: full.unwrap_or_default(),
        authors: names.collect(),
        pages: own("extent").map(text_of).next(),
        isbns: own("identifier").filter(|node| node.attribute("type") == Some("isbn")).map(text_of).collect(),
        publisher: own("publisher").map(text_of).next(),
        published: own("dateIssued").map(text_of).next(),
        language: own("languageTerm").filter(|node| node.attribute("type") != Some("text")).map(text_of).next(),
        subjects: own("topic").chain(own("genre")).map(text_of).collect(),
    }
}

fn dcndl(record: Node<'_, '_>) -> Facts {
    let value = |name: &'static str| {
        all(record, name).find_map(|node| child_text(node, "value").or_else(|| Some(text_of(node))))
    };
    // The same persons stand a second time as plain texts, with their parts.
    let agents: Vec<String> = all(record, "creator").filter_map(|node| child_text(node, "name")).collect();
    let plain = || all(record, "creator").map(text_of).filter(|name| !name.is_empty()).collect();
    let is_isbn = |node: &Node<'_, '_>| {
        let kind = node.attributes().find(|attribute| attribute.name() == "datatype");
        kind.is_none_or(|kind| kind.value().ends_with("/ISBN"))
    };
    Facts {
        title: value("title").unwrap_or_default(),
        authors: if agents.is_empty() { plain() } else { agents },
        pages: child_text(record, "extent"),
        isbns: all(record, "identifier").filter(is_isbn).map(text_of).collect(),
        publisher: all(record, "publisher").find_map(|node| child_text(node, "name").or_else(|| Some(text_of(node)))),
        published: child_text(record, "issued").or_else(|| child_text(record, "date")),
        language: child_text(record, "language"),
        subjects: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(record: &str) -> String {
        format!(
            "<?xml version=\"1.0\"?><searchRetrieveResponse xmlns=\"http://www.loc.gov/zing/srw/\"><numberOfRecords>1</numberOfRecords>\
             <records><record><recordData>{record}</recordData></record></records></searchRetrieveResponse>"
        )
    }

    fn one(source: LookupSource, record: &str) -> FoundBook {
        let found = parse_response(source, &LookupQuery::parse("x"), answer(record).as_bytes()).unwrap();
        found.into_iter().next().unwrap()
    }

    #[test]
    fn an_element_with_thousands_of_attributes_is_refused_before_it_is_parsed() {
        let attributes = |count: usize| (0..count).map(|n| format!(" a{n}='>'")).collect::<String>();
        let answer = |count| {
            format!(
                "<?xml version='1.0'?><!-- it's \" --><searchRetrieveResponse><r{}/><s>'a' = \"b\"</s></searchRetrieveResponse>",
                attributes(count)
            )
        };
        assert_eq!([0, 3, 64, 65].map(|count| most_attributes(&answer(count))), [0, 3, 64, 65]);
        let query = LookupQuery::parse("kindred");
        assert!(parse_response(LookupSource::Dnb, &query, answer(64).as_bytes()).is_some());
        assert!(parse_response(LookupSource::Dnb, &query, answer(100_000).as_bytes()).is_none());
        assert_eq!(most_attributes("<a b='"), 1);
    }

    #[test]
    fn pages_are_the_number_before_a_word_for_pages() {
        for (text, expected) in [
            ("412 Seiten", Some(412)),
            ("1 Band, 412 S.", Some(412)),
            ("1 vol. (264 p.)", Some(264)),
            ("xii, 264 p., 8 plates", Some(264)),
            ("351p ; 19cm", Some(351)),
            ("351p図版", Some(351)),
            ("264頁", Some(264)),
            ("264 ページ", Some(264)),
            ("1 online resource (310 pages)", Some(310)),
            ("1 score (24 p.)", Some(24)),
            ("1 score", None),
            ("2 sheets", None),
            ("3 parts", None),
            ("2 Schallplatten", None),
            ("264", None),
        ] {
            assert_eq!(pages(text), expected, "{text}");
        }
    }

    #[test]
    fn marc_21_of_the_german_national_library_is_read() {
        let book = one(
            LookupSource::Dnb,
            "<record xmlns=\"http://www.loc.gov/MARC21/slim\"><datafield tag=\"020\"><subfield code=\"a\">9783522202589</subfield></datafield>\
            <datafield tag=\"041\"><subfield code=\"a\">ger</subfield></datafield>\
            <datafield tag=\"100\"><subfield code=\"a\">Ende, Michael</subfield></datafield>\
            <datafield tag=\"700\"><subfield code=\"a\">Quadflieg, Roswitha</subfield><subfield code=\"4\">ill</subfield></datafield>\
            <datafield tag=\"245\"><subfield code=\"a\">\u{98}Die\u{9c} unendliche Geschichte /</subfield></datafield>\
            <datafield tag=\"264\"><subfield code=\"b\">Thienemann</subfield><subfield code=\"c\">[2019]</subfield></datafield>\
            <datafield tag=\"300\"><subfield code=\"a\">1 Band, 412 Seiten</subfield></datafield></record>",
        );
        assert_eq!(
            (book.title.as_str(), book.authors.as_slice()),
            ("Die unendliche Geschichte", &["Michael Ende".to_owned()][..])
        );
        assert_eq!(
            (book.pages, book.isbn.as_deref(), book.language.as_deref()),
            (Some(412), Some("9783522202589"), Some("de"))
        );
        assert_eq!((book.publisher.as_deref(), book.published.as_deref()), (Some("Thienemann"), Some("2019")));
    }

    #[test]
    fn unimarc_of_the_national_library_of_france_is_read() {
        let book = one(
            LookupSource::Bnf,
            "<mxc:record xmlns:mxc=\"info:lc/xmlns/marcxchange-v2\"><mxc:datafield tag=\"200\"><mxc:subfield code=\"a\">L'e\u{301}tranger</mxc:subfield></mxc:datafield>\
            <mxc:datafield tag=\"700\"><mxc:subfield code=\"a\">Camus</mxc:subfield><mxc:subfield code=\"b\">Albert</mxc:subfield></mxc:datafield>\
            <mxc:datafield tag=\"215\"><mxc:subfield code=\"a\">1 vol. (184 p.)</mxc:subfield></mxc:datafield>\
            <mxc:datafield tag=\"101\"><mxc:subfield code=\"a\">fre</mxc:subfield></mxc:datafield></mxc:record>",
        );
        assert_eq!((book.title.as_str(), book.authors[0].as_str()), ("L'étranger", "Albert Camus"));
        assert_eq!((book.pages, book.language.as_deref()), (Some(184), Some("fr")));
    }

    #[test]
    fn mods_of_the_library_of_congress_is_read() {
        let book = one(
            LookupSource::Loc,
            "<mods xmlns=\"http://www.loc.gov/mods/v3\"><titleInfo><nonSort>The </nonSort><title>dispossessed</title></titleInfo>\
            <name type=\"personal\"><namePart>Le Guin, Ursula K.,</namePart><namePart type=\"date\">1929-</namePart><role><roleTerm type=\"text\">creator</roleTerm></role></name>\
            <originInfo><publisher>Harper &amp; Row</publisher><dateIssued>1974</dateIssued></originInfo><language><languageTerm type=\"code\">eng</languageTerm></language>\
            <physicalDescription><extent>341 p. ; 22 cm.</extent></physicalDescription><genre>Science fiction</genre>\
            <relatedItem><titleInfo><title>Series</title></titleInfo></relatedItem></mods>",
        );
        assert_eq!((book.title.as_str(), book.authors[0].as_str()), ("The dispossessed", "Ursula K. Le Guin"));
        assert_eq!(
            (book.pages, book.publisher.as_deref(), book.genres[0].as_str()),
            (Some(341), Some("Harper & Row"), "Science Fiction")
        );
    }

    #[test]
    fn dc_ndl_of_the_national_diet_library_is_read() {
        let book = one(
            LookupSource::Ndl,
            "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:dcterms=\"http://purl.org/dc/terms/\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:foaf=\"http://xmlns.com/foaf/0.1/\">\
            <dcterms:identifier rdf:datatype=\"http://ndl.go.jp/dcndl/terms/JPNO\">20667205</dcterms:identifier>\
            <dcterms:identifier rdf:datatype=\"http://ndl.go.jp/dcndl/terms/ISBN\">4-06-274868-1</dcterms:identifier>\
            <dcterms:title>ノルウェイの森</dcterms:title><dcterms:creator><foaf:Agent><foaf:name>村上, 春樹, 1949-</foaf:name></foaf:Agent></dcterms:creator>\
            <dc:creator>村上春樹 著</dc:creator>\
            <dcterms:issued>2004</dcterms:issued><dcterms:extent>302p ; 15cm</dcterms:extent><dcterms:language>jpn</dcterms:language></rdf:RDF>",
        );
        assert_eq!(
            (book.title.as_str(), book.pages, book.language.as_deref()),
            ("ノルウェイの森", Some(302), Some("ja"))
        );
        assert_eq!(book.published.as_deref(), Some("2004"));
        assert_eq!(
            (book.authors.as_slice(), book.isbn.as_deref()),
            (&["村上 春樹".to_owned()][..], Some("9784062748681"))
        );
    }

    #[test]
    fn entities_pages_and_deep_answers_are_refused() {
        let query = LookupQuery::parse("x");
        for wrong in [
            "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\">]><searchRetrieveResponse>&a;</searchRetrieveResponse>",
            "<!doctype html><html></html>",
            "<html/>",
            "",
            "\u{0}",
        ] {
            assert!(parse_response(LookupSource::Dnb, &query, wrong.as_bytes()).is_none(), "{wrong}");
        }
        assert!(parse_response(LookupSource::Dnb, &query, b"<searchRetrieveResponse/>").unwrap().is_empty());
        for (source, element) in
            [(LookupSource::Dnb, "datafield"), (LookupSource::Loc, "titleInfo"), (LookupSource::Ndl, "recordData")]
        {
            let nested = |depth: usize| {
                answer(&format!("{}x{}", format!("<{element}>").repeat(depth), format!("</{element}>").repeat(depth)))
            };
            assert!(parse_response(source, &query, nested(DEEPEST - 8).as_bytes()).is_some());
            assert!(parse_response(source, &query, nested(DEEPEST).as_bytes()).is_none());
            assert!(parse_response(source, &query, nested(70_000).as_bytes()).is_none(), "within the time of a test");
        }
    }
}
