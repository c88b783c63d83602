"""SERA: summaries compared by the documents they retrieve (Cohan & Goharian 2016)."""
