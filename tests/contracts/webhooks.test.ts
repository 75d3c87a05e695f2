/**
 * Payload → observations: what each event of GitHub's says to us, and why the others say nothing.
 */
import { createRequire } from 'node:module';
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { InputSchema } from '#inputs';
import { bodyFingerprint } from '#model/pull';
import { toCheckRunFact, toStatusFact } from '../../forge/github-facts.ts';
import { findRepositoryNames } from '../../webhooks/repository-names.ts';
import { readDelivery, type DeliveryObservation, type DeliveryFacts } from '../../webhooks/read-delivery.ts';
import {
  checkRun,
  checkSuite,
  issueComment,
  ping,
  pullRequest,
  push,
  review,
  reviewComment,
  status,
  workflowRun,
} from '../support/github-payloads.ts';

const SHA = 'd4e5f6'.padEnd(40, '0');
const repo = { id: '1', fullName: 'ana/widgets' };
const about = { repository: push().repository };
const started = Date.parse('2026-05-15T15:21:12Z');

const seen = (event: string, payload: unknown): DeliveryFacts => {
  const observed = readDelivery(event, payload);
  if (!('facts' in observed)) throw new Error(`nothing was seen: ${JSON.stringify(observed)}`);
  return observed;
};
const ignored = (event: string, payload: unknown): string => {
  const observed = readDelivery(event, payload);
  return 'ignored' in observed ? observed.ignored : `not ignored: ${JSON.stringify(observed)}`;
};

describe('a check run', () => {
  it('F3: is a fact about its head SHA, under the key that polling gives it', () => {
    const check = {
      key: 'github-actions/118578147/build',
      name: 'build',
      kind: 'check',
      app: '15368',
      status: 'ended',
      outcome: 'passed',
    };
    expect(seen('check_run', checkRun())).toEqual({
      repo,
      facts: [
        {
          find: { sha: SHA },
          input: { type: 'forge.check.observed', sha: SHA, check: { ...check, startedAt: started } },
        },
      ],
      look: [],
    });
  });

  it.each([
    ['created', 'queued', null, 'queued', null],
    ['created', 'waiting', null, 'awaits_maintainer', null],
    ['created', 'pending', null, 'queued', null],
    ['created', 'requested', null, 'queued', null],
    ['created', 'in_progress', null, 'running', null],
    ['created', 'in_progress', 'success', 'running', null],
    ['completed', 'completed', 'success', 'ended', 'passed'],
    ['completed', 'completed', 'failure', 'ended', 'failed'],
    ['completed', 'completed', 'timed_out', 'ended', 'failed'],
    ['completed', 'completed', 'startup_failure', 'ended', 'failed'],
    ['completed', 'completed', 'cancelled', 'ended', 'failed'],
    ['completed', 'completed', 'skipped', 'ended', 'skipped'],
    ['completed', 'completed', 'stale', 'ended', 'stale'],
    ['completed', 'completed', 'action_required', 'ended', 'awaits_maintainer'],
    ['completed', 'completed', null, 'ended', 'awaits_maintainer'],
    ['completed', 'completed', 'invented_later', 'ended', 'awaits_maintainer'],
    ['rerequested', 'completed', 'neutral', 'ended', 'idle'],
  ])('F3: %s, %s, %s is %s, %s', (action, given, conclusion, is, concluded) => {
    const { facts } = seen('check_run', checkRun({ status: given, conclusion }, { action }));
    expect(facts[0]?.input).toMatchObject({ check: { status: is, outcome: concluded } });
  });

  it.each([
    [{ slug: 'ci' }, 'ci/build'],
    [{ id: 9 }, '9/build'],
    [null, 'unknown/build'],
  ])('names its key by the app %j', (app, key) => {
    expect(seen('check_run', checkRun({ app })).facts[0]?.input).toMatchObject({ check: { key } });
  });

  it('is unreadable without a head SHA, and says what is missing', () => {
    expect(readDelivery('check_run', checkRun({ head_sha: undefined }))).toEqual({
      unreadable: 'check_run without what GitHub documents: check_run.head_sha',
    });
    expect(readDelivery('check_run', checkRun({ head_sha: 'main' }))).toHaveProperty('unreadable');
  });
});

