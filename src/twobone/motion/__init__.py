"""Motion clips: read and write them, find their limbs and contacts, pin feet to the ground."""

from twobone.motion.clip import Clip
from twobone.motion.contacts import find_contacts
from twobone.motion.footplants import Footplant
from twobone.motion.ground import ClipGround, find_ground
from twobone.motion.joints.converting import from_joints
from twobone.motion.joints.plausible import JointsWarning
from twobone.motion.labels import read_labels, write_labels
from twobone.motion.limbs import FoundLimb, Limbs, find_limbs
from twobone.motion.loading import load, load_all, save, save_all
from twobone.motion.moving import JointPoint, move_end
from twobone.motion.pinning import Pinned, pin
from twobone.motion.report import Report
from twobone.motion.retargeting import retarget

__all__ = [
    "Clip",
    "ClipGround",
    "Footplant",
    "FoundLimb",
    "JointPoint",
    "JointsWarning",
    "Limbs",
    "Pinned",
    "Report",
    "find_contacts",
    "find_ground",
    "find_limbs",
    "from_joints",
    "load",
    "load_all",
    "move_end",
    "pin",
    "read_labels",
    "retarget",
    "save",
    "save_all",
    "write_labels",
]
