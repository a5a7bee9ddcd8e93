//! The promises of the memory, one by one.

use super::*;

fn heap(memory: &mut Memory<'_>, size: u64) -> Address {
    memory.allocate_heap(size, false, Span::new(1, 2)).expect("the limit of the tests should suffice")
}

fn rule<T: std::fmt::Debug>(result: Checked<T>) -> Rule {
    result.expect_err("the operation should be refused").rule
}

#[test]
fn values_come_back_as_they_were_written() {
    let mut memory = Memory::new(1 << 20);
    let p = heap(&mut memory, 64);
    memory.store_u32(p, 0xDEAD_BEEF).unwrap();
    assert_eq!(memory.load_u32(p), Ok(0xDEAD_BEEF));
    assert_eq!(memory.load_u8(p.plus(3)), Ok(0xDE));
    memory.store_f64(p.plus(8), -0.5).unwrap();
    assert_eq!(memory.load_f64(p.plus(8)), Ok(-0.5));
    memory.store_u128(p.plus(16), u128::MAX - 1).unwrap();
    assert_eq!(memory.load_u128(p.plus(16)), Ok(u128::MAX - 1));
}

#[test]
fn bounds_and_life_are_checked() {
    let mut memory = Memory::new(1 << 20);
    let p = heap(&mut memory, 8);
    let q = heap(&mut memory, 8);
    assert_eq!(rule(memory.store_u32(p.plus(8), 1)), Rule::OutOfBounds);
    assert_eq!(rule(memory.store_u32(Address(p.0 - 4), 1)), Rule::OutOfBounds);
    assert_eq!(rule(memory.load_u64(p.plus(4))), Rule::OutOfBounds);
    assert_eq!(rule(memory.store_u32(p.plus(2), 1)), Rule::MisalignedAccess);
    assert_eq!(rule(memory.load_u32(Address::NULL)), Rule::NullDereference);
    assert_eq!(rule(memory.load_u32(Address(24))), Rule::NullDereference);
    assert_eq!(rule(memory.load_u8(Address(u64::MAX))), Rule::InvalidPointer);
    assert_eq!(rule(memory.load_u8(Address::of_function(3))), Rule::InvalidPointer);
    memory.store_u64(p, 7).unwrap();
    memory.free(p, Span::new(5, 6)).unwrap();
    let fault = memory.load_u64(p).unwrap_err();
    assert_eq!(fault.rule, Rule::UseAfterFree);
    assert_eq!(fault.notes.iter().map(|note| note.span).collect::<Vec<_>>(), [Span::new(1, 2), Span::new(5, 6)]);
    assert_eq!(rule(memory.free(p, Span::NONE)), Rule::DoubleFree);
    assert_eq!(rule(memory.free(q.plus(4), Span::NONE)), Rule::InvalidFree);
    assert_eq!(rule(memory.free(Address(77), Span::NONE)), Rule::InvalidFree);
    memory.free(Address::NULL, Span::NONE).unwrap();
}

#[test]
fn unwritten_bytes_are_copied_but_not_read() {
    let mut memory = Memory::new(1 << 20);
    let p = heap(&mut memory, 16);
    let q = heap(&mut memory, 16);
    memory.store_u32(p.plus(4), 9).unwrap();
    assert_eq!(rule(memory.load_u32(p)), Rule::UninitialisedRead);
    memory.copy(q, p, 16).unwrap();
    assert_eq!(memory.load_u32(q.plus(4)), Ok(9));
    assert_eq!(rule(memory.load_u32(q)), Rule::UninitialisedRead);
    assert_eq!(rule(memory.read(q, 8)), Rule::UninitialisedRead);
    memory.fill(q, 0, 4).unwrap();
    assert_eq!(memory.read(q, 8).unwrap(), [0, 0, 0, 0, 9, 0, 0, 0]);
}

#[test]
fn pointers_survive_being_copied_byte_by_byte() {
    let mut memory = Memory::new(1 << 20);
    let target = heap(&mut memory, 4);
    let cell = heap(&mut memory, 8);
    let copy = heap(&mut memory, 8);
    memory.store_pointer(cell, target).unwrap();
    for i in 0..8 {
        let byte = memory.load_u8(cell.plus(i)).unwrap();
        memory.store_u8(copy.plus(i), byte).unwrap();
    }
    let pointer = memory.load_pointer(copy).unwrap();
    memory.store_u32(pointer, 1).unwrap();
    assert_eq!(memory.load_u32(target), Ok(1));
}

#[test]
fn bit_fields_share_bytes() {
    let mut memory = Memory::new(1 << 20);
    let p = heap(&mut memory, 16);
    memory.store_bits(p, 3, 7, 0x55).unwrap();
    assert_eq!(memory.load_bits(p, 3, 7), Ok(0x55));
    assert_eq!(rule(memory.load_bits(p, 2, 7)), Rule::UninitialisedRead);
    memory.store_bits(p, 10, 64, u128::from(u64::MAX)).unwrap();
    memory.store_bits(p, 0, 3, 0).unwrap();
    assert_eq!(memory.load_bits(p, 0, 3), Ok(0));
    assert_eq!(memory.load_bits(p, 3, 7), Ok(0x55));
    assert_eq!(memory.load_bits(p, 10, 64), Ok(u128::from(u64::MAX)));
    assert_eq!(rule(memory.store_bits(p, 120, 9, 0)), Rule::OutOfBounds);
}

