// "Run C": one command through the shell tool, then its exit code and the end of its output.
import { notDone, notOffered } from './failures.ts';
import { block, code, lastLines } from './markdown.ts';
import { MANIFEST_FILES, readManifest } from './read-manifest.ts';
import { exitCodeOf, fileText, listedEntries, withoutNotes } from './tool-texts.ts';
import { say, type DoneCall, type Step, type Work } from './work.ts';

const MAX_LINES = 30;

function report(call: DoneCall, command: string): Step {
  const exit = exitCodeOf(call.content);
  const ended =
    exit === null ? 'ended' : `ended with exit code ${exit}${exit === 0 ? '' : ', which means that it failed'}`;
  const output = withoutNotes(call.content).trim();
  const lines =
    output === '' ? 'It wrote nothing.' : `The end of its output:\n\n${block(lastLines(output, MAX_LINES))}`;
  return say(`${code(command)} ${ended}. ${lines}`);
}

/** The next step of running a command. */
export function planRun(work: Work, command: string): Step {
  if (work.tool('shell') === undefined) return notOffered('shell', `run ${code(command)}`);
  const run = work.of('shell')[0];
  if (run === undefined) return { say: `I run ${code(command)}.`, calls: [{ name: 'shell', args: { command } }] };
  const ran = !run.failed || exitCodeOf(run.content) !== null;
  return ran ? report(run, command) : notDone(run, `run ${code(command)}`);
}

/** The next step of running the project's tests: the manifest tells how. */
export function planRunTests(work: Work): Step {
  const run = work.of('shell')[0];
  if (run !== undefined) return planRun(work, String(run.args['command']));
  for (const tool of ['list_directory', 'read_file', 'shell']) {
    if (work.tool(tool) === undefined) return notOffered(tool, 'run the tests');
  }
  const listing = work.of('list_directory')[0];
  if (listing === undefined) {
    return {
      say: 'I look how the tests of this project are run.',
      calls: [{ name: 'list_directory', args: { path: '.' } }],
    };
  }
  if (listing.failed) return notDone(listing, 'look at the project');
  const names = new Set(listedEntries(listing.content).map((entry) => entry.name));
  const file = MANIFEST_FILES.find((name) => names.has(name));
  const read = work.of('read_file')[0];
  if (file !== undefined && read === undefined)
    return { say: '', calls: [{ name: 'read_file', args: { path: file } }] };
  const command =
    file === undefined || read === undefined || read.failed
      ? ''
      : readManifest(file, fileText(read.content)).testCommand;
  if (command !== '') return planRun(work, command);
  return say(
    'I found no word on how the tests of this project are run. Tell me the command, for example: run `make test`.',
  );
}
