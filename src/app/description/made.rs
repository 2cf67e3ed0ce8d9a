//! Makes the API description from the code, and adds what all calls have in common.

use axum::http::{Method, StatusCode};
use serde_json::Value;
use utoipa::openapi::path::{Operation, Parameter, PathItem};
use utoipa::openapi::schema::{ArrayItems, Components, Schema};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{Content, OpenApi as Description, Ref, RefOr, Response};
use utoipa::{Modify, OpenApi};

use super::parameters;
use crate::access::TokenAccess;
use crate::account::Social;
use crate::admin::Activity;
use crate::app::calls;
use crate::config::Config;
use crate::kit::error::ErrorBody;
use crate::kit::http::csrf;
use crate::kit::http::extract::IDEMPOTENCY_KEY;
use crate::library::books::facts::TAG_LENGTH;
use crate::library::books::model::{GENRE_LENGTH, NAME_LENGTH};
use crate::library::books::passages::QUOTE_LENGTH;
use crate::lookup::Lookup;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Shelfwise",
        description = "A reading tracker that a person can host. Log in for a session cookie, or send an API token as \
            `Authorization: Bearer`. Every error is `{error, code}`, and `fields` beside them names what was invalid."
    ),
    components(schemas(ErrorBody)),
    modifiers(&WaysIn),
    security((), ("session" = []), ("token" = []))
)]
struct About;

/// The description of every call, from the code.
fn made() -> Description {
    let mut made = About::openapi();
    let social = Social::of(&Config::default());
    made.merge(calls(&Activity::default(), &social, &Lookup::default()).into_openapi());
    complete(&mut made);
    made
}

/// The authentication schemes.
struct WaysIn;

