//! Places of one name become one location.

use super::views::{VALID, View};
use super::{ShownArray, arrays};
use crate::guards::Anchor;
use crate::{Location, Role, Variable};
use exec::ValueType;
use ir::{FunctionId, Program, StmtId, StmtKind};

/// Makes one location of all trace points of one name and the same values, and gives every other location a name of
/// its own.
pub(super) fn join(views: &mut [View]) -> Vec<(Location, Anchor, Vec<ShownArray>)> {
    let own = |view: &View| -> Vec<(String, Option<ValueType>)> {
        let program = view.location.variables.iter().filter(|v| v.role != Role::Ghost);
        program.map(|v| (v.name.clone(), v.ty)).collect()
    };
    let mut locations: Vec<(Location, Anchor, Vec<ShownArray>)> = Vec::new();
    for index in 0..views.len() {
        let same = |other: &View| {
            let arrays = |view: &View| view.arrays.iter().map(|(array, _)| array.clone()).collect::<Vec<_>>();
            other.is_shared
                && other.location.name == views[index].location.name
                && own(other) == own(&views[index])
                && arrays(other) == arrays(&views[index])
        };
        if views[index].is_shared && views[..index].iter().any(same) {
            continue;
        }
        let members: Vec<usize> = if views[index].is_shared {
            (index..views.len()).filter(|&i| same(&views[i])).collect()
        } else {
            vec![index]
        };
        // Only what all of them show is a value of the location; rounds of different functions are different things.
        let function = views[index].function;
        let one_function = members.iter().all(|&i| views[i].function == function);
        let kept: Vec<Variable> = views[index].location.variables.clone();
        let kept: Vec<Variable> = kept
            .into_iter()
            .filter(|v| v.role != Role::Ghost || one_function)
            .filter(|v| members.iter().all(|&i| views[i].location.variables.iter().any(|other| other.name == v.name)))
            .collect();
        let mut guards = views[index].location.guards.clone();
        guards.retain(|guard| members.iter().all(|&i| views[i].location.guards.contains(guard)));
        let plain = views[index].location.name.clone();
        let is_taken = |name: &str| locations.iter().any(|(l, ..)| l.name == name);
        let mut name = plain.clone();
        if !views[index].is_shared {
            // Rows are told apart by the names of places, of which one line can have many.
            let (stem, ending) = plain.strip_suffix(VALID).map_or((plain.as_str(), ""), |stem| (stem, VALID));
            let mut number = 2;
            while is_taken(&name) {
                name = format!("{stem} ({number}){ending}");
                number += 1;
            }
        }
        for &i in &members {
            let view = &mut views[i];
            let position = |v: &Variable| view.location.variables.iter().position(|other| other.name == v.name);
            let values = kept.iter().filter_map(position).map(|at| view.values[at].clone()).collect();
            view.values = values;
            view.location.variables.clone_from(&kept);
            view.location.name.clone_from(&name);
        }
        let location = Location { name, variables: kept, guards, ..views[index].location.clone() };
        let arrays = views[index].arrays.iter().map(|(array, _)| array.clone()).collect();
        locations.push((location, views[index].anchor, arrays));
    }
    locations
}

/// The trace statements of each location.
pub(super) fn points(
    program: &Program,
    locations: &[Location],
    arrays: &[Vec<ShownArray>],
) -> Vec<Vec<(FunctionId, StmtId)>> {
    let mut points = vec![Vec::new(); locations.len()];
    for (function, _, body) in program.defined_functions() {
        body.walk(&mut |stmt| {
            if let StmtKind::Trace(point) = &stmt.kind {
                let shows = |(l, arrays): (&Location, &Vec<ShownArray>)| {
                    let names = l.variables.iter().map(|v| &v.name).chain(arrays.iter().map(|a| &a.name));
                    let is_length = |name: &&String| arrays::is_length(name);
                    let shown = point.values.iter().map(|(name, _)| name).take_while(|name| !is_length(name));
                    l.name == point.name && names.eq(shown)
                };
                if let Some(index) = locations.iter().zip(arrays).position(shows) {
                    points[index].push((function, stmt.id));
                }
            }
        });
    }
    points
}
