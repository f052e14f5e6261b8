"""Trains Brême's networks on a graphics card, from the exact solution.

    python3 train_on_gpu.py LIBRARY FOLDER --seconds 1200 --judge positions.data …
    python3 train_on_gpu.py LIBRARY FOLDER --start models --rate 0.001 …   # goes on with networks

LIBRARY is libbremen_gpu.so (tools/bremen_solution). It solves the game first, and the tables stay in
the card's memory. Then very many games go on at once, between players of all kinds, among them the
network that learns; every position of every game becomes a row, with the exact value and distance
of every move looked up, and is used once in each of its two images. FOLDER gets the networks (model
files of damier), the value of every outcome of the draft, and labelled positions (samples_of says
how they are held).
"""
import argparse
import copy
import ctypes
import itertools
import json
import math
import pathlib
import sys
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from torch_model import Network, conv_json, move_towards, save, tower_json  # noqa: E402

SQUARES, COLUMNS, ANIMALS = 25, 5, 4
ACTIONS, OUTPUTS = 100, 120  # moves of play: 25 * animal + square; with those of the draft
MATE, NO_MOVE = 1000, -2000  # a win in d plies: MATE - d; a loss: d - MATE; a draw: 0
FREE = 4  # no duty
card = torch.device("cuda")


# The solved game ----------------------------------------------------------------------------------


class Solution:
    def __init__(self, library, passes=0):
        self.library = ctypes.CDLL(library)
        self.library.bremen_solve.restype = ctypes.c_void_p
        self.solver = ctypes.c_void_p(self.library.bremen_solve(passes))

    def scores(self, states):
        """What every action and the position itself are worth to the side to move."""
        states = states.contiguous()
        actions = torch.empty((len(states), ACTIONS), dtype=torch.int16, device=card)
        values = torch.empty(len(states), dtype=torch.int16, device=card)
        torch.cuda.synchronize()
        self.library.bremen_look_up(self.solver, ctypes.c_void_p(states.data_ptr()),
                                    ctypes.c_int64(len(states)),
                                    ctypes.c_void_p(actions.data_ptr()),
                                    ctypes.c_void_p(values.data_ptr()))
        torch.cuda.synchronize()
        return actions, values

    def play(self, states, actions):
        """Plays in place; says which games are over."""
        actions = actions.to(torch.uint8).contiguous()
        finished = torch.empty(len(states), dtype=torch.uint8, device=card)
        torch.cuda.synchronize()
        self.library.bremen_play(ctypes.c_void_p(states.data_ptr()),
                                 ctypes.c_void_p(actions.data_ptr()), ctypes.c_int64(len(states)),
                                 ctypes.c_void_p(finished.data_ptr()))
        torch.cuda.synchronize()
        return finished.bool()


def packed(own, enemy, duty):
    """States in one number each, as the library holds them; squares of (n, 4)."""
    shifts = torch.arange(ANIMALS, device=own.device) * 5
    return ((own << shifts).sum(1) | (enemy << (shifts + 20)).sum(1) | (duty << 40)).long()


def squares_of(states):
    shifts = torch.arange(2 * ANIMALS, device=states.device) * 5
    return (states[:, None] >> shifts) & 31, (states >> 40) & 7


def features(states):
    """The planes of damier's encoder: own animals, enemy animals, the one with a duty."""
    squares, duty = squares_of(states)
    planes = torch.zeros((len(states), 9, SQUARES), device=states.device)
    planes[:, :8].scatter_(2, squares[:, :, None], 1.0)
    bound = duty < FREE
    bound_squares = squares.gather(1, duty.clamp(max=FREE - 1)[:, None])
    planes[:, 8].scatter_(1, bound_squares, bound.float()[:, None])
    return planes.view(-1, 9, COLUMNS, COLUMNS)


def random_drafts(count):
    columns = torch.rand((2, count, COLUMNS), device=card).argsort(2)[:, :, :ANIMALS]
    return packed(columns[0] + 20, columns[1], torch.full((count,), FREE, device=card))


