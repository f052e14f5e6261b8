"""Trains Domineering's network on a graphics card: exact answers, and how opponents err.

    python3 train_on_gpu.py GAMES LABELS FOLDER --seconds 540

GAMES is libdomineering_games.so (games on the card), LABELS libdomineering_labels.so (the exact
solver on all processors, one table for all of them); both come from tools/domineering/build.sh.

Three things go on at once. The processors label positions for as long as the program runs: who
wins, and which moves do, with the most work where many cells are free and where the networks are
not sure. On the card the network plays very many games against `ucb:100,c=0.4`, each with at most
one move off its own choice, and what becomes of a move is what it is worth against such a player.
A large network, the teacher, learns both: of each move whether it wins, and how often it beats the
bandit. The networks that ship, the students, learn from the teacher and from the exact answers: in
won positions the moves that win, in lost ones those after which the bandit errs most; the first of
them plays. FOLDER gets the students (model files of damier), the teacher, and the labels.
"""
import argparse
import contextlib
import copy
import ctypes
import math
import os
import pathlib
import queue
import sys
import threading
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

sys.path.append(str(pathlib.Path(__file__).parents[1]))
from torch_model import Network, conv_json, move_towards, save, tower_json  # noqa: E402

card = torch.device("cuda" if torch.cuda.is_available() else "cpu")  # the latter for trials
CELLS, SIDE = 64, 8
PLACES = torch.arange(CELLS, device=card)
BUDGET, C = 100, 0.4  # the opponent: ucb:100,c=0.4


def half_precision():
    if card.type == "cuda":
        return torch.autocast("cuda", dtype=torch.bfloat16)
    return contextlib.nullcontext()


def wait():
    if card.type == "cuda":
        torch.cuda.synchronize()


# Positions: int64 numbers, the free cells as the side to move sees them ----------------------------


def pointer(tensor):
    return ctypes.c_void_p(tensor.data_ptr())


class Rules:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)

    def planes(self, positions):
        planes = torch.empty((len(positions), 7, SIDE, SIDE), device=card)
        self.library.domineering_planes(pointer(positions), ctypes.c_int64(len(positions)),
                                        pointer(planes))
        return planes

    def turned(self, positions, turn):
        result = torch.empty_like(positions)
        self.library.domineering_turn(pointer(positions), ctypes.c_int64(len(positions)),
                                      ctypes.c_int32(turn), pointer(result))
        return result

    def after(self, positions, cells):
        result = torch.empty_like(positions)
        self.library.domineering_after(pointer(positions), pointer(cells),
                                       ctypes.c_int64(len(positions)), pointer(result))
        return result

    def canonical(self, positions):
        """Of a position's four images the one with the smallest number."""
        return torch.stack([self.turned(positions, turn) for turn in range(4)]).amin(0)

    def chosen(self, positions, second, games, c):
        """The moves of players: at random with 0 games, a bandit unless c is less than 0."""
        cells = torch.empty_like(positions)
        seed = int(torch.randint(1 << 62, (1,)))
        # Kept in names until the call is over.
        second = second.to(torch.uint8).contiguous()
        games, c = games.to(torch.int32).contiguous(), c.float().contiguous()
        self.library.domineering_choose(
            pointer(positions), pointer(second), pointer(games), pointer(c),
            ctypes.c_int64(len(positions)), ctypes.c_uint64(seed), pointer(cells))
        return cells


def bits(sets):
    return ((sets[:, None] >> PLACES) & 1).bool()


def packed(mask):
    return (mask.long() << PLACES).sum(1)


def moves_of(positions):
    return positions & (positions >> SIDE) & 0x00FFFFFFFFFFFFFF


def turned_cells():
    """By turn, where the upper cell of an upright domino goes."""
    row, column = PLACES // SIDE, PLACES % SIDE
    cells = []
    for turn in range(4):
        r = torch.where(row < SIDE - 1, SIDE - 2 - row, row) if turn & 2 else row
        cells.append(SIDE * r + (SIDE - 1 - column if turn & 1 else column))
    return cells


TURNED = turned_cells()


