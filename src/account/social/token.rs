//! Identity tokens: whose they are is believed only after the signature, the issuer, the audience, the times and the nonce.
//!
//! OpenID Connect Core §3.1.3.7. Signatures are RS256 and ES256, with a key of the kind that the algorithm asks for: `none` and
//! the shared-secret algorithms are not among them, so that nobody signs with a public key.
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use ring::signature::{ECDSA_P256_SHA256_FIXED, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::model::SignInFailure;

/// How far two clocks may be apart, in seconds.
const CLOCKS: i64 = 60;
/// Longest token, in bytes.
const LONGEST: usize = 16 * 1024;

/// The provider's public keys, as it publishes them.
#[derive(Debug, Default, Deserialize)]
pub struct KeySet {
    keys: Vec<Key>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Key {
    kty: String,
    kid: Option<String>,
    #[serde(rename = "use")]
    purpose: Option<String>,
    alg: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    crit: Option<Value>,
}

/// What a token says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Claims {
    /// Who vouches.
    pub iss: String,
    /// For whom.
    #[serde(deserialize_with = "one_or_many")]
    pub aud: Vec<String>,
    /// To whom it was given, where there are several.
    pub azp: Option<String>,
    /// The person's number.
    pub sub: String,
    exp: Option<Moment>,
    nbf: Option<Moment>,
    iat: Option<Moment>,
    /// The word that this sign-in began with.
    pub nonce: Option<String>,
    /// The address.
    pub email: Option<String>,
    /// Whether the address is theirs.
    #[serde(deserialize_with = "truth")]
    pub email_verified: bool,
    /// Microsoft: whether the owner of the address's domain has been proven.
    #[serde(deserialize_with = "truth")]
    pub xms_edov: bool,
    /// Microsoft: the tenant.
    pub tid: Option<String>,
    /// How they are called.
    pub name: Option<String>,
    /// What they call themselves.
    pub preferred_username: Option<String>,
}

/// Seconds since 1970; some write a fraction.
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

/// `true`, `"true"`, `1` and `"1"`, as providers write it; anything else is no.
pub fn truth<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    Ok(match Value::deserialize(from)? {
        Value::Bool(truth) => truth,
        Value::String(text) => text == "true" || text == "1",
        Value::Number(number) => number.as_i64() == Some(1),
        _ => false,
    })
}

/// What a token must agree with.
#[derive(Debug, Clone, Copy)]
pub struct Expected<'e> {
    /// The issuer as the provider's own description names it; `{tenantid}` in it stands for the token's tenant.
    pub issuer: &'e str,
    /// This server's number there.
    pub client_id: &'e str,
    /// The word that this sign-in began with.
    pub nonce: &'e str,
    /// Now.
    pub now: DateTime<Utc>,
}

/// A token whose signature nobody has looked at.
pub struct Unchecked<'t> {
    header: Header,
    signed: &'t str,
    signature: Vec<u8>,
    payload: Vec<u8>,
}

impl<'t> Unchecked<'t> {
    /// The parts of a token.
    ///
    /// # Errors
    /// [`SignInFailure::Refused`] when it is not a token, or has a signature algorithm that is not accepted.
    pub fn parse(text: &'t str) -> Result<Self, SignInFailure> {
        let malformed = SignInFailure::Refused("the identity token can't be read");
        let (signed, signature) = text.rsplit_once('.').filter(|_| text.len() <= LONGEST).ok_or(malformed)?;
        let (header, payload) = signed.split_once('.').filter(|(_, rest)| !rest.contains('.')).ok_or(malformed)?;
        let decode = |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|_| malformed);
        let header: Header = serde_json::from_slice(&decode(header)?).map_err(|_| malformed)?;
        if !matches!(header.alg.as_str(), "RS256" | "ES256") || header.crit.is_some() {
            return Err(SignInFailure::Refused("the identity token is signed in a way that is not accepted"));
        }
        Ok(Self { header, signed, signature: decode(signature)?, payload: decode(payload)? })
    }

    /// Whether a set holds a key that the token may be signed with; without one it is time to ask for the keys anew.
    pub fn knows(&self, keys: &KeySet) -> bool {
        keys.keys.iter().any(|key| key.fits(&self.header))
    }

    /// What the token says, once the signature, the issuer, the audience, the times and the nonce are right.
    ///
    /// # Errors
    /// [`SignInFailure::Refused`] with the first check that fails.
    pub fn checked(&self, keys: &KeySet, expected: Expected<'_>) -> Result<Claims, SignInFailure> {
        let fitting = keys.keys.iter().filter(|key| key.fits(&self.header));
        if !fitting.into_iter().any(|key| key.verifies(&self.header.alg, self.signed.as_bytes(), &self.signature)) {
            return Err(SignInFailure::Refused("no key of the provider made the identity token's signature"));
        }
        let claims: Claims = serde_json::from_slice(&self.payload)
            .map_err(|_| SignInFailure::Refused("the identity token's claims can't be read"))?;
        claims.agree(expected)?;
        Ok(claims)
    }
}