# The draft ----------------------------------------------------------------------------------------


def before(score):
    return -score - 1 if score < 0 else -score + 1 if score > 0 else 0


class Draft:
    """Every position of the draft with the value of every placement, from the outcomes."""

    def __init__(self, solution):
        # Each placement once: the column that stays free is the last of its permutation.
        order = [p[:ANIMALS] for p in itertools.permutations(range(COLUMNS))]
        own = torch.tensor([[20 + c for c in a] for a in order for _ in order], device=card)
        enemy = torch.tensor([list(b) for _ in order for b in order], device=card)
        _, values = solution.scores(packed(own, enemy, torch.full((len(own),), FREE, device=card)))
        self.outcomes = values.cpu().numpy().reshape(len(order), len(order))
        self.number = {p: i for i, p in enumerate(order)}
        self.known = {}
        self.rows = []  # planes' squares, actions' scores, score
        none = (-1,) * ANIMALS
        self.start = self.value(none, none, 0)

    def value(self, blue, red, ply):
        """To the side to move; columns as Blue sees them, -1 where an animal is not placed."""
        key = (blue, red)
        if key in self.known:
            return self.known[key]
        if ply == 2 * ANIMALS:
            return int(self.outcomes[self.number[blue], self.number[red]])
        mine = blue if ply % 2 == 0 else red
        scores = np.full(ANIMALS * COLUMNS, NO_MOVE, dtype=np.int16)
        for animal in range(ANIMALS):
            if mine[animal] >= 0:
                continue
            for column in range(COLUMNS):
                if column in mine:
                    continue
                placed = mine[:animal] + (column,) + mine[animal + 1:]
                next_state = (placed, red) if ply % 2 == 0 else (blue, placed)
                score = before(self.value(*next_state, ply + 1))
                seen = column if ply % 2 == 0 else COLUMNS - 1 - column
                scores[COLUMNS * animal + seen] = score
        best = int(scores.max())
        self.known[key] = best
        self.rows.append((blue, red, ply, scores, best))
        return best

    def tensors(self):
        planes = np.zeros((len(self.rows), 9, SQUARES), dtype=np.float32)
        scores = np.full((len(self.rows), OUTPUTS), NO_MOVE, dtype=np.int16)
        values = np.zeros(len(self.rows), dtype=np.int16)
        for i, (blue, red, ply, actions, best) in enumerate(self.rows):
            for animal in range(ANIMALS):
                for side, placed in ((0, blue), (1, red)):
                    if placed[animal] < 0:
                        continue
                    own = side == ply % 2
                    column = placed[animal] if ply % 2 == 0 else COLUMNS - 1 - placed[animal]
                    planes[i, animal + (0 if own else ANIMALS), (20 if own else 0) + column] = 1
            scores[i, ACTIONS:] = actions
            values[i] = best
        return (torch.from_numpy(planes).view(-1, 9, COLUMNS, COLUMNS).to(card),
                torch.from_numpy(scores).to(card), torch.from_numpy(values).to(card))


def network_json(channels, blocks):
    norm, relu = {"type": "batch_norm"}, {"type": "relu"}
    heads = {
        "moves": [conv_json(32, 1), norm, relu, {"type": "flatten"},
                  {"type": "dense", "units": OUTPUTS}],
        "value": [conv_json(8, 1), norm, relu, {"type": "flatten"}, {"type": "dense", "units": 64},
                  relu, {"type": "dense", "units": 1}, {"type": "tanh"}],
    }
    return {"input": [9, COLUMNS, COLUMNS], "layers": tower_json(channels, blocks),
            "heads": heads}


