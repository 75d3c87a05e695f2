/** Runs of every state in every relevant shape, and inputs for each; they cover the table. */
import type { Assessment } from '#model/assessment';
import type { RunBounds } from '#model/limits';
import { ACTIVE_STATES, RUN_STATES, isTerminal, type RunState } from '#model/run';
import type { Input } from '#inputs';
import { NO_USAGE } from '#model/reports';
import { HEARING_STATES } from '../../orchestrator/kernel/run/operator-words.ts';
import type { Run } from '#run';
import {
  approvePush,
  approveReply,
  begin,
  ciCompared,
  choose,
  postedReplies,
  commented,
  commentOnItem,
  setUpPull,
  remark,
  commentAnswered,
  commentAsks,
  remarksAnswered,
  survived,
  sealedReplies,
  ana,
  baseMerged,
  baseMergedThere,
  at,
  atAgent,
  bounds,
  budgeted,
  cancel,
  check,
  ci,
  comment,
  exposed,
  confirm,
  askChanges,
  deny,
  openNow,
  baseChecked,
  lacking,
  seenOnBase,
  goWithout,
  discovered,
  expired,
  unanswerable,
  failed,
  given,
  headIs,
  headRead,
  held,
  turn,
  implemented,
  iterate,
  later,
  lookFailed,
  lookWorked,
  accessIs,
  baseFollowed,
  branchRenamed,
  home,
  repositoryIs,
  shows,
  looked,
  markDone,
  ofEpoch,
  modify,
  opened,
  order,
  overrule,
  asksFor,
  permits,
  permitsSort,
  usesGrant,
  repeatsCall,
  hearsWords,
  interrupted,
  tells,
  reschedules,
  keepsWork,
  dropsWork,
  answers,
  pause,
  planBlocks,
  planEnds,
  planNext,
  planOfTwo,
  proposal,
  pull,
  pushed,
  pushedConflicting,
  reopened,
  raise,
  red,
  running,
  refined,
  rerun,
  revokes,
  answered,
  askQuestion,
  takeBack,
  resume,
  retry,
  review,
  rewordedTo,
  sendToChecks,
  sha,
  skip,
  spent,
  startDiscovery,
  startWork,
  takeHead,
  timer,
  updateBase,
  validated,
  ways,
  type Act,
  type Story,
} from './core.ts';

type Shape = { name: string; story: Story };
const shape = (name: string, story: Story): Shape => ({ name, story });

const auto: Partial<RunBounds> = { autoIterate: true };
const never: Partial<RunBounds> = { maxIterations: 0 };
const runAgain = at('CI_WAIT', { ...never, autoRerun: true }).when(red, ciCompared([], ['test']));
const redAgain = ci([{ outcome: 'failed', startedAt: 1_999 }]);
const optional = { name: 'lint', outcome: 'failed' } as const;
const rerunIn = (state: 'CI_WAIT' | 'REVIEW_WAIT'): Story =>
  state === 'CI_WAIT' ? runAgain : runAgain.when(ci([{ startedAt: 999 }]), later(60_000, looked));
const escalated = validated({ decision: 'escalate' });
const oneCard = at('LOCAL_VALIDATING').when(validated({ decision: 'escalate', both: {} }));

/** A result that arrived during a pause. */
const kept = (
  state: (typeof ACTIVE_STATES)[number],
  result: Act,
  change: Partial<RunBounds> = {},
): Shape[] => {
  const busy = at(state, change);
  const name = `${state} paused, kept ${result(busy.run).input.type}`;
  return [pause, accessIs('suspended')].map((stop) =>
    shape(name, busy.when(stop, ofEpoch(busy.run.lifecycle.epoch, result))),
  );
};

const remarks = review({ body: '', remarks: [remark('c1')], hasAllRemarks: true });
const ANSWERS = [remarks, choose('c1', 'reply', 'No.'), begin, sealedReplies()];
const answering = (state: RunState, change: Partial<RunBounds> = {}): Story =>
  at(state, change).when(...ANSWERS);
const asked = at('PUSHED').when(confirm());
const sentBack = (target: RunState): Story => asked.when(deny('No.'), retry(target));
const EARLY = ['QUEUED', 'DISCOVERY', 'PLAN_READY', 'IMPLEMENTING', 'LOCAL_VALIDATING'] as const;
const early = (story: Story): Shape[] => [
  shape('opening under way, green', story.when(check(), later(60_000, looked))),
  shape('opening under way', story),
  shape('opening under way, merged', story.when(pull({ merged: true, id: '#7' }))),
  shape('opening under way, closed', story.when(pull({ closed: true, id: '#7' }))),
];
const stuck = at('ITERATING').when(implemented(null));

