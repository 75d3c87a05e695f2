/** F8: polls may fail in any way for any time; afterwards every run knows what happened. */
import type { Run } from '#run';
import { OutsideFailure } from '#ports/forge';
import type { ForgePort } from '#ports/roles';
import { factsLine, timed, type Claim, type Play } from '../claim.ts';
import { createCoverage } from '../coverage.ts';
import { ANA } from '../process.ts';
import { createRandom, seedFor, type Random } from '../random.ts';
import { spread } from '../spread.ts';
import { createStage, openMemory, type Stage } from '../stage.ts';

const bar = { quick: 60, full: 5_000 };
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Deadline after the outage: the longest poll interval, and one poll (ms). */
const KNOWN = 12 * MINUTE;
/** Maximum number of turns per period. */
const TURNS = 20_000;

const METHODS = ['pull', 'checks', 'reviews', 'comments'] as const;
type Method = (typeof METHODS)[number];
type Answer = { name: string; fails: (now: number) => Error };
const outside = (...failure: ConstructorParameters<typeof OutsideFailure>): Error =>
  new OutsideFailure(...failure);

/** Failures of host, proxy or network, as the adapter reports them. */
const ANSWERS: readonly Answer[] = [
  { name: '401', fails: () => outside('auth_missing', 'Bad credentials', { status: 401 }) },
  { name: '403', fails: () => outside('forge_refused', 'GitHub refused (403)', { status: 403 }) },
  { name: '404', fails: () => outside('repository_missing', 'Not Found', { status: 404 }) },
  { name: '422', fails: () => outside('forge_refused', 'GitHub refused (422)', { status: 422 }) },
  { name: '451', fails: () => outside('forge_refused', 'GitHub refused (451)', { status: 451 }) },
  { name: '500', fails: () => outside('forge_unavailable', 'GitHub failed (500)', { status: 500 }) },
  { name: 'garbage', fails: () => outside('forge_unavailable', 'not its API') },
  { name: 'silence', fails: () => outside('forge_unavailable', 'GitHub could not be reached') },
  {
    name: 'a limit',
    fails: (now) => outside('rate_limited', 'wait', { retryAt: now + 7 * MINUTE, status: 403 }),
  },
];

type Spell = { answer: Answer; methods: readonly Method[]; ms: number; meanwhile: 'merge' | 'red' | null };
type Sky = { spell: Spell | null };

const spellOf = (random: Random): Spell => ({
  answer: random.pick(ANSWERS),
  methods: random.pick([METHODS, METHODS, [random.pick(METHODS)], ['checks', 'reviews'] as const]),
  ms: random.pick([20_000, 3 * MINUTE, 40 * MINUTE, 6 * HOUR]),
  meanwhile: random.pick(['merge', 'red', null, null] as const),
});

const cloud = (forge: ForgePort, name: Method, sky: Sky, clock: { now(): number }): void => {
  const right = forge[name].bind(forge) as (...args: unknown[]) => Promise<unknown>;
  const answered = async (...args: unknown[]): Promise<unknown> => {
    const { spell } = sky;
    if (spell?.methods.includes(name)) throw spell.answer.fails(clock.now());
    return right(...args);
  };
  Object.assign(forge, { [name]: answered });
};

const runsOf = (stage: Stage): Promise<Run[]> => stage.life().query.runs({ live: false, limit: 99 });
const until = async (stage: Stage, over: (runs: Run[]) => boolean): Promise<Run[]> => {
  for (let i = 0; i < TURNS && !over(await runsOf(stage)); i += 1) await stage.calm(false);
  return runsOf(stage);
};
const passes = async (stage: Stage, ms: number): Promise<void> => {
  const end = stage.now.at + ms;
  await until(stage, () => stage.now.at >= end);
};

const NOTE = /CANNOT BE READ|SOME OF GITHUB CANNOT BE READ|READ AGAIN/;
const settled = async (stage: Stage, since: number): Promise<string[]> => {
  const all = await Promise.all((await runsOf(stage)).map((run) => stage.life().query.events(run.id)));
  return all.flatMap((events) =>
    events
      .filter(
        (e, i) => e.stateAfter === 'REVIEW_WAIT' && events[i - 1]?.stateAfter === 'CI_WAIT' && e.at > since,
      )
      .map((e) => `run ${e.runId} came to REVIEW_WAIT by ${e.type}, and nobody could see its checks`),
  );
};

