/**
 * Runs inside the box of the builtin engine: does what it is told on standard input, one request a
 * line, and ends with it. It knows no key, asks no model and decides nothing.
 */
import { createInterface } from 'node:readline';
import { runTool, type ToolRequest } from './run-tool.ts';

const root = process.cwd();
let turn: Promise<void> = Promise.resolve();
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line) as ToolRequest;
  turn = turn.then(async () => {
    const answer = await runTool(root, asked);
    // What was asked stands beside the answer, for whoever reads the log.
    process.stdout.write(`${JSON.stringify({ ...answer, tool: asked.tool, input: asked.input })}\n`);
  });
}
await turn;
