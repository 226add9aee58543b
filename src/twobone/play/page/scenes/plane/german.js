// The words about an arm in the plane in German.
import { texts } from "../../texts/texts.js";

texts.learn("de", {
  "A limb in the plane, which bends to one side or the other":
    "Eine Gliedmaße in der Ebene, die sich zur einen oder zur anderen Seite beugt",
  Plane: "Ebene",
  "Drag the hand.\nWhere is the elbow?": "Zieh die Hand.\nWo ist der Ellbogen?",
  "no such length": "keine solche Länge",
  "or here": "oder hier",
  "upper arm": "Oberarm",
  forearm: "Unterarm",
  target: "Ziel",
  "Two lengths and a question": "Zwei Längen und eine Frage",
  "An arm: the upper arm from the shoulder to the elbow, the forearm from the elbow to the hand.":
    "Ein Arm: der Oberarm von der Schulter zum Ellbogen, der Unterarm vom Ellbogen zur Hand.",
  "<p>An arm has two bones: {0} and {1}. The {2} stays where it is, the {3} goes where you drag it (that place is the <em>target</em>), and the {4} must follow, because bones keep their lengths: the upper arm {5}, the forearm {6}. Drag these numbers, too, to the left or to the right. (The grey area is where the hand can go.)</p> <p><em>The hand is there, so where is the elbow?</em> Animators, games and robots ask this for every arm and leg, many times a second. It is called inverse kinematics: from where the end must be to how the joints bend, not the other way round.</p>":
    "<p>Ein Arm hat zwei Knochen: {0} und {1}. Die {2} bleibt, wo sie ist, die {3} geht dahin, wohin du sie ziehst (diese Stelle ist das <em>Ziel</em>), und der {4} muss folgen, denn Knochen behalten ihre Länge: der Oberarm {5}, der Unterarm {6}. Zieh auch an diesen Zahlen, nach links oder rechts. (Auf der grauen Fläche ist, was die Hand erreicht.)</p> <p><em>Die Hand ist dort, wo ist also der Ellbogen?</em> Animation, Spiele und Roboter fragen das für jeden Arm und jedes Bein, viele Male in der Sekunde. Man nennt es inverse Kinematik: von der Stelle, an der das Ende sein muss, zur Beugung der Gelenke, nicht umgekehrt.</p>",
  "Take the hand to the left of the shoulder.": "Bring die Hand links neben die Schulter.",
  "Wherever the hand went, the elbow had a place. How is it found?":
    "Wohin die Hand auch ging, der Ellbogen hatte einen Platz. Wie findet man ihn?",
  "One length is a circle": "Eine Länge ist ein Kreis",
  "A circle around the shoulder, with the upper arm as its radius. The forearm is left out.":
    "Ein Kreis um die Schulter mit dem Oberarm als Radius. Der Unterarm fehlt.",
  "<p>Forget the forearm for a moment. Wherever the upper arm points (thin lines are some of its directions), the {0} is {1} away from the {2}. All places at that distance form the {3}.</p> <p>So one length alone leaves a whole circle of places. The hand, {4} away from the shoulder, is on it only if the upper arm is as long as that.</p>":
    "<p>Vergiss für einen Moment den Unterarm. Wohin der Oberarm auch zeigt (dünne Striche sind einige seiner Richtungen), der {0} ist {1} von der {2} entfernt. Alle Stellen in diesem Abstand bilden den {3}.</p> <p>Eine Länge allein lässt also einen ganzen Kreis von Stellen übrig. Die Hand, {4} von der Schulter entfernt, liegt nur dann auf ihm, wenn der Oberarm so lang ist.</p>",
  "blue circle": "blauen Kreis",
  "Drag the length of the upper arm until the circle goes through the hand.":
    "Zieh an der Länge des Oberarms, bis der Kreis durch die Hand geht.",
  "A circle is nothing but all points at one distance.":
    "Ein Kreis ist nichts anderes als alle Punkte in einem Abstand.",
  "Two lengths are two circles": "Zwei Längen sind zwei Kreise",
  "Two circles: one around the shoulder, with the upper arm as its radius, and one around the hand, with the forearm. The elbow is where they cross, or at their other crossing.":
    "Zwei Kreise: einer um die Schulter mit dem Oberarm als Radius, einer um die Hand mit dem Unterarm. Der Ellbogen liegt an einem ihrer beiden Schnittpunkte.",
  '<p>The {0} is also {1} away from the {2}: it is on the {3} around the hand as well. It must be where the {4} meet.</p> <p>Now they meet in <b>{5}</b>. Circles that cross meet twice, so an arm usually has two answers. They are mirror images of each other in the line from shoulder to hand, and both are right. <button type="button" data-act="flip" title="Switch to the other solution (F)">Flip <kbd>F</kbd></button></p>':
    '<p>Der {0} ist auch {1} von der {2} entfernt: Er liegt also ebenso auf dem {3} um die Hand. Er muss dort sein, wo sich die {4} treffen.</p> <p>Jetzt treffen sie sich in <b>{5}</b>. Kreise, die sich schneiden, treffen sich zweimal, darum hat ein Arm meist zwei Antworten. Sie sind Spiegelbilder voneinander an der Geraden von der Schulter zur Hand, und beide sind richtig. <button type="button" data-act="flip" title="Zur anderen Lösung wechseln (F)">Wechseln <kbd>F</kbd></button></p>',
  "orange circle": "orangen Kreis",
  "two circles": "beiden Kreise",
  "Drag the hand until there is only one place for the elbow.":
    "Zieh die Hand, bis es nur noch eine Stelle für den Ellbogen gibt.",
  "The circles touch: the arm is straight, or folded back on itself.":
    "Die Kreise berühren sich: Der Arm ist gestreckt oder ganz zusammengefaltet.",
  "Too far, too near: no answer": "Zu weit, zu nah: keine Antwort",
  "The circles around shoulder and target, and the grey ring of all places that the hand can reach.":
    "Die Kreise um Schulter und Ziel und der graue Ring aller Stellen, die die Hand erreichen kann.",
  "<p>The hand must go to the {0}, which is {1} away, and both bones together are {2} long. If the target is farther away than {3}, the circles do not meet: there is <b>no</b> place for the elbow. This arm then points at the target and stops short.</p> <p>If the target is nearer than the difference of the lengths, {4}, one circle lies inside the other: the folded arm ends beyond it. In between is the {5}, with two answers; exactly at its limits the circles touch, and there is one (bones of equal length are special, see <em>Break it</em>). The circles now meet in <b>{6}</b>.</p>":
    "<p>Die Hand muss zum {0}, das {1} entfernt ist, und beide Knochen zusammen sind {2} lang. Ist das Ziel weiter als {3} entfernt, treffen sich die Kreise nicht: Es gibt <b>keine</b> Stelle für den Ellbogen. Dieser Arm zeigt dann auf das Ziel und endet davor.</p> <p>Ist das Ziel näher als der Unterschied der Längen, {4}, liegt ein Kreis im anderen: Der gefaltete Arm endet jenseits davon. Dazwischen liegt der {5} mit zwei Antworten; genau an seinen Grenzen berühren sich die Kreise, und es gibt eine (gleich lange Knochen sind ein Sonderfall, siehe <em>Mach es kaputt</em>). Die Kreise treffen sich jetzt in <b>{6}</b>.</p>",
  "grey reachable range": "graue erreichbare Bereich",
  "There is a second case without an answer: bring the target too near.":
    "Es gibt einen zweiten Fall ohne Antwort: Bring das Ziel zu nah heran.",
  "{0} ≤ distance ≤ {1}: in between there are two answers, at the limits one, beyond them none.":
    "{0} ≤ Abstand ≤ {1}: Dazwischen gibt es zwei Antworten, an den Grenzen eine, jenseits davon keine.",
  "Subtract the circles: a line": "Die Kreise voneinander abziehen: eine Gerade",
  "The two circles, and the straight line through the two points where they cross; a dot on the line, with its distances from shoulder and hand.":
    "Die beiden Kreise und die Gerade durch die zwei Punkte, in denen sie sich schneiden; ein Punkt auf der Geraden mit seinen Abständen von Schulter und Hand.",
  "<p>Now we need symbols. The shoulder is the origin, the {0} is the point {1}, and the {2}, at the target, is the point {3}; the lengths are {4} and {5}. {6} is how far {7} is from the shoulder, {8} how far from the hand. With {9} and {10}, {11} is {12}, and the dot product {13} is {14}. Each circle is an equation:</p> {15} <p>Subtract the second from the first, and {16} is gone. What is left has {17} without a square, so it is a straight {18}, and both answers are on it:</p> {19} <p>Check the purple point on this line, {20} from the middle between the two answers: its squared distances from shoulder and hand, {21} and {22}, always differ by {23}.</p>":
    "<p>Jetzt brauchen wir Symbole. Die Schulter ist der Ursprung, der {0} ist der Punkt {1}, und die {2}, am Ziel, ist der Punkt {3}; die Längen sind {4} und {5}. {6} ist der Abstand von {7} zur Schulter, {8} der zur Hand. Mit {9} und {10} ist {11} gleich {12}, und das Skalarprodukt {13} ist {14}. Jeder Kreis ist eine Gleichung:</p> {15} <p>Zieh die zweite von der ersten ab, und {16} ist verschwunden. Was bleibt, hat {17} ohne Quadrat, ist also eine {18}, und beide Antworten liegen auf ihr:</p> {19} <p>Prüfe den violetten Punkt auf dieser Geraden, {20} von der Mitte zwischen beiden Antworten: Seine quadrierten Abstände von Schulter und Hand, {21} und {22}, unterscheiden sich immer um {23}.</p>",
  line: "Gerade",
  "Drag the hand until the dashed line goes through the hand.":
    "Zieh die Hand, bis die gestrichelte Gerade durch die Hand geht.",
  "Now the forearm is perpendicular to the line from shoulder to hand, and {0}.":
    "Jetzt steht der Unterarm senkrecht auf der Strecke von der Schulter zur Hand, und {0}.",
  "A right angle gives the rest": "Ein rechter Winkel gibt den Rest",
  "The line from shoulder to hand, the dashed line perpendicular to it on which both answers lie, and the right triangle of shoulder, foot point and elbow.":
    "Die Strecke von der Schulter zur Hand, senkrecht dazu die gestrichelte Gerade, auf der beide Antworten liegen, und das rechtwinklige Dreieck aus Schulter, Fußpunkt und Ellbogen.",
  "<p>The two answers (one is drawn here) are mirror images, so the dashed line through both is perpendicular to the line from shoulder to hand. These two lines cross at the {0} {1}, {2} of the way to the hand. The points of that way are <i>t</i> {3}, from {4} at the shoulder to 1 at the hand. Put {5} in place of {6} in the equation of the dashed line, and solve it for <i>t</i>:</p> {7} <p>{8} form a right triangle. The upper arm is {9}, the forearm {10}, and {11} is {12} away from the shoulder. Pythagoras gives the third side, the length {13}:</p> {14}":
    "<p>Die beiden Antworten (eine ist hier gezeichnet) sind Spiegelbilder, also steht die gestrichelte Gerade durch beide senkrecht auf der Strecke von der Schulter zur Hand. Diese zwei Geraden kreuzen sich im {0} {1}, nach {2} des Wegs zur Hand. Die Punkte dieses Wegs sind <i>t</i> {3}, von {4} an der Schulter bis 1 an der Hand. Setz {5} für {6} in die Gleichung der gestrichelten Geraden ein und löse sie nach <i>t</i> auf:</p> {7} <p>{8} bilden ein rechtwinkliges Dreieck. Der Oberarm ist {9}, der Unterarm {10}, und {11} ist {12} von der Schulter entfernt. Pythagoras gibt die dritte Seite, die Länge {13}:</p> {14}",
  "foot point": "Fußpunkt",
  "Shoulder, q and elbow": "Schulter, q und Ellbogen",
  "Drag the hand until s is as long as the upper arm (the forearm must be the longer bone).":
    "Zieh die Hand, bis s so lang ist wie der Oberarm (der Unterarm muss der längere Knochen sein).",
  "Then the foot is at the shoulder. Closer still, it lies behind the shoulder, and the formula still holds.":
    "Dann liegt der Fußpunkt an der Schulter. Noch näher, und er liegt hinter ihr; die Formel gilt trotzdem.",
  "Two answers, six lines of code": "Zwei Antworten, sechs Zeilen Code",
  "The right triangle of shoulder, foot point and elbow, and the other answer on the other side of the line to the hand.":
    "Das rechtwinklige Dreieck aus Schulter, Fußpunkt und Ellbogen und die andere Antwort auf der anderen Seite der Strecke zur Hand.",
  '<p>From {0} go the length {1} to either side, along {2}<sup>⊥</sup>: {3} turned left by 90°. Divided by its length {4}, it is 1 long:</p> {5} <p>{6} is {7}, so {8}. Multiplied by 4{9} it has no division; the code calls it S:</p> {10} <p>In coordinates, {11} is {12} and {13}<sup>⊥</sup> is {14}. <code>side</code> is +1 for the elbow to the left of the way to the hand and −1 for the right, and <code>k</code> is √S with that sign. With {15}, {16} and {17}, one square root gives the elbow {18}, without an angle or a sine:</p> <div class="code"><table aria-label="The formula as code, with its current values">{19}</table></div> <p>Switch the side: <button type="button" data-act="flip" class="mono" title="Switch to the other solution (F)">side = {20}</button>. If <code>S</code> is negative, the circles do not meet: <code>max(S, 0)</code> makes it 0, which stretches the bones. Real code must not do that.</p>':
    '<p>Geh von {0} die Länge {1} zu einer der Seiten, entlang {2}<sup>⊥</sup>: {3}, um 90° nach links gedreht. Durch seine Länge {4} geteilt ist es 1 lang:</p> {5} <p>{6} ist {7}, also {8}. Mit 4{9} malgenommen hat es keine Division; im Code heißt es S:</p> {10} <p>In Koordinaten ist {11} gleich {12} und {13}<sup>⊥</sup> gleich {14}. <code>side</code> ist +1 für den Ellbogen links vom Weg zur Hand und −1 für den rechts davon, und <code>k</code> ist √S mit diesem Vorzeichen. Mit {15}, {16} und {17} gibt eine einzige Wurzel den Ellbogen {18}, ohne Winkel und ohne Sinus:</p> <div class="code"><table aria-label="Die Formel als Code, mit ihren jetzigen Werten">{19}</table></div> <p>Wechsle die Seite: <button type="button" data-act="flip" class="mono" title="Zur anderen Lösung wechseln (F)">side = {20}</button>. Ist <code>S</code> negativ, treffen sich die Kreise nicht: <code>max(S, 0)</code> macht daraus 0, was die Knochen dehnt. Richtiger Code darf das nicht.</p>',
  "Switch to the other side.": "Wechsle zur anderen Seite.",
  "That is all of it. Next: what changes in space, and how to break this formula.":
    "Das ist alles. Als Nächstes: was sich im Raum ändert, und wie man diese Formel kaputt macht.",
  "no point": "keinem Punkt",
  "1 point": "1 Punkt",
  "2 points": "2 Punkten",
  "Length of the upper arm": "Länge des Oberarms",
  "Length of the forearm": "Länge des Unterarms",
  "Distance of the purple point from the middle of the line": "Abstand des violetten Punkts von der Mitte der Geraden",
  "{0} units": "{0} Einheiten",
  "The arm with the circles around shoulder and target, and a ring for each method whose elbow is wrong by more than 1 %. The table of this step has all errors.":
    "Der Arm mit den Kreisen um Schulter und Ziel und ein Ring für jedes Verfahren, dessen Ellbogen um mehr als 1 % falsch ist. Die Tabelle dieses Schritts hat alle Fehler.",
  Article: "Artikel",
  "Law of cosines": "Kosinussatz",
  "The formula of this library: that of the article, with double words (pairs of numbers) where digits cancel":
    "Die Formel dieser Bibliothek: die des Artikels, mit doppelter Genauigkeit (Paaren von Zahlen), wo sich Stellen auslöschen",
  "Inigo Quilez’s formula with one division, as it stands":
    "Die Formel von Inigo Quilez mit einer Division, so wie sie dasteht",
  "The angle at the shoulder by acos, then sin and cos": "Der Winkel an der Schulter durch acos, dann sin und cos",
  "Forward and backward reaching inverse kinematics": "Inverse Kinematik durch Greifen vorwärts und rückwärts (FABRIK)",
  "Cyclic coordinate descent": "Zyklischer Koordinatenabstieg",
  "Five methods for this limb": "Fünf Verfahren für diese Gliedmaße",
  Method: "Verfahren",
  "How often an iteration went through the limb": "Wie oft ein iteratives Verfahren durch die Gliedmaße ging",
  "Additions, multiplications, divisions and square roots; f: functions of angles":
    "Additionen, Multiplikationen, Divisionen und Wurzeln; f: Winkelfunktionen",
  Operations: "Operationen",
  "The distance from the exact joint, in last places of the upper arm’s length":
    "Der Abstand vom genauen Gelenk, in letzten Stellen der Länge des Oberarms",
  Error: "Fehler",
  "Errors in last places ({0}). Red ✕: more than 1 % of the upper arm; a ring shows that elbow in the picture.":
    "Fehler in letzten Stellen ({0}). Rotes ✕: mehr als 1 % des Oberarms; ein Ring zeigt diesen Ellbogen im Bild.",
  "An error is the distance from the exact elbow (out of reach: from that of the clamped arm) in last places: 1 is about one unit in the last of {0} digits ({1}). Red ✕: more than 1 % of the upper arm; a ring shows that elbow in the picture. The longer the bar, the more digits are right. “4 f”: four calls of sine, cosine or their inverses. “{2}+”: stopped after {3} steps.":
    "Ein Fehler ist der Abstand vom exakten Ellbogen (außer Reichweite: von dem des geklemmten Arms) in letzten Stellen: 1 ist etwa eine Einheit der letzten von {0} Stellen ({1}). Rotes ✕: mehr als 1 % des Oberarms; ein Ring zeigt diesen Ellbogen im Bild. Je länger der Balken, desto mehr Stellen stimmen. „4 f“: vier Aufrufe von Sinus, Kosinus oder ihren Umkehrungen. „{2}+“: nach {3} Schritten angehalten.",
  scaled: "skaliert",
  "Five methods side by side": "Fünf Verfahren nebeneinander",
  "<p>“Article” is the formula of the first lesson, which Inigo Quilez published; the law of cosines is that of textbooks. “twobone”, the library that this page belongs to, computes the article’s formula with twice the digits where rounding could cost some. FABRIK and CCD are made for chains of many bones: they bring the hand nearer step by step, until a millionth of the arm’s length is left or {0} steps are done.</p> <p>An error of about 1 is as small as {1} digits allow. In easy poses like this one, all three formulas come that close; in steps 2, 3, 6 and 7 only twobone does.</p>{2}{3}":
    "<p>„Artikel“ ist die Formel der ersten Lektion, die Inigo Quilez veröffentlicht hat; der Kosinussatz ist die der Lehrbücher. „twobone“, die Bibliothek, zu der diese Seite gehört, berechnet die Formel des Artikels mit doppelt so vielen Stellen, wo das Runden welche kosten könnte. FABRIK und CCD sind für Ketten aus vielen Knochen gemacht: Sie bringen die Hand Schritt für Schritt näher, bis ein Millionstel der Armlänge fehlt oder {0} Schritte getan sind.</p> <p>Ein Fehler von etwa 1 ist so klein, wie {1} Stellen es erlauben. In einfachen Haltungen wie dieser kommen alle drei Formeln so nah; in den Schritten 2, 3, 6 und 7 nur twobone.</p>{2}{3}",
  "Find a pose for which FABRIK needs more than 30 steps.":
    "Finde eine Haltung, für die FABRIK mehr als 30 Schritte braucht.",
  "The straighter the arm, the slower an iteration. A formula always takes the same time.":
    "Je gestreckter der Arm, desto langsamer ein iteratives Verfahren. Eine Formel braucht immer gleich lang.",
  Straight: "Gestreckt",
  "<p>The gap to full stretch is {0} of the reach, 10 to the power of {1}. Standing legs are nearly straight, so they spend most of their time here.</p> <p>The number under the square root, {2}, is a difference of two nearly equal numbers. Their leading digits cancel, now about {3} of {4}; the nearer to full stretch, the more, and what remains is rounding error.</p>{5}{6}":
    "<p>Die Lücke zur vollen Streckung ist {0} der Reichweite, 10 hoch {1}. Stehende Beine sind fast gestreckt, sie verbringen also die meiste Zeit hier.</p> <p>Die Zahl unter der Wurzel, {2}, ist die Differenz zweier fast gleicher Zahlen. Ihre vorderen Stellen löschen sich aus, jetzt etwa {3} von {4}; je näher der vollen Streckung, desto mehr, und was bleibt, ist Rundungsfehler.</p>{5}{6}",
  "Stretch the arm until the article’s formula is wrong by more than a million last places.":
    "Streck den Arm, bis die Formel des Artikels um mehr als eine Million letzter Stellen falsch ist.",
  "The law of cosines loses as many. twobone computes the difference in double words, pairs of numbers with twice the digits, and loses none.":
    "Der Kosinussatz verliert ebenso viele. twobone berechnet die Differenz doppelt genau, mit Paaren von Zahlen, und verliert keine.",
  Folded: "Gefaltet",
  "<p>The same at the other end: bones of 1.00 and 0.95, folded back on each other. The gap to the shortest possible distance, {0}, is {1} of it, 10 to the power of {2}.</p> <p>The digits of {3} cancel here, too. In addition, w is a small difference of squares near 1, and the division by 2h, which is smaller still, enlarges its rounding error.</p>{4}{5}":
    "<p>Dasselbe am anderen Ende: Knochen von 1.00 und 0.95, aufeinandergefaltet. Die Lücke zum kürzesten möglichen Abstand, {0}, ist {1} von ihm, 10 hoch {2}.</p> <p>Die Stellen von {3} löschen sich auch hier aus. Außerdem ist w eine kleine Differenz von Quadraten nahe 1, und die Division durch 2h, das noch kleiner ist, vergrößert ihren Rundungsfehler.</p>{4}{5}",
  "Fold the arm until the law of cosines is wrong by more than a million last places.":
    "Falte den Arm, bis der Kosinussatz um mehr als eine Million letzter Stellen falsch ist.",
  "Clamping the cosine to {0} avoids NaN, but does not bring the lost digits back.":
    "Den Kosinus auf {0} zu begrenzen vermeidet NaN, bringt aber die verlorenen Stellen nicht zurück.",
  "The hand at the shoulder": "Die Hand an der Schulter",
  "<p>Two equal bones can fold so that the hand is at the shoulder. Then the line to the hand has no direction, and the elbow may be anywhere on the circle around the shoulder.</p> <p>The formula then divides 0 by 0. The result is NaN, “not a number”, and so is everything that is computed from it: a whole skeleton disappears. twobone always returns a <em>status</em>, one word for what happened, beside the elbow. It is now <b>{0}</b>.</p>{1}{2}":
    "<p>Zwei gleiche Knochen können sich so falten, dass die Hand an der Schulter ist. Dann hat die Strecke zur Hand keine Richtung, und der Ellbogen kann irgendwo auf dem Kreis um die Schulter sein.</p> <p>Die Formel teilt dann 0 durch 0. Das Ergebnis ist NaN, „keine Zahl“, und alles, was daraus berechnet wird, auch: Ein ganzes Skelett verschwindet. twobone gibt neben dem Ellbogen immer einen <em>Status</em> zurück, ein Wort dafür, was geschehen ist. Er ist jetzt <b>{0}</b>.</p>{1}{2}",
  "Put the hand exactly on the shoulder.": "Setz die Hand genau auf die Schulter.",
  "twobone reports AMBIGUOUS and bends as if the target lay to the right: the numbers are finite, and both bones keep their lengths.":
    "twobone meldet AMBIGUOUS und beugt sich, als läge das Ziel rechts: Die Zahlen sind endlich, und beide Knochen behalten ihre Länge.",
  "Out of reach": "Außer Reichweite",
  "<p>The target is too far away. To avoid the square root of a negative number, the article’s formula takes that of 0, which places the elbow at q; its upper arm is now {0} long instead of {1}: the bones stretch silently.</p> <p>To <em>clamp</em> is to point the straight or the folded arm at the target, which keeps the lengths. CCD does not detect such a target and iterates until it is stopped. twobone clamps and reports <b>{2}</b>.</p>{3}{4}":
    "<p>Das Ziel ist zu weit weg. Um die Wurzel einer negativen Zahl zu vermeiden, zieht die Formel des Artikels die Wurzel aus 0, was den Ellbogen nach q bringt; ihr Oberarm ist jetzt {0} lang statt {1}: Die Knochen dehnen sich stillschweigend.</p> <p><em>Klemmen</em> heißt, den gestreckten oder gefalteten Arm auf das Ziel zu richten, was die Längen behält. CCD bemerkt ein solches Ziel nicht und rechnet weiter, bis man es anhält. twobone klemmt und meldet <b>{2}</b>.</p>{3}{4}",
  "Now bring the target too near.": "Bring jetzt das Ziel zu nah heran.",
  "The minimum reach is often forgotten: FABRIK tests for “too far” but not for “too near”.":
    "Die kleinste Reichweite wird oft vergessen: FABRIK prüft auf „zu weit“, aber nicht auf „zu nah“.",
  "One bone a million times shorter": "Ein Knochen millionenfach kürzer",
  "<p>A bone of 1 and one of {0}, a leg and a claw. The reachable range is only two millionths wide; the target is at 1 plus {1} millionths. Status: <b>{2}</b>.</p> <p>The second bone is too short to be seen, but not too short to be computed with.</p>{3}{4}":
    "<p>Ein Knochen von 1 und einer von {0}, ein Bein und eine Kralle. Der erreichbare Bereich ist nur zwei Millionstel breit; das Ziel ist bei 1 plus {1} Millionstel. Status: <b>{2}</b>.</p> <p>Der zweite Knochen ist zu kurz, um ihn zu sehen, aber nicht zu kurz, um mit ihm zu rechnen.</p>{3}{4}",
  "Take the target through the whole range, from too near to too far.":
    "Führe das Ziel durch den ganzen Bereich, von zu nah bis zu weit.",
  "The textbook formulas keep four digits of the short bone. The iterations accept any joint, because the whole range is within their tolerance.":
    "Die Formeln der Lehrbücher behalten vier Stellen des kurzen Knochens. Die iterativen Verfahren nehmen jedes Gelenk hin, weil der ganze Bereich in ihrer Toleranz liegt.",
  "Seven digits": "Sieben Stellen",
  '<p>Graphics cards and game engines compute in float32, with seven digits instead of sixteen. <span class="segments inline" role="group" aria-label="Type of number"><button type="button" data-act="float64" data-type="float64">float64</button><button type="button" data-act="float32" data-type="float32">float32</button></span></p> <p>The gap to full stretch is again {0} of the reach, 10 to the power of {1}. An error of a thousand last places, which in float32 is a ten-thousandth of the bone, makes an elbow tremble while the hand moves smoothly.</p>{2}{3}':
    '<p>Grafikkarten und Spiele rechnen in float32, mit sieben Stellen statt sechzehn. <span class="segments inline" role="group" aria-label="Art der Zahl"><button type="button" data-act="float64" data-type="float64">float64</button><button type="button" data-act="float32" data-type="float32">float32</button></span></p> <p>Die Lücke zur vollen Streckung ist wieder {0} der Reichweite, 10 hoch {1}. Ein Fehler von tausend letzten Stellen, in float32 ein Zehntausendstel des Knochens, lässt einen Ellbogen zittern, während sich die Hand gleichmäßig bewegt.</p>{2}{3}',
  "Switch to float32 and stretch until the article’s formula is wrong by more than 100 last places.":
    "Wechsle zu float32 und streck den Arm, bis die Formel des Artikels um mehr als 100 letzte Stellen falsch ist.",
  "twobone stays within 2.5 last places in both types: that is what the double words are for.":
    "twobone bleibt in beiden Arten innerhalb von 2.5 letzten Stellen: Dafür ist die doppelte Genauigkeit da.",
  "Gap to full stretch, as a fraction of the reach": "Abstand zur vollen Streckung, als Anteil der Reichweite",
  "10 to the power of {0}": "10 hoch {0}",
  "Gap to the minimum reach, as a fraction of it": "Abstand zur kleinsten Reichweite, als Anteil von ihr",
  "Distance of the target minus one": "Abstand des Ziels minus eins",
  "{0} millionths": "{0} Millionstel",
});
