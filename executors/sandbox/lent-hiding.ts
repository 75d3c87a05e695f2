/** C5, E16: puts the hiding of what was lent before everything that a person reads or the ledger keeps. */
import type { Chat, Checks, Executor, ExecutorDone, Notes, ProcessEnd } from '../../orchestrator/ports.ts';
import type { Lent } from './lent.ts';

type Hides = Pick<Lent, 'hide'>;

const endOf = ({ hide }: Hides, end: ProcessEnd): ProcessEnd => ({
  ...end,
  stdout: hide(end.stdout),
  stderr: hide(end.stderr),
});

const doneOf = (lent: Hides, done: ExecutorDone): ExecutorDone => ({
  ...done,
  summary: lent.hide(done.summary),
  failure: done.failure && { ...done.failure, message: lent.hide(done.failure.message) },
  end: endOf(lent, done.end),
  ...(done.claims
    ? {
        claims: {
          ...done.claims,
          ran: done.claims.ran.map((ran) => ({ ...ran, command: lent.hide(ran.command) })),
        },
      }
    : {}),
});

export const hidingExecutor = (lent: Hides, executor: Executor): Executor => ({
  run: async (input) => {
    const onEvent: typeof input.onEvent = (event) =>
      input.onEvent(event.type === 'progress' ? { ...event, text: lent.hide(event.text) } : event);
    return doneOf(lent, await executor.run({ ...input, onEvent }));
  },
});

export const hidingChecks = (lent: Hides, checks: Checks): Checks => ({
  run: async (input) => {
    const { result, end, containment } = await checks.run(input);
    return { result: { ...result, tail: lent.hide(result.tail) }, end: endOf(lent, end), containment };
  },
});

/** What an agent wrote down for itself or for us is kept and shown as well. */
export const hidingNotes = (lent: Hides, notes: Notes): Notes => ({
  ...notes,
  read: async (runId, note) => {
    const text = await notes.read(runId, note);
    return text === null ? null : lent.hide(text);
  },
});

export const hidingChat = (lent: Hides, chat: Chat): Chat => ({
  ...chat,
  send: (message) => chat.send({ ...message, html: lent.hide(message.html) }),
  edit: (message) => chat.edit({ ...message, html: lent.hide(message.html) }),
  document: (message) => {
    const { name, content, caption } = message;
    const hidden = { name: lent.hide(name), content: lent.hide(content), caption: lent.hide(caption) };
    return chat.document({ ...message, ...hidden });
  },
});
