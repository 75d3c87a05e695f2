/** `agentpr hook test`: shows which order a webhook makes of a saved payload. Nothing is sent or stored. */
import type { Command } from 'commander';
import { quoteIssue, cleanIssueTitle } from '#campaigns';
import { createPostCommentRequest, readHookOrder } from '#webhooks';
import { readFileSettings } from './load-config.ts';
import { printJson, printRedacted } from './output.ts';
import { readTextInput } from './read-input.ts';
import { EXIT_CODES, CommandExit } from './exit-codes.ts';
import { cliWords } from './language.ts';

const readPayload = (file: string): unknown => {
  try {
    return JSON.parse(readTextInput(file));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CommandExit(EXIT_CODES.usage, { kind: 'not_json', file, says: error.message });
  }
};

const testHook = (name: string, file: string, { json }: { json?: boolean }): void => {
  const hook = readFileSettings().arrivals.hooks[name];
  if (!hook) throw new CommandExit(EXIT_CODES.notFound, { kind: 'no_hook', name });
  const { from } = hook;
  if (!from) throw new CommandExit(EXIT_CODES.usage, { kind: 'hook_without_program', name });
  const found = readHookOrder(from.mapping, readPayload(file));
  if (found.kind !== 'order') {
    if (json) printJson(found);
    throw new CommandExit(EXIT_CODES.refused, { kind: 'no_order_in_payload', why: found.why });
  }
  const { link, id } = found;
  const [goal, quoted] = [cleanIssueTitle(found.title), quoteIssue(found.title, found.text)];
  const sent = from.comment && createPostCommentRequest(from.comment, { id, text: link }, '');
  const comment = sent && { url: sent.url, body: sent.body };
  if (json) return printJson({ kind: 'order', repository: from.repo, goal, link, id, quoted, comment });
  const { hook: words } = cliWords().commandLine;
  printRedacted(words.order({ repository: from.repo, goal, link, id, quoted }));
  if (comment) printRedacted(words.comment(comment));
};

export const addHookCommand = (program: Command): void => {
  program
    .command('hook')
    .command('test <name> <payload>')
    .description('print the order that arrivals.hooks.<name> makes of a payload (“-” reads standard input)')
    .option('--json', 'print JSON')
    .action(testHook);
};
