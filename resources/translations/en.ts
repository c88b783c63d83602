<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name></name>
    <message numerus="yes">
        <source>%n SCUs</source>
        <translation>
            <numerusform>%n SCU</numerusform>
            <numerusform>%n SCUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n topics</source>
        <translation>
            <numerusform>%n topic</numerusform>
            <numerusform>%n topics</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n documents</source>
        <translation>
            <numerusform>%n document</numerusform>
            <numerusform>%n documents</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n indexes</source>
        <translation>
            <numerusform>%n index</numerusform>
            <numerusform>%n indexes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n words</source>
        <translation>
            <numerusform>%n word</numerusform>
            <numerusform>%n words</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pairs</source>
        <translation>
            <numerusform>%n pair</numerusform>
            <numerusform>%n pairs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n comparisons</source>
        <translation>
            <numerusform>%n comparison</numerusform>
            <numerusform>%n comparisons</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hits</source>
        <translation>
            <numerusform>%n hit</numerusform>
            <numerusform>%n hits</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n nuggets</source>
        <translation>
            <numerusform>%n nugget</numerusform>
            <numerusform>%n nuggets</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n contributors</source>
        <translation>
            <numerusform>%n contributor</numerusform>
            <numerusform>%n contributors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n references</source>
        <translation>
            <numerusform>%n reference</numerusform>
            <numerusform>%n references</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n matched SCUs</source>
        <translation>
            <numerusform>%n matched SCU</numerusform>
            <numerusform>%n matched SCUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n repetitions</source>
        <translation>
            <numerusform>%n repetition</numerusform>
            <numerusform>%n repetitions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n units</source>
        <translation>
            <numerusform>%n unit</numerusform>
            <numerusform>%n units</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n parts</source>
        <translation>
            <numerusform>%n part</numerusform>
            <numerusform>%n parts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n authors</source>
        <translation>
            <numerusform>%n author</numerusform>
            <numerusform>%n authors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n systems</source>
        <translation>
            <numerusform>%n system</numerusform>
            <numerusform>%n systems</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n of {systems} are left out: {names}.</source>
        <translation>
            <numerusform>%n of {systems} is left out: {names}.</numerusform>
            <numerusform>%n of {systems} are left out: {names}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n metrics</source>
        <translation>
            <numerusform>%n metric</numerusform>
            <numerusform>%n metrics</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n dimensions</source>
        <translation>
            <numerusform>%n dimension</numerusform>
            <numerusform>%n dimensions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n configurations</source>
        <translation>
            <numerusform>%n configuration</numerusform>
            <numerusform>%n configurations</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n occurrences</source>
        <translation>
            <numerusform>%n occurrence</numerusform>
            <numerusform>%n occurrences</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n matches</source>
        <translation>
            <numerusform>%n match</numerusform>
            <numerusform>%n matches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n findings</source>
        <translation>
            <numerusform>%n finding</numerusform>
            <numerusform>%n findings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n marks</source>
        <translation>
            <numerusform>%n mark</numerusform>
            <numerusform>%n marks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n ratings</source>
        <translation>
            <numerusform>%n rating</numerusform>
            <numerusform>%n ratings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n judgements</source>
        <translation>
            <numerusform>%n judgement</numerusform>
            <numerusform>%n judgements</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n summaries</source>
        <translation>
            <numerusform>%n summary</numerusform>
            <numerusform>%n summaries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n marked summaries</source>
        <translation>
            <numerusform>%n marked summary</numerusform>
            <numerusform>%n marked summaries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tables</source>
        <translation>
            <numerusform>%n table</numerusform>
            <numerusform>%n tables</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n measures</source>
        <translation>
            <numerusform>%n measure</numerusform>
            <numerusform>%n measures</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n signatures</source>
        <translation>
            <numerusform>%n signature</numerusform>
            <numerusform>%n signatures</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n figures</source>
        <translation>
            <numerusform>%n figure</numerusform>
            <numerusform>%n figures</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sentences</source>
        <translation>
            <numerusform>%n sentence</numerusform>
            <numerusform>%n sentences</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pages</source>
        <translation>
            <numerusform>%n page</numerusform>
            <numerusform>%n pages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more lines cannot be read either.</source>
        <translation>
            <numerusform>%n more line cannot be read either.</numerusform>
            <numerusform>%n more lines cannot be read either.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n bad rows</source>
        <translation>
            <numerusform>%n bad row</numerusform>
            <numerusform>%n bad rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n problems</source>
        <translation>
            <numerusform>%n problem</numerusform>
            <numerusform>%n problems</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>checked all %n rows</source>
        <translation>
            <numerusform>checked %n row</numerusform>
            <numerusform>checked all %n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more texts</source>
        <translation>
            <numerusform>%n more text</numerusform>
            <numerusform>%n more texts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source> · %n rows</source>
        <translation>
            <numerusform> · %n row</numerusform>
            <numerusform> · %n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n or more problems</source>
        <translation>
            <numerusform>%n or more problems</numerusform>
            <numerusform>%n or more problems</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n bad rows will be skipped.</source>
        <translation>
            <numerusform>%n bad row will be skipped.</numerusform>
            <numerusform>%n bad rows will be skipped.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n notes</source>
        <translation>
            <numerusform>%n note</numerusform>
            <numerusform>%n notes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>adds %n SCUs</source>
        <translation>
            <numerusform>adds %n SCU</numerusform>
            <numerusform>adds %n SCUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>removes %n SCUs</source>
        <translation>
            <numerusform>removes %n SCU</numerusform>
            <numerusform>removes %n SCUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>changes %n SCUs</source>
        <translation>
            <numerusform>changes %n SCU</numerusform>
            <numerusform>changes %n SCUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>adds %n matches</source>
        <translation>
            <numerusform>adds %n match</numerusform>
            <numerusform>adds %n matches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>removes %n matches</source>
        <translation>
            <numerusform>removes %n match</numerusform>
            <numerusform>removes %n matches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>moves %n matches to former SCUs</source>
        <translation>
            <numerusform>moves %n match to former SCUs</numerusform>
            <numerusform>moves %n matches to former SCUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pairs of metric and topic scored</source>
        <translation>
            <numerusform>%n pair of metric and topic scored</numerusform>
            <numerusform>%n pairs of metric and topic scored</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name} holds %n rows of {title}.</source>
        <translation>
            <numerusform>{name} holds %n row of {title}.</numerusform>
            <numerusform>{name} holds %n rows of {title}.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n bad rows were skipped.</source>
        <translation>
            <numerusform>%n bad row was skipped.</numerusform>
            <numerusform>%n bad rows were skipped.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>, %n repetitions</source>
        <translation>
            <numerusform>, %n repetition</numerusform>
            <numerusform>, %n repetitions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>{name}, %n SCUs</source>
        <translation>
            <numerusform>{name}, %n SCU</numerusform>
            <numerusform>{name}, %n SCUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n differences</source>
        <translation>
            <numerusform>%n difference</numerusform>
            <numerusform>%n differences</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n annotators</source>
        <translation>
            <numerusform>%n annotator</numerusform>
            <numerusform>%n annotators</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Merged %n agreements. Undo works topic by topic.</source>
        <translation>
            <numerusform>Merged %n agreement. Undo works topic by topic.</numerusform>
            <numerusform>Merged %n agreements. Undo works topic by topic.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n proposals</source>
        <translation>
            <numerusform>%n proposal</numerusform>
            <numerusform>%n proposals</numerusform>
        </translation>
    </message>
</context>
</TS>
