"""5 learn: feed + pages -> rules (pure)."""

from typing import TYPE_CHECKING

from blogforever.later import later

if TYPE_CHECKING:
    from blogforever.learn.learner import learn_rules

__getattr__ = later(__name__, {"learner": ("learn_rules",)})

__all__ = ["learn_rules"]
