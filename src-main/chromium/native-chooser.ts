// The folder dialog of the desktop, through the program that the desktop has for it: zenity or kdialog on Linux, osascript
// on macOS, PowerShell on Windows. Says so when there is none: the application then shows its own chooser.
import { isHeadless } from './host-state.ts';
import { findProgram, runProgram } from './system-command.ts';

/** What a folder dialog shows. */
export interface ChooserOptions {
  title: string;
  /** Where it starts; '' leaves that to the dialog. */
  folder: string;
}

interface Chooser {
  program: string;
  args: string[];
}

/** Absolute path of the chosen folder, null when cancelled, undefined when this system has no dialog. */
export async function chooseFolder(options: ChooserOptions): Promise<string | null | undefined> {
  const chooser = findChooser(options);
  if (!chooser) return undefined;
  const { exitCode, output } = await runProgram(chooser.program, chooser.args);
  // 1 is "cancelled" for all of them; anything else means that the program itself does not work here.
  if (exitCode === 1) return null;
  if (exitCode !== 0) return undefined;
  return output.replace(/\r?\n$/, '') || null;
}

/** True when `chooseFolder` has a program to ask. */
export function hasFolderChooser(): boolean {
  return findChooser({ title: '', folder: '' }) !== undefined;
}

function findChooser({ title, folder }: ChooserOptions): Chooser | undefined {
  if (isHeadless()) return undefined;
  if (process.platform === 'darwin') {
    const script = 'on run argv\nPOSIX path of (choose folder with prompt (item 1 of argv))\nend run';
    return { program: '/usr/bin/osascript', args: ['-e', script, title] };
  }
  if (process.platform === 'win32') {
    const script = [
      'Add-Type -AssemblyName System.Windows.Forms',
      '$dialog = New-Object System.Windows.Forms.FolderBrowserDialog',
      "if ($dialog.ShowDialog() -ne 'OK') { exit 1 }",
      '[Console]::OutputEncoding = [Text.Encoding]::UTF8',
      'Write-Output $dialog.SelectedPath',
    ].join('; ');
    return { program: 'powershell.exe', args: ['-NoProfile', '-STA', '-Command', script] };
  }
  const zenity = findProgram(['zenity']);
  if (zenity) {
    const start = folder ? [`--filename=${folder}/`] : [];
    return { program: zenity, args: ['--file-selection', '--directory', `--title=${title}`, ...start] };
  }
  const kdialog = findProgram(['kdialog']);
  if (!kdialog) return undefined;
  return { program: kdialog, args: ['--title', title, '--getexistingdirectory', folder || '.'] };
}
