/** Runs inside the builtin engine's box and executes one request per line. Has no key. */
import { createInterface } from 'node:readline';
import { runTool, type ToolRequest } from './run-tool.ts';

const root = process.cwd();
let turn: Promise<void> = Promise.resolve();
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line) as ToolRequest;
  turn = turn.then(async () => {
    const answer = await runTool(root, asked);
    process.stdout.write(`${JSON.stringify({ ...answer, tool: asked.tool, input: asked.input })}\n`);
  });
}
await turn;
