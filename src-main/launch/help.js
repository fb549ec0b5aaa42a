// What `warrant --help` and `npm start -- --help` print.

/** Commands that work in the terminal; each explains itself by its own --help. */
export const TERMINAL_COMMANDS = ['run', 'resume', 'export', 'checkpoints', 'restore', 'instructions'];

/** The launcher's help. */
export const HELP = `Warrant, a desktop coding agent: nothing happens without a warrant.

  warrant [PATH]               open the window on the current folder, or on PATH
  warrant run "PROMPT"         do the job in the terminal; see warrant run --help
  warrant resume ID            go on with a run that waits for an answer; see warrant resume --help
  warrant export CHAT          print a chat, or write it into a folder; see warrant export --help
  warrant checkpoints CHAT     which turns of a chat changed files
  warrant restore CHAT ID      put files back to before that turn; see warrant restore --help
  warrant instructions         what the folder's AGENTS.md tells agents, and whether it is used
  warrant --version

In a checkout: npm start [-- PATH], and npm run -s warrant -- ...

  --fetch-electron             try again to fetch Electron's binary, after an earlier try failed

  WARRANT_CHROMIUM=PATH        the browser to show the window with
  WARRANT_HEADLESS=1           run the window without showing it
  WARRANT_DATA=FOLDER          where the data is kept`;
