/** Cost of each run of a campaign with equal changes, and work for its approver. */
import { setTimeout as pause } from 'node:timers/promises';
import { LANGUAGE_TEXTS } from '#language';
import { renderCluster } from '../../bot/views/cluster-card.ts';
import { openLedger } from '../../db/directory/open-ledger.ts';
import { CampaignLimits, CampaignPace } from '#model/campaign';
import { RunBounds } from '#model/limits';
import { likenessOf } from '../../orchestrator/clusters/compare-changes.ts';
import { varyingValuesOf } from '../../orchestrator/clusters/varying-values.ts';
import type { ApprovalRow } from '#ports/ledger';
import { createRandom } from '../../tests/prove/random.ts';
import { plantedCampaign, REAL } from '../../tests/support/codemod.ts';
import { at } from '../../tests/support/core.ts';
import { campaignPlanInboxItem } from '#campaigns';
import { ANA, startHost, type Host } from '../host.ts';
import { quantile } from '../measure.ts';
import { forgetPeak, peakMb, processorSeconds } from '../processes.ts';
import { amountOf, type Measurement, type Row } from '../row.ts';

const LONGEST_MS = 450_000;
const LOOK_MS = 200;
const OWNERS = 10;
/** Equal trees, because our own cost is measured. */
const TREE = {
  'package.json': '{ "name": "one-of-many", "private": true, "scripts": { "test": "test -s note.txt" } }\n',
  'note.txt': 'alpha\n',
};
const SCRIPT = "sed -i 's/alpha/beta/' note.txt";
const GOAL = 'Say beta in the note';
const BUTTON = /^\W*(?:Start|Approve|Open PR|Confirm)\b/;

const addRepos = async ({ github }: Host, n: number): Promise<string[]> => {
  const names: string[] = [];
  for (let i = 0; i < n; i += 1) {
    const { fullName } = await github.addRepo({
      owner: `team-${i % OWNERS}`,
      name: `service-${i}`,
      from: TREE,
    });
    names.push(fullName);
  }
  return names;
};

/** Paced so that widening does not wait for tomorrow. */
const order = async ({ dataDir }: Host, repos: readonly string[]): Promise<void> => {
  const ledger = await openLedger({ dataDir, now: Date.now });
  const most = repos.length;
  const run = {
    goal: GOAL,
    base: null,
    branch: null,
    title: null,
    engine: 'script',
    engineArgs: [SCRIPT],
    promptVersion: 'v1',
    checks: [],
    requester: { id: String(ANA), name: 'Ana' },
    decider: null,
    chat: String(ANA),
    flow: 'direct' as const,
    discovery: 'files' as const,
    bounds: RunBounds.parse({ noCiMs: 1_000, pollMs: 2_000 }),
  };
  const note = campaignPlanInboxItem('bench:campaign', {
    id: 'c-bench2',
    name: 'Beta',
    run,
    chat: String(ANA),
    requester: run.requester,
    named: repos.map((repo) => ({ repo, host: null, vars: {} })),
    pace: CampaignPace.parse({ canary: 3, steps: [50, 150, 300] }),
    limits: CampaignLimits.parse({ perDay: most, perOwner: most, open: most, queued: most }),
  });
  await ledger.receive([note], Date.now());
  await ledger.close();
};

/** Returns the number of taps until every repository has its pull request. */
const approveAll = async (
  { ana, github }: Host,
  repos: readonly string[],
  third: () => void,
): Promise<number> => {
  const until = performance.now() + LONGEST_MS;
  const pressed = new Set<string>();
  const opened = (): number => repos.filter((name) => github.repo(name).pulls.length === 1).length;
  let warm = false;
  while (opened() < repos.length) {
    if (!warm && opened() * 3 >= repos.length) {
      warm = true;
      third();
    }
    if (performance.now() > until)
      throw new Error(`Only ${opened()} of ${repos.length} repositories had a pull request.`);
    for (const { messageId, buttons } of ana.messages()) {
      const text = buttons.flat().find((b) => BUTTON.test(b.text))?.text;
      if (text === undefined || pressed.has(`${messageId} ${text}`)) continue;
      pressed.add(`${messageId} ${text}`);
      await ana.taps({ message: messageId, text }).answered();
    }
    await pause(LOOK_MS);
  }
  return pressed.size;
};