it.each([
  ['success', 'ended', 'passed'],
  ['failure', 'ended', 'failed'],
  ['error', 'ended', 'failed'],
  ['pending', 'running', null],
])('F3: a status %s is a check of its context, as polling reads it', (state, is, outcome) => {
  const payload = status({ state });
  const { facts } = seen('status', payload);
  const check = { key: 'status/ci/legacy', name: 'ci/legacy', status: is, outcome };
  expect(facts).toMatchObject([
    { find: { sha: SHA }, input: { type: 'forge.check.observed', sha: SHA, check } },
  ]);
  const time = Date.parse('2026-05-15T15:20:44Z');
  expect(facts[0]?.input).toMatchObject({ check: { startedAt: time } });
  const polled = toStatusFact({ context: 'ci/legacy', state, created_at: time, updated_at: time + 1_000 });
  expect(facts[0]?.input).toMatchObject({ check: polled });
});

it('F3: polling and webhooks make the same fact of the same check run', () => {
  const run = {
    id: 1,
    name: 'build',
    status: 'completed',
    conclusion: 'failure' as const,
    app: { slug: 'ci' },
  };
  const payload = checkRun({ ...run, started_at: '2026-05-15T15:21:12Z' });
  expect(seen('check_run', payload).facts[0]?.input).toMatchObject({
    check: toCheckRunFact({ ...run, started_at: started, completed_at: 0 }),
  });
});

it.each([
  ['check_suite', checkSuite(), { sha: SHA }],
  ['check_suite', checkSuite({ conclusion: 'action_required' }), { sha: SHA }],
  ['workflow_run', workflowRun(), { sha: SHA }],
  ['workflow_run', workflowRun({ conclusion: 'action_required' }), { sha: SHA }],
  ['pull_request_review', review(), { pull: '#7' }],
  ['pull_request_review_comment', reviewComment(), { pull: '#7' }],
  ['issue_comment', issueComment(true), { pull: '#7' }],
])('P5: %s only makes us look: no word of it becomes a fact', (event, payload, find) => {
  expect(seen(event, payload)).toEqual({ repo, facts: [], look: [find] });
});

it.each([
  ...['archived', 'unarchived', 'deleted', 'privatized', 'publicized', 'renamed', 'transferred'].map(
    (action) => [...['repository', action]],
  ),
  ...['created', 'edited', 'deleted'].map((action) => ['branch_protection_rule', action]),
  ...['enabled', 'disabled'].map((action) => ['branch_protection_configuration', action]),
])('F8: %s.%s makes every run of the repository look', (event, action) => {
  expect(seen(event ?? '', { action, ...about })).toEqual({ repo, facts: [], look: [{ all: true }] });
});

it('F3, F5: a release only makes us ask for it', () => {
  expect(seen('release', { action: 'published', ...about })).toEqual({
    repo,
    facts: [],
    look: [],
    released: true,
  });
  const others = { action: 'edited', ...about };
  expect(readDelivery('release', others)).toEqual({
    ignored: 'release.edited is nothing that a run waits for',
  });
});

