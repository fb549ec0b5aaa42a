// The reader's worker: a connection that cannot write, so that lists and transcripts never wait behind a commit.
import { serveStore } from './serve-store.ts';

await serveStore({ readOnly: true, startFresh: false });
