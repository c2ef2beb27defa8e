//! Steps a second of a queue that is right, beside a loop without any tool.

use super::queue::{self, Bug};
use crate::findings::{Findings, Goal};
use crate::measure::{Contender, race};
use crate::speeds::Speeds;

pub(crate) fn run(findings: &mut Findings) {
    queue::plant(Bug::None);
    let reached = race(&[
        Contender { tool: "stairway", n_cases: 4_000, run: queue::with_stairway },
        Contender { tool: "bare loop", n_cases: 8_000, run: queue::bare },
        Contender { tool: "quickcheck", n_cases: 4_000, run: queue::with_quickcheck },
        Contender { tool: "proptest", n_cases: 200, run: queue::with_proptest },
        Contender { tool: "hegel", n_cases: 100, run: queue::with_hegel },
    ]);
    let speeds = Speeds {
        section: "programs",
        name: "queue",
        title: "Steps of a queue",
        unit: "steps",
        about: "Steps executed on a ring queue that is right (push, pop, peek, len, clear) and on a deque \
                beside it, in programs of at most 50 steps. The bare loop draws the same steps with Wyrand \
                and keeps nothing.",
        goal_against,
    };
    speeds.keep(findings, &reached);
}

fn goal_against(tool: &str) -> Goal {
    Goal::AtLeast(match tool {
        "bare loop" if cfg!(debug_assertions) => 0.2,
        "bare loop" => 0.5,
        "quickcheck" => 1.0,
        _ => 10.0,
    })
}
