"""The manual: guides in resources/help, and reference pages made from the registries."""
