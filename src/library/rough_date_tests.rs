use chrono::TimeDelta;
use proptest::prelude::*;
use serde::Deserialize;

use super::*;
use crate::kit::time_zone::Zone;

/// The list that the form's tests read, too.
#[derive(Deserialize)]
struct Table {
    cases: Vec<Case>,
    #[serde(rename = "southernZones")]
    southern_zones: Vec<String>,
    #[serde(rename = "northernZones")]
    northern_zones: Vec<String>,
}

#[derive(Deserialize)]
struct Case {
    typed: String,
    #[serde(default)]
    south: bool,
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
    exported: Option<String>,
    refused: Option<String>,
}

fn table() -> Table {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/rough-dates.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn every_case_of_the_shared_table_is_read_as_it_says() {
    for case in table().cases {
        let hemisphere = if case.south { Hemisphere::South } else { Hemisphere::North };
        let read = RoughDate::parse(&case.typed, hemisphere).map_err(|refusal| refusal.to_string());
        match case.refused {
            Some(sentence) => assert_eq!(read, Err(sentence), "{}", case.typed),
            None => {
                let date = read.unwrap_or_else(|refusal| panic!("{}: {refusal}", case.typed));
                assert_eq!((date.from, Some(date.to)), (case.from, case.to), "{}", case.typed);
                assert_eq!(Some(date.exported()), case.exported, "{}", case.typed);
            }
        }
    }
}

#[test]
fn the_zones_of_the_shared_table_have_its_hemispheres() {
    let Table { southern_zones, northern_zones, .. } = table();
    for (zones, hemisphere) in [(southern_zones, Hemisphere::South), (northern_zones, Hemisphere::North)] {
        for zone in zones {
            assert_eq!(Zone::named(&zone).map(|zone| zone.hemisphere()), Some(hemisphere), "{zone}");
        }
    }
}

#[test]
fn year_and_month_are_known_when_both_ends_have_them() {
    for (typed, year, month) in [
        ("2021-03-14", Some(2021), Some(3)),
        ("2021-03", Some(2021), Some(3)),
        ("2021-03-05/2021-03-09", Some(2021), Some(3)),
        ("spring 2020", Some(2020), None),
        ("2019", Some(2019), None),
        ("winter 2019/20", None, None),
        ("2019-03/2020-03", None, None),
        ("before 2015", None, None),
    ] {
        let date = RoughDate::parse(typed, Hemisphere::North).unwrap();
        assert_eq!((date.year(), date.month()), (year, month), "{typed}");
    }
}

#[test]
fn two_ends_are_checked_like_a_text() {
    let day = |text: &str| text.parse::<NaiveDate>().unwrap();
    let between = |from, to| RoughDate::between(Some(day(from)), day(to));
    assert_eq!(between("2020-03-05", "2020-03-05"), Ok(RoughDate { from: None, to: day("2020-03-05") }));
    assert_eq!(between("2020-03-06", "2020-03-05"), Err(Refusal::Backwards));
    assert_eq!(between("1899-12-31", "1999-12-30"), Err(Refusal::Outside));
    assert_eq!(between("2090-01-01", "2101-01-01"), Err(Refusal::Outside));
    assert!(between("1901-01-01", "2000-12-31").is_ok());
    assert_eq!(between("1901-01-01", "2001-01-01"), Err(Refusal::TooLong));
    assert_eq!(between("1900-01-02", "2014-12-31"), Err(Refusal::TooLong));
    assert_eq!(between("1900-01-01", "2014-12-30"), Err(Refusal::TooLong));
    assert_eq!(between("1900-01-01", "2014-12-31").unwrap().exported(), "../2014");
}

/// Intervals as readers have them: between any two days, and of whole months and years.
fn interval() -> impl Strategy<Value = (NaiveDate, NaiveDate)> {
    let day = |days: i64| FIRST_DAY + TimeDelta::days(days);
    let days = (LAST_DAY - FIRST_DAY).num_days();
    let month = |number: i32| Part {
        month: Some(number.rem_euclid(12).unsigned_abs() + 1),
        ..Part::of_year(1900 + number / 12)
    };
    prop_oneof![
        (0..=days, 0..40_000_i64).prop_map(move |(from, length)| (day(from), day((from + length).min(days)))),
        (0..2412_i32, 0..36_i32).prop_map(move |(first, length)| {
            (month(first).first().unwrap(), month((first + length).min(2411)).last().unwrap())
        }),
        (1900..=2100_i32, 0..101_i32).prop_map(|(first, length)| {
            (Part::of_year(first).first().unwrap(), Part::of_year((first + length).min(2100)).last().unwrap())
        }),
        (1900..=2100_i32).prop_map(|year| (FIRST_DAY, Part::of_year(year).last().unwrap())),
    ]
}

proptest! {
    #[test]
    fn every_exported_form_is_read_again((from, to) in interval()) {
        if let Ok(date) = RoughDate::between(Some(from), to) {
            for hemisphere in Hemisphere::ALL {
                prop_assert_eq!(RoughDate::parse(&date.exported(), hemisphere), Ok(date), "{}", date.exported());
            }
        }
    }

    #[test]
    fn any_text_is_read_or_refused(typed in "[ -~–éİ]{0,24}|(before|winter|mar|2019|1990s|/|-| |\\.\\.){1,6}") {
        if let Ok(date) = RoughDate::parse(&typed, Hemisphere::South) {
            prop_assert_eq!(RoughDate::between(date.from, date.to), Ok(date));
        }
    }
}
