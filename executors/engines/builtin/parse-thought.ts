/** The contract of a model's answer: known actions or a final report, never both (E9). */
import { z } from 'zod';
import { readAgentReport } from '../shared/agent-report.ts';

const place = z.string().min(1).max(1_000);
const line = z.number().int().min(1);

/** Raise it whenever a tool, its input or what it does changes. */
export const BUILTIN_TOOLS_VERSION = 'builtin-tools-2';

export const BUILTIN_TOOLS = {
  read: {
    does: 'Reads a file of the workspace, 400 lines at a time. With `definition` it reads one function, class or type by its name, in the file or, without a path, wherever it is defined: prefer that to whole files.',
    input: z
      .strictObject({
        path: place.optional(),
        definition: z.string().min(1).max(200).optional(),
        from: line.optional(),
        to: line.optional(),
      })
      .refine(({ path, definition }) => path !== undefined || definition !== undefined, {
        path: ['path'],
        message: 'name a file, or a definition',
      }),
  },
  list: {
    does: 'Lists files below a directory of the workspace, down to a depth (2 when left out).',
    input: z.strictObject({ path: place.optional(), depth: z.number().int().min(1).max(8).optional() }),
  },
  search: {
    does: 'Searches for words in the files of the workspace; with `regex` for an extended regular expression. Each line found comes with the definition around it.',
    input: z.strictObject({
      pattern: z.string().min(1).max(1_000),
      path: place.optional(),
      regex: z.boolean().optional(),
    }),
  },
  patch: {
    does: [
      'Changes files. Give one or more blocks, each below the path of its file:',
      'src/example.js\n<<<<<<< SEARCH\nlines exactly as they stand in the file\n=======\nlines that take their place\n>>>>>>> REPLACE',
      'An empty SEARCH creates a file. A unified diff is taken as well, also to delete or rename files.',
      'Either all blocks are applied, or none. Search enough lines to say which place is meant, and never leave lines out of what replaces them.',
    ].join('\n'),
    input: z.strictObject({ patch: z.string().min(1).max(400_000), path: place.optional() }),
  },
  run: {
    does: 'Runs a shell command in the workspace. Commands that are not known to be harmless are denied, or a person is asked first.',
    input: z.strictObject({
      command: z.string().min(1).max(20_000),
      seconds: z.number().int().min(1).max(1_200).optional(),
    }),
  },
} as const satisfies Record<string, { does: string; input: z.ZodType }>;
export type ToolName = keyof typeof BUILTIN_TOOLS;
const TOOL_NAMES = Object.keys(BUILTIN_TOOLS);
const isTool = (name: string): name is ToolName => Object.hasOwn(BUILTIN_TOOLS, name);

export type ProposedCall = { id: string; name: string; input: unknown };
export type ProposedAction = { id: string; tool: ToolName; input: Readonly<Record<string, unknown>> };

const MOST_ACTIONS = 8;
const Actions = z
  .array(
    z.object({ id: z.string(), tool: z.string().refine(isTool), input: z.record(z.string(), z.unknown()) }),
  )
  .min(1)
  .max(MOST_ACTIONS);
const ModelThought = z.discriminatedUnion('done', [
  z.strictObject({ done: z.literal(false), reasoning: z.string(), actions: Actions }),
  z.strictObject({ done: z.literal(true), reasoning: z.string(), report: z.string() }),
]);
type ModelThought =
  | { done: false; reasoning: string; actions: ProposedAction[] }
  | { done: true; report: string };

const inputOf = (
  call: ProposedCall,
  allowed: readonly ToolName[],
): { action: ProposedAction } | { why: string } => {
  if (!isTool(call.name) || !allowed.includes(call.name))
    return { why: `there is no tool “${call.name.slice(0, 60)}”; there are ${allowed.join(', ')}` };
  const read = BUILTIN_TOOLS[call.name].input.safeParse(call.input);
  if (read.success) return { action: { id: call.id, tool: call.name, input: read.data } };
  const [issue] = read.error.issues;
  return { why: `${call.name}: ${issue?.path.join('.') || 'input'}: ${issue?.message ?? 'it is not valid'}` };
};

export const parseThought = (
  said: { text: string; calls: readonly ProposedCall[] },
  allowed: readonly ToolName[] = TOOL_NAMES.filter(isTool),
): { thought: ModelThought } | { why: string } => {
  const { text, calls } = said;
  const reports = readAgentReport(text).kind === 'valid';
  // guard: E9-done-with-an-action
  if (reports && calls.length > 0)
    return { why: 'you reported that you are done and called a tool as well: do one of the two' };
  if (calls.length > MOST_ACTIONS) return { why: `at most ${MOST_ACTIONS} tools are called at a time` };
  if (calls.length === 0 && !reports)
    return {
      why: 'you called no tool and gave no report: call a tool, or end with the report that you were asked for',
    };
  const read = calls.map((call) => inputOf(call, allowed));
  const wrong = read.find((one) => 'why' in one);
  if (wrong !== undefined && 'why' in wrong) return wrong;
  const actions = read.flatMap((one) => ('action' in one ? [one.action] : []));
  const parsed = ModelThought.parse(
    reports ? { done: true, reasoning: '', report: text } : { done: false, reasoning: text, actions },
  );
  return { thought: parsed.done ? { done: true, report: text } : { ...parsed, actions } };
};

export const TOO_LONG = 'your answer was cut off because it is too long: take smaller steps';

export const serializeMessage = ({ message, text }: Pick<Said, 'message' | 'text'>): string | null =>
  message
    ? JSON.stringify(message)
    : text === ''
      ? null
      : JSON.stringify({ role: 'assistant', content: text });
type Said = { message: unknown; text: string };

const KeptThought = z.object({
  content: z.union([
    z.string(),
    z.array(z.object({ type: z.string(), text: z.string().optional().catch(undefined) })),
  ]),
});
export const parseMessageText = (kept: string): string => {
  try {
    const content = KeptThought.safeParse(JSON.parse(kept)).data?.content ?? '';
    if (typeof content === 'string') return content;
    return content
      .flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []))
      .join(' ');
  } catch {
    return '';
  }
};
