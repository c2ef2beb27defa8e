//! Programs from text, and calls of their functions with arguments given as Rust values.

use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Mutex, MutexGuard, PoisonError};

use stairway_c::build::{LinkedObject, Settings as BuildSettings, build};
use stairway_c::ctypes::{CType, CTypes, Member, Record, Signature, TypeId};
use stairway_c::machine::{Function, Hooks, Machine, NoHooks, Prototype, Settings, Violation};

/// One object at a time.
static LOADED: Mutex<()> = Mutex::new(());

/// A value with its type.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    I32(i32),
    I64(i64),
    U8(u8),
    I16(i16),
    F32(f32),
    F64(f64),
    Pointer(u64),
    Record(TypeId, Vec<u8>),
}

/// What a function returns.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Returns {
    Void,
    I32,
    I64,
    U8,
    F32,
    F64,
    Pointer,
    Type(TypeId),
}

pub(crate) struct Program {
    pub(crate) machine: Machine,
    pub(crate) types: CTypes,
    pub(crate) built: LinkedObject,
    _lock: MutexGuard<'static, ()>,
}

pub(crate) fn program(text: &str) -> Program {
    program_with(&[text], &BuildSettings::default(), Settings { timeout_ms: 300, ..Settings::default() })
}

pub(crate) fn program_with(texts: &[&str], build_settings: &BuildSettings, settings: Settings) -> Program {
    let lock = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = tempfile::tempdir().expect("a folder");
    let files: Vec<PathBuf> = (0..texts.len()).map(|k| folder.path().join(format!("p{k}.c"))).collect();
    for (file, text) in files.iter().zip(texts) {
        std::fs::write(file, text).expect("a file");
    }
    let built = build(&files, build_settings).expect("the program builds");
    let machine = Machine::load(&built.object, built.is_instrumented, settings).expect("the object loads");
    Program { machine, types: CTypes::default(), built, _lock: lock }
}

impl Program {
    fn scalar(&mut self, value: &Value) -> (TypeId, Vec<u8>) {
        let (ty, bytes) = match value {
            Value::I32(x) => (int(4, true), x.to_le_bytes().to_vec()),
            Value::I64(x) => (int(8, true), x.to_le_bytes().to_vec()),
            Value::U8(x) => (int(1, false), vec![*x]),
            Value::I16(x) => (int(2, true), x.to_le_bytes().to_vec()),
            Value::F32(x) => (float(4), x.to_le_bytes().to_vec()),
            Value::F64(x) => (float(8), x.to_le_bytes().to_vec()),
            Value::Pointer(x) => (int(8, false), x.to_le_bytes().to_vec()),
            Value::Record(id, bytes) => return (*id, bytes.clone()),
        };
        (self.types.add(ty), bytes)
    }

    pub(crate) fn prototype(&mut self, returns: Returns, arguments: &[Value]) -> (Rc<Prototype>, Vec<u8>) {
        let values: Vec<(TypeId, Vec<u8>)> = arguments.iter().map(|v| self.scalar(v)).collect();
        let returns = match returns {
            Returns::Void => self.types.add(CType::Void),
            Returns::I32 => self.types.add(int(4, true)),
            Returns::I64 => self.types.add(int(8, true)),
            Returns::U8 => self.types.add(int(1, false)),
            Returns::F32 => self.types.add(float(4)),
            Returns::F64 => self.types.add(float(8)),
            Returns::Pointer => self.types.add(int(8, false)),
            Returns::Type(id) => id,
        };
        let parameters = values.iter().map(|(ty, _)| *ty).collect();
        let signature = Signature { returns, parameters, is_variadic: false };
        let prototype = Prototype::new(&self.types, &signature).expect("a callable signature");
        let mut bytes = vec![0; prototype.arguments_size()];
        for (k, (_, value)) in values.iter().enumerate() {
            bytes[prototype.place(k)].copy_from_slice(value);
        }
        (Rc::new(prototype), bytes)
    }

    pub(crate) fn function(
        &mut self,
        name: &str,
        returns: Returns,
        arguments: &[Value],
    ) -> (Function, Vec<u8>) {
        let (prototype, bytes) = self.prototype(returns, arguments);
        let entry = self.machine.entry_of(name).unwrap_or_else(|| panic!("no {name}"));
        (self.machine.function(entry, prototype), bytes)
    }

    pub(crate) fn call_hooked(
        &mut self,
        name: &str,
        returns: Returns,
        arguments: &[Value],
        hooks: &mut dyn Hooks,
    ) -> Result<Vec<u8>, Violation> {
        let (function, mut bytes) = self.function(name, returns, arguments);
        let mut result = vec![0; function.prototype().result_size()];
        self.machine.call(&function, &mut bytes, &mut result, hooks).map(|()| result)
    }

    pub(crate) fn call(
        &mut self,
        name: &str,
        returns: Returns,
        arguments: &[Value],
    ) -> Result<Vec<u8>, Violation> {
        self.call_hooked(name, returns, arguments, &mut NoHooks)
    }

    pub(crate) fn int(&mut self, name: &str, arguments: &[i32]) -> Result<i32, Violation> {
        let arguments: Vec<Value> = arguments.iter().map(|x| Value::I32(*x)).collect();
        self.call(name, Returns::I32, &arguments).map(|bytes| i32_of(&bytes))
    }

    pub(crate) fn pointer(&mut self, name: &str, arguments: &[Value]) -> Result<u64, Violation> {
        let bytes = self.call(name, Returns::Pointer, arguments)?;
        Ok(u64::from_le_bytes(bytes.try_into().expect("a pointer")))
    }

    /// A struct of members at offsets.
    pub(crate) fn record(
        &mut self,
        size: u64,
        align: u64,
        is_union: bool,
        members: &[(CType, u64)],
    ) -> TypeId {
        let members = members
            .iter()
            .map(|(ty, offset)| Member {
                name: "m".into(),
                ty: self.types.add(ty.clone()),
                offset: *offset,
                bits: None,
            })
            .collect();
        let record = Record { name: "r".into(), is_union, size: Some(size), align, members };
        let id = self.types.add_record(record);
        self.types.add(CType::Record(id))
    }
}

pub(crate) fn i32_of(bytes: &[u8]) -> i32 {
    i32::from_le_bytes(bytes.try_into().expect("four bytes"))
}

pub(crate) fn int(size: u32, is_signed: bool) -> CType {
    CType::Integer { size, is_signed, name: "int".into() }
}

pub(crate) fn float(size: u32) -> CType {
    CType::Float { size, name: "float".into() }
}
