//! Types as C writes them, for messages.

use super::Lowerer;
use ir::{Length, RecordKind, Type, TypeId, Types};

impl Lowerer<'_, '_> {
    pub(super) fn describe(&self, ty: TypeId) -> String {
        describe(&self.program.types, ty)
    }
}

/// The type as C writes it.
pub fn describe(types: &Types, ty: TypeId) -> String {
    let (before, after) = declarator(types, ty, String::new());
    format!("{before}{after}")
}

/// The specifier, and the declarator around `inner` with the space it needs.
fn declarator(types: &Types, ty: TypeId, inner: String) -> (String, String) {
    let leaf = |name: &str, inner: String| {
        let gap = if inner.is_empty() || inner.starts_with('[') { "" } else { " " };
        (name.to_string(), format!("{gap}{inner}"))
    };
    match types.get(ty) {
        Type::Void => leaf("void", inner),
        Type::Int(kind) => leaf(kind.c_name(), inner),
        Type::Float(kind) => leaf(kind.c_name(), inner),
        Type::Record(id) => {
            let record = &types.records[*id];
            let kind = match record.kind {
                RecordKind::Struct => "struct",
                RecordKind::Union => "union",
            };
            let name = match record.name.strip_prefix('.') {
                Some(placeholder) => placeholder.to_string(),
                None if record.name.is_empty() => format!("{kind} <unnamed>"),
                None => format!("{kind} {}", record.name),
            };
            leaf(&name, inner)
        }
        Type::Pointer { to, to_const } => {
            let wrap = matches!(types.get(*to), Type::Array { .. } | Type::Function(_));
            let inner = if wrap { format!("(*{inner})") } else { format!("*{inner}") };
            let (before, after) = declarator(types, *to, inner);
            (if *to_const { format!("const {before}") } else { before }, after)
        }
        Type::Array { of, length } => {
            let length = match length {
                Length::Fixed(n) => n.to_string(),
                Length::Variable(_) => "*".to_string(),
                Length::Unknown => String::new(),
            };
            declarator(types, *of, format!("{inner}[{length}]"))
        }
        Type::Function(signature) => {
            let mut params: Vec<String> = signature.params.iter().map(|&param| describe(types, param)).collect();
            if signature.variadic {
                params.push("...".into());
            }
            let params = match (params.is_empty(), signature.unprototyped) {
                (true, false) => "void".to_string(),
                _ => params.join(", "),
            };
            declarator(types, signature.result, format!("{inner}({params})"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::{IntKind, Signature};

    #[test]
    fn types_read_as_in_c() {
        let mut types = Types::new();
        let int = types.int(IntKind::Int);
        let pointer = types.pointer(int);
        let array = types.array(pointer, 3);
        let to_array = types.pointer(array);
        let constant = types.intern(Type::Pointer { to: types.int(IntKind::Char), to_const: true });
        let signature = Signature { result: int, params: vec![constant, int], variadic: true, unprototyped: false };
        let function = types.intern(Type::Function(signature));
        let to_function = types.pointer(function);
        let shown: Vec<String> =
            [pointer, array, to_array, constant, function, to_function].iter().map(|t| describe(&types, *t)).collect();
        let expected = [
            "int *",
            "int *[3]",
            "int *(*)[3]",
            "const char *",
            "int (const char *, int, ...)",
            "int (*)(const char *, int, ...)",
        ];
        assert_eq!(shown, expected);
    }
}