const measure = async (n: number): Promise<Row[]> => {
  const host = await startHost({ settings: { script: SCRIPT, maxParallelRuns: 6 } });
  try {
    const repos = await addRepos(host, n);
    await order(host, repos);
    const product = await host.start();
    const [used, began] = [processorSeconds(product.pid), performance.now()];
    let rest = NaN;
    const third = (): void => {
      rest = peakMb(product.pid);
      forgetPeak(product.pid);
    };
    const taps = await approveAll(host, repos, third).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw new Error(`The campaign did not come through: ${why}\n${product.stderr().slice(-2_000)}`, {
        cause: error,
      });
    });
    const seconds = (performance.now() - began) / 1_000;
    const sounds = host.ana.messages().filter(({ from, silent }) => from !== 'Ana' && !silent).length;
    const about = `${n} repositories of ${OWNERS} owners, the same change in each; ${seconds.toFixed(0)} s from the start to the last pull request`;
    return [
      {
        name: 'campaign-processor',
        unit: 's',
        bar: { is: '<=', at: 0.3 },
        value: (processorSeconds(product.pid) - used) / n,
        note: `of our own process, a run: ${about}`,
      },
      {
        name: 'campaign-taps',
        unit: 'taps',
        bar: { is: '<=', at: 12 },
        value: taps,
        note: 'of the approver, the start included; all changes are alike',
      },
      {
        name: 'campaign-sounds',
        unit: 'sounds',
        bar: { is: '<=', at: 6 },
        value: sounds,
        note: 'messages that rang',
      },
      {
        name: 'campaign-memory',
        unit: 'MB',
        bar: { is: '<=', at: 0.1 },
        value: (peakMb(product.pid) - rest) / ((n * 2) / 3),
        note: `by how much the peak of the resident memory (${rest.toFixed(0)} MB for the first third) grew with each further run`,
      },
    ];
  } finally {
    await host.close();
  }
};

/** 30 of 300 changes hide something that looks equal on a card. */
const outliers = (): Row => {
  const all = plantedCampaign(300, createRandom(18)).map(({ planted, sample }) => ({
    planted,
    key:
      likenessOf(sample, varyingValuesOf({ id: sample.run.id, repo: sample.run.order.repo }, {}))?.key ??
      null,
  }));
  const usual = all.find(({ planted }) => planted === null)?.key;
  const hidden = all.filter(({ planted }) => planted !== null);
  const inside = hidden.filter(({ key }) => key !== null && key === usual).length;
  const alike = all.filter(({ planted, key }) => planted === null && key === usual).length;
  return {
    name: 'campaign-outliers',
    unit: 'outliers',
    bar: { is: '=', at: 0 },
    value: inside,
    note: `of ${hidden.length} that were planted, inside the group of the others; ${alike} of ${all.length - hidden.length} alike ones are in it`,
  };
};

const CARD = 200;
const TIMES = 50;
const card = (): Row => {
  const { run } = at('PUSHED');
  const {
    gate: { approval },
  } = run;
  if (!approval) throw new Error('there is no card');
  const members = Array.from({ length: CARD }, (_, i) => ({
    member: { run: `r${i}`, approval: approval.id, digest: approval.digest, around: '' },
    run: { ...run, id: `r${i}`, order: { ...run.order, repo: `team-${i % OWNERS}/service-${i}` } },
    approval: { ...approval, state: 'open' } as unknown as ApprovalRow,
  }));
  const view = {
    ...({ view: 'cluster', campaign: 'c-bench2', kind: 'open_pr', apart: 0, left: CARD } as const),
    members: members.map(({ member }) => member),
    armedBy: null,
    armedUntil: null,
  };
  const common = { title: GOAL, text: REAL[0]?.text.repeat(20) ?? '' };
  const scene = { members, common, name: 'Beta', now: run.lifecycle.stateEnteredAt };
  const times = Array.from({ length: TIMES }, () => {
    const began = performance.now();
    const { html } = renderCluster(view, scene, LANGUAGE_TEXTS.en);
    if (!html.includes(String(CARD))) throw new Error(`the card does not speak of ${CARD}:\n${html}`);
    return performance.now() - began;
  });
  return {
    name: 'campaign-card',
    unit: 'ms',
    bar: { is: '<=', at: 50 },
    value: quantile(times, 0.95),
    note: `the card of ${CARD} alike changes, drawn ${TIMES} times, p95; the slowest took ${Math.max(...times).toFixed(1)} ms`,
  };
};

export const campaign: Measurement = {
  name: 'campaign',
  about: 'a campaign of alike changes: our processor time a run, memory, taps and sounds',
  run: async (options) => [outliers(), card(), ...(await measure(amountOf(options, 24, 60, 300)))],
};
