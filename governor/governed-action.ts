/** The actions that the governor assesses: changes, texts and commands. */
import type { CheckResult, CheckConfigFiles } from '#model/evidence';
import type { Commit } from '#model/change';

type Commits = {
  branch: string;
  baseRef: string;
  commit: Commit;
  /** Trailers of commit messages that the repository requires. */
  trailers?: readonly string[];
  passed: boolean;
  checks: readonly CheckResult[];
  /** Check configuration in the change; null or absent without any. */
  checkConfig?: CheckConfigFiles | null;
};

/** `iteration`: pushes to an open pull request; `body` is its new description. */
export type PushAction = { kind: 'push'; iteration: boolean; body?: string } & Commits;
export type OpenPr = { kind: 'open_pr'; title: string; body: string; draft: boolean } & Commits;
/** A shell command that an engine asks to run (E10). */
type CommandAction = { kind: 'command'; command: string };
/** The field `on` names the pull request or issue. */
type CommentAction = { kind: 'comment'; on: string; body: string };
/** The field `to` is the URL of the comment. */
type ReplyAction = { kind: 'reply'; on: string; to: string; body: string };

export type ChangeAction = PushAction | OpenPr;
export type TextAction = CommentAction | ReplyAction;
export type GovernedAction = ChangeAction | TextAction | CommandAction;
export const isChangeAction = (action: GovernedAction): action is ChangeAction =>
  action.kind === 'push' || action.kind === 'open_pr';
export const isTextAction = (action: GovernedAction): action is TextAction =>
  action.kind === 'comment' || action.kind === 'reply';
