#!/usr/bin/env python3
"""read_format.py FORMAT FILE: reads a report with other people's readers and prints what they found, a fact a line.

Exit 0 when they took it, 1 with a sentence when they did not, 77 when a reader is not installed (its name is printed).
"""
import html.parser
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


class Missing(Exception):
    pass


def need(module):
    try:
        return __import__(module)
    except ImportError:
        raise Missing("python3 module " + module)


def run(command, text=None):
    try:
        return subprocess.run(command, input=text, capture_output=True, check=False)
    except FileNotFoundError:
        raise Missing(command[0])


def junit(path):
    # 1. the schema, by libxml2
    checked = run(["xmllint", "--noout", "--nonet", "--huge", "--schema", os.path.join(DATA, "junit.xsd"), path])
    if checked.returncode != 0:
        sys.exit("xmllint: " + checked.stderr.decode(errors="replace")[:1000])
    # 2. a JUnit reader
    reader = need("junitparser")
    if not hasattr(reader, "JUnitXml"):
        raise Missing("python3 module junitparser")
    report = reader.JUnitXml.fromfile(path)
    counts = {"passed": 0, "failure": 0, "error": 0, "skipped": 0}
    for suite in report:
        own = {"passed": 0, "failure": 0, "error": 0, "skipped": 0}
        for case in suite:
            kinds = {reader.Failure: "failure", reader.Error: "error", reader.Skipped: "skipped"}
            result = case.result[0] if case.result else None
            kind = kinds[type(result)] if result else "passed"
            own[kind] += 1
            if kind == "failure":
                print("failure", case.classname, case.name, "|", result.message)
        if (suite.failures, suite.errors, suite.skipped) != (own["failure"], own["error"], own["skipped"]):
            sys.exit("the counts of suite %s do not agree with its cases" % suite.name)
        for kind, count in own.items():
            counts[kind] += count
    # 3. the counts of the root
    root = xml.etree.ElementTree.parse(path).getroot()
    for kind, attribute in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        if int(root.get(attribute)) != counts[kind]:
            sys.exit("%s of the root is %s, there are %d" % (attribute, root.get(attribute), counts[kind]))
    print("counts", *("%s=%d" % item for item in counts.items()))


def sarif(path):
    jsonschema = need("jsonschema")
    with open(path, encoding="utf-8") as file:
        log = json.load(file)
    with open(os.environ.get("SARIF_SCHEMA", os.path.join(DATA, "sarif-2.1.0-subset.json")), encoding="utf-8") as file:
        schema = json.load(file)
    errors = list(jsonschema.Draft4Validator(schema, format_checker=jsonschema.FormatChecker()).iter_errors(log))
    if errors:
        sys.exit("; ".join("%s: %s" % (list(e.absolute_path), e.message[:300]) for e in errors[:5]))
    # What GitHub asks beyond the schema.
    (one,) = log["runs"]
    rules = one["tool"]["driver"]["rules"]
    for rule in rules:
        for key in ("shortDescription", "fullDescription", "help"):
            if not rule[key]["text"]:
                sys.exit("rule %s has no %s" % (rule["id"], key))
    prints = set()
    for result in one["results"]:
        if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
            sys.exit("ruleIndex and ruleId disagree")
        if result.get("kind", "fail") != "fail":
            sys.exit("a result that is no finding: GitHub would show an alert")
        place = result["locations"][0]["physicalLocation"]
        if not re.fullmatch(r"(file://)?[A-Za-z0-9\-._~/!$&'()*+,;=@%]+", place["artifactLocation"]["uri"]):
            sys.exit("not a URI: " + place["artifactLocation"]["uri"][:200])
        prints.add(result["partialFingerprints"]["primaryLocationLineHash"])
        print("result", result["level"], result["ruleId"], place["artifactLocation"]["uri"],
              place["region"]["startLine"], "|", result["message"]["text"].splitlines()[0][:300])
        for flow in result.get("codeFlows", []):
            for step in flow["threadFlows"][0]["locations"]:
                print("  step", step["location"]["message"]["text"])
    if len(prints) != len(one["results"]):
        sys.exit("two results of one fingerprint")
    print("counts results=%d rules=%d" % (len(one["results"]), len(rules)))


