// What keeping and putting back the files of a project costs, with git and without. Run: node test/bench/checkpoints.ts
// [FILES]. The tree is always the same one: folders of 20 files of 2 to 6 KB. `lag` = the longest time that the main thread
// answered nothing meanwhile.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CheckpointId, ProjectId, SessionId, TurnId } from '../../src-main/contract/ids.ts';
import { CheckpointClient } from '../../src-main/tools/checkpoint/checkpoint-client.ts';
import { CHECKPOINT_GUARD } from '../../src-main/tools/checkpoint/checkpoint-jobs.ts';
import { identityOf } from '../helpers/checkpoint-rig.ts';

const FILES = Number(process.argv[2] ?? 10_000);
const [project, session] = ['project' as ProjectId, 'chat' as SessionId];

let seed = 42;
const random = (): number => (seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0) / 4_294_967_296;

function sourceText(): string {
  const lines = Array.from(
    { length: 50 + Math.floor(random() * 100) },
    () => `const v${random().toString(36).slice(2)} = ${random()};`,
  );
  return `${lines.join('\n')}\n`;
}

const placeOf = (root: string, n: number): string =>
  path.join(root, `d${n % 50}`, `e${Math.floor(n / 20)}`, `f${n}.ts`);

async function measure(kind: 'git' | 'plain'): Promise<void> {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), 'warrant-bench-'));
  const root = path.join(base, 'project');
  for (let n = 0; n < FILES; n++) {
    fs.mkdirSync(path.dirname(placeOf(root, n)), { recursive: true });
    fs.writeFileSync(placeOf(root, n), sourceText());
  }
  const client = new CheckpointClient({
    ...{
      folder: path.join(base, 'data'),
      dataFolder: path.join(base, 'data'),
      guard: { ...CHECKPOINT_GUARD, patienceMs: 600_000 },
    },
    searchPath: kind === 'git' ? (process.env['PATH'] ?? '') : '',
  });
  const of = { id: project, identity: identityOf(root) };
  const figures: Record<string, number> = {};
  const timed = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    let [lag, last] = [0, performance.now()];
    const watch = setInterval(() => {
      lag = Math.max(lag, performance.now() - last - 5);
      last = performance.now();
    }, 5);
    const from = performance.now();
    const result = await work();
    figures[name] = Math.round(performance.now() - from);
    figures['lag'] = Math.max(figures['lag'] ?? 0, Math.round(lag));
    clearInterval(watch);
    return result;
  };
  let made = 0;
  const capture = () => {
    made += 1;
    const input = { project: of, sessionId: session, checkpointId: `c${made}` as CheckpointId, also: [] };
    return client.run('capture', { ...input, turnId: `t${made}` as TurnId });
  };
  await timed('first', capture);
  // Files that changed within the last seconds are read again.
  await new Promise((resolve) => setTimeout(resolve, 2500));
  await capture();
  await timed('unchanged', capture);
  for (let n = 0; n < 3; n++) fs.writeFileSync(placeOf(root, n * 700), 'edited\n');
  const { checkpointId } = await timed('three edits', capture);
  for (let n = 0; n < FILES; n += 100) fs.writeFileSync(placeOf(root, n), `edited ${n}\n`);
  const about = { project: of, sessionId: session, checkpointIds: [checkpointId], paths: null, others: true };
  const plan = await timed(`plan of ${FILES / 100}`, () => client.run('plan', about));
  const chosen = plan.files.map((file) => file.path);
  const madeId = 'r' as CheckpointId;
  await timed(`restore of ${FILES / 100}`, () =>
    client.run('restore', { ...about, shown: plan.shown, chosen, madeId }),
  );
  figures['bytes'] = await client.run('bytes', undefined);
  console.log(JSON.stringify({ kind, files: FILES, ...figures }));
  await client.close();
  fs.rmSync(base, { recursive: true });
}

await measure('git');
await measure('plain');