#[test]
fn constants_are_initialised_once() {
    let mut memory = Memory::new(1 << 20);
    let p = memory.allocate(ObjectKind::StringLiteral, 3, 1, true, ".s", Span::NONE).unwrap();
    memory.initialise(p, 0, b"ab\0");
    assert_eq!(memory.c_string(p).unwrap(), b"ab");
    assert_eq!(rule(memory.store_u8(p, b'x')), Rule::WriteToConstant);
    assert_eq!(rule(memory.store_u8(p.plus(3), b'x')), Rule::OutOfBounds);
}

#[test]
fn strings_must_end_inside_their_object() {
    let mut memory = Memory::new(1 << 20);
    let p = heap(&mut memory, 4);
    memory.write(p, b"abcd").unwrap();
    assert_eq!(rule(memory.c_string_length(p)), Rule::OutOfBounds);
    assert_eq!(memory.bounded_length(p, 4), Ok(4));
    memory.write_c_string(p, b"ab").unwrap();
    assert_eq!(memory.c_string_length(p.plus(1)), Ok(1));
    assert_eq!(rule(memory.write_c_string(p, b"abcd")), Rule::OutOfBounds);
    let q = heap(&mut memory, 4);
    memory.write(q, b"a").unwrap();
    assert_eq!(rule(memory.c_string_length(q)), Rule::UninitialisedRead);
}

#[test]
fn pointer_arithmetic_stays_in_the_object() {
    let mut memory = Memory::new(1 << 20);
    let p = heap(&mut memory, 8);
    let q = heap(&mut memory, 8);
    assert_eq!(memory.offset(p, 8), Ok(p.plus(8)));
    assert_eq!(memory.offset(p.plus(8), -8), Ok(p));
    assert_eq!(rule(memory.offset(p, 9)), Rule::OutOfBounds);
    assert_eq!(rule(memory.offset(p, -1)), Rule::OutOfBounds);
    assert_eq!(rule(memory.offset(Address::NULL, 1)), Rule::InvalidPointer);
    assert_eq!(memory.offset(Address::NULL, 0), Ok(Address::NULL));
    assert_eq!(rule(memory.same_object(p, q, "comparison")), Rule::InvalidPointer);
    assert_eq!(memory.same_object(p, p.plus(8), "comparison"), Ok(()));
}

#[test]
fn stack_objects_end_together_and_their_slots_rest() {
    let mut memory = Memory::new(1 << 20);
    let mut stale = Vec::new();
    for _ in 0..2000 {
        let mark = memory.stack_mark();
        let p = memory.push_object(ObjectKind::Local, 24, 8, false, "x", Span::NONE).unwrap();
        assert_eq!(rule(memory.load_u8(p)), Rule::UninitialisedRead);
        memory.store_u64(p, 1).unwrap();
        memory.cut_stack(mark, Span::NONE);
        assert!(memory.is_at(mark));
        stale.push(p);
    }
    assert_eq!(memory.used(), 0);
    for p in stale.into_iter().rev().take(STACK_REST) {
        assert_eq!(rule(memory.load_u64(p)), Rule::UseAfterScope);
    }
}

#[test]
fn realloc_moves_contents_and_ends_the_old_object() {
    let mut memory = Memory::new(1 << 20);
    let p = heap(&mut memory, 4);
    memory.store_u32(p, 11).unwrap();
    let q = memory.reallocate(p, 8, Span::new(7, 8)).unwrap().unwrap();
    assert_eq!(memory.load_u32(q), Ok(11));
    assert_eq!(rule(memory.load_u32(q.plus(4))), Rule::UninitialisedRead);
    assert_eq!(rule(memory.load_u32(p)), Rule::UseAfterFree);
    assert_eq!(rule(memory.reallocate(p, 8, Span::NONE)), Rule::DoubleFree);
}

#[test]
fn the_limit_holds_and_large_objects_are_cheap() {
    let mut memory = Memory::new(1 << 40);
    let p = heap(&mut memory, 1 << 30);
    memory.store_u8(p.plus((1 << 30) - 1), 1).unwrap();
    memory.free(p, Span::NONE).unwrap();
    memory.reset(1000);
    assert_eq!(memory.allocate_heap(2000, false, Span::NONE), Err(OutOfMemory));
    assert_eq!(memory.allocate_heap(u64::MAX, false, Span::NONE), Err(OutOfMemory));
}

#[test]
fn tiny_objects_count_for_what_they_really_take() {
    let limit = 1 << 20;
    let mut memory = Memory::new(limit);
    while memory.allocate_heap(1, false, Span::NONE).is_ok() {}
    let objects = memory.kept_heap(&[]).len() as u64;
    let records = (size_of::<Slot>() + size_of::<Object<'_>>()) as u64;
    assert!(objects * (2 * records + 2 * storage::SMALLEST as u64) <= limit, "{objects} objects");
    assert!(objects > 3000, "{objects} objects");
}

#[test]
fn blocks_given_back_do_not_add_up_over_the_sizes() {
    let mut memory = Memory::new(1 << 20);
    let mut sizes = (16..=1024u64).step_by(16);
    let refused = sizes.find(|&size| {
        let blocks: Vec<_> =
            (0..500_000 / (size + 200)).map(|_| memory.allocate_heap(size, false, Span::NONE)).collect();
        let granted = blocks.iter().all(Result::is_ok);
        blocks.into_iter().flatten().for_each(|block| memory.free(block, Span::NONE).expect("the block is live"));
        !granted
    });
    assert!(refused.is_some(), "what rests in free lists should be limited too");
}
