/** E10: reads permission requests of the Agent Client Protocol. */
import { z } from 'zod';
import type { PermissionRequest } from '../../../orchestrator/kernel/ports/index.ts';
import { agentPermissionRequest } from '../shared/agent-request.ts';

const Input = z.record(z.string(), z.unknown());
const Call = z.object({
  toolCallId: z.string(),
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

export const requestIn = (
  { toolCall }: AcpPermissionRequest,
  known: Readonly<Record<string, unknown>>,
  workspace: string,
  says: readonly string[],
): PermissionRequest =>
  agentPermissionRequest(
    {
      tool: toolCall.kind ?? 'other',
      input: { ...known, ...toolCall.rawInput },
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