/** The contract is read again, so the session's id is known. */
const reread = at('IMPLEMENTING').when(failed('auth_missing'), retry('DISCOVERY'));
/** F12: a result that arrived while nothing could be pushed. */
const heldWith = (name: string, busy: Story, stop: Act, result: Act): Shape =>
  shape(
    `${name} held, kept ${result(busy.run).input.type}`,
    busy.when(stop, ofEpoch(busy.run.lifecycle.epoch, result)),
  );
const isArchived = repositoryIs({ archived: true });
const fixedTo = shows({ base: 'develop' });
const landing = at('ITERATING', { maxIterations: 1 }).when(implemented('f'), validated());
const landedLate = landing.when(fixedTo, ofEpoch(landing.run.lifecycle.epoch, pushed('f')));
const heldShapes: Shape[] = [
  shape('read again, archived', reread.when(isArchived)),
  shape(
    'queued again, archived',
    at('IMPLEMENTING').when(failed('auth_missing'), retry('QUEUED'), isArchived),
  ),
  ...[discovered({ archived: true }), failed('repository_empty'), failed('crashed')].map((result) =>
    heldWith('read again', reread, isArchived, result),
  ),
  heldWith('IMPLEMENTING', at('IMPLEMENTING'), isArchived, implemented(null)),
  ...[implemented(null), failed('crashed')].map((result) =>
    heldWith('ITERATING', at('ITERATING'), shows({ headDeleted: true }), result),
  ),
  ...[
    { name: 'pending', then: [] },
    { name: 'green', then: [check({}, 'f'), later(60_000, looked)] },
    { name: 'red', then: [check({ outcome: 'failed' }, 'f')] },
    { name: 'changes asked for', then: [review()] },
  ].map(({ name, then }) => shape(`landed late for another base, ${name}`, landedLate.when(...then))),
];

const DENIED_FOR_BAN = {
  decision: 'deny',
  reasons: [
    {
      policy: 'contribution-rules',
      verdict: 'deny',
      reason: {
        kind: 'rule',
        rule: 'ai_ban',
        value: null,
        quote: 'No AI.',
        file: 'A.md',
        line: 1,
      },
    },
  ],
} as const satisfies Partial<Assessment>;
const twice = at('PUSHED', auto).when(deny('More.'), retry(), implemented('b'), validated(), pushed());
const twiceOpen = twice.when(confirm(), opened());
const planning = given({ flow: 'plan', bounds: bounds() }, ...ways.IMPLEMENTING);
const reads = (change: Partial<RunBounds> = {}): Story =>
  given({ discovery: 'agent', bounds: bounds(change) }, startDiscovery);
const reading = reads().when(discovered(), baseChecked());
const readingSeen = reads().when(discovered(), baseChecked(seenOnBase));
const twiceFix = twiceOpen.when(iterate());

/** S11: a closing ended them; the facts of then decide where they go on. */
const closedShapes: Shape[] = (['CI_WAIT', 'REVIEW_WAIT', 'ITERATING'] as const).flatMap((state) => [
  shape(`${state}, closed`, at(state).when(pull({ closed: true }))),
  shape(`${state}, paused, closed`, at(state).when(pause, pull({ closed: true }))),
]);

const costly = (state: RunState): Story =>
  atAgent(state, { maxCostUsd: 1 }).when(implemented('b', 1_000, { usage: { ...NO_USAGE, costUsd: 2 } }));

