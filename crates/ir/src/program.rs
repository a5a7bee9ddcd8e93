//! The whole: globals, functions, and the source they came from.

use crate::ctype::{TypeId, Types};
use crate::datamodel::DataModel;
use crate::expr::{Expr, ExprKind};
use crate::stmt::{Block, Callee, Intrinsic, StmtId, StmtKind};
use cranelift_entity::{PrimaryMap, entity_impl};
use diagnostics::{SourceMap, Span};

/// A variable or parameter of one function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(u32);
entity_impl!(LocalId, "v");

/// A label of one function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(u32);
entity_impl!(LabelId, "l");

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(u32);
entity_impl!(GlobalId, "g");

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(u32);
entity_impl!(FunctionId, "f");

/// A program: one or more translation units, linked.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// What the compiler was told about the language.
    pub data: DataModel,
    pub types: Types,
    pub globals: PrimaryMap<GlobalId, Global>,
    pub functions: PrimaryMap<FunctionId, Function>,
    /// Resolves the spans. Empty for a program read from the text form.
    pub sources: SourceMap,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Linkage {
    External,
    /// Known only in the translation unit of that number; other units may have another one of the same name.
    Internal {
        unit: u32,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GlobalKind {
    Variable,
    /// A `static` variable of a function.
    StaticLocal,
    /// The unnamed array behind a string literal.
    StringLiteral,
    /// The unnamed object behind a file-scope compound literal.
    CompoundLiteral,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Global {
    /// As in the source; unnamed objects get a name with a dot in it. Names need not be unique.
    pub name: String,
    pub ty: TypeId,
    pub kind: GlobalKind,
    pub linkage: Linkage,
    pub is_const: bool,
    pub is_volatile: bool,
    /// `None` for an `extern` declaration that no unit of the program defines.
    pub init: Option<Initializer>,
    pub span: Span,
}

/// The initial value of an object: the items, and zero everywhere else. Items ascend by offset and do not overlap,
/// except that bit-fields may share bytes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Initializer {
    pub items: Vec<InitItem>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct InitItem {
    /// Byte offset in the object.
    pub offset: u64,
    /// Set for a bit-field; counted as in [`BitRange`](crate::BitRange), but from the start of the whole object.
    pub bits: Option<crate::BitRange>,
    pub value: InitValue,
}

#[derive(Clone, PartialEq, Debug)]
pub enum InitValue {
    /// A constant expression: no loads.
    Expr(Expr),
    /// The bytes of a string.
    Bytes(Vec<u8>),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    pub name: String,
    /// A function type.
    pub ty: TypeId,
    pub linkage: Linkage,
    /// The parameters are the first locals.
    pub params: Vec<LocalId>,
    pub locals: PrimaryMap<LocalId, Local>,
    pub labels: PrimaryMap<LabelId, Label>,
    /// `None` for a function that no unit of the program defines: a library function, or one left open.
    pub body: Option<Block>,
    pub stmt_count: u32,
    /// Declared never to return.
    pub noreturn: bool,
    /// Of the declarator's name.
    pub span: Span,
}

impl Function {
    /// A function without a body.
    pub fn declared(name: impl Into<String>, ty: TypeId, linkage: Linkage, span: Span) -> Function {
        Function {
            name: name.into(),
            ty,
            linkage,
            params: Vec::new(),
            locals: PrimaryMap::new(),
            labels: PrimaryMap::new(),
            body: None,
            stmt_count: 0,
            noreturn: false,
            span,
        }
    }

    /// A function that we write, known in no unit of the program, with its statements numbered.
    pub fn of_ours(
        name: impl Into<String>,
        ty: TypeId,
        params: Vec<LocalId>,
        locals: PrimaryMap<LocalId, Local>,
        body: Block,
        span: Span,
    ) -> Function {
        let declared = Function::declared(name, ty, Linkage::Internal { unit: u32::MAX }, span);
        let mut function = Function { params, locals, body: Some(body), ..declared };
        function.number_statements();
        function
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LocalKind {
    Parameter,
    Variable,
    /// Introduced by the front end; in scope everywhere in the function.
    Temporary,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Local {
    /// As in the source; not unique, since blocks may shadow. Empty for temporaries.
    pub name: String,
    pub ty: TypeId,
    pub kind: LocalKind,
    pub is_const: bool,
    pub is_volatile: bool,
    /// For a parameter declared as an array, the outermost length as written, over the parameters:
    /// `n` in `int a[n][4]`, whose type is a pointer to `int[4]`.
    pub declared_length: Option<Expr>,
    pub span: Span,
}

impl Local {
    /// The elements of a parameter that is declared as an array, where their number is written and not enormous.
    pub fn declared_elements(&self) -> Option<u64> {
        let mut length = self.declared_length.as_ref()?;
        while let ExprKind::Convert { value, .. } = &length.kind {
            length = value;
        }
        match length.kind {
            ExprKind::Int(value) if (1..=4096).contains(&value) => Some(value as u64),
            _ => None,
        }
    }

    /// A variable that the source does not have.
    pub fn temporary(ty: TypeId, span: Span) -> Local {
        Local {
            name: String::new(),
            ty,
            kind: LocalKind::Temporary,
            is_const: false,
            is_volatile: false,
            declared_length: None,
            span,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// As in the source; empty for the targets of switch arms.
    pub name: String,
    pub span: Span,
}

impl Program {
    /// Whether any body computes with floating values.
    pub fn uses_floats(&self) -> bool {
        let mut found = false;
        for (_, _, body) in self.defined_functions() {
            body.walk(&mut |stmt| {
                for expr in stmt.exprs() {
                    expr.walk(&mut |part| found |= self.types.float_kind(part.ty).is_some());
                }
            });
        }
        found
    }

    pub fn new() -> Program {
        Program::default()
    }

    /// The function of that name, definitions before declarations, external before internal.
    pub fn find_function(&self, name: &str) -> Option<FunctionId> {
        self.functions
            .iter()
            .filter(|(_, f)| f.name == name)
            .min_by_key(|(id, f)| (f.body.is_none(), f.linkage != Linkage::External, *id))
            .map(|(id, _)| id)
    }

    /// The functions that have a body.
    pub fn defined_functions(&self) -> impl Iterator<Item = (FunctionId, &Function, &Block)> {
        self.functions.iter().filter_map(|(id, f)| f.body.as_ref().map(|body| (id, f, body)))
    }

    /// Whether some function asks for a nondeterministic value.
    pub fn asks_nondet(&self) -> bool {
        let mut asks = false;
        for (_, _, body) in self.defined_functions() {
            body.walk(&mut |stmt| {
                asks |= matches!(stmt.kind, StmtKind::Call { callee: Callee::Intrinsic(Intrinsic::Nondet), .. });
            });
        }
        asks
    }

    pub fn find_global(&self, name: &str) -> Option<GlobalId> {
        self.globals
            .iter()
            .filter(|(_, g)| g.name == name && g.kind == GlobalKind::Variable)
            .min_by_key(|(id, g)| (g.init.is_none(), g.linkage != Linkage::External, *id))
            .map(|(id, _)| id)
    }
}

impl Function {
    /// Gives every statement its id, in text order. To be called after the body was made or changed.
    pub fn number_statements(&mut self) {
        let mut next = 0;
        if let Some(body) = &mut self.body {
            body.walk_mut(&mut |stmt| {
                stmt.id = StmtId::from_u32(next);
                next += 1;
            });
        }
        self.stmt_count = next;
    }
}
