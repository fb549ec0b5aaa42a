// Whatever hands, tools and commands do to a project, a checkpoint equals a plain copy of the tree: each time everything is
// put back, the project is byte for byte what it was when that turn began; and what was put back can be taken back.
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CheckpointId } from '../../../src-main/contract/ids.ts';
import { checkpointRig, copyOf, type CheckpointRig } from '../../helpers/checkpoint-rig.ts';

const NAMES = ['a', 'b.txt', 'c d', 'é', 'line\nend', '.hidden', 'UPPER', 'x.log'];
const ODD = Buffer.from([0x6f, 0xff]);

const place = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 });
const bytes = fc.oneof(
  fc.constantFrom('', 'one\n', 'one\r\ntwo\r\n', 'two\n'),
  fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array)),
);

const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('write' as const), place, bytes }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('remove' as const), place }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('folder' as const), place }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('link' as const),
      place,
      to: fc.constantFrom('a', '/etc/passwd', '..', 'é'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('mode' as const),
      place,
      mode: fc.constantFrom(0o644, 0o755, 0o600, 0o700),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('move' as const), place, to: place }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('odd' as const), bytes }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('begin' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('end' as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('restore' as const), turn: fc.nat(5) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

/** Does one edit; one that the tree does not allow does nothing. */
function edit(folder: string, done: Exclude<Operation, { type: 'begin' | 'end' | 'restore' }>): void {
  const at = 'place' in done ? path.join(folder, ...done.place) : '';
  try {
    switch (done.type) {
      case 'write':
        fs.mkdirSync(path.dirname(at), { recursive: true });
        if (fs.lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() !== true) fs.writeFileSync(at, done.bytes);
        return;
      case 'remove':
        fs.rmSync(at, { recursive: true, force: true });
        return;
      case 'folder':
        fs.mkdirSync(at, { recursive: true });
        return;
      case 'link':
        fs.symlinkSync(done.to, at);
        return;
      case 'mode':
        if (fs.lstatSync(at).isFile()) fs.chmodSync(at, done.mode);
        return;
      case 'move':
        fs.renameSync(at, path.join(folder, ...done.to));
        return;
      case 'odd':
        fs.writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), ODD]), done.bytes);
        return;
    }
  } catch {
    // A folder where a file is, or the other way round.
  }
}

interface Begun {
  readonly name: string;
  readonly id: CheckpointId;
  readonly copy: string[];
}

async function play(rig: CheckpointRig, operations: readonly Operation[]): Promise<void> {
  const begun: Begun[] = [];
  const open = { name: '' };
  for (const [n, done] of operations.entries()) {
    if (done.type === 'begin' && open.name === '') {
      open.name = String(n);
      begun.push({ name: open.name, id: await rig.begin(open.name), copy: copyOf(rig.folder) });
    } else if (done.type === 'end' && open.name !== '') {
      await rig.end(open.name);
      open.name = '';
    } else if (done.type === 'restore' && begun.length > 0 && open.name === '') {
      const at = done.turn % begun.length;
      const wanted = begun[at]?.copy;
      const now = copyOf(rig.folder);
      const result = await rig.restore(begun.slice(at).map(({ id }) => id));
      expect(result.kept).toEqual([]);
      // Between turns hands changed files that only later turns touched: those stay as the hands left them.
      const first = await rig.plan(begun.slice(at, at + 1).map(({ id }) => id));
      if (begun.length === at + 1) expect(copyOf(rig.folder)).toEqual(wanted);
      await rig.restore(
        begun.slice(at, at + 1).map(({ id }) => id),
        { chosen: first.files.map((file) => file.path) },
      );
      expect(copyOf(rig.folder)).toEqual(wanted);
      const last = result.checkpointId;
      if (done.turn % 2 === 0 && last !== null && begun.length === at + 1) {
        await rig.restore([last]);
        expect(copyOf(rig.folder)).toEqual(now);
      }
    } else if (done.type !== 'begin' && done.type !== 'end' && done.type !== 'restore') {
      edit(rig.folder, done);
    }
  }
}

const numRuns = process.env['WARRANT_LONG'] === '1' ? 300 : 12;

describe.each(['git', 'plain'] as const)('a checkpoint in a %s store and a plain copy', (kind) => {
  it('TREE-14: are equal after any edits by tools, hands and commands', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 40 }), async (operations) => {
        const rig = await checkpointRig({ kind });
        await play(rig, operations);
      }),
      { numRuns },
    );
  });
});
