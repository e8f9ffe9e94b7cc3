#include "cache_entry.hpp"

#include <gtest/gtest.h>

#include <set>

#include "sha256.hpp"
#include "support.hpp"

namespace sonoma::testing {
namespace {

TEST(CacheEntry, DecodeIsTheInverseOfEncode) {
  std::string why;
  const CacheEntry entry{some_inputs(), some_binary()};
  EXPECT_EQ(decode(encode(entry), why), entry);
  const CacheEntry empty;
  EXPECT_EQ(decode(encode(empty), why), empty);
  EXPECT_EQ(why, "");
}

TEST(CacheEntry, EveryInputChangesTheKey) {
  std::set<std::string> keys = {cache_key(some_inputs())};
  const auto add = [&](auto change) {
    CompileInputs inputs = some_inputs();
    change(inputs);
    return keys.insert(cache_key(inputs)).second;
  };
  EXPECT_TRUE(add([](CompileInputs& i) { i.kind = "host"; }));
  EXPECT_TRUE(add([](CompileInputs& i) { i.name = "other"; }));
  EXPECT_TRUE(add([](CompileInputs& i) { i.arch = "sm_80"; }));
  EXPECT_TRUE(add([](CompileInputs& i) { i.compiler += "0"; }));
  EXPECT_TRUE(add([](CompileInputs& i) { i.source += " "; }));
  EXPECT_TRUE(add([](CompileInputs& i) { i.options.pop_back(); }));
  EXPECT_TRUE(add([](CompileInputs& i) { std::swap(i.options[0], i.options[1]); }));
}

TEST(CacheEntry, FieldsDoNotRunIntoEachOther) {
  CompileInputs one = some_inputs(), other = some_inputs();
  one.options = {"-a\n", "b"};
  other.options = {"-a", "\nb"};
  EXPECT_NE(cache_key(one), cache_key(other));
  other.options = {"-a\n\nb"};
  EXPECT_NE(cache_key(one), cache_key(other));
}

TEST(CacheEntry, EveryTruncationIsRejected) {
  const std::string bytes = encode({some_inputs(), some_binary(40)});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    std::string why;
    EXPECT_FALSE(decode(bytes.substr(0, size), why)) << size;
    EXPECT_NE(why, "");
  }
}

TEST(CacheEntry, EveryFlippedBitIsRejected) {
  const std::string sound = encode({some_inputs(), some_binary(40)});
  for (std::size_t bit = 0; bit < 8 * sound.size(); ++bit) {
    std::string bytes = sound, why;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ 1 << bit % 8);
    EXPECT_FALSE(decode(bytes, why)) << bit;
  }
}

// A checksum that is right does not make the fields so.
TEST(CacheEntry, MalformedFieldsWithARightChecksumAreRejected) {
  const auto with_body = [](const std::string& body) {
    return "sonoma-cache 2\nsha256 " + sha256(body) + "\n" + body;
  };
  for (const char* body : {"", "fields", "fields 1 1\n", "fields 99999999999999999999 1\n",
                           "fields 1 8\nkind 5\nx\n", "fields 1 9\nkind 1\nx\n",
                           "fields 1 9\nkind -1\nx\n", "fields 2 18\nkind 1\nkind 1\nx\nx\n",
                           "fields 1 10\nother 1\nx\n", "fields 4000000000 2\nx\n"}) {
    std::string why;
    EXPECT_FALSE(decode(with_body(body), why)) << body;
    EXPECT_EQ(why, "its fields are malformed") << body;
  }
}

TEST(CacheEntry, SourceCanBeReadInTheFile) {
  const CacheEntry entry{some_inputs(), some_binary()};
  EXPECT_NE(encode(entry).find(entry.inputs.source), std::string::npos);
}

}  // namespace
}  // namespace sonoma::testing
