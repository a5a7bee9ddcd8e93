//! Attributes of functions and variables that change what a program does: when a function runs, what a name stands for,
//! by which rules a body is compiled.
//!
//! `constructor` and `destructor` go to the linker, which puts the calls around `main` ([`crate::startup`]); `cleanup`
//! becomes calls where its scope is left ([`super::cleanup`]). What has no model here is never passed over: a name that
//! stands for another object or function is unsupported where it is used, and a function that is compiled by other
//! rules than C's where it starts. All other attributes speak of how code is generated, laid out in files, or warned about.

use super::scope::{Entity, SymbolId};
use super::{Lowerer, UnitSource};
use diagnostics::Span;
use lang_c::ast::*;
use lang_c::span::Node;

/// The priority of a constructor or destructor without one.
const LAST: u32 = 65535;

/// What the attributes of one declaration say.
#[derive(Clone, Default)]
pub(super) struct Marks {
    pub constructor: Option<u32>,
    pub destructor: Option<u32>,
    /// The function that is called with the variable's address when its scope is left.
    pub cleanup: Option<Node<Identifier>>,
    /// Why the name does not stand for what it seems to.
    pub renamed: Option<&'static str>,
    /// The name that it stands for.
    pub alias: Option<String>,
    pub weak: bool,
    /// The function may access objects as types unlike theirs.
    pub unlike_types_meet: bool,
    /// What the body is compiled with that has no model.
    pub compiled_with: Option<String>,
    /// Set where the object is put among those that the system calls.
    pub called_by_system: bool,
}

impl Marks {
    fn add(&mut self, extensions: &[Node<Extension>], src: &UnitSource<'_>, name: &str) {
        for extension in extensions {
            match &extension.node {
                Extension::Attribute(attribute) => self.attribute(attribute, src),
                Extension::AsmLabel(label) => {
                    let text: String = label.node.iter().map(|part| part.trim_matches('"')).collect();
                    if text != name {
                        self.renamed = Some("a name that `asm` gives to something else");
                    }
                }
                Extension::AvailabilityAttribute(_) => {}
            }
        }
    }

    fn attribute(&mut self, attribute: &Attribute, src: &UnitSource<'_>) {
        let first = attribute.arguments.first();
        let priority = || match first {
            None => LAST,
            Some(node) => src.text.get(node.span.start..node.span.end).and_then(number).unwrap_or(LAST),
        };
        match attribute.name.node.trim_matches('_') {
            "constructor" => self.constructor = Some(priority()),
            "destructor" => self.destructor = Some(priority()),
            "cleanup" => {
                if let Some(Expression::Identifier(name)) = first.map(|node| &node.node) {
                    self.cleanup = Some((**name).clone());
                }
            }
            "alias" | "weakref" => {
                self.renamed = Some("a name that is an alias of another");
                if let Some(Expression::StringLiteral(text)) = first.map(|node| &node.node) {
                    self.alias = Some(text.node.iter().map(|part| part.trim_matches('"')).collect());
                }
            }
            "ifunc" => self.renamed = Some("a function that is chosen when the program starts"),
            "copy" => self.renamed = Some("the attribute `copy`"),
            "weak" => self.weak = true,
            "optimize" | "target" | "target_clones" => {
                let texts: Vec<&str> = attribute
                    .arguments
                    .iter()
                    .filter_map(|node| src.text.get(node.span.start..node.span.end))
                    .collect();
                let aliasing = |text: &&str| text.trim_matches('"').trim_start_matches("-f") == "no-strict-aliasing";
                self.unlike_types_meet |= texts.iter().any(aliasing);
                if texts.iter().any(|text| !aliasing(text) && changes_meaning(text)) {
                    self.compiled_with = Some(format!("the attribute `{}({})`", attribute.name.node, texts.join(", ")));
                }
            }
            "section" => {
                let text = first.and_then(|node| src.text.get(node.span.start..node.span.end)).unwrap_or_default();
                let special = [".init", ".fini", ".preinit", ".ctors", ".dtors", ".noinit", ".persistent"];
                self.called_by_system |= special.iter().any(|section| text.contains(section));
            }
            "noinit" | "persistent" => self.called_by_system = true,
            _ => {}
        }
    }
}

