<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>Import guidelines</source>
        <translation>Richtlinien importieren</translation>
    </message>
    <message>
        <source>{name} is larger than 1 MB. Choose a text file of a few pages.</source>
        <translation>{name} ist größer als 1 MB. Wählen Sie eine Textdatei von wenigen Seiten.</translation>
    </message>
    <message>
        <source>{name} is not UTF-8 text. Save it as plain text in UTF-8 and try again.</source>
        <translation>{name} ist kein UTF-8-Text. Speichern Sie die Datei als reinen Text in UTF-8 und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>{name} cannot be read: {strerror}.</source>
        <translation>{name} kann nicht gelesen werden: {strerror}.</translation>
    </message>
    <message>
        <source>No guidelines yet. Write down how to annotate, so everyone annotates the same way.</source>
        <translation>Noch keine Richtlinien. Schreiben Sie auf, wie annotiert wird, damit alle gleich annotieren.</translation>
    </message>
    <message>
        <source>Guidelines</source>
        <translation>Richtlinien</translation>
    </message>
    <message>
        <source>Guidelines, in Markdown</source>
        <translation>Richtlinien, in Markdown</translation>
    </message>
    <message>
        <source>Guidelines, in Markdown: # heading, - list, **strong**</source>
        <translation>Richtlinien, in Markdown: # Überschrift, - Liste, **fett**</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>From a file…</source>
        <translation>Aus einer Datei…</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>matched without a span</source>
        <translation>ohne Spanne zugeordnet</translation>
    </message>
    <message>
        <source>not matched in this summary</source>
        <translation>in dieser Zusammenfassung nicht zugeordnet</translation>
    </message>
    <message>
        <source>Progress, topics down, summaries across</source>
        <translation>Fortschritt, Themen in Zeilen, Zusammenfassungen in Spalten</translation>
    </message>
    <message>
        <source>done</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>unfinished</source>
        <translation>unfertig</translation>
    </message>
    <message>
        <source>flagged</source>
        <translation>mit Fähnchen</translation>
    </message>
    <message>
        <source>to do</source>
        <translation>zu erledigen</translation>
    </message>
    <message>
        <source>summary {position}</source>
        <translation>Zusammenfassung {position}</translation>
    </message>
    <message>
        <source>{name}: {done:,} of {total:,} done</source>
        <translation>{name}: {done:,} von {total:,} fertig</translation>
    </message>
    <message>
        <source>current</source>
        <translation>aktuell</translation>
    </message>
    <message>
        <source>summary {place}</source>
        <translation>Zusammenfassung {place}</translation>
    </message>
    <message>
        <source>and {rest} more</source>
        <translation>und {rest} weitere</translation>
    </message>
    <message>
        <source>In {letters}</source>
        <translation>In {letters}</translation>
    </message>
    <message>
        <source>(no label)</source>
        <translation>(keine Bezeichnung)</translation>
    </message>
    <message>
        <source>Position in &amp;text</source>
        <translation>Position im &amp;Text</translation>
    </message>
    <message>
        <source>&amp;Age, oldest first</source>
        <translation>&amp;Alter, älteste zuerst</translation>
    </message>
    <message>
        <source>&amp;Weight</source>
        <translation>&amp;Gewicht</translation>
    </message>
    <message>
        <source>&amp;Label</source>
        <translation>&amp;Bezeichnung</translation>
    </message>
    <message>
        <source>&amp;Expressed in</source>
        <translation>&amp;Ausgedrückt in</translation>
    </message>
    <message>
        <source>&amp;Missing in</source>
        <translation>&amp;Fehlt in</translation>
    </message>
    <message>
        <source>With a &amp;comment</source>
        <translation>Mit &amp;Kommentar</translation>
    </message>
    <message>
        <source>&amp;To confirm</source>
        <translation>Zu &amp;bestätigen</translation>
    </message>
    <message>
        <source>M&amp;atched</source>
        <translation>&amp;Zugeordnet</translation>
    </message>
    <message>
        <source>&amp;Not matched</source>
        <translation>&amp;Nicht zugeordnet</translation>
    </message>
    <message>
        <source>&amp;Show all</source>
        <translation>Alle an&amp;zeigen</translation>
    </message>
    <message>
        <source>Filtered by “{words}”. Click to remove the filter</source>
        <translation>Gefiltert nach „{words}“. Klicken, um den Filter zu entfernen</translation>
    </message>
    <message>
        <source>Remove the filter “{words}”</source>
        <translation>Filter „{words}“ entfernen</translation>
    </message>
    <message>
        <source>Filter list</source>
        <translation>Liste filtern</translation>
    </message>
    <message>
        <source>Sort list</source>
        <translation>Liste sortieren</translation>
    </message>
    <message>
        <source>{fact} · {visible} of {total}</source>
        <translation>{fact} · {visible} von {total}</translation>
    </message>
    <message>
        <source>No results.</source>
        <translation>Keine Ergebnisse.</translation>
    </message>
    <message>
        <source>No {value} match. Remove a filter.</source>
        <translation>Keine passenden {value}. Entfernen Sie einen Filter.</translation>
    </message>
    <message>
        <source>SCUs</source>
        <translation>SCUs</translation>
    </message>
    <message>
        <source>SCU</source>
        <translation>SCU</translation>
    </message>
    <message>
        <source>{tier}: {fact}, collapsed</source>
        <translation>{tier}: {fact}, eingeklappt</translation>
    </message>
    <message>
        <source>no label</source>
        <translation>keine Bezeichnung</translation>
    </message>
    <message>
        <source>weight {weight}</source>
        <translation>Gewicht {weight}</translation>
    </message>
    <message>
        <source>not matched</source>
        <translation>nicht zugeordnet</translation>
    </message>
    <message>
        <source>in {expressing}</source>
        <translation>in {expressing}</translation>
    </message>
    <message>
        <source>in text order</source>
        <translation>in Textreihenfolge</translation>
    </message>
    <message>
        <source>by label</source>
        <translation>nach Bezeichnung</translation>
    </message>
    <message>
        <source>by age</source>
        <translation>nach Alter</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>Missing in {letters}</source>
        <translation>Fehlt in {letters}</translation>
    </message>
    <message>
        <source>Matched</source>
        <translation>Zugeordnet</translation>
    </message>
    <message>
        <source>Not matched</source>
        <translation>Nicht zugeordnet</translation>
    </message>
    <message>
        <source>With a comment</source>
        <translation>Mit Kommentar</translation>
    </message>
    <message>
        <source>To confirm</source>
        <translation>Zu bestätigen</translation>
    </message>
    <message>
        <source>Drop here for a new SCU</source>
        <translation>Hier ablegen, um SCU anzulegen</translation>
    </message>
    <message>
        <source>{tier}: {fact}. Click to collapse or expand</source>
        <translation>{tier}: {fact}. Klicken zum Ein- oder Ausklappen</translation>
    </message>
    <message>
        <source>{matched} of {count} matched</source>
        <translation>{matched} von {count} zugeordnet</translation>
    </message>
    <message>
        <source>{matched} of {count}</source>
        <translation>{matched} von {count}</translation>
    </message>
    <message numerus="yes">
        <source>%n SCUs</source>
        <translation>
            <numerusform>%n SCU</numerusform>
            <numerusform>%n SCUs</numerusform>
        </translation>
    </message>
    <message>
        <source>Comment on the unit</source>
        <translation>Kommentar zur Einheit</translation>
    </message>
    <message>
        <source>Comment on this unit</source>
        <translation>Kommentar zu dieser Einheit</translation>
    </message>
    <message>
        <source>Reference {letter}: {words}</source>
        <translation>Referenz {letter}: {words}</translation>
    </message>
    <message>
        <source>{label}, weight {weight}</source>
        <translation>{label}, Gewicht {weight}</translation>
    </message>
    <message>
        <source>not in the pyramid</source>
        <translation>nicht in Pyramide</translation>
    </message>
    <message>
        <source>comment: {comment}</source>
        <translation>Kommentar: {comment}</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>Bezeichnung</translation>
    </message>
    <message>
        <source>Choose at least one way to search in Annotate › Search for occurrences.</source>
        <translation>Wählen Sie unter Annotieren › Suche nach Vorkommen mindestens eine Art der Suche.</translation>
    </message>
    <message>
        <source>Waiting for scoring to finish</source>
        <translation>Warten auf das Ende der Berechnung</translation>
    </message>
    <message>
        <source>Suggestions are turned off. Turn them on with {suggest.ask}.</source>
        <translation>Vorschläge sind ausgeschaltet. {suggest.ask} schaltet sie ein.</translation>
    </message>
    <message>
        <source>Ranking suggestions</source>
        <translation>Vorschläge werden geordnet</translation>
    </message>
    <message>
        <source>Preparing to encode the texts</source>
        <translation>Kodierung der Texte wird vorbereitet</translation>
    </message>
    <message>
        <source>Encoding texts for suggestions</source>
        <translation>Texte werden für Vorschläge kodiert</translation>
    </message>
    <message>
        <source>No other suggestions</source>
        <translation>Keine weiteren Vorschläge</translation>
    </message>
    <message>
        <source>An unexpected error occurred.</source>
        <translation>Ein unerwarteter Fehler ist aufgetreten.</translation>
    </message>
    <message>
        <source>No suggestions</source>
        <translation>Keine Vorschläge</translation>
    </message>
    <message>
        <source>No proposals are listed. Annotate › Propose annotations… makes some.</source>
        <translation>Keine maschinellen Vorschläge in der Liste. Annotieren › Annotationen vorschlagen lassen… erzeugt welche.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Suggestions</source>
        <translation>Vorschläge</translation>
    </message>
    <message>
        <source>Enter accepts the current suggestion, Shift+Enter accepts and edits it, Escape dismisses it.</source>
        <translation>Enter nimmt den aktuellen Vorschlag an, Umschalt+Enter nimmt ihn an bearbeitet ihn, Escape verwirft ihn.</translation>
    </message>
    <message>
        <source>Suggestion</source>
        <translation>Vorschlag</translation>
    </message>
    <message>
        <source>Suggest</source>
        <translation>Vorschlagen</translation>
    </message>
    <message>
        <source>Progress of the suggestions</source>
        <translation>Fortschritt der Vorschläge</translation>
    </message>
    <message>
        <source>Accept</source>
        <translation>Annehmen</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Turn off</source>
        <translation>Ausschalten</translation>
    </message>
    <message>
        <source>Accept all</source>
        <translation>Alle annehmen</translation>
    </message>
    <message>
        <source>Dismiss all</source>
        <translation>Alle verwerfen</translation>
    </message>
    <message>
        <source>Computing suggestions</source>
        <translation>Vorschläge werden berechnet</translation>
    </message>
    <message numerus="yes">
        <source>%n proposals</source>
        <translation>
            <numerusform>%n maschineller Vorschlag</numerusform>
            <numerusform>%n maschinelle Vorschläge</numerusform>
        </translation>
    </message>
    <message>
        <source>Turn suggestions off</source>
        <translation>Vorschläge ausschalten</translation>
    </message>
    <message>
        <source>Accept it and edit it (Shift+Enter in the list)</source>
        <translation>Annehmen und bearbeiten (Umschalt+Enter in der Liste)</translation>
    </message>
    <message>
        <source>Do not suggest this again (Esc in the list)</source>
        <translation>Nicht noch einmal vorschlagen (Esc in der Liste)</translation>
    </message>
    <message>
        <source>{verb} (Enter in the list)</source>
        <translation>{verb} (Enter in der Liste)</translation>
    </message>
    <message>
        <source>very close</source>
        <translation>sehr nah</translation>
    </message>
    <message>
        <source>somewhat close</source>
        <translation>einigermaßen nah</translation>
    </message>
    <message>
        <source>close</source>
        <translation>nah</translation>
    </message>
    <message>
        <source>Nothing is left to decide here.</source>
        <translation>Hier ist nichts mehr zu entscheiden.</translation>
    </message>
    <message>
        <source>Proposed by {name}</source>
        <translation>Vorgeschlagen von {name}</translation>
    </message>
    <message>
        <source>proposed by {name}</source>
        <translation>vorgeschlagen von {name}</translation>
    </message>
    <message>
        <source>loosely related</source>
        <translation>lose verwandt</translation>
    </message>
    <message>
        <source>Document</source>
        <translation>Dokument</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message>
        <source>Summary {position}</source>
        <translation>Zusammenfassung {position}</translation>
    </message>
    <message>
        <source>rated</source>
        <translation>bewertet</translation>
    </message>
    <message>
        <source>summary</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message>
        <source>Show system names</source>
        <translation>Systemnamen anzeigen</translation>
    </message>
    <message>
        <source>Hide system names</source>
        <translation>Systemnamen verbergen</translation>
    </message>
    <message>
        <source>The text has no more words there.</source>
        <translation>Der Text hat dort keine weiteren Wörter.</translation>
    </message>
    <message>
        <source>No feedback: the known annotation of this summary is not done, or against another pyramid.</source>
        <translation>Keine Rückmeldung: Die bekannte Annotation dieser Zusammenfassung ist nicht fertig oder gehört zu einer anderen Pyramide.</translation>
    </message>
    <message>
        <source>checking the study</source>
        <translation>Studie wird geprüft</translation>
    </message>
    <message>
        <source> or in </source>
        <translation> oder in </translation>
    </message>
    <message>
        <source>Split</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>Sheet</source>
        <translation>Blatt</translation>
    </message>
    <message>
        <source>not recognized</source>
        <translation>nicht erkannt</translation>
    </message>
    <message>
        <source>Not used</source>
        <translation>Nicht verwendet</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>Verwendet</translation>
    </message>
    <message>
        <source>read by the mapping</source>
        <translation>von der Zuordnungsdatei gelesen</translation>
    </message>
    <message>
        <source>nothing reads it</source>
        <translation>wird nicht gelesen</translation>
    </message>
    <message>
        <source>Cite {citation}.</source>
        <translation>Zu zitieren: {citation}.</translation>
    </message>
    <message>
        <source>No hash is published for its files: they were not verified.</source>
        <translation>Für die Dateien ist kein Hashwert veröffentlicht: Sie wurden nicht überprüft.</translation>
    </message>
    <message>
        <source>writing {name}</source>
        <translation>{name} wird geschrieben</translation>
    </message>
    <message>
        <source>looking for metrics</source>
        <translation>Metriken werden gesucht</translation>
    </message>
    <message>
        <source>reading {name}</source>
        <translation>{name} wird gelesen</translation>
    </message>
    <message numerus="yes">
        <source>%n more lines cannot be read either.</source>
        <translation>
            <numerusform>%n weitere Zeile kann auch nicht gelesen werden.</numerusform>
            <numerusform>%n weitere Zeilen können auch nicht gelesen werden.</numerusform>
        </translation>
    </message>
    <message>
        <source>saving the mapping</source>
        <translation>Zuordnungsdatei wird gespeichert</translation>
    </message>
    <message>
        <source>&amp;Study</source>
        <translation>&amp;Studie</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Annotate</source>
        <translation>A&amp;nnotieren</translation>
    </message>
    <message>
        <source>Ana&amp;lyse</source>
        <translation>Ana&amp;lysieren</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>Other summaries</source>
        <translation>Andere Zusammenfassungen</translation>
    </message>
    <message>
        <source>References and score</source>
        <translation>Referenzen und Wert</translation>
    </message>
    <message>
        <source>Search for occurrences</source>
        <translation>Suche nach Vorkommen</translation>
    </message>
    <message>
        <source>Next, previous</source>
        <translation>Nächste, vorige</translation>
    </message>
    <message>
        <source>SCU list</source>
        <translation>SCU-Liste</translation>
    </message>
    <message>
        <source>Contributors</source>
        <translation>Beiträge</translation>
    </message>
    <message>
        <source>Span of a part</source>
        <translation>Spanne eines Teils</translation>
    </message>
    <message>
        <source>Re&amp;ferences</source>
        <translation>Re&amp;ferenzen</translation>
    </message>
    <message>
        <source>Line &amp;width</source>
        <translation>&amp;Zeilenbreite</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>&amp;Exportieren</translation>
    </message>
    <message>
        <source>Scatter plot</source>
        <translation>Streudiagramm</translation>
    </message>
    <message>
        <source>Bars with intervals</source>
        <translation>Balken mit Intervallen</translation>
    </message>
    <message>
        <source>Metric–metric correlation</source>
        <translation>Korrelation zwischen Metriken</translation>
    </message>
    <message>
        <source>Significant differences</source>
        <translation>Signifikante Unterschiede</translation>
    </message>
    <message>
        <source>Rank comparison</source>
        <translation>Rangvergleich</translation>
    </message>
    <message>
        <source>Distribution over topics</source>
        <translation>Verteilung über Themen</translation>
    </message>
    <message>
        <source>Correlation by topic</source>
        <translation>Korrelation nach Thema</translation>
    </message>
    <message>
        <source>Disagreement</source>
        <translation>Abweichung</translation>
    </message>
    <message>
        <source>&amp;New study…</source>
        <translation>&amp;Neue Studie…</translation>
    </message>
    <message>
        <source>&amp;Open a study…</source>
        <translation>Studie ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>Study on a ser&amp;ver…</source>
        <translation>Studie auf einem Ser&amp;ver…</translation>
    </message>
    <message>
        <source>Create the &amp;sample study…</source>
        <translation>Beispielstudie &amp;anlegen…</translation>
    </message>
    <message>
        <source>Get a p&amp;ublic data set…</source>
        <translation>Öffentlichen Da&amp;tensatz laden…</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>&amp;Importieren…</translation>
    </message>
    <message>
        <source>Texts…</source>
        <translation>Texte…</translation>
    </message>
    <message>
        <source>Scores…</source>
        <translation>Werte…</translation>
    </message>
    <message>
        <source>Judgements…</source>
        <translation>Urteile…</translation>
    </message>
    <message>
        <source>Ratings…</source>
        <translation>Bewertungen…</translation>
    </message>
    <message>
        <source>Rating scales…</source>
        <translation>Bewertungsskalen…</translation>
    </message>
    <message>
        <source>Marked spans…</source>
        <translation>Markierte Spannen…</translation>
    </message>
    <message>
        <source>Answers to comparisons…</source>
        <translation>Antworten auf Vergleiche…</translation>
    </message>
    <message>
        <source>Comments…</source>
        <translation>Kommentare…</translation>
    </message>
    <message>
        <source>Pyramids for DUCView…</source>
        <translation>Pyramiden für DUCView…</translation>
    </message>
    <message>
        <source>Nuggets…</source>
        <translation>Nuggets…</translation>
    </message>
    <message>
        <source>Annotations to merge…</source>
        <translation>Annotationen zum Zusammenführen…</translation>
    </message>
    <message>
        <source>&amp;Merge annotations…</source>
        <translation>Ann&amp;otationen zusammenführen…</translation>
    </message>
    <message>
        <source>Assi&amp;gnment</source>
        <translation>&amp;Zuteilung</translation>
    </message>
    <message>
        <source>Tr&amp;aining</source>
        <translation>&amp;Schulung</translation>
    </message>
    <message>
        <source>&amp;Restore a backup…</source>
        <translation>Sicherung &amp;wiederherstellen…</translation>
    </message>
    <message>
        <source>&amp;Print…</source>
        <translation>&amp;Drucken…</translation>
    </message>
    <message>
        <source>&amp;Close the study</source>
        <translation>Studie s&amp;chließen</translation>
    </message>
    <message>
        <source>Se&amp;ttings…</source>
        <translation>Einste&amp;llungen…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>&amp;Copy table</source>
        <translation>Tabelle &amp;kopieren</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>&amp;Find</source>
        <translation>&amp;Suchen</translation>
    </message>
    <message>
        <source>Co&amp;mments and flags…</source>
        <translation>Ko&amp;mmentare und Fähnchen…</translation>
    </message>
    <message>
        <source>&amp;Search the study…</source>
        <translation>Studie &amp;durchsuchen…</translation>
    </message>
    <message>
        <source>&amp;Next search result</source>
        <translation>&amp;Nächstes Suchergebnis</translation>
    </message>
    <message>
        <source>&amp;Previous search result</source>
        <translation>&amp;Voriges Suchergebnis</translation>
    </message>
    <message>
        <source>Ta&amp;bs</source>
        <translation>Ta&amp;bs</translation>
    </message>
    <message>
        <source>An&amp;y command…</source>
        <translation>Be&amp;liebiger Befehl…</translation>
    </message>
    <message>
        <source>S&amp;ame as system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>Dar&amp;k</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>Lar&amp;ger text</source>
        <translation>&amp;Größerer Text</translation>
    </message>
    <message>
        <source>Smaller te&amp;xt</source>
        <translation>&amp;Kleinerer Text</translation>
    </message>
    <message>
        <source>Reset text size</source>
        <translation>Textgröße zurücksetzen</translation>
    </message>
    <message>
        <source>S&amp;ide panel</source>
        <translation>Se&amp;itenleiste</translation>
    </message>
    <message>
        <source>Select by c&amp;haracters</source>
        <translation>Zeichenweise &amp;auswählen</translation>
    </message>
    <message>
        <source>Panel width</source>
        <translation>Breite des Bereichs</translation>
    </message>
    <message>
        <source>60 characters</source>
        <translation>60 Zeichen</translation>
    </message>
    <message>
        <source>75 characters</source>
        <translation>75 Zeichen</translation>
    </message>
    <message>
        <source>90 characters</source>
        <translation>90 Zeichen</translation>
    </message>
    <message>
        <source>Pr&amp;evious topic</source>
        <translation>V&amp;origes Thema</translation>
    </message>
    <message>
        <source>&amp;Next topic</source>
        <translation>&amp;Nächstes Thema</translation>
    </message>
    <message>
        <source>Go to a topic…</source>
        <translation>Zu einem Thema gehen…</translation>
    </message>
    <message>
        <source>Set of topics…</source>
        <translation>Themensatz…</translation>
    </message>
    <message>
        <source>Set of topics</source>
        <translation>Themensatz</translation>
    </message>
    <message>
        <source>&amp;Annotator…</source>
        <translation>&amp;Annotator…</translation>
    </message>
    <message>
        <source>Save the pyramid as web page, PDF or picture…</source>
        <translation>Pyramide als Webseite, PDF oder Bild speichern…</translation>
    </message>
    <message>
        <source>New &amp;SCU from selection</source>
        <translation>SC&amp;U aus Auswahl anlegen</translation>
    </message>
    <message>
        <source>New SCU</source>
        <translation>SCU anlegen</translation>
    </message>
    <message>
        <source>Add selection as &amp;contributor</source>
        <translation>Auswahl als Beitrag &amp;hinzufügen</translation>
    </message>
    <message>
        <source>Add contributor</source>
        <translation>Beitrag hinzufügen</translation>
    </message>
    <message>
        <source>Add &amp;part, or keep words</source>
        <translation>Teil hinzuf&amp;ügen oder Wörter behalten</translation>
    </message>
    <message>
        <source>Add part</source>
        <translation>Teil hinzufügen</translation>
    </message>
    <message>
        <source>&amp;Merge with another SCU…</source>
        <translation>Mit SCU &amp;zusammenführen…</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>Zusammenführen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Remove par&amp;t</source>
        <translation>&amp;Teil entfernen</translation>
    </message>
    <message>
        <source>Edit &amp;label</source>
        <translation>Bezeichnung &amp;ändern</translation>
    </message>
    <message>
        <source>C&amp;omment on the SCU</source>
        <translation>SCU &amp;kommentieren</translation>
    </message>
    <message>
        <source>Split into new SCU</source>
        <translation>Als SCU abtrennen</translation>
    </message>
    <message>
        <source>Next pane</source>
        <translation>Nächster Bereich</translation>
    </message>
    <message>
        <source>Next tab</source>
        <translation>Nächster Tab</translation>
    </message>
    <message>
        <source>Previous tab</source>
        <translation>Voriger Tab</translation>
    </message>
    <message>
        <source>Panes</source>
        <translation>Bereiche</translation>
    </message>
    <message>
        <source>Judges</source>
        <translation>Judge-Modelle</translation>
    </message>
    <message>
        <source>Proposals</source>
        <translation>Maschinelle Vorschläge</translation>
    </message>
    <message>
        <source>Previous pane</source>
        <translation>Voriger Bereich</translation>
    </message>
    <message>
        <source>&amp;What is here</source>
        <translation>&amp;Was ist hier</translation>
    </message>
    <message>
        <source>Language of topics…</source>
        <translation>Sprache von Themen…</translation>
    </message>
    <message>
        <source>Split</source>
        <comment>verb</comment>
        <translation>Abtrennen</translation>
    </message>
    <message>
        <source>Move to another SCU…</source>
        <translation>In SCU verschieben…</translation>
    </message>
    <message>
        <source>Comment on the contributor</source>
        <translation>Beitrag kommentieren</translation>
    </message>
    <message>
        <source>Previous contributor</source>
        <translation>Voriger Beitrag</translation>
    </message>
    <message>
        <source>Next contributor</source>
        <translation>Nächster Beitrag</translation>
    </message>
    <message>
        <source>Mark pyramid &amp;done</source>
        <translation>&amp;Pyramide als fertig markieren</translation>
    </message>
    <message>
        <source>Mark done and go to the next topic</source>
        <translation>Als fertig markieren und zum nächsten Thema gehen</translation>
    </message>
    <message>
        <source>&amp;Findings</source>
        <translation>Be&amp;funde</translation>
    </message>
    <message>
        <source>&amp;History</source>
        <translation>&amp;Verlauf</translation>
    </message>
    <message>
        <source>Ret&amp;urn to current version</source>
        <translation>Zur aktuellen Vers&amp;ion zurückkehren</translation>
    </message>
    <message>
        <source>Find &amp;occurrences</source>
        <translation>Vorkommen &amp;suchen</translation>
    </message>
    <message>
        <source>Find occurrences</source>
        <translation>Vorkommen suchen</translation>
    </message>
    <message>
        <source>Find occurrences of &amp;all nuggets</source>
        <translation>Vorko&amp;mmen aller Nuggets suchen</translation>
    </message>
    <message>
        <source>Confirm occu&amp;rrences</source>
        <translation>Vo&amp;rkommen bestätigen</translation>
    </message>
    <message>
        <source>Confirm</source>
        <translation>Bestätigen</translation>
    </message>
    <message>
        <source>Ne&amp;xt to confirm</source>
        <translation>Nä&amp;chste Stelle zu bestätigen</translation>
    </message>
    <message>
        <source>Next to confirm</source>
        <translation>Nächste zu bestätigen</translation>
    </message>
    <message>
        <source>Show proposals</source>
        <translation>Maschinelle Vorschläge zeigen</translation>
    </message>
    <message>
        <source>Rate as &amp;vital</source>
        <translation>Als &amp;wesentlich bewerten</translation>
    </message>
    <message>
        <source>Rate as ok&amp;ay</source>
        <translation>Als okay &amp;bewerten</translation>
    </message>
    <message>
        <source>Clear importance</source>
        <translation>Wichtigkeit löschen</translation>
    </message>
    <message>
        <source>Set, confirm or remo&amp;ve the hit</source>
        <translation>Treffer setzen, &amp;bestätigen oder entfernen</translation>
    </message>
    <message>
        <source>Set hit</source>
        <translation>Treffer setzen</translation>
    </message>
    <message>
        <source>Add &amp;repetition</source>
        <translation>&amp;Wiederholung hinzufügen</translation>
    </message>
    <message>
        <source>Remo&amp;ve</source>
        <translation>En&amp;tfernen</translation>
    </message>
    <message>
        <source>&amp;Partial support</source>
        <translation>Te&amp;ilweise gestützt</translation>
    </message>
    <message>
        <source>In part</source>
        <translation>Teilweise</translation>
    </message>
    <message>
        <source>Mark as outside the nuggets</source>
        <translation>Als außerhalb der Nuggets markieren</translation>
    </message>
    <message>
        <source>Outside</source>
        <translation>Außerhalb</translation>
    </message>
    <message>
        <source>&amp;Confirm all hits of the summary</source>
        <translation>Alle Treffer &amp;der Zusammenfassung bestätigen</translation>
    </message>
    <message>
        <source>Confirm all</source>
        <translation>Alle bestätigen</translation>
    </message>
    <message>
        <source>&amp;Find hits of all nuggets</source>
        <translation>Treffer aller Nuggets &amp;suchen</translation>
    </message>
    <message>
        <source>F&amp;lag summary</source>
        <translation>Fähnchen für Zusammen&amp;fassung</translation>
    </message>
    <message>
        <source>Next summary &amp;to do</source>
        <translation>N&amp;ächste offene Zusammenfassung</translation>
    </message>
    <message>
        <source>Next undone</source>
        <translation>Nächste offene</translation>
    </message>
    <message>
        <source>Previous summar&amp;y</source>
        <translation>&amp;Vorige Zusammenfassung</translation>
    </message>
    <message>
        <source>Next &amp;summary</source>
        <translation>Nächste &amp;Zusammenfassung</translation>
    </message>
    <message>
        <source>Mark summary &amp;done</source>
        <translation>Zusamm&amp;enfassung als fertig markieren</translation>
    </message>
    <message>
        <source>Mark done and go to the next summary</source>
        <translation>Als fertig markieren und zur nächsten Zusammenfassung gehen</translation>
    </message>
    <message>
        <source>&amp;Exact</source>
        <translation>&amp;Genau</translation>
    </message>
    <message>
        <source>&amp;Word stems</source>
        <translation>&amp;Wortstämme</translation>
    </message>
    <message>
        <source>&amp;Similar words</source>
        <translation>&amp;Ähnliche Wörter</translation>
    </message>
    <message>
        <source>Side by side or stacked</source>
        <translation>Nebeneinander oder untereinander</translation>
    </message>
    <message>
        <source>Focus this reference</source>
        <translation>Nur diese Referenz anzeigen</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Nächste</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>Vorige</translation>
    </message>
    <message>
        <source>Uncovered words only</source>
        <translation>Nur nicht abgedeckte Wörter</translation>
    </message>
    <message>
        <source>Uncovered only</source>
        <translation>Nur nicht abgedeckte</translation>
    </message>
    <message>
        <source>Next uncovered words</source>
        <translation>Nächste nicht abgedeckte Wörter</translation>
    </message>
    <message>
        <source>Previous uncovered words</source>
        <translation>Vorige nicht abgedeckte Wörter</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Only reference {n}</source>
        <translation>Nur Referenz {n}</translation>
    </message>
    <message>
        <source>Match &amp;selected text</source>
        <translation>Ausgewählten &amp;Text zuordnen</translation>
    </message>
    <message>
        <source>Match selected text</source>
        <translation>Ausgewählten Text zuordnen</translation>
    </message>
    <message>
        <source>Match &amp;without span</source>
        <translation>Ohne &amp;Spanne zuordnen</translation>
    </message>
    <message>
        <source>Match without span</source>
        <translation>Ohne Spanne zuordnen</translation>
    </message>
    <message>
        <source>Matc&amp;h as repetition</source>
        <translation>Als &amp;Wiederholung zuordnen</translation>
    </message>
    <message>
        <source>Add selection as &amp;part</source>
        <translation>A&amp;uswahl als Teil hinzufügen</translation>
    </message>
    <message>
        <source>Unmatch</source>
        <translation>Zuordnung aufheben</translation>
    </message>
    <message>
        <source>&amp;Unmatch</source>
        <translation>Zuordnung auf&amp;heben</translation>
    </message>
    <message>
        <source>Mark as n&amp;ot in pyramid</source>
        <translation>Als n&amp;icht in Pyramide markieren</translation>
    </message>
    <message>
        <source>Not in pyramid</source>
        <translation>Nicht in Pyramide</translation>
    </message>
    <message>
        <source>Assign unit to another S&amp;CU…</source>
        <translation>Einheit and&amp;erer SCU zuordnen…</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>&amp;Remove part</source>
        <translation>Teil ent&amp;fernen</translation>
    </message>
    <message>
        <source>Go to unit list</source>
        <translation>Zur Liste der Einheiten gehen</translation>
    </message>
    <message>
        <source>Next unmatched words</source>
        <translation>Nächste nicht zugeordnete Wörter</translation>
    </message>
    <message>
        <source>Previous unmatched words</source>
        <translation>Vorige nicht zugeordnete Wörter</translation>
    </message>
    <message>
        <source>Open or close references</source>
        <translation>Referenzen öffnen oder schließen</translation>
    </message>
    <message>
        <source>Open or close score</source>
        <translation>Wert öffnen oder schließen</translation>
    </message>
    <message>
        <source>Always show score</source>
        <translation>Wert immer anzeigen</translation>
    </message>
    <message>
        <source>&amp;Flag summary</source>
        <translation>Fähnchen für &amp;Zusammenfassung</translation>
    </message>
    <message>
        <source>Flag</source>
        <translation>Fähnchen</translation>
    </message>
    <message>
        <source>&amp;Make a note</source>
        <translation>Notiz &amp;machen</translation>
    </message>
    <message>
        <source>Next flagged summary</source>
        <translation>Nächste Zusammenfassung mit Fähnchen</translation>
    </message>
    <message>
        <source>Ne&amp;xt summary</source>
        <translation>Nä&amp;chste Zusammenfassung</translation>
    </message>
    <message>
        <source>One summary or a&amp;ll</source>
        <translation>&amp;Eine Zusammenfassung oder alle</translation>
    </message>
    <message>
        <source>Next summary &amp;to rate</source>
        <translation>Nächste &amp;unbewertete Zusammenfassung</translation>
    </message>
    <message>
        <source>Next unrated</source>
        <translation>Nächste unbewertete</translation>
    </message>
    <message>
        <source>Previous, next</source>
        <translation>Vorige, nächste</translation>
    </message>
    <message>
        <source>Show or hide &amp;documents</source>
        <translation>&amp;Dokumente anzeigen oder verbergen</translation>
    </message>
    <message>
        <source>Next flagged rating</source>
        <translation>Nächste Bewertung mit Fähnchen</translation>
    </message>
    <message>
        <source>Clear &amp;rating</source>
        <translation>Bewertung &amp;löschen</translation>
    </message>
    <message>
        <source>Clear rating</source>
        <translation>Bewertung löschen</translation>
    </message>
    <message>
        <source>Fla&amp;g rating</source>
        <translation>Fähnchen für Bewertun&amp;g</translation>
    </message>
    <message>
        <source>Note on rating…</source>
        <translation>Notiz zur Bewertung…</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Edit s&amp;cales…</source>
        <translation>S&amp;kalen bearbeiten…</translation>
    </message>
    <message>
        <source>Choose summary {n}</source>
        <translation>Zusammenfassung wählen: {n}</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>Wählen</translation>
    </message>
    <message>
        <source>Tie</source>
        <translation>Unentschieden</translation>
    </message>
    <message>
        <source>&amp;Tie</source>
        <translation>&amp;Unentschieden</translation>
    </message>
    <message>
        <source>Clear ans&amp;wer</source>
        <translation>Ant&amp;wort löschen</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Next t&amp;o answer</source>
        <translation>Nächster &amp;offener Vergleich</translation>
    </message>
    <message>
        <source>Next open</source>
        <translation>Nächster offener</translation>
    </message>
    <message>
        <source>Previous co&amp;mparison</source>
        <translation>&amp;Voriger Vergleich</translation>
    </message>
    <message>
        <source>Ne&amp;xt comparison</source>
        <translation>Nä&amp;chster Vergleich</translation>
    </message>
    <message>
        <source>&amp;Plan comparisons…</source>
        <translation>Vergleiche &amp;planen…</translation>
    </message>
    <message>
        <source>Accept version {n}</source>
        <translation>Version annehmen: {n}</translation>
    </message>
    <message>
        <source>&amp;Both, or the mean</source>
        <translation>&amp;Beide oder der Mittelwert</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>Beide</translation>
    </message>
    <message>
        <source>Neither</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>&amp;Neither</source>
        <translation>&amp;Keine</translation>
    </message>
    <message>
        <source>Decide &amp;later</source>
        <translation>&amp;Später entscheiden</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>Another &amp;value</source>
        <translation>Anderer &amp;Wert</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Next &amp;to decide</source>
        <translation>Nächster offener &amp;Unterschied</translation>
    </message>
    <message>
        <source>Merge a&amp;greements</source>
        <translation>Übereinstimmungen &amp;zusammenführen</translation>
    </message>
    <message>
        <source>&amp;Guidelines</source>
        <translation>&amp;Richtlinien</translation>
    </message>
    <message>
        <source>Sort list…</source>
        <translation>Liste sortieren…</translation>
    </message>
    <message>
        <source>Filter list…</source>
        <translation>Liste filtern…</translation>
    </message>
    <message>
        <source>Collapse or expand all weights</source>
        <translation>Alle Gewichte ein- oder ausklappen</translation>
    </message>
    <message>
        <source>Collapse weight</source>
        <translation>Gewicht einklappen</translation>
    </message>
    <message>
        <source>Expand weight</source>
        <translation>Gewicht ausklappen</translation>
    </message>
    <message>
        <source>Replace with selection</source>
        <translation>Durch Auswahl ersetzen</translation>
    </message>
    <message>
        <source>Start a word earlier</source>
        <translation>Ein Wort früher beginnen</translation>
    </message>
    <message>
        <source>Start a word later</source>
        <translation>Ein Wort später beginnen</translation>
    </message>
    <message>
        <source>End a word later</source>
        <translation>Ein Wort später enden</translation>
    </message>
    <message>
        <source>End a word earlier</source>
        <translation>Ein Wort früher enden</translation>
    </message>
    <message>
        <source>Su&amp;ggest…</source>
        <translation>Vors&amp;chlagen…</translation>
    </message>
    <message>
        <source>Accept all proposals</source>
        <translation>Alle maschinellen Vorschläge annehmen</translation>
    </message>
    <message>
        <source>Dismiss all proposals</source>
        <translation>Alle maschinellen Vorschläge verwerfen</translation>
    </message>
    <message>
        <source>Next in l&amp;ist</source>
        <translation>Nächster Listeneintra&amp;g</translation>
    </message>
    <message>
        <source>Pre&amp;vious in list</source>
        <translation>Voriger &amp;Listeneintrag</translation>
    </message>
    <message>
        <source>Ma&amp;ke baseline summaries…</source>
        <translation>Baseline-Zusammenfassungen &amp;erstellen…</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Berechnen</translation>
    </message>
    <message>
        <source>&amp;Score</source>
        <translation>Bere&amp;chnen</translation>
    </message>
    <message>
        <source>Propose annotations…</source>
        <translation>Annotationen vorschlagen lassen…</translation>
    </message>
    <message>
        <source>Sto&amp;p scoring</source>
        <translation>Berechnung an&amp;halten</translation>
    </message>
    <message>
        <source>&amp;Models…</source>
        <translation>&amp;Modelle…</translation>
    </message>
    <message>
        <source>&amp;Indexes…</source>
        <translation>&amp;Indexe…</translation>
    </message>
    <message>
        <source>T&amp;rain a metric…</source>
        <translation>Metrik &amp;trainieren…</translation>
    </message>
    <message>
        <source>Fi&amp;gure type</source>
        <translation>Art der Abbil&amp;dung</translation>
    </message>
    <message>
        <source>&amp;Larger figure</source>
        <translation>&amp;Größere Abbildung</translation>
    </message>
    <message>
        <source>Larger figure</source>
        <translation>Größere Abbildung</translation>
    </message>
    <message>
        <source>&amp;Unmark all systems</source>
        <translation>Markierung aller Systeme a&amp;ufheben</translation>
    </message>
    <message>
        <source>&amp;How it is calculated</source>
        <translation>&amp;Wie gerechnet wird</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>Formel</translation>
    </message>
    <message>
        <source>How many are &amp;needed?</source>
        <translation>Wie viele sind &amp;nötig?</translation>
    </message>
    <message>
        <source>Save the &amp;figure…</source>
        <translation>&amp;Abbildung speichern…</translation>
    </message>
    <message>
        <source>Save the &amp;table…</source>
        <translation>&amp;Tabelle speichern…</translation>
    </message>
    <message>
        <source>&amp;Add the figure to the report</source>
        <translation>Abbildung in den &amp;Bericht aufnehmen</translation>
    </message>
    <message>
        <source>Add the ta&amp;ble to the report</source>
        <translation>Tabelle in den Be&amp;richt aufnehmen</translation>
    </message>
    <message>
        <source>M&amp;easure the agreement</source>
        <translation>Überein&amp;stimmung messen</translation>
    </message>
    <message>
        <source>Measure</source>
        <comment>verb</comment>
        <translation>Messen</translation>
    </message>
    <message>
        <source>&amp;Details</source>
        <translation>D&amp;etails</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Maß</translation>
    </message>
    <message>
        <source>Save the table or fig&amp;ure…</source>
        <translation>Tabelle oder Abbildun&amp;g speichern…</translation>
    </message>
    <message>
        <source>Add it t&amp;o the report</source>
        <translation>In den Be&amp;richt aufnehmen</translation>
    </message>
    <message>
        <source>Add a st&amp;udy…</source>
        <translation>St&amp;udie hinzufügen…</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>&amp;Compare the studies</source>
        <translation>Studien &amp;vergleichen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>&amp;Compare the judges</source>
        <translation>Judge-Modelle &amp;vergleichen</translation>
    </message>
    <message>
        <source>Sa&amp;ve the table or figure…</source>
        <translation>Tabelle &amp;oder Abbildung speichern…</translation>
    </message>
    <message>
        <source>Edit a copy of a rubri&amp;c…</source>
        <translation>Kopie einer R&amp;ubrik bearbeiten…</translation>
    </message>
    <message>
        <source>Edit a rubric</source>
        <translation>Rubrik bearbeiten</translation>
    </message>
    <message>
        <source>Draw a &amp;fifth of the topics for development</source>
        <translation>Ein &amp;Fünftel der Themen für die Entwicklung ziehen</translation>
    </message>
    <message>
        <source>Keep the topic for &amp;development, or for tests</source>
        <translation>Thema für Entwicklung oder &amp;Test zurückhalten</translation>
    </message>
    <message>
        <source>Keep no topics for deve&amp;lopment</source>
        <translation>&amp;Keine Themen für die Entwicklung zurückhalten</translation>
    </message>
    <message>
        <source>&amp;Run the experiment</source>
        <translation>E&amp;xperiment ausführen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>A&amp;dd it to the report</source>
        <translation>In &amp;den Bericht aufnehmen</translation>
    </message>
    <message>
        <source>&amp;Write the report…</source>
        <translation>Bericht &amp;schreiben…</translation>
    </message>
    <message>
        <source>Write the report</source>
        <translation>Bericht schreiben</translation>
    </message>
    <message>
        <source>&amp;Help on this page</source>
        <translation>&amp;Hilfe zu dieser Seite</translation>
    </message>
    <message>
        <source>&amp;Contents</source>
        <translation>&amp;Inhalt</translation>
    </message>
    <message>
        <source>&amp;Tutorial</source>
        <translation>&amp;Tutorial</translation>
    </message>
    <message>
        <source>T&amp;our of the pages</source>
        <translation>R&amp;undgang durch die Seiten</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>T&amp;astenkürzel</translation>
    </message>
    <message>
        <source>All shortcuts</source>
        <translation>Alle Tastenkürzel</translation>
    </message>
    <message>
        <source>{name} is reserved for moving around in the window or in a text. Choose another key.</source>
        <translation>{name} ist für das Bewegen im Fenster oder in einem Text reserviert. Wählen Sie eine andere Taste.</translation>
    </message>
    <message>
        <source>{name} is already the key of “{taken_by}”. Choose another key or change that one first.</source>
        <translation>{name} ist bereits die Taste von „{taken_by}“. Wählen Sie eine andere Taste oder ändern Sie zuerst jene.</translation>
    </message>
    <message>
        <source>&amp;Overview</source>
        <translation>&amp;Überblick</translation>
    </message>
    <message>
        <source>&amp;Texts</source>
        <translation>&amp;Texte</translation>
    </message>
    <message>
        <source>Build</source>
        <translation>Erstellen</translation>
    </message>
    <message>
        <source>&amp;Pyramids</source>
        <translation>&amp;Pyramiden</translation>
    </message>
    <message>
        <source>Match</source>
        <translation>Zuordnen</translation>
    </message>
    <message>
        <source>Mark</source>
        <translation>Markieren</translation>
    </message>
    <message>
        <source>&amp;Nuggets</source>
        <translation>&amp;Nuggets</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>Treffer</translation>
    </message>
    <message>
        <source>Scales</source>
        <translation>Skalen</translation>
    </message>
    <message>
        <source>&amp;Ratings</source>
        <translation>Be&amp;wertungen</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>Tea&amp;m</source>
        <translation>Tea&amp;m</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Agreement</source>
        <translation>Übereinstimmung</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>Metriken</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleichen</translation>
    </message>
    <message>
        <source>Fewer references or topics</source>
        <translation>Weniger Referenzen oder Themen</translation>
    </message>
    <message>
        <source>Studies</source>
        <translation>Studien</translation>
    </message>
    <message>
        <source>R&amp;eport</source>
        <translation>Be&amp;richt</translation>
    </message>
    <message>
        <source>“{plain_text}” in the menu</source>
        <translation>„{plain_text}“ im Menü</translation>
    </message>
    <message>
        <source>Page down</source>
        <translation>Bild ab</translation>
    </message>
    <message>
        <source>Page up</source>
        <translation>Bild auf</translation>
    </message>
    <message>
        <source>{text} to {removeprefix}</source>
        <translation>{text} bis {removeprefix}</translation>
    </message>
    <message>
        <source>Reading the progress</source>
        <translation>Fortschritt wird gelesen</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} von {total}</translation>
    </message>
    <message numerus="yes">
        <source>%n topics</source>
        <translation>
            <numerusform>%n Thema</numerusform>
            <numerusform>%n Themen</numerusform>
        </translation>
    </message>
    <message>
        <source>Set inactive</source>
        <translation>Inaktiv setzen</translation>
    </message>
    <message>
        <source>Set active</source>
        <translation>Aktiv setzen</translation>
    </message>
    <message>
        <source>Pyramids</source>
        <translation>Pyramiden</translation>
    </message>
    <message>
        <source>Matches</source>
        <translation>Zuordnungen</translation>
    </message>
    <message>
        <source>Nuggets</source>
        <translation>Nuggets</translation>
    </message>
    <message>
        <source>Ratings</source>
        <translation>Bewertungen</translation>
    </message>
    <message>
        <source>no role</source>
        <translation>keine Rolle</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>Thema</translation>
    </message>
    <message>
        <source>not assigned</source>
        <translation>nicht zugeteilt</translation>
    </message>
    <message>
        <source>Assignment</source>
        <translation>Zuteilung</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>Topics and annotators</source>
        <translation>Themen und Annotatoren</translation>
    </message>
    <message>
        <source>Annotators per shared topic</source>
        <translation>Annotatoren pro gemeinsamem Thema</translation>
    </message>
    <message>
        <source>Topics with several annotators, in per cent</source>
        <translation>Themen mit mehreren Annotatoren, in Prozent</translation>
    </message>
    <message>
        <source>Propose</source>
        <translation>Vorschlagen</translation>
    </message>
    <message>
        <source>Everyone looks for the nuggets of</source>
        <translation>Alle suchen die Nuggets von</translation>
    </message>
    <message>
        <source>Add annotator</source>
        <translation>Annotator hinzufügen</translation>
    </message>
    <message>
        <source>Name of an annotator</source>
        <translation>Name eines Annotators</translation>
    </message>
    <message>
        <source>Annotator</source>
        <translation>Annotator</translation>
    </message>
    <message>
        <source>Role</source>
        <translation>Rolle</translation>
    </message>
    <message>
        <source>Only those marked done</source>
        <translation>Nur als fertig markierte</translation>
    </message>
    <message>
        <source>Shared nuggets</source>
        <translation>Gemeinsame Nuggets</translation>
    </message>
    <message>
        <source>Everyone matches against the pyramids of</source>
        <translation>Alle ordnen den Pyramiden zu von</translation>
    </message>
    <message>
        <source>whom they choose</source>
        <translation>selbst gewählten Annotatoren</translation>
    </message>
    <message>
        <source>of the topics, one for the others</source>
        <translation>der Themen, einer für die übrigen</translation>
    </message>
    <message>
        <source>Restore a backup</source>
        <translation>Sicherung wiederherstellen</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Made</source>
        <translation>Erstellt</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Edits</source>
        <translation>Änderungen</translation>
    </message>
    <message>
        <source>Annotations</source>
        <translation>Annotationen</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Verified</source>
        <translation>Überprüft</translation>
    </message>
    <message>
        <source>Backups</source>
        <translation>Sicherungen</translation>
    </message>
    <message>
        <source>Checking the backups…</source>
        <translation>Sicherungen werden geprüft…</translation>
    </message>
    <message>
        <source>Choose another file…</source>
        <translation>Andere Datei wählen…</translation>
    </message>
    <message>
        <source>The current file is backed up first, so you can return to it.</source>
        <translation>Die aktuelle Datei wird zuerst gesichert, damit Sie zu ihr zurückkehren können.</translation>
    </message>
    <message>
        <source>There are no backups in {where}.</source>
        <translation>In {where} gibt es keine Sicherungen.</translation>
    </message>
    <message>
        <source>Close without backup</source>
        <translation>Ohne Sicherung schließen</translation>
    </message>
    <message>
        <source>Backup</source>
        <translation>Sicherung</translation>
    </message>
    <message>
        <source>All edits are saved. The window closes when the backup is complete.</source>
        <translation>Alle Änderungen sind gespeichert. Das Fenster schließt sich, wenn die Sicherung abgeschlossen ist.</translation>
    </message>
    <message>
        <source>Comment</source>
        <translation>Kommentar</translation>
    </message>
    <message>
        <source>Reading comments</source>
        <translation>Kommentare werden gelesen</translation>
    </message>
    <message>
        <source>Select a topic first.</source>
        <translation>Wählen Sie zuerst ein Thema.</translation>
    </message>
    <message>
        <source>On topic {name}</source>
        <translation>Zum Thema {name}</translation>
    </message>
    <message>
        <source>a unit that was removed</source>
        <translation>eine entfernte Einheit</translation>
    </message>
    <message>
        <source>a scale that was removed</source>
        <translation>eine entfernte Skala</translation>
    </message>
    <message>
        <source>a summary that was removed</source>
        <translation>eine entfernte Zusammenfassung</translation>
    </message>
    <message>
        <source>Comments and flags</source>
        <translation>Kommentare und Fähnchen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open</source>
        <comment>adjective</comment>
        <translation>Offen</translation>
    </message>
    <message>
        <source>Filter by any word</source>
        <translation>Nach beliebigem Wort filtern</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Betrifft</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>Diskussion</translation>
    </message>
    <message>
        <source>Write a comment</source>
        <translation>Kommentar schreiben</translation>
    </message>
    <message>
        <source>Current item</source>
        <translation>Aktuelles Element</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>Resolve</source>
        <translation>Erledigen</translation>
    </message>
    <message>
        <source>A resolved thread is listed under All; another comment opens it again.</source>
        <translation>Eine erledigte Diskussion steht unter „Alle“; ein weiterer Kommentar öffnet sie wieder.</translation>
    </message>
    <message>
        <source>Control</source>
        <translation>Kontrolle</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Schulung</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen…</translation>
    </message>
    <message>
        <source>Nobody else has annotated these topics yet.</source>
        <translation>Noch niemand sonst hat diese Themen annotiert.</translation>
    </message>
    <message>
        <source>Checking control topics</source>
        <translation>Kontrollthemen werden geprüft</translation>
    </message>
    <message>
        <source>Annotators are not told which topics are control topics. On training topics they see the known annotation after their own: the rating on the scale, and differences in a summary that they mark done.</source>
        <translation>Annotatoren erfahren nicht, welche Themen Kontrollthemen sind. Bei Schulungsthemen sehen sie nach ihrer eigenen die bekannte Annotation: die Bewertung auf der Skala und die Unterschiede in einer Zusammenfassung, die sie als fertig markieren.</translation>
    </message>
    <message>
        <source>Control and training topics</source>
        <translation>Kontroll- und Schulungsthemen</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwendung</translation>
    </message>
    <message>
        <source>Known annotation</source>
        <translation>Bekannte Annotation</translation>
    </message>
    <message>
        <source>Topics</source>
        <translation>Themen</translation>
    </message>
    <message>
        <source>Known annotation of</source>
        <translation>Bekannte Annotation von</translation>
    </message>
    <message>
        <source>No check</source>
        <translation>Keine Prüfung</translation>
    </message>
    <message>
        <source>Selected topics</source>
        <translation>Ausgewählte Themen</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Use the changed file</source>
        <translation>Geänderte Datei verwenden</translation>
    </message>
    <message>
        <source>Looking for data sets</source>
        <translation>Datensätze werden gesucht</translation>
    </message>
    <message>
        <source>Importing</source>
        <translation>Wird importiert</translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation>Wird heruntergeladen</translation>
    </message>
    <message>
        <source>An internal error occurred. A crash report was saved.</source>
        <translation>Ein interner Fehler ist aufgetreten. Ein Absturzbericht wurde gespeichert.</translation>
    </message>
    <message>
        <source>Data sets are downloaded from their authors&apos; servers, and only when you ask for it. Licences and citations are those that the authors name.</source>
        <translation>Datensätze werden von den Servern ihrer Autoren heruntergeladen, und nur auf Ihren Wunsch. Lizenzen und Zitierangaben sind die von den Autoren genannten.</translation>
    </message>
    <message>
        <source>Stopped. What was downloaded is kept, and the next download continues there.</source>
        <translation>Angehalten. Das Heruntergeladene bleibt erhalten, und der nächste Download wird dort fortgesetzt.</translation>
    </message>
    <message>
        <source>Partly</source>
        <translation>Teilweise</translation>
    </message>
    <message>
        <source>Yes</source>
        <translation>Ja</translation>
    </message>
    <message>
        <source>No</source>
        <translation>Nein</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Cite</source>
        <translation>Zitieren</translation>
    </message>
    <message>
        <source>Checked by</source>
        <translation>Geprüft durch</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Get a public data set</source>
        <translation>Öffentlichen Datensatz laden</translation>
    </message>
    <message>
        <source>Download…</source>
        <translation>Herunterladen…</translation>
    </message>
    <message>
        <source>Data set</source>
        <translation>Datensatz</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>Auf diesem Computer</translation>
    </message>
    <message>
        <source>Public data sets</source>
        <translation>Öffentliche Datensätze</translation>
    </message>
    <message>
        <source>Open the page of the data set in the browser</source>
        <translation>Seite des Datensatzes im Browser öffnen</translation>
    </message>
    <message>
        <source>Import into</source>
        <translation>Importieren in</translation>
    </message>
    <message>
        <source>A new study</source>
        <translation>Neue Studie</translation>
    </message>
    <message>
        <source>The open study</source>
        <translation>Geöffnete Studie</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Open {page}</source>
        <translation>{page} öffnen</translation>
    </message>
    <message>
        <source>Create study</source>
        <translation>Studie anlegen</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>{verb} and add</source>
        <translation>{verb} und hinzufügen</translation>
    </message>
    <message>
        <source>Not published by the server</source>
        <translation>Vom Server nicht angegeben</translation>
    </message>
    <message>
        <source>It is named in the report of the import.</source>
        <translation>Die Spalte wird im Importbericht genannt.</translation>
    </message>
    <message>
        <source>The item that is summarized, such as D04 or a number of a dialogue.</source>
        <translation>Das, was zusammengefasst wird, z. B. D04 oder die Nummer eines Dialogs.</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>The title of the topic, such as “Harbour closed by a storm”.</source>
        <translation>Der Titel des Themas, z. B. „Hafen wegen Sturm gesperrt“.</translation>
    </message>
    <message>
        <source>Query</source>
        <translation>Anfrage</translation>
    </message>
    <message>
        <source>The question that summaries of the topic answer.</source>
        <translation>Die Frage, die Zusammenfassungen des Themas beantworten.</translation>
    </message>
    <message>
        <source>Set</source>
        <translation>Themensatz</translation>
    </message>
    <message>
        <source>The part of the data that the topic belongs to, such as validation.</source>
        <translation>Der Teil der Daten, zu dem das Thema gehört, z. B. Validierung.</translation>
    </message>
    <message>
        <source>Text of the document</source>
        <translation>Text des Dokuments</translation>
    </message>
    <message>
        <source>The text that is summarized.</source>
        <translation>Der Text, der zusammengefasst wird.</translation>
    </message>
    <message>
        <source>A name of the document.</source>
        <translation>Ein Name des Dokuments.</translation>
    </message>
    <message>
        <source>Text of the reference</source>
        <translation>Text der Referenz</translation>
    </message>
    <message>
        <source>A summary by a person, which others are compared with.</source>
        <translation>Eine Zusammenfassung eines Menschen, mit der andere verglichen werden.</translation>
    </message>
    <message>
        <source>The author, if all references are by one.</source>
        <translation>Der Autor, wenn alle Referenzen von einem sind.</translation>
    </message>
    <message>
        <source>Text of the summary</source>
        <translation>Text der Zusammenfassung</translation>
    </message>
    <message>
        <source>A summary by a system.</source>
        <translation>Eine Zusammenfassung eines Systems.</translation>
    </message>
    <message>
        <source>The system, if all summaries are of one.</source>
        <translation>Das System, wenn alle Zusammenfassungen von einem sind.</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>Who made the summary, such as bart or lead-3.</source>
        <translation>Wer die Zusammenfassung erstellt hat, z. B. bart oder lead-3.</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>Autor</translation>
    </message>
    <message>
        <source>Who wrote the reference, such as A.</source>
        <translation>Wer die Referenz geschrieben hat, z. B. A.</translation>
    </message>
    <message>
        <source>Judge</source>
        <comment>model</comment>
        <translation>Judge-Modell</translation>
    </message>
    <message>
        <source>A language model that gave the ratings of the row: they become scores, such as gpt-4o.fluency.</source>
        <translation>Ein Sprachmodell, das die Bewertungen der Zeile abgegeben hat: Sie werden zu Werten, z. B. gpt-4o.fluency.</translation>
    </message>
    <message>
        <source>The judge, if the column has its ratings.</source>
        <translation>Das Judge-Modell, wenn die Spalte seine Bewertungen enthält.</translation>
    </message>
    <message>
        <source>Who gave the ratings of the row, such as w17.</source>
        <translation>Wer die Bewertungen der Zeile abgegeben hat, z. B. w17.</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>The group of the annotator, such as experts.</source>
        <translation>Die Gruppe des Annotators, z. B. experts.</translation>
    </message>
    <message>
        <source>Rating</source>
        <translation>Bewertung</translation>
    </message>
    <message>
        <source>A judgement by a person, such as 4 on a scale from 1 to 5, or yes.</source>
        <translation>Ein Urteil eines Menschen, z. B. 4 auf einer Skala von 1 bis 5, oder yes.</translation>
    </message>
    <message>
        <source>The dimension, with its scale such as fluency (1-7) if it is not the usual one; dimension@annotator if the column is of one annotator.</source>
        <translation>Die Dimension, mit ihrer Skala wie fluency (1-7), wenn diese nicht die übliche ist; dimension@annotator, wenn die Spalte von einem einzigen Annotator ist.</translation>
    </message>
    <message>
        <source>Score</source>
        <comment>noun</comment>
        <translation>Wert</translation>
    </message>
    <message>
        <source>A number of a metric, such as 0.41 of ROUGE-1.</source>
        <translation>Eine Zahl einer Metrik, z. B. 0.41 von ROUGE-1.</translation>
    </message>
    <message>
        <source>The name of the measure.</source>
        <translation>Der Name des Maßes.</translation>
    </message>
    <message>
        <source>Dimension</source>
        <translation>Dimension</translation>
    </message>
    <message>
        <source>What the value of the row rates, such as fluency.</source>
        <translation>Was der Wert der Zeile bewertet, z. B. fluency.</translation>
    </message>
    <message>
        <source>What the value of the row is of, such as ROUGE-1.</source>
        <translation>Wovon der Wert der Zeile ist, z. B. ROUGE-1.</translation>
    </message>
    <message>
        <source>The rating or score of the row, such as 4.</source>
        <translation>Die Bewertung oder der Wert der Zeile, z. B. 4.</translation>
    </message>
    <message>
        <source>A remark of the annotator on the rating.</source>
        <translation>Eine Anmerkung des Annotators zur Bewertung.</translation>
    </message>
    <message>
        <source>Leave out rows</source>
        <translation>Zeilen auslassen</translation>
    </message>
    <message>
        <source>Rows with the word Rejected in this column are left out.</source>
        <translation>Zeilen mit dem Wort Rejected in dieser Spalte werden ausgelassen.</translation>
    </message>
    <message>
        <source>guessed; change what is wrong</source>
        <translation>vermutet; ändern Sie, was falsch ist</translation>
    </message>
    <message>
        <source>choose what each column contains</source>
        <translation>wählen Sie, was jede Spalte enthält</translation>
    </message>
    <message>
        <source>as the format reads them</source>
        <translation>wie das Format sie liest</translation>
    </message>
    <message>
        <source>Every column is listed. {} The report of the import repeats this.</source>
        <translation>Jede Spalte ist aufgeführt. {} Der Importbericht wiederholt dies.</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>Spalte</translation>
    </message>
    <message>
        <source>First values</source>
        <translation>Erste Werte</translation>
    </message>
    <message>
        <source>Becomes</source>
        <translation>Wird zu</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>Ausgelassen</translation>
    </message>
    <message>
        <source>becomes {title}</source>
        <translation>wird zu {title}</translation>
    </message>
    <message>
        <source>first values {values}</source>
        <translation>erste Werte {values}</translation>
    </message>
    <message>
        <source>{column} becomes</source>
        <translation>{column} wird zu</translation>
    </message>
    <message>
        <source>Name for {column}</source>
        <translation>Name für {column}</translation>
    </message>
    <message>
        <source>Columns of the file</source>
        <translation>Spalten der Datei</translation>
    </message>
    <message>
        <source>All are used.</source>
        <translation>Alle werden verwendet.</translation>
    </message>
    <message>
        <source>One is not used.</source>
        <translation>Eine wird nicht verwendet.</translation>
    </message>
    <message>
        <source>{unused:,} are not used.</source>
        <translation>{unused:,} werden nicht verwendet.</translation>
    </message>
    <message>
        <source>One row per text</source>
        <translation>Eine Zeile pro Text</translation>
    </message>
    <message>
        <source>One row per summary, with its reference</source>
        <translation>Eine Zeile pro Zusammenfassung, mit ihrer Referenz</translation>
    </message>
    <message>
        <source>Ratings of summaries</source>
        <translation>Bewertungen von Zusammenfassungen</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the table “{title}”</source>
        <translation>Tabelle „{title}“ kopieren</translation>
    </message>
    <message>
        <source>The file cannot be read in this encoding. Choose its encoding.</source>
        <translation>Die Datei kann in dieser Zeichenkodierung nicht gelesen werden. Wählen Sie ihre Zeichenkodierung.</translation>
    </message>
    <message>
        <source>Detected</source>
        <translation>Erkannt</translation>
    </message>
    <message>
        <source>Western (Windows-1252)</source>
        <translation>Westlich (Windows-1252)</translation>
    </message>
    <message>
        <source>Western (ISO 8859-15)</source>
        <translation>Westlich (ISO 8859-15)</translation>
    </message>
    <message>
        <source>Central European (Windows-1250)</source>
        <translation>Mitteleuropäisch (Windows-1250)</translation>
    </message>
    <message>
        <source>Cyrillic (Windows-1251)</source>
        <translation>Kyrillisch (Windows-1251)</translation>
    </message>
    <message>
        <source>Japanese (Shift JIS)</source>
        <translation>Japanisch (Shift JIS)</translation>
    </message>
    <message>
        <source>Chinese (GB 18030)</source>
        <translation>Chinesisch (GB 18030)</translation>
    </message>
    <message>
        <source>Korean (CP949)</source>
        <translation>Koreanisch (CP949)</translation>
    </message>
    <message>
        <source>Comma</source>
        <translation>Komma</translation>
    </message>
    <message>
        <source>Semicolon</source>
        <translation>Semikolon</translation>
    </message>
    <message>
        <source>Bar</source>
        <translation>Senkrechter Strich</translation>
    </message>
    <message>
        <source>Limits of the rating scale, such as 1-5 or 0-100.</source>
        <translation>Grenzen der Bewertungsskala, z. B. 1-5 oder 0-100.</translation>
    </message>
    <message>
        <source>Each row is a topic</source>
        <translation>Jede Zeile ist ein Thema</translation>
    </message>
    <message>
        <source>Sheet or split</source>
        <translation>Blatt oder Aufteilung</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>Zeichenkodierung</translation>
    </message>
    <message>
        <source>Separator</source>
        <translation>Trennzeichen</translation>
    </message>
    <message>
        <source>Rating scale</source>
        <translation>Bewertungsskala</translation>
    </message>
    <message>
        <source>Pattern of the file names. Fields: {topic}, {system}, {annotator}, and {author} for a summary written by a person; * matches anything. Separate patterns with semicolons. Empty: common patterns are tried.</source>
        <translation>Muster der Dateinamen. Felder: {topic}, {system}, {annotator} und {author} für eine von einem Menschen geschriebene Zusammenfassung; * passt auf alles. Trennen Sie Muster mit Semikolons. Leer: Übliche Muster werden versucht.</translation>
    </message>
    <message>
        <source>The annotator, if the file names do not contain one. Imported annotations belong to this annotator: switch to it to continue the work, or enter your own name here.</source>
        <translation>Der Annotator, wenn die Dateinamen keinen enthalten. Importierte Annotationen gehören diesem Annotator: Wechseln Sie zu ihm, um die Arbeit fortzusetzen, oder geben Sie hier Ihren eigenen Namen ein.</translation>
    </message>
    <message>
        <source>Used if a file does not mark where each reference begins. Enter “proposed” for the most likely lines, line numbers such as 1, 9, 20, or a regular expression that matches the heading of each reference.</source>
        <translation>Wird verwendet, wenn eine Datei nicht angibt, wo jede Referenz beginnt. Geben Sie „proposed“ für die wahrscheinlichsten Zeilen ein, Zeilennummern wie 1, 9, 20 oder einen regulären Ausdruck, der auf die Überschrift jeder Referenz passt.</translation>
    </message>
    <message>
        <source>A span whose text differs from the file&apos;s is moved to where the text of the file occurs.</source>
        <translation>Eine Spanne, deren Text von dem der Datei abweicht, wird dorthin verschoben, wo der Text der Datei vorkommt.</translation>
    </message>
    <message>
        <source>as marked in the files</source>
        <translation>wie in den Dateien markiert</translation>
    </message>
    <message>
        <source>Move misplaced spans to their text</source>
        <translation>Falsch liegende Spannen zu ihrem Text verschieben</translation>
    </message>
    <message>
        <source>File names</source>
        <translation>Dateinamen</translation>
    </message>
    <message>
        <source>References begin</source>
        <translation>Referenzen beginnen</translation>
    </message>
    <message>
        <source>(no text)</source>
        <translation>(kein Text)</translation>
    </message>
    <message>
        <source>Saving the mapping</source>
        <translation>Zuordnungsdatei wird gespeichert</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Wird gelesen</translation>
    </message>
    <message>
        <source>The import failed because of an internal error. A crash report was saved.</source>
        <translation>Der Import ist wegen eines internen Fehlers fehlgeschlagen. Ein Absturzbericht wurde gespeichert.</translation>
    </message>
    <message>
        <source>Query: {query}</source>
        <translation>Anfrage: {query}</translation>
    </message>
    <message>
        <source>Set: {set}</source>
        <translation>Themensatz: {set}</translation>
    </message>
    <message>
        <source>Document {name}</source>
        <translation>Dokument {name}</translation>
    </message>
    <message>
        <source>Reference {name}</source>
        <translation>Referenz {name}</translation>
    </message>
    <message>
        <source>Nothing new: the study already contains everything in the source.</source>
        <translation>Nichts Neues: Die Studie enthält bereits alles aus der Quelle.</translation>
    </message>
    <message>
        <source>Imported {added}.</source>
        <translation>Importiert: {added}.</translation>
    </message>
    <message numerus="yes">
        <source>%n bad rows were skipped.</source>
        <translation>
            <numerusform>%n fehlerhafte Zeile wurde übersprungen.</numerusform>
            <numerusform>%n fehlerhafte Zeilen wurden übersprungen.</numerusform>
        </translation>
    </message>
    <message>
        <source>✓ No other problems</source>
        <translation>✓ Keine weiteren Probleme</translation>
    </message>
    <message>
        <source>What you get</source>
        <translation>Was Sie erhalten</translation>
    </message>
    <message>
        <source>nothing is written yet</source>
        <translation>noch ist nichts geschrieben</translation>
    </message>
    <message>
        <source>topic</source>
        <translation>Thema</translation>
    </message>
    <message>
        <source>Texts of the topic</source>
        <translation>Texte des Themas</translation>
    </message>
    <message>
        <source>Problems in the import</source>
        <translation>Probleme beim Import</translation>
    </message>
    <message numerus="yes">
        <source>%n bad rows</source>
        <translation>
            <numerusform>%n fehlerhafte Zeile</numerusform>
            <numerusform>%n fehlerhafte Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problems</source>
        <translation>
            <numerusform>%n Problem</numerusform>
            <numerusform>%n Probleme</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>checked all %n rows</source>
        <translation>
            <numerusform>%n Zeile geprüft</numerusform>
            <numerusform>alle %n Zeilen geprüft</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more texts</source>
        <translation>
            <numerusform>%n weiterer Text</numerusform>
            <numerusform>%n weitere Texte</numerusform>
        </translation>
    </message>
    <message>
        <source>Preview of the import</source>
        <translation>Vorschau des Imports</translation>
    </message>
    <message>
        <source> by {by}</source>
        <translation> von {by}</translation>
    </message>
    <message>
        <source>left out</source>
        <translation>ausgelassen</translation>
    </message>
    <message>
        <source>unchanged</source>
        <translation>unverändert</translation>
    </message>
    <message>
        <source>Import {counted}</source>
        <translation>{counted} importieren</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Change it</source>
        <translation>Ändern</translation>
    </message>
    <message>
        <source>A settings file can refer to any file on this computer. Texts outside the folder of the settings file are imported only if this is checked; the preview lists them.</source>
        <translation>Eine Einstellungsdatei kann auf beliebige Dateien dieses Computers verweisen. Texte außerhalb des Ordners der Einstellungsdatei werden nur importiert, wenn dies angekreuzt ist; die Vorschau führt sie auf.</translation>
    </message>
    <message>
        <source>The annotator of everything in the source that names none.</source>
        <translation>Der Annotator für alles in der Quelle, das keinen nennt.</translation>
    </message>
    <message>
        <source>No file or folder chosen yet</source>
        <translation>Noch keine Datei und kein Ordner gewählt</translation>
    </message>
    <message>
        <source>Tables that can be imported</source>
        <translation>Tabellen, die importiert werden können</translation>
    </message>
    <message>
        <source>copy one, fill it in, choose the file</source>
        <translation>eine kopieren, ausfüllen, die Datei wählen</translation>
    </message>
    <message>
        <source>“{}” was copied. Paste it into a spreadsheet, or into a text file named .tsv.</source>
        <translation>„{}“ wurde kopiert. Fügen Sie die Tabelle in eine Tabellenkalkulation ein oder in eine Textdatei mit der Endung .tsv.</translation>
    </message>
    <message>
        <source>Stopped. Press “Check again” to continue.</source>
        <translation>Angehalten. Drücken Sie „Erneut prüfen“, um fortzufahren.</translation>
    </message>
    <message>
        <source>Choose the encoding</source>
        <translation>Zeichenkodierung wählen</translation>
    </message>
    <message>
        <source>Detected from the source</source>
        <translation>Aus der Quelle erkannt</translation>
    </message>
    <message>
        <source>Source documents: those in the file</source>
        <translation>Quelldokumente: die in der Datei</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>Datei…</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>Ordner…</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Source documents…</source>
        <translation>Quelldokumente…</translation>
    </message>
    <message>
        <source>Read texts outside the folder of the file</source>
        <translation>Texte außerhalb des Ordners der Datei lesen</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>References by</source>
        <translation>Referenzen von</translation>
    </message>
    <message>
        <source>Contents of each file</source>
        <translation>Inhalt jeder Datei</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>Erneut prüfen</translation>
    </message>
    <message>
        <source>Skip bad rows</source>
        <translation>Fehlerhafte Zeilen überspringen</translation>
    </message>
    <message>
        <source>Import only valid rows; skipped rows are listed.</source>
        <translation>Nur gültige Zeilen importieren; übersprungene Zeilen werden aufgeführt.</translation>
    </message>
    <message>
        <source>Update</source>
        <translation>Aktualisieren</translation>
    </message>
    <message>
        <source>Replace ratings, and titles, queries and sets of topics, that differ in the study. Replaced ratings can be undone.</source>
        <translation>Bewertungen sowie Titel, Anfragen und Themensätze ersetzen, die von der Studie abweichen. Ersetzte Bewertungen können rückgängig gemacht werden.</translation>
    </message>
    <message>
        <source>Offsets count grapheme clusters</source>
        <translation>Positionen zählen Graphemcluster</translation>
    </message>
    <message>
        <source>As in doccano projects that count grapheme clusters as one character.</source>
        <translation>Wie in doccano-Projekten, die Graphemcluster als ein Zeichen zählen.</translation>
    </message>
    <message>
        <source> Such files are recognized from now on.</source>
        <translation> Solche Dateien werden von nun an erkannt.</translation>
    </message>
    <message>
        <source>The mapping was saved as {file}.</source>
        <translation>Die Zuordnungsdatei wurde als {file} gespeichert.</translation>
    </message>
    <message numerus="yes">
        <source> · %n rows</source>
        <translation>
            <numerusform> · %n Zeile</numerusform>
            <numerusform> · %n Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n or more problems</source>
        <translation>
            <numerusform>%n oder mehr Probleme</numerusform>
            <numerusform>%n oder mehr Probleme</numerusform>
        </translation>
    </message>
    <message>
        <source>{problems}. Fix it to import.</source>
        <translation>{problems}. Zum Importieren beheben.</translation>
    </message>
    <message>
        <source>{problems}. Fix them to import.</source>
        <translation>{problems}. Zum Importieren beheben.</translation>
    </message>
    <message numerus="yes">
        <source>%n bad rows will be skipped.</source>
        <translation>
            <numerusform>%n fehlerhafte Zeile wird übersprungen.</numerusform>
            <numerusform>%n fehlerhafte Zeilen werden übersprungen.</numerusform>
        </translation>
    </message>
    <message>
        <source>What the columns are</source>
        <translation>Was die Spalten sind</translation>
    </message>
    <message>
        <source>Name of the annotator</source>
        <translation>Name des Annotators</translation>
    </message>
    <message>
        <source>Save as a file…</source>
        <translation>Als Datei speichern…</translation>
    </message>
    <message>
        <source>Recognize such files from now on</source>
        <translation>Solche Dateien künftig erkennen</translation>
    </message>
    <message>
        <source>read as</source>
        <translation>gelesen als</translation>
    </message>
    <message>
        <source>The source does not name the annotator. Enter the name.</source>
        <translation>Die Quelle nennt den Annotator nicht. Geben Sie den Namen ein.</translation>
    </message>
    <message>
        <source>{different:,} differ from the study and are not imported: {names}</source>
        <translation>{different:,} weichen von der Studie ab und werden nicht importiert: {names}</translation>
    </message>
    <message>
        <source>“Update” replaces ratings and what topics are about.</source>
        <translation>„Aktualisieren“ ersetzt Bewertungen und das, wovon Themen handeln.</translation>
    </message>
    <message>
        <source>ID column</source>
        <translation>ID-Spalte</translation>
    </message>
    <message>
        <source>Title column</source>
        <translation>Titelspalte</translation>
    </message>
    <message>
        <source>title, if present</source>
        <translation>title, falls vorhanden</translation>
    </message>
    <message>
        <source>Text column</source>
        <translation>Textspalte</translation>
    </message>
    <message>
        <source>Build an index</source>
        <translation>Index erstellen</translation>
    </message>
    <message>
        <source>Files and folders</source>
        <translation>Dateien und Ordner</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>Ordner hinzufügen…</translation>
    </message>
    <message>
        <source>Adds every .txt file in the folder and its subfolders as a document; without .txt files, its PubMed and PMC files</source>
        <translation>Fügt jede .txt-Datei des Ordners und seiner Unterordner als Dokument hinzu; ohne .txt-Dateien die PubMed- und PMC-Dateien</translation>
    </message>
    <message>
        <source>Add files…</source>
        <translation>Dateien hinzufügen…</translation>
    </message>
    <message>
        <source>Tables with one document per row, PubMed and PMC files, text files, or other studies</source>
        <translation>Tabellen mit einem Dokument pro Zeile, PubMed- und PMC-Dateien, Textdateien oder andere Studien</translation>
    </message>
    <message>
        <source>Remove the selected file or folder from this list</source>
        <translation>Ausgewählte Datei oder ausgewählten Ordner aus dieser Liste entfernen</translation>
    </message>
    <message>
        <source>This study&apos;s {study}</source>
        <translation>{study} dieser Studie</translation>
    </message>
    <message numerus="yes">
        <source>%n documents</source>
        <translation>
            <numerusform>%n Dokument</numerusform>
            <numerusform>%n Dokumente</numerusform>
        </translation>
    </message>
    <message>
        <source>This study&apos;s documents</source>
        <translation>Dokumente dieser Studie</translation>
    </message>
    <message>
        <source>Remove English stop words</source>
        <translation>Englische Stoppwörter entfernen</translation>
    </message>
    <message>
        <source>The index {name} will be replaced.</source>
        <translation>Der Index {name} wird ersetzt.</translation>
    </message>
    <message>
        <source>Stemming</source>
        <translation>Stemming</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Letters and digits; also - _ . after the first character. SERA refers to it by this name.</source>
        <translation>Buchstaben und Ziffern; nach dem ersten Zeichen auch - _ . SERA verwendet den Index unter diesem Namen.</translation>
    </message>
    <message>
        <source>Name of the column in the tables, if it is not one of the usual names</source>
        <translation>Name der Spalte in den Tabellen, wenn er keiner der üblichen ist</translation>
    </message>
    <message>
        <source>PubMed and PMC</source>
        <translation>PubMed und PMC</translation>
    </message>
    <message>
        <source>Index the {part} of citations and articles</source>
        <translation>{part} von Literaturangaben und Artikeln indexieren</translation>
    </message>
    <message>
        <source>Select files with documents</source>
        <translation>Dateien mit Dokumenten auswählen</translation>
    </message>
    <message>
        <source>Documents ({kinds})</source>
        <translation>Dokumente ({kinds})</translation>
    </message>
    <message>
        <source>Select a folder of texts</source>
        <translation>Ordner mit Texten auswählen</translation>
    </message>
    <message>
        <source>Building the index {name}</source>
        <translation>Index {name} wird erstellt</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbindung wird hergestellt…</translation>
    </message>
    <message>
        <source>Uploading the index {name}</source>
        <translation>Index {name} wird hochgeladen</translation>
    </message>
    <message>
        <source>Listing indexes</source>
        <translation>Indizes werden aufgelistet</translation>
    </message>
    <message>
        <source>The index is uploaded. As SERA&apos;s index, choose the server {address}.</source>
        <translation>Der Index ist hochgeladen. Wählen Sie als Index von SERA den Server {address}.</translation>
    </message>
    <message>
        <source>And {more:,} more.</source>
        <translation>Und {more:,} weitere.</translation>
    </message>
    <message numerus="yes">
        <source>%n indexes</source>
        <translation>
            <numerusform>%n Index</numerusform>
            <numerusform>%n Indizes</numerusform>
        </translation>
    </message>
    <message>
        <source>Porter stemmer</source>
        <translation>Porter-Stemmer</translation>
    </message>
    <message>
        <source>English stemmer (Porter 2)</source>
        <translation>Englischer Stemmer (Porter 2)</translation>
    </message>
    <message>
        <source>No stemming</source>
        <translation>Kein Stemming</translation>
    </message>
    <message>
        <source>, stop words removed</source>
        <translation>, Stoppwörter entfernt</translation>
    </message>
    <message>
        <source>set in SERA</source>
        <translation>in SERA eingestellt</translation>
    </message>
    <message>
        <source>this study</source>
        <translation>diese Studie</translation>
    </message>
    <message>
        <source>SERA searches these documents unless another index is chosen. They are indexed when it runs.</source>
        <translation>SERA durchsucht diese Dokumente, wenn kein anderer Index gewählt ist. Sie werden bei der Ausführung indexiert.</translation>
    </message>
    <message>
        <source>The study has no documents. Import documents or build an index.</source>
        <translation>Die Studie hat keine Dokumente. Importieren Sie Dokumente oder erstellen Sie einen Index.</translation>
    </message>
    <message>
        <source>Folder: {place}</source>
        <translation>Ordner: {place}</translation>
    </message>
    <message>
        <source>To use it, choose {name} as the index of SERA on the Score page.</source>
        <translation>Um ihn zu verwenden, wählen Sie auf der Seite „Berechnen“ {name} als Index von SERA.</translation>
    </message>
    <message>
        <source>Text analysis: {analysis_text}. Built {made} from {origin}.</source>
        <translation>Textanalyse: {analysis_text}. Erstellt {made} aus {origin}.</translation>
    </message>
    <message>
        <source>{title}, all words</source>
        <translation>{title}, alle Wörter</translation>
    </message>
    <message>
        <source>The index {name} is built: {documents}, {tokens}, {format_known_bytes}.</source>
        <translation>Der Index {name} ist erstellt: {documents}, {tokens}, {format_known_bytes}.</translation>
    </message>
    <message numerus="yes">
        <source>%n words</source>
        <translation>
            <numerusform>%n Wort</numerusform>
            <numerusform>%n Wörter</numerusform>
        </translation>
    </message>
    <message>
        <source>not usable</source>
        <translation>nicht verwendbar</translation>
    </message>
    <message>
        <source>Upload {name} to a server</source>
        <translation>{name} auf einen Server hochladen</translation>
    </message>
    <message>
        <source>Upload</source>
        <translation>Hochladen</translation>
    </message>
    <message>
        <source>Replace another index of that name</source>
        <translation>Anderen Index dieses Namens ersetzen</translation>
    </message>
    <message>
        <source>The old index is searched until this one is complete, then removed</source>
        <translation>Der alte Index wird durchsucht, bis dieser vollständig ist, und dann entfernt</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>URL of an Elasticsearch server, version 8 or 9. The index is called {lower} there, or as the address ends.</source>
        <translation>URL eines Elasticsearch-Servers, Version 8 oder 9. Der Index heißt dort {lower} oder so, wie die Adresse endet.</translation>
    </message>
    <message>
        <source>Smoothing of the ranking. SERA needs the same value.</source>
        <translation>Glättung der Rangfolge. SERA braucht denselben Wert.</translation>
    </message>
    <message>
        <source>An API key or password is read from the environment, see Indexes in the help. An interrupted upload continues where it stopped.</source>
        <translation>Ein API-Schlüssel oder Passwort wird aus der Umgebung gelesen, siehe „Indizes“ in der Hilfe. Ein unterbrochenes Hochladen wird dort fortgesetzt, wo es abbrach.</translation>
    </message>
    <message>
        <source>Indexes</source>
        <translation>Indizes</translation>
    </message>
    <message>
        <source>Build an index…</source>
        <translation>Index erstellen…</translation>
    </message>
    <message>
        <source>Build an index from text files, tables or this study&apos;s documents</source>
        <translation>Index aus Textdateien, Tabellen oder den Dokumenten dieser Studie erstellen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>Upload to a server…</source>
        <translation>Auf einen Server hochladen…</translation>
    </message>
    <message>
        <source>Send the index to an Elasticsearch server</source>
        <translation>Index an einen Elasticsearch-Server senden</translation>
    </message>
    <message>
        <source>Copy upload command</source>
        <translation>Befehl zum Hochladen kopieren</translation>
    </message>
    <message>
        <source>Terminal command that uploads it to an Elasticsearch server; enter your server&apos;s address</source>
        <translation>Terminalbefehl, der den Index auf einen Elasticsearch-Server hochlädt; geben Sie die Adresse Ihres Servers ein</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>Entfernen…</translation>
    </message>
    <message>
        <source>Delete the index from this computer; scores are kept</source>
        <translation>Index von diesem Computer löschen; Werte bleiben erhalten</translation>
    </message>
    <message>
        <source>Building</source>
        <translation>Wird erstellt</translation>
    </message>
    <message>
        <source>Building or uploading the index</source>
        <translation>Index wird erstellt oder hochgeladen</translation>
    </message>
    <message>
        <source>Uploading {name}</source>
        <translation>Hochladen: {name}</translation>
    </message>
    <message>
        <source>Building {name}</source>
        <translation>Erstellen: {name}</translation>
    </message>
    <message>
        <source>Stop the upload; the next one continues where it stopped</source>
        <translation>Hochladen anhalten; das nächste wird dort fortgesetzt, wo dieses abbrach</translation>
    </message>
    <message>
        <source>Stop building and delete the unfinished index</source>
        <translation>Erstellen anhalten und den unfertigen Index löschen</translation>
    </message>
    <message>
        <source>Remove the index {name}?</source>
        <translation>Index {name} entfernen?</translation>
    </message>
    <message>
        <source>The index is deleted from this computer. Existing scores are kept; to score with it again, rebuild the index.</source>
        <translation>Der Index wird von diesem Computer gelöscht. Vorhandene Werte bleiben erhalten; um wieder damit zu berechnen, erstellen Sie den Index neu.</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>Number of words in all documents</source>
        <translation>Anzahl der Wörter in allen Dokumenten</translation>
    </message>
    <message>
        <source>Size on disk</source>
        <translation>Größe auf dem Datenträger</translation>
    </message>
    <message>
        <source>Text analysis</source>
        <translation>Textanalyse</translation>
    </message>
    <message>
        <source>Stemming and stop words</source>
        <translation>Stemming und Stoppwörter</translation>
    </message>
    <message>
        <source>Built</source>
        <translation>Erstellt</translation>
    </message>
    <message>
        <source>Sources</source>
        <translation>Quellen</translation>
    </message>
    <message>
        <source>Contacting the Hugging Face hub…</source>
        <translation>Verbindung zum Hugging Face Hub…</translation>
    </message>
    <message>
        <source>Downloading {title}</source>
        <translation>{title} wird heruntergeladen</translation>
    </message>
    <message>
        <source>Listing models</source>
        <translation>Modelle werden aufgelistet</translation>
    </message>
    <message>
        <source>Select {title}</source>
        <translation>{title} auswählen</translation>
    </message>
    <message>
        <source>Select a model folder</source>
        <translation>Modellordner auswählen</translation>
    </message>
    <message>
        <source>Select a file of word vectors</source>
        <translation>Datei mit Wortvektoren auswählen</translation>
    </message>
    <message>
        <source>Checking {name}</source>
        <translation>{name} wird geprüft</translation>
    </message>
    <message>
        <source>{installed} of {statuses} installed</source>
        <translation>{installed} von {statuses} installiert</translation>
    </message>
    <message>
        <source>searching…</source>
        <translation>wird gesucht…</translation>
    </message>
    <message>
        <source>Measuring the encoding cache</source>
        <translation>Zwischenspeicher der Kodierungen wird gemessen</translation>
    </message>
    <message>
        <source>The environment variable {variable} sets the limit</source>
        <translation>Die Umgebungsvariable {variable} legt die Grenze fest</translation>
    </message>
    <message>
        <source>Used by: {used_by}</source>
        <translation>Verwendet von: {used_by}</translation>
    </message>
    <message>
        <source>In the papers of: {metrics}</source>
        <translation>In den Aufsätzen zu: {metrics}</translation>
    </message>
    <message>
        <source>Licence: {licence}</source>
        <translation>Lizenz: {licence}</translation>
    </message>
    <message>
        <source>SHA-256 {sha256}</source>
        <translation>SHA-256 {sha256}</translation>
    </message>
    <message>
        <source>Hugging Face hub: {repository}. Nothing is downloaded until you press Download.</source>
        <translation>Hugging Face Hub: {repository}. Nichts wird heruntergeladen, bevor Sie „Herunterladen“ drücken.</translation>
    </message>
    <message>
        <source>installed</source>
        <translation>installiert</translation>
    </message>
    <message>
        <source>not installed</source>
        <translation>nicht installiert</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>beschädigt</translation>
    </message>
    <message>
        <source>downloading</source>
        <translation>wird geladen</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Find a model, a metric or a paper</source>
        <translation>Modell, Metrik oder Aufsatz suchen</translation>
    </message>
    <message>
        <source>Add word vectors…</source>
        <translation>Wortvektoren hinzufügen…</translation>
    </message>
    <message>
        <source>Work offline</source>
        <translation>Offline arbeiten</translation>
    </message>
    <message>
        <source>Never download anything from the network</source>
        <translation>Nie etwas aus dem Netz herunterladen</translation>
    </message>
    <message>
        <source>Add a model from a local folder; it is checked first</source>
        <translation>Modell aus einem lokalen Ordner hinzufügen; es wird zuerst geprüft</translation>
    </message>
    <message>
        <source>Add a word2vec, GloVe or fastText file</source>
        <translation>Datei von word2vec, GloVe oder fastText hinzufügen</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Choose a local copy…</source>
        <translation>Lokale Kopie wählen…</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>Use a copy on this computer; it is checked and not moved</source>
        <translation>Eine Kopie auf diesem Computer verwenden; sie wird geprüft und nicht verschoben</translation>
    </message>
    <message>
        <source>Copy the equivalent terminal command</source>
        <translation>Entsprechenden Terminalbefehl kopieren</translation>
    </message>
    <message>
        <source>Remove the model from the list; its files are not deleted</source>
        <translation>Modell aus der Liste entfernen; seine Dateien werden nicht gelöscht</translation>
    </message>
    <message>
        <source>Another download is running.</source>
        <translation>Ein anderer Download läuft.</translation>
    </message>
    <message>
        <source>{installed} of {rows} installed</source>
        <translation>{installed} von {rows} installiert</translation>
    </message>
    <message>
        <source>Size of the files</source>
        <translation>Größe der Dateien</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Approximate memory while it runs</source>
        <translation>Ungefährer Speicherbedarf bei der Ausführung</translation>
    </message>
    <message>
        <source>One pass</source>
        <translation>Ein Durchlauf</translation>
    </message>
    <message>
        <source>Estimated time to process all texts of this study once on the chosen device</source>
        <translation>Geschätzte Zeit, um alle Texte dieser Studie einmal auf dem gewählten Gerät zu verarbeiten</translation>
    </message>
    <message>
        <source>Cached encodings</source>
        <translation>Gespeicherte Kodierungen</translation>
    </message>
    <message>
        <source>Encodings of texts, stored so that later runs need not compute them again</source>
        <translation>Kodierungen von Texten, gespeichert, damit spätere Berechnungen sie nicht erneut berechnen müssen</translation>
    </message>
    <message>
        <source>Maximum size of cached encodings</source>
        <translation>Größter Umfang der gespeicherten Kodierungen</translation>
    </message>
    <message>
        <source>At most {format_bytes}</source>
        <translation>Höchstens {format_bytes}</translation>
    </message>
    <message>
        <source>Store none</source>
        <translation>Keine speichern</translation>
    </message>
    <message>
        <source>The least recently used encodings are deleted first</source>
        <translation>Die am längsten nicht verwendeten Kodierungen werden zuerst gelöscht</translation>
    </message>
    <message>
        <source>Delete all cached encodings; scores are kept</source>
        <translation>Alle gespeicherten Kodierungen löschen; Werte bleiben erhalten</translation>
    </message>
    <message>
        <source>The cache is empty</source>
        <translation>Der Zwischenspeicher ist leer</translation>
    </message>
    <message>
        <source>References</source>
        <translation>Referenzen</translation>
    </message>
    <message>
        <source>Summaries</source>
        <translation>Zusammenfassungen</translation>
    </message>
    <message>
        <source>Labels of SCUs and nuggets</source>
        <translation>Bezeichnungen von SCUs und Nuggets</translation>
    </message>
    <message>
        <source>Contributors and occurrences</source>
        <translation>Beiträge und Vorkommen</translation>
    </message>
    <message>
        <source>Units outside the pyramid</source>
        <translation>Einheiten außerhalb der Pyramide</translation>
    </message>
    <message>
        <source>Comments</source>
        <translation>Kommentare</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Reading the study to search it</source>
        <translation>Studie wird für die Suche gelesen</translation>
    </message>
    <message>
        <source>Searching</source>
        <translation>Suche läuft</translation>
    </message>
    <message>
        <source>1 match</source>
        <translation>1 Fundstelle</translation>
    </message>
    <message>
        <source>{total:,} matches</source>
        <translation>{total:,} Fundstellen</translation>
    </message>
    <message>
        <source>Reading the study…</source>
        <translation>Studie wird gelesen…</translation>
    </message>
    <message>
        <source>No matches in the study.</source>
        <translation>Keine Fundstellen in der Studie.</translation>
    </message>
    <message>
        <source>, the first {max_hits}</source>
        <translation>, die ersten {max_hits}</translation>
    </message>
    <message>
        <source>by {by}</source>
        <translation>von {by}</translation>
    </message>
    <message>
        <source>This place is in the pyramid of {by}; the page shows yours.</source>
        <translation>Diese Stelle ist in der Pyramide von {by}; die Seite zeigt die eigene.</translation>
    </message>
    <message>
        <source>Beginnings of words are enough: storm harb. Use quotes for a phrase: &quot;closed the harbour&quot;.</source>
        <translation>Wortanfänge genügen: storm harb. Anführungszeichen für eine Wortfolge: &quot;closed the harbour&quot;.</translation>
    </message>
    <message>
        <source>Search the study</source>
        <translation>Studie durchsuchen</translation>
    </message>
    <message>
        <source>Search texts, SCUs, comments and notes</source>
        <translation>Texte, SCUs, Kommentare und Notizen durchsuchen</translation>
    </message>
    <message>
        <source>Match</source>
        <comment>noun</comment>
        <translation>Fundstelle</translation>
    </message>
    <message>
        <source>Search results</source>
        <translation>Suchergebnisse</translation>
    </message>
    <message>
        <source>Everything on this topic is decided. Choose “All” to see the decisions.</source>
        <translation>Bei diesem Thema ist alles entschieden. Wählen Sie „Alle“, um die Entscheidungen zu sehen.</translation>
    </message>
    <message>
        <source>The study is blind, and you are one of the annotators of this topic: you see the others&apos; work after finishing your own.</source>
        <translation>Die Studie ist blind, und Sie sind einer der Annotatoren dieses Themas: Sie sehen die Arbeit der anderen, nachdem Sie Ihre eigene abgeschlossen haben.</translation>
    </message>
    <message>
        <source>The study has no topics yet.</source>
        <translation>Die Studie hat noch keine Themen.</translation>
    </message>
    <message>
        <source>Nothing was decided. Repeat your decision under your name.</source>
        <translation>Nichts wurde entschieden. Wiederholen Sie Ihre Entscheidung unter Ihrem Namen.</translation>
    </message>
    <message>
        <source>Everything is decided.</source>
        <translation>Alles ist entschieden.</translation>
    </message>
    <message>
        <source>Merging agreements</source>
        <translation>Übereinstimmungen werden zusammengeführt</translation>
    </message>
    <message>
        <source>“{text}” is not a number. Type a value of the scale.</source>
        <translation>„{text}“ ist keine Zahl. Geben Sie einen Wert der Skala ein.</translation>
    </message>
    <message>
        <source>Versions of {owner} (merge conflict)</source>
        <translation>Versionen von {owner} (Konflikt beim Zusammenführen)</translation>
    </message>
    <message>
        <source>Different annotators</source>
        <translation>Andere Annotatoren</translation>
    </message>
    <message>
        <source>{to_do} of {items}</source>
        <translation>{to_do} von {items}</translation>
    </message>
    <message numerus="yes">
        <source>Merged %n agreements. Undo works topic by topic.</source>
        <translation>
            <numerusform>%n Übereinstimmung übernommen. Rückgängig wirkt Thema für Thema.</numerusform>
            <numerusform>%n Übereinstimmungen übernommen. Rückgängig wirkt Thema für Thema.</numerusform>
        </translation>
    </message>
    <message>
        <source>{low:g} to {high:g}, then Enter</source>
        <translation>{low:g} bis {high:g}, dann Enter</translation>
    </message>
    <message>
        <source>{to_decide} of {items} to decide</source>
        <translation>{to_decide} von {items} zu entscheiden</translation>
    </message>
    <message>
        <source>Counting differences</source>
        <translation>Unterschiede werden gezählt</translation>
    </message>
    <message>
        <source>Summary {letter}</source>
        <translation>Zusammenfassung {letter}</translation>
    </message>
    <message>
        <source>version {number}</source>
        <translation>Version {number}</translation>
    </message>
    <message>
        <source>Version {number}</source>
        <translation>Version {number}</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>Accept version {number} of {annotator}</source>
        <translation>Version {number} von {annotator} annehmen</translation>
    </message>
    <message>
        <source>Next open difference</source>
        <translation>Nächster offener Unterschied</translation>
    </message>
    <message>
        <source>Merge agreements</source>
        <translation>Übereinstimmungen zusammenführen</translation>
    </message>
    <message>
        <source>Annotators</source>
        <translation>Annotatoren</translation>
    </message>
    <message>
        <source>All annotators</source>
        <translation>Alle Annotatoren</translation>
    </message>
    <message>
        <source>Items</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>To decide</source>
        <translation>Zu entscheiden</translation>
    </message>
    <message>
        <source>Decide later</source>
        <translation>Später entscheiden</translation>
    </message>
    <message>
        <source>{count:,} agreed, not merged yet</source>
        <translation>{count:,} übereinstimmend, noch nicht zusammengeführt</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>Versionen</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>The result is stored as the work of an annotator with this name.</source>
        <translation>Das Ergebnis wird als Arbeit eines Annotators mit diesem Namen gespeichert.</translation>
    </message>
    <message>
        <source>Other value</source>
        <translation>Anderer Wert</translation>
    </message>
    <message>
        <source>Item</source>
        <translation>Element</translation>
    </message>
    <message>
        <source>Each topic</source>
        <translation>Jedes Thema</translation>
    </message>
    <message>
        <source>Each pair of annotators</source>
        <translation>Jedes Paar von Annotatoren</translation>
    </message>
    <message>
        <source>Each SCU or nugget</source>
        <translation>Jede SCU und jedes Nugget</translation>
    </message>
    <message>
        <source>Each annotator (reliability)</source>
        <translation>Jeder Annotator (Reliabilität)</translation>
    </message>
    <message>
        <source>How far do the annotators agree, and does it change the ranking of the systems?</source>
        <translation>Wie weit stimmen die Annotatoren überein, und ändert das die Rangfolge der Systeme?</translation>
    </message>
    <message>
        <source>Agreement compares two or more annotators on the same items. Let a second person annotate some topics under their own name, or merge their copy of the study.</source>
        <translation>Die Übereinstimmung vergleicht zwei oder mehr Annotatoren an denselben Elementen. Lassen Sie eine zweite Person einige Themen unter eigenem Namen annotieren oder führen Sie deren Kopie der Studie mit dieser zusammen.</translation>
    </message>
    <message>
        <source>{annotators} · measured {now:%H:%M}</source>
        <translation>{annotators} · gemessen {now:%H:%M}</translation>
    </message>
    <message numerus="yes">
        <source>%n annotators</source>
        <translation>
            <numerusform>%n Annotator</numerusform>
            <numerusform>%n Annotatoren</numerusform>
        </translation>
    </message>
    <message>
        <source>Verdicts</source>
        <translation>Urteile</translation>
    </message>
    <message>
        <source>All of group {group}</source>
        <translation>Alle der Gruppe {group}</translation>
    </message>
    <message>
        <source>Measuring agreement</source>
        <translation>Übereinstimmung wird gemessen</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>Wird gemessen…</translation>
    </message>
    <message>
        <source>Measure agreement</source>
        <translation>Übereinstimmung messen</translation>
    </message>
    <message>
        <source>Decide differences</source>
        <translation>Unterschiede entscheiden</translation>
    </message>
    <message>
        <source>Also measure</source>
        <translation>Auch messen</translation>
    </message>
    <message>
        <source>All items together</source>
        <translation>Alle Einheiten zusammen</translation>
    </message>
    <message>
        <source>Decide {left}</source>
        <translation>{left} entscheiden</translation>
    </message>
    <message>
        <source>Decide {left:,}</source>
        <translation>{left:,} entscheiden</translation>
    </message>
    <message>
        <source>Command line</source>
        <translation>Befehlszeile</translation>
    </message>
    <message>
        <source>Comparing</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Comparing ahead</source>
        <translation>Vergleich im Voraus</translation>
    </message>
    <message>
        <source>Testing differences</source>
        <translation>Unterschiede werden getestet</translation>
    </message>
    <message>
        <source>Drawing intervals</source>
        <translation>Intervalle werden berechnet</translation>
    </message>
    <message>
        <source>Getting ready to compare</source>
        <translation>Vergleich wird vorbereitet</translation>
    </message>
    <message>
        <source>compiling loops</source>
        <translation>Schleifen werden kompiliert</translation>
    </message>
    <message>
        <source>Comparing measures</source>
        <translation>Maße werden verglichen</translation>
    </message>
    <message>
        <source>Correlating measures with each other …</source>
        <translation>Maße werden miteinander korreliert …</translation>
    </message>
    <message>
        <source>Testing every pair …</source>
        <translation>Jedes Paar wird getestet …</translation>
    </message>
    <message>
        <source>main measures</source>
        <translation>Hauptmaßen</translation>
    </message>
    <message>
        <source>measures</source>
        <translation>Maßen</translation>
    </message>
    <message>
        <source>Family: {pairs} of {labels} {main} shown and ranked; p-values: {how}.</source>
        <translation>Familie: {pairs} von {labels} {main}, angezeigt und mit Rang; p-Werte: {how}.</translation>
    </message>
    <message numerus="yes">
        <source>%n pairs</source>
        <translation>
            <numerusform>%n Paar</numerusform>
            <numerusform>%n Paare</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy the picture</source>
        <translation>Bild kopieren</translation>
    </message>
    <message>
        <source>Copy its numbers (tab-separated)</source>
        <translation>Zahlen kopieren (durch Tabulatoren getrennt)</translation>
    </message>
    <message>
        <source>Copy its numbers as CSV</source>
        <translation>Zahlen als CSV kopieren</translation>
    </message>
    <message>
        <source>Copy its numbers as LaTeX</source>
        <translation>Zahlen als LaTeX kopieren</translation>
    </message>
    <message>
        <source>Copy its numbers as Markdown</source>
        <translation>Zahlen als Markdown kopieren</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Abbildung</translation>
    </message>
    <message>
        <source>Figure type</source>
        <translation>Art der Abbildung</translation>
    </message>
    <message>
        <source>Figure next to the table</source>
        <translation>Abbildung neben der Tabelle</translation>
    </message>
    <message>
        <source>Right-hand ranks by</source>
        <translation>Rechte Ränge nach</translation>
    </message>
    <message>
        <source>Summaries where metric and people disagree most</source>
        <translation>Zusammenfassungen, bei denen Metrik und Menschen am stärksten abweichen</translation>
    </message>
    <message>
        <source>Correlation in each topic</source>
        <translation>Korrelation in jedem Thema</translation>
    </message>
    <message>
        <source>Notes on the figure</source>
        <translation>Anmerkungen zur Abbildung</translation>
    </message>
    <message numerus="yes">
        <source>%n notes</source>
        <translation>
            <numerusform>%n Notiz</numerusform>
            <numerusform>%n Notizen</numerusform>
        </translation>
    </message>
    <message>
        <source>Figure: {title} {fact}</source>
        <translation>Abbildung: {title} {fact}</translation>
    </message>
    <message>
        <source>Back to the table</source>
        <translation>Zurück zur Tabelle</translation>
    </message>
    <message>
        <source>Copy the figure</source>
        <translation>Abbildung kopieren</translation>
    </message>
    <message>
        <source>Save the figure…</source>
        <translation>Abbildung speichern…</translation>
    </message>
    <message>
        <source>Add the figure to the report</source>
        <translation>Abbildung in den Bericht aufnehmen</translation>
    </message>
    <message>
        <source>people {people}</source>
        <translation>Menschen {people}</translation>
    </message>
    <message>
        <source>metric {measure} · </source>
        <translation>Metrik {measure} · </translation>
    </message>
    <message>
        <source>{who}{name} {title}, metric {measure}, people {people}</source>
        <translation>{who}{name} {title}, Metrik {measure}, Menschen {people}</translation>
    </message>
    <message>
        <source>Choose systems</source>
        <translation>Systeme wählen</translation>
    </message>
    <message>
        <source>Compare these</source>
        <translation>Diese vergleichen</translation>
    </message>
    <message>
        <source>Systems</source>
        <translation>Systeme</translation>
    </message>
    <message>
        <source>Number of lowest-scoring systems to exclude</source>
        <translation>Anzahl der auszuschließenden Systeme mit den niedrigsten Werten</translation>
    </message>
    <message>
        <source>Exclude these</source>
        <translation>Diese ausschließen</translation>
    </message>
    <message>
        <source>Tick all</source>
        <translation>Alle ankreuzen</translation>
    </message>
    <message>
        <source>{count} of {choices} selected, at least {min_systems} required.</source>
        <translation>{count} von {choices} ausgewählt, mindestens {min_systems} erforderlich.</translation>
    </message>
    <message>
        <source>Lowest by {judgement}</source>
        <translation>Niedrigste nach {judgement}</translation>
    </message>
    <message>
        <source>not judged</source>
        <translation>nicht beurteilt</translation>
    </message>
    <message>
        <source>Choose a cell of the table.</source>
        <translation>Wählen Sie eine Zelle der Tabelle.</translation>
    </message>
    <message>
        <source>among all summaries</source>
        <translation>unter allen Zusammenfassungen</translation>
    </message>
    <message>
        <source>within topics</source>
        <translation>innerhalb der Themen</translation>
    </message>
    <message numerus="yes">
        <source>%n marked summaries</source>
        <translation>
            <numerusform>%n markierte Zusammenfassung</numerusform>
            <numerusform>%n markierte Zusammenfassungen</numerusform>
        </translation>
    </message>
    <message>
        <source>against {title}</source>
        <translation>gegen {title}</translation>
    </message>
    <message>
        <source>sorted by rank difference {among}</source>
        <translation>nach Rangdifferenz {among} sortiert</translation>
    </message>
    <message>
        <source>{coefficient_title} exists at system level only.</source>
        <translation>{coefficient_title} gibt es nur auf Systemebene.</translation>
    </message>
    <message>
        <source>with {title}, among the systems of each topic</source>
        <translation>mit {title}, zwischen den Systemen jedes Themas</translation>
    </message>
    <message>
        <source>{defined} of {rows} topics</source>
        <translation>{defined} von {rows} Themen</translation>
    </message>
    <message>
        <source>worst first; a row opens the summary with the largest disagreement</source>
        <translation>schlechteste zuerst; eine Zeile öffnet die Zusammenfassung mit der größten Abweichung</translation>
    </message>
    <message>
        <source>{title} (selected)</source>
        <translation>{title} (ausgewählt)</translation>
    </message>
    <message>
        <source>rank {metric} by metric, {people} by people, of {systems}</source>
        <translation>Rang {metric} nach Metrik, {people} nach Menschen, von {systems}</translation>
    </message>
    <message>
        <source>marked</source>
        <translation>markiert</translation>
    </message>
    <message>
        <source>Their summaries where metric and people disagree most</source>
        <translation>Ihre Zusammenfassungen, bei denen Metrik und Menschen am stärksten abweichen</translation>
    </message>
    <message>
        <source>No topic has both numbers for more than one system</source>
        <translation>Kein Thema hat beide Zahlen für mehr als ein System</translation>
    </message>
    <message>
        <source>Compare on common topics</source>
        <translation>Auf gemeinsamen Themen vergleichen</translation>
    </message>
    <message>
        <source>Use all topics</source>
        <translation>Alle Themen verwenden</translation>
    </message>
    <message>
        <source>How many are needed?</source>
        <translation>Wie viele sind nötig?</translation>
    </message>
    <message>
        <source>Reading scores</source>
        <translation>Werte werden gelesen</translation>
    </message>
    <message>
        <source>Go to Score</source>
        <translation>Zu „Berechnen“ gehen</translation>
    </message>
    <message>
        <source>There is no human judgement yet. Match summaries with a pyramid and mark them done, or import ratings.</source>
        <translation>Es gibt noch kein menschliches Urteil. Ordnen Sie Zusammenfassungen einer Pyramide zu und markieren Sie sie als fertig, oder importieren Sie Bewertungen.</translation>
    </message>
    <message>
        <source>Go to Match</source>
        <translation>Zu „Zuordnen“ gehen</translation>
    </message>
    <message>
        <source>Checking for stale scores</source>
        <translation>Veraltete Werte werden gesucht</translation>
    </message>
    <message>
        <source>How are these numbers computed?</source>
        <translation>Wie werden diese Zahlen berechnet?</translation>
    </message>
    <message>
        <source>At least two measures with a defined correlation are required.</source>
        <translation>Mindestens zwei Maße mit definierter Korrelation sind erforderlich.</translation>
    </message>
    <message>
        <source>Simulating studies</source>
        <translation>Studien werden simuliert</translation>
    </message>
    <message>
        <source>comparing scores with the texts</source>
        <translation>Werte werden mit den Texten verglichen</translation>
    </message>
    <message>
        <source>reading notes of metrics</source>
        <translation>Hinweise der Metriken werden gelesen</translation>
    </message>
    <message>
        <source> and {spans} more</source>
        <translation> und {spans} weitere</translation>
    </message>
    <message>
        <source>Marked: {words}{more}</source>
        <translation>Markiert: {words}{more}</translation>
    </message>
    <message>
        <source>Explaining {measure}</source>
        <translation>{measure} wird erklärt</translation>
    </message>
    <message>
        <source>Getting ready to explain</source>
        <translation>Erklärung wird vorbereitet</translation>
    </message>
    <message>
        <source>The explanation failed. Choose the score to try again.</source>
        <translation>Die Erklärung ist fehlgeschlagen. Den Wert wählen, um es noch einmal zu versuchen.</translation>
    </message>
    <message>
        <source>The explanation was cancelled. Choose the score to try again.</source>
        <translation>Die Erklärung wurde abgebrochen. Den Wert wählen, um es noch einmal zu versuchen.</translation>
    </message>
    <message>
        <source>{measure} of {system}</source>
        <translation>{measure} von {system}</translation>
    </message>
    <message>
        <source>Reading texts</source>
        <translation>Texte werden gelesen</translation>
    </message>
    <message>
        <source>{system} has no summary of {name}.</source>
        <translation>{system} hat keine Zusammenfassung von {name}.</translation>
    </message>
    <message>
        <source>The score is {values}. </source>
        <translation>Der Wert ist {values}. </translation>
    </message>
    <message>
        <source>{score}Loading the model that finds its parts …</source>
        <translation>{score}Das Modell, das seine Teile findet, wird geladen …</translation>
    </message>
    <message>
        <source>{score}Finding its parts …</source>
        <translation>{score}Seine Teile werden gesucht …</translation>
    </message>
    <message>
        <source>{ranks:g} of {systems}</source>
        <translation>{ranks:g} von {systems}</translation>
    </message>
    <message>
        <source>Show in Texts</source>
        <translation>Unter „Texte“ anzeigen</translation>
    </message>
    <message>
        <source>Comparison text</source>
        <translation>Vergleichstext</translation>
    </message>
    <message>
        <source>Comparison text to show</source>
        <translation>Anzuzeigender Vergleichstext</translation>
    </message>
    <message>
        <source>Rank within topic</source>
        <translation>Rang im Thema</translation>
    </message>
    <message>
        <source>Scores of the summary</source>
        <translation>Werte der Zusammenfassung</translation>
    </message>
    <message>
        <source>Parts of the score</source>
        <translation>Teile des Werts</translation>
    </message>
    <message>
        <source>System to compare the score with, part by part</source>
        <translation>System, mit dem der Wert Teil für Teil verglichen wird</translation>
    </message>
    <message>
        <source>Compare with</source>
        <translation>Vergleichen mit</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Compare with a system …</source>
        <translation>Mit einem System vergleichen …</translation>
    </message>
    <message>
        <source>largest difference first</source>
        <translation>größte Differenz zuerst</translation>
    </message>
    <message>
        <source>largest contribution first</source>
        <translation>größter Anteil zuerst</translation>
    </message>
    <message>
        <source>Parts of {measure}, {order}</source>
        <translation>Teile von {measure}, {order}</translation>
    </message>
    <message>
        <source>Score calculation</source>
        <translation>Berechnung des Werts</translation>
    </message>
    <message>
        <source>{name}: adds {added}, to {other} {there}, difference {apart}</source>
        <translation>{name}: trägt {added} bei, zu {other} {there}, Unterschied {apart}</translation>
    </message>
    <message>
        <source>{name}: value {number}, without it {left}, adds {adds}</source>
        <translation>{name}: Wert {number}, ohne ihn {left}, trägt {adds} bei</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Without it</source>
        <translation>Ohne ihn</translation>
    </message>
    <message>
        <source>The score if this part is left out</source>
        <translation>Der Wert, wenn dieser Teil ausgelassen wird</translation>
    </message>
    <message>
        <source>Adds</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>The score minus that</source>
        <translation>Der Wert abzüglich dieses Werts</translation>
    </message>
    <message>
        <source>The score minus that without the part</source>
        <translation>Der Wert abzüglich des Werts ohne den Teil</translation>
    </message>
    <message>
        <source>What the part adds to the score of {against}</source>
        <translation>Was der Teil zum Wert von {against} hinzufügt</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>Differenz</translation>
    </message>
    <message>
        <source>Term</source>
        <translation>Term</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>Operation</translation>
    </message>
    <message>
        <source>no interval: {no_interval}</source>
        <translation>kein Intervall: {no_interval}</translation>
    </message>
    <message>
        <source>tie threshold {tie_threshold}</source>
        <translation>Schwelle für Gleichstände {tie_threshold}</translation>
    </message>
    <message>
        <source>not ranked</source>
        <translation>ohne Rang</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} bis {high}</translation>
    </message>
    <message>
        <source>Intervals</source>
        <translation>Intervalle</translation>
    </message>
    <message>
        <source>Bootstrap intervals</source>
        <translation>Bootstrap-Intervalle</translation>
    </message>
    <message>
        <source>Comparison with the best</source>
        <translation>Vergleich mit dem besten</translation>
    </message>
    <message>
        <source>No test</source>
        <translation>Kein Test</translation>
    </message>
    <message>
        <source>Measures tested</source>
        <translation>Getestete Maße</translation>
    </message>
    <message>
        <source>Multiple testing</source>
        <translation>Multiples Testen</translation>
    </message>
    <message>
        <source>Undefined coefficients</source>
        <translation>Undefinierte Koeffizienten</translation>
    </message>
    <message>
        <source>Incomplete measures</source>
        <translation>Unvollständige Maße</translation>
    </message>
    <message>
        <source>Do not rank</source>
        <translation>Ohne Rang lassen</translation>
    </message>
    <message>
        <source>Compare all on common topics</source>
        <translation>Alle auf gemeinsamen Themen vergleichen</translation>
    </message>
    <message>
        <source>Measures of sweeps and recipes</source>
        <translation>Maße aus Parameterläufen und Rezepten</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>Verbergen</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Group by family</source>
        <translation>Nach Familie gruppieren</translation>
    </message>
    <message>
        <source>Single list</source>
        <translation>Eine Liste</translation>
    </message>
    <message>
        <source>Measures</source>
        <translation>Maße</translation>
    </message>
    <message>
        <source>Intervals, tests and undefined values</source>
        <translation>Intervalle, Tests und undefinierte Werte</translation>
    </message>
    <message>
        <source>Find a measure</source>
        <translation>Maß suchen</translation>
    </message>
    <message>
        <source>not significantly different from the best</source>
        <translation>nicht signifikant vom besten verschieden</translation>
    </message>
    <message>
        <source>Show how these numbers are computed</source>
        <translation>Anzeigen, wie diese Zahlen berechnet werden</translation>
    </message>
    <message>
        <source>Save the table…</source>
        <translation>Tabelle speichern…</translation>
    </message>
    <message>
        <source>Add the table to the report</source>
        <translation>Tabelle in den Bericht aufnehmen</translation>
    </message>
    <message>
        <source>Copy the table</source>
        <translation>Tabelle kopieren</translation>
    </message>
    <message>
        <source>Measures and judgements</source>
        <translation>Maße und Urteile</translation>
    </message>
    <message>
        <source>best, n.s.</source>
        <translation>beste, n. s.</translation>
    </message>
    <message>
        <source>All families</source>
        <translation>Alle Familien</translation>
    </message>
    <message>
        <source>Adjusted p of the difference from the best measure of the selected judgement; a dot: not significantly different. n.s.: the best itself does not correlate significantly with the judgement. Each judgement has its own best measure and its own family of tests.</source>
        <translation>Korrigiertes p des Unterschieds zum besten Maß des ausgewählten Urteils; ein Punkt: nicht signifikant verschieden. n.s.: Das beste Maß selbst korreliert nicht signifikant mit dem Urteil. Jedes Urteil hat sein eigenes bestes Maß und seine eigene Familie von Tests.</translation>
    </message>
    <message>
        <source>
