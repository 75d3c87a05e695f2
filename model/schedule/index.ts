/** When a campaign begins again: triggers, repetitions, working hours. */
export {
  CampaignTrigger,
  HookName,
  admitArrival,
  anotherWaits,
  isStale,
  replacedBy,
  sourceOf,
} from './campaign-trigger.ts';
export { OpeningWindow, openingsClosedUntil } from './opening-window.ts';
export { RepeatRule, cronOf } from './repeat-schedule.ts';
export { WorkingHours, closedUntil } from './working-hours.ts';