/// Whether an option of the optimiser may change what a program computes: all but the levels.
pub(crate) fn changes_meaning(options: &str) -> bool {
    let words = options.split(|c: char| c == ',' || c == '"' || c == '(' || c == ')' || c.is_whitespace());
    words.filter(|word| !word.is_empty()).any(|word| {
        let word = word.trim_start_matches('-');
        let level = word.strip_prefix('O').unwrap_or(word);
        let plain = matches!(level, "" | "0" | "1" | "2" | "3" | "s" | "g" | "z");
        let vector = ["sse", "mmx", "popcnt", "avx", "bmi", "lzcnt", "default"];
        // Which functions are looked at together, inlined or unrolled changes speed alone.
        let speed = ["ipa-", "inline", "unroll-loops", "tree-vectorize", "omit-frame-pointer", "reorder-"];
        let name = word.strip_prefix('f').unwrap_or(word);
        let name = name.strip_prefix("no-").unwrap_or(name);
        let plain = plain || speed.iter().any(|prefix| name.starts_with(prefix));
        let harmless = vector.iter().any(|prefix| word.starts_with(prefix)) && !word.starts_with("avx512");
        !plain && !harmless
    })
}

fn number(text: &str) -> Option<u32> {
    let text = text.trim().trim_matches(['(', ')']).trim_end_matches(['u', 'U', 'l', 'L']);
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

impl<'u> Lowerer<'u, '_> {
    /// What the attributes of a declarator and of its specifiers say.
    pub(super) fn marks(&self, specifiers: &[Node<DeclarationSpecifier>], declarator: &Declarator) -> Marks {
        let mut marks = Marks::default();
        let name = crate::parse::declared_name(declarator).map(|name| self.src.name(name)).unwrap_or_default();
        for specifier in specifiers {
            if let DeclarationSpecifier::Extension(extensions) = &specifier.node {
                marks.add(extensions, &self.src, name);
            }
        }
        let mut inner = Some(declarator);
        while let Some(declarator) = inner {
            marks.add(&declarator.extensions, &self.src, name);
            inner = match &declarator.kind.node {
                DeclaratorKind::Declarator(next) => Some(&next.node),
                _ => None,
            };
        }
        marks
    }

    /// Remembers what a declaration at file scope says about a function or variable.
    pub(super) fn apply_marks(&mut self, name: &'u str, marks: Marks, is_definition: bool, span: Span) {
        self.program.data.strict_aliasing &= !marks.unlike_types_meet;
        if marks.called_by_system {
            self.link.startup.obstacle("an object in a section that the system reads when a program starts", span);
        }
        // System headers give names of their own to functions that have models under the plain ones.
        if self.in_system_header(span) {
            return;
        }
        let variable = matches!(self.names.get(name), Some(Entity::Symbol(id))
            if self.program.types.signature(self.symbol(id).qual.ty).is_none());
        // An alias of something of this unit and type is that thing; other units may know it by one name alone.
        if let Some(target) = &marks.alias
            && let Some(&known) = self.linked.get(target.as_str())
            && let Some(Entity::Symbol(own)) = self.names.get(name)
            && self.symbol(own).qual.ty == self.symbol(known).qual.ty
            && self.symbol(own).function.is_none()
            && self.symbol(own).global.is_none()
        {
            self.names.declare(name, Entity::Symbol(known));
            return;
        }
        if let Some(what) = marks.renamed {
            if variable {
                self.link.startup.obstacle(what, span);
            }
            self.names.declare(name, Entity::Unsupported(what));
            return;
        }
        if marks.weak && !is_definition && !self.src.defines(name) {
            self.names.declare(name, Entity::Unsupported("a weak name that may stand for nothing"));
            return;
        }
        if let Some(&id) = self.linked.get(name) {
            let known = self.marks.entry(id).or_default();
            known.constructor = known.constructor.or(marks.constructor);
            known.destructor = known.destructor.or(marks.destructor);
            known.compiled_with = known.compiled_with.take().or(marks.compiled_with);
        }
    }

    /// What a function that is being defined is compiled with and has no model.
    pub(super) fn compiled_with(&self, id: SymbolId, span: Span) -> Option<String> {
        let own = self.marks.get(&id).and_then(|marks| marks.compiled_with.clone());
        own.or_else(|| {
            let before = self.src.compiled_with.iter().take_while(|(at, _)| *at <= span.lo);
            before.last().and_then(|(_, what)| what.clone())
        })
    }

    /// Hands a function that was defined to the linker, if the system calls it.
    pub(super) fn register_startup(&mut self, id: SymbolId) {
        let (Some(marks), Some(function)) = (self.marks.get(&id), self.symbol(id).function) else { return };
        if let Some(priority) = marks.constructor {
            self.link.startup.constructors.push((priority, function));
        }
        if let Some(priority) = marks.destructor {
            self.link.startup.destructors.push((priority, function));
        }
    }
}
