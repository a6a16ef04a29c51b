# make run and make test need nothing but Debian and Swift; the rest stands beside them.
RACK ?= racks/drum-crusher.yaml
PREFIX ?= /usr/local
# TLS=1: with the library that encrypts the page, which takes a fifth longer.
TRAITS = $(if $(TLS),--traits TLS)

# Statically linked: the program starts faster, and does not need Swift to run. Packed relocations and
# fewer exported symbols: the pages that hold them count as the program's memory.
RELEASE = swift build -c release $(TRAITS) --static-swift-stdlib -Xswiftc -use-ld=lld \
	-Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic
# A unit's process is C alone: SwiftPM would link it with Swift's runtime.
LINK_UNIT = clang -pie -o .build/release/backline-unit \
	@.build/release/backline-unit.product/Objects.LinkFileList -llilv-0 -lserd-0 -ldl -lm -lresolv -pthread

SWIFT_SOURCES = Package.swift Sources Tests Benchmarks
C_SOURCES = $(shell git ls-files '*.c' '*.h')

.PHONY: help run build test test-page check format sanitize bench measure pictures soak install clean

help:
	@echo "make run        play a rack (RACK=$(RACK))"
	@echo "make test       build and run every test; with TLS=1 also those of the encrypted page"
	@echo "make test-page  of these, those of the page in a browser"
	@echo "make check      formatting and lint"
	@echo "make format     put the formatting right"
	@echo "make sanitize   address, undefined, thread and real-time sanitizers"
	@echo "make bench      figures beside those of the floor and of peers"
	@echo "make measure    what the units do to sound: every figure beside its goal"
	@echo "make pictures   draw the pictures of units, racks and the page, and write the tables of their pages"
	@echo "make soak       faults, kills, lost servers, edits and a flood of them, mutated files, ten minutes on stage"
	@echo "make install    into PREFIX=$(PREFIX)"

run: build
	@.build/release/backline run $(RACK) --server auto --page

# An archive keeps the objects of sources that are gone, and so it is made anew.
build:
	@scripts/install-packages play
	@rm -f .build/release/libbackline-lv2.a
	@BACKLINE_PROGRAMS_ONLY=1 $(RELEASE)
	@$(LINK_UNIT)
	@scripts/link-lv2 .build/release -s

test:
	@scripts/install-packages test
	@scripts/install-packages bench
	@rm -f .build/debug/libbackline-lv2.a
	swift build --build-tests $(TRAITS) -Xcc -O2
	scripts/run-all-tests
	.build/debug/backline-benchmarks --short

# Of the tests, those of the page in a browser, and what axe says of it.
test-page:
	@scripts/install-packages test
	@scripts/fetch-axe
	swift build --build-tests $(TRAITS) -Xcc -O2
	scripts/run-tests --filter 'LivePrograms/Page'

check:
	@scripts/install-packages check
	swift format lint --strict --recursive $(SWIFT_SOURCES)
	clang-format --dry-run --Werror $(C_SOURCES)
	shellcheck .ci/run scripts/fetch-axe scripts/install-packages scripts/link-lv2 scripts/run-all-tests scripts/run-tests scripts/sanitize

format:
	@scripts/install-packages check
	swift format --in-place --recursive $(SWIFT_SOURCES)
	clang-format -i $(C_SOURCES)

sanitize:
	@scripts/install-packages test
	scripts/sanitize

bench:
	@scripts/install-packages bench
	@{ test -e .build/pedalboard || python3 -m venv .build/pedalboard; } && \
		.build/pedalboard/bin/pip install --quiet --retries 0 pedalboard==0.9.26 || true
	$(RELEASE)
	.build/release/backline-benchmarks

measure:
	@scripts/install-packages test
	$(RELEASE) --product backline-measurements
	.build/release/backline-measurements

pictures:
	@scripts/install-packages test
	$(RELEASE) --product backline-measurements
	$(RELEASE) --product backline-unit
	$(LINK_UNIT)
	.build/release/backline-measurements --pages docs/reference/units
	.build/release/backline-measurements --racks docs/reference
	swift build --build-tests -Xcc -O2
	BACKLINE_WRITE_DOCS=1 scripts/run-tests --filter 'LivePrograms/Page'

soak:
	@scripts/install-packages bench
	$(RELEASE)
	.build/release/backline-benchmarks --soak

# Built as oneself; sudo, where Swift is seldom found, only to put into place.
install: INTO = $(DESTDIR)$(PREFIX)
install: build
	swift package --disable-sandbox generate-manual --configuration debug --multi-page
	@mkdir -p $(INTO) 2>/dev/null; test -w $(INTO) || as_root=sudo; set -x; \
	$$as_root install -D .build/release/backline $(INTO)/bin/backline && \
	$$as_root install .build/release/backline-validator $(INTO)/bin/backline-validator && \
	$$as_root install .build/release/backline-page $(INTO)/bin/backline-page && \
	$$as_root install .build/release/backline-unit $(INTO)/bin/backline-unit && \
	$$as_root install .build/release/libbackline-lv2.so $(INTO)/bin/libbackline-lv2.so && \
	$$as_root install -d $(INTO)/share/backline && \
	$$as_root cp -R page racks presets templates $(INTO)/share/backline/ && \
	$$as_root install -D -m 644 -t $(INTO)/share/man/man1 \
		.build/plugins/GenerateManual/outputs/backline/*.1 && \
	.build/release/backline schema | \
		$$as_root install -m 644 /dev/stdin $(INTO)/share/backline/rack.schema.json && \
	.build/release/backline schema --setlist | \
		$$as_root install -m 644 /dev/stdin $(INTO)/share/backline/setlist.schema.json && \
	$$as_root install -D -m 644 -t $(INTO)/include/backline Sources/CUnit/include/backline/*.h && \
	sed 's|/usr/local|$(PREFIX)|' systemd/backline.service | \
		$$as_root install -D -m 644 /dev/stdin $(INTO)/lib/systemd/user/backline.service

clean:
	rm -rf .build .build-*
