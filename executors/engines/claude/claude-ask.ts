/** Engine `claude-ask`: `claude -p` that asks before commands, by its control protocol. */
import type { ContainmentLevel } from '#model/evidence';
import type { AgentCli } from '../shared/agent-cli.ts';
import { EDITING_TOOLS, claudeCli, createClaudeLaunch, READING_TOOLS } from './claude.ts';

const permissionArguments = (level: ContainmentLevel, writes: 'change' | 'nothing'): string[] => [
  ...['--permission-prompt-tool', 'stdio', '--permission-mode', 'default'],
  ...['--tools', writes === 'change' ? EDITING_TOOLS : level === 'group' ? 'Read,Glob,Grep' : READING_TOOLS],
];

export const claudeAsk: AgentCli = {
  ...claudeCli,
  page: {
    ...claudeCli.page,
    takeWhen: 'you want to be asked before claude runs a command that is not known to be harmless',
    cannot: 'go on while you are asked: its turn ends, and is resumed when you answer',
  },
  launch: createClaudeLaunch(permissionArguments),
};