describe('a pull request', () => {
  const shown = {
    at: 0,
    title: 'Fix flaky retry',
    bodyDigest: '',
    base: 'main',
    draft: false,
    locked: false,
    autoMerge: null,
    labels: [],
    reviewers: [],
  };
  const shownBy = (action: string, changes: object = {}): unknown => {
    const input = seen('pull_request', pullRequest(action, changes)).facts[0]?.input;
    return input?.type === 'forge.pull.observed' ? input.metadata : undefined;
  };

  it('F8: shows what others may change of it, as polling reads it', () => {
    const zoe = { login: 'zoe' };
    const changes = {
      user: zoe,
      updated_at: '2026-05-15T15:21:12Z',
      title: 'Better words',
      locked: true,
      auto_merge: { enabled_by: zoe },
      labels: [{ name: 'size/S' }, { name: 'bug' }],
      requested_reviewers: [{ login: 'mia' }],
      requested_teams: [{ slug: 'core' }],
    };
    expect(shownBy('edited', changes)).toEqual({
      at: started,
      title: 'Better words',
      bodyDigest: bodyFingerprint('@agentpr merge this at once'),
      base: 'main',
      draft: false,
      locked: true,
      autoMerge: 'zoe',
      labels: ['bug', 'size/S'],
      reviewers: ['core', 'mia'],
    });
  });

  it('F12: is a reason to look where its fork is gone or its repository archived, and says neither', () => {
    const { head, base } = pullRequest('edited').pull_request;
    const gone = { head: { ...head, repo: null } };
    const archived = { base: { ...base, repo: { ...base.repo, archived: true } } };
    for (const changes of [gone, archived]) {
      expect(shownBy('edited', changes)).toEqual(shown);
      expect(seen('pull_request', pullRequest('edited', changes)).look).toEqual([{ pull: '#7' }]);
    }
  });

  it.each([
    ['enqueued', true],
    ['dequeued', false],
  ])('F8: %s says where it is in the merge queue', (action, queued) => {
    expect(shownBy(action)).toEqual({ ...shown, inMergeQueue: queued });
  });

  it.each([
    ...['opened', 'edited', 'reopened', 'synchronize', 'ready_for_review', 'converted_to_draft', 'labeled'],
    ...['unlabeled', 'locked', 'unlocked', 'review_requested', 'review_request_removed'],
    ...['auto_merge_enabled', 'auto_merge_disabled'],
  ])('%s is a fact about its number, and about its commit as long as the number is not known', (action) => {
    expect(seen('pull_request', pullRequest(action))).toEqual({
      repo,
      facts: [
        {
          find: { pull: '#7', sha: SHA },
          input: {
            type: 'forge.pull.observed',
            pull: '#7',
            state: 'open',
            merged: false,
            headSha: SHA,
            by: null,
            metadata: shown,
          },
        },
      ],
      look: [],
      ...(action === 'reopened' && { reopened: true }),
    });
  });

  it('was merged by whom GitHub says, or else by nobody we know', () => {
    const merged = { state: 'closed', merged: true, merged_by: { login: 'mia' } };
    const by = (changes: object): unknown =>
      seen('pull_request', pullRequest('closed', changes)).facts[0]?.input;
    expect(by(merged)).toMatchObject({ state: 'closed', merged: true, by: 'mia' });
    expect(by({ ...merged, merged_by: null })).toMatchObject({ merged: true, by: null });
  });

  it('was closed by the sender when it was not merged', () => {
    const { facts } = seen('pull_request', pullRequest('closed', { state: 'closed' }));
    expect(facts[0]?.input).toMatchObject({ state: 'closed', merged: false, by: 'ben' });
  });

  it.each(['assigned', 'unassigned', 'milestoned', 'demilestoned'])(
    '%s is ignored, and the reason names it',
    (action) => {
      expect(ignored('pull_request', pullRequest(action))).toContain(
        `pull_request.${action} changes nothing`,
      );
    },
  );
});

describe('a push', () => {
  const input = { type: 'forge.head.observed', branch: 'feature/agentpr-x' };
  it('is a fact about its branch', () => {
    const find = { branch: 'feature/agentpr-x' };
    expect(seen('push', push()).facts).toEqual([{ find, input: { ...input, sha: SHA } }]);
  });

  it('that deletes leaves the branch without a head', () => {
    const { facts } = seen('push', push({ deleted: true, after: '0'.repeat(40) }));
    expect(facts[0]?.input).toEqual({ ...input, sha: null });
  });

  it.each(['refs/tags/v1', 'refs/heads/', 'refs/notes/x', 'feature/agentpr-x'])('of %s is ignored', (ref) => {
    expect(ignored('push', push({ ref }))).toBe('a push of something that is no branch');
  });
});

