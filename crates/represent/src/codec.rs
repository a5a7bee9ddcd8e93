//! A user's own format: C functions that read a file into a representation and write one from it, run in the VM.
//!
//! ```text
//! int  load(long size, const unsigned char bytes[size], a pointer for each parameter of the representation)
//! long store(the representation, long size, unsigned char bytes[size])
//! ```
//!
//! `load` gets room for as many elements of each array as the file can reasonably hold, and returns 0, or anything else
//! for a file that it does not understand; it may also return nothing. `store` gets the representation as the
//! normalisation program does and returns how many bytes it wrote.

use super::execute::Frame;
use super::language::{Normalisation, Role};
use super::values::{Array, Value, Values, from_bytes};
use exec::vm::{Given, Image, Machine};
use exec::{Budget, Ending, Scalar};
use ir::{FunctionId, Program};

pub struct Codec<'p> {
    program: &'p Program,
    image: Image<'p>,
    load: FunctionId,
    store: FunctionId,
}

impl<'p> Codec<'p> {
    /// Takes two functions, if their parameters are those that are needed.
    pub fn new(
        program: &'p Program,
        normalisation: &Normalisation,
        load: FunctionId,
        store: FunctionId,
    ) -> Result<Codec<'p>, String> {
        let inputs = normalisation.ids(Role::Input).count();
        for (id, what) in [(load, "--load"), (store, "--store")] {
            let function = &program.functions[id];
            if function.params.len() != inputs + 2 {
                return Err(format!(
                    "`{}` of {what} has {} parameters; the size, the bytes and the representation are {}",
                    function.name,
                    function.params.len(),
                    inputs + 2
                ));
            }
        }
        let codec = Codec { program, image: Image::new(program, exec::libc::LIBRARY), load, store };
        for (position, id) in normalisation.ids(Role::Input).enumerate() {
            let param = normalisation.param(id);
            codec.check(load, position + 2, param.kind, true, &param.name)?;
            let pointer = param.pointer || !param.dims.is_empty();
            codec.check(store, position, param.kind, pointer, &param.name)?;
        }
        codec.check(load, 1, ir::IntKind::UChar, true, "bytes")?;
        codec.check(store, inputs + 1, ir::IntKind::UChar, true, "bytes")?;
        Ok(codec)
    }

    fn check(&self, id: FunctionId, at: usize, kind: ir::IntKind, pointer: bool, name: &str) -> Result<(), String> {
        let function = &self.program.functions[id];
        let types = &self.program.types;
        let local = &function.locals[function.params[at]];
        let pointee = types.pointee(local.ty);
        let ty = pointee.map_or(local.ty, |ty| types.innermost(ty));
        if pointee.is_some() != pointer || types.int_kind(ty) != Some(kind) {
            let star = if pointer { "*" } else { "" };
            return Err(format!(
                "parameter {} of `{}`, `{}`, should be `{} {star}{name}`",
                at + 1,
                function.name,
                local.name,
                kind.c_name()
            ));
        }
        Ok(())
    }

    pub fn read(&self, normalisation: &Normalisation, bytes: &[u8]) -> Result<Values, String> {
        let room = bytes.len() * 4 + 4096;
        let ids: Vec<_> = normalisation.ids(Role::Input).collect();
        let rooms: Vec<Vec<u8>> = ids
            .iter()
            .map(|&id| {
                let param = normalisation.param(id);
                let count = if param.dims.is_empty() { 1 } else { room };
                vec![0; count * param.kind.bytes() as usize]
            })
            .collect();
        let mut given = vec![Given::Scalar(Scalar::Int(bytes.len() as i128)), Given::Object(bytes)];
        given.extend(rooms.iter().map(|room| Given::Writable(room)));
        let applied = Machine::new(&self.image).apply(self.load, &given, &Budget::default(), Default::default());
        let name = &self.program.functions[self.load].name;
        match applied.ending {
            Ending::Returned(None | Some(Scalar::Int(0))) => {}
            Ending::Returned(_) => return Err(format!("`{name}` does not understand it")),
            ending => return Err(failed(name, ending)),
        }
        let mut values = Values::empty(normalisation);
        let mut found = Vec::new();
        for (&id, object) in ids.iter().zip(applied.objects) {
            let param = normalisation.param(id);
            let elements = from_bytes(param.kind, &object.unwrap_or_default());
            if param.dims.is_empty() {
                values.set(id, Value::Scalar(elements[0]));
            }
            found.push(elements);
        }
        // Arrays in order: the length of one may be a sum over one before it.
        for (&id, mut elements) in ids.iter().zip(found) {
            let param = normalisation.param(id);
            if param.dims.is_empty() {
                continue;
            }
            let dims = Frame::new(normalisation, values.clone()).lengths(&param.dims);
            let dims = dims.map_err(|stuck| format!("the length of `{}`: {}", param.name, stuck.0))?;
            let length: usize = dims.iter().product();
            if length > elements.len() {
                return Err(format!("`{}` would have {length} elements, more than the file can hold", param.name));
            }
            elements.truncate(length);
            values.set(id, Value::Array(Array { dims, elements }));
        }
        Ok(values)
    }

    pub fn write(&self, normalisation: &Normalisation, values: &Values) -> Result<Vec<u8>, String> {
        let bytes: Vec<Vec<u8>> = normalisation.ids(Role::Input).map(|id| values.bytes(normalisation, id)).collect();
        let room = vec![0u8; bytes.iter().map(Vec::len).sum::<usize>() * 2 + 4096];
        let inputs = normalisation.ids(Role::Input).zip(&bytes);
        let mut given: Vec<Given<'_>> = inputs.map(|(id, bytes)| values.given(normalisation, id, bytes)).collect();
        given.push(Given::Scalar(Scalar::Int(room.len() as i128)));
        given.push(Given::Writable(&room));
        let mut applied = Machine::new(&self.image).apply(self.store, &given, &Budget::default(), Default::default());
        let name = &self.program.functions[self.store].name;
        let size = match applied.ending {
            Ending::Returned(Some(Scalar::Int(size))) => size,
            Ending::Returned(_) => return Err(format!("`{name}` does not return how many bytes it wrote")),
            ending => return Err(failed(name, ending)),
        };
        let mut file = applied.objects.pop().flatten().unwrap_or_default();
        match usize::try_from(size).ok().filter(|size| *size <= file.len()) {
            Some(size) => file.truncate(size),
            None => {
                return Err(format!(
                    "`{name}` says that it wrote {size} bytes, where there is room for {}",
                    file.len()
                ));
            }
        }
        Ok(file)
    }
}

fn failed(name: &str, ending: Ending) -> String {
    match ending {
        Ending::Faulted(finding) => format!("`{name}` fails: {}", finding.message),
        Ending::Unsupported { what, .. } => format!("`{name}` cannot be run: {what}"),
        Ending::Assumed { .. } => format!("`{name}` assumes something else of it"),
        _ => format!("`{name}` does not finish"),
    }
}