export const shapes: Shape[] = [
  ...closedShapes,
  ...EARLY.map((target) => shape(`two heads, back to ${target}`, twice.when(deny('No.'), retry(target)))),
  ...[twice, twiceOpen, twiceFix, twiceOpen.when(check(), later(30_000, looked))].flatMap((s) => [
    shape('two heads', s),
    shape('two heads, paused', s.when(pause)),
  ]),
  shape('two heads, stuck', twiceFix.when(implemented(null))),
  shape('two heads, retrying', twiceFix.when(failed('crashed'))),
  ...[cancel, skip, markDone].map((end) => shape('ended while opening', asked.when(end))),
  shape('ITERATING, no retries', at('ITERATING', { maxStepRetries: 0 })),
  shape('stuck fix, no CI', at('CI_WAIT').when(ci([]), later(200_000, looked), iterate(), implemented(null))),
  shape(
    'the fix is green before its push is heard of',
    at('ITERATING', auto).when(
      implemented('b'),
      validated(),
      ci([{}], [], 'b'),
      later(60_000, ci([{}], [], 'b')),
    ),
  ),
  ...RUN_STATES.map((state) => shape(state, at(state))),
  ...RUN_STATES.filter((state) => !isTerminal(state)).map((state) =>
    shape(`${state}, blind`, at(state).when(lookFailed())),
  ),
  ...RUN_STATES.filter((s) => s !== 'QUEUED').map((s) =>
    shape(
      `${s}, no bounds left`,
      at(s, { ...never, maxStepRetries: 0, maxReflections: 0, maxFailedOutside: 1 }),
    ),
  ),
  ...ACTIVE_STATES.map((state) => shape(`${state} paused`, at(state).when(pause))),
  ...(['CI_WAIT', 'REVIEW_WAIT', 'ITERATING'] as const).flatMap((state) => [
    shape(`${state}, moved to another base`, at(state).when(shows({ base: 'develop' }))),
    shape(`${state}, archived`, at(state).when(shows({ repo: home({ archived: true }) }))),
    shape(`${state}, fork gone`, at(state).when(shows({ headDeleted: true }))),
  ]),
  ...heldShapes,
  ...[asked, sentBack('IMPLEMENTING').when(failed('crashed'))].map((story) =>
    shape(
      `${story.run.lifecycle.state}, opened and archived, and nobody heard`,
      story.when(shows({ repo: home({ archived: true }) })),
    ),
  ),
  ...ACTIVE_STATES.map((state) =>
    shape(`${state}, archived`, at(state).when(repositoryIs({ archived: true }))),
  ),
  ...ACTIVE_STATES.map((state) => shape(`${state}, rights lost`, at(state).when(accessIs('removed')))),
  shape(
    'PLAN_READY escalated',
    at('DISCOVERY').when(discovered({ escalate: { kind: 'agreement_required', file: 'CLA.md', line: 1 } })),
  ),
  shape('IMPLEMENTING with a commit', at('LOCAL_VALIDATING').when(validated({ passed: false }))),
  shape('found, to be read', reads()),
  shape('reading', reading),
  shape('reading paused', reading.when(pause)),
  shape('retrying reading', reading.when(failed('crashed'))),
  ...HEARING_STATES.filter((state) => state !== 'PAUSED').flatMap((state) => [
    shape(`${state}, told`, atAgent(state).when(tells())),
    shape(`${state}, told, paused`, atAgent(state).when(tells(), pause)),
    shape(`${state}, told, failed`, atAgent(state).when(tells(), failed('auth_missing'))),
    shape(`${state}, told, retrying`, atAgent(state).when(tells(), failed('crashed'))),
  ]),
  ...(['IMPLEMENTING', 'ITERATING'] as const).flatMap((state) => [
    shape(`${state}, with little money`, at(state, { maxCostUsd: 1 })),
    shape(`${state}, checking and told, without money`, costly(state).when(tells())),
  ]),
  shape('planning', planning),
  shape('planning after a change', planning.when(planOfTwo, implemented('a'), validated())),
  shape('planning paused', planning.when(pause)),
  shape('a step of a plan', planning.when(planOfTwo)),
  shape('LOCAL_VALIDATING pushing', at('LOCAL_VALIDATING').when(validated())),
  shape('LOCAL_VALIDATING, push to wait', at('LOCAL_VALIDATING').when(validated(), turn({ action: 'push' }))),
  shape(
    'ITERATING, push to wait',
    at('ITERATING', auto).when(implemented('b'), validated(), turn({ action: 'push' })),
  ),
  shape('LOCAL_VALIDATING card of both', oneCard),
  shape('LOCAL_VALIDATING card of both, pushing', oneCard.when(confirm())),
  shape(
    'LOCAL_VALIDATING card of both, outside its hours',
    oneCard.when(confirm(), turn({ why: 'opening_hours', action: 'push' })),
  ),
  shape('LOCAL_VALIDATING card of both, pushed', oneCard.when(confirm(), pushed(undefined, true))),
  shape('LOCAL_VALIDATING card of both, paused', oneCard.when(confirm(), pause)),
  shape('LOCAL_VALIDATING card', at('LOCAL_VALIDATING').when(escalated)),
  shape(
    'LOCAL_VALIDATING card, no reflections',
    at('LOCAL_VALIDATING', { maxReflections: 0 }).when(escalated),
  ),
  shape('LOCAL_VALIDATING card signed', at('LOCAL_VALIDATING').when(escalated, approvePush())),
  shape(
    'LOCAL_VALIDATING card signed, last chance',
    at('LOCAL_VALIDATING', { maxFailedOutside: 1 }).when(escalated, approvePush()),
  ),
  shape('PUSHED approved, outside its hours', asked.when(turn({ why: 'opening_hours' }))),
  shape('PUSHED, last chance', at('PUSHED', { maxFailedOutside: 1 }).when(confirm())),
  ...EARLY.flatMap((target) => early(sentBack(target))),
  ...early(asked),
  ...early(asked.when(deny('No.'))),
  ...early(asked.when(pause)),
  ...early(sentBack('IMPLEMENTING').when(failed('crashed'))),
  shape('PUSHED confirmed, red', asked.when(red)),
  shape('PUSHED confirmed, green', asked.when(check())),
  shape('PUSHED confirmed, changes asked for, no bound', at('PUSHED', never).when(confirm(), review())),
  shape('CI_WAIT green', at('CI_WAIT').when(check())),
  shape('REVIEW_WAIT, no bound', at('REVIEW_WAIT', never)),
  shape('ITERATING for red', at('CI_WAIT').when(red)),
  shape('ITERATING for red, no bound', at('CI_WAIT', never).when(red)),
  shape('ITERATING for red of ours', at('CI_WAIT').when(red, ciCompared([]))),
  ...(['CI_WAIT', 'REVIEW_WAIT'] as const).map((state) =>
    shape(`${state}, run again, no bound`, rerunIn(state)),
  ),
  shape('ITERATING for red, changes asked for since', at('CI_WAIT').when(red, review())),
  shape('CI_WAIT, red on the base as well', at('CI_WAIT').when(red, ciCompared(['test']))),
  shape(
    'REVIEW_WAIT, a check that is red on the base as well is required since',
    at('CI_WAIT').when(
      ci([{ outcome: 'failed' }, optional], ['test']),
      ciCompared(['lint', 'test']),
      ci([{ startedAt: 999 }, optional], ['test']),
      later(60_000, looked),
      ci([{ startedAt: 999 }, optional], ['lint', 'test']),
    ),
  ),
  shape(
    'maybe flaky, passed since',
    at('CI_WAIT').when(red, ciCompared([], ['test']), ci([{ startedAt: 9 }])),
  ),
  shape(
    'ITERATING for red, green since',
    at('CI_WAIT').when(red, ci([{ startedAt: 9 }]), later(60_000, looked)),
  ),
  shape('ITERATING, remarks', at('ITERATING').when(remarks)),
  shape('stuck fix, remarks', stuck.when(remarks)),
  shape('retrying a fix, remarks', at('ITERATING').when(failed('crashed'), remarks)),
  shape('paused with remarks', at('CI_WAIT').when(remarks, pause)),
  ...(['CI_WAIT', 'REVIEW_WAIT'] as const).flatMap((state) => [
    shape(`${state}, remarks`, at(state).when(remarks)),
    shape(`${state}, remarks, no bound`, at(state, never).when(remarks)),
    shape(`${state}, an answer chosen`, at(state).when(remarks, choose('c1', 'reply', 'No.'))),
    shape(`${state}, answers to seal`, at(state).when(remarks, choose('c1', 'reply', 'No.'), begin)),
    shape(`${state}, answers`, answering(state)),
    shape(`${state}, answers, no bound`, answering(state, never)),
    shape(`${state}, answers, green`, answering(state).when(check(), later(60_000, looked))),
    shape(`${state}, answers, running again`, answering(state).when(running)),
    shape(`${state}, answers signed`, answering(state).when(approveReply())),
    shape(
      `${state}, answers signed, green`,
      answering(state).when(approveReply(), check(), later(60_000, looked)),
    ),
    shape(`${state}, answers signed, running again`, answering(state).when(approveReply(), running)),
    shape(`${state}, answers signed, red`, answering(state).when(approveReply(), red)),
    shape(
      `${state}, answers signed, red again after a re-run, no bound`,
      rerunIn(state).when(...ANSWERS, approveReply(), redAgain),
    ),
    shape(`${state}, answers signed, paused`, answering(state).when(approveReply(), pause)),
  ]),
  shape('ITERATING checking', at('ITERATING').when(implemented('b'))),
  shape('ITERATING checking, no reflections', at('ITERATING', { maxReflections: 0 }).when(implemented('b'))),
  shape('ITERATING card', at('ITERATING').when(implemented('b'), escalated)),
  shape('ITERATING card signed', at('ITERATING').when(implemented('b'), escalated, approvePush())),
  shape('ITERATING pushing', at('ITERATING', auto).when(implemented('b'), validated())),
  shape(
    'ITERATING pushing, last chance',
    at('ITERATING', { ...auto, maxFailedOutside: 1 }).when(implemented('b'), validated()),
  ),
  shape(
    'ITERATING pushing, next is red',
    at('ITERATING', auto).when(implemented('b'), validated(), check({ outcome: 'failed' }, 'b')),
  ),
  shape(
    'ITERATING pushing, next is green',
    at('ITERATING', auto).when(implemented('b'), validated(), check({}, 'b')),
  ),
  shape(
    'ITERATING pushing, next is red, no bound',
    at('ITERATING', { ...auto, maxIterations: 1 }).when(
      implemented('b'),
      validated(),
      check({ outcome: 'failed' }, 'b'),
    ),
  ),
  shape('paused, foreign head', at('PUSHED').when(pause, headIs('e'))),
  shape('paused with a pull request', at('CI_WAIT').when(pause)),
  ...kept('DISCOVERY', discovered({ banned: true })),
  ...kept('DISCOVERY', discovered({ archived: true })),
  shape('stands at a ban', at('DISCOVERY').when(discovered({ banned: true }))),
  ...(['LOCAL_VALIDATING', 'ITERATING'] as const).map((state) =>
    shape(
      `denied for a ban in ${state}`,
      state === 'ITERATING'
        ? at('ITERATING').when(implemented('b'), validated(DENIED_FOR_BAN))
        : at(state).when(validated(DENIED_FOR_BAN)),
    ),
  ),
  ...kept('DISCOVERY', failed('repository_empty')),
  ...kept('IMPLEMENTING', implemented('a')),
  ...kept('IMPLEMENTING', failed('crashed')),
  ...kept('LOCAL_VALIDATING', failed('forge_unavailable', { step: 'push' }), { maxFailedOutside: 1 }),
  shape('stuck fix', stuck),
  shape('stuck fix, review', stuck.when(review())),
  shape(
    'stuck fix, review, no bound',
    at('ITERATING', { maxIterations: 1 }).when(implemented(null), review()),
  ),
  shape('stuck fix, foreign head', stuck.when(headIs('e'))),
  shape('stuck fix, was green', at('REVIEW_WAIT').when(iterate(), implemented(null))),
  shape('denied', at('PUSHED').when(deny('No.'))),
  shape('denied, foreign head', at('PUSHED').when(deny('No.'), headIs('e'))),
  shape('retrying a fix', at('ITERATING').when(failed('crashed'))),
  shape('retrying a fix, was green', at('REVIEW_WAIT').when(iterate(), failed('crashed'))),
  shape('retrying a fix, CI silent', at('CI_WAIT').when(iterate(), failed('crashed'))),
  shape('retrying a fix, no bound', at('ITERATING', { maxIterations: 1 }).when(failed('crashed'))),
  ...(['QUEUED', 'DISCOVERY', 'LOCAL_VALIDATING'] as const).map((s) =>
    shape(`retrying ${s}`, given({ bounds: bounds() }, ...ways[s], failed('crashed'))),
  ),
  shape('retrying PLAN_READY', at('PLAN_READY').when(timer('timer.timeout'))),
  shape('retrying what was pushed', at('PUSHED').when(deny(), retry('LOCAL_VALIDATING'), failed('crashed'))),
  shape(
    'retrying, an opening came',
    sentBack('IMPLEMENTING').when(failed('crashed'), ofEpoch(asked.run.lifecycle.epoch, opened())),
  ),
];

