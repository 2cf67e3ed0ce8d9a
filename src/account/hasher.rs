//! Argon2 with memory that is returned to the system after each password.
use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::password_hash::{self, CustomizedPasswordHasher};
use argon2::{Algorithm, Argon2, Block, Params, Version};

/// The blocks of 33 MiB. glibc always returns an allocation of more than 32 MiB to the system when it is freed (`M_MMAP_THRESHOLD` in
/// mallopt(3)), and pages that are not written take no memory. The 19 MiB for a password would stay with the thread that hashed it; any
/// thread may hash, so a few dozen sign-ins would leave hundreds of MiB behind.
const RETURNED_BLOCKS: usize = 33 * 1024 * 1024 / Block::SIZE;

/// Hashes with any variant of Argon2, and verifies through the trait implemented for every hasher.
#[derive(Debug, Clone, Copy)]
pub struct Hasher;

impl CustomizedPasswordHasher<PasswordHash> for Hasher {
    type Params = Params;

    fn hash_password_customized(
        &self,
        password: &[u8],
        salt: &[u8],
        algorithm: Option<&str>,
        version: Option<password_hash::Version>,
        params: Params,
    ) -> password_hash::Result<PasswordHash> {
        let algorithm = algorithm.map(Algorithm::try_from).transpose()?.unwrap_or_default();
        let version = version.map(Version::try_from).transpose()?.unwrap_or_default();
        let mut memory = Vec::with_capacity(params.block_count().max(RETURNED_BLOCKS));
        memory.resize(params.block_count(), Block::new());
        let mut output = [0; Output::MAX_LENGTH];
        let output = &mut output[..params.output_len().unwrap_or(Params::DEFAULT_OUTPUT_LEN).min(Output::MAX_LENGTH)];
        let argon = Argon2::new(algorithm, version, params.clone());
        argon.hash_password_into_with_memory(password, salt, output, &mut memory[..])?;
        Ok(PasswordHash {
            algorithm: algorithm.ident(),
            version: Some(version.into()),
            params: ParamsString::try_from(&params)?,
            salt: Some(Salt::new(salt)?),
            hash: Some(Output::new(output)?),
        })
    }
}

#[cfg(test)]
mod tests {
    use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};

    use super::*;

    #[test]
    fn its_hashes_are_the_librarys() {
        let params = Params::new(64, 2, 1, None).unwrap();
        let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params.clone());
        let theirs = argon.hash_password_with_salt(b"a password", b"a salt of 16 byt").unwrap();
        let ours = Hasher.hash_password_with_params(b"a password", b"a salt of 16 byt", params).unwrap();
        assert_eq!(ours.to_string(), theirs.to_string());
        Hasher.verify_password(b"a password", &theirs).unwrap();
        assert!(Hasher.verify_password(b"another", &theirs).is_err());
    }
}
