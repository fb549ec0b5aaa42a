// Lists what an asar archive holds, from its header alone, so that a package can be checked without unpacking it.
import { closeSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';

interface Node {
  readonly files?: Readonly<Record<string, Node>> | undefined;
  readonly unpacked?: boolean | undefined;
}

const Node: z.ZodType<Node> = z.lazy(() =>
  z.object({ files: z.record(z.string(), Node).optional(), unpacked: z.boolean().optional() }),
);

/** One file of an archive: its path with forward slashes, and whether it lies beside the archive instead of in it. */
export interface AsarFile {
  readonly path: string;
  readonly unpacked: boolean;
}

function* walk(node: Node, prefix: string): Generator<AsarFile> {
  for (const [name, child] of Object.entries(node.files ?? {})) {
    const path = prefix === '' ? name : `${prefix}/${name}`;
    if (child.files === undefined) yield { path, unpacked: child.unpacked === true };
    else yield* walk(child, path);
  }
}

/** The files of the archive at `file`, in the order of its header. */
export function asarFiles(file: string): readonly AsarFile[] {
  const handle = openSync(file, 'r');
  try {
    // Two nested pickles: [4][size of the header pickle][size of its payload][length of the JSON] JSON.
    const sizes = Buffer.alloc(16);
    readSync(handle, sizes, 0, 16, 0);
    const header = Buffer.alloc(sizes.readUInt32LE(12));
    readSync(handle, header, 0, header.length, 16);
    return [...walk(Node.parse(JSON.parse(header.toString('utf8'))), '')];
  } finally {
    closeSync(handle);
  }
}
