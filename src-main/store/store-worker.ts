// The store's worker: the database's only writer among the threads of this process. While nothing is asked of it, the
// search index follows the entries.
import { serveStore } from './serve-store.ts';

await serveStore({ upkeep: true });
