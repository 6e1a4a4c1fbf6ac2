"""5 learn: feed + pages -> rules (pure)."""

from blogforever.learn.learner import learn_rules

__all__ = ["learn_rules"]
