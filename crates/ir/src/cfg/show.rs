//! The graph for people: as text and for GraphViz.

use super::{BlockId, Cfg, Outcome, Stop, Terminator};
use crate::print::{print_expr, print_stmt_head};
use std::fmt::Write;

impl Cfg<'_> {
    /// One paragraph for each block.
    pub fn to_text(&self) -> String {
        let mut out = format!("cfg of {}\n", self.function().name);
        for (id, block) in &self.blocks {
            let preds: Vec<String> = block.preds.iter().map(BlockId::to_string).collect();
            let from = if preds.is_empty() { String::new() } else { format!("  from {}", preds.join(", ")) };
            let head = block.loop_head.map_or(String::new(), |stmt| format!("  head of loop {stmt}"));
            put(&mut out, format_args!("\n{id}:{from}{head}\n"));
            for line in self.lines(id) {
                put(&mut out, format_args!("  {line}\n"));
            }
        }
        out
    }

    /// A digraph in the DOT language.
    pub fn to_dot(&self) -> String {
        let mut out = format!("digraph \"{}\" {{\n", dot_text(&self.function().name));
        out.push_str("  node [shape=box, fontname=\"monospace\"];\n");
        for (id, block) in &self.blocks {
            // The last line says where it goes, which the edges show.
            let mut lines = self.lines(id);
            match block.terminator {
                Terminator::Goto(_) => {
                    lines.pop();
                }
                Terminator::Branch { .. } | Terminator::Switch { .. } => {
                    if let Some(last) = lines.last_mut() {
                        last.truncate(last.rfind(" → ").unwrap_or(last.len()));
                    }
                }
                Terminator::Return(_) | Terminator::Stop(_) => {}
            }
            let label: String = std::iter::once(format!("{id}:")).chain(lines).map(|l| dot_text(&l) + "\\l").collect();
            let style = if block.loop_head.is_some() { ", style=bold" } else { "" };
            put(&mut out, format_args!("  {id} [label=\"{label}\"{style}];\n"));
            for edge in self.edges(id) {
                let label = match edge.branch.map(|branch| branch.outcome) {
                    None => String::new(),
                    Some(outcome) => format!(" [label=\"{}\"]", self.outcome_text(id, outcome)),
                };
                put(&mut out, format_args!("  {id} -> {}{label};\n", edge.to));
            }
        }
        out.push_str("}\n");
        out
    }

    fn outcome_text(&self, block: BlockId, outcome: Outcome) -> String {
        match (outcome, &self.blocks[block].terminator) {
            (Outcome::Arm(index), Terminator::Switch { arms, .. }) => {
                let arm = arms[index as usize];
                if arm.low == arm.high { arm.low.to_string() } else { format!("{}..{}", arm.low, arm.high) }
            }
            (Outcome::True, _) => "true".to_string(),
            (Outcome::False, _) => "false".to_string(),
            _ => "default".to_string(),
        }
    }

    fn lines(&self, id: BlockId) -> Vec<String> {
        let block = &self.blocks[id];
        let function = Some(self.function());
        let mut lines: Vec<String> = block
            .stmts
            .iter()
            .map(|stmt| format!("{}: {}", stmt.id, print_stmt_head(self.program, function, stmt)))
            .collect();
        lines.push(match &block.terminator {
            Terminator::Goto(to) => format!("goto {to}"),
            Terminator::Branch { stmt, cond, then, otherwise } => {
                format!("{}: branch {} → {then}, {otherwise}", stmt.id, print_expr(self.program, function, cond))
            }
            Terminator::Switch { stmt, value, .. } => {
                let ways: Vec<String> = self
                    .edges(id)
                    .into_iter()
                    .filter_map(|edge| Some(format!("{} {}", self.outcome_text(id, edge.branch?.outcome), edge.to)))
                    .collect();
                format!("{}: switch {} → {}", stmt.id, print_expr(self.program, function, value), ways.join(", "))
            }
            Terminator::Return(Some(stmt)) => {
                format!("{}: {}", stmt.id, print_stmt_head(self.program, function, stmt))
            }
            Terminator::Return(None) => "return at the end".to_string(),
            Terminator::Stop(Stop::NoReturn) => "does not return".to_string(),
            Terminator::Stop(Stop::Unsupported) => "unknown from here".to_string(),
        });
        lines
    }
}

fn put(out: &mut String, text: std::fmt::Arguments) {
    out.write_fmt(text).expect("writing to a string should not fail");
}

fn dot_text(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
