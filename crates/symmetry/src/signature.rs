//! What a function takes and gives, as far as its inputs can be chosen and its outputs compared.

use super::constants::{Constants, mentioned};
use exec::ValueType;
use ir::{
    Base, BitRange, ExprKind, FloatKind, FunctionId, IntKind, Length, Linkage, Program, RecordKind, Type, TypeId, Types,
};

/// Fields of a record that are compared one by one; more than this is no output anybody looks at.
const MOST_LEAVES: usize = 4096;

/// The type of a number; `None` if the language does not say.
pub type Number = Option<ValueType>;

#[derive(Clone, PartialEq, Debug)]
pub struct Signature {
    pub name: String,
    pub parameters: Vec<Parameter>,
    pub result: ResultKind,
    /// The translation unit that defines it.
    pub unit: Option<u32>,
    /// The numbers that its text mentions, those it compares with first.
    pub constants: Constants,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    pub name: String,
    pub kind: ParameterKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ParameterKind {
    Scalar(Number),
    /// A pointer to numbers.
    Array {
        of: Number,
        /// `int a[4]`.
        declared: Option<u64>,
        /// `int a[n]`.
        declared_by: Option<String>,
        read_only: bool,
    },
    /// A pointer to a record, which can only be filled.
    Record {
        leaves: Vec<Leaf>,
        size: u64,
        align: u64,
        read_only: bool,
    },
    /// Why no value can be given for it; a clause.
    Unsupported(String),
}

#[derive(Clone, PartialEq, Debug)]
pub enum ResultKind {
    Void,
    Scalar(ValueType),
    Record(Vec<Leaf>),
    /// Why it cannot be compared; a clause.
    Unsupported(String),
    /// Known when it is seen.
    Any,
}

/// A number inside a record.
#[derive(Clone, PartialEq, Debug)]
pub struct Leaf {
    /// `.x` or `.corners[2].y`.
    pub path: String,
    pub offset: u64,
    pub ty: ValueType,
    pub bits: Option<BitRange>,
}

/// The signature of a function of the program.
pub fn signature(program: &Program, id: FunctionId) -> Result<Signature, String> {
    let function = &program.functions[id];
    let types = &program.types;
    let signature = types.signature(function.ty).ok_or("the function has no function type")?;
    if signature.variadic {
        return Err(format!("`{}` takes a variable number of arguments", function.name));
    }
    let mut parameters = Vec::new();
    for (index, &local) in function.params.iter().enumerate() {
        let local = &function.locals[local];
        let name = if local.name.is_empty() { format!("arg{}", index + 1) } else { local.name.clone() };
        let mut kind = parameter(types, local.ty);
        if let ParameterKind::Array { declared, declared_by, .. } = &mut kind {
            match local.declared_length.as_ref().map(|e| strip(&e.kind)) {
                Some(ExprKind::Int(n)) => *declared = u64::try_from(*n).ok(),
                Some(ExprKind::Load(lvalue)) if lvalue.path.is_empty() => {
                    if let Base::Local(by) = lvalue.base {
                        *declared_by = Some(function.locals[by].name.clone());
                    }
                }
                _ => {}
            }
        }
        parameters.push(Parameter { name, kind });
    }
    let result = match types.get(signature.result) {
        Type::Void => ResultKind::Void,
        Type::Record(_) => match leaves(types, signature.result) {
            Ok(leaves) => ResultKind::Record(leaves),
            Err(why) => ResultKind::Unsupported(why),
        },
        Type::Pointer { .. } => ResultKind::Unsupported("it returns a pointer".to_string()),
        _ => match number(types, signature.result) {
            Ok(ty) => ResultKind::Scalar(ty),
            Err(why) => ResultKind::Unsupported(why),
        },
    };
    let unit = match function.linkage {
        Linkage::Internal { unit } => Some(unit),
        Linkage::External => None,
    };
    let constants = mentioned(program, id);
    Ok(Signature { name: function.name.clone(), parameters, result, unit, constants })
}

fn strip(kind: &ExprKind) -> &ExprKind {
    match kind {
        ExprKind::Convert { value, .. } => strip(&value.kind),
        other => other,
    }
}

fn parameter(types: &Types, ty: TypeId) -> ParameterKind {
    match types.get(ty) {
        Type::Pointer { to, to_const } => match types.get(*to) {
            Type::Record(_) => match leaves(types, *to) {
                Ok(leaves) => ParameterKind::Record {
                    leaves,
                    size: types.size_of(*to).unwrap_or(0),
                    align: types.align_of(*to),
                    read_only: *to_const,
                },
                Err(why) => ParameterKind::Unsupported(why),
            },
            Type::Void => ParameterKind::Unsupported("it is a pointer to void".to_string()),
            Type::Function(_) => ParameterKind::Unsupported("it is a pointer to a function".to_string()),
            Type::Pointer { .. } | Type::Array { .. } => {
                ParameterKind::Unsupported("it is a pointer to pointers or arrays".to_string())
            }
            _ => match number(types, *to) {
                Ok(of) => {
                    ParameterKind::Array { of: Some(of), declared: None, declared_by: None, read_only: *to_const }
                }
                Err(why) => ParameterKind::Unsupported(why),
            },
        },
        Type::Record(_) => ParameterKind::Unsupported("it is a record passed by value".to_string()),
        _ => match number(types, ty) {
            Ok(ty) => ParameterKind::Scalar(Some(ty)),
            Err(why) => ParameterKind::Unsupported(why),
        },
    }
}

/// Numbers that fit one cell of 64 bits without loss.
fn number(types: &Types, ty: TypeId) -> Result<ValueType, String> {
    match ValueType::of(types, ty) {
        Some(ValueType::Int(IntKind::Int128 | IntKind::UInt128)) => Err("it has 128 bits".to_string()),
        Some(ValueType::Float(FloatKind::Extended)) => Err("it is a long double".to_string()),
        Some(number) => Ok(number),
        None => Err("it is not a number".to_string()),
    }
}

fn leaves(types: &Types, ty: TypeId) -> Result<Vec<Leaf>, String> {
    let mut found = Vec::new();
    collect(types, ty, 0, "", &mut found)?;
    Ok(found)
}

fn collect(types: &Types, ty: TypeId, offset: u64, path: &str, found: &mut Vec<Leaf>) -> Result<(), String> {
    if found.len() > MOST_LEAVES {
        return Err(format!("its record has more than {MOST_LEAVES} members"));
    }
    match types.get(ty) {
        Type::Record(record) => {
            let record = &types.records[*record];
            if record.kind == RecordKind::Union {
                return Err("its record has a union, whose member in use is not known".to_string());
            }
            let fields = record.fields.as_ref().ok_or("its record is not defined")?;
            for field in fields {
                let path = if field.name.is_empty() { path.to_string() } else { format!("{path}.{}", field.name) };
                match field.bits {
                    Some(bits) => found.push(Leaf {
                        path,
                        offset: 0,
                        ty: number(types, field.ty)?,
                        bits: Some(BitRange { offset: bits.offset + 8 * offset, ..bits }),
                    }),
                    None => collect(types, field.ty, offset + field.offset, &path, found)?,
                }
            }
            Ok(())
        }
        Type::Array { of, length: Length::Fixed(n) } => {
            let size = types.size_of(*of).ok_or("its record has an array without a size")?;
            for i in 0..*n {
                collect(types, *of, offset + i * size, &format!("{path}[{i}]"), found)?;
            }
            Ok(())
        }
        Type::Array { .. } => Err("its record has an array without a length".to_string()),
        Type::Pointer { .. } => Err("its record has a pointer".to_string()),
        _ => {
            found.push(Leaf { path: path.to_string(), offset, ty: number(types, ty)?, bits: None });
            Ok(())
        }
    }
}
