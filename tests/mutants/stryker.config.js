/** Called by main.ts, which says what is changed and what must notice. */
const list = (name) => (process.env[name] ?? '').split(',').filter(Boolean);

export default {
  testRunner: 'same-process',
  plugins: ['./tests/mutants/runner.ts'],
  mutate: list('MUTANT_FILES'),
  coverageAnalysis: 'perTest',
  ignoreStatic: process.env.MUTANT_STATIC !== '1',
  concurrency: Number(process.env.MUTANT_WORKERS ?? 2),
  timeoutMS: 45_000,
  disableTypeChecks: false,
  ignorePatterns: [
    ...[
      'dist',
      'docs/images',
      'bench/peers',
      'tests/stories',
      'tests/slow',
      'tests/agents',
      'tests/adapters',
      'tests/processes',
    ],
    'tests/mutants/stryker',
  ],
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: process.env.MUTANT_REPORT },
  tempDirName: `${process.env.MUTANT_REPORT}-copy`,
  allowConsoleColors: false,
};
