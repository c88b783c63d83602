"""Law: a setting that is given is used or refused; none is dropped.

Tried to be broken by every setting of every metric and summarizer, alone and with each choice of every other
setting, by recording which settings a run reads, and by settings that only some values of a varied one use.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import fields, replace

import pytest

from core.errors import BadSetting, PyramidionError
from core.experiments.papers.cohan2016 import variants
from core.experiments.registry import parse_request
from core.metrics import registry
from core.metrics.base import Metric, Need
from core.scoring.study_resources import StudyResources
from core.settings import format_setting, setting_default
from core.systems import registry as summarizers
from core.systems.base import Summarizer
from core.systems.run import source_of
from core.systems.source import count_collection

LONGER = "The court met again. A court lifted a ban. The ban was old. An old court met."
PLAIN = {Need.REFERENCES, Need.DOCUMENTS}


def other_value(f):
    """Return a valid value of a setting that differs from its default, as text."""
    default, high = setting_default(f), f.metadata["high"]
    if f.metadata["choices"]:
        return next(one for one in f.metadata["choices"] if one != default)
    if isinstance(default, bool):
        return format_setting(not default)
    if isinstance(default, str):
        return "other"
    step = 1 if isinstance(default, int) else 0.01
    return format_setting(default + step if high is None or default + step <= high else default - step)


def configurations(cls):
    """Yield the default settings, and each choice of every other setting."""
    yield ""
    for f in fields(cls):
        options = f.metadata["choices"] or (("yes", "no") if isinstance(setting_default(f), bool) else ())
        yield from (f"{f.name}={one}" for one in options if one != format_setting(setting_default(f)))


def parsed(parse, text):
    """Return what a configuration stands for, or None if it is refused."""
    try:
        return parse(text)
    except PyramidionError:
        return None


@pytest.mark.parametrize("kinds", [registry, summarizers], ids=["metrics", "summarizers"])
def test_a_given_setting_is_in_the_signature_or_refused(kinds):
    known = registry.metrics() if kinds is registry else summarizers.summarizers()
    given = 0
    for cls in known:
        for before in configurations(cls):
            for f in fields(cls):
                if before.partition("=")[0] == f.name:
                    continue
                value = other_value(f)
                text = f"{cls.name}:{before}{',' * bool(before)}{f.name}={value}"
                one = parsed(kinds.parse, text)
                if one is not None:
                    assert format_setting(getattr(one, f.name)) == value, text
                    assert kinds is summarizers or f.name in one.settings(), text
                    given += 1
    assert given > 100


@contextmanager
def recorded(base, names):
    """Record the names of attributes that are read."""
    plain = base.__getattribute__

    def read(self, name):
        names.add(name)
        return plain(self, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(base, "__getattribute__", read, raising=False)
        yield


def unread(one, names):
    return {f.name for f in fields(one)} - names - one.unused().keys()


def test_summarizers_read_every_setting_in_use(study):
    topic = next(iter(study.texts.load()))
    text = replace(topic.documents[0], content=LONGER, digest="", sentence_spans=None)
    topic = replace(topic, documents=(text,))
    ran = 0
    for cls in summarizers.summarizers():
        runs_apart = cls.summarize_all is not Summarizer.summarize_all  # a model or a program
        if runs_apart or cls.name == "oracle":  # it reads its metric when it is made
            continue
        for text in configurations(cls):
            one = parsed(summarizers.parse, f"{cls.name}:words=3{',' * bool(text)}{text}")
            if one is None or one.reads_citances or "sentences" in text:
                continue
            names: set[str] = set()
            with recorded(Summarizer, names):
                collection = count_collection(topic.documents, one.analysis)
                one.summarize(source_of(topic, one, collection))
            ran += 1
            assert not unread(one, names), f"{cls.name}:{text}"
    assert ran > 20


def test_metrics_of_texts_read_every_setting_in_use(study):
    resources = StudyResources(study, "cpu")
    topic = next(iter(study.texts.load()))
    ran = 0
    for cls in registry.metrics():
        for text in configurations(cls) if not cls.program_setting else ():
            one = parsed(registry.parse, f"{cls.name}:{text}")
            if one is None or not one.needs <= PLAIN or one.unavailable(resources):
                continue
            names: set[str] = set()
            with recorded(Metric, names):
                one.score(one.prepare(topic, resources))
            ran += 1
            assert not unread(one, names), f"{cls.name}:{text}"
    assert ran > 30


def test_a_setting_of_one_query_applies_to_that_query_of_a_recipe():
    labels = {want.label: want.spec for want in variants("sera:index=pm,phrases=folder,rarity=2.0")}
    assert labels["SERA-NP-5"] == "sera:query=np,index=pm,phrases=folder"
    assert labels["SERA-KW-5"] == "sera:query=kw,index=pm,rarity=2.0"
    assert labels["SERA-5"] == "sera:index=pm"
    with pytest.raises(BadSetting, match="stemmer=none cannot be combined with index=pm"):
        variants("sera:index=pm,stemmer=none")


def test_settings_of_experiments_without_effect_are_refused():
    with pytest.raises(BadSetting, match="level=topic cannot be combined with of=topics"):
        parse_request("halves", {"level": "topic"})
    with pytest.raises(BadSetting, match="second_values=1 cannot be combined"):
        parse_request("sweep", {"second_values": "1"})
