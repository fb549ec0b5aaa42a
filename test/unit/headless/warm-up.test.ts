import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { SOONER, warmUpSteps } from '../../../src-main/headless/warm-up.ts';

test('what a run asks of V8 is something that this V8 knows, and does not wait for by itself', () => {
  const { stdout } = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8', maxBuffer: 2 ** 24 });
  const [flag, value] = SOONER.split('=');
  const own = new RegExp(`${flag} \\([^)]*\\)\\s+type: int\\s+default: ${flag}=(\\d+)`).exec(stdout)?.[1];
  expect(Number(own)).toBeGreaterThan(Number(value));
  expect(warmUpSteps).not.toThrow();
});
