//! The groups that a provider reports for a person, and what follows from them.
use serde_json::{Map, Value};

use crate::config::social::Social;

/// The rules of a provider about groups. Names are compared as a whole, with regard to case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GroupRules {
    allowed: Vec<String>,
    operators: Vec<String>,
    claim: String,
}

impl GroupRules {
    /// The rules in the settings of a provider.
    pub fn of(social: &Social) -> Self {
        Self {
            allowed: social.allowed_groups.clone(),
            operators: social.operator_groups.clone(),
            claim: social.groups_claim().to_owned(),
        }
    }

    /// Whether any rule asks for a person's groups.
    pub fn are_set(&self) -> bool {
        !self.allowed.is_empty() || !self.operators.is_empty()
    }

    /// The scope to ask for: the claim has the name of a scope that many providers have.
    pub fn scope(&self) -> Option<&str> {
        Some("groups").filter(|scope| self.are_set() && self.claim == *scope)
    }

    /// The groups among a person's claims; `None` without the claim. A text is one group, whatever characters it has.
    pub fn read(&self, claims: &Map<String, Value>) -> Option<Vec<String>> {
        Some(match self.find(claims)? {
            Value::String(one) => vec![one.clone()],
            Value::Array(many) => many.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        })
    }

    /// The value of the claim: by its whole name, which may contain dots, otherwise by the path.
    fn find<'c>(&self, claims: &'c Map<String, Value>) -> Option<&'c Value> {
        let by_path = || {
            let mut names = self.claim.split('.');
            let first = claims.get(names.next()?)?;
            names.try_fold(first, |value, name| value.get(name))
        };
        claims.get(&self.claim).or_else(by_path)
    }

    /// Whether a person with these groups may sign in.
    pub fn admit(&self, groups: &[String]) -> bool {
        self.allowed.is_empty() || self.allowed.iter().any(|allowed| groups.contains(allowed))
    }

    /// Whether a person with these groups is an operator; `None` where sign-ins leave the role as it is.
    pub fn make_operator(&self, groups: &[String]) -> Option<bool> {
        (!self.operators.is_empty()).then(|| self.operators.iter().any(|operators| groups.contains(operators)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rules(text: &str) -> GroupRules {
        GroupRules::of(&toml::from_str(text).unwrap())
    }

    fn groups(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn groups_are_found_by_the_claims_name_or_path() {
        let claims = json!({
            "groups": ["family", 7, null, "friends"],
            "roles": "family, admins",
            "realm_access": {"roles": ["reader"]},
            "https://example.org/groups": ["namespaced"],
            "odd": {"family": true},
        });
        let claims = claims.as_object().unwrap();
        for (claim, found) in [
            ("groups", Some(groups(&["family", "friends"]))),
            ("roles", Some(groups(&["family, admins"]))),
            ("realm_access.roles", Some(groups(&["reader"]))),
            ("https://example.org/groups", Some(groups(&["namespaced"]))),
            ("odd", Some(Vec::new())),
            ("odd.family", Some(Vec::new())),
            ("groups.0", None),
            ("realm_access.roles.0", None),
            ("none", None),
            ("none.roles", None),
            ("realm_access.", None),
            ("", None),
        ] {
            assert_eq!(rules(&format!("groups_claim = {claim:?}")).read(claims), found, "{claim}");
        }
    }

    #[test]
    fn a_group_counts_by_its_whole_name() {
        let rules = rules("allowed_groups = [\"family\"]\noperator_groups = [\"admins\"]");
        assert!(rules.admit(&groups(&["other", "family"])));
        for near in ["family-friends", "famil", "Family", " family", "/family", "family,admins", "admins"] {
            assert!(!rules.admit(&groups(&[near])), "{near}");
        }
        assert_eq!(rules.make_operator(&groups(&["family", "admins"])), Some(true));
        for near in ["admin", "admins2", "no-admins", "ADMINS", "admins "] {
            assert_eq!(rules.make_operator(&groups(&[near])), Some(false), "{near}");
        }
        assert!(!rules.admit(&[]));
    }

    #[test]
    fn without_rules_everybody_comes_and_roles_stay() {
        let none = rules("");
        assert!(!none.are_set() && none.admit(&[]) && none.scope().is_none());
        assert_eq!(none.make_operator(&groups(&["admins"])), None);
        assert_eq!(rules("allowed_groups = [\"family\"]").scope(), Some("groups"));
        assert_eq!(rules("allowed_groups = [\"family\"]\ngroups_claim = \"roles\"").scope(), None);
    }
}
