//! The program's memory as contracts see it, with the C functions that implement spec functions.

use crate::evaluate::{Memory, NoReturn};
use crate::machine::{Machine, NoHooks, Prototype, Range};
use crate::project::Project;
use crate::spec::checked::CFunctionId;
use std::rc::Rc;

/// The program's memory, with the functions that specs lift.
pub(crate) struct ContractMemory<'a> {
    pub(crate) project: &'a Project,
    pub(crate) machine: &'a Machine,
}

impl Memory for ContractMemory<'_> {
    fn read(&self, address: u64, bytes: &mut [u8]) -> bool {
        self.machine.read(address, bytes)
    }

    fn is_live(&self, range: Range) -> bool {
        self.machine.is_live(range)
    }

    fn is_initialised(&self, range: Range) -> bool {
        self.machine.is_initialised(range)
    }

    fn is_constant(&self, range: Range) -> bool {
        self.machine.is_constant(range)
    }

    fn call(&self, function: CFunctionId, arguments: &[&[u8]], result: &mut [u8]) -> Result<(), NoReturn> {
        let place = self.project.functions.get(function.0 as usize);
        let function = place.map(|k| &self.project.program.functions[*k]).ok_or(NoReturn::Unknown)?;
        let address = function.address.ok_or(NoReturn::NoCode)?;
        let prototype = Prototype::new(&self.project.program.types, &function.signature)
            .map_err(|unsupported| NoReturn::Type(unsupported.to_string()))?;
        let mut bytes = vec![0; prototype.arguments_size()];
        for (k, argument) in arguments.iter().enumerate().take(prototype.n_parameters()) {
            bytes[prototype.place(k)].copy_from_slice(argument);
        }
        let entry = self.machine.entry(address).ok_or(NoReturn::NoCode)?;
        let function = self.machine.function(entry, Rc::new(prototype));
        let called = self.machine.call(&function, &mut bytes, result, &mut NoHooks);
        called.map_err(NoReturn::Violation)
    }
}
