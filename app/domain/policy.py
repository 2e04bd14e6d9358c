"""What a buyer may change: grades of the checks, floors, reserve, cost terms, waivers. All else is fixed."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from app.domain import parameters as p
from app.domain.check_ids import CHECK_IDS
from app.domain.fields import Field, Kind, read_fields
from app.domain.problems import InputError, Problem
from app.domain.text import Text
from app.domain.weights import FACTOR_IDS, FULL, PASS_THEN_COST, PRESETS, weights_of

WAIVER_WORDS = 4
WEIGHT_SLACK = 1e-6
GRADES = ("gate", "key", "ordinary", "off")


def _number(param: p.Parameter, zh: str, en: str, name: str = "", **more: Any) -> Field:
    """A field whose default, unit, range and help are those of a registered parameter."""
    return Field(
        name=name or param.id, kind=more.pop("kind", Kind.NUMBER), title=Text(zh, en), help=param.meaning,
        unit=param.unit if param.unit != "1" else "", low=param.low, high=param.high, default=param.value,
        example=f"{param.value:g}", **more,
    )  # fmt: skip


POLICY_FIELDS: tuple[Field, ...] = (
    Field(name="preset", kind=Kind.CHOICE, title=Text("评审方式", "Preset"), help=Text("先过四步门槛，再按有效月成本或加权得分排名。", "Gates first, then rank by effective monthly cost or by weighted points."), choices=PRESETS, default=PASS_THEN_COST),
    Field(name="availability_floor", kind=Kind.NUMBER, title=Text("可用性下限", "Availability floor"), help=Text("留空按场景取默认值。", "Empty takes the default of the scenario."), low=0, high=1, example="0.999"),
    _number(p.RESERVE, "带宽预留系数", "Reserve"),
    _number(p.ROUTE_FACTOR, "路由系数", "Route factor"),
    _number(p.HOURS_PER_MONTH, "每月小时数", "Hours per month"),
    _number(p.DUTY, "任务占用率", "Duty"),
    _number(p.ARTICLE_EFFICIENCY, "文章通信效率", "Article's efficiency"),
    _number(p.ARTICLE_GRADIENT_BYTES, "文章梯度字节数", "Article's gradient bytes"),
    _number(p.HORIZON, "比较期", "Horizon", kind=Kind.INTEGER),
    Field(name="evaluation_date", kind=Kind.DATE, title=Text("评审日期", "Evaluation date"), help=Text("用于判断报价是否过期；留空不判断。", "Tells whether a quote has expired; empty leaves it open."), example="2026-12-01"),
    Field(name="deductible_tax", kind=Kind.FLAG, title=Text("进项税可抵扣", "Input VAT deductible"), help=Text("可抵扣时按不含税价比较。", "Compare net of VAT when it can be deducted."), default=True),
    Field(name="price_ceiling", kind=Kind.NUMBER, title=Text("最高限价", "Price ceiling"), help=Text("有效月成本上限；留空不设。", "Highest effective monthly cost; empty sets none."), low=0, high=1e12, example="1200000"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Waiver:
    """A named person's decision to let one check of one offer pass, with the reason; printed wherever used."""

    check: str
    vendor: str
    product: str | None
    by: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The buyer's rules for one assessment; every default is a registered parameter."""

    preset: str = "pass-then-cost"
    grades: dict[str, str] = field(default_factory=dict)
    availability_floor: float | None = None
    reserve: float = p.RESERVE.value
    route_factor: float = p.ROUTE_FACTOR.value
    hours_per_month: float = p.HOURS_PER_MONTH.value
    duty: float = p.DUTY.value
    article_efficiency: float = p.ARTICLE_EFFICIENCY.value
    article_gradient_bytes: float = p.ARTICLE_GRADIENT_BYTES.value
    horizon_months: int = int(p.HORIZON.value)
    evaluation_date: date | None = None
    rates: dict[str, Decimal] = field(default_factory=dict)
    deductible_tax: bool = True
    price_ceiling: float | None = None
    weights: dict[str, float] = field(default_factory=dict)
    waivers: tuple[Waiver, ...] = ()

    def waiver(self, check: str, vendor: str, product: str | None) -> Waiver | None:
        """The waiver for one check of one offer, or None."""
        return next(
            (w for w in self.waivers if (w.check, w.vendor, w.product or "") == (check, vendor, product or "")),
            None,
        )

    def as_json(self) -> dict[str, Any]:
        """The policy in the form of the contract, every field written out."""
        return {
            "preset": self.preset, "grades": dict(sorted(self.grades.items())),
            "availability_floor": self.availability_floor, "reserve": self.reserve,
            "route_factor": self.route_factor, "hours_per_month": self.hours_per_month, "duty": self.duty,
            "article_efficiency": self.article_efficiency, "article_gradient_bytes": self.article_gradient_bytes,
            "horizon_months": self.horizon_months,
            "evaluation_date": self.evaluation_date.isoformat() if self.evaluation_date else None,
            "rates": {k: float(v) for k, v in sorted(self.rates.items())},
            "deductible_tax": self.deductible_tax, "price_ceiling": self.price_ceiling,
            "weights": dict(sorted(self.weights.items())),
            "waivers": [
                {"check": w.check, "vendor": w.vendor, "product": w.product, "by": w.by, "reason": w.reason}
                for w in self.waivers
            ],
        }  # fmt: skip


