//! `plumb completions` and `plumb man`: what shells and `man` want to know about the command line, made from it.

use crate::args::{Cli, Completions, Man, Shared};
use crate::output;
use crate::report::{Failure, Report};
use clap::CommandFactory;
use clap_mangen::Man as Page;
use serde_json::json;

pub fn completions(args: &Completions) -> Report {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "plumb", &mut script);
    let mut report = Report::new("completions");
    report.text = String::from_utf8_lossy(&script).into_owned();
    report.result.insert("script".into(), json!(report.text));
    report
}

pub fn man(args: &Man, shared: &Shared) -> Result<Report, Failure> {
    let mut report = Report::new("man");
    let pages = pages()?;
    if let Some(folder) = shared.out.as_deref() {
        output::make_folder(folder)?;
        let mut written = Vec::new();
        for (name, page) in &pages {
            let file = folder.join(format!("{name}.1"));
            output::write_whole(&file, page.as_bytes())?;
            written.push(file.display().to_string());
        }
        report.summary = format!("wrote {} pages to {}", written.len(), folder.display());
        report.result.insert("written".into(), json!(written));
        return Ok(report);
    }
    let wanted = args.command.as_ref().map_or("plumb".to_string(), |command| format!("plumb-{command}"));
    let Some((_, page)) = pages.iter().find(|(name, _)| *name == wanted) else {
        return Err(Failure::new(format!("there is no page `{wanted}`")).with_help("`plumb --help` lists the commands"));
    };
    report.text.clone_from(page);
    report.result.insert("page".into(), json!(page));
    Ok(report)
}

/// The page of `plumb` and one for each command, by name.
fn pages() -> Result<Vec<(String, String)>, Failure> {
    let mut command = Cli::command();
    // Puts the common options into every command, as they are when one is run.
    command.build();
    let commands = command.get_subcommands().filter(|command| command.get_name() != "help").cloned();
    let version = env!("CARGO_PKG_VERSION");
    let named = commands.map(|command| {
        let name = format!("plumb-{}", command.get_name());
        (name.clone(), command.display_name(name).version(version))
    });
    let mut pages = Vec::new();
    for (name, command) in std::iter::once(("plumb".to_string(), command.clone())).chain(named) {
        let mut page = Vec::new();
        let failed = |error| Failure::new(format!("the page {name} cannot be made: {error}"));
        Page::new(command).source(format!("plumb {version}")).manual("Plumbline").render(&mut page).map_err(failed)?;
        pages.push((name, String::from_utf8_lossy(&page).into_owned()));
    }
    Ok(pages)
}
