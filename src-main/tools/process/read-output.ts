// Reads a page of a command's kept output. Reaches the files of the private folder alone, by their plain id.
import fs from 'node:fs';
import path from 'node:path';
import { AppError } from '../../base/app-error.ts';
import { errnoOf } from '../workspace/door-error.ts';
import { readPageOfDescriptor } from '../workspace/file-page.ts';
import type { FilePage, PageRange } from '../workspace/file-page.ts';

function notKept(id: string, cause?: unknown): AppError {
  return new AppError('workspace.not-found', `output:${id} is not kept (any more). Run the command again.`, { cause });
}

/**
 * One page of the output `id` (as outputIdOf gives it). `folder` null = none is kept. Code workspace.not-found when it is
 * not kept any more.
 */
export function readOutputPage(folder: string | null, id: string, range: PageRange): FilePage {
  let descriptor: number;
  if (folder === null) throw notKept(id);
  try {
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants;
    descriptor = fs.openSync(path.join(folder, id), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
    throw notKept(id, error);
  }
  try {
    return readPageOfDescriptor(descriptor, { lossy: true, wholeBytes: 64 * 1024 }, range);
  } finally {
    fs.closeSync(descriptor);
  }
}
