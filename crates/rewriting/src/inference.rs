//! Sorts that are not written: each unknown sort is a class of a union-find, and using a term as an argument makes two
//! classes one.

use crate::signature::SortId;

/// A sort that may not be known yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class(u32);

#[derive(Clone, Debug, Default)]
pub struct Classes {
    parent: Vec<u32>,
    sort: Vec<Option<SortId>>,
}

impl Classes {
    pub fn fresh(&mut self) -> Class {
        self.parent.push(self.parent.len() as u32);
        self.sort.push(None);
        Class(self.parent.len() as u32 - 1)
    }

    pub fn known(&mut self, sort: SortId) -> Class {
        let class = self.fresh();
        self.sort[class.0 as usize] = Some(sort);
        class
    }

    fn find(&mut self, class: Class) -> u32 {
        let mut at = class.0;
        while self.parent[at as usize] != at {
            let above = self.parent[at as usize];
            self.parent[at as usize] = self.parent[above as usize];
            at = self.parent[at as usize];
        }
        at
    }

    pub fn sort(&mut self, class: Class) -> Option<SortId> {
        let root = self.find(class);
        self.sort[root as usize]
    }

    /// Gives a class its sort.
    pub fn set(&mut self, class: Class, sort: SortId) {
        let root = self.find(class);
        self.sort[root as usize] = Some(sort);
    }

    /// Makes two classes one; if they have different sorts, says which.
    pub fn unify(&mut self, a: Class, b: Class) -> Result<(), (SortId, SortId)> {
        let (a, b) = (self.find(a), self.find(b));
        match (self.sort[a as usize], self.sort[b as usize]) {
            (Some(x), Some(y)) if x != y => Err((x, y)),
            (Some(_), _) => {
                self.parent[b as usize] = a;
                Ok(())
            }
            _ => {
                self.parent[a as usize] = b;
                Ok(())
            }
        }
    }
}
