/** What a person reads on a phone: short, true, escaped, and with nothing secret in it. */
import { type RunPatch, patchRun } from '../../orchestrator/kernel/run/run.ts';
import { runInNewContext } from 'node:vm';
import { fc } from '../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { topHunks } from '../../bot/text/first-hunks.ts';
import { LANGUAGE_TEXTS } from '#language';
import { redactSecrets } from '../../text-safety/index.ts';
import { renderView } from '../../bot/views/render-view.ts';
import type { ViewScene } from '../../bot/views/scene.ts';
import { MESSAGE_LIMIT, escapeLine, escapeBlock } from '../../bot/text/telegram-html.ts';
import { stripMarkup } from '#chat-text';
import type { MessageView } from '#effects';
import type { Run } from '#run';
import { assessAction } from '../../governor/assess-action.ts';
import { context, own, push } from '../support/actions.ts';
import { renderPending } from '../../bot/views/waiting-list.ts';
import { renderStatus } from '../../bot/views/fleet-screen.ts';
import { renderDetail } from '../../bot/views/run-detail.ts';
import { RUN_STATES } from '#model/run';
import type { ApprovalRow } from '#ports/ledger';
import { parseHtml } from '#playground';
import { aRun } from '../support/ledger.ts';
import { HEAD, file, someAssessment, someCommit, someDiff, someProposal } from '../support/ready-run.ts';
import { noteOf } from '../support/english.ts';

const words = LANGUAGE_TEXTS.en;
const NOW = Date.UTC(2026, 0, 5, 12, 0);
const gate: Extract<MessageView, { view: 'gate' }> = {
  view: 'gate',
  approvalId: 'a',
  armedBy: null,
  armedUntil: null,
};

const atGate = (changes: RunPatch = {}): Run => {
  const proposal = changes.gate?.proposal ?? someProposal();
  const approval = {
    id: 'a',
    kind: 'open_pr' as const,
    digest: proposal.digest,
    expiresAt: NOW + 3_240_000,
    needed: 1,
    signatures: [],
  };
  const check = {
    name: 'test',
    command: 'npm test',
    exitCode: 0,
    outcome: 'passed' as const,
    ms: 900,
    tail: '',
  };
  return patchRun(
    aRun('r7k2', NOW - 600_000, { repo: 'acme/api' }),
    {
      lifecycle: { state: 'PUSHED', workedMs: 360_000 },
      change: {
        commit: someCommit(),
        evaluation: {
          commitSha: HEAD,
          passed: true,
          checks: [check],
          assessment: someAssessment(),
          grade: null,
        },
        pushedHead: { branch: 'b', sha: HEAD },
      },
      gate: { proposal, approval },
      agent: { containment: 'bwrap' },
    },
    changes,
  );
};

const need = <T>(value: T | null): T => {
  if (value === null) throw new Error('nothing there');
  return value;
};

const rowOf = (run: Run, changes: Partial<ApprovalRow> = {}): ApprovalRow => ({
  id: 'a',
  kind: 'open_pr',
  digest: run.gate.proposal?.digest ?? '',
  expiresAt: NOW + 3_240_000,
  needed: 1,
  runId: run.id,
  state: 'open',
  reason: null,
  consumedBy: null,
  passedTo: null,
  openedAt: NOW,
  closedAt: null,
  ...changes,
});
const sceneOf = (run: Run, changes: Partial<ViewScene> = {}): ViewScene => ({
  run,
  approval: rowOf(run),
  attempts: [],
  patch: null,
  now: NOW,
  ...changes,
});
const visibleLines = (html: string): string[] =>
  stripMarkup(html.replace(/\n<blockquote[\s\S]*$/, '')).split('\n');
const labels = (buttons: { text: string }[][]): string[][] => buttons.map((line) => line.map((b) => b.text));

const nasty = fc
  .string({ unit: 'binary', maxLength: 300 })
  .map((s) => `${s}<b>&"@you /cancel r7k2 \u202e https://evil.example`);
