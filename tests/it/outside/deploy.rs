//! The files in `deploy/` work with the program.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::actors::PASSWORD;
use crate::support::program::{self, shelfwise};
use crate::support::tools::skip;

fn deploy(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(name)).unwrap()
}

const UNITS: [&str; 4] =
    ["shelfwise.service", "shelfwise-backup.service", "shelfwise-backup.timer", "shelfwise.socket"];

#[test]
fn the_units_start_commands_that_the_program_knows() {
    for unit in &UNITS[..2] {
        let text = deploy(unit);
        let line = text.lines().find_map(|line| line.strip_prefix("ExecStart=/usr/local/bin/shelfwise ")).unwrap();
        let mut command = shelfwise();
        command.args(line.split(' ')).arg("--help");
        let ended = program::run(command, "");
        assert_eq!(ended.status, 0, "{unit}: {}", ended.err);
    }
}

#[test]
fn systemd_finds_nothing_wrong_with_the_units() {
    let folder = tempfile::tempdir().unwrap();
    let files: Vec<PathBuf> = UNITS.iter().map(|unit| folder.path().join(unit)).collect();
    for (unit, file) in UNITS.iter().zip(&files) {
        // Only an installed program can be verified.
        fs::write(file, deploy(unit).replace("/usr/local/bin/shelfwise", env!("CARGO_BIN_EXE_shelfwise"))).unwrap();
    }
    match Command::new("systemd-analyze").arg("verify").args(&files).output() {
        Ok(verified) => {
            let said = String::from_utf8_lossy(&verified.stderr);
            assert!(verified.status.success() && !said.contains("shelfwise"), "{said}");
        }
        Err(_) => skip("systemd-analyze", "the units"),
    }
}

#[test]
fn systemd_rates_the_services_as_little_exposed() {
    for unit in &UNITS[..2] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(unit);
        fs::write(&file, deploy(unit)).unwrap();
        // From 0.0 to 10.0, in tenths; what is below 2.0 systemd calls OK or safe.
        let looked = Command::new("systemd-analyze")
            .args(["security", "--offline=true", "--no-pager", "--threshold=19"])
            .arg(&file)
            .output();
        match looked {
            Ok(looked) => assert!(looked.status.success(), "{unit}: {}", String::from_utf8_lossy(&looked.stdout)),
            Err(_) => skip("systemd-analyze", "how far the units are exposed"),
        }
    }
}

/// The line of the manual for cron, in its own words but for the places, run as cron runs it: by the shell, with hardly any
/// environment.
#[test]
fn the_cron_line_makes_a_backup_and_prints_only_failures() {
    let folder = tempfile::tempdir().unwrap();
    let manual = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/operating.md")).unwrap();
    let line = manual.lines().map(str::trim).find(|line| line.starts_with("15 3 * * * shelfwise ")).unwrap();
    let line = line.strip_prefix("15 3 * * * shelfwise ").unwrap();
    let (data, to) = (folder.path().join("data"), folder.path().join("to"));
    let line = line
        .replace("/usr/local/bin/shelfwise", env!("CARGO_BIN_EXE_shelfwise"))
        .replace("/var/lib/shelfwise", data.to_str().unwrap())
        .replace("/var/backups/shelfwise", to.to_str().unwrap());
    let by_cron = || {
        let mut shell = Command::new("/bin/sh");
        shell.arg("-c").arg(&line).env_clear().env("PATH", "/usr/bin:/bin").env("HOME", folder.path());
        program::run(shell, "")
    };
    let failed = by_cron();
    assert_eq!((failed.status, failed.out.as_str()), (1, ""));
    assert!(failed.err.contains("there is no database"), "{}", failed.err);
    let mut create = shelfwise();
    create.args(["user", "create", "ada@example.org", "--name", "Ada", "--data-dir"]).arg(&data);
    assert_eq!(program::run(create, PASSWORD).status, 0);
    let made = by_cron();
    assert_eq!((made.status, made.out.as_str(), made.err.as_str()), (0, "", ""), "cron mails every word");
    assert!(shelfwise::backups::list::list(&to).unwrap()[0].verified);
}

#[test]
fn the_settings_in_the_samples_exist() {
    let folder = tempfile::tempdir().unwrap();
    for sample in ["Caddyfile", "nginx.conf", "traefik.yml"] {
        let text = deploy(sample);
        let settings: String =
            text.lines().filter_map(|line| line.strip_prefix("#   ")).map(|line| format!("{line}\n")).collect();
        assert_eq!(settings.lines().count(), 2, "{sample}");
        let file = folder.path().join(sample);
        fs::write(&file, settings).unwrap();
        shelfwise::config::Config::load(Some(&file), std::iter::empty()).unwrap();
    }
    let set = deploy("Containerfile");
    let variables = set.lines().find_map(|line| line.strip_prefix("ENV ")).unwrap().split(' ');
    let variables =
        variables.map(|pair| pair.split_once('=').unwrap()).map(|(name, value)| (name.to_owned(), value.to_owned()));
    let config = shelfwise::config::Config::load(None, variables).unwrap();
    assert_eq!((config.listen.to_string().as_str(), config.data_dir.as_path()), ("0.0.0.0:8080", Path::new("/data")));
}
