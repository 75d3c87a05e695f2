/**
 * C4: a tap on what was proposed gives the command, once, to the runs that still stand as they did.
 */

import type { Input } from '../../orchestrator/core/machine/inputs.ts';
import type { Run } from '../../orchestrator/core/machine/run.ts';
import { atLeast } from '../../orchestrator/core/roles.ts';
import type { EffectRow } from '../../orchestrator/ports.ts';
import {
  commandOf,
  isSteering,
  neededFor,
  onlyShows,
  readKept,
  steered,
} from '../../orchestrator/commands/read.ts';
import { signOffKey } from '../../orchestrator/core/trailers.ts';
import { renderProposal, stands, type ProposalView } from '../views/proposal.ts';
import { doing } from '../views/scene.ts';
import { costWarnings, orderFrom, person } from './acting.ts';
import { closedBecause } from './cards.ts';
import { showing, type Answers, type Context } from './context.ts';
import { perform } from './handlers.ts';
import { settings } from './people.ts';
import { submitted, tell, type Said } from './popup.ts';

export const give = async (c: Context, row: EffectRow, show: ProposalView, index: number | null): Said => {
  const { tap: t } = c.words;
  const choice = show.choices[index ?? -1];
  const kept = choice && readKept(choice.command, choice.parameters);
  if (!choice || !kept) return tell(c, t.gone, true);
  const { name, told } = kept;
  const needs = neededFor(name, told);
  // guard: C4-proposal-role
  if (!atLeast(c.role, needs)) return tell(c, c.words.roles.needs(needs), true);
  const named = await Promise.all(
    show.choices.flatMap(({ targets: on }) => on.map(({ run }) => c.ledger.query.run(run))),
  );
  const runs = named.filter((run) => run !== null);
  const byId = new Map(runs.map((run) => [run.id, run]));
  const drawn = (given: boolean): Answers => ({
    ...showing(
      { view: 'reply', html: renderProposal(show, runs, c.words, given ? choice : null).html, buttons: [] },
      row.runId,
      row.slot,
    ),
  });
  // A second tap on the same choice is the same command.
  const once: Context = { ...c, row: { ...c.row, key: `proposal:${row.n}:${index ?? 0}` } };
  const command = commandOf(kept, choice.targets[0]?.run ?? '');
  if (command.kind === 'settings')
    return settings(c, command.setting).then(() => ({ text: t.done, alert: false }));
  if (onlyShows(name, told)) return perform(c, command, '').then(() => ({ text: t.shown, alert: false }));
  if (command.kind === 'new') {
    const [target] = choice.targets;
    const order = orderFrom(c, command.order);
    if ('refused' in order) return tell(c, order.refused, true);
    if (!target || !stands(target, byId.get(target.run))) return tell(c, t.duplicate, false, drawn(false));
    const input: Input = { type: 'command.run.create', runId: target.run, order: order.order };
    const taken = [drawn(true), ...costWarnings(c, order.order)];
    return submitted(once, { id: target.run }, input, { done: () => t.done, taken });
  }
  if (!isSteering(name)) return tell(c, t.gone, true);
  const live = choice.targets.flatMap((target) => {
    const run = byId.get(target.run);
    // guard: C4-answer-epoch
    if (!stands(target, run)) return [];
    return run ? [run] : [];
  });
  const last = live.pop();
  const [first] = choice.targets;
  const run = first && byId.get(first.run);
  if (!last && !run) return tell(c, t.gone, true, drawn(false));
  // Words about a card decide about that card, and only while it is good.
  const decides = name === 'deny' || name === 'changes';
  const card = decides && first?.approval ? await c.ledger.query.approval(first.approval) : null;
  const closed = run && card ? closedBecause(run, card, c.clock.now(), c.words) : null;
  if (closed !== null) return tell(c, closed, true, drawn(false));
  if (!last) return tell(c, run ? t.movedOn(doing(run, c.words)) : t.gone, true, drawn(false));
  if (command.kind === 'answer' && command.what === 'sign_off')
    await c.ledger.setSetting(signOffKey(c.user), command.text);
  const inputFor = (run: Run): Input => steered(name, person(c), told as never, run);
  // The tap ends with the last of them: until then it is tried again, and what was given is not
  // given twice.
  for (const run of live)
    await c.submit({
      runId: run.id,
      input: inputFor(run),
      key: `chat:${once.row.key}`,
      cause: { kind: 'none' },
    });
  return submitted(once, last, inputFor(last), {
    done: () => t.done,
    taken: [drawn(true)],
    refused: [drawn(false)],
  });
};
