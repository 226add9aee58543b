"""PyTorch: optimize a target by gradient descent so that the elbow avoids an obstacle."""

import sys

try:
    import torch

    import twobone

    twobone.solve(torch.ones(2), 1.0, 1.0)
except (ImportError, ValueError) as missing:
    sys.exit(print(f"skipped: this example needs PyTorch ({missing})"))

wish = torch.tensor([1.2, 0.5], dtype=torch.float64)
target = wish.clone().requires_grad_()
obstacle = torch.tensor([0.6, 0.9], dtype=torch.float64)
soft = twobone.Soft(0.1)  # with Soft, gradients are bounded for all targets

descent = torch.optim.SGD([target], lr=0.05)
for step in range(200):
    elbow = twobone.solve(target, 1.0, 0.8, unreachable=soft)
    near = torch.clamp(0.4 - torch.linalg.vector_norm(elbow - obstacle), min=0.0)
    cost = ((target - wish) ** 2).sum() + 10.0 * near**2
    descent.zero_grad()
    cost.backward()
    descent.step()
    if step % 50 == 0:
        print(f"step {step:3}: cost {cost.item():.4f}, elbow {elbow.detach().numpy().round(3)}")
print(f"the target moved from {wish.numpy()} to {target.detach().numpy().round(3)}")
