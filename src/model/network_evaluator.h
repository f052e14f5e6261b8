// A network as an evaluator of positions, for players and tree searches of any game: what it thinks
// of the moves and of the result.
#pragma once

#include "damier/model/model.h"
#include "damier/search/evaluator.h"

namespace damier::model {

template <games::Game G>
class NetworkEvaluator {
 public:
  using State = typename G::State;
  using Move = typename G::Move;
  static constexpr bool kGivesPriors = true;

  // Of a network that is at hand, for instance one in training; `encoder` says how it reads the
  // board. A error when it was made for other rules or says nothing of moves and value.
  static Result<NetworkEvaluator> make(const G& game, std::string_view encoder,
                                       std::shared_ptr<Predictor> predictor) {
    auto own = TRY(encoder_for(game, encoder));
    TRY(own->check_input(predictor->spec()));
    const auto heads = TRY(own->heads_of(predictor->spec()));
    return NetworkEvaluator(std::move(own), heads, std::move(predictor));
  }

  // Of a model file, for passes of `batch` positions.
  static Result<NetworkEvaluator> open(const G& game, const Model& model, int batch = 1) {
    TRY(encoder_of(model, encoders_of<G>()));
    return make(game, model.origin("encoder"), predict_with(model, batch)).in(model.path);
  }

  // A copy has buffers of its own.
  NetworkEvaluator(const NetworkEvaluator& other)
      : encoder_(other.encoder_), heads_(other.heads_), predictor_(other.predictor_->clone()) {}
  NetworkEvaluator(NetworkEvaluator&&) noexcept = default;
  NetworkEvaluator& operator=(const NetworkEvaluator&) = delete;

  const Predictor& predictor() const { return *predictor_; }
  const Encoder<G>& encoder() const { return *encoder_; }
  const MoveHeads& heads() const { return heads_; }
  bool knows_value() const { return heads_.value >= 0; }
  // Where it does not, all moves look alike to it, and look_ahead() tells them apart.
  bool knows_moves() const { return heads_.moves >= 0 || heads_.own >= 0; }

  // Asks about many positions at once; the answers are there until the next question.
  void ask(std::span<const State> states) {
    const auto width = static_cast<std::size_t>(predictor_->spec().input.size());
    inputs_.resize(states.size() * width);
    for (std::size_t i = 0; i < states.size(); ++i) {
      encoder_->encode(states[i], std::span(inputs_).subspan(i * width, width));
    }
    predictor_->run(inputs_, states.size());
  }
  // Of the `row`-th of them: scores of its moves, whose differences are those of logarithms of
  // probabilities.
  void scores(std::size_t row, const State& state, std::span<const Move> moves,
              std::span<float> out) const {
    if (!knows_moves()) return std::fill(out.begin(), out.end(), 0.0f);
    encoder_->score(heads_, *predictor_, row, state, moves, out);
  }
  // What it expects for the side to move in `state`, the position of that row; the network must
  // know.
  float value(std::size_t row, const State& state) const {
    return encoder_->value_said(heads_, *predictor_, row, state);
  }

  // What it expects of each move for the side that plays it, by the positions that follow; those
  // that end the game count as they end. The network must know values.
  void look_ahead(const State& state, std::span<const Move> moves, std::span<float> out) {
    next_.clear();
    for (const Move move : moves) {
      next_.push_back(state);
      game().play(next_.back(), move);
    }
    ask(next_);
    const games::Side side = game().side_to_move(state);
    for (std::size_t i = 0; i < next_.size(); ++i) {
      const games::Outcome outcome = game().outcome(next_[i]);
      out[i] = outcome == games::Outcome::ongoing
                   ? -value(i, next_[i])
                   : static_cast<float>(games::value_of(games::verdict_of(outcome, side)));
    }
  }

  // Both for a tree, made sound: `priors` gets the probabilities of the moves, which are all legal
  // ones. The value is 0 where the network has no such head.
  search::Evaluation answer(std::size_t row, const State& state, std::span<const Move> moves,
                            std::span<float> priors) const {
    if (!priors.empty()) {
      scores(row, state, moves, priors);
      softmax(priors);
    }
    search::Evaluation evaluation;
    if (knows_value()) evaluation.value = value(row, state);
    search::make_sound(evaluation, priors);
    return evaluation;
  }

  search::Evaluation evaluate(const G&, const State& state, std::span<const Move> moves,
                              std::span<float> priors, RandomStream&) {
    ask({&state, 1});
    return answer(0, state, moves, priors);
  }

 private:
  NetworkEvaluator(std::shared_ptr<const Encoder<G>> encoder, MoveHeads heads,
                   std::shared_ptr<Predictor> predictor)
      : encoder_(std::move(encoder)), heads_(heads), predictor_(std::move(predictor)) {}

  const G& game() const { return encoder_->game(); }

  std::shared_ptr<const Encoder<G>> encoder_;
  MoveHeads heads_;
  std::shared_ptr<Predictor> predictor_;
  std::vector<float> inputs_;
  std::vector<State> next_;  // look_ahead()'s
};

}  // namespace damier::model