const playOne = async (seed: number): Promise<{ violations: string[]; lines: string[]; spells: Spell[] }> => {
  const random = createRandom(seedFor(seed, 'looks'));
  const wrong: string[] = [];
  const ci = random.pick([0, 1]);
  const stage = await createStage({
    random,
    coverage: createCoverage(),
    opened: openMemory(),
    behaviour: { ci },
    mail: { hooks: 0, lost: 0, twice: 0, late: 0 },
    bounds: { pollMs: 30_000, noCiMs: 3 * MINUTE, ciSettleMs: 25_000 },
    runs: 3,
  });
  const sky: Sky = { spell: null };
  for (const name of METHODS) cloud(stage.world.ports.forge, name, sky, stage.clock);
  await stage.people.settleIn(await stage.start(null));
  const count = random.pick([1, 1, 2, 3]);
  for (let i = 0; i < count; i += 1) await stage.people.order(stage.life(), ANA);
  await until(stage, (runs) => runs.length > 0 && runs.every((run) => run.upstream.pullRequest !== null));

  const spells = Array.from({ length: random.int(3) + 1 }, () => spellOf(random));
  for (const spell of spells) {
    stage.say(
      `${spell.answer.name} on ${spell.methods.join(', ')} for ${spell.ms / MINUTE} min, then ${spell.meanwhile ?? 'nothing'}`,
    );
    const from = stage.now.at;
    sky.spell = spell;
    const [pull] = stage.world.host.open();
    if (pull && spell.meanwhile === 'merge') stage.world.host.merge(pull);
    if (pull && spell.meanwhile === 'red') {
      Object.assign(stage.world.behaviour, { ci: 1, ciRed: 1 });
      stage.world.host.runCi(pull.headSha);
    }
    if (random.chance(0.3)) await stage.start(null);
    await passes(stage, spell.ms);
    if (spell.methods.includes('checks') || spell.methods.includes('pull'))
      wrong.push(...(await settled(stage, from)));
    Object.assign(stage.world.behaviour, { ci, ciRed: 0 });
    sky.spell = null;
    await passes(stage, random.pick([KNOWN, HOUR]));
    wrong.push(...(await judge(stage)));
  }
  const notes = stage.world.messages.filter(({ html }) => NOTE.test(html)).length;
  if (notes > spells.length) wrong.push(`${notes} messages tell of ${spells.length} spells`);
  return { violations: [...wrong, ...stage.violations], lines: stage.trace, spells };
};

/** Merged runs must be done, red ones known, and no outage left. */
const judge = async (stage: Stage): Promise<string[]> => {
  const { pulls, checks } = stage.world.repo;
  return (await runsOf(stage)).flatMap((run) => {
    const pull = pulls.find((p) => p.id === run.upstream.pullRequest?.id);
    const red = checks.filter((c) => c.sha === run.change.pushedHead?.sha && c.conclusion === 'failure');
    const known = run.upstream.observed.ci[run.change.pushedHead?.sha ?? '']?.checks ?? {};
    const newest = Object.values(known).map((c) => c.outcome);
    return [
      ...(pull?.merged && run.lifecycle.state !== 'DONE'
        ? [`run ${run.id} was merged and is ${run.lifecycle.state}`]
        : []),
      ...(pull?.state === 'open' && red.length > 0 && newest.length === 0
        ? [`run ${run.id} has not heard of its red checks`]
        : []),
      ...(run.upstream.observed.outage && pull?.state === 'open'
        ? [`run ${run.id} says that it sees nothing, in fair weather`]
        : []),
    ];
  });
};

export const play: Play = async ({ from, count }, progress) => {
  const violations: string[] = [];
  const facts: Record<string, number> = { spells: 0, merges: 0 };
  for (let seed = from; seed < from + count; seed += 1) {
    const found = await playOne(seed);
    facts.spells = (facts.spells ?? 0) + found.spells.length;
    facts.merges = (facts.merges ?? 0) + found.spells.filter((s) => s.meanwhile === 'merge').length;
    for (const { answer } of found.spells) facts[answer.name] = (facts[answer.name] ?? 0) + 1;
    for (const v of found.violations) violations.push(`--only looks --seed ${seed}: ${v}`);
    if (seed % 10 === 0) progress(seed - from);
  }
  return { trials: count, violations, facts };
};

export const looks: Claim = {
  name: 'looks',
  says: 'whatever looks are answered: in fair weather every run knows of its merge, told once a spell, and nothing unseen is green',
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts } = await spread('looks', { bar }, options);
      return { trials, violations, note: factsLine(facts) };
    }),
  repeat: async (seed) => {
    const { lines, violations } = await playOne(seed);
    return { lines, violations };
  },
};
