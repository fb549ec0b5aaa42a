// The layer table of the README as dependency-cruiser rules: who may import whom. A path says what a file may touch.
// Each rule has a planted breach in test/unit/house/layers.test.ts; add both together.
const main = '^src-main/';
const rule = (name, from, to) => ({ name, severity: 'error', from, to });

module.exports = {
  forbidden: [
    // A cycle that types alone close is gone when the program runs.
    rule('no-circular', {}, { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } }),
    rule(
      'electron-in-desktop-and-preload-only',
      { path: '^src-', pathNot: '^(src-main/(desktop/|chromium/|main\\.ts$)|src-preload/)' },
      { path: '(^|/)node_modules/electron(/|$)|^electron$' },
    ),
    rule(
      'contract-imports-zod-only',
      { path: main + 'contract/' },
      { pathNot: [main + 'contract/', 'node_modules/zod/'] },
    ),
    rule('base-imports-contract-only', { path: main + 'base/' }, { path: main, pathNot: main + '(base|contract)/' }),
    rule(
      'engine-imports-contract-and-base',
      { path: main + 'engine/' },
      { path: main, pathNot: main + '(engine|base|contract)/' },
    ),
    rule(
      'engine-takes-only-ajv-from-npm',
      { path: main + 'engine/' },
      { path: 'node_modules/', pathNot: 'node_modules/(ajv|ajv-formats)/' },
    ),
    rule(
      'adapters-see-ports-only',
      { path: main + '(tools|providers|store|policy)/' },
      { path: main, pathNot: [main + '$1/', main + '(base|contract)/', main + 'engine/ports\\.ts$'] },
    ),
    rule(
      'ports-are-type-only',
      { path: main + '(tools|providers|store|policy)/' },
      { path: main + 'engine/ports\\.ts$', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'app-is-below-its-shells',
      { path: main + 'app/' },
      { path: main + '(ipc|desktop|headless|launch|chromium)/' },
    ),
    rule('ipc-knows-app', { path: main + 'ipc/' }, { path: main, pathNot: main + '(ipc|app|base|contract)/' }),
    rule(
      'headless-is-outermost',
      { path: main + 'headless/' },
      { path: main, pathNot: main + '(headless|app|base|contract|engine)/' },
    ),
    // A terminal answers approvals and prints events, so it names the engine's types.
    rule(
      'headless-sees-engine-types-only',
      { path: main + 'headless/' },
      { path: main + 'engine/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'desktop-is-outermost',
      { path: main + '(desktop/|main\\.ts$)' },
      // The store is opened by whoever makes the app: in workers for a window.
      { path: main, pathNot: main + '((desktop|ipc|app|base|contract)/|store/store-client\\.ts$)' },
    ),
    rule(
      'nothing-imports-a-shell',
      { path: main, pathNot: main + '(desktop/|headless/|main\\.ts$)' },
      { path: main + '(desktop/|headless/|main\\.ts$)' },
    ),
    rule('chromium-stands-alone', { path: main + 'chromium/' }, { path: '^src-', pathNot: main + 'chromium/' }),
    rule('launch-stands-alone', { path: main + 'launch/' }, { path: '^src-', pathNot: main + 'launch/' }),
    rule(
      'launch-takes-nothing-from-npm',
      { path: main + 'launch/' },
      { path: 'node_modules/', pathNot: 'node_modules/(@types|electron)/' },
    ),
    rule(
      'nothing-imports-chromium-or-launch',
      { path: '^src-', pathNot: main + '(chromium|launch)/' },
      { path: main + '(chromium|launch)/' },
    ),
    rule(
      'workers-are-started-not-imported',
      { path: '^src-' },
      { path: main + '.*-worker\\.ts$', dependencyTypesNot: ['type-only'] },
    ),
    rule('main-never-imports-siblings', { path: main }, { path: '^(src-preload|src-renderer|test)/' }),
    rule(
      'preload-sees-contract-only',
      { path: '^src-preload/' },
      { path: '^(src-|test/)', pathNot: '^(src-preload|src-main/contract)/' },
    ),
    rule(
      'renderer-sees-contract-only',
      { path: '^src-renderer/' },
      { path: '^(src-|test/)', pathNot: '^(src-renderer|src-main/contract)/' },
    ),
    rule(
      'features-do-not-import-each-other',
      { path: '^src-renderer/features/([^/]+)/' },
      { path: '^src-renderer/features/', pathNot: '^src-renderer/features/$1/' },
    ),
    rule(
      'ui-knows-no-feature',
      { path: '^src-renderer/ui/' },
      { path: '^src-renderer/', pathNot: '^src-renderer/ui/' },
    ),
    rule(
      'no-node-core',
      { path: '^(src-preload|src-renderer|src-main/(contract|base|engine))/' },
      { dependencyTypes: ['core'], pathNot: '^electron' },
    ),
    rule(
      'no-dev-deps-in-product',
      { path: '^src-' },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/electron/' },
    ),
    rule('no-unresolvable', { path: '^src-' }, { couldNotResolve: true, pathNot: '[?](worker|raw|url)' }),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '[.](css|svg|png|html|json)$' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
