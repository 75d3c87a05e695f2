/** When a campaign begins again: triggers, repetitions, working hours. */
export {
  CampaignTrigger,
  HookName,
  admitArrival,
  hasWaitingPreview,
  isExpiredPreview,
  findReplacedPreviews,
  sourceOf,
} from './campaign-trigger.ts';
export { areDaysOffOver, findNextClosing, OpeningWindow, openingsClosedUntil } from './opening-window.ts';
export { RepeatRule, toCron } from './repeat-rule.ts';
export {
  WorkingHours,
  weekdaysBetween,
  findNextOpening,
  formatHours,
  normalizeHours,
  withoutDays,
  timeZoneOfHours,
} from './working-hours.ts';
