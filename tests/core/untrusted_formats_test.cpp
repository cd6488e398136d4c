// SPDX-License-Identifier: GPL-3.0-or-later
// Tests readers of foreign formats: gzip, XML and Python's pickle.
#include "input/diagnostic.h"
#include "input/gzip_text.h"
#include "input/pickle.h"
#include "input/xml_document.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <zlib.h>

#include <string>
#include <vector>

using namespace meshwright;
using namespace std::string_literals;

namespace {

std::string gzipped(const std::string &text) {
    z_stream stream{};
    deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    std::string bytes(deflateBound(&stream, text.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef *>(bytes.data());
    stream.avail_out = static_cast<uInt>(bytes.size());
    deflate(&stream, Z_FINISH);
    bytes.resize(stream.total_out);
    deflateEnd(&stream);
    return bytes;
}

std::string xml_error(const std::string &text) {
    try {
        parse_xml(text);
        return "parsed";
    } catch (const InputError &error) {
        return error.diagnostics().front().message.text;
    }
}

std::string pickle_error(const std::string &bytes) {
    try {
        const PickledData data(bytes);
        return "read";
    } catch (const InputError &error) {
        return error.diagnostics().front().message.text;
    }
}

} // namespace

TEST(Gzip, gives_back_what_was_compressed) {
    rc::check([](const std::string &text) { RC_ASSERT(expanded(gzipped(text), 1 << 20) == text); });
    EXPECT_EQ(expanded("as it is", 100), "as it is");
    EXPECT_EQ(beginning_of(gzipped("abcdef"), 3), "abc");
}

TEST(Gzip, reads_files_that_follow_each_other_as_one) {
    EXPECT_EQ(expanded(gzipped("one ") + gzipped("two"), 100), "one two");
}

TEST(Gzip, stops_at_the_limit_before_it_has_expanded_everything) {
    const std::string bomb = gzipped(std::string(50 << 20, 'a'));
    EXPECT_LT(bomb.size(), 100u << 10);
    EXPECT_THROW(expanded(bomb, 1 << 20), InputError);
}

TEST(Gzip, rejects_what_is_damaged_or_cut_short) {
    const std::string whole = gzipped(std::string(1000, 'x') + "end");
    for (std::size_t kept = 3; kept < whole.size() - 8; kept += 3)
        EXPECT_THROW(expanded(whole.substr(0, kept), 1 << 20), InputError) << kept;
    std::string damaged = whole;
    damaged[whole.size() / 2] ^= 0x55;
    EXPECT_THROW(expanded(damaged, 1 << 20), InputError);
    EXPECT_EQ(beginning_of(damaged.substr(0, 12), 100), "");
}

TEST(Xml, has_elements_attributes_text_and_references) {
    const XmlElement root = parse_xml("<?xml version=\"1.0\"?>\n<!DOCTYPE log SYSTEM \"http://example.org/log.dtd\">\n"
                                      "<!-- one GPU --><log><gpu id=\"0000:01\" kind='a &amp; b'><name> A &lt;B&gt; "
                                      "&#65;&#x42; </name><empty/></gpu><![CDATA[<raw>]]></log>\n");
    EXPECT_EQ(root.name, "log");
    EXPECT_EQ(root.text, "<raw>");
    const XmlElement &gpu = *root.child("gpu");
    EXPECT_EQ(gpu.attributes[1].second, "a & b");
    EXPECT_EQ(root.at("gpu/name"), "A <B> AB");
    EXPECT_EQ(root.at("gpu/empty"), "");
    EXPECT_EQ(root.at("gpu/missing/deeper"), "");
}

TEST(Xml, names_the_line_of_an_error) {
    EXPECT_EQ(xml_error("<a>\n<b></a>"), "not valid XML at line 2: the element b is still open");
    EXPECT_EQ(xml_error("<a>"), "not valid XML at line 1: element a is not closed");
    EXPECT_NE(xml_error("<a b=c/>"), "parsed");
    EXPECT_NE(xml_error("<a/><b/>"), "parsed");
    EXPECT_NE(xml_error("<a>&nbsp;</a>"), "parsed");
    EXPECT_NE(xml_error("<a>&#xd800;</a>"), "parsed");
    EXPECT_NE(xml_error(""), "parsed");
}

TEST(Xml, takes_no_entities_from_a_document_type) {
    const std::string laughs = "<!DOCTYPE a [<!ENTITY b \"ha\"><!ENTITY c \"&b;&b;\">]><a>&c;</a>";
    EXPECT_EQ(xml_error(laughs), "not valid XML at line 1: a document type with declarations of its own");
}

TEST(Xml, is_bounded_in_depth_and_size) {
    std::string deep;
    for (int i = 0; i < 100'000; ++i)
        deep += "<a>";
    EXPECT_EQ(xml_error(deep), "not valid XML at line 1: nested deeper than 64 levels");
    std::string wide = "<a>";
    for (int i = 0; i < 600'000; ++i)
        wide += "<b/>";
    EXPECT_EQ(xml_error(wide + "</a>"), "not valid XML at line 1: too many elements");
}

TEST(Xml, parses_or_rejects_whatever_it_is_given) {
    const std::string whole = "<?xml version=\"1.0\"?><a b=\"1\"><c>&amp;</c><!-- d --><![CDATA[e]]></a>";
    rc::check([&] {
        std::string text = whole;
        const int changes = *rc::gen::inRange(1, 6);
        for (int i = 0; i < changes; ++i)
            text[*rc::gen::inRange<std::size_t>(0, text.size())] = *rc::gen::element('<', '>', '/', '&', ';', '"', 'a');
        xml_error(text.substr(0, *rc::gen::inRange<std::size_t>(0, text.size() + 1)));
    });
}

TEST(Pickle, holds_numbers_texts_lists_and_dictionaries) {
    // pickle.dumps({'a': [1, -2, 2**40, 1.5, True, None], 'b': ('x', b'y')}, protocol=4)
    const std::string bytes =
        "\x80\x04\x95\x00\x00\x00\x00\x00\x00\x00\x00}\x94(\x8c\x01"
        "a\x94]\x94(K\x01J\xfe\xff\xff\xff\x8a\x06\x00\x00\x00\x00\x00\x01G?\xf8\x00\x00\x00\x00\x00\x00\x88Ne\x8c\x01"
        "b\x94\x8c\x01x\x94"
        "C\x01y\x86\x94u."s;
    const PickledData data(bytes);
    const auto list = data.find(data.root(), "a");
    ASSERT_TRUE(list);
    const std::vector<PickledData::Index> &items = data.items(*list);
    ASSERT_EQ(items.size(), 6u);
    EXPECT_EQ(data.number(items[1]), -2);
    EXPECT_EQ(data.number(items[2]), 0x1p40);
    EXPECT_EQ(data.number(items[3]), 1.5);
    EXPECT_EQ(data.boolean(items[4]), true);
    EXPECT_EQ(data.number(items[5]), std::nullopt);
    const auto pair = data.find(data.root(), "b");
    ASSERT_TRUE(pair);
    EXPECT_EQ(data.text(data.items(*pair)[0]), "x");
    EXPECT_EQ(data.text(data.items(*pair)[1]), "y");
    EXPECT_EQ(data.find(data.root(), "c"), std::nullopt);
    for (std::size_t kept = 0; kept < bytes.size(); ++kept)
        EXPECT_NE(pickle_error(bytes.substr(0, kept)), "read") << kept;
}

TEST(Pickle, reads_the_first_protocol_too) {
    // pickle.dumps({'a': [1, 2L, 1.5, True]}, protocol=0)
    const std::string bytes = "(dp0\nVa\np1\n(lp2\nI1\naL2L\naF1.5\naI01\nas.";
    const PickledData data(bytes);
    const auto list = data.find(data.root(), "a");
    ASSERT_TRUE(list);
    EXPECT_EQ(data.items(*list).size(), 4u);
    EXPECT_EQ(data.number(data.items(*list)[2]), 1.5);
}

TEST(Pickle, refuses_every_opcode_that_imports_calls_or_is_unknown) {
    const std::string known =
        "NIJKMLFGSTUXVBC}])dltaesu(012hjgqrp.\x80\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f\x90\x91"
        "\x94\x95";
    for (int opcode = 0; opcode < 256; ++opcode) {
        const char code = static_cast<char>(opcode);
        if (known.find(code) != std::string::npos)
            continue;
        const std::string message =
            pickle_error(std::string("\x80\x04(K\x01K\x02") + code + std::string(40, '\n') + ".");
        EXPECT_NE(message.find("would import or call something"), std::string::npos) << opcode << " " << message;
    }
    EXPECT_NE(pickle_error("cos\nsystem\n(S'true'\ntR."), "read");
}

TEST(Pickle, survives_values_that_contain_themselves_and_share_parts) {
    const std::string itself = "]q\x01h\x01"
                               "a.";
    const PickledData data(itself);
    EXPECT_EQ(data.items(data.root()).front(), data.root());
    // Each list contains the previous one twice, which would give 2^200 leaves if lists were copied.
    std::string doubled = "]q\x01";
    for (int i = 1; i < 200; ++i)
        doubled += std::string("]q") + static_cast<char>(i + 1) + "(h" + static_cast<char>(i) + "h"
            + static_cast<char>(i) + "e";
    EXPECT_EQ(pickle_error(doubled + "."), "read");
}

TEST(Pickle, is_bounded) {
    EXPECT_NE(pickle_error(std::string(7'000'000, 'N') + "."), "read");
    EXPECT_NE(pickle_error(std::string("r\xff\xff\xff\xff", 5)), "read");
    EXPECT_NE(pickle_error(std::string("Nr\xff\xff\xff\xff.", 7)), "read");
    EXPECT_NE(pickle_error(std::string("X\xff\xff\xff\xff.", 6)), "read");
}

TEST(Pickle, reads_or_rejects_any_bytes) {
    rc::check([](const std::vector<std::uint8_t> &bytes) { pickle_error(std::string(bytes.begin(), bytes.end())); });
}
