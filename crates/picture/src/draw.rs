//! Layout: states in columns by their distance from the start, edges as curves between them.
//!
//! Draws a picture as SVG. A machine has a handful of states, so a simple layout is enough: columns by
//! distance, edges to the right above the middle, edges to the left below it, then loops on the side of their
//! state where least is. Labels are placed last, each at the place beside its edge where it covers least.

use crate::{Edge, Picture};
use std::fmt::Write as _;

const BOX_HEIGHT: f64 = 40.0;
const ROW: f64 = 170.0;
const GAP: f64 = 190.0;
const CHARACTER: f64 = 7.2;
const LINE: f64 = 15.0;
const MARGIN: f64 = 40.0;
/// How far the outer frame of a state at which the machine may end is from the inner one.
const FRAME: f64 = 4.0;
/// How high a loop stands on its state.
const LOOP: f64 = 46.0;
/// How many points of a curve are looked at where labels are placed.
const N_POINTS: usize = 32;

type Point = (f64, f64);

/// The width of an edge by how often it was taken.
pub(crate) fn width(count: u64, most: u64) -> f64 {
    match (count, most) {
        (0, _) | (_, 0) => 1.0,
        (count, most) => 1.0 + 4.0 * (count as f64).ln_1p() / (most as f64).ln_1p(),
    }
}

/// A box: its middle, and half of its extent.
#[derive(Clone, Copy)]
struct Area {
    x: f64,
    y: f64,
    half_width: f64,
    half_height: f64,
}

impl Area {
    fn overlaps(&self, other: &Area) -> bool {
        (self.x - other.x).abs() < self.half_width + other.half_width
            && (self.y - other.y).abs() < self.half_height + other.half_height
    }

    fn grown(&self, by: f64) -> Area {
        Area { half_width: self.half_width + by, half_height: self.half_height + by, ..*self }
    }

    fn holds(&self, (x, y): Point) -> bool {
        (self.x - x).abs() < self.half_width && (self.y - y).abs() < self.half_height
    }

    /// Where a line from the middle towards a point leaves the box.
    fn border(&self, (x, y): Point) -> Point {
        let (dx, dy) = (x - self.x, y - self.y);
        let scale = (self.half_width / dx.abs().max(1e-6)).min(self.half_height / dy.abs().max(1e-6));
        (self.x + dx * scale, self.y + dy * scale)
    }
}

/// An edge as a cubic curve.
struct Curve {
    points: [Point; 4],
    is_loop: bool,
}

impl Curve {
    fn at(&self, t: f64) -> Point {
        let [a, b, c, d] = self.points;
        let u = 1.0 - t;
        let of = |a: f64, b: f64, c: f64, d: f64| {
            u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
        };
        (of(a.0, b.0, c.0, d.0), of(a.1, b.1, c.1, d.1))
    }

    fn sampled(&self) -> impl Iterator<Item = Point> {
        (0..=N_POINTS).map(|k| self.at(k as f64 / N_POINTS as f64))
    }
}

/// The column of each state: how many steps it is from the start.
fn columns(picture: &Picture) -> Vec<usize> {
    let n = picture.states.len();
    let mut column = vec![usize::MAX; n];
    column[picture.start] = 0;
    for distance in 0..n {
        for edge in &picture.edges {
            if column[edge.from] == distance && column[edge.to] == usize::MAX {
                column[edge.to] = distance + 1;
            }
        }
    }
    let last = column.iter().filter(|c| **c != usize::MAX).max().copied().unwrap_or(0);
    column.into_iter().map(|c| if c == usize::MAX { last + 1 } else { c }).collect()
}

fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * CHARACTER
}

