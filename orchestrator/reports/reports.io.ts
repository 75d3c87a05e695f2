/** Reports and insights for the chat (O4, O7). */
import type { ReportDays, ReportScope, ExpectedSpending } from '#model/reports';
import { DAY } from '#model/values';
import type { SystemClock } from '#ports/processes';
import type { LedgerQueries } from '#ports/ledger';
import { readCurrentReport, type FigureRecords, type ReportNow } from './fold-figures.io.ts';
import type { RuntimeSettings } from '#settings';
import { expectSpending, type RunLikeness } from './expect-spending.ts';
import { readCurrentInsights, type InsightsNow } from './current-insights.io.ts';

/** Maximum wait of a chat (ms); later results are marked as incomplete. */
const REPORT_TIMEOUT_MS = 1_500;
const EXPECTED_TIMEOUT_MS = 200;
const EXPECTED_DAYS = 90;

export type ReportService = {
  report(about: ReportScope): Promise<ReportNow>;
  insights(days: ReportDays): Promise<InsightsNow>;
  estimateSpending(like: RunLikeness): Promise<ExpectedSpending | null>;
};

type ReportsParts = {
  figures: FigureRecords;
  query: Pick<LedgerQueries, 'changes'>;
  runtimeSettings: RuntimeSettings;
  clock: SystemClock;
};

export const createReports = ({ figures, query, runtimeSettings, clock }: ReportsParts): ReportService => {
  const createTimeout = (from: number) => (): boolean => clock.now() > from + REPORT_TIMEOUT_MS;
  return {
    report(about) {
      const now = clock.now();
      return readCurrentReport(figures, about, now, createTimeout(now));
    },
    insights(days) {
      const now = clock.now();
      const parts = { figures, query, values: runtimeSettings.now(), limits: runtimeSettings.limits };
      return readCurrentInsights(parts, days, now, createTimeout(now));
    },
    async estimateSpending(like) {
      const now = clock.now();
      await figures.refresh(() => clock.now() > now + EXPECTED_TIMEOUT_MS);
      return expectSpending(await figures.since(now - EXPECTED_DAYS * DAY), like);
    },
  };
};
