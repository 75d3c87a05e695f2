/** E11: what a repository holds for coding agents is counted, and told. */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { renderPlan } from '../../bot/views/plan-screen.ts';
import { renderDetail } from '../../bot/views/run-detail.ts';
import { discoverContract } from '../../discovery/discover-contract.ts';
import type { AgentSettingsCount } from '#model/settings';
import { at } from '../support/core.ts';

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{"scripts":{"test":"node --test"}}',
  'AGENTS.md': 'Be kind.',
  '.claude/settings.json': '{"hooks":{"SessionStart":[{}],"PreToolUse":[{}]}}',
  '.claude/skills/review/SKILL.md': 'x',
  '.claude/skills/review/notes.md': 'x',
  '.opencode/plugin/own.js': 'x',
  '.mcp.json': '{"mcpServers":{"db":{},"web":{}}}',
  'docs/.mcp.json': '{"mcpServers":{"other":{}}}',
  '.cursor/hooks/run.sh': 'x',
};
const countIn = (files: Readonly<Record<string, string>>): AgentSettingsCount | undefined =>
  discoverContract(Object.keys(files), (path) => files[path] ?? null).agentSettings;
const COUNT = { hooks: 3, servers: 2, skills: 1, plugins: 1, files: 6 };

describe('what is set aside while an agent works', () => {
  it('E11: is counted: hooks, servers, skills and plugins, and no text', () => {
    expect(countIn(FILES)).toEqual(COUNT);
    expect(countIn({ 'package.json': '{}', 'AGENTS.md': 'x' })).toBeUndefined();
  });

  it('E11: is told where its files cannot be read, or are hostile', () => {
    for (const text of [
      '{',
      '['.repeat(10_000),
      '{"mcpServers":null}',
      `{"mcpServers":{${'"a":1,'.repeat(9_000)}"b":1}}`,
    ])
      expect(countIn({ '.mcp.json': text })).toEqual({
        hooks: 0,
        servers: 0,
        skills: 0,
        plugins: 0,
        files: 1,
      });
  });

  it('E11: stands in /plan and behind *More*, in both languages', () => {
    const { run } = at('LOCAL_VALIDATING');
    const { contract } = run.target;
    if (!contract) throw new Error('no contract');
    const told = { ...run, target: { ...run.target, contract: { ...contract, agentSettings: COUNT } } };
    const scene = { run: told, approval: null, attempts: [], grades: [], now: 0, serverUrl: null } as never;
    for (const [words, says] of [
      [
        LANGUAGE_TEXTS.en,
        'Set aside while an agent works: 3 hooks, 2 servers, 1 skill, 1 plugin, in 6 files',
      ],
      [LANGUAGE_TEXTS.zh, '3 个钩子、2 个服务器、1 个技能'],
    ] as const) {
      expect(renderDetail(scene, words).html).toContain(says);
      expect(renderPlan(told, words)).toContain(says);
    }
  });
});
