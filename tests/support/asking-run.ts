/** A run whose agent asks for a permission. */
import { commandGroupOf } from '../../governor/command-group.ts';
import { assessPermission } from '../../governor/assess-permission-request.ts';
import { shortenPaths } from '../../governor/shorten-paths.ts';
import { NO_USAGE } from '#model/reports';
import type { PolicyObjections } from '#model/assessment';
import type { Input } from '#inputs';
import { context } from './actions.ts';
import type { createChatWorld } from './chat-world.ts';
import { anOrder } from './ledger.ts';
import { inputsToCard } from './ready-run.ts';

type World = Awaited<ReturnType<typeof createChatWorld>>;

const objectionsTo = (command: string): PolicyObjections => {
  const asked = { tool: 'execute', input: JSON.stringify({ command }), command, files: null };
  const verdict = assessPermission(asked, context);
  return verdict.kind === 'ask' ? verdict.objections : [];
};

export const asks = (command: string, more: object = {}, editable = false): Input => ({
  type: 'worker.permission.asked',
  tool: 'execute',
  input: JSON.stringify({ command, ...more }),
  digest: `digest of ${command}`,
  sort: commandGroupOf(command, []),
  objections: [
    {
      policy: 'no-network-without-human',
      verdict: 'escalate',
      reason: { kind: 'command', command, trait: 'uses_network', ...shortenPaths([]) },
    },
  ],
  session: { id: 's1', usage: NO_USAGE },
  usage: NO_USAGE,
  ms: 10,
  outputBytes: 1,
  containment: 'bwrap',
  exposedCredentials: null,
  discardedEdits: null,
  ...(editable ? { editable, objections: objectionsTo(command) } : {}),
});

export const askingRun = async (
  w: World,
  command = 'curl https://x.example',
  more = {},
  editable = false,
  runId = 'asks1',
): Promise<string> => {
  const all = inputsToCard();
  const toWork = all.slice(0, all.findIndex(({ type }) => type === 'command.implementation.start') + 1);
  const order = anOrder({ repo: 'acme/api' });
  await w.offer(
    runId,
    { type: 'command.run.create', runId, order },
    ...toWork,
    asks(command, more, editable),
  );
  return runId;
};
