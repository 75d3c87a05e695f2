/** Decides permission requests by governor, by grants of exactly that input, else by a person (E10). */
import { z } from 'zod';
import {
  newlyObjectingPolicies,
  isSameCommandGroup,
  commandGroupOf,
  withNoteInWorkspace,
  writesNote,
  assessPermission,
  type PolicyContext,
} from '#governor';
import { permissionContext } from './permission-context.ts';
import type { CommandGroup } from '#model/environment';
import type { PolicyObjections } from '#model/assessment';
import { canonicalJson } from '#model/seal';
import type { AlternativeProposals } from '../run/alternative-proposals.ts';
import type { InputOf } from '../run/input-types.ts';
import { isAgentWorking } from '#model/run';
import { permissionsOf, MAX_RUN_QUESTIONS } from '../run/permissions.ts';
import { noteFileOf, ROUND_ROWS, type AgentRound } from '../run/round-table.ts';
import type { Run } from '../run/run.ts';
import { sha256Hex } from '../runtime/content-hash.ts';
import type { ClaimedEffect } from '#ports/steps';
import type { PermissionAnswer, PermissionRequest, WeighedRequest } from '#ports/processes';
import { requireValue, requireRunOf, type EffectContext } from '../handlers/effect-context.ts';

export type PermissionQuestion = {
  tool: string;
  input: string;
  digest: string;
  objections: PolicyObjections;
  sort: CommandGroup | null;
  editable: boolean;
  alternatives?: AlternativeProposals;
};

/** Only commands are editable, as other inputs are not text for people. */
const isEditable = ({ command, editable }: PermissionRequest): boolean =>
  command !== null && editable === true;

const toDenial = (reason: string): Extract<PermissionAnswer, { kind: 'deny' }> => ({ kind: 'deny', reason });

type Settings = EffectContext['settings']['policies'];
const contextOf = (settings: Settings, run: Run): PolicyContext =>
  permissionContext(settings, run, requireValue(run.target.base, 'base').ref);

const commandIn = (input: string): string => Input.parse(JSON.parse(input)).command;
const Input = z.object({ command: z.string() });

export const createReplacementAssessor =
  (settings: Settings) =>
  (run: Run, tool: string, command: string): AssessedReplacement => {
    const input = canonicalJson({ command });
    const verdict = assessPermission({ tool, input, command, files: null }, contextOf(settings, run));
    return { verdict, input, digest: digestOf(tool, input) };
  };
type PermissionVerdict = ReturnType<typeof assessPermission>;
type AssessedReplacement = { verdict: PermissionVerdict; input: string; digest: string };

const digestOf = (tool: string, input: string): string => sha256Hex(canonicalJson([tool, input]));

