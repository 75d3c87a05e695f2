/** C1: every command, once: how it is typed, who may give it, and what it does. For parsing, the help and the menus. */
import type { Language } from './language.ts';
import type { Role } from '../../orchestrator/core/roles.ts';

type Entry = {
  /** The first one is in the menus. */
  names: readonly [string, ...string[]];
  needs: Role;
  /** What follows the name. */
  takes: Record<Language, string>;
  does: Record<Language, string>;
};

const nothing = { en: '', zh: '' };
const run = { en: '<run>', zh: '<编号>' };
const onward = { en: '<run> [state] [what the agent is told]', zh: '<编号> [状态] [要告诉代理的话]' };
const withReason = { en: '<run> [reason]', zh: '<编号> [原因]' };

export const COMMANDS = {
  status: {
    names: ['status'],
    needs: 'viewer',
    takes: nothing,
    does: { en: 'the fleet, and what needs you most', zh: '总览，以及最需要你处理的事' },
  },
  pending: {
    names: ['pending'],
    needs: 'viewer',
    takes: nothing,
    does: { en: 'everything that waits for a person', zh: '所有等人处理的事' },
  },
  new: {
    names: ['new'],
    needs: 'operator',
    takes: {
      en: 'owner/name what to change  [base=main engine=codex flow=plan discovery=agent budget=cost:2 prompt_version=v1 check="npm test" branch=… title="…"]',
      zh: 'owner/name 要改什么  [base=main engine=codex flow=plan discovery=agent budget=cost:2 prompt_version=v1 check="npm test" branch=… title="…"]',
    },
    does: { en: 'start a change', zh: '发起一次修改' },
  },
  runs: {
    names: ['runs'],
    needs: 'viewer',
    takes: nothing,
    does: { en: 'the newest runs', zh: '最近的任务' },
  },
  detail: {
    names: ['detail'],
    needs: 'viewer',
    takes: run,
    does: { en: 'everything about one run', zh: '一个任务的全部情况' },
  },
  diff: {
    names: ['diff'],
    needs: 'viewer',
    takes: run,
    does: { en: 'the change as a file', zh: '以文件形式查看改动' },
  },
  log: {
    names: ['log'],
    needs: 'viewer',
    takes: { en: '<run> [step]', zh: '<编号> [步骤]' },
    does: { en: 'what the agent or a check printed last', zh: '代理或检查最近一次的输出' },
  },
  plan: {
    names: ['plan', 'contract'],
    needs: 'viewer',
    takes: run,
    does: { en: 'what was learned of the repository', zh: '对仓库了解到的规则与检查' },
  },
  budget: {
    names: ['budget'],
    needs: 'viewer',
    takes: { en: '<run> [time|tokens|cost|… +amount]', zh: '<编号> [time|tokens|cost|… +数量]' },
    does: { en: 'what is used and left; approvers raise it', zh: '已用与剩余；批准者可以提高' },
  },
  approve: {
    names: ['approve_open_pr', 'approve'],
    needs: 'approver',
    takes: { en: '<run> --confirm', zh: '<编号> --confirm' },
    does: { en: 'open the pull request that the newest card shows', zh: '按最新卡片所示打开拉取请求' },
  },
  deny: {
    names: ['deny'],
    needs: 'approver',
    takes: { en: '<run> [--final] [reason]', zh: '<编号> [--final] [原因]' },
    does: {
      en: 'refuse what the card shows; or answer the card with why',
      zh: '拒绝卡片所示的内容；也可以直接回复卡片说明原因',
    },
  },
  edit: {
    names: ['edit'],
    needs: 'approver',
    takes: {
      en: '<run> title="…" description="…" [why]',
      zh: '<编号> title="…" description="…" [原因]',
    },
    does: { en: 'other words for the pull request on the card', zh: '改写卡片上拉取请求的文字' },
  },
  fix: {
    names: ['fix'],
    needs: 'operator',
    takes: { en: '<run> what to do', zh: '<编号> 要做什么' },
    does: { en: 'tell the agent what to fix in an open pull request', zh: '让代理修改已打开的拉取请求' },
  },
  retry: {
    names: ['retry'],
    needs: 'operator',
    takes: onward,
    does: {
      en: 'go on after a failure; or answer its message with what to do',
      zh: '失败后继续；也可以直接回复消息说明怎么做',
    },
  },
  update: {
    names: ['update'],
    needs: 'operator',
    takes: run,
    does: { en: 'merge the base branch into the change', zh: '把基准分支合并到改动里' },
  },
  take: {
    names: ['take'],
    needs: 'approver',
    takes: { en: '<run> [commit]', zh: '<编号> [提交]' },
    does: { en: 'go on from what somebody else pushed', zh: '从别人推送的提交继续' },
  },
  pause: {
    names: ['pause'],
    needs: 'operator',
    takes: run,
    does: { en: 'stop the agent, keep everything', zh: '停下代理，保留一切' },
  },
  resume: {
    names: ['resume'],
    needs: 'operator',
    takes: onward,
    does: { en: 'go on after a pause', zh: '暂停后继续' },
  },
  cancel: {
    names: ['cancel'],
    needs: 'operator',
    takes: withReason,
    does: { en: 'end a run for good', zh: '彻底结束一个任务' },
  },
  skip: {
    names: ['skip'],
    needs: 'operator',
    takes: withReason,
    does: { en: 'end a run that is not wanted', zh: '放弃不需要的任务' },
  },
  done: {
    names: ['done'],
    needs: 'operator',
    takes: run,
    does: { en: 'mark a run as done', zh: '把任务标记为完成' },
  },
  settings: {
    names: ['settings'],
    needs: 'viewer',
    takes: { en: '[language en|zh|auto]', zh: '[language en|zh|auto]' },
    does: { en: 'your rights and your language', zh: '你的权限与语言' },
  },
  users: {
    names: ['users'],
    needs: 'admin',
    takes: {
      en: '[add <id> <role> [name] | remove <id>]',
      zh: '[add <数字id> <角色> [名字] | remove <数字id>]',
    },
    does: { en: 'who may do what', zh: '谁可以做什么' },
  },
  help: {
    names: ['help', 'start'],
    needs: 'viewer',
    takes: nothing,
    does: { en: 'this list', zh: '这份列表' },
  },
} as const satisfies Record<string, Entry>;
export type CommandName = keyof typeof COMMANDS;

const entries = Object.entries(COMMANDS) as [CommandName, Entry][];
const byName = new Map(entries.flatMap(([command, { names }]) => names.map((name) => [name, command])));

/** The command that somebody typed, whatever its case. */
export const commandNamed = (word: string): CommandName | undefined => byName.get(word.toLowerCase());

/** How a command is written. */
export const formOf = (command: CommandName, language: Language): string => {
  const { names, takes }: Entry = COMMANDS[command];
  return `/${names[0]} ${takes[language]}`.trim();
};

/** Bot API, BotCommand: what a phone offers while somebody types. */
export const menuIn = (language: Language): { command: string; description: string }[] =>
  entries.map(([, { names, does }]) => ({ command: names[0], description: does[language] }));

export const helpIn = (language: Language): { form: string; does: string }[] =>
  entries.map(([command, { does }]) => ({ form: formOf(command, language), does: does[language] }));
