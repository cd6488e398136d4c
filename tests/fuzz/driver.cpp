// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a fuzz target without libFuzzer: first the corpus, then random mutations of it and of mutations that were not
// rejected. Coverage does not guide this driver. Long runs use libFuzzer; this one rechecks what they found, and
// similar inputs.
//   TARGET [-seconds=S] [-runs=N] [-seed=S] [-max_len=BYTES] [-timeout=S] [-save=FOLDER] CORPUS ...
#include "fuzz_target.h"

#include <sys/resource.h>
#include <sys/time.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace {

namespace fs = std::filesystem;

std::minstd_rand random_bytes(1);

/// Static, because signal handlers must not allocate memory.
struct Tried {
    const std::uint8_t *data = nullptr;
    std::size_t size = 0;
    char file[4096] = {};
} tried;

void keep_input() {
    if (tried.data == nullptr)
        return;
    std::FILE *const file = std::fopen(tried.file, "wb");
    if (file != nullptr) {
        std::fwrite(tried.data, 1, tried.size, file);
        std::fclose(file);
    }
    std::fprintf(stderr, "input kept in %s\n", tried.file);
}

void on_death(int number) {
    if (number == SIGALRM || number == SIGPROF)
        std::fprintf(stderr, "took too long\n");
    else
        std::fprintf(stderr, "ended by signal %d\n", number);
    keep_input();
    ::_exit(77);
}

struct Options {
    double seconds = 0;
    long runs = 0;
    unsigned seed = 1;
    std::size_t largest = 16384;
    unsigned timeout = 20;
    std::string save = ".";
    std::vector<std::string> corpus;
};

Options options_of(int count, char **words) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string word = words[i];
        const std::size_t equals = word.find('=');
        if (word.empty() || word.front() != '-') {
            options.corpus.push_back(word);
            continue;
        }
        const std::string name = word.substr(0, equals);
        const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
        if (name == "-seconds")
            options.seconds = std::stod(value);
        else if (name == "-runs")
            options.runs = std::stol(value);
        else if (name == "-seed")
            options.seed = static_cast<unsigned>(std::stoul(value));
        else if (name == "-max_len")
            options.largest = std::stoul(value);
        else if (name == "-timeout")
            options.timeout = static_cast<unsigned>(std::stoul(value));
        else if (name == "-save")
            options.save = value;
        else
            std::fprintf(stderr, "%s is not known\n", name.c_str());
    }
    return options;
}

std::vector<std::string> inputs_of(const Options &options) {
    std::vector<fs::path> files;
    for (const std::string &name : options.corpus)
        if (fs::is_directory(name)) {
            for (const auto &entry : fs::recursive_directory_iterator(name))
                if (entry.is_regular_file())
                    files.push_back(entry.path());
        } else {
            files.emplace_back(name);
        }
    std::sort(files.begin(), files.end()); // directory iteration has no defined order
    std::vector<std::string> inputs;
    for (const fs::path &file : files) {
        std::ifstream stream(file, std::ios::binary);
        inputs.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    }
    return inputs;
}

void run(const std::string &input, const Options &options) {
    constexpr long max_kib = 2L << 20;
    tried.data = reinterpret_cast<const std::uint8_t *>(input.data());
    tried.size = input.size();
    std::snprintf(tried.file, sizeof tried.file, "%s/finding-%zx", options.save.c_str(),
                  std::hash<std::string>()(input));
    // Limits processor time, so that a loaded machine does not make an input fail, and wall time for inputs that wait
    // forever.
    const struct itimerval limit = {.it_interval = {}, .it_value = {.tv_sec = options.timeout, .tv_usec = 0}};
    const struct itimerval none = {};
    ::setitimer(ITIMER_PROF, &limit, nullptr);
    ::alarm(10 * options.timeout);
    LLVMFuzzerTestOneInput(tried.data, tried.size);
    ::alarm(0);
    ::setitimer(ITIMER_PROF, &none, nullptr);
    struct rusage used = {};
    ::getrusage(RUSAGE_SELF, &used);
    if (used.ru_maxrss > max_kib) {
        std::fprintf(stderr, "more than 2 GiB of memory\n");
        keep_input();
        ::_exit(77);
    }
    tried.data = nullptr;
}

} // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t *data, std::size_t size, std::size_t most) {
    std::string text(reinterpret_cast<const char *>(data), size);
    const std::size_t at = text.empty() ? 0 : random_bytes() % text.size();
    const auto some = [&] { return 1 + random_bytes() % 40; };
    switch (random_bytes() % 5) {
    case 0:
        text.insert(text.begin() + static_cast<std::ptrdiff_t>(at), static_cast<char>(random_bytes()));
        break;
    case 1:
        text.erase(at, some());
        break;
    case 2:
        text.resize(at);
        break;
    case 3:
        text.insert(at, std::string(text, at, some()));
        break;
    default:
        if (!text.empty())
            text[at] = static_cast<char>(random_bytes());
    }
    text.resize(std::min(text.size(), most));
    std::copy(text.begin(), text.end(), data);
    return text.size();
}

int main(int count, char **words) {
    LLVMFuzzerInitialize(&count, &words);
    const Options options = options_of(count, words);
    for (const int number : {SIGABRT, SIGALRM, SIGPROF, SIGSEGV, SIGFPE, SIGBUS, SIGILL})
        std::signal(number, on_death);
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_set_death_callback(keep_input);
#endif
    std::vector<std::string> corpus = inputs_of(options);
    const std::size_t own = corpus.size();
    for (const std::string &input : corpus)
        run(input, options);
    random_bytes.seed(options.seed);
    const auto begin = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    long runs = 0;
    std::vector<std::uint8_t> changed(options.largest);
    while (!corpus.empty() && (runs < options.runs || seconds() < options.seconds)) {
        std::string input = corpus[random_bytes() % corpus.size()];
        input.resize(std::min(input.size(), options.largest));
        std::copy(input.begin(), input.end(), changed.begin());
        std::size_t size = input.size();
        size = LLVMFuzzerCustomMutator(changed.data(), size, changed.size(), static_cast<unsigned>(random_bytes()));
        input.assign(changed.begin(), changed.begin() + static_cast<std::ptrdiff_t>(size));
        const long before = meshwright::fuzz::all_the_way();
        run(input, options);
        ++runs;
        constexpr std::size_t max_kept = 1000;
        if (meshwright::fuzz::all_the_way() == before || random_bytes() % 4 != 0)
            continue;
        if (corpus.size() < own + max_kept)
            corpus.push_back(std::move(input));
        else
            corpus[own + random_bytes() % max_kept] = std::move(input);
    }
    std::printf("%zu inputs of the corpus, %ld changed ones, %.0f a second\n", own, runs,
                static_cast<double>(runs) / std::max(seconds(), 1e-9));
    return corpus.empty() ? 2 : 0;
}
