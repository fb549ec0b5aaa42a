// The lint rules of the whole project: what a compiler cannot see and a reader should not have to.
// Layers are checked by dependency-cruiser, formatting by prettier; neither is repeated here.
import path from 'node:path';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const root = path.resolve(import.meta.dirname, '../..');
const typed = ['**/*.ts', '**/*.tsx'];

/** File names are kebab-case, dots allowed between words: run-turn.ts, run-turn.test.ts, electron.vite.config.ts. */
const fileName = {
  meta: { type: 'suggestion', schema: [], messages: { name: 'Name this file in kebab-case, after its main export.' } },
  create: (context) => ({
    Program(node) {
      const name = path.basename(context.filename);
      if (!/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(name)) context.report({ node, messageId: 'name' });
    },
  }),
};

const noBareError = {
  selector: 'ThrowStatement > NewExpression[callee.name="Error"]',
  message: 'Throw an AppError with a code of contract/errors.ts, or return the outcome as a value.',
};
const noEnum = { selector: 'TSEnumDeclaration', message: 'Use a const object or a union of strings.' };
const noDefaultExport = { selector: 'ExportDefaultDeclaration', message: 'Export by name: one name for one thing.' };

export default tseslint.config(
  {
    ignores: ['**/node_modules/**', 'out/**', 'release/**', 'test-results/**', 'test/bench/rig/**', 'test/fixtures/**'],
  },
  {
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { house: { rules: { 'file-name': fileName } } },
    rules: { 'house/file-name': 'error' },
  },
  {
    files: typed,
    extends: [...tseslint.configs.strictTypeChecked],
    // One program for all folders takes half the time of one for each; the folders' own are the type check's matter.
    languageOptions: { parserOptions: { project: 'test/config/tsconfig.lint.json', tsconfigRootDir: root } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'separate-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': 'allow-with-description' }],
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingUnknown: true }],
      // Numbers and booleans read well in a template; the other kinds stay errors.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      // A port is asynchronous whether or not one adapter of it happens to wait.
      '@typescript-eslint/require-await': 'off',
      // Costs much and guards nothing here: data from outside is parsed, so what seems unneeded often is the parse.
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/no-deprecated': 'off',
      // There are no enums to compare or assign.
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/unified-signatures': 'off',
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
    },
  },
  {
    rules: {
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'off',
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-eval': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
  {
    files: ['src-*/**/*.{ts,tsx,js}'],
    rules: {
      'max-lines': ['error', { max: 400 }],
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      'max-params': ['error', { max: 4 }],
      complexity: ['error', { max: 18, variant: 'modified' }],
      'no-restricted-syntax': ['error', noBareError, noEnum, noDefaultExport],
    },
  },
  {
    // These two stand alone, so the app's error class is out of their reach.
    files: ['src-main/{chromium,launch}/**'],
    rules: { 'no-restricted-syntax': ['error', noEnum, noDefaultExport] },
  },
  {
    // Code that must run anywhere JavaScript does: the compiler's WebWorker library offers more than that.
    files: ['src-main/{contract,base,engine,policy}/**/*.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...['self', 'postMessage', 'importScripts', 'indexedDB', 'caches', 'navigator', 'location', 'close', 'name'],
        ...['XMLHttpRequest', 'WebSocket', 'EventSource', 'onmessage', 'origin', 'fonts', 'addEventListener'],
        { name: 'fetch', message: 'The network is reached through a port.' },
      ],
    },
  },
  {
    files: ['src-renderer/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      'max-lines-per-function': ['error', { max: 120, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['test/**/*.{ts,tsx}', '*.ts'],
    rules: {
      'no-restricted-syntax': ['error', noEnum],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/unbound-method': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/no-empty-function': 'off',
    },
  },
);
