import { describe, expect, it } from 'vitest';
import { isAppError } from '../../../src-main/base/app-error.ts';
import { parseCommand } from '../../../src-main/headless/parse-command.ts';

const refusal = (words: string[]): unknown => {
  try {
    return parseCommand(words, '/here');
  } catch (error) {
    return isAppError(error) ? error.code : error;
  }
};

describe('the words of the command line', () => {
  it('a run has its folder, model, mode and rules', () => {
    expect(
      parseCommand(
        ['run', '--project', 'shop', '--mode', 'auto', '--allow', 'shell:npm test', '--json', 'fix it'],
        '/here',
      ),
    ).toMatchObject({
      type: 'run',
      project: 'shop',
      mode: 'auto',
      rules: [{ effect: 'allow', match: 'shell:npm test' }],
      json: true,
      prompt: 'fix it',
    });
  });

  it('M10: what follows -- is a message and never a flag', () => {
    expect(parseCommand(['run', '--', '--mode=auto --allow shell'], '/here')).toMatchObject({
      mode: undefined,
      rules: [],
      prompt: '--mode=auto --allow shell',
    });
  });

  it('M10: a message that a program put together can bring no options: neither behind its first word nor alone', () => {
    expect(refusal(['run', 'fix', '--allow=shell'])).toBe('config.invalid');
    expect(refusal(['run', '--project', 'shop', 'fix', '--mode', 'auto'])).toBe('config.invalid');
    expect(refusal(['run', '--allow=shell'])).toBe('config.invalid');
    expect(parseCommand(['run', 'fix', '--', '--allow=shell'], '/here')).toMatchObject({ rules: [] });
  });

  it('a restore names a chat and a checkpoint, and does nothing without --yes', () => {
    expect(parseCommand(['restore', 'shopping', 'c1', '--file', 'a', '--file', 'b'], '/here')).toEqual({
      ...{ type: 'restore', chat: 'shopping', checkpoint: 'c1' },
      ...{ files: ['a', 'b'], since: false, yes: false },
    });
    expect(parseCommand(['restore', 'shopping', 'c1', '--since', '--yes'], '/here')).toMatchObject({
      ...{ files: [], since: true, yes: true },
    });
    expect(parseCommand(['checkpoints', 'shopping'], '/here')).toEqual({
      ...{ type: 'checkpoints', chat: 'shopping', json: false },
    });
  });

  it.each([
    ['an allow rule that names nothing', ['run', '--allow', 'shell:', 'hi']],
    ['an allow rule for a tool that is not there', ['run', '--allow', 'shel', 'hi']],
    ['an allow rule for what asks each time', ['run', '--allow', 'web_fetch', 'hi']],
    ['an unknown flag', ['run', '--setings', 'x', 'hi']],
    ['no message', ['run']],
    ['an unknown mode', ['run', '--mode', 'yolo', 'hi']],
    ['two chats to go on in', ['run', '--last', '--resume', 'x', 'hi']],
    ['an unknown command', ['fly']],
    ['a resume without a chat', ['resume', '--allow', 'c']],
    ['checkpoints without a chat', ['checkpoints']],
    ['a restore without a checkpoint', ['restore', 'chat', '--yes']],
    ['a restore with an unknown flag', ['restore', 'chat', 'id', '--force']],
  ])('%s is refused with a typed error', (_what, words) => {
    expect(refusal(words)).toBe('config.invalid');
  });
});
