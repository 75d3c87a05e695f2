/**
 * Checks who may import whom (see docs/architecture.md), and that the checker saw the modules it
 * judges.
 */
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { circlesOf } from './circles.ts';
import { DOORS, IMPORTED_FILES, insideOf, PURE_FOLDERS } from './product.ts';

type Rule = { name: string; from: object; to: object };
const forbid = (name: string, from: string, to: object): Rule => ({ name, from: { path: from }, to });
const outside = (allowed: string): object => ({
  pathNot: allowed,
  dependencyTypesNot: ['npm', 'npm-dev', 'core'],
});

const PURE = `(${PURE_FOLDERS.join('|')})`;
/** Packages that know the words of the model and nothing of the kernel. */
const PACKAGES = '(discovery|governor|model|pull-text|text-safety|tools)';
/** What adapters implement, and the words that it is written in. */
const PORTS =
  '(discovery|governor|model|pull-text|text-safety|tools|orchestrator/(network-faults|kernel/(run|effects|ports)))';
/** Doors of parts that are loaded only where they are needed. */
const OTHER_DOORS = [...IMPORTED_FILES.values()].map((file) => `^${file.replaceAll('.', '\\.')}$`).join('|');

const forbidden: Rule[] = [
  ...PURE_FOLDERS.map((folder) => ({
    name: `${folder}-is-pure`,
    from: { path: `^${folder}/`, pathNot: '\\.(?:effect|io)\\.ts$' },
    to: {
      pathNot: `^(${PURE}/|tools/(index|output/index|packages/index|words/index)\\.ts$|orchestrator/kernel/ports/|node_modules/(zod|yaml)/)`,
    },
  })),
  {
    name: 'the-pure-calls-no-effect',
    from: { path: `^${PURE}/`, pathNot: '\\.(?:effect|io)\\.ts$|/index\\.ts$' },
    to: { path: '\\.(?:effect|io)\\.ts$' },
  },
  {
    name: 'tools-know-nobody',
    from: { path: '^tools/' },
    to: { pathNot: '^(tools/|node_modules/(zod|yaml)/|(node:)?(fs|path|crypto|worker_threads)$)' },
  },
  {
    name: 'the-model-is-below-all',
    from: { path: '^model/' },
    to: { pathNot: '^(model/|node_modules/(zod|yaml)/|(node:)?crypto$)' },
  },
  forbid('packages-know-no-kernel', `^${PACKAGES}/`, outside(`^${PACKAGES}/`)),
  ...[...DOORS].map(([door, folder]) =>
    forbid(
      `${door}-is-entered-by-its-door`,
      `^(?!${insideOf(door, folder)}/|tests/|bench/|playground/|build\\.js$)`,
      {
        path: `^${folder}/(?!index\\.ts$)`,
        pathNot: OTHER_DOORS,
      },
    ),
  ),
  forbid('orchestrator-knows-no-adapter', '^orchestrator/', outside(`^(orchestrator|tools|${PURE})/`)),
  forbid('executors-implement-ports', '^executors/', outside(`^(executors|${PORTS})/`)),
  forbid('db-implements-ports', '^db/', outside(`^(db|${PORTS})/`)),
  forbid('forge-implements-ports', '^forge/', outside(`^(forge|${PORTS})/`)),
  forbid('bot-stands-alone', '^bot/', outside(`^(bot|orchestrator|tools|${PURE})/`)),
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
  forbid('slack-is-an-adapter', '^slack/', outside(`^(slack|bot|orchestrator|${PURE})/`)),
  // Its types and the pure tests of its ids stay; the rest is loaded where it is configured.
  forbid('only-app-and-setup-load-slack', '^(?!slack/|app/|cli/setup/slack|tests/|bench/)', {
    path: '^slack/',
  }),
  forbid('playground-stands-alone', '^playground/', outside('^playground/')),
  forbid('only-demo-and-tests-play', '^(?!tests/|bench/|playground/|cli/demo)', { path: '^playground/' }),
  // What runs in the box of the builtin engine starts commands there, like every agent.
  forbid(
    'one-place-spawns',
    '^(?!executors/(process/(spawn|start-plain-process)|engines/builtin/box/run-command)\\.ts$|tests/|bench/|playground/|cli/|build\\.js$)',
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
    'governor',
    'model',
    'orchestrator',
    'playground',
    'bench',
    'pull-text',
    'slack',
    'text-safety',
    'tools',
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
/** Rooms of the kernel that serve each other: their modules have no circle, taken as one room. */
const SLICES =
  /^orchestrator\/kernel\/(?:inputs|lifecycle|preparation|rounds|gate|ci|reviews|upstream|handlers|runtime)\//;
const placeOf = (file: string): string => file.replace(SLICES, 'orchestrator/kernel/slices/');
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