/** S10: a base or head that moves. */
const updating = at('PUSHED').when(updateBase);
const updatingFix = at('CI_WAIT').when(updateBase);
const foreignOpen = at('CI_WAIT').when(headIs('e'));
const ofBranches: readonly Shape[] = [
  shape('updating', updating),
  shape('updating paused', updating.when(pause)),
  shape('conflicting', at('LOCAL_VALIDATING').when(validated(), pushedConflicting)),
  shape('updating, conflicts', updating.when(baseMerged('conflicts'))),
  shape('updating a pull request', updatingFix),
  shape('updating a pull request, conflicts', updatingFix.when(baseMerged('conflicts'))),
  shape('updating a pull request, red', updatingFix.when(red)),
  shape(
    'updating a pull request, changes asked for, no bound',
    at('CI_WAIT', never).when(updateBase, review()),
  ),
  shape('updating a pull request, green', updatingFix.when(check(), later(60_000, looked))),
  shape('somebody else pushed', at('PUSHED').when(headIs('e'))),
  shape('changes asked for, then somebody else pushed', at('PUSHED').when(askChanges(), headIs('e'))),
  shape('somebody else pushed, read', at('PUSHED').when(headIs('e'), headRead())),
  shape('somebody else pushed, taking', at('PUSHED').when(headIs('e'), headRead(), takeHead())),
  ...[
    foreignOpen,
    foreignOpen.when(check({}, 'e')),
    foreignOpen.when(check({ outcome: 'failed' }, 'e')),
  ].flatMap((s) => [
    shape('somebody else pushed to a pull request', s.when(headRead())),
    shape(
      'somebody else pushed to a pull request, taking, green',
      s.when(headRead(), takeHead(), ci([{}], [], 'e'), later(60_000, ci([{}], [], 'e'))),
    ),
    shape('somebody else pushed to a pull request, taking', s.when(headRead(), takeHead())),
  ]),
];
shapes.push(...ofBranches);

