//! A program made ready to run: the places and first values of its globals, its models, its trace points, and the
//! code of its functions, compiled when first called. One image serves many runs, and many threads.

use super::arithmetic;
use super::bytecode::Code;
use super::compile::aliasing::{ChangedParameters, changed_parameters};
use super::compile::compile;
use super::model::{LibraryTable, Model};
use super::value::{Class, Value};
use crate::memory::address::FIRST_SLOT;
use crate::memory::{Address, Checked};
use crate::snapshot::ArraySpec;
use crate::trace::{PointId, Trace};
use crate::{ValueType, Variable};
use ir::{
    Base, BinaryOp, BitRange, EntityRef, Expr, ExprKind, FloatKind, Function, FunctionId, Global, GlobalId, GlobalKind,
    InitItem, InitValue, Initializer, IntKind, LogicalOp, Lvalue, Program, Step, StmtId, StmtKind, Type, arith,
};
use std::collections::HashMap;
use std::sync::OnceLock;

/// A program ready to run.
pub struct Image<'p> {
    pub(super) program: &'p Program,
    /// The image that this one differs from in a few definitions, and shares everything else with.
    original: Option<&'p Image<'p>>,
    changed: &'p [(FunctionId, Function)],
    pub(super) library: LibraryTable,
    globals: Vec<GlobalImage>,
    models: Vec<Option<Model>>,
    /// The trace points of the program, declared and empty.
    points: Trace,
    point_of: HashMap<(FunctionId, StmtId), PointId>,
    has_packed_records: bool,
    /// Whether what few programs respect is judged too.
    strict: bool,
    changed_parameters: OnceLock<ChangedParameters>,
    plain: Vec<OnceLock<Box<Code>>>,
    covering: Vec<OnceLock<Box<Code>>>,
}

/// The bytes of a string literal, without trailing zeros.
fn text(global: &Global) -> Option<&[u8]> {
    match global.init.as_ref()?.items.as_slice() {
        _ if global.kind != GlobalKind::StringLiteral => None,
        [] => Some(&[]),
        [InitItem { offset: 0, bits: None, value: InitValue::Bytes(bytes) }] => Some(bytes),
        _ => None,
    }
}

/// A global as it is when a run starts.
#[derive(Clone)]
pub(super) struct GlobalImage {
    pub size: u64,
    pub align: u64,
    /// Without trailing zeros.
    pub bytes: Vec<u8>,
    /// Whether the program or the library defines it.
    pub exists: bool,
    /// The library is to give it a value.
    pub external: bool,
    /// The global whose object stands for it: that of equal literals, which share their bytes as compilers let them.
    pub object: GlobalId,
}

impl<'p> Image<'p> {
    /// Makes a program ready. It must be well-formed, as [`ir::verify`] defines it.
    pub fn new(program: &'p Program, library: LibraryTable) -> Image<'p> {
        let models = program.functions.values().map(|f| if f.body.is_none() { (library.find)(&f.name) } else { None });
        let mut image = Image {
            has_packed_records: Image::find_packed_records(program),
            program,
            original: None,
            changed: &[],
            library,
            globals: Vec::new(),
            models: models.collect(),
            points: Trace::new(),
            point_of: HashMap::new(),
            strict: false,
            changed_parameters: OnceLock::new(),
            plain: program.functions.keys().map(|_| OnceLock::new()).collect(),
            covering: program.functions.keys().map(|_| OnceLock::new()).collect(),
        };
        let mut literals = HashMap::new();
        for (id, global) in &program.globals {
            let object = match text(global) {
                Some(text) => *literals.entry((global.ty, text)).or_insert(id),
                None => id,
            };
            let external = global.init.is_none() && library.objects.contains(&global.name.as_str());
            image.globals.push(GlobalImage {
                size: program.types.size_of(global.ty).unwrap_or(0),
                align: program.types.align_of(global.ty),
                bytes: Vec::new(),
                exists: global.init.is_some() || external,
                external,
                object,
            });
        }
        for (id, global) in &program.globals {
            if let Some(init) = &global.init {
                image.initialise(id, init);
            }
        }
        image.declare_points();
        image
    }

    /// The program with other definitions of some functions and other first values of some globals. Made in no time:
    /// what does not change, compiled code included, is that of `original`. The functions must be well-formed in the
    /// program, must not have locals that it does not know, and no trace points.
    pub fn changed(
        original: &'p Image<'p>,
        functions: &'p [(FunctionId, Function)],
        globals: &[(GlobalId, Initializer)],
    ) -> Image<'p> {
        let mut image = Image {
            program: original.program,
            original: Some(original),
            changed: functions,
            library: original.library,
            globals: Vec::new(),
            models: Vec::new(),
            points: Trace::new(),
            point_of: HashMap::new(),
            strict: original.strict,
            changed_parameters: OnceLock::new(),
            has_packed_records: original.has_packed_records,
            plain: functions.iter().map(|_| OnceLock::new()).collect(),
            covering: functions.iter().map(|_| OnceLock::new()).collect(),
        };
        if !globals.is_empty() {
            image.globals = original.globals.clone();
            for (id, init) in globals {
                image.initialise(*id, init);
            }
        }
        image
    }

