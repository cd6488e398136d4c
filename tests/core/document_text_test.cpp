// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/diagnostic.h"
#include "input/json_document.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace meshwright {

namespace {

using Json = nlohmann::ordered_json;

std::string odd_text() {
    static const std::vector<std::string> odd{
        "",           "\n",      std::string("a\0b", 3),  "\"\\/",     "\u0001\u001f\u007f",
        "é",          "e\u0301", "\u202e\u2066",          "\ufeff",    "\U0001f9f5",
        "\U0010ffff", "\ufffe",  "<img src='/dev/zero'>", "__proto__", "1e400",
        "null"};
    std::string text;
    for (const int piece : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, static_cast<int>(odd.size()))))
        text += odd[static_cast<std::size_t>(piece)];
    return text;
}

Json odd_number() {
    const double extreme =
        *rc::gen::element(0.0, -0.0, 5e-324, std::numeric_limits<double>::min(), std::numeric_limits<double>::max(),
                          -1.7976931348623157e308, 0.1, 1.0 / 3, 9007199254740993.0, 1e22, 1e-7, 123456789.123456789);
    return *rc::gen::oneOf(
        rc::gen::just(Json(extreme)),
        rc::gen::map(rc::gen::arbitrary<double>(), [](double any) { return Json(std::isfinite(any) ? any : 1.5); }),
        rc::gen::map(rc::gen::arbitrary<std::int64_t>(), [](std::int64_t any) { return Json(any); }),
        rc::gen::element(Json(std::numeric_limits<std::int64_t>::min()),
                         Json(std::numeric_limits<std::uint64_t>::max())));
}

Json odd_document(int depth) {
    const int kind = *rc::gen::inRange(0, depth > 0 ? 7 : 5);
    if (kind == 0)
        return nullptr;
    if (kind == 1)
        return *rc::gen::arbitrary<bool>();
    if (kind < 4)
        return odd_number();
    if (kind == 4)
        return odd_text();
    Json document = kind == 5 ? Json::array() : Json::object();
    const int members = *rc::gen::inRange(0, 4);
    for (int i = 0; i < members; ++i)
        if (kind == 5)
            document.push_back(odd_document(depth - 1));
        else
            document[odd_text()] = odd_document(depth - 1);
    return document;
}

Json nested(int levels) {
    Json document = 1;
    for (int i = 0; i < levels; ++i)
        document = i % 2 == 0 ? Json{{"a", std::move(document)}} : Json::array({std::move(document)});
    return document;
}

TEST(DocumentText, IsReadBackAsTheDocumentThatItWas) {
    rc::check([] {
        const Json document = odd_document(4);
        const Json read = parse_json(document_text(document));
        RC_ASSERT(read == document);
        RC_ASSERT(read.dump() == document.dump()); // the order of keys, and the kind of each number, too
    });
}

TEST(DocumentText, GoesAsDeepAsReadersDoAndNoDeeper) {
    EXPECT_EQ(parse_json(document_text(nested(deepest_input_nesting))), nested(deepest_input_nesting));
    EXPECT_THROW(document_text(nested(deepest_input_nesting + 1)), InputError);
}

TEST(DocumentText, LeavesIndentationOutWhereItWouldBeTooLong) {
    // Each list item takes two bytes, and six more on a line of its own.
    const Json wide{{"list", std::vector<int>(4'000'000, 1)}};
    EXPECT_EQ(document_text(wide).find("  "), std::string::npos);
    EXPECT_NE(document_text(Json{{"list", 1}}).find("  "), std::string::npos);
    EXPECT_EQ(parse_json(document_text(wide)), wide);
}

TEST(DocumentText, EndsAtTheLimitToTheByte) {
    const auto of_length = [](std::size_t bytes) {
        const std::size_t frame = document_text(Json{{"notes", ""}}).size();
        return Json{{"notes", std::string(bytes - frame, 'x')}};
    };
    const Json longest = of_length(largest_input_bytes);
    EXPECT_EQ(document_text(longest).size(), largest_input_bytes);
    EXPECT_EQ(parse_json(document_text(longest)), longest);
    EXPECT_THROW(document_text(of_length(largest_input_bytes + 100)), InputError);
}

TEST(DocumentText, RefusesWhatJsonDoesNotHave) {
    EXPECT_THROW(document_text(Json{{"a", std::nan("")}}), InputError);
    EXPECT_THROW(document_text(Json{{"a", std::numeric_limits<double>::infinity()}}), InputError);
    EXPECT_THROW(document_text(Json{{"a", "\xff\xfe"}}), InputError);
    Json many = Json::object();
    for (int i = 0; i < 20'001; ++i)
        many.get_ref<Json::object_t &>().emplace_back(std::to_string(i), 1);
    EXPECT_THROW(document_text(many), InputError);
}

} // namespace
} // namespace meshwright