/// The states' boxes, and the width of everything.
fn places(picture: &Picture) -> (Vec<Area>, f64) {
    let columns = columns(picture);
    let n_columns = columns.iter().max().map_or(1, |c| c + 1);
    let halves: Vec<f64> =
        picture.states.iter().map(|name| (text_width(name) / 2.0 + 16.0).max(34.0)).collect();
    let labels = picture.edges.iter().filter(|edge| columns[edge.from].abs_diff(columns[edge.to]) == 1);
    let label = labels.flat_map(|edge| picture.label(edge)).map(|l| text_width(&l)).fold(0.0, f64::max);
    let gap = GAP.max(label + 40.0);
    let mut left = MARGIN + 30.0;
    let mut places: Vec<Area> = (0..halves.len())
        .map(|k| {
            let inner = Area { x: 0.0, y: 0.0, half_width: halves[k], half_height: BOX_HEIGHT / 2.0 };
            if picture.terminal.contains(&k) { inner.grown(FRAME) } else { inner }
        })
        .collect();
    for c in 0..n_columns {
        let members: Vec<usize> = (0..columns.len()).filter(|k| columns[*k] == c).collect();
        let widest = members.iter().map(|k| halves[*k]).fold(0.0, f64::max);
        for (row, k) in members.iter().enumerate() {
            places[*k].x = left + widest;
            places[*k].y = (row as f64 - (members.len() as f64 - 1.0) / 2.0) * ROW;
        }
        left += 2.0 * widest + gap;
    }
    (places, left - gap + MARGIN + 10.0)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The picture; of a composed machine, its parts one below the other.
pub(crate) fn svg(picture: &Picture) -> String {
    if picture.parts.is_empty() {
        return drawing(picture).0;
    }
    let (mut body, mut y, mut width) = (String::new(), MARGIN / 2.0, 0.0);
    let line = |text: &str, y: f64, weight: &str| {
        let x = MARGIN / 2.0;
        format!("<text x=\"{x:.1}\" y=\"{y:.1}\"{weight}>{}</text>\n", escaped(text))
    };
    for part in &picture.parts {
        let (drawn, (part_width, part_height)) = drawing(part);
        body += &line(&part.name, y + LINE * 0.75, " font-weight=\"bold\"");
        y += LINE;
        let _ = write!(body, "<g transform=\"translate(0,{y:.0})\">\n{drawn}</g>\n");
        y += part_height;
        width = part_width.max(width);
    }
    for caption in &picture.captions {
        y += LINE;
        body += &line(caption, y, "");
        width = (text_width(caption) + MARGIN).max(width);
    }
    let height = y + MARGIN / 2.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"monospace\" font-size=\"12\">\n<title>{}</title>\n\
         <rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>\n{body}</svg>\n",
        picture.name,
    )
}

/// One machine, and how wide and high it is.
fn drawing(picture: &Picture) -> (String, Point) {
    let (places, width_of_all) = places(picture);
    let curves = curves(picture, &places);
    let labels = placed(picture, &curves, &places);
    let mut body = String::new();
    for (edge, curve) in picture.edges.iter().zip(&curves) {
        line(&mut body, picture, edge, curve);
    }
    for (k, place) in places.iter().enumerate() {
        state(&mut body, &picture.states[k], place, picture.terminal.contains(&k), k == picture.start);
    }
    // Labels last, so that no edge crosses them out.
    for (edge, area) in picture.edges.iter().zip(&labels) {
        label(&mut body, picture, edge, area);
    }
    let tops = places.iter().chain(&labels).map(|area| area.y - area.half_height);
    let bottoms = places.iter().chain(&labels).map(|area| area.y + area.half_height);
    let on_curves = || curves.iter().flat_map(Curve::sampled).map(|(_, y)| y);
    let top = tops.chain(on_curves()).fold(f64::MAX, f64::min) - MARGIN / 2.0;
    let drawn = bottoms.chain(on_curves()).fold(f64::MIN, f64::max);
    let height = drawn + picture.captions.len() as f64 * LINE + MARGIN / 2.0 - top;
    let captions = picture.captions.iter().map(|caption| text_width(caption) + MARGIN);
    let right = labels.iter().map(|area| area.x + area.half_width + 10.0).fold(width_of_all, f64::max);
    let right = captions.fold(right, f64::max);
    let left = labels.iter().map(|area| area.x - area.half_width - 10.0).fold(0.0, f64::min);
    let width = right - left;
    for (k, caption) in picture.captions.iter().enumerate() {
        let y = drawn + (k as f64 + 0.9) * LINE;
        let _ =
            writeln!(body, "<text x=\"{:.1}\" y=\"{y:.1}\">{}</text>", left + MARGIN / 2.0, escaped(caption));
    }
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left:.0} {top:.0} {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" font-family=\"monospace\" font-size=\"12\">\n<title>{}</title>\n<defs>{}{}</defs>\n\
         <rect x=\"{left:.0}\" y=\"{top:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>\n{body}</svg>\n",
        picture.name,
        arrow("arrow", "#34495e"),
        arrow("marked", "#c0392b"),
    );
    (svg, (width, height))
}

fn arrow(id: &str, color: &str) -> String {
    format!(
        "<marker id=\"{id}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0,0 L10,5 L0,10 z\" fill=\"{color}\"/></marker>"
    )
}

