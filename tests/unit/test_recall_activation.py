"""What use and feedback add to scores, and the bounds that they never leave."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from doll.recall.activation import (
    HORIZON,
    MODEL_MOST,
    MOST,
    RECALLED_MOST,
    Pull,
    pull,
    reinforced,
    use_of,
)
from doll.recall.ranking import Addition, Ranking, Statistics
from doll.recall.rows import Row
from doll.vault.signals import Use, Verdict

AS_OF = datetime(2026, 8, 20, 12, tzinfo=UTC)
TODAY = AS_OF.toordinal()
VERDICTS: tuple[Verdict, ...] = ("helpful", "irrelevant", "contradicted")
days = st.integers(TODAY - HORIZON - 3, TODAY + HORIZON + 3)
said = st.lists(st.tuples(days, st.sampled_from(VERDICTS)), max_size=9).map(tuple)
uses = st.builds(Use, st.lists(days, max_size=9, unique=True).map(tuple), said, said)
kind_uses = st.builds(
    Use,
    st.lists(days, max_size=9, unique=True).map(tuple),
    st.lists(st.tuples(days, st.just("helpful")), max_size=9).map(tuple),
    said,
)
scores = st.lists(st.integers(1, 3000) | st.integers(990, 1000), min_size=1, max_size=8)


def row(name: str, serial: int, **more: object) -> Row:
    return Row(f"confirmed/{name}.md", "", serial, 2, **more)  # type: ignore[arg-type]


def ranking(found: list[int]) -> tuple[Ranking, list[Row]]:
    """Return a ranking of records `r0`, `r1`, … with these scores."""
    rows = [row(f"r{n}", n + 1) for n in range(len(found))]
    return Ranking({n + 1: s for n, s in enumerate(found)}, Statistics(9, 9.0, {})), rows


def order(found: Ranking, rows: list[Row]) -> list[str]:
    return [r.id for r in sorted(rows, key=lambda r: (-found.scores[r.serial], r.id))]


def weighed(found: list[int], known: Mapping[str, Use]) -> tuple[Ranking, list[str], list[str]]:
    before, rows = ranking(found)
    after = reinforced(before, rows, known, AS_OF)
    return after, order(before, rows), order(after, rows)


named = st.dictionaries(st.sampled_from([f"r{n}" for n in range(8)]), uses)


@given(scores, st.dictionaries(st.sampled_from([f"r{n}" for n in range(8)]), kind_uses))
def test_the_best_match_stays_first_whatever_else_was_used(
    found: list[int], known: dict[str, Use]
) -> None:
    """Whatever models say of it, and though nobody ever used it."""
    _, before, after = weighed(found, known)
    assert after[0] == before[0]


@given(scores, named)
def test_only_the_users_own_word_against_it_takes_a_best_match_down(
    found: list[int], known: dict[str, Use]
) -> None:
    _, before, after = weighed(found, known)
    blamed = {name for name in before if pull(known.get(name, Use()), TODAY).user < 0}
    best = next((name for name in before if name not in blamed), None)
    if best is not None:
        behind = before[before.index(best) + 1 :]
        assert not set(behind) & set(after[: after.index(best)])


@given(scores, named)
def test_scores_stay_whole_near_what_they_were_and_are_the_sum_of_their_parts(
    found: list[int], known: dict[str, Use]
) -> None:
    after, *_ = weighed(found, known)
    for serial, score in enumerate(found, 1):
        assert type(after.scores[serial]) is int
        assert abs(after.scores[serial] - score) <= score * MOST // 1000
        added = after.additions.get(serial, ())
        assert after.scores[serial] == score + sum(one.points for one in added)


@given(scores, named, st.randoms())
def test_the_order_in_which_records_come_does_not_matter(
    found: list[int], known: dict[str, Use], random: st.DrawFn
) -> None:
    before, rows = ranking(found)
    mixed = sorted(rows, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert reinforced(before, mixed, known, AS_OF) == reinforced(before, rows, known, AS_OF)


@given(scores)
def test_without_signals_nothing_changes(found: list[int]) -> None:
    before, rows = ranking(found)
    assert reinforced(before, rows, {}, AS_OF) == before


@given(uses)
def test_each_part_is_bounded_and_later_signals_count_for_nothing(use: Use) -> None:
    found = pull(use, TODAY)
    assert 0 <= found.recalled <= RECALLED_MOST
    assert abs(found.model) <= MODEL_MOST
    assert abs(found.user) <= 1000
    assert abs(found.whole) <= 1000
    past = Use(
        tuple(day for day in use.recalled if day <= TODAY),
        tuple(one for one in use.user if one[0] <= TODAY),
        tuple(one for one in use.model if one[0] <= TODAY),
    )
    assert pull(past, TODAY) == found


def test_the_users_own_word_takes_the_best_match_down() -> None:
    for verdict, order_after in (("irrelevant", ["r1", "r0"]), ("helpful", ["r0", "r1"])):
        said: dict[str, Use] = {"r0": Use(user=((TODAY, cast("Verdict", verdict)),))}
        assert weighed([1000, 950], said)[2] == order_after
    said = {"r0": Use(user=((TODAY, "irrelevant"),)), "r1": Use(user=((TODAY, "contradicted"),))}
    after, *_ = weighed([1000, 950], said)
    assert after.scores == {1: 900, 2: 808}


def test_a_used_record_passes_one_that_matches_as_well_as_it() -> None:
    helpful = {"r2": Use((), ((TODAY, "helpful"),))}
    after, before, order_after = weighed([2000, 1010, 1000], helpful)
    assert (before, order_after) == (["r0", "r1", "r2"], ["r0", "r2", "r1"])
    assert after.additions == {3: (Addition("feedback", "you (helpful 1)", 50),)}


def test_the_user_weighs_more_than_a_model_and_words_against_more_than_words_for() -> None:
    one: dict[Verdict, tuple[tuple[int, Verdict], ...]] = {v: ((TODAY, v),) for v in VERDICTS}
    each = {
        **{("user", v): pull(Use(user=said), TODAY).whole for v, said in one.items()},
        **{("model", v): pull(Use(model=said), TODAY).whole for v, said in one.items()},
    }
    for verdict in VERDICTS:
        assert abs(each["user", verdict]) > abs(each["model", verdict])
    for giver in ("user", "model"):
        assert each[giver, "contradicted"] < each[giver, "irrelevant"] < 0
        assert each[giver, "helpful"] < -each[giver, "irrelevant"]


def test_neither_all_recalls_nor_all_models_outweigh_one_word_of_the_user() -> None:
    always = tuple(range(TODAY - HORIZON, TODAY + 1))
    assert pull(Use(always), TODAY) == Pull(RECALLED_MOST)
    signs: dict[Verdict, int] = {"helpful": 1, "irrelevant": -1, "contradicted": -1}
    for verdict, sign in signs.items():
        every_day: tuple[tuple[int, Verdict], ...] = tuple((day, verdict) for day in always)
        assert pull(Use(model=every_day), TODAY) == Pull(model=sign * MODEL_MOST)
    one = min(abs(pull(Use(user=((TODAY, said),)), TODAY).user) for said in VERDICTS)
    assert one > max(RECALLED_MOST, MODEL_MOST)


def test_signals_fade_by_whole_days() -> None:
    worth = [pull(Use((), ((TODAY - d, "helpful"),)), TODAY).user for d in range(HORIZON + 2)]
    assert worth == sorted(worth, reverse=True)
    assert (worth[0], worth[1], worth[14], worth[-1]) == (250, 237, 124, 0)
    midnight = datetime(2026, 8, 20, tzinfo=UTC)
    before, rows = ranking([1000, 900])
    known = {"r1": Use((), ((TODAY - 9, "helpful"),))}
    assert reinforced(before, rows, known, midnight) == reinforced(before, rows, known, AS_OF)


def test_what_is_held_back_is_said() -> None:
    loved = Use((), tuple((TODAY - d, "helpful") for d in range(9)))
    after, *_ = weighed([1000, 990], {"r1": loved})
    assert after.scores[2] == 999
    assert after.additions[2][-1] == Addition("use", "the best match stays first", -189)
    disliked = Use((), (), ((TODAY, "contradicted"),))
    after, *_ = weighed([1000, 990], {"r0": disliked})
    assert after.additions[1][-1] == Addition("use", "the best match stays first", 40)
    after, *_ = weighed([1000, 990], {"r0": loved})
    assert after.scores[1] == 1200
    both = loved._replace(recalled=(TODAY,))
    for found, known, serial in (([1000, 990], "r0", 1), ([9000, 1000], "r1", 2)):
        after, *_ = weighed(found, {known: both})
        assert after.scores[serial] == 1200
        limit = Addition("use", "a fifth of the score at most", -5)
        assert after.additions[serial][-1] == limit


def test_a_record_is_known_under_its_aliases_and_a_candidate_under_nothing() -> None:
    old, new = Use((TODAY,)), Use((TODAY - 1, TODAY), ((TODAY, "helpful"),))
    renamed = row("New-Name", 1, aliases=("old-name",))
    assert use_of(renamed, {"old-name": old, "new-name": new, "x": Use((1,))}) == new
    inner = Row("staging/pam/i/x.md", "", 1, 2)
    assert use_of(inner, {"i/x": new}) == Use()
