"""Writes the code blocks of a Markdown file that begin with a comment naming a file ("// count.c", "# lit.cfg.py") into a folder.

usage: code_blocks.py FILE.md FOLDER
"""

import os
import re
import sys
import textwrap

with open(sys.argv[1]) as file:
    blocks = re.findall(r"^( *)```\w*\n(.*?)^\1```$", file.read(), re.DOTALL | re.MULTILINE)
for _, text in blocks:
    text = textwrap.dedent(text)
    name = re.match(r"(?://|#) ([\w.]+)\n", text)
    if name:
        with open(os.path.join(sys.argv[2], name.group(1)), "w") as file:
            file.write(text)
        print(name.group(1))