const withBudget = (state: RunState, change: Partial<RunBounds> = {}): Story => at(state, budgeted(change));
const broke = (state: RunState, change: Partial<RunBounds> = {}): Story =>
  withBudget(state, change).when(spent({ tokens: 100 }));
const lateOpening = withBudget('PUSHED').when(confirm(), deny(), retry('LOCAL_VALIDATING'));
const brokeOpened = lateOpening.when(spent({ tokens: 100 }), (run) => ({ ...opened()(run), epoch: 1 }));

const ofBudgets: readonly Shape[] = [
  ...ACTIVE_STATES.map((state) => shape(`${state} with a budget`, withBudget(state))),
  ...(['IMPLEMENTING', 'LOCAL_VALIDATING', 'ITERATING'] as const).flatMap((state) => [
    shape(`${state}, budget used up`, broke(state)),
    shape(`${state}, retrying with a budget`, withBudget(state).when(failed('crashed'))),
  ]),
  shape(
    'sent back to read, budget used up',
    reads(budgeted()).when(
      discovered(),
      baseChecked(),
      spent({ tokens: 100 }),
      retry('QUEUED'),
      startDiscovery,
    ),
  ),
  shape(
    'sent back to be checked, time used up',
    reads(budgeted({ maxOutputBytes: 100 })).when(
      discovered(),
      baseChecked(),
      spent({ by: 'check', outputBytes: 100 }),
      retry('QUEUED'),
      startDiscovery,
    ),
  ),
  shape(
    'PLAN_READY of another base, time used up',
    reads(budgeted({ maxOutputBytes: 100 })).when(
      discovered(),
      baseChecked(),
      spent({ by: 'check', outputBytes: 100 }),
      retry('QUEUED'),
      startDiscovery,
      discovered({ escalate: { kind: 'agreement_required', file: 'CLA.md', line: 1 }, base: sha('9') }),
    ),
  ),
  shape('reading, little time', reads({ runMs: 100 }).when(discovered(), baseChecked())),
  shape('reading, nothing new', readingSeen),
  shape('lacks what the base needs', at('DISCOVERY').when(discovered(), baseChecked(lacking))),
  shape('lacks what the base needs, to be read', reads().when(discovered(), baseChecked(lacking))),
  shape('reading, with a budget', reads(budgeted()).when(discovered(), baseChecked())),
  shape(
    'reading, budget used up',
    reads(budgeted()).when(discovered(), baseChecked(), spent({ tokens: 100 })),
  ),
  shape('CI_WAIT, no fixes left', withBudget('CI_WAIT', never).when(red, ciCompared([]))),
  shape('budget used up, then opened', brokeOpened),
  shape(
    'budget used up, then opened, green',
    brokeOpened.when(check(), later(60_000, looked), later(30_000, headIs('a'))),
  ),
  shape('paused with a budget', withBudget('IMPLEMENTING').when(pause)),
  shape('updating, budget used up', withBudget('PUSHED').when(spent({ tokens: 100 }), updateBase)),
  shape('waits for a slot', at('QUEUED').when(held())),
];
shapes.push(...ofBudgets);

