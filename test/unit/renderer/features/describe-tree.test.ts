import { expect, test } from 'vitest';
import type { TreeView } from '../../../../src-main/contract/session-tree.ts';
import { branchName, treeLines, turnText } from '../../../../src-renderer/features/panel/describe-tree.ts';

const turn = (seq: number, branch: number, text = `m${seq}`): TreeView['turns'][number] => ({
  turnId: `t${seq}` as never,
  seq,
  endSeq: seq + 1,
  entryId: `e${seq}` as never,
  branch,
  atMs: seq,
  text,
  outcome: 'completed',
  onPath: true,
  current: false,
});
const branch = (number: number, parentBranch: number | null, parentSeq: number): TreeView['branches'][number] => ({
  ...{ number, parentBranch, parentSeq, firstSeq: parentSeq + 1, name: '' },
  current: false,
});
const lines = (tree: Partial<TreeView>): string[] =>
  treeLines({ on: true, branches: [], turns: [], undoable: 0, hidden: 0, ...tree }).map((line) =>
    line.type === 'turn' ? `${'-'.repeat(line.depth)}${line.turn.seq}` : `${'-'.repeat(line.depth)}#${line.number}`,
  );

test('a branch hangs below the turn that it forks from, one that only moved has no line, and none is missing', () => {
  const branches = [branch(0, null, 0), branch(1, 0, 3), branch(2, 0, 5), branch(3, 1, 9)];
  const turns = [turn(2, 0), turn(4, 0), turn(8, 1), turn(12, 2), turn(14, 3)];
  expect(lines({ branches, turns })).toEqual(['#0', '2', '-#1', '-8', '--#3', '--14', '4', '-#2', '-12']);
  expect(lines({ branches: [branch(0, null, 0), branch(1, 0, 3), branch(2, 1, 3)], turns: [turn(9, 2)] })).toEqual([
    '#2',
    '9',
  ]);
  expect(lines({ turns: [turn(2, 0), turn(4, 0)] })).toEqual(['2', '4']);
});

test('a turn is called by the first line of its message, a branch by its name', () => {
  expect([turnText(turn(1, 0, ' a\nb')), turnText(turn(1, 0, ''))]).toEqual(['a', 'Went on']);
  expect([branchName({ number: 0, name: '' }), branchName({ number: 2, name: '' })]).toEqual(['Beginning', 'Branch 2']);
  expect(branchName({ number: 2, name: 'try' })).toBe('try');
});
