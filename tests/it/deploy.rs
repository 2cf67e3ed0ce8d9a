//! What lies in `deploy/` works with the program as it is.
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{self, shelfwise};

fn deploy(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(name)).unwrap()
}

const UNITS: [&str; 3] = ["shelfwise.service", "shelfwise-backup.service", "shelfwise-backup.timer"];

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
        Err(_) => println!("not tested: systemd-analyze is not here"),
    }
}

#[test]
fn the_settings_that_the_samples_name_exist() {
    let folder = tempfile::tempdir().unwrap();
    for sample in ["Caddyfile", "nginx.conf"] {
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
    assert!(config.listen.ip().is_unspecified() && config.data_dir == Path::new("/data"));
}
