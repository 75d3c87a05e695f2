/** E18: what people read and may tap where nobody has told what a model costs. */
import { describe, expect, it } from 'vitest';
import { LANGUAGE_TEXTS } from '#language';
import { stripMarkup } from '#chat-text';
import { figureLines } from '#report-views';
import { renderBudget } from '../../bot/views/budget-screen.ts';
import { proposerResultsLine } from '../../bot/views/proposer-lines.ts';
import { NO_USAGE } from '#model/reports';
import { RunBounds } from '#model/limits';
import { DAY } from '#model/values';
import { figureRow } from '../../orchestrator/reports/figure-columns.ts';
import { measureRuns } from '../../orchestrator/reports/period-report.ts';
import { toStepFailure } from '../../orchestrator/kernel/runtime/effect-handler.ts';
import { resumePricedRuns } from '../../orchestrator/limits/resume-priced-runs.ts';
import { ANA, createChatWorld, VIC, type Delivered } from '../support/chat-world.ts';
import { at, START } from '../support/core.ts';
import { someFigures } from '../support/figures.ts';
import { anOrder } from '../support/ledger.ts';
import { inputsToCard } from '../support/ready-run.ts';

const MODEL = 'gpt-6.1-sol';
const costs = {
  listOfPrices: () => 'genai-prices 0.1.8',
  cautionOf: (engine: string) =>
    engine === 'codex' ? ({ kind: 'no_price', engine, model: MODEL } as const) : null,
};
const quiet = (): void => undefined;
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };

const stopped = async () => {
  const w = await createChatWorld({ costs });
  const all = inputsToCard();
  const toWork = all.slice(0, all.findIndex(({ type }) => type === 'command.implementation.start') + 1);
  const spent = { session: null, usage: NO_USAGE, ms: 10, outputBytes: 1 };
  const { input } = toStepFailure('agent', 'price_unknown', 'no price', { usageSoFar: spent, model: MODEL });
  const order = anOrder({ bounds: RunBounds.parse({ maxCostUsd: 5 }) });
  await w.offer('p1', { type: 'command.run.create', runId: 'p1', order }, ...toWork, input);
  return w;
};

describe('a run whose model has no price', () => {
  it('E18: says the model and the ways out, and offers no Retry that can only fail', async () => {
    const w = await stopped();
    const offers = ({ buttons: all }: Delivered): boolean =>
      all.flat().some(({ text }) => text === 'Without a cost limit');
    const message = w.messages.findLast(offers);
    for (const part of ['$5.00', '"gateway.prices"', '/budget p1 cost none'])
      expect(message?.text).toContain(part);
    expect(message?.text).not.toContain('limit of its own');
    expect(message?.buttons.flat().filter(({ text }) => text.startsWith('Retry'))).toEqual([]);
  });

  it('E18: goes on without a limit by an approver’s tap alone', async () => {
    const w = await stopped();
    await w.taps('Without a cost limit', { by: VIC });
    expect(await w.run('p1')).toMatchObject({ lifecycle: { state: 'NEEDS_HUMAN_REVIEW' } });
    expect(await w.taps('Without a cost limit')).toContain('no limit of that kind any more');
    expect(await w.run('p1')).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING', raisedLimits: { maxCostUsd: null } },
    });
  });

  it('E18: or by the command that its message names', async () => {
    const w = await stopped();
    const [said] = await w.says('/budget p1 cost none');
    expect(said).toContain('no limit of that kind any more (cost)');
    expect(await w.run('p1')).toMatchObject({ lifecycle: { state: 'IMPLEMENTING' } });
  });

  it('E18: goes on by itself after a start with a price, and only then', async () => {
    const w = await stopped();
    const start = (known: string[]) =>
      resumePricedRuns({ ...w, log, hasPrice: (model) => known.includes(model) });
    await start(['gpt-6-sol']);
    expect(await w.run('p1')).toMatchObject({ lifecycle: { state: 'NEEDS_HUMAN_REVIEW' } });
    await start([MODEL]);
    expect(await w.run('p1')).toMatchObject({
      lifecycle: { state: 'IMPLEMENTING', reason: { kind: 'retried', by: 'gateway.prices' } },
    });
    await start([MODEL]);
    expect((await w.ledger.query.events('p1')).filter(({ type }) => type === 'command.retry')).toHaveLength(
      1,
    );
  });
});

