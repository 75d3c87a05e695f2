/** When a campaign begins again: triggers, repetitions, working hours. */
export {
  CampaignTrigger,
  HookName,
  admitArrival,
  anotherWaits,
  isStale,
  findReplacedPreviews,
  sourceOf,
} from './campaign-trigger.ts';
export { areDaysOffOver, findNextClosing, OpeningWindow, openingsClosedUntil } from './opening-window.ts';
export { RepeatRule, cronOf } from './repeat-schedule.ts';
export {
  WorkingHours,
  daysOf,
  findNextOpening,
  formatHours,
  normalizeHours,
  withoutDays,
  zoneOf,
} from './working-hours.ts';
