#!/usr/bin/env python3
"""Damier's minesweeper recipe on a GPU, with PyTorch.

Damier makes the rows and plays with the weights; only the arithmetic of the training is done here.
It is the recipe's: the same network, losses, optimiser, schedule and symmetries. What differs is
the order of the rows, the rounding (bfloat16 inside convolutions), and the time it takes.

    damier generate minesweeper --count 6000000 --seed 1 -o rows.data
    python3 train_on_gpu.py recipes/minesweeper.json --data rows.data \\
        --set epochs=6 --set batch=2048 -o model.safetensors
    damier eval model.safetensors --board 10x10x10 --games 20000 --seed 11

--start MODEL goes on from the weights of an earlier model, which may have fewer blocks; with
--keep-norms the norms' means and variances stay as they were. Several --data are put together;
where their frames differ, each step takes rows of one frame, as many cells as the others.
"""

import argparse
import json
import math
import re
import struct
import sys
import time

import numpy as np
import torch
from torch import nn

MASKED, WALL = 9, 10
NUMPY = {"U8": np.uint8, "F32": np.float32, "I64": np.int64}


def read_recipe(path, settings):
    text = re.sub(r"^\s*//.*$|\s//[^\"\n]*$", "", open(path).read(), flags=re.M)
    recipe = json.loads(text)
    for setting in settings:
        keys, value = setting.split("=", 1)
        *above, last = keys.split(".")
        place = recipe
        for key in above:
            place = place[key]
        try:
            place[last] = json.loads(value)
        except json.JSONDecodeError:
            place[last] = value
    return recipe


def read_safetensors(path):
    """The metadata, and the tensors as views of the file."""
    with open(path, "rb") as file:
        length = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(length))
    bytes_ = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + length)
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        tensors[name] = bytes_[begin:end].view(NUMPY[entry["dtype"]]).reshape(entry["shape"])
    return metadata, tensors


