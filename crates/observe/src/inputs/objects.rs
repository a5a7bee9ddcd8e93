//! Objects for parameters that are no numbers: records, buffers, strings, functions, streams, and what the program's
//! own functions make.
//!
//! An object is made by its type, member by member, down to a depth. [`Roles`] say how long buffers are and what is
//! behind a `void *`. Strings are put together from the strings, characters and digits of the program's text, because a
//! parser tells only those apart. A type that has makers (functions that allocate one and return it, or that
//! initialise the one they are given) is often left to them: a type whose invariant nobody wrote down is then used as
//! it is meant to be.
//!
//! *Guarantee*: the objects of one input do not overlap, except where [`Given::Within`] says so. Everything follows
//! from the random numbers alone.

use super::constants::{characters, constants, texts};
use super::generator::CLASSES;
use super::makers::{Constructor, callables, leads_to_const, makers, middles};
use super::roles::{Holder, Roles, is_capacity_name};
use crate::harness::Extent;
use exec::{Given, Scalar, ValueType};
use fastrand::Rng;
use ir::{CallGraph, FunctionId, GlobalId, IntKind, Length, Program, RecordId, RecordKind, Type, TypeId};
use std::collections::BTreeMap;

/// How many pointers lead from one object to the next.
const DEPTH: u32 = 3;
/// Values of one input, at most; what comes after is zero.
const MOST_VALUES: u32 = 400;
/// Elements of one array that get values.
const MOST_ELEMENTS: u64 = 160;

/// What is known about the types of a program, for making objects of them.
pub struct Objects {
    program: Program,
    entry: FunctionId,
    roles: Roles,
    numbers: Vec<i128>,
    characters: Vec<u8>,
    texts: Vec<Vec<u8>>,
    makers: BTreeMap<RecordId, Vec<Constructor>>,
    /// Functions that allocate something and return a pointer to a number or a character in it.
    middles: BTreeMap<TypeId, Vec<FunctionId>>,
    /// The functions that a pointer of a type may lead to.
    callables: BTreeMap<TypeId, Vec<String>>,
    /// Globals that are numbers, which the entry or what it calls reads.
    globals: Vec<GlobalId>,
    /// For each parameter: null pointers tried, and those that went well.
    nulls: Vec<(u32, u32)>,
    /// How long the user says that parameters of the entry are.
    extents: BTreeMap<usize, Extent>,
}

/// Whether a function returns a pointer.
pub fn returns_pointer(program: &Program, entry: FunctionId) -> bool {
    let function = &program.functions[entry];
    let result = program.types.signature(function.ty).map(|signature| signature.result);
    function.name != "main" && result.is_some_and(|ty| program.types.is_pointer(ty))
}

/// Whether a function can only be called with more than numbers.
pub fn takes_objects(program: &Program, entry: FunctionId) -> bool {
    let function = &program.functions[entry];
    function.name != "main"
        && function.params.iter().any(|param| ValueType::of(&program.types, function.locals[*param].ty).is_none())
}

impl Objects {
    pub fn new(program: &Program, entry: FunctionId) -> Objects {
        let graph = CallGraph::new(program);
        let mut reachable = graph.reachable(entry);
        reachable.push(entry);
        let roles = Roles::new(program);
        Objects {
            entry,
            middles: middles(program, &graph, &roles, entry),
            roles,
            numbers: constants(program),
            characters: characters(program),
            texts: texts(program),
            makers: makers(program, &graph, entry),
            callables: callables(program),
            globals: read_globals(program, entry, &reachable),
            nulls: vec![(0, 0); program.functions[entry].params.len()],
            extents: BTreeMap::new(),
            program: program.clone(),
        }
    }

    /// Takes the user's word for the lengths of parameters.
    pub fn set_extents(&mut self, said: &[(String, Extent)]) {
        let about = &self.program.functions[self.entry];
        for (k, param) in about.params.iter().enumerate() {
            if let Some((_, extent)) = said.iter().find(|(name, _)| *name == about.locals[*param].name) {
                self.extents.insert(k, extent.clone());
            }
        }
    }

