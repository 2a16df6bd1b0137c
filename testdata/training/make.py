# Losses of PyTorch training the shipped dense network for a few steps, by each optimizer: losses.json.
#
# usage: python testdata/training/make.py        (needs torch and safetensors)
#
# The data is made up (MNIST need not be there): images of smooth noise, classes by index. Starting from the shipped weights
# makes every number of the network matter.

import json
import pathlib

import torch
from safetensors.torch import load_file

here = pathlib.Path(__file__).parent
torch.set_num_threads(1)


def images(n):
    index = torch.arange(n * 784, dtype=torch.float64)
    return (0.5 + 0.5 * torch.sin(index * 0.37) * torch.cos(index * 0.011)).float().reshape(n, 784)


def network():
    weights = load_file(here / "../../models/digits_mlp.safetensors")
    model = torch.nn.Sequential()
    model.add_module("fc1", torch.nn.Linear(784, 128))
    model.add_module("relu", torch.nn.ReLU())
    model.add_module("fc2", torch.nn.Linear(128, 10))
    model.load_state_dict(weights)
    return model


def losses(make_optimizer, n_steps=8, n=32):
    model = network()
    optimizer = make_optimizer(model.parameters())
    x, y = images(n), torch.arange(n) % 10
    found = []
    for _ in range(n_steps):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        found.append(loss.item())
    return found


optimizers = {
    "adam": lambda p: torch.optim.Adam(p, lr=1e-3),
    "adamw": lambda p: torch.optim.AdamW(p, lr=1e-3, weight_decay=0.01),
    "sgd": lambda p: torch.optim.SGD(p, lr=0.01, momentum=0.9),
}
result = {"torch": torch.__version__, **{name: losses(make) for name, make in optimizers.items()}}
(here / "losses.json").write_text(json.dumps(result, indent=1) + "\n")
