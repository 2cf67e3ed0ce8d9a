//! The Debian package, made by `scripts/deb`, installed with dpkg on a machine that systemd has booted.
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::machine::Machine;
use crate::support::tools;

/// Makes the package of the program under test in a folder that looks like the repository.
fn build(folder: &Path) -> Option<PathBuf> {
    tools::program("cargo-deb", "--version", "the Debian package")?;
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    for entry in fs::read_dir(repository).unwrap().map(Result::unwrap) {
        if !["dist", "target", ".git", "scripts"].iter().any(|name| entry.file_name() == *name) {
            symlink(entry.path(), folder.join(entry.file_name())).unwrap();
        }
    }
    for name in ["dist", "scripts"] {
        fs::create_dir(folder.join(name)).unwrap();
    }
    fs::copy(repository.join("scripts/deb"), folder.join("scripts/deb")).unwrap();
    let architecture = if cfg!(target_arch = "aarch64") { "arm64" } else { "amd64" };
    let binary = folder.join("dist").join(format!("shelfwise-linux-{architecture}"));
    // Without what a debugger reads, as in a release.
    let program = env!("CARGO_BIN_EXE_shelfwise");
    let stripped = Command::new("strip").arg(program).arg("-o").arg(&binary).status();
    if !stripped.is_ok_and(|status| status.success()) {
        fs::copy(program, &binary).unwrap();
    }
    fs::hard_link(&binary, folder.join("dist/shelfwise")).unwrap();
    let built = Command::new(folder.join("scripts/deb"))
        .args([architecture, "--fast"])
        .env("CARGO_TARGET_DIR", folder.join("dist/target"))
        .output()
        .unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let made = fs::read_dir(folder.join("dist")).unwrap().map(|entry| entry.unwrap().path());
    let made: Vec<_> = made.filter(|path| path.extension().is_some_and(|ending| ending == "deb")).collect();
    assert_eq!(made.len(), 1, "{made:?}");
    made.into_iter().next()
}

/// From the installation to the purge. `--force-depends` because dpkg knows no other package of the scratch machine.
const SCRIPT: &str = r#"
# Images of containers forbid packages to start services by this file.
rm -f /usr/sbin/policy-rc.d
mkdir -p /var/lib/dpkg/info /var/lib/dpkg/updates /var/lib/dpkg/triggers
touch /var/lib/dpkg/status
install() { DEBIAN_FRONTEND=noninteractive dpkg --force-depends --force-confold -i /shelfwise.deb; }
install
systemctl is-active shelfwise shelfwise-backup.timer
systemctl is-enabled shelfwise shelfwise-backup.timer
sudo -u shelfwise shelfwise health
sudo -u shelfwise shelfwise user create you@example.org --name You --admin
sudo -u shelfwise shelfwise doctor
systemctl start shelfwise-backup
sudo -u shelfwise shelfwise backup list /var/lib/shelfwise-backups
stat -c '%n %a %U %G' /etc/shelfwise /etc/shelfwise/config.toml /var/lib/shelfwise /var/lib/shelfwise-backups /usr/bin/shelfwise
systemctl show shelfwise -p User -p MainPID -p NRestarts
gzip -dc /usr/share/man/man1/shelfwise-backup-create.1.gz | grep -q 'shelfwise.backup.create'
(source /usr/share/bash-completion/completions/shelfwise && complete -p shelfwise)

echo '# mine' >>/etc/shelfwise/config.toml
before=$(systemctl show shelfwise -p MainPID)
backups=$(ls /var/lib/shelfwise-backups)
install
# The upgrade restarts the server and the timer, and does not run the timer's job.
systemctl is-active shelfwise-backup.timer
[ "$(systemctl show shelfwise-backup -p ActiveState --value)" = inactive ]
[ "$backups" = "$(ls /var/lib/shelfwise-backups)" ]
systemctl is-active shelfwise
[ "$before" != "$(systemctl show shelfwise -p MainPID)" ]
grep -q '# mine' /etc/shelfwise/config.toml
[ "$(stat -c '%a %G' /etc/shelfwise/config.toml)" = "640 shelfwise" ]
sudo -u shelfwise shelfwise health

dpkg --force-depends -r shelfwise
! systemctl is-active shelfwise
! systemctl is-active shelfwise-backup.timer
test -f /etc/shelfwise/config.toml
dpkg --force-depends -P shelfwise
! test -e /etc/shelfwise/config.toml
test -f /var/lib/shelfwise/shelfwise.db
ls /var/lib/shelfwise-backups/shelfwise-*.db
echo all >/at
"#;

#[test]
fn the_debian_package_installs_upgrades_and_goes_and_keeps_the_libraries() {
    let folder = tempfile::tempdir().unwrap();
    let Some(machine) = Machine::build() else { return };
    let Some(package) = build(folder.path()) else { return };
    fs::copy(package, machine.path("shelfwise.deb")).unwrap();
    let Some(ended) = machine.boot(SCRIPT) else { return };
    let at = fs::read_to_string(machine.path("at")).unwrap_or_default();
    assert_eq!((ended.status, at.trim()), (0, "all"), "{}", ended.out);
    for line in [
        "/etc/shelfwise 750 root shelfwise",
        "/etc/shelfwise/config.toml 640 root shelfwise",
        "/var/lib/shelfwise 700 shelfwise shelfwise",
        "/var/lib/shelfwise-backups 700 shelfwise shelfwise",
        "/usr/bin/shelfwise 755 root root",
        "User=shelfwise",
        "NRestarts=0",
    ] {
        assert!(ended.out.lines().any(|printed| printed == line), "{line}: {}", ended.out);
    }
}