    /// The arguments of the entry. The numbers among them are given, in order; those that are lengths and are not
    /// `fixed` are chosen anew.
    pub fn arguments(&self, rng: &mut Rng, class: usize, numbers: &mut [Scalar], fixed: &[bool]) -> Vec<Given> {
        let mut making = Making { objects: self, rng, class, left: MOST_VALUES };
        making.arguments_of(self.entry, DEPTH, Some((numbers, fixed)))
    }

    /// What globals hold when the entry is called.
    pub fn globals(&self, rng: &mut Rng, class: usize) -> Vec<(GlobalId, Given)> {
        let mut given = Vec::new();
        for &id in &self.globals {
            if rng.u32(..100) < 40 {
                let mut making = Making { objects: self, rng, class, left: 8 };
                given.push((id, making.value(self.program.globals[id].ty, 0)));
            }
        }
        given
    }

    /// Changes one value of the arguments a little.
    pub fn mutate(&self, rng: &mut Rng, class: usize, arguments: &mut [Given]) {
        let mut leaves = 0;
        for argument in arguments.iter() {
            argument.walk(&mut |part| leaves += usize::from(is_leaf(part)));
        }
        if leaves == 0 {
            return;
        }
        let mut chosen = rng.usize(..leaves);
        let mut making = Making { objects: self, rng, class, left: 8 };
        for argument in arguments.iter_mut() {
            argument.walk_mut(&mut |part| {
                if is_leaf(part) {
                    if chosen == 0 {
                        making.change(part);
                    }
                    chosen = chosen.wrapping_sub(1);
                }
            });
        }
        // A length that outgrew its buffer shrinks again, nearly always.
        for (pointer, number) in self.lengths(self.entry) {
            let Some(extent) = arguments[pointer].extent() else { continue };
            let count = (extent / self.element_size(self.entry, pointer)) as i128;
            if let Given::Scalar(_, Scalar::Int(value)) = &mut arguments[number]
                && *value > count
                && making.rng.u32(..100) < 85
            {
                *value = count;
            }
        }
    }

    /// Takes note of how a run with these arguments ended.
    pub fn learn(&mut self, arguments: &[Given], went_well: bool) {
        for (given, (tried, passed)) in arguments.iter().zip(&mut self.nulls) {
            if *given == Given::Null {
                *tried += 1;
                *passed += u32::from(went_well);
            }
        }
    }

    /// The pairs of a pointer parameter and the parameter that is its length.
    fn lengths(&self, function: FunctionId) -> Vec<(usize, usize)> {
        let about = &self.program.functions[function];
        let types = &self.program.types;
        let is_number = |k: usize| about.params.get(k).is_some_and(|p| types.int_kind(about.locals[*p].ty).is_some());
        let length = |pointer: usize| {
            match self.extents.get(&pointer).filter(|_| function == self.entry) {
                Some(Extent::Fixed(_)) => return None,
                Some(Extent::Parameter(name)) => {
                    let number = about.params.iter().position(|p| about.locals[*p].name == *name)?;
                    return is_number(number).then_some((pointer, number));
                }
                None => {}
            }
            let fits = |holder: Holder| matches!(holder, Holder::Parameter(of, k) if of == function && is_number(k));
            match self.roles.length(Holder::Parameter(function, pointer), fits)? {
                Holder::Parameter(_, number) => Some((pointer, number)),
                _ => None,
            }
        };
        (0..about.params.len())
            .filter(|k| types.is_pointer(about.locals[about.params[*k]].ty))
            .filter_map(length)
            .collect()
    }

    /// Which number is the length of which buffer, as the user reads it: `n` of `p`.
    pub fn recognised(&self) -> Vec<(String, String)> {
        let about = &self.program.functions[self.entry];
        let name = |k: usize| about.locals[about.params[k]].name.clone();
        self.lengths(self.entry).into_iter().map(|(pointer, number)| (name(pointer), name(number))).collect()
    }

    fn element_size(&self, function: FunctionId, pointer: usize) -> u64 {
        let about = &self.program.functions[function];
        let to = self.program.types.pointee(about.locals[about.params[pointer]].ty);
        to.and_then(|to| self.program.types.size_of(to)).filter(|size| *size > 0).unwrap_or(1)
    }
}

