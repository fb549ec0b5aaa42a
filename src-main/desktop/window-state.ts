// Remembers where the window was: one small file, written after changes have settled and at the end. A file that cannot be
// read or does not fit any screen is as good as none.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BrowserWindow, type Rectangle, screen } from 'electron';
import { z } from 'zod';

const SETTLE_MS = 500;
const MIN_WIDTH = 720;
const MIN_HEIGHT = 480;
const DEFAULT_SIZE = { width: 1280, height: 820 };

const windowStateSchema = z.strictObject({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int().min(MIN_WIDTH).max(20_000),
  height: z.number().int().min(MIN_HEIGHT).max(20_000),
  maximized: z.boolean(),
});

/** Where a window opens. Without `x` and `y` the system places it. All in device-independent pixels. */
export interface WindowPlacement {
  x?: number;
  y?: number;
  width: number;
  height: number;
  minWidth: number;
  minHeight: number;
  maximized: boolean;
}

/** The placement kept in `file`, as far as it is still visible. */
export function readWindowState(file: string): WindowPlacement {
  const base = { minWidth: MIN_WIDTH, minHeight: MIN_HEIGHT };
  const kept = parseState(file);
  if (!kept) return { ...base, ...DEFAULT_SIZE, maximized: false };
  const { x, y, width, height, maximized } = kept;
  const areas = screen.getAllDisplays().map((display) => display.workArea);
  return { ...base, width, height, maximized, ...(isVisible({ x, y, width, height }, areas) ? { x, y } : {}) };
}

/** True when the window's title bar lies on one of the areas, so that it can be moved; with no area known, false. */
export function isVisible(bounds: Rectangle, areas: readonly Rectangle[]): boolean {
  const grip = { x: bounds.x + bounds.width / 2, y: bounds.y + 16 };
  return areas.some(
    (area) => grip.x >= area.x && grip.x < area.x + area.width && grip.y >= area.y && grip.y < area.y + area.height,
  );
}

/** Keeps `file` up to date until the window is closed. */
export function keepWindowState(window: BrowserWindow, file: string): void {
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (!window.isDestroyed()) saveState(file, { ...window.getNormalBounds(), maximized: window.isMaximized() });
  };
  const later = (): void => {
    timer ??= setTimeout(write, SETTLE_MS);
  };
  window.on('resize', later);
  window.on('move', later);
  window.on('close', write);
  window.on('closed', () => {
    clearTimeout(timer);
  });
}

function parseState(file: string): z.infer<typeof windowStateSchema> | undefined {
  try {
    return windowStateSchema.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** A window's place is no reason to trouble anyone: what cannot be written is forgotten. */
function saveState(file: string, state: unknown): void {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    return;
  }
}
