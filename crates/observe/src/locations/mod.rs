//! The places where relations are looked for, and a program that shows what its variables are there.
//!
//! *Question*: where is it worth looking, and which values does the reader want to see related?
//!
//! The program's own trace points (`vtrace1(x, y)`) are the locations if it has any; else the head of every loop and
//! every exit of the entry function are. Places the user names come on top. [`instrument`] returns a copy of the program
//! in which each location is a trace statement, so that the VM records rows there and the prover finds its cut points.
//! What is added are temporaries that nothing else reads:
//!
//! ```text
//! int f(int x) {              x_0 = x; n1 = 0; 2^n1 = 1;                    (entry value, ghosts)
//!   while (x > 0)             n1 = 0; 2^n1 = 1; loop { trace "loop at line 2" (x, x_0, n1, 2^n1); if !(x > 0) break;
//!     x = x - 2;                x = x - 2; n1 = n1 + 1; 2^n1 = 2^n1 * 2 }
//!   return x; }               trace "return at line 4" (x, x_0, n1, 2^n1); return x;
//! ```
//!
//! *Recursive functions* are looked at where a call starts (`call of f`) and where it ends (`result of f`), if that is
//! wanted; at the end the parameters are shown as they were at the start, under their own names.
//!
//! *Ghosts*: `nK` counts the completed rounds of loop K since it was last entered, 0 before that. Loops are numbered in
//! the order of the text; one that begins with `vtraceK` has number K. The power is an `unsigned long` that wraps to zero
//! after 2^63; a reader of rows takes zero for "too large".
//!
//! *Guarantee*: the copy is well-formed ([`ir::verify`]) and does what the program does; every value that a location
//! shows exists whenever it is reached.
//!
//! | file | what |
//! |---|---|
//! | `sites` | where to look |
//! | `views` | what is seen from there: the variables, entry values, results, ghosts |
//! | `reads` | what pointers lead to |
//! | `edits` | the copy: trace statements, entry values, counters |
//! | `joined` | places of one name become one location |

mod edits;
mod joined;
mod reads;
mod sites;
mod views;

use super::Location;
use super::guards::Anchor;
use super::shown_at as arrays;
use exec::Scalar;
use exec::trace::Row;
use ir::{FunctionId, LocalId, Program, StmtId};
use joined::{join, points};
use logic::Predicate;
use reads::Askers;
use sites::{name_of, sites};
use views::Plan;
pub use views::VALID;

/// What the user wants to see besides what is looked at anyway.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    pub at: Vec<At>,
    /// Whether rounds of loops are counted.
    pub ghosts: bool,
    /// Whether everything is looked at that a proof by induction needs: the heads of loops even where the program has
    /// trace points of its own, and the calls and results of recursive functions.
    pub loops: bool,
    /// Whether powers are numbers that do not wrap: for reasoning only, since a long run would fault.
    pub unbounded: bool,
    /// Whether locations show arrays.
    pub arrays: bool,
    /// The function whose loops and exits are looked at, if it is not the entry itself.
    pub subject: Option<FunctionId>,
    /// Whether locations show what the parameters of the entry lead to: for runs in the VM only.
    pub reads: bool,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            at: Vec::new(),
            ghosts: true,
            loops: false,
            unbounded: false,
            arrays: false,
            subject: None,
            reads: false,
        }
    }
}

/// A place that the user names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum At {
    /// Before the first statement that begins on the line. An empty file name means any file of the program.
    Line { file: String, line: u32 },
    /// After the label.
    Label(String),
}

/// A program that shows its variables.
#[derive(Clone, Debug)]
pub struct Instrumented {
    pub program: Program,
    pub entry: FunctionId,
    /// In the order of the text, function by function.
    pub locations: Vec<Location>,
    /// For each location its trace statements in `program`. The values of each are the location's variables, in order.
    pub points: Vec<Vec<(FunctionId, StmtId)>>,
    /// For each location the arrays that its trace statements show behind the variables, if that was asked for.
    pub arrays: Vec<Vec<ShownArray>>,
    /// For each location where it is in the program as it was given; the first place if there are several.
    pub anchors: Vec<Anchor>,
    pub ghosts: Vec<Ghost>,
    /// What was asked for and could not be found, in whole sentences.
    pub notes: Vec<String>,
}

/// An array at a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownArray {
    pub name: String,
    /// It never changes.
    pub is_constant: bool,
}

/// The ghost variables of a loop. As numbers they are unbounded: whoever reasons about them should not let them wrap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ghost {
    pub function: FunctionId,
    pub number: u32,
    /// A `long`.
    pub counter: LocalId,
    /// An `unsigned long`, or a `long` where it is to be without bounds.
    pub power: LocalId,
}

/// The name of the place where activations of a recursive function start.
pub fn call_of(function: &str) -> String {
    format!("call of {function}")
}

/// The name of the places where activations of a recursive function end. The names of parameters mean there what they
/// were at the start; besides them there are globals, and the one other name is that of the result.
pub fn result_of(function: &str) -> String {
    format!("result of {function}")
}

/// How the name of a power of two begins; the name of the counter follows.
const POWER: &str = "2^";

/// Whether the powers that a relation speaks of are in a row: one that has become too large is zero there.
pub fn powers_fit(predicate: &Predicate, row: &Row<'_>) -> bool {
    let is_power = |name: &&str| name.starts_with(POWER);
    predicate.variables().into_iter().filter(is_power).all(|name| row.named(name) != Some(Scalar::Int(0)))
}

/// Copies a program so that it shows its variables at the locations of interest.
pub fn instrument(program: &Program, entry: FunctionId, request: &Request) -> Instrumented {
    let widened = request.arrays.then(|| arrays::with_pointers(program));
    let program = widened.as_ref().unwrap_or(program);
    let mut notes = Vec::new();
    let sites = sites(program, entry, request, &mut notes);
    let mut copy = program.clone();
    let askers = request.reads.then(|| Askers::declare(&mut copy));
    let mut views = Vec::new();
    let mut plans: Vec<Plan> = Vec::new();
    for site in &sites {
        if plans.last().is_none_or(|plan| plan.function != site.function) {
            let own = sites.iter().filter(|other| other.function == site.function);
            plans.push(Plan::new(
                program,
                &mut copy,
                (site.function, entry),
                own.map(|other| other.anchor).collect(),
                request,
            ));
        }
        let plan = plans.last_mut().expect("a plan should be there, because it was pushed if missing");
        match plan.view(site) {
            Some(view) => {
                let through = plan.view_through(&view);
                views.push(view);
                views.extend(through);
            }
            None => notes.push(format!("Control cannot reach the place of `{}`.", name_of(program, site))),
        }
    }
    let joined = join(&mut views);
    let arrays: Vec<Vec<ShownArray>> = joined.iter().map(|(.., arrays)| arrays.clone()).collect();
    let (locations, anchors): (Vec<Location>, Vec<Anchor>) =
        joined.into_iter().map(|(location, anchor, _)| (location, anchor)).unzip();
    let ghosts = plans.iter().flat_map(|plan| plan.used_ghosts(&views)).collect();
    for plan in &plans {
        plan.rewrite(&mut copy, &views, askers);
    }
    let points = points(&copy, &locations, &arrays);
    Instrumented { program: copy, entry, locations, points, arrays, anchors, ghosts, notes }
}
