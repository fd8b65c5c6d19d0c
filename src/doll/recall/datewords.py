"""The words and signs of dates in questions: English, Chinese, Japanese, Korean. Values only."""

import functools
import re

MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
    )
}
# First and last day; below zero: so many days before the end of the month.
WEEKS = {
    "first": (1, 7),
    "second": (8, 14),
    "third": (15, 21),
    "fourth": (22, 28),
    "last": (-7, 31),
}
EARLY_MID_LATE = {
    "early": (1, 10),
    "beginning": (1, 10),
    "start": (1, 10),
    "mid": (11, 20),
    "middle": (11, 20),
    "late": (21, 31),
    "end": (21, 31),
}
# What a word names: a unit of time, and how many of it before the moment asked for.
RELATIVE = {
    "today": ("day", 0),
    "yesterday": ("day", 1),
    "this week": ("week", 0),
    "last week": ("week", 1),
    "this month": ("month", 0),
    "last month": ("month", 1),
    "this year": ("year", 0),
    "last year": ("year", 1),
    "今天": ("day", 0),
    "今日": ("day", 0),
    "昨天": ("day", 1),
    "昨日": ("day", 1),
    "本周": ("week", 0),
    "这周": ("week", 0),
    "今週": ("week", 0),
    "上周": ("week", 1),
    "先週": ("week", 1),
    "这个月": ("month", 0),
    "今月": ("month", 0),
    "上个月": ("month", 1),
    "先月": ("month", 1),
    "今年": ("year", 0),
    "去年": ("year", 1),
    "昨年": ("year", 1),
}

_FULL = "January|February|March|April|May|June|July|August|September|October|November|December"
# Without a number beside it, `march` and `may` are a month only where they begin with a capital.
_ALONE = _FULL.replace("March|", "(?-i:March)|").replace("May|", "(?-i:May)|")
# Short forms count beside a number only: `Mar` and `Dec` are names, `may` and `march` words.
_SHORT = "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec"
_MONTH = f"(?:{_FULL}|(?:{_SHORT})\\b\\.?)"
_DAY = "[0-9]{1,2}(?![0-9])"
_YEAR = "(?:19|20)[0-9]{2}(?![0-9])"
_TH = "(?:st|nd|rd|th)?"
_BEFORE = (
    "in",
    "of",
    "during",
    "since",
    "until",
    "till",
    "by",
    "from",
    "before",
    "after",
    "around",
    "last",
    "this",
)
_WORDS = "|".join(sorted(RELATIVE, key=lambda word: (-len(word), word)))

# Where several begin at one place, the first that fits is it.
_NUMBERS = (
    f"(?<![\\w./-])(?P<year1>{_YEAR})[-/](?P<month1>[0-9]{{1,2}})"
    f"(?:[-/](?P<day1>{_DAY}))?(?![0-9-])"
)
_SIGNS = (
    "(?:(?P<year2>(?:19|20)[0-9]{2})\\s?[年년]\\s?)?(?P<month2>[0-9]{1,2})\\s?[月월]"
    "(?:\\s?(?P<day2>[0-9]{1,2})\\s?[日号號일])?"
)
_YEAR_SIGN = "(?P<year3>(?:19|20)[0-9]{2})\\s?[年년]"
_DAY_FIRST = f"\\b(?P<day4>{_DAY}){_TH} (?:of )?(?P<month4>{_MONTH})(?:,? (?P<year4>{_YEAR}))?"
_MONTH_FIRST = f"\\b(?P<month5>{_MONTH}) (?P<day5>{_DAY}){_TH}(?:,? (?P<year5>{_YEAR}))?"
_PART_OF_MONTH = (
    "\\b(?:(?P<week>first|second|third|fourth|last) week (?:of|in) "
    "|(?P<third>early|beginning of|start of|mid|middle of|late|end of)[- ])"
    f"(?P<month6>{_MONTH})\\b(?:,? (?P<year6>{_YEAR}))?"
)
_MONTH_AND_YEAR = f"\\b(?P<month7>{_MONTH}),? (?P<year7>{_YEAR})"
_AFTER_ONE = "|".join(f"(?<=\\b{word} )" for word in _BEFORE)
_MONTH_ALONE = f"(?:{_AFTER_ONE})(?P<month8>{_ALONE})\\b"
_YEAR_ALONE = f"(?<![\\w./:-])(?P<year9>{_YEAR})(?![\\w./:-]*[\\w/:])"
_RELATIVE = f"(?<![A-Za-z])(?P<relative>{_WORDS})(?![A-Za-z])"

_SIGNS_OF_ONE = (*map(str.lower, _FULL.split("|")), *RELATIVE)


def may_name(text: str) -> bool:
    """Return whether a text has a sign of a date at all: most have none, and that is quick."""
    low = text.lower()
    return any(map(str.isdigit, low)) or any(word in low for word in _SIGNS_OF_ONE)


@functools.cache
def date_pattern() -> re.Pattern[str]:
    """Return the pattern of a date. Made when first needed: that takes milliseconds."""
    forms = (
        _NUMBERS,
        _SIGNS,
        _YEAR_SIGN,
        _DAY_FIRST,
        _MONTH_FIRST,
        _PART_OF_MONTH,
        _MONTH_AND_YEAR,
        _MONTH_ALONE,
        _YEAR_ALONE,
        _RELATIVE,
    )
    return re.compile("|".join(forms), re.IGNORECASE)
