# Ten training steps in PyTorch of every workload in a folder: python3 ten_steps.py FOLDER
# torch_steps_test.cc writes NAME.weights and NAME.data (safetensors) there; the losses before each
# step go to FOLDER/losses.json as {NAME: [ten numbers]}. The networks are those of
# bench/pytorch_peer.py; their parameters have the names that model files have.
import json
import pathlib
import sys

import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)


class Residual(nn.Module):
    def __init__(self, *layers):
        super().__init__()
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return x + self.layers(x)


class Chain(nn.Module):
    def __init__(self, *layers):
        super().__init__()
        self.layers = nn.Sequential(*layers)

    def forward(self, x):
        return self.layers(x)


def conv(inputs, outputs):
    return nn.Conv2d(inputs, outputs, 3, padding=1)


def block():
    return (Residual(conv(32, 32), nn.BatchNorm2d(32), nn.ReLU(), conv(32, 32), nn.BatchNorm2d(32)),
            nn.ReLU())


def network(name):
    if name == "W1":
        return Chain(nn.Linear(25, 300), nn.ReLU(), nn.Linear(300, 256), nn.ReLU(),
                     nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 1), nn.Sigmoid())
    if name == "W2":
        return Chain(nn.Linear(46, 64), nn.Sigmoid(), nn.Linear(64, 64), nn.Sigmoid(),
                     nn.Linear(64, 18))
    if name == "W3":
        return Chain(conv(8, 32), nn.ReLU(), conv(32, 64), nn.ReLU(), conv(64, 64), nn.ReLU(),
                     nn.Flatten(), nn.Linear(1600, 128), nn.ReLU(), nn.Linear(128, 100))
    return Chain(conv(3, 32), nn.BatchNorm2d(32), nn.ReLU(), *block(), *block(), *block(),
                 nn.Flatten(), nn.Linear(2048, 64))


def loss_of(name, y, target):
    if name == "W2":
        return F.cross_entropy(y[:, :9], target[:, :9]) + F.cross_entropy(y[:, 9:], target[:, 9:])
    return F.cross_entropy(y, target) if name == "W4" else F.mse_loss(y, target)


def optimiser_of(name, parameters):
    if name == "W2":
        return torch.optim.SGD(parameters, lr=1e-2)
    return (torch.optim.RMSprop if name == "W1" else torch.optim.Adam)(parameters, lr=1e-3)


def read_safetensors(path):
    content = path.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    tensors = {}
    for name, entry in json.loads(content[8:start]).items():
        if name == "__metadata__":
            continue
        begin, end = (start + offset for offset in entry["data_offsets"])
        dtype = {"F32": torch.float, "F64": torch.double}[entry["dtype"]]
        tensors[name] = torch.frombuffer(bytearray(content[begin:end]), dtype=dtype).reshape(
            entry["shape"])
    return tensors


def ten_steps(folder, name):
    data = read_safetensors(folder / f"{name}.data")
    weights = read_safetensors(folder / f"{name}.weights")
    net = network(name).to(data["inputs"].dtype)
    missing, unknown = net.load_state_dict(weights, strict=False)
    # PyTorch's batch norms count their batches; nothing here needs it.
    missing = [key for key in missing if not key.endswith(".num_batches_tracked")]
    if missing or unknown:
        sys.exit(f"{name}: PyTorch misses the tensors {missing} and does not know {unknown}")
    optimiser = optimiser_of(name, net.parameters())
    losses = []
    for _ in range(10):
        optimiser.zero_grad()
        loss = loss_of(name, net(data["inputs"]), data["targets"])
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    return losses


folder = pathlib.Path(sys.argv[1])
names = sorted(path.stem for path in folder.glob("*.data"))
(folder / "losses.json").write_text(json.dumps({name: ten_steps(folder, name) for name in names}))
