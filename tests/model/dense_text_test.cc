#include "damier/model/dense_text.h"

#include <limits>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "damier/nn/training.h"

namespace damier::model {
namespace {

constexpr std::string_view kCompact =
    "(3, 2, 1)\n"
    "Layer : 0\n"
    "Mat :\n"
    "1 -2 0.5\n"
    "0.1 1e-300 -0\n"
    "Biais :\n"
    "3 4\n"
    "Layer : 1\n"
    "Mat :\n"
    "0.3333333333333333 7\n"
    "Biais :\n"
    "-1.5e+200\n";

constexpr std::string_view kBlankLines =
    "(3, 2, 1)\n"
    "Layer : 0\n"
    "Mat :\n"
    "1 -2 0.5\n"
    "0.1 1e-300 -0\n"
    "\n"
    "Biais :\n"
    "3 4\n"
    "Layer : 1\n"
    "Mat :\n"
    "0.3333333333333333 7\n"
    "\n"
    "Biais :\n"
    "-1.5e+200\n";

DenseText small_net() {
  return {{3, 2, 1},
          {{{1, -2, 0.5, 0.1, 1e-300, -0.0}, {3, 4}}, {{0.3333333333333333, 7}, {-1.5e200}}}};
}

std::string error_of(std::string_view text) {
  const auto dense = parse_dense_text(text, "w");
  return dense ? "no error" : dense.error().text();
}

// Whatever `text` is: an error in one line with its line, or a net that reads back the same.
void expect_error_or_round_trip(std::string_view text) {
  const auto dense = parse_dense_text(text, "w");
  if (!dense) {
    EXPECT_TRUE(dense.error().text().starts_with("w")) << dense.error().text();
    EXPECT_EQ(dense.error().text().find('\n'), std::string::npos);
    return;
  }
  ASSERT_TRUE(check_dense_text(*dense));
  for (const auto form : {DenseTextForm::compact, DenseTextForm::blank_lines}) {
    const auto again = parse_dense_text(dense_text(*dense, form), "again");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(*again, *dense);
  }
}

TEST(DenseText, BothFormsAreReadAndWritten) {
  for (const std::string_view text : {kCompact, kBlankLines}) {
    const auto dense = parse_dense_text(text, "w");
    ASSERT_TRUE(dense) << dense.error().text();
    EXPECT_EQ(*dense, small_net());
  }
  EXPECT_EQ(dense_text(small_net(), DenseTextForm::compact), kCompact);
  EXPECT_EQ(dense_text(small_net(), DenseTextForm::blank_lines), kBlankLines);
}

TEST(DenseText, RowsAreOutputsAndColumnsAreInputs) {
  const auto dense =
      parse_dense_text("(2, 3)\nLayer : 0\nMat :\n1 2\n3 4\n5 6\nBiais :\n7 8 9", "w");
  ASSERT_TRUE(dense) << dense.error().text();
  EXPECT_EQ(dense->layers[0].matrix, (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(dense->layers[0].bias, (std::vector<double>{7, 8, 9}));
}

TEST(DenseText, SpacesBlankLinesAndLayersFromOneDoNotMatter) {
  const auto dense = parse_dense_text(
      "\r\n ( 3,2 ,1 ) \r\nLayer: 1\r\n\r\nMat:\r\n 1\t-2  5e-1 \r\n\r\n0.1 1e-300 -0\r\n"
      "Biais  :\r\n3 4\r\nLayer :2\nMat :\n0.3333333333333333 7 \nBiais :\n\n-1.5e200\n\n\n",
      "w");
  ASSERT_TRUE(dense) << dense.error().text();
  EXPECT_EQ(*dense, small_net());
}

TEST(DenseText, TheReportsNetReadsBack) {
  DenseText dense{{97, 64, 64, 1}, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    auto& layer = dense.layers.emplace_back();
    const int weights = dense.sizes[i] * dense.sizes[i + 1];
    for (int k = 0; k < weights; ++k) layer.matrix.push_back(1.0 / (k + 3));
    layer.bias.assign(static_cast<std::size_t>(dense.sizes[i + 1]), -1.0 / 3);
  }
  for (const auto form : {DenseTextForm::compact, DenseTextForm::blank_lines}) {
    EXPECT_EQ(parse_dense_text(dense_text(dense, form), "w").value(), dense);
  }
}

TEST(DenseText, EveryTruncationIsAnErrorOrAnotherNet) {
  for (const std::string_view text : {kCompact, kBlankLines}) {
    for (std::size_t size = 0; size < text.size(); ++size) {
      expect_error_or_round_trip(text.substr(0, size));
      // The last number may lose digits without anybody noticing.
      if (size >= text.rfind("-1.5")) continue;
      EXPECT_NE(error_of(text.substr(0, size)), "no error") << size;
    }
  }
}

TEST(DenseText, EveryFlippedBitIsAnErrorOrAnotherNet) {
  std::string text(kBlankLines);
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    const auto flip = static_cast<char>(1 << bit % 8);
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ flip);
    expect_error_or_round_trip(text);
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ flip);
  }
}

TEST(DenseText, BadFilesAreToldApart) {
  std::string many = "(1";
  for (int i = 0; i < 65; ++i) many += ", 1";
  many += ")";
  const std::string one = "(2, 1)\nLayer : 0\nMat :\n";
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"", "w: the text ends; expected the sizes of the layers, like (97, 64, 64, 1)"},
      {"\n\n", "w:2: the text ends; expected the sizes of the layers, like (97, 64, 64, 1)"},
      {"97, 64, 1\n", "w:1: '97, 64, 1'; expected the sizes of the layers, like (97, 64, 64, 1)"},
      {"()", "w:1:2: a size is ''; expected a whole number from 1 to 100000"},
      {"(97, x, 1)", "w:1:6: a size is 'x'; expected a whole number from 1 to 100000"},
      {"(97, 0, 1)", "w:1:6: a size is '0'; expected a whole number from 1 to 100000"},
      {"(97, 1,)", "w:1:8: a size is ''; expected a whole number from 1 to 100000"},
      {"(97, 100001, 1)", "w:1:6: a size is '100001'; expected a whole number from 1 to 100000"},
      {"(97)", "w:1: 1 size; expected from 2 to 65"},
      {many, "w:1: 66 sizes; expected from 2 to 65"},
      {"(100000, 500)", "w:1: the sizes ask for 50000500 numbers; expected 50000000 at most"},
      {"(100000, 100000, 100000)",
       "w:1: the sizes ask for 20000200000 numbers; expected 50000000 at most"},
      {"(2, 1)\n", "w:1: the text ends; expected 'Layer : 0'"},
      {"(2, 1)\nMat :\n", "w:2: 'Mat :'; expected 'Layer : 0'"},
      {"(2, 1)\nLayer : 2\n", "w:2: 'Layer : 2'; expected 'Layer : 0'"},
      {"(2, 1)\nLayer : 0\nBiais :\n", "w:3: 'Biais :'; expected 'Mat :' of layer 0"},
      {"(2, 1)\nLayer : 0\nMat : 1 2\n", "w:3: 'Mat : 1 2'; expected 'Mat :' of layer 0"},
      {"(5000, 5000)\nLayer : 0\nMat :\n",
       "w:3: the text ends; expected row 0 of layer 0 of 5000 numbers"},
      {one + "1\n", "w:4: row 0 of layer 0 has 1 numbers; expected 2"},
      {one + "1 2 3\n", "w:4:5: row 0 of layer 0 continues with '3'; expected 2 numbers"},
      {one + "  1 two\n",
       "w:4:5: 'two' in row 0 of layer 0; expected a finite number of double range"},
      {one + "1 2,5\n",
       "w:4:3: '2,5' in row 0 of layer 0; expected a finite number of double range"},
      {one + "nan 1\n",
       "w:4:1: 'nan' in row 0 of layer 0; expected a finite number of double range"},
      {one + "1 -inf\n",
       "w:4:3: '-inf' in row 0 of layer 0; expected a finite number of double range"},
      {one + "1 1e400\n",
       "w:4:3: '1e400' in row 0 of layer 0; expected a finite number of double range"},
      {one + "1 \xFF\n",
       "w:4:3: '\\xff' in row 0 of layer 0; expected a finite number of double range"},
      {one + "1 2\n3 4\n", "w:5: '3 4'; expected 'Biais :' of layer 0"},
      {one + "1 2\nBiais :\n", "w:5: the text ends; expected the bias of layer 0 of 1 numbers"},
      {one + "1 2\n\nBiais :\n1 2\n",
       "w:7:3: the bias of layer 0 continues with '2'; expected 1 numbers"},
      {one + "1 2\nBiais :\n1\nLayer : 1\n",
       "w:7: 'Layer : 1' after the last layer; expected the end of the text"},
      {"(1, 1, 1)\nLayer : 1\nMat :\n1\nBiais :\n1\nLayer : 1\n",
       "w:7: 'Layer : 1'; expected 'Layer : 2'"},
  };
  for (const auto& [text, error] : bad) EXPECT_EQ(error_of(text), error);
}

