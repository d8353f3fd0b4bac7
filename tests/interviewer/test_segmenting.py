"""Chinese cut to words, once for whoever asks again."""

from interviewer import segmenting
from interviewer.segmenting import cut_words

RUN = "张量并行按列切分权重矩阵"


def test_the_words_together_are_the_run():
    assert "".join(cut_words(RUN)) == RUN
    assert "张量" in cut_words(RUN)
    assert cut_words("") == ()


def test_a_run_is_cut_once_and_a_flood_is_not_kept():
    cut_words(RUN)
    before = segmenting._cut_again.cache_info()
    assert cut_words(RUN) == cut_words(RUN)
    flood = RUN * 50
    assert "".join(cut_words(flood)) == flood
    after = segmenting._cut_again.cache_info()
    assert (after.hits - before.hits, after.currsize) == (2, before.currsize)
