/** G10: rules of who approves, when and how many are opened, configured as a user does, with restarts between. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampleDirectory, type Person } from '#playground';
import { cardFor, tapOn } from '../../support/approves.ts';
import { createProduct, PATIENCE, type Product } from '../../support/product.ts';
import { quickOrder, QUICK_AGENT } from '../../support/quick-change.ts';
import { reasonOf } from '../../support/english.ts';

const BEN = { id: '2002', name: 'Ben', role: 'approver' } as const;
const CY = { id: '3003', name: 'Cy', role: 'approver' } as const;
const WITHIN = { deadlineMs: PATIENCE };
const HOUR = 3_600_000;
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** Hours that do not hold for the next day. */
const otherDay = (): string =>
  `${DAYS[(new Date(Date.now() + 24 * HOUR * 3).getUTCDay() + 7) % 7]} 00:00-24:00 UTC`;

describe('approvals by rule', () => {
  let product: Product;
  let ana: Person;

  beforeAll(async () => {
    const script = `mkdir -p db && echo 'select 1;' > db/a.sql; ${QUICK_AGENT}`;
    product = await createProduct({
      script,
      users: [BEN, CY],
      config: {
        policies: {
          groups: { dba: [BEN.id] },
          custom: [
            {
              id: 'sql-needs-two',
              when: { paths: ['*.sql'], repos: ['acme/two'] },
              verdict: 'escalate',
              reason: 'Two approvers read each change of a table',
              approvals: 2,
            },
            {
              id: 'dba-reads-sql',
              when: { paths: ['*.sql'], repos: ['acme/two'] },
              verdict: 'escalate',
              reason: 'Database people read it',
              approvers: ['@dba'],
            },
          ],
        },
        openings: { repositories: { 'acme/closed': { hours: otherDay() } } },
        caps: { openPerOwner: 2 },
      },
    });
    ({ ana } = product);
    product.start();
  }, 180_000);
  afterAll(() => product.close());

  const orders = async (name: string): Promise<void> => {
    const repo = await product.github.addRepo({ owner: 'acme', name, from: sampleDirectory() });
    ana.sends(quickOrder(repo.fullName));
  };
  const pullsOf = (name: string): number => product.github.repo(`acme/${name}`).pulls.length;
  const approves = async (who: Person, name: string): Promise<void> => {
    await tapOn(who, await cardFor(who, `acme/${name}`, /^Open PR\b/), /^Open PR\b/);
    await tapOn(who, await cardFor(who, `acme/${name}`, /^Confirm\b/), /^Confirm\b/);
  };
  const waitsWith = (name: string, like: RegExp) =>
    product.waitFor(
      () => {
        const run = product.run(`acme/${name}`);
        return run && like.test(reasonOf(run)) ? run : null;
      },
      { what: `acme/${name} to wait: ${like}` },
    );

  /** Another life, some minutes later: what waits is looked at each minute. */
  const restarts = async (): Promise<void> => {
    await product.kill();
    const later = join(product.dir, 'later.mjs');
    writeFileSync(later, 'const now = Date.now; Date.now = () => now() + 120_000;\n');
    product.start({ preload: later });
  };

  it('G10: two approvals, hours and a free place are waited for over restarts, and each is said; an admin opens it now', async () => {
    for (const name of ['two', 'closed', 'third']) await orders(name);
    const card = await cardFor(ana, 'acme/two', /^Open PR\b/);
    expect(card.text).toContain('2 people must approve this');
    await approves(ana, 'two');
    await ana.waitForMessage(/1 of 2 approvals: Ana · still needs one of @dba/, WITHIN);
    await approves(ana, 'closed');
    await waitsWith('closed', /nothing is opened outside of its hours/);
    await product.restart();

    const { id } = product.run('acme/two') ?? { id: '' };
    const types = async ({ id: who, name }: typeof BEN | typeof CY, answer: RegExp): Promise<void> => {
      const person = product.telegram.person(Number(who), name);
      person.sends(`/approve_open_pr ${id}`);
      await cardFor(person, 'acme/two', /^Open PR\b/);
      person.sends(`/approve_open_pr ${id} --confirm`);
      await person.waitForMessage(answer, WITHIN);
    };
    await types(CY, /it still needs one of @dba/);
    expect(pullsOf('two')).toBe(0);
    await types(BEN, /acme\/two/);
    await product.waitFor(() => pullsOf('two') === 1, { what: 'the pull request to be opened' });
    const { out } = await product.cli(['policy', 'explain', id]);
    expect(out).toContain('Two approvers read each change of a table: db/a.sql (2 approvals)');
    expect(out).toContain('(one approval of @dba)');

    await ana.waitForMessage(/Approved · acme\/closed[^]*outside of its hours/, WITHIN);
    expect(pullsOf('closed')).toBe(0);
    ana.sends('/status');
    await ana.waitForMessage(/acme\/closed/, WITHIN);
    const held = await cardFor(ana, 'acme/closed', /^Open now\b/);
    await tapOn(ana, held, /^Open now\b/);
    await product.waitFor(() => pullsOf('closed') === 1, { what: 'the pull request to be opened' });
    expect(product.run('acme/closed')?.gate.consumedApproval?.openNow).toBe('Ana');

    await approves(ana, 'third');
    await waitsWith('third', /one of the 2 that are open with this owner/);
    expect(pullsOf('third')).toBe(0);
    await product.github.repo('acme/two').merge(1);
    await product.waitForState('DONE', 'acme/two');
    await restarts();
    await product.waitFor(() => pullsOf('third') === 1, { what: 'the place to be free, and taken' });
  });
});
