//! A certificate is accepted for what it claims of this program, and for nothing less.

use diagnostics::Deadline;
use prove::certificate::{Certificate, CertifiedClaim, Rejected, check};
use prove::{Encoding, System, encode};

const ASSUME: &str = "void __VERIFIER_assume(int); void __VERIFIER_assert(int);";

fn system(body: &str, checks: bool) -> System {
    let text = format!("{ASSUME} int main(int x) {{ {body} return 0; }}");
    let loaded = cfront::load_text(&[("certified.c", &text)]).unwrap_or_else(|e| panic!("{e:?}"));
    let entry = loaded.program.find_function("main").expect("an entry");
    encode(&loaded.program, entry, &Encoding { checks, ..Encoding::default() })
}

fn claiming(text: &str) -> Certificate {
    let claims = vec![CertifiedClaim { text: text.into(), line: 1, k: 1 }];
    Certificate { claims, ..Certificate::default() }
}

fn checked(body: &str, certificate: &Certificate) -> Result<usize, Rejected> {
    let system = system(body, false);
    check(&system, certificate, &|_| 1, &Deadline::default()).map(|proved| proved.len())
}

const POSITIVE: &str = "__VERIFIER_assume(x > 5); __VERIFIER_assert(x > 3);";

#[test]
fn a_claim_of_the_program_that_follows_is_accepted() {
    assert_eq!(checked(POSITIVE, &claiming("x > 3")), Ok(1));
}

#[test]
fn a_certificate_without_claims_is_not() {
    assert_eq!(checked(POSITIVE, &Certificate::default()), Err(Rejected::Empty));
    let invariants = vec![("loop at line 1".to_string(), "x > 5".to_string())];
    assert_eq!(checked(POSITIVE, &Certificate { invariants, ..Certificate::default() }), Err(Rejected::Empty));
}

#[test]
fn a_claim_that_the_program_does_not_make_is_not() {
    assert!(matches!(checked(POSITIVE, &claiming("x > 4")), Err(Rejected::Misfit(_))));
    let asked = vec![("loop at line 1".to_string(), "x > 5".to_string())];
    assert!(matches!(checked(POSITIVE, &Certificate { asked, ..Certificate::default() }), Err(Rejected::Misfit(_))));
}

#[test]
fn a_claim_that_does_not_follow_is_not() {
    let body = "__VERIFIER_assume(x > 5); __VERIFIER_assert(x > 7);";
    assert_eq!(checked(body, &claiming("x > 7")), Err(Rejected::NotImplied("x > 7".into())));
}

#[test]
fn a_claim_behind_contradictory_assumptions_is_not() {
    let body = "__VERIFIER_assume(x > 5); __VERIFIER_assume(x < 3); __VERIFIER_assert(x == 7);";
    assert_eq!(checked(body, &claiming("x == 7")), Err(Rejected::Vacuous("x == 7".into())));
}

/// `x = 0; 10 / x` once had no obligation that could fail, because what the trace point at the return shows was
/// taken to be defined.
#[test]
fn a_division_that_fails_is_not() {
    let system = system("x = 0; x = 10 / x;", true);
    let outcome = check(&system, &claiming("no division by zero"), &|_| 1, &Deadline::default());
    assert_eq!(outcome, Err(Rejected::NotImplied("no division by zero".into())));
}
