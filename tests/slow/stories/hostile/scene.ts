/**
 * The real product with many small repositories, in each of which the agent is hostile in its own
 * way.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ENGLISH_WORDING } from '#language';
import type { Run } from '#run';
import { probeContainment } from '../../../../executors/sandbox/probe-containment.ts';
import { ContainmentLevel } from '#model/evidence';
import type { CiJob, RepoHandle } from '#playground';
import { createProduct, type Product } from '../../../support/product.ts';

/** One run whose agent is the repository's own `agent.sh`. */
export type Attack = {
  /** What it tries, as the end of a sentence; also the name of its test. */
  tries: string;
  /** Besides README.md, src/a.js and agent.sh. */
  base?: Readonly<Record<string, string>>;
  script: string;
  /** Only where there is a box around the agent. */
  boxed?: boolean;
  checks?: readonly string[];
  ends: Run['lifecycle']['state'];
  /** What a person reads of it, all of it: in chat, or as the run's reason. */
  says: readonly RegExp[];
  holds?: (scene: Scene, run: Run) => Promise<void> | void;
};

export type Scene = {
  product: Product;
  repo: (name: string) => RepoHandle;
  /** Asks for a change in a fresh repository. */
  starts: (
    name: string,
    attack: Pick<Attack, 'base' | 'script' | 'checks'> & { ci?: readonly CiJob[] },
  ) => Promise<void>;
  run: (name: string) => Run;
  /** Everything that the chat says of a repository, and the run's reason. */
  told: (name: string) => string;
  /** What the agent printed. */
  printed: (name: string) => string;
  close: () => Promise<void>;
};

/** `SANDBOX=unshare npx vitest …` plays everything in a weaker box. */
export const LEVEL = ContainmentLevel.parse(process.env.SANDBOX ?? (await probeContainment()).profile.kind);

const BASE = {
  'README.md': 'An app.\n',
  'src/a.js': 'export const a = 1;\n',
  'test/a.test.js': "it('adds', () => {});\nit('subtracts', () => {});\n",
};

/**
 * Not below /tmp, which every box replaces anyway: what is to be hidden must lie where it could be
 * seen.
 */
const besideTheCode = (): string => {
  const cache = path.resolve('node_modules/.cache');
  try {
    mkdirSync(cache, { recursive: true });
    return realpathSync(mkdtempSync(path.join(cache, 'hostile-')));
  } catch {
    return tmpdir(); // The project is not ours to write to.
  }
};

export const createScene = async (options: Parameters<typeof createProduct>[0] = {}): Promise<Scene> => {
  const before = process.env.TMPDIR;
  const place = besideTheCode();
  process.env.TMPDIR = place;
  const product = await createProduct({
    script: 'sh agent.sh',
    ...options,
    env: { AGENTPR_SANDBOX: LEVEL },
    bounds: { maxStepRetries: 0, maxReflections: 0, pollMs: 600_000, ...options.bounds },
    config: { maxParallelRuns: 3, ...options.config },
  }).finally(() => {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  });
  product.start();
  await product.running();
  const repos = new Map<string, RepoHandle>();
  const run = (name: string): Run => product.run(`acme/${name}`) as Run;
  return {
    product,
    repo: (name) => repos.get(name) as RepoHandle,
    starts: async (name, { base, script, ci = [], checks = ['grep -q . README.md'] }) => {
      const from = { ...BASE, 'agent.sh': `${script}\n`, ...base };
      repos.set(name, await product.github.addRepo({ owner: 'acme', name, from, ci }));
      product.ana.sends(`/new acme/${name} Mend it ${checks.map((check) => `check="${check}"`).join(' ')}`);
    },
    run,
    told: (name) =>
      [
        ...product.ana
          .messages()
          .flatMap((m) => (m.from === 'bot' && m.text.includes(`acme/${name}`) ? [m.text] : [])),
        ENGLISH_WORDING.reason(run(name).lifecycle.reason),
      ].join('\n'),
    printed: (name) =>
      product
        .look()
        .printed(run(name).id)
        .filter(({ step }) => step === 'agent')
        .map(({ stdout, stderr }) => `${stdout}\n${stderr}`)
        .join('\n'),
    close: async () => {
      await product.close();
      if (place !== tmpdir()) rmSync(place, { recursive: true, force: true });
    },
  };
};
