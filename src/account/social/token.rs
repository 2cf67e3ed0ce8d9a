//! Identity tokens. Their claims are trusted only after checks of signature, issuer, audience, times and nonce.
//!
//! OpenID Connect Core §3.1.3.7, by jsonwebtoken. Signatures are
//! RS256 and ES256, with a key of the kind that the algorithm asks for: `none` and the shared-secret algorithms are not among them,
//! so that nobody signs with a public key.
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use jsonwebtoken::errors::ErrorKind;
pub use jsonwebtoken::jwk::JwkSet as KeySet;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyAlgorithm, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation, decode, decode_header};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::model::SignInFailure;
use super::signatures;

/// The accepted difference between two clocks, in seconds.
const CLOCKS: u64 = 60;
/// The longest token, in bytes.
const LONGEST: usize = 16 * 1024;
/// The placeholder of the tenant in the issuer's name.
const TENANT: &str = "{tenantid}";

/// The claims of a token.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Claims {
    pub iss: String,
    #[serde(deserialize_with = "one_or_many")]
    pub aud: Vec<String>,
    /// The authorized party, if there are several audiences.
    pub azp: Option<String>,
    /// The person's id at the provider.
    pub sub: String,
    iat: Option<Moment>,
    /// The nonce of this sign-in.
    pub nonce: Option<String>,
    pub email: Option<String>,
    /// Whether the address was verified.
    #[serde(deserialize_with = "truth")]
    pub email_verified: bool,
    /// Microsoft: whether the owner of the address's domain was verified.
    #[serde(deserialize_with = "truth")]
    pub xms_edov: bool,
    /// Microsoft: the tenant.
    pub tid: Option<String>,
    pub name: Option<String>,
    /// The person's preferred user name.
    pub preferred_username: Option<String>,
    /// The other claims, among them those about groups.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

/// A time in Unix seconds; some providers send a fraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(from = "f64")]
struct Moment(i64);

impl From<f64> for Moment {
    fn from(seconds: f64) -> Self {
        // A number beyond the range of times becomes its end, which is in the past or in the future as the number is.
        Self(seconds as i64)
    }
}

fn one_or_many<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        One(String),
        Many(Vec<String>),
    }
    Ok(match Either::deserialize(from)? {
        Either::One(one) => vec![one],
        Either::Many(many) => many,
    })
}

/// `true`, `"true"`, `1` and `"1"`, as providers write it; anything else is false.
pub fn truth<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::Bool(truth) => truth,
        Value::String(text) => text == "true" || text == "1",
        Value::Number(number) => number.as_i64() == Some(1),
        _ => false,
    })
}

/// The values that a token must agree with.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'e> {
    /// The issuer as in the provider's description; `{tenantid}` in it stands for the token's tenant.
    pub issuer: &'e str,
    /// This server's client id there.
    pub client_id: &'e str,
    /// The nonce of this sign-in.
    pub nonce: &'e str,
    pub now: DateTime<Utc>,
}

/// A token whose signature was not checked.
pub struct Unchecked<'t> {
    text: &'t str,
    header: Header,
}

impl<'t> Unchecked<'t> {
    /// Reads the signature algorithm of a token.
    ///
    /// # Errors
    /// [`SignInFailure::Refused`] when it is not a token, or has a signature algorithm that is not accepted.
    pub fn parse(text: &'t str) -> Result<Self, SignInFailure> {
        let malformed = SignInFailure::Refused("the identity token can't be read");
        if text.len() > LONGEST {
            return Err(malformed);
        }
        let header = decode_header(text).map_err(|_| malformed)?;
        if !matches!(header.alg, Algorithm::RS256 | Algorithm::ES256) || header.crit.is_some() {
            return Err(SignInFailure::Refused("the identity token is signed in a way that is not accepted"));
        }
        Ok(Self { text, header })
    }

    /// Whether a set contains a key for the token; otherwise the keys have to be requested again.
    pub fn knows(&self, keys: &KeySet) -> bool {
        keys.keys.iter().any(|key| fits(key, &self.header))
    }

    /// The claims, if signature, issuer, audience, times and nonce are valid.
    pub fn checked(&self, keys: &KeySet, expected: Expected<'_>) -> Result<Claims, SignInFailure> {
        signatures::install();
        let validation = expected.validation(self.header.alg);
        let mut reason = "no key of the provider made the identity token's signature";
        for key in keys.keys.iter().filter(|key| fits(key, &self.header)) {
            match DecodingKey::from_jwk(key).and_then(|key| decode::<Claims>(self.text, &key, &validation)) {
                Ok(token) => return token.claims.agreeing(expected),
                Err(cause) => reason = refusal(cause.kind()).unwrap_or(reason),
            }
        }
        Err(SignInFailure::Refused(reason))
    }
}

/// Whether a key matches the algorithm, is for signatures, and is the one that the token names.
fn fits(key: &Jwk, header: &Header) -> bool {
    let kind = match (&key.algorithm, header.alg) {
        (AlgorithmParameters::RSA(_), Algorithm::RS256) => true,
        (AlgorithmParameters::EllipticCurve(key), Algorithm::ES256) => key.curve == EllipticCurve::P256,
        _ => false,
    };
    let about = &key.common;
    let named = header.kid.is_none() || about.key_id.is_none() || header.kid == about.key_id;
    let meant = about.public_key_use.as_ref().is_none_or(|purpose| *purpose == PublicKeyUse::Signature);
    kind && named && meant && about.key_algorithm.is_none_or(|alg| alg == KeyAlgorithm::from(header.alg))
}

