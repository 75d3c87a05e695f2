/** E9, E10: what a round offers a person in place of what it asks, and what becomes of a pick. */
import { describe, expect, it } from 'vitest';
import { ENGLISH_WORDING } from '#language';
import { permissionsOf, type Run } from '#run';
import type { RunPermissions } from '../../orchestrator/kernel/run/permissions.ts';
import type { EffectContext } from '#kernel';
import type { ClaimedEffect } from '#ports/steps';
import type { PermissionRequest } from '#ports/processes';
import { createPermissionDecider } from '../../orchestrator/kernel/rounds/decide-permission.io.ts';
import { ROUND_WITHOUT_FEEDBACK } from '../../orchestrator/kernel/run/round-table.ts';
import { DEFAULT_POLICY_SETTINGS } from '#model/settings';
import { at } from '../support/core.ts';

const request = (command: string): PermissionRequest => ({
  tool: 'execute',
  input: JSON.stringify({ command }),
  command,
  files: null,
  editable: true,
});
const ASKS = 'touch a && chmod 700 a';
const OTHER = 'touch b && chmod 700 b';

const roundOf = (permissions: Partial<RunPermissions> = {}, lent: string[] = []) => {
  const { run: one } = at('IMPLEMENTING');
  const run: Run = {
    ...one,
    agent: { ...one.agent, permissions: { ...permissionsOf(one), ...permissions } },
  };
  const used: object[] = [];
  const parts = {
    ledger: { query: { run: async () => run } },
    submit: async ({ input }: { input: object }) => (used.push(input), { kind: 'written', run }),
    settings: { policies: DEFAULT_POLICY_SETTINGS },
    texts: {
      wording: ENGLISH_WORDING,
      lent: { namesIn: (text: string) => lent.filter((secret) => text.includes(secret)) },
    },
  };
  const claim = { id: 'e1', runId: run.id, epoch: run.lifecycle.epoch, leaseEpoch: 1 };
  const asking = createPermissionDecider(
    parts as unknown as EffectContext,
    claim as ClaimedEffect,
    ROUND_WITHOUT_FEEDBACK,
  );
  return { ...asking, used };
};
const asked = (...commands: string[]): PermissionRequest => ({
  ...request(ASKS),
  alternatives: commands.map((command, i) => ({ proposer: `p${i}`, request: request(command) })),
});

describe('E9: proposals beside the one that is asked about', () => {
  it('are judged as it is: with their digest, their risk and what policies say against them', async () => {
    const { ask, question } = roundOf();
    expect(await ask(asked(OTHER, 'ls'))).toMatchObject({ kind: 'wait' });
    expect(question()?.alternatives).toMatchObject([
      { proposer: 'p0', tool: 'execute', input: request(OTHER).input, risk: 'high' },
      { proposer: 'p1', risk: 'low', objections: [] },
    ]);
    const [first] = question()?.alternatives ?? [];
    expect(first?.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(first?.digest).not.toBe(question()?.digest);
    expect(first?.objections.length).toBeGreaterThan(0);
  });

  it('are left out where nobody could allow them: denied, refused before, unreadable, with a lent secret', async () => {
    const before = roundOf();
    await before.ask(request(OTHER));
    const refusals = [{ digest: before.question()?.digest ?? '', by: 'Ana', note: '' }];
    const { ask, question } = roundOf({ refusals }, ['sk-1']);
    const long = `touch ${'x'.repeat(3_000)} && chmod 700 x`;
    expect(await ask(asked('sudo rm -rf /', OTHER, long, 'ls sk-1'))).toMatchObject({ kind: 'wait' });
    expect(question()?.alternatives).toBeUndefined();
  });

  it.each([OTHER, 'ls'])('a pick is weighed as granted, and its grant is used once: %s', async (command) => {
    const before = roundOf();
    await before.ask(asked(command));
    const digest = before.question()?.alternatives?.[0]?.digest ?? '';
    const { ask, weigh, used } = roundOf({ grants: [{ id: 'q1', digest, by: 'Ana' }] });
    expect(await weigh(request(command))).toMatchObject({ verdict: 'granted', by: 'Ana' });
    expect(await weigh(request('pwd'))).not.toHaveProperty('by');
    expect(used).toEqual([]);
    expect(await ask(request(command))).toMatchObject({ kind: 'allow', by: 'Ana' });
    expect(used).toEqual([{ type: 'worker.permission.used', grant: 'q1', digest }]);
  });

  it('P1: a policy that denies it goes before the pick', async () => {
    const { weigh, ask } = roundOf({ grants: [{ id: 'q1', digest: 'x', by: 'Ana' }] });
    expect(await weigh(request('sudo rm -rf /'))).toMatchObject({ verdict: 'deny' });
    expect(await ask(request('sudo rm -rf /'))).toMatchObject({ kind: 'deny' });
  });
});
