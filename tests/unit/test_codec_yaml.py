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
        ("title: &a x", 2, 8, "yaml.alias", "begins with `&`"),
        ("tags: &a [x]", 2, 7, "yaml.alias", "begins with `&`"),
        ("title: !!str x", 2, 8, "yaml.tag", "begins with `!`"),
        ("title: !local x", 2, 8, "yaml.tag", "begins with `!`"),
        ("title: !!python/object:os.system x", 2, 8, "yaml.tag", "begins with `!`"),
        ("title: ! x", 2, 8, "yaml.tag", "begins with `!`"),
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
        ("title: T\n  kind: fact", 3, 3, "yaml.syntax", "remove the spaces before `kind`"),
        ("  title: T\nkind: fact", 2, 3, "yaml.syntax", "remove the spaces before `title`"),
        ('title: "T"\n  kind: fact', 3, 3, "yaml.syntax", "remove the spaces before `kind`"),
        ("title: x\n- a", 3, 1, "yaml.syntax", "such as `tags:`"),
        ("tags:\n  - a\n - b", 4, 2, "yaml.syntax", "indent all `- ` lines"),
        ("tags: [a,, b]", 2, 10, "yaml.syntax", "remove one of the commas"),
        ("tags: [a, #b]", 3, 1, "yaml.syntax", "begins with `#` in quotes"),
        ("title:Coffee", 2, 6, "yaml.syntax", "put a space after the colon: title: Coffee"),
        ("title:Coffee\nkind: fact", 2, 6, "yaml.syntax", "colon: title: Coffee"),
        ("kind: fact\ntitle:Coffee\ntags: a", 3, 6, "yaml.syntax", "colon: title: Coffee"),
        ("kind：fact", 2, 5, "yaml.syntax", "write the ASCII colon: kind: fact"),
        ("title: x\nkind：fact", 3, 5, "yaml.syntax", "write the ASCII colon: kind: fact"),
        ("kind ： fact\ntitle: x", 2, 5, "yaml.syntax", "write the ASCII colon: kind: fact"),
        ("http://example.org\ntitle: x", 2, 1, "frontmatter.not_a_mapping", "key: value"),
        ("title: {a: {b: {c: {d: {e: {f: g}}}}}}", 2, 28, "yaml.too_deep", "list of texts"),
    ],
)
def test_faults_of_the_block(text: str, line: int, column: int, code: str, hint: str) -> None:
    problem = only(block(text))
    assert (problem.line, problem.column, problem.code) == (line, column, code)
    assert hint in problem.hint
    crlf = only(read(f"---\n{text}\n---\nbody\n".replace("\n", "\r\n")))
    assert (crlf.line, crlf.column, crlf.code) == (line, column, code)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title: a: b", "a value with `: ` in it needs quotes"),
        ("title: @home", "`@` cannot begin a value"),
        ("title: `ls`", "a backtick cannot begin a value"),
        ("title: *bold* text", "`*` cannot begin a value"),
        ("title: - a", "a list cannot begin behind its key"),
        ("title: 'it's'", "text follows after the end of the value"),
        ('title: "\\q"', "`\\` begins an escape that YAML does not know"),
        ("tags: [a, b\nkind: fact", "the list that opens here is not closed"),
        ("title: x\njust words\nkind: fact", "this line is no `key: value`"),
        ("title: x\n\tkind: fact", "a tab cannot indent a line"),
    ],
)
def test_the_usual_slips_are_said_in_plain_words(text: str, message: str) -> None:
    assert only(block(text)).message == message