fn state(out: &mut String, name: &str, place: &Area, is_terminal: bool, is_start: bool) {
    let Area { x, y, .. } = *place;
    let left = x - place.half_width;
    let mut frame = |area: &Area, fill: &str| {
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"9\" fill=\"{fill}\" stroke=\"#34495e\" stroke-width=\"1.5\"/>",
            area.x - area.half_width,
            area.y - area.half_height,
            2.0 * area.half_width,
            2.0 * area.half_height
        );
    };
    if is_terminal {
        frame(place, "#ffffff");
        frame(&place.grown(-FRAME), "#eaf2f8");
    } else {
        frame(place, "#eaf2f8");
    }
    if is_start {
        let from = left - 28.0;
        let _ = writeln!(out, "<circle cx=\"{from:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"#34495e\"/>");
        let _ = writeln!(
            out,
            "<path d=\"M{from:.1},{y:.1} L{left:.1},{y:.1}\" stroke=\"#34495e\" fill=\"none\" marker-end=\"url(#arrow)\"/>"
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-weight=\"bold\" fill=\"#1b2631\">{}</text>",
        y + 4.0,
        escaped(name)
    );
}

/// The shapes of all edges: first those between states, then loops beside them.
fn curves(picture: &Picture, places: &[Area]) -> Vec<Curve> {
    let is_loop = |edge: &Edge| edge.from == edge.to;
    let between: Vec<Curve> =
        picture.edges.iter().filter(|edge| !is_loop(edge)).map(|edge| curve(edge, picture, places)).collect();
    let mut loops: Vec<Curve> = picture
        .edges
        .iter()
        .filter(|edge| is_loop(edge))
        .map(|edge| loop_at(edge, picture, places, &between))
        .collect();
    let (mut between, mut loops) = (between.into_iter(), loops.drain(..));
    let next = |edge: &Edge| if is_loop(edge) { loops.next() } else { between.next() };
    picture.edges.iter().filter_map(next).collect()
}

/// A loop with its label, above or below its state, where it touches least.
fn loop_at(edge: &Edge, picture: &Picture, places: &[Area], between: &[Curve]) -> Curve {
    let of = &places[edge.from];
    let half_height = LOOP / 2.0 + picture.label(edge).len() as f64 * LINE / 2.0;
    let touched = |up: f64| {
        let area =
            Area { x: of.x, y: of.y + up * (of.half_height + half_height), half_width: 24.0, half_height };
        let states =
            places.iter().enumerate().filter(|(k, place)| *k != edge.from && area.overlaps(place)).count();
        states * N_POINTS + between.iter().map(|curve| crossed(&area, curve)).sum::<usize>()
    };
    // In doubt away from the middle, where most edges are.
    let away = if of.y > 1.0 { 1.0 } else { -1.0 };
    let up = if touched(away) <= touched(-away) { away } else { -away };
    let (foot, top) = (of.y + up * of.half_height, of.y + up * (of.half_height + LOOP));
    let points = [(of.x - 14.0, foot), (of.x - 34.0, top), (of.x + 34.0, top), (of.x + 14.0, foot)];
    Curve { points, is_loop: true }
}

/// The shape of an edge between two states.
fn curve(edge: &Edge, picture: &Picture, places: &[Area]) -> Curve {
    let (from, to) = (&places[edge.from], &places[edge.to]);
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy).max(1.0);
    let has_opposite = picture.edges.iter().any(|other| (other.from, other.to) == (edge.to, edge.from));
    let is_back = dx < -1.0;
    // To the left of the direction: forward edges bend up, backward ones down.
    let bent = |bend: f64| {
        let (nx, ny) = (dy / length, -dx / length);
        let control = ((from.x + to.x) / 2.0 + nx * bend, (from.y + to.y) / 2.0 + ny * bend);
        let (a, b) = (from.border(control), to.border(control));
        let towards = |p: Point| (p.0 + (control.0 - p.0) * 2.0 / 3.0, p.1 + (control.1 - p.1) * 2.0 / 3.0);
        Curve { points: [a, towards(a), towards(b), b], is_loop: false }
    };
    let near = if has_opposite || is_back { 52.0 } else { 0.0 };
    let far = 80.0 + length * 0.32;
    let curves = [near, far, far * 1.3, far * 1.7, -far, -far * 1.3].map(bent);
    // The first that runs into as few other states as any.
    let others = || places.iter().enumerate().filter(|(k, _)| *k != edge.from && *k != edge.to);
    let hits = |curve: &Curve| others().map(|(_, place)| crossed(&place.grown(24.0), curve)).sum::<usize>();
    curves.into_iter().min_by_key(hits).expect("there are six")
}

