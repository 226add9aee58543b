"""PyTorch: optimize the foot and the pole of a leg so that its knee touches a ball."""

import sys

try:
    import torch

    import twobone
    from twobone.pose import LocalPose, Skeleton

    twobone.solve(torch.ones(2), 1.0, 1.0)
except (ImportError, ValueError) as missing:
    sys.exit(print(f"skipped: this example needs PyTorch ({missing})"))

skeleton = Skeleton(
    parents=[-1, 0, 1],
    names=["thigh", "shin", "foot"],
    offsets=[[0, 0.95, 0], [0, -0.45, 0.03], [0, -0.43, -0.03]],
)
leg = twobone.Limb(skeleton, "thigh", "shin", "foot")
rest = LocalPose(torch.tensor(skeleton.rotations))
ball = torch.tensor([0.157, 0.74, 0.367], dtype=torch.float64)

foot = torch.tensor([0.0, 0.1, 0.1], dtype=torch.float64, requires_grad=True)
pole = torch.tensor([0.0, 0.0, 1.0], dtype=torch.float64, requires_grad=True)
descent = torch.optim.Adam([foot, pole], lr=0.02)
soft = twobone.Soft(0.05)  # with Soft, gradients are bounded for all targets
for step in range(121):
    posed = leg.reach(rest, foot, pole=pole, unreachable=soft)
    knee = skeleton.to_global(posed.pose).positions[1]
    miss = torch.linalg.vector_norm(knee - ball)
    descent.zero_grad()
    miss.square().backward()
    descent.step()
    if step % 40 == 0:
        print(f"step {step:3}: the knee misses by {miss.item():.4f} m")
print("foot", foot.detach().numpy().round(2), " pole", pole.detach().numpy().round(2))
