# Writes tables.json beside itself: what PyTorch makes, in doubles, of every layer, loss and
# optimiser of the network engine. torch_tables_test.cc holds the engine against it.
# Needs python3-torch: python3 make_tables.py
import json
import math
import pathlib

import torch
from torch import nn
from torch.nn import functional as F

torch.set_default_dtype(torch.double)
torch.set_num_threads(1)
random = torch.Generator().manual_seed(1)


def draw(*shape, low=-1.0, high=1.0):
    """Numbers of three decimals, which the table holds exactly and in few bytes."""
    unit = torch.rand(shape, generator=random).flatten().tolist()
    return torch.tensor([round(low + (high - low) * u, 3) for u in unit]).reshape(shape)


def flat(tensor):
    return tensor.detach().flatten().tolist()


class Run:
    """One pass through a network as the specification writes it, in PyTorch's own operations."""

    def __init__(self, network, training, samples=3, inputs=None):
        self.training = training
        self.weights = {}
        self.running = {}  # the figures of batch norms, before the pass
        self.inputs = (draw(samples, *network["input"]) if inputs is None
                       else torch.tensor(inputs).to(torch.get_default_dtype()))
        trunk = self.chain(network.get("layers", []), "layers", self.inputs)
        heads = network.get("heads", {"output": []})
        self.outputs = {name: self.chain(layers, f"heads.{name}", trunk)
                        for name, layers in heads.items()}

    def weight(self, name, *shape, low=-1.0, high=1.0):
        self.weights[name] = draw(*shape, low=low, high=high).requires_grad_()
        return self.weights[name]

    def chain(self, layers, name, x):
        for i, layer in enumerate(layers):
            x = getattr(self, layer["type"])(layer, f"{name}.{i}", x)
        return x

    def dense(self, layer, name, x):
        weight = self.weight(f"{name}.weight", layer["units"], x.shape[1])
        bias = self.weight(f"{name}.bias", layer["units"]) if layer.get("bias", True) else None
        return F.linear(x, weight, bias)

    def conv2d(self, layer, name, x):
        kernel = layer.get("kernel", 3)
        weight = self.weight(f"{name}.weight", layer["channels"], x.shape[1], kernel, kernel)
        bias = self.weight(f"{name}.bias", layer["channels"]) if layer.get("bias", True) else None
        return F.conv2d(x, weight, bias, padding=layer.get("padding", "same"))

    def batch_norm(self, layer, name, x):
        weight = self.weight(f"{name}.weight", x.shape[1], low=0.5, high=1.5)
        bias = self.weight(f"{name}.bias", x.shape[1])
        mean, variance = draw(x.shape[1]), draw(x.shape[1], low=0.5, high=2)
        for key, figures in (("running_mean", mean), ("running_var", variance)):
            self.running[f"{name}.{key}"] = (figures.clone(), figures)
        return F.batch_norm(x, mean, variance, weight, bias, self.training,
                            layer.get("momentum", 0.1), layer.get("epsilon", 1e-5))

    def layer_norm(self, layer, name, x):
        weight = self.weight(f"{name}.weight", x.shape[1], low=0.5, high=1.5)
        bias = self.weight(f"{name}.bias", x.shape[1])
        last = x.movedim(1, -1)  # over the channels of each square
        return F.layer_norm(last, [x.shape[1]], weight, bias,
                            layer.get("epsilon", 1e-5)).movedim(-1, 1)

    def dropout(self, layer, name, x):
        assert not self.training, "what is dropped in training is the engine's own choice"
        return F.dropout(x, layer.get("rate", 0.5), training=False)

    def sigmoid(self, layer, name, x):
        return torch.sigmoid(x)

    def tanh(self, layer, name, x):
        return torch.tanh(x)

    def relu(self, layer, name, x):
        return F.relu(x)

    def leaky_relu(self, layer, name, x):
        return F.leaky_relu(x, 0.01)

    def clipped_relu(self, layer, name, x):
        return x.clamp(0, 1)

    def squared_clipped_relu(self, layer, name, x):
        return x.clamp(0, 1) ** 2

    def softmax(self, layer, name, x):
        parts = x.split(layer.get("groups", [x.shape[1]]), dim=1)
        return torch.cat([F.softmax(part, dim=1) for part in parts], dim=1)

    def residual(self, layer, name, x):
        return x + self.chain(layer["layers"], f"{name}.layers", x)

    def branches(self, layer, name, x):
        return torch.cat([getattr(self, branch["type"] if branch["type"] != "chain" else "inner")(
            branch, f"{name}.layers.{i}", x) for i, branch in enumerate(layer["layers"])], dim=1)

    def inner(self, layer, name, x):  # "chain", which is the name of a list of layers here
        return self.chain(layer["layers"], f"{name}.layers", x)

    def slice(self, layer, name, x):
        begin, shape = layer.get("from", 0), layer["shape"]
        return x[:, begin:begin + math.prod(shape)].reshape(len(x), *shape)

    def sparse(self, layer, name, x):
        features, units, lists = layer["features"], layer["units"], layer.get("lists", 1)
        weight = self.weight(f"{name}.weight", units, features)
        bias = self.weight(f"{name}.bias", units)
        numbers = x.long().reshape(len(x), lists, -1)
        marks = F.one_hot(torch.where(numbers < 0, features, numbers), features + 1).sum(2)
        return F.linear(marks[..., :features].to(x.dtype), weight, bias).flatten(1)

    def flatten(self, layer, name, x):
        return x.flatten(1)

    def global_average_pool(self, layer, name, x):
        return x.mean((2, 3))

    def attention(self, layer, name, x):
        channels = x.shape[1]
        inward = self.weight(f"{name}.in.weight", 3 * channels, channels, 1, 1)
        inward_bias = self.weight(f"{name}.in.bias", 3 * channels)
        outward = self.weight(f"{name}.out.weight", channels, channels, 1, 1)
        outward_bias = self.weight(f"{name}.out.bias", channels)
        squares = x.flatten(2).permute(2, 0, 1)  # what nn.MultiheadAttention hands on
        y, _ = F.multi_head_attention_forward(
            squares, squares, squares, channels, layer.get("heads", 1), inward[..., 0, 0],
            inward_bias, None, None, False, 0.0, outward[..., 0, 0], outward_bias)
        return y.permute(1, 2, 0).reshape(x.shape)


