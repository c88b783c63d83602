"""Detection of a study's language from its texts."""
# ruff: noqa: E501 - sentences stay whole

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from py3langid.langid import LanguageIdentifier

import pyramidion
from core.errors import InputError
from core.text import language_model
from core.text.languages import check_language, detect_language, language_name

TEXTS = {
    "zh": "中国经济增长速度放缓。专家认为这是正常的现象。",
    "ja": "首相は昨日、新しい経済政策を発表しました。野党は反対しています。",
    "ko": "대한민국의 수도는 서울이다. 어제 서울에는 비가 많이 왔다.",
    "th": "แมวนั่งอยู่บนเสื่อ และสุนัขวิ่งอยู่ในสวน",
    "km": "ខ្ញុំចូលចិត្តអានសៀវភៅនៅផ្ទះ",
    "lo": "ຂ້ອຍມັກອ່ານປຶ້ມຢູ່ເຮືອນ",
    "my": "ကျွန်တော် စာဖတ်ရတာ ကြိုက်တယ်",
}
LONG = {
    "ar": "ذهب الولد إلى المدرسة في الصباح وعاد إلى البيت بعد الظهر. قال الوزير إن الحكومة سوف تدرس القانون الجديد في "
    "الأسبوع القادم، وإن البرلمان سوف يصوت عليه قبل نهاية العام. ورفضت المعارضة هذا المشروع وقالت إنه لا يخدم مصالح "
    "المواطنين.",
    "hi": "प्रधानमंत्री ने कल नई आर्थिक नीति की घोषणा की। विपक्ष ने इस योजना का विरोध किया और कहा कि इससे किसानों को कोई लाभ नहीं "
    "होगा। सरकार का कहना है कि यह नीति देश के विकास के लिए आवश्यक है और आने वाले वर्षों में रोजगार के नए अवसर पैदा होंगे। "
    "विशेषज्ञों की राय इस विषय पर अलग अलग है।",
    "ru": "Вчера в Москве прошёл сильный дождь, и многие улицы были затоплены. Министр заявил, что правительство выделит "
    "деньги на ремонт дорог. Жители города недовольны работой коммунальных служб и требуют ответа от властей.",
    "de": "Die Regierung hat gestern ein neues Gesetz beschlossen, das im nächsten Jahr in Kraft treten soll. Die Opposition "
    "kritisierte den Entwurf scharf. Der Minister verteidigte das Vorhaben und sagte, es werde vielen Menschen helfen.",
    "fr": "Le gouvernement a adopté hier une nouvelle loi qui entrera en vigueur l'année prochaine. L'opposition a vivement "
    "critiqué le texte. Le ministre a défendu le projet en disant qu'il aiderait beaucoup de personnes dans le pays.",
    "en": "The government passed a new law yesterday, which will take effect next year. The opposition criticized the draft "
    "sharply. The minister defended the plan and said that it would help many people all over the country.",
}


@pytest.mark.parametrize("language", TEXTS)
def test_a_script_identifies_its_language_in_one_sentence(language: str) -> None:
    assert detect_language([TEXTS[language]]).code == language


@pytest.mark.parametrize("language", LONG)
def test_the_language_of_a_paragraph_is_detected_by_its_words(language: str) -> None:
    assert detect_language([LONG[language]]).code == language
    assert detect_language(LONG[language].split(". ")).code == language


@pytest.mark.parametrize("texts", [[], [""], ["123 456 !"], ["The cat sat."], ["Ein Satz.", "A sentence."]])
def test_too_few_words_give_no_language(texts: list[str]) -> None:
    assert detect_language(texts).code == ""


def test_a_japanese_headline_without_kana_does_not_make_a_study_chinese() -> None:
    assert detect_language([TEXTS["ja"]] * 3 + ["経済成長速度減速"]).code == "ja"


def test_the_majority_language_is_detected_with_the_shares_of_others() -> None:
    block = detect_language([LONG["en"]] * 3 + [LONG["de"]])
    assert block.code == "en"
    ((other, share),) = block.others
    assert other == "de"
    assert 0.2 < share < 0.3


