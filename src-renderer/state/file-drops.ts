// Files that a person drops anywhere on the window, on their way to whoever takes them: the composer that is shown.

export interface FileDrops {
  /** Takes files from now on; gives the undo. The newest taker gets them. */
  readonly take: (taker: (files: readonly File[]) => void) => () => void;
  /** Gives files to the taker; false = nobody takes files now. */
  readonly give: (files: readonly File[]) => boolean;
}

export function createFileDrops(): FileDrops {
  const takers: ((files: readonly File[]) => void)[] = [];
  return {
    take(taker) {
      takers.push(taker);
      return () => {
        const at = takers.indexOf(taker);
        if (at >= 0) takers.splice(at, 1);
      };
    },
    give(files) {
      const taker = takers.at(-1);
      taker?.(files);
      return taker !== undefined;
    },
  };
}
