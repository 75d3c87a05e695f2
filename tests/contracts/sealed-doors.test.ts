/**
 * G2: each field of the seal by itself: it is what the world holds, and nothing becomes public where
 * one of them is not what was signed. G6, P1, E16: what both doors ask before they act.
 */
import { describe, expect, it } from 'vitest';
import { gatherPullProposal, gatherPushProposal } from '../../orchestrator/kernel/gate/gather-proposal.io.ts';
import { patchRun } from '../../orchestrator/kernel/run/run.ts';
import type { Run } from '#run';
import { DEFAULT_POLICY_SETTINGS } from '#model/settings';
import { canonicalJson, type SealFields } from '#model/seal';
import { sha256Hex } from '../../orchestrator/kernel/runtime/content-hash.ts';
import { ana, assessment, at, commit, confirm, contract, sha } from '../support/core.ts';
import {
  createDoorWorld,
  doorRepo,
  type DoorWorld,
  evaluated,
  inFork,
  opening,
  said,
  signed,
  signedForBoth,
  unsigned,
} from '../support/doors.ts';
import { file } from '../support/ready-run.ts';
import { SEALED_FIELDS, withOther } from '../support/sealed-fields.ts';

const same = (run: Run): Run => run;
/** How the card that comes next names a field that differs. */
const differsIn = (field: keyof SealFields): unknown => {
  const named = { rules: { kind: 'rules' }, assessment: { kind: 'judgement' } };
  const difference: unknown = field in named ? named[field as keyof typeof named] : { kind: 'field', field };
  const differences: unknown = expect.arrayContaining([expect.objectContaining(difference as object)]);
  return { class: 'seal_moved', differences };
};

