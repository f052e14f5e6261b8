// Brême as a task: what the draft and the play look like to a network, the mistakes that can be put
// back in, and what placements turn out to be worth.

#include "damier/learn/bremen/task.h"

#include <algorithm>
#include <numeric>

#include "tests/base/temporary_folder.h"
#include <gtest/gtest.h>

#include "damier/base/files/files.h"
#include "damier/learn/game_task.h"
#include "damier/learn/sources/rewards/acting.h"
#include "damier/learn/train/training_run.h"
#include "damier/model/bremen/encoders.h"
#include "damier/model/symmetries.h"
#include "damier/nn/training.h"

namespace damier::learn {
namespace {

using namespace model;

using namespace games::bremen;

const GameTask<Bremen>& bremen_task() { return game_task<Bremen>(); }

State bremen_state(const char* text) { return Bremen().parse_position(text).value(); }

std::vector<float> bremen_input(const char* encoder, const State& state) {
  const auto reads = find_encoder<Bremen>(encoder).value();
  std::vector<float> out(reads->width());
  reads->encode(state, out);
  return out;
}

double sum_of(std::span<const float> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0);
}

TEST(BremenTask, DraftAndPlayAreSeenApart) {
  const State draft = bremen_state("a1---/---- r"), play = bremen_state("a1b1c1d1/a5b5c5d5 b");
  const auto in_draft = bremen_input("phases", draft), in_play = bremen_input("phases", play);
  ASSERT_EQ(in_draft.size(), 265u);
  EXPECT_EQ(sum_of(std::span(in_draft).first(225)), 0);
  EXPECT_EQ(sum_of(std::span(in_draft).subspan(225)), 1) << "one animal stands";
  EXPECT_EQ(sum_of(std::span(in_play).first(225)), 8);
  EXPECT_EQ(sum_of(std::span(in_play).subspan(225)), 0);
  const auto plain = bremen_input("features", play);
  EXPECT_TRUE(std::equal(plain.begin(), plain.end(), in_play.begin()));
}

TEST(BremenTask, EveryLegalMoveIsAmongTheOutputsThatItsPhaseAsksFor) {
  const Bremen game;
  for (const State& state : met_in_random_games(game, "test", 3)) {
    for (const char* encoder : {"features", "phases", "published"}) {
      const auto reads = find_encoder<Bremen>(encoder).value();
      const auto [begin, end] = reads->outputs_asked(state);
      EXPECT_EQ(end - begin, game.is_drafting(state) ? 20 : 100);
      std::vector<bool> used(120);
      for (const Move move : game.legal_moves(state)) {
        const int output = reads->output_of(state, move);
        EXPECT_GE(output, begin);
        EXPECT_LT(output, end);
        EXPECT_FALSE(used[static_cast<std::size_t>(output)]) << "two moves have one output";
        used[static_cast<std::size_t>(output)] = true;
      }
    }
  }
}

// Of the public code: without the forced animal two different positions look the same, and one move
// of Red is another output than the move of Blue that looks like it.
TEST(BremenTask, ThePublishedInputLacksTheForcedAnimalAndItsActionsAreNotTurned) {
  const Bremen game;
  const State free = bremen_state("a5b1c1d1/b5a5c5d5 b"),
              bound = bremen_state("a5b1c1d1/b5a5c5d5 b !d");
  EXPECT_EQ(bremen_input("published", free), bremen_input("published", bound));
  EXPECT_NE(bremen_input("phases", free), bremen_input("phases", bound));

  const State blue = bremen_state("a1b1c1d1/a5b5c5d5 b");
  const games::Symmetry turned{.mirror_cols = true, .mirror_rows = true, .swap_sides = true};
  const State red = game.transformed(blue, turned);
  EXPECT_EQ(bremen_input("published", blue), bremen_input("published", red));
  const Move move = game.legal_moves(blue)[0], image = game.transformed(move, turned);
  const auto phases = find_encoder<Bremen>("phases").value();
  const auto published = find_encoder<Bremen>("published").value();
  EXPECT_EQ(phases->output_of(blue, move), phases->output_of(red, image));
  EXPECT_NE(published->output_of(blue, move), published->output_of(red, image));
  EXPECT_EQ(published->symmetries().size(), 1u);
}

TEST(BremenTask, HighStacksAndFreedomAreWorthSomethingBeforeTheEnd) {
  const Bremen game;
  EXPECT_EQ(bremen_task().potentials(), (std::vector<std::string>{"heuristic", "retreat"}));
  const State stacked = bremen_state("a1a1c1d1/a5b5c5d5 b"),
              bound = bremen_state("a5b1c1d1/b5a5c5d5 b !d");
  EXPECT_EQ(bremen_task().potential(game, "heuristic", stacked), 1)
      << "a stack of two is its top's";
  EXPECT_EQ(bremen_task().potential(game, "retreat", stacked), 0);
  EXPECT_EQ(bremen_task().potential(game, "retreat", bound), -1);
}

// --- Games -----------------------------------------------------------------------------------

struct PlayedGames {
  Recipe recipe;
  ThreadPool pool = ThreadPool(2);
  Experience experience;
  PlayFigures figures;

