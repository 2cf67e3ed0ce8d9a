//! Fields of a request body that know whether they were sent, so that all invalid fields can be named in one response.
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};

use crate::kit::FieldErrors;

/// A field of a payload. Reading one never fails: a value of another type is [`PatchField::Wrong`], and the module's rules report
/// it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum PatchField<T> {
    /// The key is absent.
    #[default]
    Absent,
    /// The key is present with `null`.
    Null,
    /// A value of the right type.
    Value(T),
    /// A value of another type: text for a number, a fraction for an integer, an unknown word.
    Wrong,
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for PatchField<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        if value.is_null() {
            return Ok(Self::Null);
        }
        Ok(T::deserialize(value).map_or(Self::Wrong, Self::Value))
    }
}

impl<T> PatchField<T> {
    /// Whether the field has a value, right or wrong.
    pub fn is_given(&self) -> bool {
        matches!(self, Self::Value(_) | Self::Wrong)
    }

    /// Whether the key is present, with any value.
    pub fn is_there(&self) -> bool {
        !matches!(self, Self::Absent)
    }

    /// Treats `null` as absent, as in a payload that creates something.
    #[must_use]
    pub fn null_is_absent(self) -> Self {
        if matches!(self, Self::Null) { Self::Absent } else { self }
    }

    /// Sets a required value: absent leaves it; for `null` and a wrong type `sentence` is added to the errors.
    pub fn set(self, place: &mut T, errors: &mut FieldErrors, field: &str, sentence: &str) {
        match self {
            Self::Absent => {}
            Self::Value(value) => *place = value,
            Self::Null | Self::Wrong => errors.add(field, sentence),
        }
    }

    /// Sets an optional value: absent leaves it, `null` clears it; for a wrong type `sentence` is added to the errors.
    pub fn set_or_clear(self, place: &mut Option<T>, errors: &mut FieldErrors, field: &str, sentence: &str) {
        match self {
            Self::Absent => {}
            Self::Null => *place = None,
            Self::Value(value) => *place = Some(value),
            Self::Wrong => errors.add(field, sentence),
        }
    }

    /// The value, where the right type was sent; for a field whose rules give absent, `null` and wrong the same sentence.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Absent | Self::Null | Self::Wrong => None,
        }
    }

    /// The value of a change that keeps `before` where the field is absent; `None` where `null` or a wrong type was sent.
    pub fn or_before(self, before: Option<T>) -> Option<T> {
        match self {
            Self::Absent => before,
            sent => sent.value(),
        }
    }

    /// The value, where the field is given; a wrong type adds `sentence` to the errors. `null` counts as absent.
    pub fn checked(self, errors: &mut FieldErrors, field: &str, sentence: &str) -> Option<T> {
        if matches!(self, Self::Wrong) {
            errors.add(field, sentence);
        }
        self.value()
    }

    /// Converts the value, if there is one; `None` makes it wrong.
    pub fn and_then<U>(self, turn: impl FnOnce(T) -> Option<U>) -> PatchField<U> {
        match self {
            Self::Absent => PatchField::Absent,
            Self::Null => PatchField::Null,
            Self::Value(value) => turn(value).map_or(PatchField::Wrong, PatchField::Value),
            Self::Wrong => PatchField::Wrong,
        }
    }
}

impl<T: Default> PatchField<T> {
    /// Treats `null` as an empty list.
    #[must_use]
    pub fn null_is_empty(self) -> Self {
        if matches!(self, Self::Null) { Self::Value(T::default()) } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Body {
        number: PatchField<i64>,
    }

    fn number(json: &str) -> PatchField<i64> {
        serde_json::from_str::<Body>(json).unwrap().number
    }

    #[test]
    fn absent_null_right_and_wrong_are_distinguished() {
        assert_eq!(number("{}"), PatchField::Absent);
        assert_eq!(number(r#"{"number": null}"#), PatchField::Null);
        assert_eq!(number(r#"{"number": 7, "other": 1}"#), PatchField::Value(7));
        for wrong in ["7.5", "7.0", "\"7\"", "[7]", "true", "1e99", "99999999999999999999"] {
            assert_eq!(number(&format!(r#"{{"number": {wrong}}}"#)), PatchField::Wrong, "{wrong}");
        }
    }
}
