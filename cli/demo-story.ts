/** The story of the demo: Ana asks for a change, reads the card, taps twice; the maintainer merges; the ledger is replayed. */
import { verdicts, tellVerdicts } from './ledger-commands.ts';
import { Exit, EXIT } from './environment.ts';
import { provePull } from './demo-proof.ts';
import type { Transcript } from './transcript.ts';
import type { App } from '../main.ts';
import { isTerminal } from '../orchestrator/core/states.ts';
import type { Run } from '../orchestrator/core/run.ts';
import { replay } from '../orchestrator/replay.ts';
import type { ChatMessage, GitHub, Person } from '../playground/index.ts';

export type Story = { repo: string; goal: string; check: string[] };
type Playing = {
  app: App;
  ana: Person;
  github: GitHub;
  transcript: Transcript;
  states: Run[];
  story: Story;
  dataDir: string;
};

/** Long enough for the checks of a real repository. */
const PATIENCE = 30 * 60_000;
/** How often the story looks whether the run has stopped short of its card, in ms. */
const LOOK = 200;

const show = (transcript: Transcript, message: ChatMessage): void =>
  transcript.says(
    'bot',
    message.text,
    message.buttons.map((line) => line.map((b) => b.text)),
  );

const quoted = (text: string): string => (text.includes('"') ? `'${text}'` : `"${text}"`);

/** Waits for a message, or for the run to stop on the way: then says why. */
const waitFor = async (
  p: Playing,
  look: (person: Person) => ChatMessage | undefined,
): Promise<ChatMessage> => {
  const until = Date.now() + PATIENCE;
  for (;;) {
    const found = await p.ana.waitFor(look, { deadlineMs: LOOK }).catch(() => null);
    if (found) return found;
    const run = p.states.at(-1);
    const stopped =
      run && (isTerminal(run.state) || run.state === 'NEEDS_HUMAN_REVIEW' || run.state === 'PAUSED');
    if (stopped || Date.now() > until) {
      const last = p.ana.lastMessage();
      if (last) show(p.transcript, last);
      throw new Exit(
        EXIT.failed,
        `The run stopped in ${run?.state ?? 'nothing'}: ${run?.reason ?? 'nothing happened'}`,
      );
    }
  }
};

const withButton =
  (like: RegExp) =>
  (person: Person): ChatMessage | undefined =>
    person.messages().findLast((m) => m.buttons.flat().some((b) => like.test(b.text)));

export const playStory = async (p: Playing): Promise<object> => {
  const { ana, transcript, story, app, github, states } = p;
  transcript.note(
    'Everything below is real: the bot, the orchestrator, git over HTTP, the agent’s process, the checks. Only the two servers are local.\n',
  );
  const checks = story.check.map((c) => ` check=${quoted(c)}`).join('');
  const order = `/new ${story.repo} ${story.goal}${checks}`;
  ana.sends(order);
  transcript.says('Ana', order);

  // A policy may want a signature before the push; the demo's person reads it and gives it, with two taps.
  const push = /^\W*(Push|Confirm)\b/;
  const open = /^\W*Open PR\b/;
  for (;;) {
    const card = await waitFor(p, (person) => withButton(open)(person) ?? withButton(push)(person));
    show(transcript, card);
    const isPush = !card.buttons.flat().some((b) => open.test(b.text));
    await tapTwice(p, isPush ? push : open);
    if (!isPush) break;
    await waitFor(p, withButton(open));
  }

  await github.waitFor(() => github.repo(story.repo).pulls.length > 0, {
    deadlineMs: 60_000,
    what: 'the pull request',
  });
  const opened = await waitFor(p, (person) => person.messages().findLast((m) => /#1\b/.test(m.text)));
  show(transcript, opened);
  await github.repo(story.repo).merge(1);
  transcript.says('maintainer', 'merges pull request #1 on the code host');
  await waitForEnd(p);
  const last = ana.lastMessage();
  if (last) show(transcript, last);

  const run = states.at(-1);
  if (!run) throw new Exit(EXIT.failed, 'There is no run.');
  const proof = await provePull(app.ledger, github, run);
  const replayed = await replay(app.ledger);
  transcript.note('');
  for (const line of proof.lines) transcript.note(line);
  transcript.note(`States: ${[...new Set(states.map((s) => s.state))].join(' → ')}`);
  for (const line of tellVerdicts(replayed)) transcript.note(line);
  if (!proof.holds || replayed.findings.length > 0)
    throw new Exit(EXIT.findings, 'The proof does not hold; see above.');
  const events = (await app.ledger.query.events(run.id)).map((e) => ({
    ...e,
    body: JSON.parse(e.body) as unknown,
  }));
  return { run, events, pulls: github.repo(story.repo).pulls, proof, verdicts: verdicts(replayed) };
};

const tapTwice = async (p: Playing, like: RegExp): Promise<void> => {
  const { ana, transcript } = p;
  for (const button of [like, /^\W*Confirm\b/]) {
    const card = await waitFor(p, withButton(button));
    const text = card.buttons.flat().find((b) => button.test(b.text))?.text ?? '';
    transcript.says('Ana', `taps [ ${text} ]`);
    const answer = await ana.taps({ message: card.messageId, text }).answered();
    if (answer.text) transcript.says('bot', `(${answer.text})`);
  }
};

const waitForEnd = async (p: Playing): Promise<void> => {
  const until = Date.now() + 60_000;
  while (Date.now() < until) {
    const run = p.states.at(-1);
    if (run?.state === 'DONE') {
      await p.ana.waitFor((person) => person.messages().findLast((m) => /merged/i.test(m.text)), {
        deadlineMs: 10_000,
      });
      return;
    }
    await p.ana.waitFor(() => p.states.at(-1)?.state === 'DONE', { deadlineMs: LOOK }).catch(() => null);
  }
  throw new Exit(EXIT.failed, `The run did not end: it is ${p.states.at(-1)?.state ?? 'nothing'}.`);
};