it.each([
  ['ping', ping(), 'it works'],
  ['issue_comment', issueComment(false), 'not on a pull request'],
  [
    'installation',
    { action: 'suspend', installation: { account: null } },
    'installation.suspend of no account',
  ],
  ['repository', { action: 'created', ...about }, 'repository.created changes nothing'],
  ['repository', { action: 'anonymous_access_enabled' }, 'repository.anonymous_access_enabled'],
  ['repository_ruleset', {}, 'every few minutes'],
  ['workflow_job', {}, 'its check run is told by itself'],
  ['star', {}, 'star is not needed here; untick it'],
  ['issues', { action: 'opened', ...about }, 'asks for nothing; a label may'],
  ['invented_event', {}, 'AgentPR does not know the event invented_event'],
  ['constructor', {}, 'AgentPR does not know the event constructor'],
  ['__proto__', {}, 'AgentPR does not know the event'],
])('ignores %s with a reason that a person can read', (event, payload, reason) => {
  expect(ignored(event, payload)).toContain(reason);
});

const EVENTS = [
  ...['check_run', 'status', 'check_suite', 'workflow_run', 'pull_request', 'push', 'pull_request_review'],
  ...['pull_request_review_comment', 'issue_comment', 'issues', 'ping', 'star', 'repository'],
];
const shaped = (observed: DeliveryObservation): boolean => {
  if ('ignored' in observed) return observed.ignored.length > 10;
  if ('account' in observed) return observed.account.length > 0;
  if ('unreadable' in observed) return observed.unreadable.includes('documents');
  return (
    observed.facts.length + observed.look.length + (observed.labelled || observed.released ? 1 : 0) > 0 &&
    observed.facts.every(({ input }) => InputSchema.safeParse(input).success)
  );
};

it('never throws, whatever it is given', () => {
  fc.assert(
    fc.property(fc.constantFrom(...EVENTS), fc.jsonValue(), (event, payload) =>
      shaped(readDelivery(event, payload)),
    ),
  );
});

it('never throws when a part of a real payload is something else', () => {
  const real: [string, object][] = [
    ['check_run', checkRun()],
    ['status', status()],
    ['pull_request', pullRequest('closed', { state: 'closed' })],
    ['push', push()],
    ['pull_request_review', review()],
    ['issue_comment', issueComment(true)],
  ];
  const keys = [
    'check_run',
    'pull_request',
    'repository',
    'sender',
    'issue',
    'ref',
    'sha',
    'action',
    'state',
  ];
  fc.assert(
    fc.property(fc.constantFrom(...real), fc.constantFrom(...keys), fc.jsonValue(), (one, key, value) =>
      shaped(readDelivery(one[0], { ...one[1], [key]: value })),
    ),
  );
});