  // Moves at random, or as a fresh network likes them.
  PlayedGames(const Settings& settings, const Choosing& choosing, Time moves)
      : recipe(find_recipe("bremen-dqn", settings).value()),
        experience({static_cast<std::size_t>(recipe.reinforcement->how.games), 265, 120,
                    static_cast<std::size_t>(moves) + 1}) {
    const auto& own = *recipe.reinforcement;
    auto actors =
        Actors<float>::make(*recipe.task, recipe.network, own.encoder, true, own.how, Seed{3}, pool)
            .value();
    nn::Network<float> network(recipe.network, 1, nn::Use::inference);
    nn::initialise(network, nn::Initialisation::he_uniform, Seed{1});
    actors->begin(experience);
    figures = actors->play(network, choosing, experience, moves).value();
    for (Time i = 0; i < moves; ++i) experience.advance();
  }
};

TEST(BremenDraft, PlacementsAreWorthTheResultOnceItIsKnown) {
  const PlayedGames played(
      {"reinforcement.games=16", "rules.maxply=\"60\"", "reinforcement.shaping={}"}, {1, 0}, 400);
  ASSERT_GT(played.figures.games, 16u);
  EXPECT_GT(played.figures.cuts, 0u);
  int closed = 0, decided = 0, open = 0;
  for (std::size_t game = 0; game < 16; ++game) {
    for (Time begin = 0; begin < 400;) {
      Time end = begin;
      const auto place = [&](Time time) { return played.experience.place(time, game); };
      while (end < 400 && !played.experience.over(place(end))) ++end;
      for (Time time = begin; time < begin + 8 && time < end; ++time) {
        if (end == 400) {
          EXPECT_TRUE(played.experience.open(place(time)));
          ++open;
          continue;
        }
        // A game that was cut off is a draw; else whoever moved last has won.
        const bool cut = played.experience.open(place(end));
        const float last = cut ? 0 : played.experience.reward(place(end));
        EXPECT_FALSE(played.experience.open(place(time)));
        EXPECT_EQ(played.experience.reward(place(time)), (end - time) % 2 == 0 ? last : -last);
        EXPECT_EQ(played.experience.sign(place(time)), 0) << "nothing else counts";
        ++closed;
        decided += last != 0;
      }
      begin = end + 1;
    }
  }
  EXPECT_GT(closed, 100);
  EXPECT_GT(decided, 8);
  EXPECT_GT(open, 8);
}

TEST(BremenDraft, WithoutAMaskIllegalPlacementsArePunishedAndOthersAreMade) {
  const PlayedGames played({"reinforcement.games=16", "reinforcement.draft_mask=false",
                            "reinforcement.rewards.illegal=-5"},
                           {0, 0}, 8);
  EXPECT_GT(played.figures.illegal, 16u);
  std::uint64_t punished = 0;
  for (Time time = 0; time < 8; ++time) {
    for (std::size_t game = 0; game < 16; ++game) {
      const std::size_t place = played.experience.place(time, game);
      const auto action = static_cast<std::size_t>(played.experience.action(place));
      const bool legal = played.experience.legal(place)[action] == kLegal;
      EXPECT_GE(action, 100u) << "only placements are chosen in the draft";
      EXPECT_EQ(legal, played.experience.reward(place) != -5.0f);
      EXPECT_EQ(legal, played.experience.open(place)) << "a punishment needs no result";
      punished += !legal;
    }
  }
  EXPECT_EQ(punished, played.figures.illegal);
}

std::string learnt_bits(const Recipe& recipe, int threads, const std::filesystem::path& folder = {},
                        int rounds = 0) {
  ThreadPool pool(threads);
  TrainingOptions options;
  options.folder = folder;
  if (rounds > 0) options.stop = [left = rounds]() mutable { return left-- == 0; };
  const auto result = train(recipe, Seed{7}, pool, {}, options);
  if (!result) return result.error().message;
  return result->finished ? nn::serialize_safetensors(result->model).value() : "stopped";
}

class BremenRuns : public testing::TestWithParam<const char*> {};

TEST_P(BremenRuns, EndWithTheSameBitsOnAnyNumberOfThreadsAndAfterAStop) {
  const auto recipe =
      find_recipe(GetParam(), {"epochs=2", "steps=320", "reinforcement.games=16",
                               "reinforcement.begin=64", "reinforcement.replay=512", "batch=16",
                               "evaluation.opponents=[]", "rules.maxply=\"12\""});
  ASSERT_TRUE(recipe.ok()) << recipe.error().text();
  const std::string whole = learnt_bits(*recipe, 1);
  ASSERT_GT(whole.size(), 1000u) << whole;
  const TemporaryFolder folder;
  ASSERT_EQ(learnt_bits(*recipe, 2, folder.path(), 23), "stopped");
  EXPECT_TRUE(learnt_bits(*recipe, 2, folder.path()) == whole);
}

INSTANTIATE_TEST_SUITE_P(Recipes, BremenRuns, testing::Values("bremen-dqn", "bremen-published"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// What a file says of every move becomes a row: the moves that keep the value are taught.
TEST(BremenTask, RowsComeFromPositionsWithExactAnswers) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "exact.txt";
  ASSERT_TRUE(write_file_atomically(
      file,
      "d2d2c3c3/c1b2b2d2 b;win 3;+3 dd1 = dd5 dd4 dd3 de2 ge3 gc1 ge1 cb1 cd1 rc2 rc1 -14 "
      "ra3 -10 ce2 -8 cb5 cd5 ca4 ce4 ca2 ra5 rc5 re5 rb4 rc4 rd4 rb3 rd3 -6 re3 -4 dc2 -2 "
      "rb2\n\nd5e4b1e1/c5c4c4c4 b;loss 4;-4 de5 dd4 dd2 dd1 gd5 -2 dd3 gd3 gc2 ca3 cc3 cd2 "
      "ra5 rb4 re4 rc3 re3 rd2 re2 rb1 rc1 rd1\n"));
  GenerateOptions options;
  options.split = "none";
  options.more = {{"from", file.string()}};
  ThreadPool pool(2);
  const auto data = generate_in_memory(bremen_task(), options, pool);
  ASSERT_TRUE(data) << data.error().text();
  ASSERT_EQ(data->rows(Split::training).count, 2u);
  const RowRange rows = data->rows(Split::training);
  const auto values = column_of<float>(*data, "value", 1, rows);
  const auto distances = column_of<float>(*data, "distance", 1, rows);
  const auto moves = column_of<std::int32_t>(*data, "moves", 120, rows);
  const auto legal = column_of<std::int32_t>(*data, "legal", 120, rows);
  ASSERT_TRUE(values && distances && moves && legal);
  for (std::size_t row = 0; row < 2; ++row) {
    const bool won = (*values)[row] > 0;
    EXPECT_EQ((*values)[row], won ? 1 : -1);
    EXPECT_EQ((*distances)[row], won ? 3 : 4);
    const auto sum = [&](const auto& marks) {
      return std::accumulate(marks.begin() + static_cast<std::ptrdiff_t>(120 * row),
                             marks.begin() + static_cast<std::ptrdiff_t>(120 * (row + 1)), 0);
    };
    EXPECT_EQ(sum(*moves), won ? 1 : 21);
    EXPECT_EQ(sum(*legal), won ? 30 : 21);
  }
  ASSERT_TRUE(write_file_atomically(file, "d2d2c3c3/c1b2b2d2 b;win 3;da9\n"));
  const auto wrong = generate_in_memory(bremen_task(), options, pool);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().text().find("exact.txt:1: "), std::string::npos) << wrong.error().text();
  options.split = "game";
  const auto by_game = generate_in_memory(bremen_task(), options, pool);
  ASSERT_FALSE(by_game);
  EXPECT_EQ(by_game.error().text(),
            "the split 'game' needs positions from play; expected no --from with it");
}

}  // namespace
}  // namespace damier::learn
