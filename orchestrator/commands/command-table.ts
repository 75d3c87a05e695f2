/** The table of all commands, from which parsers, menus, help and permissions are built (C1). */
import { accountOf } from '../kernel/lifecycle/run-budget.ts';
import { fromUnits } from '#model/limits';
import { showInvisible } from '#text-safety';
import * as args from './command-arguments.ts';
import { settingRow } from '#settings';
import type { UserRole } from '#model/settings';
import {
  createCommandRow,
  commandTable,
  showingRow,
  steeringRow,
  type ParsedArguments,
} from './command-row.ts';

const roleForSetting = (setting: args.ChatSetting | null): UserRole => {
  if (setting?.what === 'installation' && setting.to !== null) return settingRow(setting.name).needs;
  if (setting?.what === 'log') return 'admin';
  return setting?.what === 'signoff' ? 'operator' : 'viewer';
};

export const COMMAND_ROWS = commandTable({
  status: showingRow('all', { names: ['status'], topic: 'look', group: true, takes: {} }),
  pending: showingRow('all', {
    names: ['pending'],
    topic: 'decide',
    group: true,
    takes: { part: args.waitingArgument },
  }),
  new: createCommandRow('all', {
    names: ['new'],
    topic: 'ask',
    group: true,
    host: 'create',
    dear: false,
    needs: 'operator',
    asks: false,
    takes: { order: args.orderArgument },
    offers: ['command.run.create'],
  }),
  batch: createCommandRow('all', {
    names: ['batch'],
    topic: 'ask',
    group: true,
    host: null,
    dear: false,
    needs: 'operator',
    asks: false,
    takes: { list: args.listArgument },
    offers: [],
  }),
  adopt: createCommandRow('all', {
    names: ['adopt'],
    topic: 'ask',
    host: null,
    dear: false,
    needs: 'operator',
    asks: false,
    takes: { pulls: args.pullsArgument },
    offers: [],
  }),
  campaign: createCommandRow('all', {
    names: ['campaign'],
    topic: 'look',
    group: true,
    host: null,
    dear: false,
    needs: ({ undo }) => (undo ? 'operator' : 'viewer'),
    asks: ({ undo }) => !undo,
    takes: { id: args.campaignArgument, undo: args.undoArgument },
    offers: [],
  }),
  runs: showingRow('all', { names: ['runs'], topic: 'look', group: true, takes: {} }),
  report: showingRow('all', {
    names: ['report'],
    topic: 'look',
    takes: { about: args.reportArgument },
    dear: true,
  }),
  insights: showingRow('all', {
    names: ['insights'],
    topic: 'installation',
    takes: { period: args.periodArgument },
    dear: true,
  }),
  cost: createCommandRow('all', {
    names: ['cost', 'budgets'],
    topic: 'look',
    group: true,
    host: null,
    dear: false,
    offers: [],
    needs: ({ limit }) => (limit === null ? 'viewer' : 'admin'),
    asks: ({ limit }) => limit === null,
    takes: { limit: args.costArgument },
  }),
  board: createCommandRow('all', {
    names: ['board'],
    topic: 'look',
    host: null,
    dear: false,
    needs: 'viewer',
    asks: false,
    takes: {},
    offers: [],
  }),
  /** G11: people's own keys. */
  passkey: createCommandRow('all', {
    names: ['passkey'],
    topic: 'decide',
    host: null,
    dear: false,
    needs: 'viewer',
    asks: false,
    takes: { key: args.passkeyArgument },
    offers: [],
  }),
  detail: showingRow('run', { names: ['detail'], topic: 'look', group: true, takes: {} }),
  diff: showingRow('run', { names: ['diff'], topic: 'look', group: true, takes: {}, dear: true }),
  log: showingRow('run', { names: ['log'], topic: 'look', takes: { step: args.stepArgument }, dear: true }),
  plan: showingRow('run', { names: ['plan', 'contract'], topic: 'look', takes: {} }),
  budget: steeringRow({
    names: ['budget'],
    topic: 'look',
    host: 'budget',
    needs: ({ raise }) => (raise === null ? 'viewer' : 'approver'),
    asks: ({ raise }) => raise === null,
    takes: { raise: args.raiseArgument },
    offers: 'command.budget.raise',
    gives: (by, { raise }, run) => {
      const { budget = 'time', amount = 0, more = false } = raise ?? {};
      const now = more && run ? (accountOf(run, budget).limit ?? 0) : 0;
      const limit = amount === null ? null : fromUnits(budget, amount) + now;
      return { type: 'command.budget.raise', by, budget, limit };
    },
  }),
  approve: createCommandRow('run', {
    names: ['approve_open_pr', 'approve'],
    topic: 'decide',
    host: null,
    dear: false,
    needs: 'approver',
    asks: false,
    takes: { confirm: args.confirmArgument },
    offers: [
      ...(['command.pr.approve', 'command.push.approve', 'command.reply.approve'] as const),
      ...(['command.review.choose', 'command.review.begin', 'command.remarks.answered'] as const),
      'command.comment.answer',
    ],
  }),
  open: steeringRow({
    names: ['open_now'],
    topic: 'decide',
    host: 'open-now',
    needs: 'admin',
    takes: {},
    offers: 'command.pr.open_now',
    gives: (by) => ({ type: 'command.pr.open_now', by }),
  }),
  post_link: steeringRow({
    names: ['post_link'],
    topic: 'steer',
    host: 'post-link',
    needs: 'operator',
    takes: {},
    offers: 'command.item.comment',
    gives: (by) => ({ type: 'command.item.comment', by }),
  }),
  deny: steeringRow({
    names: ['deny'],
    topic: 'decide',
    group: true,
    host: 'deny',
    needs: 'approver',
    takes: { final: args.finalArgument, reason: args.reasonArgument },
    offers: 'command.deny',
    gives: (by, { final, reason }, run) => ({
      type: 'command.deny',
      by,
      reason,
      final,
      approvalId: run?.gate.approval?.id ?? null,
    }),
  }),
  changes: steeringRow({
    names: ['changes'],
    topic: 'decide',
    group: true,
    host: null,
    needs: 'approver',
    takes: { instruction: args.instructionArgument },
    offers: 'command.deny',
    gives: (by, { instruction }, run) => ({
      type: 'command.deny',
      by,
      reason: showInvisible(instruction),
      final: false,
      approvalId: run?.gate.approval?.id ?? null,
      retryNow: true,
    }),
  }),
  /** E21: a question to the agent, which changes nothing. */
  ask: steeringRow({
    names: ['ask'],
    topic: 'decide',
    group: true,
    host: null,
    needs: 'operator',
    takes: { text: args.personQuestionArgument },
    offers: 'command.question.ask',
    gives: (by, { text }) => ({ type: 'command.question.ask', by, text: showInvisible(text) }),
  }),
  /** E21: back to the card before the last changes that were asked for. */
  take_back: steeringRow({
    names: ['take_back'],
    topic: 'decide',
    host: null,
    needs: 'approver',
    takes: {},
    offers: 'command.change.restore',
    gives: (by, _, run) => ({
      type: 'command.change.restore',
      by,
      approvalId: run?.gate.approval?.id ?? '',
    }),
  }),
  edit: steeringRow({
    names: ['edit'],
    topic: 'decide',
    host: 'modify',
    needs: 'approver',
    takes: { words: args.pullTextArgument, reason: args.reasonArgument },
    offers: 'command.proposal.modify',
    gives: (by, { words, reason }, run) => ({
      type: 'command.proposal.modify',
      by,
      pullText: words,
      approvalId: run?.gate.approval?.id ?? null,
      reason: reason || (by.id === null ? 'edited at the command line' : 'edited in the chat'),
    }),
  }),
  fix: steeringRow({
    names: ['fix'],
    topic: 'ask',
    group: true,
    host: null,
    needs: 'operator',
    takes: { instruction: args.instructionArgument },
    offers: 'command.iterate',
    gives: (by, { instruction }) => ({
      type: 'command.iterate',
      by,
      instruction: showInvisible(instruction),
    }),
  }),
  /** E21: words to the agent that works; its buttons say when it hears them. */
  tell: steeringRow({
    names: ['tell'],
    topic: 'steer',
    group: true,
    host: null,
    // guard: E21-only-operators
    needs: 'operator',
    takes: { told: args.agentWordsArgument },
    offers: 'command.agent.tell',
    gives: (by, { told }) => ({
      type: 'command.agent.tell',
      by,
      words: showInvisible(told),
      when: 'after',
    }),
  }),
  /** E21: only by the buttons of queued words. */
  words: createCommandRow('run', {
    names: [],
    topic: null,
    host: null,
    dear: false,
    needs: 'operator',
    asks: false,
    takes: {},
    offers: ['command.words.schedule'],
  }),
  keep: steeringRow({
    names: ['keep'],
    topic: 'steer',
    group: true,
    host: 'keep',
    needs: 'operator',
    takes: {},
    offers: 'command.work.keep',
    gives: (by) => ({ type: 'command.work.keep', by }),
  }),
  drop: steeringRow({
    names: ['drop'],
    topic: 'steer',
    group: true,
    host: 'drop',
    needs: 'operator',
    takes: { confirm: args.confirmArgument },
    offers: 'command.work.drop',
    gives: (by) => ({ type: 'command.work.drop', by }),
  }),
  retry: steeringRow({
    names: ['retry'],
    topic: 'steer',
    group: true,
    host: 'retry',
    needs: 'operator',
    takes: { target: args.targetStateArgument, advice: args.adviceArgument },
    offers: 'command.retry',
    gives: (by, { target, advice }) => ({ type: 'command.retry', by, target, ...adviceFieldOf(advice) }),
  }),
  without: steeringRow({
    names: ['without'],
    topic: 'steer',
    host: 'without',
    needs: 'approver',
    takes: {},
    offers: 'command.checks.waive',
    gives: (by) => ({ type: 'command.checks.waive', by }),
  }),
  update: steeringRow({
    names: ['update'],
    topic: 'steer',
    host: 'update',
    needs: 'operator',
    takes: {},
    offers: 'command.base.update',
    gives: (by) => ({ type: 'command.base.update', by }),
  }),
  take: steeringRow({
    names: ['take'],
    topic: 'steer',
    host: null,
    needs: 'approver',
    takes: { sha: args.shaArgument },
    offers: 'command.head.adopt',
    gives: (by, { sha }, run) => {
      const { change: { foreignHead: foreign } = {} } = run ?? {};
      const whole = foreign && sha !== null && foreign.sha.startsWith(sha) ? foreign.sha : (sha ?? '');
      return { type: 'command.head.adopt', by, sha: whole };
    },
  }),
  overrule: steeringRow({
    names: ['overrule'],
    topic: 'decide',
    host: 'overrule',
    needs: 'approver',
    takes: { reason: args.reasonArgument },
    offers: 'command.ban.overrule',
    gives: (by, { reason }) => ({ type: 'command.ban.overrule', by, reason }),
  }),
  /** E10: only by the buttons of its card. */
  permit: createCommandRow('run', {
    names: [],
    topic: null,
    host: null,
    dear: false,
    needs: 'approver',
    asks: false,
    takes: {},
    offers: ['command.permission.answer'],
  }),
  revoke: steeringRow({
    names: ['revoke'],
    topic: 'steer',
    host: 'revoke',
    needs: 'operator',
    takes: {},
    offers: 'command.permission.revoke',
    gives: (by) => ({ type: 'command.permission.revoke', by }),
  }),
  answer: steeringRow({
    names: [],
    topic: null,
    host: null,
    needs: 'operator',
    takes: { what: args.questionArgument, text: args.answerArgument },
    offers: 'command.requirement.answer',
    gives: (by, { what, text }) => ({ type: 'command.requirement.answer', by, what, text }),
  }),
  pause: steeringRow({
    names: ['pause'],
    topic: 'steer',
    group: true,
    host: 'pause',
    needs: 'operator',
    takes: {},
    offers: 'command.pause',
    gives: (by) => ({ type: 'command.pause', by }),
  }),
  resume: steeringRow({
    names: ['resume'],
    topic: 'steer',
    group: true,
    host: 'resume',
    needs: 'operator',
    takes: { target: args.targetStateArgument, advice: args.adviceArgument },
    offers: 'command.resume',
    gives: (by, { target, advice }) => ({ type: 'command.resume', by, target, ...adviceFieldOf(advice) }),
  }),
  cancel: steeringRow({
    names: ['cancel'],
    topic: 'steer',
    group: true,
    host: 'cancel',
    needs: 'operator',
    takes: { reason: args.reasonArgument },
    offers: 'command.cancel',
    gives: (by, { reason }) => ({ type: 'command.cancel', by, reason }),
  }),
  skip: steeringRow({
    names: ['skip'],
    topic: 'steer',
    host: 'skip',
    needs: 'operator',
    takes: { reason: args.reasonArgument },
    offers: 'command.skip',
    gives: (by, { reason }) => ({ type: 'command.skip', by, reason }),
  }),
  done: steeringRow({
    names: ['done'],
    topic: 'steer',
    host: 'done',
    needs: 'operator',
    takes: {},
    offers: 'command.run.finish',
    gives: (by) => ({ type: 'command.run.finish', by }),
  }),
  start: steeringRow({
    names: [],
    topic: null,
    host: null,
    needs: 'operator',
    takes: {},
    offers: 'command.implementation.start',
    gives: (by) => ({ type: 'command.implementation.start', by }),
  }),
  rerun: steeringRow({
    names: [],
    topic: null,
    host: null,
    needs: 'operator',
    takes: {},
    offers: 'command.ci.rerun',
    gives: (by) => ({ type: 'command.ci.rerun', by }),
  }),
  settings: createCommandRow('all', {
    names: ['settings'],
    topic: 'installation',
    group: true,
    host: null,
    dear: false,
    offers: [],
    needs: ({ setting }) => roleForSetting(setting),
    asks: ({ setting }) =>
      setting === null ||
      ['log', 'runs'].includes(setting.what) ||
      (setting.what === 'installation' && setting.to === null),
    takes: { setting: args.settingArgument },
  }),
  users: createCommandRow('all', {
    names: ['users'],
    topic: 'installation',
    host: null,
    dear: false,
    offers: [],
    needs: 'admin',
    asks: ({ change }) => change === null,
    takes: { change: args.userChangeArgument },
  }),
  /** L9, S6: what was given up or set aside. */
  set_aside: createCommandRow('all', {
    names: ['set_aside'],
    topic: 'installation',
    host: null,
    dear: false,
    offers: [],
    needs: 'admin',
    asks: ({ row }) => row === null,
    takes: { row: args.setAsideArgument },
  }),
  /** E21: what every agent of a repository is told. */
  notes: createCommandRow('all', {
    names: ['notes'],
    topic: 'steer',
    host: null,
    dear: false,
    offers: [],
    // guard: E21-approvers-keep-notes
    needs: ({ note }) => (note.do === 'list' ? 'viewer' : 'approver'),
    asks: ({ note }) => note.do === 'list',
    takes: { note: args.noteArgument },
  }),
  help: showingRow('all', {
    names: ['help'],
    topic: 'installation',
    group: true,
    takes: { topic: args.topicArgument },
  }),
  greet: showingRow('all', {
    names: ['start'],
    topic: 'installation',
    takes: { payload: args.payloadArgument },
  }),
});

const adviceFieldOf = (advice: string | null): { advice?: string } => (advice === null ? {} : { advice });

type Rows = typeof COMMAND_ROWS;
export type CommandName = keyof Rows;
export type TypedName = { [K in CommandName]: Rows[K]['names'] extends readonly [] ? never : K }[CommandName];
export type SteeringName = { [K in CommandName]: Rows[K]['gives'] extends null ? never : K }[CommandName];
export type ArgName = { [K in CommandName]: keyof Rows[K]['takes'] }[CommandName];

export type ArgumentsOf<K extends CommandName> = ParsedArguments<Rows[K]['takes']>;
export type CommandOf<K extends CommandName> = K extends CommandName
  ? { kind: K } & ArgumentsOf<K> & (Rows[K]['on'] extends 'run' ? { run: string } : unknown)
  : never;
