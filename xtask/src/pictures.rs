//! Pictures of terminals for the front page and the book, drawn from text that the pages show already.
//!
//! A comment before a block of text names its picture: `<!-- picture: c-find 12 $ stairway test ticket.c -->`
//! is the file `docs/pictures/c-find.svg`, with a command and the first twelve lines of the block. That the
//! text is what the command prints is tested where the page is; here a test holds the pictures to the text.

use crate::steps::root;
use std::fs;
use std::path::PathBuf;

/// The pages that have pictures.
const PAGES: [&str; 2] = ["README.md", "docs/machines.md"];

/// In pixels: a character of the font, the distance of two lines, and the frame.
const CHARACTER: usize = 8;
const LINE: usize = 19;
const MARGIN: usize = 18;
const BAR: usize = 30;

/// Draws all of them.
pub(crate) fn run() -> Result<(), String> {
    for picture in all()? {
        let folder = picture.path.parent().unwrap_or(root());
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&picture.path, picture.svg))
            .map_err(|error| format!("{}: {error}", picture.path.display()))?;
        eprintln!("{}", picture.path.display());
    }
    Ok(())
}

struct Picture {
    path: PathBuf,
    svg: String,
}

/// The pictures as they should be.
fn all() -> Result<Vec<Picture>, String> {
    let mut all = Vec::new();
    for page in PAGES {
        let text = fs::read_to_string(root().join(page)).map_err(|error| format!("{page}: {error}"))?;
        all.extend(pictures(&text).map_err(|why| format!("{page}: {why}"))?);
    }
    Ok(all)
}

/// The pictures of a page.
fn pictures(page: &str) -> Result<Vec<Picture>, String> {
    let mut pictures = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(about) = line.strip_prefix("<!-- picture: ").and_then(|rest| rest.strip_suffix(" -->"))
        else {
            continue;
        };
        let wrong = || format!("a picture is `<!-- picture: NAME LINES $ COMMAND -->`, not `{line}`");
        let (name, rest) = about.split_once(' ').ok_or_else(wrong)?;
        let (n_lines, command) = rest.split_once(" $ ").ok_or_else(wrong)?;
        let n_lines: usize = n_lines.parse().map_err(|_| wrong())?;
        let block: Vec<&str> = lines
            .by_ref()
            .skip_while(|line| *line != "```text")
            .skip(1)
            .take_while(|line| *line != "```")
            .collect();
        if block.len() < n_lines {
            return Err(format!("the block of `{name}` has {} lines, not {n_lines}", block.len()));
        }
        let path = root().join("docs/pictures").join(format!("{name}.svg"));
        pictures.push(Picture { path, svg: svg(command, &block[..n_lines]) });
    }
    Ok(pictures)
}

/// A terminal in which a command was typed. It is dark on every page, as most terminals are.
fn svg(command: &str, output: &[&str]) -> String {
    let prompt = format!("$ {command}");
    let n_columns =
        output.iter().copied().chain([&*prompt]).map(|line| line.chars().count()).max().unwrap_or(0);
    let (width, height) = (n_columns * CHARACTER + 2 * MARGIN, (output.len() + 1) * LINE + BAR + MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" role=\"img\">\n\
         <title>{}</title>\n\
         <style>text{{font:13px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d0d7de;white-space:pre}}\
         .prompt{{fill:#7ee787}}.headline{{fill:#ff9b94;font-weight:bold}}</style>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#161b22\"/>\n",
        escaped(&prompt)
    );
    for (k, colour) in ["#ff5f57", "#febc2e", "#28c840"].iter().enumerate() {
        text += &format!("<circle cx=\"{}\" cy=\"15\" r=\"5\" fill=\"{colour}\"/>\n", MARGIN + 5 + 18 * k);
    }
    for (k, line) in [&*prompt].iter().chain(output).enumerate() {
        let indent = line.chars().take_while(|c| *c == ' ').count();
        let shown = line.trim();
        if shown.is_empty() {
            continue;
        }
        let class =
            ["prompt", "headline"].get(k).map_or_else(String::new, |name| format!(" class=\"{name}\""));
        // Columns stay columns, whichever font there is.
        let length = shown.chars().count() * CHARACTER;
        let (x, y) = (MARGIN + indent * CHARACTER, BAR + (k + 1) * LINE - 4);
        text += &format!(
            "<text x=\"{x}\" y=\"{y}\" textLength=\"{length}\" lengthAdjust=\"spacingAndGlyphs\"{class}>{}</text>\n",
            escaped(shown)
        );
    }
    text + "</svg>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{all, pictures, svg};

    #[test]
    fn every_picture_is_what_its_page_says() {
        let all = all().expect("the pages can be read");
        assert!(all.len() >= 2, "{} pictures", all.len());
        for picture in all {
            let drawn = std::fs::read_to_string(&picture.path).unwrap_or_default();
            assert!(drawn == picture.svg, "{} is stale: run `cargo xtask pictures`", picture.path.display());
        }
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        for page in [
            "<!-- picture: a -->",
            "<!-- picture: a two $ b -->",
            "<!-- picture: a 2 $ b -->\n```text\n1\n```",
        ] {
            assert!(pictures(page).is_err(), "{page}");
        }
        assert!(pictures("no picture").is_ok_and(|pictures| pictures.is_empty()));
    }

    #[test]
    fn text_stays_text() {
        let drawn = svg("a <b>", &["1 < 2 & 3"]);
        assert!(
            drawn.contains("$ a &lt;b&gt;</text>") && drawn.contains("1 &lt; 2 &amp; 3</text>"),
            "{drawn}"
        );
    }
}