/// Where the labels are: each in turn at the place beside its edge where it covers least.
fn placed(picture: &Picture, curves: &[Curve], places: &[Area]) -> Vec<Area> {
    let mut labels: Vec<Area> = Vec::new();
    for (k, (edge, curve)) in picture.edges.iter().zip(curves).enumerate() {
        let text = picture.label(edge);
        let half_width = text.iter().map(|line| text_width(line)).fold(0.0, f64::max) / 2.0;
        let half_height = text.len() as f64 * LINE / 2.0;
        let mut best: Option<(f64, Area)> = None;
        for (rank, (x, y)) in candidates(curve, half_width, half_height).into_iter().enumerate() {
            let area = Area { x, y, half_width, half_height };
            let covered = labels.iter().filter(|other| area.overlaps(other)).count() * 100
                + places.iter().filter(|place| area.overlaps(place)).count() * 100
                + curves
                    .iter()
                    .enumerate()
                    .filter(|(j, _)| *j != k)
                    .map(|(_, c)| crossed(&area, c))
                    .sum::<usize>()
                    * 4
                + crossed(&area, curve) * 3;
            // An earlier candidate is nearer to the middle of the edge.
            let cost = covered as f64 + rank as f64 * 0.5;
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, area));
            }
        }
        labels.extend(best.map(|(_, area)| area));
    }
    labels
}

fn crossed(area: &Area, curve: &Curve) -> usize {
    curve.sampled().filter(|point| area.holds(*point)).count()
}

/// Places for a label: along the curve from its middle on, on either side.
fn candidates(curve: &Curve, half_width: f64, half_height: f64) -> Vec<Point> {
    let (x, y) = curve.at(0.5);
    if curve.is_loop {
        let out = (y - curve.points[0].1).signum();
        let beyond = y + out * (half_height + 4.0);
        return [0.0, -1.0, 1.0]
            .into_iter()
            .flat_map(|side| [(x + side * half_width * 0.6, beyond), (x + side * (half_width + 24.0), y)])
            .collect();
    }
    let mut all = Vec::new();
    for t in [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74] {
        let (x, y) = curve.at(t);
        let ((x0, y0), (x1, y1)) = (curve.at(t - 0.02), curve.at(t + 0.02));
        let length = (x1 - x0).hypot(y1 - y0).max(1e-6);
        let (nx, ny) = ((y1 - y0) / length, -(x1 - x0) / length);
        // So far from the curve that the box just does not touch it.
        let reach = half_width * nx.abs() + half_height * ny.abs() + 5.0;
        all.extend([1.0, -1.0].map(|side| (x + side * nx * reach, y + side * ny * reach)));
    }
    all
}

fn line(out: &mut String, picture: &Picture, edge: &Edge, curve: &Curve) {
    let (color, marker) = if edge.path.is_empty() { ("#34495e", "arrow") } else { ("#c0392b", "marked") };
    let stroke = if picture.has_counts {
        width(edge.count, picture.most())
    } else if edge.path.is_empty() {
        1.3
    } else {
        2.4
    };
    let dashes = if picture.has_counts && edge.count == 0 { " stroke-dasharray=\"5,4\"" } else { "" };
    let [a, b, c, d] = curve.points.map(|(x, y)| format!("{x:.1},{y:.1}"));
    let _ = writeln!(
        out,
        "<path d=\"M{a} C{b} {c} {d}\" stroke=\"{color}\" stroke-width=\"{stroke:.1}\" fill=\"none\"{dashes} marker-end=\"url(#{marker})\"/>"
    );
}

