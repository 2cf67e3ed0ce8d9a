//! Names of devices for people, derived from a user agent: for the list of sessions and the operator's statistics.
use std::sync::LazyLock;

use woothee::parser::{Parser, WootheeResult};

/// A kind of device, a browser and a system, each from a short list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Device {
    /// `desktop`, `mobile`, `tablet`, `e-reader`, `bot` or `other`.
    pub device_type: &'static str,
    /// The browser's name, or `other`.
    pub browser: &'static str,
    /// The system's name, or `other`.
    pub os: &'static str,
}

const BROWSERS: [&str; 9] =
    ["Chrome", "Edge", "Firefox", "Internet Explorer", "Opera", "Safari", "SamsungBrowser", "Vivaldi", "Webview"];
const OTHER: &str = "other";

static PARSER: LazyLock<Parser> = LazyLock::new(Parser::new);

/// The device of a user agent. Values that are not on the lists become `other`, so that nobody can invent devices.
pub fn device(user_agent: &str) -> Device {
    let Some(found) = PARSER.parse(user_agent) else {
        return Device { device_type: kind(user_agent, OTHER), browser: OTHER, os: OTHER };
    };
    let browser = BROWSERS.into_iter().find(|name| *name == found.name).unwrap_or(OTHER);
    let os = match found.os {
        "Mac OSX" => "macOS",
        "iPad" => "iPadOS",
        "iPhone" | "iPod" | "iOS" => "iOS",
        "Android" => "Android",
        "Linux" => "Linux",
        "ChromeOS" => "ChromeOS",
        "BSD" => "BSD",
        windows if windows.starts_with("Windows") => "Windows",
        _ => OTHER,
    };
    Device { device_type: kind(user_agent, found.category), browser, os }
}

/// The parser classifies tablets and e-readers as smartphones or computers. An iPad names itself; an Android tablet does not
/// contain `Mobile`. (An iPad that requests desktop sites claims to be a Mac and can't be distinguished from one.)
fn kind(user_agent: &str, category: &str) -> &'static str {
    let says = |word: &str| user_agent.contains(word);
    match category {
        "crawler" => "bot",
        _ if says("Kindle/") || says("Kobo") || says("PocketBook") => "e-reader",
        _ if says("iPad") || says("Tablet") || (says("Android") && !says("Mobile")) => "tablet",
        "pc" => "desktop",
        "smartphone" | "mobilephone" => "mobile",
        _ => OTHER,
    }
}

/// The device of a session, for example "Firefox on Windows". A script is named by the first word of its user agent ("curl").
pub fn describe(user_agent: &str) -> String {
    let known = PARSER.parse(user_agent).filter(|found| found.name != UNKNOWN && !found.os.starts_with(UNKNOWN));
    known.map_or_else(
        || script(user_agent),
        |found: WootheeResult<'_>| format!("{} on {}", browser(found.name), system(found.os)),
    )
}

const UNKNOWN: &str = "UNKNOWN";

fn browser(name: &str) -> &str {
    match name {
        "Internet Explorer" | "Safari" | "Firefox" | "Chrome" | "Edge" | "Opera" => name,
        "Webview" => "An app",
        other => other,
    }
}

/// The system's name as people know it. The version of Windows is frozen in user agents, so it is left out.
fn system(os: &str) -> &str {
    match os {
        "Mac OSX" => "macOS",
        "ChromeOS" => "ChromeOS",
        phone if phone.starts_with("Windows Phone") => "Windows Phone",
        windows if windows.starts_with("Windows") => "Windows",
        other => other,
    }
}

/// The first word of a user agent, without its version.
fn script(user_agent: &str) -> String {
    let word = user_agent.split(['/', ' ']).next().unwrap_or_default();
    let plain = !word.is_empty() && word != "Mozilla" && word.chars().all(|c| c.is_ascii_graphic());
    if plain { word.chars().take(40).collect() } else { "An unknown device".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tablets_are_distinguished_from_telephones_and_unknown_agents_make_no_devices_of_their_own() {
        for (agent, parts) in [
            (
                "Mozilla/5.0 (iPad; CPU OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1",
                ["tablet", "Safari", "iPadOS"],
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
                ["mobile", "Safari", "iOS"],
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36",
                ["mobile", "Chrome", "Android"],
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
                ["tablet", "Chrome", "Android"],
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", ["desktop", "Firefox", "Linux"]),
            (
                "Mozilla/5.0 (X11; U; Linux armv7l like Android; en-us) AppleWebKit/531.2+ (KHTML, like Gecko) Version/5.0 Safari/533.2+ Kindle/3.0+",
                ["e-reader", "Safari", "Android"],
            ),
            ("curl/8.5.0", ["other", "other", "other"]),
            ("somebody's own words", ["other", "other", "other"]),
        ] {
            let found = device(agent);
            assert_eq!([found.device_type, found.browser, found.os], parts, "{agent}");
        }
    }

    #[test]
    fn browsers_and_systems_are_called_as_people_call_them() {
        for (agent, device) in [
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
                "Chrome on Linux",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
                "Safari on macOS",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
                "Safari on iPhone",
            ),
            (
                "Mozilla/5.0 (iPad; CPU OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1",
                "Safari on iPad",
            ),
            (
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            ("Mozilla/5.0 (Android 14; Mobile; rv:139.0) Gecko/139.0 Firefox/139.0", "Firefox on Android"),
            (
                "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
                "Chrome on ChromeOS",
            ),
            ("curl/8.5.0", "curl"),
            ("python-requests/2.32", "python-requests"),
            ("", "An unknown device"),
            ("Mozilla/5.0", "An unknown device"),
            ("\u{202e}evil", "An unknown device"),
        ] {
            assert_eq!(describe(agent), device, "{agent}");
        }
    }
}
