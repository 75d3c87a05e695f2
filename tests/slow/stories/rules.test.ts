/**
 * E7, P3, G8 through the real process: a ban is read and answered from the phone, and rules that
 * change meanwhile are shown.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleDirectory, type ChatMessage, type RepoHandle } from '#playground';
import type { Run } from '#run';
import { approves, cardFor, tapOn } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { QUICK_AGENT, quickOrder } from '../../support/quick-change.ts';

const BAN = 'AI-generated contributions are not accepted in the chat.';

describe('the rules of a repository', () => {
  let product: Product;
  const repos = new Map<string, RepoHandle>();
  const repo = (name: string): RepoHandle => repos.get(name) as RepoHandle;
  const run = (name: string): Run => product.run(`acme/${name}`) as Run;
  const shows = (name: string, like: RegExp): Promise<ChatMessage> =>
    product.ana.waitForMessage(
      (m) => m.from === 'bot' && m.text.includes(`acme/${name}`) && like.test(m.text),
      { deadlineMs: PATIENCE, what: `${name}: ${like}` },
    );

  beforeAll(async () => {
    product = await createProduct({ script: QUICK_AGENT, config: { maxParallelRuns: 2 } });
    product.start();
    for (const name of ['banned', 'stricter']) {
      repos.set(name, await product.github.addRepo({ owner: 'acme', name, from: sampleDirectory() }));
      if (name === 'banned') await repo(name).advance({ 'CONTRIBUTING.md': `# Contributing\n\n${BAN}\n` });
      product.ana.sends(quickOrder(`acme/${name}`));
    }
  }, 240_000);
  afterAll(() => product.close());

  it('P3: a ban asks a person before an agent costs anything, and goes on by an approver’s word, which each card shows', async () => {
    const call = await shows('banned', /NEEDS YOU[^]*does not want such changes/);
    expect(call.text).toContain(`“${BAN}” (CONTRIBUTING.md:3)`);
    expect(run('banned')).toMatchObject({
      lifecycle: { state: 'NEEDS_HUMAN_REVIEW', usage: { inputTokens: 0 } },
    });
    product.ana.sends('It is about messages of the chat.', { replyTo: call.messageId });
    const asked = await shows('banned', /^Tap to do this\n[^]*counts as high risk/);
    expect(await tapOn(product.ana, asked, /^This rule is about something else$/)).toBe('Recorded.');
    // The run's message says it first, and then each card.
    const card = await cardFor(product.ana, 'acme/banned', /^Open PR\b/);
    expect(card.text).toMatch(/says that this rule is about something else \(It is about messages/);
    expect(card.text).toMatch(/high/i);
    expect(run('banned').target.overruledBans).toMatchObject([
      { quote: BAN, file: 'CONTRIBUTING.md', why: 'It is about messages of the chat.' },
    ]);
    expect(JSON.parse((await product.cli(['replay', '--all', '--json'])).out)).toMatchObject({
      findings: [],
    });
  });

  it('G8: a rule that came since the card was shown stops the opening, and the new card quotes it', async () => {
    await cardFor(product.ana, 'acme/stricter');
    await repo('stricter').advance({
      'CONTRIBUTING.md': 'All pull requests must be submitted by a human contributor.\n',
    });
    expect(await approves(product.ana, 'acme/stricter')).toBe('Recorded: approved.');
    await shows('stricter', /asks for more now: “All pull requests must be submitted by a human contributor/);
    expect(repo('stricter').pulls).toEqual([]);
    expect(await approves(product.ana, 'acme/stricter')).toBe('Recorded: approved.');
    await shows('stricter', /Pull request #\d+ opened/);
    const kinds = run('stricter').gate.consumedApproval?.fields.rules.map((r) => r.kind);
    expect(kinds).toContain('human_author');
  });
});