describe('each field of a seal', () => {
  it('G2: is what git, the code host, the policies and the checks say', async () => {
    const rule = { kind: 'dco', quote: 'Sign your work.', file: 'CONTRIBUTING.md' } as const;
    const check = { name: 'test', command: 'npm test', exitCode: 0, outcome: 'passed' as const };
    const reason = { kind: 'size', files: 1, lines: 900, bytes: 9, overLimit: true } as const;
    const ran = {
      checks: [{ ...check, ms: 1, tail: '' }],
      checkConfigFiles: { files: ['ci.yml'], baseResults: null },
      grade: {
        level: 'NEEDS_REVIEW' as const,
        gradedBy: ['test'],
        reasons: [{ level: 'NEEDS_REVIEW' as const, reason }],
      },
    };
    const answer = { what: 'cla', text: 'Signed in May.', at: 3 } as const;
    const run = inFork(
      patchRun(evaluated(ran)(at('PUSHED').when(confirm()).run), {
        target: {
          base: { ref: 'next', sha: sha('0'), repoId: '1' },
          contract: contract({ rules: [{ ...rule, line: 5 }] }),
          requirementAnswers: [{ ...answer, by: ana }],
        },
        change: { pushedHead: { branch: 'ours', sha: sha('a') } },
      }),
    );
    const { parts } = createDoorWorld(
      () => run,
      () => null,
      { compared: { mergeBase: sha('1'), tree: sha('2'), diff: 'bytes', author: 'we', signer: 'key' } },
    );
    const { fields } = await gatherPullProposal(parts, run, { pushes: true });
    expect(fields).toEqual({
      action: 'open_pr',
      baseRepoId: '1',
      headRepoId: '2',
      baseRef: 'next',
      mergeBase: sha('1'),
      headSha: sha('a'),
      tree: sha('2'),
      diff: 'bytes',
      diffFacts: sha256Hex(canonicalJson(run.change.commit?.diff)),
      branch: 'ours',
      author: 'we',
      signer: 'key',
      title: 'Say hello in French',
      body: expect.stringContaining('`npm test`: passed') as string,
      pushes: true,
      draft: false,
      maintainerCanModify: true,
      conflicts: false,
      policyVersion: fields.assessment.policyVersion,
      assessment: expect.objectContaining({ decision: 'escalate' }) as SealFields['assessment'],
      evidence: [
        { kind: 'check', name: 'test', command: 'npm test', outcome: 'passed' },
        { kind: 'check_config', path: 'ci.yml' },
        { kind: 'answer', ...answer, by: ana.name },
        { kind: 'grade', level: 'NEEDS_REVIEW', reasons: [reason] },
      ],
      rules: [rule],
    } satisfies Required<Omit<SealFields, 'pullBody' | 'setup'>>);
  });

  it('G2, F9: a push that changes a description seals it, and the answers that stand in it', async () => {
    const answer = { what: 'cla', text: 'Signed in May.', at: 3 } as const;
    const run = patchRun(at('LOCAL_VALIDATING').run, {
      target: { requirementAnswers: [{ ...answer, by: ana }] },
    });
    const { parts } = createDoorWorld(
      () => run,
      () => null,
    );
    const seen = { run, repo: doorRepo, checks: [], grade: null, checkConfig: null };
    const sealed = async (body?: string) => {
      const words = body === undefined ? {} : { body };
      const { fields } = await gatherPushProposal(parts, { ...seen, ...words }, assessment());
      return [fields.pullBody, fields.evidence];
    };
    expect(await sealed('As it is now.')).toEqual([
      'As it is now.',
      [{ kind: 'answer', ...answer, by: ana.name }],
    ]);
    expect(await sealed()).toEqual([undefined, []]);
  });

  it('F13: how it opens is sealed from settings, the pattern of its repository and the order', async () => {
    const { run: before } = at('PUSHED').when(confirm());
    const run = evaluated({})({
      ...before,
      order: { ...before.order, pull: { draft: 'until_green', reviewers: ['kim'] } },
    });
    const { repo } = run.order;
    const pull = { labels: ['automated'], repositories: { [repo]: { labels: ['docs'], draft: true } } };
    const sealedWith = async (world: DoorWorld) => {
      const { parts } = createDoorWorld(
        () => run,
        () => null,
        world,
      );
      const { draft, setup } = (await gatherPullProposal(parts, run)).fields;
      return { draft, setup };
    };
    const ours = await sealedWith({ pull });
    expect(ours).toMatchObject({
      draft: true,
      setup: { readyWhenGreen: true, labels: ['automated', 'docs'], reviewers: ['kim'] },
    });
    // In a repository of strangers, labels and people are left to them.
    expect(await sealedWith({ pull, theirs: true })).toMatchObject({
      draft: true,
      setup: { readyWhenGreen: true, labels: [], reviewers: [] },
    });
    expect(
      (await sealedWith({ pull: { repositories: { 'others/*': { draft: true } } } })).setup,
    ).toMatchObject({
      labels: [],
    });
  });

  it.each(SEALED_FIELDS)('G2: opens nothing where the ledger keeps another %s', async (field) => {
    const { world, call } = await opening({}, (run) => {
      const { consumedApproval: consumed } = run.gate;
      if (!consumed) throw new Error('nothing was signed');
      const changed = { ...consumed, fields: withOther(consumed.fields, field) };
      return patchRun(run, { gate: { consumedApproval: changed } });
    });
    expect(await call()).toMatchObject({ input: { differences: [{ kind: 'stored_proposal' }] } });
    expect(world.did).toEqual([]);
  });

  // An opening asks the card itself whether it pushes; a push below does not.
  it.each(SEALED_FIELDS.filter((field) => field !== 'pushes'))(
    'G2: opens nothing where another %s was signed',
    async (field) => {
      const { world, call } = await opening({ signs: (fields) => withOther(fields, field) });
      expect(await call()).toMatchObject({ input: differsIn(field) });
      expect(world.did.filter((d) => d.startsWith('opened'))).toEqual([]);
    },
  );

  it.each(SEALED_FIELDS)('G2: pushes nothing where another %s was signed with the opening', async (field) => {
    const { world, pushes } = await signedForBoth({ signs: (fields) => withOther(fields, field) });
    expect(await pushes()).toMatchObject({ input: differsIn(field) });
    expect(world.did.filter((d) => d.startsWith('pushed'))).toEqual([]);
  });

  it.each(SEALED_FIELDS)('G2: pushes nothing where another %s was signed for the push', async (field) => {
    const { world, call } = await signed({ signs: (fields) => withOther(fields, field) });
    expect(said(await call())[0]).toBe('seal_moved');
    expect(world.did.filter((d) => d.startsWith('pushed'))).toEqual([]);
  });
});

describe('a push into a fork', () => {
  const pushes = async (branch: string) => {
    const world = { fork: { defaultBranch: 'develop' } };
    const door = unsigned(world, (run) => inFork({ ...run, order: { ...run.order, branch } }));
    return { says: said(await door.call()), done: door.world.did.filter((d) => d.startsWith('pushed')) };
  };

  it('P3: never goes to the default branch of the fork itself', async () => {
    expect(await pushes('develop')).toEqual({
      says: ['policy_denied', 'develop is the target branch itself'],
      done: [],
    });
    expect(await pushes('ours')).toEqual({ says: ['worker.push.completed'], done: ['pushed ours'] });
  });
});

