//! How settings are declared. Each setting is one line of a section, with a sentence above it for operators. From these lines come the
//! struct and its defaults, the keys of the file and the environment, `shelfwise config show`, `shelfwise settings`,
//! `config.example.toml`, and the table in `docs/operating.md`.
use std::collections::BTreeMap;
use std::sync::LazyLock;

use anyhow::Context as _;

use super::Config;
use super::media_server::MediaServer;
use super::social::Social;

/// A section of the settings file.
pub struct Section {
    /// What the section is about.
    pub about: &'static [&'static str],
    /// Its settings.
    pub settings: &'static [Setting],
    /// The sections below it.
    pub sections: &'static [(&'static str, &'static Section)],
}

/// A setting as it is declared.
pub struct Setting {
    /// Its name in its section.
    pub name: &'static str,
    /// What it does, in lines.
    pub sentence: &'static [&'static str],
    /// Its type.
    kind: &'static str,
    notes: &'static [(&'static str, &'static str)],
}

impl Setting {
    pub(super) const fn declared(
        name: &'static str,
        kind: &'static str,
        sentence: &'static [&'static str],
        notes: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self { name, sentence, kind, notes }
    }

    /// Whether operators can change it while the server runs.
    pub fn is_live(&self) -> bool {
        self.notes.iter().any(|(note, _)| *note == "live")
    }

    /// A value for the example, where the default says little.
    pub fn example(&self) -> Option<&'static str> {
        self.notes.iter().find(|(note, _)| *note == "example").map(|(_, value)| *value)
    }

    /// Whether its value is never shown.
    fn is_secret(&self) -> bool {
        self.kind.contains("Secret")
    }
}

