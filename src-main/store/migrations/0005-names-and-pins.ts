// Chats have a name that programs call them by, and can be pinned to the top of their list.
import type { Migration } from '../migrate.ts';

const sql = `
ALTER TABLE session ADD COLUMN name TEXT NOT NULL DEFAULT '';
CREATE INDEX session_name ON session (name) WHERE name <> '';
CREATE INDEX session_pinned ON session (pinned) WHERE pinned > 0;
`;

export const namesAndPins: Migration = { number: 5, name: 'names-and-pins', sql };
