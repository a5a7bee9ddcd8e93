//! `infer`: relations at their lines; for pairs of variables the values seen and the region that the relations leave.

use super::{Detail, Mark, View};
use crate::render::html::contour::{self, Window, can_be_drawn, shapes};
use crate::render::html::document::{self, Place, list};
use crate::render::html::escape::Html;
use crate::render::html::svg::{Anchor, Path, Svg};
use logic::Predicate;
use serde_json::Value;

/// Plots of a page, and relations in one.
const MOST_PLOTS: usize = 8;
const MOST_RELATIONS: usize = 40;

pub fn view(result: &Value) -> View {
    let mut view = View::default();
    view.counted(result, &[("runs", "runs"), ("excluded inputs", "excluded"), ("refuted on the way", "refuted")]);
    for location in list(result, "locations") {
        let place = Place::of(location);
        for invariant in list(location, "invariants") {
            let mut mark = Mark {
                verdict: document::text(invariant, "verdict").to_string(),
                kind: document::text(invariant, "kind").to_string(),
                text: document::text(invariant, "text").to_string(),
                is_code: true,
                place: place.clone(),
                ..Mark::default()
            };
            mark.detail("how", Detail::Text(document::text(invariant, "how").to_string()));
            mark.detail("at", Detail::Text(document::text(location, "name").to_string()));
            mark.detail("in C", Detail::Code(document::text(invariant, "c").to_string()));
            view.marks.push(mark);
        }
        for pair in list(location, "pairs") {
            if let Some(plot) = Plot::read(location, pair).filter(|_| view.panels.len() < MOST_PLOTS) {
                let title = format!("{} and {} at {}", plot.x, plot.y, document::text(location, "name"));
                view.panel(title, plot.draw());
            }
        }
    }
    view
}

/// A pair of variables, the points seen and the relations that speak of no others.
struct Plot<'a> {
    x: &'a str,
    y: &'a str,
    points: Vec<(f64, f64)>,
    relations: Vec<(Predicate, &'a str)>,
}

const SIZE: (f64, f64) = (440.0, 300.0);
/// Room for the numbers at the axes: left, top, right, bottom.
const ROOM: (f64, f64, f64, f64) = (56.0, 12.0, 14.0, 40.0);

impl<'a> Plot<'a> {
    fn read(location: &'a Value, pair: &'a Value) -> Option<Plot<'a>> {
        let (x, y) = (document::text(pair, "x"), document::text(pair, "y"));
        let number = |value: &Value| value.as_f64().filter(|number| number.is_finite());
        let point = |point: &Value| Some((number(point.get(0)?)?, number(point.get(1)?)?));
        let points: Vec<(f64, f64)> = list(pair, "points").iter().filter_map(point).collect();
        if points.is_empty() {
            return None;
        }
        let relation = |invariant: &'a Value| {
            let text = document::text(invariant, "text");
            let predicate = Predicate::parse(text).ok()?;
            can_be_drawn(&predicate, (x, y)).then_some((predicate, text))
        };
        let relations = list(location, "invariants").iter().filter_map(relation).take(MOST_RELATIONS).collect();
        Some(Plot { x, y, points, relations })
    }

    fn draw(&self) -> Html {
        let window = Window {
            x: range(self.points.iter().map(|point| point.0).collect()),
            y: range(self.points.iter().map(|point| point.1).collect()),
        };
        let inner = (SIZE.0 - ROOM.0 - ROOM.2, SIZE.1 - ROOM.1 - ROOM.3);
        let place = |x: f64, y: f64| {
            let across = (x - window.x.0) / (window.x.1 - window.x.0);
            let up = (y - window.y.0) / (window.y.1 - window.y.0);
            (ROOM.0 + across * inner.0, ROOM.1 + (1.0 - up) * inner.1)
        };
        let mut svg = Svg::new(SIZE.0, SIZE.1);
        svg.rect("plot", (ROOM.0, ROOM.1), inner);
        let (left, bottom) = (ROOM.0, ROOM.1 + inner.1);
        for tick in ticks(window.x) {
            let at = place(tick, window.y.0).0;
            svg.line("grid", (at, ROOM.1), (at, bottom));
            svg.text("tick", (at, bottom + 16.0), Anchor::Middle, &shown(tick));
        }
        for tick in ticks(window.y) {
            let at = place(window.x.0, tick).1;
            svg.line("grid", (left, at), (left + inner.0, at));
            svg.text("tick", (left - 7.0, at + 4.0), Anchor::End, &shown(tick));
        }
        let predicates: Vec<Predicate> = self.relations.iter().map(|(predicate, _)| predicate.clone()).collect();
        let drawn: contour::Shapes = shapes(&predicates, (self.x, self.y), window, place);
        svg.path("region", &drawn.region);
        svg.path("curve", &drawn.curves);
        let inside = |value: f64, (low, high): (f64, f64)| (low..=high).contains(&value);
        let mut outside = 0;
        for &(x, y) in &self.points {
            if inside(x, window.x) && inside(y, window.y) {
                svg.circle("dot", place(x, y), 2.6);
            } else {
                outside += 1;
            }
        }
        let mut frame = Path::from((left, ROOM.1));
        frame.to((left, bottom)).to((left + inner.0, bottom));
        svg.path("axis", &frame);
        svg.text("name", (left + inner.0, bottom + 33.0), Anchor::End, self.x);
        svg.text("name", (left + 6.0, ROOM.1 + 14.0), Anchor::Start, self.y);
        let about = format!(
            "{} samples of {} and {}, with what {} relations leave",
            self.points.len(),
            self.x,
            self.y,
            self.relations.len()
        );
        let mut html = svg.finish(&about);
        html.raw("<p class=\"caption\">").count(self.points.len()).raw(if self.points.len() == 1 {
            " point that was seen"
        } else {
            " points that were seen"
        });
        if outside > 0 {
            html.raw(", ").count(outside).raw(" of them outside the picture");
        }
        html.raw(match (drawn.region.is_empty(), drawn.curves.is_empty()) {
            (true, true) => ".",
            (false, true) => "; shaded is what the relations leave:",
            (true, false) => "; the line is what the relations leave:",
            (false, false) => "; what the relations leave is the line, inside the shade:",
        });
        for (_, text) in &self.relations {
            html.raw(" <code class=\"pill\">").text(text).raw("</code>");
        }
        html.raw("</p>");
        html
    }
}

/// From the least to the greatest, with a margin. A few far points would leave all others in one spot: then most decide.
fn range(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let at = |part: f64| values[((values.len() - 1) as f64 * part).round() as usize];
    let (whole, most) = ((at(0.0), at(1.0)), (at(0.03), at(0.97)));
    let (low, high) = if whole.1 - whole.0 > 4.0 * (most.1 - most.0) && most.1 > most.0 { most } else { whole };
    let margin = ((high - low) * 0.08).max(if high > low { 0.0 } else { high.abs().max(1.0) * 0.5 });
    (low - margin, high + margin)
}

/// About five round numbers in a range.
fn ticks((low, high): (f64, f64)) -> Vec<f64> {
    let rough = (high - low) / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|step| *step >= rough);
    let Some(step) = step.filter(|step| step.is_finite() && *step > 0.0) else { return Vec::new() };
    let first = (low / step).ceil();
    (0..12).map(|number| (first + f64::from(number)) * step).take_while(|tick| *tick <= high).collect()
}

fn shown(tick: f64) -> String {
    match tick.abs() {
        size if size >= 1e6 => format!("{tick:.0e}"),
        _ => format!("{}", (tick * 1e6).round() / 1e6 + 0.0),
    }
}