def layer_case(name, network, training=True, samples=3, inputs=None):
    run = Run(network, training, samples, inputs)
    upstream = {head: draw(*y.shape) for head, y in run.outputs.items()}
    sum((y * upstream[head]).sum() for head, y in run.outputs.items()).backward()
    stored = {**run.weights, **{key: before for key, (before, _) in run.running.items()}}
    return {
        "name": name, "network": network, "training": training, "samples": samples,
        "inputs": flat(run.inputs),
        "weights": {key: {"shape": list(w.shape), "values": flat(w)} for key, w in stored.items()},
        "upstream": {head: flat(u) for head, u in upstream.items()},
        "outputs": {head: flat(y) for head, y in run.outputs.items()},
        "gradients": {key: flat(w.grad) for key, w in run.weights.items()},
        "running": {key: flat(after) for key, (_, after) in run.running.items()},
    }


def layer(kind, **options):
    return {"type": kind, **options}


def features(*layers, units=9):
    """Between two dense layers, so that the gradient of the layer's input shows in a weight."""
    return {"input": [4],
            "layers": [layer("dense", units=units), *layers, layer("dense", units=2)]}


def board(*layers, channels=6):
    return {"input": [2, 2, 3],
            "layers": [layer("conv2d", channels=channels, kernel=1), *layers, layer("flatten")]}


