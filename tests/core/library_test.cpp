// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/accelerator.h"
#include "catalog/cluster.h"
#include "catalog/library.h"
#include "catalog/preset_digest.h"
#include "catalog/stack.h"
#include "input/diagnostic.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>
#include <tuple>

#include <sys/stat.h>

namespace meshwright {
namespace {

namespace fs = std::filesystem;

constexpr const char *small_accelerator =
    R"("name": "Small", "peak_flops_per_second": {"bf16": 1e12}, "memory_bytes": 1e9,
         "memory_bandwidth_bytes_per_second": 1e11})";

/// Two folders that a test fills: built-in presets and user presets.
class LibraryTest : public ::testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "meshwright-library-XXXXXX").string();
        m_root = ::mkdtemp(name.data());
    }
    void TearDown() override { fs::remove_all(m_root); }

    fs::path own() const { return m_root / "own"; }
    fs::path users() const { return m_root / "users"; }
    static fs::path write(const fs::path &file, const std::string &text) {
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
        return file;
    }
    static fs::path write_accelerator(const fs::path &folder, const std::string &id) {
        return write(folder / "accelerators" / (id + ".json"), R"({"id": ")" + id + "\", " + small_accelerator);
    }
    Library both() const { return Library({own(), users()}); }

private:
    fs::path m_root;
};

bool mentions(const std::vector<InvalidPreset> &invalid, const std::string &text) {
    return std::any_of(invalid.begin(), invalid.end(),
                       [&](const InvalidPreset &preset) { return preset.problem.find(text) != std::string::npos; });
}

TEST_F(LibraryTest, ListsNothingWhereThereAreNoFolders) {
    const Library library = both();
    EXPECT_TRUE(library.entries().empty());
    EXPECT_TRUE(library.invalid().empty());
}

TEST_F(LibraryTest, LaysTheUsersPresetsOverItsOwn) {
    write_accelerator(own(), "chip");
    write(users() / "accelerators" / "chip.json",
          R"({"id": "chip", "name": "Mine", "peak_flops_per_second": {"bf16": 2e12}, "memory_bytes": 1e9,
              "memory_bandwidth_bytes_per_second": 1e11})");
    const Library library = both();
    ASSERT_EQ(library.entries().size(), 1u);
    EXPECT_EQ(library.entries().front().name, "Mine");
    EXPECT_EQ(library.accelerator("chip")->peak(DataType::bf16), 2e12);
}

TEST_F(LibraryTest, LeavesABrokenUserFileOutAndNamesIt) {
    write_accelerator(own(), "chip");
    write(users() / "accelerators" / "chip.json", R"({"id": "chip", "name": "Cut off")");
    write(users() / "accelerators" / "negative.json",
          R"({"id": "negative", "name": "Negative", "memory_bytes": -1, "peak_flops_per_second": {"bf16": 1e12},
              "memory_bandwidth_bytes_per_second": 1e11})");
    const Library library = both();
    ASSERT_EQ(library.entries().size(), 1u);
    EXPECT_EQ(library.entries().front().name, "Small");
    EXPECT_EQ(library.invalid().size(), 2u);
    EXPECT_TRUE(mentions(library.invalid(), "chip.json"));
    EXPECT_TRUE(mentions(library.invalid(), "/memory_bytes"));
}

TEST_F(LibraryTest, TakesAFileOnlyUnderTheIdThatItsNameGives) {
    write(own() / "accelerators" / "chip.json", std::string(R"({"id": "other", )") + small_accelerator);
    write(own() / "accelerators" / "no id.json", std::string(R"({"id": "no id", )") + small_accelerator);
    const Library library = both();
    EXPECT_TRUE(library.entries().empty());
    EXPECT_TRUE(mentions(library.invalid(), "chip.json: /id"));
    EXPECT_TRUE(mentions(library.invalid(), "no id.json: /id"));
}

TEST_F(LibraryTest, PassesOverWhatIsNoFile) {
    write_accelerator(own(), "chip");
    fs::create_directories(own() / "accelerators" / "folder.json");
    ASSERT_EQ(::mkfifo((own() / "accelerators" / "pipe.json").c_str(), 0600), 0);
    fs::create_symlink("nowhere", own() / "accelerators" / "dangling.json");
    EXPECT_EQ(both().entries().size(), 1u);
}

TEST_F(LibraryTest, HasADigestThatEveryNameAndTextChanges) {
    write_accelerator(own(), "chip");
    const fs::path runs = write(own() / "evidence" / "measured-runs.csv", "id,source\n");
    const auto digest = [&] { return digest_of_presets(both()); };
    const auto first = digest();
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(digest(), first);
    write(runs, "id,sourcf\n");
    const auto other_text = digest();
    EXPECT_NE(other_text, first);
    fs::rename(runs, own() / "evidence" / "runs.csv");
    EXPECT_NE(digest(), other_text);
    fs::rename(own() / "evidence" / "runs.csv", runs);
    write(own() / "evidence" / "measure.py", "pass"); // a file that predictions do not depend on
    EXPECT_EQ(digest(), other_text);
    write_accelerator(own(), "chip2");
    EXPECT_NE(digest(), other_text);
}

TEST_F(LibraryTest, HasNoDigestWithPresetsOfTheUser) {
    write_accelerator(own(), "chip");
    ASSERT_TRUE(digest_of_presets(both()).has_value());
    const fs::path file = write_accelerator(users(), "mine");
    EXPECT_FALSE(digest_of_presets(both()).has_value());
    write(file, "{");
    EXPECT_FALSE(digest_of_presets(both()).has_value()); // it might override any preset
}

