// The words about an arm in space in German.
import { texts } from "../../texts/texts.js";

texts.learn("de", {
  "A limb in space, which bends towards a pole vector": "Eine Gliedmaße im Raum, die sich zu einem Polvektor hin beugt",
  Space: "Raum",
  "Drag the hand.\nWhich way to bend?": "Zieh die Hand.\nWohin beugt er sich?",
  "Five short steps about limbs in space": "Fünf kurze Schritte über Gliedmaßen im Raum",
  "How far the elbow is bent, by the distance of the hand: ever more steeply down to 0 at 100 % of the reach":
    "Wie weit der Ellbogen gebeugt ist, je nach Abstand der Hand: immer steiler hinab auf 0 bei 100 % der Reichweite",
  "100 % of the reach": "100 % der Reichweite",
  "bend of the elbow": "Beugung des Ellbogens",
  "A whole circle of answers": "Ein ganzer Kreis von Antworten",
  "Two spheres, one around the shoulder and one around the hand, that meet in a circle: every point of it is a place for the elbow.":
    "Zwei Kugeln, eine um die Schulter und eine um die Hand, die sich in einem Kreis schneiden: Jeder seiner Punkte ist eine Stelle für den Ellbogen.",
  '<p>In space a length is a sphere: the elbow is on the <b class="c-r1">blue sphere</b> around the shoulder, of radius {0}, and on the <b class="c-r2">orange sphere</b> around the hand, of radius {1}. Spheres that cross meet in a <b class="c-q">circle</b>.</p> <p>So there is a whole circle of answers; the dashed arm shows the one opposite to the present one. The circle is perpendicular to the line from shoulder to hand, around the point {2} of that line, and its radius is {3}, now {4}: both are those of the lesson <em>In the plane</em>. Put your own hand on a table: your elbow can still swing.</p> <p>Which answer the arm takes is decided by a direction, the pole: the dotted line with a ring at its end. That is the next step.</p>':
    '<p>Im Raum ist eine Länge eine Kugel: Der Ellbogen liegt auf der <b class="c-r1">blauen Kugel</b> um die Schulter, mit dem Radius {0}, und auf der <b class="c-r2">orangen Kugel</b> um die Hand, mit dem Radius {1}. Kugeln, die sich schneiden, tun das in einem <b class="c-q">Kreis</b>.</p> <p>Es gibt also einen ganzen Kreis von Antworten; der gestrichelte Arm zeigt die, die der jetzigen gegenüberliegt. Der Kreis steht senkrecht auf der Strecke von der Schulter zur Hand, um ihren Punkt {2}, und sein Radius ist {3}, jetzt {4}: Beide sind die der Lektion <em>In der Ebene</em>. Leg deine eigene Hand auf einen Tisch: Dein Ellbogen kann noch immer schwingen.</p> <p>Welche Antwort der Arm nimmt, entscheidet eine Richtung, der Pol: die gepunktete Linie mit einem Ring am Ende. Davon handelt der nächste Schritt.</p>',
  "Stretch the arm until the radius is less than 0.20.": "Streck den Arm, bis der Radius kleiner als 0.20 ist.",
  "A straight arm has one answer again: the circle shrinks to a point.":
    "Ein gestreckter Arm hat wieder eine Antwort: Der Kreis schrumpft zu einem Punkt.",
  "The pole picks one point": "Der Pol wählt einen Punkt",
  "The circle of places, and a dotted line from the shoulder to a ring, the pole: the elbow is the point of the circle farthest in its direction.":
    "Der Kreis der Stellen und eine gepunktete Linie von der Schulter zu einem Ring, der Pol: Der Ellbogen ist der Punkt des Kreises, der in seiner Richtung am weitesten liegt.",
  "<p>Something must choose. A <b>pole vector</b> {0} is the direction towards which the joint bends: forward for knees, mostly down and back for elbows. Here it starts pointing up. Of all points on the circle, {1} is the one farthest in that direction.</p> <p>Only the part of {2} perpendicular to {3} counts, written {4}<sub>⊥</sub>; it is {5} without its part along {6}: {7}. (In space the dot product has a third term, for the third coordinate.) Its direction {8} takes the place of {9}; the rest of the formula stays.</p>":
    "<p>Etwas muss wählen. Ein <b>Polvektor</b> {0} ist die Richtung, in die sich das Gelenk beugt: nach vorn bei Knien, meist nach unten und hinten bei Ellbogen. Hier zeigt er zu Beginn nach oben. Von allen Punkten des Kreises ist {1} der, der am weitesten in dieser Richtung liegt.</p> <p>Nur der Teil von {2}, der auf {3} senkrecht steht, zählt; man schreibt ihn {4}<sub>⊥</sub>. Er ist {5} ohne seinen Teil entlang {6}: {7}. (Im Raum hat das Skalarprodukt einen dritten Summanden, für die dritte Koordinate.) Seine Richtung {8} tritt an die Stelle von {9}; der Rest der Formel bleibt.</p>",
  "Turn the pole until the elbow points down.": "Dreh den Pol, bis der Ellbogen nach unten zeigt.",
  "The formula never asks how the arm got there: same hand, same pole, same elbow.":
    "Die Formel fragt nie, wie der Arm dorthin kam: gleiche Hand, gleicher Pol, gleicher Ellbogen.",
  "Where the pole fails": "Wo der Pol versagt",
  "The pole, the line to the hand, and the circle of places around that line.":
    "Der Pol, die Strecke zur Hand und der Kreis der Stellen um diese Strecke.",
  "<p>If the pole points at the hand, or away from it, no part of it is perpendicular to that line, and no direction is better than another. The pole is now {0} from the line to the hand.</p> <p>The trouble starts earlier: when the line to the hand now turns sideways by one degree, the elbow turns around it by up to {1}. With the pole 5° from the line it is 11°. When the hand passes the direction of the pole, the elbow flips to the other side.</p>":
    "<p>Zeigt der Pol zur Hand oder von ihr weg, ist kein Teil von ihm senkrecht zu dieser Geraden, und keine Richtung ist besser als eine andere. Der Pol ist jetzt {0} von der Richtung zur Hand entfernt.</p> <p>Der Ärger beginnt schon früher: Dreht sich die Strecke zur Hand jetzt um ein Grad zur Seite, dreht sich der Ellbogen um bis zu {1} um sie. Ist der Pol 5° von der Geraden entfernt, sind es 11°. Geht die Hand durch die Richtung des Pols, schlägt der Ellbogen auf die andere Seite um.</p>",
  "Bring the hand and the pole within 5° of each other.": "Bring Hand und Pol auf weniger als 5° zusammen.",
  "Exactly on the line the library reports AMBIGUOUS and bends the elbow in a fixed direction.":
    "Genau auf der Geraden meldet die Bibliothek AMBIGUOUS und beugt den Ellbogen in eine feste Richtung.",
  "Why knees pop": "Warum Knie springen",
  "An arm that is almost straight; its circle of places is small.":
    "Ein fast gestreckter Arm; der Kreis seiner Stellen ist klein.",
  "<p>The hand is at {0} of the reach, the length of both bones together, and the elbow is still bent by {1} (0° is straight). In the last percent of the distance before full stretch, the elbow opens by more than ten degrees, because its distance {2} from the line to the hand is a square root, which falls to 0 ever more steeply:</p>{3} <p>A knee does the same: while the foot moves steadily, the knee opens faster and faster, then stops at once. Animators say that it pops. With <em>softness</em>, now {4} of the reach, the arm begins to slow down that much before full stretch, and the hand stays a little behind the target.</p>":
    "<p>Die Hand ist bei {0} der Reichweite, der Länge beider Knochen zusammen, und der Ellbogen ist noch um {1} gebeugt (0° ist gestreckt). Im letzten Prozent des Abstands vor der vollen Streckung öffnet sich der Ellbogen um mehr als zehn Grad, denn sein Abstand {2} von der Strecke zur Hand ist eine Wurzel, die immer steiler auf 0 fällt:</p>{3} <p>Ein Knie tut dasselbe: Während sich der Fuß gleichmäßig bewegt, öffnet sich das Knie immer schneller und hält dann plötzlich an. In der Animation sagt man, es springt. Mit <em>Weichheit</em>, jetzt {4} der Reichweite, wird der Arm so weit vor der vollen Streckung langsamer, und die Hand bleibt ein wenig hinter dem Ziel zurück.</p>",
  "Set the softness to 0.05 or more, then pull the target beyond the reach.":
    "Setz die Weichheit auf 0.05 oder mehr und zieh dann das Ziel über die Reichweite hinaus.",
  "The elbow comes to rest smoothly. In Python: <code>unreachable=twobone.Soft(0.05)</code>.":
    "Der Ellbogen kommt sanft zur Ruhe. In Python: <code>unreachable=twobone.Soft(0.05)</code>.",
  "Carry the pole along": "Den Pol mitführen",
  "The circle of places, and the pole, which moves with the hand once it is carried along.":
    "Der Kreis der Stellen und der Pol, der sich mit der Hand bewegt, sobald er mitgeführt wird.",
  '<p>A pole that stays fixed must fail somewhere. <b>Parallel transport</b> has no fixed direction: whenever the line to the hand turns a little, the same rotation turns the pole, and with it the whole arm, without a twist around the line.</p> <p><button type="button" data-act="carry" aria-pressed="false">Carry the pole along</button></p> <p>The pole is now {0} from the line to the hand. When it is carried along, only its part perpendicular to the line is kept, so it is at 90° to the line, and stays there wherever the hand goes. The price: the elbow depends on the path that the hand has taken.</p>':
    '<p>Ein fester Pol muss irgendwo versagen. Der <b>Paralleltransport</b> hat keine feste Richtung: Dreht sich die Strecke zur Hand ein wenig, dreht dieselbe Drehung den Pol und mit ihm den ganzen Arm, ohne Verdrehung um diese Strecke.</p> <p><button type="button" data-act="carry" aria-pressed="false">Den Pol mitführen</button></p> <p>Der Pol ist jetzt {0} von der Richtung zur Hand entfernt. Beim Mitführen bleibt nur sein Teil senkrecht zur Strecke, er steht also bei 90° zu ihr und bleibt dort, wohin die Hand auch geht. Der Preis: Der Ellbogen hängt vom Weg ab, den die Hand genommen hat.</p>',
  "Switch it on, and take the hand straight over the shoulder, to within 15° of the vertical.":
    "Schalte es ein und führe die Hand gerade über die Schulter, auf weniger als 15° an die Senkrechte.",
  'No flip. In Python: <code>limb.reach(…, bend="transport")</code>.':
    'Kein Umschlagen. In Python: <code>limb.reach(…, bend="transport")</code>.',
  "more than 1000°": "mehr als 1000°",
});
