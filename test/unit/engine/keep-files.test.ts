// Keeping files before a turn's first write: when it is asked for, what of it is stored, and that it never stops a turn.
import { describe, expect, test } from 'vitest';
import type { EntryData } from '../../../src-main/contract/entries.ts';
import type { CheckpointId, TurnId } from '../../../src-main/contract/ids.ts';
import { createSession } from '../../../src-main/engine/build-session.ts';
import type { Checkpointer } from '../../../src-main/engine/ports.ts';
import {
  ask,
  call,
  calls,
  deny,
  never,
  rigConfig,
  rigPorts,
  say,
  ScriptedApprover,
  testTool,
  toRig,
  writer,
  type Rig,
  type RigOptions,
} from '../../helpers/engine-ports.ts';

type Kept = EntryData<'checkpoint'> | null;

/** Keeps once a turn, and notes what it was asked. */
class TestCheckpointer implements Checkpointer {
  readonly asked: string[] = [];
  readonly #told = new Set<TurnId>();
  onKeep: (turnId: TurnId) => Promise<Kept> = (turnId) =>
    Promise.resolve({ turnId, checkpointId: 'c' as CheckpointId, problem: null, skipped: 0 });

  expect(): void {
    this.asked.push('expect');
  }

  keep({ turnId, effects }: Parameters<Checkpointer['keep']>[0]): Promise<Kept> {
    this.asked.push(`keep ${effects.map(({ kind }) => kind).join()}`);
    if (this.#told.has(turnId)) return Promise.resolve(null);
    this.#told.add(turnId);
    return this.onKeep(turnId);
  }
}

async function rigWith(checkpointer: Checkpointer, options: RigOptions, checkpoints?: boolean): Promise<Rig> {
  const ports = rigPorts({ approver: new ScriptedApprover('allow'), ...options });
  const config = { ...rigConfig(options), ...(checkpoints === undefined ? {} : { checkpoints }) };
  return toRig(await createSession(config, { ...ports, checkpointer }), ports);
}

const twoWrites = [calls(call('read'), call('write', { n: 1 }), call('write', { n: 2 })), say('end')];

describe('keeping files', () => {
  test('AUTH-24: giving what keeps files keeps none while it is not switched on', async () => {
    const checkpointer = new TestCheckpointer();
    for (const checkpoints of [undefined, false]) {
      const rig = await rigWith(checkpointer, { tools: [testTool('read'), writer()], rounds: twoWrites }, checkpoints);
      expect(await ask(rig)).toEqual({ type: 'completed' });
      expect([checkpointer.asked, rig.journal.of('checkpoint')]).toEqual([[], []]);
    }
  });

  test('is asked while a card waits and before each call that may write; told once, with the first start', async () => {
    const checkpointer = new TestCheckpointer();
    const rig = await rigWith(checkpointer, { tools: [testTool('read'), writer()], rounds: twoWrites }, true);
    await ask(rig);
    expect(checkpointer.asked[0]).toBe('expect');
    expect([...checkpointer.asked].sort()).toEqual(['expect', 'expect', 'keep write-inside', 'keep write-inside']);
    const kinds = rig.journal.entries.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'checkpoint')).toHaveLength(1);
    const first = rig.journal.entries.findIndex(({ kind, data }) => kind === 'tool-start' && data.tool === 'write');
    expect(kinds.indexOf('checkpoint')).toBeLessThan(first);
  });

  test('what is kept is durable before the effect, in the same commit as its start', async () => {
    const order: string[] = [];
    const checkpointer = new TestCheckpointer();
    const write = writer('write', {
      run: async () => {
        order.push(rig.journal.of('checkpoint').length === 1 ? 'ran, kept' : 'ran, not kept');
        return { status: 'ok', content: '', facts: {}, changes: [] };
      },
    });
    const rig = await rigWith(checkpointer, { tools: [write], rounds: [calls(call('write')), say('end')] }, true);
    rig.journal.onAppend = (_number, entries) => {
      if (entries.some(({ kind }) => kind === 'checkpoint')) order.push(entries.map(({ kind }) => kind).join());
    };
    await ask(rig);
    expect(order).toEqual([expect.stringMatching(/checkpoint,.*tool-start$/), 'ran, kept']);
  });

  test('is never asked for reads, the network, or a call that is denied', async () => {
    const checkpointer = new TestCheckpointer();
    const tools = [testTool('read'), testTool('web', { effects: ['network'], class: 'network' }), writer()];
    const rounds = [calls(call('read'), call('web')), calls(call('write')), say('end')];
    const approver = new ScriptedApprover('allow', deny());
    const rig = await rigWith(checkpointer, { tools, rounds, approver }, true);
    await ask(rig);
    expect(checkpointer.asked).toEqual(['expect']);
    expect(rig.journal.of('checkpoint')).toEqual([]);
  });

  test('R1: one that fails, throws or rejects is told with its reason, and the turn goes on', async () => {
    const failing: Checkpointer[] = [
      { expect: () => undefined, keep: () => Promise.reject(new TypeError('no room')) },
      {
        expect: () => {
          throw new TypeError('no room');
        },
        keep: () => {
          throw new TypeError('no room');
        },
      },
    ];
    for (const checkpointer of failing) {
      const write = writer();
      const rig = await rigWith(checkpointer, { tools: [write], rounds: [calls(call('write')), say('end')] }, true);
      expect(await ask(rig)).toEqual({ type: 'completed' });
      expect(write.ran).toHaveLength(1);
      expect(rig.journal.of('checkpoint').map(({ data }) => [data.checkpointId, data.problem])).toEqual([
        [null, 'no room'],
      ]);
    }
  });

  test('a stop while files are kept ends the turn, and the call never begins', async () => {
    const checkpointer = new TestCheckpointer();
    const write = writer();
    const rig = await rigWith(checkpointer, { tools: [write], rounds: [calls(call('write')), say('end')] }, true);
    checkpointer.onKeep = () => {
      rig.session.stop('person');
      return never();
    };
    expect(await ask(rig)).toEqual({ type: 'cancelled', source: 'person' });
    expect([write.ran, rig.journal.of('tool-start')]).toEqual([[], []]);
  });

  test('what was narrowed while files were kept holds for the call', async () => {
    const checkpointer = new TestCheckpointer();
    const write = writer();
    const rig = await rigWith(checkpointer, { tools: [write], rounds: [calls(call('write')), say('end')] }, true);
    checkpointer.onKeep = async (turnId) => {
      await rig.session.setMode('plan', 'person');
      return { turnId, checkpointId: null, problem: null, skipped: 0 };
    };
    await ask(rig);
    expect(write.ran).toEqual([]);
  });
});
