// SPDX-License-Identifier: GPL-3.0-or-later
#include "formulas/wan.h"

#include "formulas/catalogue.h"

namespace meshwright::catalogue {

using namespace formula;
using enum Quantity;

namespace {

Symbol link(std::string_view meaning) {
    return amount(bits_per_second, "bits_per_second", "W", meaning);
}
Symbol latency() {
    return otherwise(or_zero(amount(seconds, "latency", "a", "one-way latency")), 0);
}
Symbol sites() {
    return whole("sites", "M", "sites", 1, 1e6);
}

Formula sync_limit() {
    return {
        .id = "wan-sync-limit",
        .title = "Largest model to synchronize in a given time",
        .topic = topic::inter_site_network,
        .symbols = {link("link rate of a site"), amount(seconds, "seconds", "t", "time for synchronization"),
                    amount(bytes, "bytes_per_parameter", "b", "bytes per parameter on the wire"),
                    otherwise(flag("full_duplex", "f", "1 if a link sends and receives at the same time, otherwise 0"),
                              0)},
        .results = {result({"parameters", "P", "parameters", parameters},
                           {"bits_per_second", "seconds", "bytes_per_parameter", "full_duplex"}, wan_sync_parameters)},
        .source = "Derived for sending and then receiving over one link",
        .notes =
            "Over a half-duplex link of 100 Mb/s, with 4 bytes per parameter, 39M parameters take 25 s and 938M take "
            "10 min. A full-duplex link doubles both model sizes."};
}

Formula transfer() {
    return {.id = "transfer-time",
            .title = "Transfer time over a link",
            .topic = topic::inter_site_network,
            .symbols = {or_zero(amount(bytes, "bytes", "S", "payload")), link("rate of the link"),
                        otherwise(amount(share, "efficiency", "e", "achieved fraction of the rate"), 1), latency()},
            .results = {result({"seconds", "t", "duration", seconds},
                               {"bytes", "bits_per_second", "efficiency", "latency"}, transfer_seconds)},
            .source = "Definition"};
}

Formula tcp() {
    const Symbol round_trip = amount(seconds, "round_trip_seconds", "R", "round-trip time");
    const Symbol loss = amount(share, "loss_probability", "p", "segment loss probability");
    const Symbol segment = otherwise(amount(bytes, "segment_bytes", "s", "payload per segment"), 1460);
    return {.id = "tcp-throughput",
            .title = "TCP throughput",
            .topic = topic::inter_site_network,
            .symbols = {round_trip, loss, segment, amount(bytes, "window_bytes", "w", "receive window"),
                        otherwise(whole("streams", "n", "parallel streams", 1, 1e6), 1), link("rate of the link")},
            .results = {result({"reno_bits_per_second", "B_R", "rate of one Reno stream", bits_per_second},
                               {"round_trip_seconds", "loss_probability", "segment_bytes"}, tcp_reno_bits),
                        result({"cubic_bits_per_second", "B_C", "rate of one CUBIC stream", bits_per_second},
                               {"round_trip_seconds", "loss_probability", "segment_bytes"}, tcp_cubic_bits),
                        result({"bits_per_second", "B",
                                "total rate of all streams, with Reno or CUBIC, whichever is faster", bits_per_second},
                               {"round_trip_seconds", "loss_probability", "segment_bytes", "streams"}, tcp_bits),
                        result({"window_bits_per_second", "B_w", "rate of one stream limited by the receive window",
                                bits_per_second},
                               {"round_trip_seconds", "window_bytes"}, tcp_window_bits),
                        result({"full_window_bytes", "w_f", "window size that saturates the link", bytes},
                               {"round_trip_seconds", "bits_per_second"}, bandwidth_delay_bytes)},
            .source = "Reno: Mathis et al., The macroscopic behavior of the TCP congestion avoidance algorithm, 1997; "
                      "CUBIC: RFC 8312, equation 6",
            .notes = "CUBIC falls back to Reno's rate where Reno is faster: at short round trips and high loss."};
}

Formula topologies() {
    return {.id = "outer-exchange",
            .title = "Inter-site exchange by topology",
            .topic = topic::inter_site_network,
            .symbols = {sites(), or_zero(amount(bytes, "bytes", "S", "payload per site")), link("link rate of a site"),
                        latency(),
                        or_zero(amount(bytes, "down_bytes", "S_d", "payload that the aggregator sends to each site")),
                        amount(bits_per_second, "downlink", "W_d", "downlink rate")},
            .results = {result({"star_seconds", "t_s", "time over a star: to an aggregator and back", seconds},
                               {"bytes", "down_bytes", "bits_per_second", "downlink", "latency"}, star_seconds),
                        result({"ring_seconds", "t_r", "time over a ring of sites", seconds},
                               {"sites", "bytes", "bits_per_second", "latency"}, wan_ring_seconds),
                        result({"all_gather_seconds", "t_g", "time of an all-gather between all sites", seconds},
                               {"sites", "bytes", "bits_per_second", "latency"}, wan_all_gather_seconds)},
            .source = "Derived by counting bytes; ring: Patarasuk and Yuan 2009",
            .notes = "Sums of sparse updates become dense as they travel around a ring; an all-gather keeps them "
                     "sparse, but each site receives the update of every other site."};
}

Formula aggregator() {
    return {
        .id = "aggregator-bandwidth",
        .title = "Aggregator bandwidth",
        .topic = topic::inter_site_network,
        .symbols = {sites(), link("link rate of a site"),
                    or_zero(amount(bytes, "bytes", "S", "payload per site and round")),
                    amount(seconds, "interval_seconds", "i", "duration of a round")},
        .results = {result({"bits_per_second", "W_a", "peak rate per direction, with every link saturated",
                            bits_per_second},
                           {"sites", "bits_per_second"}, aggregator_bits),
                    result({"mean_bits_per_second", "W_m", "mean rate per direction", bits_per_second},
                           {"sites", "bytes", "interval_seconds"}, aggregator_mean_bits)},
        .source = "Derived by counting bytes",
        .notes =
            "Rates are per direction: the aggregator receives the updates, averages them and sends the result back."};
}

Formula aggregator_state() {
    return {.id = "aggregator-memory",
            .title = "Aggregator memory",
            .topic = topic::inter_site_network,
            .symbols = {amount(parameters, "parameters", "P", "parameters"),
                        otherwise(whole("copies", "k",
                                        "tensors of the model's size: parameters, momentum and accumulator", 1, 1e3),
                                  3),
                        otherwise(amount(bytes, "element_bytes", "e", "bytes per element"), 4)},
            .results = {result({"bytes", "S", "state of the outer optimizer", bytes},
                               {"parameters", "copies", "element_bytes"}, aggregator_memory)},
            .source = "State of DiLoCo's outer Nesterov momentum, arXiv 2311.08105"};
}

Formula arrivals() {
    return {.id = "order-statistic",
            .title = "Waiting time for the k-th of n arrivals",
            .topic = topic::inter_site_network,
            .symbols = {whole("count", "n", "sites that send", 1, 1e6), whole("rank", "k", "required arrivals", 0, 1e6),
                        otherwise(amount(Quantity::number, "mean", "m", "mean delay of one arrival, in any unit"), 1)},
            .results = {result({"value", "t", "mean time until the k-th arrival, in the same unit", Quantity::number},
                               {"count", "rank", "mean"}, exponential_order_statistic)},
            .source = "Renyi, On the theory of order statistics, 1953: independent exponential delays",
            .notes = "Waiting for all of 72 sites takes 4.86 mean delays; waiting for 64 of them takes 2.14."};
}

Formula quorum() {
    return {.id = "quorum-probability",
            .title = "Quorum probability",
            .topic = topic::inter_site_network,
            .symbols = {sites(), whole("quorum", "k", "minimum number of sites for a quorum", 0, 1e6),
                        or_zero(amount(share, "availability", "a", "probability that a site is available"))},
            .results = {result({"probability", "q", "probability that at least the quorum is available", share},
                               {"sites", "quorum", "availability"}, quorum_probability)},
            .source = "Binomial distribution with independent sites"};
}

} // namespace

std::vector<Formula> wan_formulas() {
    return {sync_limit(), transfer(), tcp(), topologies(), aggregator(), aggregator_state(), arrivals(), quorum()};
}

std::vector<Formula> wire_formulas() {
    const Symbol index = otherwise(choice("index", "I", "encoding of the positions of the kept values",
                                          {"none", "bitmap", "entropy", "fixed-width", "raw"}),
                                   0);
    const Symbol bits = in("bit", amount(bytes, "bits", "b", "bits per value"));
    const Symbol density = otherwise(amount(share, "density", "d", "fraction of values kept"), 1);
    const Symbol scale =
        in("bit", otherwise(or_zero(amount(bytes, "scale_bits", "s", "block scale bits per value")), 0));
    const std::vector<Symbol> top_k{whole("chunk", "n", "values per chunk", 1, 1e9),
                                    whole("kept", "k", "number of values sent: those of largest magnitude", 1, 1e9),
                                    in("bit", or_zero(amount(bytes, "value_bits", "b", "bits per value"))),
                                    in("bit", or_zero(amount(bytes, "index_bits", "i", "bits per position")))};
    return {{.id = "wire-payload",
             .title = "Size of an update on the wire",
             .topic = topic::inter_site_network,
             .symbols = {amount(parameters, "parameters", "P", "parameters"), bits, density, index, scale},
             .results = {result({"bytes", "S", "payload", bytes},
                                {"parameters", "bits", "density", "index", "scale_bits"}, wire_bytes),
                         in("bit",
                            result({"bits_per_parameter", "b'", "bits per parameter", bytes},
                                   {"bits", "density", "index", "scale_bits"}, wire_bits))},
             .source = "Derived by counting bits. Entropy bound from Shannon 1948; 12-bit positions within chunks of "
                       "4,096 from SparseLoCo, arXiv 2508.15706; block scales from OCP Microscaling formats 1.0",
             .notes = "Values alone do not encode their positions. A quarter of 144B values in 4 bits is 18 GB, and a "
                      "bitmap of one bit per parameter doubles it to 36 GB. If a quarter is dropped instead of kept, "
                      "the bitmap cancels the saving. A bitmap beats 12-bit positions above a density of 1/12."},
            {.id = "top-k-payload",
             .title = "Top-k compression per chunk",
             .topic = topic::inter_site_network,
             .symbols = top_k,
             .results = {in("bit",
                            result({"bits_per_parameter", "b'", "bits per parameter", bytes},
                                   {"chunk", "kept", "value_bits", "index_bits"}, top_k_bits)),
                         result({"compression", "r", "compression relative to 32 bits", Quantity::number},
                                {"chunk", "kept", "value_bits", "index_bits"}, top_k_compression),
                         in("bit",
                            result({"index_bound_bits", "i_0", "minimum bits per position", bytes}, {"chunk", "kept"},
                                   top_k_index_bound))},
             .source = "SparseLoCo, arXiv 2508.15706",
             .notes = "The published compression ratio of 146 is relative to FP32; relative to 16 bits it is 73."},
            {.id = "sparse-union",
             .title = "Density of an average of sparse updates",
             .topic = topic::inter_site_network,
             .symbols = {sites(), amount(share, "density", "d", "fraction of values that each site keeps")},
             .results = {result({"density", "d'", "fraction of nonzero values", share}, {"sites", "density"},
                                union_density)},
             .source = "Derived for independent random sets of kept values",
             .notes = "The average is dense although every update is sparse. Sent back at full density, it is larger "
                      "than each update, so the downlink needs its own compression settings."}};
}

} // namespace meshwright::catalogue