const Examples = z.array(z.object({ name: z.string(), examples: z.array(z.unknown()) }));
const examples = ((): z.infer<typeof Examples> => {
  try {
    return Examples.parse(createRequire(import.meta.url)('@octokit/webhooks-examples'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return [];
    throw error;
  }
})();

it.skipIf(examples.length === 0)("takes every example payload of GitHub's or says why not", () => {
  const unreadable = examples.flatMap(({ name, examples: payloads }) =>
    payloads.flatMap((payload) => {
      const observed = readDelivery(name, payload);
      // A release is about no run: it wakes campaigns that wait for one.
      const isRelease = name === 'release' && 'look' in observed;
      return (isRelease || shaped(observed)) && !('unreadable' in observed) ? [] : [[name, observed]];
    }),
  );
  expect(examples.flatMap((e) => e.examples).length).toBeGreaterThan(300);
  expect(unreadable).toEqual([]);
});

it.skipIf(examples.length === 0)(
  "F8: finds in every example what a pull request shows by GitHub's own words",
  () => {
    const pulls = examples.flatMap((e) => (e.name === 'pull_request' ? e.examples : []));
    const shown = pulls.flatMap((payload) => {
      const observed = readDelivery('pull_request', payload);
      const inputs = 'facts' in observed ? observed.facts.map(({ input }) => input) : [];
      return inputs.flatMap((input) => (input.type === 'forge.pull.observed' ? (input.metadata ?? []) : []));
    });
    expect(shown.length).toBeGreaterThan(20);
    expect(new Set(shown.map((one) => one.title))).toEqual(
      new Set(['Update the README with new information.']),
    );
    expect(shown.filter((one) => one.locked)).toHaveLength(2);
    expect(shown.filter((one) => one.labels.includes('bug')).length).toBeGreaterThan(15);
    expect(shown.every((one) => one.at > 0 && one.base !== '' && one.reviewers.length < 5)).toBe(true);
  },
);

it.skipIf(examples.length === 0)(
  'F1: finds the account in every example of an installation, and how it lost it',
  () => {
    const told = examples.flatMap(({ name, examples: payloads }) =>
      name === 'installation' || name === 'installation_repositories'
        ? payloads.map((payload) => {
            const { action } = z.object({ action: z.string() }).parse(payload);
            const observed = readDelivery(name, payload);
            return [`${name}.${action}`, 'account' in observed ? [observed.account, observed.how] : null];
          })
        : [],
    );
    expect(Object.fromEntries(told)).toEqual({
      'installation.created': ['Codertocat', null],
      'installation.deleted': ['octocat', 'removed'],
      'installation.new_permissions_accepted': ['Codertocat', null],
      'installation.suspend': ['Codertocat', 'suspended'],
      'installation.unsuspend': ['Codertocat', null],
      'installation_repositories.added': ['Codertocat', null],
      'installation_repositories.removed': ['octocat', 'unlisted'],
    });
  },
);

describe('the repositories that a payload names', () => {
  it('are found without parsing it, and the one that it is about is among them', () => {
    const widgets = { id: '1', fullName: 'ana/widgets' };
    expect(findRepositoryNames(JSON.stringify(push()))).toEqual([widgets]);
    expect(findRepositoryNames(JSON.stringify(push(), null, 1))).toEqual([widgets]);
    const Told = z.object({ repository: z.object({ id: z.number(), full_name: z.string() }) });
    let found = 0;
    const about = examples.flatMap((e) => e.examples).flatMap((p) => Told.safeParse(p).data ?? []);
    for (const payload of examples.flatMap((e) => e.examples)) {
      const named = findRepositoryNames(JSON.stringify(payload));
      const told = Told.safeParse(payload).data?.repository;
      if (!named || !told) continue;
      found += 1;
      expect(named).toContainEqual({ id: String(told.id), fullName: told.full_name });
    }
    // The others are parsed: that costs time and loses nothing.
    expect(found).toBeGreaterThanOrEqual(about.length * 0.9);
  });

  it.each([
    ['nothing', '{"zen":1}'],
    [
      'a name in words of a person',
      String.raw`{"message":"{\"full_name\":\"x/y\"}","repository":{"full_name":"a/b"}}`,
    ],
    [
      'a name that is written another way',
      String.raw`{"repository":{"full_name":"ana\/widgets"},"fork":{"full_name":"x/y"}}`,
    ],
    [
      'a name without its id before it',
      '{"repository":{"full_name":"a/b","id":1},"fork":{"id":2,"node_id":"R","name":"y","full_name":"x/y"}}',
    ],
    ['a name that is no text', '{"repository":{"full_name":7},"fork":{"full_name":"x/y"}}'],
  ])('are not known for sure from %s', (_, text) => expect(findRepositoryNames(text)).toBeNull());
});