def boards(count, smaller):
    """Empty boards, a share of them smaller than 8x8."""
    sizes = torch.randint(4, SIDE + 1, (2, count), device=card)
    sizes[:, torch.rand(count, device=card) >= smaller] = SIDE
    return packed((PLACES // SIDE < sizes[0][:, None]) & (PLACES % SIDE < sizes[1][:, None]))


# The networks -------------------------------------------------------------------------------------


def student_json(channels, blocks):
    """As recipes/domineering.json, with other numbers."""
    relu = {"type": "relu"}
    heads = {
        "moves": [conv_json(1, bias=True), {"type": "flatten"}],
        "value": [conv_json(4, 1, bias=True), relu, {"type": "flatten"},
                  {"type": "dense", "units": 64}, relu, {"type": "dense", "units": 1},
                  {"type": "tanh"}],
    }
    return {"input": [7, SIDE, SIDE], "layers": tower_json(channels, blocks), "heads": heads}


def teacher_json(channels, blocks):
    norm, relu = {"type": "batch_norm"}, {"type": "relu"}
    moves = [conv_json(32), norm, relu, conv_json(1, bias=True), {"type": "flatten"}]
    value = [conv_json(8, 1), norm, relu, {"type": "flatten"}, {"type": "dense", "units": 128},
             relu, {"type": "dense", "units": 1}]
    return {"input": [7, SIDE, SIDE], "layers": tower_json(channels, blocks),
            "heads": {"wins": moves, "beats": moves, "value": value}}


class Learner:
    """A network, the average of its weights, which is used, and how it learns."""

    def __init__(self, description, rate):
        self.network = Network(description).to(card).to(memory_format=torch.channels_last)
        self.average = copy.deepcopy(self.network).eval()
        self.rate = rate
        self.steps = 0
        self.positions = 0
        fused = {"fused": True} if card.type == "cuda" else {}
        self.optimiser = torch.optim.AdamW(self.network.parameters(), lr=rate, weight_decay=1e-4,
                                           **fused)

    def learn(self, loss, passed, rows):
        """`passed`: the share of the training that is over."""
        rate = self.rate * min(1, (self.steps + 1) / 300)
        rate *= 0.5 * (1 + math.cos(math.pi * min(1, passed)))
        for group in self.optimiser.param_groups:
            group["lr"] = max(rate, 1e-6)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimiser.step()
        self.steps += 1
        self.positions += rows
        move_towards(self.average, self.network, max(0.002, 20 / (self.steps + 20)))


PART = 16384 if card.type == "cuda" else 256  # always as many, since cuDNN tunes by shape


def outputs(network, rules, positions):
    """Of all positions, part by part."""
    parts = []
    for part in positions.split(PART):
        full = part if len(part) == PART else F.pad(part, (0, PART - len(part)))
        with torch.no_grad(), half_precision():
            parts.append([y[:len(part)] for y in network(rules.planes(full))])
    return [torch.cat(y) for y in zip(*parts)]


SECONDS_OF_PLAY = 5.0  # as many games at once as take about so long
PLAYED_BY = 16


# How much beating the bandit counts beside winning against everybody, and how sharp the choice is.
def worth(wins, beats):
    return wins + beats


SHARPNESS = 1 / 0.07


class Agent:
    """Plays by the student, or by what the teacher holds of the moves."""

    def __init__(self, rules, network, is_teacher=False):
        self.rules, self.network, self.is_teacher = rules, network, is_teacher

    def scores(self, positions):
        given = outputs(self.network, self.rules, positions)
        scores = (SHARPNESS * worth(given[0].sigmoid(), given[1].sigmoid()) if self.is_teacher
                  else given[0])
        return scores.masked_fill(~bits(moves_of(positions)), -1e9)


# Games --------------------------------------------------------------------------------------------


class Played:
    """What many games leave: the positions, and the agent's moves with what became of them."""

    def __init__(self):
        self.positions = []
        self.decisions = []  # position, cell, game
        self.results = None  # by game: whether the agent won
        self.agent_first = None


def play_games(rules, agent, count, opponents, smaller=0.0, openings=(0, 0, 1), explore=0.0,
               noise=0.0):
    """Games side by side, so that all are about as far.

    `opponents`: the games and c of each player of both sides (2, count), games of -1 for the
    agent. `openings`: the shares of games with 0, 1, … moves at random at first. With `explore` a
    game has, with this probability, one move of the agent's that is not its own choice, and only
    the moves from there on are decisions.
    """
    games, c = opponents
    played = Played()
    positions = boards(count, smaller)
    second = torch.zeros(count, dtype=torch.bool, device=card)
    shares = torch.tensor(openings, dtype=torch.float, device=card)
    opening = torch.multinomial(shares, count, replacement=True)
    turn_off = torch.randint(0, 14, (count,), device=card)  # the decision that is not its own
    turn_off[torch.rand(count, device=card) >= explore] = -1
    number = torch.zeros(count, dtype=torch.long, device=card)  # of the agent's decisions so far
    first_won = torch.zeros(count, dtype=torch.bool, device=card)
    alive = torch.arange(count, device=card)
    ply = 0
    while len(alive) > 0:
        here = positions[alive]
        over = moves_of(here) == 0
        first_won[alive[over]] = ply % 2 == 1
        alive, here = alive[~over], here[~over]
        if len(alive) == 0:
            break
        played.positions.append(here)
        cells = torch.zeros_like(here)
        at_random = ply < opening[alive]
        if noise > 0:
            at_random |= torch.rand(len(alive), device=card) < noise
        budget = torch.where(at_random, torch.zeros_like(games[0, alive]), games[ply % 2, alive])
        by_agent = budget < 0
        others = (~by_agent).nonzero()[:, 0]
        if len(others) > 0:
            cells[others] = rules.chosen(here[others], second[alive[others]], budget[others],
                                         c[ply % 2, alive[others]])
        own = by_agent.nonzero()[:, 0]
        if len(own) > 0:
            which = alive[own]
            scores = agent.scores(here[own])
            choice = scores.argmax(1)
            if explore > 0:
                # Half of the other moves are likely ones, half any.
                off = number[which] == turn_off[which]
                flat = torch.rand(len(own), device=card) < 0.5
                softened = torch.where(flat[:, None], scores.clamp(min=-1e8, max=0) * 0, scores / 3)
                softened = softened.masked_fill(scores < -1e8, -1e9)
                lots = -torch.log(-torch.log(torch.rand_like(scores).clamp(1e-9, 1 - 1e-7)))
                choice = torch.where(off, (softened + lots).argmax(1), choice)
                counts = number[which] >= turn_off[which]
                played.decisions.append((here[own][counts], choice[counts], which[counts]))
                number[which] += 1
            cells[own] = choice
        positions[alive] = rules.after(here, cells)
        second[alive] = ~second[alive]
        ply += 1
    played.results = first_won
    return played


def against_bandit(count):
    """Half of the games the agent moves first."""
    games = torch.full((2, count), BUDGET, device=card)
    games[0, :count // 2] = -1
    games[1, count // 2:] = -1
    return games, torch.full((2, count), C, device=card)


def agent_won(played, count):
    first = torch.arange(count, device=card) < count // 2
    return played.results == first


def mixed_players(count, with_agent=True):
    """Of all strengths: at random, flat:10, a bandit of 20 and, with the agent, that too."""
    kind = torch.randint(0, 4 if with_agent else 3, (2, count), device=card)
    games = torch.tensor([0, 10, 20, -1], device=card)[kind]
    c = torch.tensor([0.0, -1.0, C, 0.0], device=card)[kind]
    return games, c


# Exact labels -------------------------------------------------------------------------------------


# Positions by their free cells: at least so many; and the share of the processors' time.
PHASES = ((55, 0.50), (45, 0.40), (0, 0.10))


def phases_of(positions):
    free = bits(positions).sum(1)
    phase = torch.full_like(free, len(PHASES) - 1)
    for at in reversed(range(len(PHASES) - 1)):
        phase[free >= PHASES[at][0]] = at
    return phase


class Labeller(threading.Thread):
    """Labels on the processors beside the card, from the latest candidates."""

    def __init__(self, path, threads, table_bits, nodes, period):
        super().__init__(daemon=True)
        self.library = ctypes.CDLL(path)
        self.library.domineering_labeller.restype = ctypes.c_void_p
        self.handle = ctypes.c_void_p(self.library.domineering_labeller(threads, table_bits))
        self.nodes, self.period = nodes, period
        self.jobs = queue.Queue()  # what comes before candidates: functions
        self.results = queue.Queue()
        self.lock = threading.Lock()
        self.candidates = [None] * len(PHASES)
        self.ending = False

    def label(self, positions, asked, seconds):
        positions = np.ascontiguousarray(positions, dtype=np.int64)
        asked = np.ascontiguousarray(asked, dtype=np.int64)
        values = np.empty(len(positions), dtype=np.int8)
        winning, known = np.empty_like(positions), np.empty_like(positions)
        address = lambda array: ctypes.c_void_p(array.ctypes.data)  # noqa: E731
        self.library.domineering_label(
            self.handle, address(positions), address(asked), ctypes.c_int64(len(positions)),
            ctypes.c_uint64(self.nodes), ctypes.c_double(seconds), address(values),
            address(winning), address(known))
        return values, winning, known

    def offer(self, candidates):
        with self.lock:
            self.candidates = list(candidates)

    def run(self):
        while not self.ending:
            while not self.jobs.empty():
                self.jobs.get()()
            for phase in reversed(range(len(PHASES))):  # what is quickly done comes first
                share = PHASES[phase][1]
                with self.lock:
                    offered, self.candidates[phase] = self.candidates[phase], None
                if offered is None or self.ending:
                    time.sleep(0.05)
                    continue
                began = time.time()
                labels = self.label(*offered, share * self.period)
                # What time did not suffice for can be taken up again.
                done = labels[0] != 0
                rest = ~done
                last = int(np.flatnonzero(done)[-1]) if done.any() else len(done)
                rest[:last] = False
                if rest.any():
                    with self.lock:
                        if self.candidates[phase] is None:
                            self.candidates[phase] = tuple(array[rest] for array in offered)
                self.results.put((phase, time.time() - began, offered[0][done],
                                  *(array[done] for array in labels)))


class Rows:
    """Labelled positions by phase."""

    def __init__(self, capacity):
        self.columns = [[torch.zeros(capacity, dtype=kind, device=card)
                         for kind in (torch.int64, torch.int8, torch.int64, torch.int64)]
                        for _ in PHASES]
        self.counts = [0] * len(PHASES)

    def add(self, positions, values, winning, known):
        phases = phases_of(positions)
        for phase, columns in enumerate(self.columns):
            some = (phases == phase).nonzero()[:, 0]
            begin = self.counts[phase]
            some = some[:len(columns[0]) - begin]
            for column, new in zip(columns, (positions, values, winning, known)):
                column[begin:begin + len(some)] = new[some]
            self.counts[phase] += len(some)

    def draw(self, count, shares):
        parts = []
        for columns, rows, share in zip(self.columns, self.counts, shares):
            if rows == 0:
                continue
            at = torch.randint(0, rows, (int(count * share),), device=card)
            parts.append([column[at] for column in columns])
        return [torch.cat(column) for column in zip(*parts)]

    def store(self, path, most):
        """So many at most, those of early phases first."""
        names = ("positions", "values", "winning", "known")
        kept = {}
        for at, name in enumerate(names):
            kept[name] = torch.cat([columns[at][:rows] for columns, rows in
                                    zip(self.columns, self.counts)])[:most].cpu().numpy()
        np.savez_compressed(path, **kept)

    def load(self, path):
        kept = np.load(path)
        self.add(*(torch.from_numpy(kept[name]).to(card)
                   for name in ("positions", "values", "winning", "known")))


SHARES_OF_ROWS = (0.2, 0.45, 0.35)  # of a batch, by phase


def children(rules, positions, values, winning, known):
    """Of labelled positions some that a move leaves: their value follows."""
    mask = bits(known)
    many = torch.where(phases_of(positions) == 0, 12.0, 4.0)
    chance = many / mask.sum(1).clamp(min=1)
    row, cell = (mask & (torch.rand(mask.shape, device=card) < chance[:, None])).nonzero().T
    after = rules.after(positions[row].contiguous(), cell.contiguous())
    lost = (winning[row] >> cell & 1).bool()
    value = torch.where(lost, -1, 1).to(torch.int8)
    moves = moves_of(after)
    known = torch.where(lost, moves, torch.zeros_like(moves))
    some = moves != 0
    return after[some], value[some], torch.zeros_like(known)[some], known[some]


# Learning -----------------------------------------------------------------------------------------


def turned_outputs(network, rules, positions, turn):
    with half_precision():
        given = network(rules.planes(rules.turned(positions, turn)))
    return [y[:, TURNED[turn]] if y.dim() == 2 else y for y in given]


def row_mean(loss, mask):
    return (loss * mask).sum(1) / mask.sum(1).clamp(min=1)


def teacher_loss(network, rules, exact, played, turn):
    positions, values, winning, known = exact
    seen, cells, results = played
    wins, beats, value = turned_outputs(network, rules, torch.cat([positions, seen]), turn)
    n = len(positions)
    mask = bits(known).float()
    by_move = F.binary_cross_entropy_with_logits(wins[:n], bits(winning).float(),
                                                 reduction="none")
    loss_wins = row_mean(by_move, mask).mean()
    loss_value = F.binary_cross_entropy_with_logits(value[:n], (values > 0).float())
    loss_beats = torch.zeros((), device=card)
    if len(seen) > 0:
        chosen = beats[n:].gather(1, cells[:, None])[:, 0]
        loss_beats = F.binary_cross_entropy_with_logits(chosen, results.float())
    return loss_wins, loss_value, loss_beats


class Lesson:
    """What the teacher and the exact answers say of positions, for students."""

    def __init__(self, teacher, rules, exact, seen, looked, turn):
        """`exact`: labelled rows; `seen`: positions of games, which only the teacher knows;
        `looked`: such ones with what it holds of the positions that follow."""
        labelled, values, _, known = self.exact = exact
        self.positions = torch.cat([labelled, seen, looked[0]])
        self.turn = turn
        n, m = len(labelled), len(looked[0])
        with torch.no_grad():
            wins, beats, value = turned_outputs(teacher, rules, self.positions, turn)
            wins, beats = wins.sigmoid(), beats.sigmoid()
            self.value = 2 * value.sigmoid() - 1
            self.value[:n] = values.float()
            wins[:n] = torch.where(bits(known), bits(exact[2]).float(), wins[:n])
            wins[-m:] = 0.4 * wins[-m:] + 0.6 * looked[1].float()
            self.legal = bits(moves_of(self.positions))
            self.aim = (SHARPNESS * worth(wins, beats)).masked_fill(~self.legal, -1e9).softmax(1)


def student_loss(network, rules, lesson):
    labelled, values, winning, known = lesson.exact
    n, legal, aim = len(labelled), lesson.legal, lesson.aim
    logits, predicted = turned_outputs(network, rules, lesson.positions, lesson.turn)
    log_p = F.log_softmax(logits.masked_fill(~legal, -1e9), 1)
    policy = -(aim * log_p.masked_fill(~legal, 0.0)).sum(1).mean()
    # Where exact answers tell moves apart, only the winning ones count.
    known_wins = bits(winning)
    choice = (values > 0) & (known_wins | ~bits(known) | ~legal[:n]).logical_not().any(1)
    both = bits(known)
    log_known = log_p[:n].masked_fill(~both, -1e9)
    right = torch.logsumexp(log_known.masked_fill(~known_wins, -1e9), 1)
    kept = -(right - torch.logsumexp(log_known, 1))
    sharp = (kept * choice.float()).sum() / n
    return policy, sharp, F.mse_loss(predicted, lesson.value)


# Judging ------------------------------------------------------------------------------------------


PLIES = ((0, 4), (4, 8), (8, 12), (12, 16), (16, 64))


class Judge:
    """Won positions of other players' games: in how many the network's move keeps the win."""

    def __init__(self, rules, labeller, per_phase, say):
        self.rules, self.labeller, self.say = rules, labeller, say
        count = 4 * per_phase
        played = play_games(rules, None, count, mixed_players(count, False), openings=(1,))
        self.positions, self.phases = [], []
        for phase, (begin, end) in enumerate(PLIES):
            pool = torch.cat(played.positions[begin:end])
            pool = pool[torch.randperm(len(pool), device=card)[:per_phase]].cpu().numpy()
            self.positions.append(pool)
            self.phases.append(np.full(len(pool), phase))
        self.positions, self.phases = np.concatenate(self.positions), np.concatenate(self.phases)
        self.known = {}  # by position and cell
        self.is_ready = False

    def find_values(self):
        values, _, _ = self.labeller.label(self.positions, np.zeros_like(self.positions), 40)
        won = values > 0
        self.say(f"judge: {won.sum()} won, {(values < 0).sum()} lost, "
                 f"{(values == 0).sum()} not known")
        self.positions, self.phases = self.positions[won], self.phases[won]
        self.is_ready = True

    def judge(self, name, cells):
        """Runs in the labeller's thread."""
        keys = list(zip(self.positions.tolist(), cells.tolist()))
        open_ = [i for i, key in enumerate(keys) if key not in self.known]
        if open_:
            asked = np.array([1 << c if c < 63 else -(1 << 63) for c in cells[open_]],
                             dtype=np.int64)
            _, winning, known = self.labeller.label(self.positions[open_], asked, 25)
            for i, w, k in zip(open_, winning, known):
                if int(k) >> int(cells[i]) & 1:
                    self.known[keys[i]] = bool(int(w) >> int(cells[i]) & 1)
        right = np.array([self.known.get(key, np.nan) for key in keys], dtype=float)
        parts = []
        for phase, (begin, _) in enumerate(PLIES):
            part = right[(self.phases == phase) & ~np.isnan(right)]
            if len(part) > 0:
                parts.append(f"from ply {begin} {100 * part.mean():.1f} % of {len(part)}")
        self.say(f"{name} keeps the win: {100 * np.nanmean(right):.2f} %; " + ", ".join(parts))

    def submit(self, name, agent):
        if not self.is_ready:
            return
        positions = torch.from_numpy(self.positions).to(card)
        cells = agent.scores(positions).argmax(1).cpu().numpy()
        self.labeller.jobs.put(lambda: self.judge(name, cells))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("games")
    parser.add_argument("labels")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=540)
    parser.add_argument("--resume", type=pathlib.Path, help="a folder to go on from")
    parser.add_argument("--threads", type=int, default=max(1, (os.cpu_count() or 2) - 1))
    parser.add_argument("--table-bits", type=int, default=31, help="16 bytes each")
    parser.add_argument("--nodes", type=int, default=6_000_000, help="for one answer")
    parser.add_argument("--students", nargs="+", default=["domineering:64:6",
                                                          "domineering-small:32:6"],
                        help="NAME:CHANNELS:BLOCKS; the first plays")
    parser.add_argument("--teacher", default="96:8")
    parser.add_argument("--cohort", type=int, default=262144, help="games at once at most")
    parser.add_argument("--mixed", type=int, default=16384, help="games of all kinds of players")
    parser.add_argument("--batch", type=int, default=4096, help="of the teacher")
    parser.add_argument("--student-batch", type=int, default=8192)
    parser.add_argument("--judged", type=int, default=300, help="positions of each phase")
    parser.add_argument("--scored", type=int, default=16384, help="games for a score")
    parser.add_argument("--rows", type=int, default=6_000_000, help="labels of a phase at most")
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    torch.manual_seed(arguments.seed)
    if card.type == "cuda":
        torch.backends.cudnn.benchmark = True
        torch.backends.cuda.matmul.allow_tf32 = True
    arguments.folder.mkdir(parents=True, exist_ok=True)
    log = open(arguments.folder / "log.txt", "w")
    began = time.time()

    def passed():
        return (time.time() - began) / arguments.seconds

    def say(text):
        line = f"{time.time() - began:.0f} s: {text}"
        print(line, flush=True)
        print(line, file=log, flush=True)

    rules = Rules(arguments.games)
    labeller = Labeller(arguments.labels, arguments.threads, arguments.table_bits,
                        arguments.nodes, period=12)
    rows = Rows(arguments.rows)
    students = {}
    for words in arguments.students:
        name, channels, blocks = words.split(":")
        students[name] = Learner(student_json(int(channels), int(blocks)), arguments.rate)
    teacher = Learner(teacher_json(*map(int, arguments.teacher.split(":"))), arguments.rate)
    sizes = ", ".join(f"{name} {sum(p.numel() for p in student.network.parameters())}"
                      for name, student in students.items())
    say(f"{card}, {arguments.threads} threads; parameters: {sizes}")
    if arguments.resume:
        if (arguments.resume / "labels.npz").exists():
            rows.load(arguments.resume / "labels.npz")
        for name, learner in (*students.items(), ("teacher", teacher)):
            state = torch.load(arguments.resume / f"{name}.pt", map_location=card)
            learner.network.load_state_dict(state)
            learner.average.load_state_dict(state)
    agents = {name: Agent(rules, student.average) for name, student in students.items()}
    playing = next(iter(students))
    agent = agents[playing]
    teaching_agent = Agent(rules, teacher.average, is_teacher=True)
    judge = Judge(rules, labeller, arguments.judged, say)
    labeller.start()
    seconds_of_labels = [0.0] * len(PHASES)
    asked_before = [[] for _ in PHASES]
    replay = []  # of the latest cohorts: position, cell, result
    seen = []  # positions of the latest games
    sums = {}
    cohort = min(32768, arguments.cohort)
    looked = []  # early positions and what the teacher holds of all that a move leaves

    def note(**figures):
        for name, figure in figures.items():
            total, n = sums.get(name, (0.0, 0))
            sums[name] = (total + figure.detach(), n + 1)

    def take_labels():
        while not labeller.results.empty():
            phase, seconds, *columns = labeller.results.get()
            seconds_of_labels[phase] += seconds
            columns = [torch.from_numpy(column).to(card) for column in columns]
            if len(columns[0]) == 0:
                continue
            if phase < 2:
                asked_before[phase].append(rules.canonical(columns[0]))
            rows.add(*columns)
            rows.add(*children(rules, *columns))

    def offer_candidates(positions):
        positions, visits = torch.unique(rules.canonical(positions), return_counts=True)
        phases = phases_of(positions)
        offered = []
        for phase in range(len(PHASES)):
            here = (phases == phase).nonzero()[:, 0]
            if len(here) == 0:
                offered.append(None)
                continue
            # What is often met matters more, what was labelled less.
            weight = visits[here].float() ** 0.7
            if asked_before[phase]:
                weight[torch.isin(positions[here], torch.cat(asked_before[phase]))] *= 0.2
            lots = torch.rand(len(here), device=card).log() / weight
            some = positions[here[lots.topk(min(len(here), 4 * PART)).indices]]
            wins, _, value = outputs(teacher.average, rules, some)
            legal = bits(moves_of(some))
            p = value.sigmoid()
            doubt = 0.1 + 4 * p * (1 - p)
            take = min(len(some), (6000, 20000, 40000)[phase])
            order = torch.multinomial(doubt, take)
            some, wins, legal = some[order], wins[order], legal[order]
            asked = legal
            if phase < 2:
                # What either network would play, and some others.
                asked = torch.zeros_like(legal)
                own = agent.scores(some)
                for scores, best in ((own, 3), (wins.masked_fill(~legal, -1e9), 2),
                                     (torch.rand_like(own).masked_fill(~legal, -1.0), 2)):
                    asked.scatter_(1, scores.topk(best, 1).indices, True)
                asked &= legal
            offered.append((some.cpu().numpy(), packed(asked).cpu().numpy()))
        labeller.offer(offered)

    def play_cohorts():
        """Games against the bandit, and games between players of all kinds."""
        nonlocal replay, seen, cohort
        mixed = play_games(rules, agent, arguments.mixed, mixed_players(arguments.mixed),
                           smaller=0.25, openings=(4, 1, 2, 1, 1, 1, 1), noise=0.05)
        positions = mixed.positions
        if passed() > 0.07 or arguments.resume:
            n, start = cohort, time.time()
            played = play_games(rules, agent, n, against_bandit(n), smaller=0.1,
                                openings=(1, 1, 10, 2, 2, 1, 1, 1, 1), explore=0.6)
            won = agent_won(played, n)
            decided = [torch.cat(column) for column in zip(*played.decisions)]
            replay = [*replay[-3:], (decided[0], decided[1], won[decided[2]])]
            note(won=won.float().mean())
            spent = time.time() - start
            cohort = max(2 * PLAYED_BY, min(int(n * SECONDS_OF_PLAY / spent), arguments.cohort,
                                            2 * n)) // PLAYED_BY * PLAYED_BY
            positions = positions + played.positions
        positions = torch.cat(positions)
        seen = [*seen[-3:], positions]
        offer_candidates(positions)

    def drawn_decisions(count):
        if not replay:
            empty = torch.zeros(0, dtype=torch.long, device=card)
            return empty, empty, empty
        parts = []
        for i, (positions, cells, results) in enumerate(replay):
            some = (count + i) // len(replay)
            at = torch.randint(0, len(positions), (some,), device=card)
            parts.append((positions[at], cells[at], results[at]))
        return [torch.cat(column) for column in zip(*parts)]

    def drawn_positions(count):
        parts = []
        for i, positions in enumerate(seen):
            at = torch.randint(0, len(positions), ((count + i) // len(seen),), device=card)
            parts.append(positions[at])
        return torch.cat(parts)

    def drawn_looked(count):
        parts = []
        for i, (positions, wins) in enumerate(looked):
            at = torch.randint(0, len(positions), ((count + i) // len(looked),), device=card)
            parts.append((positions[at], wins[at]))
        return [torch.cat(column) for column in zip(*parts)]

    def look_ahead():
        """What a move leaves is judged with more examples behind it than the move itself."""
        positions = seen[-1]
        early = positions[phases_of(positions) < 2]
        early = early[torch.randperm(len(early), device=card)[:PART // 2]]
        row, cell = bits(moves_of(early)).nonzero().T
        after = rules.after(early[row].contiguous(), cell.contiguous())
        value = outputs(teacher.average, rules, after)[2]
        wins = torch.zeros((len(early), CELLS), device=card)
        wins[row, cell] = (-value).sigmoid()
        looked.append((early, wins.half()))
        if len(looked) > 12:
            looked.pop(0)

    def train_teacher(seconds):
        end = time.time() + seconds
        while time.time() < end:
            exact = rows.draw(arguments.batch // 2, SHARES_OF_ROWS)
            played = drawn_decisions(arguments.batch // 2)
            losses = teacher_loss(teacher.network, rules, exact, played, teacher.steps % 4)
            teacher.learn(sum(losses), passed() / 0.82, len(exact[0]) + len(played[0]))
            note(t_wins=losses[0], t_value=losses[1], t_beats=losses[2])
            if teacher.steps % 8 == 0:
                wait()

    lessons = 0

    def train_students(seconds):
        nonlocal lessons
        end = time.time() + seconds
        while time.time() < end:
            part = arguments.student_batch // 8
            exact = rows.draw(3 * part, SHARES_OF_ROWS)
            lesson = Lesson(teacher.average, rules, exact, drawn_positions(3 * part),
                            drawn_looked(2 * part), lessons % 4)
            for name, student in students.items():
                losses = student_loss(student.network, rules, lesson)
                student.learn(sum(losses), passed(), 8 * part)
                names = (f"{name} {of}" for of in ("policy", "sharp", "value"))
                note(**dict(zip(names, losses)))
            lessons += 1
            if lessons % 8 == 0:
                wait()

    def store():
        for name, student in students.items():
            save(student.average, arguments.folder / f"{name}.safetensors",
                 {"task": "domineering", "game": "domineering", "encoder": "mover",
                  "encoder_version": "1", "made_by": "damier 0.1.0, train_on_gpu.py",
                  "recipe": "domineering", "seed": str(arguments.seed),
                  "positions": str(student.positions),
                  "command": " ".join(["python3", *sys.argv])})
            torch.save(student.average.state_dict(), arguments.folder / f"{name}.pt")
        torch.save(teacher.average.state_dict(), arguments.folder / "teacher.pt")

    def score(name, player):
        judge.submit(name, player)
        n = arguments.scored
        played = play_games(rules, player, n, against_bandit(n))
        won = agent_won(played, n).float().mean().item()
        say(f"{name} against ucb:{BUDGET},c={C} after two random moves: {100 * won:.2f} % of {n}")

    def report():
        means = ", ".join(f"{name} {(total / n).item():.4f}" for name, (total, n) in sums.items())
        sums.clear()
        say(f"{teacher.steps} + {lessons} steps, {teacher.positions / 1e6:.1f} M + "
            f"{students[playing].positions / 1e6:.1f} M positions; labels {rows.counts} in "
            f"{[round(s) for s in seconds_of_labels]} s; {means}")

    reported = scored = time.time()
    judging = False
    while passed() < 0.82:
        start = time.time()
        play_cohorts()
        wait()
        spent = time.time() - start
        say(f"played in {spent:.1f} s")
        take_labels()
        while sum(rows.counts) < arguments.batch:
            time.sleep(0.2)
            take_labels()
        look_ahead()
        left = max(0.0, (0.82 - passed()) * arguments.seconds)
        train_teacher(min(left, max(3.0, 1.2 * spent)))
        take_labels()
        train_students(min(left, max(2.0, 0.8 * spent)))
        if time.time() - reported > 20:
            report()
            store()
            reported = time.time()
        if not judging and passed() > 0.1:
            judging = True
            labeller.jobs.put(judge.find_values)
        if time.time() - scored > 75:
            score(playing, agent)
            scored = time.time()
    score("the teacher", teaching_agent)
    while passed() < 0.955:
        take_labels()
        train_students(min(10.0, max(1.0, (0.955 - passed()) * arguments.seconds)))
        report()
        store()
    labeller.ending = True
    for name, player in agents.items():
        score(name, player)
    store()
    take_labels()
    rows.store(arguments.folder / "labels.npz", most=550_000)
    report()
    labeller.join(timeout=max(1.0, arguments.seconds - (time.time() - began)))
    while not labeller.is_alive() and not labeller.jobs.empty():
        labeller.jobs.get()()
    say("done")
    os._exit(0)  # without waiting for a search


if __name__ == "__main__":
    main()
