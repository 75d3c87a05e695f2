/**
 * A person and a maintainer who carry a change from the order to the merge, by what they see and
 * nothing else.
 */
import { sampleCi, sampleDirectory, sampleGoal, sampleReview, type RepoHandle } from '#playground';
import { createPersistentPerson } from './persistent-person.ts';
import { PATIENCE, type Product } from './product.ts';

/**
 * Works on every piece of news until the run has ended; asks for one change in words, and merges
 * when that is made.
 */
export const carry = async (
  product: Product,
  repo: RepoHandle,
  wish: string,
  deadlineMs = 2 * PATIENCE,
): Promise<void> => {
  const person = createPersistentPerson(product.ana);
  let reviewed: string | null = null;
  const merging: Promise<unknown>[] = [];

  const maintain = (): void => {
    const run = product.run(repo.fullName);
    const [pull] = repo.pulls;
    if (
      run?.lifecycle.state !== 'REVIEW_WAIT' ||
      !pull ||
      run.change.pushedHead?.sha !== pull.headSha ||
      merging.length > 0
    )
      return;
    if (reviewed === null) {
      reviewed = pull.headSha;
      repo.review(pull.number, { state: 'CHANGES_REQUESTED', body: wish });
    } else if (reviewed !== pull.headSha) {
      repo.review(pull.number, { state: 'APPROVED' });
      merging.push(repo.merge(pull.number));
    }
  };

  await product.waitFor(
    () => {
      person.look();
      maintain();
      return product.run(repo.fullName)?.lifecycle.state === 'DONE';
    },
    { deadlineMs, what: 'the run to be DONE' },
  );
  await Promise.all(merging);
};

/** The sample repository with its CI, ordered and carried; the product has not started yet. */
export const carrySample = async (product: Product): Promise<RepoHandle> => {
  const sample = { owner: 'acme', name: 'patient', from: sampleDirectory(), ci: sampleCi };
  const repo = await product.github.addRepo(sample);
  product.start();
  product.ana.sends(`/new ${repo.fullName} ${sampleGoal}`);
  await carry(product, repo, sampleReview);
  return repo;
};