describe('a push to an open pull request', () => {
  const fix =
    (autoIterate: boolean) =>
    (run: Run): Run =>
      patchRun(
        { ...run, order: { ...run.order, bounds: { ...run.order.bounds, autoIterate } } },
        { upstream: { pullRequest: { id: '#7', url: 'u', body: 'As it was.' } } },
      );

  it('G6: waits for a signature, unless the order lets fixes of low risk go by themselves', async () => {
    const asked = unsigned({}, fix(false));
    expect(said(await asked.call())).toEqual(['policy_denied', 'this push needs an approval']);
    expect(asked.world.did.filter((d) => d.startsWith('pushed'))).toEqual([]);
    expect(said(await unsigned({}, fix(true)).call())).toEqual(['worker.push.completed']);
  });
});

describe('an opening among others', () => {
  const { maxOpenPrs, maxFirstLines } = DEFAULT_POLICY_SETTINGS;
  const opens = async (...given: Parameters<typeof opening>) => {
    const { world, call } = await opening(...given);
    return { outcome: await call(), opened: world.did.filter((d) => d.startsWith('opened')) };
  };
  const anew = (reason: object) => ({
    input: { class: 'seal_moved', differences: [{ kind: 'judgement', reason }] },
  });

  it('P1: is asked about anew where as many of ours are open as may be, and not where one less is', async () => {
    expect((await opens({ open: maxOpenPrs - 1 })).opened).toHaveLength(1);
    const full = await opens({ open: maxOpenPrs });
    expect(full.opened).toEqual([]);
    expect(full.outcome).toMatchObject(anew({ kind: 'open_pulls', count: maxOpenPrs, limit: maxOpenPrs }));
  });

  it('P1: is asked about anew where it is large and nothing of ours was merged there', async () => {
    const adds =
      (added: number) =>
      (run: Run): Run => {
        const files = [file('src/a.ts', added, 0)];
        const { diff, ...rest } = commit('a');
        return patchRun(run, { change: { commit: { ...rest, diff: { ...diff, files, added } } } });
      };
    expect((await opens({ strangers: true }, same, adds(maxFirstLines))).opened).toHaveLength(1);
    const large = adds(maxFirstLines + 1);
    expect((await opens({}, same, large)).opened).toHaveLength(1);
    const first = await opens({ strangers: true }, same, large);
    expect(first.opened).toEqual([]);
    const reason = { kind: 'first_pull', lines: maxFirstLines + 1, limit: maxFirstLines };
    expect(first.outcome).toMatchObject(anew(reason));
  });
});

describe('a sign-in that an agent was lent', () => {
  const key = 'lent-4711';
  const entitled = (run: Run): Run => ({ ...run, order: { ...run.order, title: `Use ${key}` } });
  const saying = (run: Run): Run =>
    patchRun(run, { change: { commit: { ...commit('a'), message: `Say hello\n\nwith ${key}` } } });
  const fixing = (run: Run): Run =>
    patchRun(
      { ...run, order: { ...run.order, goal: `Say hello. People log in with ${key}.` } },
      { upstream: { pullRequest: { id: '#7', url: 'u', body: 'As it was.' } } },
    );
  const denied = (where: string) => {
    const reason: unknown = expect.objectContaining({ reason: { kind: 'public_text_credential', where } });
    return { class: 'policy_denied', assessment: { reasons: expect.arrayContaining([reason]) as unknown } };
  };

  it('E16: is looked for in the text of a pull request before it is opened', async () => {
    const harmless = await opening({ lent: 'another' }, same, entitled);
    expect(said(await harmless.call())).toEqual(['worker.pr.opened']);
    const { world, call } = await opening({ lent: key }, same, entitled);
    expect(await call()).toMatchObject({ input: denied('title') });
    expect(world.did.filter((d) => d.startsWith('opened'))).toEqual([]);
  });

  it.each([
    ['commit_message', saying],
    ['description', fixing],
  ])('E16: is looked for in what a push publishes, its %s', async (where, change) => {
    const harmless = await signed({ lent: 'another' }, change);
    expect(said(await harmless.call())).toEqual(['worker.push.completed']);
    const { world, call } = await signed({ lent: key }, change);
    expect(await call()).toMatchObject({ input: denied(where) });
    expect(world.did.filter((d) => d.startsWith('pushed'))).toEqual([]);
  });
});