    /// The image with what few programs respect judged too: the types that objects are accessed as (6.5p7), and the values
    /// of pointers to objects that are gone (6.2.4p2).
    pub fn judging_strictly(self) -> Image<'p> {
        Image { strict: true, ..self }
    }

    pub(super) fn is_strict(&self) -> bool {
        self.strict
    }

    /// The parameters of a function that may be pointers converted from another type.
    pub(super) fn changed_parameters(&self, id: FunctionId) -> Option<&ir::EntitySet<ir::LocalId>> {
        self.changed_parameters.get_or_init(|| changed_parameters(self.program)).get(&id)
    }

    /// The definition of a function that is run.
    pub(super) fn function(&self, id: FunctionId) -> &'p Function {
        let changed = self.changed.iter().find(|(other, _)| *other == id);
        changed.map_or(&self.program.functions[id], |(_, function)| function)
    }

    /// Whether some record gives a member less alignment than its type asks for.
    pub(super) fn has_packed_records(&self) -> bool {
        self.has_packed_records
    }

    fn find_packed_records(program: &Program) -> bool {
        let types = &program.types;
        program.data.unaligned_types
            || types.records.values().any(|record| {
                record.fields.iter().flatten().any(|field| field.bits.is_none() && types.is_misplaced(record, field))
            })
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The trace points of the program, without rows: what a [`Recorder`](crate::Recorder) for a run starts from.
    pub fn points(&self) -> &Trace {
        &self.points
    }

    /// The arrays that the trace points of the program show, point by point: what a recorder that keeps them needs.
    pub fn arrays(&self) -> Vec<Vec<ArraySpec>> {
        let mut arrays = vec![Vec::new(); self.points.points().len()];
        for (id, function, body) in self.program.defined_functions() {
            body.walk(&mut |stmt| {
                if let (StmtKind::Trace(point), Some(at)) = (&stmt.kind, self.point(id, stmt.id)) {
                    let mut starts = vec![0];
                    for (_, value) in &point.values {
                        let cells = ValueType::of(&self.program.types, value.ty).map_or(1, ValueType::cells);
                        starts.push(starts[starts.len() - 1] + cells);
                    }
                    let shown = |local| {
                        let of =
                            |value: &ir::Expr| matches!(&value.kind, ExprKind::Load(l) if l.as_local() == Some(local));
                        point.values.iter().position(|(_, value)| of(value)).map(|position| starts[position])
                    };
                    let specs = point.values.iter().zip(&starts);
                    let specs = specs.filter_map(|((_, v), at)| ArraySpec::of(self.program, function, *at, v, &shown));
                    arrays[at.0 as usize] = specs.collect();
                }
            });
        }
        arrays
    }

    fn declare_points(&mut self) {
        let types = &self.program.types;
        for (function, _, body) in self.program.defined_functions() {
            body.walk(&mut |stmt| {
                if let StmtKind::Trace(point) = &stmt.kind {
                    let variables: Vec<Variable> = point
                        .values
                        .iter()
                        .map(|(name, value)| {
                            // A pointer is recorded as its address.
                            let ty = ValueType::of(types, value.ty).unwrap_or(ValueType::Int(IntKind::ULong));
                            Variable::new(name.clone(), ty)
                        })
                        .collect();
                    let id = self.points.declare(&point.name, &variables);
                    self.point_of.insert((function, stmt.id), id);
                }
            });
        }
    }

    pub(super) fn point(&self, function: FunctionId, stmt: StmtId) -> Option<PointId> {
        self.point_of.get(&(function, stmt)).copied()
    }

    pub(super) fn model(&self, id: FunctionId) -> Option<Model> {
        self.original.unwrap_or(self).models[id.index()]
    }

    pub(super) fn has_object(&self, id: GlobalId) -> bool {
        self.global(id).exists
    }

    pub(super) fn global(&self, id: GlobalId) -> &GlobalImage {
        match self.original {
            Some(original) if self.globals.is_empty() => original.global(id),
            _ => &self.globals[id.index()],
        }
    }

    pub(super) fn size_of_global(&self, id: GlobalId) -> u64 {
        self.global(id).size
    }

    /// Globals are the first objects of a run, so their slots are known beforehand.
    fn slot(&self, id: GlobalId) -> usize {
        FIRST_SLOT + self.global(id).object.index()
    }

    pub(super) fn slot_of_global(&self, id: GlobalId) -> u32 {
        self.slot(id) as u32
    }

    pub(super) fn address_of_global(&self, id: GlobalId) -> Address {
        Address::base(self.slot(id), 0, self.global(id).align)
    }

    #[inline]
    pub(super) fn code(&self, id: FunctionId, covering: bool) -> &Code {
        let index = match self.original {
            None => id.index(),
            Some(original) => match self.changed.iter().position(|(changed, _)| *changed == id) {
                Some(index) => index,
                None => return original.code(id, covering),
            },
        };
        let codes = if covering { &self.covering } else { &self.plain };
        codes[index].get_or_init(|| Box::new(compile(self, id, covering)))
    }

    fn initialise(&mut self, id: GlobalId, init: &Initializer) {
        // A flexible array member with an initialiser makes the object larger than its type.
        let mut size = self.globals[id.index()].size;
        let mut bytes = Vec::new();
        for item in &init.items {
            match &item.value {
                InitValue::Bytes(text) => put(&mut bytes, item.offset, text),
                InitValue::Expr(expr) => {
                    let value = constant_value(self, expr)
                        .unwrap_or_else(|_| panic!("an initialiser should be defined, because the front end folds it"));
                    match item.bits {
                        Some(range) => put_bits(&mut bytes, range, value.0),
                        None => {
                            let length = self.program.types.size_of(expr.ty).unwrap_or(0) as usize;
                            put(&mut bytes, item.offset, &value.0.to_le_bytes()[..length]);
                        }
                    }
                }
            }
        }
        size = size.max(bytes.len() as u64);
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
        self.globals[id.index()].size = size;
        self.globals[id.index()].bytes = bytes;
    }
}

