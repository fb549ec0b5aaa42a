// A project's files at one moment, as a value: paths and what stood there. Trees are kept as one object a folder, named by
// its bytes, so two trees share what is equal and are compared without reading it. Pure.

/** Why something is in a tree without its bytes. */
export type SkipReason = 'large' | 'unreadable' | 'special';

/** What stands at a path. `mode` has 9 permission bits; names and targets are as nameOf makes them. */
export type TreeItem =
  | { readonly type: 'file'; readonly id: string; readonly size: number; readonly mode: number }
  | { readonly type: 'link'; readonly target: string }
  /** A folder in which nothing was kept. */
  | { readonly type: 'folder' }
  /** It is there, and its bytes were not kept; `stamp` tells whether it changed. */
  | { readonly type: 'skipped'; readonly why: SkipReason; readonly stamp: string };

/** Items by path, with `/` between names. Folders that hold something are not named. */
export type Tree = ReadonlyMap<string, TreeItem>;

/** One object a folder: its bytes by their id, and the id of the root's. */
export interface TreeNodes {
  readonly root: string;
  readonly nodes: ReadonlyMap<string, Buffer>;
}

type Row = readonly [name: string, type: string, ...rest: (string | number)[]];
type Branch = Map<string, Branch | TreeItem>;

function isBranch(value: Branch | TreeItem | undefined): value is Branch {
  return value instanceof Map;
}

/** The objects of a tree; `idOf` names bytes. */
export function toNodes(tree: Tree, idOf: (bytes: Buffer) => string): TreeNodes {
  const root: Branch = new Map();
  for (const [path, item] of tree) {
    const names = path.split('/');
    const leaf = names.pop() ?? '';
    let at = root;
    for (const name of names) {
      const next = at.get(name);
      const branch = isBranch(next) ? next : (new Map() as Branch);
      at.set(name, branch);
      at = branch;
    }
    if (!isBranch(at.get(leaf))) at.set(leaf, item.type === 'folder' ? new Map() : item);
  }
  const nodes = new Map<string, Buffer>();
  return { root: write(root, nodes, idOf), nodes };
}

function write(branch: Branch, nodes: Map<string, Buffer>, idOf: (bytes: Buffer) => string): string {
  const rows: Row[] = [];
  for (const name of [...branch.keys()].sort()) {
    const value = branch.get(name);
    if (isBranch(value)) rows.push([name, 'd', write(value, nodes, idOf)]);
    else if (value !== undefined) rows.push(toRow(name, value));
  }
  const bytes = Buffer.from(JSON.stringify(rows));
  const id = idOf(bytes);
  nodes.set(id, bytes);
  return id;
}

function toRow(name: string, item: TreeItem): Row {
  switch (item.type) {
    case 'file':
      return [name, 'f', item.id, item.size, item.mode];
    case 'link':
      return [name, 'l', item.target];
    case 'folder':
      return [name, 'd', ''];
    case 'skipped':
      return [name, 's', item.why, item.stamp];
  }
}

/** What one row of a folder's object says; a string is the id of a folder below. */
function fromRow([, type, first, second, third]: Row): TreeItem | string {
  if (type === 'f') return { type: 'file', id: String(first), size: Number(second), mode: Number(third) };
  if (type === 'l') return { type: 'link', target: String(first) };
  if (type === 's') {
    const why = first === 'large' || first === 'unreadable' ? first : 'special';
    return { type: 'skipped', why, stamp: String(second) };
  }
  return String(first);
}

/** Reads an object by its id. */
export type ReadObject = (id: string) => Promise<Buffer>;

async function readRows(id: string, read: ReadObject): Promise<readonly Row[]> {
  return JSON.parse((await read(id)).toString()) as Row[];
}

/** The tree of a root's id. Rejects as `read` does. */
export async function readTree(root: string, read: ReadObject): Promise<Map<string, TreeItem>> {
  const tree = new Map<string, TreeItem>();
  const enter = async (id: string, prefix: string): Promise<void> => {
    const rows = await readRows(id, read);
    if (rows.length === 0 && prefix !== '') tree.set(prefix.slice(0, -1), { type: 'folder' });
    for (const row of rows) {
      const value = fromRow(row);
      if (typeof value === 'string') await enter(value, `${prefix}${row[0]}/`);
      else tree.set(prefix + row[0], value);
    }
  };
  await enter(root, '');
  return tree;
}

/** All that trees name: their folders' objects and their files'. Each object is read once. Rejects as `read` does. */
export async function readReachable(
  roots: Iterable<string>,
  read: ReadObject,
): Promise<{ nodes: Set<string>; files: Set<string> }> {
  const nodes = new Set<string>();
  const files = new Set<string>();
  const enter = async (id: string): Promise<void> => {
    if (nodes.has(id)) return;
    nodes.add(id);
    for (const row of await readRows(id, read)) {
      const value = fromRow(row);
      if (typeof value === 'string') await enter(value);
      else if (value.type === 'file') files.add(value.id);
    }
  };
  for (const root of roots) await enter(root);
  return { nodes, files };
}

/** One path at which two trees differ; null = nothing there. */
export interface TreeChange {
  readonly path: string;
  readonly from: TreeItem | null;
  readonly to: TreeItem | null;
}

export function isSameItem(one: TreeItem | null | undefined, other: TreeItem | null | undefined): boolean {
  if (!one || !other) return !one && !other;
  if (one.type === 'file' && other.type === 'file') return one.id === other.id && one.mode === other.mode;
  if (one.type === 'link' && other.type === 'link') return one.target === other.target;
  if (one.type === 'skipped' && other.type === 'skipped') return one.stamp === other.stamp;
  return one.type === other.type && one.type === 'folder';
}

/**
 * Where two trees differ, by path. What lies below something that either tree could not look into is left out: nothing is
 * known of it.
 */
export function compareTrees(from: Tree, to: Tree): TreeChange[] {
  const hidden = new Set(
    [from, to].flatMap((tree) => [...tree].flatMap(([path, item]) => (item.type === 'skipped' ? [path] : []))),
  );
  const changes: TreeChange[] = [];
  const note = (path: string): void => {
    const [before, after] = [from.get(path) ?? null, to.get(path) ?? null];
    if (!isSameItem(before, after) && !isBelow(path, hidden)) changes.push({ path, from: before, to: after });
  };
  for (const path of from.keys()) note(path);
  for (const path of to.keys()) if (!from.has(path)) note(path);
  return changes.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function isBelow(path: string, hidden: ReadonlySet<string>): boolean {
  if (hidden.size === 0) return false;
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    if (hidden.has(path.slice(0, end))) return true;
  }
  return false;
}

/** Every folder on the way to something in a tree, and its empty ones. */
export function foldersOf(tree: Tree): Set<string> {
  const folders = new Set<string>();
  for (const [path, item] of tree) {
    if (item.type === 'folder') folders.add(path);
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      if (folders.has(path.slice(0, end))) break;
      folders.add(path.slice(0, end));
    }
  }
  return folders;
}
