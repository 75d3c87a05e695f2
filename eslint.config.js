/** Lint rules: the type-checked ones that find bugs, and the house rules that are cheap to check. */
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

export default defineConfig(
  {
    ignores: [
      'node_modules',
      'dist',
      'playground/sample',
      'tests/fixtures',
      '**/*.js',
      '!playground/assets/*.js',
    ],
  },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        { selector: 'TSEnumDeclaration', message: 'Use a union of literals.' },
        {
          selector: 'ObjectExpression > SpreadElement > ObjectExpression',
          message: 'Write its properties where they are spread.',
        },
        ...['Literal[regex.pattern', 'TemplateElement[value.raw'].map((of) => ({
          selector: `${of}=/\\(\\?(?:[ims]+|[ims]*-[ims]+):/]`,
          message: 'V8 loses modifiers of regular expressions once a process has compiled many.',
        })),
      ],
    },
  },
  {
    // Only the composition root reads the environment, and only once.
    files: ['**/*.ts'],
    ignores: ['app/start.ts', 'cli/**', 'tests/**', 'playground/tests/**', '*.config.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Read in cli/ or app/start.ts.' },
      ],
    },
  },
  { files: ['*.config.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    // What the playground's pages run in a browser, as it is on disk.
    files: ['playground/assets/*.js'],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: {
      globals: Object.fromEntries(
        [
          ...[
            'document',
            'location',
            'history',
            'navigator',
            'sessionStorage',
            'matchMedia',
            'addEventListener',
          ],
          ...['fetch', 'EventSource', 'URL', 'CSS', 'Option', 'ResizeObserver', 'requestAnimationFrame'],
          ...[
            'setTimeout',
            'clearTimeout',
            'setInterval',
            'window',
            'DOMParser',
            'FormData',
            'Node',
            'Element',
            'URLSearchParams',
          ],
        ].map((name) => [name, 'readonly']),
      ),
    },
    rules: { 'no-undef': 'error', 'no-var': 'error', 'prefer-const': 'error', eqeqeq: 'error' },
  },
);
