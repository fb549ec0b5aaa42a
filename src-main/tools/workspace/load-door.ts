// Picks the form of the door for this machine. What is cheap to know (is koffi installed) is found without loading it;
// the form itself is loaded when the first file is touched.
import { createRequire } from 'node:module';
import { AppError } from '../../base/app-error.ts';
import type { DoorGuarantee, WorkspaceDoor } from './workspace-door.ts';

/** What a door is made from: the open root (null for the checked form) and its canonical path. */
export interface DoorSource {
  readonly guarantee: DoorGuarantee;
  readonly rootPath: string;
  readonly rootDescriptor: number | null;
}

let koffiFailed = false;

function koffiIsInstalled(): boolean {
  try {
    const require = createRequire(import.meta.url);
    require.resolve(`@koromix/koffi-${process.platform}-${process.arch}`);
    return true;
  } catch {
    return false;
  }
}

/** The strongest form that this machine has, without loading anything. */
export function bestGuarantee(): DoorGuarantee {
  const koffi = !koffiFailed && koffiIsInstalled();
  if (koffi && (process.platform === 'linux' || process.platform === 'darwin')) return 'descriptor';
  return process.platform === 'linux' ? 'proc' : 'checked';
}

/** Loads the form that was promised; a promise that cannot be kept is an error, never a weaker form. */
export async function loadDoor(source: DoorSource): Promise<WorkspaceDoor> {
  const { guarantee, rootPath, rootDescriptor } = source;
  if (guarantee === 'checked' || rootDescriptor === null) {
    const { CheckedDoor } = await import('./checked-door.ts');
    return new CheckedDoor(rootPath);
  }
  const { DescriptorDoor } = await import('./descriptor-door.ts');
  if (guarantee === 'proc') return new DescriptorDoor(rootDescriptor, (await import('./proc-calls.ts')).procCalls);
  try {
    const { loadPosixCalls } = await import('./posix-calls.ts');
    return new DescriptorDoor(rootDescriptor, await loadPosixCalls());
  } catch (error) {
    koffiFailed = true;
    throw new AppError(
      'workspace.io',
      'The native file layer could not be loaded. Open the project again to go on with the slower one.',
      { cause: error },
    );
  }
}
