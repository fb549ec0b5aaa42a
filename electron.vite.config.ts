// Builds the three rooms that run apart: main (with its workers and `warrant run`), preload, renderer; into out/.
// Invariant: entries keep fixed names and chunks lie flat beside them, so that './store-worker.js' resolves from
// wherever the code that starts the worker lands.
import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';

const at = (file: string): string => path.resolve(import.meta.dirname, file);

const mainEntries = {
  main: at('src-main/main.ts'),
  headless: at('src-main/headless/start.ts'),
  'checkpoint-worker': at('src-main/tools/checkpoint/checkpoint-worker.ts'),
  'store-worker': at('src-main/store/store-worker.ts'),
  'reader-worker': at('src-main/store/reader-worker.ts'),
  'import-worker': at('src-main/app/import/import-worker.ts'),
  'files-worker': at('src-main/tools/workspace/files-worker.ts'),
};

/** Packages that stay outside the bundle: they carry binaries, or are the runtime itself. */
const external = ['electron', /^electron\/.+/, /^node:/, 'better-sqlite3', 'koffi', '@vscode/ripgrep'];

/**
 * Own rooms go into few files: each file that a start opens costs it, while code that does not run costs next to nothing.
 * What workers share stays apart, so that none of them loads the app.
 */
/** Only what an entry needs at once: what is loaded at first use stays a file of its own. */
const initial = '$initial' as const;
const room =
  (rooms: RegExp) =>
  (id: string): boolean =>
    rooms.test(id) && !id.includes('-worker.');
const ownRooms = [
  {
    name: 'base',
    test: room(/src-main[\\/](base|app[\\/]data-folder|contract[\\/](error-codes|limits|channels))/),
    priority: 3,
    tags: [initial],
  },
  { name: 'store', test: room(/src-main[\\/]store[\\/]/), priority: 2, tags: [initial] },
  // With what its worker shares: a package may never end up in the worker's own entry.
  {
    name: 'door',
    test: room(/src-main[\\/]tools[\\/]workspace[\\/]|node_modules[\\/](ignore|diff)[\\/]/),
    priority: 2,
    tags: [initial],
  },
  // Its worker's alone: the app loads the client when the first checkpoint is asked for.
  {
    name: 'checkpoint',
    test: room(/src-main[\\/]tools[\\/]checkpoint[\\/](?!checkpoint-(client|jobs)\.)/),
    priority: 2,
    tags: [initial],
  },
  {
    name: 'app',
    test: room(
      /src-main[\\/]((app(?![\\/]import[\\/])|engine|policy|tools)[\\/]|contract[\\/](authority|ids)\.|providers[\\/](create-model|known-model|parse-model-ref)\.)/,
    ),
    priority: 1,
    tags: [initial],
  },
  // What every provider needs: loaded with the first of them, and then all of it.
  {
    name: 'wire',
    test: /src-main[\\/]providers[\\/](transport[\\/]|[^\\/]+$)|node_modules[\\/](@ai-sdk[\\/]provider(-utils)?|@workflow[\\/]serde|eventsource-parser)[\\/]/,
  },
];

/** The SDK's packages get our light streams in place of the global ones and of its parser: see light-streams.ts. */
export const lightStreams = {
  name: 'light-streams',
  transform: {
    filter: {
      id: /node_modules[\\/]@ai-sdk[\\/]/,
      code: /\b(Readable|Transform|TextDecoder)Stream\b/,
    },
    handler: (code: string) => {
      const names = ['ReadableStream', 'TransformStream', 'TextDecoderStream'].map((name) => `Light${name} as ${name}`);
      const from = JSON.stringify(at('src-main/providers/transport/light-streams.ts'));
      const own = code.replaceAll('"eventsource-parser/stream"', from);
      const imports = [...names, 'takeEvents'].join(', ');
      return { code: `import { ${imports} } from ${from};\ntakeEvents();\n${own}`, map: null };
    },
  },
};

const asyncParse = 'import { safeParseAsync } from "zod/v4"';

/**
 * The SDK checks each event of a stream by zod's asynchronous form, which its compiled one does not exist for, though none
 * of its schemas waits for anything.
 */
export const syncSchemas = {
  name: 'sync-schemas',
  transform: {
    filter: { id: /node_modules[\\/]@ai-sdk[\\/]provider-utils[\\/]/, code: asyncParse },
    handler: (code: string) => ({
      code: code.replace(asyncParse, 'import { safeParse as safeParseAsync } from "zod/v4"'),
      map: null,
    }),
  },
};

export default defineConfig({
  main: {
    plugins: [lightStreams, syncSchemas],
    build: {
      externalizeDeps: false,
      target: 'node24.18',
      sourcemap: false,
      rolldownOptions: {
        input: mainEntries,
        external,
        // Reading the global loads all of Node's own fetch, which a start would pay for.
        transform: { inject: { Headers: [at('src-main/providers/transport/light-headers.ts'), 'LightHeaders'] } },
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: '[name]-[hash].js',
          codeSplitting: { includeDependenciesRecursively: false, groups: ownRooms },
        },
      },
    },
  },
  preload: {
    build: {
      externalizeDeps: false,
      target: 'node24.18',
      rolldownOptions: {
        input: { preload: at('src-preload/preload.ts') },
        external: ['electron'],
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('src-renderer'),
    plugins: [react()],
    worker: { format: 'es' },
    build: {
      target: 'chrome152',
      minify: true,
      // The files are read from the disk; only what the first screen needs is in the large one.
      chunkSizeWarningLimit: 1_000,
      // The page's policy allows nothing inline but images.
      assetsInlineLimit: 0,
      rolldownOptions: { input: at('src-renderer/index.html') },
    },
  },
});
