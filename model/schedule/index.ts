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
export { OpeningWindow, openingsClosedUntil } from './opening-window.ts';
export { RepeatRule, cronOf } from './repeat-schedule.ts';
export { WorkingHours, findNextOpening } from './working-hours.ts';
