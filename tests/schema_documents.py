"""Documents generated over a JSON Schema: mostly what it wants, sometimes near it, sometimes not.

Knows the keywords that the PAM schemas use. `mistakes` says whether properties may be missing,
unknown, or of another shape; without, most results are valid.
"""

from typing import Any

from hypothesis import strategies as st

Json = dict[str, Any]
Values = st.SearchStrategy[Any]

OTHER = st.sampled_from(
    [None, True, 0, 1, -1, 0.5, 1.0, 2, "", "x", "a\n", "1", [], ["x"], {}, {"x": 1}]
)
TIMES = ["2025-03-04T08:12:00Z", "1912-06-23T00:00:00.5+05:45", "2024-02-29t23:59:60z"]
NO_TIMES = [
    "yesterday",
    "2025-02-29T00:00:00Z",
    "2025-03-04 08:12:00Z",
    "2025-03-04T08:12:00Z\n",
    "",
]


def values(schema: Json, definitions: Json, *, mistakes: bool) -> Values:
    """Return a strategy for values of a schema."""
    made = _right(schema, definitions, mistakes=mistakes)
    if not mistakes:
        return made
    return st.integers(0, 19).flatmap(lambda draw: OTHER if draw == 0 else made)


def _right(schema: Json, definitions: Json, *, mistakes: bool) -> Values:
    if "$ref" in schema:
        inner = definitions[schema["$ref"].rpartition("/")[2]]
        return _right(inner, definitions, mistakes=mistakes)
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "const" in schema:
        return st.just(schema["const"])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    return st.one_of(*(_of_kind(kind, schema, definitions, mistakes=mistakes) for kind in kinds))


def _of_kind(kind: str, schema: Json, definitions: Json, *, mistakes: bool) -> Values:
    match kind:
        case "object":
            return _objects(schema, definitions, mistakes=mistakes)
        case "array":
            item = values(schema["items"], definitions, mistakes=mistakes)
            unique = None if mistakes or "uniqueItems" not in schema else repr
            return st.lists(item, min_size=schema.get("minItems", 0), max_size=3, unique_by=unique)
        case "string":
            return _texts(schema, mistakes=mistakes)
        case "number":
            return st.floats(schema["minimum"], schema["maximum"]) | st.sampled_from([0, 1])
        case "integer":
            return st.integers(schema["minimum"], 5)
        case "boolean":
            return st.booleans()
        case _:
            return st.none()


def _texts(schema: Json, *, mistakes: bool) -> Values:
    if schema.get("format") == "date-time":
        return st.sampled_from(TIMES + NO_TIMES if mistakes else TIMES)
    if "pattern" in schema:
        pattern = schema["pattern"] if mistakes else schema["pattern"].replace("$", r"\Z")
        return st.from_regex(pattern)
    return st.text(min_size=schema.get("minLength", 0), max_size=4)


@st.composite
def _objects(draw: st.DrawFn, schema: Json, definitions: Json, *, mistakes: bool) -> Json:
    made = {}
    for name, inner in schema["properties"].items():
        required = name in schema.get("required", ())
        certain = required and not mistakes
        if certain or draw(st.integers(0, 29 if required else 1)):
            made[name] = draw(values(inner, definitions, mistakes=mistakes))
    if mistakes and draw(st.integers(0, 19)) == 0:
        made["unknown"] = draw(OTHER)
    if made.get("type") != "custom" and "custom_type" in made and not mistakes:
        del made["custom_type"]
    return made
