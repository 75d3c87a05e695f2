/** Plays a person who wants every run to reach its pull request. */
import { homedir } from 'node:os';
import { findToolchains } from '../../executors/sandbox/toolchains.ts';
import { createPersistentPerson, withButton } from '../../tests/support/persistent-person.ts';
import type { Product } from '../../tests/support/product.ts';
import { readRawEnvironment } from '../../cli/load-config.ts';
import { passableEnvironment } from '#process';
import type { Run } from '#run';
import { ENGLISH_WORDING, LANGUAGE_TEXTS } from '#language';
import { formatCheckCommand, type ContractCheck, type InstallCommand } from '#model/contract';
import { STATE_TRAITS } from '#model/run';
import { MINUTE } from '#model/values';

const PATIENCE = 40 * MINUTE;
const WITHOUT = new RegExp(`^${LANGUAGE_TEXTS.en.buttons.without}$`);

export type Played = { run: Run; stops: string[] };

const ciOf = ({ target: { contract, baseline } }: Run) => {
  const green = new Set(baseline?.checks.filter((c) => c.outcome === 'passed').map((c) => c.name));
  const checks = (contract?.checks ?? []).filter(({ name }) => green.has(name));
  const command = [...(contract?.installs ?? []), ...checks].map(inFolder).join(' && ');
  // CI gets the same registries, certificates and toolchains as our boxes.
  const operator = readRawEnvironment();
  const { env: tools } = findToolchains({ env: operator, home: homedir() });
  const all = Object.entries({ ...tools, ...passableEnvironment(operator) }).filter(
    ([, value]) => !value.includes('~'),
  );
  const env = all.map(([name, value]) => `${name}=${quoted(value)}`);
  const told = env.length === 0 ? '' : `export ${env.join(' ')} && `;
  return checks.length === 0 ? [] : [{ name: 'ci', command: told + command, timeoutMs: 20 * MINUTE }];
};
const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
const inFolder = (one: InstallCommand | ContractCheck): string =>
  `(cd ${quoted(`./${one.dir}`)} && ${formatCheckCommand(one)})`;

export const playRun = async (product: Product, repo: string, goal: string): Promise<Played> => {
  const { ana, github } = product;
  const host = github.repo(repo);
  const person = createPersistentPerson(ana);
  const stops: string[] = [];
  const before = new Set(product.runs().map(({ id }) => id));
  const mine = (): Run | undefined =>
    product.runs().find(({ id, order }) => order.repo === repo && !before.has(id));
  let [went, asked, started, merging] = [false, -1, 0, false];
  let merged: Promise<unknown> = Promise.resolve();

  ana.sends(`/new ${repo} ${goal}`);
  const step = (): Run | null => {
    const run = mine();
    if (!run) return null;
    if (STATE_TRAITS[run.lifecycle.state].life === 'over') return run;
    if (run.target.baseline && run.upstream.pullRequest === null) host.setCi(ciOf(run));
    if (STATE_TRAITS[run.lifecycle.state].tells === 'attention') {
      const isBase = run.lifecycle.reason.kind === 'base_unusable' && !went;
      const card = isBase
        ? ana.messages().findLast((m) => withButton(WITHOUT)(m) && m.text.includes(run.id))
        : null;
      if (asked === run.lifecycle.epoch || (isBase && !card)) return null;
      asked = run.lifecycle.epoch;
      stops.push(ENGLISH_WORDING.reason(run.lifecycle.reason));
      went ||= isBase;
      if (card) ana.taps({ message: card.messageId, text: WITHOUT });
      else ana.sends(`/cancel ${run.id}`);
      return null;
    }
    if (run.lifecycle.state === 'REVIEW_WAIT' && run.upstream.pullRequest !== null && !merging) {
      merging = true;
      merged = host.merge(host.pulls.at(-1)?.number ?? 0);
    }
    const ready =
      run.lifecycle.state === 'PLAN_READY' ? ana.messages().findLast(withButton(/^Start$/)) : null;
    if (ready && ready.messageId !== started) {
      started = ready.messageId;
      stops.push(ENGLISH_WORDING.reason(run.lifecycle.reason));
      ana.taps({ message: ready.messageId, text: 'Start' });
    }
    person.look();
    return null;
  };
  const run = await product.waitFor(step, { deadlineMs: PATIENCE, what: `the run of ${repo} to end` });
  await merged;
  return { run, stops };
};