Stale: its inputs have changed since it was scored.</source>
        <translation>
Veraltet: Die Eingaben haben sich seit der Berechnung geändert.</translation>
    </message>
    <message>
        <source>
S{stand_in}, which the paper used.</source>
        <translation>
S{stand_in}, das im Aufsatz verwendet wird.</translation>
    </message>
    <message>
        <source>
Lower is better: ranked by the negated correlation.</source>
        <translation>
Niedriger ist besser: Rang nach der negierten Korrelation.</translation>
    </message>
    <message>
        <source>{label} against {title}: not computed yet</source>
        <translation>{label} gegen {title}: noch nicht berechnet</translation>
    </message>
    <message>
        <source>{label} against {title}: {value}</source>
        <translation>{label} gegen {title}: {value}</translation>
    </message>
    <message>
        <source>n {n:,}, {dropped:,} dropped</source>
        <translation>n {n:,}, {dropped:,} weggelassen</translation>
    </message>
    <message>
        <source>differences up to {tie_threshold} are ties</source>
        <translation>Unterschiede bis {tie_threshold} gelten als Gleichstand</translation>
    </message>
    <message>
        <source>95 % interval {interval_text}</source>
        <translation>95-%-Intervall {interval_text}</translation>
    </message>
    <message>
        <source>best of the measures tested for this judgement</source>
        <translation>bestes der für dieses Urteil getesteten Maße</translation>
    </message>
    <message>
        <source>no difference from the best can be significant here</source>
        <translation>hier kann kein Unterschied zum besten signifikant sein</translation>
    </message>
    <message>
        <source>significantly different from the best, adjusted p {p}</source>
        <translation>signifikant verschieden vom besten, angepasstes p {p}</translation>
    </message>
    <message>
        <source>not significantly different from the best, adjusted p {p}</source>
        <translation>nicht signifikant verschieden vom besten, angepasstes p {p}</translation>
    </message>
    <message>
        <source>Next judgement</source>
        <translation>Nächstes Urteil</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>Zeichnen</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>Tabelle kopieren</translation>
    </message>
    <message>
        <source>In table and figures</source>
        <translation>In Tabelle und Abbildungen</translation>
    </message>
    <message>
        <source>Next judgement of the measure</source>
        <translation>Nächstes Urteil des Maßes</translation>
    </message>
    <message>
        <source>Previous judgement</source>
        <translation>Voriges Urteil</translation>
    </message>
    <message>
        <source>From the table to its figure; from a dot to its texts</source>
        <translation>Von der Tabelle zu ihrer Abbildung; von einem Punkt zu seinen Texten</translation>
    </message>
    <message>
        <source>From dot to dot</source>
        <translation>Von Punkt zu Punkt</translation>
    </message>
    <message>
        <source>Mark or unmark the dot&apos;s system or summary</source>
        <translation>System oder Zusammenfassung des Punkts markieren oder nicht mehr markieren</translation>
    </message>
    <message>
        <source>Unmark all</source>
        <translation>Alle Markierungen aufheben</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Ebene</translation>
    </message>
    <message>
        <source>Coefficient</source>
        <translation>Koeffizient</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>All topics</source>
        <translation>Alle Themen</translation>
    </message>
    <message>
        <source>Judgements</source>
        <translation>Urteile</translation>
    </message>
    <message>
        <source>All judgements</source>
        <translation>Alle Urteile</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>Topics where metric and people disagree most</source>
        <translation>Themen, bei denen Metrik und Menschen am stärksten abweichen</translation>
    </message>
    <message>
        <source>Open texts</source>
        <translation>Texte öffnen</translation>
    </message>
    <message>
        <source>Only these</source>
        <translation>Nur diese</translation>
    </message>
    <message>
        <source>Compare only the marked systems</source>
        <translation>Nur die markierten Systeme vergleichen</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>Ausschließen</translation>
    </message>
    <message>
        <source>Exclude the marked systems</source>
        <translation>Die markierten Systeme ausschließen</translation>
    </message>
    <message>
        <source>Unmark</source>
        <translation>Markierung aufheben</translation>
    </message>
    <message>
        <source>Reading scores and judgements…</source>
        <translation>Werte und Urteile werden gelesen…</translation>
    </message>
    <message>
        <source>Topics: {name}</source>
        <translation>Themen: {name}</translation>
    </message>
    <message>
        <source>Include all</source>
        <translation>Alle einbeziehen</translation>
    </message>
    <message>
        <source>Score again</source>
        <translation>Erneut berechnen</translation>
    </message>
    <message>
        <source>click a dot in the figure</source>
        <translation>auf einen Punkt der Abbildung klicken</translation>
    </message>
    <message>
        <source>Pairs: A, B or a tie</source>
        <translation>Paare: A, B oder unentschieden</translation>
    </message>
    <message>
        <source>Best–worst of several summaries</source>
        <translation>Beste und schlechteste von mehreren Zusammenfassungen</translation>
    </message>
    <message>
        <source>Plan comparisons</source>
        <translation>Vergleiche planen</translation>
    </message>
    <message>
        <source>There are no annotators yet. Add them on the tab Progress, then divide the topics among them here.</source>
        <translation>Es gibt noch keine Annotatoren. Auf dem Tab „Fortschritt“ hinzufügen, dann hier die Themen auf sie verteilen.</translation>
    </message>
    <message>
        <source>A check mark assigns a topic, the numbers show what is done. Who has topics is shown only these; comparisons are divided by their plan.</source>
        <translation>Ein Häkchen teilt ein Thema zu, die Zahlen zeigen, was fertig ist. Wer Themen hat, sieht nur diese; Vergleiche verteilt ihr Plan.</translation>
    </message>
    <message>
        <source>assigned</source>
        <translation>zugeteilt</translation>
    </message>
    <message>
        <source>Add annotators</source>
        <translation>Annotatoren hinzufügen</translation>
    </message>
    <message>
        <source>Shared pyramids</source>
        <translation>Gemeinsame Pyramiden</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Planen</translation>
    </message>
    <message>
        <source>Balanced proposal</source>
        <translation>Ausgewogener Vorschlag</translation>
    </message>
    <message>
        <source>annotators per topic</source>
        <translation>Annotatoren je Thema</translation>
    </message>
    <message>
        <source>Summaries in a comparison</source>
        <translation>Zusammenfassungen je Vergleich</translation>
    </message>
    <message>
        <source>Comparisons per summary</source>
        <translation>Vergleiche je Zusammenfassung</translation>
    </message>
    <message>
        <source>Judged by everybody, in per cent</source>
        <translation>Von allen beurteilt, in Prozent</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>Judgements are named after it.</source>
        <translation>Die Urteile werden danach benannt.</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>In its topic; all are compared equally often.</source>
        <translation>In ihrem Thema; alle werden gleich oft verglichen.</translation>
    </message>
    <message>
        <source>Judged by everybody</source>
        <translation>Von allen beurteilt</translation>
    </message>
    <message>
        <source>The others are divided among the annotators.</source>
        <translation>Die übrigen werden auf die Annotatoren verteilt.</translation>
    </message>
    <message>
        <source>No topic has summaries of two systems to compare.</source>
        <translation>Kein Thema hat Zusammenfassungen von zwei Systemen, die verglichen werden könnten.</translation>
    </message>
    <message>
        <source>The comparisons of this plan are for other annotators.</source>
        <translation>Die Vergleiche dieses Plans sind für andere Annotatoren.</translation>
    </message>
    <message>
        <source>The study is blind, so the ranking is not shown here; Compare has it.</source>
        <translation>Die Studie ist blind, daher wird die Rangfolge hier nicht gezeigt; „Vergleichen“ zeigt sie.</translation>
    </message>
    <message>
        <source>Best–worst scaling has no ties. Choose the best summary.</source>
        <translation>Beim Best-Worst-Scaling gibt es kein Unentschieden. Beste Zusammenfassung wählen.</translation>
    </message>
    <message>
        <source>Ranking systems</source>
        <translation>Rangfolge der Systeme wird berechnet</translation>
    </message>
    <message>
        <source>All {mine} are answered. Thank you.</source>
        <translation>Fertig: {mine} beantwortet. Danke.</translation>
    </message>
    <message numerus="yes">
        <source>%n comparisons</source>
        <translation>
            <numerusform>%n Vergleich</numerusform>
            <numerusform>%n Vergleiche</numerusform>
        </translation>
    </message>
    <message>
        <source>{done} {left} of “{name}” are left.</source>
        <translation>{done} Offen in „{name}“: {left}.</translation>
    </message>
    <message>
        <source>{done} Nothing is left. The results are judgements on Compare.</source>
        <translation>{done} Nichts ist mehr offen. Die Ergebnisse sind Urteile auf „Vergleichen“.</translation>
    </message>
    <message>
        <source>1 or 2 chooses the better summary, 0 a tie.</source>
        <translation>1 oder 2 wählt die bessere Zusammenfassung, 0 unentschieden.</translation>
    </message>
    <message>
        <source>Now choose the worst. The best again takes it back.</source>
        <translation>Jetzt die schlechteste wählen. Die beste noch einmal nimmt sie zurück.</translation>
    </message>
    <message>
        <source>Choose the best, then the worst, by their numbers.</source>
        <translation>Die beste und dann die schlechteste über ihre Nummern wählen.</translation>
    </message>
    <message>
        <source>1 is better</source>
        <translation>1 ist besser</translation>
    </message>
    <message>
        <source>2 is better</source>
        <translation>2 ist besser</translation>
    </message>
    <message>
        <source>preferred</source>
        <translation>bevorzugt</translation>
    </message>
    <message>
        <source>Planning comparisons</source>
        <translation>Vergleiche werden geplant</translation>
    </message>
    <message>
        <source>, {shared:,} of them for everybody</source>
        <translation>, {shared:,} davon für alle</translation>
    </message>
    <message>
        <source>drawing comparisons</source>
        <translation>Vergleiche werden gezogen</translation>
    </message>
    <message>
        <source>There is a plan named {name} already. Choose another name.</source>
        <translation>Es gibt schon einen Plan mit dem Namen {name}. Bitte einen anderen Namen wählen.</translation>
    </message>
    <message>
        <source>You agree with yourself in {same:,} of {repeated:,} repeats.</source>
        <translation>Sie stimmen bei {same:,} von {repeated:,} Wiederholungen mit sich selbst überein.</translation>
    </message>
    <message>
        <source>best</source>
        <translation>beste</translation>
    </message>
    <message>
        <source>worst</source>
        <translation>schlechteste</translation>
    </message>
    <message>
        <source>This answer belongs to another annotator and was not removed.</source>
        <translation>Diese Antwort gehört einem anderen Annotator und wurde nicht entfernt.</translation>
    </message>
    <message>
        <source>No comparisons are planned. A plan draws pairs or small sets of summaries to compare.</source>
        <translation>Es sind keine Vergleiche geplant. Ein Plan zieht Paare oder kleine Mengen von Zusammenfassungen, die verglichen werden.</translation>
    </message>
    <message>
        <source>Next to answer</source>
        <translation>Nächster offener</translation>
    </message>
    <message>
        <source>Next plan</source>
        <translation>Nächster Plan</translation>
    </message>
    <message>
        <source>Review answers</source>
        <translation>Antworten durchsehen</translation>
    </message>
    <message>
        <source>Plan of comparisons</source>
        <translation>Plan der Vergleiche</translation>
    </message>
    <message>
        <source>comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Plan comparisons…</source>
        <translation>Vergleiche planen…</translation>
    </message>
    <message>
        <source>Show or hide documents and references</source>
        <translation>Dokumente und Referenzen ein- oder ausblenden</translation>
    </message>
    <message>
        <source>All answered</source>
        <translation>Alle beantwortet</translation>
    </message>
    <message>
        <source>In a comparison</source>
        <translation>In einem Vergleich</translation>
    </message>
    <message>
        <source>Choose a summary</source>
        <translation>Zusammenfassung wählen</translation>
    </message>
    <message>
        <source>{done:,} of {total:,} answered</source>
        <translation>{done:,} von {total:,} beantwortet</translation>
    </message>
    <message>
        <source>Hits, nuggets down, summaries across</source>
        <translation>Treffer, Nuggets als Zeilen, Zusammenfassungen als Spalten</translation>
    </message>
    <message numerus="yes">
        <source>, %n repetitions</source>
        <translation>
            <numerusform>, %n Wiederholung</numerusform>
            <numerusform>, %n Wiederholungen</numerusform>
        </translation>
    </message>
    <message>
        <source>{label}, summary {position}: {state}{again}</source>
        <translation>{label}, Zusammenfassung {position}: {state}{again}</translation>
    </message>
    <message>
        <source>Corner of the matrix</source>
        <translation>Ecke der Matrix</translation>
    </message>
    <message>
        <source>{label}, tier {tier}</source>
        <translation>{label}, Stufe {tier}</translation>
    </message>
    <message>
        <source>score {score_text}</source>
        <translation>Wert {score_text}</translation>
    </message>
    <message>
        <source>not done</source>
        <translation>nicht fertig</translation>
    </message>
    <message>
        <source>Select text in the summary first, with the mouse or with Shift and the arrow keys.</source>
        <translation>Zuerst Text in der Zusammenfassung auswählen, mit der Maus oder mit Shift und den Pfeiltasten.</translation>
    </message>
    <message>
        <source>Select a cell first: click it, or move to it with the arrow keys.</source>
        <translation>Zuerst eine Zelle auswählen: anklicken oder mit den Pfeiltasten ansteuern.</translation>
    </message>
    <message>
        <source>The summary has no hit of this nugget. {hit.toggle} adds one.</source>
        <translation>Die Zusammenfassung hat keinen Treffer dieses Nuggets. {hit.toggle} fügt einen hinzu.</translation>
    </message>
    <message>
        <source>Every hit in this topic is confirmed.</source>
        <translation>Alle Treffer in diesem Thema sind bestätigt.</translation>
    </message>
    <message>
        <source>No further hits were found.</source>
        <translation>Keine weiteren Treffer gefunden.</translation>
    </message>
    <message>
        <source>Every summary is done.</source>
        <translation>Alle Zusammenfassungen sind fertig.</translation>
    </message>
    <message>
        <source>Marked done; {count} to confirm and not counted. {{hit.confirm}} confirms them.</source>
        <translation>Als fertig markiert; {count} zu bestätigen und nicht gezählt. {{hit.confirm}} bestätigt sie.</translation>
    </message>
    <message>
        <source>Searching for hits</source>
        <translation>Treffer werden gesucht</translation>
    </message>
    <message numerus="yes">
        <source>%n hits</source>
        <translation>
            <numerusform>%n Treffer</numerusform>
            <numerusform>%n Treffer</numerusform>
        </translation>
    </message>
    <message>
        <source>This study has no topics yet. Import texts first.</source>
        <translation>Diese Studie hat noch keine Themen. Zuerst Texte importieren.</translation>
    </message>
    <message>
        <source>Found {added} to confirm.</source>
        <translation>{added} gefunden, noch zu bestätigen.</translation>
    </message>
    <message>
        <source>Mark done</source>
        <translation>Als fertig markieren</translation>
    </message>
    <message>
        <source>Next summary</source>
        <translation>Nächste Zusammenfassung</translation>
    </message>
    <message>
        <source>This topic has no nuggets yet. Mark them in the references first.</source>
        <translation>Dieses Thema hat noch keine Nuggets. Zuerst Nuggets in den Referenzen markieren.</translation>
    </message>
    <message>
        <source>This topic has no summaries in which nuggets could be found.</source>
        <translation>Dieses Thema hat keine Zusammenfassungen, in denen Nuggets vorkommen könnten.</translation>
    </message>
    <message>
        <source>Whose nuggets</source>
        <translation>Wessen Nuggets</translation>
    </message>
    <message>
        <source>Find hits of all nuggets in all summaries of the topic, to confirm</source>
        <translation>Treffer aller Nuggets in allen Zusammenfassungen des Themas suchen, zu bestätigen</translation>
    </message>
    <message>
        <source>Mark nuggets</source>
        <translation>Nuggets markieren</translation>
    </message>
    <message>
        <source>Reopen summary</source>
        <translation>Zusammenfassung wieder öffnen</translation>
    </message>
    <message>
        <source>{done} of {heads} summaries done</source>
        <translation>{done} von {heads} Zusammenfassungen fertig</translation>
    </message>
    <message>
        <source>Nuggets of {name}</source>
        <translation>Nuggets von {name}</translation>
    </message>
    <message>
        <source>Your nuggets</source>
        <translation>Ihre Nuggets</translation>
    </message>
    <message>
        <source>Confirm {waiting}</source>
        <translation>{waiting} bestätigen</translation>
    </message>
    <message>
        <source>Confirm all {waiting} hits of this summary</source>
        <translation>Alle {waiting} Treffer dieser Zusammenfassung bestätigen</translation>
    </message>
    <message>
        <source>{text} · flagged</source>
        <translation>{text} · mit Fähnchen</translation>
    </message>
    <message>
        <source>{found} found</source>
        <translation>{found} gefunden</translation>
    </message>
    <message numerus="yes">
        <source>%n nuggets</source>
        <translation>
            <numerusform>%n Nugget</numerusform>
            <numerusform>%n Nuggets</numerusform>
        </translation>
    </message>
    <message>
        <source>{repeated} repeated</source>
        <translation>{repeated} wiederholt</translation>
    </message>
    <message>
        <source>{outside} outside</source>
        <translation>{outside} außerhalb</translation>
    </message>
    <message>
        <source>{to_confirm} to confirm</source>
        <translation>{to_confirm} zu bestätigen</translation>
    </message>
    <message>
        <source>Nugget score {score} · {parts}</source>
        <translation>Nugget-Wert {score} · {parts}</translation>
    </message>
    <message>
        <source>The tiers of the nuggets found, in all {tiers}, divided by the largest sum that as many nuggets as the summary has units could have. Counting the nuggets found alone: {score}.</source>
        <translation>Die Stufen der gefundenen Nuggets, zusammen {tiers}, geteilt durch die größte Summe, die so viele Nuggets haben könnten, wie die Zusammenfassung Einheiten hat. Zählt man nur die gefundenen Nuggets: {score}.</translation>
    </message>
    <message>
        <source>Marked done without a match, so its score is 0. {edit.undo} undoes it.</source>
        <translation>Ohne Zuordnung als fertig markiert, der Wert ist daher 0. {edit.undo} macht es rückgängig.</translation>
    </message>
    <message>
        <source>Select an SCU first: click it in the list, or press {list.next}.</source>
        <translation>Zuerst SCU auswählen: in der Liste anklicken oder {list.next} drücken.</translation>
    </message>
    <message>
        <source>Place the text cursor in a marked part of the summary first.</source>
        <translation>Zuerst den Textcursor in einen markierten Teil der Zusammenfassung setzen.</translation>
    </message>
    <message>
        <source>A part needs at least one word. {match.remove_part} removes the part.</source>
        <translation>Ein Teil braucht mindestens ein Wort. {match.remove_part} entfernt den Teil.</translation>
    </message>
    <message>
        <source>The unit has several parts. Select text that overlaps the part to replace.</source>
        <translation>Die Einheit hat mehrere Teile. Text auswählen, der sich mit dem zu ersetzenden Teil überschneidet.</translation>
    </message>
    <message>
        <source>Select a unit first: click its text, or select it in the list of units.</source>
        <translation>Zuerst eine Einheit auswählen: ihren Text anklicken oder sie in der Liste der Einheiten auswählen.</translation>
    </message>
    <message>
        <source>This SCU is already matched. {match.unmatch} removes the match.</source>
        <translation>Diese SCU ist schon zugeordnet. {match.unmatch} entfernt die Zuordnung.</translation>
    </message>
    <message>
        <source>This SCU is already matched. {match.again} adds a repetition.</source>
        <translation>Diese SCU ist schon zugeordnet. {match.again} fügt eine Wiederholung hinzu.</translation>
    </message>
    <message>
        <source>No flags or notes. Press F to flag the current summary, C to add a note.</source>
        <translation>Keine Fähnchen oder Notizen. F setzt ein Fähnchen an die aktuelle Zusammenfassung, C fügt eine Notiz hinzu.</translation>
    </message>
    <message>
        <source>Flagged summaries and notes</source>
        <translation>Zusammenfassungen mit Fähnchen und Notizen</translation>
    </message>
    <message>
        <source>No score yet: the pyramid has no SCU with a contributor.</source>
        <translation>Noch kein Wert: Die Pyramide hat keine SCU mit einem Beitrag.</translation>
    </message>
    <message>
        <source>any of the {candidates} SCUs of this weight</source>
        <translation>eine der {candidates} SCUs mit diesem Gewicht</translation>
    </message>
    <message>
        <source>Ideal of {units}</source>
        <translation>Ideal aus {units}</translation>
    </message>
    <message>
        <source>{matched} / {scus} SCUs</source>
        <translation>{matched} / {scus} SCUs</translation>
    </message>
    <message>
        <source>harmonic mean</source>
        <translation>harmonisches Mittel</translation>
    </message>
    <message>
        <source>Modified: {average}.</source>
        <translation>Modifiziert: {average}.</translation>
    </message>
    <message>
        <source>Original: {units}.</source>
        <translation>Original: {units}.</translation>
    </message>
    <message>
        <source>Comprehensive caps the modified score at 1, as DUCView 1.5 does.</source>
        <translation>„Umfassend“ begrenzt den modifizierten Wert auf 1, wie DUCView 1.5.</translation>
    </message>
    <message>
        <source>undefined: references have fewer than half an SCU on average</source>
        <translation>undefiniert: im Mittel weniger als eine halbe SCU je Referenz</translation>
    </message>
    <message>
        <source>{weight} of the ideal {ideal}</source>
        <translation>{weight} von {ideal} im Ideal</translation>
    </message>
    <message>
        <source>, rounded half up to {average_units}</source>
        <translation>, kaufmännisch gerundet auf {average_units}</translation>
    </message>
    <message numerus="yes">
        <source>%n contributors</source>
        <translation>
            <numerusform>%n Beitrag</numerusform>
            <numerusform>%n Beiträge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n references</source>
        <translation>
            <numerusform>%n Referenz</numerusform>
            <numerusform>%n Referenzen</numerusform>
        </translation>
    </message>
    <message>
        <source>{contributors} in {references}, {contributions} / {references_2} = {average:.4g}{rounded}</source>
        <translation>{contributors} in {references}, {contributions} / {references_2} = {average:.4g}{rounded}</translation>
    </message>
    <message>
        <source>no matches yet, so X is 0</source>
        <translation>noch keine Zuordnungen, daher ist X gleich 0</translation>
    </message>
    <message numerus="yes">
        <source>%n matched SCUs</source>
        <translation>
            <numerusform>%n zugeordnete SCU</numerusform>
            <numerusform>%n zugeordnete SCUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n repetitions</source>
        <translation>
            <numerusform>%n Wiederholung</numerusform>
            <numerusform>%n Wiederholungen</numerusform>
        </translation>
    </message>
    <message>
        <source>{outside} not in the pyramid</source>
        <translation>{outside} nicht in der Pyramide</translation>
    </message>
    <message numerus="yes">
        <source>%n units</source>
        <translation>
            <numerusform>%n Einheit</numerusform>
            <numerusform>%n Einheiten</numerusform>
        </translation>
    </message>
    <message>
        <source>Blind study: mark your own pyramid of this topic done to see those of others. To skip it, mark the empty pyramid done.</source>
        <translation>Blinde Studie: Die eigene Pyramide dieses Themas als fertig markieren, um die Pyramiden anderer zu sehen. Zum Überspringen die leere Pyramide als fertig markieren.</translation>
    </message>
    <message>
        <source>No summary is flagged.</source>
        <translation>Keine Zusammenfassung hat ein Fähnchen.</translation>
    </message>
    <message>
        <source>The whole summary is matched.</source>
        <translation>Die ganze Zusammenfassung ist zugeordnet.</translation>
    </message>
    <message>
        <source>{count} of {order}</source>
        <translation>{count} von {order}</translation>
    </message>
    <message>
        <source>{done:,} of {total:,} summaries done</source>
        <translation>{done:,} von {total:,} Zusammenfassungen fertig</translation>
    </message>
    <message>
        <source>{share} · about {left} left</source>
        <translation>{share} · noch etwa {left}</translation>
    </message>
    <message>
        <source>{names} ({done} done)</source>
        <translation>{names} ({done} fertig)</translation>
    </message>
    <message>
        <source>{names} (started)</source>
        <translation>{names} (begonnen)</translation>
    </message>
    <message>
        <source>Also matched by {entries}</source>
        <translation>Auch zugeordnet von {entries}</translation>
    </message>
    <message numerus="yes">
        <source>%n parts</source>
        <translation>
            <numerusform>%n Teil</numerusform>
            <numerusform>%n Teile</numerusform>
        </translation>
    </message>
    <message>
        <source>no span</source>
        <translation>keine Spanne</translation>
    </message>
    <message>
        <source>and {labels} more</source>
        <translation>und {labels} weitere</translation>
    </message>
    <message>
        <source>Weight {weight}</source>
        <translation>Gewicht {weight}</translation>
    </message>
    <message>
        <source>Calculation of the score</source>
        <translation>Berechnung des Werts</translation>
    </message>
    <message>
        <source>Score closed until this summary is done</source>
        <translation>Wert verdeckt, bis diese Zusammenfassung fertig ist</translation>
    </message>
    <message>
        <source>Close the score</source>
        <translation>Wert verdecken</translation>
    </message>
    <message>
        <source>Open the score</source>
        <translation>Wert aufdecken</translation>
    </message>
    <message>
        <source>Modified score {score_text}, {main_fact}</source>
        <translation>Modifizierter Wert {score_text}, {main_fact}</translation>
    </message>
    <message>
        <source>without {letter} {score_text}</source>
        <translation>ohne {letter} {score_text}</translation>
    </message>
    <message>
        <source>Modified {without}</source>
        <translation>Modifiziert {without}</translation>
    </message>
    <message>
        <source>modified score</source>
        <translation>modifizierter Wert</translation>
    </message>
    <message>
        <source>Suggestions are off</source>
        <translation>Vorschläge sind ausgeschaltet</translation>
    </message>
    <message>
        <source>Shows SCUs that this summary may express, with the text. Nothing is matched until you accept it.</source>
        <translation>Zeigt SCUs, die diese Zusammenfassung ausdrücken könnte, mit dem Text. Zugeordnet wird erst, wenn Sie einen Vorschlag annehmen.</translation>
    </message>
    <message>
        <source>Suggest matches</source>
        <translation>Zuordnungen vorschlagen</translation>
    </message>
    <message>
        <source>Not in the pyramid</source>
        <translation>Nicht in der Pyramide</translation>
    </message>
    <message>
        <source>nearest SCU: {fact}</source>
        <translation>nächste SCU: {fact}</translation>
    </message>
    <message>
        <source>the pyramid has no SCU</source>
        <translation>die Pyramide hat keine SCU</translation>
    </message>
    <message>
        <source>No other SCU seems to be expressed.</source>
        <translation>Keine weitere SCU scheint ausgedrückt zu sein.</translation>
    </message>
    <message>
        <source>Unmatched SCUs</source>
        <translation>Nicht zugeordnete SCUs</translation>
    </message>
    <message>
        <source>Match with this text</source>
        <translation>Diesem Text zuordnen</translation>
    </message>
    <message>
        <source>Unmatched text</source>
        <translation>Nicht zugeordneter Text</translation>
    </message>
    <message>
        <source>Add this unit</source>
        <translation>Diese Einheit hinzufügen</translation>
    </message>
    <message>
        <source>All other clauses are matched.</source>
        <translation>Alle anderen Teilsätze sind zugeordnet.</translation>
    </message>
    <message>
        <source>For the selected SCU</source>
        <translation>Für die ausgewählte SCU</translation>
    </message>
    <message>
        <source>No SCU is selected. Click one in the list.</source>
        <translation>Keine SCU ausgewählt. Klicken Sie eine in der Liste an.</translation>
    </message>
    <message>
        <source>For “{label}”</source>
        <translation>Für „{label}“</translation>
    </message>
    <message>
        <source>No similar text in the summary.</source>
        <translation>Kein ähnlicher Text in der Zusammenfassung.</translation>
    </message>
    <message>
        <source>Match this text</source>
        <translation>Diesen Text zuordnen</translation>
    </message>
    <message>
        <source>Suggestions are locked</source>
        <translation>Vorschläge sind gesperrt</translation>
    </message>
    <message>
        <source>Blind study: mark all {total} summaries of the topic done to see suggestions. Done so far: {done}.</source>
        <translation>Blinde Studie: Alle {total} Zusammenfassungen des Themas als fertig markieren, um Vorschläge zu sehen. Bisher fertig: {done}.</translation>
    </message>
    <message>
        <source>Estimated from the time spent on your completed summaries</source>
        <translation>Geschätzt aus der Zeit für Ihre fertigen Zusammenfassungen</translation>
    </message>
    <message>
        <source>One</source>
        <translation>Eine</translation>
    </message>
    <message>
        <source>Note on this summary</source>
        <translation>Notiz zu dieser Zusammenfassung</translation>
    </message>
    <message>
        <source>Next undone summary</source>
        <translation>Nächste nicht fertige Zusammenfassung</translation>
    </message>
    <message>
        <source>All summaries</source>
        <translation>Alle Zusammenfassungen</translation>
    </message>
    <message>
        <source>All {total} summaries</source>
        <translation>Alle {total} Zusammenfassungen</translation>
    </message>
    <message>
        <source>Remove the flag</source>
        <translation>Fähnchen entfernen</translation>
    </message>
    <message>
        <source>Flag this summary</source>
        <translation>Fähnchen an diese Zusammenfassung setzen</translation>
    </message>
    <message>
        <source>matched</source>
        <translation>zugeordnet</translation>
    </message>
    <message>
        <source>Modified score {score}</source>
        <translation>Modifizierter Wert {score}</translation>
    </message>
    <message>
        <source>Reopen</source>
        <translation>Wieder öffnen</translation>
    </message>
    <message>
        <source>This summary expresses the selected SCU</source>
        <translation>Diese Zusammenfassung drückt die ausgewählte SCU aus</translation>
    </message>
    <message>
        <source>Modified score, closed until the summary is done</source>
        <translation>Modifizierter Wert, verdeckt, bis die Zusammenfassung fertig ist</translation>
    </message>
    <message>
        <source>None. Select text that no SCU expresses, then press O.</source>
        <translation>Keine. Text auswählen, den keine SCU ausdrückt, dann O drücken.</translation>
    </message>
    <message>
        <source>Units that are not in the pyramid</source>
        <translation>Einheiten, die nicht in der Pyramide sind</translation>
    </message>
    <message>
        <source>Add unit</source>
        <translation>Einheit hinzufügen</translation>
    </message>
    <message>
        <source>Add the selected text as a unit that is not in the pyramid</source>
        <translation>Den ausgewählten Text als Einheit hinzufügen, die nicht in der Pyramide ist</translation>
    </message>
    <message>
        <source>Next unmatched text</source>
        <translation>Nächster nicht zugeordneter Text</translation>
    </message>
    <message>
        <source>{value:.0f} % unmatched</source>
        <translation>{value:.0f} % nicht zugeordnet</translation>
    </message>
    <message>
        <source>Original</source>
        <translation>Original</translation>
    </message>
    <message>
        <source>Modified</source>
        <translation>Modifiziert</translation>
    </message>
    <message>
        <source>Comprehensive</source>
        <translation>Umfassend</translation>
    </message>
    <message>
        <source>Presence</source>
        <translation>Präsenz</translation>
    </message>
    <message>
        <source>Select the SCU that this unit expresses, then press Enter. Esc cancels.</source>
        <translation>SCU auswählen, die diese Einheit ausdrückt, dann Enter drücken. Esc bricht ab.</translation>
    </message>
    <message>
        <source>Pyramid</source>
        <translation>Pyramide</translation>
    </message>
    <message>
        <source>Find an SCU</source>
        <translation>SCU suchen</translation>
    </message>
    <message>
        <source>This topic has no pyramid yet.</source>
        <translation>Dieses Thema hat noch keine Pyramide.</translation>
    </message>
    <message>
        <source>Build the pyramid</source>
        <translation>Pyramide erstellen</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>Importieren…</translation>
    </message>
    <message>
        <source>Summary {position}: </source>
        <translation>Zusammenfassung {position}: </translation>
    </message>
    <message>
        <source>{whose}{matched} of {rows} SCUs matched</source>
        <translation>{whose}{matched} von {rows} SCUs zugeordnet</translation>
    </message>
    <message numerus="yes">
        <source>{name}, %n SCUs</source>
        <translation>
            <numerusform>{name}, %n SCU</numerusform>
            <numerusform>{name}, %n SCUs</numerusform>
        </translation>
    </message>
    <message>
        <source>Pyramid of {name}</source>
        <translation>Pyramide von {name}</translation>
    </message>
    <message>
        <source>Your pyramid</source>
        <translation>Ihre Pyramide</translation>
    </message>
    <message>
        <source>Pyramid to match against</source>
        <translation>Pyramide, der zugeordnet wird</translation>
    </message>
    <message>
        <source>There are no summaries to match with a pyramid yet.</source>
        <translation>Es gibt noch keine Zusammenfassungen, die einer Pyramide zugeordnet werden könnten.</translation>
    </message>
    <message>
        <source>Flagged</source>
        <translation>Mit Fähnchen</translation>
    </message>
    <message>
        <source>Drop here if no SCU expresses this</source>
        <translation>Hier ablegen, wenn keine SCU dies ausdrückt</translation>
    </message>
    <message>
        <source>Not set (read as English)</source>
        <translation>Nicht angegeben (als Englisch gelesen)</translation>
    </message>
    <message>
        <source>topics marked done</source>
        <translation>Themen als fertig markiert</translation>
    </message>
    <message>
        <source>Annotate</source>
        <translation>Annotieren</translation>
    </message>
    <message>
        <source>summaries marked done</source>
        <translation>Zusammenfassungen als fertig markiert</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>summaries rated</source>
        <translation>Zusammenfassungen bewertet</translation>
    </message>
    <message>
        <source>Rate</source>
        <translation>Bewerten</translation>
    </message>
    <message>
        <source>comparisons answered</source>
        <translation>Vergleiche beantwortet</translation>
    </message>
    <message>
        <source>Continue annotating</source>
        <translation>Weiter annotieren</translation>
    </message>
    <message>
        <source>ratings</source>
        <translation>Bewertungen</translation>
    </message>
    <message>
        <source>matches</source>
        <translation>Zuordnungen</translation>
    </message>
    <message>
        <source>Counting</source>
        <translation>Zählung läuft</translation>
    </message>
    <message>
        <source>{references:,} by {authors}</source>
        <translation>{references:,} · {authors}</translation>
    </message>
    <message numerus="yes">
        <source>%n authors</source>
        <translation>
            <numerusform>%n Autor</numerusform>
            <numerusform>%n Autoren</numerusform>
        </translation>
    </message>
    <message>
        <source>{summaries:,} by {systems}</source>
        <translation>{summaries:,} · {systems}</translation>
    </message>
    <message>
        <source>No metric has scored the references as systems yet. On the Score page tick “Also as systems”, score, then compare.</source>
        <translation>Noch hat keine Metrik die Referenzen als Systeme berechnet. Auf der Seite „Berechnen“ „Auch als Systeme“ ankreuzen, berechnen, dann vergleichen.</translation>
    </message>
    <message>
        <source>Nothing is scored yet. Score the summaries, then compare.</source>
        <translation>Noch ist nichts berechnet. Zusammenfassungen berechnen, dann vergleichen.</translation>
    </message>
    <message numerus="yes">
        <source>%n systems</source>
        <translation>
            <numerusform>%n System</numerusform>
            <numerusform>%n Systeme</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of {systems} are left out: {names}.</source>
        <translation>
            <numerusform>%n ({systems}) ist ausgelassen: {names}.</numerusform>
            <numerusform>%n ({systems}) sind ausgelassen: {names}.</numerusform>
        </translation>
    </message>
    <message>
        <source>Dimensions</source>
        <translation>Dimensionen</translation>
    </message>
    <message>
        <source>names of systems are hidden while annotating</source>
        <translation>Namen der Systeme sind beim Annotieren verborgen</translation>
    </message>
    <message>
        <source>Texts</source>
        <translation>Texte</translation>
    </message>
    <message>
        <source>{topics} with texts</source>
        <translation>{topics} mit Texten</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Lesen</translation>
    </message>
    <message>
        <source>{configs} on {topics}</source>
        <translation>{configs} für {topics}</translation>
    </message>
    <message numerus="yes">
        <source>%n metrics</source>
        <translation>
            <numerusform>%n Metrik</numerusform>
            <numerusform>%n Metriken</numerusform>
        </translation>
    </message>
    <message>
        <source>{unit} on {dimensions}</source>
        <translation>{unit} in {dimensions}</translation>
    </message>
    <message numerus="yes">
        <source>%n dimensions</source>
        <translation>
            <numerusform>%n Dimension</numerusform>
            <numerusform>%n Dimensionen</numerusform>
        </translation>
    </message>
    <message>
        <source>by all annotators</source>
        <translation>von allen Annotatoren</translation>
    </message>
    <message>
        <source>by all annotators {done:,} of {total:,}</source>
        <translation>von allen Annotatoren {done:,} von {total:,}</translation>
    </message>
    <message>
        <source>Import texts…</source>
        <translation>Texte importieren…</translation>
    </message>
    <message>
        <source>Start annotating</source>
        <translation>Annotieren beginnen</translation>
    </message>
    <message>
        <source>Score the summaries</source>
        <translation>Werte der Zusammenfassungen berechnen</translation>
    </message>
    <message>
        <source>Compare with judgements</source>
        <translation>Mit Urteilen vergleichen</translation>
    </message>
    <message>
        <source> · references by {references}</source>
        <translation> · Referenzen von {references}</translation>
    </message>
    <message>
        <source> (undone)</source>
        <translation> (rückgängig gemacht)</translation>
    </message>
    <message>
        <source>Default for splitting texts into words. Existing scores do not change.</source>
        <translation>Vorgabe für die Zerlegung von Texten in Wörter. Vorhandene Werte ändern sich nicht.</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Überblick</translation>
    </message>
    <message>
        <source>Blind study</source>
        <translation>Blinde Studie</translation>
    </message>
    <message>
        <source>Language of the texts</source>
        <translation>Sprache der Texte</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>Number of scored topics</source>
        <translation>Anzahl der berechneten Themen</translation>
    </message>
    <message>
        <source>Signature</source>
        <translation>Signatur</translation>
    </message>
    <message>
        <source>Scored metrics</source>
        <translation>Berechnete Metriken</translation>
    </message>
    <message numerus="yes">
        <source>%n configurations</source>
        <translation>
            <numerusform>%n Konfiguration</numerusform>
            <numerusform>%n Konfigurationen</numerusform>
        </translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>noch keine</translation>
    </message>
    <message>
        <source>No edits yet.</source>
        <translation>Noch keine Bearbeitungen.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>{done:,} of {total:,}</source>
        <translation>{done:,} von {total:,}</translation>
    </message>
    <message>
        <source>No scores yet.</source>
        <translation>Noch keine Werte.</translation>
    </message>
    <message>
        <source>Choose metrics</source>
        <translation>Metriken wählen</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>Recent edits</source>
        <translation>Letzte Bearbeitungen</translation>
    </message>
    <message>
        <source>Counting the work of the team</source>
        <translation>Arbeit des Teams wird gezählt</translation>
    </message>
    <message>
        <source>Nobody has annotated anything yet. Add annotators below, or begin yourself on Pyramids or Ratings.</source>
        <translation>Noch hat niemand etwas annotiert. Unten Annotatoren hinzufügen oder selbst auf „Pyramiden“ oder „Bewertungen“ beginnen.</translation>
    </message>
    <message>
        <source>Work of the annotators</source>
        <translation>Arbeit der Annotatoren</translation>
    </message>
    <message>
        <source>Space: select contributor · Ctrl+Space: select part · Drag onto another SCU to move</source>
        <translation>Space: Beitrag auswählen · Ctrl+Space: Teil auswählen · Zum Verschieben auf andere SCU ziehen</translation>
    </message>
    <message>
        <source>No contributors</source>
        <translation>Keine Beiträge</translation>
    </message>
    <message>
        <source>, selected</source>
        <translation>, ausgewählt</translation>
    </message>
    <message>
        <source>{card} of {rows}</source>
        <translation>{card} von {rows}</translation>
    </message>
    <message>
        <source>, comment: {comment}</source>
        <translation>, Kommentar: {comment}</translation>
    </message>
    <message>
        <source>Ignore</source>
        <translation>Ignorieren</translation>
    </message>
    <message>
        <source>Stop ignoring</source>
        <translation>Nicht mehr ignorieren</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>Prüfung läuft…</translation>
    </message>
    <message>
        <source>No problems found.</source>
        <translation>Keine Probleme gefunden.</translation>
    </message>
    <message>
        <source>Enter: show · Space: fix · Del: ignore. Fixes can be undone.</source>
        <translation>Enter: anzeigen · Space: beheben · Del: ignorieren. Behobenes lässt sich rückgängig machen.</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>Befund</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>{more} more appear as you resolve these.</source>
        <translation>{more} weitere erscheinen, wenn diese erledigt sind.</translation>
    </message>
    <message>
        <source>Hide {ignored} ignored</source>
        <translation>{ignored} ignorierte ausblenden</translation>
    </message>
    <message>
        <source>Show {ignored} ignored</source>
        <translation>{ignored} ignorierte anzeigen</translation>
    </message>
    <message>
        <source>No automatic fix. Press Enter to go to the text.</source>
        <translation>Keine automatische Korrektur. Enter führt zum Text.</translation>
    </message>
    <message>
        <source>Checking the pyramid</source>
        <translation>Prüfung der Pyramide</translation>
    </message>
    <message>
        <source>This is an earlier version. Restore it or return to the current version to edit.</source>
        <translation>Dies ist eine frühere Version. Zum Bearbeiten wiederherstellen oder zur aktuellen Version zurückkehren.</translation>
    </message>
    <message>
        <source>Version restored. Undo reverts this.</source>
        <translation>Version wiederhergestellt. „Rückgängig“ nimmt dies zurück.</translation>
    </message>
    <message>
        <source>reading the history</source>
        <translation>Verlauf wird gelesen</translation>
    </message>
    <message>
        <source>reading an earlier version</source>
        <translation>Eine frühere Version wird gelesen</translation>
    </message>
    <message>
        <source>Reading the history</source>
        <translation>Verlauf wird gelesen</translation>
    </message>
    <message>
        <source>It is identical to the current version.</source>
        <translation>Sie gleicht der aktuellen Version.</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>d MMMM yyyy</source>
        <translation>d. MMMM yyyy</translation>
    </message>
    <message>
        <source>d MMMM</source>
        <translation>d. MMMM</translation>
    </message>
    <message>
        <source>an import</source>
        <translation>einem Import</translation>
    </message>
    <message>
        <source>{day} at {at:%H:%M}</source>
        <translation>{day} um {at:%H:%M}</translation>
    </message>
    <message numerus="yes">
        <source>adds %n matches</source>
        <translation>
            <numerusform>%n Zuordnung hinzugefügt</numerusform>
            <numerusform>%n Zuordnungen hinzugefügt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>removes %n matches</source>
        <translation>
            <numerusform>%n Zuordnung entfernt</numerusform>
            <numerusform>%n Zuordnungen entfernt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>moves %n matches to former SCUs</source>
        <translation>
            <numerusform>%n Zuordnung zu früheren SCUs verschoben</numerusform>
            <numerusform>%n Zuordnungen zu früheren SCUs verschoben</numerusform>
        </translation>
    </message>
    <message>
        <source>Version of {when}, after this edit by {who}: {what}. {effect_sentence}</source>
        <translation>Version vom {when}, nach dieser Bearbeitung von {who}: {what}. {effect_sentence}</translation>
    </message>
    <message numerus="yes">
        <source>adds %n SCUs</source>
        <translation>
            <numerusform>%n SCU hinzugefügt</numerusform>
            <numerusform>%n SCUs hinzugefügt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>removes %n SCUs</source>
        <translation>
            <numerusform>%n SCU entfernt</numerusform>
            <numerusform>%n SCUs entfernt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>changes %n SCUs</source>
        <translation>
            <numerusform>%n SCU geändert</numerusform>
            <numerusform>%n SCUs geändert</numerusform>
        </translation>
    </message>
    <message>
        <source>reorders SCUs</source>
        <translation>SCUs umgeordnet</translation>
    </message>
    <message>
        <source>changes the “done” mark</source>
        <translation>Markierung „fertig“ geändert</translation>
    </message>
    <message>
        <source>matches are unaffected</source>
        <translation>Zuordnungen bleiben unverändert</translation>
    </message>
    <message>
        <source>Restoring {clause}.</source>
        <translation>Wiederherstellen: {clause}.</translation>
    </message>
    <message>
        <source>No changes yet.</source>
        <translation>Noch keine Änderungen.</translation>
    </message>
    <message>
        <source>No changes to list. Select an SCU to see its history.</source>
        <translation>Keine Änderungen vorhanden. SCU auswählen, um den Verlauf zu sehen.</translation>
    </message>
    <message>
        <source>Enter: view this version · Esc: current version. Nothing changes until you restore.</source>
        <translation>Enter: diese Version ansehen · Esc: aktuelle Version. Erst das Wiederherstellen ändert etwas.</translation>
    </message>
    <message>
        <source> · undone</source>
        <translation> · rückgängig gemacht</translation>
    </message>
    <message>
        <source> · viewing</source>
        <translation> · angezeigt</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>History scope</source>
        <translation>Umfang des Verlaufs</translation>
    </message>
    <message>
        <source>Whole pyramid</source>
        <translation>Ganze Pyramide</translation>
    </message>
    <message>
        <source>This SCU</source>
        <translation>Diese SCU</translation>
    </message>
    <message>
        <source>Show more</source>
        <translation>Mehr anzeigen</translation>
    </message>
    <message>
        <source>Show older edits</source>
        <translation>Ältere Bearbeitungen anzeigen</translation>
    </message>
    <message>
        <source>Return to current version</source>
        <translation>Zur aktuellen Version zurückkehren</translation>
    </message>
    <message>
        <source>Replace the current pyramid with this version. Can be undone.</source>
        <translation>Die aktuelle Pyramide durch diese Version ersetzen. Lässt sich rückgängig machen.</translation>
    </message>
    <message>
        <source>, undone</source>
        <translation>, rückgängig gemacht</translation>
    </message>
    <message>
        <source>, viewing</source>
        <translation>, angezeigt</translation>
    </message>
    <message>
        <source>No further occurrences were found.</source>
        <translation>Keine weiteren Vorkommen gefunden.</translation>
    </message>
    <message>
        <source>Every occurrence in this topic is confirmed.</source>
        <translation>Alle Vorkommen in diesem Thema sind bestätigt.</translation>
    </message>
    <message>
        <source>Searching for occurrences</source>
        <translation>Vorkommen werden gesucht</translation>
    </message>
    <message>
        <source>Confirmed {ids}.</source>
        <translation>{ids} bestätigt.</translation>
    </message>
    <message numerus="yes">
        <source>%n occurrences</source>
        <translation>
            <numerusform>%n Vorkommen</numerusform>
            <numerusform>%n Vorkommen</numerusform>
        </translation>
    </message>
    <message>
        <source>Found {occurrences} and {hits} to confirm.</source>
        <translation>{occurrences} und {hits} gefunden, noch zu bestätigen.</translation>
    </message>
    <message>
        <source>A part needs at least one word. {pyramid.remove_part} removes the part.</source>
        <translation>Ein Teil braucht mindestens ein Wort. {pyramid.remove_part} entfernt den Teil.</translation>
    </message>
    <message>
        <source>This SCU has no contributor in that reference. {pyramid.add_contributor} adds the selection as one.</source>
        <translation>Diese SCU hat keinen Beitrag in dieser Referenz. {pyramid.add_contributor} fügt die Auswahl hinzu.</translation>
    </message>
    <message>
        <source>The contributor has several parts. Select one on its card, then select the text again.</source>
        <translation>Der Beitrag hat mehrere Teile. Einen davon auf der Karte auswählen, dann den Text noch einmal auswählen.</translation>
    </message>
    <message>
        <source>Select text in a reference first, with the mouse or with Shift and the arrow keys.</source>
        <translation>Zuerst Text in einer Referenz auswählen, mit der Maus oder mit Shift und den Pfeiltasten.</translation>
    </message>
    <message>
        <source>The pyramids of all other topics are done.</source>
        <translation>Die Pyramiden aller anderen Themen sind fertig.</translation>
    </message>
    <message>
        <source>Words kept. {pyramid.new_scu} or {pyramid.add_contributor} uses them, with the next selection.</source>
        <translation>Wörter gemerkt. {pyramid.new_scu} oder {pyramid.add_contributor} verwendet sie zusammen mit der nächsten Auswahl.</translation>
    </message>
    <message>
        <source>A label cannot be empty. The old label was not changed.</source>
        <translation>Eine Bezeichnung darf nicht leer sein. Die alte Bezeichnung wurde nicht geändert.</translation>
    </message>
    <message>
        <source>Stacked</source>
        <translation>Untereinander</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>Layout of references</source>
        <translation>Anordnung der Referenzen</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle anzeigen</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <source>Hide text that is covered by an SCU</source>
        <translation>Text ausblenden, den SCUs abdecken</translation>
    </message>
    <message>
        <source>Uncovered</source>
        <translation>Nicht abgedeckt</translation>
    </message>
    <message>
        <source>Every word of these references is covered.</source>
        <translation>Jedes Wort dieser Referenzen ist abgedeckt.</translation>
    </message>
    <message>
        <source>Covered</source>
        <translation>Abgedeckt</translation>
    </message>
    <message>
        <source>Show only this reference</source>
        <translation>Nur diese Referenz anzeigen</translation>
    </message>
    <message>
        <source>Reference {letter}</source>
        <translation>Referenz {letter}</translation>
    </message>
    <message>
        <source>Show all references</source>
        <translation>Alle Referenzen anzeigen</translation>
    </message>
    <message>
        <source>{share:.0f} % covered</source>
        <translation>{share:.0f} % abgedeckt</translation>
    </message>
    <message>
        <source>{word_count_text}, {text}, read only</source>
        <translation>{word_count_text}, {text}, schreibgeschützt</translation>
    </message>
    <message>
        <source>Double-click to show only this reference</source>
        <translation>Doppelklicken, um nur diese Referenz anzuzeigen</translation>
    </message>
    <message>
        <source>Select contributors with Space, then press the same key again.</source>
        <translation>Beiträge mit Space auswählen, dann dieselbe Taste noch einmal drücken.</translation>
    </message>
    <message>
        <source>This SCU has no contributors yet. Select text that expresses it, then press {pyramid.add_contributor}.</source>
        <translation>Diese SCU hat noch keine Beiträge. Passenden Text auswählen, dann {pyramid.add_contributor} drücken.</translation>
    </message>
    <message>
        <source>click the other SCU, or press Enter on it.</source>
        <translation>die andere SCU anklicken oder darauf Enter drücken.</translation>
    </message>
    <message>
        <source>Move to another SCU: {select_other}</source>
        <translation>In andere SCU verschieben: {select_other}</translation>
    </message>
    <message>
        <source>{select_other} The label of the heavier SCU stays.</source>
        <translation>{select_other} Es bleibt die Bezeichnung der schwereren SCU.</translation>
    </message>
    <message>
        <source>Merge with “{label}”: {which}</source>
        <translation>Zusammenführen mit „{label}“: {which}</translation>
    </message>
    <message>
        <source>, which keeps its matches</source>
        <translation>; Zuordnungen bleiben dort</translation>
    </message>
    <message>
        <source>Split from “{label}”{matches}.</source>
        <translation>Abgetrennt von „{label}“{matches}.</translation>
    </message>
    <message>
        <source> “{label}” was left empty and removed.</source>
        <translation> „{label}“ war danach leer und wurde entfernt.</translation>
    </message>
    <message>
        <source>Moved to “{label}”.{removed}</source>
        <translation>Verschoben nach „{label}“.{removed}</translation>
    </message>
    <message>
        <source>Merged into “{label}”.</source>
        <translation>Zusammengeführt in „{label}“.</translation>
    </message>
    <message>
        <source>Place the text cursor in a part of the selected SCU, or press {pyramid.next_contributor} to go to its contributors.</source>
        <translation>Den Textcursor in einen Teil der ausgewählten SCU setzen oder {pyramid.next_contributor} drücken, um zu Beiträgen zu gelangen.</translation>
    </message>
    <message>
        <source>Removed a part.</source>
        <translation>Ein Teil wurde entfernt.</translation>
    </message>
    <message>
        <source>Removed contributor {letter}.</source>
        <translation>Beitrag {letter} entfernt.</translation>
    </message>
    <message>
        <source> with {matches}</source>
        <translation> und {matches}</translation>
    </message>
    <message numerus="yes">
        <source>%n matches</source>
        <translation>
            <numerusform>%n Zuordnung</numerusform>
            <numerusform>%n Zuordnungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Removed “{label}”{with_matches}.</source>
        <translation>„{label}“{with_matches} entfernt.</translation>
    </message>
    <message>
        <source>Notes on this contributor</source>
        <translation>Notizen zu diesem Beitrag</translation>
    </message>
    <message>
        <source>Comment (reasons, doubts)</source>
        <translation>Kommentar (Gründe, Zweifel)</translation>
    </message>
    <message>
        <source>Overlapping SCUs</source>
        <translation>Überschneidende SCUs</translation>
    </message>
    <message>
        <source>No SCU is selected. Click one in the list or in a reference.</source>
        <translation>Keine SCU ausgewählt. In der Liste oder in einer Referenz anklicken.</translation>
    </message>
    <message>
        <source>Importance</source>
        <translation>Wichtigkeit</translation>
    </message>
    <message>
        <source>Not rated</source>
        <translation>Nicht bewertet</translation>
    </message>
    <message>
        <source>Okay</source>
        <translation>Okay</translation>
    </message>
    <message>
        <source>Vital</source>
        <translation>Wesentlich</translation>
    </message>
    <message>
        <source>Select words in a reference, then press New. Details of the first SCU are shown here.</source>
        <translation>Wörter in einer Referenz auswählen, dann „Neu“ drücken. Die Einzelheiten stehen dann hier.</translation>
    </message>
    <message>
        <source>{term} · {covered} of {references} references</source>
        <translation>{term} · {covered} von {references} Referenzen</translation>
    </message>
    <message>
        <source>Confirm it</source>
        <translation>Bestätigen</translation>
    </message>
    <message>
        <source>Comment on contributor {letter}</source>
        <translation>Kommentar zu Beitrag {letter}</translation>
    </message>
    <message>
        <source>and {more} more</source>
        <translation>und {more} weitere</translation>
    </message>
    <message>
        <source>{contributors_fact} · {selected} selected</source>
        <translation>{contributors_fact} · {selected} ausgewählt</translation>
    </message>
    <message>
        <source>Select {label}</source>
        <translation>{label} auswählen</translation>
    </message>
    <message>
        <source>Choose a topic first.</source>
        <translation>Zuerst ein Thema wählen.</translation>
    </message>
    <message>
        <source>pyramid</source>
        <translation>Pyramide</translation>
    </message>
    <message>
        <source>Save {name}</source>
        <translation>{name} speichern</translation>
    </message>
    <message>
        <source>Saving {name}</source>
        <translation>{name} wird gespeichert</translation>
    </message>
    <message>
        <source>{name} saved.</source>
        <translation>{name} gespeichert.</translation>
    </message>
    <message>
        <source>Making the pages</source>
        <translation>Seiten werden erstellt</translation>
    </message>
    <message>
        <source>making the pages</source>
        <translation>Seiten werden erstellt</translation>
    </message>
    <message>
        <source>Shows text in other references that resembles the selected SCU, and new SCUs for uncovered text. Nothing is added until you accept it.</source>
        <translation>Zeigt Text anderer Referenzen, der der ausgewählten SCU ähnelt, und neue SCUs für nicht abgedeckten Text. Hinzugefügt wird erst, wenn Sie einen Vorschlag annehmen.</translation>
    </message>
    <message>
        <source>Suggest spans</source>
        <translation>Spannen vorschlagen</translation>
    </message>
    <message>
        <source>Blind study: mark this topic&apos;s pyramid done to see suggestions.</source>
        <translation>Blinde Studie: Pyramide dieses Themas als fertig markieren, um Vorschläge zu sehen.</translation>
    </message>
    <message>
        <source>in one reference only</source>
        <translation>nur in einer Referenz</translation>
    </message>
    <message>
        <source>Proposals are off</source>
        <translation>Maschinelle Vorschläge sind ausgeschaltet</translation>
    </message>
    <message>
        <source>Shows nuggets that a language model proposed. None counts until you accept it, with its hits.</source>
        <translation>Zeigt Nuggets, die ein Sprachmodell vorgeschlagen hat. Keiner zählt, bevor du ihn und seine Treffer annimmst.</translation>
    </message>
    <message>
        <source>No proposals</source>
        <translation>Keine maschinellen Vorschläge</translation>
    </message>
    <message>
        <source>Annotate › Propose annotations… lets a language model propose nuggets.</source>
        <translation>Annotieren › Annotationen vorschlagen lassen… lässt ein Sprachmodell Nuggets vorschlagen.</translation>
    </message>
    <message>
        <source>Proposals are locked</source>
        <translation>Maschinelle Vorschläge sind gesperrt</translation>
    </message>
    <message>
        <source>Blind study: mark this topic&apos;s nuggets done to see proposals.</source>
        <translation>Blinde Studie: Markiere die Nuggets dieses Themas als fertig, um Vorschläge zu sehen.</translation>
    </message>
    <message>
        <source>Proposals are turned off. Turn them on with {nugget.proposals}.</source>
        <translation>Vorschläge von Modellen sind ausgeschaltet. {nugget.proposals} schaltet sie ein.</translation>
    </message>
    <message>
        <source>vital</source>
        <translation>wesentlich</translation>
    </message>
    <message>
        <source>okay</source>
        <translation>nützlich</translation>
    </message>
    <message>
        <source>New SCUs for uncovered text</source>
        <translation>Neue SCUs für nicht abgedeckten Text</translation>
    </message>
    <message>
        <source>Create this SCU</source>
        <translation>Diese SCU anlegen</translation>
    </message>
    <message>
        <source>No more suggestions.</source>
        <translation>Keine weiteren Vorschläge.</translation>
    </message>
    <message>
        <source>Similar to the selected SCU</source>
        <translation>Ähnlich der ausgewählten SCU</translation>
    </message>
    <message>
        <source>Similar to “{label}”</source>
        <translation>Ähnlich wie „{label}“</translation>
    </message>
    <message>
        <source>Add this contributor</source>
        <translation>Diesen Beitrag hinzufügen</translation>
    </message>
    <message>
        <source>All references already express it.</source>
        <translation>Alle Referenzen drücken dies schon aus.</translation>
    </message>
    <message>
        <source>No similar text in the other references.</source>
        <translation>Kein ähnlicher Text in den anderen Referenzen.</translation>
    </message>
    <message>
        <source>to confirm · {fact}</source>
        <translation>zu bestätigen · {fact}</translation>
    </message>
    <message>
        <source>Next topic</source>
        <translation>Nächstes Thema</translation>
    </message>
    <message>
        <source>Find in labels and text</source>
        <translation>In Bezeichnungen und Text suchen</translation>
    </message>
    <message>
        <source>No SCUs yet. Select text, then press New.</source>
        <translation>Noch keine SCUs. Text auswählen, dann „Neu“ drücken.</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>Reopen pyramid</source>
        <translation>Pyramide wieder öffnen</translation>
    </message>
    <message>
        <source>There are no reference summaries yet. Import them to build a pyramid.</source>
        <translation>Es gibt noch keine Referenzzusammenfassungen. Importieren Sie welche, um eine Pyramide zu erstellen.</translation>
    </message>
    <message>
        <source>Locked: shared pyramid of {name}</source>
        <translation>Gesperrt: gemeinsame Pyramide von {name}</translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation>Entsperren</translation>
    </message>
    <message>
        <source>by weight</source>
        <translation>nach Gewicht</translation>
    </message>
    <message numerus="yes">
        <source>%n findings</source>
        <translation>
            <numerusform>%n Befund</numerusform>
            <numerusform>%n Befunde</numerusform>
        </translation>
    </message>
    <message>
        <source>{fact} · done</source>
        <translation>{fact} · fertig</translation>
    </message>
    <message>
        <source>How many references express an SCU</source>
        <translation>Wie viele Referenzen eine SCU ausdrücken</translation>
    </message>
    <message>
        <source>no ratings</source>
        <translation>keine Bewertungen</translation>
    </message>
    <message>
        <source>Select a scale first (Tab).</source>
        <translation>Zuerst eine Skala auswählen (Tab).</translation>
    </message>
    <message>
        <source>Remove the marks first.</source>
        <translation>Zuerst die Markierungen entfernen.</translation>
    </message>
    <message>
        <source>Select words of the summary first.</source>
        <translation>Zuerst Wörter der Zusammenfassung auswählen.</translation>
    </message>
    <message>
        <source>This rating belongs to another annotator and was not cleared.</source>
        <translation>Diese Bewertung gehört einem anderen Annotator und wurde nicht gelöscht.</translation>
    </message>
    <message>
        <source>No rating is flagged.</source>
        <translation>Keine Bewertung hat ein Fähnchen.</translation>
    </message>
    <message>
        <source>All summaries are rated.</source>
        <translation>Alle Zusammenfassungen sind bewertet.</translation>
    </message>
    <message>
        <source>Summary {number} is unfinished: {share}.</source>
        <translation>Zusammenfassung {number} ist unvollständig: {share}.</translation>
    </message>
    <message>
        <source>unfinished, {share}</source>
        <translation>unvollständig, {share}</translation>
    </message>
    <message>
        <source>{rated} of {due} rated</source>
        <translation>{rated} von {due} bewertet</translation>
    </message>
    <message>
        <source> · {begun:,} unfinished</source>
        <translation> · {begun:,} unvollständig</translation>
    </message>
    <message>
        <source>{done:,} of {total:,} rated{unfinished}</source>
        <translation>{done:,} von {total:,} bewertet{unfinished}</translation>
    </message>
    <message>
        <source>Counting ratings</source>
        <translation>Bewertungen werden gezählt</translation>
    </message>
    <message>
        <source>Add {name}: {scales}</source>
        <translation>{name} hinzufügen: {scales}</translation>
    </message>
    <message>
        <source>not rated</source>
        <translation>nicht bewertet</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>Flag the rating of {name}</source>
        <translation>Fähnchen an die Bewertung von {name} setzen</translation>
    </message>
    <message>
        <source>Note on the rating of {name}</source>
        <translation>Notiz zur Bewertung von {name}</translation>
    </message>
    <message>
        <source>Your answer</source>
        <translation>Ihre Antwort</translation>
    </message>
    <message>
        <source>Note on {name}</source>
        <translation>Notiz zu {name}</translation>
    </message>
    <message>
        <source>Note on this rating</source>
        <translation>Notiz zu dieser Bewertung</translation>
    </message>
    <message>
        <source>Nothing to mark</source>
        <translation>Nichts zu markieren</translation>
    </message>
    <message numerus="yes">
        <source>%n marks</source>
        <translation>
            <numerusform>%n Markierung</numerusform>
            <numerusform>%n Markierungen</numerusform>
        </translation>
    </message>
    <message>
        <source>no marks</source>
        <translation>keine Markierungen</translation>
    </message>
    <message>
        <source>{value:g} of {high:g}</source>
        <translation>{value:g} von {high:g}</translation>
    </message>
    <message>
        <source>The summary has nothing to mark (0)</source>
        <translation>In der Zusammenfassung gibt es nichts zu markieren (0)</translation>
    </message>
    <message>
        <source>Remove the mark {words}</source>
        <translation>Markierung {words} entfernen</translation>
    </message>
    <message>
        <source>A scale cannot have this name. {problem}</source>
        <translation>Eine Skala kann nicht so heißen. {problem}</translation>
    </message>
    <message>
        <source>New scale</source>
        <translation>Neue Skala</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Categories</source>
        <translation>Kategorien</translation>
    </message>
    <message>
        <source>Free text</source>
        <translation>Freier Text</translation>
    </message>
    <message>
        <source>Marked spans</source>
        <translation>Markierte Spannen</translation>
    </message>
    <message>
        <source>Rating scales</source>
        <translation>Bewertungsskalen</translation>
    </message>
    <message>
        <source>Annotation</source>
        <translation>Annotation</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Skala</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Do the annotators agree?</source>
        <translation>Stimmen die Annotatoren überein?</translation>
    </message>
    <message>
        <source>none left</source>
        <translation>keine übrig</translation>
    </message>
    <message>
        <source>Unnamed</source>
        <translation>Ohne Namen</translation>
    </message>
    <message>
        <source>Add scale</source>
        <translation>Skala hinzufügen</translation>
    </message>
    <message>
        <source>Published scales</source>
        <translation>Veröffentlichte Skalen</translation>
    </message>
    <message>
        <source>Remove scale</source>
        <translation>Skala entfernen</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Required</source>
        <translation>Erforderlich</translation>
    </message>
    <message>
        <source>A summary is done once all required scales have a value</source>
        <translation>Eine Zusammenfassung ist fertig, wenn alle erforderlichen Skalen einen Wert haben</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Bis</translation>
    </message>
    <message>
        <source>e.g. How coherent is the summary?</source>
        <translation>z. B. Wie kohärent ist die Zusammenfassung?</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Bereich</translation>
    </message>
    <message>
        <source>Anchors</source>
        <translation>Anker</translation>
    </message>
    <message>
        <source>Meanings of values (optional).</source>
        <translation>Bedeutungen von Werten (optional).</translation>
    </message>
    <message>
        <source>One per line, with the number of its line as its key.</source>
        <translation>Eine je Zeile, mit der Nummer der Zeile als Taste.</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>Beschreibung</translation>
    </message>
    <message numerus="yes">
        <source>%n ratings</source>
        <translation>
            <numerusform>%n Bewertung</numerusform>
            <numerusform>%n Bewertungen</numerusform>
        </translation>
    </message>
    <message>
        <source>; the range must include them</source>
        <translation>; der Bereich muss sie einschließen</translation>
    </message>
    <message>
        <source>; rename categories or add some below</source>
        <translation>; Kategorien umbenennen oder unten welche anfügen</translation>
    </message>
    <message>
        <source>No ratings yet.</source>
        <translation>Noch keine Bewertungen.</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>Value of another anchor</source>
        <translation>Wert eines weiteren Ankers</translation>
    </message>
    <message>
        <source>Add an anchor at this value</source>
        <translation>Anker bei diesem Wert hinzufügen</translation>
    </message>
    <message>
        <source>Meaning of {value:g}</source>
        <translation>Bedeutung von {value:g}</translation>
    </message>
    <message>
        <source>{name} with {count}</source>
        <translation>{name} mit {count}</translation>
    </message>
    <message>
        <source>{name} (no ratings)</source>
        <translation>{name} (keine Bewertungen)</translation>
    </message>
    <message>
        <source>Saving removes {names}. Undo restores them.</source>
        <translation>Das Speichern entfernt {names}. „Rückgängig“ stellt alles wieder her.</translation>
    </message>
    <message>
        <source>Show all summaries side by side</source>
        <translation>Alle Zusammenfassungen nebeneinander zeigen</translation>
    </message>
    <message>
        <source>Show documents and references</source>
        <translation>Dokumente und Referenzen zeigen</translation>
    </message>
    <message>
        <source>Show progress by topic</source>
        <translation>Fortschritt nach Themen anzeigen</translation>
    </message>
    <message>
        <source>There are no summaries to rate yet.</source>
        <translation>Es gibt noch keine Zusammenfassungen zu bewerten.</translation>
    </message>
    <message>
        <source>Edit scales…</source>
        <translation>Skalen bearbeiten…</translation>
    </message>
    <message>
        <source>Add a scale from 1 to 5, or those of a published evaluation.</source>
        <translation>Eine Skala von 1 bis 5 hinzufügen oder die einer veröffentlichten Evaluation.</translation>
    </message>
    <message>
        <source>On a scale</source>
        <translation>Auf einer Skala</translation>
    </message>
    <message>
        <source>Rate and go to the next scale</source>
        <translation>Bewerten und zur nächsten Skala gehen</translation>
    </message>
    <message>
        <source>After the last scale: next unrated summary</source>
        <translation>Nach der letzten Skala: nächste unbewertete Zusammenfassung</translation>
    </message>
    <message>
        <source>Next scale</source>
        <translation>Nächste Skala</translation>
    </message>
    <message>
        <source>Mark selected words</source>
        <translation>Ausgewählte Wörter markieren</translation>
    </message>
    <message>
        <source>From the first scale to the summary</source>
        <translation>Von der ersten Skala zur Zusammenfassung</translation>
    </message>
    <message>
        <source>Summary {position} of {total}</source>
        <translation>Zusammenfassung {position} von {total}</translation>
    </message>
    <message>
        <source>Hide documents and references</source>
        <translation>Dokumente und Referenzen verbergen</translation>
    </message>
    <message>
        <source>{rated} of {counted} rated</source>
        <translation>{rated} von {counted} bewertet</translation>
    </message>
    <message>
        <source>Mark selection</source>
        <translation>Auswahl markieren</translation>
    </message>
    <message>
        <source>Name of the scale</source>
        <translation>Name der Skala</translation>
    </message>
    <message>
        <source>Add a scale with this name, from 1 to 5</source>
        <translation>Eine Skala mit diesem Namen hinzufügen, von 1 bis 5</translation>
    </message>
    <message>
        <source>Excel workbook</source>
        <translation>Excel-Arbeitsmappe</translation>
    </message>
    <message>
        <source>Parquet</source>
        <translation>Parquet</translation>
    </message>
    <message>
        <source>Scores (CSV, XLSX, Parquet)</source>
        <translation>Werte (CSV, XLSX, Parquet)</translation>
    </message>
    <message>
        <source>One row per summary and measure.</source>
        <translation>Eine Zeile je Zusammenfassung und Maß.</translation>
    </message>
    <message>
        <source>Scores (sacrerouge JSONL)</source>
        <translation>Werte (sacrerouge JSONL)</translation>
    </message>
    <message>
        <source>One line per summary, nested by measure.</source>
        <translation>Eine Zeile je Zusammenfassung, nach Maßen verschachtelt.</translation>
    </message>
    <message>
        <source>ROUGE (text)</source>
        <translation>ROUGE (Text)</translation>
    </message>
    <message>
        <source>Output of ROUGE-1.5.5: averages, intervals, each topic.</source>
        <translation>Ausgabe von ROUGE-1.5.5: Mittelwerte, Intervalle, jedes Thema.</translation>
    </message>
    <message>
        <source>Judgements (CSV, XLSX, Parquet)</source>
        <translation>Urteile (CSV, XLSX, Parquet)</translation>
    </message>
    <message>
        <source>One row per summary and human value.</source>
        <translation>Eine Zeile je Zusammenfassung und menschlichem Wert.</translation>
    </message>
    <message>
        <source>Ratings (CSV, XLSX, Parquet)</source>
        <translation>Bewertungen (CSV, XLSX, Parquet)</translation>
    </message>
    <message>
        <source>One row per rating.</source>
        <translation>Eine Zeile je Bewertung.</translation>
    </message>
    <message>
        <source>Pyramids (DUCView)</source>
        <translation>Pyramiden (DUCView)</translation>
    </message>
    <message>
        <source>A folder with a .pyr per pyramid and a .pan per summary.</source>
        <translation>Ein Ordner mit einer .pyr-Datei je Pyramide und einer .pan-Datei je Zusammenfassung.</translation>
    </message>
    <message>
        <source>Pyramids (RoSE JSONL)</source>
        <translation>Pyramiden (RoSE JSONL)</translation>
    </message>
    <message>
        <source>One line per topic, with a label per SCU and summary.</source>
        <translation>Eine Zeile je Thema, mit einem Label je SCU und Zusammenfassung.</translation>
    </message>
    <message>
        <source>Pyramids (Lite²Pyramid)</source>
        <translation>Pyramiden (Lite²Pyramid)</translation>
    </message>
    <message>
        <source>A folder with SCUs and labels, one topic per line.</source>
        <translation>Ein Ordner mit SCUs und Labels, ein Thema je Zeile.</translation>
    </message>
    <message>
        <source>Test set (mt-metrics-eval)</source>
        <translation>Testdatensatz (mt-metrics-eval)</translation>
    </message>
    <message>
        <source>A folder with texts, scores and human values.</source>
        <translation>Ein Ordner mit Texten, Werten und menschlichen Werten.</translation>
    </message>
    <message>
        <source>Tables of the report (CSV)</source>
        <translation>Tabellen des Berichts (CSV)</translation>
    </message>
    <message>
        <source>A folder with one file per table.</source>
        <translation>Ein Ordner mit einer Datei je Tabelle.</translation>
    </message>
    <message>
        <source>Report for a paper</source>
        <translation>Bericht für eine Veröffentlichung</translation>
    </message>
    <message>
        <source>A folder: the report in all formats, LaTeX tables, figures, references.</source>
        <translation>Ein Ordner: der Bericht in allen Formaten, LaTeX-Tabellen, Abbildungen, Literatur.</translation>
    </message>
    <message>
        <source>Select a folder: {title}</source>
        <translation>Ordner wählen: {title}</translation>
    </message>
    <message>
        <source>Writing: {title}</source>
        <translation>Schreiben: {title}</translation>
    </message>
    <message>
        <source>Save: {title}</source>
        <translation>Speichern: {title}</translation>
    </message>
    <message>
        <source>JSON lines</source>
        <translation>JSON-Zeilen</translation>
    </message>
    <message>
        <source>Reading the study</source>
        <translation>Studie wird gelesen</translation>
    </message>
    <message>
        <source>Save report</source>
        <translation>Bericht speichern</translation>
    </message>
    <message>
        <source>Writing the report</source>
        <translation>Bericht wird geschrieben</translation>
    </message>
    <message>
        <source>Report of {name}</source>
        <translation>Bericht zu {name}</translation>
    </message>
    <message>
        <source>Another export is running. Wait for it or cancel it.</source>
        <translation>Ein anderer Export läuft. Warten Sie, bis er fertig ist, oder brechen Sie ihn ab.</translation>
    </message>
    <message>
        <source>Nothing is scored yet. The report will have no measures.</source>
        <translation>Noch ist nichts berechnet. Der Bericht wird keine Maße enthalten.</translation>
    </message>
    <message>
        <source>There are no human judgements yet. The report will have no correlations.</source>
        <translation>Noch gibt es keine menschlichen Urteile. Der Bericht wird keine Korrelationen enthalten.</translation>
    </message>
    <message numerus="yes">
        <source>%n judgements</source>
        <translation>
            <numerusform>%n Urteil</numerusform>
            <numerusform>%n Urteile</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n summaries</source>
        <translation>
            <numerusform>%n Zusammenfassung</numerusform>
            <numerusform>%n Zusammenfassungen</numerusform>
        </translation>
    </message>
    <message>
        <source>Judgement {number}</source>
        <translation>Urteil {number}</translation>
    </message>
    <message>
        <source> · requires scores and a judgement</source>
        <translation> · erfordert Werte und ein Urteil</translation>
    </message>
    <message>
        <source>{judgement_count} of {measure_count}</source>
        <translation>{judgement_count} ({measure_count})</translation>
    </message>
    <message numerus="yes">
        <source>%n tables</source>
        <translation>
            <numerusform>%n Tabelle</numerusform>
            <numerusform>%n Tabellen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n measures</source>
        <translation>
            <numerusform>%n Maß</numerusform>
            <numerusform>%n Maße</numerusform>
        </translation>
    </message>
    <message>
        <source>Value, interval and cluster of each metric&apos;s main measure over {items}{missing}</source>
        <translation>Wert, Intervall und Cluster des Hauptmaßes jeder Metrik; {items}{missing}</translation>
    </message>
    <message>
        <source>Data, agreement, metrics</source>
        <translation>Daten, Übereinstimmung, Metriken</translation>
    </message>
    <message>
        <source>Counts of texts and annotations; agreement of annotators; signatures</source>
        <translation>Anzahl der Texte und Annotationen; Übereinstimmung der Annotatoren; Signaturen</translation>
    </message>
    <message>
        <source>Figures, methods, limits</source>
        <translation>Abbildungen, Methoden, Grenzen</translation>
    </message>
    <message>
        <source>A heatmap, and a plot of the first judgement&apos;s best measure{missing}</source>
        <translation>Eine Heatmap und ein Diagramm des besten Maßes für das erste Urteil{missing}</translation>
    </message>
    <message>
        <source>Reproduction</source>
        <translation>Reproduktion</translation>
    </message>
    <message>
        <source>Digest of the study, and the commands that check the report</source>
        <translation>Prüfsumme der Studie und die Befehle, die den Bericht überprüfen</translation>
    </message>
    <message>
        <source>Appendix</source>
        <translation>Anhang</translation>
    </message>
    <message>
        <source>{tables} per level with p, n and dropped; means of {systems}; {signature_count}; experiments; commands and software versions</source>
        <translation>{tables} je Ebene mit p, n und Ausgelassenem; Mittelwerte ({systems}); {signature_count}; Experimente; Befehle und Softwareversionen</translation>
    </message>
    <message numerus="yes">
        <source>%n signatures</source>
        <translation>
            <numerusform>%n Signatur</numerusform>
            <numerusform>%n Signaturen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n figures</source>
        <translation>
            <numerusform>%n Abbildung</numerusform>
            <numerusform>%n Abbildungen</numerusform>
        </translation>
    </message>
    <message>
        <source>{contents} · {kilobytes} kB · {parent}</source>
        <translation>{contents} · {kilobytes} kB · {parent}</translation>
    </message>
    <message>
        <source>Reading added figures</source>
        <translation>Hinzugefügte Abbildungen werden gelesen</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Coefficient of figures</source>
        <translation>Koeffizient der Abbildungen</translation>
    </message>
    <message>
        <source>Coefficient of the figures</source>
        <translation>Koeffizient der Abbildungen</translation>
    </message>
    <message>
        <source>Write report…</source>
        <translation>Bericht schreiben…</translation>
    </message>
    <message>
        <source>Progress of the export</source>
        <translation>Fortschritt des Exports</translation>
    </message>
    <message>
        <source>No files written yet. The report is a web page, a PDF or a Word document of about five pages with an appendix, and the commands that reproduce each number.</source>
        <translation>Noch keine Dateien geschrieben. Der Bericht ist eine Webseite, ein PDF oder ein Word-Dokument von etwa fünf Seiten mit einem Anhang und den Befehlen, die jede Zahl reproduzieren.</translation>
    </message>
    <message>
        <source>Include</source>
        <translation>Aufnehmen</translation>
    </message>
    <message>
        <source>Include {title}</source>
        <translation>{title} aufnehmen</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner zeigen</translation>
    </message>
    <message>
        <source>Contents of the report</source>
        <translation>Inhalt des Berichts</translation>
    </message>
    <message>
        <source>Added figures and tables</source>
        <translation>Hinzugefügte Abbildungen und Tabellen</translation>
    </message>
    <message>
        <source>Written files</source>
        <translation>Geschriebene Dateien</translation>
    </message>
    <message>
        <source>Other exports</source>
        <translation>Weitere Exporte</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Export {title}</source>
        <translation>{title} exportieren</translation>
    </message>
    <message>
        <source>No figures or tables added yet. Use “Add to the report” on a tab of Compare: the figure or table is stored as it is then, with the command that reproduces it.</source>
        <translation>Noch keine Abbildungen oder Tabellen hinzugefügt. „Zum Bericht hinzufügen“ auf einem Reiter von „Vergleichen“ speichert die Abbildung oder Tabelle, wie sie dann ist, mit dem Befehl, der sie reproduziert.</translation>
    </message>
    <message>
        <source>Figures and tables added to the report</source>
        <translation>Zum Bericht hinzugefügte Abbildungen und Tabellen</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Listing experiments</source>
        <translation>Experimente werden aufgelistet</translation>
    </message>
    <message>
        <source>Listing experiments…</source>
        <translation>Experimente werden aufgelistet…</translation>
    </message>
    <message>
        <source>Deleting a result</source>
        <translation>Ergebnis wird gelöscht</translation>
    </message>
    <message>
        <source>{title}: result deleted.</source>
        <translation>{title}: Ergebnis gelöscht.</translation>
    </message>
    <message>
        <source>Reading a result</source>
        <translation>Ergebnis wird gelesen</translation>
    </message>
    <message>
        <source>Propose annotations</source>
        <translation>Annotationen vorschlagen lassen</translation>
    </message>
    <message>
        <source>Progress of the proposals</source>
        <translation>Fortschritt der Vorschläge</translation>
    </message>
    <message>
        <source>Stop. What is proposed for finished topics is stored.</source>
        <translation>Anhalten. Vorschläge für fertige Themen sind gespeichert.</translation>
    </message>
    <message>
        <source>Running…</source>
        <translation>Läuft…</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Name of the machine annotator</source>
        <translation>Name des maschinellen Annotators</translation>
    </message>
    <message>
        <source>Nothing counts until a person accepts it. Earlier proposals of this name are replaced.</source>
        <translation>Nichts zählt, bevor eine Person es annimmt. Frühere Vorschläge dieses Namens werden ersetzt.</translation>
    </message>
    <message>
        <source>Cancel the run. Finished steps are stored; the next run continues.</source>
        <translation>Lauf abbrechen. Fertige Schritte sind gespeichert; der nächste Lauf setzt dort fort.</translation>
    </message>
    <message>
        <source>Find an experiment</source>
        <translation>Experiment suchen</translation>
    </message>
    <message>
        <source>Experiments</source>
        <translation>Experimente</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Reset all settings to their defaults</source>
        <translation>Alle Einstellungen auf ihre Vorgaben zurücksetzen</translation>
    </message>
    <message>
        <source>Delete result</source>
        <translation>Ergebnis löschen</translation>
    </message>
    <message>
        <source>Delete the stored result with these settings, and the scores that only it uses</source>
        <translation>Das gespeicherte Ergebnis mit diesen Einstellungen löschen, samt den Werten, die nur dieses verwendet</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>Experiment</translation>
    </message>
    <message>
        <source>checking existing scores</source>
        <translation>vorhandene Werte werden geprüft</translation>
    </message>
    <message>
        <source>scored</source>
        <translation>berechnet</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>Allow it</source>
        <translation>Erlauben</translation>
    </message>
    <message>
        <source>Indexes…</source>
        <translation>Indexe…</translation>
    </message>
    <message>
        <source>Models…</source>
        <translation>Modelle…</translation>
    </message>
    <message>
        <source>S{stand_in}, which the paper used.</source>
        <translation>S{stand_in} (Letzteres verwendet der Artikel).</translation>
    </message>
    <message>
        <source>no {title}</source>
        <translation>ohne {title}</translation>
    </message>
    <message>
        <source>Needs a model</source>
        <translation>Braucht ein Modell</translation>
    </message>
    <message>
        <source>Cannot run</source>
        <translation>Nicht ausführbar</translation>
    </message>
    <message>
        <source>{topics} stale</source>
        <translation>{topics} veraltet</translation>
    </message>
    <message>
        <source>{topics} left</source>
        <translation>{topics} offen</translation>
    </message>
    <message>
        <source>{is_chosen} of {rows}</source>
        <translation>{is_chosen} von {rows}</translation>
    </message>
    <message>
        <source>{name}, chosen: {about}</source>
        <translation>{name}, gewählt: {about}</translation>
    </message>
    <message>
        <source>{name}, not chosen: {about}</source>
        <translation>{name}, nicht gewählt: {about}</translation>
    </message>
    <message>
        <source>Planning</source>
        <translation>Planung läuft</translation>
    </message>
    <message>
        <source>There is nothing to score: choose a metric that has unscored topics.</source>
        <translation>Nichts zu berechnen: eine Metrik wählen, die noch nicht berechnete Themen hat.</translation>
    </message>
    <message>
        <source>{chosen} of {rows} chosen</source>
        <translation>{chosen} von {rows} gewählt</translation>
    </message>
    <message>
        <source>{unable} cannot run yet</source>
        <translation>{unable} noch nicht ausführbar</translation>
    </message>
    <message>
        <source>all authors</source>
        <translation>alle Autoren</translation>
    </message>
    <message>
        <source>, as systems too</source>
        <translation>, auch als Systeme</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>{topics} · {systems} · {references}</source>
        <translation>{topics} · {systems} · {references}</translation>
    </message>
    <message>
        <source>{summaries} summaries, {references} references</source>
        <translation>{summaries} Zusammenfassungen, {references} Referenzen</translation>
    </message>
    <message>
        <source>Scoring</source>
        <translation>Werte werden berechnet</translation>
    </message>
    <message>
        <source>{scored:,} pairs of metric and topic scored.</source>
        <translation>{scored:,} Paare aus Metrik und Thema berechnet.</translation>
    </message>
    <message>
        <source>Cancelled; finished topics are stored.</source>
        <translation>Abgebrochen; fertige Themen sind gespeichert.</translation>
    </message>
    <message>
        <source>Stopped: {error}</source>
        <translation>Angehalten: {error}</translation>
    </message>
    <message>
        <source>Scores are stored topic by topic. You can cancel at any time; the next run resumes.</source>
        <translation>Werte werden Thema für Thema gespeichert. Sie können jederzeit abbrechen; der nächste Lauf setzt dort fort.</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>Fortschritt des Laufs</translation>
    </message>
    <message>
        <source>Notes ({notes})</source>
        <translation>Hinweise ({notes})</translation>
    </message>
    <message>
        <source>Left out of this run · {left_out}</source>
        <translation>Bei diesem Lauf ausgelassen · {left_out}</translation>
    </message>
    <message>
        <source>Progress of {name} {about}</source>
        <translation>Fortschritt von {name} {about}</translation>
    </message>
    <message>
        <source>{able} chosen</source>
        <translation>{able} gewählt</translation>
    </message>
    <message>
        <source>started {started:%H:%M}</source>
        <translation>begonnen {started:%H:%M}</translation>
    </message>
    <message>
        <source>left</source>
        <translation>übrig</translation>
    </message>
    <message>
        <source>{share:.0%} · {finished} of {runs} done</source>
        <translation>{share:.0%} · {finished} von {runs} fertig</translation>
    </message>
    <message>
        <source>, {failed} failed</source>
        <translation>, {failed} fehlgeschlagen</translation>
    </message>
    <message>
        <source>Last run</source>
        <translation>Letzter Lauf</translation>
    </message>
    <message>
        <source>done {now:%H:%M}</source>
        <translation>fertig {now:%H:%M}</translation>
    </message>
    <message>
        <source>taken</source>
        <translation>gebraucht</translation>
    </message>
    <message>
        <source>Checking existing scores …</source>
        <translation>Vorhandene Werte werden geprüft …</translation>
    </message>
    <message>
        <source>Nothing is chosen.</source>
        <translation>Nichts ist gewählt.</translation>
    </message>
    <message>
        <source>Tick metrics in the list, then press Score.</source>
        <translation>Metriken in der Liste ankreuzen, dann „Berechnen“ drücken.</translation>
    </message>
    <message>
        <source>There is nothing to score.</source>
        <translation>Es gibt nichts zu berechnen.</translation>
    </message>
    <message>
        <source>The chosen metrics lack texts or models.</source>
        <translation>Den gewählten Metriken fehlen Texte oder Modelle.</translation>
    </message>
    <message>
        <source>Everything chosen is scored.</source>
        <translation>Alles Gewählte ist berechnet.</translation>
    </message>
    <message>
        <source>estimated</source>
        <translation>geschätzt</translation>
    </message>
    <message>
        <source>{metrics} to score</source>
        <translation>{metrics} zu berechnen</translation>
    </message>
    <message>
        <source>{metrics} × {topics} scored</source>
        <translation>{metrics} × {topics} berechnet</translation>
    </message>
    <message numerus="yes">
        <source>%n pairs of metric and topic scored</source>
        <translation>
            <numerusform>%n Paar aus Metrik und Thema berechnet</numerusform>
            <numerusform>%n Paare aus Metrik und Thema berechnet</numerusform>
        </translation>
    </message>
    <message>
        <source>nothing to score</source>
        <translation>nichts zu berechnen</translation>
    </message>
    <message>
        <source>topic {done} of {total}</source>
        <translation>Thema {done} von {total}</translation>
    </message>
    <message>
        <source>about {clock}</source>
        <translation>etwa {clock}</translation>
    </message>
    <message>
        <source>Six S3 features</source>
        <translation>Sechs S3-Merkmale</translation>
    </message>
    <message>
        <source>S3 features and all of ROUGE</source>
        <translation>S3-Merkmale und alles von ROUGE</translation>
    </message>
    <message>
        <source>Selected measures</source>
        <translation>Ausgewählte Maße</translation>
    </message>
    <message>
        <source>Train a metric</source>
        <translation>Metrik trainieren</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>Trainieren</translation>
    </message>
    <message>
        <source>Features</source>
        <translation>Merkmale</translation>
    </message>
    <message>
        <source>Choose measures</source>
        <translation>Maße wählen</translation>
    </message>
    <message>
        <source>The model {name} of this study will be replaced.</source>
        <translation>Das Modell {name} dieser Studie wird ersetzt.</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Judgement to predict; summaries without it are skipped.</source>
        <translation>Urteil, das vorhergesagt wird; Zusammenfassungen ohne dieses werden übersprungen.</translation>
    </message>
    <message>
        <source>Cross-validation folds</source>
        <translation>Teilmengen der Kreuzvalidierung</translation>
    </message>
    <message>
        <source>Each fold of topics is scored by a model trained on the other folds.</source>
        <translation>Jede Teilmenge der Themen berechnet ein Modell, das auf den übrigen trainiert wurde.</translation>
    </message>
    <message>
        <source>Letters, digits, - and _. Scores are named s3-NAME.score.</source>
        <translation>Buchstaben, Ziffern, - und _. Die Werte heißen s3-NAME.score.</translation>
    </message>
    <message>
        <source>Reading judgements</source>
        <translation>Urteile werden gelesen</translation>
    </message>
    <message>
        <source>There is nothing to train on yet: match or rate summaries of at least two topics first.</source>
        <translation>Noch gibt es nichts zum Trainieren: zuerst Zusammenfassungen von mindestens zwei Themen zuordnen oder bewerten.</translation>
    </message>
    <message>
        <source>Training {name}</source>
        <translation>{name} wird trainiert</translation>
    </message>
    <message>
        <source>{title} · {cells:,} summaries</source>
        <translation>{title} · {cells:,} Zusammenfassungen</translation>
    </message>
    <message>
        <source>{name} is trained: r = {value} with {human} over {n:,} summaries of held-out topics. Score with s3-{name} to compare it.</source>
        <translation>{name} ist trainiert: r = {value} mit {human} über {n:,} Zusammenfassungen zurückgehaltener Themen. Zum Vergleichen mit s3-{name} berechnen.</translation>
    </message>
    <message>
        <source>All ready</source>
        <translation>Alle verfügbaren</translation>
    </message>
    <message>
        <source>Quick</source>
        <translation>Schnell</translation>
    </message>
    <message>
        <source>SummEval</source>
        <translation>SummEval</translation>
    </message>
    <message>
        <source>Reference-free</source>
        <translation>Ohne Referenzen</translation>
    </message>
    <message>
        <source>References that count</source>
        <translation>Referenzen, die zählen</translation>
    </message>
    <message>
        <source>All authors</source>
        <translation>Alle Autoren</translation>
    </message>
    <message>
        <source>Also as systems</source>
        <translation>Auch als Systeme</translation>
    </message>
    <message>
        <source>Score references as systems too</source>
        <translation>Werte auch für Referenzen berechnen, als Systeme</translation>
    </message>
    <message>
        <source>Score each reference against the others, and each summary with one reference left out in turn.
