// Starts the neutral model server of the bench as a child process, and ends it with the test.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const RIG = path.resolve(import.meta.dirname, '../bench/rig');

export interface Rig {
  readonly port: number;
  stop(): Promise<void>;
}

/** Waits that the tests need not wait for: the same scripts, faster. */
function quick(scenarios: string): string {
  return scenarios.replaceAll('"ms": 5000', '"ms": 250').replaceAll(/"tps": \d+/g, '"tps": 0');
}

/** A rig with the bench's scenarios, and `more` by name, on a free port of 127.0.0.1. */
export async function startRig(more: Record<string, unknown> = {}): Promise<Rig> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'warrant-rig-'));
  const file = path.join(folder, 'scenarios.json');
  const known = JSON.parse(quick(await readFile(path.join(RIG, 'scenarios.json'), 'utf8'))) as { scenarios: object };
  await writeFile(file, JSON.stringify({ ...known, scenarios: { ...known.scenarios, ...more } }));
  const args = [path.join(RIG, 'fakellm.mjs'), '--scenario', file, '--exit-with-stdin', '--quiet'];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [first] = (await once(lines, 'line')) as [string];
  const { listening: port } = JSON.parse(first) as { listening: number };
  return {
    port,
    async stop() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