describe('an order with a limit of cost', () => {
  const said = async (text: string, language = 'en'): Promise<string[]> => {
    const w = await createChatWorld({ costs });
    w.speaks(ANA, language);
    return (await w.says(text)).filter((one) => one.includes(MODEL));
  };

  it('E18: is told at once that nobody knows what the model costs', async () => {
    const [warning, ...more] = await said('/new acme/api Fix it engine=codex budget=cost:2');
    expect(more).toEqual([]);
    expect(warning).toContain('$2.00');
    expect(warning).toContain('"gateway.prices"');
    const [chinese] = await said('/new acme/api Fix it engine=codex budget=cost:2', 'zh');
    expect(chinese).toContain('但不知道');
  });

  it.each(['en', 'zh'] as const)(
    'E18: a model that nobody named is told as what the tested version uses, in %s',
    (code) => {
      const { caution } = LANGUAGE_TEXTS[code].budgets;
      const named = { kind: 'no_price', engine: 'codex', model: MODEL } as const;
      expect(caution({ ...named, usualOf: '0.169.0' }, '$5.00')).toMatch(
        /codex (?:0\.169\.0 uses it where no model is named|0\.169\.0 用它)/,
      );
      expect(caution(named, '$5.00')).not.toContain('0.169');
    },
  );

  it('E18: is told so by its campaign, too', async () => {
    const [warning] = await said('/batch\nacme/api\nacme/web\n\nFix it engine=codex budget=cost:2');
    expect(warning).toContain('$2.00');
  });

  it.each(['engine=codex', 'engine=claude budget=cost:2'])('E18: nothing is said of %s', async (options) => {
    expect(await said(`/new acme/api Fix it ${options}`)).toEqual([]);
  });
});

describe('what nobody told', () => {
  const { en, zh } = LANGUAGE_TEXTS;

  it('E18: /budget names the price list', () => {
    const { run } = at('IMPLEMENTING');
    expect(stripMarkup(renderBudget(run, en, 'genai-prices 0.1.8'))).toContain(
      'price list genai-prices 0.1.8',
    );
    expect(stripMarkup(renderBudget(run, zh, 'genai-prices 0.1.8'))).toContain('价目表 genai-prices 0.1.8');
  });

  it('E18: is an unknown cost beside one that is known, and they are not compared', () => {
    const turn = {
      outcome: 'passed',
      decision: null,
      commit: null,
      workedMs: 60_000,
      tokens: 1_000,
    } as const;
    const of = (...costs: number[]) =>
      proposerResultsLine(
        {
          agent: {
            proposerRotation: {
              engine: 'codex',
              isChosen: false,
              startedAt: 0,
              finishedTurns: costs.map((costUsd, i) => ({ ...turn, engine: `e${i}`, costUsd })),
            },
          },
        } as never,
        en,
      );
    expect(of(0, 0.5)).toMatch(/e0: .*1,000 tokens, cost unknown.*e1: .*\$0\.50.*cannot be compared/);
    expect(of(0.2, 0.5)).not.toMatch(/unknown|compared/);
    expect(of(0, 0)).not.toMatch(/compared/);
  });

  it('E18: is named in reports, in tables and for programs, and is no 0', () => {
    const known = someFigures({ tokens: 10, costUsd: 2 });
    const unknown = someFigures({ tokens: 10, costUsd: 0 });
    const of = (...runs: (typeof known)[]) => measureRuns(runs, START + DAY);
    const lines = (runs: (typeof known)[], words = en): string =>
      figureLines(of(...runs), words, null).join('\n');
    expect(lines([known, unknown])).toMatch(/\$2\.00[^]*Cost unknown: 1 run/);
    expect(lines([unknown, unknown], zh)).toContain('2 个任务的费用未知');
    expect(lines([known, someFigures()])).not.toContain('unknown');
    expect(figureRow(of(unknown))).toMatchObject({
      cost_usd: null,
      cost_usd_per_pull: null,
      cost_unknown_runs: 1,
    });
    expect(figureRow(of(known, unknown))).toMatchObject({ cost_usd: 2, cost_unknown_runs: 1 });
    expect(figureRow(of(someFigures()))).toMatchObject({ cost_usd: 0, cost_unknown_runs: 0 });
  });
});
