/** Form actions of the forge pages: maintainers, outsiders, deliveries and weather. */
import { findCommit } from '../../github/git.ts';
import type { RepoHandle } from '../../github/repo.ts';
import type { Issue, Pull, Repo, State } from '../../github/state.ts';
import { filesOf } from './files.ts';
import { issueIn } from './issues.ts';
import { pullIn } from './pull.ts';
import { voices } from './talk.ts';

export type Fields = Record<string, string>;
export type ActionDeps = { state: State; handleOf: (repo: Repo) => RepoHandle };
export type Outcome = { tone: 'good' | 'bad'; words: string };

type PullAct = (deps: ActionDeps, pull: Pull, fields: Fields) => Promise<Outcome> | Outcome;
type IssueAct = (deps: ActionDeps, repo: Repo, issue: Issue, fields: Fields) => Outcome;
type RepoAct = (deps: ActionDeps, repo: Repo, fields: Fields) => Promise<Outcome> | Outcome;

const good = (words: string): Outcome => ({ tone: 'good', words });
const bad = (words: string): Outcome => ({ tone: 'bad', words });
const LONGEST = 65_536;

export async function act(deps: ActionDeps, path: string, fields: Fields): Promise<Outcome | null> {
  if (path === '/weather') return setWeather(deps.state, fields);
  const delivery = /^\/deliveries\/(\d{1,12})\/redeliver$/.exec(path)?.[1];
  if (delivery) return redeliver(deps.state, Number(delivery));
  const [, owner, name, place, number = '', verb] =
    /^\/([\w.-]+)\/([\w.-]+)\/(?:(pull|issues)\/(\d{1,9})\/)?(\w+)$/.exec(path) ?? [];
  const repo = deps.state.repo(`${owner}/${name}`);
  if (!repo) return null;
  if (place === undefined) return own(repoActs, verb)?.(deps, repo, fields) ?? null;
  if (place === 'issues') {
    const issue = issueIn(repo, number);
    return (issue && own(issueActs, verb)?.(deps, repo, issue, fields)) ?? null;
  }
  const pull = pullIn(repo, number);
  return (pull && own(pullActs, verb)?.(deps, pull, fields)) ?? null;
}

const own = <T>(acts: Record<string, T>, verb: string | undefined): T | undefined =>
  verb !== undefined && Object.hasOwn(acts, verb) ? acts[verb] : undefined;

const pullActs: Record<string, PullAct> = {
  async end({ handleOf }, pull, { verb }) {
    const handle = handleOf(pull.base.repo);
    if (verb === 'merge' || verb === 'squash') {
      await handle.merge(pull.number, verb);
      return good(`#${pull.number} is merged into ${pull.base.ref}.`);
    }
    if (verb === 'ready') handle.readyForReview(pull.number);
    else if (verb === 'close') await handle.close(pull.number);
    else if (verb === 'reopen') await handle.reopen(pull.number);
    else return bad('Choose whether to merge, close or reopen it.');
    return good(
      verb === 'ready' ? `#${pull.number} is ready for review.` : `#${pull.number} is ${pull.state}.`,
    );
  },
  say({ state, handleOf }, pull, { verb, body = '', user }) {
    const handle = handleOf(pull.base.repo);
    const speaker = speakerOf(state, pull.base.repo, user, pull.user.login);
    if (speaker === null) return bad('Choose who says it.');
    if (body.length > LONGEST) return bad('That is too long: 65,536 characters at most.');
    const silent = body.trim() === '';
    if (verb === 'approve') {
      handle.review(pull.number, { user: speaker, state: 'APPROVED', body });
      return good(`${speaker} approved #${pull.number}.`);
    }
    if (silent) return bad('Write a few words first.');
    if (verb === 'request') {
      handle.review(pull.number, { user: speaker, state: 'CHANGES_REQUESTED', body });
      return good(`${speaker} requested changes.`);
    }
    handle.comment(pull.number, { user: speaker, body });
    return good(`${speaker} commented.`);
  },
  async line({ state, handleOf }, pull, { file, line, head, body = '', user }) {
    const speaker = speakerOf(state, pull.base.repo, user, pull.user.login);
    if (speaker === null) return bad('Choose who says it.');
    if (body.trim() === '' || body.length > LONGEST) return bad('Write a few words first.');
    if (head !== pull.head.sha) return bad('The files have changed meanwhile: choose the line again.');
    const { files } = await filesOf(pull);
    const found = files[Number(file)];
    const there = found?.hunks.some((hunk) => hunk.some((one) => one.new === Number(line)));
    if (!found || !there) return bad('There is no such line in this change.');
    const place = { path: found.path, line: Number(line) };
    handleOf(pull.base.repo).reviewComment(pull.number, { user: speaker, body, ...place });
    return good(`${speaker} commented on ${place.path}:${place.line}.`);
  },
  foreign: (deps, pull) => intrude(deps, pull.head.repo, pull.head.ref),
  advance: (deps, pull) => advance(deps, pull),
  async conflict(deps, pull) {
    const { files } = await filesOf(pull);
    const file = files.find((one) => one.status === 'modified' && !one.binary);
    if (!file) return bad('It changes no existing text file: nothing can conflict.');
    const content = 'Somebody else has rewritten this file.\n';
    await deps.handleOf(pull.base.repo).pushForeign(pull.base.ref, {
      files: { [file.path]: content },
      message: `Rewrite ${file.path}`,
    });
    return good(`${pull.base.ref} now says something else in ${file.path}.`);
  },
};