TEST_F(LibraryTest, SaysWhichPresetIsNearToAnUnknownOne) {
    write_accelerator(own(), "h100-sxm-80gb");
    const Library library = both();
    try {
        library.accelerator("h100-smx-80gb");
        FAIL() << "an unknown id was accepted";
    } catch (const InputError &error) {
        EXPECT_NE(std::string(error.what()).find("h100-sxm-80gb"), std::string::npos);
    }
}

TEST_F(LibraryTest, NeverTakesAnIdForAPath) {
    const fs::path file = write_accelerator(own(), "chip");
    const Library library = both();
    for (const std::string &id :
         {std::string("../accelerators/chip"), std::string("./chip"), file.string(), std::string("chip.json"),
          std::string("chip\0", 5), std::string(100'000, 'x'), std::string("\xff\xfe"), std::string()}) {
        EXPECT_FALSE(library.find(PresetKind::accelerator, id)) << id;
        EXPECT_FALSE(library.find("accelerator/" + id)) << id;
        EXPECT_THROW(library.accelerator(id), InputError) << id;
        EXPECT_THROW(library.json(PresetKind::accelerator, id), InputError) << id;
    }
}

TEST_F(LibraryTest, FindsPlansFirstWhereNoKindIsNamed) {
    write_accelerator(own(), "same");
    write(own() / "plans" / "same.json", R"({"name": "A plan", "cluster": "c", "model": "m"})");
    const Library library = both();
    EXPECT_EQ(library.find("same")->kind, PresetKind::plan);
    EXPECT_EQ(library.find("accelerator/same")->kind, PresetKind::accelerator);
    EXPECT_FALSE(library.find("stack/same"));
    EXPECT_FALSE(library.find("nonsense/same"));
    EXPECT_FALSE(library.find("plan/accelerator/same"));
}

TEST_F(LibraryTest, KnowsAPlanThatCannotBeEvaluatedAsACard) {
    write(own() / "plans" / "full.json", R"({"name": "Full", "cluster": "c", "model": "m"})");
    write(own() / "plans" / "card.json", R"({"schema": "meshwright.card/1", "name": "Card", "known": {"model": 1}})");
    write(own() / "plans" / "marked.json", R"({"name": "M", "cluster": "c", "model": "m", "evaluable": false})");
    const Library library = both();
    EXPECT_TRUE(library.find("full")->evaluable);
    EXPECT_FALSE(library.find("card")->evaluable);
    EXPECT_FALSE(library.find("marked")->evaluable);
}

TEST_F(LibraryTest, ReportsAFileThatVanishesAfterItWasListed) {
    const fs::path file = write_accelerator(own(), "chip");
    const Library library = both();
    ASSERT_EQ(library.entries().size(), 1u);
    fs::remove(file);
    EXPECT_THROW(library.accelerator("chip"), FileError);
}

TEST_F(LibraryTest, NamesThePresetWhoseContentIsWrong) {
    write(own() / "stacks" / "odd.json", R"({"id": "odd", "name": "Odd", "tensor_overlap": 7})");
    const Library library = both();
    try {
        library.stack("odd");
        FAIL() << "an overlap of 7 was accepted";
    } catch (const InputError &error) {
        EXPECT_NE(std::string(error.what()).find("odd"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("/tensor_overlap"), std::string::npos);
    }
}

TEST_F(LibraryTest, GivesAllThreadsTheSameObjects) {
    const Library library({MESHWRIGHT_PRESETS});
    std::vector<std::shared_ptr<const Cluster>> read(8);
    std::vector<std::thread> threads;
    threads.reserve(read.size());
    for (auto &place : read)
        threads.emplace_back([&] { place = library.cluster("gh200-16-node"); });
    for (std::thread &thread : threads)
        thread.join();
    for (const auto &cluster : read)
        EXPECT_EQ(cluster, read.front());
    EXPECT_EQ(read.front()->accelerator_id, "gh200-144gb");
}

TEST_F(LibraryTest, ListsWhatComesWithTheProgramWithoutProblemsByKindAndName) {
    const Library library({MESHWRIGHT_PRESETS});
    EXPECT_TRUE(library.invalid().empty()) << library.invalid().front().problem;
    EXPECT_TRUE(std::is_sorted(library.entries().begin(), library.entries().end(),
                               [](const PresetEntry &a, const PresetEntry &b) {
                                   return std::tie(a.kind, a.name) < std::tie(b.kind, b.name);
                               }));
}

TEST_F(LibraryTest, FindsTheCheckoutFromABuildTree) {
    const std::optional<PresetEntry> found = Library::standard().find(PresetKind::accelerator, "h100-sxm-80gb");
    ASSERT_TRUE(found);
    EXPECT_TRUE(fs::equivalent(found->file, fs::path(MESHWRIGHT_PRESETS) / "accelerators" / "h100-sxm-80gb.json"));
}

// Listing delays the window's first frame; about 250 files take some 3 ms.
TEST_F(LibraryTest, ListsItsFilesInLessTimeThanAFrameOrTwo) {
    auto best = std::chrono::steady_clock::duration::max();
    for (int attempt = 0; attempt < 5; ++attempt) {
        const Library library({MESHWRIGHT_PRESETS});
        const auto start = std::chrono::steady_clock::now();
        library.entries();
        best = std::min(best, std::chrono::steady_clock::now() - start);
    }
    EXPECT_LT(best, std::chrono::milliseconds(100)); // generous: sanitizers and busy machines
}

} // namespace
} // namespace meshwright
