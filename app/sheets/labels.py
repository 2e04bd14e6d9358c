"""What a label or heading says: its role in a table, the metric it names and how sure that is."""

from __future__ import annotations

import re
from typing import Final

from app.sheets import words
from app.sheets.attributes import remainder
from app.sheets.folding import fold, lowered
from app.sheets.lexicon import Hit, Label, labels_in
from app.sheets.numbers import figures
from app.sheets.segments import SEGMENT, segment_of

_ROLE_OF: Final = {
    lowered(fold(w)).replace(" ", ""): role for role, text in words.ROLES.items() for w in text.split("|")
}
_REQUIREMENT: Final = re.compile(r"要求|需求|招标|采购|requirement|required|requested|tender|rfp|rfq|buyer")
RESPONSE: Final = re.compile(r"响应|应答|投标|报价|response|offered|bid\b|proposal|answer")
_PROMISED: Final = re.compile(r"承诺|保证|响应|应答|guarantee|committed|offered")
_OBSERVED: Final = re.compile(r"实测|实际|历史|\bmeasured\b|\bactual|\bachieved\b|\bobserved\b")
_YEAR: Final = re.compile(
    r"(?<!\d)(?:(?:19|20)\d{2}|fy ?\d{2,4})(?!\d)\s*(?:年度?|财年)?|第[一二三四]季度|\bq[1-4]\b|[上下]半年"
)
_ROUTE: Final = Label(metric=None, words="", topic="route")
MAX_LABEL = 64
_COMPARED: Final = re.compile(
    r"(?:<=|>=|[<>=≤≥]|应?(?:不(?:得)?(?:低于|高于|小于|大于|少于|超过)|小于等于|大于等于|小于|大于|低于|高于|优于)|至少|为"
    r"|no (?:less|more) than|not (?:exceed|less than|more than)|at (?:least|most)|better than|up to|within)\s*$",
    re.IGNORECASE,
)
CLEAN, NEAR, FUZZY = 0.97, 0.95, 0.87  # how sure a label is: itself, with known words beside it, with others


def role_of(text: str) -> str:
    """The role that a heading names, or an empty string; every part of a double heading must name the same."""
    low = lowered(fold(text))
    if _REQUIREMENT.search(low) and not RESPONSE.search(low):
        return "requirement"
    bare = re.sub(r"[(（][^)）]*[)）]", "", low)
    undated = _YEAR.sub(" ", bare)
    if undated != bare and not undated.strip(" -_/至~年度"):
        return "year"
    bare = undated
    latin, other = re.sub(r"[^a-z' ]", "", bare), re.sub(r"[a-z' ]", "", bare)
    for parts in ([low], [bare], [latin, other], bare.split("/")):
        roles = {_ROLE_OF.get(p.replace(" ", "").strip(":：*"), "") for p in parts if p.strip()}
        if len(roles) == 1 and "" not in roles:
            return roles.pop()
    named = {_ROLE_OF.get(p.strip().replace(" ", ""), "") for p in bare.split("/")}
    if bare.count("/") == 1 and named in ({"", "vendor"}, {"", "product"}) and not labels_in(bare):
        return max(named)  # the other part is another language
    if _OBSERVED.search(low) and not _PROMISED.search(low) and len(low) <= MAX_LABEL:
        return "observed"
    return "response" if RESPONSE.search(low) and len(low) <= MAX_LABEL else ""


def label_of(text: str) -> tuple[Label | None, float]:
    """The metric a label cell names and how sure that is; None for values, sentences and double labels."""
    folded = fold(text)
    hits = [h for h in labels_in(folded) if h.label.metric]
    if len(folded) > MAX_LABEL or "。" in folded or valued(folded):
        return None, 0.0
    if segment_of(folded) is not None:
        return SEGMENT, CLEAN
    if not hits:
        return (_ROUTE, NEAR) if words.PHRASE_LABEL.search(lowered(folded)) else (None, 0.0)
    plain = [h for h in hits if not _inside_brackets(folded, h)] or hits
    metrics = {h.label.metric for h in plain}
    if len(metrics) > 1 and not metrics <= {"rtt", "one_way_delay"}:
        return _one_of(folded, plain)
    best = max(plain, key=lambda h: (h.label.direction is not None, len(h.word)))
    return best.label, _certainty(folded, hits)


def _one_of(text: str, hits: list[Hit]) -> tuple[Label | None, float]:
    """Two metrics in one label: the last one when the first only qualifies it, none when they are joined."""
    if re.search(r"[/、&+]|和|与|及|\band\b", text):
        return None, 0.0
    return hits[-1].label, FUZZY


def valued(folded: str) -> bool:
    """A cell with a figure and a unit is a value, unless the figure stands in brackets."""
    outside = re.sub(r"[(（][^)）]*[)）]", "", folded)
    return any(f.unit is not None and f.dimension not in {"count", "calendar"} for f in figures(outside))


def _inside_brackets(text: str, hit: Hit) -> bool:
    return text.count("(", 0, hit.start) > text.count(")", 0, hit.start)


def _certainty(text: str, hits: list[Hit]) -> float:
    rest = list(lowered(text))
    for hit in hits:
        rest[hit.start : hit.end] = " " * (hit.end - hit.start)
    left = re.sub(r"[(（\[][^)）\]]*[)）\]]", " ", "".join(rest))
    for table in (words.STATISTIC, words.DIRECTION, words.SCOPE, words.PERIOD, words.COMMITMENT):
        for pattern, _ in table:
            left = pattern.sub(" ", left)
    left = re.sub(
        r"指标|参数|网络|专线|电路|链路|线路|服务|端口|最大|最小|值|率|的|每月|业务|故障|p\d\d|ratio|rate|service|monthly|time",
        " ",
        left,
    )
    chars = [c for c in left if c.isalnum()]
    if not chars:
        return CLEAN
    return NEAR if len(chars) <= (6 if any(c > "\u2e80" for c in chars) else 14) else FUZZY


def asked_label(text: str) -> tuple[Label | None, float]:
    """The metric that a requirement such as 往返时延≤8ms asks for, read from its words before the figure."""
    return label_of(words_before_figure(text))


def words_before_figure(text: str) -> str:
    """A requirement without its figure and the comparison before it: 丢包率≤0.001% → 丢包率."""
    folded = fold(text)
    found = figures(folded)
    head = folded[: found[0].start] if found else folded
    return _COMPARED.sub("", head).strip(" :：,，(（")


def _only_attributes(text: str) -> bool:
    return not remainder(fold(text))


def condition_of(text: str) -> str:
    """The condition a label carries: "Availability (single circuit)", "12 months MRC"."""
    folded = fold(text)
    parts = re.findall(r"[(（]([^()（）]+)[)）]", folded) + re.split(r"[,，;；]| - ", folded)[1:]
    found = [b.strip() for b in parts if words.CONDITION.search(lowered(b)) and not _only_attributes(b)]
    found += [folded[f.start : f.end].strip() for f in figures(folded) if f.dimension == "calendar"]
    return "; ".join(found)