fn is_leaf(given: &Given) -> bool {
    matches!(given, Given::Scalar(..) | Given::Text { .. } | Given::Bits { .. } | Given::File(_))
}

/// Objects in the course of being made.
struct Making<'a> {
    objects: &'a Objects,
    rng: &'a mut Rng,
    class: usize,
    /// Values that may still be made.
    left: u32,
}

impl Making<'_> {
    fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(..100) < percent
    }

    /// How many there are of something that may be none.
    fn count(&mut self) -> u64 {
        let most = [3, 8, 24, 60, 150][self.class.min(4)];
        match self.rng.u32(..10) {
            0 => 0,
            1 => 1,
            _ => self.rng.u64(0..=most),
        }
    }

    /// The arguments of a function; the numbers among them may be given.
    fn arguments_of(
        &mut self,
        function: FunctionId,
        depth: u32,
        mut given: Option<(&mut [Scalar], &[bool])>,
    ) -> Vec<Given> {
        let objects = self.objects;
        let about = &objects.program.functions[function];
        let types = &objects.program.types;
        let lengths = objects.lengths(function);
        let mut arguments = vec![Given::Nothing; about.params.len()];
        let mut next = 0;
        for (k, param) in about.params.iter().enumerate() {
            let Some(ty) = ValueType::of(types, about.locals[*param].ty) else { continue };
            let mut value = match &given {
                Some((numbers, _)) => numbers[next],
                None => self.number(ty),
            };
            let is_length = lengths.iter().any(|(_, number)| *number == k);
            let is_fixed = given.as_ref().is_some_and(|(_, fixed)| fixed[next]);
            if is_length && !is_fixed && self.chance(94) {
                value = Scalar::Int(i128::from(self.count()));
                if let Some((numbers, _)) = &mut given {
                    numbers[next] = value;
                }
            }
            arguments[k] = Given::Scalar(ty, value);
            next += 1;
        }
        for (k, param) in about.params.iter().enumerate() {
            let local = &about.locals[*param];
            if ValueType::of(types, local.ty).is_some() {
                continue;
            }
            let Some(to) = types.pointee(local.ty) else {
                arguments[k] = self.value(local.ty, depth);
                continue;
            };
            let holder = Holder::Parameter(function, k);
            let ends = |earlier: &usize| {
                let role = objects.roles.get(Holder::Parameter(function, *earlier));
                role.is_some_and(|role| role.end == Some(holder))
            };
            if let Some(earlier) = (0..k).find(ends) {
                if let Some(extent) = arguments[earlier].extent() {
                    let is_text = matches!(arguments[earlier], Given::Text { .. });
                    arguments[k] = Given::Within { argument: earlier, offset: extent - u64::from(is_text) };
                    continue;
                }
                if arguments[earlier] == Given::Null {
                    arguments[k] = Given::Null;
                    continue;
                }
            }
            let (tried, passed) = if function == objects.entry { objects.nulls[k] } else { (1, 0) };
            let hopeless = tried >= 4 && passed == 0;
            if self.chance(if hopeless {
                1
            } else if function == objects.entry {
                8
            } else {
                3
            }) {
                arguments[k] = Given::Null;
                continue;
            }
            let number = lengths.iter().find(|(pointer, _)| *pointer == k).map(|(_, number)| *number);
            let count = number.and_then(|number| match arguments[number] {
                Given::Scalar(_, Scalar::Int(value)) => Some((number, u64::try_from(value).ok()?.min(4096))),
                _ => None,
            });
            let count = count.map(|(number, count)| {
                let role = objects.roles.get(holder);
                let is_index = role.is_some_and(|role| role.indices.contains(&Holder::Parameter(function, number)));
                // Now and then one that is too long or too short: whether that goes well is worth knowing.
                let count = match self.rng.u32(..25) {
                    0 => count + 1,
                    1 => count + 4,
                    2 => count.saturating_sub(1),
                    _ => count,
                };
                count + u64::from(is_index)
            });
            let declared = match objects.extents.get(&k).filter(|_| function == objects.entry) {
                Some(Extent::Fixed(length)) => Some(*length),
                _ => local.declared_elements(),
            };
            arguments[k] = self.pointer(to, Some(holder), count.or(declared), depth, leads_to_const(types, local.ty));
            self.relate(&mut arguments, k);
        }
        arguments
    }

    /// Two strings have something to do with each other, now and then: what compares or searches tells that apart.
    fn relate(&mut self, arguments: &mut [Given], k: usize) {
        let (before, rest) = arguments.split_at_mut(k);
        let Some(Given::Text { size, bytes }) = rest.first_mut() else { return };
        let earlier = before.iter().filter_map(|given| match given {
            Given::Text { bytes, .. } => Some(bytes),
            _ => None,
        });
        let earlier: Vec<&Vec<u8>> = earlier.collect();
        if earlier.is_empty() || !self.chance(40) {
            return;
        }
        let other = earlier[self.rng.usize(..earlier.len())].clone();
        let (from, to) = (self.rng.usize(..=other.len()), self.rng.usize(..=other.len()));
        let room = *size - bytes.len() as u64;
        match self.rng.u32(..6) {
            0 => *bytes = other,
            1 => bytes.splice(0..0, other).for_each(drop),
            2 => *bytes = other[..to].to_vec(),
            3 => *bytes = other[from.min(to)..from.max(to)].to_vec(),
            4 => {
                *bytes = other;
                bytes.extend(self.text());
            }
            _ => {
                *bytes = other;
                self.change_bytes(bytes);
                bytes.retain(|byte| *byte != 0);
            }
        }
        *size = bytes.len() as u64 + room;
    }

    /// A number of a type.
    fn number(&mut self, ty: ValueType) -> Scalar {
        let bound = CLASSES[self.class].0;
        match ty {
            ValueType::Int(IntKind::Bool) => Scalar::Int(self.rng.i128(0..=1)),
            ValueType::Int(kind) if kind.bytes() == 1 => Scalar::Int(kind.wrap(i128::from(self.byte()))),
            ValueType::Int(kind) => {
                let value = match self.rng.u32(..100) {
                    0..=14 if !self.objects.numbers.is_empty() => {
                        self.objects.numbers[self.rng.usize(..self.objects.numbers.len())] + self.rng.i128(-1..=1)
                    }
                    15..=34 => [0, 0, 1, bound][self.rng.usize(..4)],
                    35..=36 => [kind.min(), kind.max()][self.rng.usize(..2)],
                    _ => self.rng.i128(0..=bound),
                };
                let negative = kind.is_signed() && value > 0 && self.chance(20);
                Scalar::Int(kind.wrap(if negative { -value } else { value }))
            }
            ValueType::Float(_) => {
                let whole = self.rng.i128(-bound..=bound) as f64;
                let part = f64::from(self.rng.u32(..8)) / 8.0;
                Scalar::Float(if self.rng.bool() { whole } else { whole + part })
            }
        }
    }

    fn byte(&mut self) -> u8 {
        let known = &self.objects.characters;
        match self.rng.u32(..10) {
            0..=4 if !known.is_empty() => known[self.rng.usize(..known.len())],
            5 => self.rng.u8(..),
            6 => self.rng.u8(0..4),
            7 => self.rng.u8(b'0'..=b'9'),
            _ => self.rng.u8(b'a'..=b'f'),
        }
    }

    /// The bytes of a string: without a zero inside.
    fn text(&mut self) -> Vec<u8> {
        let most = [3, 8, 20, 60, 200][self.class.min(4)];
        let length = self.rng.usize(0..=most);
        let mut bytes = Vec::new();
        let known = &self.objects.texts;
        if !known.is_empty() && self.chance(20) {
            return known[self.rng.usize(..known.len())].clone();
        }
        while bytes.len() < length {
            match self.rng.u32(..12) {
                0 if !known.is_empty() => bytes.extend_from_slice(&known[self.rng.usize(..known.len())]),
                1 => bytes.extend_from_slice(self.rng.i32(-1000..1000).to_string().as_bytes()),
                2 => bytes.push(b" \n\t,:.-"[self.rng.usize(..7)]),
                _ => bytes.push(self.byte().max(1)),
            }
        }
        bytes.retain(|byte| *byte != 0);
        bytes
    }

    /// A value of a type, as it stands in an object.
    fn value(&mut self, ty: TypeId, depth: u32) -> Given {
        if self.left == 0 {
            return Given::Nothing;
        }
        self.left -= 1;
        let objects = self.objects;
        let types = &objects.program.types;
        match types.get(ty) {
            Type::Int(_) | Type::Float(_) => match ValueType::of(types, ty) {
                Some(ty) => Given::Scalar(ty, self.number(ty)),
                None => Given::Nothing,
            },
            Type::Pointer { to, .. } => self.member_pointer(*to, None, None, depth, leads_to_const(types, ty)),
            Type::Array { of, length } => {
                let Length::Fixed(count) = *length else { return Given::Nothing };
                let size = types.size_of(*of).unwrap_or(0);
                let is_character = types.int_kind(*of).is_some_and(IntKind::is_plain_char);
                if is_character && count > 1 && self.chance(80) {
                    let mut bytes = self.text();
                    bytes.truncate(count as usize - 1);
                    let kind = types.int_kind(*of).unwrap_or(IntKind::Char);
                    let parts = bytes.into_iter().map(|byte| Given::int(kind, kind.wrap(byte.into()))).collect();
                    return Given::Array(1, parts);
                }
                let parts = (0..count.min(MOST_ELEMENTS)).map(|_| self.value(*of, depth)).collect();
                Given::Array(size, parts)
            }
            Type::Record(record) => self.record(*record, depth),
            Type::Void | Type::Function(_) => Given::Nothing,
        }
    }

    /// A pointer inside an object: null more often than a parameter.
    fn member_pointer(
        &mut self,
        to: TypeId,
        holder: Option<Holder>,
        count: Option<u64>,
        depth: u32,
        is_const: bool,
    ) -> Given {
        let is_function = matches!(self.objects.program.types.get(to), Type::Function(_));
        let often = if is_function {
            10
        } else if count.is_some() {
            8
        } else {
            25
        };
        if depth == 0 || self.chance(often) {
            return Given::Null;
        }
        self.pointer(to, holder, count, depth, is_const)
    }

    fn record(&mut self, id: RecordId, depth: u32) -> Given {
        let objects = self.objects;
        let types = &objects.program.types;
        let record = &types.records[id];
        let Some(fields) = &record.fields else { return Given::Nothing };
        let chosen: Vec<usize> = match record.kind {
            RecordKind::Struct => (0..fields.len()).collect(),
            RecordKind::Union if fields.is_empty() => Vec::new(),
            RecordKind::Union => vec![self.rng.usize(..fields.len())],
        };
        // The buffers of a record, with the members that tell how long they are.
        let mut lengths: BTreeMap<usize, u64> = BTreeMap::new();
        let mut extents: BTreeMap<usize, u64> = BTreeMap::new();
        for &k in &chosen {
            let Some(role) = objects.roles.get(Holder::Member(id, k as u32)) else { continue };
            if !types.is_pointer(fields[k].ty) || role.lengths.is_empty() {
                continue;
            }
            let own = role.lengths.keys().filter_map(|number| match number {
                Holder::Member(of, n) if *of == id && types.int_kind(fields[*n as usize].ty).is_some() => {
                    Some(*n as usize)
                }
                _ => None,
            });
            let own: Vec<usize> = own.collect();
            if own.is_empty() {
                continue;
            }
            let known = own.iter().filter_map(|number| lengths.get(number)).max().copied();
            let extent = known.unwrap_or_else(|| self.count());
            for number in own {
                let full = is_capacity_name(&fields[number].name) || self.chance(40);
                let used = if full { extent } else { self.rng.u64(0..=extent) };
                lengths.entry(number).or_insert(used);
            }
            let room = if self.chance(80) { 1 } else { 0 };
            extents.insert(k, extent + room);
        }
        let mut parts = Vec::new();
        for &k in &chosen {
            let field = &fields[k];
            let part = match (field.bits, types.pointee(field.ty)) {
                (Some(bits), _) => {
                    let limit = 1i128 << bits.width.min(20);
                    let value = self.rng.i128(0..limit);
                    let first = (bits.offset - field.offset * 8) as u32;
                    Given::Bits { first, width: bits.width, value }
                }
                (None, Some(to)) => {
                    let (holder, count) = (Holder::Member(id, k as u32), extents.get(&k).copied());
                    self.left = self.left.saturating_sub(1);
                    self.member_pointer(to, Some(holder), count, depth, leads_to_const(types, field.ty))
                }
                (None, None) => match (lengths.get(&k), ValueType::of(types, field.ty)) {
                    (Some(length), Some(ty)) if self.chance(95) => Given::Scalar(ty, Scalar::Int((*length).into())),
                    _ => self.value(field.ty, depth),
                },
            };
            parts.push((field.name.clone(), field.offset, part));
        }
        Given::Record(parts)
    }

    /// A pointer that is not null, if there is anything it can lead to: to so many elements, or as many as fit.
    fn pointer(&mut self, to: TypeId, holder: Option<Holder>, count: Option<u64>, depth: u32, is_const: bool) -> Given {
        let objects = self.objects;
        let types = &objects.program.types;
        let role = holder.and_then(|holder| objects.roles.get(holder));
        // What stands before it only its makers know.
        if depth > 0
            && role.is_some_and(|role| role.reaches_back)
            && let Some(makers) = objects.middles.get(&to)
        {
            let function = makers[self.rng.usize(..makers.len())];
            let by = objects.program.functions[function].name.clone();
            return Given::Made { by, arguments: self.arguments_of(function, depth - 1, None), first: false };
        }
        match types.get(to) {
            Type::Function(_) => {
                let known = objects.callables.get(&to).map_or(&[][..], Vec::as_slice);
                match known.len() {
                    0 => Given::Null,
                    count => Given::Function(known[self.rng.usize(..count)].clone()),
                }
            }
            Type::Void => {
                let real = role.map(|role| role.leads_to.iter().copied().collect::<Vec<_>>()).unwrap_or_default();
                if !real.is_empty() {
                    let to = real[self.rng.usize(..real.len())];
                    // A length of what is behind `void *` counts bytes.
                    let size = types.size_of(to).unwrap_or(1).max(1);
                    let count = count.map(|count| count.div_ceil(size));
                    return self.pointer(to, holder, count, depth, is_const);
                }
                let count = count.unwrap_or_else(|| self.count().max(8));
                let parts = (0..count.min(MOST_ELEMENTS)).map(|_| Given::int(IntKind::UChar, self.byte().into()));
                let contents = Box::new(Given::Array(1, parts.collect()));
                Given::Object { size: count, contents }
            }
            Type::Record(record) if types.records[*record].name == "_IO_FILE" => Given::File(self.lines()),
            Type::Record(record) => {
                let makers = objects.makers.get(record).map_or(&[][..], Vec::as_slice);
                let size = types.size_of(to);
                if depth > 0 && !makers.is_empty() && (size.is_none() || self.chance(55)) {
                    let Constructor { function, first } = makers[self.rng.usize(..makers.len())];
                    let by = objects.program.functions[function].name.clone();
                    let mut arguments = self.arguments_of(function, depth - 1, None);
                    if let (true, Some(size), Some(object)) = (first, size, arguments.first_mut()) {
                        *object = Given::Object { size, contents: Box::new(Given::Nothing) };
                    }
                    return Given::Made { by, arguments, first };
                }
                let Some(size) = size else { return Given::Null };
                let is_array = role.is_some_and(|role| role.is_array);
                let count = count.unwrap_or_else(|| if is_array { self.count().clamp(1, 12) } else { 1 });
                self.elements(to, size, count, depth)
            }
            Type::Int(kind) if kind.bytes() == 1 && *kind != IntKind::Bool => match count {
                Some(count) => {
                    // A counted buffer that ends with a zero is as likely as one that does not.
                    let mut bytes = self.text();
                    bytes.truncate(count as usize);
                    if !kind.is_plain_char() || self.chance(30) {
                        bytes = (0..count.min(256)).map(|_| self.byte()).collect();
                    }
                    let parts = bytes.into_iter().map(|byte| Given::int(*kind, kind.wrap(byte.into()))).collect();
                    Given::Object { size: count, contents: Box::new(Given::Array(1, parts)) }
                }
                None => {
                    let bytes = self.text();
                    let room = if is_const { 0 } else { [0, 0, 16, 64][self.rng.usize(..4)] };
                    Given::Text { size: bytes.len() as u64 + 1 + room, bytes }
                }
            },
            Type::Pointer { to: next, .. } => {
                let is_array = role.is_some_and(|role| role.is_array);
                let count = count.unwrap_or_else(|| if is_array { self.rng.u64(1..=4) } else { 1 });
                let (next, next_const) = (*next, leads_to_const(types, to));
                let mut parts: Vec<Given> = (0..count.min(MOST_ELEMENTS))
                    .map(|_| self.member_pointer(next, None, None, depth.saturating_sub(1), next_const))
                    .collect();
                // A list of pointers without a length ends with a null pointer.
                if is_array && role.is_some_and(|role| role.lengths.is_empty()) {
                    parts.push(Given::Null);
                }
                let size = 8 * (parts.len() as u64).max(count);
                Given::Object { size, contents: Box::new(Given::Array(8, parts)) }
            }
            _ => {
                let Some(size) = types.size_of(to).filter(|size| *size > 0) else { return Given::Null };
                let is_array = role.is_some_and(|role| role.is_array);
                let count = count.unwrap_or_else(|| if is_array { self.count().clamp(1, 16) } else { 1 });
                self.elements(to, size, count, depth)
            }
        }
    }

    fn elements(&mut self, of: TypeId, size: u64, count: u64, depth: u32) -> Given {
        let parts = (0..count.min(MOST_ELEMENTS)).map(|_| self.value(of, depth.saturating_sub(1))).collect();
        Given::Object { size: size * count, contents: Box::new(Given::Array(size, parts)) }
    }

    /// The contents of a file.
    fn lines(&mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for _ in 0..self.rng.usize(0..4) {
            bytes.extend(self.text());
            bytes.push(b'\n');
        }
        bytes
    }

    /// Another value for a leaf.
    fn change(&mut self, leaf: &mut Given) {
        match leaf {
            Given::Scalar(ty, value) => {
                let nudge = self.rng.i128(-2..=2);
                *value = match (*ty, *value, self.rng.u32(..3)) {
                    (ValueType::Int(kind), Scalar::Int(v), 0 | 1) => Scalar::Int(kind.wrap(v.wrapping_add(nudge))),
                    (ty, _, _) => self.number(ty),
                };
            }
            Given::Bits { width, value, .. } => *value = self.rng.i128(0..1 << (*width).min(20)),
            Given::Text { size, bytes } => {
                let room = size.saturating_sub(bytes.len() as u64);
                self.change_bytes(bytes);
                bytes.retain(|byte| *byte != 0);
                *size = bytes.len() as u64 + room.max(1);
            }
            Given::File(bytes) => self.change_bytes(bytes),
            _ => {}
        }
    }

    fn change_bytes(&mut self, bytes: &mut Vec<u8>) {
        let at = self.rng.usize(..=bytes.len());
        match self.rng.u32(..5) {
            0 if at < bytes.len() => drop(bytes.remove(at)),
            1 if at < bytes.len() => bytes[at] = self.byte(),
            2 => {
                let more = self.text();
                bytes.splice(at..at, more.into_iter().take(12)).for_each(drop);
            }
            3 => bytes.truncate(at),
            _ => bytes.insert(at, self.byte()),
        }
    }
}

/// The numbers among the globals that may differ from their initial values when the entry is called and that it, or
/// what it calls, names.
fn read_globals(program: &Program, entry: FunctionId, reachable: &[FunctionId]) -> Vec<GlobalId> {
    let open = ir::open_globals(program, entry);
    let mut named = std::collections::BTreeSet::new();
    for function in reachable {
        named.extend(ir::named_globals(program, *function));
    }
    let is_number = |id: &GlobalId| {
        let global = &program.globals[*id];
        global.init.is_some() && !global.is_volatile && ValueType::of(&program.types, global.ty).is_some()
    };
    open.intersection(&named).copied().filter(is_number).collect()
}
