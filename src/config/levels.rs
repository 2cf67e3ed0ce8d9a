//! How much is logged, as `log_level` and `RUST_LOG` say it.
use tracing_subscriber::filter::{LevelFilter, ParseError, Targets};

/// Reads levels in the form `info` or `info,hyper=debug`. A word alone that is not a level is refused, too: the library takes it for
/// the name of a part, and would log that part alone.
pub fn read(text: &str) -> Result<Targets, String> {
    let mut words = text.split(',').map(str::trim).filter(|word| !word.contains('='));
    match words.find(|word| word.parse::<LevelFilter>().is_err()) {
        Some(word) if !text.is_empty() => Err(format!("`{word}` is not a level")),
        _ => text.parse().map_err(|cause: ParseError| cause.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_is_not_a_level_is_refused() {
        for text in ["info", "WARN", "off", "info,hyper=debug", "hyper=debug", ""] {
            assert!(read(text).is_ok(), "{text}");
        }
        for text in ["loud", "info,loud", "hyper=loud"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
