/**
 * C1: every command, once: who may give it, what it is told, where it can be given, and what it
 * asks of the machine. The chat's parser, menus, help and permissions, the command line and the
 * pages are made from these rows.
 */
import { accountOf, fromUnits } from '../core/machine/budget.ts';
import { visible } from '../core/invisible.ts';
import * as args from './args.ts';
import { own, rows, shows, steers, type Given } from './row.ts';

export const COMMANDS = rows({
  status: shows('all', { names: ['status'], takes: {} }),
  pending: shows('all', { names: ['pending'], takes: {} }),
  new: own('all', {
    names: ['new'],
    host: 'create',
    dear: false,
    needs: 'operator',
    asks: false,
    takes: { order: args.order },
    offers: ['command.run.create'],
  }),
  batch: own('all', {
    names: ['batch'],
    host: null,
    dear: false,
    needs: 'operator',
    asks: false,
    takes: { list: args.list },
    offers: [],
  }),
  adopt: own('all', {
    names: ['adopt'],
    host: null,
    dear: false,
    needs: 'operator',
    asks: false,
    takes: { pulls: args.pulls },
    offers: [],
  }),
  campaign: shows('all', { names: ['campaign'], takes: { id: args.campaign } }),
  runs: shows('all', { names: ['runs'], takes: {} }),
  report: shows('all', { names: ['report'], takes: { about: args.about }, dear: true }),
  insights: shows('all', { names: ['insights'], takes: { period: args.period }, dear: true }),
  detail: shows('run', { names: ['detail'], takes: {} }),
  diff: shows('run', { names: ['diff'], takes: {}, dear: true }),
  log: shows('run', { names: ['log'], takes: { step: args.step }, dear: true }),
  plan: shows('run', { names: ['plan', 'contract'], takes: {} }),
  budget: steers({
    names: ['budget'],
    host: 'budget',
    needs: ({ raise }) => (raise === null ? 'viewer' : 'approver'),
    asks: ({ raise }) => raise === null,
    takes: { raise: args.raise },
    offers: 'command.budget.raise',
    gives: (by, { raise }, run) => {
      const { budget = 'time', amount = 0, more = false } = raise ?? {};
      const now = more && run ? (accountOf(run, budget).limit ?? 0) : 0;
      const limit = amount === null ? null : fromUnits(budget, amount) + now;
      return { type: 'command.budget.raise', by, budget, limit };
    },
  }),
  approve: own('run', {
    names: ['approve_open_pr', 'approve'],
    host: null,
    dear: false,
    needs: 'approver',
    asks: false,
    takes: { confirm: args.confirm },
    offers: [
      ...(['command.pr.create', 'command.push.approve', 'command.reply.approve'] as const),
      ...(['command.review.choose', 'command.review.begin'] as const),
    ],
  }),
  deny: steers({
    names: ['deny'],
    host: 'deny',
    needs: 'approver',
    takes: { final: args.final, reason: args.reason },
    offers: 'command.deny',
    gives: (by, { final, reason }, run) => ({
      type: 'command.deny',
      by,
      reason,
      final,
      approvalId: run?.gate.approval?.id ?? null,
    }),
  }),
  changes: steers({
    names: ['changes'],
    host: null,
    needs: 'approver',
    takes: { instruction: args.instruction },
    offers: 'command.deny',
    gives: (by, { instruction }, run) => ({
      type: 'command.deny',
      by,
      reason: visible(instruction),
      final: false,
      approvalId: run?.gate.approval?.id ?? null,
      retryNow: true,
    }),
  }),
  edit: steers({
    names: ['edit'],
    host: 'modify',
    needs: 'approver',
    takes: { words: args.words, reason: args.reason },
    offers: 'command.proposal.modify',
    gives: (by, { words, reason }, run) => ({
      type: 'command.proposal.modify',
      by,
      words,
      approvalId: run?.gate.approval?.id ?? null,
      reason: reason || (by.id === null ? 'edited at the command line' : 'edited in the chat'),
    }),
  }),
  fix: steers({
    names: ['fix'],
    host: null,
    needs: 'operator',
    takes: { instruction: args.instruction },
    offers: 'command.iterate',
    gives: (by, { instruction }) => ({
      type: 'command.iterate',
      by,
      instruction: visible(instruction),
    }),
  }),
  retry: steers({
    names: ['retry'],
    host: 'retry',
    needs: 'operator',
    takes: { target: args.target, advice: args.advice },
    offers: 'command.retry',
    gives: (by, { target, advice }) => ({ type: 'command.retry', by, target, ...told(advice) }),
  }),
  without: steers({
    names: ['without'],
    host: 'without',
    needs: 'approver',
    takes: {},
    offers: 'command.checks.waive',
    gives: (by) => ({ type: 'command.checks.waive', by }),
  }),
  update: steers({
    names: ['update'],
    host: 'update',
    needs: 'operator',
    takes: {},
    offers: 'command.base.update',
    gives: (by) => ({ type: 'command.base.update', by }),
  }),
  take: steers({
    names: ['take'],
    host: null,
    needs: 'approver',
    takes: { sha: args.sha },
    offers: 'command.head.adopt',
    gives: (by, { sha }, run) => {
      const { change: { foreignHead: foreign } = {} } = run ?? {};
      const whole = foreign && sha !== null && foreign.sha.startsWith(sha) ? foreign.sha : (sha ?? '');
      return { type: 'command.head.adopt', by, sha: whole };
    },
  }),
  overrule: steers({
    names: ['overrule'],
    host: 'overrule',
    needs: 'approver',
    takes: { reason: args.reason },
    offers: 'command.ban.overrule',
    gives: (by, { reason }) => ({ type: 'command.ban.overrule', by, reason }),
  }),
  /** E10: by its card's buttons alone. */
  permit: own('run', {
    names: [],
    host: null,
    dear: false,
    needs: 'approver',
    asks: false,
    takes: {},
    offers: ['command.permission.answer'],
  }),
  revoke: steers({
    names: ['revoke'],
    host: 'revoke',
    needs: 'operator',
    takes: {},
    offers: 'command.permission.revoke',
    gives: (by) => ({ type: 'command.permission.revoke', by }),
  }),
  answer: steers({
    names: [],
    host: null,
    needs: 'operator',
    takes: { what: args.asked, text: args.text },
    offers: 'command.requirement.answer',
    gives: (by, { what, text }) => ({ type: 'command.requirement.answer', by, what, text }),
  }),
  pause: steers({
    names: ['pause'],
    host: 'pause',
    needs: 'operator',
    takes: {},
    offers: 'command.pause',
    gives: (by) => ({ type: 'command.pause', by }),
  }),
  resume: steers({
    names: ['resume'],
    host: 'resume',
    needs: 'operator',
    takes: { target: args.target, advice: args.advice },
    offers: 'command.resume',
    gives: (by, { target, advice }) => ({ type: 'command.resume', by, target, ...told(advice) }),
  }),
  cancel: steers({
    names: ['cancel'],
    host: 'cancel',
    needs: 'operator',
    takes: { reason: args.reason },
    offers: 'command.cancel',
    gives: (by, { reason }) => ({ type: 'command.cancel', by, reason }),
  }),
  skip: steers({
    names: ['skip'],
    host: 'skip',
    needs: 'operator',
    takes: { reason: args.reason },
    offers: 'command.skip',
    gives: (by, { reason }) => ({ type: 'command.skip', by, reason }),
  }),
  done: steers({
    names: ['done'],
    host: 'done',
    needs: 'operator',
    takes: {},
    offers: 'command.run.finish',
    gives: (by) => ({ type: 'command.run.finish', by }),
  }),
  start: steers({
    names: [],
    host: null,
    needs: 'operator',
    takes: {},
    offers: 'command.implementation.start',
    gives: (by) => ({ type: 'command.implementation.start', by }),
  }),
  rerun: steers({
    names: [],
    host: null,
    needs: 'operator',
    takes: {},
    offers: 'command.ci.rerun',
    gives: (by) => ({ type: 'command.ci.rerun', by }),
  }),
  settings: own('all', {
    names: ['settings'],
    host: null,
    dear: false,
    offers: [],
    needs: 'viewer',
    asks: ({ setting }) =>
      setting === null ||
      ['log', 'runs'].includes(setting.what) ||
      (setting.what === 'house' && setting.to === null),
    takes: { setting: args.setting },
  }),
  users: own('all', {
    names: ['users'],
    host: null,
    dear: false,
    offers: [],
    needs: 'admin',
    asks: ({ change }) => change === null,
    takes: { change: args.change },
  }),
  help: shows('all', { names: ['help'], takes: { topic: args.topic } }),
  greet: shows('all', { names: ['start'], takes: { payload: args.payload } }),
});

const told = (advice: string | null): { advice?: string } => (advice === null ? {} : { advice });

type Rows = typeof COMMANDS;
export type CommandName = keyof Rows;
/** What is typed; the others are buttons. */
export type TypedName = { [K in CommandName]: Rows[K]['names'] extends readonly [] ? never : K }[CommandName];
export type SteeringName = { [K in CommandName]: Rows[K]['gives'] extends null ? never : K }[CommandName];
/** What the arguments of all commands are called. */
export type ArgName = { [K in CommandName]: keyof Rows[K]['takes'] }[CommandName];

export type GivenTo<K extends CommandName> = Given<Rows[K]['takes']>;
/** A command as it was read. */
export type CommandOf<K extends CommandName> = K extends CommandName
  ? { kind: K } & GivenTo<K> & (Rows[K]['on'] extends 'run' ? { run: string } : unknown)
  : never;
