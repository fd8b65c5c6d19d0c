"""English verbs whose forms no stemmer joins: `went` is found by `go`. Values only.

Forms that are as much another word (`led`, `bit`, `rose`, `wound`) are left out, and so are those
of `be`, `do` and `have`, which queries drop. The tokenizer's version covers this list.
"""

_FORMS = """
become became, begin began begun, bend bent, blow blew blown, break broke broken,
bring brought, build built, burn burnt, buy bought, catch caught, choose chose chosen,
come came, creep crept, deal dealt, dig dug, draw drew drawn, dream dreamt, drink drank drunk,
drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight fought,
find found, flee fled, fly flew flown, forbid forbade forbidden, forget forgot forgotten,
forgive forgave forgiven, freeze froze frozen, get got gotten, give gave given, go went gone,
grow grew grown, hang hung, hear heard, hide hid hidden, hold held, keep kept, kneel knelt,
know knew known, lay laid, leap leapt, learn learnt, leave left, lend lent, lose lost,
make made, mean meant, meet met, pay paid, ride rode ridden, ring rang rung, run ran, say said,
see saw seen, seek sought, sell sold, send sent, sew sewn, shake shook shaken, shine shone,
shoot shot, show shown, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat,
sleep slept, slide slid, speak spoke spoken, spend spent, spin spun, stand stood,
steal stole stolen, stick stuck, sting stung, strike struck, swear swore sworn, sweep swept,
swim swam swum, swing swung, take took taken, teach taught, tear tore torn, tell told,
think thought, throw threw thrown, understand understood, wake woke woken, wear wore worn,
weep wept, win won, write wrote written
"""

# A form to the verb that it is of.
BASE = {
    form: base for base, *forms in (verb.split() for verb in _FORMS.split(",")) for form in forms
}
