#!/usr/bin/env python3
"""Writes the real output of a built tool below every command of the README: update_readme.py FOLDER_OF_THE_TOOL

What readme_test.cpp compares, this brings up to date; read the difference before you keep it.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def main(tool_folder):
    readme = ROOT / "README.md"
    text = readme.read_text()
    environment = dict(os.environ, NO_COLOR="1", COLUMNS="80",
                       PATH=f"{pathlib.Path(tool_folder).resolve()}:{os.environ['PATH']}")
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(ROOT / "examples", f"{folder}/examples")
        for name, layout in re.findall(r"<!-- file: (\S+) -->\n```(?:layout|cpp)\n(.*?)```", text, re.S):
            pathlib.Path(folder, name).write_text(layout)

        def run(block):
            lines = []
            for line in block[1].splitlines():
                if line.startswith("$ "):
                    done = subprocess.run(["sh", "-c", line[2:]], capture_output=True, text=True, cwd=folder,
                                          env=environment, check=False)
                    lines += [line] + [out.rstrip() for out in (done.stdout + done.stderr).splitlines()]
            return "\n".join(["```console"] + lines + ["```"])

        text = re.sub(r"```console\n(.*?)```", run, text, flags=re.S)
    readme.write_text(text)


if __name__ == "__main__":
    main(sys.argv[1])
