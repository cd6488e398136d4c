// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/wan.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

constexpr std::string_view topic = "Between sites";

Symbol link(std::string_view meaning) {
    return amount(bits_per_second, "bits_per_second", "W", meaning);
}
Symbol latency() {
    return otherwise(or_zero(amount(seconds, "latency", "a", "one way")), 0);
}
Symbol sites() {
    return whole("sites", "M", "sites", 1, 1e6);
}

Formula sync_limit() {
    return {
        .id = "wan-sync-limit",
        .title = "Largest model to synchronise in a time",
        .topic = topic,
        .symbols = {link("link of a site"), amount(seconds, "seconds", "t", "time to synchronise in"),
                    amount(bytes, "bytes_per_parameter", "b", "bytes that a parameter takes on the wire"),
                    otherwise(flag("full_duplex", "f", "both directions at once"), 0)},
        .results = {result({"parameters", "P", "parameters", parameters,
                            "bits_per_second * seconds / (8 * bytes_per_parameter * (2 - full_duplex))"},
                           {"bits_per_second", "seconds", "bytes_per_parameter", "full_duplex"}, wan_sync_parameters)},
        .source = "Send, then receive, over one link",
        .notes = "39M in 25 s and 938M in 10 min are the same formula at two times. A full-duplex link doubles both."};
}

Formula transfer() {
    return {.id = "transfer-time",
            .title = "Transfer over a link",
            .topic = topic,
            .symbols = {or_zero(amount(bytes, "bytes", "S", "payload")), link("rate of the link"),
                        otherwise(amount(share, "efficiency", "e", "share of the rate that is reached"), 1), latency()},
            .results = {result(
                {"seconds", "t", "duration", seconds, "bytes * 8 / (bits_per_second * efficiency) + latency"},
                {"bytes", "bits_per_second", "efficiency", "latency"}, transfer_seconds)},
            .source = "Definition"};
}

Formula tcp() {
    const Symbol round_trip = amount(seconds, "round_trip_seconds", "R", "round trip");
    const Symbol loss = amount(share, "loss_probability", "p", "chance that a segment is lost");
    const Symbol segment = otherwise(amount(bytes, "segment_bytes", "s", "payload of a segment"), 1460);
    return {
        .id = "tcp-throughput",
        .title = "What TCP makes of a link",
        .topic = topic,
        .symbols = {round_trip, loss, segment, amount(bytes, "window_bytes", "w", "receive window"),
                    otherwise(whole("streams", "n", "streams at once", 1, 1e6), 1), link("rate of the link")},
        .results = {result({"reno_bits_per_second", "B_R", "one stream of Reno", bits_per_second,
                            "1.22 * segment_bytes * 8 / (round_trip_seconds * sqrt(loss_probability))"},
                           {"round_trip_seconds", "loss_probability", "segment_bytes"}, tcp_reno_bits),
                    result({"cubic_bits_per_second", "B_C", "one stream of CUBIC", bits_per_second,
                            "1.054 * (round_trip_seconds / second / loss_probability) ^ 0.75 * segment_bytes * 8"
                            " / round_trip_seconds"},
                           {"round_trip_seconds", "loss_probability", "segment_bytes"}, tcp_cubic_bits),
                    result({"bits_per_second", "B", "the better of both, all streams", bits_per_second,
                            "streams * max(1.22 * segment_bytes * 8 / (round_trip_seconds * sqrt(loss_probability)),"
                            " 1.054 * (round_trip_seconds / second / loss_probability) ^ 0.75 * segment_bytes * 8"
                            " / round_trip_seconds)"},
                           {"round_trip_seconds", "loss_probability", "segment_bytes", "streams"}, tcp_bits),
                    result({"window_bits_per_second", "B_w", "one stream with this window", bits_per_second,
                            "window_bytes * 8 / round_trip_seconds"},
                           {"round_trip_seconds", "window_bytes"}, tcp_window_bits),
                    result({"full_window_bytes", "w_f", "window that fills the link", bytes,
                            "bits_per_second * round_trip_seconds / 8"},
                           {"round_trip_seconds", "bits_per_second"}, bandwidth_delay_bytes)},
        .source = "Reno: Mathis and others, The macroscopic behavior of the TCP congestion avoidance algorithm, 1997; "
                  "CUBIC: RFC 8312, equation 6",
        .notes = "CUBIC behaves like Reno where Reno is faster: at short round trips and high loss."};
}