const permission: Shape[] = (['IMPLEMENTING', 'ITERATING'] as const).flatMap((state) => [
  shape(`${state}, asks for permission`, at(state).when(asksFor())),
  shape(`${state}, was permitted`, at(state).when(asksFor(), permits())),
  ...kept(state, asksFor()),
]);
shapes.push(...permission);

const SORT = [asksFor('gem install a'), permitsSort()];
const worked = ways.IMPLEMENTING.length;
const back = at('IMPLEMENTING').when(...SORT, asksFor(), retry('QUEUED'));
shapes.push(
  ...RUN_STATES.filter((state) => !isTerminal(state)).map((state) => {
    const way: Act[] = ways[state];
    const story =
      way.length < worked
        ? back.when(...way)
        : given({ bounds: bounds() }, ...way.slice(0, worked), ...SORT, ...way.slice(worked));
    return shape(`${state}, with a sort allowed`, story);
  }),
);

const several = (...more: Act[]): Story =>
  given({ bounds: bounds(), engine: 'codex', proposers: ['codex', 'claude'] }, ...ways.IMPLEMENTING, ...more);
shapes.push(
  shape('the first of two engines works', several()),
  shape('the change of the first of two engines is checked', several(implemented('a'))),
  shape('the second of two engines works', several(implemented('a'), validated())),
  shape('the second of two engines is checked', several(implemented('a'), validated(), implemented('b'))),
  shape(
    'the change of the first of two engines goes on',
    several(implemented('a'), validated(), implemented(null)),
  ),
);

