// The store's worker as it is, but a chat of the title `crash` ends it, as a fault in native code would.
import { existsSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { serveStore } from '../../../src-main/store/serve-store.ts';

parentPort?.on('message', (message: unknown) => {
  if (JSON.stringify(message).includes('crash')) process.exit(3);
});
// Asked to by a file, it never gets as far as opening the store.
const { folder } = workerData as { folder: string };
if (existsSync(`${folder}/never-again`)) process.exit(3);
writeFileSync(`${folder}/started`, '');
await serveStore();
