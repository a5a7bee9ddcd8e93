//! The obligations of a program: what must hold for each operation to be defined.
//!
//! *Question*: is there anything that the program does on some run and C leaves undefined?
//!
//! The walk of [`ir::hazards`] lists the sites of every statement that the encoder comes to. The evaluation of the
//! statement decides what it can: a claim for each site whose case may arise, nothing for one whose case cannot. Every
//! site that is left becomes an obligation that nobody can discharge, with the construct that has no model. So a
//! position that the evaluation does not look at is `unknown`, never missing.
//!
//! Without `--overflow` the sites are assumptions: those decided are required of the path, and what is left is named.
//!
//! *Guarantee*: for every run and every operation on it that is undefined, there is an obligation from the last cut
//! point before it whose path the run takes, and whose claim is false there or cannot be told
//! (`tests/fault_sites.rs`).

use super::encode::Encoder;
use super::graph::{Exit, Item, Node};
use super::system::{Assumption, CutId, Path, Position, Property, PropertyId, PropertyKind};
use ir::hazards::{self, Hazard, NodeKey, Site};
use ir::library::is_total;
use ir::{Callee, Cfg, Expr, FunctionId, IntKind, Intrinsic, Program, Stmt, StmtKind, Terminator, TracePoint, Types};
use std::collections::HashSet;
use std::rc::Rc;
use symex::library::literal_text;
use symex::{Check, Evaluation, FrameId, State};

/// What is claimed at a site, for the user.
fn claimed(hazard: Hazard) -> (PropertyKind, &'static str) {
    match hazard {
        Hazard::Overflow => (PropertyKind::Overflow, "no signed overflow"),
        Hazard::DivisionByZero => (PropertyKind::DivisionByZero, "no division by zero"),
        Hazard::Shift => (PropertyKind::Shift, "shift within the width of its operand"),
        Hazard::Conversion => (PropertyKind::Conversion, "the floating value fits the integer"),
        Hazard::Index | Hazard::Access => (PropertyKind::Bounds, "access within the object"),
        Hazard::PointerArithmetic => (PropertyKind::Pointer, "the pointer stays within its object"),
        Hazard::PointerComparison => (PropertyKind::Pointer, "the pointers lead into one object"),
        Hazard::Initialised => (PropertyKind::Initialised, "what is read was written before"),
        Hazard::Length => (PropertyKind::Bounds, "the array has a length"),
        Hazard::Call => (PropertyKind::Call, "the call is as the function asks"),
        Hazard::Return => (PropertyKind::Call, "the call returns the value that is used"),
    }
}

/// What is assumed of the sites that the evaluation does not decide, where they are no claims.
fn assumed(hazard: Hazard) -> diagnostics::Assumption {
    use diagnostics::Assumption as Assumed;
    match hazard {
        Hazard::Overflow => Assumed::NoOverflow,
        Hazard::DivisionByZero => Assumed::NoDivisionByZero,
        Hazard::Shift => Assumed::NoBadShift,
        Hazard::Conversion => Assumed::ConversionsFit,
        Hazard::Index | Hazard::Access | Hazard::PointerArithmetic | Hazard::PointerComparison => Assumed::InBounds,
        Hazard::Initialised => Assumed::Written,
        Hazard::Length => Assumed::LengthsPositive,
        Hazard::Call => Assumed::CallsAsAsked,
        Hazard::Return => Assumed::ResultsReturned,
    }
}

/// Why the model does not decide a site, for the user.
fn obstacle(site: &Site) -> &'static str {
    match site.hazard {
        Hazard::Access => "the pointer is not followed, or what it points to may be gone",
        Hazard::Index => "the array or its length is not followed",
        Hazard::PointerArithmetic | Hazard::PointerComparison => "the pointer is not followed",
        Hazard::Initialised => "writes of every part on every way before are not seen",
        Hazard::Length => "lengths of arrays are not followed",
        Hazard::Call => "what the function asks of its arguments is not modelled",
        Hazard::Return => "a way through the function returns nothing",
        _ => "the operation is not followed",
    }
}