def layer_cases():
    yield layer_case("dense", {"input": [5], "layers": [
        layer("dense", units=18), layer("dense", units=3)]}, samples=4)
    yield layer_case("dense without bias", {"input": [5], "layers": [
        layer("dense", units=7, bias=False), layer("dense", units=3, bias=False)]})
    for kernel in (1, 3, 5):
        for padding in ("same", "valid"):
            yield layer_case(f"conv2d {kernel}x{kernel} {padding}", {"input": [1, 6, 5], "layers": [
                layer("conv2d", channels=2, kernel=1),
                layer("conv2d", channels=2, kernel=kernel, padding=padding),
                layer("flatten")]}, samples=2)
    yield layer_case("conv2d without bias", board(layer("conv2d", channels=2, bias=False),
                                                  channels=3))
    for training in (True, False):
        when = "in training" if training else "in inference"
        yield layer_case(f"batch_norm of features {when}", features(layer("batch_norm")), training)
        yield layer_case(f"batch_norm of boards {when}",
                         board(layer("batch_norm", momentum=0.3, epsilon=1e-3), channels=3),
                         training)
    yield layer_case("layer_norm of features", features(layer("layer_norm")))
    yield layer_case("layer_norm of boards", board(layer("layer_norm", epsilon=1e-3), channels=5))
    yield layer_case("dropout in inference", features(layer("dropout", rate=0.4)), training=False)
    for kind in ("sigmoid", "tanh", "relu", "leaky_relu", "clipped_relu", "squared_clipped_relu"):
        yield layer_case(kind, features(layer(kind)), samples=4)
    yield layer_case("softmax", features(layer("softmax")))
    yield layer_case("softmax in groups", features(layer("softmax", groups=[2, 4, 3])))
    yield layer_case("residual", board(
        layer("residual", layers=[layer("conv2d", channels=3), layer("batch_norm"), layer("relu"),
                                  layer("conv2d", channels=3)]), channels=3))
    yield layer_case("residual in residual", features(
        layer("residual", layers=[layer("dense", units=5), layer("tanh"), layer(
            "residual", layers=[layer("dense", units=5, bias=False)])]), units=5))
    yield layer_case("residual of nothing", features(layer("residual", layers=[])))
    yield layer_case("flatten", {"input": [2, 2, 3], "layers": [
        layer("conv2d", channels=3, kernel=1), layer("flatten"), layer("dense", units=2)]})
    yield layer_case("global_average_pool", {"input": [2, 3, 4], "layers": [
        layer("conv2d", channels=3), layer("global_average_pool"), layer("dense", units=2)]})
    yield layer_case("attention, 1 head", board(layer("attention"), channels=4), samples=2)
    yield layer_case("attention, 3 heads", board(layer("attention", heads=3)), samples=2)
    yield layer_case("attention in a residual", board(
        layer("residual", layers=[layer("layer_norm"), layer("attention", heads=2)]), channels=4),
        samples=2)
    yield layer_case("several heads", {
        "input": [4], "layers": [layer("dense", units=6), layer("tanh")],
        "heads": {"policy": [layer("dense", units=5), layer("softmax")],
                  "value": [layer("dense", units=1), layer("tanh")]}})
    yield layer_case("branches, chains and slices", features(
        layer("branches", layers=[
            layer("chain", layers=[layer("slice", shape=[2, 2, 3]), layer("conv2d", channels=2),
                                   layer("tanh"), layer("flatten"), layer("dense", units=3)]),
            layer("slice", shape=[5], **{"from": 9}),
            layer("dense", units=4)]), units=15))
    yield layer_case("sparse", {"input": [6], "layers": [
        layer("sparse", features=7, units=3, lists=2), layer("dense", units=2)]},
        inputs=[[0, 6, -1, 3, 3, -1], [-1, -1, -1, 5, 1, 2], [4, 2, 0, 6, -1, 0]])


def cross_entropy(y, target, mask, groups):
    # Logits without a part become -inf; 0 * -inf is kept out of the sum.
    loss = 0
    for part, goal, kept in zip(*(t.split(groups, 1) for t in (y, target, mask))):
        logs = F.log_softmax(part.masked_fill(kept == 0, -math.inf), dim=1)
        loss = loss - (goal * logs.masked_fill(kept == 0, 0)).sum() / len(y)
    return loss


def loss_case(name, kind, function, target, mask=None, groups=None, weight=1.0, spread=3.0):
    y = draw(*target.shape, low=-spread, high=spread).requires_grad_()
    value = weight * function(y)
    value.backward()
    return {"name": name, "kind": kind, "groups": groups or [], "weight": weight,
            "samples": len(target), "outputs": flat(y), "targets": flat(target),
            "mask": [] if mask is None else flat(mask), "value": value.item(),
            "gradient": flat(y.grad)}


