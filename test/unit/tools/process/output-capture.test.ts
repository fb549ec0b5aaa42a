import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutputCapture } from '../../../../src-main/tools/process/output-capture.ts';
import { tempFolder } from '../../../helpers/temp-folder.ts';

describe('captured output', () => {
  it('EXEC-05: keeps exact first and last bytes and counts the rest, whatever the chunks', async () => {
    const folder = await tempFolder();
    let id = 0;
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 }), (chunks) => {
        const spillId = `o${++id}`;
        const capture = new OutputCapture({
          headBytes: 16,
          tailBytes: 16,
          spillBytes: 10_000,
          spillFolder: folder,
          spillId,
        });
        for (const chunk of chunks) capture.push(Buffer.from(chunk));
        const all = Buffer.concat(chunks);
        const { head, tail, omitted, total, spillId: kept } = capture.finish();
        expect(total).toBe(all.length);
        expect(head).toEqual(all.subarray(0, 16));
        expect(tail).toEqual(all.subarray(Math.max(16, all.length - 16)));
        expect(omitted).toBe(Math.max(0, all.length - 32));
        if (kept === null) expect(omitted).toBe(0);
        else expect(fs.readFileSync(path.join(folder, kept))).toEqual(all);
      }),
    );
  });

  it('keeps no more on disk than its bound, for the owner alone', async () => {
    const folder = path.join(await tempFolder(), 'new');
    const capture = new OutputCapture({
      headBytes: 8,
      tailBytes: 8,
      spillBytes: 100,
      spillFolder: folder,
      spillId: 'x',
    });
    for (let round = 0; round < 50; round++) capture.push(Buffer.from('0123456789'));
    const { spilled, total, omitted } = capture.finish();
    expect({ spilled, total, omitted }).toEqual({ spilled: 100, total: 500, omitted: 484 });
    expect(fs.statSync(path.join(folder, 'x')).mode & 0o777).toBe(0o600);
    expect(fs.statSync(path.join(folder, 'x')).size).toBe(100);
  });
});
