/** Offers the operations as tools of the Model Context Protocol. */
import { McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import { redactAll, redactSecrets } from '#text-safety';
import { packageVersion } from '../package-version.ts';
import { describeFailure } from '../../app/describe-failure.ts';
import { cliWords } from '../language.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import type { CommonOptions } from '../show-runs.ts';

/** Says nothing that looks like a secret; goes through JSON, so that `redactAll` sees plain values. */
export const runOperation = async (
  operation: Operation,
  given: unknown,
  place: Pick<CommonOptions, 'data'>,
): Promise<Record<string, unknown>> =>
  redactAll(JSON.parse(JSON.stringify(await operation.run(given, place)))) as Record<string, unknown>;

export const createMcpServer = (place: Pick<CommonOptions, 'data'>): McpServer => {
  const server = new McpServer({ name: 'agentpr', version: packageVersion() });
  for (const operation of OPERATIONS)
    server.registerTool(
      operation.name,
      {
        description: operation.about,
        inputSchema: operation.input,
        annotations: { readOnlyHint: operation.isReading, destructiveHint: false },
      },
      async (given): Promise<CallToolResult> => {
        try {
          const answer = await runOperation(operation, given, place);
          return {
            content: [{ type: 'text', text: JSON.stringify(answer, null, 2) }],
            structuredContent: answer,
          };
        } catch (error) {
          return {
            isError: true,
            content: [{ type: 'text', text: redactSecrets(describeFailure(cliWords(), error)) }],
          };
        }
      },
    );
  return server;
};
