"""Lead a dog through a game with the arrow keys, seen from above; for pygame."""

import os

try:
    import pygame
except ImportError as missing:
    raise SystemExit(print(f"skipped: {missing}")) from None
from twobone import creature

SIZE, METRE, FPS = (800, 600), 200, 60  # in pixels, and frames per second
UNSEEN = os.environ.get("SDL_VIDEODRIVER") == "dummy"  # nobody can close the window
pygame.display.init()
screen, clock = pygame.display.set_mode(SIZE), pygame.time.Clock()
dog, frames, is_open = creature.Walker("dog"), 0, True


def pixel(point):
    """Return where a point is on the screen, which follows the dog: z is up, x to the left."""
    x, z = dog.place[0]
    return SIZE[0] / 2 - METRE * (point[0] - x), SIZE[1] / 2 - METRE * (point[2] - z)


while is_open and (frames < 180 or not UNSEEN):
    is_open = not any(event.type == pygame.QUIT for event in pygame.event.get())
    keys, seconds = pygame.key.get_pressed(), 1 / FPS if UNSEEN else min(clock.tick(FPS) / 1e3, 0.1)
    ahead, turn = UNSEEN or keys[pygame.K_UP], keys[pygame.K_LEFT] - keys[pygame.K_RIGHT]
    dog.step(seconds, velocity=0.3 * dog.top_speed * ahead, turn=1.5 * turn)
    screen.fill("#f4f1ea")
    for z in range(-2, 3):  # a dot for each metre
        pygame.draw.circle(screen, "#c9c4b8", pixel([0, 0, z + round(dog.place[0, 1])]), 8)
    state = dog.state
    for *leg, stands in zip(*state[2:6], state.stance, strict=True):  # hips to feet
        pygame.draw.lines(screen, "#7c8798", False, [pixel(joint) for joint in leg], 6)
        pygame.draw.circle(screen, "#d1495b", pixel(leg[-1]), 10 if stands else 5)
    pygame.draw.lines(screen, "#3b4252", False, [pixel(place) for place in state.stations], 24)
    pygame.display.flip()
    frames += 1
print(f"{frames} frames, {dog.place[0, 1]:.1f} m, heading {dog.heading[0]:.2f}")
print("feet on the ground:", state.stance.sum(), "of", dog.animal.legs)
