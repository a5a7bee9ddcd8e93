//! Drawings: the elements of SVG that pictures need. Colours come from the page's classes, so that drawings follow its
//! theme; text is escaped as everywhere.

use super::escape::Html;

/// Where a text stands relative to its point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// The width of a character of the drawings' fixed-width font.
pub const LETTER: f64 = 7.0;

pub struct Svg {
    body: Html,
    width: f64,
    height: f64,
}

impl Svg {
    pub fn new(width: f64, height: f64) -> Svg {
        Svg { body: Html::new(), width, height }
    }

    /// The drawing as an element; `about` is what it says to those who do not see it.
    pub fn finish(self, about: &str) -> Html {
        let mut html = Html::new();
        html.raw("<svg role=\"img\" viewBox=\"0 0 ").coordinate(self.width).raw(" ").coordinate(self.height);
        html.raw("\" width=\"").coordinate(self.width).raw("\" height=\"").coordinate(self.height);
        html.raw("\" aria-label=\"").text(about).raw("\">").add(&self.body).raw("</svg>");
        html
    }

    /// The same, in an element of its own that scrolls where there is no room for it.
    pub fn scrolling(self, about: &str) -> Html {
        let mut html = Html::new();
        html.raw("<div class=\"scroll\" tabindex=\"0\">").add(&self.finish(about)).raw("</div>");
        html
    }

    pub fn line(&mut self, class: &'static str, from: (f64, f64), to: (f64, f64)) {
        self.body
            .raw("<line class=\"")
            .raw(class)
            .raw("\" x1=\"")
            .coordinate(from.0)
            .raw("\" y1=\"")
            .coordinate(from.1);
        self.body.raw("\" x2=\"").coordinate(to.0).raw("\" y2=\"").coordinate(to.1).raw("\"/>");
    }

    pub fn circle(&mut self, class: &'static str, at: (f64, f64), radius: f64) {
        self.body.raw("<circle class=\"").raw(class).raw("\" cx=\"").coordinate(at.0).raw("\" cy=\"").coordinate(at.1);
        self.body.raw("\" r=\"").coordinate(radius).raw("\"/>");
    }

    /// A rectangle with round corners.
    pub fn rect(&mut self, class: &'static str, at: (f64, f64), size: (f64, f64)) {
        self.body.raw("<rect class=\"").raw(class).raw("\" x=\"").coordinate(at.0).raw("\" y=\"").coordinate(at.1);
        self.body.raw("\" width=\"").coordinate(size.0).raw("\" height=\"").coordinate(size.1).raw("\" rx=\"4\"/>");
    }

    pub fn path(&mut self, class: &'static str, path: &Path) {
        self.body.raw("<path class=\"").raw(class).raw("\" d=\"").add(&path.0).raw("\"/>");
    }

    /// A path that ends in an arrow head, which points from `before` to `tip`.
    pub fn arrow(&mut self, class: &'static str, path: &Path, before: (f64, f64), tip: (f64, f64)) {
        self.path(class, path);
        let (dx, dy) = (tip.0 - before.0, tip.1 - before.1);
        let length = (dx * dx + dy * dy).sqrt().max(1e-6);
        let (dx, dy) = (dx / length, dy / length);
        let back = (tip.0 - 8.0 * dx, tip.1 - 8.0 * dy);
        let mut head = Path::from(tip);
        head.to((back.0 - 4.0 * dy, back.1 + 4.0 * dx)).to((back.0 + 4.0 * dy, back.1 - 4.0 * dx)).close();
        self.body.raw("<path class=\"head ").raw(class).raw("\" d=\"").add(&head.0).raw("\"/>");
    }

    pub fn text(&mut self, class: &'static str, at: (f64, f64), anchor: Anchor, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.body.raw("<text class=\"").raw(class).raw("\" x=\"").coordinate(at.0).raw("\" y=\"").coordinate(at.1);
        self.body.raw("\" text-anchor=\"").raw(anchor).raw("\">").text(text).raw("</text>");
    }

    /// What a pointer that rests on the elements drawn by `draw` is told.
    pub fn titled(&mut self, title: &str, draw: impl FnOnce(&mut Svg)) {
        self.body.raw("<g><title>").text(title).raw("</title>");
        draw(self);
        self.body.raw("</g>");
    }
}

/// The `d` of a path.
#[derive(Default)]
pub struct Path(Html);

impl Path {
    pub fn from(point: (f64, f64)) -> Path {
        let mut path = Path::default();
        path.go(point);
        path
    }

    fn point(&mut self, command: &'static str, (x, y): (f64, f64)) -> &mut Path {
        self.0.raw(command).coordinate(x).raw(" ").coordinate(y);
        self
    }

    /// Begins another part.
    pub fn go(&mut self, point: (f64, f64)) -> &mut Path {
        self.point("M", point)
    }

    pub fn to(&mut self, point: (f64, f64)) -> &mut Path {
        self.point("L", point)
    }

    pub fn curve(&mut self, one: (f64, f64), other: (f64, f64), end: (f64, f64)) -> &mut Path {
        self.point("C", one).point(" ", other).point(" ", end)
    }

    pub fn close(&mut self) -> &mut Path {
        self.0.raw("Z");
        self
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The beginning of a text, if it is too long.
pub fn clipped(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_string(),
    }
}
