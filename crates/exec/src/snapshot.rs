//! What arrays held each time a run came by a trace point.
//!
//! A trace point records the address of an array, or of what a pointer points to, as a number of its row. A recorder
//! that is asked for it ([`Recorder::with_arrays`](crate::Recorder::with_arrays)) keeps the elements as well: a
//! [`Snapshot`] has the row and, for every address in it, the elements from there to the end of the array, as the type
//! of the expression or the object in memory tells it.
//!
//! *Storage.* Elements are kept row-major, a cell each as [`ValueType`] lays it out. Of a point that a run passes very
//! often every visit is kept at first, then one in two, one in four, …, and always the first and the last: what is kept
//! of a run stays within [`KEPT`] snapshots.
//!
//! *Guarantee.* An element that was never written is not read as a value, and a pointer that leads nowhere has no
//! elements.

use crate::ValueType;
use crate::memory::{Address, Memory, State};
use crate::trace::PointId;
use ir::{Expr, ExprKind, Function, Length, LocalId, Program, Step, Type, TypeId, Types};

/// Snapshots of one point that are kept of one run.
pub const KEPT: usize = 16;
/// Elements of one array that are kept.
pub const MOST_ELEMENTS: u64 = 1 << 18;

/// An array that a trace point shows: how the elements behind an address are laid out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArraySpec {
    /// The position of the address among the values of the point.
    pub value: usize,
    pub element: ValueType,
    /// The lengths of the inner arrays, outermost first.
    pub inner: Vec<Extent>,
    /// The number of elements of the outermost array, where the type tells it.
    pub outer: Option<Extent>,
}

/// The length of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    Fixed(u64),
    /// The value of the point at this position.
    Shown(usize),
}

impl Extent {
    fn of(length: Length, shown: &dyn Fn(LocalId) -> Option<usize>) -> Option<Extent> {
        match length {
            Length::Fixed(length) => Some(Extent::Fixed(length)),
            Length::Variable(local) => shown(local).map(Extent::Shown),
            Length::Unknown => None,
        }
    }

    fn value(self, row: &[u64]) -> u64 {
        match self {
            Extent::Fixed(length) => length,
            Extent::Shown(position) => row[position],
        }
    }
}

impl ArraySpec {
    /// The layout behind a value of pointer type; `None` if no numbers are there. `shown` tells the position of the
    /// value of a local among those of the point.
    pub fn of(
        program: &Program,
        function: &Function,
        position: usize,
        value: &Expr,
        shown: &dyn Fn(LocalId) -> Option<usize>,
    ) -> Option<ArraySpec> {
        let types = &program.types;
        let mut ty = types.pointee(value.ty)?;
        let mut inner = Vec::new();
        while let Type::Array { of, length } = types.get(ty) {
            inner.push(Extent::of(*length, shown)?);
            ty = *of;
        }
        let element = ValueType::of(types, ty).filter(|element| element.cells() == 1)?;
        if matches!(element, ValueType::Float(ir::FloatKind::Extended)) {
            return None;
        }
        Some(ArraySpec {
            value: position,
            element,
            inner,
            outer: decayed_length(program, function, value).and_then(|length| Extent::of(length, shown)),
        })
    }

    fn element_bytes(&self) -> u64 {
        match self.element {
            ValueType::Int(kind) => kind.bytes(),
            ValueType::Float(kind) => kind.bytes(),
        }
    }

    fn take(&self, memory: &Memory<'_>, row: &[u64]) -> Option<ArrayValue> {
        let (address, bytes) = (row[self.value], self.element_bytes());
        let inner: Vec<u64> = self.inner.iter().map(|extent| extent.value(row)).collect();
        let chunk = inner.iter().try_fold(bytes, |size, length| size.checked_mul(*length)).filter(|size| *size > 0)?;
        let outer = match self.outer {
            Some(outer) => outer.value(row),
            None => {
                let info = memory.info(Address(address)).filter(|info| info.state == State::Live)?;
                info.size.checked_sub(u64::try_from(info.offset).ok()?)? / chunk
            }
        };
        let elements = outer.checked_mul(chunk / bytes).filter(|count| *count <= MOST_ELEMENTS)?;
        let (data, shadow) = memory.view(Address(address), elements * bytes)?;
        let width = bytes as usize;
        let cells = data.chunks_exact(width).map(|chunk| self.cell(chunk)).collect();
        let written: Vec<bool> = shadow.chunks_exact(width).map(|bits| bits.iter().all(|b| *b == 0xFF)).collect();
        let extents = std::iter::once(outer).chain(inner).collect();
        let written = if written.iter().all(|w| *w) { Vec::new() } else { written };
        Some(ArrayValue { address, extents, cells, written })
    }