def test_two_equally_frequent_languages_give_no_language() -> None:
    assert detect_language([LONG["fr"], LONG["de"], LONG["ru"]]).code == ""


def test_the_model_is_unpacked_once_into_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language_model, "_folders", [tmp_path / "cache"])
    mapped = language_model.language_identifier.__wrapped__
    packed = mapped()
    (place,) = (tmp_path / "cache").iterdir()
    monkeypatch.setattr(LanguageIdentifier, "from_model_file", None)  # it is not unpacked again
    assert all(mapped().rank(text) == packed.rank(text) for text in (*LONG.values(), "", "\ud800"))
    monkeypatch.undo()
    monkeypatch.setattr(language_model, "_folders", [tmp_path / "cache"])
    (place / "tk_row.npy").write_bytes(b"damaged")
    assert mapped().classify(LONG["de"]) == packed.classify(LONG["de"])
    assert np.load(place / "tk_row.npy").any()


def test_codes_are_checked_and_named() -> None:
    assert check_language(" ZH ") == "zh"
    assert language_name("ja") == "Japanese (ja)"
    with pytest.raises(InputError, match="No language is named 'xx'"):
        check_language("xx")


SHORT = {
    "hi": "हिन्दी दिवस", "ne": "नेपालको राजधानी", "mr": "मुंबई शहर", "bn": "ঢাকা শহর", "ta": "சென்னை நகரம்",
    "te": "హైదరాబాద్ నగరం", "kn": "ಬೆಂಗಳೂರು ನಗರ", "ml": "കൊച്ചി നഗരം", "gu": "અમદાવાદ શહેર", "pa": "ਅੰਮ੍ਰਿਤਸਰ ਸ਼ਹਿਰ",
    "si": "කොළඹ නගරය", "ar": "مدينة القاهرة", "fa": "شهر تهران", "ur": "کراچی شہر", "he": "העיר חיפה", "ru": "Город Москва",
    "uk": "Місто Київ", "bg": "Град София", "sr": "Град Београд", "el": "Η Αθήνα", "am": "አዲስ አበባ", "ka": "თბილისი",
    "hy": "Երևան քաղաք", "bo": "ལྷ་ས།", "zh": "政府宣布", "ja": "東京の空", "ko": "서울 시청", "th": "กรุงเทพ", "lo": "ວຽງຈັນ",
    "my": "ရန်ကုန်", "km": "ភ្នំពេញ",
}  # fmt: skip
SHARED = {
    "hi", "ne", "mr", "ar", "fa", "ur", "ru", "uk", "bg", "sr", "bo"
}  # fmt: skip
"""Languages whose script is that of several languages, or of one that a study cannot have."""


@pytest.mark.parametrize("language", SHORT)
def test_a_headline_is_read_by_its_script(language: str) -> None:
    expected = "und" if language in SHARED else language
    assert detect_language([SHORT[language]]).code == expected
    assert detect_language([SHORT[language]] * 500).code == expected or language in SHARED


@pytest.mark.parametrize("language", SHORT)
def test_a_headline_against_itself_has_a_score(language: str) -> None:
    text = SHORT[language]
    names = ["rouge-n:n=1", "rouge-l", "bleu", "meteor", "js", "cider"]
    for name, scores in pyramidion.score([text, "x"], [[text], ["y"]], names).items():
        least = 0.0 if name == "js" else 0.25
        assert least <= scores.per_summary.iloc[0, -1] < math.inf, name
        assert not any("ignored" in note or "tokenize" in note for note in scores.notes)


def test_letters_of_several_scripts_are_summed() -> None:
    assert detect_language(["政府", "Ελλάδα και", "宣布", "新計劃宣布新計劃"]).code == "zh"
    assert detect_language(["Город", "שלום", "ok", "हिन्दी"]).code == "und"
    assert detect_language(["Город", "The bridge is closed"]).code == ""
    assert detect_language(["α-helix", "The β-sheet of proteins"]).code == ""
    assert detect_language(["\u0301", "123", "🙂"]).code == ""
