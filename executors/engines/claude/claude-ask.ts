/** Engine `claude-ask`: `claude -p` that asks before commands, by its control protocol. */
import { z } from 'zod';
import type { ContainmentLevel } from '#model/evidence';
import type { PermissionRequest } from '#ports/processes';
import { agentPermissionRequest } from '../shared/agent-request.ts';
import {
  PERSON_ASKED_EVENT,
  CANCEL_MS,
  createAsking,
  readAsking,
  type AskAnswer,
  type UnshownRequest,
} from '../shared/answer-requests.ts';
import type { AgentCli } from '../shared/agent-cli.ts';
import { createJsonLines } from '../shared/line-splitter.ts';
import type { RoundReading } from '../shared/round-reading.ts';
import type { ProgramConversation } from '../shared/program-conversation.ts';
import { EDITING_TOOLS, claudeCli, createLaunch, READING_TOOLS } from './claude.ts';
import { readClaude } from './events.ts';

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
  const shown = agentPermissionRequest({ tool: named, input }, workspace, SAYS);
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

/** Waits only a while for the end if a person is asked. */
const converse = ({ workspace, prompt, listen, stdin, tell, ask }: ProgramConversation): Promise<void> =>
  new Promise((resolve) => {
    const asking = createAsking({ tell, ask });
    let late: NodeJS.Timeout | undefined;
    const finishTalk = (): void => {
      clearTimeout(late);
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
    const lines = createJsonLines((event) => {
      const control = Control.safeParse(event).data;
      if (control) return void answerControl(control, (event as { request: unknown }).request);
      tell(event);
      if (Ended.safeParse(event).success) finishTalk();
    });
    listen(lines.add, () => {
      lines.end();
      finishTalk();
    });
    sendMessage({ type: 'user', message: { role: 'user', content: prompt } });
  });

const Ended = z.object({ type: z.literal('result') });

const read = (before: RoundReading, heard: unknown): RoundReading =>
  readAsking({ ...before, says: null }, heard) ?? readClaude(before, heard);

const permissionArguments = (level: ContainmentLevel, writes: 'change' | 'nothing'): string[] => [
  ...['--input-format', 'stream-json', '--permission-prompt-tool', 'stdio', '--permission-mode', 'default'],
  ...['--tools', writes === 'change' ? EDITING_TOOLS : level === 'group' ? 'Read,Glob,Grep' : READING_TOOLS],
];

export const claudeAsk: AgentCli = {
  ...claudeCli,
  page: {
    ...claudeCli.page,
    takeWhen: 'you want to be asked before claude runs a command that is not known to be harmless',
    cannot: 'go on while you are asked: its turn ends, and is resumed when you answer',
  },
  launch: createLaunch(permissionArguments),
  converse,
  read,
};