impl Claims {
    fn agree(&self, expected: Expected<'_>) -> Result<(), SignInFailure> {
        let now = expected.now.timestamp();
        let refuse = |wrong: bool, reason| if wrong { Err(SignInFailure::Refused(reason)) } else { Ok(()) };
        refuse(!self.is_from(expected.issuer), "the identity token is of another issuer")?;
        refuse(!self.is_for(expected.client_id), "the identity token is for another audience")?;
        refuse(self.exp.is_none_or(|exp| exp.0.saturating_add(CLOCKS) <= now), "the identity token has expired")?;
        let early = [self.nbf, self.iat].into_iter().flatten().any(|from| from.0.saturating_sub(CLOCKS) > now);
        refuse(early, "the identity token is not valid yet")?;
        refuse(self.nonce.as_deref() != Some(expected.nonce), "the identity token has another nonce")?;
        refuse(self.sub.is_empty(), "the identity token has no subject")
    }

    fn is_from(&self, issuer: &str) -> bool {
        match issuer.split_once("{tenantid}") {
            None => self.iss == issuer,
            Some((before, after)) => self.tid.as_deref().is_some_and(|tid| {
                let plain = !tid.is_empty() && tid.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
                plain && self.iss == format!("{before}{tid}{after}")
            }),
        }
    }

    /// Several audiences must be told apart by `azp`, and where that stands it is this server.
    fn is_for(&self, client_id: &str) -> bool {
        let named = self.aud.iter().any(|audience| audience == client_id);
        named && self.azp.as_deref().map_or(self.aud.len() == 1, |party| party == client_id)
    }
}

impl Key {
    /// Whether the key is of the algorithm's kind, meant for signatures, and the one that the token names.
    fn fits(&self, header: &Header) -> bool {
        let kind = match header.alg.as_str() {
            "RS256" => self.kty == "RSA",
            "ES256" => self.kty == "EC" && self.crv.as_deref() == Some("P-256"),
            _ => false,
        };
        let named = header.kid.is_none() || self.kid.is_none() || header.kid == self.kid;
        let meant = self.purpose.as_deref().is_none_or(|purpose| purpose == "sig");
        kind && named && meant && self.alg.as_deref().is_none_or(|alg| alg == header.alg)
    }

    fn verifies(&self, alg: &str, signed: &[u8], signature: &[u8]) -> bool {
        let part = |text: &Option<String>| text.as_deref().and_then(|text| URL_SAFE_NO_PAD.decode(text).ok());
        if alg == "RS256" {
            let (Some(n), Some(e)) = (part(&self.n), part(&self.e)) else { return false };
            // Some write a leading zero, which is no part of the number.
            let n = n.strip_prefix(&[0]).unwrap_or(&n);
            let key = RsaPublicKeyComponents { n, e: e.as_slice() };
            return key.verify(&RSA_PKCS1_2048_8192_SHA256, signed, signature).is_ok();
        }
        let (Some(x), Some(y)) = (part(&self.x), part(&self.y)) else { return false };
        let point = [&[4][..], &x, &y].concat();
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(signed, signature).is_ok()
    }
}

/// Header and claims as a signature covers them.
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
        let mixed =
            claims(json!({"aud": "one", "exp": 1.9e9, "iat": 1_700_000_000, "email_verified": "true"})).unwrap();
        assert_eq!((mixed.aud.len(), mixed.exp, mixed.email_verified), (1, Some(Moment(1_900_000_000)), true));
        for no in [json!(false), json!("false"), json!("yes"), json!(2), json!(null), json!([true])] {
            assert!(!claims(json!({"email_verified": no})).unwrap().email_verified, "{no}");
        }
        for wrong in [json!({"aud": 1}), json!({"exp": "soon"}), json!({"sub": 1})] {
            assert!(claims(wrong).is_err());
        }
        assert_eq!(claims(json!({"exp": 1e300})).unwrap().exp, Some(Moment(i64::MAX)));
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
