//! The table of calls: `--list-io` writes it, `--io-sites` reads it.
//!
//! One call a line: `FILE:LINE:COLUMN`, the function, and `writes TYPES`, `reads TYPES`, `ignore` or `fails`, separated
//! by tabs. Lines that begin with `#` are comments.

use crate::report::Failure;
use conform::{Action, Does, Io, ListedSite, Moves, Role, Sites};
use ir::Program;
use std::fmt::Write as _;
use std::path::Path;

pub fn write(program: &Program, sites: &Sites, role: Role, io: &Io, text: &mut String) {
    for site in &sites.all {
        let place = program.sources.describe(site.span);
        let does = match &site.does {
            Does::Moves(moves) => format!("{}\t{}", role.verb(), io.kinds.show(&moves.pattern)),
            Does::Nothing => "ignore\t".to_string(),
            Does::Fails => "fails\t".to_string(),
            Does::Untold(why) => format!("{}\t?\t# {why}", role.verb()),
        };
        let _ = writeln!(text, "{place}\t{}\t{}", site.callee, does.trim_end());
    }
}

pub fn read(path: &Path, io: &mut Io) -> Result<(), Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::new(format!("{} cannot be read: {error}", path.display())))?;
    let (mut writes, mut reads) = (Vec::new(), Vec::new());
    for (number, line) in text.lines().enumerate() {
        let fail = |why: String| Failure::new(format!("{}:{}: {why}", path.display(), number + 1));
        let line = line.split('#').next().unwrap_or("").trim_end();
        if line.is_empty() {
            continue;
        }
        let columns: Vec<&str> = line.split('\t').map(str::trim).collect();
        let [place, callee, verb, ref types @ ..] = columns[..] else {
            return Err(fail("a line has a place, a function, a verb and types, separated by tabs".to_string()));
        };
        let parts = place.rsplitn(3, ':').collect::<Vec<_>>();
        let (line, column, file) = match parts[..] {
            [column, line, file] => (line.parse().ok(), column.parse().ok(), file),
            _ => (None, None, ""),
        };
        let (Some(line), Some(column)) = (line, column) else {
            return Err(fail(format!("`{place}` should be FILE:LINE:COLUMN")));
        };
        let types = types.join(" ");
        let action = match verb {
            "writes" | "reads" if types == "?" => {
                return Err(fail("`?` should be replaced by the types that this call moves".to_string()));
            }
            "writes" | "reads" => {
                let pattern = io.kinds.pattern(&types).map_err(fail)?;
                Action::Moves(Moves { pattern, ..Moves::default() })
            }
            "ignore" => Action::Ignored,
            "fails" => Action::Fails,
            other => return Err(fail(format!("`{other}` should be writes, reads, ignore or fails"))),
        };
        let site = ListedSite { file: file.to_string(), line, column, callee: callee.to_string(), action };
        match verb {
            "writes" => writes.push(site),
            "reads" => reads.push(site),
            // Both sides may have such a call.
            _ => {
                writes.push(site.clone());
                reads.push(site);
            }
        }
    }
    io.side_mut(Role::Producer).sites = Some(writes);
    io.side_mut(Role::Consumer).sites = Some(reads);
    Ok(())
}
