"""Light in fibre: the least delay of a distance, and the buffer a lossless hop of that length needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from app.domain import sources as s
from app.domain.formulas import constants as c
from app.domain.formulas import inputs as i
from app.domain.formulas.formula import Band, Dimension, Example, Formula, Input
from app.domain.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

_DIRECT: Final = 1.15
_ROUTE_FACTOR: Final = 1.5  # on land 1.3 to 1.6; the best cable 1.06, short hops up to 3


def fibre_rtt_floor(*, distance: float) -> float:
    """Round trip that no line of this fibre length can beat: 9.79 µs/km, s. Group index 1.4682."""
    return c.FIBRE_RTT_PER_KM * distance


def route_rtt(*, distance: float, route_factor: float = _ROUTE_FACTOR, equipment: float = 0) -> float:
    """Round trip to expect from a great circle: 9.79 µs/km·km·route factor + equipment, s."""
    return c.FIBRE_RTT_PER_KM * distance * route_factor + equipment


def route_factor(*, rtt: float, distance: float) -> float:
    """How much longer than the great circle a line is: RTT/(9.79 µs·km); below 1 the claim is impossible."""
    return rtt / (c.FIBRE_RTT_PER_KM * distance)


def fibre_distance_limit(*, rtt: float) -> float:
    """Longest fibre a round trip allows: RTT / 9.79 µs, km."""
    return rtt / c.FIBRE_RTT_PER_KM


def _doubtful_route(values: Mapping[str, Any]) -> Text | None:
    factor = route_factor(rtt=values["rtt"], distance=values["distance"])
    if factor < 1:
        return Text("往返时延小于光在光纤中的下限，不可能。", "The round trip beats light in fibre: impossible.")
    if factor < _DIRECT:
        return Text("几乎是直线光缆，请索取光缆路由图。", "As good as a straight fibre: ask for the fibre map.")
    return None


def pfc_headroom(*, bandwidth: float, distance: float, mtu: float = 0, response_time: float = 0) -> float:
    """Buffer per lossless class and port: C/8·(2D + response) + 2·MTU, bytes. IEEE 802.1Qbb."""
    pause = 2 * c.FIBRE_DELAY_PER_KM * distance + response_time
    return bandwidth / c.BITS_PER_BYTE * pause + 2 * mtu


FORMULAS: tuple[Formula, ...] = (
    Formula(
        id="fibre_rtt_floor",
        title=Text("光纤往返时延下限", "Least round-trip time of the fibre"),
        function=fibre_rtt_floor,
        inputs=(i.DISTANCE,),
        result=Dimension.TIME,
        symbolic="RTT = 9.79 µs · km",
        validity=Text(
            "光缆长度不小于直线距离；陆地路由系数约 1.3 至 1.6。",
            "Fibre is at least the straight line; on land about 1.3 to 1.6 times as long.",
        ),
        source=s.FIBRE,
        band=Band(
            low=1,
            high=3.3,
            words=Text(
                "公开线路的实测为大圆下限的 1.06 至 3.2 倍。",
                "Published lines lie at 1.06 to 3.2 times the great-circle floor.",
            ),
            source=s.ROUTES,
        ),
        example=Example(inputs={"distance": 750}, expected=7.3425e-3, origin="9.79 µs × 500 km × 1.5"),
    ),
    Formula(
        id="route_rtt",
        title=Text("按直线距离估算的往返时延", "Round trip to expect from the distance"),
        function=route_rtt,
        inputs=(
            i.variant(i.DISTANCE, title=Text("直线（大圆）距离", "Great-circle distance")),
            Input(
                name="route_factor",
                dimension=Dimension.RATIO,
                title=Text("路由系数", "Route factor"),
                default=_ROUTE_FACTOR,
                low=1,
                high=10,
                advised_high=3,
            ),
            Input(
                name="equipment",
                dimension=Dimension.TIME,
                title=Text("设备往返时延", "Equipment, both ways"),
                default=0,
            ),
        ),
        result=Dimension.TIME,
        symbolic="RTT = 9.79 µs · km · f + t",
        validity=Text(
            "路由系数：陆地 1.3 至 1.6，最佳海缆 1.06，短距可达 3。",
            "Route factor: 1.3 to 1.6 on land, 1.06 on the best cable, up to 3 on short hops.",
        ),
        source=s.FIBRE,
        example=Example(inputs={"distance": 500}, expected=7.3425e-3, origin="9.79 µs × 500 km × 1.5"),
        band=Band(
            low=0.7,
            high=2.2,
            words=Text(
                "公开线路：实测为估算（系数 1.5）的 0.7 至 2.2 倍。",
                "Published lines: 0.7 to 2.2 times the estimate at a factor of 1.5.",
            ),
            source=s.ROUTES,
        ),
    ),
    Formula(
        id="route_factor",
        title=Text("由往返时延反推的路由系数", "Route factor behind a round trip"),
        function=route_factor,
        inputs=(
            i.RTT,
            i.variant(i.DISTANCE, title=Text("直线（大圆）距离", "Great-circle distance"), above_zero=True),
        ),
        result=Dimension.RATIO,
        symbolic="f = RTT / (9.79 µs · km)",
        validity=Text(
            "小于 1 不可能；小于 1.15 应索取光缆路由图；大于 3 应追问路由。",
            "Below 1 it is impossible; below 1.15 ask for the fibre map; above 3 ask for the route.",
        ),
        source=s.ROUTES,
        example=Example(inputs={"rtt": 9.79e-3, "distance": 625}, expected=1.6, origin="9.79 ms / (9.79 µs × 625)"),
        caution=_doubtful_route,
    ),
    Formula(
        id="fibre_distance_limit",
        title=Text("时延允许的最长光缆", "Longest fibre a round trip allows"),
        function=fibre_distance_limit,
        inputs=(i.RTT,),
        result=Dimension.LENGTH,
        symbolic="km = RTT / 9.79 µs",
        validity=Text("仅传播时延，不含设备时延。", "Propagation only, without equipment."),
        source=s.FIBRE,
        example=Example(inputs={"rtt": 9.79e-3}, expected=1000, origin="9.79 ms / 9.79 µs per km"),
    ),
    Formula(
        id="pfc_headroom",
        title=Text("PFC 缓存余量", "PFC buffer headroom"),
        function=pfc_headroom,
        inputs=(
            i.BANDWIDTH,
            i.DISTANCE,
            i.variant(i.MTU, title=Text("最大帧长", "Largest frame"), default=0, above_zero=False),
            Input(
                name="response_time",
                dimension=Dimension.TIME,
                title=Text("对端响应时间", "Response time of the far end"),
                default=0,
            ),
        ),
        result=Dimension.BYTES,
        symbolic="B = C/8 · (9.79 µs · km + t) + 2·MTU",
        validity=Text("每端口、每无损队列。", "Per port and lossless class."),
        source=s.PFC_CISCO,
        band=Band(
            low=0.99,
            high=1.01,
            words=Text(
                "与 Cisco 白皮书（10G、100 m：641 字节）一致。",
                "Agrees with the Cisco white paper (10G, 100 m: 641 bytes).",
            ),
            source=s.PFC_CISCO,
        ),
        example=Example(
            inputs={"bandwidth": 400e9, "distance": 500},
            expected=244.75e6,
            origin="50 GB/s × 9.79 µs × 500 = 244.75 MB",
        ),
    ),
)
