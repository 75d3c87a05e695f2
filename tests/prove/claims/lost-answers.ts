/** L4, L6: the code host acts, but sometimes answers 502; each object is created once. */
import { timed, factsLine, type Claim, type Play } from '../claim.ts';
import { createCoverage } from '../coverage.ts';
import { ANA } from '../process.ts';
import { createRandom, seedFor } from '../random.ts';
import { createStage, openMemory, type Stage } from '../stage.ts';
import { spread } from '../spread.ts';

const bar = { quick: 50, full: 10_000 };
const LOST = 0.05;
const THREADS = 3;
const TURNS = 2_000;
/** Long enough for every retry (ms). */
const QUIET = 120_000;

type Found = { violations: string[]; lines: string[]; pulls: number; replies: number; lost: number };

const until = async (stage: Stage, over: () => Promise<boolean>): Promise<void> => {
  for (let i = 0; i < TURNS && !(await over()); i += 1) await stage.calm(true);
};

const miscounted = (what: string, made: readonly string[], wanted: readonly string[]): string[] =>
  [...new Set([...made, ...wanted])].flatMap((one) => {
    const n = made.filter((other) => other === one).length;
    return n === 1 ? [] : [`${n} ${what} for ${one}`];
  });

const playOne = async (seed: number): Promise<Found> => {
  const coverage = createCoverage();
  const stage = await createStage({
    random: createRandom(seedFor(seed, 'lost answers')),
    coverage,
    opened: openMemory(),
    behaviour: { lostAnswers: LOST },
    mail: { hooks: 0, lost: 0, twice: 0, late: 0 },
    bounds: { approvalMs: 86_400_000, pollMs: 5_000, ciSettleMs: 5_000, noCiMs: 15_000 },
  });
  const { world, people } = stage;
  const pressed = new Set<string>();
  const press = async (like: RegExp): Promise<boolean> => {
    const card = world.messages.findLast(({ buttons }) => buttons.some(({ text }) => like.test(text)));
    const button = card?.buttons.find(({ text }) => like.test(text));
    if (!card || !button || pressed.has(button.token)) return false;
    pressed.add(button.token);
    await people.press(stage.life(), ANA, card, button.token, card);
    return true;
  };
  await people.settleIn(await stage.start(null));
  await people.order(stage.life(), ANA);
  const runs = () => stage.life().query.runs({ live: false, limit: 9 });
  await until(stage, async () => (await runs()).some((run) => run.lifecycle.state === 'REVIEW_WAIT'));
  const [pull] = world.host.open();
  if (pull) for (let i = 0; i < THREADS; i += 1) world.host.thread(pull, 'write');
  const words = new Set<number>();
  await until(stage, async () => {
    const [run] = await runs();
    for (const [i, item] of (run?.review.triage?.items ?? []).entries()) {
      const card = world.messages.findLast(({ buttons }) => buttons.some((b) => b.text.startsWith('1 ')));
      if (!card || item.answer !== null || words.has(i)) continue;
      words.add(i);
      await people.type(stage.life(), ANA, `${i + 1} Three is what it was.`, ANA, 'message', card);
    }
    await press(/^\W*Post\b/);
    return (run?.review.postedReplies?.outcomes ?? []).length === THREADS;
  });
  const end = stage.now.at + QUIET;
  await until(stage, async () => stage.now.at >= end);
  const asked = (await runs()).map(({ id }) => id);
  const { replies, comments } = world.repo;
  const ours = comments.filter(({ author }) => author === 'agentpr-bot').map(({ body }) => body);
  const threads = world.repo.reviews.flatMap(({ remarks = [] }) => remarks.map(({ thread }) => thread));
  const lost = coverage.troubles.get('forge: answer lost') ?? 0;
  return {
    violations: [
      ...stage.violations,
      ...miscounted(
        'pull requests',
        world.record.created.map(({ headRef }) => asked.find((id) => headRef.includes(id)) ?? headRef),
        asked,
      ),
      ...miscounted(
        'replies',
        replies.map(({ thread }) => thread),
        threads,
      ),
      ...miscounted('comments', ours, []),
    ],
    lines: stage.trace,
    pulls: world.record.created.length,
    replies: replies.length,
    lost,
  };
};

export const play: Play = async ({ from, count }, progress) => {
  const violations: string[] = [];
  const facts = { 'pull requests': 0, replies: 0, 'answers lost after the deed': 0 };
  for (let seed = from; seed < from + count; seed += 1) {
    const found = await playOne(seed);
    facts['pull requests'] += found.pulls;
    facts.replies += found.replies;
    facts['answers lost after the deed'] += found.lost;
    for (const v of found.violations) violations.push(`--only lost-answers --seed ${seed}: ${v}`);
    if (seed % 10 === 0) progress(seed - from);
  }
  return { trials: count, violations, facts };
};

export const lostAnswers: Claim = {
  name: 'lost-answers',
  says: 'the code host does 5 % of all that it is asked and answers 502: each pull request, comment and reply is there once',
  bar,
  run: (options) =>
    timed(async () => {
      const { trials, violations, facts } = await spread('lost-answers', { bar }, options);
      return { trials, violations, note: factsLine(facts) };
    }),
  repeat: async (seed) => playOne(seed),
};
