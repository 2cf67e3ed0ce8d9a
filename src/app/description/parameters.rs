//! What the parameters in the paths of calls mean.
use utoipa::openapi::RefOr;
use utoipa::openapi::path::{Operation, Parameter};

/// The path up to and including a parameter, and what the parameter is.
const IN_PATHS: &[(&str, &str)] = &[
    ("/api/account/export/{format}", "The program that will read the file."),
    ("/api/account/identities/{provider}", "The provider's id."),
    ("/api/account/tokens/{id}", "The token's id."),
    ("/api/admin/invitations/{id}", "The invitation's id."),
    ("/api/admin/users/{id}", "The account's id."),
    ("/api/auth/oauth/{provider}", "The provider's id."),
    ("/api/auth/password-reset/{token}", "The token in the link."),
    ("/api/auth/sessions/{id}", "The session's id."),
    ("/api/books/{id}", "The book's id."),
    ("/api/books/{id}/days/{day}", "The day of reading, yyyy-MM-dd."),
    ("/api/covers/{id}", "The number in the cover's `url`."),
    ("/api/devices/{id}", "The device's id."),
    ("/api/documents/{id}", "The document's id."),
    ("/api/goals/{period}", "A year or a month: 2026 or 2026-11."),
    ("/api/goals/{period}/{metric}", "The unit that the goal counts."),
    ("/api/imports/{id}", "The import's id."),
    ("/api/invitations/{token}", "The token in the link."),
    ("/api/operations/{id}", "The operation's id."),
    ("/api/series/{name}", "The name of the series, regardless of case."),
    ("/api/setup/{code}", "The code that the server printed at its first start."),
    ("/api/shares/{id}", "The link's id."),
    ("/api/sources/{name}", "The name of the media server in the settings."),
    ("/api/tags/{name}", "The tag, regardless of case."),
    ("/api/tbr/{id}", "The item's id."),
    ("/api/teams/challenges/{id}", "The challenge's id."),
    ("/api/teams/invitations/{id}", "The invitation's id."),
    ("/api/teams/members/{userId}", "The account's id."),
    ("/api/views/{name}", "The view's name."),
    ("/api/works/{work}", "The id of the work, which is that of its first read."),
    ("/s/{token}", "The token in the link."),
    ("/s/{token}/covers/{id}", "The number in the cover's address."),
];

/// Describes the parameters in the path of a call.
pub fn describe(path: &str, call: &mut Operation) {
    for parameter in call.parameters.iter_mut().flatten() {
        let RefOr::T(Parameter { name, description, .. }) = parameter else { continue };
        let end = format!("/{{{name}}}");
        let meaning = IN_PATHS.iter().find(|(prefix, _)| prefix.ends_with(&end) && path.starts_with(prefix));
        if let Some((_, meaning)) = meaning {
            description.get_or_insert_with(|| (*meaning).to_owned());
        }
    }
}
