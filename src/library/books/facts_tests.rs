use super::*;

fn complaint(mut facts: BookFacts) -> Vec<String> {
    let mut errors = FieldErrors::new();
    facts.check(&mut errors);
    errors.iter().map(|(field, _)| field.to_owned()).collect()
}

fn person(name: impl Into<String>) -> Contributor {
    Contributor { name: name.into(), role: ContributorRole::Other }
}

fn series(name: &str, number: Option<&str>) -> Option<Series> {
    Some(Series { name: name.to_owned(), number: number.map(str::to_owned) })
}

#[test]
fn facts_are_trimmed_and_blank_ones_are_none() {
    let mut facts = BookFacts {
        contributors: vec![person(" Ann "), person(" ")],
        series: series(" The Expanse ", Some(" ")),
        tags: vec![" owned".into(), "Owned".into(), String::new()],
        publisher: Some("  ".into()),
        published: Some(" 2011-06 ".into()),
        original_year: Some(-800),
        language: Some("PT-br".into()),
        private: false,
    };
    let mut errors = FieldErrors::new();
    facts.check(&mut errors);
    assert!(errors.is_empty(), "{errors:?}");
    assert_eq!(facts.contributors, [person("Ann")]);
    assert_eq!((facts.series, facts.tags), (series("The Expanse", None), vec!["owned".to_owned()]));
    assert_eq!((facts.publisher, facts.published.as_deref()), (None, Some("2011-06")));
    assert_eq!(facts.language.as_deref(), Some("pt-BR"));
}

#[test]
fn each_fact_has_its_limit() {
    let long = |length: usize| "x".repeat(length);
    assert_eq!(complaint(BookFacts { contributors: vec![person("a"); 51], ..BookFacts::default() }), ["contributors"]);
    assert_eq!(
        complaint(BookFacts { contributors: vec![person(long(501))], ..BookFacts::default() }),
        ["contributors"]
    );
    assert_eq!(
        complaint(BookFacts { contributors: vec![person("a\u{1f}b")], ..BookFacts::default() }),
        ["contributors"]
    );
    assert_eq!(complaint(BookFacts { series: series(" ", None), ..BookFacts::default() }), ["series"]);
    assert_eq!(complaint(BookFacts { series: series(&long(201), None), ..BookFacts::default() }), ["series"]);
    assert_eq!(complaint(BookFacts { series: series("a", Some(&long(21))), ..BookFacts::default() }), ["series"]);
    assert!(complaint(BookFacts { series: series(&long(200), Some(&long(20))), ..BookFacts::default() }).is_empty());
    assert_eq!(
        complaint(BookFacts { tags: (0..51).map(|at| at.to_string()).collect(), ..BookFacts::default() }),
        ["tags"]
    );
    assert_eq!(complaint(BookFacts { tags: vec![long(101)], ..BookFacts::default() }), ["tags"]);
    assert_eq!(complaint(BookFacts { tags: vec!["a,b".into()], ..BookFacts::default() }), ["tags"]);
    assert_eq!(complaint(BookFacts { publisher: Some(long(201)), ..BookFacts::default() }), ["publisher"]);
    for year in [-3_001, 2_101] {
        assert_eq!(complaint(BookFacts { original_year: Some(year), ..BookFacts::default() }), ["originalYear"]);
    }
    for text in ["19", "2019-13", "2019-02-30", "2101", "0000", "March 2019", "2019/03"] {
        assert_eq!(
            complaint(BookFacts { published: Some(text.into()), ..BookFacts::default() }),
            ["published"],
            "{text}"
        );
    }
    for text in ["e", "english language", "en_US", "-en", "en-", "en-toolongpart", "日本"] {
        assert_eq!(
            complaint(BookFacts { language: Some(text.into()), ..BookFacts::default() }),
            ["language"],
            "{text}"
        );
    }
}

#[test]
fn language_tags_have_one_case() {
    for (typed, tag) in [("EN", "en"), ("zh-hANS", "zh-Hans"), ("sr-latn-rs", "sr-Latn-RS"), ("en-x-US", "en-x-us")] {
        assert_eq!(language_tag(typed).as_deref(), Some(tag));
    }
}

#[test]
fn numbers_in_a_series_sort_as_numbers() {
    for (number, sort) in [("8", Some(8_000)), ("0.5", Some(500)), ("1.125", Some(1_125)), ("10", Some(10_000))] {
        assert_eq!(series_sort(number), sort, "{number}");
    }
    for other in ["1-3", "", ".5", "1.", "1.1234", "-1", "1e3", "VIII", "1234567890", "１"] {
        assert_eq!(series_sort(other), None, "{other}");
    }
}
