//! Charts: bars below each other, and curves in one frame.

use std::fmt::Write as _;

use super::escaped;

/// The width of every chart.
const WIDTH: usize = 760;

/// The space at the top of a chart, for the title and the legend.
const ABOVE: usize = 56;

/// The distance from one bar to the next, and the height of a bar.
const STEP: usize = 20;
const THICK: usize = 14;

/// Where bars begin, and how long one of length 1 is. Their notes stand to the right.
const LEFT: usize = 190;
const LONG: usize = 330;

/// The width and the height of the frame around curves.
const FRAME: [usize; 2] = [640, 300];

/// A name in the legend and its colour.
pub type Legend<'a> = [(&'a str, &'a str)];

/// A bar.
#[derive(Clone, PartialEq, Debug)]
pub struct Bar {
    /// The text to its left.
    pub label: String,
    /// Its parts from the left, each with its length and its colour. The lengths add up to at most 1.
    pub parts: Vec<(f64, &'static str)>,
    /// The text to its right.
    pub note: String,
}

/// A curve.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// Its colour.
    pub colour: &'static str,
    /// Whether it is broken into dashes.
    pub is_dashed: bool,
    /// Its points, from the left. No coordinate is below 0.
    pub points: Vec<[f64; 2]>,
}

/// A chart of bars, the first on top.
#[must_use]
pub fn bars(title: &str, legend: &Legend<'_>, bars: &[Bar]) -> String {
    let mut svg = head(ABOVE + STEP * bars.len() + 12, title, legend);
    for (number, bar) in bars.iter().enumerate() {
        let (top, text) = (ABOVE + STEP * number, ABOVE + STEP * number + THICK - 3);
        let label = escaped(&bar.label);
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{text}\" text-anchor=\"end\">{label}</text>", LEFT - 8);
        let mut x = LEFT as f64;
        for (length, colour) in &bar.parts {
            let width = length * LONG as f64;
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{top}\" width=\"{width:.1}\" height=\"{THICK}\" fill=\"{colour}\"/>"
            );
            x += width;
        }
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{text}\">{}</text>", LEFT + LONG + 8, escaped(&bar.note));
    }
    svg.push_str("</svg>\n");
    svg
}

/// A chart of curves. `axes` are the labels along the bottom and up the side. Each axis goes from 0 to its largest
/// number, which `number` writes.
#[must_use]
pub fn curves(
    title: &str,
    legend: &Legend<'_>,
    axes: [&str; 2],
    curves: &[Curve],
    number: &dyn Fn(f64) -> String,
) -> String {
    let [wide, high] = FRAME;
    let (left, top, bottom) = (90, ABOVE, ABOVE + high);
    let most = |axis: usize| {
        let all = curves.iter().flat_map(|curve| &curve.points).map(|point| point[axis]);
        // If all coordinates are 0, this avoids a division by 0.
        all.fold(0.0, f64::max).max(f64::MIN_POSITIVE)
    };
    let most = [most(0), most(1)];
    let mut svg = head(bottom + 40, title, legend);
    let _ = writeln!(
        svg,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{high}\" fill=\"none\" stroke=\"#bbb\"/>"
    );
    let [x, y] = axes.map(escaped);
    let (middle, below, right) = (left + wide / 2, bottom + 18, left + wide);
    let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">{x}</text>");
    let _ = writeln!(svg, "<text x=\"{right}\" y=\"{below}\" text-anchor=\"end\">{}</text>", number(most[0]));
    let _ = writeln!(svg, "<text x=\"{left}\" y=\"{below}\">0</text>");
    let beside = left - 8;
    for (height, text) in [(top + 10, number(most[1])), (top + high / 2, y), (bottom, "0".to_owned())] {
        let _ = writeln!(svg, "<text x=\"{beside}\" y=\"{height}\" text-anchor=\"end\">{text}</text>");
    }
    for curve in curves {
        let place = |[x, y]: &[f64; 2]| {
            let (x, y) = (x / most[0] * wide as f64, y / most[1] * high as f64);
            format!("{:.1},{:.1}", left as f64 + x, bottom as f64 - y)
        };
        let points: Vec<String> = curve.points.iter().map(place).collect();
        let (points, colour) = (points.join(" "), curve.colour);
        let dashes = if curve.is_dashed { " stroke-dasharray=\"6 4\"" } else { "" };
        let _ = writeln!(
            svg,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dashes}/>"
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// The beginning of a chart: the title, and under it the legend.
fn head(height: usize, title: &str, legend: &Legend<'_>) -> String {
    let title = escaped(title);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>\n\
         <text x=\"12\" y=\"18\" font-size=\"14\">{title}</text>\n"
    );
    let mut x = 12;
    for (name, colour) in legend {
        let _ = writeln!(svg, "<rect x=\"{x}\" y=\"29\" width=\"12\" height=\"12\" fill=\"{colour}\"/>");
        let _ = writeln!(svg, "<text x=\"{}\" y=\"39\">{}</text>", x + 18, escaped(name));
        // Letters of this size are seven units wide or less.
        x += 36 + 7 * name.chars().count();
    }
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_bar_touch_and_their_lengths_are_in_scale() {
        let bar = Bar { label: "a < b".into(), parts: vec![(0.25, "#111"), (0.5, "#222")], note: "n".into() };
        let svg = bars("t", &[("one", "#111")], &[bar]);
        let [first, second] = ["#111", "#222"].map(|colour| {
            let line = svg.lines().rfind(|line| line.contains(colour)).expect("a part");
            ["x", "width"].map(|name| {
                let rest = line.split(&format!("{name}=\"")).nth(1).expect("it has one");
                rest.split('"').next().expect("a number").parse::<f64>().expect("a number")
            })
        });
        assert!((first[0] + first[1] - second[0]).abs() < 0.11, "{svg}");
        assert!(
            (2.0 * first[1] - second[1]).abs() < 0.11 && (4.0 * first[1] - LONG as f64).abs() < 0.5,
            "{svg}"
        );
        assert!(svg.contains(">a &lt; b<") && !svg.contains("a < b") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn the_largest_point_of_curves_is_in_the_corner_of_the_frame() {
        let one = Curve { colour: "#111", is_dashed: true, points: vec![[0.0, 0.0], [4.0, 8.0]] };
        let other = Curve { colour: "#222", is_dashed: false, points: vec![[2.0, 4.0]] };
        let svg = curves("t", &[], ["x", "y"], &[one, other], &|most| format!("{most:.0} at most"));
        let [wide, high] = FRAME;
        let (left, bottom) = (90, ABOVE + high);
        let corner = format!("points=\"{left}.0,{bottom}.0 {}.0,{ABOVE}.0\"", left + wide);
        let middle = format!("points=\"{}.0,{}.0\"", left + wide / 2, ABOVE + high / 2);
        assert!(svg.contains(&corner) && svg.contains(&middle), "{svg}");
        assert_eq!(svg.matches("stroke-dasharray").count(), 1);
        assert!(svg.contains(">4 at most<") && svg.contains(">8 at most<"));
        // No points at all are an empty frame.
        assert!(!curves("t", &[], ["x", "y"], &[], &|_| String::new()).contains("NaN"));
    }
}