def tensors_of(content):
    """The header and the tensors of a safetensors file."""
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    metadata = header.pop("__metadata__", {})
    types = {"F32": np.float32, "I64": np.int64, "U8": np.uint8}
    tensors = {}
    for name, entry in header.items():
        if entry["dtype"] not in types:
            continue
        begin, end = (start + offset for offset in entry["data_offsets"])
        values = np.frombuffer(content[begin:end], dtype=types[entry["dtype"]])
        tensors[name] = torch.from_numpy(values.reshape(entry["shape"]).copy())
    return metadata, tensors


def load(network, path):
    """Takes the weights of a model file whose network is the same one."""
    metadata, tensors = tensors_of(path.read_bytes())
    if json.loads(metadata["damier.network"]) != network.description:
        sys.exit(f"{path}: has another network than the one that is to go on learning")
    for name, own in network.state_dict().items():
        if not name.endswith("num_batches_tracked"):
            own.copy_(tensors[name])


def start_of(folder_or_file, name):
    """Where the weights are that network `name` starts from: the file, or a folder's."""
    if folder_or_file.is_file():
        return folder_or_file
    files = [folder_or_file / name / "model.safetensors", folder_or_file / f"{name}.safetensors"]
    found = [file for file in files if file.is_file()]
    if not found:
        sys.exit(f"--start: neither {files[0]} nor {files[1]} is there")
    return found[0]


# Learning -----------------------------------------------------------------------------------------


def targets_of(scores, values):
    """Which moves keep the value, and how good each of them is: short wins, long losses."""
    legal = scores > NO_MOVE
    value = values.float().sign()
    keep = legal & (scores.float().sign() == value[:, None])
    distance = MATE - values.float().abs()
    slack = (2 + 0.1 * distance)[:, None]
    worse = (values[:, None] - scores).float() / slack  # 0 for the best, in units of the slack
    preference = torch.where(keep, torch.exp(-worse), torch.zeros_like(worse))
    preference = preference / preference.sum(1, keepdim=True).clamp(min=1e-9)
    return legal, keep, preference, value


def losses(network, planes, scores, values):
    legal, keep, preference, value = targets_of(scores, values)
    logits, predicted = network(planes)
    log_p = F.log_softmax(logits.masked_fill(~legal, -1e9), 1)
    kept = torch.logsumexp(log_p.masked_fill(~keep, -1e9), 1)
    choice = (keep.sum(1) < legal.sum(1)).float()  # a move can be a mistake
    ranked = -(preference * (log_p - kept[:, None]).masked_fill(~keep, 0.0)).sum(1)
    some = (keep.sum(1) > 1).float() * (value != 0).float()
    policy = (-(kept * choice) + ranked * some * torch.where(value > 0, 0.3, 0.1)).mean()
    return policy, F.mse_loss(predicted, value)


def mirrored(planes, scores):
    planes = planes.flip(3)
    play = scores[:, :ACTIONS].view(-1, ANIMALS, COLUMNS, COLUMNS).flip(3).reshape(-1, ACTIONS)
    draft = scores[:, ACTIONS:].view(-1, ANIMALS, COLUMNS).flip(2).reshape(-1, OUTPUTS - ACTIONS)
    return planes, torch.cat([play, draft], 1)


PART = 16384  # positions that are played at once: always as many, since cuDNN tunes by shape


def move_logits(network, planes):
    logits = []
    for part in planes.split(PART):
        full = part if len(part) == PART else F.pad(part, (0, 0, 0, 0, 0, 0, 0, PART - len(part)))
        with torch.no_grad(), torch.autocast("cuda", dtype=torch.bfloat16):
            logits.append(network(full)[0][:len(part)])
    return torch.cat(logits)


def legal_logits(network, planes, legal):
    return move_logits(network, planes)[:, :legal.shape[1]].masked_fill(~legal, -1e9)


def chosen(network, planes, legal):
    return legal_logits(network, planes, legal).argmax(1)


def drawn(logits, temperature):
    """A move by softmax, each row with its own temperature."""
    uniform = torch.rand_like(logits).clamp(1e-9, 1 - 1e-7)
    return (logits / temperature[:, None] - torch.log(-torch.log(uniform))).argmax(1)