/// Sites together with the frames they are in.
pub(super) type FramedSites = Rc<[(FrameId, Site)]>;

impl<'p> Encoder<'_, 'p> {
    /// Evaluates in a state. What must hold is an obligation if that was asked for, and the sites that are decided are
    /// kept until [`Self::settle_sites`].
    pub(super) fn evaluate<T>(
        &mut self,
        cut: CutId,
        frame: FrameId,
        state: &mut State,
        evaluate: impl FnOnce(&mut Evaluation<'_, 'p>) -> T,
    ) -> T {
        let mut checks = symex::Checks { wanted: self.encoding.checks, ..Default::default() };
        let result = evaluate(&mut Evaluation::new(self.objects, state, &mut self.notes, frame, Some(&mut checks)));
        self.decided.extend(checks.decided);
        for check in checks.found {
            self.check(cut, frame, check);
        }
        result
    }

    fn check(&mut self, cut: CutId, frame: FrameId, check: Check) {
        let property = self.property_at(check.hazard, self.function_of(frame), check.span);
        self.asked.insert((check.hazard, check.span));
        self.oblige(property, cut, check.path, check.claim);
    }

    /// The property of a site; operations of one kind at one place of the text are one.
    fn property_at(&mut self, hazard: Hazard, function: FunctionId, span: diagnostics::Span) -> PropertyId {
        let next = PropertyId(self.properties.len() as u32);
        let (kind, text) = claimed(hazard);
        let property = *self.check_of.entry((kind, text, function, span)).or_insert(next);
        if property == next {
            self.properties.push(Property { kind, text: text.to_string(), span, met: true, unmodelled: None });
        }
        property
    }

    /// Every site that was not decided since the last call is left open: nothing is known of it on this path.
    pub(super) fn settle_sites(&mut self, cut: CutId, sites: &FramedSites, before: &Path) {
        let decided = std::mem::take(&mut self.decided);
        let asked = std::mem::take(&mut self.asked);
        if self.encoding.checks {
            let cannot_fail =
                |site: &Site| decided.contains(&(site.key, site.hazard)) && !asked.contains(&(site.hazard, site.span));
            for (frame, site) in sites.iter().filter(|(_, site)| cannot_fail(site)) {
                let (kind, text) = claimed(site.hazard);
                let holds = self.objects.pool.bool(true);
                let way = Assumption { at: self.here, from: cut, path: before.clone(), holds };
                self.passed.push(((kind, text, self.function_of(*frame), site.span), way));
            }
        }
        for (frame, site) in sites.iter().filter(|(_, site)| !decided.contains(&(site.key, site.hazard))) {
            if !self.encoding.checks {
                self.notes.assume(assumed(site.hazard));
                continue;
            }
            let property = self.property_at(site.hazard, self.function_of(*frame), site.span);
            let about = &mut self.properties[property.0 as usize];
            about.unmodelled.get_or_insert_with(|| obstacle(site).to_string());
            let mut state = State::at_cut(self.objects);
            state.path = before.clone();
            self.cannot_hold(cut, property, &state);
        }
    }

    /// The ways past sites that cannot fail there and can elsewhere.
    pub(super) fn passes(&mut self) -> Vec<(PropertyId, Assumption)> {
        let fallible: HashSet<(PropertyId, Position)> =
            self.obligations.iter().map(|way| (way.property, way.at)).collect();
        let passed = std::mem::take(&mut self.passed).into_iter();
        let with_property = passed.filter_map(|(claim, way)| Some((*self.check_of.get(&claim)?, way)));
        with_property.filter(|(property, way)| fallible.contains(&(*property, way.at))).collect()
    }

    /// The sites of one item of a node, those aside that certainly find a value.
    pub(super) fn sites_of_item(&mut self, frame: FrameId, item: &Item<'p>) -> FramedSites {
        let key = match item {
            Item::Stmt(stmt) | Item::Enter { stmt, .. } => NodeKey::of(*stmt),
            Item::Result(value) => NodeKey::of(*value),
            Item::Leave { value: Some(value), .. } => NodeKey::of(*value),
            Item::Leave { value: None, .. } => return self.missing_result(item),
        };
        if let Some(known) = self.sites.get(&(frame, key)) {
            return known.clone();
        }
        let types = &self.program().types;
        let in_frame = |sites: Vec<Site>| sites.into_iter().map(|site| (frame, site)).collect::<Vec<_>>();
        let sites = match item {
            Item::Stmt(stmt) => in_frame(self.sites_of_stmt(frame, stmt)),
            Item::Enter { stmt, args, .. } => {
                let call = self.sites_of_stmt(frame, stmt).into_iter().filter(|site| site.hazard == Hazard::Call);
                let args = args.iter().flat_map(|arg| hazards::of_expression(types, arg));
                in_frame(args.chain(call).collect())
            }
            Item::Result(value) => in_frame(hazards::of_expression(types, value)),
            Item::Leave { value, caller, result } => {
                let mut sites = in_frame(value.map_or(Vec::new(), |value| hazards::of_expression(types, value)));
                let target = result.map_or(Vec::new(), |target| hazards::of_target(types, target));
                sites.extend(target.into_iter().map(|site| (*caller, site)));
                sites
            }
        };
        self.keep(frame, key, sites)
    }

    /// The sites of what decides where control goes from a node.
    pub(super) fn sites_of_exit(&mut self, node: &Node<'p>) -> FramedSites {
        let frame = node.frame;
        let expr = match &node.exit {
            Exit::Branch { cond, .. } => *cond,
            Exit::Switch { value, .. } => *value,
            Exit::Call { stmt, callee, .. } => return self.sites_of_call(frame, stmt, *callee),
            Exit::Goto(_) | Exit::End => return Rc::from([]),
        };
        if let Some(known) = self.sites.get(&(frame, NodeKey::of(expr))) {
            return known.clone();
        }
        let sites = hazards::of_expression(&self.program().types, expr);
        self.keep(frame, NodeKey::of(expr), sites.into_iter().map(|site| (frame, site)).collect())
    }

    fn sites_of_stmt(&self, frame: FrameId, stmt: &'p Stmt) -> Vec<Site> {
        let function = &self.program().functions[self.function_of(frame)];
        hazards::of_statement(self.program(), function, stmt)
    }

    /// The sites of a call of a recursive function, whose ends are elsewhere.
    fn sites_of_call(&mut self, frame: FrameId, stmt: &'p Stmt, callee: FrameId) -> FramedSites {
        let key = NodeKey::of(stmt);
        if let Some(known) = self.sites.get(&(frame, key)) {
            return known.clone();
        }
        let mut sites = self.sites_of_stmt(frame, stmt);
        let uses_result = matches!(&stmt.kind, StmtKind::Call { result: Some(_), .. });
        if uses_result && may_return_nothing(self.program(), self.function_of(callee)) {
            sites.push(Site { hazard: Hazard::Return, key, span: stmt.span });
        }
        self.keep(frame, key, sites.into_iter().map(|site| (frame, site)).collect())
    }

    /// What a trace point shows is evaluated where it stands.
    pub(super) fn evaluate_shown(&mut self, cut: CutId, frame: FrameId, point: &'p TracePoint, state: &mut State) {
        for (_, value) in &point.values {
            let sites = hazards::of_expression(&self.program().types, value);
            if sites.iter().all(|site| site.hazard == Hazard::Initialised) {
                continue;
            }
            let sites = self.keep(frame, NodeKey::of(value), sites.into_iter().map(|site| (frame, site)).collect());
            let before = state.path.clone();
            self.evaluate(cut, frame, state, |e| e.value(value));
            self.settle_sites(cut, &sites, &before);
        }
    }

    /// A function ends without a value, and the caller uses one.
    fn missing_result(&self, item: &Item<'p>) -> FramedSites {
        let Item::Leave { caller, result: Some(target), .. } = item else { return Rc::from([]) };
        let missing = Site { hazard: Hazard::Return, key: NodeKey::of(*target), span: target.span };
        let target = hazards::of_target(&self.program().types, target);
        [missing].into_iter().chain(target).map(|site| (*caller, site)).collect()
    }

    /// Whether a load finds what was written on every way before it.
    fn finds_value(&self, frame: FrameId, load: NodeKey) -> bool {
        self.initialised.get(&self.function_of(frame)).is_some_and(|known| known.loads.contains(&load))
    }

    /// A call that is not followed: of some it is known that they ask nothing of what they are given.
    pub(super) fn decide_call(&mut self, stmt: &'p Stmt) {
        let StmtKind::Call { callee, args, .. } = &stmt.kind else { return };
        let program = self.program();
        let asks_nothing = match callee {
            Callee::Function(id) => {
                let function = &program.functions[*id];
                let signature = program.types.signature(function.ty);
                let as_declared = signature.is_some_and(|signature| {
                    let (declared, given) = (signature.params.len(), args.len());
                    (declared == given || signature.variadic && declared <= given)
                        && signature.params.iter().zip(args).all(|(param, arg)| program.types.matches(*param, arg.ty))
                });
                let numbers = args.iter().all(|arg| program.types.is_arithmetic(arg.ty));
                let name = function.name.strip_prefix("__builtin_").unwrap_or(&function.name);
                let text = args.first().and_then(|arg| literal_text(program, arg));
                let prints = match (name, text) {
                    ("puts", Some(_)) => args.len() == 1,
                    ("printf", Some(format)) => prints_numbers(&program.types, &format, &args[1..]),
                    _ => false,
                };
                function.body.is_none() && as_declared && (numbers && is_total(name) || prints)
            }
            Callee::Intrinsic(intrinsic) => matches!(intrinsic, Intrinsic::Nondet | Intrinsic::Alloca),
            Callee::Pointer(_) => false,
        };
        if asks_nothing {
            self.decided.insert((NodeKey::of(stmt), Hazard::Call));
        }
    }

    fn keep(&mut self, frame: FrameId, key: NodeKey, mut sites: Vec<(FrameId, Site)>) -> FramedSites {
        sites.retain(|(frame, site)| site.hazard != Hazard::Initialised || !self.finds_value(*frame, site.key));
        let sites: FramedSites = Rc::from(sites);
        self.sites.insert((frame, key), sites.clone());
        sites
    }
}

