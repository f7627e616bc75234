# docs.mk - what is generated into the tree: documents, layout, cubins; and the benchmark.
# docs/commands.md, params.md and stats.md are what the program says about itself.
docs: all
	tools/docs.sh $(BUILD)/leno > docs/commands.md
	$(BUILD)/leno list params --markdown > docs/params.md
	$(BUILD)/leno list stats --markdown > docs/stats.md

format:
	find src tests workloads tools -name '*.[ch]' | xargs clang-format -i

check-format:
	tools/checks/format.sh

cubins:
	tools/cubins.sh

bench: all
	OLD="$(OLD)" tools/bench.sh $(BUILD)/leno
