# `make demo` and `make test` are all a newcomer needs; each installs what is missing.

.PHONY: deps
deps:
	@tools/fetch-z3