Formula topologies() {
    return {.id = "outer-exchange",
            .title = "Exchange between sites by topology",
            .topic = topic,
            .symbols = {sites(), or_zero(amount(bytes, "bytes", "S", "payload of a site")), link("link of a site"),
                        latency(), or_zero(amount(bytes, "down_bytes", "S_d", "what comes back from an aggregator")),
                        amount(bits_per_second, "downlink", "W_d", "rate of the downlink")},
            .results = {result({"star_seconds", "t_s", "to an aggregator and back", seconds,
                                "bytes * 8 / bits_per_second + down_bytes * 8 / downlink + 2 * latency"},
                               {"bytes", "down_bytes", "bits_per_second", "downlink", "latency"}, star_seconds),
                        result({"ring_seconds", "t_r", "round a ring of sites", seconds,
                                "2 * (sites - 1) / sites * bytes * 8 / bits_per_second + 2 * (sites - 1) * latency"},
                               {"sites", "bytes", "bits_per_second", "latency"}, wan_ring_seconds),
                        result({"all_gather_seconds", "t_g", "everyone receives from everyone", seconds,
                                "(sites - 1) * bytes * 8 / bits_per_second + latency"},
                               {"sites", "bytes", "bits_per_second", "latency"}, wan_all_gather_seconds)},
            .source = "Counted; ring: Patarasuk and Yuan 2009",
            .notes = "Sums of sparse updates grow dense on their way round a ring; an all-gather keeps them sparse and "
                     "receives one from every site."};
}

Formula aggregator() {
    return {.id = "aggregator-bandwidth",
            .title = "Bandwidth of an aggregator",
            .topic = topic,
            .symbols = {sites(), link("link of a site"),
                        or_zero(amount(bytes, "bytes", "S", "payload of a site a round")),
                        amount(seconds, "interval_seconds", "i", "duration of a round")},
            .results = {result({"bits_per_second", "W_a", "with every link full, each way", bits_per_second,
                                "sites * bits_per_second"},
                               {"sites", "bits_per_second"}, aggregator_bits),
                        result({"mean_bits_per_second", "W_m", "on average, each way", bits_per_second,
                                "sites * bytes * 8 / interval_seconds"},
                               {"sites", "bytes", "interval_seconds"}, aggregator_mean_bits)},
            .source = "Counted",
            .notes = "Each way: what comes in is averaged and goes out again."};
}

Formula aggregator_state() {
    return {
        .id = "aggregator-memory",
        .title = "Memory of an aggregator",
        .topic = topic,
        .symbols = {amount(parameters, "parameters", "P", "parameters"),
                    otherwise(whole("copies", "k", "parameters, momentum and accumulator", 1, 1e3), 3),
                    otherwise(amount(bytes, "element_bytes", "e", "bytes of an element"), 4)},
        .results = {result({"bytes", "S", "state of the outer optimizer", bytes, "parameters * copies * element_bytes"},
                           {"parameters", "copies", "element_bytes"}, aggregator_memory)},
        .source = "Counted: DiLoCo's outer Nesterov momentum, arXiv 2311.08105"};
}

Formula arrivals() {
    return {.id = "order-statistic",
            .title = "Waiting for the k-th of n",
            .topic = topic,
            .symbols = {whole("count", "n", "sites that send", 1, 1e6),
                        whole("rank", "k", "arrivals to wait for", 0, 1e6),
                        otherwise(amount(Quantity::number, "mean", "m", "mean delay of one, in any unit"), 1)},
            .results = {result({"value", "t", "mean time until then, in the same unit", Quantity::number,
                                "mean * (harmonic(count) - harmonic(count - rank))"},
                               {"count", "rank", "mean"}, exponential_order_statistic)},
            .source = "Renyi, On the theory of order statistics, 1953: independent exponential delays",
            .notes = "Waiting for all of 72 takes 4.86 mean delays, for 64 of them 2.14."};
}

Formula quorum() {
    return {.id = "quorum-probability",
            .title = "Chance of a quorum",
            .topic = topic,
            .symbols = {sites(), whole("quorum", "k", "sites that suffice", 0, 1e6),
                        or_zero(amount(share, "availability", "a", "chance that a site is there"))},
            .results = {result({"probability", "q", "chance that so many are there", share},
                               {"sites", "quorum", "availability"}, quorum_probability)},
            .source = "Binomial distribution, sites independent of each other"};
}

} // namespace

