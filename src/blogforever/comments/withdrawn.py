"""What is shown in the place of a comment that was taken back: all that merging asks words for."""

from __future__ import annotations

import re

from blogforever.page.vocabulary import alternatives

WITHDRAWN = re.compile(
    r"^\W*"
    + alternatives(r"""
        (?:(?:this|the) )?(?:comment|message|reply|response)?\s?(?:was |is |has been )?(?:deleted|removed|withdrawn)
        (?:dieser )?kommentar (?:wurde |ist )?(?:.{0,40} )?(?:gelöscht|entfernt)
        (?:ce )?commentaire (?:a été |est )?(?:supprimé|effacé|retiré)
        (?:este )?comentario (?:ha sido |fue )?(?:eliminado|borrado|suprimido)
        (?:este )?comentário (?:foi )?(?:removido|excluído|apagado|eliminado)
        (?:questo )?commento (?:è stato )?(?:eliminato|rimosso|cancellato)
        (?:deze )?reactie (?:is |werd )?(?:.{0,40} )?verwijderd
        (?:этот )?комментарий (?:был )?удал[её]н|(?:ten )?komentarz został usunięty
        (?:此|该|這則|此則)?(?:评论|評論|留言)(?:已被?|被)(?:.{0,10})?(?:删除|刪除)
        このコメントは.{0,20}削除|삭제된 댓글
    """)
    + r"(?:(?: by| vom?| von| par| por| dal?| door)\b.{0,60})?\W*$",
    re.IGNORECASE,
)
"""What is shown in the place of a comment that was taken back."""
