# The workloads of `damier bench nn` in PyTorch: the peer. Reads lines "WORKLOAD train|infer BATCH SECONDS"
# and answers each with calls per second, on one thread.
import sys
import time

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(1)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(32, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
            nn.Conv2d(32, 32, 3, padding=1), nn.BatchNorm2d(32))

    def forward(self, x):
        return torch.relu(x + self.body(x))


def two_softmaxes(y, target):
    loss = nn.functional.cross_entropy
    return loss(y[:, :9], target[:, 0]) + loss(y[:, 9:], target[:, 1])


def workload(name, batch):
    """Network, inputs, targets, loss, optimiser."""
    if name == "W1":
        net = nn.Sequential(nn.Linear(25, 300), nn.ReLU(), nn.Linear(300, 256), nn.ReLU(),
                            nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 1), nn.Sigmoid())
        return (net, torch.rand(batch, 25), torch.rand(batch, 1), nn.functional.mse_loss,
                torch.optim.RMSprop(net.parameters(), lr=1e-3))
    if name == "W2":
        net = nn.Sequential(nn.Linear(46, 64), nn.Sigmoid(), nn.Linear(64, 64), nn.Sigmoid(),
                            nn.Linear(64, 18)).double()
        return (net, torch.rand(batch, 46, dtype=torch.double), torch.randint(0, 9, (batch, 2)),
                two_softmaxes, torch.optim.SGD(net.parameters(), lr=1e-2))
    if name == "W3":
        net = nn.Sequential(nn.Conv2d(8, 32, 3, padding=1), nn.ReLU(),
                            nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(),
                            nn.Conv2d(64, 64, 3, padding=1), nn.ReLU(), nn.Flatten(),
                            nn.Linear(1600, 128), nn.ReLU(), nn.Linear(128, 100))
        return (net, torch.rand(batch, 8, 5, 5), torch.rand(batch, 100), nn.functional.mse_loss,
                torch.optim.Adam(net.parameters(), lr=1e-3))
    net = nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(),
                        Block(), Block(), Block(), nn.Flatten(), nn.Linear(2048, 64))
    return (net, torch.rand(batch, 3, 8, 8), torch.randint(0, 64, (batch,)),
            nn.functional.cross_entropy, torch.optim.Adam(net.parameters(), lr=1e-3))


def make_call(name, kind, batch):
    net, x, target, loss, optimiser = workload(name, batch)
    if kind == "infer":
        net.eval()

        def call():
            with torch.no_grad():
                net(x)
        return call

    def call():
        optimiser.zero_grad()
        loss(net(x), target).backward()
        optimiser.step()
    return call


calls = {}
print("ready", torch.__version__, flush=True)
for line in sys.stdin:
    name, kind, batch, seconds = line.split()
    key = (name, kind, int(batch))
    if key not in calls:
        calls[key] = make_call(*key)
        for _ in range(3):
            calls[key]()
    start, count = time.perf_counter(), 0
    while True:
        calls[key]()
        count += 1
        passed = time.perf_counter() - start
        if passed >= float(seconds):
            break
    print(count / passed, flush=True)
