//! Settings from environment variables: `SHELFWISE_`, section and key, in capitals and joined by `_`.
use std::collections::BTreeSet;

use anyhow::bail;

use super::section::{self, NAMED, SETTINGS, Section};

/// The prefix of every variable of Shelfwise.
const PREFIX: &str = "SHELFWISE_";

/// A variable's name, the setting's key, and the value.
type Variable = (String, String, toml::Value);

/// Reads the settings among environment variables. `sections` are those that operators named in the config file (`social.authelia`), whose
/// spelling is used. Returns the settings, and the names of variables that a container platform set.
///
/// # Errors
/// A sentence that names the variable: it is not a setting, or its value has the wrong type.
pub(super) fn read(
    variables: &[(String, String)],
    sections: &BTreeSet<String>,
) -> anyhow::Result<(Vec<Variable>, Vec<String>)> {
    let (mut found, mut ignored) = (Vec::new(), Vec::new());
    for (name, value) in variables {
        let Some(rest) = name.strip_prefix(PREFIX) else { continue };
        // Docker's link has the name of a setting; its value is a path.
        let key = key(rest, sections).filter(|key| !(key == "name" && value.starts_with('/')));
        match key {
            Some(key) => found.push((name.clone(), key.clone(), section::parse(&key, name, value)?)),
            None if is_service_link(rest, value) => ignored.push(name.clone()),
            None if rest == "PORT" => bail!(
                "the environment variable {name} is not a setting of Shelfwise; the port is part of SHELFWISE_LISTEN, as in 0.0.0.0:8080"
            ),
            None => bail!("the environment variable {name} is not a setting of Shelfwise"),
        }
    }
    Ok((found, ignored))
}

/// The key that a variable sets. `SOCIAL_GOOGLE_CLIENT_ID` is one of `[social.google]`; sections of the file match regardless of case,
/// with `_` for `-`.
fn key(rest: &str, sections: &BTreeSet<String>) -> Option<String> {
    if let Some((key, _)) = SETTINGS.iter().find(|(key, _)| key.replace('.', "_").to_uppercase() == rest) {
        return Some(key.clone());
    }
    NAMED.iter().find_map(|(kind, section)| named_key(rest, kind, section, sections))
}

/// A key of a section that an operator named.
fn named_key(rest: &str, kind: &str, declared: &Section, sections: &BTreeSet<String>) -> Option<String> {
    let rest = rest.strip_prefix(&kind.to_uppercase())?.strip_prefix('_')?;
    let rest = Some(rest).filter(|rest| *rest == rest.to_uppercase())?.to_lowercase();
    let names = declared.settings.iter().map(|setting| setting.name);
    // The longest name: none ends with `x_client_secret_file`, but one added later could end with `x_name`.
    let (section, name) = names
        .filter_map(|name| Some((rest.strip_suffix(name)?.strip_suffix('_')?, name)))
        .max_by_key(|(_, name)| name.len())
        .filter(|(section, _)| !section.is_empty())?;
    let mut known = sections.iter().filter_map(|known| known.strip_prefix(kind)?.strip_prefix('.'));
    let section = known.find(|known| known.to_ascii_lowercase().replace('-', "_") == section).unwrap_or(section);
    Some(format!("{kind}.{section}.{name}"))
}

