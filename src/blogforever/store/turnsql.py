"""The tables of PostgreSQL in which machines take turns, and the function that is one exchange with
them.

SQLite has none of this: who keeps the records there is one machine, and a file serves it better. A
process is an asker, who lives as long as he says something once in a while; his requests under way
are leases. All moments are seconds on the server's clock.
"""

from __future__ import annotations

TABLES = (
    """CREATE TABLE turns_budgets (
    key TEXT COLLATE "C" PRIMARY KEY, asked DOUBLE PRECISION NOT NULL, until DOUBLE PRECISION NOT NULL
) WITH (fillfactor = 70)""",
    """CREATE TABLE turns_askers (
    asker TEXT COLLATE "C" PRIMARY KEY, name TEXT COLLATE "C" NOT NULL, expires DOUBLE PRECISION NOT NULL
) WITH (fillfactor = 70)""",
    """CREATE TABLE turns_leases (
    asker TEXT COLLATE "C" NOT NULL REFERENCES turns_askers ON DELETE CASCADE, number BIGINT NOT NULL,
    key TEXT COLLATE "C" NOT NULL, started BOOLEAN NOT NULL, PRIMARY KEY (asker, number)
)""",
    "CREATE INDEX turns_leases_by_key ON turns_leases (key)",
    """CREATE TABLE turns_hosts (
    host TEXT COLLATE "C" PRIMARY KEY, key TEXT COLLATE "C" NOT NULL, expires DOUBLE PRECISION NOT NULL
)""",
    """CREATE TABLE turns_robots (
    origin TEXT COLLATE "C" PRIMARY KEY, said TEXT COLLATE "C", trouble TEXT COLLATE "C" NOT NULL,
    again TEXT COLLATE "C", expires DOUBLE PRECISION NOT NULL
)""",
)
NAMES = ("turns_leases", "turns_askers", "turns_budgets", "turns_hosts", "turns_robots")

# One call is one transaction of some milliseconds, and nothing is waited for inside but others like
# it. Budgets come in the order of their names, so nobody waits in a circle. What an exchange reads
# of a budget is still so when it writes, since everybody locks its row first; leases are looked at
# under that lock, too. The clock is read after the lock is had: `now()` would be the moment at
# which the waiting began. A clock that is set back costs one delay, no more.
#
# A budget counts as asked when the request has started, which its process tells afterwards; until
# then nobody else may start. So an answer that comes late, or is lost and asked for again, moves no
# two requests nearer to each other. Who has died may have asked until his last moment.
EXCHANGE = """CREATE FUNCTION take_turns(
    who TEXT, called TEXT, lasting DOUBLE PRECISION, said JSONB
) RETURNS JSONB LANGUAGE plpgsql AS $$
DECLARE
    item JSONB;
    budget TEXT;
    wanted BIGINT;
    apart DOUBLE PRECISION;
    last_asked DOUBLE PRECISION;
    rests_until DOUBLE PRECISION;
    died DOUBLE PRECISION;
    wait DOUBLE PRECISION;
    under_way INTEGER;
    about_to_start INTEGER;
    answers JSONB := '{}';
    moment DOUBLE PRECISION := extract(epoch FROM clock_timestamp());
BEGIN
    UPDATE turns_askers SET expires = moment + lasting WHERE asker = who AND expires > moment;
    IF NOT FOUND THEN
        INSERT INTO turns_askers (asker, name, expires) VALUES (who, called, moment + lasting) ON CONFLICT DO NOTHING;
        IF NOT FOUND THEN
            RETURN NULL;
        END IF;
    END IF;
    FOR item IN SELECT value FROM jsonb_array_elements(said) ORDER BY (value ->> 'key') COLLATE "C" LOOP
        budget := item ->> 'key';
        SELECT b.asked, b.until INTO last_asked, rests_until FROM turns_budgets b WHERE b.key = budget FOR UPDATE;
        IF NOT FOUND THEN
            INSERT INTO turns_budgets AS b (key, asked, until) VALUES (budget, 0, 0)
                ON CONFLICT (key) DO UPDATE SET key = excluded.key
                RETURNING b.asked, b.until INTO last_asked, rests_until;
        END IF;
        moment := extract(epoch FROM clock_timestamp());
        last_asked := least(last_asked, moment);
        rests_until := least(rests_until, moment + 3600);
        SELECT max(least(a.expires, moment)) INTO died FROM turns_leases l JOIN turns_askers a ON a.asker = l.asker
            WHERE l.key = budget AND a.expires <= moment;
        IF died IS NOT NULL THEN
            DELETE FROM turns_leases l USING turns_askers a
                WHERE l.key = budget AND a.asker = l.asker AND a.expires <= moment;
            last_asked := greatest(last_asked, died);
        END IF;
        DELETE FROM turns_leases l WHERE l.asker = who AND l.number IN
            (SELECT CAST(value AS BIGINT) FROM jsonb_array_elements_text(item -> 'ended'));
        UPDATE turns_leases l SET started = true WHERE l.asker = who AND l.number IN
            (SELECT CAST(value AS BIGINT) FROM jsonb_array_elements_text(item -> 'started'));
        last_asked := greatest(last_asked, moment - CAST(item ->> 'asked' AS DOUBLE PRECISION));
        rests_until := greatest(rests_until, moment + CAST(item ->> 'rests' AS DOUBLE PRECISION));
        wanted := CAST(item ->> 'wanted' AS BIGINT);
        IF wanted IS NOT NULL THEN
            apart := CAST(item ->> 'apart' AS DOUBLE PRECISION);
            wait := greatest(last_asked + apart, rests_until) - moment;
            SELECT count(*), count(*) FILTER (WHERE NOT l.started) INTO under_way, about_to_start
                FROM turns_leases l WHERE l.key = budget AND NOT (l.asker = who AND l.number = wanted);
            IF wait <= 0 AND under_way < CAST(item ->> 'at_once' AS INTEGER)
                AND (apart = 0 OR about_to_start = 0) THEN
                INSERT INTO turns_leases (asker, number, key, started) VALUES (who, wanted, budget, false)
                    ON CONFLICT DO NOTHING;
                answers := answers || jsonb_build_object(budget, true);
            ELSE
                DELETE FROM turns_leases l WHERE l.asker = who AND l.number = wanted;
                answers := answers || jsonb_build_object(budget, greatest(wait, 0));
            END IF;
        END IF;
        UPDATE turns_budgets b SET asked = last_asked, until = rests_until
            WHERE b.key = budget AND (b.asked <> last_asked OR b.until <> rests_until);
    END LOOP;
    RETURN answers;
END $$"""
DROP_EXCHANGE = "DROP FUNCTION take_turns"
