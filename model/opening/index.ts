/** How and how many pull requests open: draft, labels and reviewers, caps. */
export { OpeningCaps } from './opening-caps.ts';
export {
  DRAFT_WAYS,
  hasSetupFields,
  joinPullEdits,
  joinPullOptions,
  PullEdit,
  pullOpeningOf,
  PullOptions,
  PullSettings,
  PullSetup,
  PullSetupRefusal,
} from './pull-options.ts';