/// Whether a variable was set by Kubernetes for a service, or by Docker for a link, whose name is `shelfwise` or begins with
/// `shelfwise-`: `SHELFWISE_SERVICE_HOST`, `SHELFWISE_PORT=tcp://10.0.0.1:8080`, `SHELFWISE_PORT_8080_TCP_ADDR`.
fn is_service_link(rest: &str, value: &str) -> bool {
    const PROTOCOLS: [&str; 3] = ["TCP", "UDP", "SCTP"];
    let ends = |ending: &str| rest == ending || rest.ends_with(&format!("_{ending}"));
    let numeric = || !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    if ends("SERVICE_HOST") {
        return true;
    }
    if (rest.starts_with("SERVICE_PORT") || rest.contains("_SERVICE_PORT")) && numeric() {
        return true;
    }
    let parts: Vec<&str> = rest.split('_').collect();
    // `PORT_<number>_<protocol>`, alone or followed by one word.
    let of_port = parts.windows(3).enumerate().any(|(at, window)| {
        let number = !window[1].is_empty() && window[1].bytes().all(|byte| byte.is_ascii_digit());
        let ending = &parts[at + 3..];
        let known = ending.is_empty() || matches!(ending, ["PROTO" | "PORT" | "ADDR" | "START" | "END"]);
        window[0] == "PORT" && number && PROTOCOLS.contains(&window[2]) && known
    });
    let is_address = ["tcp://", "udp://", "sctp://"].iter().any(|scheme| value.starts_with(scheme));
    let of_docker = rest.starts_with("ENV_") || (ends("NAME") && value.starts_with('/'));
    of_port || (ends("PORT") && is_address) || of_docker
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_one(name: &str, value: &str) -> anyhow::Result<(Vec<Variable>, Vec<String>)> {
        read(&[(name.to_owned(), value.to_owned())], &BTreeSet::new())
    }

    #[test]
    fn variables_of_kubernetes_and_docker_are_passed_over_and_mistakes_are_not() {
        for (name, value) in [
            ("SHELFWISE_SERVICE_HOST", "10.0.0.1"),
            ("SHELFWISE_SERVICE_PORT", "8080"),
            ("SHELFWISE_SERVICE_PORT_HTTP", "8080"),
            ("SHELFWISE_PORT", "tcp://10.0.0.1:8080"),
            ("SHELFWISE_PORT_8080_TCP", "tcp://10.0.0.1:8080"),
            ("SHELFWISE_PORT_8080_TCP_PROTO", "tcp"),
            ("SHELFWISE_PORT_8080_TCP_PORT", "8080"),
            ("SHELFWISE_PORT_8080_TCP_ADDR", "10.0.0.1"),
            ("SHELFWISE_PORT_53_UDP", "udp://10.0.0.1:53"),
            ("SHELFWISE_WEB_SERVICE_HOST", "10.0.0.1"),
            ("SHELFWISE_WEB_PORT_80_TCP_ADDR", "10.0.0.1"),
            ("SHELFWISE_WEB_PORT", "tcp://10.0.0.1:80"),
            ("SHELFWISE_ENV_PATH", "/usr/bin"),
            ("SHELFWISE_NAME", "/proxy/shelfwise"),
        ] {
            let (found, ignored) = read_one(name, value).unwrap();
            assert_eq!((found.len(), ignored), (0, vec![name.to_owned()]), "{name}");
        }
        for (name, value) in [
            ("SHELFWISE_PORT", "8080"),
            ("SHELFWISE_PORT_8080", "x"),
            ("SHELFWISE_SERVICE", "x"),
            ("SHELFWISE_SERVICE_PORT", "open"),
            ("SHELFWISE_NAMES", "/x"),
            ("SHELFWISE_LISTEN_PORT", "8080"),
            ("SHELFWISE_BOOK_LIMT", "3"),
            ("SHELFWISE_book_limit", "3"),
        ] {
            let error = read_one(name, value).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
        }
        assert!(read_one("SHELFWISE_PORT", "8080").unwrap_err().to_string().contains("SHELFWISE_LISTEN"));
    }

    #[test]
    fn a_section_is_spelled_as_the_file_spells_it() {
        let sections = BTreeSet::from(["social.my-IDP".to_owned()]);
        let variables = [("SHELFWISE_SOCIAL_MY_IDP_CLIENT_ID".to_owned(), "x".to_owned())];
        let (found, _) = read(&variables, &sections).unwrap();
        assert_eq!(found[0].1, "social.my-IDP.client_id");
    }

    #[test]
    fn a_providers_groups_are_a_list_and_its_switches_are_true_or_false() {
        let one = |name: &str, value: &str| read_one(name, value).map(|(found, _)| found[0].2.clone());
        let groups = one("SHELFWISE_SOCIAL_HOME_ALLOWED_GROUPS", "family, friends of friends,").unwrap();
        assert_eq!(groups, toml::Value::from(vec!["family", "friends of friends"]));
        assert_eq!(one("SHELFWISE_SOCIAL_HOME_MATCH_EMAIL", "true").unwrap(), toml::Value::from(true));
        let wrong = one("SHELFWISE_SOCIAL_HOME_MATCH_EMAIL", "yes").unwrap_err().to_string();
        assert!(wrong.contains("SHELFWISE_SOCIAL_HOME_MATCH_EMAIL"), "{wrong}");
    }
}
