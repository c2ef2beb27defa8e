pub(crate) fn run(_findings: &mut crate::findings::Findings) {}
