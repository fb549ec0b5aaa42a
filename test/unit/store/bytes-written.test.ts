// What streaming costs the disk: bytes that this process writes for an answer of many pieces, and how the file grows.
import { readFileSync, statSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { databaseFile } from '../../../src-main/store/open-database.ts';
import { openStore } from '../../../src-main/store/open-store.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import * as make from './entry-fixtures.ts';

const LONG = process.env['WARRANT_LONG'] === '1';
const TEXT = LONG ? 10_485_760 : 2_097_152;
/** Running text is kept once a second at most: so often within such an answer. */
const KEPT = 60;
const ANSWERS = 4;

/** Bytes that this process had written to files so far. */
const written = (): number => Number(/^wchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1] ?? 'NaN');

test.skipIf(process.platform !== 'linux')(
  `D1: ${TEXT / 1_048_576} MiB of streamed text are written at most six times, whatever the number of pieces, and the file grows by twice as much at most`,
  async () => {
    const folder = await tempFolder();
    const store = await openStore({ folder });
    onTestFinished(() => store.close());
    const { id } = await make.session(store, await make.project(store));
    const before = written();
    for (let n = 0; n < ANSWERS; n++) {
      const turn = `t${n}`;
      await store.append(id, process.pid, [make.message(turn)]);
      let text = '';
      const piece = 'words and more words of an answer that grows '.repeat(Math.ceil(TEXT / ANSWERS / KEPT / 45));
      for (let kept = 0; kept < KEPT; kept++) {
        text += piece;
        await store.putPartial(id, { turnId: turn, text, reasoning: '' });
      }
      const answer = make.answer(turn);
      if (answer.kind === 'assistant-message') answer.data.parts = [{ type: 'text', text }];
      await store.append(id, process.pid, [answer, make.turnEnd(turn)]);
    }
    const bytes = written() - before;
    await store.close();
    expect(bytes / TEXT).toBeLessThan(6);
    expect(statSync(databaseFile(folder)).size / TEXT).toBeLessThan(2);
  },
);
