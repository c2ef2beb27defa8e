//! From an address of the object to the line it was compiled from.
//!
//! Reads the line programs of all units into one sorted table. It does not know functions.

use std::collections::{BTreeMap, BTreeSet};
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
    /// `None` ends a sequence: what follows belongs to nobody.
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
            let line = row.line().and_then(|line| u32::try_from(line.get()).ok());
            let column = match row.column() {
                gimli::ColumnType::LeftEdge => 0,
                gimli::ColumnType::Column(column) => u32::try_from(column.get()).unwrap_or(0),
            };
            // Line 0 is code of the compiler's own: the row before it still says best where we are.
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
        let (file, line, column) = self.rows[..after].last()?.at?;
        Some(Location { file: self.files[file as usize].clone(), line, column })
    }

    /// The lines that instructions of a range of addresses come from.
    #[must_use]
    pub fn between(&self, range: std::ops::Range<u64>) -> BTreeSet<u32> {
        let first = self.rows.partition_point(|row| row.address <= range.start).saturating_sub(1);
        let rows = self.rows[first..].iter().take_while(|row| row.address < range.end);
        rows.filter_map(|row| row.at.map(|(_, line, _)| line)).collect()
    }
}
