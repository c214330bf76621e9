/**
 * Step N takes the file from format N to N + 1 (`user_version`). A step that was released is never changed; add another.
 * Text from outside is kept as `text.ts` says; JSON is kept as text.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE tasks (
    row INTEGER PRIMARY KEY AUTOINCREMENT, -- a row number is never used twice: cursors hold it
    id TEXT NOT NULL UNIQUE,
    client TEXT NOT NULL,
    caller TEXT,
    origin TEXT NOT NULL,
    listed INTEGER NOT NULL,
    job TEXT NOT NULL,
    title TEXT NOT NULL,
    model TEXT,
    status TEXT NOT NULL,
    on_restart TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    response_id TEXT NOT NULL,
    ttl INTEGER,
    outcome TEXT,
    last_seq INTEGER NOT NULL,
    events_expired INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    -- updated_at moves with the status only, so in a terminal status it is the end; the three are spelled out, as a list
    -- would be built anew for each row that is written
    ended_at INTEGER AS (
      CASE status WHEN 'succeeded' THEN updated_at WHEN 'failed' THEN updated_at WHEN 'cancelled' THEN updated_at END
    ),
    expires_at INTEGER AS (max(ended_at, created_at + ttl))
  ) STRICT;

  -- each ends with the row, which is the order of the lists
  CREATE INDEX tasks_by_client ON tasks (client, listed, status);
  CREATE INDEX tasks_by_job ON tasks (client, job, listed, status);
  CREATE INDEX tasks_by_status ON tasks (status);
  CREATE INDEX tasks_by_model ON tasks (model) WHERE model IS NOT NULL;
  CREATE INDEX tasks_unfinished ON tasks (row) WHERE ended_at IS NULL;
  CREATE INDEX tasks_expiring ON tasks (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX tasks_with_events ON tasks (ended_at) WHERE ended_at IS NOT NULL AND events_expired = 0;

  CREATE TABLE inputs (
    task TEXT PRIMARY KEY NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    input TEXT NOT NULL
  ) STRICT;

  CREATE TABLE idempotency (
    client TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    task TEXT NOT NULL UNIQUE REFERENCES tasks (id) ON DELETE CASCADE,
    PRIMARY KEY (client, key)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE changes (
    row INTEGER PRIMARY KEY,
    task TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    from_status TEXT,
    to_status TEXT NOT NULL,
    at INTEGER NOT NULL,
    attempt INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    reason TEXT
  ) STRICT;
  CREATE INDEX changes_by_task ON changes (task);

  CREATE TABLE events (
    task TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    rev INTEGER NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (task, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE steps (
    row INTEGER PRIMARY KEY,
    task TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    outcome TEXT NOT NULL,
    UNIQUE (task, key)
  ) STRICT;

  CREATE TABLE clients (
    row INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    token_hash TEXT,
    limits TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER
  ) STRICT;

  -- outlives the rows that it was counted for
  CREATE TABLE counters (name TEXT PRIMARY KEY NOT NULL, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO counters VALUES ('rev', 0);
  `,
  `
  ALTER TABLE tasks ADD COLUMN answers TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE tasks ADD COLUMN face_data TEXT;
  -- when the task is to be cancelled, while that can still be done
  ALTER TABLE tasks ADD COLUMN due_at INTEGER AS (
    CASE WHEN ended_at IS NULL AND status <> 'cancelling' THEN created_at + ttl END
  );
  CREATE INDEX tasks_due ON tasks (due_at) WHERE due_at IS NOT NULL;

  CREATE TABLE questions (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    task TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    addressees TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    answered TEXT -- null while it is open
  ) STRICT;
  CREATE INDEX questions_by_task ON questions (task);
  `,
  `
  -- they were of tokens that lasted for one run; from here on only tokens that last have theirs stored
  UPDATE clients SET token_hash = NULL;
  `,
];
