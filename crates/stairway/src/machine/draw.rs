//! Layout: states in columns by their distance from the start, edges as curves between them.
//!
//! Receives a picture, hands on SVG. A machine has a handful of states, so a simple layout is enough:
//! columns by distance, loops above their state, edges to the right above the middle, edges to the left
//! below it.

use super::picture::{Line, Picture};
use std::fmt::Write as _;

const BOX_HEIGHT: f64 = 40.0;
const ROW: f64 = 150.0;
const GAP: f64 = 190.0;
const CHARACTER: f64 = 7.2;
const LINE: f64 = 15.0;
const MARGIN: f64 = 40.0;

/// The width of an edge by how often it was taken.
pub(super) fn width(count: u64, most: u64) -> f64 {
    match (count, most) {
        (0, _) | (_, 0) => 1.0,
        (count, most) => 1.0 + 4.0 * (count as f64).ln_1p() / (most as f64).ln_1p(),
    }
}

struct Place {
    x: f64,
    y: f64,
    half: f64,
}

/// The column of each state: how many steps it is from the start.
fn columns(picture: &Picture) -> Vec<usize> {
    let n = picture.states.len();
    let mut column = vec![usize::MAX; n];
    column[picture.start] = 0;
    for distance in 0..n {
        for line in &picture.edges {
            if column[line.from] == distance && column[line.to] == usize::MAX {
                column[line.to] = distance + 1;
            }
        }
    }
    let last = column.iter().filter(|c| **c != usize::MAX).max().copied().unwrap_or(0);
    column.into_iter().map(|c| if c == usize::MAX { last + 1 } else { c }).collect()
}

fn places(picture: &Picture) -> (Vec<Place>, f64, f64) {
    let columns = columns(picture);
    let n_columns = columns.iter().max().map_or(1, |c| c + 1);
    let halves: Vec<f64> =
        picture.states.iter().map(|name| (name.len() as f64 * CHARACTER / 2.0 + 16.0).max(34.0)).collect();
    let label = picture.edges.iter().flat_map(|line| picture.label(line)).map(|l| l.len()).max().unwrap_or(0);
    let gap = GAP.max(label as f64 * CHARACTER * 0.9 + 40.0);
    let mut left = MARGIN + 30.0;
    let mut places: Vec<Place> = halves.iter().map(|half| Place { x: 0.0, y: 0.0, half: *half }).collect();
    let rows = (0..n_columns).map(|c| columns.iter().filter(|k| **k == c).count()).max().unwrap_or(1);
    let middle = MARGIN + 90.0 + (rows as f64 - 1.0) * ROW / 2.0;
    for c in 0..n_columns {
        let members: Vec<usize> = (0..columns.len()).filter(|k| columns[*k] == c).collect();
        let widest = members.iter().map(|k| halves[*k]).fold(0.0, f64::max);
        for (row, k) in members.iter().enumerate() {
            places[*k].x = left + widest;
            places[*k].y = middle + (row as f64 - (members.len() as f64 - 1.0) / 2.0) * ROW;
        }
        left += 2.0 * widest + gap;
    }
    let bottom = middle + (rows as f64 - 1.0) * ROW / 2.0;
    (places, left - gap + MARGIN + 10.0, bottom)
}

/// A point of a curve with one control point, at its middle.
fn middle(from: (f64, f64), bend: (f64, f64), to: (f64, f64)) -> (f64, f64) {
    (0.25 * from.0 + 0.5 * bend.0 + 0.25 * to.0, 0.25 * from.1 + 0.5 * bend.1 + 0.25 * to.1)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Where a line from the middle of a box towards a point leaves the box.
fn border(place: &Place, towards: (f64, f64)) -> (f64, f64) {
    let (dx, dy) = (towards.0 - place.x, towards.1 - place.y);
    let scale = (place.half / dx.abs().max(1e-6)).min(BOX_HEIGHT / 2.0 / dy.abs().max(1e-6));
    (place.x + dx * scale, place.y + dy * scale)
}

pub(super) fn svg(picture: &Picture) -> String {
    let (places, width_of_all, bottom) = places(picture);
    let (mut body, mut texts) = (String::new(), String::new());
    let mut lowest = bottom + 60.0;
    let mut highest: f64 = 0.0;
    let mut labels: Vec<(f64, f64, f64, f64)> = Vec::new();
    for line in &picture.edges {
        edge((&mut body, &mut texts), picture, line, &places, &mut labels, (&mut lowest, &mut highest));
    }
    for (k, place) in places.iter().enumerate() {
        state(&mut body, picture.states[k], place, picture.terminal[k], k == picture.start);
    }
    // Labels last, so that no edge crosses them out.
    body += &texts;
    let height = lowest - highest + MARGIN / 2.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 {highest:.0} {width_of_all:.0} {height:.0}\" width=\"{width_of_all:.0}\" \
         height=\"{height:.0}\" font-family=\"monospace\" font-size=\"12\">\n<title>{}</title>\n<defs>{}{}</defs>\n\
         <rect x=\"0\" y=\"{highest:.0}\" width=\"{width_of_all:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>\n{body}</svg>\n",
        picture.name,
        arrow("arrow", "#34495e"),
        arrow("marked", "#c0392b"),
    )
}

