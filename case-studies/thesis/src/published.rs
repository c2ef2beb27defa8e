//! What the thesis published in its table 4.1: of each tool, how many tasks it solved, with how many inputs,
//! in how many seconds. Read from a table in the thesis's own order, so that figures are compared and not
//! remembered.

/// A row of table 4.1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Published {
    /// The workload, as the thesis calls it.
    pub workload: &'static str,
    /// How many tasks it has.
    pub n_tasks: usize,
    /// The tool.
    pub tool: &'static str,
    /// How many tasks it solved in all of 20 trials.
    pub n_solved: usize,
    /// How many it solved in some trials.
    pub n_partly: usize,
    /// The mean number of inputs and of seconds; nothing where it solved nothing.
    pub means: Option<(f64, f64)>,
}

/// Workload, tasks, tool, solved, partly, inputs, seconds (mean of means; `-` where nothing was solved).
const TABLE: &str = "\
Metro Sim|6|seq-test|0|0|-|-
Metro Sim|6|Bennet|5|0|27.58|0.51
Metro Sim|6|AFL++|6|0|18175.96|6.43
Circular Queue|4|seq-test|4|0|419.90|17.77
Circular Queue|4|Bennet|4|0|3.65|0.22
Circular Queue|4|AFL++|4|0|5948.29|19.15
File Reader|2|seq-test|2|0|22.28|0.84
File Reader|2|Bennet|0|0|-|-
File Reader|2|AFL++|0|0|-|-
BST|32|seq-test|30|2|152.31|3.25
BST|32|Bennet|32|0|8.32|0.38
BST|32|AFL++|32|0|6621.45|3.32
AVL|26|seq-test|22|2|311.34|6.96
AVL|26|Bennet|26|0|4.41|0.82
AVL|26|AFL++|25|1|20114.19|9.36
Sorted List|6|seq-test|6|0|38.02|0.34
Sorted List|6|Bennet|6|0|5.36|0.21
Sorted List|6|AFL++|6|0|569.42|0.58
";

/// The rows of table 4.1.
#[must_use]
pub fn published() -> Vec<Published> {
    TABLE.lines().filter_map(row).collect()
}

fn row(line: &'static str) -> Option<Published> {
    let mut cells = line.split('|');
    let mut next = || cells.next();
    Some(Published {
        workload: next()?,
        n_tasks: next()?.parse().ok()?,
        tool: next()?,
        n_solved: next()?.parse().ok()?,
        n_partly: next()?.parse().ok()?,
        means: next()?.parse().ok().zip(next()?.parse().ok()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_read() {
        let rows = published();
        assert_eq!(rows.len(), TABLE.lines().count());
        let solved =
            |tool: &str| rows.iter().filter(|row| row.tool == tool).map(|row| row.n_solved).sum::<usize>();
        assert_eq!((solved("seq-test"), solved("Bennet"), solved("AFL++")), (64, 73, 73));
    }
}