fn put(bytes: &mut Vec<u8>, offset: u64, part: &[u8]) {
    let end = offset as usize + part.len();
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[offset as usize..end].copy_from_slice(part);
}

fn put_bits(bytes: &mut Vec<u8>, range: BitRange, value: u128) {
    for i in 0..u64::from(range.width) {
        let at = range.offset + i;
        let byte = (at / 8) as usize;
        if bytes.len() <= byte {
            bytes.resize(byte + 1, 0);
        }
        let bit = 1u8 << (at % 8);
        bytes[byte] = if value >> i & 1 == 1 { bytes[byte] | bit } else { bytes[byte] & !bit };
    }
}

/// The value of a constant expression.
fn constant_value(image: &Image<'_>, expr: &Expr) -> Checked<Value> {
    stacker::maybe_grow(128 << 10, 4 << 20, || constant_value_inside(image, expr))
}

fn constant_value_inside(image: &Image<'_>, expr: &Expr) -> Checked<Value> {
    let types = &image.program.types;
    let class = |expr: &Expr| {
        Class::of(types, expr.ty).expect("a constant expression should be scalar, because the program is verified")
    };
    match &expr.kind {
        ExprKind::Int(value) => match class(expr) {
            Class::Int(kind) => Ok(Value::int(kind, *value)),
            _ => Ok(Value::unsigned(*value as u64)),
        },
        ExprKind::Float(value) => match class(expr) {
            Class::Float(FloatKind::Float) => Ok(Value::float(*value as f32)),
            _ => Ok(Value::double(*value)),
        },
        ExprKind::Extended(bits) => Ok(Value::extended(*bits)),
        ExprKind::Load(_) => unreachable!("a constant expression should not load, because the program is verified"),
        ExprKind::AddressOf(lvalue) => constant_address(image, lvalue),
        ExprKind::Function(id) => Ok(Value::pointer(Address::of_function(id.index() as u32))),
        ExprKind::Unary(op, operand) => arithmetic::unary(*op, class(operand), constant_value(image, operand)?),
        ExprKind::Binary(op, left, right) => {
            let (a, b) = (constant_value(image, left)?, constant_value(image, right)?);
            constant_binary(image, *op, left, right, a, b)
        }
        ExprKind::Logical(op, left, right) => {
            let first = arithmetic::is_true(class(left), constant_value(image, left)?);
            let truth = match (op, first) {
                (LogicalOp::And, false) => false,
                (LogicalOp::Or, true) => true,
                _ => arithmetic::is_true(class(right), constant_value(image, right)?),
            };
            Ok(Value::signed(truth as i64))
        }
        ExprKind::Conditional(cond, yes, no) => {
            let chosen = if arithmetic::is_true(class(cond), constant_value(image, cond)?) { yes } else { no };
            constant_value(image, chosen)
        }
        ExprKind::Convert { value, .. } => {
            arithmetic::convert(class(value), class(expr), constant_value(image, value)?)
        }
    }
}