const LABEL = /^[\w .:/-]{1,50}$/;

const issueActs: Record<string, IssueAct> = {
  label({ state, handleOf }, repo, issue, { verb, label = '', user }) {
    const speaker = speakerOf(state, repo, user);
    if (speaker === null) return bad('Choose who does it.');
    if (!LABEL.test(label.trim())) return bad('A label has up to 50 letters, digits, blanks or - . : / _.');
    const on = verb !== 'remove';
    handleOf(repo).labelIssue(issue.number, label.trim(), speaker, on);
    return good(`${speaker} ${on ? 'labelled' : 'took a label off'} #${issue.number}.`);
  },
};

const repoActs: Record<string, RepoAct> = {
  issue({ state, handleOf }, repo, { title = '', body = '', user }) {
    const speaker = speakerOf(state, repo, user);
    if (speaker === null) return bad('Choose who opens it.');
    if (title.trim() === '' || title.length > 256) return bad('A title has 1 to 256 characters.');
    if (body.length > LONGEST) return bad('That is too long: 65,536 characters at most.');
    const number = handleOf(repo).openIssue({ title: title.trim(), body, user: speaker });
    return good(`${speaker} opened issue #${number}.`);
  },
  foreign: (deps, repo, { branch = '' }) => intrude(deps, repo, branch),
  rerun({ handleOf }, repo, { verb }) {
    const started = handleOf(repo).rerunCi(verb === 'all' ? 'all' : 'failed');
    return started ? good('The jobs run again.') : bad('There is nothing to run again, or it still runs.');
  },
};

async function intrude({ state, handleOf }: ActionDeps, repo: Repo, branch: string): Promise<Outcome> {
  const tip = branch === '' ? null : await findCommit(repo.dir, `refs/heads/${branch}`);
  if (tip === null) return bad(`There is no branch ${branch} in ${repo.fullName}.`);
  const files = { 'STRANGER.md': `Somebody else was here at ${new Date(state.now()).toISOString()}.\n` };
  await handleOf(repo).pushForeign(branch, { files });
  return good(`Kim Stranger pushed a commit to ${branch}.`);
}

async function advance({ state, handleOf }: ActionDeps, { base }: Pull): Promise<Outcome> {
  const at = new Date(state.now()).toISOString();
  const files = { 'NEWS.md': `The base moved on at ${at}.\n` };
  await handleOf(base.repo).pushForeign(base.ref, { files, message: 'Move on' });
  return good(`${base.ref} has one more commit.`);
}

const speakerOf = (state: State, repo: Repo, user: string | undefined, author?: string): string | null =>
  voices(state, repo, author).find(({ login }) => login === user)?.login ?? null;

function redeliver(state: State, id: number): Outcome | null {
  const delivery = state.post.deliveries.find((one) => one.id === id);
  if (!delivery) return null;
  if (!state.post.hooks.some((hook) => hook.id === delivery.hookId))
    return bad('The hook that it went to is gone.');
  state.post.redeliver(id);
  return good(`${delivery.event} is on its way again, with the same bytes.`);
}

function setWeather(state: State, fields: Fields): Outcome {
  if (fields['calm']) {
    state.post.setWeather({});
    return good('Calm weather: each delivery arrives once, at once and in order.');
  }
  const within = (name: string, least: number, most: number): number | null => {
    const value = Number(fields[name] ?? least);
    return Number.isInteger(value) && value >= least && value <= most ? value : null;
  };
  const [drop, copies] = [within('drop', 0, 100), within('copies', 1, 10)];
  const [least, most] = [within('least', 0, 60_000), within('most', 0, 60_000)];
  if (drop === null || copies === null || least === null || most === null) {
    return bad('Lost is a percentage, copies go from 1 to 10, and lateness is at most 60,000 ms.');
  }
  const delayMs = [least, Math.max(least, most)] as const;
  state.post.setWeather({ drop: drop / 100, copies, delayMs, shuffle: fields['shuffle'] !== undefined });
  return good(`From now on: ${drop} % lost, ${copies === 1 ? 'once each' : `${copies} copies each`}.`);
}