def parse_policy(raw: object) -> Policy:
    """Build a policy from JSON (`None` = all defaults). Raises `InputError` with every problem."""
    if raw is None:
        return Policy()
    problems: list[Problem] = []
    if not isinstance(raw, dict):
        message = Text("评审规则应为 JSON 对象。", "A policy must be a JSON object.")
        raise InputError([Problem("NOT_AN_OBJECT", "policy", message)])
    nested = ("grades", "rates", "weights", "waivers")
    values = read_fields(POLICY_FIELDS, {k: v for k, v in raw.items() if k not in nested}, "policy", problems)
    grades = _mapping(raw, "grades", problems)
    for check, grade in grades.items():
        if check not in CHECK_IDS or grade not in GRADES:
            _add(
                problems,
                "BAD_GRADE",
                f"policy.grades.{check}",
                f"检查项或等级有误，等级只能是：{', '.join(GRADES)}。",
                f"No such check or grade; grades are: {', '.join(GRADES)}.",
            )
    rates: dict[str, Decimal] = {}
    for currency, rate in _mapping(raw, "rates", problems).items():
        if isinstance(rate, bool) or not isinstance(rate, (int, float)) or not 0 < rate < 1e6:  # noqa: PLR2004
            _add(
                problems,
                "BAD_RATE",
                f"policy.rates.{currency}",
                "汇率应为大于 0 的数字。",
                "A rate must be a number above zero.",
            )
        else:
            rates[str(currency).upper()] = Decimal(str(rate))
    weights = _weights(_mapping(raw, "weights", problems), str(values["preset"]), problems)
    waivers = _waivers(raw.get("waivers"), problems)
    day = _day(values.pop("evaluation_date"), problems)
    if problems:
        raise InputError(problems)
    return Policy(grades=grades, rates=rates, weights=weights, waivers=waivers, evaluation_date=day, **values)


def _add(problems: list[Problem], code: str, place: str, zh: str, en: str) -> None:
    problems.append(Problem(code, place, Text(zh, en)))


def _mapping(raw: dict[str, Any], name: str, problems: list[Problem]) -> dict[str, Any]:
    value = raw.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        _add(problems, "NOT_AN_OBJECT", f"policy.{name}", "应为 JSON 对象。", "This must be a JSON object.")
        return {}
    return value


def _weights(given: dict[str, Any], preset: str, problems: list[Problem]) -> dict[str, float]:
    """The buyer's own weights over those of the preset; all together they make 100."""
    if not given:
        return {}
    if preset == PASS_THEN_COST:
        _add(
            problems,
            "WEIGHTS_NOT_USED",
            "policy.weights",
            "「先过门槛，再比成本」不使用权重，请留空。",
            "“Pass, then cost” uses no weights; leave them empty.",
        )
        return {}
    found: dict[str, float] = {}
    for factor, weight in given.items():
        number = isinstance(weight, (int, float)) and not isinstance(weight, bool) and 0 <= weight <= FULL
        if factor in FACTOR_IDS and number:
            found[factor] = float(weight)
            continue
        _add(
            problems,
            "BAD_WEIGHT",
            f"policy.weights.{factor}",
            f"评分项或权重有误；权重为 0 到 100，评分项只能是：{', '.join(sorted(FACTOR_IDS))}。",
            f"No such factor or weight; weights lie in 0 to 100, factors are: {', '.join(sorted(FACTOR_IDS))}.",
        )
    total = sum(weights_of(preset, found).values())
    if len(found) == len(given) and abs(total - FULL) > WEIGHT_SLACK:
        _add(
            problems,
            "WEIGHTS_DO_NOT_ADD",
            "policy.weights",
            f"权重合计为 {total:g}，应为 100。",
            f"The weights add up to {total:g}; they must make 100.",
        )
    return found


def _day(raw: str | None, problems: list[Problem]) -> date | None:
    if raw is None:
        return None
    try:
        return date.fromisoformat(raw)
    except ValueError:
        _add(
            problems,
            "NOT_A_DATE",
            "policy.evaluation_date",
            "日期格式应为 2026-12-01。",
            "Write the date as 2026-12-01.",
        )
        return None


def _waivers(raw: object, problems: list[Problem]) -> tuple[Waiver, ...]:
    """Each waiver names an existing check, the vendor, the person and the reason."""
    found: list[Waiver] = []
    for index, item in enumerate(raw if isinstance(raw, list) else []):
        place = f"policy.waivers[{index}]"
        given = item if isinstance(item, dict) else {}
        words = [w for key in ("check", "vendor", "by", "reason") if isinstance(w := given.get(key), str) and w.strip()]
        if len(words) < WAIVER_WORDS or words[0] not in CHECK_IDS:
            _add(
                problems,
                "BAD_WAIVER",
                place,
                "豁免须写明检查项、供应商、批准人与理由。",
                "A waiver names the check, the vendor, the person and the reason.",
            )
            continue
        check, vendor, by, reason = words
        product = given.get("product")
        found.append(Waiver(check, vendor, product if isinstance(product, str) else None, by, reason))
    if raw is not None and not isinstance(raw, list):
        _add(problems, "NOT_A_LIST", "policy.waivers", "豁免应为列表。", "Waivers must be a list.")
    return tuple(found)