/// Why a token with a valid signature is refused; `None` when another key may have made the signature.
fn refusal(cause: &ErrorKind) -> Option<&'static str> {
    Some(match cause {
        ErrorKind::InvalidIssuer => "the identity token is of another issuer",
        ErrorKind::InvalidAudience => "the identity token is for another audience",
        ErrorKind::ExpiredSignature => "the identity token has expired",
        ErrorKind::ImmatureSignature => "the identity token is not valid yet",
        ErrorKind::MissingRequiredClaim(_) => "the identity token lacks a claim",
        ErrorKind::InvalidClaimFormat(_) | ErrorKind::Json(_) => "the identity token's claims can't be read",
        _ => return None,
    })
}

impl Expected<'_> {
    /// What the library compares. The times are compared with the system's clock, as the provider's own are.
    fn validation(&self, alg: Algorithm) -> Validation {
        let mut validation = Validation::new(alg);
        validation.leeway = CLOCKS;
        validation.validate_nbf = true;
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        validation.set_audience(&[self.client_id]);
        // Where it depends on the tenant, `is_from` compares it.
        if !self.issuer.contains(TENANT) {
            validation.set_issuer(&[self.issuer]);
        }
        validation
    }
}

impl Claims {
    /// These claims, if the further conditions of OpenID Connect hold as well.
    fn agreeing(self, expected: Expected<'_>) -> Result<Self, SignInFailure> {
        let now = expected.now.timestamp();
        let refuse = |wrong: bool, reason| if wrong { Err(SignInFailure::Refused(reason)) } else { Ok(()) };
        refuse(!self.is_from(expected.issuer), "the identity token is of another issuer")?;
        refuse(!self.is_for(expected.client_id), "the identity token is for another audience")?;
        let early = self.iat.is_some_and(|made| made.0.saturating_sub_unsigned(CLOCKS) > now);
        refuse(early, "the identity token is not valid yet")?;
        refuse(self.nonce.as_deref() != Some(expected.nonce), "the identity token has another nonce")?;
        refuse(self.sub.is_empty(), "the identity token has no subject")?;
        Ok(self)
    }

    fn is_from(&self, issuer: &str) -> bool {
        let Some((before, after)) = issuer.split_once(TENANT) else { return self.iss == issuer };
        self.tid.as_deref().is_some_and(|tid| {
            let plain = !tid.is_empty() && tid.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
            plain && self.iss == format!("{before}{tid}{after}")
        })
    }

    /// Whether the token is for this server: `azp` is its client id, or `azp` is absent and there is one audience.
    fn is_for(&self, client_id: &str) -> bool {
        self.azp.as_deref().map_or(self.aud.len() == 1, |party| party == client_id)
    }
}

/// Header and claims in the form that is signed.
pub fn unsigned(header: &Value, claims: &Value) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}", part(header), part(claims))
}

/// The same with its signature.
pub fn signed(unsigned: &str, signature: &[u8]) -> String {
    format!("{unsigned}.{}", URL_SAFE_NO_PAD.encode(signature))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn moments_and_truths_are_read_as_providers_write_them() {
        let claims = |value: Value| serde_json::from_value::<Claims>(value);
        let mixed = claims(json!({"aud": "one", "iat": 1.9e9, "email_verified": "true"})).unwrap();
        assert_eq!((mixed.aud.len(), mixed.iat, mixed.email_verified), (1, Some(Moment(1_900_000_000)), true));
        for no in [json!(false), json!("false"), json!("yes"), json!(2), json!(null), json!([true])] {
            assert!(!claims(json!({"email_verified": no})).unwrap().email_verified, "{no}");
        }
        for wrong in [json!({"aud": 1}), json!({"iat": "soon"}), json!({"sub": 1})] {
            assert!(claims(wrong).is_err());
        }
        assert_eq!(claims(json!({"iat": 1e300})).unwrap().iat, Some(Moment(i64::MAX)));
    }

    proptest! {
        #[test]
        fn no_text_is_a_token_that_no_key_signed(text in "[A-Za-z0-9_.-]{0,200}", head in "\\PC{0,80}", body in "\\PC{0,80}") {
            let header = json!({"alg": "ES256", "kid": head});
            let made = signed(&unsigned(&header, &json!({"sub": body})), body.as_bytes());
            let key = json!({"keys": [{"kty": "EC", "crv": "P-256", "x": "AA", "y": body}]});
            let keys: KeySet = serde_json::from_value(key).unwrap();
            let expected = Expected { issuer: "", client_id: "", nonce: "", now: DateTime::UNIX_EPOCH };
            for text in [&text, &made, &format!("{}.{text}", URL_SAFE_NO_PAD.encode(header.to_string()))] {
                prop_assert!(Unchecked::parse(text).and_then(|token| token.checked(&keys, expected)).is_err());
            }
        }
    }
}
