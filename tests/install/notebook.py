"""Executes the code cells of a notebook in order, as Jupyter would, and prints their values.
usage: python3 notebook.py FILE.ipynb"""
import ast
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    cells = json.load(file)["cells"]
names = {"__name__": "__main__"}
n = 0
for cell in cells:
    if cell["cell_type"] != "code":
        continue
    tree = ast.parse("".join(cell["source"]))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell %d" % n, "exec"), names)
    if last:
        print(repr(eval(compile(ast.Expression(last.value), "cell %d" % n, "eval"), names)))
    n += 1
print("%d cells" % n)