class Games:
    """Many games between players of all kinds, each side its own.

    `roots` are positions of other players' games: half of the games go on from one of them."""
    KINDS = RANDOM, HORIZON, NOISY, NETWORK = range(4)
    NAMES = ["random", "horizon", "solution with noise", "network"]  # in the samples

    def __init__(self, count, solution, roots=None):
        self.solution = solution
        self.roots = roots
        self.states = random_drafts(count)
        self.plies = torch.zeros(count, dtype=torch.long, device=card)
        self.limit = torch.zeros_like(self.plies)
        self.kind = torch.zeros((2, count), dtype=torch.long, device=card)
        self.horizon = torch.zeros_like(self.kind)
        self.noise = torch.zeros((2, count), device=card)
        self.temperature = torch.ones((2, count), device=card)
        self.renew(torch.ones(count, dtype=torch.bool, device=card))
        self.limit = torch.randint(1, 100, (count,), device=card)  # not all end at once

    def renew(self, which):
        n = int(which.sum())
        if n == 0:
            return
        states = random_drafts(n)
        limit = torch.randint(20, 160, (n,), device=card)
        if self.roots is not None:
            rooted = torch.rand(n, device=card) < 0.5
            found = self.roots[torch.randint(0, len(self.roots), (n,), device=card)]
            states = torch.where(rooted, found, states)
            limit = torch.where(rooted, limit // 4, limit)  # at most 39: not far from there
        self.states[which] = states
        self.plies[which] = 0
        self.limit[which] = limit
        draw = torch.rand((2, n), device=card)
        kinds = torch.full((2, n), self.NETWORK, device=card)
        kinds[draw < 0.55] = self.NOISY
        kinds[draw < 0.40] = self.HORIZON
        kinds[draw < 0.10] = self.RANDOM
        self.kind[:, which] = kinds
        self.horizon[:, which] = torch.randint(1, 9, (2, n), device=card)
        self.noise[:, which] = torch.tensor([0.0, 0.05, 0.1, 0.3, 0.5], device=card)[
            torch.randint(0, 5, (2, n), device=card)]
        self.temperature[:, which] = torch.tensor([0.05, 0.3, 0.7, 1.0], device=card)[
            torch.randint(0, 4, (2, n), device=card)]

    def step(self, network):
        """The positions with their scores, and the probability that the network gives to all moves
        that keep the value; plays a move in each game."""
        states = self.states.clone()
        scores, values = self.solution.scores(states)
        legal = scores > NO_MOVE
        side = self.plies % 2
        rows = torch.arange(len(states), device=card)
        kind, horizon = self.kind[side, rows], self.horizon[side, rows]
        # Who sees so many plies ahead knows wins and losses within them, and no others.
        near = scores.float().abs() >= (MATE - horizon)[:, None]
        seen = torch.where(near, scores.float().sign(), 0.0)
        exact = scores.float().sign()
        worth = torch.where((kind == self.HORIZON)[:, None], seen,
                            torch.where((kind == self.NOISY)[:, None], exact, 0.0))
        worth = worth.masked_fill(~legal, -9.0) + 0.5 * torch.rand_like(worth)
        action = worth.argmax(1)
        logits = legal_logits(network, features(states), legal)
        keep = legal & (exact == values.float().sign()[:, None])
        kept = (logits.softmax(1) * keep).sum(1)
        by_network = drawn(logits, self.temperature[side, rows])
        action = torch.where(kind == self.NETWORK, by_network, action)
        noisy = torch.rand(len(states), device=card) < self.noise[side, rows]
        any_move = (legal.float() * torch.rand(legal.shape, device=card)).argmax(1)
        action = torch.where(noisy, any_move, action)
        over = self.solution.play(self.states, action)
        self.plies += 1
        players = kind + len(self.KINDS) * self.kind[1 - side, rows]
        self.renew(over | (self.plies >= self.limit))
        return states, scores, values, kept, players


def kept_share(network, states, scores, values):
    """Of positions where the choice matters, in how many the move keeps the value; by value."""
    legal, keep, _, value = targets_of(scores, values)
    matters = keep.sum(1) < legal.sum(1)
    action = chosen(network, features(states), legal)
    right = keep.gather(1, action[:, None])[:, 0]
    share = {"all": right[matters].float().mean().item(), "positions": int(matters.sum())}
    for name, sign in (("won", 1), ("drawn", 0)):
        some = matters & (value == sign)
        share[name] = right[some].float().mean().item()
    return share


def conversions(network, solution, states, values):
    """Won positions played out against the longest defence: share of wins, plies over distance."""
    won = values > 0
    states, distance = states[won].clone(), (MATE - values[won]).float()
    plies = torch.zeros_like(distance)
    alive = torch.ones(len(states), dtype=torch.bool, device=card)
    wins = torch.zeros_like(alive)
    for ply in range(400):
        if not alive.any():
            break
        scores, value = solution.scores(states)
        legal = scores > NO_MOVE
        if ply % 2 == 0:
            action = chosen(network, features(states), legal)
        else:
            action = (scores.float() + torch.rand_like(scores.float()) * 0.5).argmax(1)
        action = torch.where(alive, action, legal.float().argmax(1))
        before_states = states.clone()
        over = solution.play(states, action) & alive
        states = torch.where(alive, states, before_states)
        plies += alive.float()
        if ply % 2 == 0:
            wins |= over
        alive &= ~over
    return {"won": wins.float().mean().item(),
            "plies_over_distance": (plies[wins].sum() / distance[wins].sum()).item(),
            "mean_ratio": (plies[wins] / distance[wins]).mean().item(),
            "positions": len(states)}


def positions_of(path):
    """States of a file: samples-1.npz, or a data set that `damier generate bremen` has written, of
    which those after the draft count."""
    if path.suffix == ".npz":
        return torch.from_numpy(np.load(path)["states"]).to(card)
    _, tensors = tensors_of(path.read_bytes())
    planes = tensors["input"].reshape(-1, 9, SQUARES).to(card)
    planes = planes[planes[:, :8].sum((1, 2)) == 8]
    squares = planes[:, :8].argmax(2)
    duty_square = torch.where(planes[:, 8].sum(1) > 0, planes[:, 8].argmax(1), -1)
    same = squares[:, :4] == duty_square[:, None]
    duty = torch.where(same.any(1), same.float().argmax(1), FREE)
    return packed(squares[:, :4], squares[:, 4:], duty)


def samples_of(games, network, count, parts, folder):
    """Writes labelled positions for those without a graphics card, samples-1.npz and so on:

    states: the squares of the own animals in five bits each, from the lowest on, then those of the
      enemy's, then the animal with a duty (4: none), as the side to move sees them
    players: who moves, and four times who else plays: an index of `names`
    values: the score of the position; legal: the legal moves among the 100 (25 * animal + square),
      a bit each; scores: those of all legal moves, in this order, of all positions in a row
    """
    for part in range(1, parts + 1):
        kept, rows = [], 0
        while rows < count // parts:
            states, scores, values, _, players = games.step(network)
            legal = scores > NO_MOVE
            some = (torch.rand(len(states), device=card) < 0.02) & (legal.sum(1) > 1)
            kept.append([t[some].cpu().numpy()
                         for t in (states, players.to(torch.uint8), values, legal, scores)])
            rows += len(kept[-1][0])
        states, players, values, legal, scores = (np.concatenate(t) for t in zip(*kept))
        np.savez_compressed(folder / f"samples-{part}.npz", states=states, players=players,
                            names=np.array(Games.NAMES), values=values,
                            legal=np.packbits(legal, axis=1), scores=scores[legal])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=900, help="with those of the solution")
    parser.add_argument("--judge", nargs="*", default=[], type=pathlib.Path,
                        help="positions: data sets of damier generate, or samples")
    parser.add_argument("--games", type=int, default=65536)
    parser.add_argument("--batch", type=int, default=PART)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--passes", type=int, default=0, help="end the solution early: for trials")
    parser.add_argument("--networks", default="bremen:96:8,bremen-small:32:5")
    parser.add_argument("--start", type=pathlib.Path,
                        help="model file of the one network, or a folder with one for each")
    parser.add_argument("--roots", nargs="*", default=[], type=pathlib.Path,
                        help="positions, as for --judge: half of the games begin in them")
    parser.add_argument("--sure", type=float, default=0.95, help="the network is sure from here on")
    parser.add_argument("--sure-share", type=float, default=0.3,
                        help="so many of the positions are used where it is")
    parser.add_argument("--samples", type=int, default=300000)
    parser.add_argument("--sample-files", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = True
    arguments.folder.mkdir(parents=True, exist_ok=True)

    def say(text):
        print(text, flush=True)

    began = time.time()
    solution = Solution(arguments.library, arguments.passes)
    say(f"solved in {time.time() - began:.0f} s")
    draft = Draft(solution)
    outcomes = draft.outcomes
    say(f"outcomes of the draft: {(outcomes > 0).sum()} won, {(outcomes == 0).sum()} drawn, "
        f"{(outcomes < 0).sum()} lost; the game itself: {draft.start}; {len(draft.rows)} positions")
    np.savetxt(arguments.folder / "outcomes.txt", outcomes, fmt="%d")
    draft_planes, draft_scores, draft_values = draft.tensors()
    legal, keep, _, _ = targets_of(draft_scores, draft_values)
    draft_matters = (keep.sum(1) < legal.sum(1)).nonzero()[:, 0]
    say(f"draft positions where the choice matters: {len(draft_matters)}")

    judges = []
    for path in arguments.judge:
        name, states = path.stem, positions_of(path)
        scores, values = solution.scores(states)
        judges.append((name, states, scores, values))
        np.savez_compressed(arguments.folder / f"judge-{name}.npz", states=states.cpu().numpy(),
                            scores=scores.cpu().numpy(), values=values.cpu().numpy())

    networks = {}
    for text in arguments.networks.split(","):
        name, channels, blocks = text.split(":")
        network = Network(network_json(int(channels), int(blocks))).to(card)
        if arguments.start:
            load(network, start_of(arguments.start, name))
        network = network.to(memory_format=torch.channels_last)
        optimiser = torch.optim.AdamW(network.parameters(), lr=arguments.rate, weight_decay=1e-4,
                                      fused=True)
        networks[name] = (network, copy.deepcopy(network).eval(), optimiser)
    roots = [positions_of(path) for path in arguments.roots]
    games = Games(arguments.games, solution, torch.cat(roots) if roots else None)
    for _ in range(40):  # spread over the phases
        games.step(next(iter(networks.values()))[1])

    def draft_right(network):
        action = chosen(network, draft_planes[draft_matters], legal[draft_matters])
        return keep[draft_matters].gather(1, action[:, None])[:, 0]

    def judged():
        for name, (_, average, _) in networks.items():
            figures = {j: kept_share(average, *rest) for j, *rest in judges}
            say(f"{name}: " + "; ".join(
                f"{j} {100 * f['all']:.2f} % (won {100 * f['won']:.2f}, drawn "
                f"{100 * f['drawn']:.2f}; {f['positions']})" for j, f in figures.items()))
            right = draft_right(average)
            say(f"{name}: draft {100 * right.float().mean().item():.3f} %, "
                f"{int((~right).sum())} wrong of {len(draft_matters)}")

    def store():
        for name, (_, average, _) in networks.items():
            save(average, arguments.folder / f"{name}.safetensors",
                 {"task": "bremen", "game": "bremen", "encoder": "features",
                  "encoder_version": "1",
                  "made_by": "damier 0.1.0, train_on_gpu.py", "recipe": "bremen",
                  **({"start": str(start_of(arguments.start, name))} if arguments.start else {}),
                  "seed": str(arguments.seed), "positions": str(positions),
                  "command": " ".join(["python3", *sys.argv])})

    start, positions, steps, report = time.time(), 0, 0, time.time()
    hard = draft_matters  # of the draft: where the network errs
    sums = torch.zeros(4, device=card)
    while True:
        passed = (time.time() - start) / (arguments.seconds - (start - began))
        if passed >= 1:
            break
        first = next(iter(networks.values()))[1]
        states, scores, values, kept, _ = games.step(first)
        # Where no move can be a mistake, or the network makes none, little is to be learnt.
        moves = scores > NO_MOVE
        same = ((scores.float().sign() == values.float().sign()[:, None]) | ~moves).all(1)
        share = torch.where(kept > arguments.sure, arguments.sure_share, 1.0)
        share = torch.where(same, 0.15, share)
        used = torch.rand(len(states), device=card) < share
        order = ((moves.sum(1) > 1) & used).nonzero()[:, 0]
        # Both images of each, in different batches.
        halves = [order[torch.randperm(len(order), device=card)] for _ in range(2)]
        batches = [(rows, image) for image in range(2)
                   for rows in halves[image].split(arguments.batch)
                   if len(rows) == arguments.batch]
        for rows, image in batches:
            extra = torch.cat([pool[torch.randint(0, len(pool), (arguments.batch // 32,),
                                                  device=card)] for pool in (draft_matters, hard)])
            padding = torch.full((len(rows), OUTPUTS - ACTIONS), NO_MOVE, dtype=torch.int16,
                                 device=card)
            batch_planes = torch.cat([features(states[rows]), draft_planes[extra]])
            batch_scores = torch.cat([torch.cat([scores[rows], padding], 1), draft_scores[extra]])
            batch_values = torch.cat([values[rows], draft_values[extra]])
            if image == 1:
                batch_planes, batch_scores = mirrored(batch_planes, batch_scores)
            rate = arguments.rate * min(1, steps / 500) * 0.5 * (1 + math.cos(math.pi * passed))
            for at, (network, average, optimiser) in enumerate(networks.values()):
                for group in optimiser.param_groups:
                    group["lr"] = max(rate, 1e-6)
                with torch.autocast("cuda", dtype=torch.bfloat16):
                    policy, value = losses(network, batch_planes, batch_scores, batch_values)
                optimiser.zero_grad(set_to_none=True)
                (policy + value).backward()
                nn.utils.clip_grad_norm_(network.parameters(), 1.0)
                optimiser.step()
                share = min(0.999, steps / (steps + 20))
                move_towards(average, network, 1 - share)
                if at == 0:
                    sums += torch.stack([policy.detach(), value.detach(),
                                         torch.ones_like(policy), torch.zeros_like(policy)])
            steps += 1
            positions += len(rows)
        if time.time() - report > 25:
            mean = (sums / sums[2]).tolist()
            say(f"{time.time() - start:.0f} s, {steps} steps, {positions / 1e6:.1f} M positions, "
                f"{positions / (time.time() - start) / 1e3:.0f} k/s, policy {mean[0]:.4f}, "
                f"value {mean[1]:.4f}, rate {rate:.5f}")
            sums.zero_()
            judged()
            store()
            wrong = draft_matters[~draft_right(next(iter(networks.values()))[1])]
            hard = wrong if len(wrong) > 0 else draft_matters
            report = time.time()
    judged()
    store()
    for name, (_, average, _) in networks.items():
        for judge, states, scores, values in judges:
            say(f"{name}: {judge}: {conversions(average, solution, states, values)}")
    samples_of(games, next(iter(networks.values()))[1], arguments.samples, arguments.sample_files,
               arguments.folder)
    say("done")


if __name__ == "__main__":
    main()
