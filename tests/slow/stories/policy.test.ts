/**
 * Policies through the real process: what is denied says why on the phone, and what is rejected
 * reaches the agent.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleDirectory, type ChatMessage, type Person } from '#playground';
import { approves, cardFor, tapOn } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { askForChange, QUICK_AGENT, quickOrder } from '../../support/quick-change.ts';
import { reasonOf } from '../../support/english.ts';

const WITHIN = { deadlineMs: PATIENCE };
const by =
  (repo: string, like: RegExp) =>
  (m: ChatMessage): boolean =>
    m.from === 'bot' && m.text.includes(repo) && like.test(m.text);

describe('policies', () => {
  let product: Product;
  let ana: Person;

  beforeAll(async () => {
    const custom = [
      {
        id: 'freeze',
        when: { actions: ['open_pr'], repos: ['acme/frozen'] },
        verdict: 'deny',
        reason: 'No changes before Monday',
      },
      {
        id: 'look-twice',
        when: { actions: ['push'], repos: ['acme/asked'] },
        verdict: 'escalate',
        reason: 'Two pairs of eyes',
      },
    ];
    // Does what it is told in a rejection, and else mends the bug.
    const script = `if grep -q 'call it first'; then echo first >> README.md; else ${QUICK_AGENT}; fi`;
    product = await createProduct({ script, config: { policies: { custom } } });
    ({ ana } = product);
    product.start();
  }, 180_000);
  afterAll(() => product.close());

  it('P3: a denied opening says on the phone which policy it was, and what can be done', async () => {
    await askForChange(product, 'frozen');
    const { id } = await product.waitForState('NEEDS_HUMAN_REVIEW', 'acme/frozen');
    const told = await ana.waitForMessage(by('acme/frozen', /NEEDS YOU/), WITHIN);
    expect(told.text).toContain('custom:freeze: No changes before Monday');
    await tapOn(ana, told, /^Which policy/);
    const why = await ana.waitForMessage(/opening · denied/, WITHIN);
    expect(why.text).toMatch(/✘ custom:freeze No changes before Monday/);
    expect(why.text).toContain('Nobody can sign this');
    ana.sends(`/detail ${id}`);
    await ana.waitForMessage(/Policies\nopening · denied[^]*custom:freeze/, WITHIN);
    const { out } = await product.cli(['policy', 'explain', id]);
    expect(out).toMatch(/The last opening of a pull request .*denied/);
    expect(product.github.repo('acme/frozen').pulls).toEqual([]);
  });

  it('P3, P4: a card names the policy that asks, and a reason to refuse reaches the agent as its next task', async () => {
    await askForChange(product, 'asked');
    const card = await cardFor(ana, 'acme/asked', /^Open PR\b/);
    expect(card.text).toContain('⚠ Two pairs of eyes');
    await tapOn(ana, card, /^More$/);
    await ana.waitForMessage(/custom:look-twice/, WITHIN);
    const { id } = product.run('acme/asked') ?? { id: '' };
    ana.sends(`/deny ${id} Please call it first`);
    const again = await product.waitFor(
      () => {
        const run = product.run('acme/asked');
        return run?.gate.approval && run.change.commit?.diff.files.some((f) => f.path === 'README.md')
          ? run
          : null;
      },
      { what: 'a new card for what the agent made of the rejection' },
    );
    expect(again.lifecycle.state).toBe('LOCAL_VALIDATING');
  });

  const fromSample = async (name: string, files: Record<string, string>) => {
    const repo = await product.github.addRepo({ owner: 'acme', name, from: sampleDirectory() });
    await repo.advance(files);
    ana.sends(quickOrder(repo.fullName));
    return repo;
  };

  it('P1: what a repository forbids holds as its base has it, whatever the agent writes over it', async () => {
    const mend = "sed -i 's/factor \\*\\* failed,/factor ** (failed - 1),/' src/waits.js";
    await fromSample('guarded', {
      '.agentpr.json': '{"policies":{"forbiddenPaths":["src/**"]}}',
      'agent.sh': `echo '{}' > .agentpr.json\n${mend}\n`,
    });
    const run = await product.waitForState('NEEDS_HUMAN_REVIEW', 'acme/guarded');
    expect(reasonOf(run)).toContain('forbidden-paths: these paths may not be changed: src/waits.js');
    expect(run.change.evaluation?.assessment.reasons.map((r) => r.policy)).toContain('agent-config-changed');
    expect(run.change.pushedHead).toBeNull();
  });

  it('P1: a file that cannot be read stops the run in words, and goes on once it is fixed', async () => {
    const repo = await fromSample('broken', { '.agentpr.json': '{"policies":{"maxFile":1}}' });
    const stopped = await product.waitForState('NEEDS_HUMAN_REVIEW', 'acme/broken');
    expect(reasonOf(stopped)).toMatch(
      /`\.agentpr\.json` cannot be read\. Fix it on its base branch.*maxFile/,
    );
    const asksGroup = {
      policies: {
        custom: [
          { id: 'x', when: { paths: ['*'] }, verdict: 'escalate', reason: 'y', approvers: ['@nobody'] },
        ],
      },
    };
    await repo.advance({ '.agentpr.json': JSON.stringify(asksGroup) });
    ana.sends(`/retry ${stopped.id}`);
    const again = await product.waitFor(() => {
      const run = product.run('acme/broken');
      return run && /no group @nobody/.test(reasonOf(run)) ? run : null;
    });
    expect(reasonOf(again)).toContain('.agentpr.json:1: policies.custom #1.approvers');
    await repo.advance({ '.agentpr.json': '{"policies":{"maxFiles":1}}' });
    ana.sends(`/retry ${stopped.id}`);
    await product.waitForState('PUSHED', 'acme/broken');
    ana.sends(`/plan ${stopped.id}`);
    await ana.waitForMessage(/\.agentpr\.json maxFiles 1/, WITHIN);
  });

  it('P4: other words are judged anew and sealed on a new card; those that would raise the risk are refused', async () => {
    const repo = await fromSample('worded', { 'NOTES.md': 'Nothing yet.' });
    const first = await product.waitForState('PUSHED', 'acme/worded');
    const digest = first.gate.proposal?.digest ?? '';
    ana.sends(`/edit ${first.id} title="Thanks to @torvalds"`);
    await ana.waitForMessage(/The wording was not changed: the new words raise the risk/, WITHIN);
    expect(product.run(first.id)?.gate.proposal?.digest).toBe(digest);
    // The command line may change words, and never approves them.
    const said = await product.cli(['run', 'modify', first.id, '--title', 'By the host']);
    expect([said.code, said.err]).toEqual([0, '']);
    const byHost = await product.waitFor(() => {
      const now = product.run(first.id);
      return now?.gate.editedPrText?.title === 'By the host' ? now : null;
    });
    expect(byHost).toMatchObject({
      lifecycle: { state: 'PUSHED' },
      gate: { consumedApproval: null, editedPrText: { original: digest } },
    });
    const worded = byHost.gate.proposal?.digest ?? '';
    ana.sends(
      `/edit ${first.id} title="Start with the first wait" description="As the README says." shorter`,
    );
    const run = await product.waitFor(() => {
      const now = product.run(first.id);
      return now?.gate.proposal && now.gate.proposal.digest !== worded ? now : null;
    });
    expect(run.gate.editedPrText).toMatchObject({ by: 'Ana', reason: 'shorter' });
    const card = await ana.waitForMessage(
      by('acme/worded', /Open this[^]*Start with the first wait[^]*words changed by Ana/),
      WITHIN,
    );
    await approves(ana, 'acme/worded');
    await product.waitForState(['CI_WAIT', 'REVIEW_WAIT'], 'acme/worded');
    expect(card.text).toContain('Start with the first wait');
    expect(repo.pulls).toMatchObject([{ title: 'Start with the first wait' }]);
    expect(repo.pulls[0]?.body).toMatch(
      /As the README says\.[^]*a person wrote this description and approved exactly this content/,
    );
  });
});
