//! An account in the operator's list, what the list is asked for, and changes.
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::access::{Plan, Role};
use crate::kit::FieldErrors;

/// Accounts of a page.
pub const PAGE: usize = 50;

/// An account as an operator sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = AdminUser)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The account's number.
    pub id: i64,
    /// 1 to 100 characters.
    pub display_name: String,
    /// As typed, trimmed.
    pub email: String,
    /// Reader or operator.
    pub role: Role,
    /// The plan that counts.
    pub plan: Plan,
    /// What the account is in its team; null without one.
    #[schema(required, value_type = Option<crate::teams::model::TeamRole>)]
    pub team_role: Option<String>,
    /// Whether nobody can sign in to it.
    pub disabled: bool,
    /// RFC 3339, UTC.
    pub created_at: String,
    /// RFC 3339, UTC; null when there was no activity yet.
    #[schema(required)]
    pub last_active: Option<String>,
}

/// Which accounts are asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Folded; stands somewhere in the name or the address.
    pub search: String,
    /// The plan that counts.
    pub plan: Option<Plan>,
    /// Reader or operator.
    pub role: Option<Role>,
    /// Disabled, or not.
    pub disabled: Option<bool>,
    /// The last account of the page before.
    pub cursor: Option<i64>,
}

impl Filter {
    /// Reads the query's values; an empty one asks for nothing.
    ///
    /// # Errors
    /// One sentence for each key with an unknown value.
    pub fn read<'q>(get: impl Fn(&str) -> Option<&'q str>) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::new();
        let get = |key: &str| get(key).map(str::trim).filter(|text| !text.is_empty());
        let filter = Self {
            search: crate::account::model::email_key(get("search").unwrap_or_default()),
            plan: known(get("plan"), Plan::from_name, "plan", "There is no such plan.", &mut errors),
            role: known(get("role"), role, "role", "A role is user or admin.", &mut errors),
            disabled: known(
                get("disabled"),
                |text| text.parse().ok(),
                "disabled",
                "This is true or false.",
                &mut errors,
            ),
            cursor: known(
                get("cursor"),
                |text| text.parse().ok(),
                "cursor",
                "This is no page of the list.",
                &mut errors,
            ),
        };
        if errors.is_empty() { Ok(filter) } else { Err(errors) }
    }
}

fn known<T>(
    text: Option<&str>,
    read: impl Fn(&str) -> Option<T>,
    key: &str,
    sentence: &str,
    errors: &mut FieldErrors,
) -> Option<T> {
    let text = text?;
    let value = read(text);
    if value.is_none() {
        errors.add(key, sentence);
    }
    value
}

fn role(name: &str) -> Option<Role> {
    match name {
        "user" => Some(Role::User),
        "admin" => Some(Role::Admin),
        _ => None,
    }
}

/// A change of an account by an operator. An absent field stays. The values are read after it is known who asks.
#[derive(Debug, Clone, Default, Deserialize, utoipa::ToSchema)]
#[schema(as = AdminUserUpdate)]
#[serde(default)]
pub struct Form {
    /// `user` or `admin`.
    #[schema(value_type = Option<Role>)]
    pub role: Option<Value>,
    /// The plan set by hand; `reader` takes it away.
    #[schema(value_type = Option<Plan>)]
    pub plan: Option<Value>,
    /// Whether nobody can sign in.
    #[schema(value_type = Option<bool>)]
    pub disabled: Option<Value>,
}

/// A checked change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Change {
    /// Reader or operator.
    pub role: Option<Role>,
    /// The plan set by hand.
    pub plan: Option<Plan>,
    /// Disabled, or not.
    pub disabled: Option<bool>,
}

impl Form {
    /// Checks every value.
    ///
    /// # Errors
    /// One sentence for each invalid field.
    pub fn checked(&self) -> Result<Change, FieldErrors> {
        let mut errors = FieldErrors::new();
        let change = Change {
            role: value(
                self.role.as_ref(),
                |v| v.as_str().and_then(role),
                "role",
                "A role is user or admin.",
                &mut errors,
            ),
            plan: plan(self.plan.as_ref(), &mut errors),
            disabled: value(self.disabled.as_ref(), Value::as_bool, "disabled", "This is true or false.", &mut errors),
        };
        if errors.is_empty() { Ok(change) } else { Err(errors) }
    }
}

/// The plan of a form, of which a wrong one is noted.
fn plan(given: Option<&Value>, errors: &mut FieldErrors) -> Option<Plan> {
    value(given, |v| v.as_str().and_then(Plan::from_name), "plan", "There is no such plan.", errors)
}

fn value<T>(
    given: Option<&Value>,
    read: impl Fn(&Value) -> Option<T>,
    field: &str,
    sentence: &str,
    errors: &mut FieldErrors,
) -> Option<T> {
    let given = given?;
    let value = read(given);
    if value.is_none() {
        errors.add(field, sentence);
    }
    value
}

/// What the plan switcher sends.
#[derive(Debug, Clone, Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct PlanSwitch {
    /// The plan to have.
    #[schema(required, value_type = Plan)]
    pub plan: Value,
}

impl PlanSwitch {
    /// Checks the plan.
    ///
    /// # Errors
    /// A sentence for `plan`.
    pub fn checked(&self) -> Result<Plan, FieldErrors> {
        let mut errors = FieldErrors::new();
        plan(Some(&self.plan), &mut errors).ok_or(errors)
    }
}