def write_safetensors(path, metadata, tensors):
    header, offset = {"__metadata__": metadata}, 0
    for name, tensor in tensors.items():
        size = tensor.nbytes
        header[name] = {"dtype": "F32", "shape": list(tensor.shape),
                        "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)))
        file.write(text)
        for tensor in tensors.values():
            file.write(np.ascontiguousarray(tensor, dtype=np.float32).tobytes())


class Residual(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = layers

    def forward(self, x):
        return x + self.layers(x)


def build(layers, channels):
    """The layers of a specification; names of the weights come out as Damier's."""
    made = nn.Sequential()
    for spec in layers:
        kind = spec["type"]
        if kind == "conv2d":
            size, out = spec.get("kernel", 3), spec["channels"]
            layer = nn.Conv2d(channels, out, size, padding=size // 2, bias=spec.get("bias", True))
            channels = out
        elif kind == "batch_norm":
            layer = nn.BatchNorm2d(channels)
        elif kind == "relu":
            layer = nn.ReLU()
        elif kind == "flatten":
            layer = nn.Flatten()
        elif kind == "residual":
            inner, after = build(spec["layers"], channels)
            assert after == channels, "a residual block keeps its channels"
            layer = Residual(inner)
        else:
            sys.exit(f"layer {kind}: not known here; train with damier")
        made.append(layer)
    return made, channels


class Network(nn.Module):
    def __init__(self, spec):
        super().__init__()
        self.layers, channels = build(spec["layers"], spec["input"][0])
        self.heads = nn.ModuleDict(
            {name: build(layers, channels)[0] for name, layers in spec["heads"].items()})

    def forward(self, planes):
        trunk = self.layers(planes)
        return {name: head(trunk) for name, head in self.heads.items()}


def initialise(network):
    """He's uniform initialisation, as the recipe's."""
    for module in network.modules():
        if isinstance(module, nn.Conv2d):
            bound = math.sqrt(6 / module.weight[0].numel())
            nn.init.uniform_(module.weight, -bound, bound)
            if module.bias is not None:
                nn.init.zeros_(module.bias)


def load(network, path):
    """An earlier model's weights. Blocks that it did not have change nothing at first."""
    _, tensors = read_safetensors(path)
    state = network.state_dict()
    for name, module in network.named_modules():
        if isinstance(module, Residual):
            last = f"{name}.layers.{len(module.layers) - 1}.weight"
            if last not in tensors:
                state[last] = torch.zeros_like(state[last])
    for name in state:
        if name in tensors:
            state[name] = torch.from_numpy(tensors[name].copy())
    network.load_state_dict(state)


class Rows:
    """One split of some data sets, on the device."""

    COLUMNS = ("input", "bomb", "masked", "win", "tried")

    def __init__(self, files, split, device):
        parts = {name: [] for name in self.COLUMNS}
        for info, tensors in files:
            counts = info["rows"]
            first = {"training": 0, "validation": counts["training"],
                     "test": counts["training"] + counts["validation"]}[split]
            for name in self.COLUMNS:
                rows = np.array(tensors[name][first:first + counts[split]])
                parts[name].append(torch.from_numpy(rows).to(device))
        self.columns = {name: torch.cat(list_) for name, list_ in parts.items()}
        self.count = len(self.columns["input"])
        self.squares = self.columns["bomb"].shape[1]
        side = math.isqrt(self.squares)
        grid = torch.arange(self.squares).reshape(side, side)
        turned = [torch.rot90(g, k) for g in (grid, grid.T) for k in range(4)]
        self.symmetries = torch.stack([t.reshape(-1) for t in turned]).to(device)

    def batch(self, rows, turned):
        """Planes and columns of some rows, each turned by a symmetry of its own."""
        taken = {name: column[rows] for name, column in self.columns.items()}
        bombs = taken["input"][:, -1].float()
        taken["input"] = taken["input"][:, :-1]
        if turned:
            source = self.symmetries[torch.randint(8, (len(rows),), device=rows.device)]
            taken = {name: column.gather(1, source) for name, column in taken.items()}
        codes = taken["input"].long()
        masked = (codes == MASKED).sum(1).float()
        safe = (masked - bombs).clamp(min=0)
        inside = (codes != WALL).float()
        one_hot = nn.functional.one_hot(codes, WALL + 1)[..., :WALL].float().transpose(1, 2)
        everywhere = torch.stack([torch.ones_like(safe), bombs / masked.clamp(min=1),
                                  safe.clamp(max=8) / 8, safe.clamp(max=64) / 64], 1)
        planes = torch.cat([one_hot, everywhere[:, :, None] * inside[:, None, :]], 1)
        side = math.isqrt(self.squares)
        return planes.reshape(len(rows), -1, side, side), taken


def loss_of(outputs, taken, heads):
    """Each position weighs the same, whatever its number of cells."""
    total = 0
    for name, head in heads.items():
        target = taken[head.get("target", name)].float() * head.get("scale", 1)
        mask = taken[head["mask"]].float()
        each = nn.functional.binary_cross_entropy_with_logits(
            outputs[name].float(), target, reduction="none") * mask
        total = total + head.get("weight", 1) * (each.sum(1) / mask.sum(1).clamp(min=1)).mean()
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("recipe")
    parser.add_argument("--data", action="append", required=True)
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--start", help="a model to go on from")
    parser.add_argument("--keep-norms", action="store_true",
                        help="keep the means and variances of the start's norms")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float,
                        help="as many whole epochs as fit, instead of the recipe's")
    parser.add_argument("-o", "--output", required=True)
    arguments = parser.parse_args()

    device = "cuda" if torch.cuda.is_available() else "cpu"
    recipe = read_recipe(arguments.recipe, arguments.set)
    torch.manual_seed(arguments.seed)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True

    files = []
    for path in arguments.data:
        metadata, tensors = read_safetensors(path)
        files.append((json.loads(metadata["damier.data"]), tensors))
    frames = {}
    for file in files:
        frames.setdefault(math.isqrt(file[1]["bomb"].shape[1]), []).append(file)
    smallest = min(frames)
    training = {side: Rows(list_, "training", device) for side, list_ in frames.items()}
    validation = {side: Rows(list_, "validation", device) for side, list_ in frames.items()}
    recipe["network"]["input"] = [14, smallest, smallest]
    network = Network(recipe["network"])
    initialise(network)
    if arguments.start:
        load(network, arguments.start)
    network = network.to(device, memory_format=torch.channels_last)
    rate = recipe["optimiser"]["rate"]
    count = sum(rows.count for rows in training.values())

    def learning():
        network.train()
        for module in network.modules():
            if arguments.keep_norms and isinstance(module, nn.BatchNorm2d):
                module.eval()

    def new_optimiser():
        return torch.optim.AdamW(network.parameters(), lr=rate,
                                 weight_decay=recipe["optimiser"].get("weight_decay", 0))

    def batches():
        """(frame, rows) of every step of an epoch, in a new order."""
        all_ = []
        for side, rows in training.items():
            size = max(1, recipe["batch"] * smallest ** 2 // side ** 2)
            order = torch.randperm(rows.count, device=device)
            all_ += [(side, order[i:i + size]) for i in range(0, rows.count - size + 1, size)]
        return [all_[i] for i in torch.randperm(len(all_)).tolist()]

    optimiser = new_optimiser()
    steps_a_epoch = len(batches())
    print(f"{count} rows on {device}, {steps_a_epoch} steps an epoch", flush=True)

    def step(side, rows):
        planes, taken = training[side].batch(rows, recipe["augmentation"] == "symmetry")
        with torch.autocast(device, dtype=torch.bfloat16):
            outputs = network(planes.contiguous(memory_format=torch.channels_last))
        loss = loss_of(outputs, taken, recipe["heads"])
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        return loss.detach()

    learning()
    epochs = recipe["epochs"]
    if arguments.seconds:
        saved = {name: tensor.clone() for name, tensor in network.state_dict().items()}
        for i, (side, rows) in enumerate(batches()[:100]):
            if i == 40:
                torch.cuda.synchronize()
                begin = time.time()
            step(side, rows)
        torch.cuda.synchronize()
        each = (time.time() - begin) / 60
        epochs = max(1, int(arguments.seconds / each / steps_a_epoch))
        network.load_state_dict(saved)
        optimiser = new_optimiser()
        print(f"{1 / each:.0f} steps/s: {epochs} epochs", flush=True)

    total = epochs * steps_a_epoch
    warm_up = max(1, int(recipe["schedule"].get("warm_up", 0) * steps_a_epoch))
    lowest = recipe["schedule"].get("lowest", 0)

    def factor(at):
        if at < warm_up:
            return (at + 1) / warm_up
        share = (at - warm_up) / max(1, total - warm_up)
        return lowest + (1 - lowest) * 0.5 * (1 + math.cos(math.pi * share))

    @torch.no_grad()
    def validation_loss(rows_of_frame):
        network.eval()
        total_loss, most = 0.0, 1024
        for first in range(0, rows_of_frame.count, most):
            rows = torch.arange(first, min(first + most, rows_of_frame.count), device=device)
            planes, taken = rows_of_frame.batch(rows, False)
            outputs = network(planes.contiguous(memory_format=torch.channels_last))
            total_loss += loss_of(outputs, taken, recipe["heads"]).item() * len(rows)
        learning()
        return total_loss / max(1, rows_of_frame.count)

    def validation_text():
        return ", ".join(f"{side}x{side} {validation_loss(rows):.5f}"
                         for side, rows in sorted(validation.items()))

    print(f"validation before: {validation_text()}", flush=True)
    begin, done = time.time(), 0
    for epoch in range(epochs):
        sums = {side: [] for side in training}
        for side, rows in batches():
            for group in optimiser.param_groups:
                group["lr"] = rate * factor(done)
            sums[side].append(step(side, rows))
            done += 1
        losses = ", ".join(f"{side}x{side} {torch.stack(list_).mean().item():.5f}"
                           for side, list_ in sorted(sums.items()))
        print(f"epoch {epoch + 1}/{epochs}: loss {losses}; validation {validation_text()}; "
              f"{done / (time.time() - begin):.0f} steps/s", flush=True)

    info = frames[smallest][0][0]
    data = " ".join(f"--data {path}" for path in arguments.data)
    settings = "".join(f" --set {s}" for s in arguments.set if not s.startswith("epochs="))
    start = f" --start {arguments.start}" if arguments.start else ""
    start += " --keep-norms" if arguments.keep_norms else ""
    metadata = {
        "damier.network": json.dumps(recipe["network"], separators=(",", ":")),
        "made_by": f"train_on_gpu.py, PyTorch {torch.__version__}",
        "task": info["task"], "game": info["game"], "encoder": info["encoder"],
        "encoder_version": str(info["encoder_version"]), "recipe": "minesweeper",
        "seed": str(arguments.seed), "data": " ".join(one["checksum"] for one, _ in files),
        "generate": json.dumps(info["generate"], separators=(",", ":")),
        "command": f"train_on_gpu.py {arguments.recipe} {data}{settings} "
                   f"--set epochs={epochs}{start} --seed {arguments.seed}",
    }
    state = {name: tensor.float().cpu().numpy() for name, tensor in network.state_dict().items()
             if not name.endswith("num_batches_tracked")}
    write_safetensors(arguments.output, metadata, state)
    print(f"{arguments.output}: {sum(t.size for t in state.values())} numbers, "
          f"{time.time() - begin:.0f} s")


if __name__ == "__main__":
    main()