const aDiff = fc
  .array(fc.record({ path: nasty, added: fc.nat(9_999), deleted: fc.nat(9_999) }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((files) =>
    someDiff({
      files: files.map((f) => file(f.path, f.added, f.deleted)),
      added: files.reduce((n, f) => n + f.added, 0),
      deleted: files.reduce((n, f) => n + f.deleted, 0),
    }),
  );
const aRisk = fc.record({
  risk: fc.constantFrom('low' as const, 'medium' as const, 'high' as const),
  reasons: fc.array(
    fc.record({
      policy: fc.constant('max-diff-size'),
      verdict: fc.constantFrom('escalate' as const, 'deny' as const),
      reason: nasty.map((words) => own(words)),
    }),
    { maxLength: 6 },
  ),
});
const aGate = fc
  .record({
    diff: aDiff,
    assessment: aRisk,
    title: nasty,
    patch: nasty,
    repo: fc.constantFrom('acme/api', `${'o'.repeat(39)}/${'n'.repeat(100)}`),
  })
  .map(({ diff, assessment, title, patch, repo }) => {
    const base = aRun('r7k2', NOW - 600_000, { repo });
    const run = atGate({
      order: base.order,
      change: { commit: someCommit(diff) },
      gate: { proposal: someProposal({ title, assessment: someAssessment(assessment) }) },
    });
    return sceneOf(run, {
      patch: { text: `diff --git a/x b/x\n--- a/x\n+++ b/x\n${patch.repeat(30)}`, omitted: 7 },
    });
  });

describe('the gate card', () => {
  it('G8: says where the change goes, what it starts from, and that it conflicts, as it is sealed', () => {
    const sealed = { baseRef: 'release/2', mergeBase: 'abcdef'.padEnd(40, '1'), conflicts: true };
    const scene = sceneOf(atGate({ gate: { proposal: someProposal(sealed) } }));
    expect(stripMarkup(renderView(gate, scene, words).html)).toContain('⚠ Conflicts with release/2');
    expect(stripMarkup(renderDetail(scene, words).html)).toContain('Commit release/2 abcdef → d4e5f6');
    const clean = renderView(
      gate,
      sceneOf(atGate({ gate: { proposal: someProposal({ conflicts: false }) } })),
      words,
    );
    expect(stripMarkup(clean.html)).not.toContain('Conflicts');
  });

  it('C2: carries what, where, size, tests, risk and next in its first twenty lines, on 50 generated runs', () => {
    fc.assert(
      fc.property(aGate, (scene) => {
        const { html } = renderView(gate, scene, words);
        const lines = visibleLines(html);
        expect(lines.length).toBeLessThanOrEqual(20);
        const text = lines.join('\n');
        expect(text.length).toBeLessThanOrEqual(1_000);
        const diff = scene.run.change.commit?.diff;
        const size = `+${diff?.added} −${diff?.deleted}`;
        expect(lines[0]).toMatch(/^Open this pull request in (?:acme\/api|…n+)\?$/);
        expect(lines[1]?.length).toBeGreaterThan(0);
        expect(text).toContain('✓ npm test passed');
        expect(text).toContain(`change: ${size} in `);
        expect(text).toMatch(/(low|medium|high) risk/i);
        expect(text).toMatch(/^Decide /m);
        expect(html.length).toBeLessThanOrEqual(MESSAGE_LIMIT);
        for (const line of lines.filter((l) => / \+\d+ −\d+$/.test(l) && !l.includes(' in ')))
          expect(line.length).toBeLessThanOrEqual(36);
      }),
      { numRuns: 50 },
    );
  });

  it('P5: shows what strangers wrote in code entities only, so that nothing of it can be tapped', () => {
    fc.assert(
      fc.property(aGate, (scene) => {
        const { html } = renderView(gate, scene, words);
        expect(parseHtml(html)).not.toHaveProperty('complaint');
        const outside = html.replace(/<code>[\s\S]*?<\/code>/g, '');
        expect(outside).not.toMatch(/@you|\/cancel|evil\.example/);
        expect(html).not.toContain('\u202e');
      }),
      { numRuns: 50 },
    );
  });

  it('C2: says the size of the change once', () => {
    expect(stripMarkup(renderView(gate, sceneOf(atGate()), words).html).split('+36 −12')).toHaveLength(2);
  });

  it('C9: says what is risky as what it does, each thing once, and counts the rest', () => {
    const reason = (policy: string, says: string) => ({
      policy,
      verdict: 'escalate' as const,
      reason: own(says),
    });
    const long = 'the change edits .github/workflows/ci.yml, which runs with secrets';
    const lines = (...says: string[]): string[] => {
      const reasons = says.map((one, i) => reason(`policy-${i}`, one));
      const assessment = someAssessment({ decision: 'escalate', risk: 'medium', reasons });
      const { html } = renderView(
        gate,
        sceneOf(atGate({ gate: { proposal: someProposal({ assessment }) } })),
        words,
      );
      return visibleLines(html).filter((one) => /^⚠|caution/.test(one));
    };
    const size = '⚠ Medium risk · small change: +36 −12 in 2 files';
    const told = `⚠ T${long.slice(1)}`;
    expect(lines(long, 'too much of it', long)).toEqual([size, told, '⚠ Too much of it']);
    expect(lines(long, 'b', 'c', 'd', 'e')).toEqual([
      ...[size, told, '⚠ B', '⚠ C'],
      '… and 2 more cautions: see More',
    ]);
  });

  it('C2: offers Open PR, Ask for changes and Deny, and for a high risk its review first', () => {
    const low = renderView(gate, sceneOf(atGate()), words);
    expect(labels(low.buttons)).toEqual([
      ['Open PR', 'Ask for changes', 'Deny'],
      ['Diff', 'PR text', 'More'],
    ]);
    const proposal = someProposal({ assessment: someAssessment({ risk: 'high' }) });
    const high = renderView(gate, sceneOf(atGate({ gate: { proposal } })), words);
    expect(labels(high.buttons)[0]).toEqual(['Review risks']);
  });

  it('C2: shows Confirm only while it is armed', () => {
    const armed = { ...gate, armedBy: '7', armedUntil: NOW + 60_000 };
    expect(labels(renderView(armed, sceneOf(atGate()), words).buttons)).toEqual([['Confirm', 'Back']]);
    const over = renderView(armed, sceneOf(atGate(), { now: NOW + 60_000 }), words);
    expect(labels(over.buttons)[0]).toEqual(['Open PR', 'Ask for changes', 'Deny']);
  });

  it('says when it was contained by less than bubblewrap, and what was left out', () => {
    const findings = [
      { kind: 'hard_link' as const, path: 'pipe', line: 0, note: { kind: 'linked_from_outside' as const } },
    ];
    const run = atGate({
      agent: { containment: 'group' },
      change: { commit: someCommit(someDiff({ findings })) },
    });
    expect(stripMarkup(renderView(gate, sceneOf(run), words).html)).toContain(
      '⚠ contained only by a process group · 1 file left out: linked from outside',
    );
    expect(stripMarkup(renderView(gate, sceneOf(atGate()), words).html)).not.toContain('contained');
  });

  it('puts flagged files first and counts the rest', () => {
    const files = [
      ...Array.from({ length: 6 }, (_, i) => file(`src/f${i}.ts`, 10 + i, 0)),
      file('.github/workflows/ci.yml', 1, 0),
    ];
    const run = atGate({ change: { commit: someCommit(someDiff({ files })) } });
    const lines = visibleLines(renderView(gate, sceneOf(run), words).html);
    expect(lines).toContain('.github/workflows/ci.yml +1 −0');
    expect(lines).toContain('… and 4 more (+46 −0)');
  });

  it('S10: says whose commit the change holds and who took it, also of a fix on top of a pull request', () => {
    const taken = { sha: '77ab01'.padEnd(40, '0'), author: 'Mia <mia@example.org>', by: 'Ana' };
    const before = stripMarkup(
      renderView(gate, sceneOf(atGate({ change: { adoptedHead: taken } })), words).html,
    );
    expect(before).toContain('Includes 77ab01 by Mia <mia@example.org>, taken by Ana');
    const pr = { id: '#128', url: 'https://github.com/acme/api/pull/128' };
    const open = atGate({
      lifecycle: { state: 'ITERATING' },
      change: { adoptedHead: taken },
      upstream: { pullRequest: pr },
    });
    const fix = sceneOf({
      ...open,
      gate: { ...open.gate, approval: { ...need(open.gate.approval), kind: 'push' } },
    });
    const onTop = renderView(gate, { ...fix, approval: rowOf(open, { kind: 'push' }) }, words);
    expect(stripMarkup(onTop.html)).toContain('Includes 77ab01 by Mia <mia@example.org>, taken by Ana');
  });

  it('closes truthfully: approved before it is opened, opened with its address, denied, expired, void', () => {
    const closed = (run: Run, row: Partial<ApprovalRow>, now = NOW): string => {
      const { html, buttons } = renderView(gate, sceneOf(run, { approval: rowOf(run, row), now }), words);
      expect(buttons).toEqual([]);
      return stripMarkup(html);
    };
    const consumed = {
      id: 'a',
      digest: 'x',
      kind: 'open_pr' as const,
      by: 'Ana',
      epoch: 1,
      fields: someProposal().fields,
    };
    const approved = atGate({ gate: { approval: null, consumedApproval: consumed } });
    expect(closed(approved, { state: 'consumed' })).toMatch(/Approved[\s\S]*approved by Ana[\s\S]*opening/);
    const opened = {
      ...approved,
      lifecycle: { ...approved.lifecycle, state: 'CI_WAIT' as const, epoch: 9 },
      upstream: {
        ...approved.upstream,
        pullRequest: { id: '#128', url: 'https://github.com/acme/api/pull/128' },
      },
    };
    expect(closed(opened, { state: 'consumed' })).toMatch(
      /^Pull request #128 opened · acme\/api[\s\S]*https:\/\/github.com\/acme\/api\/pull\/128/,
    );
    const headMoved = { kind: 'field', field: 'headSha', from: 'd4e5f6', to: '77ab01' } as const;
    const failed = {
      ...approved,
      lifecycle: {
        ...approved.lifecycle,
        epoch: 9,
        reason: { kind: 'seal_changed' as const, differences: [headMoved] },
      },
    };
    expect(closed(failed, { state: 'consumed' })).toMatch(/Not opened[\s\S]*moved: d4e5f6 → 77ab01/);
    const later = (run: Run): string => closed(run, { state: 'consumed', id: 'an older card' });
    expect(later(failed)).not.toMatch(/^, /m);
    expect(later(opened)).toMatch(/^Approved · acme\/api\n(?:.+\n)?Pull request #128 opened\n/);
    expect(
      closed(atGate({ gate: { approval: null } }), {
        state: 'denied',
        reason: { kind: 'rejected', by: 'Bo', note: '' },
      }),
    ).toContain('Denied by Bo.');
    expect(
      closed(atGate({ gate: { approval: null } }), {
        state: 'expired',
        closedAt: NOW,
        reason: { kind: 'decision_expired' },
      }),
    ).toContain('Expired · acme/api\nFix flaky retry in webhook worker\n12:00 UTC');
    expect(
      closed(atGate({ gate: { approval: null } }), { state: 'void', reason: { kind: 'card_replaced' } }),
    ).toContain('No longer valid');
    expect(closed(atGate(), {}, NOW + 9_000_000)).toContain('Expired');
    expect(
      closed(atGate({ gate: { proposal: someProposal({ title: 'else' }) } }), { digest: 'of another seal' }),
    ).toContain('No longer valid');
  });

  it('asks for a push on a push card', () => {
    const run = atGate({ lifecycle: { state: 'LOCAL_VALIDATING' } });
    const { html, buttons } = renderView(
      gate,
      sceneOf(run, { approval: rowOf(run, { kind: 'push' }) }),
      words,
    );
    expect(stripMarkup(html)).toMatch(/^Push this to acme\/api\?/);
    expect(buttons[0]?.[0]?.text).toBe('Push');
  });
});

it('C9: the card after changes were asked for says what was asked and what is new since the card before', () => {
  const feedback = [{ kind: 'words' as const, text: 'Please tell of it in the changelog.' }];
  const told = (news: NonNullable<ViewScene['asked']>['news'], changes: RunPatch = {}): string =>
    renderView(gate, sceneOf(atGate(changes), { asked: { feedback, news } }), words).html;
  const changed = { path: 'CHANGELOG.md', added: 4, deleted: 0, binary: false };
  const asked = 'Made again after: “Please tell of it in the changelog.”';
  expect(visibleLines(told([changed]))).toEqual(
    expect.arrayContaining([asked, 'New since the last card: CHANGELOG.md +4 −0']),
  );
  const summary = 'This agent is a recording; your words reached it: “<x>”';
  // Checks that failed in between had another round of their own.
  const unchanged = told([], { agent: { summary, round: { kind: 'check_fix', feedback: [], purpose: [] } } });
  expect(visibleLines(unchanged)).toEqual(
    expect.arrayContaining([
      asked,
      'Nothing is new since the last card. The agent says: “This agent is a recording; your words reached it: “<x>””',
    ]),
  );
  expect(told(null)).not.toContain('since the last card');
});

describe('messages of a run', () => {
  it('never break their markup or outgrow a message, in any state', () => {
    fc.assert(
      fc.property(fc.constantFrom(...RUN_STATES), nasty, aDiff, (state, text, diff) => {
        const run = atGate({
          lifecycle: { state, reason: { kind: 'retried', by: text, note: text.repeat(20) } },
          change: { commit: someCommit(diff) },
        });
        const scene = sceneOf(run);
        const htmls = [
          ...(['progress', 'attention', 'ended'] as const).map(
            (view) => renderView({ view }, scene, words).html,
          ),
          renderView(noteOf(text.repeat(40)), scene, words).html,
          renderDetail(scene, words).html,
          renderStatus(
            Array.from({ length: 60 }, () => run),
            { [state]: 60 },
            NOW,
            words,
          ).html,
          renderPending(
            Array.from({ length: 60 }, () => run),
            NOW,
            words,
          ).html,
        ];
        for (const html of htmls) {
          expect(html.length).toBeLessThanOrEqual(MESSAGE_LIMIT);
          expect(parseHtml(html)).not.toHaveProperty('complaint');
          expect(html.replace(/<code>[\s\S]*?<\/code>/g, '')).not.toMatch(/@you|\/cancel|evil\.example/);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('C6: names the three things most worth attention, the soonest to expire first', () => {
    const named = (id: string, changes: RunPatch): Run => ({ ...atGate(changes), id });
    const approval = atGate().gate.approval;
    const later = approval && { ...approval, expiresAt: NOW + 9e6 };
    const runs = [
      named('paused', { lifecycle: { state: 'PAUSED' }, gate: { approval: null } }),
      named('human', { lifecycle: { state: 'NEEDS_HUMAN_REVIEW' }, gate: { approval: null } }),
      named('later', { gate: { approval: later } }),
      named('sooner', {}),
      named('works', { lifecycle: { state: 'IMPLEMENTING' }, gate: { approval: null } }),
    ];
    const { html, buttons } = renderStatus(
      runs,
      { PUSHED: 2, PAUSED: 1, NEEDS_HUMAN_REVIEW: 1, IMPLEMENTING: 1 },
      NOW,
      words,
    );
    expect(buttons.flat().map((b) => b.runId)).toEqual(['sooner', 'later', 'human']);
    expect(stripMarkup(html)).toContain('5 runs are live');
    expect(stripMarkup(html)).toContain('works\n   Working · 11:50 UTC\n   Mend the test');
  });

  it('says what a run does where its state alone would not: a card waits, or what was approved is under way', () => {
    const says = (changes: RunPatch): string =>
      stripMarkup(renderView({ view: 'progress' }, sceneOf(atGate(changes)), words).html);
    const fields = someProposal().fields;
    const used = { id: 'a', digest: 'd', by: 'Ana', epoch: atGate().lifecycle.epoch, fields };
    expect(says({ lifecycle: { state: 'LOCAL_VALIDATING' } })).toMatch(/^Ready for your decision/);
    expect(says({ gate: { approval: null, consumedApproval: { ...used, kind: 'open_pr' } } })).toContain(
      'is opening the pull',
    );
    const pushing = says({
      lifecycle: { state: 'LOCAL_VALIDATING' },
      gate: { approval: null, consumedApproval: { ...used, kind: 'push' } },
    });
    expect(pushing).toContain('is pushing');
    expect(pushing).not.toContain('is running our checks');
    const alone = says({
      lifecycle: { state: 'LOCAL_VALIDATING', reason: { kind: 'pushing' } },
      gate: { approval: null },
    });
    expect(alone).toMatch(/\nis pushing\n(?!Pushes)/);
  });

  it('C8: says once, behind More, that a card waits for a decision', () => {
    const head = stripMarkup(renderDetail(sceneOf(atGate()), words).html);
    expect(head).toMatch(/\nReady for your decision · (?!is waiting)/);
  });

  it('E13: tells how every try was judged, when there was more than one', () => {
    const grade = (level: 'PASS' | 'FAIL', says: string) => ({
      level,
      gradedBy: ['test'],
      reasons: [{ level, reason: own(says) }],
    });
    const failed = { at: NOW - 120_000, grade: grade('FAIL', 'test failed (exit 1)') };
    const passed = { at: NOW - 60_000, grade: grade('PASS', '') };
    const detail = (grades: (typeof failed)[]): string =>
      stripMarkup(renderDetail({ ...sceneOf(atGate()), grades }, words).html);
    expect(detail([failed, passed])).toContain(
      'Grades of all tries\n11:58 UTC ✗ FAIL test failed (exit 1)\n11:59 UTC · PASS\n',
    );
    expect(detail([passed])).not.toContain('Grades of all tries');
  });

  it('offers only what the state accepts', () => {
    const offered = (changes: RunPatch): string[] =>
      renderView(
        { view: 'attention' },
        sceneOf(atGate(patchRun({ gate: { approval: null } }, changes))),
        words,
      )
        .buttons.flat()
        .map((b) => b.verb);
    expect(offered({ lifecycle: { state: 'NEEDS_HUMAN_REVIEW' } })).toEqual([
      'retry',
      'diff',
      'detail',
      'cancel',
    ]);
    expect(
      offered({
        lifecycle: { state: 'NEEDS_HUMAN_REVIEW' },
        upstream: { pullRequest: { id: '#1', url: 'u' } },
      }),
    ).toContain('rerun');
    // Nothing is red: what runs again would be nothing.
    for (const reason of [
      { kind: 'no_changes', summary: 's', checksMayRun: false },
      { kind: 'agent_question', question: 'q' },
    ])
      expect(
        offered({
          lifecycle: { state: 'NEEDS_HUMAN_REVIEW', reason } as never,
          upstream: { pullRequest: { id: '#1', url: 'u' } },
        }),
      ).not.toContain('rerun');
    expect(offered({ lifecycle: { state: 'PAUSED' } })).toContain('resume');
    expect(offered({ lifecycle: { state: 'DONE' } })).toEqual(['detail']);
  });
});

describe('text of others', () => {
  it('C5: hides secrets, also where a cut would leave half of one', () => {
    const secrets = [
      `ghp_${'a1B2'.repeat(9)}`,
      `github_pat_${'a1B2_'.repeat(9)}`,
      `sk-ant-${'x'.repeat(40)}`,
      'AKIAIOSFODNN7EXAMPLE',
      `123456789:${'A'.repeat(35)}`,
      `xoxb-${'1'.repeat(20)}`,
      `eyJhbGciOiJI.${'eyJzdWIiOiIx'}.${'c2lnbmF0dXJl'}`,
    ];
    for (const secret of secrets) {
      expect(redactSecrets(`before ${secret} after`), secret).toBe('before [secret] after');
      expect(escapeLine(`${'x'.repeat(10)} ${secret}`, 20)).not.toContain(secret.slice(0, 8));
      expect(escapeBlock(`line\n${secret}`, 500)).not.toContain(secret.slice(0, 8));
    }
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${'a1B2'.repeat(16)}\n-----END RSA PRIVATE KEY-----`;
    expect(redactSecrets(`before ${key} after`)).toBe(
      'before [secret]\n[secret 2]\n-----END RSA PRIVATE KEY----- after',
    );
    expect(redactSecrets('https://ana:hunter2@host/x')).toBe('https://[secret]@host/x');
    expect(redactSecrets('API_KEY="abcd1234efgh5678"')).toBe('API_KEY="[secret]"');
    expect(redactSecrets('const token = await tokens.next()')).toBe('const token = await tokens.next()');
  });

  it('C5: says where a secret stands: its place is none', () => {
    const path = 'packages/api2/src/settings.ts';
    for (const kind of ['secret', 'likely_secret'] as const) {
      const action = push({ findings: [{ kind, path, line: 31, note: { kind: 'looks_same' } }] });
      const { reasons } = assessAction(action, context);
      const told = reasons.find((r) => r.policy === 'no-secrets');
      expect(redactSecrets(told ? words.judgement(told.reason) : '')).toContain(`${path}:31`);
    }
  });

  it('C5: costs what the length of the text costs, whatever a stranger writes', () => {
    const hostile = [
      'x',
      'a.',
      'eyJ-',
      'token',
      'token=',
      'token=x',
      '-----BEGIN ',
      'basic ',
      'a://',
      '1:',
      ' ',
    ];
    for (const part of hostile) {
      const text = `a${part.repeat(Math.ceil(100_000 / part.length))}`;
      // Some fifty milliseconds; where the cost grows with the square it would be many seconds.
      const shown: unknown = runInNewContext(
        'show(text, 20)',
        { show: escapeLine, text },
        { timeout: 3_000 },
      );
      expect(shown, part).toMatch(/…$|^a$/);
    }
  });

  it('shows what cannot be seen, and keeps whole characters when it cuts', () => {
    expect(escapeLine('a\u202eb\u200bc\u0007')).toBe('a\\u{202e}b\\u{200b}c\\u{7}');
    expect(escapeLine('<a href="x">&')).toBe('&lt;a href=&quot;x&quot;&gt;&amp;');
    expect(escapeLine('ab😀', 3)).toBe('ab…');
    expect(escapeLine('one\ntwo')).toBe('one two');
  });

  it('shows the hunks of flagged files first, with paths that git quoted', () => {
    const patch =
      'diff --git a/a.ts b/a.ts\nindex 1..2\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n+a\ndiff --git "a/b c.ts" "b/b c.ts"\n--- "a/b c.ts"\n+++ "b/b c.ts"\n@@ -1 +1 @@\n+b\n';
    expect(topHunks(patch, ['b c.ts'], 200).text).toBe('b c.ts\n@@ -1 +1 @@\n+b\na.ts\n@@ -1 +1 @@\n+a');
  });
});