/** Serves one round; after a question to a person it answers nothing more. */
export const createPermissionDecider = (parts: EffectContext, claim: ClaimedEffect, round: AgentRound) => {
  const { submit, texts } = parts;
  let open: PermissionQuestion | null = null;
  let uses = 0;
  const assessReplacement = createReplacementAssessor(parts.settings.policies);

  /** Single use: only the request that wrote it succeeds. */
  type Use = Omit<InputOf<'worker.permission.used'>, 'type'>;
  const useGrant = async (run: Run, used: Use): Promise<boolean> => {
    uses += 1;
    const said = await submit({
      runId: run.id,
      input: { type: 'worker.permission.used', ...used },
      key: `permission:${claim.id}:${claim.leaseEpoch}:${uses}`,
      cause: { kind: 'none' },
      effectEpoch: claim.epoch,
    });
    return said.kind === 'written';
  };

  /** P4: judges a replacement again before it runs. */
  const cannotRun = (
    run: Run,
    request: PermissionRequest,
    put: string,
    before: PolicyObjections,
  ): string | null => {
    if (!isEditable(request)) return `it was allowed in other words: ${put}`;
    const { verdict } = assessReplacement(run, request.tool, commandIn(put));
    if (verdict.kind === 'allow') return null;
    const more = verdict.kind === 'ask' ? newlyObjectingPolicies(before, verdict.objections) : [verdict.kind];
    return more.length === 0 ? null : `what a person put in its place is not allowed now: ${more.join(', ')}`;
  };

  const decideRequest = async (request: PermissionRequest): Promise<PermissionAnswer> => {
    const { run, note, verdict } = await assessNow(request);
    const { governed } = verdict;
    return { ...(await answerRequest(request, run, verdict, note)), governed };
  };

  const answerRequest = async (
    request: PermissionRequest,
    run: Run,
    verdict: PermissionVerdict,
    note: ReturnType<typeof noteFileOf>,
  ): Promise<PermissionAnswer> => {
    const { tool, input } = request;
    const found = considerRequest(request, run, verdict, note);
    if (found.kind !== 'open') return found;
    const { grant, stands, sort, digest, objections } = found;
    if (grant) {
      const edit = grant.instead?.digest === digest ? undefined : grant.instead;
      const wrong = edit ? cannotRun(run, request, edit.input, objections) : null;
      // guard: P4-edit-judged-again
      if (wrong !== null) return toDenial(wrong);
      // guard: E10-grant-written
      if (!(await useGrant(run, { grant: grant.id, digest: grant.digest })))
        return toDenial('it was allowed once');
      const { by } = grant;
      return edit ? { kind: 'modified', input: edit.input, by } : { kind: 'allow', by };
    }
    // guard: E10-sort-written
    if (sort && stands)
      return (await useGrant(run, { grant: stands.id, digest, sort, input }))
        ? { kind: 'allow', by: stands.by }
        : toDenial('it is not allowed any more');
    const alternatives = await selectAlternatives(request);
    open = {
      tool,
      input,
      digest,
      objections,
      sort,
      editable: isEditable(request),
      ...(alternatives.length > 0 ? { alternatives } : {}),
    };
    return { kind: 'wait' };
  };

  /** E9: only what a person could allow now is offered in its place. */
  const selectAlternatives = async ({
    alternatives = [],
  }: PermissionRequest): Promise<AlternativeProposals> => {
    const found: AlternativeProposals = [];
    for (const { proposer, request } of alternatives) {
      const { run, note, verdict } = await assessNow(request);
      const { tool, input } = request;
      // guard: E9-pick-may-be-allowed
      if (considerRequest(request, run, verdict, note).kind === 'deny') continue;
      if ((texts.lent?.namesIn(input).length ?? 0) > 0) continue;
      const objections = verdict.kind === 'ask' ? verdict.objections : [];
      const { risk } = verdict.governed;
      found.push({ proposer, tool, input, risk, digest: digestOf(tool, input), objections });
    }
    return found;
  };

  const considerRequest = (
    request: PermissionRequest,
    run: Run,
    verdict: PermissionVerdict,
    note: ReturnType<typeof noteFileOf>,
  ) => {
    const { tool, input, command } = request;
    if (run.lifecycle.epoch !== claim.epoch) return toDenial('the run has moved on');
    if (command !== null && writesNote(command, note)) return { kind: 'allow' } as const;
    const digest = digestOf(tool, input);
    const { askedCount: asked, grants, standingGrants: standing, refusals: refused } = permissionsOf(run);
    const grant = grants.find((one) => one.digest === digest || one.instead?.digest === digest);
    const objections = verdict.kind === 'ask' ? verdict.objections : [];
    // What a person picked is theirs, though nobody need have been asked.
    if (verdict.kind === 'allow' && grant)
      return { kind: 'open', grant, stands: null, sort: null, digest, objections } as const;
    if (verdict.kind === 'allow') return { kind: 'allow' } as const;
    if (verdict.kind === 'unreadable')
      return toDenial('it is too long for anybody to read before it is allowed; make it shorter');
    if (verdict.kind === 'deny')
      return toDenial(texts.wording.feedback([{ kind: 'denied', objections: verdict.objections }]));
    // E16: inputs with lent secrets are neither stored nor shown.
    if ((texts.lent?.namesIn(input).length ?? 0) > 0) return toDenial('it holds a key that was lent');
    const no = refused.find((one) => one.digest === digest);
    if (no) return { ...toDenial(`${no.by} said no${no.note === '' ? '' : `: ${no.note}`}`), by: no.by };
    const sort = command === null ? null : commandGroupOf(command, objections);
    const stands = (sort && standing.find((one) => isSameCommandGroup(one.sort, sort))) ?? null;
    if (grant || stands) return { kind: 'open', grant, stands, sort, digest, objections } as const;
    if (ROUND_ROWS[round.kind].writes !== 'change' || !isAgentWorking(run.lifecycle.state))
      return toDenial(
        note === null
          ? 'this round may only look'
          : `this round may only look, and write ~/${note}: with cat > ~/${note} <<'END'`,
      );
    if (asked >= MAX_RUN_QUESTIONS) return toDenial('people were asked too often in this run');
    return { kind: 'open', grant, stands, sort, digest, objections } as const;
  };

  const assessNow = async (request: PermissionRequest) => {
    const run = await requireRunOf(parts, claim.runId);
    const note = noteFileOf(round.kind);
    const { command } = request;
    const asked = { ...request, command: command === null ? null : withNoteInWorkspace(command, note) };
    return { run, note, verdict: assessPermission(asked, contextOf(parts.settings.policies, run)) };
  };

  const weigh = async (request: PermissionRequest): Promise<WeighedRequest> => {
    const { run, note, verdict } = await assessNow(request);
    const { governed } = verdict;
    const found = considerRequest(request, run, verdict, note);
    if (found.kind === 'open')
      return {
        verdict: found.grant || found.stands ? 'granted' : 'ask',
        reason: null,
        governed,
        ...(found.grant ? { by: found.grant.by } : {}),
      };
    if (found.kind === 'allow') return { verdict: 'allow', reason: null, governed };
    const byPolicy = verdict.kind === 'deny' || verdict.kind === 'unreadable';
    return { verdict: byPolicy ? 'deny' : 'refused', reason: found.reason, governed };
  };

  return {
    question: (): PermissionQuestion | null => open,
    weigh,
    ask: (request: PermissionRequest): Promise<PermissionAnswer> =>
      open ? Promise.resolve({ kind: 'wait' }) : decideRequest(request),
  };
};
