/** Talks with `claude -p` by its streams: the prompt, words of operators, and what it asks to be allowed. */
import { z } from 'zod';
import type { PermissionRequest } from '#ports/processes';
import { createPermissionRequest } from '../shared/agent-permission-request.ts';
import {
  PERSON_ASKED_EVENT,
  CANCEL_MS,
  createPermissionAsker,
  type AskAnswer,
  type UnshownRequest,
} from '../shared/answer-permission-requests.ts';
import { createJsonLineSplitter } from '../shared/line-splitter.ts';
import type { ProgramConversation } from '../shared/program-conversation.ts';

const Control = z.object({
  type: z.literal('control_request'),
  request_id: z.string().max(100),
  request: z.object({ subtype: z.string() }),
});
const Input = z.record(z.string(), z.unknown());
type Input = z.infer<typeof Input>;
const CanUseTool = z.object({
  subtype: z.literal('can_use_tool'),
  tool_name: z.string().max(40),
  input: Input,
});

const CLAUDE_TOOL_KINDS: Readonly<Record<string, string>> = {
  Bash: 'execute',
  Read: 'read',
  Glob: 'search',
  Grep: 'search',
  Edit: 'edit',
  Write: 'edit',
  NotebookEdit: 'edit',
};
const SAYS = ['description'];

const requestIn = (request: unknown, workspace: string): PermissionRequest | UnshownRequest | null => {
  const asked = CanUseTool.safeParse(request).data;
  if (!asked) return null;
  const { tool_name: tool, input } = asked;
  const named = Object.hasOwn(CLAUDE_TOOL_KINDS, tool) ? (CLAUDE_TOOL_KINDS[tool] ?? tool) : tool;
  const shown = createPermissionRequest({ tool: named, input }, workspace, SAYS);
  // A tool of a server is known by its name, and may take no input.
  if (shown.input === '{}' && named !== tool) return { unshown: `${tool} has no input that could be shown.` };
  return { ...shown, editable: true };
};

/** The turn ends on `interrupt`; other denials show the model our reason. */
const responseTo = (answer: AskAnswer, input: Input): object => {
  if (answer.kind === 'allow') return { behavior: 'allow', updatedInput: input };
  if (answer.kind === 'modified')
    return { behavior: 'allow', updatedInput: { ...input, ...Input.parse(JSON.parse(answer.input)) } };
  if (answer.kind === 'deny') return { behavior: 'deny', message: answer.reason };
  return { behavior: 'deny', message: 'A person is asked.', interrupt: true };
};

const Replayed = z.object({ type: z.literal('user'), isReplay: z.literal(true), message: z.unknown() });

/** E21: claude repeats a message of ours once its conversation has it, and until then may still read it. */
const createSaying = ({ words }: ProgramConversation, send: (content: string) => void) => {
  let unheard: readonly { no: number; text: string }[] = [];
  const stop = words?.onArrival(() => {
    void words.take().then((found) => {
      unheard = [...unheard, ...found];
      for (const { text } of found) send(text);
    });
  });
  return {
    stop: (): void => stop?.(),
    isUnheard: (): boolean => unheard.length > 0,
    hear: (event: unknown): void => {
      const told = Replayed.safeParse(event).data;
      if (told === undefined || unheard.length === 0) return;
      const whole = JSON.stringify(told.message);
      const heard = unheard.filter(({ text }) => whole.includes(JSON.stringify(text).slice(1, -1)));
      unheard = unheard.filter((one) => !heard.includes(one));
      if (heard.length > 0) words?.heard(heard.map(({ no }) => no));
    },
  };
};

/** A turn that ended while words were on their way goes on with them within this time (ms). */
const UNHEARD_MS = 30_000;

/** Waits only a while for the end if a person is asked, and `unheardMs` for words on their way. */
export const converseByStreams = (
  talk: ProgramConversation,
  { unheardMs = UNHEARD_MS }: { unheardMs?: number } = {},
): Promise<void> =>
  new Promise((resolve) => {
    const { workspace, prompt, listen, stdin, tell, ask } = talk;
    const asking = createPermissionAsker({ tell, ask });
    let late: NodeJS.Timeout | undefined;
    let unheardTimer: NodeJS.Timeout | undefined;
    const finishTalk = (): void => {
      clearTimeout(late);
      clearTimeout(unheardTimer);
      saying.stop();
      // Claude reports a turn that we ended as failed.
      if (asking.waits()) tell(PERSON_ASKED_EVENT);
      resolve();
    };
    asking.stopped.addEventListener('abort', () => (late = setTimeout(finishTalk, CANCEL_MS)), {
      once: true,
    });
    const sendMessage = (message: object): void => {
      if (stdin.writable) stdin.write(`${JSON.stringify(message)}\n`);
    };
    const sayAsUser = (content: string): void =>
      sendMessage({ type: 'user', message: { role: 'user', content } });
    const answerControl = async ({ request_id: id, request }: z.infer<typeof Control>, whole: unknown) => {
      const { input = {} } = CanUseTool.safeParse(whole).data ?? {};
      const said =
        request.subtype === 'can_use_tool'
          ? responseTo(await asking.answer(() => requestIn(whole, workspace)), input)
          : null;
      const response = said
        ? { subtype: 'success', request_id: id, response: said }
        : { subtype: 'error', request_id: id, error: 'Nobody answers that here.' };
      sendMessage({ type: 'control_response', response });
    };
    const lines = createJsonLineSplitter((event) => {
      const control = Control.safeParse(event).data;
      if (control) return void answerControl(control, (event as { request: unknown }).request);
      saying.hear(event);
      // Once the agent has heard the words, its turn may take as long as any other.
      if (!saying.isUnheard()) clearTimeout(unheardTimer);
      tell(event);
      if (!Ended.safeParse(event).success) return;
      if (!saying.isUnheard()) return finishTalk();
      clearTimeout(unheardTimer);
      unheardTimer = setTimeout(finishTalk, unheardMs);
    });
    listen(lines.add, () => {
      lines.end();
      finishTalk();
    });
    sayAsUser(prompt);
    const saying = createSaying(talk, sayAsUser);
  });

const Ended = z.object({ type: z.literal('result') });
