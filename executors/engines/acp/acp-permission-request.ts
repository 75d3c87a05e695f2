/** Reads what an agent asks to do by the Agent Client Protocol, as a person can be shown it whole (E10). */
import { z } from 'zod';
import { canonicalJson } from '#model/seal';
import type { PermissionRequest } from '#ports/processes';
import { createPermissionRequest, findFilesInside } from '../shared/agent-permission-request.ts';
import type { UnshownRequest } from '../shared/answer-permission-requests.ts';

/** Differences between agents that speak the protocol. */
export type AcpAgent = {
  /** Input fields that only describe a call. */
  says: readonly string[];
  /** The mode that asks before running a command; null if it has no modes. */
  mode: string | null;
  /** Its requests carry no input of the tool. */
  asksByTitle?: true;
  meta?: Readonly<Record<string, unknown>>;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEmpty = (value: unknown): boolean => {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value !== 'object' || value === null) return value === null;
  return Object.values(value).every(isEmpty);
};

/** An input that is no object is shown as the only field of one. */
const Input = z
  .unknown()
  .transform((value) =>
    isObject(value) ? value : value === null || value === undefined ? null : { input: value },
  );
const Call = z.object({
  toolCallId: z.string(),
  title: z.string().nullish().catch(null),
  content: z.array(z.unknown()).nullish().catch(null),
  kind: z.string().max(40).nullish().catch(null),
  rawInput: Input.optional(),
  locations: z
    .array(z.object({ path: z.string() }))
    .nullish()
    .catch(null),
});
type Call = z.infer<typeof Call>;
const Option = z.object({ optionId: z.string(), kind: z.string() });
export const AcpPermissionRequest = z.object({ toolCall: Call, options: z.array(z.unknown()).catch([]) });
export type AcpPermissionRequest = z.infer<typeof AcpPermissionRequest>;

const Text = z.object({
  type: z.literal('content'),
  content: z.object({ type: z.literal('text'), text: z.string() }),
});
const Diff = z.object({
  type: z.literal('diff'),
  path: z.string(),
  oldText: z.string().nullish().catch(null),
  newText: z.string(),
});
const Content = z.discriminatedUnion('type', [Text, Diff]);

/** The command itself is the title, and what is told with it begins with the directory. */
const inputInTitle = ({ title, content }: Call, workspace: string): Record<string, unknown> => {
  const told = Text.safeParse(content?.[0]).data?.content.text ?? '';
  // guard: E10-command-in-title
  return told.startsWith(`[current working directory ${workspace}]`)
    ? { command: title }
    : { command: title, told };
};

const UNSHOWN: UnshownRequest = {
  unshown: 'The request does not say what it would do, so nobody could be shown it. Say it in its input.',
};

/** A request without input is known by its title and content, both shown whole. */
const requestInWords = (call: Call, workspace: string): PermissionRequest | UnshownRequest => {
  const title = call.title?.trim() ?? '';
  const parts = (call.content ?? []).map((part) => Content.safeParse(part).data);
  // Pictures, terminals and resources cannot be shown on a card.
  // guard: E10-shown-in-words
  if (parts.includes(undefined)) return UNSHOWN;
  const told = parts.flatMap((part): (string | object)[] => {
    if (part?.type === 'diff')
      return [{ path: part.path, newText: part.newText, ...(part.oldText ? { oldText: part.oldText } : {}) }];
    return part && part.content.text.trim() !== '' ? [part.content.text] : [];
  });
  // guard: E10-says-something
  if (title === '' && told.length === 0) return UNSHOWN;
  const edits = parts.flatMap((part) => (part?.type === 'diff' ? [part.path] : []));
  const all = [...edits, ...(call.locations ?? []).map((one) => one.path)];
  return {
    tool: call.kind ?? 'other',
    input: canonicalJson({
      ...(title === '' ? {} : { title }),
      ...(told.length === 0 ? {} : { content: told }),
    }),
    command: null,
    files: edits.length > 0 && edits.length === parts.length ? findFilesInside(all, workspace) : null,
  };
};

export const fromAcpPermissionRequest = (
  { toolCall }: AcpPermissionRequest,
  known: AcpToolCall | null,
  workspace: string,
  { says, asksByTitle }: Pick<AcpAgent, 'says' | 'asksByTitle'>,
): PermissionRequest | UnshownRequest => {
  const call = known ? mergeCalls(known, toolCall) : toolCall;
  const inTitle = asksByTitle === true && call.kind === 'execute' && (call.title?.trim() ?? '') !== '';
  const input = inTitle ? inputInTitle(call, workspace) : asksByTitle === true ? {} : (call.rawInput ?? {});
  const request = createPermissionRequest(
    {
      tool: call.kind ?? 'other',
      input,
      locations: (call.locations ?? []).map((one) => one.path),
    },
    workspace,
    says,
  );
  // guard: E10-empty-input
  return isEmpty(JSON.parse(request.input)) ? requestInWords(call, workspace) : request;
};

const optionsIn = (asked: AcpPermissionRequest): z.infer<typeof Option>[] =>
  asked.options.flatMap((one) => Option.safeParse(one).data ?? []);

/** Options that allow more than this one call are never chosen. */
export const findPermissionOption = (
  asked: AcpPermissionRequest,
  { allows }: { allows: boolean },
): string | null => {
  // guard: E10-allow-once-alone
  const kind = allows ? 'allow_once' : 'reject_once';
  return optionsIn(asked).find((option) => option.kind === kind)?.optionId ?? null;
};

type AcpToolCall = Call;
const mergeCalls = (before: Call, after: Call): Call => ({
  toolCallId: after.toolCallId,
  title: after.title ?? before.title,
  content: after.content ?? before.content,
  kind: after.kind ?? before.kind,
  rawInput: after.rawInput ? { ...before.rawInput, ...after.rawInput } : (before.rawInput ?? null),
  locations: after.locations ?? before.locations,
});

const ToldCall = Call.extend({
  sessionUpdate: z.enum(['tool_call', 'tool_call_update']),
  status: z.string().nullish().catch(null),
});
const MAX_KNOWN_CALLS = 10_000;

/** Remembers tool calls by what was told of them, until they have ended. */
export const createToolCallStore = () => {
  const known = new Map<string, AcpToolCall>();
  return {
    hear: (update: unknown): void => {
      const told = ToldCall.safeParse(update).data;
      if (!told) return;
      const before = told.sessionUpdate === 'tool_call' ? undefined : known.get(told.toolCallId);
      // guard: E10-call-of-its-own
      if (told.status === 'completed' || told.status === 'failed') known.delete(told.toolCallId);
      else if (known.size < MAX_KNOWN_CALLS)
        known.set(told.toolCallId, before ? mergeCalls(before, told) : told);
    },
    find: (id: string): AcpToolCall | null => known.get(id) ?? null,
  };
};
