/** What `agentpr doctor` says of the labels by which issues ask for changes (F5). */
import { watchedIn } from '../app/watched-repositories.ts';
import { passedLine, warningLine, type DoctorCheck } from '../app/doctor-lines.ts';
import { systemClock } from '../app/clock.ts';
import type { ControlConfig } from '../app/config.ts';
import { credentialsOf } from '../app/github-credentials.ts';
import { createClient, repositoryHasLabel } from '#forge';
import { OutsideFailure } from '../orchestrator/ports.ts';
import { countWords } from '../orchestrator/core/text-format.ts';

/** One request each, one after the other. */
const MAX_REPOSITORIES = 30;

/** Nothing where none could be looked at: other lines say why. */
export const labelChecks = async (config: ControlConfig): Promise<DoctorCheck[]> => {
  const { token } = credentialsOf(config, systemClock);
  const { apiUrl } = config.github;
  const client = createClient({ apiUrl, token, userAgent: 'agentpr', clock: systemClock });
  const wrong: string[] = [];
  let seen = 0;
  for (const { repo: fullName, label } of watchedIn(config).slice(0, MAX_REPOSITORIES)) {
    const [owner = '', repo = ''] = fullName.split('/');
    try {
      if (!(await repositoryHasLabel(client, { owner, repo }, label)))
        wrong.push(`${fullName} has no label ${label}`);
      seen += 1;
    } catch (error) {
      if (!(error instanceof OutsideFailure)) throw error;
      if (error.class === 'repository_missing') wrong.push(`${fullName} is not found, or hidden from us`);
    }
  }
  if (wrong.length > 0)
    return [
      warningLine(
        'labels',
        wrong.sort().join('\n'),
        'Make the label there, or name another repository or label in arrivals.issues.',
      ),
    ];
  return seen === 0
    ? []
    : [passedLine('labels', `issues of ${countWords(seen, 'repository', 'repositories')} can be labelled`)];
};
