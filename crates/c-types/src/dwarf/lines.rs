//! From an address of the object to the line it was compiled from.
//!
//! Reads the line programs of all units into one sorted table. It does not know functions.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use super::entries::{Slice, file_name};
use super::{DwarfError, Location};

/// The line table of an object.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LineTable {
    rows: Vec<Row>,
    files: Vec<Arc<Path>>,
}

#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Row {
    address: u64,
    /// File, line and column; line 0 is code of the compiler's own. `None` ends a sequence: what follows belongs to
    /// nobody.
    at: Option<(u32, u32, u32)>,
}

impl LineTable {
    pub(super) fn read(dwarf: &gimli::Dwarf<Slice<'_>>) -> Result<LineTable, DwarfError> {
        let mut table = LineTable::default();
        let mut headers = dwarf.units();
        while let Some(header) = headers.next()? {
            let unit = dwarf.unit(header)?;
            table.read_unit(unit.unit_ref(dwarf))?;
        }
        // An end sorts before a beginning at the same address; rows of one address keep their order.
        table.rows.sort_by_key(|row| (row.address, row.at.is_some()));
        Ok(table)
    }

    fn read_unit(&mut self, unit: gimli::UnitRef<'_, Slice<'_>>) -> Result<(), DwarfError> {
        let Some(program) = unit.line_program.clone() else { return Ok(()) };
        let mut numbers: BTreeMap<u64, Option<u32>> = BTreeMap::new();
        let mut rows = program.rows();
        while let Some((header, row)) = rows.next_row()? {
            if row.end_sequence() {
                self.rows.push(Row { address: row.address(), at: None });
                continue;
            }
            let file = *numbers.entry(row.file_index()).or_insert_with(|| {
                let name = file_name(unit, header, row.file_index())?;
                self.files.push(name);
                u32::try_from(self.files.len() - 1).ok()
            });
            let line = row.line().map_or(Some(0), |line| u32::try_from(line.get()).ok());
            let column = match row.column() {
                gimli::ColumnType::LeftEdge => 0,
                gimli::ColumnType::Column(column) => u32::try_from(column.get()).unwrap_or(0),
            };
            if let (Some(file), Some(line)) = (file, line) {
                self.rows.push(Row { address: row.address(), at: Some((file, line, column)) });
            }
        }
        Ok(())
    }

    /// Where the instruction at an address of the object comes from.
    ///
    /// For a return address ask for the byte before it.
    #[must_use]
    pub fn locate(&self, address: u64) -> Option<Location> {
        let after = self.rows.partition_point(|row| row.address <= address);
        // The row before code of the compiler's own still says best where we are.
        let is_known = |row: &&Row| !matches!(row.at, Some((_, 0, _)));
        let (file, line, column) = self.rows[..after].iter().rev().find(is_known)?.at?;
        Some(Location { file: self.files[file as usize].clone(), line, column })
    }

    /// The lines that instructions of a range of addresses come from, each with the addresses that a row of the
    /// table gives to it, which may begin before the range. A statement without instructions has no line: whatever
    /// stands at its address is another one.
    pub fn rows(&self, range: Range<u64>) -> impl Iterator<Item = (Range<u64>, u32)> {
        let first = self.rows.partition_point(|row| row.address <= range.start).saturating_sub(1);
        let rows = self.rows[first..].iter().take_while(move |row| row.address < range.end);
        let ends = self.rows[first..].iter().skip(1).map(|row| row.address).chain([u64::MAX]);
        rows.zip(ends).filter(|(row, end)| row.address < *end).filter_map(|(row, end)| {
            row.at.filter(|(_, line, _)| *line > 0).map(|(_, line, _)| (row.address..end, line))
        })
    }
}