fn label(out: &mut String, picture: &Picture, edge: &Edge, area: &Area) {
    let color = if edge.path.is_empty() { "#34495e" } else { "#c0392b" };
    let Area { x, y, half_height, .. } = area;
    for (k, text) in picture.label(edge).iter().enumerate() {
        let at = y - half_height + (k as f64 + 0.75) * LINE;
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{at:.1}\" text-anchor=\"middle\" fill=\"{color}\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\">{}</text>",
            escaped(text)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine with loops, ways back and a state in the way of others.
    fn machine() -> Picture {
        let mut picture = Picture::new("m", &["Idle", "Moving", "Open", "Broken"], 0);
        picture.terminal.push(3);
        for (from, to, label) in [
            (0, 1, "call [is_floor(to)]"),
            (1, 1, "move"),
            (1, 2, "move"),
            (2, 1, "call [at < 3 && to != at]"),
            (2, 0, "close"),
            (0, 3, "alarm"),
            (1, 3, "alarm"),
            (2, 3, "alarm"),
            (3, 3, "alarm"),
        ] {
            picture.edge(from, to, label);
        }
        picture
    }

    #[test]
    fn labels_cover_neither_states_nor_each_other() {
        let picture = machine();
        let (places, _) = places(&picture);
        let curves = curves(&picture, &places);
        let labels = placed(&picture, &curves, &places);
        for (k, label) in labels.iter().enumerate() {
            assert!(!places.iter().any(|place| label.overlaps(place)), "label {k}");
            assert!(!labels[..k].iter().any(|other| label.overlaps(other)), "label {k}");
        }
    }

    #[test]
    fn edges_go_around_states() {
        let mut line = Picture::new("line", &["A", "B", "C"], 0);
        [(0, 1), (1, 2), (2, 0)].into_iter().for_each(|(from, to)| line.edge(from, to, "go"));
        let (places, _) = places(&line);
        assert_eq!(crossed(&places[1], &curve(&line.edges[2], &line, &places)), 0);
    }

    /// One state above another, with edges between them: both loops stand outside.
    #[test]
    fn loops_stand_where_no_edge_is() {
        let mut column = Picture::new("column", &["A", "B", "C"], 0);
        [(0, 1), (0, 2), (1, 2), (2, 1), (1, 1), (2, 2)]
            .into_iter()
            .for_each(|(from, to)| column.edge(from, to, "go"));
        let (places, _) = places(&column);
        let curves = curves(&column, &places);
        let crossings = |k: usize| {
            let (top, foot) = (curves[k].at(0.5).1, curves[k].points[0].1);
            let area = Area {
                x: places[column.edges[k].from].x,
                y: (top + foot) / 2.0,
                half_width: 20.0,
                half_height: (top - foot).abs() / 2.0,
            };
            curves[..4].iter().map(|curve| crossed(&area, curve)).sum::<usize>()
        };
        assert_eq!((crossings(4), crossings(5)), (0, 0));
    }

    #[test]
    fn nothing_is_cut_off_on_the_left() {
        let mut picture = Picture::new("m", &["A"], 0);
        picture.edge(0, 0, "a label that is much longer than the name of its state");
        let svg = picture.svg();
        let left: f64 =
            svg.split("viewBox=\"").nth(1).and_then(|s| s.split(' ').next()).unwrap().parse().unwrap();
        let (places, _) = places(&picture);
        let labels = placed(&picture, &curves(&picture, &places), &places);
        assert!(labels[0].x - labels[0].half_width >= left, "{svg}");
    }

    #[test]
    fn captions_stand_below_everything() {
        let mut picture = machine();
        let height = |svg: &str| {
            let rest = svg.split("height=\"").nth(1).expect("it has one");
            rest.split('"').next().and_then(|number| number.parse::<f64>().ok()).expect("a number")
        };
        let before = height(&picture.svg());
        picture.captions.push("shuts: proved".to_string());
        assert!(picture.svg().contains(">shuts: proved</text>") && height(&picture.svg()) > before + 10.0);
        assert!(picture.mermaid().contains("    shuts: proved\n  end note"));
        assert!(picture.dot().contains("label=\"shuts: proved\\l\";"));
    }

    #[test]
    fn parts_are_drawn_one_below_the_other() {
        let parts = vec![machine(), machine()];
        let captions = vec!["alarm: both".to_string()];
        let whole = Picture::composed("two", parts, captions);
        let svg = whole.svg();
        assert_eq!(svg.matches("<svg ").count(), 3);
        assert!(svg.contains(">alarm: both</text>") && !svg.contains("\n\n"), "{svg}");
        let mermaid = whole.mermaid();
        assert!(mermaid.contains("  p1_Idle --> p1_Moving: call [is_floor(to)]"), "{mermaid}");
        assert!(mermaid.contains("  state \"m\" as p0 {\n  state \"Idle\" as p0_Idle"), "{mermaid}");
        let dot = whole.dot();
        assert!(dot.contains("subgraph cluster_1 {") && dot.contains("p1_Open -> p1_Idle"), "{dot}");
    }

    #[test]
    fn text_is_escaped_and_no_line_is_blank() {
        let svg = machine().svg();
        assert!(svg.contains("at &lt; 3 &amp;&amp; to != at"), "{svg}");
        assert!(!svg.contains("\n\n"), "a blank line would end it in documentation");
    }
}
