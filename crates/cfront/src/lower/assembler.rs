//! Assembler statements whose effect is plain to see.
//!
//! A template without instructions moves values and does nothing else: an output that an input is tied to (`"0"`) gets
//! that input, one that is read and written (`"+r"`) keeps its value, and so does one in memory. Instructions that only
//! order or delay accesses do nothing in a program of one thread. All other assembler has no model.

use super::lvalue::Place;
use super::{Lowered, Lowerer};
use diagnostics::Span;
use ir::{Expr, StmtKind};
use lang_c::ast::*;

impl<'u> Lowerer<'u, '_> {
    pub(super) fn assembler(&mut self, asm: &AsmStatement, span: Span) -> Lowered<()> {
        let (template, operands) = match asm {
            AsmStatement::GnuBasic(template) => (template, None),
            AsmStatement::GnuExtended(asm) => (&asm.template, Some(asm)),
        };
        let text = template_text(&template.node);
        if !text.split(['\n', ';']).map(str::trim).all(is_idle) {
            return self.unsupported("inline assembly");
        }
        let Some(asm) = operands else { return Ok(()) };
        if text.split(['\n', ';']).any(|line| !line.trim().is_empty()) && !asm.outputs.is_empty() {
            return self.unsupported("inline assembly");
        }
        let mut outputs: Vec<Place> = Vec::with_capacity(asm.outputs.len());
        for output in &asm.outputs {
            outputs.push(self.place(&output.node.variable_name, "an output of `asm`")?);
        }
        let mut tied: Vec<(usize, Expr)> = Vec::new();
        for input in &asm.inputs {
            let constraint = constraint_text(&input.node.constraints.node);
            let named = |word: &str| {
                let word = word.strip_prefix('[')?.strip_suffix(']')?;
                asm.outputs
                    .iter()
                    .position(|output| output.node.symbolic_name.as_ref().is_some_and(|name| name.node.name == word))
            };
            match constraint.parse().ok().or_else(|| named(&constraint)) {
                Some(index) if index < outputs.len() => {
                    let value = self.rvalue(&input.node.variable_name)?;
                    tied.push((index, value));
                }
                _ => self.effects(&input.node.variable_name)?,
            }
        }
        for (index, (output, place)) in asm.outputs.iter().zip(&outputs).enumerate() {
            let constraint = constraint_text(&output.node.constraints.node);
            let in_memory =
                constraint.trim_start_matches(['=', '&']).chars().all(|letter| matches!(letter, 'm' | 'o' | 'V'));
            let kept = constraint.starts_with('+') || in_memory;
            let is_tied = tied.iter().any(|(tied, _)| *tied == index);
            if !kept && !is_tied || is_tied && !self.program.types.is_scalar(place.lvalue.ty) {
                return self.unsupported("inline assembly");
            }
        }
        for (index, value) in tied {
            let target = outputs[index].lvalue.clone();
            let value = self.assign_convert(value, target.ty, "an operand of `asm`")?;
            self.note_write(&target, span);
            self.emit(StmtKind::Assign { target, value }, span);
        }
        Ok(())
    }
}

/// Whether a line of assembler does nothing that a program of one thread could notice.
fn is_idle(line: &str) -> bool {
    line.is_empty()
        || line.starts_with('#')
        || matches!(line, "nop" | "pause" | "rep" | "rep nop" | "mfence" | "lfence" | "sfence")
}

fn template_text(parts: &[String]) -> String {
    let inner = parts.iter().map(|part| part.trim().trim_matches('"'));
    inner.collect::<String>().replace("\\n", "\n").replace("\\t", " ")
}

fn constraint_text(parts: &[String]) -> String {
    parts.iter().map(|part| part.trim().trim_matches('"')).collect()
}