fn arrow(id: &str, color: &str) -> String {
    format!(
        "<marker id=\"{id}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0,0 L10,5 L0,10 z\" fill=\"{color}\"/></marker>"
    )
}

fn state(out: &mut String, name: &str, place: &Place, is_terminal: bool, is_start: bool) {
    let Place { x, y, half } = place;
    let (left, top) = (x - half, y - BOX_HEIGHT / 2.0);
    let mut frame = |grow: f64, fill: &str| {
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"9\" fill=\"{fill}\" stroke=\"#34495e\" stroke-width=\"1.5\"/>",
            left - grow,
            top - grow,
            2.0 * half + 2.0 * grow,
            BOX_HEIGHT + 2.0 * grow
        );
    };
    if is_terminal {
        frame(4.0, "#ffffff");
    }
    frame(0.0, "#eaf2f8");
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

/// The shape of an edge: path, and where its label is.
fn shape(line: &Line, picture: &Picture, places: &[Place]) -> (String, (f64, f64), bool) {
    let (from, to) = (&places[line.from], &places[line.to]);
    let n_lines = picture.label(line).len() as f64;
    if line.from == line.to {
        let top = from.y - BOX_HEIGHT / 2.0;
        let path = format!(
            "M{:.1},{top:.1} C{:.1},{:.1} {:.1},{:.1} {:.1},{top:.1}",
            from.x - 14.0,
            from.x - 34.0,
            top - 46.0,
            from.x + 34.0,
            top - 46.0,
            from.x + 14.0
        );
        return (path, (from.x, top - 46.0 - (n_lines - 1.0) * LINE / 2.0), true);
    }
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = dx.hypot(dy).max(1.0);
    let has_opposite = picture.edges.iter().any(|other| (other.from, other.to) == (line.to, line.from));
    let is_back = dx < -1.0;
    let is_far = dx.abs() > length * 0.5
        && places.iter().enumerate().any(|(k, p)| {
            k != line.from
                && k != line.to
                && (p.x - from.x) * (p.x - to.x) < 0.0
                && (p.y - from.y).abs() < 40.0
        });
    let bend = if is_far {
        80.0 + length * 0.32
    } else if has_opposite || is_back {
        52.0
    } else {
        0.0
    };
    // To the left of the direction: forward edges bend up, backward ones down.
    let (nx, ny) = (dy / length, -dx / length);
    let control = ((from.x + to.x) / 2.0 + nx * bend, (from.y + to.y) / 2.0 + ny * bend);
    let (a, b) = (border(from, control), border(to, control));
    let path = format!("M{:.1},{:.1} Q{:.1},{:.1} {:.1},{:.1}", a.0, a.1, control.0, control.1, b.0, b.1);
    let (x, y) = middle(a, control, b);
    let above = n_lines * LINE / 2.0 + 4.0;
    let place = if dx.abs() < 1.0 {
        (x + nx * 10.0, y)
    } else if ny <= 0.0 {
        (x, y - above)
    } else {
        (x, y + above + 4.0)
    };
    (path, place, false)
}

fn edge(
    (out, texts): (&mut String, &mut String),
    picture: &Picture,
    line: &Line,
    places: &[Place],
    taken: &mut Vec<(f64, f64, f64, f64)>,
    (lowest, highest): (&mut f64, &mut f64),
) {
    let (path, (x, mut y), _) = shape(line, picture, places);
    let (color, marker) = if line.path.is_empty() { ("#34495e", "arrow") } else { ("#c0392b", "marked") };
    let stroke = if picture.has_counts {
        width(line.count, picture.most())
    } else if line.path.is_empty() {
        1.3
    } else {
        2.4
    };
    let dashes = if picture.has_counts && line.count == 0 { " stroke-dasharray=\"5,4\"" } else { "" };
    let _ = writeln!(
        out,
        "<path d=\"{path}\" stroke=\"{color}\" stroke-width=\"{stroke:.1}\" fill=\"none\"{dashes} marker-end=\"url(#{marker})\"/>"
    );
    let label = picture.label(line);
    let (w, h) =
        (label.iter().map(String::len).max().unwrap_or(0) as f64 * CHARACTER, label.len() as f64 * LINE);
    // Labels do not cover each other: a later one moves away.
    let overlaps = |y: f64, taken: &[(f64, f64, f64, f64)]| {
        taken
            .iter()
            .any(|(ox, oy, ow, oh)| (x - ox).abs() < (w + ow) / 2.0 && (y - oy).abs() < (h + oh) / 2.0)
    };
    let way = if taken.iter().any(|(_, oy, ..)| *oy > y) { -LINE } else { LINE };
    for _ in 0..12 {
        if !overlaps(y, taken) {
            break;
        }
        y += way;
    }
    taken.push((x, y, w, h));
    *lowest = lowest.max(y + h / 2.0 + 6.0);
    *highest = highest.min(y - h / 2.0 - 10.0);
    for (k, text) in label.iter().enumerate() {
        let at = y - h / 2.0 + (k as f64 + 0.75) * LINE;
        let _ = writeln!(
            texts,
            "<text x=\"{x:.1}\" y=\"{at:.1}\" text-anchor=\"middle\" fill=\"{color}\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\">{}</text>",
            escaped(text)
        );
    }
}