class Outline(html.parser.HTMLParser):
    """What a Markdown renderer made of it: tags, and the text of each code element and heading."""
    KNOWN = {"h2", "h3", "p", "pre", "code", "ul", "li", "details", "summary", "br"}
    VOID = {"br"}

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.codes, self.text = [], set(), [], ""

    def handle_starttag(self, tag, attrs):
        if tag not in self.KNOWN:
            sys.exit("a foreign <%s> came through" % tag)
        if any(name not in ("lang", "class") for name, _ in attrs):
            sys.exit("a foreign attribute came through: %s" % attrs)
        self.tags.add(tag)
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "code":
            self.codes.append("")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            sys.exit("</%s> closes nothing" % tag)

    def handle_data(self, data):
        self.text += data
        if "code" in self.open:
            self.codes[-1] += data


def markdown(path):
    with open(path, "rb") as file:
        rendered = run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough", "-e", "tasklist"],
                       file.read())
    if rendered.returncode != 0:
        sys.exit("cmark-gfm: " + rendered.stderr.decode(errors="replace"))
    outline = Outline()
    outline.feed(rendered.stdout.decode("utf-8"))
    outline.close()
    if outline.open:
        sys.exit("<%s> is never closed" % outline.open[-1])
    print("heading", next(line for line in outline.text.splitlines() if line.strip()))
    for code in outline.codes:
        print("code", code.splitlines()[0][:200] if code else "")


def codequality(path):
    jsonschema = need("jsonschema")
    schema = {
        "type": "array",
        "items": {
            "type": "object", "additionalProperties": False,
            "required": ["description", "check_name", "fingerprint", "severity", "location"],
            "properties": {
                "description": {"type": "string", "minLength": 1}, "check_name": {"type": "string"},
                "fingerprint": {"type": "string", "minLength": 8},
                "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
                "location": {
                    "type": "object", "additionalProperties": False, "required": ["path", "lines"],
                    "properties": {
                        "path": {"type": "string", "minLength": 1, "not": {"pattern": r"^\./"}},
                        "lines": {"type": "object", "required": ["begin"],
                                  "properties": {"begin": {"type": "integer", "minimum": 1}}}}}}}}
    with open(path, encoding="utf-8") as file:
        findings = json.load(file)
    try:
        jsonschema.validate(findings, schema)
    except jsonschema.ValidationError as error:
        sys.exit(error.message[:500])
    if len({finding["fingerprint"] for finding in findings}) != len(findings):
        sys.exit("two findings of one fingerprint")
    for finding in findings:
        print("finding", finding["severity"], finding["location"]["path"], finding["location"]["lines"]["begin"])


def github(path):
    """The runner's own way of reading a workflow command (actions/runner, ActionCommand.TryParse)."""
    with open(path, encoding="utf-8", newline="") as file:
        lines = file.read().split("\n")
    if lines.pop() != "" or any("\r" in line for line in lines):
        sys.exit("line ends")
    for line in lines:
        match = re.fullmatch(r"::(error|warning|notice) ([^:]*)::(.*)", line)
        if not match:
            sys.exit("no workflow command: " + line[:200])
        def unescape(text, names):
            for code, char in names:
                text = text.replace(code, char)
            return text
        data = [("%0D", "\r"), ("%0A", "\n")]
        fields = dict(item.split("=", 1) for item in match[2].split(","))
        if not set(fields) <= {"file", "line", "col", "title"}:
            sys.exit("unknown property in " + match[2][:200])
        title = unescape(fields.get("title", ""), data + [("%3A", ":"), ("%2C", ","), ("%25", "%")])
        print(match[1], unescape(fields.get("file", "-"), [("%3A", ":"), ("%2C", ","), ("%25", "%")]),
              fields.get("line", "-"), title, "|", unescape(match[3], data + [("%25", "%")]).splitlines()[0][:300])


def svg(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    space = "{http://www.w3.org/2000/svg}"
    known = {space + name for name in ("svg", "g", "title", "rect", "path", "text", "style")}
    for element in root.iter():
        if element.tag not in known:
            sys.exit("a foreign <%s>" % element.tag)
        if any(name.startswith("on") or "href" in name for name in element.attrib):
            sys.exit("an attribute that acts")
    print("svg", root.get("width"), root.get("height"), "cells", sum(1 for _ in root.iter(space + "title")))


if __name__ == "__main__":
    try:
        {"junit": junit, "sarif": sarif, "md": markdown, "codequality": codequality, "github": github,
         "svg": svg}[sys.argv[1]](sys.argv[2])
    except Missing as missing:
        print("not installed:", missing)
        sys.exit(77)
    except (xml.etree.ElementTree.ParseError, ValueError) as error:
        sys.exit("%s: %s" % (type(error).__name__, error))