TEST(DenseText, NetsThatCouldNotBeReadAreFoundBeforeWriting) {
  const auto error = [](auto&& change) {
    DenseText dense = small_net();
    change(dense);
    const auto status = check_dense_text(dense);
    return status ? "no error" : status.error().text();
  };
  EXPECT_EQ(error([](DenseText&) {}), "no error");
  EXPECT_EQ(error([](DenseText& d) { d.sizes = {}; }), "0 sizes; expected from 2 to 65");
  EXPECT_EQ(error([](DenseText& d) { d.sizes[1] = -2; }), "size -2; expected from 1 to 100000");
  EXPECT_EQ(error([](DenseText& d) { d.layers.pop_back(); }), "1 layer; expected 2 for 3 sizes");
  EXPECT_EQ(error([](DenseText& d) { d.layers[1].bias.clear(); }),
            "layer 1 has 2 weights and 0 biases; expected 2 and 1");
  EXPECT_EQ(
      error([](DenseText& d) { d.layers[0].matrix[2] = std::numeric_limits<double>::infinity(); }),
      "layer 0 has a number that is not finite");
  EXPECT_EQ(
      error([](DenseText& d) { d.layers[1].bias[0] = std::numeric_limits<double>::quiet_NaN(); }),
      "layer 1 has a number that is not finite");
}

