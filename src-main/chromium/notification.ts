// Stands in for Electron's `Notification`, through notify-send. Where that is missing, `isSupported` says so.
import { EventEmitter } from 'node:events';
import type Electron from 'electron';
import { identity, isHeadless } from './host-state.ts';
import { findProgram, runProgram } from './system-command.ts';

/** Emits `click` when the person chose the notification and the desktop tells so. */
export class Notification
  extends EventEmitter
  implements Pick<Electron.Notification, 'show' | 'close' | 'title' | 'body'>
{
  readonly title: string;
  readonly body: string;

  constructor(options: Electron.NotificationConstructorOptions = {}) {
    super();
    this.title = options.title ?? identity.name;
    this.body = options.body ?? '';
  }

  static isSupported(): boolean {
    return !isHeadless() && findProgram(['notify-send']) !== undefined;
  }

  show(): void {
    const program = isHeadless() ? undefined : findProgram(['notify-send']);
    if (program) void this.#show(program);
  }

  close(): void {
    // The desktop takes it away by itself.
  }

  async #show(program: string): Promise<void> {
    const base = [`--app-name=${identity.name}`];
    const text = ['--', this.title, this.body];
    const { exitCode, output } = await runProgram(program, [...base, '--action=default=Open', '--wait', ...text]);
    if (exitCode !== 0)
      await runProgram(program, [...base, ...text]); // an older notify-send has no actions
    else if (output.trim() === 'default') this.emit('click', {});
  }
}
