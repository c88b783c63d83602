"""Hand-made DUCView files: with and without an expression, with CDATA, entities, comments, unknown things."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.import_batch import ImportContent, NewText, NewTopic
from storage.study_file import StudyFile, new_study

PYRAMID_DECLARATION = """
 <!ELEMENT pyramid (startDocumentRegEx?,text,scu*)>
 <!ELEMENT startDocumentRegEx (#PCDATA)>
 <!ELEMENT text (line*)>
 <!ELEMENT line (#PCDATA)>
 <!ELEMENT scu (contributor)+>
 <!ATTLIST scu uid CDATA #REQUIRED
               label CDATA #REQUIRED
               comment CDATA #IMPLIED>
 <!ELEMENT contributor (part)+>
 <!ATTLIST contributor label CDATA #REQUIRED
                       comment CDATA #IMPLIED>
 <!ELEMENT part EMPTY>
 <!ATTLIST part label CDATA #REQUIRED
                start CDATA #REQUIRED
                end   CDATA #REQUIRED>

"""

PYRAMID = r"""<pyramid>
<startDocumentRegEx><![CDATA[[-]+\n D[0-9]+\.M\.[A-Z]\n[-]+\n]]></startDocumentRegEx>
 <text>
  <line>-----</line>
  <line> D7.M.A</line>
  <line>-----</line>
  <line>The ban &amp; the &quot;bridge&quot; fell.</line>
  <line>-----</line>
  <line> D7.M.B</line>
  <line>-----</line>
  <line>On Monday the ban</line>
  <line>fell. Cafe&#769;s reopened.</line>
 </text>
 <scu uid="12" label="The ban fell">
  <contributor label="The ban...fell">
   <part label="The ban" start="20" end="27"/>
   <part label="fell" start="43" end="47"/>
  </contributor>
  <contributor label="the banfell" comment="over two lines">
   <part label="the banfell" start="79" end="91"/>
  </contributor>
 </scu>

 <scu uid="3" label="Cafés reopened" comment="late">
  <contributor label="Monday...Café">
   <part label="Cafés reopened" start="93" end="108"/>
   <part label="Monday" start="72" end="78"/>
  </contributor>
 </scu>
</pyramid>"""

ANNOTATION = """<annotation>
 <text>
  <line>The ban fell.</line>
  <line>It fell again. Rain came.</line>
 </text>
 <peerscu uid="12" label="(2) The ban fell" comment="twice">
  <contributor label="The ban fell">
   <part label="The ban fell" start="0" end="12"/>
  </contributor>
  <contributor label="It fell" comment="again">
   <part label="It fell" start="14" end="21"/>
  </contributor>
 </peerscu>

 <peerscu uid="3" label="(1) Cafés reopened">
 </peerscu>

 <peerscu uid="0" label="All non-matching SCUs go here">
  <contributor label="Rain came">
   <part label="Rain came" start="29" end="38"/>
  </contributor>
 </peerscu>
</annotation>"""

SCORE = """<score>
 <totalscu>3</totalscu>
 <uniquescu>1</uniquescu>
 <scusNotInPyr>1</scusNotInPyr>
 <totalWeight>2</totalWeight>
 <maxScoreTotalscu>3</maxScoreTotalscu>
 <qualityScore>0.6667</qualityScore>
 <averagescu>2</averagescu>
 <maxScoreAveragescu>3</maxScoreAveragescu>
 <coverageScore>0.6667</coverageScore>
 <comprehensiveScore>0.6667</comprehensiveScore>
</score>"""


def pyr(body: str = PYRAMID, before: str = "", after: str = "") -> bytes:
    """A .pyr file."""
    head = f'<?xml version="1.0"?>\n<!DOCTYPE pyramid [{PYRAMID_DECLARATION}]>\n\n'
    return f"{head}{before}{body}\n{after}".encode()


def pan(pyramid: str = PYRAMID, annotation: str = ANNOTATION, score: str = SCORE) -> bytes:
    """A .pan file of DUCView 1.4, or with a score, of 1.5."""
    peer = " <!ELEMENT peerAnnotation (pyramid,annotation)>\n <!ELEMENT annotation (text,peerscu+)>"
    head = f'<?xml version="1.0"?>\n<!DOCTYPE peerAnnotation [\n{peer}{PYRAMID_DECLARATION}]>\n\n'
    return f"{head}<peerAnnotation>\n{pyramid}\n{annotation}\n{score}\n</peerAnnotation>\n".encode()


def without_regex(pyramid: str = PYRAMID) -> str:
    lines = pyramid.splitlines()
    return "\n".join(line for line in lines if not line.startswith("<startDocumentRegEx>"))


@pytest.fixture
def empty_study(tmp_path: Path) -> Iterator[StudyFile]:
    with new_study(tmp_path / "empty.pyramidion") as study:
        yield study


@pytest.fixture
def bridge_study(tmp_path: Path) -> Iterator[StudyFile]:
    """A study that has the references of the hand-made pyramid, with other white space and other authors."""
    texts = {
        "Ann": NewText('The ban &  the "bridge"\nfell.'),
        "Ben": NewText("On Monday the ban fell. Cafe\u0301s reopened."),
    }
    with new_study(tmp_path / "bridge.pyramidion") as study:
        study.import_data(ImportContent("texts", topics=[NewTopic("D7", references=texts)]))
        yield study
