/** A campaign of fifty repositories in the ledger, three of which are unlike the others. */
import { anOrder } from './ledger.ts';
import { aCampaign } from './campaigns.ts';
import type { BoardWorld } from './board-world.ts';
import { file, HEAD, inputsToCard, someDiff, type Change } from './ready-run.ts';
import { toStepFailure } from '../../orchestrator/kernel/runtime/effect-handler.ts';
import { HOUR, MINUTE } from '#model/values';

export const CAMPAIGN = 'c-retire';
export const OUTLIERS = { files: 'acme/payments', size: 'acme/ledger-export', failed: 'acme/mailer' };
const ana = { id: '7', name: 'Ana' };
const NAMES = [
  ...['accounts', 'admin', 'alerts', 'api', 'archive', 'assets', 'audit-log', 'auth-proxy', 'avatars'],
  ...['backup', 'billing', 'calendar', 'catalog', 'checkout', 'console', 'contacts', 'crm', 'docs'],
  ...['events', 'exports', 'feeds', 'files', 'forms', 'gateway', 'geo', 'images', 'imports', 'insights'],
  ...['invoices', 'jobs', 'ledger-export', 'mailer', 'maps', 'metrics', 'mobile', 'notify', 'orders'],
  ...['payments', 'pdf', 'profiles', 'quotes', 'ratings', 'reports', 'search', 'sessions', 'shipping'],
  ...['stock', 'tax', 'users', 'webhooks'],
];
export const FIFTY: readonly string[] = NAMES.map((name) => `acme/${name}`);

const usual = [file('package.json', 1, 1), file('src/http/client.ts', 6, 11)];
const diffOf = (files = usual) =>
  someDiff({
    files,
    added: files.reduce((n, { added }) => n + added, 0),
    deleted: files.reduce((n, { deleted }) => n + deleted, 0),
  });
const changeOf = (repo: string): Change => {
  if (repo === OUTLIERS.files) return { diff: diffOf([...usual, file('src/auth/session.ts', 9, 2)]) };
  if (repo === OUTLIERS.size)
    return { diff: diffOf([file('package.json', 1, 1), file('src/http/client.ts', 412, 380)]) };
  return { diff: diffOf() };
};

/** Thirty are merged, nine are open, eight wait for a person. */
export const fillCampaign = async (world: BoardWorld): Promise<string> => {
  const { ledger } = world;
  const order = aCampaign({ name: 'Retire the old HTTP client', repos: FIFTY });
  await ledger.campaigns.plan({ id: CAMPAIGN, order, at: world.now(), by: ana });
  await ledger.campaigns.decide(CAMPAIGN, { decision: { kind: 'started' }, by: ana, at: world.now() });
  const odd: readonly string[] = Object.values(OUTLIERS);
  let usualOnes = 0;
  for (const [i, { repo }] of order.targets.entries()) {
    world.passes(13 * MINUTE);
    const runId = `k${i + 10}x`;
    const begun = anOrder({
      repo,
      goal: 'Replace the retired HTTP client by fetch',
      campaign: CAMPAIGN,
      engine: 'codex',
    });
    await world.offer(runId, { type: 'command.run.create', runId, order: begun });
    if (repo === OUTLIERS.failed) {
      const { input } = toStepFailure('discover', 'env_missing', 'node-gyp needs a compiler');
      await world.offer(runId, { type: 'command.discovery.start' }, input);
      continue;
    }
    world.passes(6 * MINUTE);
    await world.offer(
      runId,
      ...inputsToCard({ ...changeOf(repo), fields: { title: 'Replace the retired HTTP client by fetch' } }),
    );
    const run = await ledger.query.run(runId);
    const at = odd.includes(repo) ? 47 : usualOnes++;
    if (at >= 39 || !run?.gate.approval) continue;
    const { id: approvalId, digest } = run.gate.approval;
    await world.offer(
      runId,
      { type: 'command.pr.approve', by: ana, approvalId, digest },
      {
        type: 'worker.pr.opened',
        approvalId,
        pull: `#${i + 3}`,
        url: `https://github.com/${repo}/pull/${i + 3}`,
        adopted: false,
      },
    );
    if (at >= 30) continue;
    world.passes(7 * MINUTE);
    const merged = {
      type: 'forge.pull.observed',
      state: 'closed',
      merged: true,
      headSha: HEAD,
      by: 'zoe',
    } as const;
    await world.offer(runId, { ...merged, pull: `#${i + 3}` });
  }
  world.passes(3 * HOUR);
  return `/board/campaign/${CAMPAIGN}`;
};
