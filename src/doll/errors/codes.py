"""The registry of problem codes: every code doll can report, with what it means.

`docs/errors.md` is made from this table and a test holds both to the code.
A code is `<area>.<name>` and keeps its meaning for ever.
"""

CODES: dict[str, str] = {
    # files
    "file.unreadable": "The file cannot be opened or read.",
    "file.too_large": "The file is larger than a record may be (4 MiB).",
    "file.not_utf8": "The file's bytes are not UTF-8 text.",
    "file.nul": "The file contains a NUL byte, so editors and git take it for binary.",
    "file.bom": "The file begins with a byte order mark.",
    "file.conflict_marker": "The file holds an unresolved merge conflict of git.",
    "file.symlink": "The path is a symbolic link; records are never read through links.",
    "file.too_many": "A folder holds more levels or files than doll looks at.",
    "file.missing": "HEAD has the file and the work tree does not.",
    # front matter
    "frontmatter.missing": "The file does not begin with a front matter block.",
    "frontmatter.unclosed": "The front matter block is opened with `---` and never closed.",
    "frontmatter.too_large": "The front matter block is larger than 64 KiB.",
    "frontmatter.not_a_mapping": "The front matter is not a list of `key: value` lines.",
    "yaml.syntax": "The text is not YAML.",
    "yaml.duplicate_key": "A key stands twice; which value counts would be a guess.",
    "yaml.alias": "YAML anchors and aliases are not part of the subset that doll reads.",
    "yaml.tag": "YAML tags (`!name`) are not part of the subset that doll reads.",
    "yaml.key": "A key is not plain text.",
    "yaml.too_deep": "Values are nested deeper than any field allows.",
    "yaml.many_documents": "The text holds a second YAML document.",
    # fields
    "schema.unknown": "`schema` names a record type or version that this doll does not know.",
    "schema.wrong_folder": "The record's type does not belong in its folder.",
    "schema.missing": "The folder does not say the type, and `schema` is absent.",
    "field.missing": "A field that this type requires is absent.",
    "field.shape": "A value has the wrong shape (text, list, true/false).",
    "field.value": "A value is not one of those the field allows.",
    "field.time": "A time is not RFC 3339 with an offset.",
    "field.unknown": "The type has no field of this name; it is kept and means nothing to doll.",
    "field.needs": "A field goes only together with another one.",
    # doll.yaml
    "settings.newer": "The vault was written by a newer doll.",
    "settings.unknown": "`doll.yaml` has no setting of this name.",
    "settings.value": "A setting is missing or has a value that is not allowed.",
    # ids and references
    "id.invalid": "The file name is not a valid record id.",
    "id.duplicate": "Two records share an id or an alias.",
    "reference.unresolved": "A reference names no record.",
    "reference.ambiguous": "A reference names more than one record.",
    "reference.wrong_type": "A reference names a record of a type that does not fit here.",
    "reference.cycle": "Records refer to each other in a circle.",
}
