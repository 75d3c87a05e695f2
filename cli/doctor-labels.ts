/** What `agentpr doctor` says of the labels by which issues ask for changes (F5). */
import { watchedIn } from '../app/arrivals.ts';
import { good, warn, type DoctorCheck } from '../app/check-line.ts';
import { systemClock } from '../app/clock.ts';
import type { Config } from '../app/config.ts';
import { credentialsOf } from '../app/credentials.ts';
import { createClient } from '../forge/client.ts';
import { hasLabel } from '../forge/labels.ts';
import { OutsideFailure } from '../orchestrator/ports.ts';
import { counted } from '../orchestrator/core/text.ts';

/** One request each, one after the other. */
const MAX_REPOSITORIES = 30;

/** Nothing where none could be looked at: other lines say why. */
export const labelChecks = async (config: Config): Promise<DoctorCheck[]> => {
  const { token } = credentialsOf(config, systemClock);
  const { apiUrl } = config.github;
  const client = createClient({ apiUrl, token, userAgent: 'agentpr', clock: systemClock });
  const wrong: string[] = [];
  let seen = 0;
  for (const { repo: fullName, label } of watchedIn(config).slice(0, MAX_REPOSITORIES)) {
    const [owner = '', repo = ''] = fullName.split('/');
    try {
      if (!(await hasLabel(client, { owner, repo }, label))) wrong.push(`${fullName} has no label ${label}`);
      seen += 1;
    } catch (error) {
      if (!(error instanceof OutsideFailure)) throw error;
      if (error.class === 'repository_missing') wrong.push(`${fullName} is not found, or hidden from us`);
    }
  }
  if (wrong.length > 0)
    return [
      warn(
        'labels',
        wrong.sort().join('\n'),
        'Make the label there, or name another repository or label in arrivals.issues.',
      ),
    ];
  return seen === 0
    ? []
    : [good('labels', `issues of ${counted(seen, 'repository', 'repositories')} can be labelled`)];
};
