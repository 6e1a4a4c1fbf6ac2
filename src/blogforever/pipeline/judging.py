"""What the pages an update fetched mean: same, edited, moved, read otherwise, not there; in doubt by a second look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace

from blogforever.comments import feed_comments
from blogforever.comments.keeping import keep_comments
from blogforever.dom import node_text, parse_page, tokenise
from blogforever.extract.content import content_of
from blogforever.extract.post import fits
from blogforever.learn.urlpattern import other_kind
from blogforever.model import Page, Post
from blogforever.protocols import Ask, Record, Ref
from blogforever.urls import join, site_root, url_key

from . import platforms
from .findings import Finding, Judged, Kind, Looked, Move, UpdateFindings, tally
from .fuller import sentence, why_kept, with_text_of
from .harvest import harvest
from .identity import Identity, names_of, same_title
from .learning import SeenPage, Tools, first_and_spread
from .news import News
from .page import Knowledge, StageFailed, Visit, go_through
from .rechecks import Look, TurnBudget
from .record import comment_record, is_told_by_feed, old_identity, post_id, with_count, with_sources
from .remembered import KnownPost, Remembered
from .states import Outcome, frozen
from .threads import Threads
from .versions import Capture, Verdict, alike, as_empty, came_by, judge, same_text_told, same_theme

TRAINING = 12
FEW = 3
MOST_PARTS = 200
FIELDS = ("html", "title", "published", "authors")


class Judging:
    """Gathers the answers of one update and judges them together."""

    def __init__(
        self,
        remembered: Remembered,
        knowledge: Knowledge,
        identity: Identity,
        news: News,
        tools: Tools,
        ask: Callable[[Iterable[Look]], list[Ask]],
        absurd: str,
    ) -> None:
        self._remembered, self._known, self._identity, self._news = remembered, knowledge, identity, news
        self._tools, self._ask, self._absurd = tools, ask, absurd
        self._posts = {post.id: post for post in remembered.posts}
        self._looked: dict[str, Looked] = {}
        self._again: dict[str, Looked] = {}
        self._new: dict[str, Looked] = {}
        self._seen: dict[str, SeenPage] = {}
        self._records: dict[str, Record] = {}
        self._judged: dict[str, Judged] = {}
        self._parts: dict[str, Ref] = {}
        self._probe: Looked | None = None
        self._fuller = 0
        self._doubted = False
        self.moved: dict[str, tuple[Looked, Move]] = {}
        self.relearned = ""
        self.notes: list[str] = []

    # ------------------------------------------------------------------ answers

    def arrived(self, looked: Looked) -> None:
        """The answer to a look at a known post, a second one, or that to an address that cannot exist."""
        post = looked.look.post
        if looked.look.why == "probe":
            self._probe = looked
        elif looked.look.why == "part":
            self._parts |= {looked.look.url: looked.ref} if looked.ref else {}
        elif post is None:
            return
        elif post.id in self._looked or post.id in self.moved:
            self._again[post.id] = looked
        else:
            self._looked[post.id] = looked

    def new_page(self, looked: Looked, visit: Visit) -> None:
        """A page at an address nobody knew: a known post that moved, or what may be a new one."""
        record = visit.record
        proof = self._identity.proved(record, self._alike(record), looked.look.post) if record else None
        key = url_key(looked.url)
        if proof and proof[0].id not in self.moved and not self._still_listed(proof[0], key):
            post, sign = proof
            self.moved[post.id] = (looked, Move(post.url, looked.url, sign))
            return
        if self._identity.at(looked.url) is not None:
            return
        self._new[key] = looked
        self._seen[key] = SeenPage(visit.evidence, looked.ref, list(looked.chain))
        if record:
            self._records[key] = record

    def _still_listed(self, post: KnownPost, new: str) -> bool:
        """A post that the blog names under its old address did not move: the author published its like again."""
        keys = {url_key(name) for name in names_of(post)} - {new}
        return any(self._news.names(key) for key in keys)

    def _alike(self, record: Record) -> Callable[[KnownPost], bool]:
        words = tokenise(record.get("text") or "")
        return lambda post: alike(tokenise(self._remembered.recall(post.id).get("text") or ""), words)

    # ------------------------------------------------------------------ posts that are elsewhere

    def lost(self) -> list[KnownPost]:
        """Posts that were not found: neither at the address they had, nor at another one."""
        posts = (post for post in self._remembered.posts if post.state == "active" and post.id not in self.moved)
        return [post for post in posts if post.id not in self._looked or self._outcome(post) != "here"]

    def leads_on(self) -> bool:
        """Whether most addresses at which posts were, and are no more, lead to new ones."""
        ends = [looked for key, looked in self._looked.items() if self._posts[key].state == "active"]
        led = [looked for looked in ends if looked.chain and self._identity.at(looked.url) is None]
        return len(led) * 2 > len(ends)

    def came_back(self) -> bool:
        """Whether posts were found at addresses they had moved away from."""
        return any(
            move.new in self._posts[key].former and move.old != move.new for key, (_, move) in self.moved.items()
        )

    def _outcome(self, post: KnownPost) -> Outcome:
        return self._judge(post.id, self._looked[post.id], None).outcome

    # ------------------------------------------------------------------ rules that no longer fit

    def ask_for_training(self) -> list[Ask]:
        """Where the rules no longer fit most of what came, the pages of the feed's entries may teach new ones."""
        self._doubted = self._misfit(*self._fit())
        return self._ask(self._training_looks()) if self._doubted else []

    def learn_again(self) -> list[Ask]:
        """Learn from what is here now, where the rules still fit too little of it."""
        # Reading every page twice is dear: where the rules fitted before, they do now.
        strange, regular = self._fit() if self._doubted else ([], 0)
        if self._misfit(strange, regular):
            self._relearn(strange, regular)
        return []

    def _misfit(self, strange: list[Page], regular: int) -> bool:
        return bool(strange) and len(strange) >= regular and self._known.rules is not None

    def _fit(self) -> tuple[list[Page], int]:
        """The pages that the rules no longer fit, and how many they still do."""
        strange, regular = [], 0
        for post_id_, looked in (*self._looked.items(), *self._moved_looks()):
            pair = self._pair(post_id_, looked)
            if pair is None or not self._is_strange(*pair):
                regular += 1
            else:
                strange.append(pair[1].page)
        for key, looked in self._new.items():
            fitting = self._seen[key].evidence.fits or key not in self._news.entries
            if fitting or looked.ref is None:
                regular += key in self._news.entries
            else:
                strange.append(self._read(looked))
        return strange, regular

    def _moved_looks(self) -> list[tuple[str, Looked]]:
        return [(key, looked) for key, (looked, _move) in self.moved.items()]

    def _is_strange(self, old: Capture, new: Capture) -> bool:
        """Whether fields the rules found on the earlier capture are not found by them any more."""
        lost = [name for name in FIELDS if came_by(old.post, name) == "rule" and came_by(new.post, name) != "rule"]
        return "html" in lost or len(lost) > 1 or not same_theme(old, new)

    def _training_looks(self) -> list[Look]:
        feed = self._news.feed
        posts = [self._identity.at(entry.url) for entry in (feed.entries if feed else ())]
        return [Look(p.url, "turn", p) for p in posts if p and p.id not in self._looked][:TRAINING]

    def _relearn(self, strange: list[Page], regular: int) -> None:
        rules, feed = self._known.rules, self._news.feed
        moved = (looked for _key, looked in self._moved_looks())
        told = [looked for looked in (*self._looked.values(), *self._new.values(), *moved) if self._is_told(looked)]
        pages = [self._read(looked) for looked in first_and_spread(told, TRAINING * 2)] or strange
        if rules is None or (feed is None and len(pages) < FEW):
            return
        try:
            learned = self._tools.learn(feed, pages)
        except StageFailed:
            return
        if 2 * sum(fits(page, learned) for page in strange) < len(strange):
            self.notes.append("The pages look different now, and no new rules could be learned from them.")
            return
        fresh = tuple(template for template in learned.templates if template not in rules.templates)
        if fresh:
            self._known.rules = replace(learned, templates=(*fresh, *rules.templates), comments=rules.comments)
            self.relearned = f"{len(strange)} of {len(strange) + regular} pages no longer fitted the rules"
            for key in self._new:
                self._visit_new(key)

    def _is_told(self, looked: Looked) -> bool:
        names = (looked.url, *looked.chain)
        return bool(looked.ref) and any(url_key(name) in self._news.entries for name in names)

    def _visit_new(self, key: str) -> None:
        """A new page through the stages once more, with what is known now."""
        visit = self._visit(self._new[key], self._known)
        self._seen[key].evidence = visit.evidence
        if visit.record:
            self._records[key] = visit.record

    # ------------------------------------------------------------------ second looks

    def confirm(self) -> list[Ask]:
        """What differs without having been announced is looked at once more; an empty answer is asked for, too."""
        self._judge_all()
        unseen = [judged for key, judged in self._judged.items() if key not in self._again]
        doubtful = [j for j in unseen if not j.verdict.sure and j.verdict.judgement != "revision"]
        looks = [replace(judged.looked.look, url=judged.looked.url) for judged in doubtful]
        if any(judged.verdict.judgement == "replaced" for judged in doubtful) or self._away():
            root = site_root(self._remembered.url)
            looks.append(Look(join(root, f"{self._absurd}/") or root, "probe"))
        return self._ask(looks)

    def first_look(self, post: str) -> Looked | None:
        """The answer to the first look at a post, where its page was there."""
        looked = self._looked.get(post)
        return looked if looked and looked.ref and self._outcome(self._posts[post]) == "here" else None

    def shows_edit(self, post: str) -> bool:
        """Whether the first look at a post shows other content than it had."""
        looked = self.first_look(post)
        return looked is not None and self._judge(post, looked, None).verdict.judgement == "edit"

    def stayed_edited(self, post: str) -> bool:
        """Whether a second look showed what the first one had."""
        again = self._again.get(post)
        return again is not None and self._stayed(self._looked[post], again)

    def _away(self) -> bool:
        return any(judged.outcome == "soft" for judged in self._judged.values())

    def _judge_all(self) -> None:
        everything = [(key, looked, None) for key, looked in self._looked.items()]
        moved = [(key, looked, move) for key, (looked, move) in self.moved.items()]
        for key, looked, move in [*everything, *moved]:
            self._judged[key] = self._judge(key, looked, move)

    def _judge(self, key: str, looked: Looked, move: Move | None) -> Judged:
        post = self._posts[key]
        if looked.status != 200 or looked.reason or looked.ref is None:
            return Judged(looked, Verdict("same"), looked.outcome)
        move = move or self._redirected(post, looked)
        if move is not None and move.sign == "away":
            return Judged(looked, Verdict("same"), "soft")
        pair = self._pair(key, looked)
        if pair is None and (failed := self._unread(post, looked)):
            # As with a page that only some may read: the capture that could be read stays the measure.
            return Judged(looked, Verdict("closed", reason=failed), "here")
        if pair is None:
            return Judged(looked, Verdict("same"), "here", move=move)
        verdict = judge(*pair, announced=looked.look.announced)
        verdict = self._rewritten(post, pair[1], verdict)
        text = " ".join(pair[1].page_words) if verdict.judgement == "replaced" else ""
        outcome: Outcome = "replaced" if verdict.judgement == "replaced" else "here"
        return Judged(looked, verdict, outcome, move=move if outcome == "here" else None, text=text)

    def _rewritten(self, post: KnownPost, new: Capture, verdict: Verdict) -> Verdict:
        """An article with other words under the same title is the author's work, where the rules find it at all."""
        own = verdict.sure or same_title(post.title, new.post.title)
        edited = verdict.judgement == "replaced" and new.rule[0] == "rule" and own
        return replace(verdict, judgement="edit") if edited else verdict

    def _redirected(self, post: KnownPost, looked: Looked) -> Move | None:
        """The address led elsewhere: to the post's new address, or only away."""
        key = url_key(looked.url)
        if self._identity.at(looked.url) is post:
            same = looked.url == post.url or not looked.chain or self._identity.apart(post, looked.url)
            return None if same else Move(post.url, looked.url, "redirect")
        other = self._identity.at(looked.url)
        home = key in (url_key(self._remembered.url), url_key(site_root(looked.url)))
        if other is not None or home or other_kind(looked.url) is not None or self._identity.apart(post, looked.url):
            return Move(post.url, looked.url, "away")
        return Move(post.url, looked.url, "redirect")

    def _pair(self, key: str, looked: Looked) -> tuple[Capture, Capture] | None:
        """Both captures of a post under the rules that now apply; None where nothing can differ, or be told."""
        post = self._posts[key]
        if looked.ref is None or looked.status != 200 or looked.reason or post.ref is None:
            return None
        if self._holds(post, looked) or (looked.ref.digest and looked.ref.digest == post.ref.digest):
            return None
        old, read = self._tools.read(post.ref), self._extracted
        with suppress(StageFailed):
            return Capture(replace(old, url=post.url), read), Capture(self._read(looked), read)
        return None

    def _extracted(self, page: Page) -> Post:
        return self._known.extract(page, self._known.rules, None)

    def _unread(self, post: KnownPost, looked: Looked) -> str | None:
        return self._tools.guard.why_not(looked.url) or self._tools.guard.why_not(post.url)

    def _holds(self, post: KnownPost, looked: Looked) -> bool:
        """Whether the server says that the capture still holds which the post was last compared with, or read from.

        It may mean a later one: of a page that was not the post, or that nobody has judged yet.
        """
        if not looked.unchanged or looked.ref is None or post.ref is None:
            return looked.unchanged
        read = [source.get("record_id") for source in self._remembered.recall(post.id).get("sources") or ()]
        return looked.ref.record_id in (post.ref.record_id, *read)

    def _read(self, looked: Looked) -> Page:
        assert looked.ref is not None
        return replace(self._tools.read(looked.ref), url=looked.url)

    # ------------------------------------------------------------------ the rest of the threads

    def ask_for_parts(self) -> list[Ask]:
        """The further pages of long posts that are new, edited or moved."""
        self._settle()
        for judged in self._judged.values():
            if self._loud(judged) and judged.outcome == "here" and judged.looked.ref:
                self._visit(judged.looked, self._known)
        wanted = [url for urls in self._known.parts.places().values() for url in urls]
        return self._ask(Look(url, "part") for url in wanted[:MOST_PARTS])

    def _loud(self, judged: Judged) -> bool:
        """Whether a post's further pages and threads are looked at, too."""
        return (
            judged.looked.look.why in ("comments", "edited") or bool(judged.move) or judged.verdict.judgement == "edit"
        )

    def join_parts(self) -> list[Ask]:
        """What came of them goes into the new posts."""
        for key, urls in self._known.parts.places().items():
            there = [(url, ref) for url in urls if (ref := self._parts.get(url))]
            self._known.parts.fetched(key, there)
            if there and key in self._new:
                self._visit_new(key)
        return []

    def threads(self) -> list[Ask]:
        """The comment pages and feeds of posts that are new, edited or got comments."""
        return self._known.threads.asks(None)

    def _settle(self) -> None:
        """What the second looks say of the first ones."""
        empty = self._probe_words()
        for key, judged in self._judged.items():
            again = self._again.get(key)
            if judged.outcome == "replaced" and empty and as_empty(judged.text, empty):
                judged.outcome = "soft"
            elif judged.verdict.sure or judged.verdict.judgement == "revision" or again is None:
                continue
            elif not self._stayed(judged.looked, again):
                judged.verdict, judged.outcome = Verdict("same", reason="it differs at every look"), "here"

    def _stayed(self, first: Looked, second: Looked) -> bool:
        """Whether a second look found what the first one had."""
        if second.ref is None or first.ref is None or second.status != 200 or second.reason:
            return False
        if second.unchanged or second.ref.digest == first.ref.digest:
            return True
        with suppress(StageFailed):
            one, two = (Capture(self._read(look), self._extracted) for look in (first, second))
            return one.content == two.content
        return False

    def _probe_words(self) -> list[str]:
        if self._probe is None or self._probe.ref is None or self._probe.status != 200:
            return []
        body = parse_page(self._read(self._probe)).body
        return tokenise(node_text(body)) if body else []

    # ------------------------------------------------------------------ what was found

    def report(self, failure: str | None, budget: TurnBudget) -> UpdateFindings:
        """All findings of the update, and whether they are too many to be believed."""
        findings = [self._finding(key, judged) for key, judged in self._judged.items()]
        if failure is None:
            findings += self._new_posts()
        texts = Counter(judged.text for judged in self._judged.values() if judged.text)
        same_page = bool(texts) and texts.most_common(1)[0][1] >= FEW
        active = sum(post.state == "active" for post in self._remembered.posts)
        freeze = None if failure else frozen(tally(findings, active, same_page))
        seen = None if failure else self._platform_seen()
        self.notes += [str(seen)] if seen and seen.changed else []
        self.notes += [sentence(self._fuller)] if self._fuller else []
        return UpdateFindings(
            findings, self._news, budget, self._known.rules, self.relearned, failure, freeze, self.notes, seen
        )

    def _platform_seen(self) -> platforms.PlatformSeen | None:
        """What pages and feed say of the platform; unchanged pages, or others in a post's place, say nothing."""
        found = [(key, judged.looked) for key, judged in self._judged.items() if judged.outcome == "here"]
        here = [(key, looked) for key, looked in found if not looked.unchanged]
        refs = [self._posts[key].ref for key, _looked in here]
        old = [self._tools.read(ref) for ref in refs[: platforms.SAMPLE] if ref]
        looked = [*(looked for _key, looked in here), *(self._new[key] for key in self._records)]
        new = [self._read(one) for one in first_and_spread(looked, platforms.SAMPLE) if one.ref]
        feed, known = self._news.feed, self._remembered
        return platforms.platform_seen(known.platform, old, new, (known.generator, feed.generator if feed else None))

    def _new_posts(self) -> list[Finding]:
        found = harvest([seen for seen in self._seen.values() if seen.ref], self._known.rules, self._known.lists)
        findings = []
        for post in found:
            key = url_key(post.url)
            record = self._records.get(key)
            if record is None:
                continue
            if key in self._known.threads.changed() | self._thread_keys():
                record = self._visit(self._new[key], self._known).record or record
            record = record | {"id": post_id(self._known.blog, post.url), "aliases": list(post.aliases)}
            looked = self._new[key]
            place = looked.ref.record_id if looked.ref else None
            record = self._with_told_comments(record)
            findings.append(Finding("new", looked.look, record=record, record_id=place))
        return findings

    def _thread_keys(self) -> set[str]:
        return {key for key in self._new if self._known.threads.extras(self._new[key].url)}

    def _finding(self, key: str, judged: Judged) -> Finding:
        post, looked = self._posts[key], judged.looked
        about = {"look": looked.look, "outcome": judged.outcome, "status": looked.status, "post": post}
        if judged.outcome != "here" or looked.ref is None:
            kind: Kind = "nothing" if judged.outcome in ("refused", "unreachable") else "vain"
            return Finding(kind, **about, reason=looked.reason or judged.verdict.reason)  # type: ignore[arg-type]  # one name each
        record, kind = self._record(post, self._remembered.recall(post.id), judged)
        judgement, reason = judged.verdict.judgement, judged.verdict.reason
        if kind == "same" and judgement == "revision":
            kind = "revision"
        # What only some may read says nothing of the post: the capture that everybody could read stays the measure.
        place = None if self._holds(post, looked) or judgement == "closed" else looked.ref.record_id
        return Finding(kind, **about, record=record, move=judged.move, reason=reason, record_id=place)  # type: ignore[arg-type]  # as above

    def _record(self, post: KnownPost, old: Record, judged: Judged) -> tuple[Record | None, Kind]:
        """The record as it is now; None where nothing is to be written."""
        looked = judged.looked
        nothing_new = self._holds(post, looked) and looked.look.why != "comments"
        if judged.verdict.judgement == "closed" or nothing_new:
            return None, "same"
        knowledge = self._known if self._loud(judged) else replace(self._known, threads=Threads())
        new = self._visit(looked, knowledge).record
        if new is None:
            return None, "same"
        new = self._with_told_comments(new | {"id": old["id"]})
        if is_told_by_feed(old) and is_told_by_feed(new):
            edited = looked.look.announced and not same_text_told(old["text"], new["text"])
        else:
            edited = judged.verdict.judgement == "edit"
        announced, rules = looked.look.announced, self._known.rules
        if edited and (reason := why_kept(old, new, self._read(looked), rules, announced=announced)):
            new, self._fuller = with_text_of(old, new), self._fuller + 1
            edited = content_of(new) != content_of(old)
            judged.verdict = Verdict("edit" if edited else "revision", reason=reason)
        comments = keep_comments(old.get("comments") or [], new.get("comments") or [])
        told = self._news.counts.get(old["id"])
        if edited:
            return with_count(old_identity(old, new) | {"comments": comments}, told), "edit"
        record = with_count(old | {"comments": comments}, told)
        if comments != (old.get("comments") or []):
            record["sources"] = with_sources(old, new)
        return (record if record != old else None), "same"

    def _with_told_comments(self, record: Record) -> Record:
        """With the comments the blog's comment feed has of it."""
        told = [
            comment_record(comment)
            for feed in self._news.comments
            for comment in feed_comments(feed, Post(record["url"]), whole_blog=True)
        ]
        return record | {"comments": keep_comments(told, record["comments"])} if told else record

    def _visit(self, looked: Looked, knowledge: Knowledge) -> Visit:
        return go_through(Visit(self._read(looked), looked.ref, looked.chain), knowledge)
