//! Lengths in time and places in them, written h:mm.

/// The minutes of a time written h:mm, `12:30`; `None` for any other text.
pub fn minutes(text: &str) -> Option<i64> {
    let (hours, rest) = text.trim().split_once(':')?;
    let is_number =
        |part: &str, longest| (1..=longest).contains(&part.len()) && part.bytes().all(|c| c.is_ascii_digit());
    if !is_number(hours, 4) || rest.len() != 2 || !is_number(rest, 2) {
        return None;
    }
    let (hours, rest): (i64, i64) = (hours.parse().ok()?, rest.parse().ok()?);
    (rest < 60).then_some(hours * 60 + rest)
}

/// Minutes written h:mm.
pub fn written(minutes: i64) -> String {
    format!("{}:{:02}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_hours_and_two_digits_of_minutes() {
        for (text, meant) in [("3:20", Some(200)), ("0:05", Some(5)), (" 12:30 ", Some(750)), ("1000:00", Some(60_000))]
        {
            assert_eq!(minutes(text), meant, "{text}");
            assert_eq!(meant.map(written).as_deref(), Some(text.trim()));
        }
        for wrong in ["", "3", "3:2", "3:60", "3:020", ":20", "-1:20", "3:20:10", "12345:00", "3h20"] {
            assert_eq!(minutes(wrong), None, "{wrong}");
        }
    }
}
