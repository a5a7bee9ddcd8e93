//! Names and tags, what they stand for, and the symbols of the file.

use super::declarator::Qual;
use super::function::never_returns;
use super::{Lowerer, Stop};
use diagnostics::Span;
use hashbrown::HashMap;
use ir::{FunctionId, GlobalId, GlobalKind, Linkage, LocalId, RecordId, TypeId};
use lang_c::ast::FunctionDefinition;
use lang_c::span::Node;

/// A mapping with nested scopes: one table for all of them and a list of what to restore, so that a look-up is one
/// probe however deep the blocks are.
pub struct Table<'u, T> {
    map: HashMap<&'u str, (u32, T)>,
    undo: Vec<(&'u str, Option<(u32, T)>)>,
    marks: Vec<usize>,
}

impl<T> Default for Table<'_, T> {
    fn default() -> Self {
        Table { map: HashMap::new(), undo: Vec::new(), marks: Vec::new() }
    }
}

impl<'u, T: Copy> Table<'u, T> {
    pub fn open(&mut self) {
        self.marks.push(self.undo.len());
    }

    pub fn close(&mut self) {
        let mark = self.marks.pop().expect("a scope should be open, because open and close come in pairs");
        for (name, old) in self.undo.drain(mark..).rev() {
            match old {
                Some(old) => self.map.insert(name, old),
                None => self.map.remove(name),
            };
        }
    }

    fn depth(&self) -> u32 {
        self.marks.len() as u32
    }

    pub fn at_file_scope(&self) -> bool {
        self.marks.is_empty()
    }

    pub fn get(&self, name: &str) -> Option<T> {
        self.map.get(name).map(|(_, value)| *value)
    }

    /// What the name was declared as in the innermost scope itself.
    pub fn get_here(&self, name: &str) -> Option<T> {
        self.map.get(name).filter(|(depth, _)| *depth == self.depth()).map(|(_, value)| *value)
    }

    pub fn declare(&mut self, name: &'u str, value: T) {
        let depth = self.depth();
        let old = self.map.insert(name, (depth, value));
        if depth > 0 {
            self.undo.push((name, old));
        }
    }
}

/// What an ordinary identifier stands for.
#[derive(Clone, Copy)]
pub enum Entity {
    Typedef(Qual),
    Enumerator {
        value: i128,
        ty: TypeId,
    },
    Local(LocalId),
    /// A variable of a function around this one.
    Captured(super::nested::Capture),
    /// A function inside another one, by number.
    Nested(u32),
    /// A function or variable with linkage.
    Symbol(SymbolId),
    /// A `static` variable of a block.
    Static {
        global: GlobalId,
        is_const: bool,
        is_volatile: bool,
    },
    /// A parameter of a prototype, which has a type and no object.
    Parameter,
    /// Its declaration was wrong, which has been said.
    Broken,
    /// Its type has no model.
    Unsupported(&'static str),
}

#[derive(Clone, Copy)]
pub enum Tag {
    Record(RecordId),
    /// With its number.
    Enum(TypeId, u32),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SymbolId(pub u32);

/// How much of a definition a unit has seen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Definition {
    None,
    Tentative,
    Full,
}

/// A function or variable of the file. It enters the program when it is used or defined, not before.
pub struct Symbol<'u> {
    pub name: &'u str,
    pub qual: Qual,
    pub linkage: Linkage,
    pub function: Option<FunctionId>,
    pub global: Option<GlobalId>,
    pub definition: Definition,
    pub noreturn: bool,
    /// A definition in a system header that waits for its first use.
    pub waiting: Option<Box<Node<FunctionDefinition>>>,
    pub span: Span,
}

impl<'u> Symbol<'u> {
    /// One that was declared and neither used nor defined.
    pub fn declared(name: &'u str, qual: Qual, linkage: Linkage, span: Span) -> Symbol<'u> {
        Symbol {
            name,
            qual,
            linkage,
            function: None,
            global: None,
            definition: Definition::None,
            noreturn: false,
            waiting: None,
            span,
        }
    }
}

impl<'u> Table<'u, Entity> {
    /// The variables of the function that can be seen, by name. The order is that of their numbers.
    pub fn locals(&self) -> impl Iterator<Item = (&'u str, LocalId)> {
        let mut found: Vec<(LocalId, &'u str)> = self
            .map
            .iter()
            .filter_map(|(name, (_, entity))| match entity {
                Entity::Local(local) => Some((*local, *name)),
                _ => None,
            })
            .collect();
        found.sort();
        found.into_iter().map(|(local, name)| (name, local))
    }

    /// A declared name as one that outlives the tree.
    pub fn name_of(&self, name: &str) -> Option<&'u str> {
        self.map.get_key_value(name).map(|(name, _)| *name)
    }
}

impl<'u> Lowerer<'u, '_> {
    pub(super) fn open_scope(&mut self) {
        self.names.open();
        self.tags.open();
    }

    pub(super) fn close_scope(&mut self) {
        self.names.close();
        self.tags.close();
    }

    pub(super) fn symbol(&self, id: SymbolId) -> &Symbol<'u> {
        &self.symbols[id.0 as usize]
    }

    pub(super) fn symbol_mut(&mut self, id: SymbolId) -> &mut Symbol<'u> {
        &mut self.symbols[id.0 as usize]
    }

    pub(super) fn add_symbol(&mut self, symbol: Symbol<'u>) -> SymbolId {
        let id = SymbolId(self.symbols.len() as u32);
        self.linked.insert(symbol.name, id);
        self.symbols.push(symbol);
        id
    }

    pub(super) fn use_function(&mut self, id: SymbolId) -> FunctionId {
        let symbol = &mut self.symbols[id.0 as usize];
        if let Some(function) = symbol.function {
            return function;
        }
        let (name, ty, linkage, span) = (symbol.name, symbol.qual.ty, symbol.linkage, symbol.span);
        let function = self.link.function(self.program, name, ty, linkage, span);
        symbol.function = Some(function);
        let is_the_librarys = symbol.linkage == Linkage::External && symbol.definition == Definition::None;
        if symbol.noreturn || is_the_librarys && never_returns(name) {
            self.program.functions[function].noreturn = true;
        }
        if symbol.waiting.is_some() {
            self.wanted.push(id);
        }
        function
    }

    pub(super) fn use_global(&mut self, id: SymbolId) -> GlobalId {
        let symbol = &mut self.symbols[id.0 as usize];
        if let Some(global) = symbol.global {
            return global;
        }
        let global = self.link.global(
            self.program,
            ir::Global {
                name: symbol.name.to_string(),
                ty: symbol.qual.ty,
                kind: GlobalKind::Variable,
                linkage: symbol.linkage,
                is_const: symbol.qual.is_const,
                is_volatile: symbol.qual.is_volatile,
                init: None,
                span: symbol.span,
            },
        );
        symbol.global = Some(global);
        global
    }

    /// Lowers the functions of system headers that were used.
    pub(super) fn lower_wanted(&mut self) {
        while let Some(id) = self.wanted.pop() {
            if let Some(definition) = self.symbol_mut(id).waiting.take()
                && let Err(Stop::Unsupported(what)) = self.function_body(id, &definition)
            {
                let span = self.symbol(id).span;
                self.report(diagnostics::Finding::new(diagnostics::Rule::Unsupported, span, what));
            }
        }
    }
}
