/**
 * `npm run walk`: taps Confirm on a real card, then lets a check of the pull request fail, and
 * writes every module of the product that each of them entered, by call counts of V8, on its page.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../app/config.ts';
import { startApp } from '../../app/start-app.ts';
import { arms } from '../support/approves.ts';
import { withButton } from '../support/persistent-person.ts';
import { sampleAgentCommand, sampleDirectory, sampleGoal, startGitHub, startTelegram } from '#playground';

/**
 * Modules and the functions of them that ran, in the order of the module's first appearance in the
 * source tree.
 */
export type Walk = { module: string; functions: string[] }[];

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What ran since the profiler started, or since this was last asked. */
const entered = async (session: Session): Promise<Walk> => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url.startsWith('file://') && !url.includes('node_modules'))
    .map(({ url, functions }) => ({
      module: relative(ROOT, fileURLToPath(url)),
      functions: functions
        .filter((f) => f.functionName !== '' && f.ranges.some((r) => r.count > 0))
        .map((f) => f.functionName),
    }))
    .filter(({ module, functions }) => functions.length > 0 && !/^(playground|tests)\//.test(module));
};

export const walkBoth = async (): Promise<Record<Way, Walk>> => {
  const dir = mkdtempSync(join(tmpdir(), 'agentpr-walk-'));
  const github = await startGitHub({ login: 'agentpr-demo', token: 'demo' });
  const telegram = await startTelegram({ token: '42:walk', botName: 'walk_bot' });
  const repo = await github.addRepo({ owner: 'acme', name: 'patient', from: sampleDirectory() });
  const env = {
    TELEGRAM_BOT_TOKEN: '42:walk',
    TELEGRAM_API_ROOT: telegram.url,
    TELEGRAM_ADMIN_IDS: '1001',
    GITHUB_TOKEN: 'demo',
    GITHUB_API_URL: github.url,
    GITHUB_WEBHOOK_SECRET: 'secret-of-the-walk',
    AGENTPR_HTTP_PORT: '0',
    AGENTPR_DATA_DIR: join(dir, 'data'),
    AGENTPR_SANDBOX: 'auto',
    AGENTPR_LOG_LEVEL: 'silent',
  };
  // The watcher asks the code host now and then; it is no part of a tap.
  const file = JSON.stringify({
    script: sampleAgentCommand({ mood: 'learns' }),
    bounds: { pollMs: 600_000 },
  });
  const app = await startApp(readConfig(env, file, dir));
  const session = new Session();
  session.connect();
  try {
    const ana = telegram.person(1001, 'Ana');
    ana.sends(`/new acme/patient ${sampleGoal}`);
    await arms(ana);
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    ana.taps(/Confirm/);
    await ana.waitForMessage(/Pull request #\d+ opened/, { deadlineMs: 30_000 });
    const tap = await entered(session);
    github.addWebhook({ url: `${app.address}/webhooks/github`, secret: env.GITHUB_WEBHOOK_SECRET });
    await entered(session);
    const sha = repo.pulls[0]?.headSha ?? '';
    repo.setCheck(sha, {
      name: 'changelog',
      conclusion: 'failure',
      log: 'The changelog says nothing of it.',
    });
    await ana.waitForMessage(withButton(/^Push/), { deadlineMs: 30_000, what: 'the card of the fix' });
    return { tap, 'red check': await entered(session) };
  } finally {
    session.disconnect();
    await app.stop();
    await telegram.stop();
    await github.stop();
    rmSync(dir, { recursive: true, force: true });
  }
};

export type Way = 'tap' | 'red check';

/**
 * The ways themselves: where something is stored, understood, decided, carried out and shown. The
 * rest serves these.
 */
export const WAYS: Record<Way, { title: string; spine: readonly [string, string][] }> = {
  tap: {
    title: 'The way of one tap on Confirm:',
    spine: [
      ['bot/telegram-intake.ts', 'storeUpdate'],
      ['bot/commands/route-tap.ts', 'routeTap'],
      ['orchestrator/kernel/runtime/submit-input.ts', 'plan'],
      ['orchestrator/kernel/gate/sign-approval.ts', 'signApproval'],
      ['orchestrator/kernel/runtime/effect-runner.ts', 'concludeOutcome'],
      ['orchestrator/kernel/gate/open-pr.effect.ts', 'createPullOnce'],
      ['orchestrator/kernel/gate/on-opened.ts', 'onPullOpened'],
      ['bot/deliver-message.ts', 'deliverTo'],
    ],
  },
  'red check': {
    title: 'The way of a red check to the card of its fix:',
    spine: [
      ['webhooks/receiver.ts', 'readItem'],
      ['webhooks/handle-delivery.ts', 'isAbout'],
      ['orchestrator/kernel/runtime/submit-input.ts', 'plan'],
      ['orchestrator/kernel/lifecycle/settle-state.ts', 'enterIteration'],
      ['orchestrator/kernel/ci/on-checks-compared.ts', 'onChecksCompared'],
      ['orchestrator/kernel/rounds/implement.effect.ts', 'checkMayWork'],
      ['orchestrator/kernel/rounds/check-commit.effect.ts', 'runChecks'],
      ['orchestrator/kernel/rounds/on-validated.ts', 'onValidated'],
      ['bot/deliver-message.ts', 'deliverTo'],
    ],
  },
};

const PAGE = join(ROOT, 'docs/walks.md');
const blockOf = (way: Way): RegExp => new RegExp(`(?<=\`\`\`\\n)${WAYS[way].title}[\\s\\S]*?(?=\`\`\`)`);

/** The part of the page that a walk makes. */
export const told = (way: Way, walk: Walk): string => {
  const { title, spine } = WAYS[way];
  const ran = new Map(walk.map((w) => [w.module, w.functions]));
  const lines = spine.map(([module, f]) => `  ${ran.get(module)?.includes(f) ? '✔' : '✘'} ${module} (${f})`);
  const rooms = Map.groupBy(
    walk.map(({ module }) => module).filter((module) => !spine.some(([m]) => m === module)),
    (module) =>
      module
        .split('/')
        .slice(0, module.startsWith('orchestrator/kernel') ? 3 : module.startsWith('orchestrator') ? 2 : 1)
        .join('/'),
  );
  const serving = [...rooms].sort().map(([room, modules]) => {
    const names = modules.map((module) => module.slice(room.length + 1)).sort();
    return `  ${room} (${modules.length}): ${names.join(' ')}`;
  });
  const count = `${walk.length} modules, ${spine.length} of them on the way itself.`;
  return [title, ...lines, '', 'What serves it, by room:', ...serving, '', count, ''].join('\n');
};

/** What the page tells of a way, and the modules that it names. */
export const onPage = (way: Way): { block: string; modules: string[] } => {
  const block = blockOf(way).exec(readFileSync(PAGE, 'utf8'))?.[0] ?? '';
  const spine = [...block.matchAll(/^ {2}[✔✘] (\S+)/gmu)].map(([, module = '']) => module);
  const serving = [...block.matchAll(/^ {2}([\w/]+) \(\d+\): (.*)$/gm)].flatMap(([, room = '', names = '']) =>
    names.split(' ').map((name) => `${room}/${name}`),
  );
  return { block, modules: [...spine, ...serving] };
};

if (process.argv[1] === import.meta.filename) {
  const walks = await walkBoth();
  for (const way of ['tap', 'red check'] as const) {
    const now = told(way, walks[way]);
    writeFileSync(
      PAGE,
      readFileSync(PAGE, 'utf8').replace(blockOf(way), () => now),
    );
    console.log(now);
  }
}
