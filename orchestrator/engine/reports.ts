/** O4, O7: reports and insights as a chat asks for them. */
import type { Days, ReportScope } from '../core/reported.ts';
import type { Clock, Queries } from '../ports.ts';
import { reportNow, type FigureRecords, type ReportNow } from './figures.ts';
import type { HouseSettings } from './house-settings.ts';
import { insightsNow, type InsightsNow } from './insights.ts';

/** Nobody waits longer in a chat (ms): what is late is said to be so. */
const PATIENCE = 1_500;

export type Reports = {
  report(about: ReportScope): Promise<ReportNow>;
  insights(days: Days): Promise<InsightsNow>;
};

export type ReportsParts = {
  figures: FigureRecords;
  query: Pick<Queries, 'changes'>;
  house: HouseSettings;
  clock: Clock;
};

export const createReports = ({ figures, query, house, clock }: ReportsParts): Reports => {
  const waits = (from: number) => (): boolean => clock.now() > from + PATIENCE;
  return {
    report(about) {
      const now = clock.now();
      return reportNow(figures, about, now, waits(now));
    },
    insights(days) {
      const now = clock.now();
      const parts = { figures, query, values: house.now(), limits: house.limits };
      return insightsNow(parts, days, now, waits(now));
    },
  };
};