    fn cell(&self, bytes: &[u8]) -> u64 {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let raw = u64::from_le_bytes(word);
        match self.element {
            ValueType::Float(ir::FloatKind::Float) => f64::from(f32::from_bits(raw as u32)).to_bits(),
            ValueType::Int(kind) if kind.is_signed() => kind.wrap(i128::from(raw)) as u64,
            _ => raw,
        }
    }
}

/// The number of elements of an array that has decayed to the address of its first one.
pub fn decayed_length(program: &Program, function: &Function, value: &Expr) -> Option<Length> {
    let ExprKind::AddressOf(lvalue) = &value.kind else { return None };
    let Some((Step::Index(first), path)) = lvalue.path.split_last() else { return None };
    if !matches!(first.kind, ExprKind::Int(0)) {
        return None;
    }
    let types = &program.types;
    let mut ty = match &lvalue.base {
        ir::Base::Local(local) => function.locals[*local].ty,
        ir::Base::Global(global) => program.globals[*global].ty,
        ir::Base::Deref(pointer) => types.pointee(pointer.ty)?,
    };
    for step in path {
        ty = inside(types, ty, step)?;
    }
    match types.get(ty) {
        Type::Array { length, .. } => Some(*length),
        _ => None,
    }
}

fn inside(types: &Types, ty: TypeId, step: &Step) -> Option<TypeId> {
    match step {
        Step::Index(_) => types.element(ty),
        Step::Field(field) => types.field(ty, *field).map(|field| field.ty),
    }
}

/// The elements of an array at one moment.
#[derive(Clone, PartialEq, Debug)]
pub struct ArrayValue {
    /// Where the first element is.
    pub address: u64,
    /// The length in each dimension, outermost first.
    pub extents: Vec<u64>,
    pub cells: Vec<u64>,
    /// For each element whether it holds a value; empty if all do.
    pub written: Vec<bool>,
}

/// A visit of a point.
#[derive(Clone, PartialEq, Debug)]
pub struct Snapshot {
    pub point: PointId,
    /// The cells of the row.
    pub row: Vec<u64>,
    /// For each array of the point its elements, if the address leads to some.
    pub arrays: Vec<Option<ArrayValue>>,
    /// How many visits of the point the run had made before.
    pub visit: u64,
    /// Whether it is the last visit of the run.
    pub is_last: bool,
}

/// Keeps snapshots of one run.
#[derive(Clone, Debug)]
pub struct Snapshots {
    /// For each point, what it shows.
    specs: Vec<Vec<ArraySpec>>,
    points: Vec<Kept>,
}

#[derive(Clone, Debug, Default)]
struct Kept {
    visits: u64,
    /// One visit in two to this power is kept.
    thinned: u32,
    kept: Vec<Snapshot>,
    last: Option<Snapshot>,
}

/// Whether a visit is among the one in two to some power that are kept. Which they are looks like chance, so that no
/// period of a loop hides behind it; the first is always one.
fn is_kept(visit: u64, thinned: u32) -> bool {
    let mixed = visit.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 24;
    mixed & ((1 << thinned.min(32)) - 1) == 0
}

impl Snapshots {
    /// For each point the arrays it shows, in the order of the points.
    pub fn new(specs: Vec<Vec<ArraySpec>>) -> Snapshots {
        let points = vec![Kept::default(); specs.len()];
        Snapshots { specs, points }
    }

    pub(crate) fn take(&mut self, point: PointId, row: &[u64], memory: &Memory<'_>) {
        let Some(specs) = self.specs.get(point.0 as usize).filter(|specs| !specs.is_empty()) else { return };
        let kept = &mut self.points[point.0 as usize];
        let visit = kept.visits;
        kept.visits += 1;
        let arrays = specs.iter().map(|spec| spec.take(memory, row)).collect();
        let snapshot = Snapshot { point, row: row.to_vec(), arrays, visit, is_last: false };
        if is_kept(visit, kept.thinned) {
            if kept.kept.len() == KEPT {
                kept.thinned += 1;
                let thinned = kept.thinned;
                kept.kept.retain(|old| is_kept(old.visit, thinned));
            }
            if is_kept(visit, kept.thinned) {
                kept.kept.push(snapshot);
                kept.last = None;
                return;
            }
        }
        kept.last = Some(snapshot);
    }

    /// What was kept, point by point, in the order of the visits.
    pub fn finish(self) -> Vec<Snapshot> {
        let mut all = Vec::new();
        for mut point in self.points {
            point.kept.extend(point.last);
            if let Some(last) = point.kept.last_mut() {
                last.is_last = true;
            }
            all.extend(point.kept);
        }
        all
    }
}
