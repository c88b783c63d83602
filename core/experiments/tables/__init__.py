"""Tables that several experiments share."""
