// Publishes generations of files one after the other until it is killed. Says before each which file and from which bytes,
// and after each that it is done.
import { openWorkspace } from '../../../src-main/tools/workspace/open-workspace.ts';

const [folder = '', first = '0'] = process.argv.slice(2);
const workspace = await openWorkspace(folder);
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

for (let generation = Number(first); ; generation++) {
  const name = `file-${String(generation % 5)}.txt`;
  const at = workspace.parse(name);
  const there = await workspace.stat(at);
  const version = there === null ? null : (await workspace.read(at, 4_000_000)).version;
  say(`start ${name} ${version?.sha256 ?? 'new'}`);
  await workspace.publish(at, Buffer.from(`${String(generation)}\n`.repeat(25_000)), version);
  say(`done ${String(generation)}`);
}
