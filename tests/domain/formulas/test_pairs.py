"""Two ways to the same figure agree: inverses, sums of parts, special cases, and published values of the models."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.domain.formulas.collectives import line_allreduce_time, ring_allreduce_bytes, ring_allreduce_time
from app.domain.formulas.compute import model_flops_utilization, step_compute_time, training_time
from app.domain.formulas.delay import fibre_rtt_floor, pfc_headroom, route_factor, route_rtt
from app.domain.formulas.exchanges import (
    all_to_all_time,
    broadcast_time,
    halving_doubling_time,
    message_rate,
    ring_scatter_bytes,
    ring_scatter_time,
)
from app.domain.formulas.hashing import expected_fullest_path, fair_share, hashing_loss
from app.domain.formulas.jitter import expected_maximum_normal, jitter_step_delay
from app.domain.formulas.jitter_tails import (
    expected_maximum_exponential,
    expected_maximum_pareto,
    jitter_rounds,
    jitter_sigma,
    normal_maximum_bound,
    rtt_rise_cost,
)
from app.domain.formulas.line import bandwidth_floor, rtt_limit, sync_budget, sync_time, utilization
from app.domain.formulas.local_sgd import local_sgd_utilization
from app.domain.formulas.pipeline import (
    pipeline_bubble_share,
    pipeline_message_bytes,
    pipeline_plain_time,
    pipeline_step_time,
    pipeline_warmup_needed,
)
from app.domain.formulas.placement import (
    site_egress_data,
    site_egress_expert,
    site_egress_fsdp,
    site_egress_local_sgd,
    site_egress_pipeline,
    site_egress_tensor,
)
from app.domain.formulas.registry import BY_ID
from app.domain.formulas.retransmission import (
    erasure_block_failure,
    selective_repeat_message_time,
    selective_repeat_rounds,
)
from app.domain.formulas.sharing import oversubscription_ratio
from app.domain.formulas.sites import (
    flat_ring_border_bytes,
    mesh_allreduce_time,
    mesh_line_bytes,
    mesh_lines,
    one_shot_exchange_bytes,
    one_shot_exchange_time,
    two_level_allreduce_time,
    wrong_order_border_bytes,
)
from app.domain.formulas.stacks import ipsec_gcm_bytes
from app.domain.formulas.strategies import (
    ddp_step_bytes,
    expert_layer_bytes,
    pipeline_break_even,
    tensor_layer_bytes,
    zero2_step_bytes,
    zero3_step_bytes,
)
from app.domain.formulas.throughput import model_step_time
from app.domain.formulas.transport import bandwidth_delay_product, window_throughput
from app.domain.formulas.vanilla import compressed_sync_time, local_sgd_share, local_sgd_stall
from app.domain.formulas.windows import nccl_buffer_rate, pfc_distance_limit, tcp_streams_needed, window_needed

SIZE = st.floats(1e3, 1e15)
RATE = st.floats(1e6, 1e14)
HOP = st.floats(0, 1)
RANKS = st.integers(1, 100_000)
SITES = st.integers(2, 64)
SMALL = st.integers(1, 64)
TIME = st.floats(1e-3, 1e3)
near = pytest.approx


class TestCollectives:
    @given(size=SIZE, ranks=RANKS, rate=RATE, hop=HOP)
    def test_all_reduce_is_scatter_and_gather(self, size: float, ranks: int, rate: float, hop: float) -> None:
        half = ring_scatter_time(size=size, ranks=ranks, bandwidth=rate, hop_latency=hop)
        assert ring_allreduce_time(size=size, ranks=ranks, bandwidth=rate, hop_latency=hop) == near(2 * half)
        assert ring_allreduce_bytes(size=size, ranks=ranks) == near(2 * ring_scatter_bytes(size=size, ranks=ranks))
        assert all_to_all_time(size=size, ranks=ranks, bandwidth=rate, hop_latency=hop) == near(half)

    @given(size=SIZE, power=st.integers(1, 16), rate=RATE, hop=HOP)
    def test_halving_doubling_differs_by_its_hops(self, size: float, power: int, rate: float, hop: float) -> None:
        ranks = 2**power
        ring = ring_allreduce_time(size=size, ranks=ranks, bandwidth=rate, hop_latency=hop)
        ours = halving_doubling_time(size=size, ranks=ranks, bandwidth=rate, hop_latency=hop)
        assert ring - ours == near(2 * (ranks - 1 - power) * hop, abs=1e-9 * ring)

    @given(size=SIZE, rate=RATE, hop=HOP)
    def test_a_message_takes_its_size_over_its_rate(self, size: float, rate: float, hop: float) -> None:
        time = broadcast_time(size=size, bandwidth=rate, hop_latency=hop)
        assert 8 * size / message_rate(size=size, bandwidth=rate, hop_latency=hop) == near(time)


class TestSites:
    @given(size=SIZE, n=SMALL, local=RATE, k=SITES, rate=RATE, hop=HOP)
    def test_two_levels_are_three_steps(
        self, size: float, n: int, local: float, k: int, rate: float, hop: float
    ) -> None:
        inside = ring_scatter_time(size=size, ranks=n, bandwidth=local, hop_latency=1e-5)
        # each of n ranks holds S/n and has W/n of the line: the same time as S over W
        across = line_allreduce_time(size=size / n, sites=k, bandwidth=rate / n, hop_latency=hop)
        whole = two_level_allreduce_time(
            size=size, ranks_per_site=n, local_bandwidth=local, local_hop_latency=1e-5,
            sites=k, bandwidth=rate, hop_latency=hop,
        )  # fmt: skip
        assert whole == near(inside + across + inside)

    @given(size=SIZE, k=SITES, rate=RATE)
    def test_line_time_is_egress_over_rate(self, size: float, k: int, rate: float) -> None:
        assert line_allreduce_time(size=size, sites=k, bandwidth=rate) == near(
            8 * site_egress_data(size=size, sites=k) / rate
        )

    @given(size=SIZE, k=SITES, rate=RATE, hop=HOP)
    def test_mesh(self, size: float, k: int, rate: float, hop: float) -> None:
        egress = site_egress_data(size=size, sites=k)
        assert (k - 1) * mesh_line_bytes(size=size, sites=k) == near(egress)
        # every site's egress together fills every line in both directions
        assert 2 * mesh_lines(sites=k) * mesh_line_bytes(size=size, sites=k) == near(k * egress)
        ours = mesh_allreduce_time(size=size, sites=k, bandwidth=rate, hop_latency=hop)
        # k−1 lines of this rate carry the egress together, with two hops in place of 2(k−1)
        assert ours == near(8 * egress / ((k - 1) * rate) + 2 * hop)
        hub = line_allreduce_time(size=size, sites=k, bandwidth=(k - 1) * rate, hop_latency=hop)
        assert ours <= hub * (1 + 1e-12)

    @given(size=SIZE, rate=RATE, hop=HOP)
    def test_one_shot_at_two_sites(self, size: float, rate: float, hop: float) -> None:
        assert one_shot_exchange_bytes(size=size, sites=2) == near(site_egress_data(size=size, sites=2))
        both = line_allreduce_time(size=size, sites=2, bandwidth=rate, hop_latency=hop)
        assert both - one_shot_exchange_time(size=size, bandwidth=rate, hop_latency=hop) == near(hop, abs=1e-9 * both)

    @given(size=SIZE, k=SITES, n=SMALL)
    def test_flat_ring(self, size: float, k: int, n: int) -> None:
        flat = flat_ring_border_bytes(size=size, ranks=k * n)
        assert wrong_order_border_bytes(size=size, ranks=k * n, sites=k, crossings=k) == near(flat)
        assert flat >= site_egress_data(size=size, sites=k) * (1 - 1e-12)
        # two sites: 2(N−1)/N times the two-level bytes, which is towards twice
        two = flat_ring_border_bytes(size=size, ranks=2 * n)
        assert two / site_egress_data(size=size, sites=2) == near(2 * (2 * n - 1) / (2 * n))


class TestStrategies:
    @given(size=SIZE, d=RANKS, m=SMALL)
    def test_zero_volumes(self, size: float, d: int, m: int) -> None:
        ddp = ddp_step_bytes(size=size, data_parallel=d)
        assert ddp == near(ring_allreduce_bytes(size=size, ranks=d))
        assert zero2_step_bytes(size=size, data_parallel=d, micro_batches=1) == near(ddp)
        assert zero3_step_bytes(size=size, data_parallel=d, micro_batches=m) == near(1.5 * m * ddp)
        # the same sharding stretched over sites instead of GPUs
        assert zero3_step_bytes(size=size, data_parallel=d, micro_batches=m) == near(
            site_egress_fsdp(size=size, sites=d, micro_batches=m)
        )

    @given(layers=SMALL, m=SMALL, mb=SMALL, s=st.integers(1, 8192), h=st.integers(1, 20_000), t=SMALL)
    def test_tensor_layers_make_the_egress(self, layers: int, m: int, mb: int, s: int, h: int, t: int) -> None:
        layer = tensor_layer_bytes(
            tensor_parallel=t, sequence_length=s, hidden_size=h, bytes_per_element=2, micro_batch=mb
        )
        egress = site_egress_tensor(
            layers=layers, tokens=m * mb * s, tensor_parallel=t, hidden_size=h, bytes_per_element=2
        )
        assert egress == near(layers * m * layer)

    @given(g=st.integers(1, 10**7), h=st.integers(1, 20_000), experts=st.integers(1, 16), layers=SMALL, k=SITES)
    def test_expert_layers_make_the_egress(self, g: int, h: int, experts: int, layers: int, k: int) -> None:
        layer = expert_layer_bytes(tokens=g, hidden_size=h, experts_per_token=experts)
        egress = site_egress_expert(tokens=g, hidden_size=h, moe_layers=layers, experts_per_token=experts, sites=k)
        # each site holds 1/k of the tokens and sends (k−1)/k of its copies away
        assert egress == near(layers * layer * (k - 1) / k**2)

    @given(g=st.integers(1, 10**8), h=st.integers(1, 20_000), b=st.sampled_from([1, 2, 4]))
    def test_break_even_of_pipeline_and_data(self, g: int, h: int, b: int) -> None:
        parameters = pipeline_break_even(tokens=g, hidden_size=h, gradient_bytes=b, activation_bytes=2)
        assert site_egress_data(size=parameters * b, sites=2) == near(
            site_egress_pipeline(tokens=g, hidden_size=h, bytes_per_element=2)
        )

    @given(m=SMALL, mb=SMALL, s=st.integers(1, 8192), h=st.integers(1, 20_000))
    def test_messages_make_the_egress(self, m: int, mb: int, s: int, h: int) -> None:
        message = pipeline_message_bytes(sequence_length=s, hidden_size=h, bytes_per_element=2, micro_batch=mb)
        assert site_egress_pipeline(tokens=m * mb * s, hidden_size=h, bytes_per_element=2) == near(m * message)


class TestPipeline:
    @given(p=st.integers(2, 64), m=st.integers(1, 256), cut=SMALL, delay=st.floats(0, 5), tf=TIME, tb=TIME)
    def test_full_warm_up_leaves_two_delays(self, p: int, m: int, cut: int, delay: float, tf: float, tb: float) -> None:
        assume(cut < p)
        extra = pipeline_warmup_needed(one_way_delay=delay, forward_time=tf, backward_time=tb)
        plain = pipeline_plain_time(stages=p, micro_batches=m, forward_time=tf, backward_time=tb)

        def step(e: float, d: float) -> float:
            return pipeline_step_time(
                stages=p, micro_batches=m, cut_stage=cut, one_way_delay=d, extra_warmup=e, forward_time=tf,
                backward_time=tb,
            )  # fmt: skip

        assert step(extra, delay) == near(plain + 2 * delay)
        assert step(0, 0) == near(plain)
        assert step(0, delay) == near(plain + delay * max(2, m - (p - cut) + 2))
        share = pipeline_bubble_share(stages=p, micro_batches=m)
        assert plain == near(m * (tf + tb) * (1 + share))


class TestLocalSgd:
    @given(
        parameters=st.floats(1e8, 1e12), layers=st.integers(1, 100), t=st.floats(0.1, 60), h=st.integers(1, 500),
        bits=st.sampled_from([4, 8, 16, 32]), rate=st.floats(1e8, 1e13), latency=st.floats(0, 0.5),
    )  # fmt: skip
    def test_schedule_of_one_fragment_is_the_closed_form(
        self, parameters: float, layers: int, t: float, h: int, bits: int, rate: float, latency: float
    ) -> None:
        size = site_egress_local_sgd(parameters=parameters, bits=bits, sites=2)
        stall = local_sgd_stall(
            size=size, bandwidth=rate, step_compute_time=t, layers=layers, hops=1, one_way_delay=latency
        )
        closed = local_sgd_share(step_compute_time=t, sync_interval=h, stall=stall)
        schedule = local_sgd_utilization(
            parameters=parameters, layers=layers, step_compute_time=t, sync_interval=h, bits=bits, bandwidth=rate,
            fragment_layers=layers, latency=latency,
        )  # fmt: skip
        assert schedule == near(closed, rel=1e-9)

    @given(size=SIZE, rate=RATE)
    def test_no_compression_and_a_fast_codec_is_a_transfer(self, size: float, rate: float) -> None:
        time = compressed_sync_time(size=size, reduction=1, bandwidth=rate, codec_rate=1e30)
        assert time == near(BY_ID["transfer_time"](size=size, bandwidth=rate))


class TestLine:
    @given(size=SIZE, budget=st.floats(1, 100), hops=st.integers(1, 10), rtt=st.floats(1e-4, 0.1))
    def test_the_floor_just_meets_the_budget(self, size: float, budget: float, hops: int, rtt: float) -> None:
        floor = bandwidth_floor(size, budget, hops, rtt)
        assert sync_time(size, floor, hops, rtt, 0) == near(budget)
        # and the other way round: at that rate this is the longest round trip
        assert rtt_limit(size, floor, hops, budget) == near(rtt, rel=1e-6, abs=1e-9 * budget)

    @given(step=TIME, target=st.floats(0.01, 0.999), h=st.integers(1, 1000))
    def test_the_budget_just_meets_the_target(self, step: float, target: float, h: int) -> None:
        exposed = sync_budget(step, target, 0, h)
        assert utilization(step, exposed, h) == near(target)

    @given(hops=st.integers(1, 100), rtt=st.floats(1e-4, 1), rise=st.floats(1e-6, 1))
    def test_a_longer_round_trip_costs_its_hops(self, hops: int, rtt: float, rise: float) -> None:
        added = sync_time(1e9, 1e10, hops, rtt + rise, 0) - sync_time(1e9, 1e10, hops, rtt, 0)
        assert added == near(rtt_rise_cost(hops=hops, rtt_rise=rise), rel=1e-6, abs=1e-12)


class TestTransport:
    @given(rate=RATE, distance=st.floats(0.1, 1e4), mtu=st.floats(64, 9216), wait=st.floats(0, 1e-3))
    def test_pfc_distance_and_headroom(self, rate: float, distance: float, mtu: float, wait: float) -> None:
        buffer = pfc_headroom(bandwidth=rate, distance=distance, mtu=mtu, response_time=wait)
        again = pfc_distance_limit(buffer=buffer, bandwidth=rate, mtu=mtu, response_time=wait)
        assert again == near(distance, rel=1e-6, abs=1e-4)

    @given(rate=RATE, rtt=st.floats(1e-5, 1), streams=SMALL)
    def test_windows(self, rate: float, rtt: float, streams: int) -> None:
        window = window_needed(bandwidth=rate, rtt=rtt, streams=streams)
        assert streams * window == near(bandwidth_delay_product(bandwidth=rate, rtt=rtt))
        assert window_throughput(window=streams * window, rtt=rtt) == near(rate)
        assert nccl_buffer_rate(channels=streams, rtt=rtt, buffer=window) == near(rate)

    @given(rate=RATE, stream=RATE)
    def test_streams_fill_the_line_and_one_fewer_does_not(self, rate: float, stream: float) -> None:
        streams = tcp_streams_needed(bandwidth=rate, stream_rate=stream)
        assert streams * stream >= rate * (1 - 1e-12)
        assert (streams - 1) * stream < rate

    @given(loss=st.floats(1e-9, 0.5), packets=st.integers(1, 10**9))
    def test_rounds(self, loss: float, packets: int) -> None:
        rounds = selective_repeat_rounds(packets=packets, packet_loss=loss)
        assert selective_repeat_rounds(packets=1, packet_loss=loss) == near(loss / (1 - loss))
        # no more than every packet's own retries, no fewer than one packet's
        assert loss / (1 - loss) * (1 - 1e-9) <= rounds <= packets * loss / (1 - loss) * (1 + 1e-9)

    @given(size=SIZE, rate=RATE)
    def test_without_loss_a_message_is_a_transfer(self, size: float, rate: float) -> None:
        time = selective_repeat_message_time(size=size, bandwidth=rate, rtt=0.1, packet_loss=0, mtu=4096, timeout=1)
        assert time == near(8 * size / rate)

    @given(
        data=st.integers(1, 30), parity=st.integers(0, 30), loss=st.fractions(0, Fraction(1, 2), max_denominator=1000)
    )
    def test_erasure_failure_is_the_binomial_tail(self, data: int, parity: int, loss: Fraction) -> None:
        sent = data + parity
        exact = sum(
            math.comb(sent, lost) * loss**lost * (1 - loss) ** (sent - lost) for lost in range(parity + 1, sent + 1)
        )
        ours = erasure_block_failure(data_packets=data, parity_packets=parity, packet_loss=float(loss))
        assert ours == near(float(exact), rel=1e-9, abs=1e-15)

    @pytest.mark.parametrize("packet", range(60, 1500, 7))
    def test_ipsec_ends_on_four_bytes(self, packet: int) -> None:
        added = ipsec_gcm_bytes(packet=packet)
        assert 54 <= added <= 57
        # what is encrypted, the packet with padding, pad length and next header, is a multiple of four
        assert (packet + added - 20 - 8 - 8 - 16) % 4 == 0

    def test_vxlan_inside_ipsec_leaves_the_models_segment(self) -> None:
        # 1500 − 56 = 1444 for the inner packet at most; − VXLAN 50 − IP 20 − TCP 20 = 1354
        inner = max(n for n in range(1400, 1500) if n + ipsec_gcm_bytes(packet=n) <= 1500)
        assert inner - 50 - 20 - 20 in range(1352, 1357)


class TestDelay:
    @given(distance=st.floats(0, 2e4))
    def test_a_straight_route_is_the_floor(self, distance: float) -> None:
        assert route_rtt(distance=distance, route_factor=1) == near(fibre_rtt_floor(distance=distance))

    @given(distance=st.floats(1, 2e4), factor=st.floats(1, 10))
    def test_the_route_factor_comes_back(self, distance: float, factor: float) -> None:
        rtt = route_rtt(distance=distance, route_factor=factor)
        assert route_factor(rtt=rtt, distance=distance) == near(factor)

    @pytest.mark.parametrize(("rtt", "words"), [(0.9e-3, "impossible"), (1.1e-3, "fibre map"), (1.5e-3, "")])
    def test_a_route_too_short_is_doubted(self, rtt: float, words: str) -> None:
        # 100 km: 0.979 ms of light; 1.15 times that is 1.126 ms
        formula = BY_ID["route_factor"]
        said = [notice.message.en for notice in formula.warnings({"rtt": rtt, "distance": 100})]
        assert words in "".join(said) and bool(said) is bool(words)


class TestJitter:
    @pytest.mark.parametrize(("n", "z"), [(2, 0.564), (8, 1.42), (64, 2.34), (512, 3.04), (1024, 3.25)])
    def test_published_normal_maxima(self, n: int, z: float) -> None:
        assert expected_maximum_normal(samples=n) == near(z, abs=0.006)

    @given(n=st.integers(1, 10**12))
    def test_the_bound_bounds(self, n: int) -> None:
        assert expected_maximum_normal(samples=n) <= normal_maximum_bound(samples=n) + 1e-12

    @pytest.mark.parametrize(
        ("strategy", "rounds"),
        [("data", 4), ("pipeline", 16), ("pipeline_warm", 2), ("local_sgd", 0.04), ("tensor", 6144)],
    )
    def test_rounds_by_strategy(self, strategy: str, rounds: float) -> None:
        # k = 3: 2 × 2; m = 16; 2; 4 / 100; 4 × 96 × 16
        ours = jitter_rounds(strategy=strategy, sites=3, micro_batches=16, layers=96, sync_interval=100)
        assert ours == near(rounds)

    @given(n=st.integers(1, 10**6), mean=st.floats(1e-6, 1))
    def test_exponential_grows_by_the_next_term(self, n: int, mean: float) -> None:
        one, two = (expected_maximum_exponential(samples=k, mean=mean) for k in (n, n + 1))
        assert two - one == near(mean / (n + 1), rel=1e-3, abs=1e-9 * mean)

    def test_exponential_p999_is_six_means(self) -> None:
        # median μ·ln 2, p99.9 μ·ln 1000: 6.2 means apart, as the models say
        assert math.log(1000) - math.log(2) == near(6.2, abs=0.02)
        assert expected_maximum_exponential(samples=1000, mean=1) == near(math.log(1000) + 0.5777, abs=1e-3)

    @given(n=st.integers(1, 10**9), a=st.floats(1.05, 20))
    def test_pareto_grows_by_its_own_law(self, n: int, a: float) -> None:
        one, two = (expected_maximum_pareto(samples=k, least=1, tail_index=a) for k in (n, n + 1))
        assert two / one == near((n + 1) / (n + 1 - 1 / a), rel=1e-6)
        assert expected_maximum_pareto(samples=1, least=1, tail_index=a) == near(a / (a - 1))

    @given(sigma=st.floats(1e-6, 1), n=st.integers(2, 10**6))
    def test_a_statistic_gives_its_sigma_back(self, sigma: float, n: int) -> None:
        # for a normal law: E|x−y| = 2σ/√π, sd(x−y) = √2 σ, p99 = 2.326 σ; the range of n is twice their maximum
        figures = {
            "standard_deviation": sigma,
            "ipdv_mean": 2 * sigma / math.sqrt(math.pi),
            "ipdv_deviation": math.sqrt(2) * sigma,
            "p95_p50": 1.6449 * sigma,
            "p99_p50": 2.3263 * sigma,
            "p999_p50": 3.0902 * sigma,
            "p999_p50_exponential": 6.2146 * sigma,
            "range": 2 * jitter_step_delay(rounds=1, sigma=sigma, flows=n),
        }
        for statistic, figure in figures.items():
            assert jitter_sigma(jitter=figure, statistic=statistic, samples=n) == near(sigma, rel=1e-4)


class TestSharing:
    @pytest.mark.parametrize(("flows", "paths"), [(4, 4), (3, 2), (5, 3), (6, 4), (1, 7), (7, 1), (7, 3)])
    def test_fullest_path_by_counting_every_case(self, flows: int, paths: int) -> None:
        cases = product(range(paths), repeat=flows)
        fullest = sum(max(case.count(path) for path in range(paths)) for case in cases)
        assert expected_fullest_path(flows=flows, paths=paths) == near(fullest / paths**flows, rel=1e-11)

    @pytest.mark.parametrize(("per_path", "at_four", "at_eight"), [(1, 0.53, 0.61), (2, 0.43, 0.52), (16, 0.21, 0.27)])
    def test_published_hashing_losses(self, per_path: int, at_four: float, at_eight: float) -> None:
        # models, section 6: 53-61 % at f = g, 43-52 % at 2g, 21-27 % at 16g, for g from 4 to 8
        assert hashing_loss(flows=4 * per_path, paths=4) == near(at_four, abs=0.006)
        assert hashing_loss(flows=8 * per_path, paths=8) == near(at_eight, abs=0.006)

    @given(flows=st.integers(1, 100), paths=st.integers(1, 16))
    def test_fullest_path_lies_between_even_and_all(self, flows: int, paths: int) -> None:
        fullest = expected_fullest_path(flows=flows, paths=paths)
        assert max(1, flows / paths) * (1 - 1e-9) <= fullest <= flows * (1 + 1e-9)

    @given(members=SMALL, rate=RATE, uplink=RATE)
    def test_fair_shares_fill_the_uplink(self, members: int, rate: float, uplink: float) -> None:
        ratio = oversubscription_ratio(access_bandwidth=members * rate, uplink_bandwidth=uplink)
        assert members * fair_share(bandwidth=rate, oversubscription=ratio) == near(min(members * rate, uplink))


class TestCompute:
    @given(flops=st.floats(1e12, 1e24), gpus=RANKS, mfu=st.floats(0.01, 1))
    def test_step_time_and_mfu(self, flops: float, gpus: int, mfu: float) -> None:
        step = model_step_time(flops=flops, gpus=gpus, peak_flops=312e12, mfu=mfu)
        assert model_flops_utilization(flops=flops, step_time=step, gpus=gpus, peak_flops=312e12) == near(mfu)

    @given(parameters=st.floats(1e8, 1e13), tokens=st.floats(1e6, 1e13), gpus=RANKS, mfu=st.floats(0.01, 1))
    def test_training_is_many_steps(self, parameters: float, tokens: float, gpus: int, mfu: float) -> None:
        one = step_compute_time(
            active_parameters=parameters, tokens=tokens / 1000, gpus=gpus, peak_flops=1e15, mfu=mfu,
            flops_per_parameter_token=8,
        )  # fmt: skip
        whole = training_time(parameters=parameters, tokens=tokens, gpus=gpus, achieved_flops=1e15 * mfu)
        assert whole == near(1000 * one)