Stored in addition to the usual scores, to compare people with systems.</source>
        <translation>Jede Referenz gegen die anderen berechnen und jede Zusammenfassung reihum ohne eine der Referenzen.
Wird zusätzlich zu den üblichen Werten gespeichert, um Menschen mit Systemen zu vergleichen.</translation>
    </message>
    <message>
        <source>Run on</source>
        <translation>Ausführen auf</translation>
    </message>
    <message>
        <source>Find a metric</source>
        <translation>Metrik suchen</translation>
    </message>
    <message>
        <source>Choose a set of metrics; those that cannot run are skipped</source>
        <translation>Eine Gruppe von Metriken wählen; nicht ausführbare werden übersprungen</translation>
    </message>
    <message>
        <source>Train a metric…</source>
        <translation>Metrik trainieren…</translation>
    </message>
    <message>
        <source>Train a metric on the study&apos;s judgements</source>
        <translation>Eine Metrik mit den Urteilen der Studie trainieren</translation>
    </message>
    <message>
        <source>Show installed models and models to download</source>
        <translation>Installierte Modelle und Modelle zum Herunterladen anzeigen</translation>
    </message>
    <message>
        <source>All can run on this computer</source>
        <translation>Alle sind auf diesem Computer ausführbar</translation>
    </message>
    <message>
        <source>Checking which can run</source>
        <translation>Es wird geprüft, welche ausführbar sind</translation>
    </message>
    <message>
        <source>Add another</source>
        <translation>Weitere hinzufügen</translation>
    </message>
    <message>
        <source>Add another configuration of this metric</source>
        <translation>Eine weitere Konfiguration dieser Metrik hinzufügen</translation>
    </message>
    <message>
        <source>Remove this configuration</source>
        <translation>Diese Konfiguration entfernen</translation>
    </message>
    <message>
        <source>Copy the signature</source>
        <translation>Signatur kopieren</translation>
    </message>
    <message>
        <source>Which metrics correlate best across data sets? Add more studies, then compare.</source>
        <translation>Welche Metriken korrelieren über Datensätze hinweg am besten? Weitere Studien hinzufügen, dann vergleichen.</translation>
    </message>
    <message>
        <source>Add studies…</source>
        <translation>Studien hinzufügen…</translation>
    </message>
    <message>
        <source>The studies have changed. Compare them again.</source>
        <translation>Die Studien haben sich geändert. Vergleichen Sie sie erneut.</translation>
    </message>
    <message>
        <source>{name} is already in the list.</source>
        <translation>{name} ist schon in der Liste.</translation>
    </message>
    <message>
        <source>Comparing studies</source>
        <translation>Studien werden verglichen</translation>
    </message>
    <message>
        <source>Add studies scored with the same metrics, or drop their files here.</source>
        <translation>Mit denselben Metriken berechnete Studien hinzufügen oder ihre Dateien hier ablegen.</translation>
    </message>
    <message>
        <source>Studies to compare</source>
        <translation>Zu vergleichende Studien</translation>
    </message>
    <message>
        <source>open study</source>
        <translation>geöffnete Studie</translation>
    </message>
    <message>
        <source>Remove {name} from the list</source>
        <translation>{name} aus der Liste entfernen</translation>
    </message>
    <message>
        <source>In each study, use only topics and systems that every measure has scored</source>
        <translation>In jeder Studie nur Themen und Systeme verwenden, für die alle Maße berechnet sind</translation>
    </message>
    <message>
        <source>ε 0.2: experts</source>
        <translation>ε 0,2: Fachleute</translation>
    </message>
    <message>
        <source>ε 0.15: skilled annotators</source>
        <translation>ε 0,15: Geübte</translation>
    </message>
    <message>
        <source>ε 0.1: crowd workers</source>
        <translation>ε 0,1: Crowdworker</translation>
    </message>
    <message>
        <source>ε 0: no discount</source>
        <translation>ε 0: kein Abzug</translation>
    </message>
    <message>
        <source>Judge</source>
        <comment>column</comment>
        <translation>Judge-Modell</translation>
    </message>
    <message>
        <source>People</source>
        <translation>Menschen</translation>
    </message>
    <message>
        <source>Edit a rubric…</source>
        <translation>Rubrik bearbeiten…</translation>
    </message>
    <message>
        <source>Summaries on which judge and people disagree most</source>
        <translation>Zusammenfassungen, bei denen Judge-Modell und Menschen am weitesten auseinanderliegen</translation>
    </message>
    <message>
        <source>Disagreements</source>
        <translation>Abweichungen</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Vergleich läuft…</translation>
    </message>
    <message>
        <source>Compare the judges</source>
        <translation>Judge-Modelle vergleichen</translation>
    </message>
    <message>
        <source>All judges</source>
        <translation>Alle Judge-Modelle</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon (ε)</translation>
    </message>
    <message>
        <source>{development:,} of {topics:,} topics for development</source>
        <translation>{development:,} von {topics:,} Themen für die Entwicklung</translation>
    </message>
    <message>
        <source>No topics for development</source>
        <translation>Keine Themen für die Entwicklung</translation>
    </message>
    <message>
        <source>{development:,} for development</source>
        <translation>{development:,} für die Entwicklung</translation>
    </message>
    <message>
        <source>Add…</source>
        <translation>Hinzufügen…</translation>
    </message>
    <message>
        <source>Add a study…</source>
        <translation>Studie hinzufügen…</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt verwendet</translation>
    </message>
    <message>
        <source>Add a recent study</source>
        <translation>Eine zuletzt verwendete Studie hinzufügen</translation>
    </message>
    <message>
        <source>Study files</source>
        <translation>Studiendateien</translation>
    </message>
    <message>
        <source>No topic has documents to summarize. Import them first.</source>
        <translation>Kein Thema hat Dokumente zum Zusammenfassen. Zuerst Dokumente importieren.</translation>
    </message>
    <message>
        <source>Making {name}</source>
        <translation>{name} wird erstellt</translation>
    </message>
    <message>
        <source>{name}: {summaries} made.</source>
        <translation>{name}: {summaries} erzeugt.</translation>
    </message>
    <message>
        <source> {kept:,} were there already.</source>
        <translation> Schon vorhanden: {kept:,}.</translation>
    </message>
    <message>
        <source> For {cut:,} the end of the documents did not fit in the model.</source>
        <translation> Bei {cut:,} passte das Ende der Dokumente nicht in das Modell.</translation>
    </message>
    <message>
        <source> There is none of {without}, as nothing was found.</source>
        <translation> Keine für {without}, da nichts gefunden wurde.</translation>
    </message>
    <message>
        <source>Cancelled. The summaries made so far are stored.</source>
        <translation>Abgebrochen. Die bisher erstellten Zusammenfassungen sind gespeichert.</translation>
    </message>
    <message>
        <source>Pyramids and matches</source>
        <translation>Pyramiden und Zuordnungen</translation>
    </message>
    <message>
        <source>Nuggets and hits</source>
        <translation>Nuggets und Treffer</translation>
    </message>
    <message>
        <source>Proposing annotations</source>
        <translation>Annotationen werden vorgeschlagen</translation>
    </message>
    <message>
        <source>Cancelled. Finished topics are stored.</source>
        <translation>Abgebrochen. Fertige Themen sind gespeichert.</translation>
    </message>
    <message>
        <source>Folder: {title}</source>
        <translation>Ordner: {title}</translation>
    </message>
    <message>
        <source>There are no topics.</source>
        <translation>Es gibt keine Themen.</translation>
    </message>
    <message>
        <source>Counting requests</source>
        <translation>Anfragen werden gezählt</translation>
    </message>
    <message>
        <source>upper bound</source>
        <translation>Obergrenze</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>Vergleichssystem</translation>
    </message>
    <message>
        <source>Reading systems</source>
        <translation>Systeme werden gelesen</translation>
    </message>
    <message>
        <source>Baseline summaries</source>
        <translation>Baseline-Zusammenfassungen</translation>
    </message>
    <message>
        <source>Stop the run. The summaries made so far are stored.</source>
        <translation>Den Lauf anhalten. Die bisher erstellten Zusammenfassungen sind gespeichert.</translation>
    </message>
    <message>
        <source>Make system</source>
        <translation>System erstellen</translation>
    </message>
    <message>
        <source>Summarizer</source>
        <translation>Verfahren</translation>
    </message>
    <message>
        <source>Upper bounds read the references</source>
        <translation>Obergrenzen lesen die Referenzen</translation>
    </message>
    <message>
        <source>Mean length in words</source>
        <translation>Mittlere Länge in Wörtern</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>Erstellt von</translation>
    </message>
    <message>
        <source>Summarizers</source>
        <translation>Verfahren zum Zusammenfassen</translation>
    </message>
    <message>
        <source>Systems of the study</source>
        <translation>Systeme der Studie</translation>
    </message>
    <message>
        <source>Name of the system</source>
        <translation>Name des Systems</translation>
    </message>
    <message>
        <source>Select the topics whose set you want to change.</source>
        <translation>Themen auswählen, deren Themensatz geändert werden soll.</translation>
    </message>
    <message>
        <source>topic {name}</source>
        <translation>Thema {name}</translation>
    </message>
    <message>
        <source>{topics:,} topics</source>
        <translation>{topics:,} Themen</translation>
    </message>
    <message>
        <source>Summary {number}</source>
        <translation>Zusammenfassung {number}</translation>
    </message>
    <message>
        <source>Select the topics whose language you want to change.</source>
        <translation>Wählen Sie die Themen, deren Sprache Sie ändern möchten.</translation>
    </message>
    <message>
        <source>cites {name}</source>
        <translation>zitiert {name}</translation>
    </message>
    <message>
        <source>the cited document is not in the study</source>
        <translation>das zitierte Dokument ist nicht in der Studie</translation>
    </message>
    <message>
        <source>marker {marker}</source>
        <translation>Zitatmarke {marker}</translation>
    </message>
    <message>
        <source>the text of the citing paper is not in the study</source>
        <translation>der Text der zitierenden Arbeit ist nicht in der Studie</translation>
    </message>
    <message>
        <source>Set of {topics}</source>
        <translation>Themensatz: {topics}</translation>
    </message>
    <message>
        <source>Topics of one set are compared with those of another. Empty = no set.</source>
        <translation>Themen eines Themensatzes werden mit denen eines anderen verglichen. Leer = kein Themensatz.</translation>
    </message>
    <message>
        <source>Different sets: {names}</source>
        <translation>Verschiedene Themensätze: {names}</translation>
    </message>
    <message>
        <source>A set cannot have this name. {problem}</source>
        <translation>Ein Themensatz kann nicht so heißen. {problem}</translation>
    </message>
    <message>
        <source>Language of {topics}</source>
        <translation>Sprache von {topics}</translation>
    </message>
    <message>
        <source>That of the study: {name}</source>
        <translation>Die der Studie: {name}</translation>
    </message>
    <message>
        <source>It splits texts into sentences. Scores that depend on it have to be computed again.</source>
        <translation>Nach ihr werden Texte in Sätze geteilt. Werte, die davon abhängen, müssen neu berechnet werden.</translation>
    </message>
    <message>
        <source>Citances</source>
        <translation>Zitierende Sätze</translation>
    </message>
    <message>
        <source>Facet</source>
        <translation>Facette</translation>
    </message>
    <message>
        <source>Cited part</source>
        <translation>Zitierte Stelle</translation>
    </message>
    <message>
        <source>Cited parts</source>
        <translation>Zitierte Stellen</translation>
    </message>
    <message>
        <source>Enter shows the part in its document</source>
        <translation>Enter zeigt die Stelle in ihrem Dokument</translation>
    </message>
    <message>
        <source>Find a topic</source>
        <translation>Thema suchen</translation>
    </message>
    <message>
        <source>Kind of text</source>
        <translation>Art des Textes</translation>
    </message>
    <message>
        <source>This text is empty.</source>
        <translation>Dieser Text ist leer.</translation>
    </message>
    <message>
        <source>No text</source>
        <translation>Kein Text</translation>
    </message>
    <message>
        <source>none of this kind in this topic</source>
        <translation>keiner dieser Art in diesem Thema</translation>
    </message>
    <message>
        <source>SHA-256 of the text: {digest}</source>
        <translation>SHA-256 des Textes: {digest}</translation>
    </message>
    <message>
        <source>There are no texts yet. Import a data set to begin.</source>
        <translation>Noch gibt es keine Texte. Importieren Sie zuerst einen Datensatz.</translation>
    </message>
    <message>
        <source>{words} · {sentences} as imported</source>
        <translation>{words} · {sentences} wie importiert</translation>
    </message>
    <message numerus="yes">
        <source>%n sentences</source>
        <translation>
            <numerusform>%n Satz</numerusform>
            <numerusform>%n Sätze</numerusform>
        </translation>
    </message>
    <message>
        <source>Automatic systems</source>
        <translation>Automatische Systeme</translation>
    </message>
    <message>
        <source>All, including human</source>
        <translation>Alle, auch menschliche</translation>
    </message>
    <message>
        <source>Systems and references</source>
        <translation>Systeme und Referenzen</translation>
    </message>
    <message>
        <source>Adding to the report</source>
        <translation>Wird zum Bericht hinzugefügt</translation>
    </message>
    <message>
        <source>Added to the report: {title}.</source>
        <translation>Zum Bericht hinzugefügt: {title}.</translation>
    </message>
    <message>
        <source>Since this result was computed, {changes}.</source>
        <translation>Seit dieses Ergebnis berechnet wurde: {changes}.</translation>
    </message>
    <message>
        <source>{at} · seed {seed} · {seconds}</source>
        <translation>{at} · Startwert {seed} · {seconds}</translation>
    </message>
    <message>
        <source>d MMM yyyy, HH:mm</source>
        <translation>d. MMM yyyy, HH:mm</translation>
    </message>
    <message>
        <source>Select an experiment.</source>
        <translation>Experiment auswählen.</translation>
    </message>
    <message>
        <source>Running. Progress is shown at the bottom of the window. If you cancel, finished steps are stored.</source>
        <translation>Läuft. Der Fortschritt steht unten im Fenster. Beim Abbrechen bleiben fertige Schritte gespeichert.</translation>
    </message>
    <message>
        <source>Not run with these settings yet.</source>
        <translation>Mit diesen Einstellungen noch nicht ausgeführt.</translation>
    </message>
    <message>
        <source>Notes cannot be copied as a table. Select text and press Ctrl+C.</source>
        <translation>Hinweise lassen sich nicht als Tabelle kopieren. Text auswählen und Ctrl+C drücken.</translation>
    </message>
    <message>
        <source>Notes cannot be saved. Select a table or figure.</source>
        <translation>Hinweise lassen sich nicht speichern. Eine Tabelle oder Abbildung auswählen.</translation>
    </message>
    <message>
        <source>Notes are added with their table or figure. Select one of those.</source>
        <translation>Hinweise werden mit ihrer Tabelle oder Abbildung hinzugefügt. Eine davon auswählen.</translation>
    </message>
    <message>
        <source>Figure copied to the clipboard.</source>
        <translation>Abbildung in die Zwischenablage kopiert.</translation>
    </message>
    <message>
        <source>Table or figure</source>
        <translation>Tabelle oder Abbildung</translation>
    </message>
    <message>
        <source>Figure of the result</source>
        <translation>Abbildung zum Ergebnis</translation>
    </message>
    <message>
        <source>Notes on the result</source>
        <translation>Hinweise zum Ergebnis</translation>
    </message>
    <message>
        <source>Add the table or figure to the report</source>
        <translation>Tabelle oder Abbildung zum Bericht hinzufügen</translation>
    </message>
    <message>
        <source>Copy the table or figure</source>
        <translation>Tabelle oder Abbildung kopieren</translation>
    </message>
    <message>
        <source>Save the table or figure…</source>
        <translation>Tabelle oder Abbildung speichern…</translation>
    </message>
    <message>
        <source>The inputs have changed since this result was computed.</source>
        <translation>Die Eingaben haben sich geändert, seit dieses Ergebnis berechnet wurde.</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>Erneut ausführen</translation>
    </message>
    <message>
        <source>{count} notes on this result.</source>
        <translation>{count} Hinweise zu diesem Ergebnis.</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>With the ends of its interval</source>
        <translation>Mit den Grenzen des Intervalls</translation>
    </message>
    <message>
        <source>Result table</source>
        <translation>Ergebnistabelle</translation>
    </message>
    <message>
        <source>Copy the command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>Two-sided</source>
        <translation>Zweiseitig</translation>
    </message>
    <message>
        <source>Greater only</source>
        <translation>Nur größer</translation>
    </message>
    <message>
        <source>Random sample</source>
        <translation>Zufallsstichprobe</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keine</translation>
    </message>
    <message>
        <source>Systems and topics</source>
        <translation>Systeme und Themen</translation>
    </message>
    <message>
        <source>Responsiveness</source>
        <translation>Responsivität</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>None selected = {default}</source>
        <translation>Keine ausgewählt = {default}</translation>
    </message>
    <message>
        <source>Manage indexes</source>
        <translation>Indexe verwalten</translation>
    </message>
    <message>
        <source>from {low}</source>
        <translation>ab {low}</translation>
    </message>
    <message>
        <source>up to {high}</source>
        <translation>bis {high}</translation>
    </message>
    <message>
        <source>An Elasticsearch server…</source>
        <translation>Ein Elasticsearch-Server…</translation>
    </message>
    <message>
        <source>Markdown</source>
        <translation>Markdown</translation>
    </message>
    <message>
        <source>Tab-separated</source>
        <translation>Tabulatorgetrennt</translation>
    </message>
    <message>
        <source>Copy (tab-separated)</source>
        <translation>Kopieren (tabulatorgetrennt)</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>Als CSV kopieren</translation>
    </message>
    <message>
        <source>Copy as LaTeX</source>
        <translation>Als LaTeX kopieren</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>Als Markdown kopieren</translation>
    </message>
    <message>
        <source>Table copied to the clipboard.</source>
        <translation>Tabelle in die Zwischenablage kopiert.</translation>
    </message>
    <message>
        <source>Save table</source>
        <translation>Tabelle speichern</translation>
    </message>
    <message>
        <source>Table saved to {path}.</source>
        <translation>Tabelle gespeichert in {path}.</translation>
    </message>
    <message>
        <source>Save figure</source>
        <translation>Abbildung speichern</translation>
    </message>
    <message>
        <source>Figure saved to {path}.</source>
        <translation>Abbildung gespeichert in {path}.</translation>
    </message>
    <message>
        <source>The study is blind: you see another annotator&apos;s pyramid after marking your own done. Nothing was changed.</source>
        <translation>Die Studie ist blind: Eine andere Pyramide sehen Sie erst, wenn Ihre eigene als fertig markiert ist. Nichts wurde geändert.</translation>
    </message>
    <message>
        <source> The topic was reloaded.</source>
        <translation> Das Thema wurde neu geladen.</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Stand</translation>
    </message>
    <message>
        <source>Topics of others too</source>
        <translation>Auch Themen anderer</translation>
    </message>
    <message>
        <source>Finding the next topic</source>
        <translation>Nächstes Thema wird gesucht</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>Nicht begonnen</translation>
    </message>
    <message>
        <source>In progress</source>
        <translation>In Arbeit</translation>
    </message>
    <message>
        <source>{in_progress} ({done} of {total})</source>
        <translation>{in_progress} ({done} von {total})</translation>
    </message>
    <message>
        <source>Undone</source>
        <translation>Rückgängig gemacht</translation>
    </message>
    <message>
        <source>Redone</source>
        <translation>Wiederholt</translation>
    </message>
    <message>
        <source>Your last change could not be saved and was undone.</source>
        <translation>Ihre letzte Änderung konnte nicht gespeichert werden und wurde rückgängig gemacht.</translation>
    </message>
    <message>
        <source>Backing up {name}</source>
        <translation>{name} wird gesichert</translation>
    </message>
    <message>
        <source>{name} is saved, but it could not be backed up: {error}</source>
        <translation>{name} ist gespeichert, konnte aber nicht gesichert werden: {error}</translation>
    </message>
    <message>
        <source>Any command</source>
        <translation>Befehl suchen</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Data sets (*.jsonl *.ndjson *.json *.csv *.tsv *.tab *.xlsx *.xlsm *.parquet *.gz *.zip *.xmi *.xml *.pyr *.pan);;All files (*)</source>
        <translation>Datensätze (*.jsonl *.ndjson *.json *.csv *.tsv *.tab *.xlsx *.xlsm *.parquet *.gz *.zip *.xmi *.xml *.pyr *.pan);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Tables and text files (*.csv *.tsv *.tab *.xlsx *.xlsm *.parquet *.jsonl *.ndjson *.json *.txt);;All files (*)</source>
        <translation>Tabellen und Textdateien (*.csv *.tsv *.tab *.xlsx *.xlsm *.parquet *.jsonl *.ndjson *.json *.txt);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Choose annotator</source>
        <translation>Annotator wählen</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Everybody has their own pyramids, matches and ratings. Your name is recorded in the history.</source>
        <translation>Alle haben ihre eigenen Pyramiden, Zuordnungen und Bewertungen. Ihr Name wird im Verlauf vermerkt.</translation>
    </message>
    <message>
        <source>a name of the list</source>
        <translation>einen Namen aus der Liste</translation>
    </message>
    <message>
        <source>{name} is new in this study and begins with empty pyramids, matches and ratings. To continue existing work, choose {known}.</source>
        <translation>{name} ist neu in dieser Studie und beginnt mit leeren Pyramiden, Zuordnungen und Bewertungen. Um vorhandene Arbeit fortzusetzen, bitte wählen: {known}.</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Same as system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Erscheinungsbild</translation>
    </message>
    <message>
        <source>Servers</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>A folder “backups” next to each study</source>
        <translation>Ein Ordner „backups“ neben jeder Studie</translation>
    </message>
    <message>
        <source>Folder for backups</source>
        <translation>Ordner für Sicherungen</translation>
    </message>
    <message>
        <source>Number of backups</source>
        <translation>Anzahl der Sicherungen</translation>
    </message>
    <message>
        <source>Made hourly while you edit, and when a study is closed after edits. Older ones are deleted.</source>
        <translation>Werden beim Bearbeiten stündlich erstellt, und wenn eine Studie nach Bearbeitungen geschlossen wird. Ältere werden gelöscht.</translation>
    </message>
    <message>
        <source>A folder on another disk protects better.</source>
        <translation>Ein Ordner auf einem anderen Datenträger schützt besser.</translation>
    </message>
    <message>
        <source>From the next start on. Results, files, the manual and messages on them are in English.</source>
        <translation>Ab dem nächsten Start. Ergebnisse, Dateien, das Handbuch und Meldungen dazu sind englisch.</translation>
    </message>
    <message>
        <source>Interface text size</source>
        <translation>Textgröße der Oberfläche</translation>
    </message>
    <message>
        <source>Reading text size</source>
        <translation>Textgröße beim Lesen</translation>
    </message>
    <message>
        <source>Line width</source>
        <translation>Zeilenbreite</translation>
    </message>
    <message>
        <source>Compute on</source>
        <translation>Rechnen auf</translation>
    </message>
    <message>
        <source>Affects the speed of neural metrics, not their scores.</source>
        <translation>Wirkt sich auf die Geschwindigkeit neuronaler Metriken aus, nicht auf ihre Werte.</translation>
    </message>
    <message>
        <source>Save study as</source>
        <translation>Studie speichern unter</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Datei wählen</translation>
    </message>
    <message>
        <source>Choose a table, or text files</source>
        <translation>Eine Tabelle oder Textdateien wählen</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>Looking for metrics</source>
        <translation>Metriken werden gesucht</translation>
    </message>
    <message>
        <source>Evaluating</source>
        <translation>Auswertung läuft</translation>
    </message>
    <message>
        <source>Creating {name}</source>
        <translation>{name} wird angelegt</translation>
    </message>
    <message>
        <source>Choose a table with summaries, references and ratings, or text files with one text per line: the references first, then the outputs of systems.</source>
        <translation>Eine Tabelle mit Zusammenfassungen, Referenzen und Bewertungen wählen oder Textdateien mit einem Text je Zeile: zuerst die Referenzen, dann die Ausgaben der Systeme.</translation>
    </message>
    <message>
        <source>No file chosen</source>
        <translation>Keine Datei gewählt</translation>
    </message>
    <message>
        <source>Stopped. Nothing was kept.</source>
        <translation>Angehalten. Nichts wurde behalten.</translation>
    </message>
    <message>
        <source>Quick evaluation</source>
        <translation>Schnelle Auswertung</translation>
    </message>
    <message>
        <source>Evaluate</source>
        <translation>Auswerten</translation>
    </message>
    <message>
        <source>Choose files…</source>
        <translation>Dateien wählen…</translation>
    </message>
    <message>
        <source>All metrics</source>
        <translation>Alle Metriken</translation>
    </message>
    <message>
        <source>Scores of systems</source>
        <translation>Werte der Systeme</translation>
    </message>
    <message>
        <source>Correlations</source>
        <translation>Korrelationen</translation>
    </message>
    <message>
        <source>Evaluation</source>
        <translation>Auswertung</translation>
    </message>
    <message>
        <source>Save table…</source>
        <translation>Tabelle speichern…</translation>
    </message>
    <message>
        <source>Keep as study…</source>
        <translation>Als Studie behalten…</translation>
    </message>
    <message>
        <source>JSON lines (sacrerouge)</source>
        <translation>JSON-Zeilen (sacrerouge)</translation>
    </message>
    <message>
        <source>Annotation pack</source>
        <translation>Annotationspaket</translation>
    </message>
    <message>
        <source>texts</source>
        <translation>Texte</translation>
    </message>
    <message>
        <source>scores</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>judgements</source>
        <translation>Urteile</translation>
    </message>
    <message>
        <source>scales</source>
        <translation>Skalen</translation>
    </message>
    <message>
        <source>marked spans</source>
        <translation>markierte Spannen</translation>
    </message>
    <message>
        <source>answers to comparisons</source>
        <translation>Antworten auf Vergleiche</translation>
    </message>
    <message>
        <source>comments</source>
        <translation>Kommentare</translation>
    </message>
    <message>
        <source>nuggets</source>
        <translation>Nuggets</translation>
    </message>
    <message>
        <source>annotations</source>
        <translation>Annotationen</translation>
    </message>
    <message>
        <source>Choose a folder for the pyramids</source>
        <translation>Ordner für die Pyramiden wählen</translation>
    </message>
    <message>
        <source>Writing pyramids</source>
        <translation>Pyramiden werden geschrieben</translation>
    </message>
    <message>
        <source>{name} holds {files:,} files for DUCView.</source>
        <translation>{name} enthält {files:,} Dateien für DUCView.</translation>
    </message>
    <message>
        <source>Export: {title}</source>
        <translation>Exportieren: {title}</translation>
    </message>
    <message>
        <source>Exporting: {title}</source>
        <translation>Exportieren: {title}</translation>
    </message>
    <message>
        <source>{name} holds all annotations of this study.</source>
        <translation>{name} enthält alle Annotationen dieser Studie.</translation>
    </message>
    <message numerus="yes">
        <source>{name} holds %n rows of {title}.</source>
        <translation>
            <numerusform>{name} enthält %n Zeile: {title}.</numerusform>
            <numerusform>{name} enthält %n Zeilen: {title}.</numerusform>
        </translation>
    </message>
    <message>
        <source>Opening the help</source>
        <translation>Hilfe wird geöffnet</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>Hier</translation>
    </message>
    <message>
        <source>Shortcuts on {title}</source>
        <translation>Tastenkürzel auf „{title}“</translation>
    </message>
    <message>
        <source>Files (*{suffix})</source>
        <translation>Dateien (*{suffix})</translation>
    </message>
    <message>
        <source>Help – Pyramidion</source>
        <translation>Hilfe – Pyramidion</translation>
    </message>
    <message>
        <source>Search the help</source>
        <translation>Hilfe durchsuchen</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Reading the help…</source>
        <translation>Hilfe wird gelesen…</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Help pages</source>
        <translation>Hilfeseiten</translation>
    </message>
    <message>
        <source>Help text</source>
        <translation>Hilfetext</translation>
    </message>
    <message>
        <source>In a text</source>
        <translation>In einem Text</translation>
    </message>
    <message>
        <source>Word by word</source>
        <translation>Wort für Wort</translation>
    </message>
    <message>
        <source>Select words</source>
        <translation>Wörter auswählen</translation>
    </message>
    <message>
        <source>By character</source>
        <translation>Zeichenweise</translation>
    </message>
    <message>
        <source>Select characters</source>
        <translation>Zeichen auswählen</translation>
    </message>
    <message>
        <source>Keep selection</source>
        <translation>Auswahl behalten</translation>
    </message>
    <message>
        <source>click</source>
        <translation>Klick</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Textgröße</translation>
    </message>
    <message>
        <source>wheel</source>
        <translation>Rad</translation>
    </message>
    <message>
        <source>Clear selection</source>
        <translation>Auswahl aufheben</translation>
    </message>
    <message>
        <source>Change shortcuts…</source>
        <translation>Tastenkürzel ändern…</translation>
    </message>
    <message>
        <source>Help on shortcuts</source>
        <translation>Hilfe zu Tastenkürzeln</translation>
    </message>
    <message>
        <source>closes</source>
        <translation>schließt</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Wo</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Taste</translation>
    </message>
    <message>
        <source>Find a command</source>
        <translation>Befehl suchen</translation>
    </message>
    <message>
        <source>Remove shortcut</source>
        <translation>Tastenkürzel entfernen</translation>
    </message>
    <message>
        <source>Reset shortcut</source>
        <translation>Tastenkürzel zurücksetzen</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>Alle zurücksetzen</translation>
    </message>
    <message>
        <source>No command selected</source>
        <translation>Kein Befehl ausgewählt</translation>
    </message>
    <message>
        <source>New shortcut</source>
        <translation>Neues Tastenkürzel</translation>
    </message>
    <message>
        <source>Click the field and press the new key.</source>
        <translation>Das Feld anklicken und die neue Taste drücken.</translation>
    </message>
    <message>
        <source>{key} · changed</source>
        <translation>{key} · geändert</translation>
    </message>
    <message>
        <source> (read-only)</source>
        <translation> (schreibgeschützt)</translation>
    </message>
    <message>
        <source>{name}{state} – Pyramidion</source>
        <translation>{name}{state} – Pyramidion</translation>
    </message>
    <message>
        <source>Nothing was opened. Drop one file, or the folder of several.</source>
        <translation>Nichts wurde geöffnet. Eine Datei ablegen, oder den Ordner mit mehreren.</translation>
    </message>
    <message>
        <source>Any command (Ctrl+K)</source>
        <translation>Befehl suchen (Ctrl+K)</translation>
    </message>
    <message>
        <source>Choose annotation packs or studies to merge</source>
        <translation>Annotationspakete oder Studien zum Zusammenführen wählen</translation>
    </message>
    <message>
        <source>Annotations (*.pack *.pyramidion);;All files (*)</source>
        <translation>Annotationen (*.pack *.pyramidion);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>added</source>
        <translation>hinzugefügt</translation>
    </message>
    <message>
        <source>updated</source>
        <translation>aktualisiert</translation>
    </message>
    <message>
        <source>in conflict</source>
        <translation>im Konflikt</translation>
    </message>
    <message>
        <source>Reading annotations</source>
        <translation>Annotationen werden gelesen</translation>
    </message>
    <message>
        <source>and {more:,} more</source>
        <translation>und {more:,} weitere</translation>
    </message>
    <message>
        <source>These annotations cannot be merged</source>
        <translation>Diese Annotationen lassen sich nicht zusammenführen</translation>
    </message>
    <message>
        <source>Nothing to merge</source>
        <translation>Nichts zusammenzuführen</translation>
    </message>
    <message>
        <source>The study already has these annotations.</source>
        <translation>Die Studie hat diese Annotationen schon.</translation>
    </message>
    <message>
        <source>Merging annotations</source>
        <translation>Annotationen werden zusammengeführt</translation>
    </message>
    <message>
        <source> and {names} more</source>
        <translation> und {names} weiteren</translation>
    </message>
    <message>
        <source>Merged the annotations of {whose}: {counts}.</source>
        <translation>Annotationen von {whose} zusammengeführt: {counts}.</translation>
    </message>
    <message>
        <source>Merge annotations</source>
        <translation>Annotationen zusammenführen</translation>
    </message>
    <message>
        <source>and {names:,} more annotators</source>
        <translation>und {names:,} weitere Annotatoren</translation>
    </message>
    <message>
        <source>and {sentences:,} more remarks</source>
        <translation>und {sentences:,} weitere Bemerkungen</translation>
    </message>
    <message>
        <source>A backup is made first. </source>
        <translation>Zuerst wird eine Sicherung erstellt. </translation>
    </message>
    <message>
        <source>{backup}Later versions replace earlier ones, and undo reverts merged work topic by topic.</source>
        <translation>{backup}Spätere Versionen ersetzen frühere, und Rückgängig nimmt zusammengeführte Arbeit Thema für Thema zurück.</translation>
    </message>
    <message>
        <source>nothing new</source>
        <translation>nichts Neues</translation>
    </message>
    <message>
        <source>Study on a server</source>
        <translation>Studie auf einem Server</translation>
    </message>
    <message>
        <source>From PGPASSWORD, ~/.pgpass or the keyring</source>
        <translation>Aus PGPASSWORD, ~/.pgpass oder dem Schlüsselbund</translation>
    </message>
    <message>
        <source>Store the password in the keyring of this computer</source>
        <translation>Das Passwort im Schlüsselbund dieses Computers ablegen</translation>
    </message>
    <message>
        <source>Create a new study in this database, which must be empty</source>
        <translation>Eine neue Studie in dieser Datenbank anlegen, die leer sein muss</translation>
    </message>
    <message>
        <source>The PostgreSQL database of the study. Its manager knows the URL.</source>
        <translation>Die PostgreSQL-Datenbank der Studie. Wer sie verwaltet, kennt die URL.</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>Passwort</translation>
    </message>
    <message>
        <source>Create</source>
        <translation>Anlegen</translation>
    </message>
    <message>
        <source>Remove the password from the URL and enter it below.</source>
        <translation>Das Passwort aus der URL entfernen und unten eingeben.</translation>
    </message>
    <message>
        <source>Progress of the job</source>
        <translation>Fortschritt des Vorgangs</translation>
    </message>
    <message>
        <source>No study is open</source>
        <translation>Keine Studie ist geöffnet</translation>
    </message>
    <message>
        <source>Annotator {annotator}, change</source>
        <translation>Annotator {annotator}, ändern</translation>
    </message>
    <message>
        <source>Annotator {annotator}. Press to change.</source>
        <translation>Annotator {annotator}. Zum Ändern drücken.</translation>
    </message>
    <message>
        <source>{title}: ended.</source>
        <translation>{title}: beendet.</translation>
    </message>
    <message>
        <source>Create the sample study…</source>
        <translation>Beispielstudie anlegen…</translation>
    </message>
    <message>
        <source>Open a study…</source>
        <translation>Studie öffnen…</translation>
    </message>
    <message>
        <source>Study on a server…</source>
        <translation>Studie auf einem Server…</translation>
    </message>
    <message>
        <source>New study…</source>
        <translation>Neue Studie…</translation>
    </message>
    <message>
        <source>Public data set…</source>
        <translation>Öffentlicher Datensatz…</translation>
    </message>
    <message>
        <source>Quick evaluation…</source>
        <translation>Schnelle Auswertung…</translation>
    </message>
    <message>
        <source>Creating the sample study</source>
        <translation>Beispielstudie wird angelegt</translation>
    </message>
    <message>
        <source>Continue or begin a study</source>
        <translation>Eine Studie fortsetzen oder beginnen</translation>
    </message>
    <message>
        <source>Begin with a study</source>
        <translation>Mit einer Studie beginnen</translation>
    </message>
    <message>
        <source>Open {stem}</source>
        <translation>{stem} öffnen</translation>
    </message>
    <message>
        <source>one file holds texts, annotations and scores</source>
        <translation>eine Datei enthält Texte, Annotationen und Werte</translation>
    </message>
    <message>
        <source>Recent studies</source>
        <translation>Zuletzt verwendete Studien</translation>
    </message>
    <message>
        <source>The sample has eight topics with summaries of eight systems and the work of two annotators: use it to try every page.</source>
        <translation>Das Beispiel hat acht Themen mit Zusammenfassungen von acht Systemen und die Arbeit von zwei Annotatoren: Damit lässt sich jede Seite ausprobieren.</translation>
    </message>
    <message>
        <source>Annotate, score, compare and report summaries.</source>
        <translation>Zusammenfassungen annotieren, Werte berechnen, vergleichen und darüber berichten.</translation>
    </message>
    <message>
        <source>The backups of a study on a server are made on the server. Ask who administers it to restore a dump of the database (`pg_restore`).</source>
        <translation>Die Sicherungen einer Studie auf einem Server werden auf dem Server erstellt. Bitten Sie die Verwaltung des Servers, einen Abzug der Datenbank wiederherzustellen (`pg_restore`).</translation>
    </message>
    <message>
        <source>O&amp;pen recent</source>
        <translation>Zuletzt &amp;verwendete öffnen</translation>
    </message>
    <message>
        <source>Opening {name}</source>
        <translation>{name} wird geöffnet</translation>
    </message>
    <message>
        <source>No recent studies</source>
        <translation>Keine zuletzt verwendeten Studien</translation>
    </message>
    <message>
        <source>Use a mapping</source>
        <translation>Zuordnungsdatei verwenden</translation>
    </message>
    <message>
        <source>Mappings (*.toml)</source>
        <translation>Zuordnungsdateien (*.toml)</translation>
    </message>
    <message>
        <source>Save mapping</source>
        <translation>Zuordnungsdatei speichern</translation>
    </message>
    <message>
        <source>Mapping</source>
        <translation>Zuordnungsdatei</translation>
    </message>
    <message>
        <source>Checking the backups of {name}</source>
        <translation>Sicherungen von {name} werden geprüft</translation>
    </message>
    <message>
        <source>Nothing was changed. Choose who annotates first.</source>
        <translation>Nichts wurde geändert. Wählen Sie zuerst, wer annotiert.</translation>
    </message>
    <message>
        <source>You annotate as {name} now. {value}</source>
        <translation>Sie annotieren jetzt als {name}. {value}</translation>
    </message>
    <message>
        <source>The edit was made as yours.</source>
        <translation>Die Bearbeitung wurde in Ihrem Namen vorgenommen.</translation>
    </message>
    <message>
        <source>This did not work</source>
        <translation>Das hat nicht funktioniert</translation>
    </message>
    <message>
        <source>Edits are not saved yet</source>
        <translation>Bearbeitungen sind noch nicht gespeichert</translation>
    </message>
    <message>
        <source>Wait</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>Close without saving</source>
        <translation>Ohne Speichern schließen</translation>
    </message>
    <message>
        <source>{name} was not opened, as edits are not saved yet. {unsaved}</source>
        <translation>{name} wurde nicht geöffnet, da Bearbeitungen noch nicht gespeichert sind. {unsaved}</translation>
    </message>
    <message>
        <source>Connect again…</source>
        <translation>Erneut verbinden…</translation>
    </message>
    <message>
        <source>Restore a backup…</source>
        <translation>Sicherung wiederherstellen…</translation>
    </message>
    <message>
        <source>Restoring {name}</source>
        <translation>{name} wird wiederhergestellt</translation>
    </message>
    <message>
        <source> The file that was there is saved as {name}.</source>
        <translation> Die vorherige Datei ist als {name} gespeichert.</translation>
    </message>
    <message>
        <source>Restored from {name}.{rest}</source>
        <translation>Wiederhergestellt aus {name}.{rest}</translation>
    </message>
    <message>
        <source>{report} The study was opened again.</source>
        <translation>{report} Die Studie wurde wieder geöffnet.</translation>
    </message>
    <message>
        <source>Connected to the server again.</source>
        <translation>Wieder mit dem Server verbunden.</translation>
    </message>
    <message>
        <source>{name} was not closed properly</source>
        <translation>{name} wurde nicht ordnungsgemäß geschlossen</translation>
    </message>
    <message>
        <source>Nothing was undone.</source>
        <translation>Nichts wurde rückgängig gemacht.</translation>
    </message>
    <message>
        <source>Nothing was redone.</source>
        <translation>Nichts wurde wiederholt.</translation>
    </message>
    <message>
        <source>This study is damaged</source>
        <translation>Diese Studie ist beschädigt</translation>
    </message>
    <message>
        <source>A crash report was written to {kept}.</source>
        <translation>Ein Absturzbericht wurde in {kept} geschrieben.</translation>
    </message>
    <message>
        <source>No crash report could be written.</source>
        <translation>Es konnte kein Absturzbericht geschrieben werden.</translation>
    </message>
    <message>
        <source>Internal error</source>
        <translation>Interner Fehler</translation>
    </message>
    <message>
        <source>Your last action may not have been completed. Everything that was saved is safe.</source>
        <translation>Ihre letzte Aktion wurde möglicherweise nicht abgeschlossen. Alles, was gespeichert war, ist sicher.</translation>
    </message>
    <message>
        <source>SCU=nugget|SCUs=nuggets</source>
        <comment>terms for SCUs, and for nuggets instead</comment>
        <translation>SCU=Nugget|SCUs=Nuggets|Pyramide=Nuggets|Pyramiden=Nuggets|Beitrag=Vorkommen|Beitrags=Vorkommens|Beiträge=Vorkommen|Beiträgen=Vorkommen|Gewicht=Stufe|Gewichts=Stufe|Gewichte=Stufen|Gewichten=Stufen|Zuordnung=Treffer|Zuordnungen=Treffer|eine SCU=ein Nugget|Eine SCU=Ein Nugget|keine SCU=kein Nugget|Keine SCU=Kein Nugget|die SCU=das Nugget|Die SCU=Das Nugget|diese SCU=dieses Nugget|Diese SCU=Dieses Nugget|jede SCU=jedes Nugget|Jede SCU=Jedes Nugget|neue SCU=neues Nugget|Neue SCU=Neues Nugget|andere SCU=anderes Nugget|Andere SCU=Anderes Nugget|die andere SCU=das andere Nugget|die ausgewählte SCU=das ausgewählte Nugget|zur SCU=zum Nugget|der schwereren SCU=des schwereren Nuggets|der ausgewählten SCU ähnelt=dem ausgewählten Nugget ähnelt|Ähnlich der ausgewählten SCU=Ähnlich dem ausgewählten Nugget|Teil der ausgewählten SCU=Teil des ausgewählten Nuggets|eine Pyramide=Nuggets|Die Pyramide=Die Nuggets|Die aktuelle Pyramide=Die aktuellen Nuggets|die aktuelle Pyramide=die aktuellen Nuggets|Ganze Pyramide=Alle Nuggets|ganze Pyramide=alle Nuggets|Eine andere Pyramide=Andere Nuggets|dieser Pyramide zu=diesen Nuggets zu|in der Pyramide=in den Nuggets|Der Beitrag=Das Vorkommen|der Beitrag=das Vorkommen|den Beitrag=das Vorkommen|Den Beitrag=Das Vorkommen|Dieser Beitrag=Dieses Vorkommen|diesen Beitrag=dieses Vorkommen|Diesen Beitrag=Dieses Vorkommen|einen Beitrag=ein Vorkommen|keinen Beitrag=kein Vorkommen|kein Beitrag=kein Vorkommen|Kein Beitrag=Kein Vorkommen|dieses Gewicht=diese Stufe|das Gewicht=die Stufe|Das Gewicht=Die Stufe|mit Zuordnungen=mit Treffern|wenn Ihre eigene als fertig markiert ist=wenn Ihre eigenen als fertig markiert sind</translation>
    </message>
    <message>
        <source>{width} letters a line</source>
        <translation>{width} Zeichen je Zeile</translation>
    </message>
    <message>
        <source>Lines as wide as their panel</source>
        <translation>Zeilen so breit wie ihr Bereich</translation>
    </message>
    <message>
        <source>Clear: {placeholder}</source>
        <translation>Leeren: {placeholder}</translation>
    </message>
    <message>
        <source>{titles} of {choices}</source>
        <translation>{titles} von {choices}</translation>
    </message>
    <message>
        <source>{name}, slider</source>
        <translation>{name}, Schieberegler</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>More: </source>
        <translation>Mehr: </translation>
    </message>
    <message>
        <source>Previous {what}</source>
        <translation>Zurück: {what}</translation>
    </message>
    <message>
        <source>Next {what}</source>
        <translation>Weiter: {what}</translation>
    </message>
    <message>
        <source>{what} {position} of {total} {name} {title}</source>
        <translation>{what} {position} von {total} {name} {title}</translation>
    </message>
    <message>
        <source>{what} {position} of {total}, list</source>
        <translation>{what} {position} von {total}, Liste</translation>
    </message>
    <message>
        <source>{name}: a figure is saved as .svg, .pdf or .png; choose one of these.</source>
        <translation>{name}: Eine Abbildung wird als .svg, .pdf oder .png gespeichert; wählen Sie eines davon.</translation>
    </message>
    <message>
        <source>There is no figure to save yet; choose a measure first.</source>
        <translation>Noch gibt es keine Abbildung zu speichern; zuerst ein Maß wählen.</translation>
    </message>
    <message>
        <source>Drawing</source>
        <translation>Zeichnen</translation>
    </message>
    <message>
        <source>Studies (*{study_suffix})</source>
        <translation>Studien (*{study_suffix})</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>{upper} file</source>
        <translation>{upper}-Datei</translation>
    </message>
    <message>
        <source>Texts (*.md *.markdown *.txt);;All files (*)</source>
        <translation>Texte (*.md *.markdown *.txt);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Open study</source>
        <translation>Studie öffnen</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>Weniger</translation>
    </message>
    <message>
        <source>{others} more</source>
        <translation>{others} weitere</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>Side panel</source>
        <translation>Seitenleiste</translation>
    </message>
    <message>
        <source>The printer did not start. Check its settings.</source>
        <translation>Der Drucker ist nicht gestartet. Prüfen Sie seine Einstellungen.</translation>
    </message>
    <message>
        <source>Printed {count}.</source>
        <translation>{count} gedruckt.</translation>
    </message>
    <message numerus="yes">
        <source>%n pages</source>
        <translation>
            <numerusform>%n Seite</numerusform>
            <numerusform>%n Seiten</numerusform>
        </translation>
    </message>
    <message>
        <source>Print</source>
        <translation>Drucken</translation>
    </message>
    <message>
        <source>Text not saved</source>
        <translation>Text nicht gespeichert</translation>
    </message>
    <message>
        <source>It was refused. In its field, Enter tries again and Esc restores the text of before.</source>
        <translation>Er wurde abgelehnt. In seinem Feld versucht Enter es noch einmal, Esc stellt den vorigen Text wieder her.</translation>
    </message>
    <message>
        <source>Typing…</source>
        <translation>Eingabe…</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>Speichern…</translation>
    </message>
    <message>
        <source>All saved</source>
        <translation>Alles gespeichert</translation>
    </message>
    <message>
        <source>Saved 00:00</source>
        <translation>Gespeichert 00:00</translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation>Schreibgeschützt</translation>
    </message>
    <message>
        <source>Saved {astimezone:%H:%M}</source>
        <translation>Gespeichert {astimezone:%H:%M}</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>nicht gefunden</translation>
    </message>
    <message>
        <source>to confirm</source>
        <translation>zu bestätigen</translation>
    </message>
    <message>
        <source>found</source>
        <translation>gefunden</translation>
    </message>
    <message>
        <source>found in part</source>
        <translation>teilweise gefunden</translation>
    </message>
    <message>
        <source>Choose a file for {title}</source>
        <translation>Datei wählen für {title}</translation>
    </message>
    <message>
        <source>Choose a folder for {title}</source>
        <translation>Ordner wählen für {title}</translation>
    </message>
    <message>
        <source>{hours} h {minutes:02d} left</source>
        <translation>noch {hours} h {minutes:02d}</translation>
    </message>
    <message>
        <source>{minutes}:{seconds:02d} left</source>
        <translation>noch {minutes}:{seconds:02d}</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Each pair, α</source>
        <translation>Jedes Paar, α</translation>
    </message>
    <message>
        <source>See {left}</source>
        <translation>{left} ansehen</translation>
    </message>
    <message numerus="yes">
        <source>%n differences</source>
        <translation>
            <numerusform>%n Unterschied</numerusform>
            <numerusform>%n Unterschiede</numerusform>
        </translation>
    </message>
    <message>
        <source>No differences</source>
        <translation>Keine Unterschiede</translation>
    </message>
    <message>
        <source>Reading the plan</source>
        <translation>Plan wird gelesen</translation>
    </message>
    <message>
        <source>, {topics_done} done</source>
        <translation>, {topics_done} fertig</translation>
    </message>
    <message>
        <source>Choose topics first: how right everybody&apos;s annotations of them are is shown here.</source>
        <translation>Zuerst Themen wählen: Wie richtig ihre Annotationen bei allen sind, steht dann hier.</translation>
    </message>
    <message>
        <source>Annotation pages hide the names of systems; Score, Compare and Report show them. Annotators see others&apos; pyramids and suggestions after marking their own topic done.</source>
        <translation>Die Seiten zum Annotieren verbergen die Namen der Systeme; „Berechnen“, „Vergleichen“ und „Bericht“ zeigen sie. Annotatoren sehen Pyramiden anderer und Vorschläge, sobald sie das eigene Thema als fertig markiert haben.</translation>
    </message>
    <message>
        <source>Blind mode</source>
        <translation>Blinder Modus</translation>
    </message>
    <message>
        <source>The sample is a small study with the work of two annotators: try anything, {edit.undo} undoes it. {view.palette} finds every command, {help.keys} shows the keys of a page.</source>
        <translation>Das Beispiel ist eine kleine Studie mit der Arbeit von zwei Annotatoren: Alles ausprobieren, {edit.undo} macht es rückgängig. {view.palette} findet jeden Befehl, {help.keys} zeigt die Tasten einer Seite.</translation>
    </message>
    <message>
        <source>Select words in a reference; {pyramid.new_scu} makes them an SCU. {pyramid.add_contributor} adds words of another reference to it. Its weight is the number of references that express it.</source>
        <translation>Wörter in einer Referenz auswählen; {pyramid.new_scu} macht daraus eine SCU. {pyramid.add_contributor} fügt ihr Wörter einer anderen Referenz hinzu. Ihr Gewicht ist die Zahl der Referenzen, die sie ausdrücken.</translation>
    </message>
    <message>
        <source>Select an SCU, and the words of the summary that express it; {match.match} matches them. The score is shown when the summary is marked done ({match.done}).</source>
        <translation>Eine SCU auswählen und die Wörter der Zusammenfassung, die sie ausdrücken; {match.match} ordnet sie zu. Der Wert wird gezeigt, wenn die Zusammenfassung als fertig markiert ist ({match.done}).</translation>
    </message>
    <message>
        <source>A digit rates and goes on to the next scale, at the end to the next summary.</source>
        <translation>Eine Ziffer bewertet und geht zur nächsten Skala, am Ende zur nächsten Zusammenfassung.</translation>
    </message>
    <message>
        <source>Tick metrics and press {score.run}. Compare then shows how each metric correlates with the pyramids and ratings.</source>
        <translation>Metriken ankreuzen und {score.run} drücken. „Vergleichen“ zeigt dann, wie jede Metrik mit den Pyramiden und Bewertungen korreliert.</translation>
    </message>
    <message>
        <source>The report has tables, figures and the commands that reproduce each number. Help › Tutorial goes on from here, with your own texts.</source>
        <translation>Der Bericht enthält Tabellen, Abbildungen und die Befehle, die jede Zahl reproduzieren. Von hier aus geht es mit Hilfe › Tutorial und eigenen Texten weiter.</translation>
    </message>
    <message>
        <source>Tour, {step} of {steps}:</source>
        <translation>Rundgang, {step} von {steps}:</translation>
    </message>
    <message>
        <source>Next: {page}</source>
        <translation>Weiter: {page}</translation>
    </message>
    <message>
        <source>Go on.</source>
        <translation>Weiter.</translation>
    </message>
    <message>
        <source>End of {part}</source>
        <translation>Ende von {part}</translation>
    </message>
    <message>
        <source>, part {number} of {spans}</source>
        <translation>, Teil {number} von {spans}</translation>
    </message>
    <message>
        <source>Outside the nuggets</source>
        <translation>Außerhalb der Nuggets</translation>
    </message>
    <message>
        <source>manager</source>
        <translation>Leitung</translation>
    </message>
    <message>
        <source>annotator</source>
        <translation>Annotator</translation>
    </message>
    <message>
        <source>adjudicator</source>
        <translation>Adjudikation</translation>
    </message>
    <message>
        <source>inactive</source>
        <translation>inaktiv</translation>
    </message>
    <message>
        <source>Days left</source>
        <translation>Verbleibende Tage</translation>
    </message>
    <message>
        <source>Last worked</source>
        <translation>Zuletzt gearbeitet</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Rated</source>
        <translation>Bewertet</translation>
    </message>
    <message>
        <source>Nugget hits</source>
        <translation>Nugget-Treffer</translation>
    </message>
    <message>
        <source>late</source>
        <translation>verspätet</translation>
    </message>
    <message>
        <source>not begun</source>
        <translation>nicht begonnen</translation>
    </message>
    <message>
        <source>today</source>
        <translation>heute</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>gestern</translation>
    </message>
    <message>
        <source>{n} days ago</source>
        <translation>vor {n} Tagen</translation>
    </message>
    <message>
        <source>{n} of {total}</source>
        <translation>{n} von {total}</translation>
    </message>
    <message>
        <source>Late: at the pace of the last {days} days with work, more than twice as many days are left as the others&apos; median, or nothing was done for {idle} days.</source>
        <translation>Verspätet: Im Tempo der letzten {days} Arbeitstage bleiben mehr als doppelt so viele Tage wie im Median der anderen, oder {idle} Tage lang geschah nichts.</translation>
    </message>
    <message>
        <source>Pyramids, nuggets: topics marked done, of those begun.</source>
        <translation>Pyramiden, Nuggets: als fertig markierte Themen von den begonnenen.</translation>
    </message>
    <message>
        <source>Matches, hits, rated: summaries.</source>
        <translation>Zuordnungen, Treffer, bewertet: Zusammenfassungen.</translation>
    </message>
    <message>
        <source>Time: from edit to edit, without pauses.</source>
        <translation>Zeit: von Änderung zu Änderung, ohne Pausen.</translation>
    </message>
    <message>
        <source>Imported work has none.</source>
        <translation>Importierte Arbeit hat keine.</translation>
    </message>
    <message>
        <source>Ratings of {scale}</source>
        <translation>Bewertungen auf {scale}</translation>
    </message>
    <message>
        <source>Pairs: {plan}</source>
        <translation>Paare: {plan}</translation>
    </message>
    <message>
        <source>reliable</source>
        <translation>verlässlich</translation>
    </message>
    <message>
        <source>tentative</source>
        <translation>vorläufig</translation>
    </message>
    <message>
        <source>too low to rely on</source>
        <translation>zu niedrig</translation>
    </message>
    <message>
        <source>nothing to compare</source>
        <translation>nichts zu vergleichen</translation>
    </message>
    <message>
        <source>undefined</source>
        <translation>nicht definiert</translation>
    </message>
    <message>
        <source>{alpha}, interval {low} to {high}; thresholds {tentative} and {reliable}</source>
        <translation>{alpha}, Intervall {low} bis {high}; Schwellen {tentative} und {reliable}</translation>
    </message>
    <message>
        <source>{alpha}; thresholds {tentative} and {reliable}</source>
        <translation>{alpha}; Schwellen {tentative} und {reliable}</translation>
    </message>
    <message>
        <source>Summary {n} of {total}</source>
        <translation>Zusammenfassung {n} von {total}</translation>
    </message>
    <message>
        <source>Comparison {n} of {total}</source>
        <translation>Vergleich {n} von {total}</translation>
    </message>
    <message>
        <source>{place} · pyramid of {owner}</source>
        <translation>{place} · Pyramide von {owner}</translation>
    </message>
    <message>
        <source>{place} · nuggets of {owner}</source>
        <translation>{place} · Nuggets von {owner}</translation>
    </message>
    <message>
        <source>Mean ({mean})</source>
        <translation>Mittelwert ({mean})</translation>
    </message>
    <message>
        <source>All marks</source>
        <translation>Alle Markierungen</translation>
    </message>
    <message>
        <source>All words of both</source>
        <translation>Alle Wörter beider</translation>
    </message>
    <message>
        <source>No rating</source>
        <translation>Keine Bewertung</translation>
    </message>
    <message>
        <source>No match</source>
        <translation>Keine Zuordnung</translation>
    </message>
    <message>
        <source>No answer</source>
        <translation>Keine Antwort</translation>
    </message>
    <message>
        <source>Drop</source>
        <translation>Weglassen</translation>
    </message>
    <message>
        <source>tie</source>
        <translation>unentschieden</translation>
    </message>
    <message>
        <source>In both pyramids</source>
        <translation>In beiden Pyramiden</translation>
    </message>
    <message>
        <source>Of both annotators</source>
        <translation>Von beiden Annotatoren</translation>
    </message>
    <message>
        <source>Only {annotator}</source>
        <translation>Nur {annotator}</translation>
    </message>
    <message>
        <source>no such SCU</source>
        <translation>keine solche SCU</translation>
    </message>
    <message>
        <source>no such nugget</source>
        <translation>kein solches Nugget</translation>
    </message>
    <message>
        <source>no such unit</source>
        <translation>keine solche Einheit</translation>
    </message>
    <message>
        <source>in part</source>
        <translation>teilweise</translation>
    </message>
    <message>
        <source>noted</source>
        <translation>notiert</translation>
    </message>
    <message>
        <source>not noted</source>
        <translation>nicht notiert</translation>
    </message>
    <message>
        <source>weight {n}</source>
        <translation>Gewicht {n}</translation>
    </message>
    <message>
        <source>nothing yet</source>
        <translation>noch nichts</translation>
    </message>
    <message>
        <source>to decide</source>
        <translation>zu entscheiden</translation>
    </message>
    <message>
        <source>decide later</source>
        <translation>später entscheiden</translation>
    </message>
    <message>
        <source>agreed</source>
        <translation>einig</translation>
    </message>
    <message>
        <source>agreed, not merged yet</source>
        <translation>einig, noch nicht zusammengeführt</translation>
    </message>
    <message>
        <source>changed since it was decided</source>
        <translation>seit der Entscheidung geändert</translation>
    </message>
    <message>
        <source>Prefers {summary}</source>
        <translation>Bevorzugt {summary}</translation>
    </message>
    <message>
        <source>{values}, other words</source>
        <translation>{values}, andere Wörter</translation>
    </message>
    <message>
        <source>{one} : {other}</source>
        <translation>{one} : {other}</translation>
    </message>
    <message>
        <source>installed with the program</source>
        <translation>mit dem Programm installiert</translation>
    </message>
    <message>
        <source>the hub&apos;s hash</source>
        <translation>den Hash des Hubs</translation>
    </message>
    <message>
        <source>a known hash</source>
        <translation>einen bekannten Hash</translation>
    </message>
    <message>
        <source>the first download</source>
        <translation>den ersten Download</translation>
    </message>
    <message>
        <source>downloaded</source>
        <translation>heruntergeladen</translation>
    </message>
    <message>
        <source>Afrikaans</source>
        <translation>Afrikaans</translation>
    </message>
    <message>
        <source>Amharic</source>
        <translation>Amharisch</translation>
    </message>
    <message>
        <source>Arabic</source>
        <translation>Arabisch</translation>
    </message>
    <message>
        <source>Azerbaijani</source>
        <translation>Aserbaidschanisch</translation>
    </message>
    <message>
        <source>Belarusian</source>
        <translation>Belarussisch</translation>
    </message>
    <message>
        <source>Bulgarian</source>
        <translation>Bulgarisch</translation>
    </message>
    <message>
        <source>Bengali</source>
        <translation>Bengalisch</translation>
    </message>
    <message>
        <source>Bosnian</source>
        <translation>Bosnisch</translation>
    </message>
    <message>
        <source>Catalan</source>
        <translation>Katalanisch</translation>
    </message>
    <message>
        <source>Czech</source>
        <translation>Tschechisch</translation>
    </message>
    <message>
        <source>Welsh</source>
        <translation>Walisisch</translation>
    </message>
    <message>
        <source>Danish</source>
        <translation>Dänisch</translation>
    </message>
    <message>
        <source>German</source>
        <translation>Deutsch</translation>
    </message>
    <message>
        <source>Greek</source>
        <translation>Griechisch</translation>
    </message>
    <message>
        <source>English</source>
        <translation>Englisch</translation>
    </message>
    <message>
        <source>Spanish</source>
        <translation>Spanisch</translation>
    </message>
    <message>
        <source>Estonian</source>
        <translation>Estnisch</translation>
    </message>
    <message>
        <source>Basque</source>
        <translation>Baskisch</translation>
    </message>
    <message>
        <source>Persian</source>
        <translation>Persisch</translation>
    </message>
    <message>
        <source>Finnish</source>
        <translation>Finnisch</translation>
    </message>
    <message>
        <source>French</source>
        <translation>Französisch</translation>
    </message>
    <message>
        <source>Irish</source>
        <translation>Irisch</translation>
    </message>
    <message>
        <source>Galician</source>
        <translation>Galicisch</translation>
    </message>
    <message>
        <source>Gujarati</source>
        <translation>Gujarati</translation>
    </message>
    <message>
        <source>Hausa</source>
        <translation>Hausa</translation>
    </message>
    <message>
        <source>Hebrew</source>
        <translation>Hebräisch</translation>
    </message>
    <message>
        <source>Hindi</source>
        <translation>Hindi</translation>
    </message>
    <message>
        <source>Croatian</source>
        <translation>Kroatisch</translation>
    </message>
    <message>
        <source>Hungarian</source>
        <translation>Ungarisch</translation>
    </message>
    <message>
        <source>Armenian</source>
        <translation>Armenisch</translation>
    </message>
    <message>
        <source>Indonesian</source>
        <translation>Indonesisch</translation>
    </message>
    <message>
        <source>Icelandic</source>
        <translation>Isländisch</translation>
    </message>
    <message>
        <source>Italian</source>
        <translation>Italienisch</translation>
    </message>
    <message>
        <source>Japanese</source>
        <translation>Japanisch</translation>
    </message>
    <message>
        <source>Georgian</source>
        <translation>Georgisch</translation>
    </message>
    <message>
        <source>Kazakh</source>
        <translation>Kasachisch</translation>
    </message>
    <message>
        <source>Khmer</source>
        <translation>Khmer</translation>
    </message>
    <message>
        <source>Kannada</source>
        <translation>Kannada</translation>
    </message>
    <message>
        <source>Korean</source>
        <translation>Koreanisch</translation>
    </message>
    <message>
        <source>Lao</source>
        <translation>Laotisch</translation>
    </message>
    <message>
        <source>Lithuanian</source>
        <translation>Litauisch</translation>
    </message>
    <message>
        <source>Latvian</source>
        <translation>Lettisch</translation>
    </message>
    <message>
        <source>Macedonian</source>
        <translation>Mazedonisch</translation>
    </message>
    <message>
        <source>Malayalam</source>
        <translation>Malayalam</translation>
    </message>
    <message>
        <source>Marathi</source>
        <translation>Marathi</translation>
    </message>
    <message>
        <source>Malay</source>
        <translation>Malaiisch</translation>
    </message>
    <message>
        <source>Burmese</source>
        <translation>Birmanisch</translation>
    </message>
    <message>
        <source>Norwegian Bokmål</source>
        <translation>Norwegisch (Bokmål)</translation>
    </message>
    <message>
        <source>Nepali</source>
        <translation>Nepali</translation>
    </message>
    <message>
        <source>Dutch</source>
        <translation>Niederländisch</translation>
    </message>
    <message>
        <source>Norwegian Nynorsk</source>
        <translation>Norwegisch (Nynorsk)</translation>
    </message>
    <message>
        <source>Punjabi</source>
        <translation>Panjabi</translation>
    </message>
    <message>
        <source>Polish</source>
        <translation>Polnisch</translation>
    </message>
    <message>
        <source>Pashto</source>
        <translation>Paschtu</translation>
    </message>
    <message>
        <source>Portuguese</source>
        <translation>Portugiesisch</translation>
    </message>
    <message>
        <source>Romanian</source>
        <translation>Rumänisch</translation>
    </message>
    <message>
        <source>Russian</source>
        <translation>Russisch</translation>
    </message>
    <message>
        <source>Sinhala</source>
        <translation>Singhalesisch</translation>
    </message>
    <message>
        <source>Slovak</source>
        <translation>Slowakisch</translation>
    </message>
    <message>
        <source>Slovenian</source>
        <translation>Slowenisch</translation>
    </message>
    <message>
        <source>Somali</source>
        <translation>Somali</translation>
    </message>
    <message>
        <source>Albanian</source>
        <translation>Albanisch</translation>
    </message>
    <message>
        <source>Serbian</source>
        <translation>Serbisch</translation>
    </message>
    <message>
        <source>Swedish</source>
        <translation>Schwedisch</translation>
    </message>
    <message>
        <source>Swahili</source>
        <translation>Suaheli</translation>
    </message>
    <message>
        <source>Tamil</source>
        <translation>Tamil</translation>
    </message>
    <message>
        <source>Telugu</source>
        <translation>Telugu</translation>
    </message>
    <message>
        <source>Thai</source>
        <translation>Thai</translation>
    </message>
    <message>
        <source>Turkish</source>
        <translation>Türkisch</translation>
    </message>
    <message>
        <source>Ukrainian</source>
        <translation>Ukrainisch</translation>
    </message>
    <message>
        <source>Urdu</source>
        <translation>Urdu</translation>
    </message>
    <message>
        <source>Uzbek</source>
        <translation>Usbekisch</translation>
    </message>
    <message>
        <source>Vietnamese</source>
        <translation>Vietnamesisch</translation>
    </message>
    <message>
        <source>Yoruba</source>
        <translation>Yoruba</translation>
    </message>
    <message>
        <source>Chinese</source>
        <translation>Chinesisch</translation>
    </message>
    <message>
        <source>Zulu</source>
        <translation>Zulu</translation>
    </message>
    <message>
        <source>Undetermined, not in Latin letters</source>
        <translation>Unbestimmt, nicht in lateinischer Schrift</translation>
    </message>
    <message>
        <source>A judge, such as a language model, rates summaries on a scale that people use too.</source>
        <translation>Ein Judge-Modell, z. B. ein Sprachmodell, bewertet Zusammenfassungen auf einer Skala, die auch Menschen verwenden.</translation>
    </message>
    <message>
        <source>Topics for tests</source>
        <translation>Themen für Tests</translation>
    </message>
    <message>
        <source>Topics for development</source>
        <translation>Themen für die Entwicklung</translation>
    </message>
    <message>
        <source>Choose a summary of the topic first.</source>
        <translation>Wählen Sie zuerst eine Zusammenfassung des Themas.</translation>
    </message>
    <message>
        <source>Save the rubric</source>
        <translation>Rubrik speichern</translation>
    </message>
    <message>
        <source>Saved. Score with it: judge:rubric={path}</source>
        <translation>Gespeichert. Damit bewerten: judge:rubric={path}</translation>
    </message>
    <message>
        <source>Judging with {rubric}</source>
        <translation>Urteile nach {rubric}</translation>
    </message>
    <message>
        <source>Comparing judges</source>
        <translation>Judge-Modelle werden verglichen</translation>
    </message>
    <message>
        <source>Judge&apos;s answer</source>
        <translation>Antwort des Judge-Modells</translation>
    </message>
    <message>
        <source>Rubric</source>
        <translation>Bewertungsraster</translation>
    </message>
    <message>
        <source>{system}: judge {judge:g}, people {people}</source>
        <translation>{system}: Judge-Modell {judge:g}, Menschen {people}</translation>
    </message>
    <message>
        <source>Edit a copy of a rubric</source>
        <translation>Kopie einer Rubrik bearbeiten</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter…</translation>
    </message>
    <message>
        <source>Score the topics for development with it: {judge}</source>
        <translation>Die Entwicklungsthemen damit bewerten: {judge}</translation>
    </message>
    <message>
        <source>Start from</source>
        <translation>Ausgehen von</translation>
    </message>
    <message>
        <source>Rubric, in TOML</source>
        <translation>Rubrik, in TOML</translation>
    </message>
    <message>
        <source>above</source>
        <translation>oben</translation>
    </message>
    <message>
        <source>Valid: mode {mode}. {what}</source>
        <translation>Gültig: Modus {mode}. {what}</translation>
    </message>
    <message>
        <source>Enter the name of the environment variable that holds the key of {url}.</source>
        <translation>Geben Sie den Namen der Umgebungsvariablen mit dem Schlüssel von {url} ein.</translation>
    </message>
    <message>
        <source>{url} is in the list twice.</source>
        <translation>{url} steht zweimal in der Liste.</translation>
    </message>
    <message>
        <source>Price in</source>
        <translation>Preis ein</translation>
    </message>
    <message>
        <source>Price out</source>
        <translation>Preis aus</translation>
    </message>
    <message>
        <source>Key; empty = as stored</source>
        <translation>Schlüssel; leer = wie gespeichert</translation>
    </message>
    <message>
        <source>None needed</source>
        <translation>Keiner nötig</translation>
    </message>
    <message>
        <source>In an environment variable</source>
        <translation>In einer Umgebungsvariablen</translation>
    </message>
    <message>
        <source>In the keyring of this computer</source>
        <translation>Im Schlüsselbund dieses Computers</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Name of the environment variable</source>
        <translation>Name der Umgebungsvariablen</translation>
    </message>
    <message>
        <source>Key to store in the keyring</source>
        <translation>Schlüssel für den Schlüsselbund</translation>
    </message>
    <message>
        <source>Servers of language models and indexes that may be contacted. Keys are in no study.</source>
        <translation>Server von Sprachmodellen und Indexen, die kontaktiert werden dürfen. Schlüssel stehen in keiner Studie.</translation>
    </message>
    <message>
        <source>Price of a million tokens</source>
        <translation>Preis für eine Million Tokens</translation>
    </message>
    <message>
        <source>For estimates of what a run costs.</source>
        <translation>Für Schätzungen, was ein Lauf kostet.</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>Unbekannt</translation>
    </message>
    <message>
        <source>Keyring</source>
        <translation>Schlüsselbund</translation>
    </message>
</context>
</TS>
