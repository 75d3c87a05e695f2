/** One control and some workers over Postgres, whose agents ask a scripted model that has a price. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ChatMessage, Person } from '#playground';
import { tapOn } from './approves.ts';
import { edit } from './builtin-round.ts';
import { createFakeModel } from './fake-model.ts';
import { createFleet } from './fleet.ts';
import { withButton } from './persistent-person.ts';
import { startPostgres } from './postgres.ts';
import { diesBefore } from './preloads.ts';
import { ANA, createProduct, PATIENCE } from './product.ts';
import { storedRuns } from './stored-runs.ts';

export const BEN = 2002;
/** What the provider bills for one answer, at ten dollars a million tokens. */
export const ANSWER = 0.0128;
/** Many processes start on a busy machine. */
export const WITHIN = { deadlineMs: 3 * PATIENCE };
const REPORT = { report: { status: 'done', summary: 'It greets in lower case.', ran: [] } };

export const createPricedFleet = async (config: Record<string, unknown>) => {
  const server = await startPostgres([]);
  const database = await server.database();
  const model = await createFakeModel();
  const product = await createProduct({
    config: {
      engines: { builtin: { args: ['-m', 'scripted-model', '--output', '1000'] } },
      gateway: { identical: 200, prices: { 'scripted-model': { input: 10, output: 10 } } },
      ...config,
    },
    env: {
      DATABASE_URL: database,
      TELEGRAM_ADMIN_IDS: `${ANA},${BEN}`,
      AGENTPR_ENGINE: 'builtin',
      OPENAI_API_KEY: 'sk-scripted',
      OPENAI_BASE_URL: `${model.url}/v1`,
    },
  });
  const fleet = createFleet(product);
  const ben = product.telegram.person(BEN, 'Ben');
  const runs = () => storedRuns(product.dataDir, database);
  return {
    model,
    product,
    fleet,
    ben,
    runs,
    ask: <R extends object>(sql: string): Promise<R[]> => server.ask<R>(database, sql),
    until: (what: () => Promise<boolean> | boolean): Promise<unknown> =>
      expect.poll(what, { timeout: WITHIN.deadlineMs, interval: 50 }).toBe(true),
    runOf: async (name: string) => (await runs()).find(({ order }) => order.repo === `acme/${name}`),
    /** A worker that is killed right before its first such request. */
    startDying: (request: RegExp) => {
      const preload = join(product.dir, `dies-${fleet.members.length}.mjs`);
      writeFileSync(preload, diesBefore(request));
      return fleet.start('worker', { preload });
    },
    addRepo: (name: string) =>
      product.github.addRepo({ owner: 'acme', name, from: { 'hello.txt': 'Hello\n', 'README.md': 'x\n' } }),
    orderIn: (name: string): string =>
      `/new acme/${name} Greet in lower case check="grep -q hello hello.txt"`,
    /** What an admin said is proposed, and set by a tap. */
    changeSetting: async (person: Person, words: string, like: RegExp): Promise<void> => {
      const before = new Set(person.messages().map(({ messageId }) => messageId));
      const isNew = (m: ChatMessage): boolean =>
        !before.has(m.messageId) && withButton(/^Change this setting/)(m) && like.test(m.text);
      person.sends(words);
      await tapOn(person, await person.waitForMessage(isNew, WITHIN), /^Change this setting/);
    },
    /** Edits the file, and says that it is done. */
    finish: ({ messages }: Readonly<Record<string, unknown>>) =>
      JSON.stringify(messages).includes('Written: hello.txt') ? REPORT : edit('hello.txt', 'Hello', 'hello'),
    close: async (): Promise<void> => {
      await fleet.stop();
      await product.close();
      await model.close();
      await server.stop();
    },
  };
};
export type PricedFleet = Awaited<ReturnType<typeof createPricedFleet>>;
