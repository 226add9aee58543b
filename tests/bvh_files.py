"""A small BVH file with everything that is unusual: orders, channels, blanks, line ends."""

ODD = b"""HIERARCHY\r
ROOT Hips\r
{\r
\tOFFSET 0.00 1.0 0.0\r
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation \r
\tJOINT Left Leg\r
\t{\r
\t\tOFFSET 0.1 -0.1 0\r
\t\tCHANNELS 3 Yrotation Xrotation Zrotation\r
\t\tJOINT Foot\r
\t\t{\r
\t\t\tOFFSET 0 -.5 0\r
\t\t\tCHANNELS 1 Xrotation\r
\t\t\tEnd Site\r
\t\t\t{\r
\t\t\t\tOFFSET 0 0 1e-1\r
\t\t\t}\r
\t\t}\r
\t}\r
\tJOINT Right Leg\r
\t{\r
\t\tOFFSET -0.1 -0.1 0\r
\t\tCHANNELS 4 zrotation XROTATION Yposition yrotation\r
\t\tJOINT Foot\r
\t\t{\r
\t\t\tCHANNELS 2 Zrotation Xrotation\r
\t\t\tOFFSET 0 -0.5 0\r
\t\t}\r
\t}\r
}\r
MOTION\r
Frames:\t2\r
Frame Time: .0083333  \r
0 1.00 -0.0000  10.5 270 -30 \t 5 90.0000 7 12 -0 +3.5 -.1 1e1 4 -5. \r
  0.5 1.00 0.25 10.5 -400 1.0E2 5 90.0000 7 12 0 3.5 -0.1 10 4.00 -5\r
\r
 \r
"""
