/** E10: reads permission requests of the Agent Client Protocol. */
import { z } from 'zod';
import type { PermissionRequest } from '../../../orchestrator/kernel/ports/index.ts';
import { agentPermissionRequest } from '../shared/agent-request.ts';
import type { AcpAgent } from './agents.ts';

const Input = z.record(z.string(), z.unknown());
const Content = z.object({ content: z.object({ text: z.string() }) });
const Call = z.object({
  toolCallId: z.string(),
  title: z.string().catch(''),
  content: z.array(z.unknown()).nullish().catch(null),
  kind: z.string().max(40).nullish().catch(null),
  rawInput: Input.nullish().catch(null),
  locations: z
    .array(z.object({ path: z.string() }))
    .nullish()
    .catch(null),
});
const Option = z.object({ optionId: z.string(), kind: z.string() });
export const AcpPermissionRequest = z.object({ toolCall: Call, options: z.array(z.unknown()).catch([]) });
export type AcpPermissionRequest = z.infer<typeof AcpPermissionRequest>;

/** The command itself is the title, and what is told with it begins with the directory. */
const inputInTitle = (
  { kind, title, content }: z.infer<typeof Call>,
  workspace: string,
): Record<string, unknown> => {
  if (kind !== 'execute') return { title };
  const told = Content.safeParse(content?.[0]).data?.content.text ?? '';
  // guard: E10-command-in-title
  return told.startsWith(`[current working directory ${workspace}]`)
    ? { command: title }
    : { command: title, told };
};

export const requestIn = (
  { toolCall }: AcpPermissionRequest,
  known: Readonly<Record<string, unknown>>,
  workspace: string,
  { says, asksByTitle }: Pick<AcpAgent, 'says' | 'asksByTitle'>,
): PermissionRequest =>
  agentPermissionRequest(
    {
      tool: toolCall.kind ?? 'other',
      input: asksByTitle ? inputInTitle(toolCall, workspace) : { ...known, ...toolCall.rawInput },
      locations: (toolCall.locations ?? []).map((one) => one.path),
    },
    workspace,
    says,
  );

const optionsIn = (asked: AcpPermissionRequest): z.infer<typeof Option>[] =>
  asked.options.flatMap((one) => Option.safeParse(one).data ?? []);

/** Options that allow more than this one call are never chosen. */
export const optionFor = (asked: AcpPermissionRequest, allows: boolean): string | null => {
  // guard: E10-allow-once-alone
  const kind = allows ? 'allow_once' : 'reject_once';
  return optionsIn(asked).find((option) => option.kind === kind)?.optionId ?? null;
};
