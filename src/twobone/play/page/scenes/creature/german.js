// The words about the animal in German.
import { texts } from "../../texts/texts.js";

texts.learn("de", {
  "A walking animal whose legs are such limbs": "Ein laufendes Tier, dessen Beine solche Gliedmaßen sind",
  Creature: "Tier",
  "Click the ground:\nit walks there.": "Klick auf den Boden:\nEs läuft dorthin.",
  "The circles and the formula of a leg, while it walks": "Die Kreise und die Formel eines Beins, während es läuft",
  "Tap the ground:\nit walks there.": "Tipp auf den Boden:\nEs läuft dorthin.",
  "A finger on the ground leads it, and a tap on its body pushes it.":
    "Ein Finger am Boden lenkt es, ein Tippen stößt es an.",
  "Horse, 4 legs": "Pferd, 4 Beine",
  "Human, 2 legs": "Mensch, 2 Beine",
  "Look at a leg": "Ein Bein ansehen",
  "Arrow keys lead it, and a click on its body pushes it.":
    "Pfeiltasten lenken es, ein Klick auf den Körper stößt es an.",
  "Generate different hills of the same roughness": "Andere Hügel mit gleicher Rauheit erzeugen",
  "New hills": "Neue Hügel",
  "Push the animal away from the camera; it steps to stay upright (X)":
    "Das Tier von der Kamera weg stoßen; es fängt sich mit Schritten (X)",
  Shove: "Stoß",
  Show: "Zeigen",
  "The support polygon, green while the centre of the body is inside it":
    "Das Stützpolygon, grün, solange die Mitte des Körpers darin liegt",
  Support: "Stützpolygon",
  "The two bones of each leg in blue and orange, as in the plane":
    "Die beiden Knochen jedes Beins in Blau und Orange, wie in der Ebene",
  Bones: "Knochen",
  "The recent paths of the feet in swing": "Die letzten Bahnen der Füße in der Schwungphase",
  "Foot paths": "Fußbahnen",
  "The triangle of hip, knee and foot of each leg": "Das Dreieck aus Hüfte, Knie und Fuß jedes Beins",
  Triangles: "Dreiecke",
  "Measured over the last four seconds": "Gemessen über die letzten vier Sekunden",
  "A leg to look at: its circles, its pole and its numbers. A click on a leg does the same":
    "Ein Bein zum Ansehen: seine Kreise, sein Pol und seine Zahlen. Ein Klick auf ein Bein tut dasselbe",
  "A walking {0}: {1} of {2} feet on the ground": "Ein laufendes Tier ({0}): {1} von {2} Füßen am Boden",
  "Adapts to the speed": "Richtet sich nach dem Tempo",
  Animal: "Tier",
  "Back to the animal": "Zurück zum Tier",
  "Back to the animal, which waits where it was": "Zurück zum Tier, das dort wartet, wo es war",
  "Backward motion": "Bewegung rückwärts",
  "Bird, 2 legs": "Vogel, 2 Beine",
  "Bone length error": "Fehler der Knochenlänge",
  "Centipede, 20 legs": "Tausendfüßer, 20 Beine",
  "Click the ground to send the animal there, click its body to push it, click a leg to look at it. W A S D or the arrow keys walk, Q and E walk sideways. Drag or press I J K L to orbit the camera.":
    "Klick auf den Boden, um das Tier dorthin zu schicken, auf seinen Körper, um es zu stoßen, auf ein Bein, um es anzusehen. W A S D oder die Pfeiltasten lassen es laufen, Q und E seitwärts. Ziehen oder I J K L dreht die Kamera.",
  "Close the numbers of the leg": "Die Zahlen des Beins schließen",
  "Close the numbers of the leg (Escape)": "Die Zahlen des Beins schließen (Escape)",
  "Crab, 8 legs": "Krabbe, 8 Beine",
  "Dog, 4 legs": "Hund, 4 Beine",
  "Duty factor 0.5": "Duty-Faktor 0.5",
  "Duty factor 0.6": "Duty-Faktor 0.6",
  "Duty factor 0.75": "Duty-Faktor 0.75",
  "Duty factor 0.85": "Duty-Faktor 0.85",
  "Feet down now": "Füße am Boden, jetzt",
  "Fewest feet down": "Füße am Boden, mindestens",
  Flat: "Eben",
  "Foot penetration": "Fuß im Boden",
  "Foot sliding": "Rutschen der Füße",
  "From Python": "Von Python",
  Full: "Voll",
  Gait: "Gangart",
  Ground: "Boden",
  Half: "Halb",
  "Hip to ankle: {0} % of the reach": "Hüfte bis Knöchel: {0} % der Reichweite",
  "How deep a foot goes below the ground, in metres": "Wie tief ein Fuß in den Boden gerät, in Metern",
  "How deep a leg goes below the ground between knee and foot, in metres":
    "Wie tief ein Bein zwischen Knie und Fuß in den Boden gerät, in Metern",
  "How far the centre of the body is inside the support polygon, in percent of the leg length":
    "Wie weit die Körpermitte innerhalb des Stützpolygons ist, in Prozent der Beinlänge",
  "How much the body bobs, leans and sways with its steps":
    "Wie sehr der Körper mit den Schritten wippt, sich neigt und schwankt",
  "In the air": "In der Luft",
  "Insect, 6 legs": "Insekt, 6 Beine",
  "Leg penetration": "Bein im Boden",
  Left: "links",
  Leg: "Bein",
  "Leg extension": "Streckung der Beine",
  "Leg plane rotation": "Drehung der Beinebene",
  Liveliness: "Lebhaftigkeit",
  "Look at": "Ansehen",
  "Margin now": "Abstand, jetzt",
  Middle: "in der Mitte",
  "Minimum margin": "Kleinster Abstand",
  "No animal": "Kein Tier",
  "No leg": "Kein Bein",
  None: "Keine",
  "On the ground": "Am Boden",
  "Python leads the animal. ": "Python führt das Tier. ",
  Right: "rechts",
  "Rough, 10 %": "Uneben, 10 %",
  "Rough, 15 %": "Uneben, 15 %",
  "Rough, 20 %": "Uneben, 20 %",
  "Rough, 25 %": "Uneben, 25 %",
  "Rough, 5 %": "Uneben, 5 %",
  "Slope, 12°": "Hang, 12°",
  "Spider, 8 legs": "Spinne, 8 Beine",
  "The animal that walks": "Das Tier, das läuft",
  "The duty factor: the fraction of a gait cycle that a foot is on the ground":
    "Der Duty-Faktor: der Anteil eines Gangzyklus, in dem ein Fuß am Boden ist",
  "The ground it walks on; roughness is the root mean square of the heights in percent of the leg length":
    "Der Boden, auf dem es läuft; die Unebenheit ist das quadratische Mittel der Höhen in Prozent der Beinlänge",
  "The knee is solved; the segment below the ankle turns as the step plans it.":
    "Das Knie ist berechnet; das Glied unter dem Knöchel dreht sich, wie es der Schritt plant.",
  "The largest distance from hip to ankle in percent of both bones; 100 % is a straight leg":
    "Der größte Abstand von der Hüfte zum Knöchel in Prozent beider Knochen; 100 % ist ein gestrecktes Bein",
  "The largest distance that a foot moves during stance, in metres":
    "Die größte Strecke, um die sich ein Fuß am Boden verschiebt, in Metern",
  "The largest error of the length of a bone, in units of eps times the coordinates of its ends":
    "Der größte Fehler einer Knochenlänge, in Einheiten von eps mal den Koordinaten ihrer Enden",
  "The largest movement of the body against its heading between two frames, in metres":
    "Die größte Bewegung des Körpers gegen seine Laufrichtung zwischen zwei Bildern, in Metern",
  "The largest rotation of the plane of a leg between two frames at 60 frames per second":
    "Die größte Drehung der Ebene eines Beins zwischen zwei Bildern, bei 60 Bildern in der Sekunde",
  "The lesson about limbs in space, with the numbers of this leg":
    "Die Lektion über Gliedmaßen im Raum, mit den Zahlen dieses Beins",
  "The number of feet on the ground": "Die Zahl der Füße am Boden",
  "The smallest number of feet on the ground at any time":
    "Die kleinste Zahl von Füßen, die gleichzeitig am Boden sind",
  "The static stability margin: how far the centre of the body stays inside the support polygon, in percent of the leg length; with a negative margin the animal would tip over if it stood still":
    "Der statische Stabilitätsabstand: wie weit die Körpermitte innerhalb des Stützpolygons bleibt, in Prozent der Beinlänge; ist er negativ, würde das Tier umfallen, wenn es stillstünde",
  "There is no room to stand; the animal is on level ground instead.":
    "Hier ist kein Platz zum Stehen; das Tier steht stattdessen auf ebenem Boden.",
  "Why? Open the lesson with this leg": "Warum? Die Lektion mit diesem Bein öffnen",
  bird: "Vogel",
  centipede: "Tausendfüßer",
  crab: "Krabbe",
  dog: "Hund",
  front: "vorn",
  hind: "hinten",
  horse: "Pferd",
  human: "Mensch",
  insect: "Insekt",
  middle: "Mitte",
  "no polygon": "kein Polygon",
  spider: "Spinne",
  "{0} leg": "Bein {0}",
  "{0} {1} leg": "Bein {0} {1}",
  "{0} leg {1} of {2}": "Bein {0}, {1} von {2}",
  "{0}, from Python": "{0}, von Python",
  "The outline on the ground is the support polygon, green while the centre of the body is inside it.":
    "Die Umrandung am Boden ist das Stützpolygon, grün, solange die Mitte des Körpers darin liegt.",
});