rc::Gen<double> any_number() {
  return rc::gen::oneOf(
      rc::gen::arbitrary<double>(),
      rc::gen::element(0.0, -0.0, 0.1, 5e-324, -2.2250738585072014e-308,
                       std::numeric_limits<double>::max(), 123456789.123456789, 1e22, 1e-7));
}

TEST(DenseText, HoldsDenseSigmoidNetworks) {
  const auto spec =
      nn::parse_network_text(R"({"input": [3], "layers": [{"type": "dense", "units": 4},
      {"type": "sigmoid"}, {"type": "dense", "units": 2}, {"type": "sigmoid"}]})",
                             "x")
          .value();
  nn::Network<double> network(spec, 1, nn::Use::inference);
  nn::initialise(network, nn::Initialisation::xavier_normal, Seed{1});
  for (const DenseTextForm form : {DenseTextForm::compact, DenseTextForm::blank_lines}) {
    const std::string text = dense_text(to_dense_text(network).value(), form);
    EXPECT_TRUE(text.starts_with("(3, 4, 2)\n")) << text;
    const DenseText read = parse_dense_text(text, "x").value();
    const auto loaded = network_of(read);
    EXPECT_EQ(loaded->spec(), spec);
    for (std::size_t i = 0; i < 4; ++i) {
      const nn::Parameter<double>& a = *network.parameters()[i];
      const nn::Parameter<double>& b = *loaded->parameters()[i];
      EXPECT_EQ(std::vector(a.value, a.value + a.count()),
                std::vector(b.value, b.value + b.count()));
    }
  }
  nn::Network<double> other(
      nn::parse_network_text(R"({"input": [3], "layers": [{"type": "dense", "units": 4}]})", "x")
          .value(),
      1, nn::Use::inference);
  EXPECT_FALSE(to_dense_text(other));
}

RC_GTEST_PROP(DenseText, WhatIsWrittenIsRead, ()) {
  DenseText dense;
  const auto count = *rc::gen::inRange<std::size_t>(2, 6);
  dense.sizes = *rc::gen::container<std::vector<int>>(count, rc::gen::inRange(1, 6));
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const auto inputs = static_cast<std::size_t>(dense.sizes[i]);
    const auto outputs = static_cast<std::size_t>(dense.sizes[i + 1]);
    dense.layers.push_back(
        {*rc::gen::container<std::vector<double>>(inputs * outputs, any_number()),
         *rc::gen::container<std::vector<double>>(outputs, any_number())});
  }
  for (const auto form : {DenseTextForm::compact, DenseTextForm::blank_lines}) {
    const std::string text = dense_text(dense, form);
    const auto read = parse_dense_text(text, "w");
    RC_ASSERT(read.ok());
    RC_ASSERT(*read == dense);
    RC_ASSERT(dense_text(*read, form) == text);  // the sign of zero too
  }
}

RC_GTEST_PROP(DenseText, AnyTextIsANetOrAnErrorInOneLine, (const std::string& text)) {
  expect_error_or_round_trip(text);
  expect_error_or_round_trip("(1, 1)\nLayer : 0\nMat :\n" + text);
}

}  // namespace
}  // namespace damier::model
