/** `agentpr receive`: sends a saved webhook payload to the running AgentPR, with a signature. */
import { existsSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import type { ControlConfig } from '../app/config.ts';
import { openReader } from '#db';
import { signPayload, WEBHOOK_PATH } from '#webhooks';
import { readDatabaseUrl, loadConfig } from './load-config.ts';
import { printRedacted, printJson } from './output.ts';
import { readTextInput } from './read-input.ts';
import { enTexts, type LanguageTexts } from '#language';
import { EXIT_CODES, CommandExit } from './exit-codes.ts';
import { cliWords } from './language.ts';

type Options = { event: string; payload: string; id?: string; url?: string; json?: boolean };
type Fate = { state: 'new' | 'done' | 'dead'; note: string | null };

const Answer = z.object({ id: z.number(), duplicate: z.boolean() });
const Unheard = z.object({ stored: z.literal(false), note: z.string() });
const Refused = z.object({ error: z.string() });

const HANDLING_TIMEOUT_MS = 3_000;
const HANDLING_POLL_MS = 50;

const readPayload = (file: string): string => {
  const text = readTextInput(file);
  try {
    JSON.parse(text);
  } catch (error) {
    const says = error instanceof Error ? error.message : String(error);
    throw new CommandExit(EXIT_CODES.usage, { kind: 'not_json', file, says });
  }
  return text;
};

const addressOf = ({ host, port }: ControlConfig['http']): string => {
  if (port === 0) throw new CommandExit(EXIT_CODES.usage, { kind: 'any_port' });
  const near = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${near.includes(':') && !near.startsWith('[') ? `[${near}]` : near}:${port}`;
};

const toEndpoint = (address: string): string => {
  if (!URL.canParse(address)) throw new CommandExit(EXIT_CODES.usage, { kind: 'bad_address', address });
  const url = new URL(address);
  if (url.pathname === '/') url.pathname = WEBHOOK_PATH;
  return url.href;
};

const postPayload = async (url: string, headers: Record<string, string>, body: string): Promise<Response> => {
  try {
    return await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(15_000) });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : null;
    throw new CommandExit(EXIT_CODES.unavailable, { kind: 'nobody_answers', url, cause });
  }
};

const fateOf = async (dataDir: string, id: number): Promise<Fate | null> => {
  if (!existsSync(join(dataDir, 'keys', 'ledger.key'))) return null;
  const ledger = openReader(dataDir, { database: readDatabaseUrl() });
  try {
    for (const end = Date.now() + HANDLING_TIMEOUT_MS; ;) {
      const fate = await ledger.query.incoming(id);
      if (!fate || fate.state !== 'new' || Date.now() > end) return fate;
      await new Promise((resolve) => setTimeout(resolve, HANDLING_POLL_MS));
    }
  } finally {
    await ledger.close();
  }
};

const inWords = (words: LanguageTexts['commandLine']['receive'], fate: Fate | null): string => {
  if (!fate) return words.elsewhere();
  if (fate.state === 'new') return words.waits();
  return fate.state === 'dead' ? words.dead(fate) : words.done(fate);
};

const sendSavedPayload = async (options: Options): Promise<void> => {
  const { event, json } = options;
  if (!/^[a-z_]{1,64}$/.test(event)) throw new CommandExit(EXIT_CODES.usage, { kind: 'bad_event', event });
  const body = readPayload(options.payload);
  const config = loadConfig();
  const secret = config.webhooks?.secrets[0];
  if (secret === undefined) throw new CommandExit(EXIT_CODES.config, { kind: 'no_webhook_secret' });
  const response = await postPayload(
    toEndpoint(options.url ?? addressOf(config.http)),
    {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': options.id ?? randomUUID(),
      'x-hub-signature-256': signPayload(secret, body),
    },
    body,
  );
  const { status } = response;
  const words = cliWords().commandLine.receive;
  const said: unknown = await response.json().catch(() => null);
  const unheard = Unheard.safeParse(said).data;
  if (response.ok && unheard) {
    if (json) printJson({ status, id: null, duplicate: false, state: 'done', note: unheard.note });
    else printRedacted(words.unheard({ status, note: unheard.note }));
    return;
  }
  const answer = Answer.safeParse(said).data;
  if (!response.ok || !answer) {
    const says = Refused.safeParse(said).data?.error ?? null;
    if (json) printJson({ status, error: says ?? enTexts.commandLine.receive.noAnswer() });
    throw new CommandExit(status >= 400 && status < 500 ? EXIT_CODES.refused : EXIT_CODES.failed, {
      kind: 'not_received',
      status,
      says: says ?? words.noAnswer(),
    });
  }
  const fate = await fateOf(config.dataDir, answer.id);
  if (json) printJson({ status, ...answer, state: fate?.state ?? null, note: fate?.note ?? null });
  else printRedacted(words.received({ status, ...answer, fate: inWords(words, fate) }));
  if (fate?.state === 'dead') process.exitCode = EXIT_CODES.failed;
};

export const addReceiveCommand = (program: Command): void => {
  program
    .command('receive')
    .requiredOption('-e, --event <event>', 'its name, as in the header X-GitHub-Event')
    .requiredOption('-p, --payload <file>', 'the payload, JSON; - for standard input')
    .option('--id <delivery>', 'its GUID; the same one twice is one delivery (default: a new one)')
    .option('--url <url>', 'where AgentPR listens (default: AGENTPR_HTTP_HOST and AGENTPR_HTTP_PORT)')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample: agentpr receive -e check_run -p check_run.json')
    .action(sendSavedPayload);
};
