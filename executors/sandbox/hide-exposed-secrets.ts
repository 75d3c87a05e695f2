/** Hides exposed secrets in everything that people read or the ledger stores (C5, E16). */
import type { ChatPort } from '#ports/chat';
import type {
  CheckExecutor,
  EngineExecutor,
  ExecutorDone,
  ExecutorEvent,
  ProcessEnd,
} from '#ports/processes';
import type { RunNotes } from '#ports/workspaces';
import type { TurnRecorder } from '#ports/records';
import type { TurnDraft } from '#model/turn';
import type { FailureDetail } from '#model/failure';
import type { Activity, ReportedChange } from '#model/agent';
import type { ExposedSecrets } from './exposed-secrets.ts';

type Hides = Pick<ExposedSecrets, 'hide' | 'hideLong'>;

/** O10: a boxed program may print text of any length. */
const endOf = async ({ hideLong }: Hides, end: ProcessEnd): Promise<ProcessEnd> => ({
  ...end,
  stdout: await hideLong(end.stdout),
  stderr: await hideLong(end.stderr),
});

const hidingSaid = ({ hide }: Hides, said: ReportedChange): ReportedChange => {
  const hideOrNull = (text: string | null): string | null => (text === null ? null : hide(text));
  const { what, why, tested, breaking, issue, note, template } = said;
  const claims = template?.map((one) => ({ ...one, value: hide(one.value), proof: hide(one.proof) }));
  return {
    what: hideOrNull(what),
    why: hideOrNull(why),
    tested: hideOrNull(tested),
    breaking: hideOrNull(breaking),
    issue: hideOrNull(issue),
    note: hideOrNull(note),
    type: said.type,
    ...(claims ? { template: claims } : {}),
  };
};

const hidingDetail = ({ hide }: Hides, detail: FailureDetail): FailureDetail =>
  'says' in detail && detail.says !== undefined ? { ...detail, says: hide(detail.says) } : detail;

const hideInDone = async (lent: Hides, done: ExecutorDone): Promise<ExecutorDone> => ({
  ...done,
  summary: lent.hide(done.summary),
  ...(done.words === undefined ? {} : { words: lent.hide(done.words) }),
  failure: done.failure && {
    ...done.failure,
    message: lent.hide(done.failure.message),
    ...(done.failure.detail ? { detail: hidingDetail(lent, done.failure.detail) } : {}),
    ...(done.failure.model ? { model: lent.hide(done.failure.model) } : {}),
  },
  end: await endOf(lent, done.end),
  ...(done.claims
    ? {
        claims: {
          ...done.claims,
          ran: done.claims.ran.map((ran) => ({ ...ran, command: lent.hide(ran.command) })),
          ...(done.claims.replies
            ? { replies: done.claims.replies.map((one) => ({ ...one, text: lent.hide(one.text) })) }
            : {}),
          ...(done.claims.reported ? { reported: hidingSaid(lent, done.claims.reported) } : {}),
        },
      }
    : {}),
});

const hideInActivity = (hide: Hides['hide'], { kind, text, lines }: Activity): Activity => ({
  kind,
  text: hide(text),
  // guard: E16-activity-lines
  lines: lines.map((line) => hide(line)),
});

const hideInEvent = ({ hide }: Hides, event: ExecutorEvent): ExecutorEvent => {
  if (event.type === 'progress') return { ...event, ...hideInActivity(hide, event) };
  return event.type === 'repeated' ? { ...event, call: hide(event.call) } : event;
};

export const createHidingExecutor = (lent: Hides, executor: EngineExecutor): EngineExecutor => ({
  ...executor,
  run: async (input) => {
    const onEvent: typeof input.onEvent = (event) => input.onEvent(hideInEvent(lent, event));
    const { turns } = input;
    const recorded: { turns?: TurnRecorder } = turns
      ? { turns: { ...turns, write: (seq, draft) => turns.write(seq, hidingTurn(lent, draft)) } }
      : {};
    return hideInDone(lent, await executor.run({ ...input, onEvent, ...recorded }));
  },
});

const hidingTurn = ({ hide }: Hides, draft: TurnDraft): TurnDraft =>
  JSON.parse(
    JSON.stringify(draft),
    // guard: E16-turn-texts
    (_, value: unknown) => (typeof value === 'string' ? hide(value) : value),
  ) as TurnDraft;

export const createHidingChecks = (lent: Hides, checks: CheckExecutor): CheckExecutor => ({
  run: async (input) => {
    const { onProgress } = input;
    const { result, end, containment } = await checks.run({
      ...input,
      ...(onProgress
        ? { onProgress: (activity: Activity) => onProgress(hideInActivity(lent.hide, activity)) }
        : {}),
    });
    const { commandFailure: trouble, failing } = result;
    const hidden = {
      ...result,
      tail: lent.hide(result.tail),
      ...(trouble ? { commandFailure: { ...trouble, says: lent.hide(trouble.says) } } : {}),
      ...(failing ? { failing: failing.map((name) => lent.hide(name)) } : {}),
    };
    return { result: hidden, end: await endOf(lent, end), containment };
  },
});

export const createHidingNotes = (lent: Hides, notes: RunNotes): RunNotes => ({
  ...notes,
  read: async (runId, note) => {
    const text = await notes.read(runId, note);
    return text === null ? null : lent.hideLong(text);
  },
});

export const createHidingChat = (lent: Hides, chat: ChatPort): ChatPort => ({
  ...chat,
  send: (message) => chat.send({ ...message, html: lent.hide(message.html) }),
  edit: (message) => chat.edit({ ...message, html: lent.hide(message.html) }),
  document: async (message) => {
    const { name, content, caption } = message;
    const hidden = {
      name: lent.hide(name),
      caption: lent.hide(caption),
      content: typeof content === 'string' ? await lent.hideLong(content) : content,
    };
    return chat.document({ ...message, ...hidden });
  },
  album: (message) =>
    chat.album({
      ...message,
      pictures: message.pictures.map((one) => ({
        ...one,
        name: lent.hide(one.name),
        caption: lent.hide(one.caption),
      })),
    }),
});
