//! Settings that must not be visible in any output.
use std::fmt;
use std::path::Path;

use anyhow::{Context as _, bail};
use serde::Deserialize;

/// A setting that never appears in logs, errors or debug output.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// The secret itself.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Reads a setting from the file that is named in its place, without surrounding white space.
    ///
    /// # Errors
    /// A sentence that names the key when both are set, or the file when it can't be read or is empty.
    pub(super) fn fill(setting: &mut Option<Self>, key: &str, file: Option<&Path>) -> anyhow::Result<()> {
        let Some(file) = file else { return Ok(()) };
        if setting.is_some() {
            bail!("{key} and {key}_file are both set; one of them is enough");
        }
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("{key}_file names {}, which can't be read", file.display()))?;
        if text.trim().is_empty() {
            bail!("{key}_file names {}, which is empty", file.display());
        }
        *setting = Some(Self(text.trim().to_owned()));
        Ok(())
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(***)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_comes_from_its_file_trimmed_and_never_from_both() {
        let folder = tempfile::tempdir().unwrap();
        let (file, empty) = (folder.path().join("secret"), folder.path().join("empty"));
        std::fs::write(&file, "  hunter2 hunter2\n").unwrap();
        std::fs::write(&empty, "\n").unwrap();
        let mut setting = None;
        Secret::fill(&mut setting, "mail.url", Some(&file)).unwrap();
        assert_eq!(setting.as_ref().unwrap().expose(), "hunter2 hunter2");
        assert!(!format!("{setting:?}").contains("hunter2"));
        let twice = Secret::fill(&mut setting, "mail.url", Some(&file)).unwrap_err().to_string();
        assert!(twice.contains("mail.url and mail.url_file"), "{twice}");
        for wrong in [empty, folder.path().join("missing")] {
            let error = Secret::fill(&mut None, "mail.url", Some(&wrong)).unwrap_err().to_string();
            assert!(error.contains("mail.url_file") && error.contains(&wrong.display().to_string()), "{error}");
        }
    }
}