impl Modify for WaysIn {
    fn modify(&self, description: &mut Description) {
        let components = description.components.get_or_insert_default();
        let session = ApiKey::Cookie(ApiKeyValue::new("shelfwise_session"));
        components.add_security_scheme("session", SecurityScheme::ApiKey(session));
        components.add_security_scheme("token", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    }
}

/// Adds the error responses of the outer layers to every call, a body to every error, and a description to every other response.
/// Removes defaults that are only Serde's way to read an absent field.
fn complete(description: &mut Description) {
    let components = description.components.get_or_insert_default();
    components.schemas.values_mut().for_each(without_empty_defaults);
    limit_items(components, "BookFields", "genres", GENRE_LENGTH);
    limit_items(components, "BookFields", "quotes", QUOTE_LENGTH);
    limit_items(components, "BookFields", "authors", NAME_LENGTH);
    limit_items(components, "BookFields", "tags", TAG_LENGTH);
    limit_items(components, "TbrItemFields", "tags", TAG_LENGTH);
    let shared = &mut components.responses;
    for (path, item) in &mut description.paths.paths {
        for (method, call) in methods(item) {
            parameters::describe(path, call);
            for status in common(&method, path, call) {
                call.responses
                    .responses
                    .entry(status.as_str().to_owned())
                    .or_insert_with(|| Response::default().into());
            }
            for (status, response) in &mut call.responses.responses {
                let Ok(status) = status.parse::<StatusCode>() else { continue };
                if is_bare(response) && (status.is_client_error() || status.is_server_error()) {
                    let name = status.canonical_reason().unwrap_or("Failure").replace(' ', "");
                    shared.entry(name.clone()).or_insert_with(|| failure(status).into());
                    *response = Ref::from_response_name(name).into();
                } else if let RefOr::T(response) = response
                    && response.description.is_empty()
                {
                    status.canonical_reason().unwrap_or("Answered").clone_into(&mut response.description);
                }
            }
        }
    }
}

/// States the longest text of a list, in characters.
fn limit_items(components: &mut Components, schema: &str, field: &str, longest: usize) {
    if let Some(RefOr::T(Schema::Object(object))) = components.schemas.get_mut(schema)
        && let Some(RefOr::T(Schema::Array(list))) = object.properties.get_mut(field)
        && let ArrayItems::RefOrSchema(item) = &mut list.items
        && let RefOr::T(Schema::Object(text)) = &mut **item
    {
        text.max_length = Some(longest);
    }
}

/// Removes the defaults `null` and `""` from the fields of a schema: they mean "absent", and some contradict their own schema
/// (`minLength`).
fn without_empty_defaults(schema: &mut RefOr<Schema>) {
    let RefOr::T(schema) = schema else { return };
    match schema {
        Schema::Object(object) => object.properties.values_mut().for_each(|field| match field {
            RefOr::Ref(field) => drop_if_empty(&mut field.default),
            RefOr::T(Schema::Object(field)) => drop_if_empty(&mut field.default),
            RefOr::T(Schema::OneOf(field)) => drop_if_empty(&mut field.default),
            RefOr::T(Schema::AllOf(field)) => drop_if_empty(&mut field.default),
            RefOr::T(Schema::Array(field)) => drop_if_empty(&mut field.default),
            _ => {}
        }),
        Schema::AllOf(parts) => parts.items.iter_mut().for_each(without_empty_defaults),
        Schema::OneOf(parts) => parts.items.iter_mut().for_each(without_empty_defaults),
        _ => {}
    }
}

fn drop_if_empty(default: &mut Option<Value>) {
    if default.as_ref().is_some_and(|default| default.is_null() || default == "") {
        *default = None;
    }
}

/// Whether a call has no description of its own for a response.
fn is_bare(response: &RefOr<Response>) -> bool {
    matches!(response, RefOr::T(response) if response.description.is_empty() && response.content.is_empty())
}

/// The error response of a status, the same for every call.
fn failure(status: StatusCode) -> Response {
    let mut failure = Response::new(status.canonical_reason().unwrap_or_default());
    let body = Content::new(Some(Ref::from_schema_name("Error")));
    failure.content.insert("application/json".to_owned(), body.into());
    failure
}

fn methods(item: &mut PathItem) -> impl Iterator<Item = (Method, &mut Operation)> {
    [
        (Method::GET, &mut item.get),
        (Method::POST, &mut item.post),
        (Method::PUT, &mut item.put),
        (Method::PATCH, &mut item.patch),
        (Method::DELETE, &mut item.delete),
    ]
    .into_iter()
    .filter_map(|(method, call)| Some((method, call.as_mut()?)))
}

/// The error responses that a call may have because of its kind: behind a session, changing data, with a body.
fn common(method: &Method, path: &str, call: &Operation) -> Vec<StatusCode> {
    let mut common = Vec::new();
    let answers = |status: StatusCode| call.responses.responses.contains_key(status.as_str());
    let writes = !csrf::is_safe(method);
    let foreign = writes && !csrf::may_come_from_other_sites(path);
    if path.starts_with("/api/") && !csrf::may_come_from_other_sites(path) {
        common.push(StatusCode::MISDIRECTED_REQUEST);
    }
    if path.starts_with("/api/") {
        // `too_many_at_once` and `busy`.
        common.extend([StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE]);
    }
    if answers(StatusCode::UNAUTHORIZED) && path.starts_with("/api/") {
        // `other_account`.
        common.push(StatusCode::CONFLICT);
    }
    let token = answers(StatusCode::UNAUTHORIZED) && TokenAccess::Read.admit(method, path).is_err();
    if foreign || token {
        common.push(StatusCode::FORBIDDEN);
    }
    let named = |parameter: &RefOr<Parameter>| matches!(parameter, RefOr::T(it) if it.name == IDEMPOTENCY_KEY);
    if call.parameters.iter().flatten().any(named) {
        common.extend([StatusCode::BAD_REQUEST, StatusCode::UNPROCESSABLE_ENTITY]);
    }
    if let Some(RefOr::T(body)) = &call.request_body {
        common.extend([StatusCode::BAD_REQUEST, StatusCode::PAYLOAD_TOO_LARGE]);
        // Requests from other servers are read in any form.
        if foreign {
            common.push(StatusCode::UNSUPPORTED_MEDIA_TYPE);
        }
        if foreign && body.content.contains_key("application/json") {
            common.push(StatusCode::UNPROCESSABLE_ENTITY);
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use serde_json::{Value, json};

    use super::made;

    fn described() -> Value {
        serde_json::to_value(made()).unwrap()
    }

    fn calls(description: &Value) -> Vec<(String, &Value)> {
        let paths = description["paths"].as_object().unwrap().iter();
        let named = paths.flat_map(|(path, calls)| {
            calls.as_object().unwrap().iter().map(move |(method, call)| (format!("{method} {path}"), call))
        });
        named.collect()
    }

    #[test]
    fn the_description_is_what_the_code_says() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/app/description/openapi.json");
        let said = made().to_pretty_json().unwrap() + "\n";
        if std::env::var_os("WRITE_DESCRIPTION").is_some() {
            std::fs::write(file, &said).unwrap();
        }
        let written = std::fs::read_to_string(file).unwrap();
        assert!(written == said, "{file} differs from the code: run 'make types'");
    }

    #[test]
    fn every_failure_of_every_call_has_the_error_body() {
        let description = described();
        let body = json!({"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}});
        for (name, call) in calls(&description) {
            for (status, answer) in call["responses"].as_object().unwrap() {
                let shared = answer["$ref"].as_str().map(|to| description.pointer(&to[1..]).unwrap());
                let content = &shared.unwrap_or(answer)["content"];
                // Monitors read sentences there, and no code.
                let is_health = name == "get /healthz" && status == "503";
                // A page for people.
                let is_page = name == "get /s/{token}";
                let is_other = is_health || is_page;
                assert!(!status.starts_with(['4', '5']) || *content == body || is_other, "{name} {status}: {answer}");
            }
        }
    }

    #[test]
    fn every_call_with_a_body_describes_a_body_that_is_not_json() {
        let description = described();
        let mut taking = 0;
        for (name, call) in calls(&description) {
            if !call["requestBody"]["content"]["application/json"].is_null() && !name.ends_with("/webhook") {
                taking += 1;
                for status in ["400", "403", "413", "415", "422"] {
                    assert!(call["responses"][status].is_object(), "{name} does not document {status}");
                }
            }
        }
        assert!(taking > 20);
    }

    #[test]
    fn every_call_of_the_api_may_be_refused_by_a_budget() {
        let description = described();
        for (name, call) in calls(&description).into_iter().filter(|(name, _)| name.contains(" /api/")) {
            for status in ["429", "503"] {
                assert!(call["responses"][status].is_object(), "{name} does not describe {status}");
            }
        }
    }

    #[test]
    fn an_archive_is_described_as_a_file() {
        let description = described();
        let answer = &description["paths"]["/api/account/export"]["get"]["responses"]["200"];
        let schema = &answer["content"]["application/zip"]["schema"];
        assert_eq!((&schema["type"], &schema["format"]), (&json!("string"), &json!("binary")));
    }

    #[test]
    fn every_call_has_an_id_of_its_own_that_begins_with_a_verb_and_every_answer_a_description() {
        let description = described();
        let mut ids = HashSet::new();
        for (name, call) in calls(&description) {
            let id = call["operationId"].as_str().unwrap();
            assert!(ids.insert(id), "{name}: the id {id} is another call's");
            let words = id.chars().filter(|character| character.is_ascii_uppercase()).count();
            assert!(
                words >= 1 && id.chars().all(|character| character.is_ascii_alphanumeric()),
                "{name}: {id} is not verbNoun"
            );
            for (status, answer) in call["responses"].as_object().unwrap() {
                let described = answer["description"].as_str().is_some_and(|text| !text.is_empty());
                assert!(described || answer["$ref"].is_string(), "{name} {status} has no description");
            }
        }
    }

    /// Whether a schema says what it is, or names one that does.
    fn is_described(schema: &Value) -> bool {
        let parts = ["allOf", "oneOf"].into_iter().filter_map(|of| schema[of].as_array()).flatten();
        schema["$ref"].is_string() || schema["description"].is_string() || parts.into_iter().any(is_described)
    }

    fn check_fields(name: &str, schema: &Value) {
        for (field, schema) in schema["properties"].as_object().into_iter().flatten() {
            assert!(is_described(schema), "{name}.{field} has no description");
        }
        for of in ["allOf", "oneOf"] {
            schema[of].as_array().into_iter().flatten().for_each(|part| check_fields(name, part));
        }
    }

    #[test]
    fn every_schema_field_and_parameter_has_a_description_for_readers_of_the_api() {
        let description = described();
        for (name, schema) in description["components"]["schemas"].as_object().unwrap() {
            assert!(schema["description"].is_string(), "{name} has no description");
            check_fields(name, schema);
        }
        for (name, call) in calls(&description) {
            for parameter in call["parameters"].as_array().into_iter().flatten() {
                let said = parameter["description"].as_str().unwrap_or_default();
                assert!(!said.is_empty(), "{name}: the parameter {} has no description", parameter["name"]);
            }
        }
        let text = description.to_string();
        assert!(!text.contains("[`"), "a description has a link that only rustdoc understands");
    }

    #[test]
    fn no_default_is_one_that_its_own_schema_refuses() {
        for (name, schema) in described()["components"]["schemas"].as_object().unwrap() {
            for (field, schema) in schema["properties"].as_object().into_iter().flatten() {
                let default = &schema["default"];
                let empty = schema.get("default").is_some() && (default.is_null() || default == "");
                assert!(!empty, "{name}.{field} has the default {default}");
            }
        }
    }

    /// The derive takes no constants, so each limit stands once more in an attribute; this holds it to the constant.
    #[test]
    fn the_limits_of_requests_are_those_that_the_program_checks() {
        use crate::account::password::{LONGEST as LONGEST_PASSWORD, SHORTEST as SHORTEST_PASSWORD};
        use crate::account::{model::LONGEST_NAME, tokens};
        use crate::devices::audiobookshelf::KEY_LENGTH;
        use crate::devices::model as devices;
        use crate::kit::mail::address::LONGEST as LONGEST_EMAIL;
        use crate::library::books::authors::MOST_AUTHORS;
        use crate::library::books::facts::{
            FIRST_YEAR, LAST_YEAR, MOST_CONTRIBUTORS, MOST_TAGS, PUBLISHER_LENGTH, SERIES_LENGTH, TAG_LENGTH,
        };
        use crate::library::books::log::{MOST_MINUTES, NOTE_LENGTH, WHOLE};
        use crate::library::books::model::{
            BEST_RATING, GENRE_LENGTH, IMPRESSIONS_LENGTH, LONGEST_MINUTES, MOST_GENRES, MOST_PAGES, MOST_WORDS,
            NAME_LENGTH,
        };
        use crate::library::books::passages::{self, MOST_QUOTES, PLACE_LENGTH, QUOTE_LENGTH};
        use crate::library::covers::model::{MOST_HEIGHT, MOST_WIDTH};
        use crate::library::tags::model::ICON_LENGTH;
        use crate::library::views::model as views;
        use crate::reading::forecast::FARTHEST;
        use crate::reading::goals::model::GoalMetric;
        use crate::statistics::challenges::model::HIGHEST_TARGET;
        use crate::teams::model::{LONGEST_NAME as LONGEST_TEAM_NAME, MOST_ADDON_SEATS};

        let email = json!({"minLength": 3, "maxLength": LONGEST_EMAIL});
        let password = json!({"minLength": SHORTEST_PASSWORD, "maxLength": LONGEST_PASSWORD});
        let text = |most: usize| json!({"minLength": 1, "maxLength": most});
        let range = |least: i64, most: i64| json!({"minimum": least, "maximum": most});
        let expected = json!({
            "AccountUpdate": {"displayName": text(LONGEST_NAME), "email": email},
            "AddonSeatsUpdate": {"addonSeats": range(0, MOST_ADDON_SEATS.into())},
            "AdminUserCreate": {"displayName": text(LONGEST_NAME), "email": email, "password": password},
            "ApiTokenCreate": {"name": text(tokens::model::LONGEST_NAME)},
            "BookAgain": {
                "contributors": {"maxItems": MOST_CONTRIBUTORS}, "minutes": range(1, LONGEST_MINUTES),
                "pages": range(1, MOST_PAGES),
                "publisher": {"maxLength": PUBLISHER_LENGTH}, "wordCount": range(0, MOST_WORDS),
            },
            "BookFields": {
                "author": text(NAME_LENGTH),
                "authors": {"maxItems": MOST_AUTHORS, "items": {"maxLength": NAME_LENGTH}},
                "contributors": {"maxItems": MOST_CONTRIBUTORS},
                "originalYear": range(FIRST_YEAR, LAST_YEAR),
                "publisher": {"maxLength": PUBLISHER_LENGTH},
                "tags": {"maxItems": MOST_TAGS, "items": {"maxLength": TAG_LENGTH}},
                "genres": {"maxItems": MOST_GENRES, "items": {"maxLength": GENRE_LENGTH}},
                "impressions": {"maxLength": IMPRESSIONS_LENGTH},
                "minutes": range(1, LONGEST_MINUTES),
                "pages": range(1, MOST_PAGES),
                "passages": {"maxItems": MOST_QUOTES},
                "quotes": {"maxItems": MOST_QUOTES, "items": {"maxLength": QUOTE_LENGTH}},
                "rating": range(0, BEST_RATING),
                "title": text(NAME_LENGTH),
                "wordCount": range(0, MOST_WORDS),
            },
            "ViewFields": {"name": text(views::NAME_LENGTH), "query": {"maxLength": views::QUERY_LENGTH}},
            "BookFile": {"digest": text(devices::DIGEST_LENGTH)},
            "BooksChange": {"words": range(1, MOST_WORDS)},
            "ChallengeFields": {"target": range(1, HIGHEST_TARGET), "title": text(LONGEST_TEAM_NAME)},
            "Passage": {
                "note": {"maxLength": passages::NOTE_LENGTH}, "place": {"maxLength": PLACE_LENGTH},
                "text": {"maxLength": QUOTE_LENGTH},
            },
            "Cover": {"width": range(1, MOST_WIDTH.into()), "height": range(1, MOST_HEIGHT.into())},
            "DeviceCreate": {"name": text(devices::NAME_LENGTH)},
            "DeviceUpdate": {
                "clockOffset": range(-devices::MOST_OFFSET, devices::MOST_OFFSET), "name": text(devices::NAME_LENGTH),
            },
            "Document": {"place": range(0, WHOLE)},
            "Forecast": {"days": range(0, FARTHEST)},
            "GoalFields": {"target": range(1, GoalMetric::Words.highest_target())},
            "MediaServerKey": {"key": {"minLength": 1, "maxLength": KEY_LENGTH}},
            "PasswordChange": {"newPassword": password},
            "PasswordReset": {"password": password},
            "Preferences": {"dayStartsAt": range(0, 6)},
            "PreferencesUpdate": {
                "brightness": range(0, 200), "contrast": range(0, 200), "dayStartsAt": range(0, 6), "grayscale": range(0, 100),
                "sepia": range(0, 100),
            },
            "QuoteCreate": {
                "note": {"maxLength": passages::NOTE_LENGTH}, "place": {"maxLength": PLACE_LENGTH}, "text": text(QUOTE_LENGTH),
            },
            "ReadingDay": {"at": range(0, WHOLE), "covered": range(0, WHOLE)},
            "ReadingDayFields": {
                "minutes": range(0, MOST_MINUTES), "note": {"maxLength": NOTE_LENGTH}, "page": range(0, MOST_PAGES),
                "percent": range(0, 100),
            },
            "ReadingProgress": {"at": range(0, WHOLE)},
            "SeriesRename": {"name": text(SERIES_LENGTH)},
            "ServerInvitationCreate": {"email": {"maxLength": LONGEST_EMAIL}},
            "SetupRequest": {
                "displayName": text(LONGEST_NAME), "email": email, "name": {"maxLength": crate::config::LONGEST_NAME},
                "password": password,
            },
            "SignUpRequest": {"displayName": text(LONGEST_NAME), "email": email, "password": password},
            "TagChange": {"icon": {"maxLength": ICON_LENGTH}, "name": text(TAG_LENGTH)},
            "TbrItemFields": {
                "author": {"maxLength": NAME_LENGTH},
                "notes": {"maxLength": IMPRESSIONS_LENGTH},
                "pages": range(1, MOST_PAGES),
                "tags": {"maxItems": MOST_TAGS, "items": {"maxLength": TAG_LENGTH}},
                "title": text(NAME_LENGTH),
                "wordCount": range(0, MOST_WORDS),
            },
            "TeamInvitationCreate": {"email": email},
            "TeamRename": {"name": text(LONGEST_TEAM_NAME)},
        });
        let description = described();
        let schemas = description["components"]["schemas"].as_object().unwrap();
        let mut found = serde_json::Map::new();
        for (name, schema) in schemas {
            let fields = schema["properties"].as_object().into_iter().flatten();
            let limited = fields.filter_map(|(field, schema)| Some((field.clone(), limits(schema)?)));
            let limited: serde_json::Map<_, _> = limited.collect();
            if !limited.is_empty() {
                found.insert(name.clone(), Value::Object(limited));
            }
        }
        assert_eq!(
            Value::Object(found),
            expected,
            "every limit in the description needs a row here, with its constant"
        );
    }

    #[test]
    fn the_limits_of_parameters_are_those_that_the_program_checks() {
        let description = described();
        let stated = |path: &str, name: &str| {
            let parameters = description["paths"][path]["get"]["parameters"].as_array().unwrap();
            limits(&parameters.iter().find(|parameter| parameter["name"] == name).unwrap()["schema"]).unwrap()
        };
        let words = crate::lookup::model::WORDS_LENGTH;
        assert_eq!(stated("/api/lookup", "q"), json!({"minLength": words.start(), "maxLength": words.end()}));
        let longest = crate::library::books::order::LONGEST_PAGE;
        assert_eq!(stated("/api/books", "limit"), json!({"minimum": 1, "maximum": longest}));
    }

    /// The limits that a field's schema states. A number that is only not negative states none.
    fn limits(schema: &Value) -> Option<Value> {
        let mut found = serde_json::Map::new();
        for kind in ["minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum"] {
            if let Some(limit) = schema.get(kind) {
                found.insert(kind.to_owned(), limit.clone());
            }
        }
        if let Some(items) = schema.get("items").and_then(limits) {
            found.insert("items".to_owned(), items);
        }
        let states = found.len() > 1 || found.get("minimum").is_none_or(|least| *least != 0);
        (states && !found.is_empty()).then_some(Value::Object(found))
    }

    #[test]
    fn signing_up_takes_its_own_form_and_no_other_type_of_that_name() {
        let description = described();
        let taken = &description["paths"]["/api/auth/signup"]["post"]["requestBody"]["content"]["application/json"];
        let form = description.pointer(&taken["schema"]["$ref"].as_str().unwrap()[1..]).unwrap();
        assert_eq!(form["required"], json!(["email", "password", "displayName"]));
        assert_eq!(description["components"]["schemas"]["SignupMode"]["enum"], json!(["open", "invite", "closed"]));
    }
}