fn constant_binary(image: &Image<'_>, op: BinaryOp, left: &Expr, right: &Expr, a: Value, b: Value) -> Checked<Value> {
    let types = &image.program.types;
    let class = |expr: &Expr| {
        Class::of(types, expr.ty).expect("a constant expression should be scalar, because the program is verified")
    };
    let stride = || types.pointee(left.ty).and_then(|to| types.size_of(to)).unwrap_or(1).max(1);
    match op {
        BinaryOp::PointerAdd => Ok(Value::unsigned(arith::pointer_add(a.low(), b.as_i64(), stride()))),
        BinaryOp::PointerDiff => Ok(Value::signed(arith::pointer_diff(a.low(), b.low(), stride()))),
        _ => arithmetic::binary(op, class(left), a, class(right), b),
    }
}

fn constant_address(image: &Image<'_>, lvalue: &Lvalue) -> Checked<Value> {
    let types = &image.program.types;
    let (mut address, mut ty) = match &lvalue.base {
        Base::Global(id) => (image.address_of_global(*id).0, image.program.globals[*id].ty),
        Base::Deref(pointer) => {
            let ty = types.pointee(pointer.ty).expect("what is dereferenced should be a pointer");
            (constant_value(image, pointer)?.low(), ty)
        }
        Base::Local(_) => unreachable!("a constant address should not be of a local, because the program is verified"),
    };
    for step in &lvalue.path {
        match (step, types.get(ty)) {
            (Step::Field(number), Type::Record(record)) => {
                let field =
                    &types.records[*record].fields.as_ref().expect("the record should be complete")[*number as usize];
                address = address.wrapping_add(field.offset);
                ty = field.ty;
            }
            (Step::Index(index), Type::Array { of, .. }) => {
                let index = constant_value(image, index)?.low();
                address = address.wrapping_add(index.wrapping_mul(types.size_of(*of).unwrap_or(0)));
                ty = *of;
            }
            _ => unreachable!("a step should fit its type, because the program is verified"),
        }
    }
    Ok(Value::unsigned(address))
}
