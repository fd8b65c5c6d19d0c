"""Words that ask rather than name: dropped from queries, never from what is indexed.

English function and question words, and the question phrases of unspaced scripts. The tokenizer's
version covers these lists as well: they change which terms a query has.
"""

import re

# Closed word classes only: articles, pronouns, auxiliaries, question words, conjunctions, short
# prepositions. A list with common verbs (`find`, `know`, `get`) finds less, measured on dialogues.
ENGLISH = frozenset(
    """
    a an the this that these those
    i me my mine myself you your yours yourself he him his himself she her hers herself
    it its itself we us our ours they them their theirs
    am is are was were be been being do does did doing done have has had having
    can could may might must shall should will would
    isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't couldn't won't
    wouldn't shouldn't
    what which who whom whose when where why how whatever whether many much
    and or but if then than so as of about at by for from in into on to with up out
    there here not no
    """.split()  # noqa: SIM905 - a list of words reads best as words
)

_CHINESE = (
    "什么时候 什麼時候 为什么 為什麼 什么 什麼 哪里 哪裡 哪儿 哪個 哪个 哪些 怎么样 怎麼樣 怎么 "
    "怎麼 怎样 怎樣 如何 多少 几时 谁 誰 吗 嗎 呢 请问 請問 我的 是否"
)
_JAPANESE = (
    "ですか ますか でしたか ましたか ませんか でしょうか のですか 何ですか なんですか どのように "
    "どうやって どこ どれ どの どう だれ いつ なぜ なに 何 誰 教えて ください"
)
_KOREAN = "무엇 무슨 어디 언제 누구 어떻게 어떤 왜 인가요 입니까 습니까 나요"
_THAI = "อะไร ที่ไหน เมื่อไหร่ เมื่อไร ใคร ทำไม อย่างไร ยังไง หรือเปล่า ไหม"

PHRASES = re.compile(
    "|".join(
        sorted(
            f"{_CHINESE} {_JAPANESE} {_KOREAN} {_THAI}".split(),
            key=lambda phrase: (-len(phrase), phrase),
        )
    )
)