std::vector<Formula> wan_formulas() {
    return {sync_limit(), transfer(), tcp(), topologies(), aggregator(), aggregator_state(), arrivals(), quorum()};
}

std::vector<Formula> wire_formulas() {
    const Symbol index = otherwise(choice("index", "I", "how the kept values are told from the others",
                                          {"none", "bitmap", "entropy", "fixed-width", "raw"}),
                                   0);
    const Symbol bits = in("bit", amount(bytes, "bits", "b", "bits of a value"));
    const Symbol density = otherwise(amount(share, "density", "d", "share of the values that is kept"), 1);
    const Symbol scale =
        in("bit", otherwise(or_zero(amount(bytes, "scale_bits", "s", "block scales, bits a value")), 0));
    constexpr std::string_view each =
        "density * (bits + scale_bits) + (index == 1 ? 1 : (index == 2 ? binary_entropy(density)"
        " : (index == 3 ? 12 * density : (index == 4 ? 32 * density : 0)))) * bit";
    constexpr std::string_view all =
        "parameters * (density * (bits + scale_bits) + (index == 1 ? 1 : (index == 2 ? binary_entropy(density)"
        " : (index == 3 ? 12 * density : (index == 4 ? 32 * density : 0)))) * bit) / 8";
    const std::vector<Symbol> top_k{whole("chunk", "n", "values of a chunk", 1, 1e9),
                                    whole("kept", "k", "largest values that are sent", 1, 1e9),
                                    in("bit", or_zero(amount(bytes, "value_bits", "b", "bits of a value"))),
                                    in("bit", or_zero(amount(bytes, "index_bits", "i", "bits of its position")))};
    return {
        {.id = "wire-payload",
         .title = "What an update takes on the wire",
         .topic = topic,
         .symbols = {amount(parameters, "parameters", "P", "parameters"), bits, density, index, scale},
         .results = {result({"bytes", "S", "payload", bytes, all},
                            {"parameters", "bits", "density", "index", "scale_bits"}, wire_bytes),
                     in("bit",
                        result({"bits_per_parameter", "b'", "bits a parameter", bytes, each},
                               {"bits", "density", "index", "scale_bits"}, wire_bits))},
         .source = "Counted; entropy bound: Shannon 1948; 12 bits inside chunks of 4,096: SparseLoCo, arXiv "
                   "2508.15706; block "
                   "scales: OCP Microscaling formats 1.0",
         .notes =
             "Values alone do not say which ones they are. A quarter of 144B values in 4 bits are 18 GB, and a bitmap "
             "of one bit a parameter doubles it to 36 GB. Dropping a quarter, not keeping one, leaves nothing to save "
             "once the bitmap is sent. A bitmap beats 12-bit positions above a density of 1/12."},
        {.id = "top-k-payload",
         .title = "Top-k of every chunk",
         .topic = topic,
         .symbols = top_k,
         .results = {in("bit",
                        result({"bits_per_parameter", "b'", "bits a parameter", bytes,
                                "kept * (value_bits + index_bits) / chunk"},
                               {"chunk", "kept", "value_bits", "index_bits"}, top_k_bits)),
                     result({"compression", "r", "against 32 bits", Quantity::number,
                             "32 * bit / (kept * (value_bits + index_bits) / chunk)"},
                            {"chunk", "kept", "value_bits", "index_bits"}, top_k_compression),
                     in("bit",
                        result({"index_bound_bits", "i_0", "least bits a position could take", bytes},
                               {"chunk", "kept"}, top_k_index_bound))},
         .source = "SparseLoCo, arXiv 2508.15706",
         .notes = "146 times less is against FP32; against 16 bits it is 73."},
        {.id = "sparse-union",
         .title = "Density of an average of sparse updates",
         .topic = topic,
         .symbols = {sites(), amount(share, "density", "d", "share that each site keeps")},
         .results = {result({"density", "d'", "share of values that are not 0", share, "1 - (1 - density) ^ sites"},
                            {"sites", "density"}, union_density)},
         .source = "Independent supports",
         .notes =
             "The average is dense although every update is sparse. Sent back at full density it takes more than the "
             "updates did: the way down needs a setting of its own."}};
}

} // namespace meshwright::catalogue
