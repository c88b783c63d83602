"""Inter-annotator agreement: ratings, matches, spans and pyramids.

Every coefficient is a function of statistics that add up over topics, so a bootstrap over topics reads no
item twice. A coefficient without a value comes with the reason.
"""
