/**
 * E11: what a repository brings along for agents is not there while one runs, and is not lost by
 * that either.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { hideAgentSettings } from '../../../executors/git/workspace/hide-agent-settings.ts';
import { createAgentExecutor } from '../../../executors/engines/shared/run-engine.ts';
import { codexCli } from '../../../executors/engines/codex/codex.ts';
import { createScriptExecutor } from '../../../executors/engines/script/script.ts';
import { createStage } from '../../support/agent-contract.ts';
import { createBench } from '../../support/agent-round.ts';
import { dataDirectory, LEVELS, lacking } from '../../support/contained.ts';
import { write } from '../../support/git-world.ts';

const SETTINGS = {
  '.claude/settings.json': '{"hooks":{}}\n',
  '.claude/commands/x.md': 'x\n',
  '.mcp.json': '{}\n',
  '.opencode/plugin/evil.js': 'evil\n',
  'opencode.json': '{}\n',
  '.codex/config.toml': '\n',
  '.gemini/settings.json': '{}\n',
  '.agents/plugins/marketplace.json': '{}\n',
  '.aider.conf.yml': 'lint-cmd: evil\n',
  '.aider.model.metadata.json': '{}\n',
  'AGENTS.md': 'Words.\n',
};
const snapshot = (ws: string): string =>
  execFileSync('sh', ['-c', 'find . -print | sort; find . -type f -exec sha256sum {} + | sort'], {
    cwd: ws,
  }).toString();

const filled = (): string => {
  const { workspace } = dataDirectory();
  write(workspace, SETTINGS);
  return workspace;
};

describe('set aside', () => {
  it('E11: takes away every kind of settings and brings them back as they were', () => {
    const ws = filled();
    const before = snapshot(ws);
    const putBack = hideAgentSettings(ws);
    expect(Object.keys(SETTINGS).filter((name) => existsSync(path.join(ws, name)))).toEqual(['AGENTS.md']);
    putBack();
    expect(snapshot(ws)).toBe(before);
    expect(existsSync(`${ws}.aside`)).toBe(false);
  });

  it('E11: takes away what one agent obeys besides, and finds that after a crash, too', () => {
    const ws = filled();
    write(ws, { '.env': 'X=1\n' });
    const before = snapshot(ws);
    hideAgentSettings(ws, ['.env']);
    expect(existsSync(path.join(ws, '.env'))).toBe(false);
    hideAgentSettings(ws)();
    expect(snapshot(ws)).toBe(before);
  });

  it('E11: takes away settings in a folder whose other files stay, and moves nothing from behind a link', () => {
    const { workspace: ws } = dataDirectory();
    write(ws, {
      '.github/hooks/x.json': '{}\n',
      '.github/mcp.json': '{}\n',
      '.github/workflows/ci.yml': 'on: push\n',
    });
    const before = snapshot(ws);
    const obeyed = ['.github/hooks', '.github/mcp.json', '.github/lsp.json'];
    const putBack = hideAgentSettings(ws, obeyed);
    expect(snapshot(ws)).not.toContain('hooks');
    expect(existsSync(path.join(ws, '.github/workflows/ci.yml'))).toBe(true);
    expect(existsSync(path.join(ws, '.github/mcp.json'))).toBe(false);
    putBack();
    expect(snapshot(ws)).toBe(before);

    const { workspace: elsewhere } = dataDirectory();
    write(elsewhere, { 'hooks/x.json': '{}\n' });
    const { workspace: other } = dataDirectory();
    symlinkSync(elsewhere, path.join(other, '.github'));
    hideAgentSettings(other, obeyed);
    expect(existsSync(path.join(elsewhere, 'hooks/x.json'))).toBe(true);
  });

  it('E11: takes away a link of that name, too, whatever it leads to', () => {
    const { workspace: ws } = dataDirectory();
    write(ws, { 'tools/settings.json': '{}\n' });
    symlinkSync('tools', path.join(ws, '.claude'));
    symlinkSync('/etc', path.join(ws, '.codex'));
    const before = snapshot(ws);
    const putBack = hideAgentSettings(ws);
    expect(existsSync(path.join(ws, '.claude'))).toBe(false);
    putBack();
    expect(snapshot(ws)).toBe(before);
  });

  it('keeps what the agent itself wrote there, so that it is judged as a change, and follows no link of its', () => {
    const ws = filled();
    const { other } = dataDirectory();
    const putBack = hideAgentSettings(ws);
    mkdirSync(path.join(ws, '.claude'));
    writeFileSync(path.join(ws, '.claude/settings.json'), 'mine\n');
    symlinkSync(other, path.join(ws, '.codex'));
    putBack();
    expect(readFileSync(path.join(ws, '.claude/settings.json'), 'utf8')).toBe('mine\n');
    expect(readFileSync(path.join(ws, '.claude/commands/x.md'), 'utf8')).toBe('x\n');
    expect(existsSync(path.join(other, 'config.toml'))).toBe(false);
  });

  it('L6: finds what a crash left aside, in the workspace as it was and in a fresh one', () => {
    const ws = filled();
    const before = snapshot(ws);
    hideAgentSettings(ws);
    hideAgentSettings(ws)();
    expect(snapshot(ws)).toBe(before);
    hideAgentSettings(ws);
    rmSync(ws, { recursive: true });
    mkdirSync(ws);
    write(ws, SETTINGS);
    hideAgentSettings(ws)();
    expect(snapshot(ws)).toBe(before);
  });
});

for (const level of LEVELS) {
  const reason = await lacking(level);
  it.skipIf(reason !== null)(
    `E11: an agent at level ${level} finds no settings of the repository`,
    async () => {
      const report = {
        type: 'item.completed',
        item: { type: 'agent_message', text: '{"status":"done","summary":"s"}' },
      };
      const body = `fs.writeFileSync(process.env.HOME + '/found', fs.readdirSync('.').concat(fs.readdirSync('..')).join('\\n'));
      say({ type: 'thread.started', thread_id: 't' }, ${JSON.stringify(report)}, { type: 'turn.completed', usage: {} });`;
      const stage = await createStage(
        { name: 'codex', create: (deps) => createAgentExecutor(codexCli, deps) },
        body,
        () => ({}),
        level,
      );
      write(stage.at.workspace, SETTINGS);
      const before = snapshot(stage.at.workspace);
      await stage.run();
      const found = readFileSync(path.join(stage.at.home, 'found'), 'utf8').split('\n');
      expect(found).toEqual(expect.arrayContaining(['AGENTS.md', 'sum.js']));
      expect(
        found.filter((name) => Object.keys(SETTINGS).some((s) => s !== 'AGENTS.md' && s.startsWith(name))),
      ).toEqual([]);
      if (level !== 'group') expect(found).not.toContain('ws.aside');
      expect(snapshot(stage.at.workspace)).toBe(before);
    },
  );
}

it('a script is no agent: it may edit them, and the diff is judged', async () => {
  const bench = await createBench(createScriptExecutor, () => ({}));
  write(bench.at.workspace, SETTINGS);
  await bench.run({ engineArgs: ["sed -i 's/hooks/other/' .claude/settings.json"] });
  expect(bench.read('.claude/settings.json')).toContain('other');
});
