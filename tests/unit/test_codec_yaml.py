"""What is not in the YAML subset is named at its line and column, with what to write instead."""

import pytest

from tests.reading import block, only, read


@pytest.mark.parametrize(
    ("text", "line", "column", "code", "hint"),
    [
        ("title: a: b", 2, 9, "yaml.syntax", 'title: "a: b"'),
        ("kind: fact\ntitle: Note: this: that", 3, 12, "yaml.syntax", 'title: "Note: this: that"'),
        ("tags:\n  - a: b: c", 3, 9, "yaml.syntax", '- "a: b: c"'),
        ("title: a\n\tb: c", 3, 1, "yaml.syntax", "spaces, not with tabs"),
        ("tags:\n\t- a", 3, 1, "yaml.syntax", "spaces, not with tabs"),
        ("title: *bold* text", 2, 8, "yaml.syntax", 'title: "*bold* text"'),
        ("title: *bold", 2, 8, "yaml.alias", 'title: "*bold"'),
        ("tags: [ok, *bold]", 2, 12, "yaml.alias", '"*bold"'),
        ("tags:\n  - *bold", 3, 5, "yaml.alias", '- "*bold"'),
        ("related: [[x]]y", 2, 15, "yaml.syntax", 'related: "[[x]]y"'),
        ("title: [[x]] and more", 2, 14, "yaml.syntax", 'title: "[[x]] and more"'),
        ("title: @home", 2, 8, "yaml.syntax", 'title: "@home"'),
        ("title: `ls`", 2, 8, "yaml.syntax", 'title: "`ls`"'),
        ("title: %x", 2, 8, "yaml.syntax", 'title: "%x"'),
        ("title: 'it's'", 2, 12, "yaml.syntax", 'title: "it\'s"'),
        ('title: "say "hi" now"', 2, 14, "yaml.syntax", 'title: "say \\"hi\\" now"'),
        ('kind: fact\ntitle: "open\ntags: [a]', 3, 8, "yaml.syntax", "close the quote"),
        ("kind: fact\ntags: [a, b\ntitle: x", 3, 7, "yaml.syntax", "`]` after the last one"),
        ("claims: {a: b\ntitle: x", 2, 9, "yaml.syntax", "`}` after the last one"),
        ("title: x\njust words\nkind: fact", 3, 1, "yaml.syntax", "no `: `"),
        ('title: "\\q"', 2, 9, "yaml.syntax", "in quotes"),
        ('title: "\\ud800"', 2, 11, "yaml.syntax", "in quotes"),
        ("title: x\n...", 3, 1, "yaml.many_documents", "remove the line"),
        ("title: x\n...\nkind: fact", 3, 1, "yaml.many_documents", "remove the line"),
        ("--- # comment\ntitle: x", 2, 1, "yaml.many_documents", "remove the line"),
        ("%YAML 1.1\n--- # x\ntitle: x", 2, 1, "yaml.many_documents", "remove the line"),
        ("title: x\n--- # y\nkind: fact", 3, 1, "yaml.many_documents", "remove the line"),
        ("- a\n- b", 2, 1, "frontmatter.not_a_mapping", "key: value"),
        ("[a, b]", 2, 1, "frontmatter.not_a_mapping", "key: value"),
        ("hello", 2, 1, "frontmatter.not_a_mapping", "key: value"),
        ("# only\n'a'", 3, 1, "frontmatter.not_a_mapping", "key: value"),
        ("title: &a x", 2, 8, "yaml.alias", "remove `&a`"),
        ("tags: &a [x]", 2, 7, "yaml.alias", "remove `&a`"),
        ("title: !!str x", 2, 8, "yaml.tag", "remove `!!str`"),
        ("title: !local x", 2, 8, "yaml.tag", "remove `!local`"),
        ("title: !!python/object:os.system x", 2, 8, "yaml.tag", "python/object"),
        ("title: ! x", 2, 8, "yaml.tag", "remove `!`"),
        ("[a, b]: c", 2, 1, "yaml.key", "key: value"),
        ("{a: b}: c", 2, 1, "yaml.key", "key: value"),
        ("kind: fact\n? [a]\n: c", 3, 3, "yaml.key", "key: value"),
        ("title: x\ntitle: y", 3, 1, "yaml.duplicate_key", "keep one"),
        ("title: x\n'title': y", 3, 1, "yaml.duplicate_key", "keep one"),
        ("claims:\n  /a: '1'\n  /a: '2'", 4, 3, "yaml.duplicate_key", "keep one"),
        ("title: a\rb", 2, 9, "yaml.syntax", "\\u000d"),
        ("title: a\u2028b", 2, 9, "yaml.syntax", "\\u2028"),
        ("title: é\u2029b", 2, 9, "yaml.syntax", "\\u2029"),
        ("title: a\x85b", 2, 9, "yaml.syntax", "\\u0085"),
        ("kind: fact\ntitle: a\x1bb", 3, 9, "yaml.syntax", "\\u001b"),
        ("title: a\ufffeb", 2, 9, "yaml.syntax", "\\ufffe"),
        ("\ufefftitle: a", 2, 1, "yaml.syntax", "\\ufeff"),
        ("title: \U0001f469 日本: x: y", 2, 12, "yaml.syntax", "in quotes"),
        ("title: {a: {b: {c: {d: {e: {f: g}}}}}}", 2, 28, "yaml.too_deep", "list of texts"),
    ],
)
def test_faults_of_the_block(text: str, line: int, column: int, code: str, hint: str) -> None:
    problem = only(block(text))
    assert (problem.line, problem.column, problem.code) == (line, column, code)
    assert hint in problem.hint
    crlf = only(read(f"---\n{text}\n---\nbody\n".replace("\n", "\r\n")))
    assert (crlf.line, crlf.column, crlf.code) == (line, column, code)
