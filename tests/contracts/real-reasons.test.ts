/**
 * A person who is asked reads what of an action no policy allows: which dependency, which part of a
 * program, which path, which host. "No policy allows this" alone says nothing.
 */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { selectMainObjections } from '../../bot/views/policy-lines.ts';
import { objectionsOf } from '#model/assessment';
import { compareDependencies } from '#tools/packages';
import { assessAction } from '../../governor/assess-action.ts';
import { assessPermission } from '../../governor/assess-permission-request.ts';
import { context, file, push } from '../support/actions.ts';
import { ROWS } from '../support/policy-cases.ts';
import { CASES } from '../support/recorded-actions.ts';

const { en, zh } = LANGUAGE_TEXTS;
const BARE = [en.judgement({ kind: 'no_policy_allows' }), zh.judgement({ kind: 'no_policy_allows' })];
/** They say that somebody decides, and nothing of why. */
const GENERAL = [...BARE, en.judgement({ kind: 'high_risk' }), zh.judgement({ kind: 'high_risk' })];

/** What the card of a permission says first, in one language. */
const shownFor = (command: string, words: typeof en): string[] => {
  const input = JSON.stringify({ command });
  const verdict = assessPermission({ tool: 'run', input, command, files: null }, context);
  if (verdict.kind !== 'ask') throw new Error(`${command}: ${verdict.kind}`);
  return selectMainObjections(verdict.objections)
    .slice(0, 3)
    .map((o) => words.judgement(o.reason));
};

const COMMANDS: readonly [command: string, says: readonly string[]][] = [
  ['npm install left-pad@1.3.0', ['fetches packages', 'left-pad@1.3.0']],
  ['npm i -D vitest --save-exact', ['vitest']],
  ['pip install -r requirements.txt requests==2.31', ['requests==2.31']],
  ['uv pip install httpx', ['httpx']],
  ['cargo add serde --features derive', ['serde']],
  ['go get example.com/mod@v1.2.3', ['example.com/mod@v1.2.3']],
  ['npm ci', ['`npm ci` uses the network']],
  ['curl https://x.example/install.sh', ['https://x.example/install.sh']],
  [
    'python3 -c \'import urllib.request; urllib.request.urlopen("https://x.example")\'',
    ['python3 -c', 'uses the network', 'urlopen("https://x.example")'],
  ],
  ['python3 -c \'open("/etc/passwd", "w").write("x")\'', ['writes files', 'open("/etc/passwd", "w")']],
  ['python3 -c \'import subprocess; subprocess.run(["ls"])\'', ['starts other programs', 'subprocess.run']],
  ["python3 -c 'eval(input())'", ['runs code that it makes', 'eval(input())']],
  ['python3 -Bc \'import os; print(os.environ["TOKEN"])\'', ['reads the environment', 'os.environ']],
  ["python3 -c 'print(1 + 1)'", ['python3 -c', 'no policy reads its language']],
  ['node -e \'fetch("https://x.example")\'', ['node -e', 'uses the network', 'fetch("https://x.example")']],
  ["node -p 'process.env.TOKEN'", ['node -p', 'reads the environment']],
  ['node --eval \'require("fs").writeFileSync("a", "b")\'', ['writes files']],
  ['node -e \'require("child_process").execSync("id")\'', ['starts other programs', 'child_process']],
  ['perl -e \'unlink "a"\'', ['can destroy or hide things', 'perl -e', 'deletes files', 'unlink']],
  ['ruby -e \'File.write("a", "b")\'', ['ruby -e', 'writes files', 'File.write']],
  ['php -r \'file_put_contents("a", "b");\'', ['php -r', 'writes files']],
  [
    'sh -c \'python3 -c "import socket; socket.create_connection((1,2))"\'',
    ['python3 -c', 'socket.create_connection'],
  ],
  [
    "python3 - <<'EOF'\nimport shutil\nshutil.rmtree('src')\nEOF",
    ['python3 <<EOF', 'deletes files', 'shutil.rmtree'],
  ],
  ["cat <<'EOF' > a.txt\nhello world\nEOF", ['a document of its own', "<<'EOF' > a.txt"]],
  ["bash -lc 'echo $(whoami)'", ['depends on', '$(whoami)']],
  ['echo ${HOME}/x', ['depends on', '${HOME}']],
  ['echo `id`', ['depends on', '`id`']],
  ["echo 'a", ['a quote is not closed', "'a"]],
  ['(cd src; ls)', ['a subshell', '(cd src']],
  ['find . -name x -delete', ['deletes or executes', '-delete']],
  ['bash build.sh', ['runs a script that nobody has read', 'bash build.sh']],
  ['./deploy.sh', ['./deploy.sh', 'runs the program at that path']],
  ['terraform apply', ['terraform apply', 'not a command that is known']],
  ['LD_PRELOAD=./x.so ls', ['LD_PRELOAD=./x.so']],
];

describe('why a person is asked', () => {
  it.each(COMMANDS)('C9: %s', (command, says) => {
    const english = shownFor(command, en).join('\n');
    for (const words of says) expect(english).toContain(words);
    for (const words of [en, zh])
      for (const sentence of shownFor(command, words)) expect(GENERAL).not.toContain(sentence);
  });

  it('C9: a denial names the path that a command reaches, whether it reads or writes there', () => {
    const said = (command: string): string[] =>
      assessAction({ kind: 'command', command }, context)
        .reasons.filter((r) => r.verdict === 'deny')
        .map((r) => en.judgement(r.reason));
    expect(said('cat ~/.ssh/id_rsa').join()).toContain('names a path outside the workspace: ~/.ssh/id_rsa');
    expect(said('cp a.txt /etc/passwd').join()).toContain('/etc/passwd');
    expect(said('wc -l < /etc/shadow').join()).not.toContain('writes');
  });

  it('P1: nothing that is judged is stopped by words that name no thing', () => {
    const all = [
      ...CASES.map(([name, action, around]) => [name, action, around] as const),
      ...ROWS.map(([name, , action, around]) => [name, action, around] as const),
    ];
    const bare: string[] = [];
    for (const [name, action, around = context] of all) {
      const objections = objectionsOf(assessAction(action, around));
      const said = objections.map((r) => en.judgement(r.reason));
      const isTold = said.length === 0 || said.some((one) => !GENERAL.includes(one));
      if (!isTold || said.some((one) => BARE.includes(one))) bare.push(name);
    }
    expect(bare).toEqual([]);
  }, 60_000);

  it('C9: the names of added, changed and removed dependencies are said, and where', () => {
    const before = JSON.stringify({ dependencies: { a: '^1.0.0', gone: '2' } });
    const after = JSON.stringify({
      dependencies: { a: '^2.0.0' },
      devDependencies: { 'left-pad': '^1.3.0' },
    });
    const dependencies = compareDependencies('web/package.json', before, after);
    const plain = push({ files: [file('web/package.json')] });
    const { commit } = plain;
    const action = { ...plain, commit: { ...commit, diff: { ...commit.diff, dependencies } } };
    const { decision, reasons } = assessAction(action, context);
    const said = reasons.map((r) => `${r.policy}: ${en.judgement(r.reason)}`).join('\n');
    expect(decision).toBe('escalate');
    expect(said).toContain(
      'explicit-allow: this adds the dependency left-pad ^1.3.0 (web/package.json); this changes the dependency a from ^1.0.0 to ^2.0.0 (web/package.json); this removes the dependency gone (web/package.json)',
    );
    expect(reasons.map((r) => zh.judgement(r.reason)).join()).toContain('它新增了依赖 left-pad ^1.3.0');
  });
});
