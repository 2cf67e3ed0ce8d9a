//! The commands that the README and the manual print work as printed.
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::support::commands::{Place, blocks};
use crate::support::machine::Machine;
use crate::support::program::Ended;

/// Documents with commands for operators, how many of their blocks are not run, and where the others make the database.
const DOCUMENTS: &[(&str, usize, &str)] =
    &[("README.md", 3, "root/shelfwise"), ("docs/operating.md", 2, "var/lib/shelfwise")];

/// The name that the documents use for a backup.
const SAMPLE_BACKUP: &str = "shelfwise-20260102T030405Z.db";

/// A block as a script: the name of a backup that exists, the answer to the question of `restore`, and a server in the background.
fn script_of(commands: &str) -> String {
    let newest = "$(cd /var/backups/shelfwise && ls shelfwise-*.db | tail -n 1)";
    let commands = commands.replace(SAMPLE_BACKUP, newest).replace("shelfwise restore ", "shelfwise restore --yes ");
    let lines = commands.lines().map(|line| match line.split_once("shelfwise serve ") {
        Some((program, _)) if program.is_empty() || program == "./dist/" => format!("in_background {line}\n"),
        _ => format!("{line}\n"),
    });
    lines.collect()
}

/// Runs everything up to the line that says that the server is ready.
const IN_BACKGROUND: &str = r#"
in_background() {
	coproc "$@"
	while read -r line <&"${COPROC[0]}"; do
		[[ $line == *"is ready at"* ]] && return
	done
	echo "the server did not start" >&2
	return 1
}
"#;

/// The blocks of a document that a machine runs, one after the other. Each leaves where it stands in the file `/at`.
fn script_of_document(document: &str) -> String {
    let mut script = IN_BACKGROUND.to_owned();
    for block in blocks(document).iter().filter(|block| block.place == Place::Machine) {
        let at = &block.at;
        write!(script, "echo '{at}' >/at\ncd /clone\n{}", script_of(&block.commands)).unwrap();
    }
    script + "\necho all >/at\n"
}

#[track_caller]
fn check(machine: &Machine, document: &str, data: &str, ended: &Ended) {
    let at = fs::read_to_string(machine.path("at")).unwrap_or_default();
    assert_eq!((ended.status, at.trim()), (0, "all"), "{}{}", ended.out, ended.err);
    assert!(machine.path(data).join("shelfwise.db").exists());
    let elsewhere = ["clone/data", "root/data", "data"].map(|folder| machine.path(folder).exists());
    assert_eq!(elsewhere, [false; 3], "{document} makes a second database");
}

#[test]
fn the_commands_of_the_documents_work_as_printed() {
    for (document, not_run, data) in DOCUMENTS {
        let counted = blocks(document).iter().filter(|block| block.place == Place::Nowhere).count();
        assert_eq!(counted, *not_run, "{document}: blocks that are not run");
        let Some(machine) = Machine::build() else { return };
        let ended = machine.run(&script_of_document(document));
        check(&machine, document, data, &ended);
    }
}

#[test]
fn the_commands_of_the_manual_work_as_printed_on_a_booted_machine() {
    let (document, _, data) = DOCUMENTS[1];
    let Some(machine) = Machine::build() else { return };
    let Some(ended) = machine.boot(&script_of_document(document)) else { return };
    check(&machine, document, data, &ended);
    let passwd = fs::read_to_string(machine.path("etc/passwd")).unwrap();
    let user = passwd.lines().find_map(|line| line.strip_prefix("shelfwise:")).unwrap();
    assert!(user.ends_with("/usr/sbin/nologin"), "{user}");
}

/// What is not run has commands of this repository at least: targets of the Makefile, scripts and files.
#[test]
fn what_is_not_run_names_targets_and_files_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let makefile = fs::read_to_string(root.join("Makefile")).unwrap();
    let mut seen = BTreeMap::new();
    for (document, ..) in DOCUMENTS {
        for block in blocks(document).iter().filter(|block| block.place == Place::Nowhere) {
            for line in block.commands.lines().map(|line| line.split('#').next().unwrap().trim()) {
                let words: Vec<_> = line.split_whitespace().collect();
                match words.as_slice() {
                    ["make", targets @ ..] => {
                        for target in targets.iter().filter(|target| !target.contains('=')) {
                            let known = makefile.lines().any(|line| line.starts_with(&format!("{target}:")));
                            assert!(known, "{}: the Makefile has no target {target}", block.at);
                            *seen.entry("targets").or_insert(0) += 1;
                        }
                    }
                    [script, ..] if script.starts_with("scripts/") => {
                        assert!(root.join(script).exists(), "{}: {script} does not exist", block.at);
                        *seen.entry("scripts").or_insert(0) += 1;
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(seen.contains_key("targets"), "{seen:?}");
}

#[test]
fn a_wrong_flag_path_or_unit_in_a_command_is_found() {
    let Some(machine) = Machine::build() else { return };
    assert_eq!(machine.run("cd /clone && make dist && install -m 755 dist/shelfwise /usr/local/bin/").status, 0);
    for wrong in [
        "shelfwise user create you@example.org --nam You --data-dir /var/lib/shelfwise",
        "cp deploy/shelfwise.servce /etc/systemd/system/",
        "systemctl enable --now shelfwize",
        "sudo -u shelfwyse shelfwise doctor",
        "make distt",
    ] {
        let ended = machine.run(&format!("cd /clone\n{wrong}"));
        assert_ne!(ended.status, 0, "{wrong}: {}{}", ended.out, ended.err);
    }
}
