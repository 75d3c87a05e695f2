/** `npm run walk`: taps Confirm on a real card and prints every module of the product that the tap entered, by call counts of V8. */
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../app/config.ts';
import { startApp } from '../../app/start.ts';
import { sampleAgentCommand, sampleDirectory, sampleGoal, startGitHub, startTelegram } from '#playground';

/** Modules and the functions of them that ran, in the order of the module's first appearance in the source tree. */
export type Walk = { module: string; functions: string[] }[];

const root = fileURLToPath(new URL('../../', import.meta.url));

export const walkOneTap = async (): Promise<Walk> => {
  const dir = mkdtempSync(join(tmpdir(), 'agentpr-walk-'));
  const github = await startGitHub({ login: 'agentpr-demo', token: 'demo' });
  const telegram = await startTelegram({ token: '42:walk', botName: 'walk_bot' });
  await github.addRepo({ owner: 'acme', name: 'patient', from: sampleDirectory() });
  const env = {
    TELEGRAM_BOT_TOKEN: '42:walk',
    TELEGRAM_API_ROOT: telegram.url,
    TELEGRAM_ADMIN_IDS: '1001',
    GITHUB_TOKEN: 'demo',
    GITHUB_API_URL: github.url,
    AGENTPR_HTTP_PORT: '0',
    AGENTPR_DATA_DIR: join(dir, 'data'),
    AGENTPR_SANDBOX: 'auto',
    AGENTPR_LOG_LEVEL: 'silent',
  };
  // The watcher asks the code host now and then; it is no part of a tap.
  const file = JSON.stringify({ script: sampleAgentCommand(), bounds: { pollMs: 600_000 } });
  const app = await startApp(readConfig(env, file, dir));
  const session = new Session();
  session.connect();
  try {
    const ana = telegram.person(1001, 'Ana');
    ana.sends(`/new acme/patient ${sampleGoal}`);
    const card = await ana.waitForMessage('READY', { deadlineMs: 60_000 });
    await ana.taps({ message: card.messageId, text: /Open PR/ }).answered();
    await ana.waitFor(() =>
      ana.messages().find((m) => m.buttons.flat().some((b) => b.text.includes('Confirm'))),
    );
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    ana.taps(/Confirm/);
    await ana.waitForMessage('PR OPENED', { deadlineMs: 30_000 });
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url }) => url.startsWith('file://') && !url.includes('node_modules'))
      .map(({ url, functions }) => ({
        module: relative(root, fileURLToPath(url)),
        functions: functions
          .filter((f) => f.functionName !== '' && f.ranges.some((r) => r.count > 0))
          .map((f) => f.functionName),
      }))
      .filter(({ module, functions }) => functions.length > 0 && !/^(playground|tests)\//.test(module));
  } finally {
    session.disconnect();
    await app.stop();
    await telegram.stop();
    await github.stop();
    rmSync(dir, { recursive: true, force: true });
  }
};

/** The way of the tap itself: where it is stored, understood, decided, carried out and shown. The rest serves these. */
export const SPINE: readonly [string, string][] = [
  ['bot/intake.ts', 'store'],
  ['bot/commands/taps.ts', 'onTap'],
  ['orchestrator/engine/submit.ts', 'plan'],
  ['orchestrator/core/machine/on-card.ts', 'sign'],
  ['orchestrator/engine/perform.ts', 'conclude'],
  ['orchestrator/effects/open-pr.ts', 'create'],
  ['orchestrator/core/machine/on-result.ts', 'opened'],
  ['bot/tell.ts', 'deliver'],
];

if (process.argv[1] === import.meta.filename) {
  const walk = await walkOneTap();
  const ran = new Map(walk.map((w) => [w.module, w.functions]));
  console.log('The way of one tap on Confirm:');
  for (const [module, f] of SPINE)
    console.log(`  ${ran.get(module)?.includes(f) ? '✔' : '✘'} ${module} (${f})`);
  const rooms = Map.groupBy(
    walk.filter((w) => !SPINE.some(([m]) => m === w.module)),
    ({ module }) =>
      module
        .split('/')
        .slice(0, module.startsWith('orchestrator/core') ? 2 : 1)
        .join('/'),
  );
  console.log('\nWhat serves it, by room:');
  for (const [room, modules] of [...rooms].sort()) {
    console.log(
      `  ${room} (${modules.length}): ${modules
        .map((m) => m.module.slice(room.length + 1) || m.module)
        .sort()
        .join(' ')}`,
    );
  }
  console.log(`\n${walk.length} modules, ${SPINE.length} of them on the way itself.`);
}
