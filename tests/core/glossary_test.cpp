// SPDX-License-Identifier: GPL-3.0-or-later
#include "glossary/glossary.h"
#include "glossary/words.h"
#include "input/diagnostic.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>

#include <unistd.h>

namespace meshwright {
namespace {

using OrderedJson = nlohmann::ordered_json;

const Glossary &shipped_glossary() {
    return Glossary::standard();
}

std::vector<std::string> names_of(const GlossaryTerm &term) {
    std::vector<std::string> names{term.term};
    names.insert(names.end(), term.aliases.begin(), term.aliases.end());
    return names;
}

OrderedJson small_glossary() {
    return {{"schema", "meshwright.glossary/1"},
            {"terms",
             {{{"id", "tensor-parallelism"},
               {"term", "Tensor parallelism"},
               {"aliases", {"TP", "tensor parallel"}},
               {"definition", "Splits matrices. It communicates in every layer."},
               {"formula", ""},
               {"source", ""},
               {"see_also", {"rank"}},
               {"fields", {"/parallelism/tensor"}}},
              {{"id", "bf16"},
               {"term", "BF16"},
               {"aliases", OrderedJson::array()},
               {"definition", "A format."},
               {"formula", ""},
               {"source", ""},
               {"see_also", OrderedJson::array()},
               {"fields", {"/precision"}}},
              {{"id", "microbatch"},
               {"term", "Microbatch"},
               {"aliases", OrderedJson::array()},
               {"definition", "Part of a batch."},
               {"formula", ""},
               {"source", ""},
               {"see_also", OrderedJson::array()},
               {"fields", {"/cluster/tiers/0/name"}}},
              {{"id", "microbatches-in-flight"},
               {"term", "Microbatches in flight"},
               {"aliases", {"in flight"}},
               {"definition", "Stored."},
               {"formula", ""},
               {"source", ""},
               {"see_also", OrderedJson::array()},
               {"fields", OrderedJson::array()}},
              {{"id", "rank"},
               {"term", "Rank"},
               {"aliases", OrderedJson::array()},
               {"definition", "A process."},
               {"formula", ""},
               {"source", ""},
               {"see_also", OrderedJson::array()},
               {"fields", OrderedJson::array()},
               {"in_text", false}}}}};
}

/// The texts that are found, with their terms' ids: "TP=tensor-parallelism".
std::vector<std::string> found_in(const Glossary &glossary, const std::string &text) {
    std::vector<std::string> found;
    for (const TermSpan &span : glossary.in_text(text))
        found.push_back(text.substr(span.begin, span.length) + "=" + span.term->id);
    return found;
}

/// The error line for a rejected document; empty if it is accepted.
std::string rejection_of(const OrderedJson &document) {
    try {
        const Glossary glossary(document);
        return {};
    } catch (const InputError &error) {
        return one_line("glossary.json", error.diagnostics());
    }
}

/// Whether a plan may have a field, by the shipped JSON Schemas.
class PlanPlaces {
public:
    bool has(const std::string &pointer) {
        return has(file("plan.schema.json"), pointer.empty() ? pointer : pointer.substr(1));
    }

private:
    const OrderedJson &file(const std::string &name) {
        const auto [found, is_new] = m_files.try_emplace(name);
        if (is_new)
            found->second = OrderedJson::parse(std::ifstream(std::string(MESHWRIGHT_PRESETS "/schema/") + name));
        return found->second;
    }
    bool has(const OrderedJson &schema, const std::string &place) {
        if (schema.contains("$ref")) {
            const auto reference = schema["$ref"].get<std::string>();
            const std::size_t hash = std::min(reference.find('#'), reference.size());
            const OrderedJson &whole = file(reference.substr(0, hash));
            return has(hash < reference.size() ? whole.at(OrderedJson::json_pointer(reference.substr(hash + 1)))
                                               : whole,
                       place);
        }
        for (const char *const choice : {"oneOf", "anyOf", "allOf"})
            if (schema.contains(choice))
                for (const OrderedJson &one : schema[choice])
                    if (has(one, place))
                        return true;
        if (place.empty())
            return true;
        const std::size_t end = std::min(place.find('/'), place.size());
        const std::string token = place.substr(0, end);
        const std::string rest = place.substr(std::min(end + 1, place.size()));
        if (schema.contains("properties") && schema["properties"].contains(token))
            return has(schema["properties"][token], rest);
        return token == "0" && schema.contains("items") && has(schema["items"], rest);
    }

