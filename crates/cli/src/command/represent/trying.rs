//! Running the clients of `--client`.

use crate::args::Represent;
use crate::report::Failure;
use diagnostics::Deadline;
use rayon::prelude::*;
use replay::Scratch;
use represent::clients::{Client, Conditions, Examined, Lineup, examine};
use represent::values::Values;
use std::time::Duration;

/// The clients that are asked for.
pub(super) fn clients(args: &Represent) -> Result<Vec<Client>, Failure> {
    let mut clients: Vec<Client> = Vec::new();
    for text in &args.client {
        let (name, command) = text.split_once('=').filter(|(name, _)| !name.trim().is_empty()).ok_or_else(|| {
            Failure::new(format!("--client '{text}' has no name")).with_help("--client NAME='COMMAND {}' gives one")
        })?;
        let mut words = words("--client", command)?;
        // Clients run in folders of their own, where a path that starts here leads nowhere.
        if words[0].contains('/')
            && let Ok(path) = std::fs::canonicalize(&words[0])
        {
            words[0] = path.display().to_string();
        }
        if !words.iter().any(|word| word.contains("{}")) {
            return Err(Failure::new(format!("the command of the client `{name}` has no place for the file"))
                .with_help("{} stands for it: --client NAME='COMMAND {}'"));
        }
        if clients.iter().any(|other| other.name == name) {
            return Err(Failure::new(format!("two clients are called `{name}`")));
        }
        clients.push(Client { name: name.to_string(), words });
    }
    Ok(clients)
}

fn words(option: &str, command: &str) -> Result<Vec<String>, Failure> {
    shlex::split(command)
        .filter(|words| !words.is_empty())
        .ok_or_else(|| Failure::new(format!("{option} '{command}' is not a command")))
}

/// Examines all clients, each in a folder of its own.
pub(super) fn try_all<'l>(
    args: &Represent,
    clients: &[Client],
    lineup: impl FnOnce() -> Lineup<'l>,
    extension: &str,
    encode: &(dyn Fn(&Values) -> Result<Vec<u8>, String> + Sync),
    deadline: &Deadline,
) -> Result<Vec<Examined>, Failure> {
    let normalise = match &args.normalise_output {
        Some(command) => Some(words("--normalise-output", command)?),
        None => None,
    };
    let conditions = Conditions {
        encode,
        extension,
        normalise: normalise.as_deref(),
        time: Duration::from_secs_f64(args.client_time.min(1e6)),
        cancel: &deadline.cancel,
    };
    if clients.is_empty() {
        return Ok(Vec::new());
    }
    let lineup = lineup();
    deadline.progress.count("clients", clients.len() as u64);
    let one = |client: &Client| {
        let folder = Scratch::new("client").map_err(|error| format!("no folder for a client: {error}"))?;
        let examined = examine(client, &lineup, &conditions, folder.path());
        deadline.progress.add(1);
        match examined {
            // What a client would have done is not known; that is no fault of the invocation.
            Err(why) if deadline.is_cancelled() => Ok(Examined { unusable: Some(why), ..Examined::default() }),
            other => other,
        }
    };
    let examined: Vec<Result<Examined, String>> = clients.par_iter().map(one).collect();
    examined.into_iter().collect::<Result<Vec<_>, _>>().map_err(Failure::new)
}
