// What the system saw of a run against what its ledger says: each file that was put in place, each program that was started
// and each connection has its row, each row has its effect, and the row's start was synced before.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { LedgerRow } from '../../src-main/contract/session.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { startTestApp, valueOf } from '../helpers/test-app.ts';

const entry = path.resolve(import.meta.dirname, '../../src-main/headless/main.ts');
const CALLS =
  'openat,openat2,creat,rename,renameat,renameat2,link,linkat,execve,connect,fsync,fdatasync,pwrite64,write';

const traces = process.platform === 'linux' && spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;
if (!traces) console.log('trace.test.ts is skipped: strace is not there, or may not trace here.');

/** Runs one message under strace; gives the lines of the trace. */
async function traced(input: { data: string; folder: string; mode: string; message: string }): Promise<string[]> {
  const { data, folder, mode, message } = input;
  const file = path.join(await tempFolder(), 'trace');
  const tracer = ['-f', '-qq', '--seccomp-bpf', '-y', '-s', '70000', '-e', `trace=${CALLS}`, '-o', file];
  const run = [process.execPath, entry, 'run', '--project', folder, '--mode', mode, '--model', 'guide', message];
  const child = spawn('strace', [...tracer, ...run], {
    env: { PATH: process.env['PATH'], HOME: data, WARRANT_DATA: data },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  await once(child, 'exit');
  return whole((await readFile(file, 'utf8')).split('\n'));
}

/** Calls that others interrupted, put together again where they ended. */
function whole(lines: readonly string[]): string[] {
  const begun = new Map<string, string>();
  return lines.map((line) => {
    const [, pid = '', rest = ''] = /^(\d+) +<\.\.\. \w+ resumed>(.*)$/s.exec(line) ?? [];
    if (pid !== '') return `${begun.get(pid) ?? pid}${rest}`;
    if (!line.endsWith('<unfinished ...>')) return line;
    begun.set(line.split(' ')[0] ?? '', line.slice(0, -'<unfinished ...>'.length));
    return '';
  });
}

/** Every row of every chat in a data folder, oldest first. */
async function ledgerOf(data: string): Promise<LedgerRow[]> {
  const app = await startTestApp(data);
  valueOf(await app.window.app.getState({}));
  const { sessions } = valueOf(await app.window.sessions.list({ projectId: null }));
  const rows: LedgerRow[] = [];
  for (const { id } of sessions) rows.push(...valueOf(await app.window.sessions.listLedger({ sessionId: id })));
  await app.close();
  return rows.sort((a, b) => a.atMs - b.atMs);
}

const succeeded = (line: string): boolean => / = \d/.test(line);

/** Names that were put in place in the folder: by a rename of a temp, or by a program that opened them for writing. */
function placedIn(folder: string, lines: readonly string[]): { name: string; at: number }[] {
  return lines.flatMap((line, at) => {
    if (!succeeded(line) || !line.includes(folder)) return [];
    const renamed = /rename\w*\(.*, "([^"]+)"(?:, RENAME_\w+)?\) = 0/.exec(line);
    if (renamed?.[1] !== undefined) return [{ name: path.basename(renamed[1]), at }];
    const opened = /openat2?\([^,]*, "([^"]+)", [^)]*O_(?:WRONLY|RDWR)/.exec(line);
    const name = path.basename(opened?.[1] ?? '');
    return opened === null || name.startsWith('.warrant-') ? [] : [{ name, at }];
  });
}

/** What files are kept with before a turn's first write: git over Warrant's own repository, with nobody's configuration. */
const KEEPS = /^"[^"]*\/git", "-c", "core\.hooksPath=\/dev\/null", .*"(?:init|fast-import|cat-file)"/;

/**
 * Words of the programs that were started, without those of the fence's own probe, of the search for git's author, and of
 * what keeps files.
 */
function startedIn(lines: readonly string[]): { words: string; at: number }[] {
  return lines.flatMap((line, at) => {
    const [, program = '', words = ''] = /execve\("([^"]+)", \[(.*)\], /.exec(line) ?? [];
    if (!succeeded(line) || program === '' || words.includes('"-c", ":"') || words.includes('"--get-regexp"'))
      return [];
    if (KEEPS.test(words) || words.includes(JSON.stringify(entry)) || program.endsWith('/bwrap')) return [];
    return [{ words, at }];
  });
}

/** Whether the start of a call was in the write-ahead log and synced before a line of the trace. */
function syncedBefore(summary: string, at: number, lines: readonly string[]): boolean {
  const written = lines.findIndex(
    (line) => /pwrite64\(\d+<[^>]*-wal>/.test(line) && line.includes('tool-start') && line.includes(summary),
  );
  if (written === -1 || written > at) return false;
  return lines.slice(written, at).some((line) => /f(data)?sync\(\d+<[^>]*-wal>/.test(line));
}

test.runIf(traces)(
  'every effect of a run has its row, every row its effect, and its start was durable before',
  { timeout: 240_000 },
  async () => {
    const data = await tempFolder();
    const folder = path.join(await tempFolder(), 'shop');
    await mkdir(folder);
    const run = (message: string, mode = 'auto') => traced({ data, folder, mode, message });
    const create = await run('create made.txt with pears');
    const replace = await run('replace "pears" by "plums" in made.txt');
    const command = await run('run cp made.txt copy.txt');
    const denied = await run('create denied.txt with x', 'ask');
    const ledger = await ledgerOf(data);

    expect(ledger.map(({ summary, decision, status }) => [summary, decision, status])).toEqual([
      ['Create made.txt', 'run', 'ok'],
      ['Read made.txt', 'run', 'ok'],
      ['Edit made.txt', 'run', 'ok'],
      ['Run cp made.txt copy.txt', expect.any(String), expect.any(String)],
      ['Create denied.txt', 'deny', 'denied'],
    ]);
    const ran = ledger[3]?.decision === 'run';
    expect(placedIn(folder, create).map(({ name }) => name)).toEqual(['made.txt']);
    expect(placedIn(folder, replace).map(({ name }) => name)).toEqual(['made.txt']);
    expect(placedIn(folder, command).map(({ name }) => name)).toEqual(ran ? ['copy.txt'] : []);
    expect(placedIn(folder, denied)).toEqual([]);
    expect((await readdir(folder)).toSorted()).toEqual(ran ? ['copy.txt', 'made.txt'] : ['made.txt']);

    const programs = [create, replace, command, denied].map((lines) => startedIn(lines).map(({ words }) => words));
    const started = ['"/bin/sh", "-c", "cp made.txt copy.txt"', '"cp", "made.txt", "copy.txt"'];
    expect(programs).toEqual([[], [], ran ? started : [], []]);
    const all = [...create, ...replace, ...command, ...denied];
    expect(all.filter((line) => /connect\(.*AF_INET/.test(line) && succeeded(line))).toEqual([]);

    // No rule speaks of commands, so none of them is judged, and the grammar is not loaded.
    expect(all.filter((line) => line.includes('/unbash/'))).toEqual([]);

    const syncs = [
      [create, 'Create made.txt', placedIn(folder, create)[0]?.at],
      [replace, 'Edit made.txt', placedIn(folder, replace)[0]?.at],
      [command, 'Run cp made.txt copy.txt', startedIn(command)[0]?.at],
    ] as const;
    for (const [lines, summary, at] of syncs.slice(0, ran ? 3 : 2)) {
      expect(syncedBefore(summary, at ?? -1, lines), summary).toBe(true);
    }
  },
);
