/**
 * What the approver sees: whatever is planted in a change can be read from the phone, or the change
 * is stopped. Twice with each kind of plant; `npm run prove` has 2,000 of them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApprover, type Approver } from '../../support/approver.ts';
import { tapOn } from '../../support/approves.ts';
import { withButton } from '../../support/persistent-person.ts';
import { original } from '../../support/original.ts';
import { PLANTS } from '../../support/plants.ts';
import { PATIENCE } from '../../support/product.ts';
import { createScene, type Scene } from './hostile/scene.ts';
import { reasonOf } from '../../support/english.ts';

/** A seed takes the next kind. */
const SHARE = Object.keys(PLANTS).length;
const SEEDS = 2 * SHARE;

describe('what the approver sees', () => {
  /** Each looks at every other change: most of the time goes into waiting for git. */
  let approvers: Approver[];
  const seen = new Map<string, number>();
  beforeAll(async () => {
    approvers = await Promise.all([createApprover(), createApprover()]);
  });
  afterAll(() => Promise.all(approvers.map((one) => one.close())));

  const looks = async (approver: Approver, seeds: readonly number[]): Promise<string[]> => {
    const found: string[] = [];
    for (const seed of seeds) {
      const { plant, stopped, complaints } = await approver.looks(seed);
      found.push(...complaints.map((c) => `seed ${seed}: ${c}`));
      if (!stopped) seen.set(plant, (seen.get(plant) ?? 0) + 1);
    }
    return found;
  };

  it.each(Array.from({ length: SEEDS / SHARE }, (_, i) => i * SHARE))(
    `G8: of ${SHARE} changes with one planted line, from seed %i on, each can be read or is stopped`,
    async (from) => {
      const seeds = Array.from({ length: SHARE }, (_, i) => from + i);
      const found = await Promise.all(
        approvers.map((one, which) =>
          looks(
            one,
            seeds.filter((seed) => seed % approvers.length === which),
          ),
        ),
      );
      expect(found.flat()).toEqual([]);
    },
    240_000,
  );

  it('G8: and most are read, not stopped', () => {
    const never = Object.keys(PLANTS).filter((plant) => !seen.has(plant));
    expect(never).toEqual(['in more than a file holds']);
    expect([...seen.values()].reduce((a, b) => a + b, 0)).toBeGreaterThan(SEEDS * 0.7);
  });
});

const LONG = `awk 'BEGIN { for (i = 0; i < 198; i++) { s = ""; for (j = 0; j < 500; j++) s = s "0123456789"; print s }; print "evil(198)" }' >>README.md`;

describe('what the approver sees on a phone', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await createScene();
    await scene.starts('utf16', { script: `printf 'e\\0v\\0i\\0l\\0(\\0)\\0\\n\\0' >new.txt` });
    await scene.starts('long', { script: LONG });
    await scene.starts('said', {
      script: 'echo more >>README.md; echo "Done, see https://evil.example and #1"',
    });
    await scene.starts('much', { script: 'head -c 4000000 /dev/urandom >much.bin' });
  });
  afterAll(() => scene.close());

  /** All that two taps on the card of a repository bring. */
  const behindCard = async (name: string): Promise<Buffer> => {
    const { ana } = scene.product;
    const card = await ana.waitForMessage(
      (m) => withButton(/^(?:Open PR|Push)\b/)(m) && m.text.includes(`acme/${name}`),
      { deadlineMs: PATIENCE, what: `a card for ${name}` },
    );
    const { id } = scene.run(name);
    const since = ana.messages().length;
    for (const button of [/^Diff$/, /^PR text$/]) await tapOn(ana, card, button);
    const brought = await ana.waitFor(
      () => {
        const all = ana
          .messages()
          .slice(since)
          .filter((m) => m.document?.name.includes(id) || m.text.includes(id));
        return all.some((m) => m.document?.name.endsWith('.patch')) &&
          all.some((m) => /Branch/.test(m.text + (m.document?.content.toString() ?? '')))
          ? all
          : null;
      },
      { deadlineMs: PATIENCE, what: `diff and text of ${name}` },
    );
    return Buffer.concat(brought.map((m) => original(m.document?.content.toString() ?? m.text)));
  };

  it('G8: text in UTF-16, which git takes for binary', async () => {
    expect((await behindCard('utf16')).includes(Buffer.from('evil()', 'utf16le'))).toBe(true);
  });
  it('G8: the last of 198 long lines, and of all the others', async () => {
    const read = await behindCard('long');
    expect(read.includes('+evil(198)')).toBe(true);
    expect(read.length).toBeGreaterThan(198 * 5_000);
  });
  it('G8: the words of the script engine, and nothing in them to tap', async () => {
    const read = (await behindCard('said')).toString();
    // What no line of the change bears out is not published at all.
    expect(read).toContain('Description of the pull request');
    expect(read).not.toContain('evil.example');
  });
  it('G8: nothing, when it fits no file: then nobody is asked to sign', async () => {
    const run = await scene.product.waitForState('NEEDS_HUMAN_REVIEW', 'acme/much');
    expect(reasonOf(run)).toMatch(/nobody could read the change in the chat/);
    expect(run.gate.approval).toBeNull();
    expect(await scene.repo('much').head(run.change.pushedHead?.branch ?? 'feature/agentpr-x')).toBeNull();
  });
});
