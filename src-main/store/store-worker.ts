// The store's worker: the database's only writer among the threads of this process.
import { serveStore } from './serve-store.ts';

await serveStore();
