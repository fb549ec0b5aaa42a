// The tree of a chat as lines to draw: turns in their order, each under the branch that it is on. Pure.
import type { TreeTurnView, TreeView } from '../../../src-main/contract/session-tree.ts';

export type TreeLine =
  | { readonly type: 'branch'; readonly number: number; readonly name: string; readonly depth: number }
  | { readonly type: 'turn'; readonly turn: TreeTurnView; readonly depth: number };

/** How a branch is called. */
export function branchName({ number, name }: { number: number; name: string }): string {
  if (name !== '') return name;
  return number === 0 ? 'Beginning' : `Branch ${number}`;
}

/** Each branch that has turns with its turns, a branch below and one step to the right of the turn that it forks from. */
export function treeLines(tree: TreeView): TreeLine[] {
  const lines: TreeLine[] = [];
  const turnsOf = (branch: number): TreeTurnView[] => tree.turns.filter((turn) => turn.branch === branch);
  const childrenOf = (branch: number): TreeView['branches'] =>
    tree.branches.filter((one) => one.parentBranch === branch);
  const add = (branch: TreeView['branches'][number], depth: number): void => {
    const turns = turnsOf(branch.number);
    // A branch that only moved on, or back again, is where its children hang: it has no line.
    const shown = turns.length > 0;
    if (shown) lines.push({ type: 'branch', number: branch.number, name: branchName(branch), depth });
    let children = childrenOf(branch.number);
    for (const turn of turns) {
      for (const child of children.filter((one) => one.parentSeq < turn.seq)) add(child, depth + 1);
      children = children.filter((one) => one.parentSeq >= turn.seq);
      lines.push({ type: 'turn', turn, depth });
    }
    for (const child of children) add(child, shown ? depth + 1 : depth);
  };
  for (const root of tree.branches.filter((branch) => branch.parentBranch === null)) add(root, 0);
  if (tree.branches.length === 0) for (const turn of tree.turns) lines.push({ type: 'turn', turn, depth: 0 });
  return lines;
}

/** The turn after this one where both are on the chat's path: going back to this one leaves that one, and all after it. */
export function nextOnPath(tree: TreeView, turn: TreeTurnView): TreeTurnView | null {
  if (!turn.onPath) return null;
  const path = tree.turns.filter((one) => one.onPath);
  return path[path.findIndex(({ seq }) => seq === turn.seq) + 1] ?? null;
}

/** What a turn is called in a list. */
export function turnText({ text }: TreeTurnView): string {
  const line = text.trim().split('\n')[0] ?? '';
  return line === '' ? 'Went on' : line;
}
