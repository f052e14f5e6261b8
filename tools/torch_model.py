"""Networks of damier as torch modules whose parameters have the names of damier's model files."""
import itertools
import json

from torch import nn
import torch


def conv_json(channels, kernel=3, bias=False):
    return {"type": "conv2d", "channels": channels, "kernel": kernel, "padding": "same",
            "bias": bias}


def tower_json(channels, blocks):
    """A convolution and residual blocks of two, with batch norm."""
    norm, relu = {"type": "batch_norm"}, {"type": "relu"}
    layers = [conv_json(channels), norm, relu]
    for _ in range(blocks):
        layers += [{"type": "residual", "layers": [conv_json(channels), norm, relu,
                                                   conv_json(channels), norm]}, relu]
    return layers


class Residual(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = layers

    def forward(self, x):
        return x + self.layers(x)


def modules(layers, inputs, cells):
    """An nn.Sequential of the layers of a board of so many cells, and how many features it gives."""
    built = []
    for layer in layers:
        kind = layer["type"]
        if kind == "conv2d":
            built.append(nn.Conv2d(inputs, layer["channels"], layer["kernel"],
                                   padding=layer["kernel"] // 2, bias=layer["bias"]))
            inputs = layer["channels"]
        elif kind == "dense":
            built.append(nn.Linear(inputs, layer["units"]))
            inputs = layer["units"]
        elif kind == "flatten":
            built.append(nn.Flatten())
            inputs *= cells
        elif kind == "residual":
            built.append(Residual(modules(layer["layers"], inputs, cells)[0]))
        else:
            built.append({"batch_norm": lambda: nn.BatchNorm2d(inputs), "relu": nn.ReLU,
                          "tanh": nn.Tanh}[kind]())
    return nn.Sequential(*built), inputs


class Network(nn.Module):
    """Gives the outputs of the heads in their order; those of a head of one unit as (rows,)."""

    def __init__(self, description):
        super().__init__()
        self.description = description
        inputs, rows, columns = description["input"]
        self.layers, width = modules(description["layers"], inputs, rows * columns)
        self.heads = nn.ModuleDict({name: modules(layers, width, rows * columns)[0]
                                    for name, layers in description["heads"].items()})

    def forward(self, planes):
        x = self.layers(planes.to(memory_format=torch.channels_last))
        outputs = [head(x).float() for head in self.heads.values()]
        return tuple(y[:, 0] if y.shape[1] == 1 else y for y in outputs)


def numbers(network):
    return [t for t in itertools.chain(network.parameters(), network.buffers())
            if t.dtype.is_floating_point]


def move_towards(average, network, share):
    """Lets the numbers of an average of networks go a share of the way."""
    with torch.no_grad():
        torch._foreach_mul_(numbers(average), 1 - share)
        torch._foreach_add_(numbers(average), numbers(network), alpha=share)


def save(network, path, metadata):
    """A model file of damier: safetensors with the network's description."""
    tensors = {name: t.detach().float().cpu().contiguous() for name, t in
               network.state_dict().items() if not name.endswith("num_batches_tracked")}
    header = {"__metadata__": {"damier.network": json.dumps(network.description,
                                                            separators=(",", ":")), **metadata}}
    offset = 0
    for name, tensor in tensors.items():
        size = 4 * tensor.numel()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape),
                        "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        for tensor in tensors.values():
            file.write(tensor.numpy().tobytes())