/// Declares a section as a struct that is read from TOML. A line is `name: Type = default`, then `live` where operators can change the
/// setting while the server runs, and `example` with a value to show. `section name: Type` is a section below this one; the fields
/// behind `with` are no settings by themselves.
macro_rules! section {
    (
        $(#[doc = $about:literal])+
        $(#[derive($($derived:ident),+)])?
        $section:ident {
            $(
                $(#[doc = $sentence:literal])+
                $name:ident: $type:ty = $default:expr $(, $note:ident $($value:expr)?)*;
            )*
            $( section $inner:ident: $inner_type:ident; )*
            $( with $(#[$extra_attribute:meta])+ $extra:ident: $extra_type:ty; )*
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
        $(#[derive($($derived),+)])?
        #[serde(deny_unknown_fields, default)]
        pub struct $section {
            $( $(#[doc = $sentence])+ pub $name: $type, )*
            $( pub $inner: $inner_type, )*
            $( $(#[$extra_attribute])+ pub $extra: $extra_type, )*
        }

        impl Default for $section {
            fn default() -> Self {
                Self {
                    $( $name: $default, )*
                    $( $inner: Default::default(), )*
                    $( $extra: Default::default(), )*
                }
            }
        }

        impl $section {
            /// The section as it is declared.
            pub const SECTION: $crate::config::section::Section = $crate::config::section::Section {
                about: &[$($about),+],
                settings: &[$(
                    $crate::config::section::Setting::declared(
                        stringify!($name),
                        stringify!($type),
                        &[$($sentence),+],
                        &[$((stringify!($note), concat!($(stringify!($value))?))),*],
                    ),
                )*],
                sections: &[$((stringify!($inner), &$inner_type::SECTION)),*],
            };

            /// Takes over the settings of another section that `taken` says yes to. `path` is that of this section, with a dot.
            pub fn take(&mut self, other: &Self, path: &str, taken: &dyn Fn(&str) -> bool) {
                $( if taken(&format!("{path}{}", stringify!($name))) { self.$name.clone_from(&other.$name); } )*
                $( self.$inner.take(&other.$inner, &format!("{path}{}.", stringify!($inner)), taken); )*
            }
        }
    };
}
pub(super) use section;

/// Writes values as the texts that they are read from.
macro_rules! serialize_as_text {
    ($($type:ty),+) => { $(
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )+ };
}
pub(super) use serialize_as_text;

/// The sections below which operators name sections of their own.
pub const NAMED: [(&str, &Section); 2] = [("social", &Social::SECTION), ("sources", &MediaServer::SECTION)];

/// The longest name that an operator may give to a section, in characters.
pub const NAME_LENGTH: usize = 40;

/// Whether an operator may name a section so.
pub fn is_plain_name(name: &str) -> bool {
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    is_plain && (1..=NAME_LENGTH).contains(&name.len())
}

/// Every setting by its key, as in `backup.keep`, in the order of the declarations.
pub static SETTINGS: LazyLock<Vec<(String, &'static Setting)>> = LazyLock::new(|| {
    fn collect(path: &str, section: &'static Section, found: &mut Vec<(String, &'static Setting)>) {
        found.extend(section.settings.iter().map(|setting| (format!("{path}{}", setting.name), setting)));
        for (name, inner) in section.sections {
            collect(&format!("{path}{name}."), inner, found);
        }
    }
    let mut found = Vec::new();
    collect("", &Config::SECTION, &mut found);
    for (kind, section) in NAMED {
        collect(&format!("{kind}.<name>."), section, &mut found);
    }
    found
});

/// The keys of the settings that operators can change while the server runs.
pub static LIVE: LazyLock<Vec<&str>> =
    LazyLock::new(|| SETTINGS.iter().filter(|(_, setting)| setting.is_live()).map(|(key, _)| key.as_str()).collect());

/// The defaults by key, of the settings that have one.
static DEFAULTS: LazyLock<BTreeMap<String, toml::Value>> = LazyLock::new(|| {
    let mut all = as_table(&Config::default());
    for (kind, defaults) in [("social", as_table(&Social::default())), ("sources", as_table(&MediaServer::default()))] {
        all.insert(kind.to_owned(), toml::Table::from_iter([("<name>".to_owned(), defaults.into())]).into());
    }
    leaves(&all).into_iter().collect()
});

/// The declaration of a key; `None` where there is no such setting.
pub fn setting(key: &str) -> Option<&'static Setting> {
    let key = general(key);
    SETTINGS.iter().find(|(known, _)| *known == key).map(|(_, setting)| *setting)
}

/// The default of a key; `None` where the setting is unset by default.
pub fn default(key: &str) -> Option<&'static toml::Value> {
    DEFAULTS.get(&general(key))
}

/// Whether a setting is a secret.
pub fn is_secret(key: &str) -> bool {
    setting(key).is_some_and(Setting::is_secret)
}

/// A key with the name that an operator gave left open.
fn general(key: &str) -> String {
    let mut parts = key.splitn(3, '.');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(kind), Some(_), Some(name)) if NAMED.iter().any(|(known, _)| *known == kind) => {
            format!("{kind}.<name>.{name}")
        }
        _ => key.to_owned(),
    }
}

/// A value from a text of the environment or the command line: a number, a switch or a list where the default is one. `name` is named
/// when the text can't be one.
pub fn parse(key: &str, name: &str, text: &str) -> anyhow::Result<toml::Value> {
    Ok(match default(key) {
        Some(toml::Value::Integer(_)) => {
            text.trim().parse::<i64>().ok().with_context(|| format!("{name} must be a whole number"))?.into()
        }
        Some(toml::Value::Boolean(_)) => {
            text.trim().parse::<bool>().ok().with_context(|| format!("{name} must be true or false"))?.into()
        }
        Some(toml::Value::Array(_)) => {
            let entries = text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
            entries.map(toml::Value::from).collect::<Vec<_>>().into()
        }
        _ => text.into(),
    })
}

/// Settings as the table of a file, with secrets masked.
pub fn as_table(section: &impl serde::Serialize) -> toml::Table {
    // Every section is a struct of values that TOML knows; a test writes them all.
    toml::Table::try_from(section).unwrap_or_default()
}

/// Every value of a table with its key.
pub fn leaves(table: &toml::Table) -> Vec<(String, toml::Value)> {
    let below = |(key, value): (&String, &toml::Value)| match value {
        toml::Value::Table(inner) => {
            leaves(inner).into_iter().map(|(below, value)| (format!("{key}.{below}"), value)).collect()
        }
        value => vec![(key.clone(), value.clone())],
    };
    table.iter().flat_map(below).collect()
}

/// The table with these values.
pub fn table<'a>(values: impl IntoIterator<Item = (&'a String, &'a toml::Value)>) -> toml::Table {
    fn insert(table: &mut toml::Table, key: &str, value: &toml::Value) {
        let Some((section, below)) = key.split_once('.') else {
            table.insert(key.to_owned(), value.clone());
            return;
        };
        let inner = table.entry(section).or_insert_with(|| toml::Table::new().into());
        if let toml::Value::Table(inner) = inner {
            insert(inner, below, value);
        }
    }
    let mut table = toml::Table::new();
    values.into_iter().for_each(|(key, value)| insert(&mut table, key, value));
    table
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/config.example.toml");
    const OPERATING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/operating.md");
    /// The lines around the table in `docs/operating.md`.
    const TABLE: [&str; 2] = ["<!-- settings -->\n", "<!-- /settings -->\n"];

    /// Whether a key or a section is below one that an operator named.
    fn is_named(path: &str) -> bool {
        NAMED.iter().any(|(kind, _)| path.strip_prefix(kind).is_some_and(|rest| rest.starts_with('.')))
    }

    /// The section with its settings as an example file: defaults, and in comments what is not set or can change while the server runs,
    /// because a value in the file would fix it.
    fn write_example(text: &mut String, path: &str, section: &Section) {
        section.about.iter().for_each(|line| writeln!(text, "#{line}").unwrap());
        let is_example = is_named(path);
        if !path.is_empty() {
            writeln!(text, "{}[{path}]", if is_example { "# " } else { "" }).unwrap();
        }
        for setting in section.settings {
            let key = if path.is_empty() { setting.name.to_owned() } else { format!("{path}.{}", setting.name) };
            if path.is_empty() {
                text.push('\n');
            }
            setting.sentence.iter().for_each(|line| writeln!(text, "#{line}").unwrap());
            if setting.is_live() {
                text.push_str("# Operators can change this while the server runs.\n");
            }
            let default = default(&key).map(ToString::to_string);
            let is_comment = is_example || setting.is_live() || default.is_none();
            let value = setting.example().map(str::to_owned).or(default).unwrap_or_else(|| panic!("{key}"));
            writeln!(text, "{}{} = {value}", if is_comment { "# " } else { "" }, setting.name).unwrap();
        }
        for (name, inner) in section.sections {
            let path = if path.is_empty() { (*name).to_owned() } else { format!("{path}.{name}") };
            text.push('\n');
            write_example(text, &path, inner);
        }
        if path.is_empty() {
            for ((kind, section), name) in NAMED.iter().zip(["authelia", "home"]) {
                text.push('\n');
                write_example(text, &format!("{kind}.{name}"), section);
            }
        }
    }

    /// The settings that can change while the server runs, as a table in Markdown.
    fn live_table() -> String {
        let mut text = "| setting | default | |\n|---|---|---|\n".to_owned();
        for (key, setting) in SETTINGS.iter().filter(|(_, setting)| setting.is_live()) {
            let default = default(key).map_or_else(|| "none".to_owned(), |value| format!("`{value}`"));
            writeln!(text, "| `{key}` | {default} | {} |", setting.sentence.concat().trim()).unwrap();
        }
        text
    }

    #[test]
    fn the_example_and_the_table_are_what_the_code_says() {
        let mut example = String::new();
        write_example(&mut example, "", &Config::SECTION);
        let operating = std::fs::read_to_string(OPERATING).unwrap();
        let (before, rest) = operating.split_once(TABLE[0]).unwrap();
        let (_, after) = rest.split_once(TABLE[1]).unwrap();
        let table = [before, TABLE[0], &live_table(), TABLE[1], after].concat();
        if std::env::var_os("WRITE_SETTINGS").is_some() {
            std::fs::write(EXAMPLE, &example).unwrap();
            std::fs::write(OPERATING, &table).unwrap();
        }
        for (file, made) in [(EXAMPLE, example), (OPERATING, table)] {
            assert!(std::fs::read_to_string(file).unwrap() == made, "{file} differs: run `make settings`");
        }
    }

    #[test]
    fn the_example_is_valid_and_says_the_defaults_also_where_they_are_comments() {
        let example = std::fs::read_to_string(EXAMPLE).unwrap();
        assert_eq!(toml::from_str::<Config>(&example).unwrap(), Config::default());
        let is_setting = |line: &&str| line.contains(" = ") || line.starts_with('[');
        let all: Vec<_> =
            example.lines().map(|line| line.strip_prefix("# ").filter(is_setting).unwrap_or(line)).collect();
        let all: toml::Table = toml::from_str(&all.join("\n")).unwrap();
        for (key, value) in leaves(&all) {
            let read: Config = toml::Value::Table(table([(&key, &value)])).try_into().unwrap();
            assert!(is_named(&key) || read.value(&key).is_some(), "{key}");
        }
        assert_eq!(leaves(&all).len(), SETTINGS.len());
    }
}