    std::map<std::string, OrderedJson> m_files;
};

TEST(Glossary, ComesWithTheProgram) {
    EXPECT_EQ(shipped_glossary().problem(), "");
    EXPECT_GE(shipped_glossary().terms().size(), 170u);
    EXPECT_TRUE(std::filesystem::exists(Glossary::own_file())) << Glossary::own_file();
}

TEST(Glossary, IsSortedByTerm) {
    const std::vector<GlossaryTerm> &terms = shipped_glossary().terms();
    EXPECT_TRUE(std::is_sorted(terms.begin(), terms.end(), [](const GlossaryTerm &a, const GlossaryTerm &b) {
        return folded_name(a.term) < folded_name(b.term);
    }));
}

TEST(Glossary, HasEachIdAndNameOnce) {
    std::set<std::string> ids;
    std::map<std::string, std::string> owners;
    for (const GlossaryTerm &term : shipped_glossary().terms()) {
        EXPECT_TRUE(ids.insert(term.id).second) << term.id;
        for (const std::string &name : names_of(term))
            EXPECT_TRUE(owners.emplace(folded_name(name), term.id).second) << name;
    }
    // An id finds its term, so it must not be a name of another term.
    for (const std::string &id : ids) {
        const auto named = owners.find(folded_name(id));
        EXPECT_TRUE(named == owners.end() || named->second == id) << id;
    }
}

TEST(Glossary, FindsEveryTermByAllItsNames) {
    for (const GlossaryTerm &term : shipped_glossary().terms()) {
        EXPECT_EQ(shipped_glossary().find(term.id), &term) << term.id;
        for (const std::string &name : names_of(term))
            EXPECT_EQ(shipped_glossary().find(name), &term) << name;
    }
}

TEST(Glossary, RefersToTermsThatItHas) {
    for (const GlossaryTerm &term : shipped_glossary().terms()) {
        EXPECT_FALSE(term.see_also.empty()) << term.id;
        for (const std::string &other : term.see_also) {
            const GlossaryTerm *const found = shipped_glossary().find(other);
            ASSERT_NE(found, nullptr) << other;
            EXPECT_EQ(found->id, other);
            EXPECT_NE(found, &term);
        }
    }
}

TEST(Glossary, DefinesInOneOrTwoSentences) {
    const std::regex sentence_end("[.!?](?= |$)");
    for (const GlossaryTerm &term : shipped_glossary().terms()) {
        const std::string &text = term.definition;
        const auto ends = std::distance(std::sregex_iterator(text.begin(), text.end(), sentence_end), {});
        EXPECT_TRUE(ends == 1 || ends == 2) << term.id << ": " << text;
        EXPECT_LE(text.size(), 320u) << term.id;
        EXPECT_EQ(text.back(), '.') << term.id;
        EXPECT_FALSE(std::islower(static_cast<unsigned char>(text.front()))) << term.id;
        EXPECT_TRUE(text.starts_with(term.first_sentence()));
        EXPECT_TRUE(term.first_sentence().ends_with('.')) << term.id;
    }
}

TEST(Glossary, SpeaksTheFieldsLanguage) {
    const std::regex banned("comes about|comes to|so many|so much|is expected|beside|foretold|stands at|stands in|"
                            "held back|plain sight|became of|\\bkept\\b|\\bkeeps\\b|at a time|remark|\\bways\\b|"
                            "utilis|behaviour|colour|optimis|parallelis[ei]|\\d %");
    for (const GlossaryTerm &term : shipped_glossary().terms())
        EXPECT_FALSE(std::regex_search(term.definition + term.formula, banned)) << term.id << ": " << term.definition;
}

TEST(Glossary, ExplainsFieldsThatPlansHave) {
    PlanPlaces places;
    EXPECT_FALSE(places.has("/parallelism/tensors"));
    std::size_t fields = 0;
    for (const GlossaryTerm &term : shipped_glossary().terms())
        for (const std::string &field : term.fields) {
            ++fields;
            EXPECT_TRUE(places.has(field)) << field;
            EXPECT_EQ(shipped_glossary().of_field(field), &term) << field;
        }
    EXPECT_GT(fields, 60u);
}

TEST(Glossary, CoversWhatAPlanChoosesFrom) {
    for (const char *const name : {"tensor parallelism",
                                   "pipeline parallelism",
                                   "context parallelism",
                                   "expert parallelism",
                                   "data parallelism",
                                   "sequence parallelism",
                                   "ZeRO-1",
                                   "ZeRO-2",
                                   "ZeRO-3",
                                   "FSDP",
                                   "HSDP",
                                   "gpipe",
                                   "1f1b",
                                   "interleaved 1f1b",
                                   "looped-bfs",
                                   "zb-h1",
                                   "zb-h2",
                                   "zb-1p",
                                   "zb-2p",
                                   "interleaved-zb",
                                   "zb-v",
                                   "v-half",
                                   "v-min",
                                   "dualpipe",
                                   "dualpipe-v",
                                   "chimera",
                                   "seq1f1b",
                                   "fp32",
                                   "tf32",
                                   "bf16",
                                   "fp16",
                                   "fp8",
                                   "mxfp8",
                                   "int8",
                                   "nvfp4",
                                   "mxfp4",
                                   "adamw",
                                   "8-bit Adam",
                                   "muon",
                                   "adafactor",
                                   "sgd",
                                   "selective recomputation",
                                   "full recomputation",
                                   "GQA",
                                   "MLA",
                                   "SWA",
                                   "MoE",
                                   "MFU",
                                   "HFU",
                                   "6ND",
                                   "bubble of ideal",
                                   "bubble of total",
                                   "bubble of span",
                                   "DiLoCo",
                                   "streaming DiLoCo",
                                   "tau",
                                   "quorum",
                                   "pseudo-gradient",
                                   "error feedback",
                                   "bus bandwidth",
                                   "RTT",
                                   "goodput",
                                   "MTBF",
                                   "Young's interval",
                                   "Daly's interval",
                                   "PUE",
                                   "Chinchilla",
                                   "critical batch size",
                                   "H100e",
                                   "CCC",
                                   "80% interval",
                                   "held-out",
                                   "Pareto front",
                                   "headroom",
                                   "tied"})
        EXPECT_NE(shipped_glossary().find(name), nullptr) << name;
}

TEST(Glossary, FindsByNameWithoutRegardToCaseAndHyphens) {
    const Glossary glossary(small_glossary());
    for (const char *const name :
         {"Tensor parallelism", "TENSOR-PARALLELISM", "tp", " TP ", "tensor_parallel", "tensor-parallelism"}) {
        ASSERT_NE(glossary.find(name), nullptr) << name;
        EXPECT_EQ(glossary.find(name)->id, "tensor-parallelism") << name;
    }
    EXPECT_EQ(glossary.find("microbatches")->id, "microbatch");
    EXPECT_EQ(glossary.find("ranks")->id, "rank");
    for (const char *const name : {"", " ", "tensor", "s", "parallelism"})
        EXPECT_EQ(glossary.find(name), nullptr) << name;
}

TEST(Glossary, SuggestsWhatAnUnknownNameMayMean) {
    const auto suggested = [](const char *name) {
        std::vector<std::string> ids;
        for (const GlossaryTerm *const term : shipped_glossary().similar(name))
            ids.push_back(term->id);
        return ids;
    };
    EXPECT_EQ(suggested("quorumm").front(), "quorum");
    EXPECT_EQ(suggested("tensor paralelism").front(), "tensor-parallelism");
    EXPECT_LE(suggested("pipeline").size(), 3u);
    EXPECT_GE(suggested("pipeline").size(), 2u);
    EXPECT_TRUE(suggested("").empty());
    EXPECT_TRUE(suggested("xyzzy-plugh-frobozz-quux").empty());
}

TEST(Glossary, ExplainsTheFieldOrWhatHoldsIt) {
    const Glossary glossary(small_glossary());
    EXPECT_EQ(glossary.of_field("/parallelism/tensor")->id, "tensor-parallelism");
    EXPECT_EQ(glossary.of_field("/parallelism/pipeline"), nullptr);
    EXPECT_EQ(glossary.of_field("/precision/compute")->id, "bf16");
    EXPECT_EQ(glossary.of_field("/cluster/tiers/12/name")->id, "microbatch");
    for (const char *const pointer : {"", "/", "//", "precision", "/cluster/tiers", "/~"})
        EXPECT_EQ(glossary.of_field(pointer), nullptr) << pointer;
}

TEST(Glossary, FindsTermsInARunningText) {
    const Glossary glossary(small_glossary());
    using Found = std::vector<std::string>;
    EXPECT_EQ(found_in(glossary, "Raise TP to 8, or use tensor-parallel groups."),
              (Found{"TP=tensor-parallelism", "tensor-parallel=tensor-parallelism"}));
    // The longest name wins, and a plural is the same term.
    EXPECT_EQ(found_in(glossary, "With 8 microbatches in flight, microbatches wait."),
              (Found{"microbatches in flight=microbatches-in-flight", "microbatches=microbatch"}));
    // Whole words: not inside others, identifiers or longer abbreviations.
    EXPECT_EQ(found_in(glossary, "HTTP, TPU, TP8, tensor_parallelism_x, tensor_parallelism, mytensor parallelism"),
              Found{});
    EXPECT_EQ(found_in(glossary, "(TP), \"TP\"; TP/TP: TP's"),
              (Found{"TP=tensor-parallelism", "TP=tensor-parallelism", "TP=tensor-parallelism", "TP=tensor-parallelism",
                     "TP=tensor-parallelism"}));
    // Abbreviations must have their case, except names of formats and schedules.
    EXPECT_EQ(found_in(glossary, "tp, Tp, bf16 and BF16"), (Found{"bf16=bf16", "BF16=bf16"}));
    // Everyday words are not marked, and letters of other alphabets are letters.
    EXPECT_EQ(found_in(glossary, "rank 0; éTP, TPé, 8×TP, “TP”"),
              (Found{"TP=tensor-parallelism", "TP=tensor-parallelism"}));
    EXPECT_EQ(found_in(glossary, ""), Found{});
    EXPECT_TRUE(Glossary().in_text("TP").empty());
}

TEST(Glossary, MarksTheTermsOfItsOwnSentences) {
    const std::vector<std::string> found =
        found_in(shipped_glossary(),
                 "Interleaved 1F1B hides less of the all-reduce than DualPipe; MFU falls to 31%, and activation "
                 "checkpointing trades step time for activations.");
    EXPECT_EQ(found,
              (std::vector<std::string>{"Interleaved 1F1B=interleaved-1f1b", "all-reduce=all-reduce",
                                        "DualPipe=dualpipe", "MFU=mfu", "activation checkpointing=recomputation",
                                        "step time=step-time", "activations=activations"}));
}

RC_GTEST_PROP(Glossary, SpansOfAnyTextAreWholeWordsThatNameTheirTerm, ()) {
    const std::vector<GlossaryTerm> &terms = shipped_glossary().terms();
    const auto piece = rc::gen::oneOf(rc::gen::element<std::string>(" ", "-", ", ", "s", "es ", "x", "8", "_", "é", "×",
                                                                    "“", "\xff", "\n", "MFU", "of"),
                                      rc::gen::map(rc::gen::inRange<std::size_t>(0, terms.size()), [&](std::size_t i) {
                                          const std::vector<std::string> names = names_of(terms[i]);
                                          return names[i % names.size()];
                                      }));
    std::string text;
    for (const std::string &part : *rc::gen::container<std::vector<std::string>>(piece))
        text += part;
    std::size_t after = 0;
    for (const TermSpan &span : shipped_glossary().in_text(text)) {
        RC_ASSERT(span.begin >= after);
        RC_ASSERT(span.length > 0);
        after = span.begin + span.length;
        RC_ASSERT(after <= text.size());
        RC_ASSERT(begins_word(text, span.begin));
        RC_ASSERT(ends_word(text, after));
        RC_ASSERT(span.term->in_text);
        RC_ASSERT(shipped_glossary().find(text.substr(span.begin, span.length)) == span.term);
    }
}

RC_GTEST_PROP(Glossary, EveryNameIsFoundBetweenOtherWords, ()) {
    const std::vector<GlossaryTerm> &terms = shipped_glossary().terms();
    const GlossaryTerm &term = terms[*rc::gen::inRange<std::size_t>(0, terms.size())];
    RC_PRE(term.in_text);
    const std::vector<std::string> names = names_of(term);
    const std::string name = names[*rc::gen::inRange<std::size_t>(0, names.size())];
    const std::string before = *rc::gen::element<std::string>("", "(", "xyz, ", "12 ");
    const std::string after = *rc::gen::element<std::string>("", ")", ", xyz", ".", ": 12");
    const std::vector<TermSpan> spans = shipped_glossary().in_text(before + name + after);
    RC_ASSERT(spans.size() == 1u);
    RC_ASSERT(spans.front().term == &term);
    RC_ASSERT(spans.front().begin == before.size());
    RC_ASSERT(spans.front().length == name.size());
}

TEST(Glossary, RejectsABrokenDocumentWithOneLine) {
    const auto rejected = [](const std::function<void(OrderedJson &)> &change) {
        OrderedJson document = small_glossary();
        change(document);
        const std::string line = rejection_of(document);
        EXPECT_EQ(line.find('\n'), std::string::npos);
        EXPECT_TRUE(line.empty() || line.starts_with("glossary.json: /")) << line;
        return line;
    };
    EXPECT_EQ(rejected([](OrderedJson &) {}), "");
    const auto expect = [&](const char *part, const std::function<void(OrderedJson &)> &change) {
        const std::string line = rejected(change);
        EXPECT_NE(line.find(part), std::string::npos) << line << "\nlacks " << part;
    };
    expect("/schema", [](OrderedJson &d) { d["schema"] = "meshwright.glossary/2"; });
    expect("/schema", [](OrderedJson &d) { d.erase("schema"); });
    expect("/terms", [](OrderedJson &d) { d["terms"] = 3; });
    expect("/terms/0", [](OrderedJson &d) { d["terms"][0] = "TP"; });
    expect("/terms/1/definition", [](OrderedJson &d) { d["terms"][1].erase("definition"); });
    expect("/terms/1/definition", [](OrderedJson &d) { d["terms"][1]["definition"] = ""; });
    expect("control characters", [](OrderedJson &d) { d["terms"][1]["definition"] = "A\nB"; });
    expect("/terms/1/id", [](OrderedJson &d) { d["terms"][1]["id"] = "BF 16"; });
    expect("/terms/1/term", [](OrderedJson &d) { d["terms"][1]["term"] = "<b>BF16</b>"; });
    expect("/terms/0/aliases", [](OrderedJson &d) { d["terms"][0]["aliases"] = {"TP", 8}; });
    expect("/terms/0/aliases", [](OrderedJson &d) { d["terms"][0]["aliases"] = {"T"}; });
    expect("twice the name", [](OrderedJson &d) { d["terms"][0]["aliases"] = {"TP", "tp"}; });
    expect("also the name of \"Tensor parallelism\"",
           [](OrderedJson &d) { d["terms"][1]["aliases"] = {"tensor-parallel"}; });
    expect("also the id of", [](OrderedJson &d) { d["terms"][1]["id"] = "rank"; });
    expect("/terms/0/see_also: \"ring\"", [](OrderedJson &d) { d["terms"][0]["see_also"] = {"ring"}; });
    expect("/terms/0/see_also", [](OrderedJson &d) { d["terms"][0]["see_also"] = {"tensor-parallelism"}; });
    expect("/terms/1/fields", [](OrderedJson &d) { d["terms"][1]["fields"] = {"/parallelism/tensor"}; });
    expect("is not a JSON pointer", [](OrderedJson &d) { d["terms"][1]["fields"] = {"precision"}; });
    expect("/terms/1/in_text", [](OrderedJson &d) { d["terms"][1]["in_text"] = "no"; });
    expect("did you mean definition", [](OrderedJson &d) { d["terms"][1]["defintion"] = "x"; });
}

RC_GTEST_PROP(Glossary, AnythingInPlaceOfAValueIsReadOrRejected, ()) {
    OrderedJson document = small_glossary();
    const OrderedJson flat = document.flatten();
    const auto chosen = *rc::gen::inRange<std::size_t>(0, flat.size());
    const std::string place = std::next(flat.begin(), static_cast<std::ptrdiff_t>(chosen)).key();
    static const std::vector<OrderedJson> others{nullptr,
                                                 true,
                                                 -1e308,
                                                 "",
                                                 "TP",
                                                 "/",
                                                 std::string(5000, 'a'),
                                                 OrderedJson::array({OrderedJson::array({1})}),
                                                 OrderedJson::object({{"id", 1}})};
    document[OrderedJson::json_pointer(place)] = others[*rc::gen::inRange<std::size_t>(0, others.size())];
    const std::string line = rejection_of(document);
    RC_ASSERT(line.find('\n') == std::string::npos);
    RC_ASSERT(line.size() < 1000u);
}

TEST(Glossary, SaysWhyAFileIsNotRead) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("meshwright-glossary-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    EXPECT_THROW(Glossary::read(folder / "missing.json"), FileError);
    EXPECT_THROW(Glossary::read(folder), FileError);
    std::ofstream(folder / "cut.json") << small_glossary().dump().substr(0, 300);
    EXPECT_THROW(Glossary::read(folder / "cut.json"), InputError);
    std::ofstream(folder / "bytes.json") << "\xff\xfe{";
    EXPECT_THROW(Glossary::read(folder / "bytes.json"), InputError);
    std::filesystem::remove_all(folder);
}

} // namespace
} // namespace meshwright
