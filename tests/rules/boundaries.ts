/**
 * Checks who may import whom (see docs/architecture.md), and that the checker saw the modules it
 * judges.
 */
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { circlesOf } from './circles.ts';
import { DOORS, IMPORTED_FILES, PURE_FOLDERS } from './product.ts';

type Rule = { name: string; from: object; to: object };
const forbid = (name: string, from: string, to: object): Rule => ({ name, from: { path: from }, to });
const outside = (allowed: string): object => ({
  pathNot: allowed,
  dependencyTypesNot: ['npm', 'npm-dev', 'core'],
});

const PURE = `(${PURE_FOLDERS.join('|')})`;
/** Doors of parts that are loaded only where they are needed. */
const OTHER_DOORS = [...IMPORTED_FILES.values()].map((file) => `^${file.replaceAll('.', '\\.')}$`).join('|');

const forbidden: Rule[] = [
  ...PURE_FOLDERS.map((folder) =>
    forbid(`${folder}-is-pure`, `^${folder}/`, { pathNot: `^(${PURE}/|node_modules/(zod|yaml)/)` }),
  ),
  ...[...DOORS].map(([door, folder]) =>
    forbid(`${door}-is-entered-by-its-door`, `^(?!${folder}/|tests/|bench/|playground/)`, {
      path: `^${folder}/(?!index\\.ts$)`,
      pathNot: OTHER_DOORS,
    }),
  ),
  forbid('shell-knows-core-and-ports', '^orchestrator/(?!core/)', outside(`^(orchestrator|${PURE})/`)),
  forbid(
    'executors-implement-ports',
    '^executors/',
    outside(`^(executors|${PURE})/|^orchestrator/ports(\\.ts|/)`),
  ),
  forbid('db-implements-ports', '^db/', outside(`^(db|${PURE})/|^orchestrator/ports(\\.ts|/)`)),
  forbid('forge-implements-ports', '^forge/', outside(`^(forge|${PURE})/|^orchestrator/ports(\\.ts|/)`)),
  forbid('bot-stands-alone', '^bot/', outside(`^(bot|orchestrator|${PURE})/`)),
  forbid(
    'board-reads',
    '^board/',
    outside(`^(board|bot/(language|text|views)/|bot/commands/command-context\\.ts$|orchestrator|${PURE})`),
  ),
  forbid('nothing-needs-the-board', '^(?!board/|app/board-(parts|routes)\\.ts$|tests/|bench/)', {
    path: '^board/',
  }),
  forbid(
    'webhooks-stand-alone',
    '^webhooks/',
    outside(`^(webhooks|orchestrator|${PURE})/|^forge/index\\.ts$`),
  ),
  forbid('playground-stands-alone', '^playground/', outside('^playground/')),
  forbid('only-demo-and-tests-play', '^(?!tests/|bench/|playground/|cli/demo)', { path: '^playground/' }),
  // What runs in the box of the builtin engine starts commands there, like every agent.
  forbid(
    'one-place-spawns',
    '^(?!executors/(process/(spawn|start-plain)|engines/builtin/box/run-command)\\.ts$|tests/|bench/|playground/|cli/|build\\.js$)',
    {
      path: '^(node:)?child_process$|node_modules/execa/',
    },
  ),
  { name: 'no-circles', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
];

const result = await cruise(
  [
    'app',
    'board',
    'bot',
    'cli',
    'db',
    'discovery',
    'executors',
    'forge',
    'orchestrator',
    'playground',
    'bench',
    'pull-text',
    'text-safety',
    'webhooks',
    'tests',
  ],
  {
    ruleSet: { forbidden },
    validate: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'playground/sample|board/assets' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default', 'require'],
    },
  },
  {},
  { tsConfig: extractTSConfig('tsconfig.json') },
);
const output = result.output;
if (typeof output === 'string') throw new Error('dependency-cruiser gave text where its result was expected');
const { totalCruised, violations } = output.summary;
for (const v of violations) console.error(`${v.rule.name}: ${v.from} → ${v.to}`);
if (totalCruised < 40) {
  console.error(`Only ${totalCruised} modules were seen: the import rules judged next to nothing.`);
  process.exit(1);
}
/** Pure packages outside the core stand beside its own parts: they build upon some and serve others. */
const placeOf = (file: string): string =>
  PURE_FOLDERS.some((folder) => file.startsWith(`${folder}/`)) && !file.startsWith('orchestrator/')
    ? `orchestrator/core/${file}`
    : file;
/** Tests and benchmarks may be as they are. */
const judged = output.modules.filter(({ source }) => !/^(tests|bench|node_modules)\//.test(source));
const circles = circlesOf(
  judged.flatMap(({ source, dependencies }) =>
    dependencies
      .filter(({ resolved, coreModule }) => !coreModule && !resolved.startsWith('node_modules/'))
      .map(({ resolved }) => ({ from: placeOf(source), to: placeOf(resolved) })),
  ),
);
for (const circle of circles) console.error(`circle: ${circle}`);
if (violations.length > 0 || circles.length > 0) process.exit(1);
console.log(`import rules hold over ${totalCruised} modules`);
