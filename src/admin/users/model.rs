//! Accounts in the operator's list, the list's filter, and changes.
use serde::{Deserialize, Deserializer, Serialize};

use crate::access::{Plan, Role};
use crate::account::model::{NewAccount, check_email};
use crate::kit::FieldErrors;
use crate::kit::http::patch_field::PatchField;
use crate::kit::id::UserId;
use crate::kit::timestamp::Timestamp;
use crate::teams::model::TeamRole;

/// The error of an unknown plan.
const NO_SUCH_PLAN: &str = "This plan does not exist.";
/// The number of accounts in a page.
pub const PAGE: usize = 50;

/// An account as an operator sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdminUser {
    /// The account's id.
    #[schema(value_type = i64)]
    pub id: UserId,
    /// 1 to 100 characters.
    pub display_name: String,
    /// As entered, trimmed.
    pub email: String,
    /// Reader or operator.
    pub role: Role,
    /// The plan in force.
    pub plan: Plan,
    /// The account's role in its team; null without a team.
    #[schema(required)]
    pub team_role: Option<TeamRole>,
    /// Whether sign-in is disabled.
    pub disabled: bool,
    /// RFC 3339, UTC.
    #[schema(value_type = String)]
    pub created_at: Timestamp,
    /// RFC 3339, UTC; null without any activity.
    #[schema(required, value_type = Option<String>)]
    pub last_active: Option<Timestamp>,
}

/// Which accounts are requested.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, utoipa::IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct Filter {
    /// A part of the name or the address.
    #[serde(deserialize_with = "email_key")]
    #[param(value_type = Option<String>)]
    pub search: String,
    /// Only accounts with this plan in force.
    pub plan: Option<Plan>,
    /// Only readers, or only operators.
    pub role: Option<Role>,
    /// Only accounts that are disabled, or only the others.
    pub disabled: Option<bool>,
    /// The `nextCursor` of the previous page.
    #[param(value_type = Option<String>)]
    pub cursor: Option<UserId>,
}

fn email_key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(crate::account::model::email_key(String::deserialize(deserializer)?.trim()))
}

/// A change of an account by an operator. Absent fields stay unchanged. The values are validated after the operator's permission.
#[derive(Debug, Clone, Default, Deserialize, utoipa::ToSchema)]
pub struct AdminUserUpdate {
    /// `user` or `admin`.
    #[schema(value_type = Option<Role>)]
    #[serde(default)]
    pub role: PatchField<Role>,
    /// The granted plan; `reader` removes it.
    #[schema(value_type = Option<Plan>)]
    #[serde(default)]
    pub plan: PatchField<Plan>,
    /// Whether sign-in is disabled.
    #[schema(value_type = Option<bool>)]
    #[serde(default)]
    pub disabled: PatchField<bool>,
}

/// A new account by an operator.
#[derive(Debug, Clone, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdminUserCreate {
    /// 1 to 100 characters.
    #[schema(required, value_type = String, min_length = 1, max_length = 100)]
    #[serde(default)]
    pub display_name: PatchField<String>,
    /// The address to sign in with, at most 254 characters.
    #[schema(required, value_type = String, min_length = 3, max_length = 254)]
    #[serde(default)]
    pub email: PatchField<String>,
    /// `user` (when absent) or `admin`.
    #[schema(value_type = Option<Role>)]
    #[serde(default)]
    pub role: PatchField<Role>,
    /// 8 to 256 characters; absent for a link that sets one.
    #[schema(value_type = Option<String>, min_length = 8, max_length = 256)]
    #[serde(default)]
    pub password: PatchField<String>,
}

impl AdminUserCreate {
    /// Validates every field by the rules of a sign-up. Returns the account, and whether it has a password. `host` is the server's
    /// public name.
    pub fn checked(self, host: &str) -> Result<(NewAccount, bool), FieldErrors> {
        let mut errors = FieldErrors::new();
        let (email, name) = (self.email.value().unwrap_or_default(), self.display_name.value().unwrap_or_default());
        let role = self.role.checked(&mut errors, "role", "The role must be user or admin.").unwrap_or(Role::User);
        let password = self.password.checked(&mut errors, "password", "The password must be a text.");
        let has_password = password.is_some();
        let account = match password {
            Some(password) => NewAccount::checked(&email, &name, password, None, role, host),
            None => NewAccount::without_password(&email, &name, role),
        };
        if let Err(refused) = &account {
            refused.iter().for_each(|(field, sentence)| errors.add(field, sentence));
        }
        match account {
            Ok(account) if errors.is_empty() => Ok((account, has_password)),
            _ => Err(errors),
        }
    }
}

/// An invitation to the server by an operator.
#[derive(Debug, Clone, Default, Deserialize, utoipa::ToSchema)]
pub struct ServerInvitationCreate {
    /// The address that it is for, at most 254 characters; absent or null for anybody with the link.
    #[schema(value_type = Option<String>, max_length = 254)]
    #[serde(default)]
    pub email: PatchField<String>,
}

impl ServerInvitationCreate {
    /// Validates the address. Returns it trimmed; `None` for anybody with the link.
    pub fn checked(self) -> Result<Option<String>, FieldErrors> {
        let mut errors = FieldErrors::new();
        let address = self.email.checked(&mut errors, "email", "The email address must be a text.");
        let address = address.map(|address| address.trim().to_owned()).filter(|address| !address.is_empty());
        if let Some(address) = &address {
            check_email(address, &mut errors);
        }
        if errors.is_empty() { Ok(address) } else { Err(errors) }
    }
}

/// A validated change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UserChange {
    /// Reader or operator.
    pub role: Option<Role>,
    pub plan: Option<Plan>,
    /// Whether the account is disabled.
    pub disabled: Option<bool>,
}

impl AdminUserUpdate {
    pub fn checked(self) -> Result<UserChange, FieldErrors> {
        let mut errors = FieldErrors::new();
        let change = UserChange {
            role: self.role.checked(&mut errors, "role", "The role must be user or admin."),
            plan: self.plan.checked(&mut errors, "plan", NO_SUCH_PLAN),
            disabled: self.disabled.checked(&mut errors, "disabled", "The value must be true or false."),
        };
        if errors.is_empty() { Ok(change) } else { Err(errors) }
    }
}

/// The request of the plan switcher.
#[derive(Debug, Clone, Default, Deserialize, utoipa::ToSchema)]
pub struct PlanSwitch {
    /// The plan to switch to.
    #[schema(required, value_type = Plan)]
    #[serde(default)]
    pub plan: PatchField<Plan>,
}

impl PlanSwitch {
    pub fn checked(self) -> Result<Plan, FieldErrors> {
        self.plan.value().ok_or_else(|| {
            let mut errors = FieldErrors::new();
            errors.add("plan", NO_SUCH_PLAN);
            errors
        })
    }
}