const waits = at('CI_WAIT').when(commentAsks);
shapes.push(
  shape('CI_WAIT, and a comment waits', waits),
  shape('REVIEW_WAIT, and a comment waits', at('REVIEW_WAIT').when(commentAsks)),
  shape('ITERATING, and a comment waits', waits.when(red)),
  shape('PAUSED, and a comment waits', waits.when(pause)),
  shape('a failed fix, and a comment waits', waits.when(red, failed('crashed'))),
  shape('a fix without changes, and a comment waits', waits.when(red, implemented(null))),
);

const otherBytes = [askChanges(), implemented('b'), validated({ decision: 'escalate', both: {} })] as const;
shapes.push(
  shape('a card after changes that were asked for', at('PUSHED').when(...otherBytes)),
  shape(
    'a pushed card after changes',
    at('PUSHED').when(askChanges(), implemented('b'), validated(), pushed()),
  ),
  shape(
    'a card of a fix after another',
    at('ITERATING').when(implemented('b'), escalated, deny('Smaller.'), implemented('c'), escalated),
  ),
  shape('changes of a pushed card were asked for', at('PUSHED').when(askChanges())),
  shape('a question is open', at('PUSHED').when(askQuestion())),
);

const tracked = (...more: Act[]): Story =>
  given(
    { quoted: { url: 'https://tracker.example/7', text: 'x', item: { hook: 'tracker', id: 'i-1' } } },
    ...ways.CI_WAIT,
    ...more,
  );
const onward: readonly (readonly Act[])[] = [
  [],
  [check(), later(30_000, looked)],
  [red, ciCompared([])],
  [pause],
  [red, ciCompared([]), failed('crashed')],
  [red, ciCompared([]), implemented(null)],
  [pull({ merged: true })],
  [cancel],
];
shapes.push(
  ...onward.flatMap((acts) => {
    const there = tracked(...acts);
    const { state } = there.run.lifecycle;
    return [
      shape(`${state}, with an item`, there),
      shape(`${state}, with a comment on its item`, tracked(commentOnItem, ...acts)),
    ];
  }),
);