def loss_cases():
    any_goal = draw(3, 7)
    share = draw(3, 9, low=0, high=1)
    chosen = torch.eye(9)[[8, 0, 5]] + torch.eye(9)[[2, 2, 1]]
    everything = torch.ones(3, 9)
    legal = (draw(3, 9) > -0.3).double()
    legal[:, [0, 4, 8]] = 1
    q_chosen = torch.eye(7)[[3, 6, 0]]
    yield loss_case("mean_squared_error", "mean_squared_error",
                    lambda y: F.mse_loss(y, any_goal), any_goal, weight=0.5)
    yield loss_case("cross_entropy", "cross_entropy",
                    lambda y: F.cross_entropy(y, share / share.sum(1, True)),
                    share / share.sum(1, True))
    yield loss_case("cross_entropy in groups", "cross_entropy",
                    lambda y: F.cross_entropy(y[:, :2], share[:, :2]) + F.cross_entropy(
                        y[:, 2:6], share[:, 2:6]) + F.cross_entropy(y[:, 6:], share[:, 6:]),
                    share, groups=[2, 4, 3], weight=2.0)
    yield loss_case("cross_entropy of far logits", "cross_entropy",
                    lambda y: cross_entropy(y, chosen, everything, [9]), chosen, spread=300.0)
    yield loss_case("cross_entropy with a mask", "cross_entropy",
                    lambda y: cross_entropy(y, share * legal, legal, [9]), share * legal, legal)
    yield loss_case("cross_entropy in groups with a mask", "cross_entropy",
                    lambda y: cross_entropy(y, share * legal, legal, [4, 5]), share * legal, legal,
                    groups=[4, 5])
    yield loss_case("binary_cross_entropy", "binary_cross_entropy",
                    lambda y: F.binary_cross_entropy_with_logits(y, share), share, weight=0.25)
    yield loss_case("huber", "huber", lambda y: F.huber_loss(y, any_goal, delta=1.0), any_goal)
    yield loss_case("chosen_squared_error", "chosen_squared_error",
                    lambda y: F.mse_loss(y[q_chosen == 1], any_goal[q_chosen == 1]), any_goal,
                    q_chosen, weight=1.5)


def optimiser_case(name, options):
    """Five steps of a dense layer on given gradients; the options have the engine's names."""
    weights = {"layers.0.weight": draw(3, 4), "layers.0.bias": draw(3)}
    start = {key: flat(w) for key, w in weights.items()}
    settings = {"lr": options["rate"], "weight_decay": options.get("weight_decay", 0)}
    if options["kind"] == "sgd":
        make, settings["momentum"] = torch.optim.SGD, options.get("momentum", 0)
    elif options["kind"] == "rmsprop":
        make, settings["alpha"] = torch.optim.RMSprop, options.get("alpha", 0.99)
        settings["eps"] = options.get("epsilon", 1e-8)
    else:
        make = torch.optim.Adam if options["kind"] == "adam" else torch.optim.AdamW
        settings["betas"] = (options.get("beta1", 0.9), options.get("beta2", 0.999))
        settings["eps"] = options.get("epsilon", 1e-8)
    optimiser = make(weights.values(), **settings)
    steps = []
    for size in (1, 0.1, 2, 0.01, 1):
        for w in weights.values():
            w.grad = draw(*w.shape, low=-size, high=size)
        steps.append({key: flat(w.grad) for key, w in weights.items()})
        if "clip_norm" in options:
            nn.utils.clip_grad_norm_(weights.values(), options["clip_norm"])
        optimiser.step()
    return {"name": name, "options": options, "start": start, "gradients": steps,
            "end": {key: flat(w) for key, w in weights.items()}}


def optimiser_cases():
    sgd = {"kind": "sgd", "rate": 0.1}
    heavy = {"kind": "sgd", "rate": 0.1, "momentum": 0.9}
    rmsprop = {"kind": "rmsprop", "rate": 0.01}
    adam = {"kind": "adam", "rate": 0.01}
    adamw = {"kind": "adamw", "rate": 0.01}
    for name, base in (("sgd", sgd), ("sgd with momentum", heavy), ("rmsprop", rmsprop),
                       ("adam", adam), ("adamw", adamw)):
        yield optimiser_case(name, base)
        yield optimiser_case(f"{name}, weight decay", {**base, "weight_decay": 0.05})
        # Some of the five gradients are longer than that, some shorter.
        yield optimiser_case(f"{name}, clipped", {**base, "clip_norm": 0.7})
    yield optimiser_case("rmsprop, own figures", {**rmsprop, "alpha": 0.9, "epsilon": 1e-3})
    yield optimiser_case("adam, own figures",
                         {**adam, "beta1": 0.8, "beta2": 0.95, "epsilon": 1e-3})
    yield optimiser_case("adamw, all at once",
                         {**adamw, "beta1": 0.8, "weight_decay": 0.1, "clip_norm": 0.5})


def lines(cases):
    return "[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "\n]"


path = pathlib.Path(__file__).with_name("tables.json")
path.write_text('{"torch": %s,\n"layers": %s,\n"losses": %s,\n"optimisers": %s}\n' % (
    json.dumps(torch.__version__), lines(layer_cases()), lines(loss_cases()),
    lines(optimiser_cases())))