/// Whether control may come to the end of a function without a value.
fn may_return_nothing(program: &Program, function: FunctionId) -> bool {
    Cfg::new(program, function).is_none_or(|cfg| {
        cfg.exits().any(|block| match cfg.blocks[block].terminator {
            Terminator::Return(stmt) => !matches!(stmt.map(|stmt| &stmt.kind), Some(StmtKind::Return(Some(_)))),
            _ => false,
        })
    })
}

/// Whether a format asks for these numbers and nothing else: conversions without widths from arguments, of `int`,
/// `long` or `double`.
fn prints_numbers(types: &Types, format: &[u8], args: &[Expr]) -> bool {
    let mut args = args.iter();
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        if rest.next_if_eq(&b'%').is_some() {
            continue;
        }
        while rest.next_if(|byte| byte.is_ascii_digit() || b".-+ #".contains(byte)).is_some() {}
        let mut long = 0;
        while rest.next_if(|byte| b"lz".contains(byte)).is_some() {
            long += 1;
        }
        let (Some(conversion), Some(arg)) = (rest.next(), args.next()) else { return false };
        let int = types.int_kind(arg.ty);
        let fits = match conversion {
            b'd' | b'i' if long == 0 => int == Some(IntKind::Int),
            b'u' | b'x' | b'X' | b'o' if long == 0 => matches!(int, Some(IntKind::UInt)),
            b'c' if long == 0 => int == Some(IntKind::Int),
            b'd' | b'i' => matches!(int, Some(IntKind::Long | IntKind::LongLong)),
            b'u' | b'x' | b'X' | b'o' => matches!(int, Some(IntKind::ULong | IntKind::ULongLong)),
            b'f' | b'g' | b'e' if long <= 1 => types.float_kind(arg.ty) == Some(ir::FloatKind::Double),
            _ => false,
        };
        if !fits {
            return false;
        }
    }
    true
}
