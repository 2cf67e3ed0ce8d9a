//! The browser and system of a user agent, in words for a list of sessions.

/// What a session runs on, for example "Firefox on Windows". A script is called by its own first word ("curl").
pub fn describe(user_agent: &str) -> String {
    let parser = woothee::parser::Parser::new();
    let known = parser.parse(user_agent).filter(|found| found.name != UNKNOWN && !found.os.starts_with(UNKNOWN));
    match known {
        Some(found) => format!("{} on {}", browser(found.name), system(found.os)),
        None => script(user_agent),
    }
}

const UNKNOWN: &str = "UNKNOWN";

fn browser(name: &str) -> &str {
    match name {
        "Internet Explorer" | "Safari" | "Firefox" | "Chrome" | "Edge" | "Opera" => name,
        "Webview" => "An app",
        other => other,
    }
}

/// Names as people know them; the version of Windows is frozen in user agents and says nothing.
fn system(os: &str) -> &str {
    match os {
        "Mac OSX" => "macOS",
        "ChromeOS" => "ChromeOS",
        phone if phone.starts_with("Windows Phone") => "Windows Phone",
        windows if windows.starts_with("Windows") => "Windows",
        other => other,
    }
}

/// The first word of a user agent without its version.
fn script(user_agent: &str) -> String {
    let word = user_agent.split(['/', ' ']).next().unwrap_or_default();
    let plain = !word.is_empty() && word != "Mozilla" && word.chars().all(|c| c.is_ascii_graphic());
    if plain { word.chars().take(40).collect() } else { "An unknown device".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

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