/** Every input, in each variant with a different outcome. */
export const trials = (run: Run): Act[] => {
  const again: Input = { type: 'command.run.create', runId: 'r1', order: order() };
  const moved = proposal('open_pr', run.change.commit?.sha ?? sha('a'), { title: 'Other' });
  const {
    lifecycle: { epoch },
  } = run;
  const results: Act[] = [
    discovered(),
    discovered({ banned: true }),
    discovered({ archived: true }),
    discovered({ escalate: { kind: 'agreement_required', file: 'CLA.md', line: 1 } }),
    baseChecked(),
    baseChecked(lacking),
    refined(),
    refined({ refused: ['line 1: it stands nowhere'] }),
    implemented('b'),
    implemented(null),
    implemented(null, 1_000, { revert: 'empty' }),
    planOfTwo,
    planNext,
    planBlocks,
    planEnds,
    validated(),
    validated({ passed: false }),
    validated({ decision: 'deny' }),
    escalated,
    validated({ decision: 'escalate', both: {} }),
    validated({ decision: 'escalate', both: { conflicts: true } }),
    pushed(),
    pushed('a', true),
    pushedConflicting,
    opened(),
    failed('crashed'),
    failed('auth_missing'),
    failed('invalid_output'),
    failed('repository_empty'),
    failed('forge_unavailable', { step: 'push' }),
    failed('forge_unavailable', { step: 'open_pr' }),
    failed('seal_moved', { step: 'push', proposal: moved }),
    ciCompared(['test']),
    ciCompared([], ['test']),
    sealedReplies(),
    sealedReplies({ decision: 'deny' }),
    postedReplies(),
    commentOnItem,
    commented('posted'),
    commented('refused'),
    setUpPull('fields'),
    setUpPull('ready', [{ field: 'ready', value: '', why: 'refused', says: 'Forbidden' }]),
    spent(),
    spent({ tokens: 100 }),
    held(),
    turn(),
    turn({ why: 'opening_hours', readyAt: 5 }),
    baseFollowed(),
    baseMerged('level'),
    baseMerged('merged'),
    baseMerged('conflicts'),
    asksFor(),
    usesGrant(),
    repeatsCall,
    hearsWords(),
    interrupted(),
    interrupted(9),
    headRead(),
    headRead('f'),
    baseMergedThere(),
    headRead(undefined, 'Ana'),
    failed('forge_refused', { step: 'read_head' }),
  ];
  return [
    () => ({ input: again }),
    startDiscovery,
    startWork(),
    startWork(ana),
    sendToChecks,
    approvePush(),
    approveReply(),
    choose('c1', 'fix'),
    remarksAnswered,
    begin,
    remarks,
    confirm(),
    confirm({ digest: 'other' }),
    openNow,
    deny(''),
    deny('Smaller.'),
    askChanges(),
    deny('No.', true),
    iterate(),
    modify(),
    rewordedTo('Other words'),
    rewordedTo('Other words', true),
    rewordedTo(null),
    updateBase,
    takeHead(),
    takeHead('f'),
    rerun,
    goWithout,
    ...[null, ...RUN_STATES].flatMap((target) => [retry(target), resume(target)]),
    tells(),
    tells('Other file.', 'now'),
    reschedules('now'),
    reschedules('after'),
    keepsWork,
    dropsWork,
    pause,
    skip,
    cancel,
    markDone,
    overrule('Elsewhere.'),
    permits(),
    permits(false),
    permits(true, { digest: 'other' }),
    permitsSort(),
    revokes,
    askQuestion(),
    answered(),
    takeBack(),
    overrule(' '),
    answers(),
    answers('words', 'In my own words.'),
    raise('tokens', 1_000),
    raise('iterations', 9),
    ...results,
    ...results.map((r) => ofEpoch(run.lifecycle.pausedEpoch ?? epoch, r)),
    ...results.map((r) => ofEpoch(epoch - 1, r)),
    pull(),
    pull({ merged: true }),
    pull({ closed: true }),
    pull({ head: 'e' }),
    reopened(),
    reopened({ merged: true }),
    reopened({ closed: true }),
    reopened({ head: 'e' }),
    headIs('a'),
    headIs('e'),
    check(),
    red,
    check({ outcome: 'failed', startedAt: 999 }),
    check({ outcome: null, startedAt: 999 }),
    check({}, 'f'),
    ci([{}], [], 'f'),
    ci([]),
    ci([{}]),
    ci([{ outcome: 'failed', startedAt: 999 }]),
    ci([{ outcome: null, startedAt: 999 }]),
    review(),
    review({ state: 'approved' }),
    comment,
    exposed(),
    commentAnswered,
    survived,
    timer('timer.timeout'),
    timer('timer.reminder'),
    timer('timer.retry'),
    timer('timer.remarks.due'),
    lookFailed(),
    lookFailed({ kind: 'missing', status: 404 }),
    lookWorked,
    accessIs('unlisted'),
    accessIs(null),
    shows({ base: 'develop' }),
    shows({ repo: home({ archived: true }) }),
    shows({ headDeleted: true }),
    shows({ repo: home(), headDeleted: false }),
    repositoryIs({ archived: true }),
    repositoryIs({ name: 'ben/app' }),
    repositoryIs(),
    branchRenamed(),
    expired,
    later(30 * 24 * 3_600_000, expired),
    unanswerable(0, 9e12),
    later(1, () => ({ input: { type: 'timer.timeout', epoch: epoch - 1 } })),
    later(1, () => ({ input: { type: 'timer.timeout', epoch, waits: true } })),
  ];
};
